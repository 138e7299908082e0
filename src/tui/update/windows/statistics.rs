//! What the match comes to for both players.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::game::Player;
use crate::review::depth_words;
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

fn shown(app: &App) -> Option<&MatchStatistics> {
    match &app.overlay {
        Some(Overlay::Statistics { found, .. }) => Some(found),
        _ => None,
    }
}

impl Window for Statistics {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(MatchStatistics { lines, .. }) = shown(app) else {
            return;
        };
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
        }
        more(paint, area, first, lines.len().saturating_sub(first + rows));
    }

    /// Lines are turned, not selected: the last page is the end.
    fn rows(&self, app: &App) -> usize {
        // Beside the board the top line stands above the window.
        let around = if app.has_window_beside() { 4 } else { 3 };
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
