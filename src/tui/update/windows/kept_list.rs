//! The window of rollouts: those that run or wait, and those that are kept.

use ratatui::layout::Rect;

use super::window::Window;
use crate::notation::xgid_text;
use crate::rollout::Settings;
use crate::tui::figures::pace::time_left;
use crate::tui::figures::rollout_list::{
    self, RolloutPlace, RolloutRow, best, standing, whereabouts,
};
use crate::tui::keys::ActionId;
use crate::tui::rollouts::jobs::{Job, JobId, JobState};
use crate::tui::state::{App, Effect, Openable};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::plays;
use crate::tui::update::document;
use crate::tui::update::lines::{variations, walk};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{foot, list, rows, window, with_description};
use crate::tui::windows::kept_list::{KeptBest, KeptList, KeptListRow};
use crate::tui::windows::overlay::Overlay;

/// Columns from which on a play has more room.
const WIDE: u16 = 92;

/// Columns of a row.
const COLUMNS: u16 = 73;

/// Columns of the day on which a rollout was saved, or of how it stands.
const STANDING: usize = 10;

/// What is said until those that are kept are read.
const READING: &str = "the kept ones are being read …";

pub(super) struct KeptRollouts;

impl Window for KeptRollouts {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::KeptList { found, row }) = &app.overlay else {
            return;
        };
        let (found, row) = (found.as_ref(), *row);
        let all = rollout_list::rows(app);
        let kept = all.iter().filter(|row| matches!(row, RolloutRow::Kept(_)));
        let kept = kept.count();
        let side = match found {
            Some(Ok(found)) if found.rows.len() < found.total => {
                // One that is under way stands among those.
                let of = found.total - (found.rows.len() - kept);
                format!("the last {kept} of {of} kept")
            }
            _ => String::new(),
        };
        let size = (112, screen.height.saturating_sub(4));
        let area = window(paint, screen, size, "rollouts", &side);
        let words = match found {
            _ if !all.is_empty() => return draw_all(paint, area, app, found, (&all, row)),
            None => READING,
            Some(Err(why)) => why,
            Some(Ok(_)) => {
                "no rollout runs or is kept yet; those of a whole match come back with their match"
            }
        };
        for (y, line) in (0..).zip(text::wrap(words, usize::from(area.width), 3)) {
            paint.line(area, y, &[(&line, Role::OverlayMuted)]);
        }
    }

    fn rows(&self, app: &App) -> usize {
        rollout_list::rows(app).len()
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if action == ActionId::Accept {
            accept(app);
            return true;
        }
        let job = rollout_list::selected_job(app).map(|job| job.id);
        match (action, job) {
            (ActionId::Stop, Some(id)) => plays::stop_job(app, id),
            (ActionId::RunNext, Some(id)) => {
                app.jobs.put_first(id);
                app.say("this rollout comes next");
            }
            _ => return false,
        }
        true
    }
}

/// Goes to the decision of the selected rollout, or opens its position.
fn accept(app: &mut App) {
    let Some(row) = rollout_list::selected(app) else {
        return app.overlay = None;
    };
    let goal = rollout_list::goal(app, &row);
    let id = match row {
        RolloutRow::Kept(kept) => kept.id.clone(),
        RolloutRow::UnderWay(job) => xgid_text(job.decision.state()),
    };
    let window = app.overlay.take();
    match goal {
        Some((place, job)) => go(app, place, job),
        None if document::open_source(app, Openable::Id(id)) => {}
        // The same again answers what is asked.
        None => app.overlay = window,
    }
}

/// Opens the list of rollouts; those that are kept are read meanwhile.
pub(crate) fn open(app: &mut App) {
    app.overlay = Some(Overlay::KeptList {
        found: None,
        row: 0,
    });
    app.effects.push(Effect::ListKept);
}

/// Takes in the rollouts that are kept. Where they cannot be read again, those that were stay.
pub(crate) fn found(app: &mut App, list: Result<KeptList, String>) {
    let window = app.overlay.as_mut().map(Overlay::below_keys);
    let Some(Overlay::KeptList { found, .. }) = window else {
        return;
    };
    if list.is_ok() || !matches!(found, Some(Ok(_))) {
        *found = Some(list);
    }
}

/// Goes to the decision of a rollout, and shows that one of it.
fn go(app: &mut App, place: RolloutPlace, job: JobId) {
    let decision = match place {
        RolloutPlace::InView(decision) => decision,
        RolloutPlace::InMatch(_) if !variations::may_leave(app) => return,
        RolloutPlace::InMatch(decision) => decision,
    };
    walk::to_decision(app, decision);
    app.shown_rollout = Some(job);
}

/// What is selected in the window of rollouts, and its row.
pub(crate) struct SelectedRollout {
    row: usize,
    rollout: SelectedRow,
}

/// A rollout, whatever row it has.
enum SelectedRow {
    UnderWay { job: JobId, is_waiting: bool },
    Kept(KeptListRow),
}

/// The rollout that is selected, while the window is open.
pub(crate) fn selected(app: &App) -> Option<SelectedRollout> {
    let Overlay::KeptList { row, .. } = app.overlay.as_ref()?.under_keys() else {
        return None;
    };
    let rollout = match rollout_list::selected(app)? {
        RolloutRow::Kept(kept) => SelectedRow::Kept(kept.clone()),
        RolloutRow::UnderWay(job) => SelectedRow::UnderWay {
            job: job.id,
            is_waiting: job.state == JobState::Queued,
        },
    };
    Some(SelectedRollout { row: *row, rollout })
}

/// Selects the rollout again that was selected in this row, which it still is unless the user chose another: those that
/// end or begin change the rows. One that has ended is the first of those that are kept.
pub(crate) fn keep_selected(app: &mut App, selected: Option<SelectedRollout>) {
    let window = app.overlay.as_ref().map(Overlay::under_keys);
    let (Some(selected), Some(Overlay::KeptList { row, .. })) = (selected, window) else {
        return;
    };
    if *row != selected.row {
        return;
    }
    let rows = rollout_list::rows(app);
    let is_it = |row: &RolloutRow<'_>| match (row, &selected.rollout) {
        (RolloutRow::UnderWay(one), SelectedRow::UnderWay { job, .. }) => one.id == *job,
        (RolloutRow::Kept(one), SelectedRow::Kept(kept)) => one.is_same(kept),
        _ => false,
    };
    let at = rows.iter().position(is_it);
    let at = at.or_else(|| match selected.rollout {
        SelectedRow::UnderWay {
            is_waiting: false, ..
        } => (rows.iter()).position(|row| matches!(row, RolloutRow::Kept(_))),
        _ => None,
    });
    let at = at.unwrap_or(selected.row.min(rows.len().saturating_sub(1)));
    if let Some(Overlay::KeptList { row, .. }) = app.overlay.as_mut().map(Overlay::below_keys) {
        *row = at;
    }
}

/// Draws the rows, with the selected one.
fn draw_all(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    found: Option<&Result<KeptList, String>>,
    (all, row): (&[RolloutRow<'_>], usize),
) {
    let wide = area.width >= WIDE;
    let heading = [
        "saved", "roll", "best", "equity", "±95", "plays", "trials", "ply", "cube",
    ];
    let heading = line(heading.map(str::to_owned), wide);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let words = match all.get(row) {
        Some(RolloutRow::UnderWay(job)) => described_job(app, job),
        Some(RolloutRow::Kept(row)) => described(row, area.width),
        None => String::new(),
    };
    let below = with_description(paint, rows(area, 1, area.height), &words);
    list(paint, below, row, all.len(), &mut |paint, at, i| {
        let words = match all[i] {
            RolloutRow::UnderWay(job) => job_cells(job),
            RolloutRow::Kept(row) => cells(row),
        };
        paint.line(at, 0, &[(&line(words, wide), Role::Overlay)]);
        if let RolloutRow::UnderWay(job) = all[i] {
            paint.put(at.x, at.y, STANDING as u16, standing(job), Role::OverlayKey);
        }
    });
    let is_unknown =
        |row: &RolloutRow<'_>| matches!(row, RolloutRow::Kept(row) if row.best.is_none());
    match found {
        None => foot(paint, area, READING),
        Some(Err(why)) => foot(paint, area, why),
        Some(Ok(_)) if all.iter().any(is_unknown) => {
            foot(paint, area, "–: played by another version, net or table");
        }
        Some(Ok(_)) => {}
    }
}

/// The position, and how it was rolled out: two rollouts of it may differ in nothing that the rows say.
fn described(row: &KeptListRow, columns: u16) -> String {
    let how = row.settings.how_played();
    match columns >= COLUMNS {
        true => format!("{}\n{how}", row.id),
        false => format!("{}\n{} trials, {how}", row.id, row.trials),
    }
}

/// Where the decision of a rollout under way is, how far it has come, and what is rolled out.
fn described_job(app: &App, job: &Job) -> String {
    let (done, all) = (job.trials_shown(), job.settings.stop.trials);
    let trials = match job.has_figures() {
        true => format!("{done} of {all} trials"),
        false => format!("{all} trials"),
    };
    let standing = Some(standing(job).to_owned());
    let first = [
        standing,
        whereabouts(app, job),
        Some(trials),
        time_left(job),
    ];
    let first: Vec<String> = first.into_iter().flatten().collect();
    let how = job.settings.how_played();
    format!("{}\n{how}: {}", first.join(", "), names(job))
}

/// What is rolled out, by name.
fn names(job: &Job) -> String {
    let names: Vec<String> = (0..job.plays.len()).map(|i| job.name(i)).collect();
    names.join(", ")
}

/// What cannot be said.
fn dash() -> String {
    "–".to_owned()
}

/// The best, its equity and the interval.
fn best_cells(best: &KeptBest) -> [String; 3] {
    let play = best.play.clone();
    [
        play.unwrap_or_else(|| "the position".to_owned()),
        text::equity(best.equity),
        match best.half.is_finite() {
            _ if best.is_passed => "pass".to_owned(),
            true => text::small(best.half),
            false => dash(),
        },
    ]
}

/// How many were rolled out, with how many trials, and how these are played.
fn count_cells(plays: usize, trials: u64, settings: &Settings) -> [String; 4] {
    let cube = if settings.cube.is_some() { "yes" } else { "no" };
    [
        plays.to_string(),
        trials.to_string(),
        settings.ply.to_string(),
        cube.to_owned(),
    ]
}

fn cells(row: &KeptListRow) -> [String; 9] {
    let roll = row.dice.clone().unwrap_or_else(dash);
    let best = row.best.as_ref().map(best_cells);
    let [play, equity, half] = best.unwrap_or_else(|| [dash(), dash(), dash()]);
    let [plays, trials, ply, cube] = count_cells(row.candidates.len(), row.trials, &row.settings);
    let saved = row.day.clone();
    [saved, roll, play, equity, half, plays, trials, ply, cube]
}

/// The same of a rollout under way; before its first trial with the names of what is rolled out.
fn job_cells(job: &Job) -> [String; 9] {
    let roll = job.decision.state().roll;
    let roll = roll.map_or_else(dash, |roll| roll.to_string());
    let best = best(job).as_ref().map(best_cells);
    let [play, equity, half] = best.unwrap_or_else(|| [names(job), dash(), dash()]);
    let [plays, trials, ply, cube] =
        count_cells(job.plays.len(), job.trials_shown(), &job.settings);
    // How it stands is written over it.
    let saved = String::new();
    [saved, roll, play, equity, half, plays, trials, ply, cube]
}

fn line(cells: [String; 9], wide: bool) -> String {
    let [saved, roll, play, equity, half, plays, trials, ply, cube] = cells;
    let columns = if wide { 34 } else { 18 };
    format!(
        "{} {} {} {} {} {} {} {} {}",
        text::fit(&saved, STANDING),
        text::fit(&roll, 4),
        text::fit(&text::cut(&play, columns), columns),
        text::fit_right(&equity, 7),
        text::fit_right(&half, 6),
        text::fit_right(&plays, 5),
        text::fit_right(&trials, 8),
        text::fit_right(&ply, 3),
        text::fit_right(&cube, 4),
    )
}
