//! What a diagram shows.

use crate::game::{GameState, Play, Player, Side};

/// What a diagram shows.
///
/// ```
/// use luckless_engine::diagram::{Colours, Diagram};
/// use luckless_engine::game::{GameState, Position};
/// let svg = Diagram::new(GameState::money(Position::opening())).svg(&Colours::default());
/// assert_eq!(svg.matches("<circle class=\"checker").count(), 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// The position, seen by the player who decides, whose side is below.
    pub state: GameState,
    /// The player who decides: it chooses the colour.
    pub player: Player,
    /// A play to be shown by arrows on the position before it.
    pub play: Option<Play>,
    /// Whether checkers are borne off on the left.
    pub mirrored: bool,
    /// Whether the pips of both players stand beside the board: who is asked to count them does not want them.
    pub pips: bool,
    /// Whether the XGID stands below the board: sites and messengers take the one in the file away.
    pub identified: bool,
}

impl Diagram {
    /// A position without a play, borne off on the right.
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

    /// The player below, or the one above.
    pub(super) fn player(&self, below: bool) -> Player {
        if below {
            self.player
        } else {
            self.player.other()
        }
    }

    /// The checkers of the player below, or of the one above.
    pub(super) fn side(&self, below: bool) -> &Side {
        let position = &self.state.position;
        if below {
            &position.mover
        } else {
            &position.opponent
        }
    }
}
