//! A whole match judged: every turn at 0 plies, and deeper where that may change the verdict.
//!
//! Turns are judged side by side on the threads of the pool in force, each by itself and in the
//! order of the match: what comes out does not depend on how many threads there are.

use rayon::prelude::*;

use super::luck::{Luck, luck};
use super::{Review, Turn, review_with, turns};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::match_file::Match;

/// A turn and what was found out about it.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What was to decide.
    pub turn: Turn,
    /// The verdict.
    pub review: Review,
    /// The luck of the roll, if there was one.
    pub luck: Option<Luck>,
}

/// Judges a match at up to `ply` plies; `None` if `cancelled` answered true on the way.
pub fn judge_match(
    evaluator: &dyn Evaluator,
    model: &Model,
    record: &Match,
    ply: u8,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Judged>> {
    turns(record)
        .into_par_iter()
        .with_max_len(1)
        .map(|turn| {
            Some(Judged {
                review: judge(evaluator, model, &turn, ply, &cancelled)?,
                luck: luck(evaluator, model, &turn),
                turn,
            })
        })
        .collect()
}

/// Judges a turn at 0 plies, then a ply deeper at a time while the verdict may change.
fn judge(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &Turn,
    most: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<Review> {
    let mut done = 0;
    let mut review = review_with(evaluator, model, turn, 0, cancelled)?;
    while let Some(ply) = review.next_ply_within(done, most) {
        review = review_with(evaluator, model, turn, ply, cancelled)?;
        done = ply;
    }
    Some(review)
}

#[cfg(test)]
#[path = "whole_tests.rs"]
mod tests;
