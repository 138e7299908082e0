//! What a duel is played for, and the score of a match in it.

use crate::game::{GameState, MatchScore, Position, Rules};

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DuelRules {
    /// Points of a match; 0 for money games.
    pub length: u16,
    /// Whether money games have a cube.
    pub cube: bool,
    /// Whether gammons count only once the cube has been turned (money).
    pub jacoby: bool,
    /// Whether a double may be redoubled at once (money).
    pub beavers: bool,
    /// Largest cube of money games.
    pub largest_cube: u32,
    /// The sum of the luck of a game or match is kept within so much.
    pub luck_bound: f64,
}

impl DuelRules {
    /// Whether money games are played.
    pub fn is_money(&self) -> bool {
        self.length == 0
    }

    /// Whether nothing but the checkers counts.
    pub fn is_cubeless(&self) -> bool {
        self.is_money() && !self.cube
    }

    pub(super) fn has_cube(&self) -> bool {
        !self.is_cubeless()
    }

    pub(super) fn cap(&self) -> u32 {
        match self.is_money() {
            true => self.largest_cube,
            // Beyond it nobody doubles: every match is won.
            false => u32::MAX,
        }
    }

    /// Largest result, in points or match-winning chances.
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
    /// Points of each.
    pub(super) points: [u16; 2],
    /// Whether this is the Crawford game.
    pub(super) crawford: bool,
}

impl Score {
    /// The state that a contestant sees, with a centred cube.
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

    /// The score after a game in which the first contestant won so many points.
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
