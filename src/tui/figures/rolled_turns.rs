//! Which rollouts of the session count in the errors of a match, and the review of a turn with their figures.
//!
//! A rollout of plays counts if it has both the play that was made and the one that lookahead thinks best, one
//! of the cube if it is of the decision made. Both must have come far enough to tell errors
//! ([`Job::compares`], [`Job::cube_error`]). The list of moves, the errors, the statistics and the report that is written
//! all go by this.

use crate::eval::Candidate;
use crate::game::Position;
use crate::review::match_review::TurnRollouts;
use crate::review::{MatchTurn, TurnReview};
use crate::rollout::RolloutPrecision;
use crate::tui::rollouts::job::Job;
use crate::tui::rollouts::jobs::{DecisionKey, Jobs};
use crate::tui::rollouts::rolled_plays::RolledPlay;

/// Error of the play of a turn by rollout, in points.
pub fn play_error(jobs: &Jobs, turn: &MatchTurn, review: &TurnReview) -> Option<f32> {
    let (best, played) = best_and_played(review)?;
    jobs.error(DecisionKey::of(&turn.before.state), &best, &played)
}

/// What the play that lookahead thinks best and the play that was made lead to.
fn best_and_played(review: &TurnReview) -> Option<(Position, Position)> {
    let best = review.candidates.first()?.result;
    Some((best, review.candidates[review.played?].result))
}

/// Error of the cube decision of a turn by rollout, in points, also that of not doubling, and the rollout
/// that says so.
pub fn cube_error<'a>(
    jobs: &'a Jobs,
    turn: &MatchTurn,
    review: &TurnReview,
) -> Option<(&'a Job, f32)> {
    let choice = review.cube?.choice?;
    let state = &turn.before.state;
    jobs.cube_error(DecisionKey::of(state).before(), choice, state)
}

/// The review of a turn with the figures of the rollouts that count, and how sure those are; `None` where
/// none does.
pub fn rolled(
    jobs: &Jobs,
    turn: &MatchTurn,
    review: &TurnReview,
) -> Option<(TurnReview, TurnRollouts)> {
    let decision = DecisionKey::of(&turn.before.state);
    let plays = best_and_played(review)
        .and_then(|(best, played)| jobs.plays_of_error(decision, &best, &played));
    let cube = cube_error(jobs, turn, review).and_then(|(job, _)| {
        let decision = job.cube_decision(&turn.before.state)?;
        let [hold, take] = &job.result()?.candidates[..] else {
            return None;
        };
        Some((decision, [hold, take].map(RolloutPrecision::from)))
    });
    if plays.is_none() && cube.is_none() {
        return None;
    }
    let (mut review, mut rollouts) = (review.clone(), TurnRollouts::default());
    if let Some(told) = plays {
        let first = rolled_plays(&told, &review);
        rollouts.plays = review.put_rolled_plays(first);
    }
    if let Some((decision, precision)) = cube {
        review.put_rolled_cube(decision);
        rollouts.cube = Some(precision);
    }
    Some((review, rollouts))
}

/// The plays of rollouts. A review that was found may not have all of them.
fn rolled_plays(
    told: &[RolledPlay<'_>],
    review: &TurnReview,
) -> Vec<(Candidate, RolloutPrecision)> {
    let plays = told.iter().filter_map(|play| {
        let mut all = review.candidates.iter();
        let known = all.find(|candidate| candidate.result == play.result);
        let candidate = Candidate {
            play: known.map_or(
                play.job.plays[play.job.place(&play.result)?].play,
                |known| known.play,
            ),
            result: play.result,
            probabilities: play.figures.chances(),
            equity: play.equity as f32,
            ply: known.map_or(review.ply, |known| known.ply),
        };
        Some((candidate, RolloutPrecision::from(play.figures)))
    });
    plays.collect()
}
