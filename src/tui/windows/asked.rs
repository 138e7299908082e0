//! An answer that the planner reads from the library for a window: what was asked last, how far it is, and what is there.

use std::sync::Arc;

/// What a window knows of its question, also while it is closed.
#[derive(Clone, Debug)]
pub struct Asked<V> {
    /// The number of the latest question.
    pub number: u64,
    /// How many of how many matches are read.
    pub progress: Option<(usize, usize)>,
    /// The answer to the latest question, or to one before it.
    pub view: Option<Arc<V>>,
    /// Why there is none.
    pub failure: Option<String>,
}

impl<V> Default for Asked<V> {
    fn default() -> Self {
        Self {
            number: 0,
            progress: None,
            view: None,
            failure: None,
        }
    }
}

impl<V> Asked<V> {
    /// Begins a question; answers its number. The view stays until another one comes.
    pub fn ask(&mut self) -> u64 {
        self.number += 1;
        self.progress = None;
        self.failure = None;
        self.number
    }

    /// Takes what is new of the question of this number; `words` says why there is no answer. Nothing of an earlier
    /// question is taken.
    pub fn take(
        &mut self,
        number: u64,
        news: HistoryNews<V>,
        words: impl FnOnce(HistoryFailure) -> String,
    ) {
        if number != self.number {
            return;
        }
        match news {
            HistoryNews::Progress(done, all) => self.progress = Some((done, all)),
            HistoryNews::Found(found) => {
                self.progress = None;
                match found {
                    Ok(view) => self.view = Some(Arc::new(*view)),
                    Err(why) => {
                        self.view = None;
                        self.failure = Some(words(why));
                    }
                }
            }
        }
    }
}

/// Something new of a plan or a rating.
#[derive(Debug)]
pub enum HistoryNews<V> {
    /// So many of so many matches are read.
    Progress(usize, usize),
    /// It is there, or why not.
    Found(Result<Box<V>, HistoryFailure>),
}

/// Why there is no plan, or no rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryFailure {
    /// The library has no match.
    Empty,
    /// It does not know who the user is.
    Unknown,
    /// Several players have the name that was asked for.
    Several,
    /// No reviewed match of the player fits the filter.
    NothingFits,
    /// It has no decision of the user.
    NoDecision,
    /// It has no reviewed match of the player of this name, or of the user.
    NoReview(Option<String>),
    /// It cannot be read.
    Unread(String),
}
