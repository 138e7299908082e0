//! The moves of the match: a list where there is room, else one line of marks.

use ratatui::layout::Rect;

use crate::cube::cube_words;
use crate::game::Player;
use crate::review::{ClassFilter, Mark, MatchTurn};
use crate::tui::figures::error_list;
use crate::tui::figures::lists::{ListLine, beside, first_line, lines, moves_rows};
use crate::tui::screen::targets::Target;
use crate::tui::state::{App, Focus};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::{is_focused, title};
use crate::tui::view::drawing::words::{self, mark_role};
use crate::words::verb;

/// The sign of a turn that could not be analysed.
const FAILED: &str = "!";

/// The sign of a cube action, and of a double that was missed.
const CUBE: &str = "▫";

/// The sign that a cube action has in the place of the dice.
pub(crate) const CUBE_DICE: &str = "▫ ";

/// The sign of a turn with a note of the user.
const NOTED: &str = "¶";

/// The sign of a turn with variations.
const VARIED: &str = "╠";

/// The sign of a turn with a remark of the file.
const REMARKED: &str = "§";

/// The sign of a turn that a warning of the file is about.
const WARNED: &str = "¿";

pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    let side = filter_text(app);
    let inner = title(paint, area, "moves", &side, is_focused(app, Focus::Moves));
    if app.document.record.games.is_empty() {
        paint.line(inner, 0, &[("a position alone", Role::Muted)]);
        return;
    }
    let [height, noted, remarked, totals] = moves_rows(app, inner.height, inner.width);
    let list = Rect { height, ..inner };
    let lines = lines(&app.document);
    let first = first_line(app, &lines, usize::from(list.height));
    for (row, line) in (0..list.height).zip(&lines[first.min(lines.len())..]) {
        match *line {
            ListLine::Game(game) => heading(paint, list, row, app, game),
            ListLine::Turn(turn) => turn_line(paint, list, row, app, turn),
            ListLine::Result(_, r) => {
                winner_line(paint, list, row, app, r.winner, &r.points.to_string());
            }
            ListLine::Winner(player) => winner_line(paint, list, row, app, player, "the match"),
        }
    }
    let mut y = list.bottom();
    let names = [("note ", noted), ("in the file ", remarked)];
    for ((name, height), text) in names.into_iter().zip(beside(app)) {
        let area = Rect { y, height, ..inner };
        draw_beside(paint, area, name, text.unwrap_or_default());
        y = area.bottom();
    }
    draw_totals(paint, Rect::new(inner.x, y, inner.width, totals), app);
}

fn filter_text(app: &App) -> String {
    format!("{}{}", class_word(app), wanted(app))
}

/// Whose errors are counted, and from which size.
fn wanted(app: &App) -> String {
    let whose = app.options.whose.map_or("", |p| disc(p).0);
    format!("{whose}{}", counted(app.options.threshold))
}

/// The class that is counted, if not all are.
fn class_word(app: &App) -> &'static str {
    match app.options.class {
        None => "",
        Some(ClassFilter::Checker) => "plays ",
        Some(ClassFilter::Cube) => "cube ",
        Some(ClassFilter::Double) => "doubles ",
        Some(ClassFilter::Take) => "takes ",
    }
}

/// The word for what is counted: everything from the threshold up.
fn counted(threshold: Mark) -> &'static str {
    match threshold {
        Mark::Error => "errors ?",
        Mark::Blunder => "blunders",
        Mark::Fine | Mark::Doubtful => "errors",
    }
}

/// Writes the text beside the turn in view, under a rule that says whose it is.
fn draw_beside(paint: &mut Paint<'_>, area: Rect, name: &str, words: &str) {
    if area.height < 2 {
        return;
    }
    let rule = "─".repeat(usize::from(area.width));
    paint.line(area, 0, &[(&rule, Role::Rule)]);
    paint.line(area, 0, &[(name, Role::Muted)]);
    let lines = text::wrap(words, usize::from(area.width), usize::from(area.height - 1));
    for (row, line) in (1..).zip(&lines) {
        paint.line(area, row, &[(line, Role::Text)]);
    }
}

fn heading(paint: &mut Paint<'_>, list: Rect, row: u16, app: &App, game: usize) {
    let Some(g) = app.document.record.games.get(game) else {
        return;
    };
    let crawford = if g.crawford { " Crawford" } else { "" };
    let name = format!(" game {}", game + 1);
    let score = format!("  {}–{}{crawford}", g.score[0], g.score[1]);
    let room = usize::from(list.width).saturating_sub(text::width(&name));
    let score = text::cut(&score, room);
    paint.line(list, row, &[(&name, Role::Strong), (&score, Role::Muted)]);
}

/// Says that this player wins `what`.
fn winner_line(paint: &mut Paint<'_>, list: Rect, row: u16, app: &App, player: Player, what: &str) {
    let (sign, role) = disc(player);
    let name = &app.document.record.players[player.index()];
    let wins = format!(" {}", verb(name, ["wins", "win"]));
    let what = format!("{wins} {what}");
    let room = |words: &str| usize::from(list.width).saturating_sub(text::width(words) + 4);
    // Who wins tells more than what.
    let what = match room(&what) < text::width(name).min(6) {
        true => wins,
        false => what,
    };
    let name = text::cut(name, room(&what));
    let words = [("  ", Role::Text), (sign, role), (" ", Role::Text)];
    let x = paint.line(list, row, &words);
    let rest = Rect {
        x,
        width: list.right().saturating_sub(x),
        ..list
    };
    paint.line(rest, row, &[(&name, Role::Strong), (&what, Role::Strong)]);
}

fn turn_line(paint: &mut Paint<'_>, list: Rect, row: u16, app: &App, index: usize) {
    let turn = &app.document.turns[index];
    // A narrow list has no spaces to spare.
    let narrow = list.width < 23;
    let digits = if narrow { 2 } else { 3 };
    let number = match index.checked_sub(1).map(|i| &app.document.turns[i]) {
        Some(p) if p.game == turn.game && p.number == turn.number => " ".repeat(digits),
        _ => format!("{:>digits$}", turn.number),
    };
    let (sign, role) = disc(turn.before.player);
    let roll = turn.before.state.roll;
    let dice = roll.map_or_else(|| CUBE_DICE.to_owned(), |r| r.to_string());
    let mark = shown_mark(app, index);
    let tail = mark_columns(list.width, mark);
    let gap = if narrow { "" } else { " " };
    let lead = if narrow { 6 } else { 9 };
    let room = usize::from(list.width.saturating_sub(lead + tail));
    let what = text::fit(&words::done(turn), room);
    let missed = match missed_double(app, index) {
        (" ", _) if app.document.warned.contains(&index) => (WARNED, Role::Doubtful),
        missed => missed,
    };
    let words = [
        (&*number, Role::Muted),
        (gap, Role::Text),
        (sign, role),
        (gap, Role::Text),
        (&*dice, Role::Muted),
        missed,
        (&*what, Role::Text),
    ];
    let x = paint.line(list, row, &words);
    // Where there is room for it, a second sign stands behind the number.
    let columns = [Some(x), (!narrow).then_some(list.x + 3)];
    for (sign, x) in signs(app, index).into_iter().flatten().zip(columns) {
        if let Some(x) = x {
            paint.put(x, list.y + row, 1, sign, Role::Marked);
        }
    }
    let rest = Rect {
        x,
        width: list.right().saturating_sub(x),
        ..list
    };
    if app.document.failed.contains_key(&index) {
        paint.line_right(rest, row, &[(FAILED, Role::Blunder), (" ", Role::Text)]);
    } else {
        put_mark(paint, rest, row, mark, list.width);
    }
    if index == app.at {
        let line = Rect::new(list.x, list.y + row, list.width, 1);
        paint.select(line, Role::Cursor);
    }
}

/// The signs of what there is beside a turn, the user's own first.
fn signs(app: &App, index: usize) -> [Option<&'static str>; 3] {
    [
        (NOTED, app.written(index).is_some()),
        (VARIED, app.has_variations(index)),
        (REMARKED, app.document.remarks.contains_key(&index)),
    ]
    .map(|(sign, is_there)| is_there.then_some(sign))
}

/// The mark of a turn and what it cost. A missed double that cost more than the play is what it is marked for.
fn shown_mark(app: &App, index: usize) -> Option<(Mark, f32)> {
    let errors = [app.silent_error(index), app.error(index)];
    let worst = errors.into_iter().flatten().map(|e| e.0);
    mark_of(app, worst.max_by(f32::total_cmp))
}

/// The mark of an error, and what it cost, unless the answers are hidden.
pub(crate) fn mark_of(app: &App, error: Option<f32>) -> Option<(Mark, f32)> {
    let error = error.filter(|_| !app.options.hidden)?;
    Some((Mark::of(error, &app.thresholds()), error))
}

/// Whether a list of so many columns has room for what an error cost.
fn has_cost(width: u16) -> bool {
    width >= 27
}

/// Columns right of the play in a list of this width: the mark, and where there is room what it cost behind a gap.
pub(crate) fn mark_columns(width: u16, mark: Option<(Mark, f32)>) -> u16 {
    match has_cost(width) {
        true if mark.is_some_and(|(mark, _)| mark > Mark::Fine) => 8,
        true => 7,
        false => 3,
    }
}

/// A mark at the right end of a row, and in a list of `width` columns that has room for it what the error cost.
pub(crate) fn put_mark(
    paint: &mut Paint<'_>,
    area: Rect,
    row: u16,
    mark: Option<(Mark, f32)>,
    width: u16,
) {
    let Some((mark, error)) = mark else { return };
    let cost = if has_cost(width) && mark > Mark::Fine {
        let cost = text::small(f64::from(error));
        match text::width(&cost) {
            // A gap before the mark, where there is room for one.
            ..5 => text::fit_right(&format!("{cost} "), 5),
            _ => text::fit_right(&cost, 5),
        }
    } else {
        String::new()
    };
    let role = mark_role(mark);
    let sign = text::fit(mark.sign(), 2);
    paint.line_right(area, row, &[(&cost, role), (&sign, role)]);
}

/// The sign behind the dice where a double was missed before them, or a space.
fn missed_double(app: &App, index: usize) -> (&'static str, Role) {
    missed_sign(app, app.silent_error(index).map(|e| e.0))
}

/// Sign and role for a double whose absence cost `error`, in points.
pub(crate) fn missed_sign(app: &App, error: Option<f32>) -> (&'static str, Role) {
    match error.filter(|_| !app.options.hidden) {
        Some(error) => match Mark::of(error, &app.thresholds()) {
            Mark::Fine => (" ", Role::Text),
            mark => (CUBE, mark_role(mark)),
        },
        None => (" ", Role::Text),
    }
}

/// Error totals of both players.
fn draw_totals(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if area.height == 0 || app.document.record.games.is_empty() {
        return;
    }
    let rule = "─".repeat(usize::from(area.width));
    paint.line(area, 0, &[(&rule, Role::Rule)]);
    let columns = TotalsColumns::of(area.width);
    // Until the review has ended the sums are provisional.
    let title = match (class_word(app), app.document.is_analysed()) {
        ("", true) => " match ".to_owned(),
        ("", false) => " so far ".to_owned(),
        (class, true) => format!(" {} ", class.trim_end()),
        (class, false) => format!(" {}… ", class.trim_end()),
    };
    let threshold = app.options.threshold;
    let head = match columns {
        TotalsColumns::Rating => " PR  ".to_owned(),
        TotalsColumns::Errors => format!(" PR {:>8}", counted(threshold)),
        TotalsColumns::Lost => format!(" lost  PR {:>8}", counted(threshold)),
    };
    // Elsewhere, as in the library, the ratings are those of lookahead alone.
    let title = match error_list::rollouts_in_figures(app) {
        None => title,
        Some(rollouts) => {
            let full = format!("{}, {rollouts} ", title.trim_end());
            let fits = text::width(&full) + text::width(&head) <= usize::from(area.width);
            if fits { full } else { format!(" {rollouts} ") }
        }
    };
    paint.line(area, 0, &[(&title, Role::Muted)]);
    paint.line_right(area, 0, &[(&head, Role::Muted)]);
    for (y, player) in (1..area.height).zip([Player::Left, Player::Right]) {
        let figures = error_list::figures(app, player);
        let (sign, role) = disc(player);
        let pr = rating(figures.pr);
        let bad = error_list::count(app, player);
        let row = match columns {
            _ if app.options.hidden => "—".to_owned(),
            TotalsColumns::Rating => format!("{pr:>6}"),
            TotalsColumns::Errors => format!("{pr:>6}{bad:>7}"),
            TotalsColumns::Lost => format!("{:>6.2}{pr:>6}{bad:>7}", figures.error_total),
        };
        // Beside the sign with its spaces, and a gap before the figures. What aligns them covers no name.
        let row = row.trim_start();
        let room = usize::from(area.width).saturating_sub(4 + text::width(row));
        let name = text::fit(&app.document.record.players[player.index()], room);
        let words = [
            (" ", Role::Text),
            (sign, role),
            (" ", Role::Text),
            (&name, Role::Text),
        ];
        paint.line(area, y, &words);
        paint.line_right(area, y, &[(row, Role::Text)]);
    }
}

/// What there is room for in the totals of both players.
#[derive(Clone, Copy)]
enum TotalsColumns {
    /// The performance rating.
    Rating,
    /// The number of errors as well.
    Errors,
    /// The number of errors and the points lost as well.
    Lost,
}

impl TotalsColumns {
    fn of(width: u16) -> Self {
        match width {
            ..25 => Self::Rating,
            25..31 => Self::Errors,
            _ => Self::Lost,
        }
    }
}

/// A performance rating, if there is one.
fn rating(pr: Option<f64>) -> String {
    pr.map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"))
}

/// Both players' performance ratings for the line of marks, which is there where the totals are not.
fn ratings(app: &App) -> Vec<(String, Role)> {
    if app.options.hidden || app.variation.is_some() {
        return Vec::new();
    }
    // Until the review has ended they are not those of the match.
    let more = if app.document.is_analysed() {
        ""
    } else {
        "…"
    };
    let class = class_word(app);
    let mut words = vec![(format!(" PR{more} {class}"), Role::Muted)];
    if let Some(rollouts) = error_list::rollouts_in_figures(app) {
        words.push((format!("({rollouts}) "), Role::Muted));
    }
    for player in [Player::Left, Player::Right] {
        let (sign, role) = disc(player);
        let pr = rating(error_list::figures(app, player).pr);
        words.extend([(sign.to_owned(), role), (format!("{pr} "), Role::Text)]);
    }
    words
}

/// Writes the texts beside the turn in view, in half of the line at most: the marks stand behind them.
/// Returns the column after them.
fn draw_beside_in_line(paint: &mut Paint<'_>, area: Rect, app: &App) -> u16 {
    let texts = [(NOTED, ""), (REMARKED, "file: ")]
        .into_iter()
        .zip(beside(app));
    let texts: Vec<_> = texts
        .filter_map(|((sign, whose), text)| Some((sign, format!("{whose}{}", text?))))
        .collect();
    let room = usize::from(area.width / 2) / texts.len().max(1);
    let mut rest = area;
    for (sign, text) in &texts {
        let text = text::fit(&text.replace('\n', " "), room.saturating_sub(3));
        let words = [
            (*sign, Role::Marked),
            (" ", Role::Text),
            (&*text, Role::Text),
            (" ", Role::Text),
        ];
        rest.x = paint.line(rest, 0, &words);
        rest.width = area.right().saturating_sub(rest.x);
    }
    rest.x
}

/// Rows that what is written about a position alone gets at most; the window of notes has all of it.
const ALONE_ROWS: usize = 3;

/// The rows of the note about a position alone, and of the file's remark, each with the sign before it: there is no
/// list of moves below which they could stand. Where the answers are hidden, that there is a note.
pub(crate) fn alone_notes(app: &App, columns: u16) -> Vec<(&'static str, String)> {
    let is_alone = app.document.record.games.is_empty() && app.variation.is_none();
    if !is_alone || app.editor.is_some() {
        return Vec::new();
    }
    if app.options.hidden && app.written(app.at).is_some() {
        return vec![(NOTED, app.keymap.named("hidden: {answers} shows it"))];
    }
    let columns = usize::from(columns.saturating_sub(3));
    let rows = |(sign, text): (&'static str, Option<&str>)| {
        let rows = text.map_or_else(Vec::new, |text| text::wrap(text, columns, ALONE_ROWS));
        let signs = std::iter::once(sign).chain(std::iter::repeat(" "));
        signs.zip(rows)
    };
    let both = [NOTED, REMARKED].into_iter().zip(beside(app));
    both.flat_map(rows).take(ALONE_ROWS).collect()
}

/// The game's turns as marks in one line, three columns each; of a position alone, what is written about it.
pub(crate) fn draw_strip(paint: &mut Paint<'_>, area: Rect, app: &App) {
    if area.is_empty() {
        return;
    }
    for (row, (sign, line)) in (0..).zip(alone_notes(app, area.width)) {
        let words = [
            (sign, Role::Marked),
            (" ", Role::Text),
            (&*line, Role::Text),
        ];
        paint.line(area, row, &words);
    }
    // While a position is set up, the match beneath is there to be seen, not to be walked through.
    let turn = match app.editor.is_some() {
        true => app.document.turns.get(app.at),
        false => app.turn(),
    };
    let Some(turn) = turn.filter(|_| !app.document.record.games.is_empty()) else {
        return;
    };
    let mut ratings = ratings(app);
    // Where fewer errors are wanted than usual, the marks alone would not tell where the keys lead. The class stands
    // before the ratings.
    let is_usual = app.options.whose.is_none() && app.options.threshold == Mark::Doubtful;
    if !ratings.is_empty() && !is_usual {
        ratings.insert(0, (format!("{} ", wanted(app)), Role::Text));
    }
    let ratings: Vec<(&str, Role)> = ratings.iter().map(|(w, r)| (w.as_str(), *r)).collect();
    let end = paint.line_right(area, 0, &ratings);
    let area = Rect {
        width: end.saturating_sub(area.x),
        ..area
    };
    let from = |x: u16| Rect {
        x,
        width: area.right().saturating_sub(x),
        ..area
    };
    let x = paint.line(area, 0, &[(&strip_label(app, turn), Role::Text)]);
    let x = draw_beside_in_line(paint, from(x), app);
    marks_in_line(paint, from(x), app, turn.game);
}

/// The turn in view, at the head of the line of marks.
fn strip_label(app: &App, turn: &MatchTurn) -> String {
    let what = match app.before {
        Some(_) => {
            let sign = disc(turn.before.player).0;
            format!("{sign} {}", cube_words("no double", &turn.before.state))
        }
        None => words::short(turn),
    };
    // As in the titles of panes.
    let mark = if is_focused(app, Focus::Moves) {
        "▸"
    } else {
        " "
    };
    let label = format!("{mark}{:>2} {what} ", turn.number);
    format!("{} ", text::fit(&label, 24))
}

/// Marks of a game's turns around the one in view, as many as there is room for.
fn marks_in_line(paint: &mut Paint<'_>, area: Rect, app: &App, game: usize) {
    let turns: Vec<usize> = (0..app.document.turns.len())
        .filter(|&i| app.document.turns[i].game == game)
        .collect();
    let room = usize::from(area.width) / 3;
    let here = turns.iter().position(|&i| i == app.at).unwrap_or(0);
    let first = here
        .saturating_sub(room / 2)
        .min(turns.len().saturating_sub(room));
    for (column, &i) in turns[first..].iter().take(room).enumerate() {
        let (sign, role) = strip_sign(app, i);
        let cell = area.x + 3 * column as u16;
        paint.put(cell, area.y, 2, sign, role);
        // Behind the mark, which says more: as many as it leaves room for.
        let room = 3 - text::width(sign).clamp(1, 2);
        for (place, sign) in signs(app, i).into_iter().flatten().take(room).enumerate() {
            paint.put(cell + 2 - place as u16, area.y, 1, sign, Role::Marked);
        }
        if app.editor.is_none() {
            paint.target(Rect::new(cell, area.y, 3, 1), Target::Turn(i));
        }
        if i == app.at {
            if sign == "·" || sign == " " {
                paint.put(cell, area.y, 1, "▲", Role::TitleFocused);
            }
            paint.select(Rect::new(cell, area.y, 2, 1), Role::Cursor);
        }
    }
}

/// The sign of a turn in the line of marks: a cube action has one of its own only where nothing is wrong with it.
fn strip_sign(app: &App, index: usize) -> (&'static str, Role) {
    let mark = app.worst_mark(index);
    let is_cube = app.document.turns[index].before.state.roll.is_none();
    match mark.filter(|_| !app.options.hidden) {
        _ if app.document.failed.contains_key(&index) => (FAILED, Role::Blunder),
        Some(mark) if mark > Mark::Fine => (mark.sign(), mark_role(mark)),
        _ if app.document.warned.contains(&index) => (WARNED, Role::Doubtful),
        _ if is_cube => (CUBE, Role::Muted),
        _ if app.options.hidden => ("·", Role::Fine),
        Some(mark) => (mark.sign(), mark_role(mark)),
        None => (" ", Role::Muted),
    }
}

#[cfg(test)]
mod tests {
    use ratatui::buffer::Buffer;

    use super::*;
    use crate::tui::theme::Theme;

    /// What an error cost is whole, also from a point on, in the list and in the tree of variations.
    #[test]
    fn a_cost_is_never_cut() {
        let themes = Theme::builtin();
        for (error, line) in [(0.123, ".123 ??"), (1.234, "1.234??")] {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 30, 1));
            let area = buffer.area;
            let mark = Some((Mark::Blunder, error));
            put_mark(
                &mut Paint::new(&mut buffer, &themes[0]),
                area,
                0,
                mark,
                area.width,
            );
            let all: String = buffer.content.iter().map(|cell| cell.symbol()).collect();
            assert_eq!(all.trim(), line);
            assert_eq!(mark_columns(area.width, mark), 8);
        }
    }
}
