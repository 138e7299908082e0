//! Errors in an identifier.

use thiserror::Error;

use crate::game::{PositionError, StateProblem};

/// Why a text is not a position. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdError {
    /// The text is empty.
    #[error("no position given: expected an XGID, a GNUBG position ID, an OGID or a FIBS board")]
    Empty,
    /// The text has none of the known forms.
    #[error(
        "'{text}' is not a position: expected an XGID, a GNUBG position ID of 14 characters, an OGID \
         or a FIBS board"
    )]
    Unrecognised { text: String },
    /// A wrong character or field.
    #[error("character {column}: {reason}")]
    At {
        column: usize,
        /// The content that was found and the content that was expected.
        reason: String,
    },
    /// All characters are valid but the board is impossible.
    #[error("impossible position: {0}")]
    Impossible(#[from] PositionError),
    /// The board is possible, but not this score with this cube.
    #[error("impossible position: {0}")]
    State(#[from] StateProblem),
}

impl IdError {
    /// Returns the column at fault, from 1, if known.
    pub fn column(&self) -> Option<usize> {
        match self {
            Self::At { column, .. } => Some(*column),
            _ => None,
        }
    }

    pub fn at(column: usize, reason: impl Into<String>) -> Self {
        Self::At {
            column,
            reason: reason.into(),
        }
    }
}
