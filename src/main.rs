//! The `luckless` program: everything it does lives in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    luckless::cli::run(std::env::args_os())
}
