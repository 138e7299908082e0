//! Putting the units of work together again, in order.
//!
//! Workers finish in any order. A unit that comes early waits here until all before it have come,
//! and a worker that would run too far ahead waits too, so that memory stays bounded. What has
//! been counted is always a whole number of rounds, the same trials of every strand.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::control::{Control, lock};
use super::result::StopReason;
use super::settings::StopRules;
use super::tally::{Frame, Tally};
use super::trial::Outcome;
use crate::stats::Series;

/// Fewest trials after which a standard error may end a rollout: two blocks, from which on the
/// error under rotation is the stratified one.
const LEAST_FOR_ERROR: u64 = 2 * Series::BLOCK;

/// The merged statistics and the units that wait for their turn.
pub(super) struct Merger {
    state: Mutex<State>,
    advanced: Condvar,
    frame: Frame,
    rules: StopRules,
    /// Units in a round.
    width: u64,
    /// Outcomes of one trial in a unit.
    lanes: usize,
    /// Rounds that may wait.
    reach: u64,
}

struct State {
    tally: Tally,
    next: u64,
    waiting: BTreeMap<u64, Vec<Option<Vec<Outcome>>>>,
    reason: Option<StopReason>,
    cpu_seconds: f64,
    failure: Option<String>,
}

impl Merger {
    pub(super) fn new(
        tally: Tally,
        frame: Frame,
        rules: StopRules,
        width: u64,
        threads: usize,
        cpu_seconds: f64,
    ) -> Self {
        let lanes = if frame.known.len() == 2 { 2 } else { 1 };
        let state = State {
            reason: None,
            tally,
            next: 0,
            waiting: BTreeMap::new(),
            cpu_seconds,
            failure: None,
        };
        let merger = Self {
            state: Mutex::new(state),
            advanced: Condvar::new(),
            frame,
            rules,
            width,
            lanes,
            reach: 2 + 8 * threads as u64 / width,
        };
        let reason = merger.verdict(&lock(&merger.state).tally);
        lock(&merger.state).reason = reason;
        merger
    }

    pub(super) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Whether the trials counted so far end the rollout. A standard error is looked at after
    /// whole blocks only, whatever the rounds.
    fn verdict(&self, tally: &Tally) -> Option<StopReason> {
        if tally.trials >= self.rules.trials {
            return Some(StopReason::Trials);
        }
        let target = self.rules.standard_error?;
        let look = tally.trials >= LEAST_FOR_ERROR && tally.trials.is_multiple_of(Series::BLOCK);
        (look && tally.stop_error(&self.frame) <= target).then_some(StopReason::StandardError)
    }

    /// Waits until round `round` is near enough to be played. False if there is no need any more.
    pub(super) fn wait_for(&self, round: u64, control: &Control) -> bool {
        let mut state = lock(&self.state);
        while state.reason.is_none() && round >= state.next + self.reach {
            if control.reason().is_some() {
                return false;
            }
            // The end of the rollout is not announced here: look again from time to time.
            state = self
                .advanced
                .wait_timeout(state, Duration::from_millis(50))
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state.reason.is_none()
    }

    /// Takes in a finished unit and whatever it completes. The reason, if that ends the rollout.
    pub(super) fn take(
        &self,
        unit: u64,
        outcomes: Vec<Outcome>,
        cpu_seconds: f64,
    ) -> Option<StopReason> {
        let mut state = lock(&self.state);
        state.cpu_seconds += cpu_seconds;
        let parts = state
            .waiting
            .entry(unit / self.width)
            .or_insert_with(|| vec![None; self.width as usize]);
        parts[(unit % self.width) as usize] = Some(outcomes);
        let mut advanced = false;
        while state.reason.is_none() {
            let Some(parts) = state.complete_round() else {
                break;
            };
            self.count(&mut state.tally, &parts);
            state.next += 1;
            state.reason = self.verdict(&state.tally);
            advanced = true;
        }
        let reason = state.reason;
        drop(state);
        if advanced {
            self.advanced.notify_all();
        }
        reason
    }

    fn count(&self, tally: &mut Tally, parts: &[Vec<Outcome>]) {
        let trials = parts[0].len() / self.lanes;
        let mut row = Vec::with_capacity(parts.len() * self.lanes);
        for trial in 0..trials {
            row.clear();
            for part in parts {
                row.extend_from_slice(&part[trial * self.lanes..(trial + 1) * self.lanes]);
            }
            tally.push(&row);
        }
        tally.note_history(&self.frame);
    }

    pub(super) fn add_cpu(&self, seconds: f64) {
        lock(&self.state).cpu_seconds += seconds;
    }

    pub(super) fn fail(&self, message: String) {
        lock(&self.state).failure.get_or_insert(message);
    }

    pub(super) fn failure(&self) -> Option<String> {
        lock(&self.state).failure.clone()
    }

    pub(super) fn reason(&self) -> Option<StopReason> {
        lock(&self.state).reason
    }

    pub(super) fn trials(&self) -> u64 {
        lock(&self.state).tally.trials
    }

    /// A copy of what has been counted, and the CPU seconds.
    pub(super) fn tally(&self) -> (Tally, f64) {
        let state = lock(&self.state);
        (state.tally.clone(), state.cpu_seconds)
    }
}

impl State {
    /// The parts of the next round, if all have come.
    fn complete_round(&mut self) -> Option<Vec<Vec<Outcome>>> {
        let parts = self.waiting.get_mut(&self.next)?;
        if parts.iter().any(Option::is_none) {
            return None;
        }
        let parts = self.waiting.remove(&self.next)?;
        Some(parts.into_iter().flatten().collect())
    }
}
