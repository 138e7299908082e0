//! Putting the units of work together again, in order.
//!
//! Workers finish in any order. A unit that comes early waits here until all before it have come,
//! and a worker that would run too far ahead waits too, so that memory stays bounded. What has
//! been counted is always a whole number of rounds: the same trials of every candidate, or, where trials are shared
//! out, as many blocks as there are candidates, several of them perhaps for one.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use super::control::Control;
use super::plan::{WorkPlan, WorkUnit};
use super::round;
use super::stops::stop_reason;
use crate::locks::{lock, wait_at_most};
use crate::rollout::counts::result::StopReason;
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::request::settings::StopRules;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::rollout::trials::records::TrialRecord;

/// Most records that wait to be fetched; workers wait rather than make more.
const MOST_RECORDS: usize = 1 << 17;

/// The statistics of what is counted, and the units that wait for their turn.
pub(super) struct InOrderCollector {
    state: Mutex<State>,
    advanced: Condvar,
    design: RolloutDesign,
    plan: WorkPlan,
    rules: StopRules,
    /// Units in a round.
    width: u64,
    /// Rounds that may wait.
    most_waiting: u64,
}

struct State {
    tally: Tally,
    next: u64,
    waiting: BTreeMap<u64, Vec<Option<Vec<TrialOutcome>>>>,
    reason: Option<StopReason>,
    cpu_seconds: f64,
    failure: Option<String>,
    /// Trials counted and not fetched yet, if they are to be kept.
    records: Option<Vec<TrialRecord>>,
}

impl InOrderCollector {
    pub(super) fn new(
        tally: Tally,
        design: RolloutDesign,
        plan: WorkPlan,
        rules: StopRules,
        threads: usize,
        cpu_seconds: f64,
        keep_trials: bool,
    ) -> Self {
        let width = plan.width();
        let most_waiting = if plan.shares_out() {
            plan.most_waiting()
        } else {
            2 + 8 * threads as u64 / width
        };
        let state = State {
            reason: stop_reason(&rules, plan.limit(), &tally, &design),
            tally,
            next: 0,
            waiting: BTreeMap::new(),
            cpu_seconds,
            failure: None,
            records: keep_trials.then(Vec::new),
        };
        Self {
            state: Mutex::new(state),
            advanced: Condvar::new(),
            design,
            plan,
            rules,
            width,
            most_waiting,
        }
    }

    pub(super) fn design(&self) -> &RolloutDesign {
        &self.design
    }

    /// The unit with this number, once it is near enough to be played. `None` if there is no need
    /// any more.
    pub(super) fn unit(&self, number: u64, control: &Control) -> Option<WorkUnit> {
        let (round, place) = (number / self.width, (number % self.width) as usize);
        let mut state = lock(&self.state);
        loop {
            let full = |r: &Vec<TrialRecord>| r.len() >= MOST_RECORDS;
            let early =
                round >= state.next + self.most_waiting || state.records.as_ref().is_some_and(full);
            if state.reason.is_some() {
                return None;
            }
            if !early {
                break;
            }
            if control.reason().is_some() {
                return None;
            }
            // The end of the rollout is not announced here: look again from time to time.
            state = wait_at_most(&self.advanced, state, Duration::from_millis(50));
        }
        let ahead = round - state.next;
        round::unit(&self.plan, &state.tally, round, ahead, place)
    }

    /// Takes in a finished unit and whatever it completes. Returns the reason if that ends the rollout.
    pub(super) fn take(
        &self,
        unit: u64,
        outcomes: Vec<TrialOutcome>,
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
            let State { tally, records, .. } = &mut *state;
            round::count(tally, &self.design, &self.plan, &parts, records.as_mut());
            state.next += 1;
            state.reason = stop_reason(&self.rules, self.plan.limit(), &state.tally, &self.design);
            advanced = true;
        }
        let reason = state.reason;
        drop(state);
        if advanced {
            self.advanced.notify_all();
        }
        reason
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

    pub(crate) fn trials(&self) -> u64 {
        lock(&self.state).tally.trials
    }

    /// A copy of what has been counted, and the CPU seconds.
    pub(super) fn tally(&self) -> (Tally, f64) {
        let state = lock(&self.state);
        (state.tally.clone(), state.cpu_seconds)
    }

    /// A copy of what has been counted, the CPU seconds, and the trials counted since the last call.
    pub(super) fn take_records(&self) -> (Tally, f64, Vec<TrialRecord>) {
        let mut state = lock(&self.state);
        let records = state.records.as_mut().map(std::mem::take);
        let taken = (
            state.tally.clone(),
            state.cpu_seconds,
            records.unwrap_or_default(),
        );
        drop(state);
        self.advanced.notify_all();
        taken
    }
}

impl State {
    /// The parts of the next round, if all have come.
    fn complete_round(&mut self) -> Option<Vec<Vec<TrialOutcome>>> {
        let parts = self.waiting.get_mut(&self.next)?;
        if parts.iter().any(Option::is_none) {
            return None;
        }
        let parts = self.waiting.remove(&self.next)?;
        Some(parts.into_iter().flatten().collect())
    }
}
