//! A game of a transcript that is corrected, in view of what its file has.

use super::later_games::{LaterGames, Withheld};
use super::played_match::PlayedMatch;
use crate::match_file::Match;
use crate::match_file::write::Target;

impl PlayedMatch {
    /// The match as its file has it, as far as that is not what is in view.
    pub fn in_file(&self) -> &Match {
        let later = self.later.as_ref();
        later.map_or(&self.record, |later| &*later.in_file)
    }

    /// The match as its file has it, once it is left.
    pub fn into_file(self) -> Match {
        match self.later {
            Some(later) => *later.in_file,
            None => self.record,
        }
    }

    /// Why the game in view is not in the file as it stands; `None` where it is.
    pub fn withheld(&self) -> Option<&Withheld> {
        self.later.as_ref()?.withheld.as_ref()
    }

    /// Why the game in view cannot be followed by the later ones, in words.
    pub fn misfit(&self) -> Option<&str> {
        match self.withheld()? {
            Withheld::Misfit(why) => Some(why),
            Withheld::NotOver => None,
        }
    }

    /// The text that the file of the match gets now; `None` where it stays as it is.
    pub fn text_to_write(&mut self) -> Option<String> {
        let Some(later) = &mut self.later else {
            return Some(Target::Mat.write(&self.record));
        };
        let text = later.text_to_write(&self.record);
        // Nothing was played in what came behind the end of the match.
        self.later.take_if(|later| later.is_empty());
        text
    }

    /// Goes to the next game: the one that is there, or a new one. Of a game that is over nothing is to be written.
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
