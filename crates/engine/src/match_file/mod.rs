//! Recorded matches: one model, with a reader and a writer for each format.
//!
//! [`read`] reads a file of any known format into a [`Match`]. Each fault in the file becomes a [`Warning`]
//! with its place; the events before the fault and all other games stay usable. A [`ReadError`] means that
//! the file contains nothing to show.
//!
//! Files are not trusted: sizes are checked before reading and counts while reading, and [`text`] removes
//! control characters.

mod action;
pub mod analysis;
pub mod bgf;
mod bounded;
mod builder;
mod crawford;
mod cube;
mod date;
pub mod detect;
mod fibs;
mod head_corrections;
mod in_play;
pub mod inspect;
mod javafibs;
pub mod json;
mod left_out;
mod length;
pub mod mat;
pub mod model;
mod place;
mod position_comment;
mod position_cube;
mod position_figures;
mod position_ids;
mod position_names;
mod positions;
mod remark;
pub mod sgf;
mod snowie;
mod start;
mod state;
pub mod tag;
pub mod text;
mod variant;
pub mod variations;
mod warnings;
pub mod write;
pub mod xg;

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use thiserror::Error;

pub use analysis::{Analyses, Analysis, Chances, CubeFigures, CubeUnit, CubeVerdict, PlayVerdict};
pub use date::{Date, civil};
pub use detect::Format;
pub use head_corrections::HeadCorrections;
pub use in_play::Misfit;
pub use inspect::MatchSummary;
pub use model::{
    Action, Comment, DecisionState, Event, Game, GameResult, LonePosition, Match, Warning,
    illegal_text,
};
pub use place::EventPlace;
pub use positions::{POSITIONS, entry as list_entry, line as list_line};
pub use variations::{NodeId, VariationError, Variations};

use text::{Text, clean, quote};
use warnings::NoMatch;

/// Largest file that is read, in bytes: about a hundred times the longest known match.
pub const LARGEST_FILE: u64 = 16 * 1024 * 1024;

/// Why a file cannot be read as a match. Each message is one line and starts with the name of the file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system returned an error.
    #[error("{name}: cannot be read: {source}")]
    Io {
        name: String,
        source: std::io::Error,
    },
    #[error("{name}: is a directory, not a match file")]
    Directory { name: String },
    /// A pipe, a terminal or another device.
    #[error("{name}: is not a regular file")]
    NotRegular { name: String },
    /// The file has no bytes, or only white space.
    #[error("{name}: the file is empty")]
    Empty { name: String },
    /// Larger than [`LARGEST_FILE`].
    #[error("{name}: the file is too large for a match: the limit is 16 MiB")]
    TooLarge { name: String },
    /// The file is neither text nor a known binary format.
    #[error("{name}: not a match file: it is binary and of no known format")]
    Binary { name: String },
    /// A known format without a reader.
    #[error("{name}: this is {}, which is not read yet", format.with_article())]
    NotYet { name: String, format: Format },
    /// A text of no known format.
    #[error(
        "{name}: not a match file: no line 'N point match' and no other known format; \
         it begins '{begins}'"
    )]
    Unknown {
        name: String,
        /// The first line.
        begins: String,
    },
    /// A known format, so damaged that nothing can be shown.
    #[error("{name}: this is {}, but {reason}", format.with_article())]
    Damaged {
        name: String,
        format: Format,
        reason: String,
    },
    /// The match lacks its games or the players' names.
    #[error("{name}:{line}: {missing}")]
    Incomplete {
        name: String,
        /// The line at fault, or the last line that was read.
        line: u32,
        missing: String,
    },
}

/// Reads a match file.
///
/// # Errors
/// A one-line [`ReadError`] that starts with the path.
pub fn read(path: &Path) -> Result<Match, ReadError> {
    let mut record = read_bytes(&bytes_of(path)?, &path.display().to_string())?;
    record.path = Some(path.to_owned());
    let others = record.others.iter_mut();
    others.for_each(|other| other.path = Some(path.to_owned()));
    Ok(record)
}

/// Returns the bytes of a match file.
///
/// # Errors
/// As [`read`].
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, ReadError> {
    let name = clean(&path.display().to_string());
    let failed = |source| ReadError::Io {
        name: name.clone(),
        source,
    };
    let meta = path.metadata().map_err(failed)?;
    if meta.is_dir() {
        return Err(ReadError::Directory { name });
    }
    // Reading a pipe or a terminal would wait for its writer.
    if !meta.is_file() {
        return Err(ReadError::NotRegular { name });
    }
    if meta.len() > LARGEST_FILE {
        return Err(ReadError::TooLarge { name });
    }
    let mut bytes = Vec::new();
    // The limit again: the file may be growing while it is read.
    File::open(path)
        .and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    Ok(bytes)
}

/// Reads a match from the bytes of a file called `name`.
///
/// # Errors
/// As [`read`].
pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Match, ReadError> {
    let name = clean(name);
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(ReadError::TooLarge { name });
    }
    if bytes.iter().all(|b| b.is_ascii_whitespace()) {
        return Err(ReadError::Empty { name });
    }
    if let Some(format) = detect::by_bytes(bytes) {
        let read = match format {
            Format::Json => json::read(bytes),
            Format::BgBlitz => bgf::read(bytes),
            Format::ExtremeGammon => xg::read(bytes),
            format => return Err(ReadError::NotYet { name, format }),
        };
        return read.map_err(|reason| ReadError::Damaged {
            name,
            format,
            reason,
        });
    }
    if text::is_binary(bytes) {
        return Err(ReadError::Binary { name });
    }
    let text = Text::new(bytes);
    let Some(format) = detect::by_lines(&text.lines) else {
        let first = text.lines.iter().find(|line| !line.trim().is_empty());
        return Err(match first {
            Some(line) => ReadError::Unknown {
                name,
                begins: quote(line),
            },
            None => ReadError::Empty { name },
        });
    };
    if format == Format::Sgf {
        drop(text);
        return sgf::read(bytes).map_err(|none| ReadError::Incomplete {
            name,
            line: none.line.unwrap_or(1),
            missing: none.missing,
        });
    }
    read_text(&text, format, name)
}

/// Reads a text format that consists of lines.
fn read_text(text: &Text, format: Format, name: String) -> Result<Match, ReadError> {
    let read = match format {
        Format::Mat => mat::read(text).map_err(NoMatch::from),
        Format::SingleGame => mat::read_game(text).map_err(NoMatch::from),
        Format::JavaFibs => javafibs::read(text).map_err(NoMatch::from),
        Format::FibsOldmoves => fibs::read(text).map_err(NoMatch::from),
        Format::PositionText | Format::GnubgText => positions::read_export(text),
        Format::Identifier | Format::PositionList | Format::SnowiePosition => {
            positions::read_list(text)
        }
        format => return Err(ReadError::NotYet { name, format }),
    };
    let mut record = read.map_err(|none| ReadError::Incomplete {
        name,
        line: none.line.unwrap_or(text.lines.len() as u32),
        missing: none.missing,
    })?;
    record.encoding = text.encoding;
    let complaints = text.complaints();
    let room = warnings::MOST_WARNINGS - complaints.len();
    record.warnings.truncate(room);
    record.warnings.extend(complaints);
    record.warnings.sort_by_key(|w| (w.line, w.column));
    Ok(record)
}

#[cfg(test)]
mod tests;
