//! The pane of the position editor: what is on the board and what is missing, and everything about the
//! position that is not a checker, each with its key.

use ratatui::layout::Rect;

use super::paint::Paint;
use crate::game::Player;
use crate::tui::draft::{Draft, sign};
use crate::tui::editor::Editor;
use crate::tui::layout::Areas;
use crate::tui::text;
use crate::tui::theme::Role;

/// The room of the pane: that of figures and convergence.
pub(super) fn area(areas: &Areas) -> Rect {
    match (areas.chart.is_empty(), areas.figures.is_empty()) {
        (true, _) => areas.figures,
        (_, true) => areas.chart,
        _ => areas.chart.union(areas.figures),
    }
}

/// What stands at the right end of the title.
pub(super) fn side(editor: &Editor) -> String {
    match editor.changes() {
        0 => String::new(),
        n => format!("{n} to undo"),
    }
}

pub(super) fn draw(paint: &mut Paint<'_>, inner: Rect, editor: &Editor) {
    if inner.height < 1 || inner.width < 20 {
        return;
    }
    let draft = editor.draft();
    let mut row = 0;
    totals(paint, inner, draft, &mut row);
    match draft.state() {
        Ok(_) => {
            let words = [("  Enter", Role::Key), (" opens it", Role::Muted)];
            paint.line(inner, row, &words);
        }
        Err(problem) => {
            let room = usize::from(inner.width).saturating_sub(4);
            let problem = text::cut(&problem.to_string(), room);
            paint.line(
                inner,
                row,
                &[("  ! ", Role::Warning), (&problem, Role::Warning)],
            );
        }
    }
    row += 1;
    let facts = facts(editor);
    if usize::from(inner.height) > usize::from(row) + facts.len().div_ceil(2) {
        return in_columns(paint, inner, row + 1, &facts);
    }
    let mut x = inner.x + 2;
    for (keys, what) in facts {
        let wide = (text::width(keys) + text::width(&what) + 1) as u16;
        if x + wide > inner.right() && x > inner.x + 2 {
            row += 1;
            x = inner.x + 2;
        }
        if row >= inner.height {
            return;
        }
        let rest = Rect {
            x,
            width: inner.right().saturating_sub(x),
            ..inner
        };
        let words = [(keys, Role::Key), (" ", Role::Text), (&what, Role::Text)];
        x = paint.line(rest, row, &words) + 3;
    }
}

/// The facts below each other in two columns, from a row on.
fn in_columns(paint: &mut Paint<'_>, area: Rect, first: u16, facts: &[(&str, String)]) {
    /// Columns of a fact with its key.
    const WIDE: u16 = 36;
    let rows = facts.len().div_ceil(2);
    for (i, (keys, what)) in facts.iter().enumerate() {
        let x = area.x + 2 + WIDE * (i / rows) as u16;
        let column = Rect {
            x,
            width: area.right().saturating_sub(x).min(WIDE),
            ..area
        };
        let keys = text::fit(keys, 6);
        let words = [(&*keys, Role::Key), (what.as_str(), Role::Text)];
        paint.line(column, first + (i % rows) as u16, &words);
    }
}

/// How many checkers of each side stand where, in one line or two.
fn totals(paint: &mut Paint<'_>, area: Rect, draft: &Draft, row: &mut u16) {
    let mut x = area.x + 2;
    for player in [Player::Left, Player::Right] {
        let total = total(draft, player);
        if x + text::width(&total) as u16 + 2 > area.right() && x > area.x + 2 {
            *row += 1;
            x = area.x + 2;
        }
        let role = match player {
            Player::Left => Role::Left,
            Player::Right => Role::Right,
        };
        let rest = Rect {
            x,
            width: area.right().saturating_sub(x),
            ..area
        };
        let words = [
            (sign(player), role),
            (" ", Role::Text),
            (&total, Role::Text),
        ];
        x = paint.line(rest, *row, &words) + 4;
    }
    *row += 1;
}

fn total(draft: &Draft, player: Player) -> String {
    let placed = draft.placed(player);
    let bar = draft.count(crate::tui::draft::Spot::Bar(player), player);
    let mut total = format!("{placed} of 15");
    if bar > 0 {
        total.push_str(&format!(", {bar} on the bar"));
    }
    match draft.off(player) {
        0 => {}
        off => total.push_str(&format!(", {off} off")),
    }
    total
}

/// Everything that is not a checker: keys, and what they change.
fn facts(editor: &Editor) -> Vec<(&'static str, String)> {
    let draft = editor.draft();
    let yes = |is: bool| if is { "yes" } else { "no" };
    let dice = draft
        .roll
        .map_or_else(|| "none".to_owned(), |roll| roll.to_string());
    let owner = match draft.owner {
        None => "centred".to_owned(),
        Some(player) => format!("of {}", sign(player)),
    };
    let mut facts = vec![
        ("Tab", format!("places {}", sign(editor.hand))),
        ("t", format!("on roll {}", sign(draft.on_roll))),
        ("d", format!("dice {dice}")),
        ("c O", format!("cube {} {owner}", draft.cube)),
    ];
    if draft.length == 0 {
        facts.push(("s", "money".to_owned()));
        facts.push(("J", format!("Jacoby {}", yes(draft.jacoby))));
        facts.push(("B", format!("beavers {}", yes(draft.beavers))));
    } else {
        let [left, right] = draft.points;
        facts.push(("s", format!("● {left} ○ {right} of {}", draft.length)));
        facts.push(("C", format!("Crawford {}", yes(draft.crawford))));
    }
    facts.push(("D", format!("double on offer {}", yes(draft.doubled))));
    facts.push(("x", "clear".to_owned()));
    facts.push(("i", "opening".to_owned()));
    facts.push(("u", "undo".to_owned()));
    facts
}
