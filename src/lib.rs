//! Luckless: a backgammon analysis workstation.
//!
//! The modules, from the ground up. Each uses only those above it in this list:
//!
//! * [`sanitize`]: outside text made safe to show.
//! * [`words`]: words with their number.
//! * `locks`: locks that outlive a panic.
//! * `panics`: panics that end one piece of work and nothing else.
//! * `bounded_lines`: lines of a bounded length.
//! * [`grid`]: text in columns.
//! * [`stats`]: standard errors, confidence intervals and confidence sequences.
//! * [`game`]: the rules of backgammon.
//! * [`notation`]: plays and positions as text.
//! * [`diagram`]: boards as pictures.
//! * [`match_file`]: recorded matches.
//! * [`eval`]: evaluators: cubeless chances of a position, by nets and by bearoff tables.
//! * [`cube`]: cubeful equities, match equities and cube actions.
//! * [`analysis`]: one decision in depth: plays compared, other scores, the opening book.
//! * [`dice`]: reproducible streams of rolls.
//! * [`rollout`]: rollouts with variance reduction and coupled dice.
//! * [`duel`]: games and matches between engines.
//! * [`review`]: reviews of matches: errors, PR and luck.
//! * [`library`]: filters and searches over many matches.
//! * [`study`]: spaced repetition of errors, the study plan, notes for Anki.
//! * [`store`]: files on the user's disk: settings, rollouts, reviews, the library.
//! * `train`: training of the nets by self-play (feature `lab`).
//! * `lab`: experiments (feature `lab`).
//! * [`tui`]: the workstation in the terminal.
//! * [`cli`]: the command lines.
//!
//! `docs/internals/architecture.md` follows one roll from the file to the screen. To read the source, begin
//! with [`game::position`], then [`eval::Evaluator`], then [`rollout`].

pub mod analysis;
mod bounded_lines;
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
mod locks;
pub mod match_file;
pub mod notation;
mod panics;
pub mod review;
pub mod rollout;
pub mod sanitize;
pub mod stats;
pub mod store;
pub mod study;
#[cfg(feature = "lab")]
pub mod train;
pub mod tui;
pub mod words;
