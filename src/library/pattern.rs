//! A structure of checkers: minimum or exact counts on some places.

use std::fmt;

use super::packed::PackedDecision;
use crate::game::GameState;
use crate::game::position::{BAR, CHECKERS, OFF};

/// Minimum and maximum number of checkers for each place.
type Limits = [(u8, u8); BAR + 1];

/// Limits for each place of both sides, each in its own numbering.
///
/// Its text form can be parsed again:
///
/// ```
/// use luckless::library::Pattern;
/// let pattern = Pattern::parse("6:2 7:0 o20:2 obar:1").unwrap();
/// assert_eq!(pattern.to_string(), "7:0 6:2 obar:1 o20:2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    sides: [Limits; 2],
    /// Conditions that must not hold, each on one place.
    without: Vec<[Limits; 2]>,
    /// The pattern also fits with the sides exchanged.
    either: bool,
}

const ANYTHING: Limits = [(0, CHECKERS); BAR + 1];

impl Pattern {
    /// A pattern of at least the checkers of a position. Checkers borne off set no condition.
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
            ..Self::default()
        }
    }

    /// Makes the pattern fit with the sides exchanged, too.
    pub fn or_swapped(self) -> Self {
        Self {
            either: true,
            ..self
        }
    }

    /// Parses a pattern of words. `6:2` requires at least two checkers of the player who decides on their own 6
    /// point, and `o20:2` at least two of the opponent on the decider's 20 point. Further examples are `7:0` (none),
    /// `5=3` (exactly), `bar:1` and `off:2`. `!` before a word negates it.
    ///
    /// # Errors
    /// A message about the first invalid word, for the user.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut pattern = Self::default();
        for word in text.split_whitespace() {
            match word.strip_prefix('!') {
                Some(word) => pattern.ask_not(word)?,
                None => pattern.ask(word)?,
            }
        }
        Ok(pattern)
    }

    /// Returns whether a word begins like a pattern: with a place and `:` or `=`.
    pub fn is_word(word: &str) -> bool {
        let place = word.split_once([':', '=']).map(|(place, _)| place);
        place.is_some_and(|place| {
            let place = place.strip_prefix('o').unwrap_or(place);
            let is_number = !place.is_empty() && place.bytes().all(|b| b.is_ascii_digit());
            is_number || matches!(place, "bar" | "off" | "ff")
        })
    }

    /// Adds the condition of a word.
    ///
    /// # Errors
    /// A message for the user.
    pub fn ask(&mut self, word: &str) -> Result<(), String> {
        let expected = || format!("'{word}' is no place and number, such as 6:2 or obar:1");
        let (place, count) = word.split_once([':', '=']).ok_or_else(expected)?;
        let (side, place) = match place.strip_prefix('o') {
            Some(rest) if place != "off" => (1, rest),
            _ => (0, place),
        };
        let place = match place {
            "bar" => BAR,
            "off" => OFF,
            point => {
                let point: usize = point.parse().map_err(|_| expected())?;
                let sound = (1..BAR).contains(&point).then_some(point);
                mirrored(side, sound.ok_or_else(expected)?)
            }
        };
        let count: u8 = count.parse().map_err(|_| expected())?;
        if count > CHECKERS {
            return Err(format!("'{word}': a side has 15 checkers"));
        }
        let exact = word.contains('=') || count == 0;
        let (least, most) = &mut self.sides[side][place];
        *least = count.max(*least);
        *most = if exact { count } else { CHECKERS }.min(*most);
        Ok(())
    }

    /// Adds the negated condition of a word.
    ///
    /// # Errors
    /// A message for the user.
    pub fn ask_not(&mut self, word: &str) -> Result<(), String> {
        let mut other = Self::default();
        other.ask(word)?;
        self.without.push(other.sides);
        Ok(())
    }

    /// Number of negated conditions. The others take constant space.
    pub fn negations(&self) -> usize {
        self.without.len()
    }

    /// Forbids checkers on a place, in that side's numbering: side 0 is the player who decides, 1 the opponent.
    pub fn forbid(&mut self, side: usize, place: usize) {
        self.sides[side][place] = (0, 0);
    }

    /// Returns whether every position fits.
    pub fn is_anything(&self) -> bool {
        self.sides == [ANYTHING; 2] && self.without.is_empty()
    }

    /// Returns whether a position fits.
    pub fn fits(&self, one: &PackedDecision) -> bool {
        let Some([own, other]) = one.checkers() else {
            return false;
        };
        let within = |sides: [&[u8; BAR + 1]; 2], all: &[Limits; 2]| {
            sides.iter().zip(all).all(|(side, limits)| {
                let mut places = side.iter().zip(limits);
                places.all(|(n, (least, most))| least <= n && n <= most)
            })
        };
        let has = |sides| {
            within(sides, &self.sides) && !self.without.iter().any(|other| within(sides, other))
        };
        has([&own, &other]) || self.either && has([&other, &own])
    }
}

impl Default for Pattern {
    /// A pattern without conditions.
    fn default() -> Self {
        Self {
            sides: [ANYTHING; 2],
            without: Vec::new(),
            either: false,
        }
    }
}

/// Converts a point of `side` to the numbering of the player who decides, or back.
fn mirrored(side: usize, point: usize) -> usize {
    if side == 0 { point } else { BAR - point }
}

impl fmt::Display for Pattern {
    /// Writes words that [`Pattern::parse`] reads, from the bar down. The option to exchange sides is omitted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let without = self.without.iter().flat_map(words);
        let without = without.map(|word| format!("!{word}"));
        let all: Vec<String> = words(&self.sides).into_iter().chain(without).collect();
        f.write_str(&all.join(" "))
    }
}

/// Returns words that express these limits.
fn words(sides: &[Limits; 2]) -> Vec<String> {
    let mut words = Vec::new();
    for (side, limits) in sides.iter().enumerate() {
        let points = (OFF + 1..BAR).rev().map(|point| mirrored(side, point));
        for place in std::iter::once(BAR).chain(points).chain([OFF]) {
            let (least, most) = limits[place];
            let whose = if side == 0 { "" } else { "o" };
            let name = match place {
                BAR => "bar".to_owned(),
                OFF => "off".to_owned(),
                point => mirrored(side, point).to_string(),
            };
            let exact = (most < CHECKERS).then_some(('=', most));
            let at_least =
                (least > 0 && (least != most || most == CHECKERS)).then_some((':', least));
            for (sign, count) in exact.into_iter().chain(at_least) {
                let sign = if count == 0 { ':' } else { sign };
                words.push(format!("{whose}{name}{sign}{count}"));
            }
        }
    }
    words
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
        // Negated conditions change sides, too.
        for (text, as_it_stands, swapped) in [
            ("bar:1 !6:6", true, true),
            ("bar:1 !6:5", false, false),
            ("obar:1 !o19:5", false, false),
            ("obar:1 !6:6", false, true),
            ("!bar:1", false, true),
        ] {
            let pattern = Pattern::parse(text).unwrap();
            assert_eq!(pattern.fits(&one), as_it_stands, "{text}");
            assert_eq!(pattern.or_swapped().fits(&one), swapped, "{text}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "",
            "bar:1 24:2 7:0 6=3 off:2 obar:1 o20:2 o18:0 ooff=4",
            "6=14",
            "6:15",
            "6=2 6:3",
            "20:2 !6:5 !o24:2",
        ] {
            let pattern = Pattern::parse(text).unwrap();
            assert_eq!(pattern.to_string(), text);
            assert_eq!(pattern.is_anything(), text.is_empty());
            let words = text.split_whitespace();
            assert!(
                words
                    .map(|word| word.trim_start_matches('!'))
                    .all(Pattern::is_word)
            );
        }
        let state = GameState::money(Position::opening());
        let all = Pattern::at_least(&state);
        assert_eq!(all.to_string(), "24:2 13:5 8:3 6:5 o19:5 o17:3 o12:5 o1:2");
        assert_eq!(Pattern::parse(&all.to_string()).unwrap(), all);
        let mut none = Pattern::default();
        none.forbid(0, 7);
        none.forbid(1, 5);
        assert_eq!(none.to_string(), "7:0 o20:0");
        for word in [
            "error:1",
            "off",
            "o:1",
            ":1",
            "date:2026",
            "owner:own",
            "x6:2",
        ] {
            assert!(!Pattern::is_word(word), "{word}");
        }
    }

    #[test]
    fn errors_name_the_word() {
        for text in ["6:2 x:1", "25:1", "6", "6:2  7:16", "0:1", "6:-1"] {
            let wrong = text.split(' ').next_back().unwrap();
            let error = Pattern::parse(text).unwrap_err();
            assert!(error.starts_with(&format!("'{wrong}'")), "{text}: {error}");
        }
    }
}
