//! A note beside the move in view, in as many lines as it takes and there is room for.

use ratatui::layout::Rect;
use tui_input::{Input, InputRequest};

use super::window::{Window, input};
use crate::store::notes::LONGEST_NOTE;
use crate::tui::keys::ActionId;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::notes;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::prompt::cursor;
use crate::tui::view::drawing::window::{description, window};
use crate::tui::windows::overlay::{Overlay, first_row};

pub(super) struct Note;

/// The note beside the move in view, to be edited.
pub(super) fn note(app: &App) -> Overlay {
    let note = app.place().and_then(|place| app.home().notes.get(&place));
    let before = note.cloned().unwrap_or_default();
    Overlay::Note {
        input: Input::new(before.clone()),
        before,
    }
}

impl Window for Note {
    /// Below the note stands what the file remarks, which is none of it.
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(input) = input(app) else { return };
        let (name, remark) = (&note_title(app), remark(app));
        /// Most lines of a remark.
        const MOST: usize = 40;
        let columns = note_columns(screen.width);
        let lines = text::folded(input.value(), columns);
        let remark = remark.map(|remark| format!("in the file: {remark}"));
        let remark = remark.unwrap_or_default();
        let below = match text::wrap(&remark, columns + 2, MOST).len() as u16 {
            0 => 0,
            below => below + 1,
        };
        let typed = (lines.len() as u16).clamp(3, 12);
        let size = (76, typed + below);
        let side = "an empty one is removed";
        let mut area = window(paint, screen, size, name, side);
        // Where the screen is low, what is typed has the room.
        let below = below.min(area.height.saturating_sub(typed));
        if below > 1 {
            area = description(paint, area, &remark, below - 1);
        }
        paint.fill(area, Role::Input);
        let at = text::line_of(&lines, input.cursor());
        let first = first_row(at, usize::from(area.height), lines.len());
        for (row, line) in (0..area.height).zip(&lines[first..]) {
            let chars = input.value().chars().skip(line.start);
            let part: String = chars.take(line.len()).collect();
            paint.line(area, row, &[("  ", Role::Input), (&part, Role::Input)]);
            if first + usize::from(row) == at {
                let before: String = part.chars().take(input.cursor() - line.start).collect();
                let x = area.x + 2 + text::width(&before) as u16;
                cursor(paint, Rect::new(x, area.y + row, 1, 1).intersection(area));
            }
        }
        paint.put(area.x, area.y, 1, "¶", Role::Input);
        let goes_on = match (first > 0, first + usize::from(area.height) < lines.len()) {
            (true, true) => " goes on above and below ",
            (true, false) => " goes on above ",
            (false, true) => " goes on below ",
            (false, false) => "",
        };
        let foot = Rect::new(area.x, area.bottom(), area.width, 1);
        paint.line_right(foot, 0, &[(goes_on, Role::OverlayMuted)]);
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let columns = note_columns(app.areas.screen.width);
        let is_line = matches!(action, ActionId::Down | ActionId::Up);
        if is_line && let Some(input) = self.line(app) {
            move_line(input, action, columns);
        }
        is_line
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        if let Overlay::Note { input, before } = window {
            notes::keep(app, input.value().trim(), before.clone());
        }
        true
    }

    fn longest(&self, _app: &App) -> usize {
        LONGEST_NOTE
    }
}

/// Beside which move a note is kept: variations have none of their own.
fn note_title(app: &App) -> String {
    if app.home().record.games.is_empty() {
        return match app.variation {
            Some(_) => "a note about the position where this began".to_owned(),
            None => "a note about this position".to_owned(),
        };
    }
    let turn = app.home().turns.get(app.home_turn());
    match turn.filter(|_| app.variation.is_some()) {
        None => "a note beside this move".to_owned(),
        Some(turn) => format!("a note beside move {} of the match", turn.number),
    }
}

/// The file's remark on that move, which may tell the answer; `None` while answers are hidden.
fn remark(app: &App) -> Option<&str> {
    let remark = app.home().remarks.get(&app.home_turn());
    remark.filter(|_| !app.options.hidden).map(String::as_str)
}

/// Columns of a note being typed, on a screen of so many.
fn note_columns(screen: u16) -> usize {
    usize::from(screen.min(80)).saturating_sub(6).max(2)
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
