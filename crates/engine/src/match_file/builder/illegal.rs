//! Rolls whose resulting board is known but not reached by a written legal play: illegal plays that were let
//! stand, and plays of which only the resulting position is written.

use super::GameBuilder;
use crate::game::{Player, Position, Roll};
use crate::match_file::model::Action;
use crate::match_file::warnings::{FilePlace, LET_STAND};

/// Returns whether `after`, seen by the next player, can follow `before` by a play of one player, legal or
/// not: nobody gains checkers, and the opponent loses none.
pub(crate) fn is_one_turn(before: &Position, after: &Position) -> bool {
    Position::new(after.mover, after.opponent).is_ok()
        && after.mover.off() == before.opponent.off()
        && after.opponent.off() >= before.mover.off()
}

impl GameBuilder {
    /// Adds a roll with the resulting board `after`, seen by the next player. The event is the legal play to
    /// that board, or else an illegal play with the warning `message`.
    pub(crate) fn roll_to(
        &mut self,
        place: FilePlace,
        player: Player,
        roll: Roll,
        after: &Position,
        message: &str,
    ) {
        if !self.ready(place, player) {
            return;
        }
        self.before_roll(place, player, roll);
        let position = self.seen_by(player);
        self.list.generate(&position, roll);
        self.rolled = Some((position, roll));
        self.commit_to(place, player, roll, after, message);
    }

    /// Adds a roll, whose legal plays are already listed, with the position `after` it in the file. If no
    /// legal play leads to that position, the event is an illegal play.
    pub(super) fn commit_to(
        &mut self,
        place: FilePlace,
        player: Player,
        roll: Roll,
        after: &Position,
        message: &str,
    ) {
        if let Some(play) = self.legal_to(after) {
            return self.commit(place, player, roll, play);
        }
        self.warn(place, player, message);
        let after = *after;
        self.move_to(place, player, Action::Illegal { roll, after }, after);
    }

    /// Returns whether the last event is a roll without a play.
    pub(crate) fn awaits_board(&self) -> bool {
        let last = self.game.events.last();
        self.hidden.is_some() && last.is_some_and(|e| matches!(e.action, Action::Hidden { .. }))
    }

    /// Prepares another roll by a player whose last roll has no play: a board no longer completes that roll.
    pub(crate) fn rolls_anew(&mut self, player: Player) {
        self.hidden.take_if(|(_, by)| *by == player);
    }

    /// Completes a roll without a play by a board (seen by the left player) that is set up right after it.
    /// Returns false if there is no such roll.
    pub(super) fn closes_roll(&mut self, place: FilePlace, board: &Position) -> bool {
        let Some((_, player)) = self.hidden else {
            return false;
        };
        let last = self.game.events.last();
        let Some(Action::Hidden { roll }) = last.map(|event| event.action) else {
            return false;
        };
        let after = player.other().turned(*board);
        // Roll and board become one event.
        self.game.events.pop();
        self.hidden = None;
        self.turn = Some(player);
        self.roll_to(place, player, roll, &after, LET_STAND);
        true
    }
}
