//! Running a rollout from the command line: progress, and keeping what it gives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};

use super::bias_check::BiasDocument;
use super::candidate::{cubes, difference_text, estimate};
use super::rollout_options::{RolloutOptions, SettingsDocument};
use super::rollout_saving::{FIND_TIMEOUT, RolloutTask, Saving};
use crate::cli::common::output::Cubeful;
use crate::cli::common::progress::ProgressLine;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::usage::{refused, say};
use crate::dice::DiceSource;
use crate::eval::CandidateFilter;
use crate::rollout::{
    Allocation, CandidateResult, Estimate, OnChange, Progress, Rollout, RolloutError,
    RolloutHandle, RolloutResult, Settings, Status, StopReason,
};
use crate::stats::interval::ALPHA;
use crate::store::{READ_TIMEOUT, save_interval};
use crate::words::counted;

/// Note of a rollout without a cube.
const CUBELESS: &str = "cubeless: neither the cube nor the score counts; --cubeful plays with both";
/// Note of a rollout with a settlement limit.
const SETTLED: &str = "cubeless: the cube counts by the settlement limit alone";
/// Note of the rollout of a cube decision.
const CUBE_DECISION: &str =
    "cube decision of the player on roll; --cubeless rolls out the position";
/// Note of adaptive allocation.
const ADAPTIVE: &str = "adaptive allocation: where plays are nearly level, the mean of one that fell behind by bad luck \
    stays too low, and 95% intervals hold in about 90%";
/// Note of a rollout that rules ended which look at its results.
const WATCHED: &str =
    "the stop rules look at the results: ±95% holds whenever they stop, and is wider than 1.96 se";
/// Time between two checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

impl RolloutOptions {
    /// Rolls out to the end, showing progress on a terminal.
    pub(crate) fn run(&self, task: RolloutTask) -> Result<EndedRollout> {
        let before_roll = task.shown.is_before_roll();
        let described = SettingsDocument::seen(&task.setup, &task.settings, before_roll);
        let checked = self.bias_check.map(|_| task.clone());
        if let Some(task) = &checked {
            // What cannot be done is told before the rollout.
            BiasDocument::checker(task)?;
        }
        let (mut saving, saved) = Saving::new(self, &task)?;
        let (wake, woken) = bounded(1);
        let notify = Box::new(move || {
            // A full channel has been rung already.
            let _ = wake.try_send(());
        });
        let plays = task.shown.plays.clone();
        let shards = (task.settings.shard).map_or(1, |shard| u64::from(shard.of));
        let most = task.settings.stop.trials / shards * task.candidates.len() as u64;
        let from = saved.as_ref().map_or(0, Progress::trials);
        let rollout = self.start(task, saved, notify).map_err(refused)?;
        saving.export_to(self.trials_out.as_deref(), before_roll, &plays)?;
        let interrupted = asked_to_end()?;
        saving.first(&rollout)?;
        let line = follow(
            &rollout,
            &woken,
            &interrupted,
            &mut saving,
            before_roll,
            most,
        );
        let timeout = match interrupted.load(Ordering::Relaxed) {
            true => FIND_TIMEOUT,
            false => READ_TIMEOUT,
        };
        let unsaved = saving.last(&rollout, timeout)?;
        let failure = rollout.failure();
        let result = rollout.join();
        line.clear();
        if let Some(reason) = failure {
            bail!("the rollout failed: {reason}");
        }
        let bias = match (self.bias_check, &checked) {
            (Some(trials), Some(task)) => {
                BiasDocument::of(task, trials, self.threads, &interrupted)?
            }
            _ => None,
        };
        let ended = EndedRollout {
            unsaved,
            from,
            bias,
            ..EndedRollout::new(result, described)
        };
        if let Some(warning) = ended.empty_shard() {
            say(&warning);
        }
        Ok(ended)
    }

    /// Goes on with what was saved, or starts anew. `notify` is called whenever there is a new
    /// result.
    fn start(
        &self,
        task: RolloutTask,
        saved: Option<Progress>,
        notify: OnChange,
    ) -> Result<RolloutHandle, RolloutError> {
        let threads = self.threads.number().get();
        let RolloutTask {
            setup,
            settings,
            candidates,
            ..
        } = task;
        match saved {
            Some(progress) => Rollout::resume(setup, progress, threads, Some(notify)),
            None => Rollout::start(setup, candidates, settings, threads, Some(notify)),
        }
    }
}

/// Follows a rollout to its end: shows how far it is, keeps that now and then, and ends it where the user wants an end.
/// The line it is shown on is still there. `most` is the largest number of trials, of all plays together.
fn follow(
    rollout: &RolloutHandle,
    woken: &Receiver<()>,
    interrupted: &AtomicBool,
    saving: &mut Saving,
    before_roll: bool,
    most: u64,
) -> ProgressLine {
    let mut line = ProgressLine::new();
    let begun = Instant::now();
    let mut kept = begun;
    while !rollout.is_finished() {
        match woken.recv_timeout(POLL_INTERVAL) {
            Ok(()) | Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let result = rollout.result();
        if let Some(first) = result.candidates.first() {
            let done = result.candidates.iter().map(|one| one.trials).sum();
            line.show_bar(done, most, || progress(&result, first, before_roll));
        }
        if interrupted.load(Ordering::Relaxed) {
            rollout.cancel();
        }
        if kept.elapsed() >= save_interval(begun.elapsed().as_secs_f64()) {
            kept = Instant::now();
            saving.again(rollout, &mut line);
        }
    }
    line
}

/// How far a rollout is. Without dice the candidate's player is not the one whose equity is asked for.
fn progress(result: &RolloutResult, first: &CandidateResult, before_roll: bool) -> String {
    let value = match (&result.difference, before_roll) {
        (Some(difference), _) => difference_text(difference),
        (None, true) => estimate(&first.flipped().equity),
        (None, false) => estimate(&first.equity),
    };
    format!("{value}  {:.0}/s", result.trials_per_second)
}

pub(crate) struct EndedRollout {
    pub(crate) result: Arc<RolloutResult>,
    pub(crate) described: SettingsDocument,
    /// Why the progress could not be kept, if it could not.
    pub(crate) unsaved: Option<anyhow::Error>,
    /// Trials that were there before.
    pub(crate) from: u64,
    /// Change by deeper play, if it was requested.
    pub(crate) bias: Option<BiasDocument>,
    /// Trials of shards that are missing, if any are.
    pub(crate) missing_trials: Option<u64>,
}

/// Lists the settings that differ from standard play, as the end of a phrase.
fn style_in_words(settings: &Settings) -> String {
    let mut text = String::new();
    if let Some(early) = settings.early {
        text += &match early.rolls {
            1 => format!(", the first roll at {}-ply", early.ply),
            rolls => format!(", the first {rolls} rolls at {}-ply", early.ply),
        };
    }
    if settings.filter != Settings::FILTER {
        let CandidateFilter { most, within } = settings.filter;
        text += &format!(", filter {most}:{within}");
    }
    if !settings.stop_at_known {
        text += ", bearoffs played out";
    }
    text
}

impl EndedRollout {
    /// A rollout of which nothing else is to be told.
    pub(crate) fn new(result: Arc<RolloutResult>, described: SettingsDocument) -> Self {
        Self {
            result,
            described,
            unsaved: None,
            from: 0,
            bias: None,
            missing_trials: None,
        }
    }

    /// Returns whether cube and score count.
    /// A note follows if they do not, or if the cube is the question; it names the other option.
    pub(crate) fn cubeful(&self) -> Cubeful {
        let settings = &self.described.settings;
        match settings.cube {
            None if settings.settlement.is_some() => Cubeful::new(false, Some(SETTLED)),
            None => Cubeful::new(false, Some(CUBELESS)),
            Some(cube) => Cubeful::new(true, cube.decision.then_some(CUBE_DECISION)),
        }
    }

    /// The note of [`Self::cubeful`] as a line of its own.
    pub(crate) fn note_line(&self) -> String {
        let note = self.cubeful().note;
        note.map_or_else(String::new, |text| format!("\n{text}"))
    }

    /// Returns the errors that standard errors and intervals leave out, a sentence each.
    pub(crate) fn caveats(&self) -> Vec<String> {
        let settings = &self.described.settings;
        let truncated = settings.truncation().map(|cut| {
            format!("{cut}: the net values what is left, and what it errs by is not in se")
        });
        let adaptive = (settings.allocation == Allocation::Adaptive).then(|| ADAPTIVE.to_owned());
        let is_widened = |e: &Estimate| e.ci95 == e.anytime95 && e.se > 0.0;
        let mut candidates = self.result.candidates.iter();
        let watched = candidates.any(|one| is_widened(&one.equity));
        let watched = watched.then(|| WATCHED.to_owned());
        truncated
            .into_iter()
            .chain(adaptive)
            .chain(watched)
            .collect()
    }

    pub(crate) fn caveat_lines(&self) -> String {
        let lines = self.caveats().into_iter();
        lines.map(|caveat| caveat + "\n").collect()
    }

    /// Trials, time and settings in a line.
    pub(crate) fn summary(&self) -> String {
        let settings = &self.described.settings;
        let mut text = self.trials_in_words();
        if self.from > 0 {
            text += &format!(" ({} of them kept from before)", self.from);
        }
        text += &format!(", {}-ply", settings.ply);
        if let Some(other) = settings.opponent {
            text += &format!(" and {}-ply", other.ply);
        }
        text += &style_in_words(settings);
        if let Some(truncation) = settings.truncation() {
            text += &format!(", {truncation}");
        }
        if let Some(settlement) = settings.settlement {
            text += &format!(", settlement limit {}", settlement.limit);
        }
        text += &format!(", {}", settings.luck.words());
        if let Some(bound) = settings.luck_bound {
            text += &format!(" within {bound} points");
        }
        if let Some(cubes) = cubes(&self.result) {
            text += &format!(", cubeful, {cubes}");
        }
        text += &match settings.dice_source {
            // Two equal dice begin no game.
            DiceSource::Rotation if settings.initial => ", all 30 first rolls in turn".to_owned(),
            source => format!(", {}", source.words()),
        };
        if let Some(shard) = settings.shard {
            text += &format!(", shard {}/{}", shard.index + 1, shard.of);
        }
        text += &format!(", seed {}", settings.seed);
        text += &format!(", {:.1} s", self.result.seconds);
        if let Some(reason) = self.reason() {
            text = text + "; " + reason;
        }
        match (self.result.status, settings.stop.separated) {
            // Verdicts go by 95%, and may call open what a lower confidence has ended.
            (Status::Done(StopReason::Separated), Some(confidence)) if confidence < 1.0 - ALPHA => {
                format!("{text} at {:.0}%", 100.0 * confidence)
            }
            _ => text,
        }
    }

    /// How many trials the candidates have: from the fewest to the most, where that was shared out.
    fn trials_in_words(&self) -> String {
        let each = || self.result.candidates.iter().map(|c| c.trials);
        match (each().min(), each().max(), self.trials()) {
            (Some(least), Some(most), mean) if least < most => {
                format!("{least} to {most} trials, {mean} in the mean")
            }
            (_, _, trials) => counted(trials, "trial"),
        }
    }

    /// Reports a shard without blocks: there are fewer blocks than shards.
    fn empty_shard(&self) -> Option<String> {
        let settings = &self.described.settings;
        let shard = settings.shard.filter(|_| self.trials() == 0)?;
        let (trials, block) = (settings.stop.trials, settings.block());
        (shard.share(trials, block) == 0).then(|| {
            let blocks = trials.div_ceil(block);
            format!(
                "shard {}/{} is empty: {trials} trials are {} of {block}, fewer than shards",
                shard.index + 1,
                shard.of,
                counted(blocks, "block")
            )
        })
    }

    /// Trials of each play; their mean, where they do not share them.
    fn trials(&self) -> u64 {
        let candidates = &self.result.candidates;
        let all: u64 = candidates.iter().map(|s| s.trials).sum();
        all / (candidates.len() as u64).max(1)
    }

    /// Why it ended, if not at the number of trials.
    fn reason(&self) -> Option<&'static str> {
        let is_cube = self.described.settings.cube.is_some_and(|c| c.decision);
        match self.result.status {
            Status::Done(StopReason::Separated) if is_cube => Some("the decision is clear"),
            Status::Done(StopReason::Equivalent) if is_cube => {
                Some("what is open is too small to matter")
            }
            Status::Done(StopReason::StandardError) => Some("standard error reached"),
            Status::Done(StopReason::Width) => Some("interval narrow enough"),
            Status::Done(StopReason::Separated) => Some("the best play is separated"),
            Status::Done(StopReason::Equivalent) => {
                Some("the plays that may be best are too close to matter")
            }
            Status::Done(StopReason::Time) => Some("time is up"),
            _ => None,
        }
    }

    /// Why the rollout ended, as documents have it; `None` while it is not done.
    pub(crate) fn stopped(&self) -> Option<StopReason> {
        match self.result.status {
            Status::Done(reason) => Some(reason),
            _ => None,
        }
    }

    /// An error when its progress could not be kept, or when it was cut short by a signal, once its
    /// figures have been printed.
    pub(crate) fn completed(self) -> Result<()> {
        if let Some(error) = self.unsaved {
            return Err(error);
        }
        if self.result.status == Status::Done(StopReason::Cancelled) {
            bail!("interrupted after {}", counted(self.trials(), "trial"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::DifferenceResult;

    /// The line of a position before the roll has the equity of the table: that of the player on roll. A difference of
    /// the sides of a cube decision is that player's already.
    #[test]
    fn the_progress_is_seen_by_who_is_asked_about() {
        let mut result = RolloutResult::empty(Status::Running);
        result.candidates.push(CandidateResult {
            trials: 72,
            equity: Estimate::exact(-0.0769),
            ..CandidateResult::default()
        });
        let says = |result: &RolloutResult, before_roll, words: &str| {
            let line = progress(result, &result.candidates[0], before_roll);
            assert!(line.starts_with(words), "{line}");
        };
        says(&result, true, "+0.0769");
        says(&result, false, "-0.0769");
        result.candidates.push(result.candidates[0].clone());
        result.difference = Some(DifferenceResult {
            equity: Estimate::exact(0.5),
            ..DifferenceResult::default()
        });
        says(&result, true, "+0.5000");
    }
}
