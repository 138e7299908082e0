//! The values of single games at a score for each cube: everything that a game without gammons depends on.

/// Maximum number of usable cubes: 1, 2, … 32, enough for matches up to 64 points.
const MOST_LEVELS: usize = 6;

/// The values of single games at a score for each cube. Both players' contexts have the same terms; the
/// player who needs fewer points is the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// Points needed by the first and the second player.
    pub(super) away: [u16; 2],
    /// Match winning chance of either player after winning with the cube on 2^level.
    pub(super) won: [[f32; MOST_LEVELS + 1]; 2],
    /// Number of cubes that a player can use; none in the Crawford game.
    pub(super) live: u8,
    /// The player on roll.
    side: u8,
}

impl Terms {
    /// Creates the terms for a player on roll who needs `mine` points against `theirs`. `chance`: the winning
    /// chance of a player by the points needed on both sides. Cubes from `top` on decide the match.
    pub(super) fn new(
        [mine, theirs]: [u16; 2],
        crawford: bool,
        top: u8,
        chance: impl Fn(i32, i32) -> f32,
    ) -> Option<Self> {
        if usize::from(top) > MOST_LEVELS {
            return None;
        }
        let away = [mine.min(theirs), mine.max(theirs)];
        let [first, second] = away.map(i32::from);
        let first_won = std::array::from_fn(|level| chance(first - (1 << level), second));
        let second_won = std::array::from_fn(|level| 1.0 - chance(first, second - (1 << level)));
        let even = first == second;
        Some(Self {
            away,
            won: [first_won, if even { first_won } else { second_won }],
            live: if crawford { 0 } else { top },
            side: u8::from(mine > theirs),
        })
    }

    /// Returns the terms as seen by the opponent.
    pub(super) fn flipped(self) -> Self {
        let even = self.away[0] == self.away[1];
        Self {
            side: if even { 0 } else { 1 - self.side },
            ..self
        }
    }

    /// Returns whether nobody may double at any cube.
    pub(super) fn is_dead(&self) -> bool {
        self.live == 0
    }

    /// Returns the player on roll.
    pub(super) fn side(&self) -> usize {
        usize::from(self.side)
    }

    /// Returns the terms without the player on roll: the key of a table.
    pub(super) fn of_score(self) -> Self {
        Self { side: 0, ..self }
    }

    /// Returns the MWC of a player after a double and a pass, or negative infinity if the double is useless.
    pub(super) fn cash(&self, side: usize, level: usize) -> f32 {
        if 1 << level < u32::from(self.away[side]) {
            self.won[side][level]
        } else {
            f32::NEG_INFINITY
        }
    }
}
