//! The cube of a recorded game: the actions allowed and their effects.
//!
//! Readers differ in how they find the acting player; they share these rules.

use crate::game::Player;
use crate::notation::LARGEST_CUBE_POWER;

/// Largest cube value accepted.
pub(super) const LARGEST_CUBE: u32 = 1 << LARGEST_CUBE_POWER;

/// Largest starting cube after automatic doubles.
const LARGEST_AUTOMATIC: u32 = 64;

/// Returns whether automatic doubles can give this starting cube.
pub(super) fn is_automatic(value: u32) -> bool {
    value.is_power_of_two() && value <= LARGEST_AUTOMATIC
}

/// Returns whether this is a valid cube value.
pub(super) fn is_value(value: u32) -> bool {
    value.is_power_of_two() && value <= LARGEST_CUBE
}

/// Warning for a double beyond [`LARGEST_CUBE`].
pub(super) const TOO_HIGH: &str = "the cube is too high";
/// Warning for a double by the player whose double is unanswered.
pub(super) const SECOND_DOUBLE: &str = "a second double without an answer is not read";
/// Warning for a double by a player who does not own the cube.
const NOT_OWNED: &str = "doubles, but does not own the cube";
/// Warning for a double in the Crawford game.
pub(super) const IN_CRAWFORD: &str = "doubles in the Crawford game: the rule seems to be off";
/// Warning for a double in a match to one point.
const IN_ONE_POINT: &str = "doubles in a match to one point, which has no cube";
/// Warning for a double before the first roll.
const BEFORE_FIRST_ROLL: &str = "doubles before the first roll";
/// Warning for a roll after an unanswered double.
pub(super) const NO_ANSWER: &str = "the answer to the double is missing";
/// Warnings for answers without a double.
pub(super) const NO_TAKE: &str = "takes, but nothing was offered";
pub(super) const NO_PASS: &str = "passes, but nothing was offered";
pub(super) const NO_BEAVER: &str = "beavers, but nothing was offered";
pub(super) const NO_RACCOON: &str = "a raccoon, but there was no beaver";
/// Warning for a beaver in a match.
pub(super) const MATCH_BEAVER: &str = "there are no beavers in a match";

#[derive(Clone, Copy, Debug)]
pub(super) struct GameCube {
    /// Value at the start of the game.
    pub(super) begun_at: u32,
    pub(super) value: u32,
    pub(super) owner: Option<Player>,
    /// The doubler and the new value, while the double is unanswered.
    pub(super) offered: Option<(Player, u32)>,
    /// The player who has beavered, until the next roll.
    beavered: Option<Player>,
    /// The last action was a raccoon, which counts as taken at once.
    raccooned: bool,
}

/// The meaning of a double in the present state of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doubling {
    Double,
    /// A second double by the same player, while the first is unanswered.
    Again,
    /// An answer to a double.
    Beaver,
    /// An answer to a beaver.
    Raccoon,
}

/// The meaning of a take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taking {
    /// This player takes the double.
    By(Player),
    /// The take of a beaver or a raccoon, which is already taken.
    Done,
    /// No double is pending.
    Nothing,
}

impl GameCube {
    pub(super) fn new(value: u32, owner: Option<Player>) -> Self {
        Self {
            begun_at: value,
            value,
            owner,
            offered: None,
            beavered: None,
            raccooned: false,
        }
    }

    /// Starts the game with automatic doubles if its first double, in money play, is to more than 2. Returns
    /// whether it does.
    pub(super) fn begin_for_double(&mut self, to: u32) -> bool {
        let is_untouched = self.begun_at == 1 && self.value == 1 && self.offered.is_none();
        let is_so = is_untouched && is_value(to) && (4..=2 * LARGEST_AUTOMATIC).contains(&to);
        if is_so {
            *self = Self::new(to / 2, None);
        }
        is_so
    }

    /// Returns the meaning of a double by `player`.
    pub(super) fn doubling(&self, player: Player) -> Doubling {
        match (self.offered, self.beavered) {
            (Some((by, _)), _) if by != player => Doubling::Beaver,
            (Some(_), _) => Doubling::Again,
            (None, Some(by)) if by != player => Doubling::Raccoon,
            _ => Doubling::Double,
        }
    }

    /// Returns whether `player` may turn the cube.
    pub(super) fn is_free_to(&self, player: Player) -> bool {
        self.owner.is_none_or(|owner| owner == player)
    }

    /// Returns the value after a double, if it is at most [`LARGEST_CUBE`].
    pub(super) fn next(&self) -> Option<u32> {
        Some(2 * self.value).filter(|&value| value <= LARGEST_CUBE)
    }

    /// Returns the faults of a double by `player` in a match to `length`. `is_first`: before the first roll
    /// of the game.
    pub(super) fn faults_of_double(
        self,
        player: Player,
        length: u16,
        is_crawford: bool,
        is_first: bool,
    ) -> impl Iterator<Item = &'static str> {
        let faults = [
            (!self.is_free_to(player), NOT_OWNED),
            (is_crawford, IN_CRAWFORD),
            (length == 1, IN_ONE_POINT),
            (is_first, BEFORE_FIRST_ROLL),
        ];
        faults
            .into_iter()
            .filter_map(|(is_there, fault)| is_there.then_some(fault))
    }

    /// Records a double by `player` to `to`.
    pub(super) fn offer(&mut self, player: Player, to: u32) {
        self.offered = Some((player, to));
    }

    pub(super) fn take(&mut self) -> Taking {
        match self.offered.take() {
            Some((by, to)) => {
                (self.value, self.owner) = (to, Some(by.other()));
                Taking::By(by.other())
            }
            None if self.beavered.is_some() || self.raccooned => Taking::Done,
            None => Taking::Nothing,
        }
    }

    /// Passes a double or a beaver. Returns the winner and the value won.
    pub(super) fn pass(&mut self) -> Option<(Player, u32)> {
        match self.offered.take() {
            Some((by, _)) => Some((by, self.value)),
            None => self.beavered.map(|by| (by, self.value / 2)),
        }
    }

    /// Takes a double and redoubles. Returns the beavering player.
    pub(super) fn beaver(&mut self) -> Option<Player> {
        let (by, to) = self.offered.take()?;
        let beaverer = by.other();
        self.value = (2 * to).min(LARGEST_CUBE);
        (self.owner, self.beavered) = (Some(beaverer), Some(beaverer));
        Some(beaverer)
    }

    /// Redoubles a beaver. Returns the beavering player, who keeps the cube.
    pub(super) fn raccoon(&mut self) -> Option<Player> {
        let beaverer = self.beavered?;
        self.value = self.next()?;
        self.beavered = None;
        self.raccooned = true;
        Some(beaverer)
    }

    /// Begins a roll, which takes an unanswered double. Returns the player who took it.
    pub(super) fn roll(&mut self) -> Option<Player> {
        let taken = self.take();
        (self.beavered, self.raccooned) = (None, false);
        match taken {
            Taking::By(taker) => Some(taker),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Player::{Left, Right};

    #[test]
    fn a_cube_goes_from_hand_to_hand() {
        let passed = |mut cube: GameCube| cube.pass();
        let rolled = |mut cube: GameCube| cube.roll();
        let taken = |mut cube: GameCube| cube.take();
        let mut cube = GameCube::new(1, None);
        assert_eq!(cube.doubling(Left), Doubling::Double);
        cube.offer(Left, cube.next().unwrap());
        assert_eq!(cube.doubling(Left), Doubling::Again);
        assert_eq!(cube.doubling(Right), Doubling::Beaver);
        assert_eq!(passed(cube), Some((Left, 1)));
        assert_eq!(rolled(cube), Some(Right));
        assert_eq!(cube.beaver(), Some(Right));
        assert_eq!((cube.value, cube.owner), (4, Some(Right)));
        assert_eq!(cube.doubling(Left), Doubling::Raccoon);
        assert_eq!(cube.doubling(Right), Doubling::Double);
        assert_eq!(passed(cube), Some((Right, 2)));
        assert_eq!(taken(cube), Taking::Done);
        assert_eq!(cube.raccoon(), Some(Right));
        assert_eq!((cube.value, cube.owner), (8, Some(Right)));
        assert_eq!(cube.take(), Taking::Done);
        assert_eq!(cube.raccoon(), None);
        assert_eq!(cube.roll(), None);
        assert_eq!(cube.take(), Taking::Nothing);
        assert!(cube.is_free_to(Right) && !cube.is_free_to(Left));
    }

    #[test]
    fn no_cube_is_larger_than_the_largest() {
        assert!(is_value(1) && is_value(LARGEST_CUBE));
        assert!(!is_value(0) && !is_value(6) && !is_value(2 * LARGEST_CUBE));
        let mut cube = GameCube::new(LARGEST_CUBE, None);
        assert_eq!(cube.next(), None);
        cube.offer(Left, LARGEST_CUBE);
        assert_eq!(cube.beaver(), Some(Right));
        assert_eq!(cube.value, LARGEST_CUBE);
        assert_eq!(cube.raccoon(), None);
        assert_eq!(cube.value, LARGEST_CUBE);
    }
}
