//! What players do with the cube.

use super::{GameBuilder, LARGEST_CUBE};
use crate::game::Player;
use crate::match_file::model::Action;
use crate::match_file::warnings::FilePlace;

impl GameBuilder {
    /// A double, a beaver if it answers one, or a raccoon.
    pub(in crate::match_file) fn double(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        match (self.offered, self.beavered) {
            (Some((by, _)), _) if by != player => return self.beaver(place, player),
            (Some(_), _) => {
                return self.warn(
                    place,
                    player,
                    "a second double without an answer is not read",
                );
            }
            (None, Some(by)) if by != player => return self.raccoon(place, player),
            _ => {}
        }
        let to = self.cube * 2;
        if to > LARGEST_CUBE {
            self.cut(place, player, "the cube is too high");
            return;
        }
        if self.owner.is_some_and(|owner| owner != player) {
            self.warn(place, player, "doubles, but does not own the cube");
        }
        if self.game.crawford {
            let message = "doubles in the Crawford game: the rule seems to be off";
            self.warn(place, player, message);
        }
        self.push(place, player, Action::Double { to });
        self.offered = Some((player, to));
        self.turn = Some(player);
    }

    /// A take, by the player who was offered the cube; after a beaver it means nothing more.
    pub(in crate::match_file) fn take(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        match self.offered.take() {
            Some((by, to)) => {
                self.push(place, by.other(), Action::Take);
                (self.cube, self.owner) = (to, Some(by.other()));
            }
            None if self.beavered.is_some() || self.raccooned => {}
            None => self.warn(place, player, "takes, but nothing was offered"),
        }
    }

    /// A pass.
    pub(in crate::match_file) fn pass(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        if let Some((by, _)) = self.offered.take() {
            self.push(place, by.other(), Action::Pass);
            self.ending.dropped = Some((by, self.cube));
        } else if let Some(by) = self.beavered {
            self.push(place, by.other(), Action::Pass);
            self.ending.dropped = Some((by, self.cube / 2));
        } else {
            self.warn(place, player, "drops, but nothing was offered");
        }
    }

    /// A double taken and turned at once.
    pub(in crate::match_file) fn beaver(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        let Some((by, to)) = self.offered.take() else {
            self.warn(place, player, "beavers, but nothing was offered");
            return;
        };
        if self.length > 0 {
            self.warn(place, player, "there are no beavers in a match");
        }
        let beaverer = by.other();
        self.cube = (to * 2).min(LARGEST_CUBE);
        self.owner = Some(beaverer);
        self.beavered = Some(beaverer);
        self.push(place, beaverer, Action::Beaver { to: self.cube });
    }

    /// A beaver doubled again; the beaverer keeps the cube.
    pub(in crate::match_file) fn raccoon(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        let Some(owner) = self.beavered.take().filter(|_| self.cube < LARGEST_CUBE) else {
            self.warn(place, player, "a raccoon, but there was no beaver");
            return;
        };
        self.raccooned = true;
        self.cube *= 2;
        self.push(place, owner.other(), Action::Double { to: self.cube });
        self.push(place, owner, Action::Take);
    }
}
