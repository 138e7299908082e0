//! The picture of the board that was drawn last.

use std::cell::RefCell;

use super::glyphs::{Glyph, glyphs};
use super::palette::Palette;
use super::picture::{Picture, Subject};

/// The picture drawn last: nothing is worked out again while nothing in it has changed.
#[derive(Debug, Default)]
pub struct PictureCache(RefCell<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    subject: Subject,
    palette: Palette,
    glyphs: Vec<Glyph>,
    picture: Picture,
}

impl PictureCache {
    /// Shows the picture of a board, made anew where it is another one than the last.
    pub fn with(&self, subject: Subject, palette: Palette, show: impl FnOnce(&Picture, &Palette)) {
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
