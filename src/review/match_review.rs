//! A whole match analysed: every turn at 0 plies, and deeper where that may change the verdict.
//!
//! Turns are analysed side by side on the threads of the pool in force, each by itself and in the
//! order of the match. The result does not depend on how many threads there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::luck::{RollLuck, luck};
use super::{MatchTurn, TurnReview, analyse_decisions, turns};
use crate::cube::{CubeDecision, Model};
use crate::eval::{Candidate, Evaluator};
use crate::match_file::Match;
use crate::rollout::RolloutPrecision;

/// The rollouts behind a turn's verdicts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TurnRollouts {
    /// Precision of the first plays of [`TurnReview::candidates`], in their order.
    pub plays: Vec<RolloutPrecision>,
    /// Precision of the cube decision: no double, and double and take.
    pub cube: Option<[RolloutPrecision; 2]>,
}

/// A turn and what was found out about it.
#[derive(Clone, Debug)]
pub struct AnalysedTurn {
    pub turn: MatchTurn,
    /// The verdict.
    pub review: TurnReview,
    /// The luck of the roll, if there was one.
    pub luck: Option<RollLuck>,
    /// How much the last ply changed the errors of the turn, in points; 0 after one analysis.
    pub shift: f32,
    /// The rollouts that the verdict rests on, if there were any.
    pub rolled: Option<TurnRollouts>,
}

/// The standard review of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct StandardReview {
    /// The verdict.
    pub review: Arc<TurnReview>,
    /// How much the last ply changed the errors of the turn, in points; 0 after one analysis.
    pub shift: f32,
}

impl StandardReview {
    /// The turn analysed, without the luck of its roll.
    pub fn of_turn(&self, turn: &MatchTurn) -> AnalysedTurn {
        AnalysedTurn {
            turn: *turn,
            review: TurnReview::clone(&self.review),
            luck: None,
            shift: self.shift,
            rolled: None,
        }
    }

    /// The turn analysed, with the luck of its roll, which is valued now.
    pub fn with_luck(
        &self,
        evaluator: &dyn Evaluator,
        model: &Model,
        turn: &MatchTurn,
    ) -> AnalysedTurn {
        AnalysedTurn {
            luck: luck(evaluator, model, turn),
            ..self.of_turn(turn)
        }
    }
}

impl From<(TurnReview, f32)> for StandardReview {
    fn from((review, shift): (TurnReview, f32)) -> Self {
        Self {
            review: Arc::new(review),
            shift,
        }
    }
}

impl TurnReview {
    /// Puts plays that were rolled out before the others, by what the rollout says. Returns how sure they
    /// are, in that order.
    pub fn put_rolled_plays(
        &mut self,
        mut first: Vec<(Candidate, RolloutPrecision)>,
    ) -> Vec<RolloutPrecision> {
        first.sort_by(|a, b| b.0.equity.total_cmp(&a.0.equity));
        let made = self.played.map(|i| self.candidates[i].result);
        let is_first = |c: &Candidate| first.iter().any(|(f, _)| f.result == c.result);
        let rest = self.candidates.iter().filter(|c| !is_first(c)).copied();
        let all = first.iter().map(|f| f.0).chain(rest).collect();
        self.set_candidates(all, made);
        first.into_iter().map(|f| f.1).collect()
    }

    /// Puts what a rollout says of the cube decision in the place of what lookahead said.
    pub fn put_rolled_cube(&mut self, decision: CubeDecision) {
        let Some(cube) = &mut self.cube else { return };
        cube.decision = decision;
        cube.error = cube.choice.and_then(|choice| decision.error(choice));
        if self.candidates.is_empty() {
            self.error = cube.error;
        }
    }
}

/// Analyses a match at up to `ply` plies; `None` if `cancelled` answered true on the way.
pub fn analyse_match(
    evaluator: &dyn Evaluator,
    model: &Model,
    record: &Match,
    ply: u8,
    cancelled: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<AnalysedTurn>> {
    analyse_match_observed(evaluator, model, record, ply, cancelled, &|_, _| ())
}

/// Analyses a match as [`analyse_match`] does. After each turn it calls `observe` with the number of analysed turns and
/// the number of all turns.
pub fn analyse_match_observed(
    evaluator: &dyn Evaluator,
    model: &Model,
    record: &Match,
    ply: u8,
    cancelled: &(dyn Fn() -> bool + Sync),
    observe: &(dyn Fn(usize, usize) + Sync),
) -> Option<Vec<AnalysedTurn>> {
    let turns = turns(record);
    let (done, of) = (AtomicUsize::new(0), turns.len());
    turns
        .into_par_iter()
        .with_max_len(1)
        .map(|turn| {
            let (mut review, shift) = analyse(evaluator, model, &turn, ply, &cancelled)?;
            let luck = luck(evaluator, model, &turn);
            review.luck = luck.map(|luck| luck.points);
            observe(done.fetch_add(1, Ordering::Relaxed) + 1, of);
            Some(AnalysedTurn {
                review,
                luck,
                turn,
                shift,
                rolled: None,
            })
        })
        .collect()
}

/// Analyses a turn at 0 plies, then a ply deeper at a time while the verdict may change. Returns also how
/// much the last ply changed its errors, in points.
fn analyse(
    evaluator: &dyn Evaluator,
    model: &Model,
    turn: &MatchTurn,
    most: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<(TurnReview, f32)> {
    let (mut done, mut moved) = (0, 0.0);
    let mut review = analyse_decisions(evaluator, model, turn, 0, cancelled)?;
    while let Some(ply) = review.next_ply(&turn.before.state.position, done, most) {
        let deeper = analyse_decisions(evaluator, model, turn, ply, cancelled)?;
        moved = shift(&review, &deeper);
        review = deeper;
        done = ply;
    }
    Some((review, moved))
}

/// How much a deeper look changed the errors of a turn, in points.
pub fn shift(before: &TurnReview, after: &TurnReview) -> f32 {
    change(before.error, after.error).max(change(cube_error(before), cube_error(after)))
}

fn cube_error(review: &TurnReview) -> Option<f32> {
    review.cube.as_ref().and_then(|cube| cube.error)
}

fn change(before: Option<f32>, after: Option<f32>) -> f32 {
    before.zip(after).map_or(0.0, |(a, b)| (a - b).abs())
}

#[cfg(test)]
mod tests;
