//! The workstation: a match on the board, its moves, the candidate plays, and rollouts that run
//! while one reads.
//!
//! The way of a key: [`keys`] (one table) says what it means. [`update`] changes the [`state`] and
//! leaves work for the world outside in a list of effects. The event loop ([`run`]) carries those out,
//! and [`view`] draws. [`workers`] answer with messages; of a rollout only the newest snapshot is ever
//! read. Only the loop and the thread that reads keys touch a terminal, so all the rest is tested without one.
//!
//! The folders lie in layers: [`keys`], [`rollouts`], [`documents`], [`screen`] and [`windows`] hold the
//! parts of the state, [`figures`] what is read off it. Read [`state`], then [`update`], then [`view`].

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

/// How the workstation is started.
#[derive(Clone)]
pub struct StartOptions {
    /// Match files and position IDs, in the order given; none opens the bundled sample.
    pub sources: Vec<state::Openable>,
    /// The places of those that may be opened first: the first that can be is.
    pub first: Vec<usize>,
    /// Whether the bundled sample is opened where none of those can be: the user has named folders,
    /// and no file.
    pub may_be_empty: bool,
    /// Folders in which matches may be saved meanwhile.
    pub watch: Vec<PathBuf>,
    /// Threads for rollouts; the review uses some of them.
    pub threads: usize,
    /// What values positions.
    pub evaluator: Arc<dyn Evaluator>,
    /// What cubeful values are made with.
    pub model: Arc<Model>,
    /// Whether matches are analysed as if played without the Crawford rule.
    pub no_crawford: bool,
    /// The user's folders, where there are any.
    pub places: Option<UserFolders>,
    /// A theme by name, instead of the one in the settings.
    pub theme: Option<String>,
    /// Whether and how the match that is opened first is gone on with.
    pub plays_on: Option<PlayOn>,
}

/// How a match is gone on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayOn {
    AgainstProgram {
        /// Whether errors are pointed out before they are made.
        has_tutor: bool,
    },
    /// Both players' turns are typed.
    Transcript,
}

/// Why the workstation could not be started, or ended before its time.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// Output or input is no terminal.
    #[error(
        "the workstation needs a terminal; `luckless --plain FILE` and the commands that `luckless --help` \
         lists work without one"
    )]
    NotATerminal,
    /// A terminal on which nothing can be drawn.
    #[error(
        "the workstation cannot draw on this terminal (TERM={0}); `luckless --plain FILE` and the commands \
         that `luckless --help` lists work on any"
    )]
    TooSimple(String),
    /// A terminal of no columns or no rows.
    #[error(
        "the terminal does not tell its size; `stty rows 24 cols 80` says it where the system does not know it"
    )]
    NoSize,
    /// What was asked for cannot be opened.
    #[error("{0}")]
    Open(String),
    /// The end came before all was saved.
    #[error("{0}")]
    Unsaved(String),
    /// The terminal went away, and no signal said so.
    #[error("the terminal is gone")]
    Gone,
    /// The terminal failed.
    #[error("terminal: {0}")]
    Terminal(#[from] std::io::Error),
}
