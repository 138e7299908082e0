//! Luckless: a backgammon analysis workstation.
//!
//! The rooms, from the ground up; each uses only what stands above it in this list:
//! [`game`] (rules), [`notation`] (plays and positions as text), [`match_file`] (recorded
//! matches), [`eval`] (what a position is worth), [`rollout`] (games played out, luck taken out).
pub mod eval;
pub mod game;
pub mod match_file;
pub mod notation;
pub mod rollout;
