//! When the rollout of a cube decision is decided: not before the answer is.

use std::sync::Arc;

use super::evaluators::Rough;
use super::{bearoff, roll_out, settings};
use crate::eval::{Engine, Evaluator};
use crate::game::{GameState, Position};
use crate::notation::parse_id;
use crate::rollout::{CubeSettings, RolloutResult, Status, StopReason, StopRules, double_gain};

const MOST: u64 = 36 * 60;

fn decision(position: Position, stop: StopRules) -> Arc<RolloutResult> {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    rolled(&evaluator, &GameState::money(position), MOST, stop)
}

fn rolled(
    evaluator: &Arc<dyn Evaluator>,
    state: &GameState,
    most: u64,
    stop: StopRules,
) -> Arc<RolloutResult> {
    let mut settings = settings(most);
    settings.cube = Some(CubeSettings::of_decision(state));
    settings.stop = StopRules {
        trials: most,
        ..stop
    };
    roll_out(evaluator, &[state.position; 2], &settings, 2)
}

/// Races in which the player on roll leads by ever more, from a double that is far off to one that wins the cube.
fn races() -> impl Iterator<Item = Position> {
    let opponents = [1, 3, 4, 6].map(|n| [(6, n), (4, 3), (2, 2)]);
    opponents
        .map(|opponent| bearoff(&[(6, 3), (4, 2), (3, 2)], &opponent))
        .into_iter()
}

#[test]
fn a_decision_is_separated_when_double_and_answer_are() {
    let stop = StopRules {
        separated: Some(0.95),
        ..StopRules::default()
    };
    let mut seen = [0; 2];
    for position in races() {
        let result = decision(position, stop);
        let [hold, take] = [0, 1].map(|i| result.candidates[i].flipped().equity);
        if result.status != Status::Done(StopReason::Separated) {
            assert_eq!(result.status, Status::Done(StopReason::Trials));
            seen[0] += 1;
            continue;
        }
        seen[1] += 1;
        // The intervals of 95% are narrower than those that stop it.
        let excludes = |[low, high]: [f64; 2], value: f64| low > value || high < value;
        assert!(excludes(take.ci95, 1.0), "{take:?}");
        let difference = result.difference.as_ref().unwrap().equity;
        let passes = take.mean > 1.0;
        assert!(
            if passes {
                excludes(hold.ci95, 1.0)
            } else {
                excludes(difference.ci95, 0.0)
            },
            "{hold:?} {take:?} {difference:?}"
        );
    }
    assert!(seen.iter().all(|n| *n > 0), "{seen:?}");
}

/// A double that is beavered is worth twice what the take is worth. So one that gains against none, if it were
/// only taken, may be wrong: under the Jacoby rule this one is.
#[test]
fn a_beaver_is_an_answer_to_the_double() {
    let stop = StopRules {
        separated: Some(0.95),
        ..StopRules::default()
    };
    let engine: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let result = |rules| {
        let id = format!("XGID=-BBBBB-C--------aaaabbdAcA:0:0:1:00:0:0:{rules}:0:10");
        rolled(&engine, &parse_id(&id).unwrap(), 36 * 40, stop)
    };
    let (taken, beavered) = (result(1), result(3));
    let trials = |result: &RolloutResult| result.candidates[0].trials;
    assert_eq!(taken.status, Status::Done(StopReason::Separated));
    assert!(double_gain(&taken, false).unwrap().ci95[0] > 0.0);
    assert!(
        trials(&beavered) > trials(&taken),
        "the beaver was asked for"
    );
    let gain = double_gain(&beavered, true).unwrap();
    assert!(gain.ci95[1] < 0.0, "{gain:?}");
}

/// The least of several answers has several chances to look like a loss: the interval of a gain is wider than that of
/// any answer alone.
#[test]
fn the_interval_of_a_gain_holds_for_all_answers() {
    let result = decision(races().nth(1).unwrap(), StopRules::default());
    let [hold, _] = [0, 1].map(|i| result.candidates[i].flipped().equity);
    let taken = result.difference.as_ref().unwrap().equity.anytime95;
    let passed = hold.mirrored(1.0).anytime95;
    let apart = [0, 1].map(|end| taken[end].min(passed[end]));
    let gain = double_gain(&result, false).unwrap().anytime95;
    assert!(
        gain[0] < apart[0] && gain[1] > apart[1],
        "{gain:?} {apart:?}"
    );
    assert!(
        gain[1] - gain[0] < 1.5 * (apart[1] - apart[0]),
        "{gain:?} {apart:?}"
    );
}

#[test]
fn an_error_that_is_small_enough_is_so_on_both_sides() {
    let position = races().nth(1).unwrap();
    let stop = StopRules {
        standard_error: Some(0.03),
        ..StopRules::default()
    };
    let result = decision(position, stop);
    assert_eq!(result.status, Status::Done(StopReason::StandardError));
    assert!(result.candidates.iter().all(|one| one.equity.se <= 0.03));
}
