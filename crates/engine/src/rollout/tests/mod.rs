//! Rollouts against exact answers.

mod at_score;
mod bias_check;
mod comparison;
mod coverage;
mod cube_stops;
mod cubeful;
mod evaluators;
mod families;
mod kinds;
mod montgomery;
mod pairs;
mod runner;
mod settlement;
mod shards;
mod single;
mod unbiased;

use std::sync::Arc;

use super::{Rollout, RolloutResult, Settings, Setup};
use crate::dice::DiceSource;
use crate::eval::Evaluator;
use crate::game::Position;
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::run::plan::{self, WorkPlan, WorkUnit};
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};

/// A position of a bearoff: checkers on these points, everything else off.
fn bearoff(mover: &[(usize, u8)], opponent: &[(usize, u8)]) -> Position {
    Position::from_points(mover, opponent).unwrap()
}

fn settings(trials: u64) -> Settings {
    let mut settings = Settings::default();
    settings.stop.trials = trials;
    settings
}

fn setup(evaluator: impl Evaluator + 'static) -> Setup {
    Setup::from(Arc::new(evaluator) as Arc<dyn Evaluator>)
}

fn source(rotation: bool) -> DiceSource {
    if rotation {
        DiceSource::Rotation
    } else {
        DiceSource::Random
    }
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

/// Two results are the same to the bit, but for the times.
fn assert_same(a: &RolloutResult, b: &RolloutResult) {
    // Every field by its name: a new one has to be put here too.
    let RolloutResult {
        candidates,
        difference,
        history,
        scatter,
        family,
        status,
        trials_per_second: _,
        seconds: _,
        cpu_seconds: _,
        mwc,
        double_gain95,
    } = a;
    assert_eq!(*candidates, b.candidates);
    assert_eq!(*difference, b.difference);
    assert_eq!(*history, b.history);
    assert_eq!(*scatter, b.scatter);
    // As text: correlations that cannot be told are no numbers.
    assert_eq!(format!("{family:?}"), format!("{:?}", b.family));
    assert_eq!(*status, b.status);
    assert_eq!(*mwc, b.mwc);
    assert_eq!(*double_gain95, b.double_gain95);
}

/// A whole rollout on this thread: for tests that want thousands of short ones.
fn tally(setup: &Setup, candidates: &[Position], settings: &Settings) -> (Tally, RolloutDesign) {
    watched(setup, candidates, settings, |_, _| ())
}

/// As [`tally`], with a look at it after each round.
fn watched(
    setup: &Setup,
    candidates: &[Position],
    settings: &Settings,
    mut look: impl FnMut(&Tally, &RolloutDesign),
) -> (Tally, RolloutDesign) {
    let settings = settings.resolved(setup);
    let design = RolloutDesign::new(setup, candidates, &settings);
    let plan = WorkPlan::new(&settings, candidates.len(), 0);
    let mut players = TrialPlayers::new(PlayRules::new(setup, &settings, &|| false));
    let mut dealer = plan::dealer(setup, &settings);
    let mut tally = Tally::new(&design);
    for round in 0.. {
        let Some(trials) = plan.trials(round) else {
            break;
        };
        let unit = WorkUnit {
            candidate: 0,
            trials,
        };
        let outcomes = plan
            .play(&mut players, &mut dealer, candidates, &unit)
            .unwrap();
        for row in outcomes.chunks(candidates.len()) {
            tally.push(&design, tally.trials, row);
        }
        look(&tally, &design);
    }
    (tally, design)
}
