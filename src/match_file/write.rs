//! The writers, by the extension of the file to be written.

use super::model::Match;
use super::{json, mat, sgf};
use crate::notation::xgid_text;

/// A format that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Match text as GNU Backgammon and eXtreme Gammon read it.
    Mat,
    /// Match text as people read it; of positions, one XGID a line.
    Text,
    /// SGF as GNU Backgammon reads it.
    Sgf,
    /// Our own form, with all that is known.
    Json,
}

impl Target {
    /// The extensions of the formats, for messages.
    pub const EXTENSIONS: &'static str = ".mat, .txt, .sgf and .json";

    /// The format of an extension, without its dot.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        match &*extension.to_ascii_lowercase() {
            "mat" => Some(Self::Mat),
            "txt" => Some(Self::Text),
            "sgf" => Some(Self::Sgf),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// Writes a match. A list of positions has no match text: it is written as XGIDs.
    #[must_use]
    pub fn write(self, record: &Match) -> String {
        let is_list = record.games.is_empty() && !record.positions.is_empty();
        match self {
            Self::Mat | Self::Text if is_list => {
                let positions = record.positions.iter();
                let lines = positions.map(|position| xgid_text(&position.state) + "\n");
                lines.collect()
            }
            Self::Mat => mat::write::write(record),
            Self::Text => mat::write::write_plain(record),
            Self::Sgf => sgf::write::write(record),
            Self::Json => json::write(record),
        }
    }
}
