//! The board as a picture of block characters.

use std::cell::RefCell;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::tui::board::glyphs::{Glyph, glyphs};
use crate::tui::board::palette::Palette;
use crate::tui::board::picture::{Picture, Subject};
use crate::tui::view::paint::Paint;

/// The picture drawn last: nothing is worked out again while nothing in it has changed.
#[derive(Debug, Default)]
pub(in crate::tui) struct PictureCache(RefCell<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    subject: Subject,
    palette: Palette,
    glyphs: Vec<Glyph>,
    picture: Picture,
}

impl PictureCache {
    /// Shows the picture of a board, made anew where it is another one than the last.
    fn with(&self, subject: Subject, palette: Palette, show: impl FnOnce(&Picture, &Palette)) {
        let mut kept = self.0.borrow_mut();
        let is_same = |kept: &&mut Kept| kept.subject == subject && kept.palette == palette;
        if kept.as_mut().filter(is_same).is_none() {
            let glyphs = match kept.take() {
                Some(last) if last.subject.glyphs == subject.glyphs => last.glyphs,
                _ => glyphs(subject.glyphs),
            };
            let picture = Picture::of(&subject, &palette, &glyphs);
            *kept = Some(Kept {
                subject,
                palette,
                glyphs,
                picture,
            });
        }
        if let Some(kept) = &*kept {
            show(&kept.picture, &kept.palette);
        }
    }
}

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
