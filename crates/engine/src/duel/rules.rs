//! The rules of a duel, and the score of a match in it.

use crate::game::{GameState, MatchScore, Position, Rules};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DuelRules {
    /// Length of a match in points; 0 for money games.
    pub length: u16,
    /// Money games have a cube.
    pub cube: bool,
    /// Gammons count only after a double: the Jacoby rule (money).
    pub jacoby: bool,
    /// Beavers are allowed (money).
    pub beavers: bool,
    /// Largest cube of money games.
    pub largest_cube: u32,
    /// Bound on the sum of the luck of a game or match.
    pub luck_bound: f64,
}

impl DuelRules {
    /// Returns whether money games are played.
    pub fn is_money(&self) -> bool {
        self.length == 0
    }

    /// Returns whether money games are played without a cube.
    pub fn is_cubeless(&self) -> bool {
        self.is_money() && !self.cube
    }

    pub(super) fn has_cube(&self) -> bool {
        !self.is_cubeless()
    }

    pub(super) fn cap(&self) -> u32 {
        match self.is_money() {
            true => self.largest_cube,
            // Matches need no limit: beyond their length nobody doubles.
            false => u32::MAX,
        }
    }

    /// Returns the largest result, in points or match winning chances.
    pub fn most(&self) -> f64 {
        match (self.is_money(), self.cube) {
            (false, _) => 0.5,
            (true, false) => 3.0,
            (true, true) => 3.0 * f64::from(self.largest_cube),
        }
    }

    fn rules(&self) -> Rules {
        Rules {
            jacoby: self.jacoby && self.is_money(),
            beavers: self.beavers && self.is_money(),
            no_crawford: false,
        }
    }
}

/// The score of the contestants before a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Score {
    pub(super) points: [u16; 2],
    pub(super) crawford: bool,
}

impl Score {
    /// Returns the state that a contestant sees, with a centred cube.
    pub(super) fn state(self, rules: &DuelRules, side: usize, position: Position) -> GameState {
        let score = MatchScore {
            length: rules.length,
            mover: self.points[side],
            opponent: self.points[1 - side],
            crawford: self.crawford,
        };
        GameState {
            score,
            rules: rules.rules(),
            ..GameState::money(position)
        }
    }

    /// Returns the score after a game in which the first contestant won `points` points (negative for a
    /// loss).
    pub(super) fn after(self, rules: &DuelRules, points: i64) -> Self {
        let winner = usize::from(points < 0);
        let mut after = self;
        let sum = u64::from(self.points[winner]) + points.unsigned_abs();
        after.points[winner] = sum.min(u64::from(rules.length)) as u16;
        let match_point = |score: &Self| {
            let needs_one = |points: &u16| rules.length - points == 1;
            score.points.iter().any(needs_one)
        };
        after.crawford = match_point(&after) && !match_point(&self);
        after
    }

    pub(super) fn is_won(self, rules: &DuelRules) -> bool {
        self.points.contains(&rules.length)
    }
}
