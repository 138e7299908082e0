//! One trial by itself, for tests that hold it against what is known of the game.

use super::plan;
use crate::dice::{Purpose, StreamKey};
use crate::game::Position;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::luck::RollValues;
use crate::rollout::trials::outcome::equity;
use crate::rollout::trials::roll_source::RollSource;
use crate::rollout::trials::trial::{LuckSource, PlayRules, TrialPlayers};

/// The result of one trial, cubeless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrialResult {
    /// Chances at the end of the game for the player who made the candidate play, in the order of
    /// [`Probabilities::to_array`](crate::eval::Probabilities::to_array).
    pub chances: [f64; 5],
    /// Luck in each of the chances.
    pub luck: [f64; 5],
    /// Turns played.
    pub turns: u32,
}

impl TrialResult {
    /// Equity at the end, in points.
    #[must_use]
    pub fn plain_equity(&self) -> f64 {
        equity(&self.chances)
    }

    /// Equity with the luck subtracted, in points.
    #[must_use]
    pub fn variance_reduced_equity(&self) -> f64 {
        equity(&self.variance_reduced_chances())
    }

    /// Chances with the luck subtracted.
    #[must_use]
    pub fn variance_reduced_chances(&self) -> [f64; 5] {
        std::array::from_fn(|i| self.chances[i] - self.luck[i])
    }
}

/// Plays trial `trial` of a rollout of `position` (after the candidate play, the opponent on roll)
/// as a rollout of that one candidate would. `values`, if given, is what luck is measured from
/// instead of what the settings say.
#[must_use]
pub fn play_trial(
    setup: &Setup,
    position: Position,
    settings: &Settings,
    values: Option<&dyn RollValues>,
    trial: u64,
) -> TrialResult {
    let key = StreamKey {
        seed: settings.seed,
        candidate: 0,
    };
    let settings = settings.resolved(setup);
    let mut dealer = plan::dealer(setup, &settings);
    let mut dice = dealer.deal(key, Purpose::Rolls, trial);
    let never = || false;
    let mut rules = PlayRules::new(setup, &settings, &never);
    if let Some(values) = values {
        rules.luck = LuckSource::Given(values);
    }
    let mut players = TrialPlayers::new(rules);
    let mut game = players.start(position, 0);
    // Nobody cancels, so the game comes to its end.
    let _ = players.finish(&mut game, &mut || RollSource::Roll(dice.roll()));
    TrialResult {
        chances: game.value.unwrap_or_default(),
        luck: game.luck.chances,
        turns: game.turns,
    }
}
