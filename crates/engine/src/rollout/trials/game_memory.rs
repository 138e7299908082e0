//! The memory for one of two games that are played side by side.

use super::trial_rolls::TrialRolls;
use crate::cube::Cube;
use crate::eval::Probabilities;
use crate::game::Position;
use crate::game::roll::DISTINCT;

/// Key of a table: the position and, if plays are best at the score, the cube, both seen by the player on roll.
/// The flag is set if that player made the candidate play.
pub(super) type TableKey = (Position, Option<(Cube, bool)>);

/// Memory for one of two games.
pub(super) struct GameMemory {
    pub(super) table: Box<TrialRolls>,
    /// The key of the table, if it is filled.
    pub(super) table_of: Option<TableKey>,
    /// The prediction that luck is measured from where it is not the table.
    pub(super) guess: Box<[Probabilities; DISTINCT]>,
    /// The position that the prediction is for.
    pub(super) guess_of: Option<Position>,
    /// Value of each roll, in points up to a common constant, if rolls are put in order.
    pub(super) worth: [f32; DISTINCT],
    /// The first position of the trials lately played.
    pub(super) start: Option<TableKey>,
}

impl GameMemory {
    pub(super) fn new() -> Self {
        Self {
            table: Box::new(TrialRolls::new()),
            table_of: None,
            guess_of: None,
            worth: [0.0; DISTINCT],
            start: None,
            guess: Box::new([Probabilities::default(); DISTINCT]),
        }
    }
}
