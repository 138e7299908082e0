//! Correction of a game in a transcript, while its file has the former game.

use super::later_games::{LaterGames, Withheld};
use super::played_match::PlayedMatch;
use crate::match_file::Match;
use crate::match_file::write::Target;

impl PlayedMatch {
    /// The match as in its file, if it differs from the displayed one.
    pub fn in_file(&self) -> &Match {
        let later = self.later.as_ref();
        later.map_or(&self.record, |later| &*later.in_file)
    }

    /// The match as in its file, when the transcript is closed.
    pub fn into_file(self) -> Match {
        match self.later {
            Some(later) => *later.in_file,
            None => self.record,
        }
    }

    /// The reason why the displayed game is not yet in the file; `None` if it is.
    pub fn withheld(&self) -> Option<&Withheld> {
        self.later.as_ref()?.withheld.as_ref()
    }

    /// The reason why the later games do not fit the displayed game.
    pub fn misfit(&self) -> Option<&str> {
        match self.withheld()? {
            Withheld::Misfit(why) => Some(why),
            Withheld::NotOver => None,
        }
    }

    /// The new text of the match's file; `None` if it stays unchanged.
    pub fn text_to_write(&mut self) -> Option<String> {
        let Some(later) = &mut self.later else {
            return Some(Target::Mat.write(&self.record));
        };
        let text = later.text_to_write(&self.record);
        // An empty game after the end of the match is dropped.
        self.later.take_if(|later| later.is_empty());
        text
    }

    /// Goes to the next game, existing or new. The finished game must already be written.
    pub fn go_to_next_game(&mut self) {
        let next = self.game() + 1;
        match self.later.take() {
            Some(later) => {
                self.record = *later.in_file;
                self.later = LaterGames::split_off(&mut self.record, next);
            }
            None => self.record.add_next_game(),
        }
        self.has_ended = self.record.has_ended();
    }
}
