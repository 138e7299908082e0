//! A rollout on the calling thread: for experiments with thousands of short ones, and for callers
//! who have threads of their own.

use super::cpu;
use super::plan;
use super::progress::{PreparedRollout, Progress};
use super::round;
use super::stops::stop_reason;
use crate::game::Position;
use crate::rollout::counts::result::{RolloutResult, Status, StopReason};
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::settings::StopRules;
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::rollout::trials::records::TrialRecord;
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};

/// State that [`run_blocking`] and [`resume_blocking`] show after each block of trials, and at the end.
pub struct Snapshot<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    candidates: &'a [Position],
    design: &'a RolloutDesign,
    tally: &'a Tally,
    /// Seconds of running and CPU seconds so far. The calling thread runs them: both are its CPU seconds, so that a hold
    /// does not count.
    times: [f64; 2],
    /// All trials so far, if the [`Setup`] says that they are kept.
    pub records: &'a [TrialRecord],
}

impl Snapshot<'_> {
    /// The result so far, times left out.
    pub fn result(&self) -> RolloutResult {
        let status = Status::Running;
        self.tally.snapshot(self.design, status, [0.0; 2], 0.0)
    }

    /// The progress so far, to be kept and gone on with.
    pub fn progress(&self) -> Progress {
        let (settings, candidates) = (self.settings.clone(), self.candidates.to_vec());
        let progress = Progress::new(self.setup, settings, candidates, self.tally.clone());
        let [seconds, cpu_seconds] = self.times;
        Progress {
            seconds,
            cpu_seconds,
            ..progress
        }
    }

    /// Why these rules end the rollout now, if they do; how many trials they ask for does not count.
    pub fn stops_by(&self, rules: &StopRules) -> Option<StopReason> {
        stop_reason(rules, u64::MAX, self.tally, self.design)
    }

    /// The candidate with the largest mean, and by how much it leads each other one that is still in the
    /// race. The intervals are anytime-valid, and miss with chance `alpha` at most.
    pub fn leads(&self, alpha: f64) -> (usize, Vec<(usize, [f64; 2])>) {
        let compared = self.tally.compare(self.design);
        (compared.best(), compared.leads(alpha))
    }

    /// Trials of each candidate so far.
    pub fn trials(&self) -> u64 {
        self.tally.trials
    }
}

/// Rolls out on this thread: the same result as [`Rollout::start`](super::runner::Rollout::start) gives.
/// `look` sees it after each block and at the end, and ends it by answering false. Time limits are not heeded.
///
/// # Errors
/// A [`RolloutError`] for settings that make no sense.
pub fn run_blocking(
    setup: &Setup,
    candidates: &[Position],
    settings: &Settings,
    look: &mut dyn FnMut(&Snapshot<'_>) -> bool,
) -> Result<RolloutResult, RolloutError> {
    let prepared = PreparedRollout::begin(setup, candidates.to_vec(), settings)?;
    Ok(go_on(setup, prepared, look))
}

/// Goes on from `progress` on this thread as if the rollout had never stopped; else as [`run_blocking`].
///
/// # Errors
/// A [`RolloutError`] if the evaluator is another one, or the progress contradicts itself.
pub fn resume_blocking(
    setup: &Setup,
    progress: Progress,
    look: &mut dyn FnMut(&Snapshot<'_>) -> bool,
) -> Result<RolloutResult, RolloutError> {
    let prepared = PreparedRollout::resume(setup, progress)?;
    Ok(go_on(setup, prepared, look))
}

fn go_on(
    setup: &Setup,
    prepared: PreparedRollout,
    look: &mut dyn FnMut(&Snapshot<'_>) -> bool,
) -> RolloutResult {
    let PreparedRollout {
        progress,
        design,
        plan,
    } = prepared;
    let design = &design;
    let Progress {
        settings,
        candidates,
        mut tally,
        seconds,
        cpu_seconds,
        ..
    } = progress;
    let began = cpu::thread_seconds();
    // Seconds before this run count too. Several threads may have shared that work: it took fewer than CPU seconds.
    let times = || [seconds, cpu_seconds].map(|before| before + cpu::thread_seconds() - began);
    let never = || false;
    let mut players = TrialPlayers::new(PlayRules::new(setup, &settings, &never));
    let mut dealer = plan::dealer(setup, &settings);
    let mut records = Vec::new();
    // What is resumed may be done already.
    let mut reason = stop_reason(&settings.stop, plan.limit(), &tally, design);
    let mut number = 0;
    while reason.is_none() {
        let unit = |place| round::unit(&plan, &tally, number, 0, place as usize);
        // Nobody cancels.
        let parts: Vec<Vec<TrialOutcome>> = (0..plan.width())
            .filter_map(unit)
            .map(|unit| plan.play(&mut players, &mut dealer, &candidates, &unit))
            .map(Result::unwrap_or_default)
            .collect();
        let keep = setup.keep_trials.then_some(&mut records);
        round::count(&mut tally, design, &plan, &parts, keep);
        number += 1;
        reason = stop_reason(&settings.stop, plan.limit(), &tally, design);
        let whole = tally.trials.is_multiple_of(design.trial_design.block);
        if reason.is_some() || design.shares_out || whole {
            let seen = Snapshot {
                setup,
                settings: &settings,
                candidates: &candidates,
                times: times(),
                design,
                tally: &tally,
                records: &records,
            };
            if !look(&seen) {
                reason = reason.or(Some(StopReason::Cancelled));
            }
        }
    }
    let status = Status::Done(reason.unwrap_or(StopReason::Trials));
    tally.snapshot(design, status, times(), 0.0)
}
