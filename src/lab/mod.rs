//! Reproducible experiments, and the things the repository holds that the program itself has made.

pub mod duel;
pub mod fuzz;
pub mod sample_matches;
