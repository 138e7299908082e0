//! Luckless: a backgammon analysis workstation.
//!
//! The engine is a crate of its own, `crates/engine`; its modules are seen here under the same names. Above it, from
//! the ground up, each using only those above it in this list:
//!
//! * `bounded_lines`: lines of a bounded length.
//! * [`grid`]: text in columns.
//! * [`review`]: reviews of matches: errors, PR and luck.
//! * [`library`]: filters and searches over many matches.
//! * [`study`]: spaced repetition of errors, the study plan, notes for Anki.
//! * [`store`]: files on the user's disk: settings, rollouts, reviews, the library.
//! * [`tui`]: the workstation in the terminal.
//! * [`cli`]: the command lines.
//!
//! `docs/internals/architecture.md` follows one roll from the file to the screen.

pub use luckless_engine::{
    analysis, cube, diagram, dice, duel, eval, game, match_file, notation, rollout, sanitize, stats,
};
use luckless_engine::{locks, panics, words};

#[cfg(test)]
#[macro_use]
#[path = "../tests/common/assertions.rs"]
mod assertions;
mod bounded_lines;
pub mod cli;
pub mod grid;
pub mod library;
pub mod review;
pub mod store;
pub mod study;
pub mod tui;
