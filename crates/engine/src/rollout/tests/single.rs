//! One trial by itself.

use crate::dice::{Purpose, StreamKey};
use crate::game::Position;
use crate::rollout::run::plan;
use crate::rollout::trials::outcome::equity;
use crate::rollout::trials::roll_source::RollSource;
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};
use crate::rollout::{Settings, Setup};

/// The result of one trial, cubeless.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TrialResult {
    /// Chances at the end of the game for the player who made the candidate play, in the order of
    /// [`Probabilities::to_array`](crate::eval::Probabilities::to_array).
    pub(super) chances: [f64; 5],
    /// Luck in each of the chances.
    luck: [f64; 5],
    /// Turns played.
    turns: u32,
}

impl TrialResult {
    /// Equity at the end, in points.
    pub(super) fn plain_equity(&self) -> f64 {
        equity(&self.chances)
    }

    /// Equity with the luck subtracted, in points.
    pub(super) fn variance_reduced_equity(&self) -> f64 {
        equity(&self.variance_reduced_chances())
    }

    /// Chances with the luck subtracted.
    pub(super) fn variance_reduced_chances(&self) -> [f64; 5] {
        std::array::from_fn(|i| self.chances[i] - self.luck[i])
    }
}

/// Plays trial `trial` of a rollout of `position` (after the candidate play, the opponent on roll)
/// as a rollout of that one candidate would.
pub(super) fn play_trial(
    setup: &Setup,
    position: Position,
    settings: &Settings,
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
    let mut players = TrialPlayers::new(PlayRules::new(setup, &settings, &never));
    let mut game = players.start(position, 0);
    // Nobody cancels, so the game comes to its end.
    let _ = players.finish(&mut game, &mut || RollSource::Roll(dice.roll()));
    TrialResult {
        chances: game.value.unwrap_or_default(),
        luck: game.luck.chances,
        turns: game.turns,
    }
}
