//! What is being opened or read again. Each has a number, which is the generation of its document, so
//! that a slow answer does not take the place of a newer one. What was asked for before a quiz, a game by hand or a
//! window in which something is typed began waits until that ends.

use crate::tui::documents::document::Document;

/// The numbers, and what still has to come.
#[derive(Debug, Default)]
pub struct Openings {
    /// The last number that was given.
    last: u64,
    /// The newest opening that was begun, or the newest answer that was taken.
    newest: u64,
    /// Whether that opening has no answer yet.
    is_under_way: bool,
    /// Whether the file in view has changed and was not read again yet.
    is_behind: bool,
    /// The last number that was given when the quiz, the game by hand or the window in view began.
    guarded: u64,
    /// What has come since and was asked for before, with its number.
    held: Option<(u64, Box<Document>)>,
}

impl Openings {
    /// The number of an opening that begins; the answers to those before it are dropped.
    pub fn begin(&mut self) -> u64 {
        self.last += 1;
        self.newest = self.last;
        self.is_under_way = true;
        self.last
    }

    /// The number of a reading of the file in view, which has changed.
    pub fn begin_again(&mut self) -> u64 {
        self.last += 1;
        self.is_behind = false;
        self.last
    }

    /// Whether an answer is to be taken: none newer was, and no newer opening was begun.
    pub fn takes(&mut self, number: u64) -> bool {
        if number < self.newest {
            return false;
        }
        self.newest = number;
        self.last = self.last.max(number);
        self.is_under_way = false;
        true
    }

    /// A quiz, a game by hand or a window in which something is typed begins: what is still being opened is not to end
    /// it.
    pub fn guard(&mut self) {
        self.guarded = self.last;
    }

    /// Whether the opening of this number began before what is guarded.
    pub fn was_before(&self, number: u64) -> bool {
        number <= self.guarded
    }

    /// Keeps what has come until what is guarded has ended.
    pub fn hold(&mut self, number: u64, document: Box<Document>) {
        self.held = Some((number, document));
    }

    /// Document that was held back; `None` if something else was opened or is being opened meanwhile.
    pub fn release(&mut self) -> Option<Box<Document>> {
        let (number, document) = self.held.take()?;
        (number == self.newest).then_some(document)
    }

    /// Whether something is being opened.
    pub fn is_under_way(&self) -> bool {
        self.is_under_way
    }

    /// The file in view has changed, and is to be read again as soon as that takes nothing away.
    pub fn fall_behind(&mut self) {
        self.is_behind = true;
    }

    /// Takes note that what is in view is as new as its file.
    pub fn catch_up(&mut self) {
        self.is_behind = false;
    }

    /// Whether the file in view has changed and was not read again yet.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }
}
