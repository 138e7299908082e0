//! The last match played against the program, in any session: offered again while it is unfinished.

use std::path::Path;

use super::App;
use crate::store::clock;
use crate::store::file::whole_path;
use crate::store::session::SavedPlay;
use crate::tui::documents::places::{Openable, is_same};
use crate::tui::documents::played_match::LastPlay;

impl App {
    /// The file of the unfinished match against the program, unless it is displayed.
    pub fn match_to_go_on(&self) -> Option<&Path> {
        let last = self.last_play.as_ref().filter(|last| !last.is_over)?;
        let in_view = self.home().record.path.clone().map(Openable::File);
        let is_in_view = in_view.is_some_and(|it| is_same(&it, &Openable::File(last.path.clone())));
        (!is_in_view).then_some(&*last.path)
    }

    /// Records that the displayed match is being played. Until the person has acted in it, another unfinished match
    /// remains the one to continue.
    pub fn note_play(&mut self) {
        let Some(played) = self.played().filter(|played| !played.is_transcribed()) else {
            return;
        };
        if !played.is_begun() && self.match_to_go_on().is_some() {
            return;
        }
        self.last_play = Some(LastPlay {
            path: played.file.path.clone(),
            is_over: played.record.is_won(),
            micros: clock::micros(),
            record: Some(Box::new(played.record.clone())),
        });
    }

    /// Records that the last match cannot be continued.
    pub fn end_last_play(&mut self) {
        if let Some(last) = &mut self.last_play {
            (last.is_over, last.micros) = (true, clock::micros());
        }
    }

    /// The saved form of the last match; `None` if its path is not UTF-8.
    pub(crate) fn saved_play(&self) -> Option<SavedPlay> {
        let last = self.last_play.as_ref()?;
        let path = whole_path(&last.path);
        path.to_str()?;
        Some(SavedPlay {
            path,
            is_over: last.is_over,
            micros: last.micros,
        })
    }

    /// Restores the last match of an earlier session. Its file is read when it is continued.
    pub(crate) fn resume_play(&mut self, saved: Option<&SavedPlay>) {
        self.last_play = saved.map(|saved| LastPlay {
            path: saved.path.clone(),
            is_over: saved.is_over,
            micros: saved.micros,
            record: None,
        });
    }
}
