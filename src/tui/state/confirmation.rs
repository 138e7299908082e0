//! What would lose something is asked about, and done when the same is asked for again.

use crate::match_file::Action;
use crate::tui::documents::places::Openable;
use crate::tui::keys::ActionId;

/// What a person who plays against the program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PersonChoice {
    /// Rolls without doubling.
    Roll,
    /// Plays, doubles, or answers a double.
    Make(Action),
}

/// What would lose something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// An action that leaves the variation, or its game by hand.
    Leave(ActionId),
    /// Leaving the program.
    Quit {
        /// With a game by hand that is not over.
        by_hand: bool,
        /// With so much that is not saved.
        unsaved: usize,
    },
    /// A decision that gives away equity.
    Equity(PersonChoice),
    /// A game that is given up for so many points.
    Game(u32),
    /// Opening a position without a rule that its ID has no room for.
    Rule,
    /// Opening something else.
    Open(Openable),
    /// Removing a match from the library.
    Match(i64),
}

/// The question of the last key, click or paste: the next one confirms it, or takes it back.
#[derive(Debug, Default)]
pub struct Confirmation {
    /// What the present one has asked about.
    asked: Option<Loss>,
    /// What the one before it asked about.
    before: Option<Loss>,
}

impl Confirmation {
    /// Takes note that another key, click or paste has come.
    pub fn go_on(&mut self) {
        self.before = self.asked.take();
    }

    /// Whether the loss was asked about just before. If not, it is asked about now.
    pub fn confirms(&mut self, loss: Loss) -> bool {
        let is_confirmed = self.before.as_ref() == Some(&loss);
        self.asked = Some(loss).filter(|_| !is_confirmed);
        is_confirmed
    }

    /// Whether the key before has asked about another loss: this one takes it back.
    pub fn takes_back(&self, loss: &Loss) -> bool {
        self.before.as_ref().is_some_and(|asked| asked != loss)
    }

    /// Whether a question waits for its answer.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// The question is no longer read, or nothing would be lost any more.
    pub fn withdraw(&mut self) {
        self.asked = None;
    }
}
