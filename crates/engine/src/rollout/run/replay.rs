//! A single trial, looked into: every roll, every play, what it was worth.

use super::plan::{self, WorkPlan};
use crate::game::Position;
use crate::rollout::request::check::checked;
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::play_choice::CancelCheck;
use crate::rollout::trials::records::TrialRecord;
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};
use crate::rollout::trials::turn::Turn;

/// A trial of every candidate, played again.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    /// The result of each candidate.
    pub results: Vec<TrialRecord>,
    /// The turns in the order in which they were played; of two candidates that coalesced, the rest once,
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
    let never: CancelCheck<'_> = &|| false;
    let plan = WorkPlan::new(&settings, candidates.len(), 0);
    let mut players = TrialPlayers::new(PlayRules::new(setup, &settings, never));
    let mut dealer = plan::dealer(setup, &settings);
    let (mut results, mut turns) = (Vec::new(), Vec::new());
    if let [a, b] = *candidates {
        players.log = Some(Vec::new());
        // Nobody cancels.
        if let Ok(pair) = plan.pair(&mut players, &mut dealer, [a, b], trial) {
            results.extend(pair);
        }
        turns = players.log.take().unwrap_or_default();
    } else {
        for (candidate, start) in candidates.iter().enumerate() {
            players.log = Some(Vec::new());
            results.extend(plan.alone(&mut players, &mut dealer, *start, candidate, trial));
            let own = players.log.take().unwrap_or_default();
            turns.extend(own.into_iter().map(|turn| Turn {
                candidate: candidate as u16,
                ..turn
            }));
        }
    }
    let record = |(candidate, outcome)| TrialRecord {
        candidate: candidate as u16,
        trial,
        outcome,
    };
    Ok(Replay {
        results: results.into_iter().enumerate().map(record).collect(),
        turns,
    })
}
