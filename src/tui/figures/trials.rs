//! What a rollout had found at an earlier trial, in words.

use crate::rollout::HistoryPoint;
use crate::tui::rollouts::jobs::Job;
use crate::tui::state::App;

/// Most plays that are named.
const MOST: usize = 3;

/// The estimates of the rollout on show after so many trials of each play; nothing where there is none.
pub fn words(app: &App, trials: u64) -> Option<String> {
    let job = shown_job(app).filter(|_| !app.options.hidden)?;
    let result = job.result()?;
    let scale = app.scale_of(job);
    let nearest = |history: &[HistoryPoint]| {
        let mut points = history.iter();
        let first = points.next().copied();
        points.fold(first, |best, point| {
            let away = |p: &HistoryPoint| p.trials.abs_diff(trials);
            best.map(|best| {
                if away(point) < away(&best) {
                    *point
                } else {
                    best
                }
            })
        })
    };
    let difference = result
        .history
        .get(2)
        .filter(|h| job.is_pair() && !h.is_empty());
    if let Some(point) = difference.and_then(|h| nearest(h)) {
        return Some(format!(
            "after {} trials: {} − {} = {} ± {} (95%)",
            point.trials,
            job.name(0),
            job.name(1),
            scale.difference(point.mean),
            scale.half(interval(&point))
        ));
    }
    let plays = result.history.iter().take(job.plays.len()).enumerate();
    let mut found: Vec<(usize, HistoryPoint)> =
        plays.filter_map(|(i, h)| Some((i, nearest(h)?))).collect();
    found.sort_by(|a, b| b.1.mean.total_cmp(&a.1.mean));
    let at = found.first()?.1.trials;
    let named = found.iter().take(MOST).map(|(i, point)| {
        format!(
            "{} {} ± {}",
            job.name(*i),
            scale.value(point.mean),
            scale.half(interval(point))
        )
    });
    let named: Vec<String> = named.collect();
    Some(format!("after {at} trials: {}", named.join(", ")))
}

fn interval(point: &HistoryPoint) -> [f64; 2] {
    [point.mean - point.ci95, point.mean + point.ci95]
}

/// The rollouts of the decision in view that have something to show, the newest first.
pub fn jobs_with_results(app: &App) -> impl Iterator<Item = &Job> {
    let decision = app.decision();
    let all = decision
        .into_iter()
        .flat_map(|decision| app.jobs.about(decision));
    all.filter(|job| job.result().is_some())
}

/// The rollout of the decision in view that is on show: the one that was asked for, or the newest that has something to
/// show.
pub fn shown_job(app: &App) -> Option<&Job> {
    let decision = app.decision()?;
    let wanted = app
        .shown_rollout
        .and_then(|id| app.jobs.about_by_id(decision, id));
    // A job that has nothing to show yet does not hide an older one that has.
    wanted
        .or_else(|| jobs_with_results(app).next())
        .or_else(|| app.jobs.about(decision).next())
}
