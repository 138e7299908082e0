//! Trees that are a position alone.

use crate::game::{CubeOwner, GameState, MatchScore, Player, Roll};
use crate::match_file::builder::GameBuilder;
use crate::match_file::model::{Action, Match};

/// Whether nothing is done in a game but at most a double, which is to be answered.
pub(super) fn is_idle(builder: &GameBuilder) -> bool {
    match &builder.game.events[..] {
        [] => true,
        [only] => matches!(only.action, Action::Double { .. }) && !builder.is_cut(),
        _ => false,
    }
}

/// The state of a position alone, seen by the player who decides.
pub(super) fn state(
    builder: &GameBuilder,
    record: &Match,
    on_roll: Option<Player>,
    roll: Option<Roll>,
) -> GameState {
    let offered = builder.cube.offered;
    let player = match offered {
        Some((doubler, _)) => doubler.other(),
        None => on_roll.unwrap_or(Player::Left),
    };
    let score = builder.game.score;
    GameState {
        position: builder.seen_by(player),
        cube: builder.cube.value,
        owner: CubeOwner::seen_by(builder.cube.owner, player),
        score: MatchScore {
            length: record.length,
            mover: score[player.index()],
            opponent: score[player.other().index()],
            crawford: builder.game.crawford,
        },
        rules: record.rules_in_force(),
        roll: roll.filter(|_| offered.is_none()),
        doubled: offered.is_some(),
    }
}
