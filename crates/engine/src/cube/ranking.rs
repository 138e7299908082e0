//! Ranks plays by their values with cube and score.

use super::context::{Cube, CubeContext};
use crate::eval::lookahead::LeftOut;
use crate::eval::{Candidate, CandidateFilter, Evaluator, Probabilities, lookahead};
use crate::game::{PlayList, Position, Roll};

/// A play ranked with cube and score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubefulCandidate {
    /// The play with its cubeless chances and cubeless equity.
    pub candidate: Candidate,
    /// Cubeful equity in points of the present cube (EMG in a match).
    pub cubeful: f32,
    /// Match winning chance, in a match.
    pub mwc: Option<f32>,
}

impl CubeContext {
    /// Creates a ranked play with its value for the player who makes it at `cube`, from the opponent's
    /// chances and value.
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

/// A play with the opponent's chances after it; the opponent is then on roll.
pub(super) type StaticPlay = (Candidate, Probabilities);

/// Returns all plays of `roll` in the order of generation, with the static evaluation.
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

/// Evaluates the plays of a list statically, into `plays`.
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

/// Sorts plays ranked without lookahead, then those within the filter by the results of `rank` at each depth
/// up to the last. `looks` contains the last depth, the filter, and the treatment of dropped plays. `None` if
/// `rank` returns `None`.
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

/// Sorts plays, best first. Equal cubeful equities are ordered by cubeless equity. (Usually all these plays
/// are followed by a double and a pass.) If that is equal too, the order of generation is kept. In a match
/// [`ties`](super::ties) defines which values equal the best.
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
