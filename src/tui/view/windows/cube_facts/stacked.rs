//! The window of a cube decision where there is little room: all below each other, and the window scrolls with the
//! selected roll.

use ratatui::layout::Rect;

use super::pane::Pane;
use crate::game::Roll;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::{Line, Paint};
use crate::tui::view::drawing::window::scrolled;
use crate::tui::view::drawing::words::packed;

/// Rows of the map: its heading, and one for each die.
const MAP: usize = 7;

pub(super) fn draw(
    paint: &mut Paint<'_>,
    area: Rect,
    pane: &Pane<'_>,
    rolled: Option<String>,
    roll: usize,
) {
    let above = above_map(pane, area.width, rolled, roll);
    let map = if pane.over_map().is_some() { MAP } else { 0 };
    let count = above.len() + map;
    // With the first roll the window begins at its top.
    let at = match (Roll::ALL.get(roll), map) {
        _ if roll == 0 => 0,
        (Some(roll), MAP) => above.len() + usize::from(roll.high()),
        _ => count.saturating_sub(1),
    };
    scrolled(
        paint,
        area,
        at,
        count,
        &mut |paint, line, i| match above.get(i) {
            Some(words) => paint.lines(line, std::slice::from_ref(words)),
            None => pane.map_row(paint, line, (i - above.len()) as u8, roll),
        },
    );
}

/// All lines but the rows of the map.
fn above_map(pane: &Pane<'_>, columns: u16, rolled: Option<String>, roll: usize) -> Vec<Line> {
    let width = usize::from(columns);
    let wrapped = |words: &str, role| {
        let lines = text::wrap(words, width, 4).into_iter();
        lines
            .map(move |line| vec![(line, role)])
            .collect::<Vec<Line>>()
    };
    let mut all = wrapped(pane.action(), Role::OverlayTitle);
    let chances = packed(&pane.chances(), "  ", width).into_iter();
    all.extend(chances.map(|line| vec![(line, Role::Overlay)]));
    all.extend(pane.actions(width));
    all.extend(wrapped(&rolled.unwrap_or_default(), Role::Overlay));
    all.extend(pane.window(columns));
    all.extend(wrapped(&pane.cubeless(), Role::Overlay));
    all.extend(pane.facts(width));
    for line in [pane.effective_pips(), pane.losers(usize::MAX)].concat() {
        let words: String = line.into_iter().map(|(words, _)| words).collect();
        all.extend(wrapped(&words, Role::Overlay));
    }
    if let Some(words) = pane.over_map() {
        all.extend(wrapped(words, Role::OverlayMuted));
    }
    for line in pane.selected(roll) {
        let words = line.iter().map(|(words, _)| words.as_str());
        all.extend(wrapped(&words.collect::<String>(), Role::OverlayKey));
    }
    all
}
