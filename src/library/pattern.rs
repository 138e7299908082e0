//! A structure of checkers: at least so many here, none there, anything elsewhere.

use super::filter::FilterError;
use super::packed::PackedDecision;
use crate::game::GameState;
use crate::game::position::{BAR, CHECKERS, OFF};

/// Limits for a place: at least, at most.
type Limits = [(u8, u8); BAR + 1];

/// What is asked of each place of both sides, each in its own numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    sides: [Limits; 2],
    /// Whether it may stand the other way round: what is asked of the player who decides holds for the other.
    either: bool,
}

const ANYTHING: Limits = [(0, CHECKERS); BAR + 1];

impl Pattern {
    /// At least the checkers of a position, and anything elsewhere. Checkers borne off ask nothing.
    #[must_use]
    pub fn at_least(state: &GameState) -> Self {
        let mut sides = [ANYTHING; 2];
        let position = &state.position;
        for (limits, side) in sides.iter_mut().zip([&position.mover, &position.opponent]) {
            for (place, limits) in limits.iter_mut().enumerate().skip(OFF + 1) {
                limits.0 = side.at(place);
            }
        }
        Self {
            sides,
            either: false,
        }
    }

    /// The same, and also where the sides have changed places.
    #[must_use]
    pub fn or_swapped(self) -> Self {
        Self {
            either: true,
            ..self
        }
    }

    /// Reads a pattern: words such as `6:2` (at least two of the player who decides on their own 6 point), `o20:2` (of
    /// the other player, on what is the 20 point of the player who decides), `7:0` (none), `5=3` (exactly), `bar:1`, `off:2`.
    ///
    /// # Errors
    /// A [`FilterError`] that names the column.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut sides = [ANYTHING; 2];
        let mut column = 1;
        for word in text.split(' ') {
            if !word.is_empty() {
                let wrong = |message: String| FilterError { column, message };
                let expected = || {
                    wrong(format!(
                        "'{word}' is no place and number, such as 6:2 or obar:1"
                    ))
                };
                let (place, count) = word.split_once([':', '=']).ok_or_else(expected)?;
                let (side, place) = match place.strip_prefix('o') {
                    Some(rest) if place != "off" => (1, rest),
                    _ => (0, place),
                };
                let place = match (place, side) {
                    ("bar", _) => BAR,
                    ("off", _) => OFF,
                    (point, side) => {
                        let point: usize = point.parse().map_err(|_| expected())?;
                        let sound = (1..BAR).contains(&point).then_some(point);
                        let point = sound.ok_or_else(expected)?;
                        if side == 0 { point } else { BAR - point }
                    }
                };
                let count: u8 = count.parse().map_err(|_| expected())?;
                if count > CHECKERS {
                    return Err(wrong(format!("'{word}': a side has 15 checkers")));
                }
                let exact = word.contains('=') || count == 0;
                sides[side][place] = (count, if exact { count } else { CHECKERS });
            }
            column += word.chars().count() + 1;
        }
        Ok(Self {
            sides,
            either: false,
        })
    }

    /// Whether a position has it.
    #[must_use]
    pub fn fits(&self, one: &PackedDecision) -> bool {
        let Some([own, other]) = one.checkers() else {
            return false;
        };
        let has = |sides: [&[u8; BAR + 1]; 2]| {
            sides.iter().zip(&self.sides).all(|(side, limits)| {
                let mut places = side.iter().zip(limits);
                places.all(|(n, (least, most))| least <= n && n <= most)
            })
        };
        has([&own, &other]) || self.either && has([&other, &own])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameState, Position};
    use crate::library::packed::sums;
    use bytemuck::Zeroable as _;

    fn fits(pattern: &str, position: &Position) -> bool {
        let mut one = PackedDecision::zeroed();
        one.sides = sums(position);
        Pattern::parse(pattern).unwrap().fits(&one)
    }

    #[test]
    fn places_are_those_of_who_decides() {
        let opening = Position::opening();
        for yes in [
            "",
            "6:5",
            "6:2 8:3",
            "6=5",
            "7:0",
            "o1:2",
            "o19:5 o18:0",
            "bar:0 obar:0 off:0 ooff:0",
            "24:2 o1:2",
        ] {
            assert!(fits(yes, &opening), "{yes}");
        }
        for no in ["6:6", "6=4", "8:0", "o6:2", "bar:1", "off:1", "o24:3"] {
            assert!(!fits(no, &opening), "{no}");
        }
        let state = GameState::money(opening);
        let mut one = PackedDecision::zeroed();
        one.sides = sums(&opening);
        assert!(Pattern::at_least(&state).fits(&one));
        let hit = Position::from_points(&[(6, 5), (25, 1)], &[(6, 5)]).unwrap();
        one.sides = sums(&hit);
        assert!(!Pattern::at_least(&state).fits(&one));
        let pattern = Pattern::parse("obar:1").unwrap();
        assert!(!pattern.fits(&one) && pattern.or_swapped().fits(&one));
    }

    #[test]
    fn errors_name_the_column() {
        for (text, column) in [
            ("6:2 x:1", 5),
            ("25:1", 1),
            ("6", 1),
            ("6:2  7:16", 6),
            ("0:1", 1),
            ("6:-1", 1),
        ] {
            assert_eq!(Pattern::parse(text).unwrap_err().column, column, "{text}");
        }
    }
}
