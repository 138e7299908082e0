//! Cube actions while building a game.

use super::GameBuilder;
use crate::game::Player;
use crate::match_file::cube::{self, Doubling, Taking};
use crate::match_file::model::Action;
use crate::match_file::variations::is_start;
use crate::match_file::warnings::FilePlace;

impl GameBuilder {
    /// Returns whether a game from a usual starting position has no events yet.
    pub(super) fn is_at_start(&self) -> bool {
        self.game.events.is_empty() && is_start(&self.left)
    }

    /// Adds a double, or a beaver or raccoon if it answers a double.
    pub(crate) fn double(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        match self.cube.doubling(player) {
            Doubling::Beaver => return self.beaver(place, player),
            Doubling::Raccoon => return self.raccoon(place, player),
            Doubling::Again => return self.warn(place, player, cube::SECOND_DOUBLE),
            Doubling::Double => {}
        }
        let Some(to) = self.cube.next() else {
            return self.cut(place, player, cube::TOO_HIGH);
        };
        let (length, is_crawford) = (self.length, self.game.crawford);
        let cube = self.cube;
        for fault in cube.faults_of_double(player, length, is_crawford, self.is_at_start()) {
            self.warn(place, player, fault);
        }
        self.push(place, player, Action::Double { to });
        self.cube.offer(player, to);
        self.turn = Some(player);
    }

    /// Adds a take by the player who was offered the cube. A take after a beaver changes nothing.
    pub(crate) fn take(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        match self.cube.take() {
            Taking::By(taker) => self.push(place, taker, Action::Take),
            Taking::Done => {}
            Taking::Nothing => self.warn(place, player, cube::NO_TAKE),
        }
    }

    pub(crate) fn pass(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        let Some((winner, won)) = self.cube.pass() else {
            return self.warn(place, player, cube::NO_PASS);
        };
        self.push(place, winner.other(), Action::Pass);
        self.ending.passed = Some((winner, won));
    }

    /// Adds a beaver: a take with an immediate redouble.
    pub(crate) fn beaver(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        let Some(beaverer) = self.cube.beaver() else {
            return self.warn(place, player, cube::NO_BEAVER);
        };
        if self.length > 0 {
            self.warn(place, player, cube::MATCH_BEAVER);
        }
        let to = self.cube.value;
        self.push(place, beaverer, Action::Beaver { to });
    }

    /// Adds a raccoon: a redouble after a beaver. The beavering player keeps the cube.
    pub(crate) fn raccoon(&mut self, place: FilePlace, player: Player) {
        if !self.ready(place, player) {
            return;
        }
        let Some(beaverer) = self.cube.raccoon() else {
            return self.warn(place, player, cube::NO_RACCOON);
        };
        let to = self.cube.value;
        self.push(place, beaverer.other(), Action::Double { to });
        self.push(place, beaverer, Action::Take);
    }
}
