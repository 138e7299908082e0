//! The `luckless` program: everything it does lives in the library.

fn main() {
    println!("luckless");
}
