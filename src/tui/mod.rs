//! The workstation: board, move list, candidate plays, and rollouts in the background.
//!
//! Path of a key: [`keys`] (one table) maps it to an action. [`update`] changes the [`state`] and requests effects.
//! The event loop ([`run`]) performs them, and [`view`] draws. [`workers`] reply with messages; of a rollout only the
//! newest snapshot is read. Only the event loop and the keyboard thread use a terminal, so everything else is tested
//! without one.
//!
//! The folders are layers: [`keys`], [`rollouts`], [`documents`], [`screen`] and [`windows`] contain the parts of the
//! state, [`figures`] derives displayed values. Read [`state`], then [`update`], then [`view`].

pub(crate) mod board;
pub(crate) mod documents;
mod event_loop;
pub(crate) mod figures;
pub mod keys;
pub(crate) mod message;
pub(crate) mod rollouts;
pub(crate) mod screen;
pub(crate) mod session;
pub mod state;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub(crate) mod text;
pub mod theme;
pub(crate) mod update;
pub(crate) mod view;
pub(crate) mod windows;
pub(crate) mod workers;

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

pub use event_loop::{has_terminal, run};

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::store::UserFolders;

/// Start options.
#[derive(Clone)]
pub struct StartOptions {
    /// Match files and position IDs, in order; empty opens the bundled sample.
    pub sources: Vec<state::Openable>,
    /// Indices of sources to open first; the first readable one is opened.
    pub first: Vec<usize>,
    /// Whether to open the bundled sample if none can be opened, because the user named only folders.
    pub may_be_empty: bool,
    /// Folders watched for saved matches.
    pub watch: Vec<PathBuf>,
    /// Number of threads for rollouts; the review uses some of them.
    pub threads: usize,
    pub evaluator: Arc<dyn Evaluator>,
    /// Cube model for cubeful values.
    pub model: Arc<Model>,
    /// Whether to analyse matches without the Crawford rule.
    pub no_crawford: bool,
    /// The user's folders, if any.
    pub places: Option<UserFolders>,
    /// Name of a theme that overrides the settings.
    pub theme: Option<String>,
    /// Whether and how to continue the opened match.
    pub plays_on: Option<PlayOn>,
}

/// How to continue a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayOn {
    AgainstProgram {
        /// Whether the tutor is on.
        has_tutor: bool,
    },
    /// The turns of both players are typed.
    Transcript,
}

/// Why the workstation could not start, or ended early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Input or output is not a terminal.
    #[error(
        "the workstation needs a terminal; `luckless --plain FILE` and the commands that `luckless --help` \
         lists work without one"
    )]
    NotATerminal,
    /// The terminal cannot be drawn on.
    #[error(
        "the workstation cannot draw on this terminal (TERM={0}); `luckless --plain FILE` and the commands \
         that `luckless --help` lists work on any"
    )]
    TooSimple(String),
    /// The terminal has no columns or rows.
    #[error(
        "the terminal does not tell its size; `stty rows 24 cols 80` says it where the system does not know it"
    )]
    NoSize,
    /// The requested source cannot be opened.
    #[error("{0}")]
    Open(String),
    /// The program ended with unsaved data.
    #[error("{0}")]
    Unsaved(String),
    /// The terminal closed without a signal.
    #[error("the terminal is gone")]
    Gone,
    /// An error of the terminal.
    #[error("terminal: {0}")]
    Terminal(#[from] std::io::Error),
}
