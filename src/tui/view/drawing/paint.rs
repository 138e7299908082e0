//! Writing into the screen's cells, clipped, by role.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::screen::targets::{Target, Targets};
use crate::tui::text;
use crate::tui::theme::{Role, Theme};

/// A line of words.
pub(crate) type Line = Vec<(String, Role)>;

/// A buffer with the theme to paint it in. Nothing outside the buffer is ever touched.
pub(crate) struct Paint<'a> {
    pub(crate) buffer: &'a mut Buffer,
    theme: &'a Theme,
    /// Nothing outside is written to.
    pub(crate) clip: Rect,
    /// What can be pointed at.
    pub(crate) targets: Targets,
    /// Whether charts are drawn with characters of ASCII alone.
    pub(crate) is_ascii: bool,
    /// Whether the window in view stands beside the board, and fills its place.
    pub(crate) is_beside: bool,
}

impl<'a> Paint<'a> {
    pub(crate) fn new(buffer: &'a mut Buffer, theme: &'a Theme) -> Self {
        Self {
            clip: buffer.area,
            buffer,
            theme,
            targets: Targets::default(),
            is_ascii: false,
            is_beside: false,
        }
    }

    pub(crate) fn theme(&self) -> &'a Theme {
        self.theme
    }

    pub(crate) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// Says what a click into what is drawn at `area` means.
    pub(crate) fn target(&mut self, area: Rect, target: Target) {
        self.targets
            .add(area.intersection(self.buffer.area), target);
    }

    /// Empties `area` and gives it the look of `role`.
    pub(crate) fn fill(&mut self, area: Rect, role: Role) {
        let style = self.style(role);
        let area = area.intersection(self.clip).intersection(self.buffer.area);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                self.buffer[(x, y)].reset();
            }
        }
        self.buffer.set_style(area, style);
    }

    /// Whether nothing stands in `area`.
    pub(crate) fn is_blank(&self, area: Rect) -> bool {
        let area = area.intersection(self.buffer.area);
        area.positions()
            .all(|cell| self.buffer[cell].symbol().trim().is_empty())
    }

    /// Shows `area` as selected. Themes that reverse the row get it in one piece: reversed colours
    /// side by side would be a row of patches.
    pub(crate) fn select(&mut self, area: Rect, role: Role) {
        use ratatui::style::Modifier;
        let style = self.style(role);
        let area = area.intersection(self.clip).intersection(self.buffer.area);
        if style.add_modifier.contains(Modifier::REVERSED) {
            for y in area.top()..area.bottom() {
                for x in area.left()..area.right() {
                    let cell = &mut self.buffer[(x, y)];
                    cell.fg = ratatui::style::Color::Reset;
                    cell.bg = ratatui::style::Color::Reset;
                    cell.modifier -= Modifier::DIM;
                }
            }
        }
        self.buffer.set_style(area, style);
    }

    /// Writes at most `most` columns of `text`; answers how many it took.
    pub(crate) fn put(&mut self, x: u16, y: u16, most: u16, text: &str, role: Role) -> u16 {
        let style = self.style(role);
        self.put_styled(x, y, most, text, style)
    }

    pub(crate) fn put_styled(
        &mut self,
        x: u16,
        y: u16,
        most: u16,
        text: &str,
        style: Style,
    ) -> u16 {
        let area = self.clip.intersection(self.buffer.area);
        if y < area.top() || y >= area.bottom() || x < area.left() || x >= area.right() {
            return 0;
        }
        let most = most.min(area.right() - x);
        // Text from outside is cleaned where it comes in; here again, so that nothing slips through.
        let clean = if text::is_clean(text) {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(text::clean(text, usize::from(most)))
        };
        let (end, _) = self
            .buffer
            .set_stringn(x, y, clean, usize::from(most), style);
        end - x
    }

    /// Writes words one after another in a row of `area`; answers the column after them.
    pub(crate) fn line(&mut self, area: Rect, row: u16, words: &[(&str, Role)]) -> u16 {
        if row >= area.height {
            return area.x;
        }
        let mut x = area.x;
        for (word, role) in words {
            let most = area.right().saturating_sub(x);
            x += self.put(x, area.y + row, most, word, *role);
        }
        x
    }

    /// Writes lines below each other.
    pub(crate) fn lines(&mut self, area: Rect, lines: &[Line]) {
        for (row, line) in (0u16..).zip(lines) {
            let words: Vec<(&str, Role)> = line.iter().map(|(w, r)| (w.as_str(), *r)).collect();
            self.line(area, row, &words);
        }
    }

    /// Writes words so that they end at the right edge of `area`; answers where they begin.
    pub(crate) fn line_right(&mut self, area: Rect, row: u16, words: &[(&str, Role)]) -> u16 {
        let all: usize = words.iter().map(|(w, _)| text::width(w)).sum();
        let x = area.right().saturating_sub(all as u16).max(area.x);
        let part = Rect {
            x,
            width: area.right() - x,
            ..area
        };
        self.line(part, row, words);
        x
    }
}
