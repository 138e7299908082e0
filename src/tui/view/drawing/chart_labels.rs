//! The values to the left of a chart.

use ratatui::layout::Rect;

use super::paint::Paint;
use crate::tui::text;
use crate::tui::theme::Role;

/// Columns of the values, with a free one on both sides.
pub(crate) const LABELS: u16 = 8;

/// Writes the value of the line in row `y` to the left of a chart in `area`.
pub(crate) fn label_line(paint: &mut Paint<'_>, area: Rect, y: u16, value: &str) {
    let label = text::fit_right(value, usize::from(LABELS - 2));
    paint.put(area.x + 1, y, LABELS - 2, &label, Role::Muted);
}
