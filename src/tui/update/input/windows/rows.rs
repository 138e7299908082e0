//! The selected row of a window.

use tui_input::{Input, InputRequest};

use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::error_list;
use crate::tui::keys::ActionId;
use crate::tui::rollouts::inquiry::MatrixPlace;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::update::analysis::inquiry_walk;
use crate::tui::update::lines::walk;
use crate::tui::view;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::palette::NamedMove;

/// Rows that a page goes down or up.
const PAGE: usize = 10;

/// Goes to another row of the window, another line of a note or another field of a form.
pub(super) fn go(app: &mut App, action: ActionId, count: usize) {
    let last = count.saturating_sub(1);
    let next = |row: usize| match action {
        ActionId::Down => (row + 1).min(last),
        // A larger terminal shows more rows, so that the last page begins before.
        ActionId::Up => row.min(last).saturating_sub(1),
        ActionId::PageDown => (row + PAGE).min(last),
        ActionId::PageUp => row.min(last).saturating_sub(PAGE),
        ActionId::First => 0,
        _ => last,
    };
    let columns = view::note_columns(app.areas.screen.width);
    match &mut app.overlay {
        Some(Overlay::Note { input, .. }) => move_line(input, action, columns),
        Some(
            Overlay::Help { row, .. }
            | Overlay::Legend { row }
            | Overlay::Figures { row }
            | Overlay::Errors { row }
            | Overlay::Warnings { row }
            | Overlay::Opinions { row }
            | Overlay::KeptList { row, .. }
            | Overlay::Statistics { row, .. }
            | Overlay::Imported { row }
            | Overlay::Themes { row }
            | Overlay::Palette { row, .. },
        ) => {
            *row = next(*row);
        }
        Some(Overlay::Library) => {
            app.library.row = next(app.library.row);
            app.library.named = None;
        }
        Some(Overlay::Plan) => app.plan.row = next(app.plan.row),
        Some(Overlay::Rating) => app.rating.row = next(app.rating.row),
        Some(Overlay::Open(prompt)) if count > 0 => {
            prompt.row = Some(prompt.row.map_or(0, next));
        }
        Some(Overlay::Form(form)) => match action {
            ActionId::First => form.select(0),
            ActionId::Last => form.select(usize::MAX),
            _ => form.go(action == ActionId::Down),
        },
        Some(Overlay::Why { roll, .. }) => inquiry_walk::rolls(roll, action),
        Some(Overlay::Matrix { inquiry, place }) => {
            inquiry_walk::cells(place, inquiry.state(), action);
        }
        _ => {}
    }
}

/// Moves the cursor of a note a line up or down.
fn move_line(input: &mut Input, action: ActionId, columns: usize) {
    let lines = text::folded(input.value(), columns);
    let at = input.cursor();
    let line = text::line_of(&lines, at);
    let column = at - lines[line].start;
    let to = match action {
        ActionId::Down if line + 1 < lines.len() => line + 1,
        ActionId::Up if line > 0 => line - 1,
        _ => return,
    };
    let last = to + 1 == lines.len();
    // The end of a line that goes on is the beginning of the next.
    let most = lines[to].end - usize::from(!last);
    input.handle(InputRequest::SetCursor(
        (lines[to].start + column).min(most),
    ));
}

/// Selects the error before or after the selected one in the order of the match.
pub(super) fn along(app: &mut App, later: bool) {
    let rows = error_list::rows(app);
    let Some(Overlay::Errors { row }) = &mut app.overlay else {
        return;
    };
    let key = |r: &error_list::ErrorRow| (r.decision.turn, !r.decision.is_silent);
    let Some(here) = rows.get(*row).map(key) else {
        return;
    };
    let others = rows.iter().enumerate().map(|(i, r)| (key(r), i));
    let next = if later {
        others.filter(|o| o.0 > here).min()
    } else {
        others.filter(|o| o.0 < here).max()
    };
    *row = next.map_or(*row, |next| next.1);
}

/// The error that is selected in the list of errors, and its row.
#[derive(Clone, Copy)]
pub(crate) struct SelectedError {
    row: usize,
    decision: MatchDecision,
}

/// The error that is selected in the list of errors, while that is open.
pub(crate) fn selected_error(app: &App) -> Option<SelectedError> {
    let Some(Overlay::Errors { row }) = app.overlay else {
        return None;
    };
    let decision = error_list::rows(app).get(row)?.decision;
    Some(SelectedError { row, decision })
}

/// Selects the error again that was selected in this row, which it still is unless the user chose another: what is found
/// meanwhile brings the list into another order.
pub(crate) fn keep_error(app: &mut App, selected: Option<SelectedError>) {
    let (Some(selected), Some(Overlay::Errors { row })) = (selected, &app.overlay) else {
        return;
    };
    if *row != selected.row {
        return;
    }
    let rows = error_list::rows(app);
    let at = rows
        .iter()
        .position(|row| row.decision == selected.decision);
    let at = at.unwrap_or(selected.row.min(rows.len().saturating_sub(1)));
    app.overlay = Some(Overlay::Errors { row: at });
}

/// A click on a row of the window selects it. Answers whether it is Enter too: at once where rows lead somewhere,
/// elsewhere on the row that was selected before.
pub(crate) fn click_row(app: &mut App, i: usize) -> bool {
    match &mut app.overlay {
        Some(Overlay::Errors { row } | Overlay::Palette { row, .. }) => {
            *row = i;
            true
        }
        Some(Overlay::Open(prompt)) => {
            prompt.row = Some(i);
            true
        }
        Some(
            Overlay::Help { row, .. }
            | Overlay::Warnings { row }
            | Overlay::Imported { row }
            | Overlay::KeptList { row, .. }
            | Overlay::Themes { row },
        ) => std::mem::replace(row, i) == i,
        Some(
            Overlay::Legend { row } | Overlay::Figures { row } | Overlay::Why { roll: row, .. },
        ) => {
            *row = i;
            false
        }
        Some(Overlay::Statistics { found, .. }) => {
            // A line about a move leads there. In a variation the moves in view are others.
            let named = found
                .lines
                .get(i)
                .and_then(|line| NamedMove::at_start(line));
            if let Some(named) = named.filter(|_| app.variation.is_none()) {
                // These lines have the number that the file gives a game.
                let games = &app.document.record.games;
                let is_it = |number: u32| named.game == Some(number as usize);
                let place = games.iter().position(|game| is_it(game.number));
                app.overlay = None;
                let game = place.map(|place| place + 1).or(named.game);
                walk::to_move(app, NamedMove { game, ..named });
            }
            false
        }
        Some(Overlay::Library) => std::mem::replace(&mut app.library.row, i) == i,
        Some(Overlay::Plan) => std::mem::replace(&mut app.plan.row, i) == i,
        Some(Overlay::Rating) => std::mem::replace(&mut app.rating.row, i) == i,
        Some(Overlay::Form(form)) => {
            form.select(i);
            false
        }
        _ => false,
    }
}

/// A click on a cell of the matrix.
pub(crate) fn click_cell(app: &mut App, to: MatrixPlace) {
    if let Some(Overlay::Matrix { place, .. }) = &mut app.overlay {
        *place = to;
    }
}
