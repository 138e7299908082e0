//! The pane of the position editor: what is on the board and what is missing, and everything about the
//! position that is not a checker, each with its key.

use ratatui::layout::Rect;

use crate::game::Player;
use crate::game::position::POINTS;
use crate::tui::keys::{ActionId, KeyScope, find, pretty};
use crate::tui::screen::layout::Areas;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::{Line, Paint};
use crate::tui::view::drawing::window::rows;
use crate::tui::windows::draft::{Draft, Spot, sign};
use crate::tui::windows::editor::Editor;

/// Rows below which the pane is low.
const LOW: u16 = 6;
/// Columns of a fact with its keys, where they stand in two columns.
const WIDE: u16 = 36;
/// Columns of the keys there.
const KEYS: usize = 6;

/// The room of the pane: that of figures and convergence.
pub(crate) fn area(areas: &Areas) -> Rect {
    match (areas.chart.is_empty(), areas.figures.is_empty()) {
        (true, _) => areas.figures,
        (_, true) => areas.chart,
        _ => areas.chart.union(areas.figures),
    }
}

/// Makes room for the pane: where there is none for figures or chart, it takes that of the candidates, or the
/// lower part of it.
pub(crate) fn make_room(areas: &mut Areas) {
    /// Rows of the pane in few columns, and those that the candidates keep.
    const ROWS: [u16; 2] = [10, 8];
    if !area(areas).is_empty() {
        return;
    }
    let all = areas.candidates;
    let rest = match all.height.checked_sub(ROWS[0]) {
        Some(rest) if rest >= ROWS[1] => rest,
        _ => 0,
    };
    areas.candidates.height = rest;
    areas.figures = Rect {
        y: all.y + rest,
        height: all.height - rest,
        ..all
    };
    if rest == 0 {
        areas.hidden = vec!["candidates"];
    }
}

/// Text at the right end of the title.
pub(crate) fn side(editor: &Editor) -> String {
    match editor.changes() {
        0 => String::new(),
        n => format!("{n} to undo"),
    }
}

pub(crate) fn draw(paint: &mut Paint<'_>, inner: Rect, app: &App, editor: &Editor) {
    if inner.height < 1 || inner.width < 20 {
        return;
    }
    let mut row = 0;
    let end = totals(paint, inner, editor.draft(), &mut row);
    // In a low pane it stands beside the totals if it can.
    let state = state_words(
        app,
        editor.draft(),
        usize::from(inner.width).saturating_sub(2),
    );
    let wide: usize = state.iter().map(|(word, _)| text::width(word)).sum();
    let is_beside = inner.height < LOW && usize::from(end) + wide + 2 <= usize::from(inner.right());
    let (x, at) = match is_beside {
        true => (end, row - 1),
        false => (inner.x + 2, row),
    };
    let line = Rect {
        x,
        width: inner.right().saturating_sub(x),
        ..rows(inner, at, 1)
    };
    paint.lines(line, std::slice::from_ref(&state));
    if editor.draft().state().is_ok() {
        let width = (wide as u16).min(line.width);
        paint.target(Rect { width, ..line }, Target::Action(ActionId::Accept));
    }
    row += u16::from(!is_beside);
    let facts = facts(editor, app.bottom());
    let is_high = usize::from(inner.height) > usize::from(row) + facts.len().div_ceil(2);
    if is_high && fit_in_columns(inner.width, &facts) {
        return in_columns(paint, inner, app, row + 1, &facts);
    }
    in_rows(paint, rows(inner, row, inner.height), app, &facts);
}

/// Says that the position can be opened, or what it lacks.
fn state_words(app: &App, draft: &Draft, columns: usize) -> Line {
    match (draft.state(), draft.to_place()) {
        (Ok(_), _) => vec![
            (key_of(app, ActionId::Accept), Role::Key),
            (" opens it".to_owned(), Role::Muted),
        ],
        (Err(_), Some(words)) => vec![(words, Role::Muted)],
        (Err(problem), None) => {
            let problem = text::cut(&problem.to_string(), columns.saturating_sub(2));
            vec![("! ".to_owned(), Role::Warning), (problem, Role::Warning)]
        }
    }
}

/// The facts behind each other, in as many rows as there are; the last one says how many have no room.
fn in_rows(paint: &mut Paint<'_>, area: Rect, app: &App, facts: &[Fact]) {
    /// Columns of ` 12 more`.
    const MORE: u16 = 8;
    let facts: Vec<(String, &Fact)> = (facts.iter())
        .map(|fact| (keys_of(app, fact.0), fact))
        .collect();
    let widths = facts
        .iter()
        .map(|(keys, (_, what))| text::width(keys) + text::width(what) + 1);
    let widths: Vec<u16> = widths.map(|wide| wide as u16).collect();
    let fitting = |places: &[(u16, u16)]| places.iter().filter(|at| at.1 < area.height).count();
    let mut places = fact_places(&widths, area, 0);
    if fitting(&places) < facts.len() {
        places = fact_places(&widths, area, MORE);
        let more = format!("{} more", facts.len() - fitting(&places));
        paint.line_right(area, area.height.saturating_sub(1), &[(&more, Role::Muted)]);
    }
    for ((keys, (ids, what)), (x, row)) in facts.into_iter().zip(places) {
        let rest = Rect {
            x: area.x + x,
            width: area.width.saturating_sub(x),
            ..rows(area, row, 1)
        };
        let words = [
            (&*keys, Role::Key),
            (" ", Role::Text),
            (what.as_str(), Role::Text),
        ];
        let end = paint.line(rest, 0, &words);
        let width = end.saturating_sub(rest.x);
        fact_targets(paint, Rect { width, ..rest }, app, ids);
    }
}

/// Column and row of each of so wide facts in `area`, whose last row has some columns reserved.
fn fact_places(widths: &[u16], area: Rect, reserved: u16) -> Vec<(u16, u16)> {
    let gap = if area.width < 80 { 2 } else { 3 };
    let (mut x, mut row) = (2, 0);
    let place = |wide: &u16| {
        let is_last = row + 1 == area.height;
        let end = area.width - if is_last { reserved.min(area.width) } else { 0 };
        if x + wide > end && (x > 2 || is_last) {
            (x, row) = (2, row + 1);
        }
        let place = (x, row);
        x += wide + gap;
        place
    };
    widths.iter().map(place).collect()
}

/// Whether so many columns have room for the second of two columns of facts.
fn fit_in_columns(width: u16, facts: &[Fact]) -> bool {
    let second = facts.iter().skip(facts.len().div_ceil(2));
    let wide = second.map(|(_, what)| KEYS + text::width(what));
    let widest = wide.max().unwrap_or(0).min(usize::from(WIDE));
    usize::from(2 + WIDE) + widest <= usize::from(width)
}

/// The facts below each other in two columns, from a row on.
fn in_columns(paint: &mut Paint<'_>, area: Rect, app: &App, first: u16, facts: &[Fact]) {
    let rows = facts.len().div_ceil(2);
    for (i, (ids, what)) in facts.iter().enumerate() {
        let x = area.x + 2 + WIDE * (i / rows) as u16;
        let column = Rect {
            x,
            width: area.right().saturating_sub(x).min(WIDE),
            ..area
        };
        let keys = text::fit(&keys_of(app, ids), KEYS);
        let words = [(&*keys, Role::Key), (what.as_str(), Role::Text)];
        let row = first + (i % rows) as u16;
        let end = paint.line(column, row, &words);
        if row < area.height {
            let line = Rect::new(x, area.y + row, end.saturating_sub(x), 1);
            fact_targets(paint, line, app, ids);
        }
    }
}

/// The first key of an action of the editor.
fn key_of(app: &App, id: ActionId) -> String {
    let keys = find(id, KeyScope::Editor).map_or_else(Vec::new, |a| app.keymap.of(a));
    keys.first().map_or_else(String::new, |key| pretty(key))
}

fn keys_of(app: &App, ids: &[ActionId]) -> String {
    let keys = ids.iter().map(|id| key_of(app, *id));
    let keys: Vec<String> = keys.filter(|key| !key.is_empty()).collect();
    keys.join(" ")
}

/// A click on a key is that key, one on the words the first of them.
fn fact_targets(paint: &mut Paint<'_>, line: Rect, app: &App, ids: &[ActionId]) {
    let mut x = line.x;
    if let Some(first) = ids.first() {
        paint.target(line, Target::Action(*first));
    }
    for id in ids {
        let wide = text::width(&key_of(app, *id)) as u16;
        let key = Rect {
            x,
            width: wide,
            ..line
        };
        paint.target(key.intersection(line), Target::Action(*id));
        x = x.saturating_add(wide + 1);
    }
}

/// Actions, and what they change as it is now.
type Fact = (&'static [ActionId], String);

/// Writes how many checkers of each side stand where, in one line or two; returns the column after them.
fn totals(paint: &mut Paint<'_>, area: Rect, draft: &Draft, row: &mut u16) -> u16 {
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
    x
}

fn total(draft: &Draft, player: Player) -> String {
    let placed = draft.placed(player);
    let bar = draft.count(Spot::Bar(player), player);
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

/// Columns of what is looked for: with its key it fits the narrowest screen.
const SOUGHT: usize = 72;

/// Words for what is looked for in the library, as it can also be typed there, once a point is marked.
fn sought(draft: &Draft) -> String {
    let players = [Player::Left, Player::Right];
    let bars = players.map(Spot::Bar).into_iter();
    let is_marked = |spot| draft.unwanted(spot) != [false; 2];
    match (1..=POINTS).map(Spot::Point).chain(bars).any(is_marked) {
        true => text::cut(&format!("find {}", draft.pattern()), SOUGHT),
        false => "find these".to_owned(),
    }
}

/// The facts of the position besides its checkers; the score of the player at the bottom first.
fn facts(editor: &Editor, bottom: Player) -> Vec<Fact> {
    let draft = editor.draft();
    let yes = |is: bool| if is { "yes" } else { "no" };
    let dice = draft
        .roll
        .map_or_else(|| "none".to_owned(), |roll| roll.to_string());
    let owner = match draft.owner {
        None => "centred".to_owned(),
        Some(player) => format!("of {}", sign(player)),
    };
    let mut facts: Vec<Fact> = vec![
        (&[ActionId::Colour], format!("colour {}", sign(editor.hand))),
        (
            &[ActionId::OnRoll],
            match draft.doubled {
                true => format!("to answer {}", sign(draft.on_roll)),
                false => format!("on roll {}", sign(draft.on_roll)),
            },
        ),
        (&[ActionId::Dice], format!("dice {dice}")),
        (
            &[ActionId::CubeValue, ActionId::CubeOwner],
            format!("cube {} {owner}", draft.cube),
        ),
    ];
    if draft.length == 0 {
        facts.push((&[ActionId::Score], "money".to_owned()));
        facts.push((&[ActionId::Jacoby], format!("Jacoby {}", yes(draft.jacoby))));
        facts.push((
            &[ActionId::Beavers],
            format!("beavers {}", yes(draft.beavers)),
        ));
    } else {
        // In the order in which it is typed.
        let of = |player: Player| format!("{} {}", sign(player), draft.points[player.index()]);
        let score = format!("{} {} of {}", of(bottom), of(bottom.other()), draft.length);
        facts.push((&[ActionId::Score], score));
        facts.push((
            &[ActionId::Crawford],
            format!("Crawford {}", yes(draft.crawford)),
        ));
    }
    let offer = match draft.doubled {
        true => format!("{} has doubled", sign(draft.on_roll.other())),
        false => "double on offer no".to_owned(),
    };
    facts.push((&[ActionId::Offer], offer));
    facts.push((&[ActionId::Unwanted], "none here".to_owned()));
    facts.push((&[ActionId::FindDrawn], sought(draft)));
    facts.push((&[ActionId::Clear], "clear".to_owned()));
    facts.push((&[ActionId::Opening], "opening".to_owned()));
    facts.push((&[ActionId::Undo], "undo".to_owned()));
    facts
}
