//! The frame of a window over the screen.

use ratatui::layout::Rect;

use super::paint::Paint;
use crate::tui::text;
use crate::tui::theme::Role;

/// An empty window in the middle of the screen; answers its inside.
pub(super) fn window(
    paint: &mut Paint<'_>,
    screen: Rect,
    width: u16,
    height: u16,
    name: &str,
    side: &str,
) -> Rect {
    let width = (width + 4).min(screen.width);
    let height = (height + 2).min(screen.height.saturating_sub(1)).max(1);
    let area = Rect::new(
        screen.x + (screen.width - width) / 2,
        screen.y + (screen.height - height.min(screen.height)) / 2,
        width,
        height.min(screen.height),
    );
    paint.fill(area, Role::Overlay);
    let last = area.bottom().saturating_sub(1);
    for (y, left, right) in [(area.y, "╭", "╮"), (last, "╰", "╯")] {
        for x in area.left()..area.right() {
            paint.put(x, y, 1, "─", Role::OverlayMuted);
        }
        paint.put(area.x, y, 1, left, Role::OverlayMuted);
        paint.put(
            area.right().saturating_sub(1),
            y,
            1,
            right,
            Role::OverlayMuted,
        );
    }
    for y in area.y + 1..last {
        for x in [area.x, area.right().saturating_sub(1)] {
            paint.put(x, y, 1, "│", Role::OverlayMuted);
        }
    }
    let most = area.width.saturating_sub(4);
    let used = paint.put(
        area.x + 2,
        area.y,
        most,
        &format!(" {name} "),
        Role::OverlayTitle,
    );
    let side_width = text::width(side) as u16 + 2;
    if !side.is_empty() && used + side_width + 6 < area.width {
        let x = area.right() - side_width - 2;
        paint.put(
            x,
            area.y,
            side_width,
            &format!(" {side} "),
            Role::OverlayMuted,
        );
    }
    Rect::new(
        area.x + 2,
        area.y + 1,
        area.width.saturating_sub(4),
        area.height.saturating_sub(2),
    )
}
