//! What can be written to a file for others.

use std::path::Path;

use crate::diagram::{Colours, Diagram, PictureFormat, USUAL_WIDTH};

/// What may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exported {
    /// The match that is open, with its variations.
    Match,
    /// The position in view.
    Picture,
    /// The position in view with its analysis.
    Card,
}

/// What is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// A match as SGF.
    Match(String),
    /// A position, as the extension of the file says.
    Picture(Box<(Diagram, Colours)>),
    /// A page of HTML.
    Card(String),
}

impl Written {
    /// What the file at `path` will hold.
    ///
    /// # Errors
    /// Why it cannot be written there.
    pub fn bytes(&self, path: &Path) -> Result<Vec<u8>, String> {
        let (diagram, colours) = match self {
            Self::Match(text) | Self::Card(text) => return Ok(text.clone().into_bytes()),
            Self::Picture(picture) => &**picture,
        };
        let format = PictureFormat::of(path)
            .ok_or_else(|| format!("{}: a picture ends in .svg or .png", path.display()))?;
        let file = diagram.file(format, colours, USUAL_WIDTH);
        file.map_err(|error| error.to_string())
    }
}
