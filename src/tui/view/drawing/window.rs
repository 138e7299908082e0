//! The frame of a window over the screen, and the list in it.

use ratatui::layout::Rect;
use ratatui::widgets::{Block, BorderType, Borders, Padding, Widget as _};

use super::paint::Paint;
use crate::tui::keys::ActionId;
use crate::tui::screen::targets::Target;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::windows::library::TypedFilter;
use crate::tui::windows::overlay::first_row;

/// Columns of a window with a line for each key or sign, where the screen has them.
pub(crate) const WIDEST: u16 = 160;

/// An empty window in the middle of the screen, or all over its place beside the board; answers its inside.
pub(crate) fn window(
    paint: &mut Paint<'_>,
    screen: Rect,
    (width, height): (u16, u16),
    name: &str,
    side: &str,
) -> Rect {
    if paint.is_beside {
        return window_at(paint, screen, name, side);
    }
    let width = (width + 4).min(screen.width);
    let height = (height + 2).min(screen.height.saturating_sub(1)).max(1);
    let height = height.min(screen.height);
    let area = Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    };
    paint.fill(cleared(screen, area), Role::Text);
    window_at(paint, area, name, side)
}

/// A window with the strips beside it: both are cleared where one is too narrow to show more than ends of words.
pub(crate) fn cleared(screen: Rect, window: Rect) -> Rect {
    /// Columns that are worth looking at.
    const LEAST: u16 = 12;
    let strips = [
        window.x.saturating_sub(screen.x),
        screen.right().saturating_sub(window.right()),
    ];
    let [left, right] = match strips.iter().any(|strip| *strip < LEAST) {
        true => strips,
        false => [0; 2],
    };
    Rect {
        x: window.x - left,
        width: left + window.width + right,
        ..window
    }
}

/// Draws a window at a place; returns the area inside.
pub(crate) fn window_at(paint: &mut Paint<'_>, area: Rect, name: &str, side: &str) -> Rect {
    let width = area.width;
    paint.fill(area, Role::Overlay);
    paint.target(area, Target::Ground);
    let sides = match paint.is_beside {
        true => Borders::TOP | Borders::BOTTOM,
        false => Borders::ALL,
    };
    let block = Block::new()
        .borders(sides)
        .border_type(BorderType::Rounded)
        .border_style(paint.style(Role::OverlayMuted))
        .padding(Padding::horizontal(1));
    let inside = block.inner(area);
    block.render(area, paint.buffer);
    // Nothing in the window is written over its sides.
    paint.clip = Rect {
        x: area.x + 1.min(width),
        width: width.saturating_sub(2),
        ..area
    };
    // Not as titles of the block: all text is cleaned by `put`.
    let most = width.saturating_sub(4);
    let name = format!(" {name} ");
    let used = paint.put(area.x + 2, area.y, most, &name, Role::OverlayTitle);
    let room = text::width(side) as u16 + 2;
    if !side.is_empty() && has_room(width, used, room) {
        let (x, side) = (area.right() - room - 2, format!(" {side} "));
        paint.put(x, area.y, room, &side, Role::OverlayMuted);
    }
    inside
}

/// Whether the title of a window has room for words at its right end beside its name.
fn has_room(width: u16, name: u16, words: u16) -> bool {
    name + words + 6 < width
}

/// The first of these that has room beside the name in the title of a window so many columns wide.
pub(crate) fn side_that_fits(width: u16, name: &str, sides: &[String]) -> String {
    let wide = |words: &str| text::width(words) as u16 + 2;
    let mut sides = sides.iter();
    let fitting = sides.find(|side| has_room(width, wide(name), wide(side)));
    fitting.cloned().unwrap_or_default()
}

/// The title of a window that shows what a filter finds, if there is one.
pub(crate) fn title_with_filter(title: &str, filter: Option<&TypedFilter>) -> String {
    match filter {
        Some(filter) => format!("{title}: {}", text::cut(&filter.text, 30)),
        None => title.to_owned(),
    }
}

/// Has a click on the title of the window with this inside do what an action does.
pub(crate) fn title_acts(paint: &mut Paint<'_>, inside: Rect, action: ActionId) {
    if let Some(y) = inside.y.checked_sub(1) {
        let title = Rect {
            y,
            height: 1,
            ..inside
        };
        paint.target(title, Target::Action(action));
    }
}

/// `count` rows of `area` from row `first` on, as far as it has them.
pub(crate) fn rows(area: Rect, first: u16, count: u16) -> Rect {
    let first = first.min(area.height);
    Rect {
        y: area.y + first,
        height: count.min(area.height - first),
        ..area
    }
}

/// The rows of a list that fit, around the selected one.
pub(crate) fn list(
    paint: &mut Paint<'_>,
    area: Rect,
    selected: usize,
    count: usize,
    draw: &mut dyn FnMut(&mut Paint<'_>, Rect, usize),
) {
    let height = usize::from(area.height);
    let near = if selected == usize::MAX { 0 } else { selected };
    let first = first_row(near, height, count);
    for (y, i) in (area.y..area.bottom()).zip(first..count) {
        let line = Rect::new(area.x, y, area.width, 1);
        draw(paint, line, i);
        paint.target(line, Target::Row(i));
        if i == selected {
            paint.select(line, Role::OverlayCursor);
        }
    }
    more(paint, area, first, count.saturating_sub(first + height));
}

/// Rows of a window that is too small for all of them, as far down as shows row `at`.
pub(crate) fn scrolled(
    paint: &mut Paint<'_>,
    area: Rect,
    at: usize,
    count: usize,
    draw: &mut dyn FnMut(&mut Paint<'_>, Rect, usize),
) {
    let height = usize::from(area.height);
    let first = (at + 1).saturating_sub(height);
    for (y, i) in (area.y..area.bottom()).zip(first..count) {
        draw(paint, Rect::new(area.x, y, area.width, 1), i);
    }
    more(paint, area, first, count.saturating_sub(first + height));
}

/// Says in the lower side of the window with this inside how many rows are hidden above, and how many more follow.
pub(crate) fn more(paint: &mut Paint<'_>, area: Rect, above: usize, below: usize) {
    let words = match (above, below) {
        (0, 0) => return,
        (0, _) => format!(" {below} more "),
        (_, 0) => format!(" {above} above "),
        _ => format!(" {above} above, {below} more "),
    };
    if area.height > 0 && area.bottom() < paint.buffer.area.bottom() {
        let foot = Rect::new(area.x, area.bottom(), area.width, 1);
        let is_frame = foot.x < foot.right() && paint.buffer[(foot.x, foot.y)].symbol() == "─";
        if is_frame {
            paint.line_right(foot, 0, &[(&words, Role::OverlayMuted)]);
        }
    }
}

/// Writes words into the lower side of the window with this inside, at the left of what a list says there.
pub(crate) fn foot(paint: &mut Paint<'_>, inside: Rect, words: &str) {
    /// Columns of `123 above, 1234 more`, with the spaces around it.
    const MORE: u16 = 22;
    let y = inside.bottom();
    if inside.is_empty() || y >= paint.buffer.area.bottom() {
        return;
    }
    let room = inside.width.saturating_sub(MORE);
    let words = text::cut(&format!(" {words} "), usize::from(room));
    paint.put(inside.x, y, room, &words, Role::OverlayTitle);
}

/// Leaves the last rows of `area` to what the selected row says at length; answers the rest.
/// They are two, and more for a long text where the list keeps three quarters.
pub(crate) fn with_description(paint: &mut Paint<'_>, area: Rect, words: &str) -> Rect {
    const LINES: u16 = 2;
    /// Most lines of a description.
    const MOST: usize = 20;
    if area.height < 4 * (LINES + 1) {
        return area;
    }
    let wanted = text::wrap(words, usize::from(area.width), MOST).len() as u16;
    description(paint, area, words, wanted.clamp(LINES, area.height / 4 - 1))
}

/// `words` in the last `lines` rows of `area`, under a rule; answers the rest.
pub(crate) fn description(paint: &mut Paint<'_>, area: Rect, words: &str, lines: u16) -> Rect {
    let above = Rect {
        height: area.height.saturating_sub(lines + 1),
        ..area
    };
    let below = Rect {
        y: above.bottom(),
        height: area.height - above.height,
        ..area
    };
    let rule = "─".repeat(usize::from(below.width));
    paint.line(below, 0, &[(&rule, Role::OverlayMuted)]);
    let lines = text::wrap(words, usize::from(below.width), usize::from(lines));
    for (row, line) in (1..).zip(&lines) {
        paint.line(below, row, &[(line, Role::Overlay)]);
    }
    above
}
