//! Which decision of a match: a turn has up to two.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchDecision {
    /// Its turn: the place among all turns of the match.
    pub turn: usize,
    /// Whether it is the decision not to double before the roll.
    pub is_silent: bool,
}

impl MatchDecision {
    /// What was done in a turn: its play or cube action.
    pub fn done(turn: usize) -> Self {
        Self {
            turn,
            is_silent: false,
        }
    }

    /// Not doubling before the roll of a turn.
    pub fn silent(turn: usize) -> Self {
        Self {
            turn,
            is_silent: true,
        }
    }
}
