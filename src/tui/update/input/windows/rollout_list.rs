//! Keys of the window of rollouts.

use crate::notation::xgid_text;
use crate::tui::figures::rollout_list::{self, RolloutPlace, RolloutRow};
use crate::tui::keys::ActionId;
use crate::tui::rollouts::jobs::{JobId, JobState};
use crate::tui::state::{App, Effect, Openable};
use crate::tui::update::analysis::plays;
use crate::tui::update::document;
use crate::tui::update::lines::{variations, walk};
use crate::tui::windows::kept_list::{KeptList, KeptListRow};
use crate::tui::windows::overlay::Overlay;

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

/// Does what an action means for the selected rollout; answers whether it means something there.
pub(super) fn act(app: &mut App, action: ActionId) -> bool {
    let Some(Overlay::KeptList { .. }) = app.overlay else {
        return false;
    };
    let job = rollout_list::selected_job(app).map(|job| job.id);
    match (action, job) {
        (ActionId::Accept, _) => accept(app),
        (ActionId::Stop, Some(id)) => plays::stop_job(app, id),
        (ActionId::RunNext, Some(id)) => {
            app.jobs.put_first(id);
            app.say("this rollout comes next");
        }
        _ => return false,
    }
    true
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
