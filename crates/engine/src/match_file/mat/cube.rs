//! Cube cells: doubles, answers, beavers.

use super::place::Placed;
use super::replay::TextReplay;
use crate::game::Player;
use crate::match_file::cube::{self, Doubling, Taking};
use crate::match_file::model::Action;

impl TextReplay<'_> {
    /// Adds the missing take before a roll that follows an unanswered double.
    pub(super) fn answer_missing(&mut self, cell: &Placed<'_>) {
        if let Some(taker) = self.cube.roll() {
            self.push(cell, taker, Action::Take);
            self.warn_of(cell, taker, cube::NO_ANSWER);
        }
    }

    /// Adds a double; `rest` are the cells after it.
    pub(super) fn double(&mut self, cell: &Placed<'_>, to: Option<u32>, rest: &[Placed<'_>]) {
        match self.cube.doubling(cell.side) {
            Doubling::Beaver => return self.beaver(cell),
            Doubling::Raccoon => return self.raccoon(cell),
            Doubling::Again => return self.warn(cell, cube::SECOND_DOUBLE),
            Doubling::Double => {}
        }
        let player = self.doubler(cell, rest);
        let is_money = self.head.length == 0;
        let automatic = to.filter(|&to| is_money && self.cube.begin_for_double(to));
        if let Some(to) = automatic {
            let begun = to / 2;
            let message = format!(
                "doubles to {to} at first: the game begins with a cube of {begun}, by automatic doubles"
            );
            self.warn_of(cell, player, &message);
        }
        let Some(value) = self.cube.next() else {
            return self.cut_of(cell, player, cube::TOO_HIGH);
        };
        let (length, is_crawford) = (self.head.length, self.head.crawford);
        let cube = self.cube;
        for fault in cube.faults_of_double(player, length, is_crawford, self.is_at_start()) {
            self.warn_of(cell, player, fault);
        }
        if let Some(to) = to.filter(|to| to.saturating_mul(self.head.left_out) != value) {
            let message = format!("doubles to {to}, expected {value}");
            self.warn_of(cell, player, &message);
        }
        self.push(cell, player, Action::Double { to: value });
        self.cube.offer(player, value);
        self.turn = Some(player);
    }

    /// Returns the doubler: the player whose turn it is, whatever the column. The exception is a double in
    /// the other column whose answer, in another row, is in the column of the turn: then a turn is missing,
    /// such as one without a play. Within one row the columns only show the order.
    fn doubler(&mut self, cell: &Placed<'_>, rest: &[Placed<'_>]) -> Player {
        let Some(turn) = self.turn else {
            return cell.side;
        };
        let is_free = self.cube.is_free_to(cell.side);
        let answer = rest
            .first()
            .filter(|next| next.cell.kind.is_answer() && next.line != cell.line);
        if turn != cell.side && is_free && answer.is_some_and(|answer| answer.side == turn) {
            self.warn_of(
                cell,
                cell.side,
                "doubles out of turn; a line may be missing",
            );
            return cell.side;
        }
        match self.cube.is_free_to(turn) || !is_free {
            true => turn,
            false => cell.side,
        }
    }

    pub(super) fn take(&mut self, cell: &Placed<'_>) {
        match self.cube.take() {
            Taking::By(taker) => self.push(cell, taker, Action::Take),
            Taking::Done => {}
            Taking::Nothing => self.warn(cell, cube::NO_TAKE),
        }
    }

    pub(super) fn pass(&mut self, cell: &Placed<'_>) {
        let Some((winner, won)) = self.cube.pass() else {
            return self.warn(cell, cube::NO_PASS);
        };
        self.push(cell, winner.other(), Action::Pass);
        self.ending.passed = Some((winner, won));
    }

    pub(super) fn beaver(&mut self, cell: &Placed<'_>) {
        // GNU Backgammon writes a raccoon as a beaver.
        if self.cube.doubling(cell.side) == Doubling::Raccoon {
            return self.raccoon(cell);
        }
        let Some(beaverer) = self.cube.beaver() else {
            return self.warn(cell, cube::NO_BEAVER);
        };
        if self.head.length > 0 {
            self.warn(cell, cube::MATCH_BEAVER);
        }
        let to = self.cube.value;
        self.push(cell, beaverer, Action::Beaver { to });
    }

    /// Adds a raccoon: a redouble after a beaver. The beavering player keeps the cube.
    pub(super) fn raccoon(&mut self, cell: &Placed<'_>) {
        let Some(beaverer) = self.cube.raccoon() else {
            return self.warn(cell, cube::NO_RACCOON);
        };
        let to = self.cube.value;
        self.push(cell, beaverer.other(), Action::Double { to });
        self.push(cell, beaverer, Action::Take);
    }
}
