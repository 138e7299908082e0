//! Luckless: a backgammon analysis workstation.
//!
//! The rooms, from the ground up; each uses only what stands above it in this list:
//! [`game`] (rules), [`match_file`] (recorded matches), [`eval`] (what a position is worth), [`cube`] (what doubling adds),
//! [`rollout`] (games played out, luck taken out).
pub mod cube;
pub mod eval;
pub mod game;
pub mod lab;
pub mod match_file;
pub mod rollout;
pub mod train;
