//! Plays with what they are worth with the cube and the score, put in order.

use super::context::{Cube, CubeContext};
use crate::eval::lookahead::LeftOut;
use crate::eval::{Candidate, CandidateFilter, Evaluator, Probabilities, lookahead};
use crate::game::{PlayList, Position, Roll};

/// A play ranked with cube and score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubefulCandidate {
    /// The play, its cubeless chances and cubeless equity.
    pub candidate: Candidate,
    /// What it is worth with the cube, in points on the present cube (EMG in a match).
    pub cubeful: f32,
    /// The chance to win the match, in a match.
    pub mwc: Option<f32>,
}

impl CubeContext {
    /// A play with what it is worth to the player who makes it at `cube`, from the opponent's chances
    /// and value.
    pub(super) fn ranked(
        &self,
        mut candidate: Candidate,
        cube: Cube,
        ply: u8,
        chances: Probabilities,
        theirs: f32,
    ) -> CubefulCandidate {
        candidate.probabilities = chances.flipped();
        candidate.equity = candidate.probabilities.equity();
        candidate.ply = ply;
        let value = self.flip(theirs);
        CubefulCandidate {
            candidate,
            cubeful: self.to_points(cube.level, value),
            mwc: (!self.is_money()).then(|| value.clamp(0.0, 1.0)),
        }
    }
}

/// A play and the chances after it, for the opponent, who is then on roll.
pub(super) type StaticPlay = (Candidate, Probabilities);

/// All plays of `roll` in the order of their generation, by the static evaluation.
pub(super) fn static_plays(
    evaluator: &dyn Evaluator,
    position: &Position,
    roll: Roll,
) -> Vec<StaticPlay> {
    let list = PlayList::of(position, roll);
    let (mut chances, mut plays) = (Vec::new(), Vec::new());
    value_static_plays(evaluator, position, &list, &mut chances, &mut plays);
    plays
}

/// The plays of a list by the static evaluation, into `plays`.
pub(super) fn value_static_plays(
    evaluator: &dyn Evaluator,
    position: &Position,
    list: &PlayList,
    chances: &mut Vec<Probabilities>,
    plays: &mut Vec<StaticPlay>,
) {
    chances.clear();
    chances.resize(list.len(), Probabilities::default());
    evaluator.probabilities_after(position, list.results(), chances);
    let all = list.plays().iter().zip(list.results()).zip(&*chances);
    plays.clear();
    plays.extend(all.map(|((&play, &result), &chances)| {
        let probabilities = chances.flipped();
        let candidate = Candidate {
            play,
            result,
            probabilities,
            equity: probabilities.equity(),
            ply: 0,
        };
        (candidate, chances)
    }));
}

/// Puts plays that have been ranked without lookahead in order, then those within the filter by what
/// `rank` finds at each depth up to the last. `looks` has that depth, the filter, and what becomes of plays
/// that it leaves out. `None` where `rank` gives up.
pub(super) fn narrow(
    all: &mut [CubefulCandidate],
    context: &CubeContext,
    cube: Cube,
    looks: (u8, CandidateFilter, LeftOut),
    rank: &mut dyn FnMut(&mut CubefulCandidate, u8) -> Option<()>,
) -> Option<()> {
    let sort = |some: &mut [CubefulCandidate]| sort(some, context, cube);
    sort(all);
    lookahead::narrow(all, looks, &|one| one.cubeful, &sort, rank)
}

/// Puts plays in order, best first. Plays that are worth the same with the cube go by their cubeless equity.
/// (As a rule all of them are followed by a double and a pass.) Those that are equal in that too keep the
/// order of generation. At a score [`ties`](super::ties) says what is worth the same as the best.
fn sort(candidates: &mut [CubefulCandidate], context: &CubeContext, cube: Cube) {
    let cubeless = |a: &CubefulCandidate, b: &CubefulCandidate| {
        b.candidate.equity.total_cmp(&a.candidate.equity)
    };
    candidates.sort_by(|a, b| {
        let by_cubeful = b.cubeful.total_cmp(&a.cubeful);
        by_cubeful.then_with(|| cubeless(a, b))
    });
    let Some(best) = candidates.first().and_then(|c| c.mwc) else {
        return;
    };
    let [limit, _] = context.ties_of(cube.level, best);
    let is_tie = |c: &&CubefulCandidate| c.mwc.is_some_and(|mwc| mwc >= limit);
    let tied = candidates.iter().take_while(is_tie).count();
    candidates[..tied].sort_by(cubeless);
}
