//! Which decisions of a match are rolled out, and in which order.
//!
//! *Close decisions.* Those whose verdict a rollout may change, the most valuable rollout first. Two choices matter:
//! the best and the one that was made, or, if that is the best, the best and the second. Let d ≥ 0 be their
//! difference by lookahead, and s the standard deviation of its error. The true difference D is taken as
//! normal around d. Then the value of a rollout is the mean of max(0, −D): the chance that the other choice
//! is better, times the mean amount by which it is. That is the expected value of perfect information about
//! two choices (Raiffa & Schlaifer, *Applied Statistical Decision Theory*, 1961: their unit normal loss
//! integral times s). So close decisions come first, errors or not. A clear blunder is not rolled out.
//!
//! s is a rule of thumb: 0.02 points and a tenth of d, or what the last ply changed, if that is more. Equals
//! are rolled out in the order of the match. Two choices that lead to the same chances, or to those of a game that is
//! decided, are as good as each other: there is nothing to be found out. Nor is there where both are worth the same
//! at all depths, as those are after which the opponent cashes: the games of a rollout would end alike.
//!
//! *Errors.* Those that lookahead says were made, the most expensive first: a user who reads the list of errors
//! wants to know whether they are true.

use serde::{Deserialize, Serialize};

use super::super::cube::cube_decision_of;
use super::super::marks::reaches;
use super::super::{AnalysedTurn, Class, ClassFilter};
use crate::cube::CubeDecision;
use crate::eval::Candidate;
use crate::game::Player;
use crate::stats::best::normal_cdf;
use crate::stats::changes::ROUND_OFF;
use crate::stats::portable::exp;

/// Standard deviation of a difference found by lookahead, in points, and the share of the
/// difference that is added to it.
const DOUBT: (f64, f64) = (0.02, 0.1);
/// A chance that is no further than this from 0 or 1 is as good as certain.
const SURE: f32 = 0.005;
/// A decision whose rollout is expected to gain less, in points, is not rolled out: a lead of three standard deviations.
const LEAST_GAIN: f64 = 0.0000_1;

/// Which decisions of a match are rolled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MatchRolloutAim {
    /// Decisions whose verdict a rollout may change, the most valuable rollout first.
    Close,
    /// Errors, the most expensive first.
    Errors(ErrorFilter),
    /// All decisions that were analysed, in the order of the match.
    All,
}

impl MatchRolloutAim {
    /// Least points of the errors that are wanted; `None` where errors are not the aim.
    pub fn errors_from(self) -> Option<f32> {
        match self {
            Self::Errors(filter) => Some(filter.from),
            Self::Close | Self::All => None,
        }
    }
}

/// Which errors are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorFilter {
    /// Least points that were given away, to three digits, as errors are written.
    pub from: f32,
    /// Whose; `None`: both players'.
    pub player: Option<Player>,
    /// Of which classes; `None`: all.
    pub class: Option<ClassFilter>,
}

impl ErrorFilter {
    /// Returns whether an error of a player is among them.
    pub fn admits(&self, player: Player, class: Class, error: f32) -> bool {
        error > 0.0
            && reaches(error, self.from)
            && self.player.is_none_or(|wanted| wanted == player)
            && self.class.is_none_or(|wanted| wanted.admits(class))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnDecision {
    Play,
    Cube,
}

/// A decision that is to be rolled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Task {
    pub(super) turn: usize,
    pub(super) decision: TurnDecision,
    /// By what the tasks are ordered, in points.
    pub(super) worth: f64,
}

/// Decisions to be rolled out, the most worthwhile first; at most so many.
pub(super) fn tasks(analysed: &[AnalysedTurn], aim: MatchRolloutAim, most: usize) -> Vec<Task> {
    let mut tasks: Vec<Task> = (analysed.iter().enumerate())
        .flat_map(|(turn, one)| {
            worths(one, aim).map(move |(decision, worth)| Task {
                turn,
                decision,
                worth,
            })
        })
        .collect();
    // The sort is stable: equals stay in the order of the match.
    tasks.sort_by(|a, b| b.worth.total_cmp(&a.worth));
    tasks.truncate(most);
    tasks
}

/// The decisions of a turn that are wanted, and what their rollouts are worth.
fn worths(
    one: &AnalysedTurn,
    aim: MatchRolloutAim,
) -> impl Iterator<Item = (TurnDecision, f64)> + use<> {
    let worths = match aim {
        MatchRolloutAim::Close => {
            let shift = f64::from(one.shift);
            [play_worth(one, shift), cube_worth(one, shift)]
                .map(|worth| worth.filter(|&worth| worth >= LEAST_GAIN))
        }
        MatchRolloutAim::Errors(filter) => errors(one, filter),
        MatchRolloutAim::All => {
            let has_choice = one.review.candidates.len() > 1;
            [has_choice, one.review.cube.is_some()].map(|is_there| is_there.then_some(0.0))
        }
    };
    // The answer to a double that gains nothing needs no rollout: it is known.
    let may_double = cube_decision_of(&one.turn).is_some_and(|(state, _)| state.may_double());
    let is_possible = move |of: &TurnDecision| *of == TurnDecision::Play || may_double;
    [TurnDecision::Play, TurnDecision::Cube]
        .into_iter()
        .zip(worths)
        .filter(move |(decision, _)| is_possible(decision))
        .filter_map(|(decision, worth)| Some((decision, worth?)))
}

/// Points that the play and the cube decision of a turn gave away, where an error is wanted.
fn errors(one: &AnalysedTurn, filter: ErrorFilter) -> [Option<f64>; 2] {
    let player = one.turn.before.player;
    let costs = one.review.decision_costs();
    let wanted = costs.filter(|cost| filter.admits(player, cost.class, cost.error));
    let mut errors = [None; 2];
    for cost in wanted {
        let place = usize::from(cost.class != Class::Checker);
        errors[place] = Some(f64::from(cost.error));
    }
    errors
}

fn play_worth(one: &AnalysedTurn, shift: f64) -> Option<f64> {
    let candidates = &one.review.candidates;
    let [best, second, ..] = &candidates[..] else {
        return None;
    };
    let error = one.review.error?;
    let made = one.review.played.and_then(|made| candidates.get(made));
    let (apart, other) = match made {
        Some(made) if made != best => (error, made),
        _ => (best.equity - second.equity, second),
    };
    let apart = f64::from(apart);
    let is_decided = is_decided(best) && is_decided(other) && apart < f64::from(SURE);
    if is_decided || are_alike(best, other) || changes_nothing(apart, shift) {
        return None;
    }
    Some(overtaken(apart, deviation(apart, shift)))
}

fn cube_worth(one: &AnalysedTurn, shift: f64) -> Option<f64> {
    let cube = one.review.cube.as_ref()?;
    let (error, decision) = (f64::from(cube.error?), &cube.decision);
    let take = decision.double_take?;
    if error > 0.0 {
        return Some(overtaken(error, deviation(error, shift)));
    }
    let lead = if one.review.candidates.is_empty() && one.turn.before.state.doubled {
        answer_lead(decision, take)
    } else {
        decision.gain()?.abs()
    };
    let lead = f64::from(lead);
    if changes_nothing(lead, shift) {
        return None;
    }
    Some(overtaken(lead, deviation(lead, shift)))
}

/// Returns whether a play leaves a game that is as good as decided, in winner and in gammons.
fn is_decided(candidate: &Candidate) -> bool {
    let is_sure = |chance: &f32| !(SURE..=1.0 - SURE).contains(chance);
    candidate.probabilities.to_array().iter().all(is_sure)
}

/// Returns whether a choice equals another at all depths, up to rounding.
/// `lead` is its gain, and `shift` the change by the last ply.
pub(crate) fn changes_nothing(lead: f64, shift: f64) -> bool {
    lead.abs() <= ROUND_OFF && shift <= ROUND_OFF
}

/// Returns whether two plays lead to the same chances, up to rounding.
/// The same equity is not enough: lookahead gives all positions beyond a pass the same equity.
pub(crate) fn are_alike(one: &Candidate, other: &Candidate) -> bool {
    let figures = |candidate: &Candidate| {
        let chances = &candidate.probabilities;
        [
            candidate.equity,
            chances.win,
            chances.win_gammon,
            chances.win_backgammon,
            chances.lose_gammon,
            chances.lose_backgammon,
        ]
    };
    let mut pairs = figures(one).into_iter().zip(figures(other));
    pairs.all(|(a, b)| f64::from((a - b).abs()) <= ROUND_OFF)
}

/// By how many points the best answer to a double leads the second, where a take is worth so much to the
/// doubler. A beaver doubles that, so it differs from the take by as much.
fn answer_lead(decision: &CubeDecision, take: f32) -> f32 {
    let pass = (take - 1.0).abs();
    match decision.allows_beavers() {
        true => pass.min(take.abs()),
        false => pass,
    }
}

/// Standard deviation of a difference found by lookahead; `shift` is what the last ply changed.
pub(crate) fn deviation(difference: f64, shift: f64) -> f64 {
    (DOUBT.0 + DOUBT.1 * difference).max(shift)
}

fn density(z: f64) -> f64 {
    exp(-0.5 * z * z) / std::f64::consts::TAU.sqrt()
}

/// Returns the mean loss of the choice that leads by `d` points, if the other is better after all.
/// `sd` is the standard deviation of that lead.
pub(crate) fn overtaken(d: f64, sd: f64) -> f64 {
    let z = d / sd;
    sd * density(z) - d * normal_cdf(-z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Probabilities;
    use crate::game::{GameState, Play, Position};
    use crate::review::{CubeReview, MatchTurn, TurnReview};

    /// The right answer to a double that is worth so much to the doubler if it is taken.
    fn answered(take: f32, beavers: bool) -> AnalysedTurn {
        let mut state = GameState::money(Position::opening());
        state.doubled = true;
        state.rules.beavers = beavers;
        let decision = CubeDecision::in_points(0.0, take, beavers);
        let cube = CubeReview {
            decision,
            choice: decision.answer(),
            error: Some(0.0),
            ply: 2,
        };
        AnalysedTurn {
            turn: MatchTurn::alone(state),
            review: TurnReview {
                error: Some(0.0),
                cube: Some(cube),
                ply: 2,
                ..TurnReview::default()
            },
            luck: None,
            shift: 0.0,
            rolled: None,
        }
    }

    #[test]
    fn the_second_choice_of_a_take_may_be_a_beaver() {
        let worth = |take, beavers| cube_worth(&answered(take, beavers), 0.0).unwrap();
        let close = overtaken(0.01, deviation(0.01, 0.0));
        for take in [0.01, -0.01] {
            assert!((worth(take, true) - close).abs() < 1e-6, "{take}");
            assert!(worth(take, false) < LEAST_GAIN);
        }
        assert!((worth(0.99, true) - close).abs() < 1e-6);
        assert_eq!(worth(0.99, true), worth(0.99, false));
    }

    /// Plays after which all is decided are as good as each other; those that are merely worth a pass both may differ.
    #[test]
    fn plays_with_the_same_chances_are_not_rolled_out() {
        let candidate = |equity, win| Candidate {
            play: Play::default(),
            result: Position::opening(),
            probabilities: Probabilities {
                win,
                ..Probabilities::default()
            },
            equity,
            ply: 2,
        };
        let worth_if = |candidates: &[Candidate], played, shift| {
            let mut one = answered(0.0, false);
            one.review.candidates = candidates.to_vec();
            one.review.played = Some(played);
            one.review.error = Some(candidates[0].equity - candidates[played].equity);
            play_worth(&one, shift)
        };
        let worth = |candidates: &[Candidate], played| worth_if(candidates, played, 0.0);
        let lost = candidate(-1.0, 0.0);
        for played in [0, 1] {
            assert_eq!(worth(&[lost, lost], played), None);
            let passed = [candidate(-1.0, 0.2), candidate(-1.0, 0.19)];
            assert_eq!(worth(&passed, played), None);
            // At another depth they differed.
            assert!(worth_if(&passed, played, 0.01).unwrap() > 0.007);
            let won = [candidate(0.9999, 0.9999), candidate(0.9995, 0.9996)];
            assert_eq!(worth_if(&won, played, 0.01), None);
            let nearly = [candidate(0.95, 0.97), candidate(0.94, 0.97)];
            assert!(worth(&nearly, played).is_some());
        }
        // What was made is asked about, not the second.
        assert_eq!(worth(&[lost, lost, candidate(-2.0, 0.0)], 1), None);
        assert!(worth(&[lost, lost, candidate(-1.01, 0.0)], 2).is_some());
    }

    /// Nor is a cube that changes nothing at any depth.
    #[test]
    fn a_cube_that_gains_nothing_is_not_rolled_out() {
        let (level, shift) = (answered(1.0, false), 0.01);
        assert_eq!(cube_worth(&level, 0.0), None);
        assert!(cube_worth(&level, shift).is_some());
    }

    #[test]
    fn a_rollout_is_worth_the_chance_of_another_verdict_times_what_is_then_at_stake() {
        // The chance and the mean loss by counting, D being normal with the spread of the figure.
        for (d, shift) in [
            (0.0, 0.0),
            (0.01, 0.0),
            (0.05, 0.0),
            (0.3, 0.0),
            (0.1, 0.08),
        ] {
            let sd = deviation(d, shift);
            let step = 1e-4;
            let (mut chance, mut stake) = (0.0, 0.0);
            for i in -80_000..80_000 {
                let z = (f64::from(i) + 0.5) * step;
                let (weight, truth) = (density(z) * step, d + sd * z);
                if truth < 0.0 {
                    chance += weight;
                    stake -= weight * truth;
                }
            }
            stake /= chance;
            let worth = overtaken(d, sd);
            assert!((worth - chance * stake).abs() < 1e-8, "{d}: {worth}");
        }
        // The closer the sooner, and sooner where the plies disagree; never for a clear blunder.
        let overtaken = |d, shift| overtaken(d, deviation(d, shift));
        assert!(overtaken(0.01, 0.0) > overtaken(0.02, 0.0));
        assert!(overtaken(0.1, 0.08) > overtaken(0.05, 0.0));
        assert!(overtaken(0.08, 0.0) > LEAST_GAIN && overtaken(0.1, 0.0) < LEAST_GAIN);
    }
}
