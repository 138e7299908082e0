//! Confirmation of destructive actions: repeating the action confirms it.

use crate::match_file::Action;
use crate::tui::documents::places::Openable;
use crate::tui::keys::ActionId;

/// A choice of a person who plays against the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonChoice {
    /// Roll without doubling.
    Roll,
    /// Play, double, or answer a double.
    Make(Action),
}

/// An action that would lose something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Leaving the variation, or its game by hand.
    Leave(ActionId),
    /// Quitting the program.
    Quit {
        /// With an unfinished game by hand.
        by_hand: bool,
        /// Number of unsaved records.
        unsaved: usize,
    },
    /// A decision with an error.
    Equity(PersonChoice),
    /// Resigning for this many points.
    Game(u32),
    /// Opening a position without a rule that its ID cannot express.
    Rule,
    /// Opening another source.
    Open(Openable),
    /// Removing a match from the library.
    Match(i64),
}

/// The question raised by the last key, click or paste; the next input confirms or cancels it.
#[derive(Debug, Default)]
pub struct Confirmation {
    /// Raised by the current input.
    asked: Option<Loss>,
    /// Raised by the previous input.
    before: Option<Loss>,
}

impl Confirmation {
    /// Records that another key, click or paste has arrived.
    pub fn go_on(&mut self) {
        self.before = self.asked.take();
    }

    /// Returns whether the loss was asked about just before; otherwise asks about it now.
    pub fn confirms(&mut self, loss: Loss) -> bool {
        let is_confirmed = self.before.as_ref() == Some(&loss);
        self.asked = Some(loss).filter(|_| !is_confirmed);
        is_confirmed
    }

    /// Returns whether the previous input asked about another loss, which this one cancels.
    pub fn takes_back(&self, loss: &Loss) -> bool {
        self.before.as_ref().is_some_and(|asked| asked != loss)
    }

    /// Returns whether a question is pending.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// Withdraws the question, because it is no longer visible or nothing would be lost.
    pub fn withdraw(&mut self) {
        self.asked = None;
    }
}
