//! A single trial, looked into: every roll, every play, what it was worth.

use super::check::checked;
use super::decision::Ask;
use super::error::RolloutError;
use super::plan::Plan;
use super::records::TrialRecord;
use super::settings::Settings;
use super::setup::Setup;
use super::trial::{Players, Rules};
use super::turn::Turn;
use crate::dice::Dealer;
use crate::game::Position;

/// A trial of every strand, played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// What each strand gave.
    pub results: Vec<TrialRecord>,
    /// The turns in the order in which they were played; of two strands that met, the rest once,
    /// under the first.
    pub turns: Vec<Turn>,
}

/// Plays trial `trial` of a rollout again, as the rollout did.
///
/// # Errors
/// A [`RolloutError`] for settings that make no sense.
pub fn replay(
    setup: &Setup,
    candidates: &[Position],
    settings: &Settings,
    trial: u64,
) -> Result<Replay, RolloutError> {
    let settings = checked(settings, candidates, setup)?;
    let never: Ask<'_> = &|| false;
    let plan = Plan::new(&settings, candidates.len(), 0);
    let mut players = Players::new(Rules::new(setup, &settings, never));
    let mut dealer = Dealer::new(settings.dice, settings.initial, setup.preset.clone());
    let (mut results, mut turns) = (Vec::new(), Vec::new());
    if let [a, b] = *candidates {
        players.log = Some(Vec::new());
        // Nobody cancels.
        if let Ok(pair) = plan.pair(&mut players, &mut dealer, [a, b], trial) {
            results.extend(pair);
        }
        turns = players.log.take().unwrap_or_default();
    } else {
        for (strand, start) in candidates.iter().enumerate() {
            players.log = Some(Vec::new());
            results.extend(plan.alone(&mut players, &mut dealer, *start, strand, trial));
            let own = players.log.take().unwrap_or_default();
            turns.extend(own.into_iter().map(|turn| Turn {
                strand: strand as u16,
                ..turn
            }));
        }
    }
    let record = |(strand, outcome)| TrialRecord {
        strand: strand as u16,
        trial,
        outcome,
    };
    Ok(Replay {
        results: results.into_iter().enumerate().map(record).collect(),
        turns,
    })
}
