//! The `luckless-lab` program: experiments, generated files and training, for developers.

use std::process::ExitCode;

fn main() -> ExitCode {
    luckless::cli::lab::run(std::env::args_os())
}
