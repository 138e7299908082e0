//! The window of the match equity table.

use std::ops::RangeInclusive;

use ratatui::layout::Rect;

use super::window::Window;
use crate::analysis::{ScoreCube, TakePoint};
use crate::game::Player;
use crate::review::report::decision_text::{score_text, table_text};
use crate::tui::keys::ActionId;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::copied_windows;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{rows, window};
use crate::tui::windows::equity_table::{EquityTablePlace, TableScore};
use crate::tui::windows::overlay::{Overlay, first_row};

/// Columns of the points before a row, and one after them.
const LEFT: u16 = 4;
/// Columns of a chance, with one before it: a bracket, or nothing. The last has one behind it as well.
const CELL: u16 = 5;
/// Rows over the chances: what the table is, and the points of the other player.
const HEAD: u16 = 2;
/// Cubes that are described, the largest.
const LARGEST: u32 = 8;
/// Rows below the chances: a rule, the score, a heading, cubes of 1, 2, 4 and 8, money.
const FOOT: u16 = 8;
/// Columns of the figures of the cubes, and where there is little room.
const COLUMNS: [usize; 7] = [7, 15, 7, 15, 7, 15, 7];
const FEW_COLUMNS: [usize; 7] = [9, 8, 8, 8, 7, 8, 7];

/// The games that the take points are of.
const NO_GAMMONS: &str = "take points: no gammons";

/// Columns of the figures of the cubes in a window of this inside.
fn columns(area: Rect) -> &'static [usize; 7] {
    match usize::from(area.width) < COLUMNS.iter().sum() {
        true => &FEW_COLUMNS,
        false => &COLUMNS,
    }
}

pub(super) struct EquityTable;

impl Window for EquityTable {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::EquityTable(place)) = &app.overlay else {
            return;
        };
        let size = (LEFT + CELL * place.side + 1, HEAD + place.side + FOOT);
        let table = &place.table;
        let room = usize::from(screen.width) / 2;
        let given = format!("{}, given to {} points", table.name(), table.given());
        let side = match text::width(&given) <= room {
            true => given,
            false => text::cut(table.name(), room),
        };
        let area = window(paint, screen, size, "match equity table", &side);
        let pane = Pane {
            place,
            present: app.table_score(),
            players: [app.bottom(), app.bottom().other()],
        };
        pane.axes(paint, area, app);
        // A few scores before all that is said of one.
        let foot = FOOT.min(area.height.saturating_sub(HEAD + 3));
        let hidden = pane.chances(paint, rows(area, 1, area.height.saturating_sub(foot + 1)));
        let foot = rows(area, area.height - foot, foot);
        rule(paint, foot, hidden);
        pane.selected(paint, foot);
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let present = app.table_score();
        let Some(Overlay::EquityTable(place)) = &mut app.overlay else {
            return false;
        };
        match action {
            ActionId::Down => place.step([1, 0]),
            ActionId::Up => place.step([-1, 0]),
            ActionId::More => place.step([0, 1]),
            ActionId::Less => place.step([0, -1]),
            ActionId::PageDown => place.step([PAGE, 0]),
            ActionId::PageUp => place.step([-PAGE, 0]),
            ActionId::Crawford => place.switch_crawford(),
            ActionId::First => {
                if let Some(score) = present {
                    place.go_to(score);
                }
            }
            ActionId::CopyTable => {
                let text = equities(app);
                copied_windows::copy(app, text.map(|text| ("match equities", text)));
            }
            _ => return false,
        }
        true
    }
}

/// Points that a page goes down or up.
const PAGE: i16 = 10;

/// Opens it at the score of the match.
pub(crate) fn open(app: &mut App) {
    let rules = app.turn().map(|turn| turn.before.state.rules);
    let no_crawford = rules.is_some_and(|rules| rules.no_crawford);
    let place = EquityTablePlace::new(&app.model.table, app.table_score(), no_crawford);
    app.overlay = Some(Overlay::EquityTable(place));
}

/// Takes in a click on a score.
pub(crate) fn click(app: &mut App, away: [u16; 2]) {
    if let Some(Overlay::EquityTable(place)) = &mut app.overlay {
        place.away = away;
    }
}

/// The selected score, from the side of the player at the bottom, and the table as far as it has that score.
fn equities(app: &App) -> Option<String> {
    let Some(Overlay::EquityTable(place)) = &app.overlay else {
        return None;
    };
    /// Points to which the table goes at least, as at the command line.
    const SHOWN: u16 = 15;
    let [mine, theirs] = place.away;
    let [name, other] = [app.bottom(), app.bottom().other()].map(|player| app.name(player));
    let score = score_text(&place.facts());
    let table = table_text(&place.table, usize::from(mine.max(theirs).max(SHOWN)));
    Some(format!(
        "{name} needs {mine}, {other} needs {theirs}\n{score}\n{table}"
    ))
}

struct Pane<'a> {
    place: &'a EquityTablePlace,
    /// The score of the match.
    present: Option<TableScore>,
    /// The player at the bottom, and the other.
    players: [Player; 2],
}

impl Pane<'_> {
    /// Says whose points lead down and whose to the right, and what is marked.
    fn axes(&self, paint: &mut Paint<'_>, area: Rect, app: &App) {
        let present = match self.present {
            Some(_) => "[ ] present",
            None => "money play",
        };
        let one = match (self.place.table.has_crawford(), self.place.is_crawford) {
            (false, _) => "",
            (true, true) => "  1C Crawford",
            (true, false) => "  1 after Crawford",
        };
        let marks = format!("{present}{one}");
        let (down, across) = ("down: ", " needs, across: ");
        // The discs with their spaces, and two columns before the marks.
        let used = text::width(down) + text::width(across) + text::width(&marks) + 6;
        let room = usize::from(area.width).saturating_sub(used);
        // The discs say who it is where no more than the beginning of a name would stand.
        let names = self.players.map(|player| match room / 2 {
            0..4 => String::new(),
            columns => format!(" {}", text::cut(app.name(player), columns)),
        });
        let words = [
            (down, Role::OverlayMuted),
            disc(self.players[0]),
            (&*names[0], Role::Overlay),
            (across, Role::OverlayMuted),
            disc(self.players[1]),
            (&*names[1], Role::Overlay),
        ];
        let end = paint.line(area, 0, &words);
        let rest = Rect {
            x: end.min(area.right()),
            width: area.right().saturating_sub(end),
            ..area
        };
        paint.line_right(rest, 0, &[(&marks, Role::OverlayMuted)]);
    }

    /// The part of the table around the selected score, under the points of the other player. Answers how many rows
    /// are out of sight below.
    fn chances(&self, paint: &mut Paint<'_>, area: Rect) -> u16 {
        let [mine, theirs] = self.place.away;
        let fits = area.width.saturating_sub(LEFT + 1) / CELL;
        let columns = self.shown(theirs, fits);
        let lines = self.shown(mine, area.height.saturating_sub(1));
        for (x, points) in (0..).zip(columns.clone()) {
            let head = text::fit_right(&self.points(points), usize::from(CELL) - 1);
            let at = area.x + LEFT + CELL * x + 1;
            paint.put(at, area.y, CELL - 1, &head, head_role(points == theirs));
        }
        self.edges(paint, area, &columns);
        let hidden = self.place.side - lines.end();
        for (y, needs) in (1..).zip(lines) {
            let name = text::fit_right(&self.points(needs), usize::from(LEFT) - 1);
            paint.line(area, y, &[(&name, head_role(needs == mine))]);
            for (x, points) in (0..).zip(columns.clone()) {
                let x = area.x + LEFT + CELL * x;
                let cell = Rect::new(x, area.y + y, CELL + 1, 1);
                self.cell(paint, cell.intersection(area), [needs, points]);
            }
        }
        hidden
    }

    /// Says where columns are out of sight.
    fn edges(&self, paint: &mut Paint<'_>, area: Rect, columns: &RangeInclusive<u16>) {
        if *columns.start() > 1 {
            paint.line(area, 0, &[("  ‹", Role::OverlayMuted)]);
        }
        if *columns.end() < self.place.side && !columns.is_empty() {
            let end = LEFT + CELL * columns.clone().count() as u16;
            paint.put(area.x + end, area.y, 1, "›", Role::OverlayMuted);
        }
    }

    /// The points around `selected` of which `fits` can be shown.
    fn shown(&self, selected: u16, fits: u16) -> RangeInclusive<u16> {
        let (selected, fits) = (usize::from(selected) - 1, usize::from(fits));
        let first = first_row(selected, fits, usize::from(self.place.side));
        let last = (first + fits).min(usize::from(self.place.side));
        first as u16 + 1..=last as u16
    }

    /// Points as a heading: those of the Crawford game have its letter.
    fn points(&self, points: u16) -> String {
        match points {
            1 if self.place.is_crawford => "1C".to_owned(),
            _ => points.to_string(),
        }
    }

    fn cell(&self, paint: &mut Paint<'_>, cell: Rect, away: [u16; 2]) {
        let score = TableScore::new(away, self.place.is_crawford);
        let chance = self.place.chance(score);
        let is_present = self.present == Some(score);
        let role = match chance {
            _ if is_present => Role::OverlayTitle,
            0.5.. => Role::Overlay,
            _ => Role::OverlayMuted,
        };
        let figure = text::fit_right(&figure(chance), usize::from(CELL) - 1);
        paint.put(cell.x + 1, cell.y, CELL - 1, &figure, role);
        if is_present {
            for (x, sign) in [(cell.x, "["), (cell.x + CELL, "]")] {
                paint.put(x, cell.y, 1, sign, role);
            }
        }
        paint.target(cell, Target::AwayScore(away));
        if away == self.place.away {
            paint.select(cell, Role::OverlayCursor);
        }
    }

    /// Draws what the selected score means.
    fn selected(&self, paint: &mut Paint<'_>, area: Rect) {
        let words = self.score_words();
        let words = text::cut(&words, usize::from(area.width));
        let end = paint.line(area, 1, &[(&words, Role::OverlayTitle)]);
        // Above their columns. Those of a decision count its gammons, and are others.
        let width = columns(area).iter().sum::<usize>() as u16;
        if end + (NO_GAMMONS.len() as u16) < area.x + width {
            let above = Rect { width, ..area };
            paint.line_right(above, 1, &[(NO_GAMMONS, Role::OverlayMuted)]);
        }
        self.heading(paint, rows(area, 2, 1));
        let facts = self.place.facts();
        let cubes = facts.cubes.iter().filter(|c| c.cube <= LARGEST);
        for (y, cube) in (3..).zip(cubes) {
            let name = format!("{} → {}", cube.cube, 2 * cube.cube);
            cube_line(paint, rows(area, y, 1), &name, cube, Role::Overlay);
        }
        let money = ScoreCube::of_money();
        let last = rows(area, FOOT - 1, 1);
        cube_line(paint, last, "money", &money, Role::OverlayMuted);
    }

    /// The chance to win the match at the selected score, in words.
    fn score_words(&self) -> String {
        let place = self.place;
        let score = place.score();
        let [mine, theirs] = score.away;
        let percent = |score| format!("{:.2}%", 100.0 * place.chance(score));
        let other = TableScore::new(score.away, !place.is_crawford);
        let is_split = place.table.has_crawford() && other != score;
        let (game, rest) = match (is_split, score.is_crawford) {
            (false, _) => ("", " to win the match".to_owned()),
            (true, true) => (
                ", Crawford game",
                format!(" to win, after it {}", percent(other)),
            ),
            (true, false) => (
                ", after Crawford",
                format!(" to win, Crawford {}", percent(other)),
            ),
        };
        let here = match self.present == Some(score) {
            true => " (present)",
            false => "",
        };
        let chance = percent(score);
        format!("{mine}-away {theirs}-away{game}{here}: {chance}{rest}")
    }

    /// The heading of the figures of the cubes.
    fn heading(&self, paint: &mut Paint<'_>, area: Rect) {
        let [mine, theirs] = self.players.map(disc);
        let columns = columns(area);
        let [gammon_value, take] = match columns == &COLUMNS {
            true => ["gammon value ", " take, dead"],
            false => ["gammon ", " dead"],
        };
        // A disc is the last column of a gammon value, and the first of a take point.
        let [cube, gammon, other] = [
            text::fit("cube", columns[0]),
            text::fit_right(gammon_value, columns[1] - 1),
            text::fit_right("", columns[2] - 1),
        ];
        let gap = text::fit_right("", columns[3] - 1 - text::width(take));
        let live = text::fit_right("live", columns[4]);
        let muted = |words| (words, Role::OverlayMuted);
        let words = [
            muted(&*cube),
            muted(&*gammon),
            mine,
            muted(&*other),
            theirs,
            muted(&*gap),
            mine,
            muted(take),
            muted(&*live),
            muted(&*gap),
            theirs,
            muted(take),
            muted(&*live),
        ];
        paint.line(area, 0, &words);
    }
}

/// A rule that says how many rows of the table are out of sight below.
fn rule(paint: &mut Paint<'_>, area: Rect, hidden: u16) {
    let rule = "─".repeat(usize::from(area.width));
    paint.line(area, 0, &[(&rule, Role::OverlayMuted)]);
    if hidden > 0 {
        let words = format!(" {hidden} more ");
        paint.line_right(area, 0, &[(&words, Role::OverlayMuted)]);
    }
}

fn head_role(is_selected: bool) -> Role {
    match is_selected {
        true => Role::OverlayKey,
        false => Role::OverlayMuted,
    }
}

/// A chance in per cent, in four columns.
fn figure(chance: f32) -> String {
    let figure = text::percent(f64::from(chance));
    match figure.as_str() {
        "100.0" => "100".to_owned(),
        _ => figure,
    }
}

/// Gammon values and take points of one cube.
fn cube_line(paint: &mut Paint<'_>, area: Rect, name: &str, cube: &ScoreCube, role: Role) {
    let mut cells = cube
        .gammon_value
        .map(|value| format!("{value:.3}"))
        .to_vec();
    for point in [cube.take_point, cube.their_take_point] {
        cells.extend(match point {
            Some(TakePoint { dead, live }) => [dead, live].map(|p| text::percent(f64::from(p))),
            None => ["–", "–"].map(str::to_owned),
        });
    }
    let columns = columns(area);
    let figures = cells.iter().zip(&columns[1..]);
    let figures: String = figures.map(|(c, n)| text::fit_right(c, *n)).collect();
    let name = text::fit(name, columns[0]);
    paint.line(area, 0, &[(&name, Role::OverlayKey), (&figures, role)]);
}
