//! Computes the bearoff tables, so that the program starts with them at hand.
//!
//! The code is the library's own (its tests compile the same files and check the numbers).

use std::path::PathBuf;

#[path = "src/eval/bearoff/generate.rs"]
mod generate;
#[path = "src/eval/bearoff/layout.rs"]
mod layout;
#[path = "src/eval/bearoff/numbering.rs"]
mod numbering;
#[path = "src/eval/bearoff/plays.rs"]
mod plays;

fn main() {
    for file in ["generate", "layout", "numbering", "plays"] {
        println!("cargo::rerun-if-changed=src/eval/bearoff/{file}.rs");
    }
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    std::fs::write(out.join("bearoff.bin"), generate::pack()).expect("OUT_DIR can be written");
}
