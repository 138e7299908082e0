//! Caches the last picture of the board.

use std::cell::RefCell;

use super::glyphs::Fitter;
use super::palette::Palette;
use super::picture::{Picture, Subject};

/// The picture drawn last. It is reused while nothing in it changes.
#[derive(Debug, Default)]
pub struct PictureCache(RefCell<Option<Kept>>);

#[derive(Debug)]
struct Kept {
    subject: Subject,
    palette: Palette,
    fitter: Fitter,
    picture: Picture,
}

impl PictureCache {
    /// Calls `show` with the picture of a board, drawing it only if it differs from the last.
    pub fn with(&self, subject: Subject, palette: Palette, show: impl FnOnce(&Picture, &Palette)) {
        let mut kept = self.0.borrow_mut();
        let is_same = |kept: &&mut Kept| kept.subject == subject && kept.palette == palette;
        if kept.as_mut().filter(is_same).is_none() {
            let is_alike =
                |last: &Kept| last.subject.glyphs == subject.glyphs && last.palette == palette;
            let mut fitter = match kept.take() {
                Some(last) if is_alike(&last) => last.fitter,
                _ => Fitter::new(subject.glyphs),
            };
            let picture = Picture::of(&subject, &palette, &mut fitter);
            *kept = Some(Kept {
                subject,
                palette,
                fitter,
                picture,
            });
        }
        if let Some(kept) = &*kept {
            show(&kept.picture, &kept.palette);
        }
    }
}
