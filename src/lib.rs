//! Luckless: a backgammon analysis workstation.
//!
//! The modules, from the ground up; each uses only what stands before it in this list:
//!
//! * [`sanitize`]: outside text made safe to show.
//! * [`grid`]: text in columns.
//! * [`stats`]: errors of estimates.
//! * [`game`]: the rules.
//! * [`notation`]: plays and positions as text.
//! * [`diagram`]: boards as pictures.
//! * [`match_file`]: recorded matches.
//! * [`eval`]: what a position is worth.
//! * [`cube`]: what doubling adds.
//! * [`analysis`]: why a play is better, and at which score.
//! * [`dice`]: streams of rolls.
//! * [`rollout`]: games played out, with variance reduction.
//! * [`duel`]: engine against engine.
//! * [`review`]: a match analysed.
//! * [`library`]: many matches.
//! * [`study`]: errors that come back.
//! * [`store`]: files that last.
//! * `train`: how the nets came to be (feature `lab`).
//! * `lab`: experiments (feature `lab`).
//! * [`tui`]: the workstation.
//! * [`cli`]: the command lines.
//!
//! `docs/internals/architecture.md` follows one roll from the file to the screen. To read the source, begin
//! with [`game::position`], then [`eval::Evaluator`], then [`rollout`].

pub mod analysis;
pub mod cli;
pub mod cube;
pub mod diagram;
pub mod dice;
pub mod duel;
pub mod eval;
pub mod game;
pub mod grid;
#[cfg(feature = "lab")]
pub mod lab;
pub mod library;
pub mod match_file;
pub mod notation;
pub mod review;
pub mod rollout;
pub mod sanitize;
pub mod stats;
pub mod store;
pub mod study;
#[cfg(feature = "lab")]
pub mod train;
pub mod tui;
