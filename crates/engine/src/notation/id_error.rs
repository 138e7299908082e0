//! What is wrong with an identifier.

use thiserror::Error;

use crate::game::{PositionError, StateProblem};

/// Why a text is not a position. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IdError {
    /// Nothing there.
    #[error("no position given: expected an XGID, a GNUBG position ID, an OGID or a FIBS board")]
    Empty,
    /// None of the forms.
    #[error(
        "'{text}' is not a position: expected an XGID, a GNUBG position ID of 14 characters, an OGID \
         or a FIBS board"
    )]
    Unrecognised {
        /// The beginning of the text.
        text: String,
    },
    /// A character or a field that is wrong.
    #[error("character {column}: {reason}")]
    At {
        /// Where, from 1.
        column: usize,
        /// What was found and what was expected.
        reason: String,
    },
    /// All characters are good but the board cannot be.
    #[error("impossible position: {0}")]
    Impossible(#[from] PositionError),
    /// The board can be, but not this score with this cube.
    #[error("impossible position: {0}")]
    State(#[from] StateProblem),
}

impl IdError {
    /// The character at fault, from 1, where one is.
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
