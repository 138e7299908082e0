//! Recorded matches: one model, a reader and a writer for each format.

pub mod model;

pub use model::{Action, Event, Game, GameResult, Match, Moment, Warning};
