//! The `luckless-lab` program: experiments, generated files and training, for developers.

mod commands;
mod experiments;
mod train;

use std::process::ExitCode;

use luckless::{cli, grid, library, review, store};
use luckless_engine::{
    analysis, cube, dice, duel, eval, game, locks, match_file, notation, rollout, sanitize, stats,
};

fn main() -> ExitCode {
    commands::run(std::env::args_os())
}
