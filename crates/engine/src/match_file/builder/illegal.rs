//! Rolls after which the board is known although no legal play leads there: illegal plays that were
//! let stand, and plays that are not written while the position after them is.

use super::GameBuilder;
use crate::game::{Player, Position, Roll};
use crate::match_file::model::Action;
use crate::match_file::warnings::{FilePlace, LET_STAND};

/// Whether `after`, seen by the next player, can follow `before` if any play of one player is
/// allowed: nobody gains checkers, and the other player loses none.
pub(crate) fn is_one_turn(before: &Position, after: &Position) -> bool {
    Position::new(after.mover, after.opponent).is_ok()
        && after.mover.off() == before.opponent.off()
        && after.opponent.off() >= before.mover.off()
}

impl GameBuilder {
    /// A roll after which `after` is on the board, seen by the next player: the legal play that leads
    /// there, or else an illegal one, with `told` as its warning.
    pub(crate) fn roll_to(
        &mut self,
        place: FilePlace,
        player: Player,
        roll: Roll,
        after: &Position,
        told: &str,
    ) {
        if !self.ready(place, player) {
            return;
        }
        self.before_roll(place, player, roll);
        let position = self.seen_by(player);
        self.list.generate(&position, roll);
        self.rolled = Some((position, roll));
        self.stand(place, player, roll, after, told);
    }

    /// Takes in a roll whose legal plays are listed already, and the position `after` it as the file has it.
    /// Where no play leads to that position, the event is an illegal play.
    pub(super) fn stand(
        &mut self,
        place: FilePlace,
        player: Player,
        roll: Roll,
        after: &Position,
        told: &str,
    ) {
        if let Some(play) = self.legal_to(after) {
            return self.commit(place, player, roll, play);
        }
        self.warn(place, player, told);
        let after = *after;
        self.move_to(place, player, Action::Illegal { roll, after }, after);
    }

    /// Whether the last thing that happened is a roll without a play.
    pub(crate) fn awaits_board(&self) -> bool {
        let last = self.game.events.last();
        self.hidden.is_some() && last.is_some_and(|e| matches!(e.action, Action::Hidden { .. }))
    }

    /// A player whose roll has no play is to roll: no board closes that roll.
    pub(crate) fn rolls_anew(&mut self, player: Player) {
        self.hidden.take_if(|(_, by)| *by == player);
    }

    /// Takes a board (seen by the left player) that is set right behind a roll without a play for the
    /// position after that roll. False when there is no such roll.
    pub(super) fn closes_roll(&mut self, place: FilePlace, board: &Position) -> bool {
        let Some((_, player)) = self.hidden else {
            return false;
        };
        let last = self.game.events.last();
        let Some(Action::Hidden { roll }) = last.map(|event| event.action) else {
            return false;
        };
        let after = player.other().turned(*board);
        // The two are one.
        self.game.events.pop();
        self.hidden = None;
        self.turn = Some(player);
        self.roll_to(place, player, roll, &after, LET_STAND);
        true
    }
}
