//! The rows of the window of rollouts: those that run or wait, in their turn, then those that are kept.

use crate::notation::{parse_id, xgid_text};
use crate::stats::interval::half_width;
use crate::store::ListedCandidate;
use crate::tui::documents::document::Document;
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::rollouts::jobs::{DecisionKey, Job, JobId, JobState};
use crate::tui::state::{App, Openable};
use crate::tui::windows::kept_list::{KeptBest, KeptListRow};
use crate::tui::windows::overlay::Overlay;

/// A row of the window.
#[derive(Clone, Copy, Debug)]
pub enum RolloutRow<'a> {
    /// A rollout that runs, pauses or waits.
    UnderWay(&'a Job),
    Kept(&'a KeptListRow),
}

/// The rows of the window, as far as it has been read which rollouts are kept. One that is under way stands once,
/// also where it is kept already.
pub fn rows(app: &App) -> Vec<RolloutRow<'_>> {
    let window = app.overlay.as_ref().map(Overlay::under_keys);
    let Some(Overlay::KeptList { found, .. }) = window else {
        return Vec::new();
    };
    let jobs = app.jobs.in_turn();
    let jobs: Vec<(&Job, String)> = jobs
        .map(|job| (job, xgid_text(job.decision.state())))
        .collect();
    let is_under_way = |row: &KeptListRow| jobs.iter().any(|(job, id)| row.is_of(job, id));
    let kept = found.iter().flatten().flat_map(|found| &found.rows);
    let kept = kept.filter(|row| !is_under_way(row));
    let under_way = jobs.iter().map(|(job, _)| RolloutRow::UnderWay(job));
    under_way.chain(kept.map(RolloutRow::Kept)).collect()
}

/// The selected row of the window.
pub fn selected(app: &App) -> Option<RolloutRow<'_>> {
    match app.overlay.as_ref()?.under_keys() {
        Overlay::KeptList { row, .. } => rows(app).get(*row).copied(),
        _ => None,
    }
}

/// The selected rollout, if it runs, pauses or waits.
pub fn selected_job(app: &App) -> Option<&Job> {
    match selected(app)? {
        RolloutRow::UnderWay(job) => Some(job),
        RolloutRow::Kept(_) => None,
    }
}

/// How a rollout under way stands, in a word.
pub fn standing(job: &Job) -> &'static str {
    match job.state {
        JobState::Paused => "paused",
        JobState::Queued => "waiting",
        _ => "running",
    }
}

/// The best of a rollout under way, as the list of those that are kept has it; none before its first trial.
pub fn best(job: &Job) -> Option<KeptBest> {
    let result = job.result()?;
    let listed = |i: usize| {
        let one = &result.candidates[i];
        (one.trials > 0).then(|| ListedCandidate {
            play: Some(job.name(i)),
            trials: one.trials,
            equity: one.equity,
            is_passed: one.is_passed(),
        })
    };
    let ranked = result.best_first().into_iter().filter_map(listed);
    let state = job.decision.state();
    let state = (job.settings.cube).map_or(*state, |cube| cube.restricted(state));
    let all = ListedCandidate::answered(ranked.collect(), Some(&state));
    let best = all.into_iter().next()?;
    Some(KeptBest {
        play: best.play,
        equity: best.equity.mean,
        half: half_width(best.equity.ci95),
        is_passed: best.is_passed,
    })
}

/// Where the decision of a rollout is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RolloutPlace {
    /// In the document in view.
    InView(MatchDecision),
    /// In the match beside which a variation is in view.
    InMatch(MatchDecision),
}

/// Where a row leads, and which rollout is shown there; `None` where its position is opened: it is of something else, or
/// was kept by another program since this match was opened.
pub fn goal(app: &App, row: &RolloutRow<'_>) -> Option<(RolloutPlace, JobId)> {
    let job = match row {
        RolloutRow::UnderWay(job) => job,
        RolloutRow::Kept(kept) => {
            let decision = DecisionKey::of(&parse_id(&kept.id).ok()?);
            let mut jobs = app.jobs.about(decision);
            jobs.find(|job| kept.is_of(job, &kept.id))?
        }
    };
    Some((place(app, job.decision)?, job.id))
}

/// Where a decision is; `None` where it is of something else that was open. What is left only after a question is no
/// place to go to.
pub fn place(app: &App, decision: DecisionKey) -> Option<RolloutPlace> {
    let in_view = place_in(&app.document, decision).map(RolloutPlace::InView);
    let is_tried = app.variation.as_ref().is_some_and(|v| v.kind.is_tried());
    let in_match = || place_in(app.home(), decision).filter(|_| is_tried);
    in_view.or_else(|| in_match().map(RolloutPlace::InMatch))
}

/// The place of a decision in a document.
pub fn place_in(document: &Document, decision: DecisionKey) -> Option<MatchDecision> {
    let key = |turn: usize| DecisionKey::of(&document.turns[turn].before.state);
    let mut turns = 0..document.turns.len();
    let turn = turns.find(|turn| key(*turn) == decision || key(*turn).before() == decision)?;
    Some(match key(turn) == decision {
        true => MatchDecision::done(turn),
        false => MatchDecision::silent(turn),
    })
}

/// Game and move of a decision, as the list of moves counts them.
pub fn place_words(document: &Document, decision: MatchDecision) -> String {
    let turn = &document.turns[decision.turn];
    format!("game {} move {}", turn.game + 1, turn.number)
}

/// What a rollout under way is of, in words; none where there is nothing to say.
pub fn whereabouts(app: &App, job: &Job) -> Option<String> {
    let (document, at) = match place(app, job.decision) {
        Some(RolloutPlace::InView(at)) => (&app.document, at),
        Some(RolloutPlace::InMatch(at)) => (app.home(), at),
        None => return source_name(app, job).map(|name| format!("of {name}")),
    };
    if document.record.games.is_empty() {
        return Some("the position in view".to_owned());
    }
    let words = place_words(document, at);
    Some(match at.is_silent {
        true => format!("{words} before the roll"),
        false => words,
    })
}

/// The name of the file that a rollout is of.
fn source_name(app: &App, job: &Job) -> Option<String> {
    let source = app.job_sources.get(&job.id)?;
    let (Openable::File(path) | Openable::InFile(path, _)) = source else {
        return None;
    };
    Some(path.file_name()?.to_string_lossy().into_owned())
}
