//! The record of one turn of a trial that is being looked into.

use crate::cube::{Cube, CubeChoice};
use crate::game::{Position, Roll};

/// One turn of a trial that is being looked into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn {
    /// Place of the candidate.
    pub candidate: u16,
    /// The position before the roll, seen by the player on roll.
    pub position: Position,
    /// The player on roll made the candidate play.
    pub own: bool,
    pub roll: Roll,
    /// The places of the roll among the 36 of its position, 1 the luckiest: the first and the last of
    /// those that it shares with rolls of the same value.
    pub ranks: [u8; 2],
    /// The rank, 1 to 36, that was drawn for all games, where the coupling deals ranks.
    pub drawn: Option<u8>,
    /// The position after the play, seen by the other player.
    pub result: Position,
    /// The cube at which it was rolled, in a cubeful trial.
    pub cube: Option<u32>,
    /// The cube at which it was rolled with its owner, seen by the player on roll.
    pub(crate) cube_state: Option<Cube>,
    /// Luck of the roll in points, for the player who made the candidate play; 0 where it is not
    /// measured.
    pub luck: f64,
}

/// A decision about the cube in a trial that is being looked into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CubeTurn {
    /// The position before the roll, seen by the player on roll.
    pub(crate) position: Position,
    /// The player on roll made the candidate play.
    pub(crate) own: bool,
    /// The cube before the decision, seen by the player on roll.
    pub(crate) cube_state: Cube,
    /// The answer to a double; none if there was no double.
    pub(crate) answer: Option<CubeChoice>,
    /// The decision was made before the first roll, more deeply than later ones may be.
    pub(crate) is_first: bool,
}
