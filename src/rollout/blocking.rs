//! A rollout on the calling thread: for experiments with thousands of short ones, and for callers
//! who have threads of their own.

use super::check::checked;
use super::comparison::Comparisons;
use super::cpu;
use super::error::RolloutError;
use super::plan::{WorkPlan, WorkUnit};
use super::progress::Progress;
use super::records::TrialRecord;
use super::result::{RolloutResult, Status, StopReason};
use super::results_digest::RESULTS_DIGEST;
use super::rollout_design::RolloutDesign;
use super::settings::{Settings, StopRules};
use super::setup::Setup;
use super::stops::stop_reason;
use super::tally::Tally;
use super::trial::{PlayRules, TrialOutcome, TrialPlayers};
use crate::dice::Dealer;
use crate::game::Position;

/// What [`run_blocking`] shows after each block of trials, and at the end.
pub struct Snapshot<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    candidates: &'a [Position],
    design: &'a RolloutDesign,
    tally: &'a Tally,
    /// CPU seconds so far.
    seconds: f64,
    /// All trials so far, if the [`Setup`] says that they are kept.
    pub records: &'a [TrialRecord],
}

impl Snapshot<'_> {
    /// Everything that is known now, times left out.
    #[must_use]
    pub fn result(&self) -> RolloutResult {
        let status = Status::Running;
        self.tally.snapshot(self.design, status, [0.0; 2], 0.0)
    }

    /// All sums so far, to be kept and gone on with.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress {
            results: RESULTS_DIGEST.to_owned(),
            evaluator: self.setup.name(self.settings),
            settings: self.settings.clone(),
            candidates: self.candidates.to_vec(),
            seconds: self.seconds,
            cpu_seconds: self.seconds,
            tally: self.tally.clone(),
        }
    }

    /// Why these rules end the rollout now, if they do; how many trials they ask for does not count.
    #[must_use]
    pub fn stops_by(&self, rules: &StopRules) -> Option<StopReason> {
        stop_reason(rules, u64::MAX, self.tally, self.design)
    }

    /// The candidate with the largest mean, and by how much it leads each other one that is still in the
    /// race. The intervals are anytime-valid, and miss with chance `alpha` at most.
    #[must_use]
    pub fn leads(&self, alpha: f64) -> (usize, Vec<(usize, [f64; 2])>) {
        let compared = Comparisons::new(self.tally, self.design);
        (compared.best(), compared.leads(alpha))
    }

    /// Trials of each candidate so far.
    #[must_use]
    pub fn trials(&self) -> u64 {
        self.tally.trials
    }
}

/// Rolls out on this thread: the same result as [`Rollout::start`](super::Rollout::start) gives.
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
    let settings = checked(settings, candidates, setup)?;
    let began = cpu::thread_seconds();
    let design = RolloutDesign::new(setup, candidates, &settings);
    let plan = WorkPlan::new(&settings, candidates.len(), 0);
    let never = || false;
    let mut players = TrialPlayers::new(PlayRules::new(setup, &settings, &never));
    let mut dealer = Dealer::new(
        settings.dice_source,
        settings.initial,
        setup.prescribed_dice.clone(),
    );
    let mut tally = Tally::new(&design);
    let mut records = Vec::new();
    let mut reason = None;
    let mut round = 0;
    while reason.is_none() {
        let units = units(&plan, &tally, round);
        // Nobody cancels.
        let play = |unit| plan.play(&mut players, &mut dealer, candidates, unit);
        let parts: Vec<Vec<TrialOutcome>> = units
            .iter()
            .map(play)
            .map(Result::unwrap_or_default)
            .collect();
        if tally.schedule.is_some() {
            tally.push_round(&design, &parts);
        } else {
            let keep = setup.keep_trials.then_some(&mut records);
            push_blocks(&mut tally, &design, &plan, &parts, keep);
        }
        tally.note_history(&design);
        round += 1;
        reason = stop_reason(&settings.stop, plan.limit(), &tally, &design);
        if reason.is_some() || tally.trials.is_multiple_of(design.trial_design.block) {
            let seen = Snapshot {
                setup,
                settings: &settings,
                candidates,
                seconds: cpu::thread_seconds() - began,
                design: &design,
                tally: &tally,
                records: &records,
            };
            if !look(&seen) {
                reason = reason.or(Some(StopReason::Cancelled));
            }
        }
    }
    let seconds = cpu::thread_seconds() - began;
    let status = Status::Done(reason.unwrap_or(StopReason::Trials));
    Ok(tally.snapshot(&design, status, [seconds; 2], 0.0))
}

/// Puts in the trials of a round, in order, and what each was into `records`, if that is kept.
fn push_blocks(
    tally: &mut Tally,
    design: &RolloutDesign,
    plan: &WorkPlan,
    parts: &[Vec<TrialOutcome>],
    mut records: Option<&mut Vec<TrialRecord>>,
) {
    // A unit of a pair has the trials of both.
    let lanes = if design.known.len() == 2 { 2 } else { 1 };
    let mut row = Vec::new();
    for place in 0..parts.first().map_or(0, Vec::len) / lanes {
        row.clear();
        for part in parts {
            row.extend_from_slice(&part[place * lanes..(place + 1) * lanes]);
        }
        let trial = plan.real(tally.trials);
        if let Some(records) = records.as_deref_mut() {
            records.extend(row.iter().enumerate().map(|(i, &outcome)| TrialRecord {
                candidate: i as u16,
                trial,
                outcome,
            }));
        }
        tally.push(design, trial, &row);
    }
}

/// The units of the next round.
fn units(plan: &WorkPlan, tally: &Tally, round: u64) -> Vec<WorkUnit> {
    if let Some(schedule) = &tally.schedule {
        let unit = |turn: &super::allocation::BlockGrant| WorkUnit {
            candidate: usize::from(turn.candidate),
            trials: plan.block(turn.block),
        };
        return schedule
            .round(0)
            .unwrap_or_default()
            .iter()
            .map(unit)
            .collect();
    }
    let Some(trials) = plan.trials(round) else {
        return Vec::new();
    };
    let unit = |candidate| WorkUnit {
        candidate: candidate as usize,
        trials: trials.clone(),
    };
    (0..plan.width()).map(unit).collect()
}
