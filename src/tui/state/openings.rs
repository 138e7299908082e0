//! Pending openings and rereads. Each has a number, the generation of its document, so that a slow result does not
//! replace a newer one. Openings requested before a quiz, a game by hand or an input window wait until that ends.

use crate::tui::documents::document::Document;

/// Numbers of openings, and pending results.
#[derive(Debug, Default)]
pub struct Openings {
    /// The last number issued.
    last: u64,
    /// The number of the newest opening or accepted result.
    newest: u64,
    /// Whether that opening is pending.
    is_under_way: bool,
    /// Whether the displayed file has changed and was not read again yet.
    is_behind: bool,
    /// The last number issued when the quiz, game by hand or input window began.
    guarded: u64,
    /// A document requested before and opened since, with its number.
    held: Option<(u64, Box<Document>)>,
}

impl Openings {
    /// Issues the number of a new opening; results of earlier ones are ignored.
    pub fn begin(&mut self) -> u64 {
        self.last += 1;
        self.newest = self.last;
        self.is_under_way = true;
        self.last
    }

    /// Issues the number for reading the changed displayed file again.
    pub fn begin_again(&mut self) -> u64 {
        self.last += 1;
        self.is_behind = false;
        self.last
    }

    /// Returns whether to accept a result: no newer opening was started or accepted.
    pub fn takes(&mut self, number: u64) -> bool {
        if number < self.newest {
            return false;
        }
        self.newest = number;
        self.last = self.last.max(number);
        self.is_under_way = false;
        true
    }

    /// Protects a starting quiz, game by hand or input window from pending openings.
    pub fn guard(&mut self) {
        self.guarded = self.last;
    }

    /// Returns whether this opening was requested before the protected activity.
    pub fn was_before(&self, number: u64) -> bool {
        number <= self.guarded
    }

    /// Holds a document until the protected activity ends.
    pub fn hold(&mut self, number: u64, document: Box<Document>) {
        self.held = Some((number, document));
    }

    /// Returns the held document; `None` if something else was opened or is being opened.
    pub fn release(&mut self) -> Option<Box<Document>> {
        let (number, document) = self.held.take()?;
        (number == self.newest).then_some(document)
    }

    /// Returns whether something is being opened.
    pub fn is_under_way(&self) -> bool {
        self.is_under_way
    }

    /// Records that the displayed file has changed and must be read again as soon as nothing would be lost.
    pub fn fall_behind(&mut self) {
        self.is_behind = true;
    }

    /// Records that the displayed content is as new as its file.
    pub fn catch_up(&mut self) {
        self.is_behind = false;
    }

    /// Returns whether the displayed file has changed and was not read again yet.
    pub fn is_behind(&self) -> bool {
        self.is_behind
    }
}
