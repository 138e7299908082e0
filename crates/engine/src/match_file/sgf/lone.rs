//! Trees that contain only a position.

use crate::game::{CubeOwner, GameState, MatchScore, Player, Roll};
use crate::match_file::builder::GameBuilder;
use crate::match_file::model::{Action, Match};

/// Returns whether the game holds nothing but an unanswered double.
pub(super) fn is_idle(builder: &GameBuilder) -> bool {
    match &builder.game.events[..] {
        [] => true,
        [only] => matches!(only.action, Action::Double { .. }) && !builder.is_cut(),
        _ => false,
    }
}

/// Returns the state of a standalone position, seen by the player to decide.
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
