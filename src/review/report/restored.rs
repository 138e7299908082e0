//! Reports that were kept, with what was not kept of them.

use super::Report;
use super::wrong_choices::cube_errors;
use crate::game::Player;

impl Report {
    /// This report with the rules in its states and cube decisions, which are kept without them. Its cube errors
    /// are counted from its games: a review of before has none, or has them in fewer kinds.
    pub fn restored(mut self) -> Self {
        let (beavers, is_match) = (self.has_beavers(), !self.is_money());
        let no_crawford = is_match && self.rules.no_crawford;
        for game in &mut self.games {
            for one in &mut game.moves {
                // A GNUBG ID knows neither beavers nor matches without the Crawford rule.
                one.state.rules.beavers |= beavers;
                one.state.rules.no_crawford |= no_crawford;
                one.state.score.crawford |= is_match && game.crawford;
                if let Some(cube) = &mut one.cube {
                    cube.decision = cube.decision.with_beavers(beavers);
                }
            }
        }
        for (player, side) in self.players.iter_mut().zip([Player::Left, Player::Right]) {
            player.cube_errors = Some(cube_errors(&self.games, side));
        }
        self
    }
}
