//! The workstation: a match on the board, its moves, the candidate plays, and rollouts that run
//! while one reads.
//!
//! The way of a key: [`keys`] and [`actions`] (one table) say what it means. `update` changes the
//! [`state`] and leaves work for the world outside in a list of effects. The loop of `event_loop`
//! ([`run`]) carries those out, and `view` draws. Workers (`workers`) answer with messages; of a
//! rollout only the newest snapshot is ever read. Nothing but the loop knows a terminal, so all the
//! rest is tested without one.
//!
//! Read [`state`], then `update`, then `view`.

pub mod action_id;
pub mod actions;
pub mod asked;
pub mod board;
pub mod by_hand;
pub mod candidate_rows;
pub mod cube_figures;
mod document;
pub mod draft;
pub mod editor;
pub mod equity_table;
pub mod error_list;
mod event_loop;
pub mod explain;
pub mod exported;
#[cfg(unix)]
mod fatal_signals;
pub mod form;
mod generation;
pub mod imported;
pub mod inquiry;
pub mod job;
pub mod jobs;
pub mod kept_list;
pub mod keymap;
pub mod keys;
pub mod layout;
pub mod legend;
pub mod library;
pub mod lists;
pub mod match_decision;
pub mod message;
mod motion;
mod notes;
pub mod open;
pub mod overlay;
pub mod pace;
pub mod palette;
pub mod picks;
pub mod places;
pub mod plan;
pub mod played_match;
pub mod quiz;
pub mod rating;
mod rolled_cells;
mod rolled_plays;
pub mod rolled_turns;
pub mod second_opinion;
pub mod session;
mod start;
pub mod state;
mod taken;
pub mod targets;
mod terminal;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
pub mod text;
pub mod theme;
pub mod tips;
pub mod trials;
pub mod troubles;
pub mod units;
pub mod update;
pub mod variation;
pub mod variation_kind;
pub mod view;
pub mod workers;
mod world;

use std::path::PathBuf;
use std::sync::Arc;

use thiserror::Error;

pub use event_loop::run;

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
    /// Whether the match that is opened first is gone on with against the program.
    pub plays_on: Option<PlayOn>,
}

/// Whether input and output are a terminal.
#[must_use]
pub fn has_terminal() -> bool {
    terminal::is_there()
}

/// How a match is gone on with against the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayOn {
    /// Whether errors are pointed out before they are made.
    pub has_tutor: bool,
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
