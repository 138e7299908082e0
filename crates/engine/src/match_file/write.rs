//! The writers, chosen by the extension of the file to write.

use std::collections::BTreeMap;

use super::model::{Comment, Match};
use super::place::EventPlace;
use super::{json, mat, positions, sgf};
use crate::sanitize;

/// A format that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Match text as GNU Backgammon and eXtreme Gammon read it.
    Mat,
    /// Match text for people; positions become one XGID per line.
    Text,
    /// SGF as GNU Backgammon reads it.
    Sgf,
    /// Luckless's own JSON, the complete model.
    Json,
}

impl Target {
    /// The extensions of the formats, for messages.
    pub const EXTENSIONS: &'static str = ".mat, .txt, .sgf and .json";

    /// Returns the format with an extension, given without a dot.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match &*extension.to_ascii_lowercase() {
            "mat" => Some(Self::Mat),
            "txt" => Some(Self::Text),
            "sgf" => Some(Self::Sgf),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// Returns whether the format stores variations and remarks on actions.
    pub fn holds_variations(self) -> bool {
        matches!(self, Self::Sgf | Self::Json)
    }

    /// Writes a match. A list of positions is written as XGIDs with remarks, because match text cannot
    /// contain it.
    pub fn write(self, record: &Match) -> String {
        let is_list = record.played().next().is_none() && !record.positions.is_empty();
        match self {
            Self::Mat | Self::Text if is_list => {
                let all = record.positions.iter();
                let lines = all.map(positions::line);
                lines.collect()
            }
            Self::Mat => mat::write::write(record),
            Self::Text => mat::write::write_plain(record),
            Self::Sgf => sgf::write::write(record),
            Self::Json => json::write(record),
        }
    }
}

impl Match {
    /// Adds notes on events, by game and event, after the existing comments. Skips a note that a comment
    /// already contains, as in a match that was written with its notes.
    pub fn add_notes(&mut self, notes: &BTreeMap<EventPlace, String>) {
        for (&(game, event), note) in notes {
            let text = sanitize::clean(note).trim().to_owned();
            let mut here = self.comments.iter();
            let is_here = |c: &Comment| (c.game, c.event) == (game, Some(event));
            if !text.is_empty() && !here.any(|c| is_here(c) && c.text.contains(&text)) {
                self.comments.push(Comment {
                    game,
                    event: Some(event),
                    text,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_added_after_existing_comments() {
        let place = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../sample_matches/clara-dev-3pt.mat"
        );
        let mut record = crate::match_file::read(std::path::Path::new(place)).unwrap();
        record.comments.push(Comment {
            game: 0,
            event: Some(2),
            text: "of the file".to_owned(),
        });
        let notes = [((0, 2), "mine"), ((1, 0), "too\u{1b}loose")];
        let notes: BTreeMap<_, _> = notes.map(|(place, text)| (place, text.to_owned())).into();
        record.add_notes(&notes);
        for target in [Target::Sgf, Target::Json] {
            let text = target.write(&record);
            assert_eq!(target.left_out(&record, &text), [""; 0]);
            let mut again = crate::match_file::read_bytes(text.as_bytes(), "x").unwrap();
            let found = |record: &Match| -> Vec<_> {
                let all = record.comments.iter();
                all.map(|c| ((c.game, c.event), c.text.clone())).collect()
            };
            let comments = found(&again);
            assert_eq!(comments[0], ((0, Some(2)), "of the file\nmine".to_owned()));
            assert_eq!(comments[1].0, (1, Some(0)));
            assert!(!comments[1].1.contains('\u{1b}'));
            // Adding the notes again changes nothing.
            again.add_notes(&notes);
            assert_eq!(found(&again), comments);
        }
        let text = Target::Mat.write(&record);
        let left_out = Target::Mat.left_out(&record, &text);
        assert!(
            left_out.iter().any(|line| line.ends_with("remark × 3")),
            "{left_out:?}"
        );
    }
}
