//! The candidate plays, and a few facts of the selected one.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::review::MatchTurn;
use crate::rollout::Standing;
use crate::tui::figures::candidate_rows::{CandidateRow, FigureSource, ranked, rows};
use crate::tui::figures::conditions::{self, NOTHING_PLAYED};
use crate::tui::figures::cube_figures;
use crate::tui::figures::lists::{FACTS, first_candidate, list_height, list_top, pinned_candidate};
use crate::tui::keys::ActionId;
use crate::tui::screen::targets::Target;
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::{App, Focus};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::axis::Axis;
use crate::tui::view::drawing::columns::{
    COLUMNS, Columns, ListShape, heading, heads_of_chances, rolled,
};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::pane::{is_focused, title};
use crate::tui::view::drawing::window;
use crate::tui::view::drawing::words;
use crate::tui::view::panes::imported as imported_analysis;
use crate::tui::view::windows::opening;

/// Draws the pane; answers which play of the list is the first on screen.
pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, app: &App) -> usize {
    let rows = rows(app);
    let selected = app.selection.play;
    let selected = rows
        .iter()
        .position(|row| Some(row.candidate.result) == selected);
    let height = usize::from(list_height(area.height));
    let first = first_candidate(app.selection.scroll, selected, &rows, height);
    draw_from(paint, area, app, &rows, first);
    first
}

/// The pane, with the list from its row `first` on.
fn draw_from(paint: &mut Paint<'_>, area: Rect, app: &App, rows: &[CandidateRow], first: usize) {
    if area.is_empty() {
        return;
    }
    let columns = columns(area, app, rows);
    draw_title(paint, area, app, rows, &columns);
    let heads = list_top(area.height) == 2;
    let inner = window::rows(area, 1, area.height);
    if app.turn().is_none() {
        let columns = usize::from(inner.width.saturating_sub(2));
        let words = text::wrap(NOTHING_PLAYED, columns, 2);
        for (row, line) in (0..).zip(&words) {
            paint.line(inner, row, &[("  ", Role::Muted), (line, Role::Muted)]);
        }
        return;
    }
    let failure = app.failure();
    if is_cube(app) {
        return super::cube_pane::draw(paint, inner, app);
    }
    if rows.is_empty() || is_draft(app) {
        return draw_without_plays(paint, inner, failure);
    }
    let scale = app.scale();
    if heads {
        let is_rolled = rows.iter().any(|row| row.level == FigureSource::Rollout);
        // Hidden answers have no figures.
        let head = match app.options.hidden {
            true => "    play".to_owned(),
            false => heading(&columns, &scale, is_rolled),
        };
        paint.line(inner, 0, &[(&head, Role::Muted)]);
        let head = window::rows(inner, 0, 1);
        paint.target(head, Target::Action(ActionId::Order));
    }
    let list = Rect {
        y: area.y + list_top(area.height),
        height: list_height(area.height),
        ..area
    };
    let hidden = draw_rows(paint, list, app, rows, first, &columns, &scale);
    if heads {
        let facts = Rect::new(area.x, list.bottom(), area.width, FACTS);
        draw_facts(paint, facts.intersection(area), app, rows, first, hidden);
    }
}

/// Returns whether the decision in view is a cube decision, which has no roll.
fn is_cube(app: &App) -> bool {
    let has_no_roll = app
        .turn()
        .is_some_and(|turn| turn.before.state.roll.is_none());
    has_no_roll && !is_draft(app)
}

/// Returns whether the editor shows a draft that is not a legal position.
fn is_draft(app: &App) -> bool {
    app.editor.is_some() && app.failure().is_some()
}

/// Says why no plays are listed: what has failed, or that they are still being analysed.
fn draw_without_plays(paint: &mut Paint<'_>, inner: Rect, failure: Option<String>) {
    let columns = usize::from(inner.width.saturating_sub(2));
    let words = match failure {
        Some(why) => text::wrap(&why, columns, 6),
        None => vec!["— the plays are being analysed".to_owned()],
    };
    for (row, line) in (1..).zip(&words) {
        paint.line(inner, row, &[("  ", Role::Muted), (line, Role::Muted)]);
    }
}

/// The title; in a low pane with the heads of the chances beside it.
fn draw_title(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    rows: &[CandidateRow],
    columns: &Columns,
) {
    let equity = equity_in_title(area, app, rows);
    let name = match app.options.by_equity && !rows.is_empty() {
        // While the answers are hidden the order tells nothing.
        _ if app.options.hidden && !rows.is_empty() => "plays by name".to_owned(),
        // The equity needs the room.
        true if equity.is_some() => "by equity".to_owned(),
        true => "candidates by equity".to_owned(),
        false if is_cube(app) => "cube decision".to_owned(),
        false => "candidates".to_owned(),
    };
    let name = match app.selection.picks.is_empty() || rows.is_empty() {
        true => name,
        false => format!("{name}: {} of {}", rows.len(), ranked(app).len()),
    };
    let heads = list_top(area.height) == 2;
    // A low pane has no row for the heads of the chances.
    let heads_above = !heads && columns.only_chances && !rows.is_empty() && !app.options.hidden;
    let named = match heads_above {
        true => Rect {
            width: area.width.min(4 + columns.play),
            ..area
        },
        false => area,
    };
    let focused = is_focused(app, Focus::Candidates);
    let side = match heads {
        true => side_text(app, rows, equity.as_deref(), &name, area.width),
        false => low_side_text(app, rows, equity.as_deref(), &name, named.width),
    };
    title(paint, named, &name, &side, focused);
    if heads_above {
        let words = heads_of_chances(columns);
        paint.put(
            named.right(),
            area.y,
            area.width - named.width,
            words,
            Role::Muted,
        );
    }
}

/// The columns of the list in this pane.
fn columns(area: Rect, app: &App, rows: &[CandidateRow]) -> Columns {
    let first = &rows[..rows.len().min(list_height(area.height).into())];
    let [shortest, longest] = app.turn().map_or([0; 2], |turn| play_columns(first, turn));
    let list = ListShape {
        chances: app.options.chances,
        by_equity: app.options.by_equity,
        shortest,
        longest,
    };
    // A free column at the edge of the screen.
    let width = area.width.saturating_sub(1);
    Columns::choose(width, &list)
}

/// Columns of the shortest and of the longest play of these rows.
fn play_columns(rows: &[CandidateRow], turn: &MatchTurn) -> [u16; 2] {
    let position = &turn.before.state.position;
    let wide = |row: &CandidateRow| text::width(&text::play(&row.candidate.play, position)) as u16;
    let [shortest, longest] = [rows.iter().map(wide).min(), rows.iter().map(wide).max()];
    [shortest.unwrap_or(0), longest.unwrap_or(0)]
}

/// Value of the best play, where its row has no room for it.
fn equity_in_title(area: Rect, app: &App, rows: &[CandidateRow]) -> Option<String> {
    let best = rows.iter().find(|r| r.is_best && !app.options.hidden)?;
    let play = text::play(&best.candidate.play, &app.turn()?.before.state.position);
    let columns = columns(area, app, rows);
    let is_missing = !columns.only_chances && !columns.has_equity(&play);
    is_missing.then(|| app.scale().value(best.equity))
}

/// The depth, and what the best play is worth: the equity that its row leaves out, or else the chance to win the match
/// where there is room for it.
fn side_text(
    app: &App,
    rows: &[CandidateRow],
    equity: Option<&str>,
    name: &str,
    width: u16,
) -> String {
    if app.editor.is_some() && app.failure().is_some() {
        return String::new();
    }
    // What says so is the best play's level, not how deep the others are looked at.
    let rolled = rows
        .iter()
        .any(|r| r.is_best && r.level == FigureSource::Rollout)
        || cube_figures::is_rolled(app);
    let depth = match rolled && !app.options.hidden {
        true => "rollout".to_owned(),
        false => depth_text(app, width),
    };
    let room = usize::from(width).saturating_sub("─  ──  ─".chars().count() + name.len());
    let texts = match (equity, match_chance(app, rows)) {
        (Some(equity), _) => {
            let under_way = depth.split_once(',').map(|(now, _)| format!("{now}…"));
            let depths = [Some(&depth), under_way.as_ref()].into_iter().flatten();
            let texts = depths.map(|depth| format!("{equity} {depth}"));
            texts.chain([equity.to_owned()]).collect()
        }
        (None, Some(mwc)) => vec![format!("MWC {mwc}  {depth}"), format!("MWC {mwc} {depth}")],
        (None, None) => Vec::new(),
    };
    let fitting = texts.into_iter().find(|text| text::width(text) <= room);
    fitting.unwrap_or(depth)
}

/// Text at the right of the title of a low pane: first what the turn in view cost, which nothing below the
/// list says, then the depth.
fn low_side_text(
    app: &App,
    rows: &[CandidateRow],
    equity: Option<&str>,
    name: &str,
    width: u16,
) -> String {
    let room = usize::from(width).saturating_sub("─  ──  ─".chars().count() + text::width(name));
    let verdicts = match is_cube(app) {
        _ if app.options.hidden || app.editor.is_some() => Vec::new(),
        true => super::cube_pane::for_title(app),
        false => super::verdict::for_title(app, rows, width),
    };
    let side = side_text(app, rows, equity, name, width);
    let depth = side.rsplit("  ").next().unwrap_or_default();
    let texts = |verdict: &String| match verdict.contains(depth) {
        true => vec![verdict.clone()],
        false => vec![format!("{verdict}  {depth}"), verdict.clone()],
    };
    let fitting = verdicts
        .iter()
        .flat_map(texts)
        .find(|text| text::width(text) <= room);
    fitting.unwrap_or(side)
}

/// Match-winning chance after the best play, in per cent; `None` in money play and where plays are not
/// ranked.
fn match_chance(app: &App, rows: &[CandidateRow]) -> Option<String> {
    let state = app.turn()?.before.state;
    let best = rows.iter().find(|r| r.is_best)?;
    let is_shown = !state.score.is_money() && !app.options.hidden && !best.is_cubeless;
    let scale = Scale::new(Units::Whole, &state, &app.model);
    is_shown.then(|| scale.value(best.equity))
}

/// The depth of the analysis; eXtreme Gammon counts one ply more.
fn depth_text(app: &App, width: u16) -> String {
    let ply = match app.settings.ply {
        n if width >= 64 => format!("{n}-ply (XG {}-ply)", n + 1),
        n => format!("{n}-ply"),
    };
    match app.review() {
        Some(r) if !r.candidates.is_empty() || r.chances.is_some() => {
            let forced = r.candidates.len() == 1;
            if r.ply < app.settings.ply && !forced {
                format!("{}-ply, {ply} to come", r.ply)
            } else {
                ply
            }
        }
        _ if app.turn().is_none() => String::new(),
        _ => format!("{ply} to come"),
    }
}

/// Rows as drawn, with a thin rule where another level begins; answers how many stand below them.
fn draw_rows(
    paint: &mut Paint<'_>,
    list: Rect,
    app: &App,
    rows: &[CandidateRow],
    first: usize,
    columns: &Columns,
    scale: &Scale,
) -> usize {
    let axis = Axis::over(
        rows.iter()
            .filter_map(|r| r.rolled.as_ref())
            .map(|s| &s.equity),
    );
    let last = rows.len().min(first + usize::from(list.height));
    let plays = PlayNames::of(app, &rows[first..last]);
    let pinned = pinned_candidate(app, rows, first, list.height.into());
    let height = list.height - u16::from(pinned.is_some());
    let cells = (columns, scale, &plays);
    let is_choosing = conditions::is_choosing(app);
    let draw = |paint: &mut Paint<'_>, row: &CandidateRow, number: usize, y: u16| {
        let line = Rect::new(list.x, list.y + y, list.width, 1);
        draw_row(paint, line, app, row, cells, axis.as_ref());
        if is_choosing && number <= 9 {
            paint.put(line.x, line.y, 1, &number.to_string(), Role::Muted);
        }
        if app.selection.play == Some(row.candidate.result) {
            paint.select(line, Role::Cursor);
        }
    };
    let (mut y, mut drawn) = (0, 0);
    for row in &rows[first..] {
        if y >= height {
            break;
        }
        if row.starts_level && y > 0 {
            let rule = "╌".repeat(usize::from(list.width));
            paint.line(list, y, &[(&rule, Role::Rule)]);
            if columns.narrow || columns.only_chances {
                let name = match row.level {
                    FigureSource::Ply(n) => format!(" {n}-ply "),
                    FigureSource::Rollout => " rollout ".into(),
                };
                paint.put(list.x + 3, list.y + y, 12, &name, Role::Muted);
            }
            y += 1;
            if y >= height {
                // A rule with nothing below it says nothing.
                paint.fill(Rect::new(list.x, list.y + y - 1, list.width, 1), Role::Text);
                break;
            }
        }
        drawn += 1;
        draw(paint, row, drawn, y);
        y += 1;
    }
    if let Some(row) = pinned {
        drawn += 1;
        draw(paint, &rows[row], usize::MAX, height);
    }
    rows.len().saturating_sub(first + drawn)
}

/// The plays on screen, which are not to look alike where they are cut.
struct PlayNames(Vec<String>);

impl PlayNames {
    fn of(app: &App, rows: &[CandidateRow]) -> Self {
        let position = app.turn().map(|turn| turn.before.state.position);
        let name = |row: &CandidateRow| Some(text::play(&row.candidate.play, &position?));
        Self(rows.iter().filter_map(name).collect())
    }

    /// A play in so many columns: cut at its end, or at its start where another one has the same start.
    fn fit(&self, play: &str, columns: u16) -> String {
        let columns = usize::from(columns);
        let fitted = text::fit(play, columns);
        let looks_alike = |other: &String| other != play && text::fit(other, columns) == fitted;
        match text::width(play) > columns && self.0.iter().any(looks_alike) {
            true => text::fit(&text::cut_start(play, columns), columns),
            false => fitted,
        }
    }
}

/// Writes one row from left to right, on the ground that it has.
struct RowWriter<'p, 'b> {
    paint: &'p mut Paint<'b>,
    line: Rect,
    x: u16,
    ground: Style,
}

impl<'p, 'b> RowWriter<'p, 'b> {
    fn new(paint: &'p mut Paint<'b>, line: Rect) -> Self {
        let ground = paint.buffer[(line.x, line.y)].style();
        Self {
            paint,
            line,
            x: line.x,
            ground,
        }
    }

    fn put(&mut self, text: &str, role: Role) {
        let mut style = self.ground.patch(self.paint.style(role));
        style.bg = self.ground.bg;
        let most = self.line.right().saturating_sub(self.x);
        let (x, y) = (self.x, self.line.y);
        self.x += self.paint.put_styled(x, y, most, text, style);
    }
}

fn draw_row(
    paint: &mut Paint<'_>,
    line: Rect,
    app: &App,
    row: &CandidateRow,
    (c, scale, plays): (&Columns, &Scale, &PlayNames),
    axis: Option<&Axis>,
) {
    let position = app.turn().map(|t| t.before.state.position);
    let play = position.map_or_else(String::new, |p| text::play(&row.candidate.play, &p));
    let mut out = RowWriter::new(paint, line);
    put_signs(&mut out, row);
    let role = match (row.is_best, row.is_played) {
        (true, _) => Role::Best,
        (_, true) => Role::Played,
        _ => Role::Text,
    };
    if app.options.hidden {
        return out.put(&play, role);
    }
    let scale = &row.scale(scale);
    let wide = c.play_columns(&play);
    out.put(&plays.fit(&play, wide), role);
    for column in &COLUMNS[usize::from(wide > c.play)..] {
        let width = (column.width)(c);
        match column.text {
            _ if width == 0 => {}
            Some(text) => {
                let text = text::fit_right(&text(row, c, scale), width.into());
                out.put(&text, (column.role)(row));
            }
            None => {
                out.put(" ", (column.role)(row));
                if let (Some(axis), Some(s)) = (axis, rolled(row)) {
                    axis.draw(out.paint, out.x, out.line.y, c.axis, &s.equity);
                }
                out.x += c.axis;
            }
        }
    }
}

/// Writes the signs of a row: whether it is the best, whether it was played, and whether it is marked.
fn put_signs(out: &mut RowWriter<'_, '_>, row: &CandidateRow) {
    let (sign, role) = match row.standing {
        _ if row.is_best => ("★", Role::Best),
        Some(standing) if standing != Standing::Decided => {
            (words::standing_sign(standing), Role::Tied)
        }
        _ => (" ", Role::Text),
    };
    out.put(sign, role);
    out.put(if row.is_played { "▸" } else { " " }, Role::Played);
    out.put(if row.is_marked { "+" } else { " " }, Role::Marked);
    out.put(" ", Role::Text);
}

/// Two lines about the selected play, or else the best one, under a thin rule that says how many plays are hidden
/// above the list and below it.
fn draw_facts(
    paint: &mut Paint<'_>,
    area: Rect,
    app: &App,
    rows: &[CandidateRow],
    above: usize,
    below: usize,
) {
    let rule = "─".repeat(usize::from(area.width));
    paint.line(area, 0, &[(&rule, Role::Rule)]);
    let mut room = area.width.saturating_sub(3);
    if above + below > 0 {
        let more = match (above, below) {
            (0, _) => format!(" {below} more "),
            (_, 0) => format!(" {above} above "),
            _ => format!(" {above} above, {below} below "),
        };
        paint.line_right(area, 0, &[(&more, Role::Muted), ("─", Role::Rule)]);
        room = room.saturating_sub(text::width(&more) as u16 + 1);
    }
    let imported = imported_analysis::of_play(app, usize::from(room));
    let book = || opening::of_play(app, usize::from(room));
    let said = imported.or_else(book);
    if let Some(said) = &said {
        let words = [("─ ", Role::Rule), (said, Role::Muted), (" ", Role::Rule)];
        paint.line(area, 0, &words);
    }
    if app.options.hidden {
        let words = "hidden, {answers} shows them";
        super::hints::line(paint, area, 1, app, words, Role::Muted);
        return;
    }
    let row = rows
        .iter()
        .find(|r| app.selection.play == Some(r.candidate.result))
        .or_else(|| rows.iter().find(|r| r.is_best))
        .or(rows.first());
    if let Some((row, turn)) = row.zip(app.turn()) {
        let play = text::play(&row.candidate.play, &turn.before.state.position);
        // A row without a sign is the selected one, which stands out.
        let sign = match (row.is_best, row.is_played) {
            (true, _) => "★",
            (_, true) => "▸",
            _ => "",
        };
        draw_chances(paint, area, [&format!("{play}: "), sign], &row.chances);
    }
    super::verdict::draw(paint, area, app, rows, said.is_none().then_some(room));
}

/// Wins and losses of a play with the gammons and backgammons among them, as explicit as there is room. `names` are
/// the play and the sign of its row; the sign replaces a play that is too long.
fn draw_chances(paint: &mut Paint<'_>, area: Rect, names: [&str; 2], chances: &[f64; 5]) {
    let [w, g, b, lg, lb] = chances.map(text::percent);
    let l = text::percent(1.0 - chances[0]);
    let named = |[win, gammon, backgammon, lose]: [&'static str; 4]| {
        let labels = [win, gammon, backgammon, lose, gammon, backgammon];
        let figures = [&w, &g, &b, &l, &lg, &lb];
        labels.into_iter().zip(figures)
    };
    let forms = [
        ["wins ", " gammon ", " bg ", "   loses "],
        ["wins ", " g ", " bg ", "   loses "],
        ["W ", " ", " ", "  L "],
        ["W", " ", " ", " L"],
    ];
    // A free column at the edge of the screen.
    let fits = |(play, form): &(&str, [&'static str; 4])| {
        let wide: usize = named(*form)
            .map(|(label, figure)| label.len() + figure.len())
            .sum();
        text::width(play) + wide < usize::from(area.width)
    };
    let mut all = names
        .into_iter()
        .flat_map(|name| forms.map(|form| (name, form)));
    let (play, form) = all.find(fits).unwrap_or(("", forms[3]));
    let parts = named(form)
        .flat_map(|(label, figure)| [(label, Role::Muted), (figure.as_str(), Role::Text)]);
    let parts: Vec<_> = std::iter::once((play, Role::Text)).chain(parts).collect();
    paint.line(area, 1, &parts);
}
