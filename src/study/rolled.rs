//! The figures of a rollout for a decision of the quiz.
//!
//! It counts as in the errors of a match: a rollout of plays with the cube if it has the play that was made and the one
//! that lookahead thinks best, a rollout about the cube if it is of that decision. Both must have trials enough to tell
//! errors. The lookahead of a question may think another play best than that of the match: it counts there only if it
//! has this one as well.

use crate::cube::{CubeChoice, CubeDecision};
use crate::eval::Candidate;
use crate::game::Position;
use crate::review::match_review::TurnRollouts;
use crate::review::{Class, TurnReview};
use crate::rollout::{
    ErrorMethod, RolloutPrecision, RolloutPreset, RolloutResult, Settings, Status, StopReason,
};

/// Fewest trials with which a rollout tells errors, unless a rule has ended it before.
pub const TRIALS_TO_TELL: u64 = 360;
/// Fewest trials with which a rollout tells errors that was stopped or has not ended.
const TRIALS_TO_TELL_OPEN: u64 = RolloutPreset::STANDARD.trials;

/// A play that was right is asked where the second best gives away less than this, in points.
pub const NEAR: f32 = 0.1;

/// The figures of a rollout that counts.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyRollout {
    /// Of plays, and how sure each is.
    Plays(Vec<(Candidate, RolloutPrecision)>),
    /// Of a cube decision, seen by the doubler.
    Cube(CubeDecision),
}

/// How well a figure is founded: the greater, the better. Deeper play counts first, once it has come far enough, then
/// games played to the end, then the smaller error.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Foundation {
    /// Plies of the play in its games; none while it has too few trials to tell errors.
    ply: Option<u8>,
    /// Its games are played to the end.
    is_whole: bool,
    /// The standard error, negated.
    precision: f64,
}

impl Foundation {
    /// The foundation of a figure by these settings; `tells`: whether it has come far enough to tell errors.
    pub fn new(settings: &Settings, tells: bool, se: f64) -> Self {
        Self {
            ply: tells.then_some(settings.ply),
            is_whole: settings.horizon.is_none(),
            precision: if se.is_nan() { f64::NEG_INFINITY } else { -se },
        }
    }
}

impl StudyRollout {
    /// Returns the figures of a review's rollouts for its play or its cube decision, if there are any.
    pub fn in_review(review: &TurnReview, rollouts: &TurnRollouts, class: Class) -> Option<Self> {
        if class != Class::Checker {
            let cube = review.cube.as_ref().filter(|_| rollouts.cube.is_some())?;
            return Some(Self::Cube(cube.decision));
        }
        let plays = review.candidates.iter().copied();
        let plays: Vec<_> = plays.zip(rollouts.plays.iter().copied()).collect();
        (!plays.is_empty()).then_some(Self::Plays(plays))
    }

    /// Returns whether the position after a play was rolled out; a cube decision is rolled out as a whole.
    pub fn has(&self, result: Option<&Position>) -> bool {
        match self {
            Self::Plays(plays) => plays.iter().any(|(play, _)| Some(&play.result) == result),
            Self::Cube(_) => true,
        }
    }

    /// An analysis of the decision with these figures. What was not rolled out keeps its distance by lookahead from the
    /// best of those that were. `None` if the play that this analysis thinks best was not rolled out: it would stand
    /// above the best that was, and nobody has compared the two.
    pub fn put_into(&self, review: &TurnReview) -> Option<TurnReview> {
        let mut put = review.clone();
        match self {
            Self::Plays(plays) => {
                let best = review.candidates.first()?;
                let (rolled, _) = plays.iter().find(|(play, _)| play.result == best.result)?;
                let shift = rolled.equity - best.equity;
                put.candidates.iter_mut().for_each(|c| c.equity += shift);
                let ply = best.ply;
                let first = plays
                    .iter()
                    .map(|(play, se)| (Candidate { ply, ..*play }, *se));
                put.put_rolled_plays(first.collect());
            }
            Self::Cube(decision) => {
                review.cube.as_ref()?;
                put.put_rolled_cube(*decision);
            }
        }
        Some(put)
    }

    /// Returns the loss in points of the play that leads to `made`, or of this cube choice, if known.
    pub fn cost(&self, made: Option<Position>, choice: Option<CubeChoice>) -> Option<f32> {
        match self {
            Self::Cube(known) => known.error(choice?),
            Self::Plays(plays) => {
                let (made, _) = plays.iter().find(|(play, _)| Some(play.result) == made)?;
                let equities = plays.iter().map(|(play, _)| play.equity);
                let best = equities.fold(f32::NEG_INFINITY, f32::max);
                Some((best - made.equity).max(0.0))
            }
        }
    }

    /// Returns whether the two best plays were close enough to be a choice; `None` for a cube decision.
    pub fn is_close(&self) -> Option<bool> {
        let Self::Plays(plays) = self else {
            return None;
        };
        let mut equities: Vec<f32> = plays.iter().map(|(play, _)| play.equity).collect();
        equities.sort_by(|a, b| b.total_cmp(a));
        Some(matches!(equities[..], [best, second, ..] if best - second < NEAR))
    }
}

/// Standard error of the difference of two candidates. Where they are not compared their errors count as independent.
pub fn difference_se(result: &RolloutResult, one: usize, other: usize) -> f64 {
    let own = |i: usize| {
        let candidate = result.candidates.get(i);
        candidate.map_or(f64::INFINITY, |c| c.equity.se)
    };
    let compared = result.compared(one, other);
    compared.map_or_else(|| own(one).hypot(own(other)), |difference| difference.se)
}

/// Returns whether a rollout has enough trials to show errors of its candidates, once it has ended.
pub fn is_far(result: &RolloutResult, trials: u64) -> bool {
    use StopReason::{Equivalent, Separated, StandardError, Width};
    let is_settled = matches!(
        result.status,
        Status::Done(Separated | Equivalent | StandardError | Width)
    );
    is_settled || is_exact(result) || trials >= TRIALS_TO_TELL
}

/// Returns whether a rollout shows errors of its candidates: one that is far enough, and has ended or has the trials of
/// the standard preset.
pub fn tells(result: &RolloutResult, trials: u64) -> bool {
    let is_over = has_ended(result) || is_exact(result) || trials >= TRIALS_TO_TELL_OPEN;
    is_over && is_far(result, trials)
}

/// Returns whether a rollout shows the error of the candidate at `place`: by its trials, or because the rollout has
/// ended and shown it worse, after however few.
pub fn tells_of(result: &RolloutResult, place: usize) -> bool {
    let trials = result.candidates.get(place).map_or(0, |one| one.trials);
    let family = result.family.as_ref();
    let is_beaten = family.is_some_and(|family| family.leader(place).is_some());
    trials > 0 && (tells(result, trials) || is_beaten && has_ended(result))
}

fn has_ended(result: &RolloutResult) -> bool {
    result.status.is_by_rule() || result.status == Status::Done(StopReason::Time)
}

/// Returns whether all candidates with trials lead to positions that are known without a trial.
pub fn is_exact(result: &RolloutResult) -> bool {
    let candidates = result.candidates.iter();
    let mut rolled = candidates.filter(|one| one.trials > 0).peekable();
    rolled.peek().is_some() && rolled.all(|one| one.error_method == ErrorMethod::Exact)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Model;
    use crate::eval::Engine;
    use crate::game::{GameState, Roll};
    use crate::study::question::{examine, turn};
    use crate::study::{Question, StudyDecision};

    /// A play without a rollout stays as far behind as lookahead puts it. A rollout without the best play does not
    /// count.
    #[test]
    fn plays_that_were_not_rolled_out_keep_their_distance() {
        let state = GameState {
            roll: Roll::new(3, 1),
            ..GameState::money(Position::opening())
        };
        let engine = Engine::embedded();
        let asked = turn(state, None);
        let review = examine(&engine, Model::standard(), &asked, 0, &|| false).unwrap();
        let [first, second, third, ..] = review.candidates[..] else {
            panic!("there are many plays");
        };
        let precision = RolloutPrecision {
            trials: 360,
            se: 0.01,
            half_width: 0.02,
            p_best: 0.5,
        };
        let rolled = |play: Candidate, equity| (Candidate { equity, ..play }, precision);
        let both = StudyRollout::Plays(vec![rolled(first, 0.1), rolled(second, 0.2)]);
        let put = both.put_into(&review).unwrap();
        let results: Vec<_> = put.candidates.iter().map(|c| c.result).collect();
        assert_eq!(results[..3], [second.result, first.result, third.result]);
        let behind = put.candidates[1].equity - put.candidates[2].equity;
        assert!((behind - (first.equity - third.equity)).abs() < 1e-6);
        let others = StudyRollout::Plays(vec![rolled(second, 0.1), rolled(third, 0.2)]);
        assert_eq!(others.put_into(&review), None);
        // Nor of a decision whose match was analysed at other plies, which thought a play best that was rolled out.
        let decision = StudyDecision {
            best: Some(second.result),
            ..StudyDecision::of_position(state, String::new())
        };
        let decision = decision.with_rollout(Some(others));
        let asked = Question::about(&decision, &review, 1).unwrap();
        assert_eq!(asked.rollout, None);
        assert_eq!(asked.best().unwrap().result, Some(first.result));
    }
}
