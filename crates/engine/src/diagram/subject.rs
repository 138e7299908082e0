//! The content of a diagram.

use crate::game::{GameState, Play, Player, Side};

/// The content of a diagram.
///
/// ```
/// use luckless_engine::diagram::{Colours, Diagram};
/// use luckless_engine::game::{GameState, Position};
/// let svg = Diagram::new(GameState::money(Position::opening())).svg(&Colours::default());
/// assert_eq!(svg.matches("<circle class=\"checker").count(), 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The position, seen by the player to decide, who is at the bottom.
    pub state: GameState,
    /// The player to decide, which determines the colours.
    pub player: Player,
    /// A play to show by arrows; `state` is the position before it.
    pub play: Option<Play>,
    /// Checkers are borne off on the left.
    pub mirrored: bool,
    /// Shows the pip counts of both players; exercises in counting need them hidden.
    pub pips: bool,
    /// Shows the XGID below the board: sites and messengers remove the one inside the file.
    pub identified: bool,
}

impl Diagram {
    /// Creates a diagram without a play, with bearing off on the right.
    pub fn new(state: GameState) -> Self {
        Self {
            state,
            player: Player::Left,
            play: None,
            mirrored: false,
            pips: true,
            identified: false,
        }
    }

    /// Returns the player at the bottom or at the top.
    pub(super) fn player(&self, below: bool) -> Player {
        if below {
            self.player
        } else {
            self.player.other()
        }
    }

    /// Returns the checkers of the player at the bottom or at the top.
    pub(super) fn side(&self, below: bool) -> &Side {
        let position = &self.state.position;
        if below {
            &position.mover
        } else {
            &position.opponent
        }
    }
}
