//! Identifies a decision of a match; a turn has up to two.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchDecision {
    /// Index of its turn in the match.
    pub turn: usize,
    /// Whether it is the decision not to double before the roll.
    pub is_silent: bool,
}

impl MatchDecision {
    /// The play or cube action of a turn.
    pub fn done(turn: usize) -> Self {
        Self {
            turn,
            is_silent: false,
        }
    }

    /// The decision not to double before the roll of a turn.
    pub fn silent(turn: usize) -> Self {
        Self {
            turn,
            is_silent: true,
        }
    }
}
