//! Analyses one position at many scores and cubes.
//!
//! Without lookahead the figures equal those of [`Model::candidates`] and [`Model::decide`] to the last bit.
//! Deeper ones share a table of replies, which makes a lookahead many times cheaper with nearly the same
//! result: see [`replies`](super::replies).

use super::context::Cube;
use super::model::Model;
use super::ranking::{CubefulCandidate, StaticPlay, static_plays};
use super::replies::ReplyTable;
use crate::cube::CubeDecision;
use crate::eval::{Candidate, CandidateFilter, Evaluator};
use crate::game::{GameState, Position, Roll};

/// Lookaheads from one position at many scores.
pub struct ManyScores<'a> {
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
    plays: Vec<StaticPlay>,
    replies: ReplyTable,
}

impl<'a> ManyScores<'a> {
    /// Creates lookaheads for the plays of `roll` in `position`; without a roll, for its cube decision.
    pub fn new(
        evaluator: &'a dyn Evaluator,
        model: &'a Model,
        position: &Position,
        roll: Option<Roll>,
    ) -> Self {
        Self {
            evaluator,
            model,
            plays: roll.map_or_else(Vec::new, |roll| static_plays(evaluator, position, roll)),
            replies: ReplyTable::default(),
        }
    }

    /// Iterates over the plays in the order of generation.
    pub fn plays(&self) -> impl Iterator<Item = &Candidate> {
        self.plays.iter().map(|(candidate, _)| candidate)
    }

    /// Returns the plays at the score and cube of `state`, best first, as [`Model::candidates`] does. `None`
    /// if `cancelled` returned true.
    pub fn candidates(
        &self,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<CubefulCandidate>> {
        let look = self.model.lookahead(self.evaluator, state, cancelled);
        let look = look.sharing(&self.replies);
        look.candidates(
            &self.plays,
            Cube::of(state),
            ply,
            CandidateFilter::default().in_position(&state.position),
        )
    }

    /// Returns the play `candidate` analysed at `ply` plies at the score and cube of `state`. `None` if
    /// `cancelled` returned true.
    pub fn analyse(
        &self,
        state: &GameState,
        candidate: Candidate,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CubefulCandidate> {
        let look = self.model.lookahead(self.evaluator, state, cancelled);
        let look = look.sharing(&self.replies);
        look.rank(0, candidate, Cube::of(state), ply, None)
    }

    /// Returns the cube decision at the score and cube of `state`, as [`Model::decide`] does: that of the
    /// doubler while a double is pending.
    pub fn decide(
        &self,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CubeDecision> {
        let roller = state.roller();
        let look = self.model.lookahead(self.evaluator, &roller, cancelled);
        let decided = look.sharing(&self.replies).decide(state, ply);
        decided.map(|(decision, _)| decision)
    }
}
