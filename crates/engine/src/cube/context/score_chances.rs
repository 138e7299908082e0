//! Match winning chances before a game, and after each of its results.

use crate::cube::equity_table::{EquityTable, MOST_AWAY};
use crate::game::{MatchScore, Rules};

/// Match winning chances before and after a game, computed by one function, so that luck and result of the
/// game are consistent. If a player needs more points than the table contains before the game, the
/// approximation for long matches is used, even if the result is inside the table.
#[derive(Clone, Copy, Debug)]
pub struct ScoreChances<'a> {
    table: &'a EquityTable,
    /// Points needed by the player and by the opponent, at least one.
    pub(super) away: [u16; 2],
    pub(super) is_crawford: bool,
    /// The match has the Crawford rule.
    has_crawford: bool,
}

impl<'a> ScoreChances<'a> {
    /// Returns the chances of the player on roll at this score; `None` in money play.
    pub fn of(score: &MatchScore, rules: Rules, table: &'a EquityTable) -> Option<Self> {
        let (mine, theirs) = score.away()?;
        Some(Self {
            has_crawford: !rules.no_crawford,
            ..Self::new(table, [mine, theirs], score.crawford)
        })
    }

    /// Returns the chances of a player who needs `away[0]` points against `away[1]`. `is_crawford`: whether
    /// this is the Crawford game; otherwise 1-away means post-Crawford. Fewer than one point count as one.
    pub fn new(table: &'a EquityTable, away: [u16; 2], is_crawford: bool) -> Self {
        Self {
            table,
            away: away.map(|points| points.max(1)),
            is_crawford,
            has_crawford: true,
        }
    }

    /// Returns the MWC before the game.
    pub fn before(&self) -> f32 {
        let [mine, theirs] = self.away.map(i32::from);
        self.at(mine, theirs, self.ends_crawford() && !self.is_crawford)
    }

    /// Returns the MWC after a game in which this player and the opponent win these points.
    pub fn after(&self, won: [i32; 2]) -> f32 {
        let [mine, theirs] = self.away.map(i32::from);
        let [mine, theirs] = [mine.saturating_sub(won[0]), theirs.saturating_sub(won[1])];
        self.after_to(mine, theirs)
    }

    /// Returns the MWC after a game that leaves these points to this player and the opponent.
    pub(super) fn after_to(&self, mine: i32, theirs: i32) -> f32 {
        self.at(mine, theirs, self.ends_crawford())
    }

    /// Returns whether the Crawford game is over after this game.
    fn ends_crawford(&self) -> bool {
        self.is_crawford || self.away.contains(&1)
    }

    fn at(&self, mine: i32, theirs: i32, after_crawford: bool) -> f32 {
        let most = usize::from(self.away[0].max(self.away[1]));
        if most > MOST_AWAY && !self.ends_crawford() {
            self.table.far_chance(mine, theirs)
        } else if self.has_crawford {
            self.table.chance(mine, theirs, after_crawford)
        } else {
            let table = self.table;
            table.chance_without_crawford(mine, theirs, after_crawford)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::{Cube, CubeContext};
    use crate::game::CubeOwner;

    #[test]
    fn a_game_and_its_result_are_valued_by_one_function() {
        let table = EquityTable::standard();
        let chances = |mine: u16, theirs: u16, crawford, no_crawford| {
            let score = MatchScore {
                length: 90,
                mover: 90 - mine,
                opponent: 90 - theirs,
                crawford,
            };
            let rules = Rules {
                no_crawford,
                ..Rules::default()
            };
            let context = CubeContext::new(&score, rules, table);
            (ScoreChances::of(&score, rules, table).unwrap(), context)
        };
        for (mine, theirs, crawford, no_crawford) in [
            (5, 3, false, false),
            (5, 2, false, true),
            (1, 4, true, false),
            (1, 4, false, false),
            (66, 64, false, false),
            (70, 1, true, false),
        ] {
            let (chances, context) = chances(mine, theirs, crawford, no_crawford);
            for (level, points) in [(0, 1), (1, 2), (2, -1), (3, -3)] {
                let owner = CubeOwner::Mover;
                let won = i32::from(points) << level;
                let after = chances.after([won.max(0), (-won).max(0)]);
                let result = context.result(Cube { level, owner }, points);
                assert_eq!(after, result, "{mine}-{theirs} {level} {points}");
            }
        }
        // From outside the table into it: the chance is not the table's.
        let (far, _) = chances(66, 64, false, false);
        assert_eq!(far.after([2, 0]), table.far_chance(64, 64));
        assert_eq!(far.after([8, 0]), table.far_chance(58, 64));
        assert_ne!(far.after([8, 0]), table.chance(58, 64, false));
        // In the Crawford game the pre-Crawford row applies, and afterwards another row.
        let (crawford, _) = chances(1, 4, true, false);
        assert_eq!(crawford.before(), table.chance(1, 4, false));
        assert_eq!(crawford.after([0, 2]), table.chance(1, 2, true));
        let (post, _) = chances(1, 4, false, false);
        assert_eq!(post.before(), table.chance(1, 4, true));
    }
}
