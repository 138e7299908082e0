//! Kinds of position, to tell where a player's equity is lost.
//!
//! The names are those of the textbooks (Magriel, *Backgammon*; Robertie, *Modern Backgammon*), the
//! lines between them our own: [`PositionType::of`] asks a few questions in a fixed order, and the
//! first that is answered with yes decides. A kind belongs to the position, not to a side: the attacker
//! and the defender both play a blitz. The table is in `docs/methods/review-statistics.md`.

use serde::{Deserialize, Serialize};

use crate::game::{Position, Side};

/// Checkers of both sides that may have left their first places in the opening.
const OPENING: u8 = 6;
/// Pips by which the holder of two anchors trails in a back game.
const BEHIND: u32 = 30;
/// Points in a row that are a prime by themselves, and when both sides have one.
const PRIME: (u32, u32) = (5, 4);
/// Made points in the home board, and checkers within the eleven points before it and in it, of the
/// attacker in a blitz.
const BLITZ: (u32, u8) = (3, 10);
/// Where the checkers of a side begin.
const START: [(usize, u8); 4] = [(6, 5), (8, 3), (13, 5), (24, 2)];

/// A kind of position.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum PositionType {
    /// The first few turns.
    Opening,
    /// Contact, and none of the plans below.
    #[default]
    MiddleGame,
    /// One side attacks checkers that have no anchor.
    Blitz,
    /// Checkers stand behind a long prime, or both sides behind one.
    Priming,
    /// One side waits on an advanced anchor, or both do.
    Holding,
    /// One side waits on the ace or deuce point alone while the other bears in.
    AcePoint,
    /// One side waits on two anchors, far behind.
    BackGame,
    /// One side bears off while the other may still hit.
    ContactBearoff,
    /// No contact is left.
    Race,
    /// No contact, and all checkers are home.
    Bearoff,
}

impl PositionType {
    /// All kinds, in the order in which they are shown.
    pub const ALL: [Self; 10] = [
        Self::Opening,
        Self::MiddleGame,
        Self::Blitz,
        Self::Priming,
        Self::Holding,
        Self::AcePoint,
        Self::BackGame,
        Self::ContactBearoff,
        Self::Race,
        Self::Bearoff,
    ];

    /// Name of the kind in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::MiddleGame => "middle game",
            Self::Blitz => "blitz",
            Self::Priming => "priming game",
            Self::Holding => "holding game",
            Self::AcePoint => "ace-point game",
            Self::BackGame => "back game",
            Self::ContactBearoff => "contact bearoff",
            Self::Race => "race",
            Self::Bearoff => "bearoff",
        }
    }

    /// Name of the kind in filters of the library.
    pub const fn filter(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::MiddleGame => "middle",
            Self::Blitz => "blitz",
            Self::Priming => "priming",
            Self::Holding => "holding",
            Self::AcePoint => "ace-point",
            Self::BackGame => "back",
            Self::ContactBearoff => "contact-bearoff",
            Self::Race => "race",
            Self::Bearoff => "bearoff",
        }
    }

    /// The kind of a position; the same for either player on roll.
    pub fn of(position: &Position) -> Self {
        let sides = [
            (&position.mover, &position.opponent),
            (&position.opponent, &position.mover),
        ];
        let any = |asked: fn(&Side, &Side) -> bool| sides.iter().any(|(a, b)| asked(a, b));
        if position.is_race() {
            return match position.is_bearoff() {
                true => Self::Bearoff,
                false => Self::Race,
            };
        }
        let moved: u8 = sides.iter().map(|(side, _)| moved(side)).sum();
        if moved <= OPENING && !any(|side, _| side.bar() > 1) {
            Self::Opening
        } else if any(|side, _| side.rearmost() <= 6) {
            Self::ContactBearoff
        } else if any(is_back_game) {
            Self::BackGame
        } else if any(attacks) {
            Self::Blitz
        } else if any(is_ace_point) {
            Self::AcePoint
        } else if any(|a, b| blocks(a, b, PRIME.0))
            || sides.iter().all(|(a, b)| blocks(a, b, PRIME.1))
        {
            Self::Priming
        } else if any(holds) {
            Self::Holding
        } else {
            Self::MiddleGame
        }
    }
}

/// Checkers of a side that are not where they began.
fn moved(side: &Side) -> u8 {
    let still: u8 = START.iter().map(|&(p, n)| side.at(p).min(n)).sum();
    15 - still
}

/// Mask of the points from the first to the last.
pub(crate) fn places(first: u32, last: u32) -> u32 {
    (1 << (last + 1)) - (1 << first)
}

/// Number of made points from the first to the last.
fn made(side: &Side, first: u32, last: u32) -> u32 {
    (side.mask(2) & places(first, last)).count_ones()
}

/// Number of anchors in the other's home board.
pub(crate) fn anchors(side: &Side) -> u32 {
    made(side, 19, 24)
}

/// Returns whether `side` has two anchors and is far behind.
fn is_back_game(side: &Side, other: &Side) -> bool {
    anchors(side) >= 2 && side.pips() >= other.pips() + BEHIND
}

/// Returns whether `side` attacks.
/// It has a board of some points and enough checkers near it.
/// The other side has two checkers or one on the bar in front of it, and no anchor.
fn attacks(side: &Side, other: &Side) -> bool {
    let near: u8 = (1..=11).map(|p| side.at(p)).sum();
    let prey = other.bar() > 0 || other.back_checkers() >= 2;
    let loose = anchors(other) == 0 && prey;
    let closed = made(side, 1, 6) == 6;
    loose && !closed && made(side, 1, 6) >= BLITZ.0 && near >= BLITZ.1
}

/// Returns whether `side` has `length` made points in a row with a checker of the other behind them.
fn blocks(side: &Side, other: &Side, length: u32) -> bool {
    let points = side.mask(2) & !(1 << 25);
    (1..=25 - length).any(|low| {
        let run = ((1u32 << length) - 1) << low;
        // The other's checkers behind the prime are on its far side: lower for its owner.
        let behind = (25 - low + 1..=25).any(|p| other.at(p as usize) > 0);
        points & run == run && behind
    })
}

/// Returns whether `side` stands on the other's ace or deuce point alone, while the other bears in.
fn is_ace_point(side: &Side, other: &Side) -> bool {
    made(side, 23, 24) == 1 && made(side, 18, 22) == 0 && other.rearmost() <= 12
}

/// Returns whether `side` holds a point of the other's from the three point to the bar point.
/// The other's back checkers are on its own 18 point or past it, or both sides hold such a point.
fn holds(side: &Side, other: &Side) -> bool {
    let stands = |side: &Side| made(side, 18, 22) > 0;
    stands(side) && (other.rearmost() <= 18 || stands(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(mover: &[(usize, u8)], opponent: &[(usize, u8)]) -> PositionType {
        let position = Position::from_points(mover, opponent).unwrap();
        let kind = PositionType::of(&position);
        assert_eq!(kind, PositionType::of(&position.flipped()));
        kind
    }

    #[test]
    fn textbook_positions() {
        use PositionType as T;
        let start = [(24, 2), (13, 5), (8, 3), (6, 5)];
        assert_eq!(of(&start, &start), T::Opening);
        // 31 and 42 played.
        let three_one = [(24, 2), (13, 5), (8, 2), (6, 4), (5, 2)];
        let four_two = [(24, 2), (13, 5), (8, 2), (6, 4), (4, 2)];
        assert_eq!(of(&three_one, &four_two), T::Opening);
        assert_eq!(of(&[(6, 3), (4, 4)], &[(5, 6)]), T::Bearoff);
        assert_eq!(of(&[(9, 3), (4, 4)], &[(5, 6)]), T::Race);
        // Both on the other's five point.
        let mutual = [(20, 2), (13, 4), (8, 3), (6, 4), (4, 2)];
        assert_eq!(of(&mutual, &mutual), T::Holding);
        // One has run home, the other stays on the bar point.
        let waits = [(18, 2), (13, 4), (8, 3), (6, 4), (5, 2)];
        let past = [(13, 3), (9, 2), (8, 3), (6, 4), (5, 3)];
        assert_eq!(of(&waits, &past), T::Holding);
        let deep = [(24, 2), (6, 4), (5, 4), (4, 3), (3, 2)];
        let bears_in = [(9, 2), (7, 2), (6, 4), (5, 3), (4, 2), (3, 2)];
        assert_eq!(of(&deep, &bears_in), T::AcePoint);
        assert_eq!(
            of(&deep, &[(6, 4), (5, 4), (4, 3), (3, 2)]),
            T::ContactBearoff
        );
        let two_anchors = [(24, 2), (22, 3), (13, 3), (8, 3), (6, 4)];
        let ahead = [(13, 2), (9, 2), (8, 3), (6, 4), (5, 2), (4, 2)];
        assert_eq!(of(&two_anchors, &ahead), T::BackGame);
        let attacker = [(24, 2), (13, 2), (8, 2), (6, 4), (5, 3), (4, 2)];
        let attacked = [(25, 1), (23, 1), (13, 5), (8, 3), (6, 5)];
        assert_eq!(of(&attacker, &attacked), T::Blitz);
        // Five in a row in front of the other's anchor; both four in a row.
        let prime = [(13, 3), (8, 2), (7, 2), (6, 3), (5, 3), (4, 2)];
        let behind = [(24, 2), (13, 4), (8, 3), (6, 4), (3, 2)];
        assert_eq!(of(&prime, &behind), T::Priming);
        let four = [(24, 2), (13, 3), (8, 1), (7, 2), (6, 3), (5, 2), (4, 2)];
        assert_eq!(of(&four, &four), T::Priming);
        let usual = [(24, 2), (13, 3), (11, 2), (8, 3), (6, 3), (4, 2)];
        assert_eq!(of(&usual, &usual), T::MiddleGame);
    }

    #[test]
    fn a_prime_with_nobody_behind_it_holds_nobody() {
        let prime = [(13, 3), (8, 2), (7, 2), (6, 3), (5, 3), (4, 2)];
        let free = [(16, 2), (13, 4), (8, 3), (6, 4), (3, 2)];
        assert_ne!(of(&prime, &free), PositionType::Priming);
    }

    #[test]
    fn names_are_written_and_read() {
        for kind in PositionType::ALL {
            let text = serde_json::to_string(&kind).unwrap();
            assert_eq!(serde_json::from_str::<PositionType>(&text).unwrap(), kind);
            assert!(text[1..].starts_with(kind.name().split([' ', '-']).next().unwrap()));
        }
    }
}
