//! Tips for the first start: one at a time, each until it is followed.

use crate::tui::keys::ActionId;

#[derive(Debug)]
pub struct Tip {
    /// The action that is named; the others follow it as well.
    pub actions: &'static [ActionId],
    /// What its key does.
    pub words: &'static str,
}

const TIPS: &[Tip] = &[
    Tip {
        actions: &[
            ActionId::NextTurn,
            ActionId::PreviousTurn,
            ActionId::NextError,
            ActionId::PreviousError,
            ActionId::Errors,
        ],
        words: "goes to the next turn",
    },
    Tip {
        actions: &[
            ActionId::NextError,
            ActionId::PreviousError,
            ActionId::Errors,
        ],
        words: "goes to the next error",
    },
    Tip {
        actions: &[ActionId::Down, ActionId::Up],
        words: "shows a play on the board",
    },
    Tip {
        actions: &[ActionId::RollOut],
        words: "rolls out the best plays",
    },
    Tip {
        actions: &[ActionId::Help, ActionId::Figures],
        words: "shows keys, finds what you type",
    },
];

/// A tip is dropped after so many actions that do not follow it.
const ACTIONS_UNTIL_DROPPED: u8 = 8;

/// The tips that are left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tips {
    /// How many are done with, in order.
    done: u8,
    /// Actions since the present one is on show.
    ignored: u8,
}

impl Tips {
    /// The tips after the first `done`.
    pub fn after(done: u8) -> Self {
        Self { done, ignored: 0 }
    }

    /// How many tips are done with.
    pub fn done(self) -> u8 {
        self.done
    }

    /// Gives all tips up.
    pub fn end(&mut self) {
        self.done = TIPS.len() as u8;
    }

    /// The tips that are left, in order, each with how many are done with once it is followed.
    pub fn left(self) -> impl Iterator<Item = (u8, &'static Tip)> {
        (1..).zip(TIPS).skip(usize::from(self.done))
    }

    /// Takes in that something was done while `shown`, one of [`Self::left`], was on show.
    pub fn follow(&mut self, action: ActionId, shown: Option<(u8, &Tip)>) {
        if usize::from(self.done) >= TIPS.len() {
            return;
        }
        self.ignored += 1;
        match shown.filter(|(_, tip)| tip.actions.contains(&action)) {
            Some((done, _)) => *self = Self::after(done),
            None if self.ignored >= ACTIONS_UNTIL_DROPPED => *self = Self::after(self.done + 1),
            None => {}
        }
    }
}
