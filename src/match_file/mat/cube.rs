//! What the cells say about the cube: doubles, answers, beavers.

use super::place::Placed;
use super::replay::TextReplay;
use crate::game::Player;
use crate::match_file::model::Action;

/// Largest cube believed.
const LARGEST_CUBE: u32 = 1 << 20;

impl TextReplay<'_> {
    /// A roll after a double that nobody answered: it must have been taken.
    pub(super) fn answer_missing(&mut self, cell: &Placed<'_>) {
        if let Some((by, to)) = self.offered.take() {
            let taker = by.other();
            self.push(cell, taker, Action::Take);
            self.cube = to;
            self.owner = Some(taker);
            self.warn_of(cell, taker, "the answer to the double is missing");
        }
    }

    pub(super) fn double(&mut self, cell: &Placed<'_>, to: Option<u32>) {
        if let Some((by, _)) = self.offered {
            if cell.side == by.other() {
                self.beaver(cell);
            } else {
                self.warn(cell, "a second double without an answer is not read");
            }
            return;
        }
        if self.beavered.is_some_and(|by| cell.side == by.other()) {
            return self.raccoon(cell);
        }
        let may = |player: Player| self.owner.is_none_or(|owner| owner == player);
        let player = match self.turn {
            Some(turn) if may(turn) || !may(cell.side) => turn,
            _ => cell.side,
        };
        let value = self.cube * 2;
        if value > LARGEST_CUBE {
            self.cut_of(cell, player, "the cube is too high");
            return;
        }
        if !may(player) {
            self.warn_of(cell, player, "doubles, but does not own the cube");
        }
        if self.head.crawford {
            let message = "doubles in the Crawford game: the rule seems to be off";
            self.warn_of(cell, player, message);
        }
        if let Some(to) = to.filter(|&to| to != value) {
            let message = format!("doubles to {to}, expected {value}");
            self.warn_of(cell, player, &message);
        }
        self.push(cell, player, Action::Double { to: value });
        self.offered = Some((player, value));
        self.turn = Some(player);
    }

    pub(super) fn take(&mut self, cell: &Placed<'_>) {
        match self.offered.take() {
            Some((by, to)) => {
                self.push(cell, by.other(), Action::Take);
                self.cube = to;
                self.owner = Some(by.other());
            }
            None if self.beavered.is_some() || self.raccooned => {}
            None => self.warn(cell, "takes, but nothing was offered"),
        }
    }

    pub(super) fn drop(&mut self, cell: &Placed<'_>) {
        if let Some((by, _)) = self.offered.take() {
            self.push(cell, by.other(), Action::Pass);
            self.ending.dropped = Some((by, self.cube));
        } else if let Some(by) = self.beavered {
            self.push(cell, by.other(), Action::Pass);
            self.ending.dropped = Some((by, self.cube / 2));
        } else {
            self.warn(cell, "drops, but nothing was offered");
        }
    }

    pub(super) fn beaver(&mut self, cell: &Placed<'_>) {
        let Some((by, to)) = self.offered.take() else {
            self.warn(cell, "beavers, but nothing was offered");
            return;
        };
        if self.head.length > 0 {
            self.warn(cell, "there are no beavers in a match");
        }
        let player = by.other();
        self.cube = (to * 2).min(LARGEST_CUBE);
        self.owner = Some(player);
        self.beavered = Some(player);
        self.push(cell, player, Action::Beaver { to: self.cube });
    }

    /// The doubler doubles a beaver again; the beaverer keeps the cube.
    pub(super) fn raccoon(&mut self, cell: &Placed<'_>) {
        let Some(owner) = self.beavered.take().filter(|_| self.cube < LARGEST_CUBE) else {
            self.warn(cell, "a raccoon, but there was no beaver");
            return;
        };
        self.raccooned = true;
        self.cube *= 2;
        self.push(cell, owner.other(), Action::Double { to: self.cube });
        self.push(cell, owner, Action::Take);
    }
}
