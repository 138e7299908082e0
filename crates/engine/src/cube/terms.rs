//! What single games at a score are worth at each cube: all that a game without gammons depends on.

/// Most cubes of use: 1, 2, … 32, enough for matches up to 64 points.
const MOST_LEVELS: usize = 6;

/// What single games at a score are worth at each cube. Both players' contexts have the same terms,
/// the player who needs less being the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// Points that the first player and the second need.
    pub(super) away: [u16; 2],
    /// Chance of either player to win the match after winning with the cube on 2^level.
    pub(super) won: [[f32; MOST_LEVELS + 1]; 2],
    /// Cubes that are of use to somebody; none in the Crawford game.
    pub(super) live: u8,
    /// Which player is on roll.
    side: u8,
}

impl Terms {
    /// The terms for a player on roll who needs `mine` points where the other needs `theirs`. `chance` says
    /// what a player who needs so many points against so many has; cubes from `top` on decide the match.
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

    /// These terms seen by the other player.
    pub(super) fn flipped(self) -> Self {
        let even = self.away[0] == self.away[1];
        Self {
            side: if even { 0 } else { 1 - self.side },
            ..self
        }
    }

    /// Whether nobody may double at any cube.
    pub(super) fn is_dead(&self) -> bool {
        self.live == 0
    }

    /// Which player is on roll.
    pub(super) fn side(&self) -> usize {
        usize::from(self.side)
    }

    /// These terms without the player on roll: the key of a table.
    pub(super) fn of_score(self) -> Self {
        Self { side: 0, ..self }
    }

    /// MWC of a player after a double that is passed; less than any where the double is of no use.
    pub(super) fn cash(&self, side: usize, level: usize) -> f32 {
        if 1 << level < u32::from(self.away[side]) {
            self.won[side][level]
        } else {
            f32::NEG_INFINITY
        }
    }
}
