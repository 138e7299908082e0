//! How long a rollout will take, before it begins and while it runs.
//!
//! What a trial costs differs a hundredfold between plies and positions. So the rollouts that are known
//! come first: of the decision in view, else of any other, played alike. Without one, figures measured
//! once serve.

use std::time::Duration;

use super::candidate_rows;
use crate::rollout::Settings;
use crate::store::settings::RolloutPreferences;
use crate::tui::rollouts::job::{DecisionKey, Job, JobState};
use crate::tui::state::App;
use crate::tui::text;

/// Trials from which the cost of one is estimated.
const LEAST_TRIALS: u64 = 24;
/// CPU seconds of a variance-reduced trial from the opening, played to its end, by plies, without and
/// with the cube. Measured with `luckless rollout 4HPwATDgc/ABMA --dice 31` on a busy core of a server,
/// November 2026. Other positions end sooner.
const OPENING: [[f64; 2]; 3] = [[0.0019, 0.0022], [0.0038, 0.0041], [0.045, 0.053]];
/// Turns of a game from the opening.
const TURNS: f64 = 52.0;
/// How many times as much each more ply costs.
const PER_PLY: f64 = 12.0;

/// How long `r` will take at most at the decision in view, by these preferences; none where there is
/// nothing to roll out.
pub fn of_decision(app: &App, preferences: &RolloutPreferences) -> Option<Duration> {
    let decision = app.decision()?;
    let cube = app.live_cube().filter(|_| preferences.cubeful);
    let plays = match decision.before_roll() {
        Some(position) if position.is_over() => return None,
        Some(_) => 1 + usize::from(cube.is_some_and(|cube| cube.decision)),
        None => candidate_rows::worth_rolling(&candidate_rows::ranked(app)).len(),
    };
    let mut settings = preferences.settings(plays);
    settings.cube = cube;
    (plays > 0).then(|| expected(app, decision, &settings, plays))
}

/// Time that the rollout under way still takes at its present speed; at most, where it ends once it is
/// decided.
pub fn time_left(job: &Job) -> Option<String> {
    let result = job.result().filter(|_| job.state == JobState::Running)?;
    let stop = &job.settings.stop;
    let (done, all) = progress(job)?;
    let seconds = all.saturating_sub(done) as f64 / result.trials_per_second;
    let is_known = seconds.is_finite() && !job.wants_pilot();
    let most = match stop.separated.or(stop.equivalent) {
        Some(_) => "≤ ",
        None => "",
    };
    is_known.then(|| format!("{most}{} left", text::seconds(seconds)))
}

/// Trials of all plays so far, and the most that there will be: a race distributes them.
pub fn progress(job: &Job) -> Option<(u64, u64)> {
    let candidates = &job.result()?.candidates;
    let done = candidates.iter().map(|one| one.trials).sum();
    let most = job
        .settings
        .stop
        .trials
        .saturating_mul(candidates.len() as u64);
    Some((done, most))
}

/// How long a rollout of so many plays will take at most.
fn expected(app: &App, decision: DecisionKey, settings: &Settings, plays: usize) -> Duration {
    let trials = settings.stop.trials.saturating_mul(plays as u64) as f64;
    let seconds = trials * trial(app, decision, settings) / app.threads.max(1) as f64;
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// CPU seconds of a trial of this decision, as far as rollouts of the session tell.
fn trial(app: &App, decision: DecisionKey, settings: &Settings) -> f64 {
    let about = app.jobs.about(decision).find_map(|job| cost(job, settings));
    let any = || {
        let costs: Vec<f64> = app
            .jobs
            .all()
            .filter_map(|job| cost(job, settings))
            .collect();
        let mean = costs.iter().sum::<f64>() / costs.len() as f64;
        (!costs.is_empty()).then_some(mean)
    };
    about
        .or_else(any)
        .unwrap_or_else(|| measured_once(settings))
}

/// CPU seconds of a trial of a job; `None` if it was played otherwise, or too few trials tell.
fn cost(job: &Job, settings: &Settings) -> Option<f64> {
    let own = &job.settings;
    let alike = own.ply == settings.ply
        && own.horizon == settings.horizon
        && own.luck.is_some() == settings.luck.is_some()
        && own.cube.is_some() == settings.cube.is_some();
    let result = job.result().filter(|_| alike)?;
    let trials: u64 = result.candidates.iter().map(|c| c.trials).sum();
    let is_measured = trials >= LEAST_TRIALS && result.cpu_seconds > 0.0;
    is_measured.then(|| result.cpu_seconds / trials as f64)
}

fn measured_once(settings: &Settings) -> f64 {
    let ply = usize::from(settings.ply);
    let deepest = OPENING.len() - 1;
    let more = PER_PLY.powi(ply.saturating_sub(deepest) as i32);
    let whole = more * OPENING[ply.min(deepest)][usize::from(settings.cube.is_some())];
    let turns = settings.horizon.map_or(TURNS, f64::from).min(TURNS);
    whole * turns / TURNS
}
