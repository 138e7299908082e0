//! A line of a window to type in.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use tui_input::Input;

use super::paint::Paint;
use crate::tui::text;
use crate::tui::theme::Role;

/// The line being typed, in the first row of `area`.
pub(crate) fn prompt(paint: &mut Paint<'_>, area: Rect, sign: &str, input: &Input) {
    let line = Rect {
        height: 1.min(area.height),
        ..area
    };
    paint.fill(line, Role::Input);
    let room = usize::from(line.width).saturating_sub(3);
    let scroll = input.visual_scroll(room.max(1));
    // The line scrolls by columns; what is cut on the left is whole characters.
    let mut skipped = 0;
    let is_cut = |c: &char| {
        let skip = skipped < scroll;
        skipped += text::width(&c.to_string());
        skip
    };
    let visible: String = input.value().chars().skip_while(is_cut).collect();
    let words = [sign, " ", &visible].map(|word| (word, Role::Input));
    paint.line(line, 0, &words);
    let at = input.visual_cursor().saturating_sub(scroll) as u16;
    cursor(
        paint,
        Rect::new(line.x + 2 + at, line.y, 1, 1).intersection(line),
    );
}

/// Shows that what is typed next takes the place of the line: it stands reversed, up to the cursor.
pub(crate) fn select(paint: &mut Paint<'_>, area: Rect, input: &Input) {
    let wide = text::width(input.value()) as u16;
    cursor(
        paint,
        Rect::new(area.x + 2, area.y, wide, 1).intersection(area),
    );
}

pub(crate) fn cursor(paint: &mut Paint<'_>, cell: Rect) {
    let style = Style::new().add_modifier(Modifier::REVERSED);
    paint.buffer.set_style(cell, style);
}

/// The part of a window below its line to type in.
pub(crate) fn below(area: Rect) -> Rect {
    Rect {
        y: area.y + 2.min(area.height),
        height: area.height.saturating_sub(2),
        ..area
    }
}
