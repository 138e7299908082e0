//! The tree of variations, in the place of the list of moves.

use ratatui::layout::Rect;

use super::moves::{CUBE_DICE, mark_columns, mark_of, missed_sign, put_mark};
use crate::match_file::variations::VariationRow;
use crate::review::MatchTurn;
use crate::tui::documents::variation::TreeLine;
use crate::tui::documents::variation_kind::VariationKind;
use crate::tui::figures::lists::first_row_around;
use crate::tui::state::{App, Focus, OpenVariation};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::{is_focused, title};
use crate::tui::view::drawing::words;

/// Columns by which a branch is indented.
const INDENT: usize = 2;

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App, open: &OpenVariation) {
    if area.is_empty() {
        return;
    }
    let count = open.tree().map_or(0, |tree| tree.leaves());
    let side = match count {
        0 => String::new(),
        n => n.to_string(),
    };
    let (name, side) = match open.kind {
        VariationKind::ByHand(_) => ("by hand", String::new()),
        VariationKind::Match(_) => ("moves", String::new()),
        VariationKind::Tried => ("what if", side),
    };
    let inner = title(paint, area, name, &side, is_focused(app, Focus::Moves));
    let game = match open.home.document.record.games.is_empty() {
        true => "a position".to_owned(),
        false => format!("game {}", open.place.0 + 1),
    };
    let number = open.home.document.turns.get(open.home.at);
    let number = number.map_or(0, |turn| turn.number);
    let room = usize::from(inner.width).saturating_sub(text::width(&game));
    let forms = [format!(", from move {number}"), format!(", move {number}")];
    let fitting = forms.into_iter().find(|form| text::width(form) <= room);
    let from = match open.kind {
        VariationKind::Match(_) => String::new(),
        // A number that is cut is another one.
        VariationKind::Tried | VariationKind::ByHand(_) => fitting.unwrap_or_default(),
    };
    paint.line(inner, 0, &[(&game, Role::Strong), (&from, Role::Muted)]);
    let list = list_area(inner);
    let (lines, here) = open.rows(app.at);
    let first = first_row_around(here, lines.len(), usize::from(list.height));
    for (row, (i, line)) in (0..list.height).zip(lines.iter().enumerate().skip(first)) {
        match line {
            TreeLine::Action(tree_row) => action(paint, list, row, app, open, *tree_row),
            TreeLine::Open(indent) => to_decide(paint, list, row, app, *indent),
        }
        if i == here {
            let line = Rect::new(list.x, list.y + row, list.width, 1);
            paint.select(line, Role::Cursor);
        }
    }
}

/// Where the rows of the tree lie in the pane below its title.
fn list_area(inner: Rect) -> Rect {
    Rect {
        y: inner.y + 1.min(inner.height),
        height: inner.height.saturating_sub(1),
        ..inner
    }
}

/// Text before a row of the tree: as many columns as there is room for.
fn lead(width: u16, indent: usize, is_branch: bool) -> String {
    let most = usize::from(width) / 3;
    let columns = (indent * INDENT).min(most);
    if is_branch && columns > 0 {
        format!("{}└", " ".repeat(columns - 1))
    } else {
        " ".repeat(columns)
    }
}

fn action(
    paint: &mut Paint<'_>,
    list: Rect,
    row: u16,
    app: &App,
    open: &OpenVariation,
    tree_row: VariationRow,
) {
    let Some(node) = open.tree().and_then(|tree| tree.node(tree_row.node)) else {
        return;
    };
    let turn = MatchTurn {
        game: open.place.0,
        number: 0,
        before: node.before,
        action: Some(node.action),
        ..MatchTurn::alone(node.before.state)
    };
    let at = open.line.iter().position(|id| *id == tree_row.node);
    let error = match at {
        Some(at) => [app.error(at), app.silent_error(at)]
            .into_iter()
            .flatten()
            .map(|e| e.0)
            .max_by(f32::total_cmp),
        None => open.known.get(&tree_row.node).and_then(|k| k.error()),
    };
    let silent = match at {
        Some(at) => app.silent_error(at).map(|e| e.0),
        None => open
            .known
            .get(&tree_row.node)
            .and_then(|k| k.silent_error()),
    };
    let lead = lead(list.width, tree_row.indent, tree_row.is_branch);
    let (sign, role) = disc(turn.before.player);
    let roll = turn.before.state.roll;
    let dice = roll.map_or_else(|| CUBE_DICE.to_owned(), |roll| roll.to_string());
    let mark = mark_of(app, error);
    let tail = usize::from(mark_columns(list.width, mark));
    let used = text::width(&lead) + text::width(sign) + 4 + tail;
    let what = text::fit(
        &words::done(&turn),
        usize::from(list.width).saturating_sub(used),
    );
    let own = match at {
        Some(_) => Role::Text,
        None => Role::Muted,
    };
    let words = [
        (&*lead, Role::Rule),
        (sign, role),
        (" ", Role::Text),
        (&*dice, Role::Muted),
        missed_sign(app, silent),
        (&*what, own),
    ];
    paint.line(list, row, &words);
    put_mark(paint, list, row, mark, list.width);
}

/// The decision at the end of the line in view.
fn to_decide(paint: &mut Paint<'_>, list: Rect, row: u16, app: &App, indent: usize) {
    let Some(turn) = app.document.turns.last() else {
        return;
    };
    let lead = lead(list.width, indent, false);
    let (sign, role) = disc(turn.before.player);
    let what = match (turn.before.state.roll, turn.before.state.doubled) {
        (Some(roll), _) => format!("{roll} …"),
        (None, true) => "doubled …".to_owned(),
        (None, false) => "…".to_owned(),
    };
    let words = [
        (&*lead, Role::Rule),
        (sign, role),
        (" ", Role::Text),
        (&*what, Role::Text),
    ];
    paint.line(list, row, &words);
}

/// The row of the tree at a row of the pane.
pub(crate) fn row_at(app: &App, open: &OpenVariation, area: Rect, y: u16) -> Option<usize> {
    let inner = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(1),
        ..area
    };
    let list = list_area(inner);
    let row = y.checked_sub(list.y).filter(|row| *row < list.height)?;
    let (lines, here) = open.rows(app.at);
    let first = first_row_around(here, lines.len(), usize::from(list.height));
    Some(first + usize::from(row)).filter(|row| *row < lines.len())
}
