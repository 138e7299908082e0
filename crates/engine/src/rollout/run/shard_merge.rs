//! Counting records again: shards of one rollout into the result that one machine would have
//! given.

use super::plan::WorkPlan;
use super::progress::Progress;
use crate::game::Position;
use crate::rollout::counts::result::{RolloutResult, Status, StopReason};
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::request::check::checked_counts;
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::rollout::trials::records::TrialRecord;

/// Counts trials that were played elsewhere, in the order of their numbers.
pub struct ShardMerge {
    design: RolloutDesign,
    plan: WorkPlan,
    progress: Progress,
    last: Option<u64>,
    /// Trials are missing in between, or came twice.
    gaps: bool,
    row: Vec<TrialOutcome>,
}

impl ShardMerge {
    /// A merge in which nothing is counted yet. `settings` are those of the whole rollout, without a shard.
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense.
    pub fn new(
        setup: &Setup,
        candidates: Vec<Position>,
        settings: &Settings,
    ) -> Result<Self, RolloutError> {
        let settings = checked_counts(settings, &candidates, setup)?;
        let design = RolloutDesign::new(setup, &candidates, &settings);
        Ok(Self {
            plan: WorkPlan::new(&settings, candidates.len(), 0),
            progress: Progress::new(setup, settings, candidates, Tally::new(&design)),
            design,
            last: None,
            gaps: false,
            row: Vec::new(),
        })
    }

    /// Takes in a trial of every candidate. False if they are not the same trial of every candidate in
    /// order, or come before one that has been counted.
    pub fn push(&mut self, records: &[TrialRecord]) -> bool {
        let Some(first) = records.first() else {
            return false;
        };
        let trial = first.trial;
        let fits = records.len() == self.progress.candidates.len()
            && records
                .iter()
                .enumerate()
                .all(|(i, r)| r.trial == trial && usize::from(r.candidate) == i)
            && self.last.is_none_or(|last| last < trial)
            && trial < self.progress.settings.stop.trials;
        if !fits {
            return false;
        }
        self.last = Some(trial);
        self.row.clear();
        self.row.extend(records.iter().map(|r| r.outcome));
        let tally = &mut self.progress.tally;
        tally.push(&self.design, trial, &self.row);
        if self.plan.ends_round(tally.trials) {
            tally.note_history(&self.design);
        }
        true
    }

    /// Counts these games instead of what was counted before: trials of the one candidate, in the order of
    /// their numbers, of which some may be missing and some come twice.
    pub fn recount<'a>(&mut self, games: impl IntoIterator<Item = &'a TrialRecord>) {
        self.progress.tally = Tally::new(&self.design);
        self.last = None;
        self.gaps = false;
        for game in games {
            let next = self.last.map_or(0, |last| last + 1);
            self.gaps |= game.trial != next;
            self.last = Some(game.trial);
            let tally = &mut self.progress.tally;
            tally.push(&self.design, game.trial, &[game.outcome]);
            tally.note_history(&self.design);
        }
    }

    /// Adds time that was spent on what has been counted.
    pub fn add_time(&mut self, seconds: f64, cpu_seconds: f64) {
        self.progress.seconds += seconds;
        self.progress.cpu_seconds += cpu_seconds;
    }

    /// Trials of each candidate counted.
    pub fn trials(&self) -> u64 {
        self.progress.tally.trials
    }

    /// Returns the counted trials as a rollout's result.
    pub fn result(&self) -> RolloutResult {
        let Progress {
            tally,
            seconds,
            cpu_seconds,
            settings,
            ..
        } = &self.progress;
        let reason = if tally.trials >= settings.stop.trials {
            StopReason::Trials
        } else {
            StopReason::Cancelled
        };
        let status = Status::Done(reason);
        let times = [*seconds, *cpu_seconds];
        if reason == StopReason::Trials && !self.gaps {
            return tally.snapshot(&self.design, status, times, 0.0);
        }
        tally.snapshot(&self.design.clone().with_gaps(), status, times, 0.0)
    }

    /// All that has been counted, as progress of the rollout.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }
}
