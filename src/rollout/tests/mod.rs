//! Rollouts against exact answers.

mod coverage;
mod evaluators;
mod montgomery;
mod pairs;
mod runner;
mod unbiased;

use std::sync::Arc;

use super::plan::Plan;
use super::tally::{Frame, Tally};
use super::trial::{Luck, Players, Rules};
use super::{Reduction, Rollout, RolloutResult, Settings};
use crate::eval::Evaluator;
use crate::game::Position;

/// A position of a bearoff: checkers on these points, everything else off.
fn bearoff(mover: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    Position::from_points(mover, opponent).unwrap()
}

fn settings(trials: u64) -> Settings {
    let mut settings = Settings::default();
    settings.stop.trials = trials;
    settings
}

/// A whole rollout in the background.
fn roll_out(
    evaluator: &Arc<dyn Evaluator>,
    candidates: &[Position],
    settings: &Settings,
    threads: usize,
) -> Arc<RolloutResult> {
    Rollout::start(
        Arc::clone(evaluator),
        candidates.to_vec(),
        settings.clone(),
        threads,
        None,
    )
    .unwrap()
    .join()
}

/// A whole rollout on this thread: for tests that want thousands of short ones.
fn tally(
    evaluator: &dyn Evaluator,
    candidates: &[Position],
    settings: &Settings,
) -> (Tally, Frame) {
    watched(evaluator, candidates, settings, |_, _| ())
}

/// As [`tally`], with a look at it after each round.
fn watched(
    evaluator: &dyn Evaluator,
    candidates: &[Position],
    settings: &Settings,
    mut look: impl FnMut(&Tally, &Frame),
) -> (Tally, Frame) {
    let frame = Frame::new(evaluator, candidates, settings);
    let plan = Plan::new(settings, candidates.len(), 0);
    let mut players = Players::new(Rules {
        evaluator,
        ply: settings.ply,
        horizon: settings.horizon,
        luck: match settings.reduction {
            Reduction::None => Luck::None,
            Reduction::Full => Luck::Full,
        },
        cancelled: &|| false,
    });
    let mut tally = Tally::new(&frame);
    for round in 0.. {
        let Some(trials) = plan.trials(round) else {
            break;
        };
        let outcomes = plan
            .play(&mut players, &frame, candidates, 0, trials)
            .unwrap();
        outcomes
            .chunks(candidates.len())
            .for_each(|row| tally.push(row));
        look(&tally, &frame);
    }
    (tally, frame)
}
