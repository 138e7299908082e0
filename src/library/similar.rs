//! Distance between positions.
//!
//! The distance of two positions is the number of pips that turn one into the other. Each side's checkers move within
//! its own numbering, including the bar and the checkers borne off. That is one-dimensional transport: the cost is
//! the sum of the differences of the cumulative counts. One roll is about 8 of these pips. Dice, score and cube do
//! not count. Only decisions of the same class are compared, and cube decisions of matches only with those of
//! matches.

use super::packed::{PackedDecision, SIDE, sums};
use crate::game::GameState;
use crate::review::Class;

/// The reference of a search for similar positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Likeness {
    sides: [[u8; SIDE]; 2],
    class: Class,
    money: bool,
    /// The reference decision, whose game is left out.
    own: OwnDecision,
}

/// Data that identifies a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OwnDecision {
    roll: Option<crate::game::Roll>,
    away: Option<(u16, u16)>,
    cube: u32,
}

impl Likeness {
    /// The reference for a decision: a play if dice are set, a take if a double is pending, otherwise a double.
    pub fn to(state: &GameState) -> Self {
        Self {
            sides: sums(&state.position),
            class: Class::of_state(state),
            money: state.score.is_money(),
            own: OwnDecision {
                roll: state.roll,
                away: state.score.away(),
                cube: state.cube,
            },
        }
    }

    /// Returns the distance of a decision in pips; `None` if it is of another class.
    pub fn distance(&self, one: &PackedDecision) -> Option<u32> {
        let class = one.class()?;
        let same =
            class == self.class && (class == Class::Checker || (one.length() == 0) == self.money);
        same.then(|| distance(&self.sides, &one.sides))
    }

    /// Returns whether a decision has the same roll.
    pub fn has_roll_of(&self, one: &PackedDecision) -> bool {
        one.roll() == Some(self.own.roll)
    }

    /// Returns whether a decision is the reference itself: same roll, score and cube.
    pub fn is(&self, one: &PackedDecision) -> bool {
        one.sides == self.sides
            && one.class() == Some(self.class)
            && one.roll() == Some(self.own.roll)
            && one.away() == self.own.away
            && one.cube_value() == Some(self.own.cube)
    }
}

/// Returns the distance in pips of two positions, from their cumulative counts.
pub fn distance(a: &[[u8; SIDE]; 2], b: &[[u8; SIDE]; 2]) -> u32 {
    let (a, b) = (a.as_flattened(), b.as_flattened());
    let mut sum = 0u16;
    for (x, y) in a.iter().zip(b) {
        let low = (x & 15).abs_diff(y & 15);
        let high = (x >> 4).abs_diff(y >> 4);
        sum += u16::from(low + high);
    }
    u32::from(sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Position;

    fn slow(a: &Position, b: &Position) -> u32 {
        let side = |a: &crate::game::Side, b: &crate::game::Side| {
            let (mut sum, mut owed) = (0, 0i32);
            for place in 0..=25 {
                owed += i32::from(a.at(place)) - i32::from(b.at(place));
                sum += owed.unsigned_abs();
            }
            sum
        };
        side(&a.mover, &b.mover) + side(&a.opponent, &b.opponent)
    }

    #[test]
    fn distance_is_what_checkers_have_to_be_moved() {
        let opening = Position::opening();
        let played = Position::from_points(
            &[(24, 2), (13, 5), (8, 2), (6, 4), (5, 2)],
            &[(24, 2), (13, 5), (8, 3), (6, 5)],
        )
        .unwrap();
        assert_eq!(distance(&sums(&opening), &sums(&played)), 4);
        let far = Position::from_points(&[(25, 15)], &[(1, 15)]).unwrap();
        for (a, b) in [(opening, played), (opening, far), (played, far), (far, far)] {
            assert_eq!(distance(&sums(&a), &sums(&b)), slow(&a, &b));
            assert_eq!(distance(&sums(&b), &sums(&a)), slow(&a, &b));
        }
        let most = Position::from_points(&[(1, 15)], &[(25, 15)]).unwrap();
        assert_eq!(distance(&sums(&most), &sums(&far)), slow(&most, &far));
    }
}
