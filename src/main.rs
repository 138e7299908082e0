//! The `luckless` program: everything it does lives in the library.

use std::process::ExitCode;
use std::sync::Arc;

use luckless::{eval, store, tui};

fn main() -> ExitCode {
    let options = tui::Options {
        sources: std::env::args().skip(1).collect(),
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        evaluator: Arc::new(eval::Engine::embedded()),
        places: store::Places::of_user(),
        theme: None,
    };
    match tui::run(options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("luckless: {error}");
            ExitCode::FAILURE
        }
    }
}
