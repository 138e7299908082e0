//! Reports that were kept, with what was not kept of them.

use super::Report;
use super::wrong_choices::cube_errors;
use crate::game::Player;

impl Report {
    /// This report, read from where the rule about beavers is kept beside its decisions, not with them. Its cube errors
    /// are counted from its games: a review of before has none, or has them in fewer kinds.
    pub fn restored(mut self) -> Self {
        let beavers = self.has_beavers();
        let moves = self.games.iter_mut().flat_map(|game| &mut game.moves);
        for cube in moves.filter_map(|one| one.cube.as_mut()) {
            cube.decision = cube.decision.with_beavers(beavers);
        }
        for (player, side) in self.players.iter_mut().zip([Player::Left, Player::Right]) {
            player.cube_errors = Some(cube_errors(&self.games, side));
        }
        self
    }
}
