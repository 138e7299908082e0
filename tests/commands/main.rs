//! The commands and their answers, seen from outside.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod cli;
mod cli_rollouts;
mod cli_why;
mod cube;
mod duel;
mod kept;
mod library;
mod options;
mod outputs;
mod records;
mod replays;
mod sharing;
mod study;
#[cfg(target_os = "linux")]
mod variations;
mod verify;
