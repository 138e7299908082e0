//! Compares the bias check of a rollout with exact values, for cubeful money endings beyond the program's tables.

use std::ops::RangeInclusive;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use crate::eval::bearoff::recursion::Recursion;
use crate::game::{GameState, Position};
use crate::rollout::bias_check::{BiasChecker, BiasEstimate};
use crate::rollout::{CubeSettings, RolloutError, Settings, Setup, run_blocking};

/// Maximum absolute value of an ending; beyond it the game is nearly decided.
const OPEN: f64 = 0.95;

/// A position before the roll with a centred cube, and its value for the player on roll.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending {
    pub position: Position,
    /// Value with perfect play by both sides.
    pub exact: f64,
}

/// Returns random endings with this number of checkers per side, all at home.
pub fn endings(count: usize, checkers: RangeInclusive<usize>, seed: u64) -> Vec<Ending> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut recursion = Recursion::new();
    let mut all = Vec::new();
    while all.len() < count {
        let mut board = || {
            let checkers = chance.random_range(checkers.clone());
            let mut points = [0u8; 6];
            (0..checkers).for_each(|_| points[chance.random_range(0..6)] += 1);
            (1usize..).zip(points).collect::<Vec<_>>()
        };
        let Ok(position) = Position::from_points(&board(), &board()) else {
            continue;
        };
        let [_, _, centred, facing] = recursion.values(&position);
        let exact = centred.max((2.0 * facing).min(1.0));
        if exact.abs() < OPEN {
            all.push(Ending { position, exact });
        }
    }
    all
}

/// A rolled-out ending, with several bias checks of the rollout.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedEnding {
    /// Mean of the rollout minus the exact value, for the player on roll.
    pub error: f64,
    /// Half-width of the rollout's 95% interval.
    pub radius: f64,
    /// Gain from deeper play as estimated by checks with other dice, for the player on roll.
    pub checks: Vec<BiasEstimate>,
}

/// Rolls out an ending and checks it several times.
///
/// # Errors
/// A [`RolloutError`] for invalid settings.
pub fn check(
    setup: &Setup,
    ending: &Ending,
    settings: &Settings,
    checks: u64,
    trials: u64,
) -> Result<CheckedEnding, RolloutError> {
    let state = GameState::money(ending.position);
    let settings = Settings {
        cube: Some(CubeSettings::before_roll(&state)),
        ..settings.clone()
    };
    let candidates = [ending.position];
    let result = run_blocking(setup, &candidates, &settings, &mut |_| true)?;
    let equity = result.candidates[0].equity;
    let one = |n: u64| {
        let seed = settings.seed.wrapping_add(n);
        let other = Settings {
            seed,
            ..settings.clone()
        };
        let mut checker = BiasChecker::new(setup, &candidates, &other)?;
        checker.extend(trials, &|| false);
        // A rollout's values are for the player who is not on roll.
        Ok(checker.found().of(0).flipped())
    };
    Ok(CheckedEnding {
        error: -equity.mean - ending.exact,
        radius: crate::stats::interval::half_width(equity.ci95),
        checks: (0..checks).map(one).collect::<Result<_, RolloutError>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    #[test]
    fn endings_are_rolled_out_and_checked() {
        let setup =
            Setup::from(std::sync::Arc::new(Engine::embedded())
                as std::sync::Arc<dyn crate::eval::Evaluator>);
        let mut settings = Settings::default();
        settings.stop.trials = 36;
        let all = endings(2, 2..=3, 1);
        assert_eq!(all, endings(2, 2..=3, 1));
        let found = check(&setup, &all[0], &settings, 2, 36).unwrap();
        assert!(
            found.error.abs() < 0.05 && found.checks.len() == 2,
            "{found:?}"
        );
    }
}
