//! SGF boards: points as letters, plays, and set-up positions.

use super::syntax::{Property, unescape, value};
use crate::game::position::{BAR, OFF, Side};
use crate::game::{Player, Position, Roll};
use crate::match_file::builder::GameBuilder;
use crate::match_file::cube::is_value;
use crate::match_file::text::quote;
use crate::notation::WrittenPlay;

/// Returns the player of a colour, `w` or `b`.
pub(super) fn player_of(text: &str) -> Option<Player> {
    match text.trim().chars().next()?.to_ascii_lowercase() {
        'w' => Some(Player::Left),
        'b' => Some(Player::Right),
        _ => None,
    }
}

/// Returns the mover's own number for a letter: `a` is white's ace point, `y` the bar, `z` off.
fn own_point(player: Player, letter: u8) -> Option<u8> {
    Some(match letter.to_ascii_lowercase() {
        letter @ b'a'..=b'x' => match player {
            Player::Left => letter - b'a' + 1,
            Player::Right => 24 - (letter - b'a'),
        },
        b'y' => BAR as u8,
        b'z' => OFF as u8,
        _ => return None,
    })
}

/// Returns the letter for a mover's own point, the inverse of [`own_point`].
pub(super) fn letter(player: Player, point: u8) -> char {
    char::from(match (usize::from(point), player) {
        (BAR, _) => b'y',
        (OFF, _) => b'z',
        (_, Player::Left) => b'a' + point - 1,
        (_, Player::Right) => b'a' + 24 - point,
    })
}

/// Parses pairs of letters: origin and destination.
pub(super) fn steps(player: Player, letters: &str) -> Option<WrittenPlay> {
    let letters = letters.trim().as_bytes();
    if !letters.len().is_multiple_of(2) || letters.len() > 16 {
        return None;
    }
    let pair = |pair: &[u8]| Some((own_point(player, pair[0])?, own_point(player, pair[1])?));
    let steps: Option<Vec<(u8, u8)>> = letters.chunks(2).map(pair).collect();
    Some(WrittenPlay::of_steps(&steps?))
}

/// Parses a play such as `31hefe`.
pub(super) fn play(player: Player, text: &str) -> Option<(Roll, WrittenPlay)> {
    let roll = text.get(..2)?.parse().ok()?;
    Some((roll, steps(player, &text[2..])?))
}

/// Checkers of a set-up, by letter from `a`: white's points in order, then the bar.
pub(super) struct Points {
    white: [u8; 26],
    black: [u8; 26],
}

impl Points {
    pub(super) fn new(left: &Position) -> Self {
        let side = |side: &Side| std::array::from_fn(|p| side.at(p));
        Self {
            white: side(&left.mover),
            black: side(&left.opponent),
        }
    }

    /// Clears points or adds checkers, for single letters and ranges.
    pub(super) fn change(&mut self, property: &Property<'_>) {
        for value in &property.values {
            let text = unescape(value, true);
            let mut letters = text.trim().bytes().filter(u8::is_ascii_alphabetic);
            let Some(first) = letters.next().map(|b| b.to_ascii_lowercase()) else {
                continue;
            };
            let last = letters.next().map_or(first, |b| b.to_ascii_lowercase());
            for letter in first.min(last)..=first.max(last) {
                let (Some(white), Some(black)) = (
                    own_point(Player::Left, letter),
                    own_point(Player::Right, letter),
                ) else {
                    continue;
                };
                let (white, black) = (usize::from(white), usize::from(black));
                match &*property.name {
                    "AW" => self.white[white] = self.white[white].saturating_add(1),
                    "AB" => self.black[black] = self.black[black].saturating_add(1),
                    _ => (self.white[white], self.black[black]) = (0, 0),
                }
            }
        }
    }

    /// Returns the position seen by the left player, if it is valid.
    pub(super) fn position(&self) -> Option<Position> {
        let white = Side::new(&self.white).ok()?;
        let black = Side::new(&self.black).ok()?;
        Position::new(white, black).ok()
    }
}

/// A node's set-up: board and cube.
pub(super) struct SetUp {
    pub(super) points: Points,
    pub(super) cube: u32,
    pub(super) owner: Option<Player>,
    /// An invalid cube value of the file, for a warning; the owner is then unchanged.
    pub(super) bad_cube: Option<String>,
}

impl SetUp {
    /// Reads `AE`, `AW`, `AB`, `CV` and `CP`; everything else stays as in `game`.
    pub(super) fn read(node: &[Property<'_>], game: &GameBuilder) -> Self {
        let mut points = Points::new(&game.seen_by(Player::Left));
        let (mut cube, mut owner) = (game.cube.value, game.cube.owner);
        let mut bad_cube = None;
        for property in node {
            match &*property.name {
                _ if property.sets_checkers() => points.change(property),
                "CV" => {
                    let text = value(property).unwrap_or_default();
                    let found = text.trim().parse::<u32>().ok();
                    match found.filter(|&value| is_value(value)) {
                        Some(found) => cube = found,
                        None => bad_cube = Some(quote(&text)),
                    }
                }
                "CP" => owner = value(property).as_deref().and_then(player_of),
                _ => {}
            }
        }
        if bad_cube.is_some() {
            owner = game.cube.owner;
        }
        Self {
            points,
            cube,
            owner,
            bad_cube,
        }
    }
}
