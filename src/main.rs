//! The `luckless` program: everything it does lives in the library.
use luckless::train::{Recipe, Session};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut s = Session::open(a[2].as_ref(), Recipe::named(&a[1]).unwrap(), 1).unwrap();
    let t = std::time::Instant::now();
    let mut last = t;
    while s.round() {
        let p = s.progress();
        println!(
            "{:7.1} stage {} round {} games {} positions {} loss {:.5}",
            t.elapsed().as_secs_f64(),
            p.stage,
            p.round,
            p.games,
            p.positions,
            p.loss
        );
        if last.elapsed().as_secs() > 60 {
            s.save().unwrap();
            last = std::time::Instant::now();
        }
    }
    s.save().unwrap();
}
