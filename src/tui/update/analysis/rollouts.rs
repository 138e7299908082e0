//! Rollouts that come and go.

use std::sync::Arc;

use crate::rollout::{Pilot, RolloutResult};
use crate::tui::figures::trials::{jobs_with_results, shown_job};
use crate::tui::rollouts::jobs::{JobId, JobState, KeptRollout};
use crate::tui::state::{App, Effect};
use crate::tui::update::ranking;
use crate::tui::windows::overlay::Overlay;
use crate::words::counted;

/// Asks whether to leave a rollout.
const LEAVE: &str = "a rollout is under way: it is kept and goes on next time; {quit} again quits";
/// The same of one that pauses: next time it has stopped.
const LEAVE_PAUSED: &str =
    "a rollout is paused: it is kept, and goes on where it is asked for again; {quit} again quits";

/// The question before one leaves the rollouts that are under way.
pub(crate) fn leave_question(app: &App) -> &'static str {
    match app.jobs.is_rolling() {
        true => LEAVE,
        false => LEAVE_PAUSED,
    }
}

/// A rollout has something new.
pub(crate) fn came(app: &mut App, job: JobId, result: Arc<RolloutResult>, finished: bool) {
    app.jobs.update(job, result, finished);
    if app.jobs.frozen().is_none() {
        ranking::rerank(app);
    }
    start_next(app);
    thaw_when_done(app);
    withdraw_quit_question(app);
    if finished {
        list_again(app);
    }
}

/// A pilot has chosen how the trials of a rollout are played.
pub(crate) fn chosen(app: &mut App, job: JobId, pilot: Arc<Pilot>) {
    if let Some(job) = app.jobs.get_mut(job) {
        job.choose(pilot);
    }
}

/// Has the rollouts that are kept read again while the window shows them: one that has ended is among them now.
fn list_again(app: &mut App) {
    let window = app.overlay.as_ref().map(Overlay::under_keys);
    if matches!(window, Some(Overlay::KeptList { found: Some(_), .. })) {
        app.effects.push(Effect::ListKept);
    }
}

/// Puts another rollout of the decision in view on show: the next older one, and behind the oldest the newest.
pub(crate) fn show_other(app: &mut App) {
    let shown = shown_job(app).map(|job| job.id);
    let all: Vec<JobId> = jobs_with_results(app).map(|job| job.id).collect();
    let place = all.iter().position(|id| Some(*id) == shown);
    let next = place.map_or(0, |place| (place + 1) % all.len().max(1));
    app.shown_rollout = all.get(next).copied();
    app.say_keys(&format!(
        "rollout {} of {} of this decision, the newest first; {{other rollout}} shows the next",
        next + 1,
        all.len()
    ));
}

/// Lets the figures go where they are held still and nothing is rolled out any more.
pub(crate) fn thaw_when_done(app: &mut App) {
    let is_done = app.jobs.active().next().is_none() && app.match_rollouts.is_none();
    if is_done && app.jobs.frozen().is_some() {
        app.jobs.toggle_freeze(app.now);
        ranking::rerank(app);
    }
}

/// Rollouts of earlier sessions were found.
pub(crate) fn remembered(app: &mut App, rollouts: Vec<KeptRollout>) {
    let count = app.jobs.remember(rollouts);
    if count > 0 {
        let what = match app.home().record.games.is_empty() {
            true => "position",
            false => "match",
        };
        let more = match app.jobs.active().next() {
            Some(_) => app.keymap.named("; {stop} stops the one under way"),
            None => String::new(),
        };
        let count = counted(count, "rollout");
        app.say(format!("{count} of this {what} kept{more}"));
    }
    withdraw_quit_question(app);
}

/// A rollout could not be started.
pub(crate) fn failed(app: &mut App, job: JobId, why: &str) {
    if let Some(job) = app.jobs.get_mut(job) {
        job.state = JobState::Failed(why.to_owned());
    }
    start_next(app);
    withdraw_quit_question(app);
    thaw_when_done(app);
    app.warn(format!("the rollout failed: {why}"));
}

/// Takes back the question before one leaves, where no rollout is under way any more.
fn withdraw_quit_question(app: &mut App) {
    if !app.confirmation.is_asked() || app.jobs.active().next().is_some() {
        return;
    }
    let asked = [LEAVE, LEAVE_PAUSED].map(|question| app.keymap.named(question));
    if app
        .status
        .take_if(|status| asked.contains(&status.text))
        .is_some()
    {
        app.confirmation.withdraw();
    }
}

/// Starts the next rollout if none runs.
pub(crate) fn start_next(app: &mut App) {
    if let Some(id) = app.jobs.next() {
        let now = app.now;
        if let Some(job) = app.jobs.get_mut(id) {
            job.state = JobState::Running;
            job.started = Some(now);
        }
        app.effects.push(Effect::Start(id));
    }
}
