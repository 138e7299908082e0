//! The board as a picture of block characters.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::tui::board::cache::PictureCache;
use crate::tui::board::palette::Palette;
use crate::tui::board::picture::{Picture, Subject};
use crate::tui::view::drawing::paint::Paint;

pub(super) fn draw(
    paint: &mut Paint<'_>,
    board: Rect,
    subject: Subject,
    palette: Palette,
    cache: &PictureCache,
) {
    cache.with(subject, palette, |picture, palette| {
        blit(paint, board, picture);
        for label in &picture.labels {
            let style = Style::new()
                .fg(palette.tone(label.ink).colour)
                .bg(palette.tone(label.ground).colour)
                .add_modifier(Modifier::BOLD);
            let (x, y) = (board.x + label.x, board.y + label.y);
            let most = board.right().saturating_sub(x);
            paint.put_styled(x, y, most, &label.text, style);
        }
    });
}

/// Puts the cells of a picture on the screen.
fn blit(paint: &mut Paint<'_>, board: Rect, picture: &Picture) {
    let inside = board.intersection(paint.buffer.area);
    for (i, cell) in (0u32..).zip(&picture.cells) {
        let width = u32::from(picture.width);
        let (x, y) = (board.x + (i % width) as u16, board.y + (i / width) as u16);
        if !inside.contains((x, y).into()) {
            continue;
        }
        let target = &mut paint.buffer[(x, y)];
        target.reset();
        target.set_char(cell.sign).set_bg(cell.bg);
        if let Some(fg) = cell.fg {
            target.set_fg(fg);
        }
    }
}
