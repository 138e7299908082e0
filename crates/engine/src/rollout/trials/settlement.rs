//! Dahl's four states of the cube, followed along a cubeless game: see [`crate::cube::dahl`].

use super::luck::{Range, equity_of_luck};
use super::trial::{TrialGame, TrialPlayers};

impl TrialPlayers<'_> {
    /// Settles the states in which the player on roll doubles here and the other passes, by the
    /// evaluator of the player who made the candidate play.
    pub(super) fn follow_states(&mut self, game: &mut TrialGame) {
        let Some(mut states) = game.states else {
            return;
        };
        let first_of_game = self.rules.range(game.turns) == Range::NoDoubles;
        if states.is_settled() || game.position.is_over() || first_of_game {
            return;
        }
        let chances = self.chances(game, true);
        let luck = equity_of_luck(&game.luck.chances);
        states.before_roll(game.own_turn, &chances, luck);
        if game.turns <= 1 {
            states.mark_by_first_roll();
        }
        game.states = Some(states);
    }
}
