//! Plays in players' notation: `13/11*/9`, `8/5(2)`, `bar/22`, `6/off`.
//!
//! Writing is canonical: plays of [`PlayList`](crate::game::PlayList), which contains each result once, with
//! the same result have the same text. Reading is lenient, because no two programs write alike, and does not
//! trust the text. A text is a set of origins and destinations; it means the legal play that moves exactly
//! these checkers. If several plays do, they differ in the hits on the way, and the written points and stars
//! decide.

use std::fmt::Write as _;

use thiserror::Error;

use crate::game::position::{BAR, OFF};
use crate::game::{Play, Position, Roll, Step};

/// The text of a roll that cannot be played.
pub const NO_PLAY: &str = "(no play)";

/// Why a text is not a legal play.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// An unexpected character. Columns count characters of the play from 1.
    #[error("character {column}: found {found}, expected {expected}")]
    Character {
        column: usize,
        found: String,
        expected: &'static str,
    },
    /// The text is a play, but not a legal one.
    #[error("{reason}; {legal}")]
    Illegal {
        /// The step at fault, and the reason.
        reason: String,
        /// The legal plays, in short.
        legal: String,
    },
}

/// Writes a play made in `position`: highest points first, the steps of a checker joined, points named if the
/// checker hits on the way, repeats counted. A dance is [`NO_PLAY`].
///
/// ```
/// use luckless_engine::game::{Play, Position, Step};
/// use luckless_engine::notation::play_text;
/// let play = Play::new(&[Step { from: 8, to: 5 }, Step { from: 6, to: 5 }]);
/// assert_eq!(play_text(&Position::opening(), &play), "8/5 6/5");
/// ```
pub fn play_text(position: &Position, play: &Play) -> String {
    if play.is_empty() {
        return NO_PLAY.to_owned();
    }
    let mut open = hits(position, play);
    let ways: Vec<Way> = ways(play)
        .iter()
        .map(|places| Way::new(places, &mut open))
        .collect();
    let mut text = String::new();
    let mut i = 0;
    while i < ways.len() {
        let way = &ways[i];
        let same = |other: &&Way| (other.from, other.to) == (way.from, way.to);
        let plain = way.over.is_empty();
        let times = 1 + ways[i + 1..]
            .iter()
            .take_while(same)
            .take_while(|other| plain && other.over.is_empty())
            .count();
        if i > 0 {
            text.push(' ');
        }
        way.write(&mut text);
        if times > 1 {
            let _ = write!(text, "({times})");
        }
        i += times;
    }
    text
}

/// Returns the points on which `play` hits, one bit each, numbered for the mover.
pub fn hits(position: &Position, play: &Play) -> u32 {
    play.steps()
        .filter(|step| step.to as usize != OFF)
        .filter(|step| position.opponent.at(BAR - step.to as usize) == 1)
        .fold(0, |mask, step| mask | 1 << step.to)
}

/// Joins the steps into the ways of single checkers: the places of each checker in order, highest start
/// first.
pub fn ways(play: &Play) -> Vec<Vec<u8>> {
    let mut steps: Vec<Step> = play.steps().collect();
    steps.sort_by(|a, b| b.cmp(a));
    let mut ways = Vec::new();
    while !steps.is_empty() {
        let first = steps.remove(0);
        let mut places = vec![first.from, first.to];
        let mut at = first.to;
        while let Some(next) = steps.iter().position(|step| step.from == at) {
            at = steps.remove(next).to;
            places.push(at);
        }
        ways.push(places);
    }
    ways.sort_by(|a: &Vec<u8>, b| (b[0], b.last()).cmp(&(a[0], a.last())));
    ways
}

/// The written way of one checker.
struct Way {
    from: u8,
    /// The points on the way with a hit.
    over: Vec<u8>,
    to: u8,
    /// The checker hits at its destination.
    star: bool,
}

impl Way {
    /// Creates a way and removes its hits from `open`.
    fn new(places: &[u8], open: &mut u32) -> Self {
        let (from, to) = (places[0], places[places.len() - 1]);
        let mut take = |place: u8| {
            let hit = *open >> place & 1 != 0;
            *open &= !(1 << place);
            hit
        };
        let over = places[1..places.len() - 1]
            .iter()
            .copied()
            .filter(|&p| take(p))
            .collect();
        Self {
            from,
            over,
            to,
            star: take(to),
        }
    }

    fn write(&self, text: &mut String) {
        push_place(text, self.from);
        for &over in &self.over {
            text.push('/');
            push_place(text, over);
            text.push('*');
        }
        text.push('/');
        push_place(text, self.to);
        if self.star {
            text.push('*');
        }
    }
}

pub(super) fn push_place(text: &mut String, place: u8) {
    match usize::from(place) {
        BAR => text.push_str("bar"),
        OFF => text.push_str("off"),
        _ => {
            let _ = write!(text, "{place}");
        }
    }
}

/// Returns a roll in players' notation: `6-1`.
pub fn dice(roll: Roll) -> String {
    format!("{}-{}", roll.high(), roll.low())
}
