//! The window of the match equity table: the score of the match in it, and the one that is looked at.

use std::sync::Arc;

use crate::analysis::ScoreFacts;
use crate::cube::EquityTable;
use crate::cube::met::MOST_AWAY;
use crate::game::Player;
use crate::match_file::DecisionState;

/// Points each way that the window shows at least.
const SIDE: u16 = 25;
/// Points away at which the window opens in money play: a score at which the end of the match is far.
const MIDDLE: u16 = 7;

/// A score, seen by the player at the bottom of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableScore {
    /// Points that this player and the other need.
    pub away: [u16; 2],
    /// Whether this is the Crawford game. A player who needs one point has it behind otherwise.
    pub is_crawford: bool,
}

impl TableScore {
    /// The score at which the players need so many points. Only where one of them alone needs one point,
    /// `is_crawford` makes a difference.
    pub fn new(away: [u16; 2], is_crawford: bool) -> Self {
        let [mine, theirs] = away;
        Self {
            away,
            is_crawford: is_crawford && (mine == 1) != (theirs == 1),
        }
    }

    /// The score at a decision of a match; `None` in money play.
    pub fn of_match(before: &DecisionState, bottom: Player) -> Option<Self> {
        let score = before.state.score;
        let score = match before.player == bottom {
            true => score,
            false => score.flipped(),
        };
        let (mine, theirs) = score.away()?;
        Some(Self::new([mine.max(1), theirs.max(1)], score.crawford))
    }

    /// Whether a player needs one point and the Crawford game is over.
    fn is_after_crawford(self) -> bool {
        self.away.contains(&1) && !self.is_crawford
    }
}

/// What the window shows.
#[derive(Clone, Debug)]
pub struct EquityTablePlace {
    /// The table in use: that without the Crawford rule where the match in view is played without it.
    pub table: Arc<EquityTable>,
    /// Points that the player at the bottom and the other need at the selected score.
    pub away: [u16; 2],
    /// Whether scores of one point are those of the Crawford game. Otherwise they are those after it.
    pub is_crawford: bool,
    /// Points each way.
    pub side: u16,
}

impl EquityTablePlace {
    /// The window at the `present` score, in money play in the middle. A match without the Crawford game has
    /// another table.
    pub fn new(table: &Arc<EquityTable>, present: Option<TableScore>, no_crawford: bool) -> Self {
        let table = match no_crawford {
            true => Arc::new(table.without_crawford()),
            false => Arc::clone(table),
        };
        let mut place = Self {
            is_crawford: table.has_crawford(),
            table,
            away: [MIDDLE; 2],
            side: SIDE,
        };
        if let Some(score) = present {
            let [mine, theirs] = score.away;
            place.side = mine.max(theirs).clamp(SIDE, MOST_AWAY as u16);
            place.go_to(score);
        }
        place
    }

    /// The selected score.
    pub fn score(&self) -> TableScore {
        TableScore::new(self.away, self.is_crawford)
    }

    /// Selects a score, or the one next to it that the window has.
    pub fn go_to(&mut self, score: TableScore) {
        self.away = score.away.map(|points| points.clamp(1, self.side));
        if score.away.contains(&1) {
            self.is_crawford = score.is_crawford && self.table.has_crawford();
        }
    }

    /// Moves the selected score by so many points for the player at the bottom and for the other; stays
    /// within the table.
    pub fn step(&mut self, by: [i16; 2]) {
        for (points, by) in self.away.iter_mut().zip(by) {
            *points = points.saturating_add_signed(by).clamp(1, self.side);
        }
    }

    /// Goes from the Crawford game to the scores after it, or back.
    pub fn switch_crawford(&mut self) {
        self.is_crawford = !self.is_crawford && self.table.has_crawford();
    }

    /// The chance of the player at the bottom to win the match.
    pub fn chance(&self, score: TableScore) -> f32 {
        let [mine, theirs] = score.away.map(i32::from);
        self.table.chance(mine, theirs, score.is_after_crawford())
    }

    /// What the selected score means.
    pub fn facts(&self) -> ScoreFacts {
        let score = self.score();
        ScoreFacts::new(&self.table, score.away, score.is_crawford, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(table: EquityTable) -> EquityTablePlace {
        EquityTablePlace {
            is_crawford: table.has_crawford(),
            table: Arc::new(table),
            away: [3, 2],
            side: 25,
        }
    }

    #[test]
    fn steps_stay_within_the_table() {
        let mut place = place(EquityTable::standard().clone());
        place.step([-9, 1]);
        assert_eq!(place.away, [1, 3]);
        place.step([100, -5]);
        assert_eq!(place.away, [25, 1]);
        place.go_to(TableScore::new([70, 4], false));
        assert_eq!(place.away, [25, 4]);
    }

    /// One point is that of the Crawford game or after it; at double match point there is one score.
    #[test]
    fn crawford_and_after_it() {
        let table = EquityTable::standard();
        let mut place = place(table.clone());
        place.go_to(TableScore::new([4, 1], true));
        assert_eq!(place.chance(place.score()), table.chance(4, 1, false));
        assert!(place.facts().crawford);
        place.switch_crawford();
        assert_eq!(place.chance(place.score()), table.chance(4, 1, true));
        assert_eq!(place.facts().mwc, table.chance(4, 1, true));
        // Where both need one point the Crawford game is over.
        place.switch_crawford();
        place.go_to(TableScore::new([1, 1], true));
        assert!(!place.score().is_crawford && !place.is_crawford);
        assert_eq!(place.facts().mwc, 0.5);
    }

    #[test]
    fn without_the_rule_there_is_no_crawford_game() {
        let table = EquityTable::standard().without_crawford();
        let mut place = place(table.clone());
        place.switch_crawford();
        place.go_to(TableScore::new([1, 3], true));
        assert!(!place.score().is_crawford);
        assert_eq!(place.chance(place.score()), table.chance(1, 3, true));
    }
}
