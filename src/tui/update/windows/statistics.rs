//! What the match comes to for both players.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::game::Player;
use crate::review::{Mark, depth_words};
use crate::tui::keys::ActionId;
use crate::tui::screen::targets::Target;
use crate::tui::state::{App, Effect};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::analysis::{copied_windows, export};
use crate::tui::update::lines::walk;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{self, more, window};
use crate::tui::view::drawing::words;
use crate::tui::windows::exported::MatchStatistics;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::palette::NamedMove;

pub(super) struct Statistics;

/// What the match comes to, which is worked out while the window is open.
pub(super) fn begun(app: &mut App) -> Overlay {
    let reviewed = Box::new(export::reviewed_match(app));
    let generation = app.match_in_review().generation;
    app.effects.push(Effect::Statistics {
        generation,
        reviewed,
    });
    Overlay::Statistics {
        found: MatchStatistics::default(),
        row: 0,
    }
}

/// Rows of the games over the lines, with an empty one.
const GAMES: u16 = 4;
/// Columns of a game.
const GAME: u16 = 5;
/// PR from which on a game is shown as doubtful, an error and a blunder.
const HEAT: [f64; 3] = [5.0, 10.0, 15.0];

/// Draws PR game by game, coloured by how bad it is; answers the area below.
fn below_games(paint: &mut Paint<'_>, area: Rect, games: &[[Option<f64>; 2]]) -> Rect {
    if games.len() < 2 || area.height < 4 * GAMES {
        return area;
    }
    paint.line(area, 0, &[("PR by game", Role::OverlayMuted)]);
    for (row, player) in [(1, Player::Left), (2, Player::Right)] {
        let (sign, role) = disc(player);
        paint.line(area, row, &[(sign, role)]);
    }
    let fitting = usize::from(area.width.saturating_sub(LABEL) / GAME);
    for (column, (i, both)) in (0u16..).zip(games.iter().enumerate().take(fitting)) {
        let cell = Rect {
            x: area.x + LABEL + GAME * column,
            width: GAME,
            ..area
        };
        let number = text::fit_right(&(i + 1).to_string(), usize::from(GAME) - 1);
        paint.line(cell, 0, &[(&number, Role::OverlayMuted)]);
        for (row, pr) in (1u16..).zip(both) {
            let words = pr.map_or_else(|| "–".to_owned(), |pr| format!("{pr:.1}"));
            let role = pr.map_or(Role::OverlayMuted, |pr| {
                let lines = HEAT.iter().filter(|line| pr >= **line);
                words::mark_role(Mark::ALL[lines.count()])
            });
            let words = text::fit_right(&words, usize::from(GAME) - 1);
            paint.line(cell, row, &[(&words, role)]);
        }
    }
    window::rows(area, GAMES, area.height)
}

/// Columns of the label of the games.
const LABEL: u16 = 11;
/// Columns of a bar at most, and at least.
const BAR: [u16; 2] = [20, 5];

/// Draws the bars of a line at its end: left to the left of their middle, right to its right.
fn draw_bars(paint: &mut Paint<'_>, line: Rect, found: &MatchStatistics, place: usize) {
    let table = found.lines.iter().take_while(|line| !line.is_empty());
    let table: Vec<&str> = table.map(String::as_str).collect();
    let Some(words) = table.get(place).map(|line| line.trim_start()) else {
        return;
    };
    let widest = table.iter().map(|line| text::width(line)).max();
    let start = widest.unwrap_or(0) as u16 + 2;
    let room = (line.width.saturating_sub(start + 1) / 2).min(BAR[0]);
    let bars = found.bars.iter().find(|bars| words.starts_with(bars.label));
    let Some(bars) = bars.filter(|_| room >= BAR[1]) else {
        return;
    };
    let middle = line.x + start + room;
    let [left, right] = bars.shares.map(|share| {
        let columns = (share * f64::from(room)).round() as usize;
        "━".repeat(columns.max(usize::from(share > 0.0)))
    });
    let x = middle - text::width(&left) as u16;
    let [(_, first), (_, second)] = [Player::Left, Player::Right].map(disc);
    paint.put(x, line.y, room, &left, first);
    paint.put(middle, line.y, 1, "│", Role::OverlayMuted);
    paint.put(middle + 1, line.y, room, &right, second);
}

fn shown(app: &App) -> Option<&MatchStatistics> {
    match &app.overlay {
        Some(Overlay::Statistics { found, .. }) => Some(found),
        _ => None,
    }
}

impl Window for Statistics {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(found) = shown(app) else {
            return;
        };
        let lines = &found.lines;
        let row = row(app);
        // While nothing is there yet the window has about the size it will have.
        let widest = lines.iter().map(|line| text::width(line)).max();
        let width = widest.unwrap_or(58).max(40) as u16;
        let height = match lines.len() {
            0 => screen.height,
            some => some as u16,
        };
        let title = app.home().title.as_str();
        let depth = depth_words(app.review_ply(app.match_in_review()));
        // In a variation they stay those of the match.
        let name = match app.variation.is_some() && app.played().is_none() {
            true => format!("statistics of the match, {depth}"),
            false => format!("statistics, {depth}"),
        };
        let area = window(paint, screen, (width, height), &name, title);
        if lines.is_empty() {
            paint.line(area, 0, &[("being worked out …", Role::OverlayMuted)]);
        }
        let area = match paint.is_beside {
            true => below_games(paint, area, &found.games),
            false => area,
        };
        let rows = usize::from(area.height);
        let first = row.min(lines.len().saturating_sub(rows));
        for (y, (place, line)) in (0u16..).zip(lines.iter().enumerate().skip(first).take(rows)) {
            // Heads of tables follow an empty line.
            let is_head = place == 0 || lines[place - 1].is_empty();
            let role = if is_head {
                Role::OverlayTitle
            } else {
                Role::Overlay
            };
            if NamedMove::at_start(line).is_some() {
                paint.target(window::rows(area, y, 1), Target::Row(place));
            }
            let line = text::cut(line, usize::from(area.width));
            // The signs of the players have their colours.
            let parts = line.split_inclusive(['●', '○']).flat_map(|part| {
                let sign = [Player::Left, Player::Right].map(disc);
                let sign = sign.into_iter().find(|(sign, _)| part.ends_with(sign));
                let words = sign.map_or(part, |(sign, _)| part.strip_suffix(sign).unwrap_or(part));
                [Some((words, role)), sign].into_iter().flatten()
            });
            paint.line(area, y, &parts.collect::<Vec<_>>());
            if paint.is_beside {
                draw_bars(paint, window::rows(area, y, 1), found, place);
            }
        }
        more(paint, area, first, lines.len().saturating_sub(first + rows));
    }

    /// Lines are turned, not selected: the last page is the end.
    fn rows(&self, app: &App) -> usize {
        // Beside the board the top line stands above the window.
        let games = shown(app).map_or(0, |found| found.games.len());
        let around = match (app.has_window_beside(), games) {
            (false, _) => 3,
            (true, 0 | 1) => 4,
            (true, _) => 4 + GAMES,
        };
        let page = usize::from(app.areas.screen.height.saturating_sub(around));
        let lines = shown(app).map_or(0, |found| found.lines.len());
        lines.saturating_sub(page) + 1
    }

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        if action == ActionId::CopyTable {
            let text = shown(app).map(|found| found.text.clone());
            let text = text.filter(|text| !text.is_empty());
            copied_windows::copy(app, text.map(|text| ("statistics", text)));
        }
        action == ActionId::CopyTable
    }

    /// A line about a move leads there. In a variation the moves in view are others.
    fn click(&self, app: &mut App, row: usize) -> bool {
        let line = shown(app).and_then(|found| found.lines.get(row));
        let named = line.and_then(|line| NamedMove::at_start(line));
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
}

/// Shows the statistics of the match, or says why there are none; of another match nothing is shown.
pub(crate) fn found(app: &mut App, generation: u64, statistics: Result<MatchStatistics, String>) {
    if generation != app.match_in_review().generation {
        return;
    }
    let shown = match app.overlay.as_mut().map(Overlay::below_keys) {
        Some(Overlay::Statistics { found, .. }) => found,
        // The window was closed before.
        _ => return,
    };
    match statistics {
        Ok(statistics) => *shown = statistics,
        Err(why) => {
            app.overlay = None;
            app.warn(why);
        }
    }
}
