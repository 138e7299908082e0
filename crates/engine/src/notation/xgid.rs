//! eXtreme Gammon's position identifier: `XGID=` and ten fields between colons.
//!
//! The board is 26 characters: the top player's bar, points 1 to 24 of the bottom player, the bottom player's
//! bar. `A` to `O` are 1 to 15 checkers of the bottom player, `a` to `o` those of the top player. The other
//! fields are cube (as a power of two), cube owner, turn, dice, both scores, rules, match length and largest
//! cube. In every field for a side, bottom is 1 and top is -1.
//!
//! With dice `D` the player in the turn field *has doubled*, so the opponent decides. A [`GameState`] is
//! always that of the player to decide.

use std::fmt;

use super::field::{Field, body, end_of_mark, fields};
use super::{IdError, shown};
use crate::game::position::{BAR, CHECKERS, POINTS};
use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll, Rules, Side};

/// Number of characters of the board.
const BOARD: usize = 26;
/// Largest cube, as a power of two; far above all practical values.
pub const LARGEST_CUBE_POWER: u32 = 20;
/// The last field of writers without a limit on the cube: 2 to the 10.
const USUAL_LARGEST_CUBE: u8 = 10;
/// Maximum length of a match.
pub const LONGEST_MATCH: u16 = 9998;

/// The content of an XGID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Xgid {
    /// The state, seen by the player to decide.
    pub state: GameState,
    /// The player in the turn field is at the bottom (the writer's choice, without effect on play).
    pub turn_at_bottom: bool,
    /// The largest cube allowed, as a power of two.
    pub largest_cube: u8,
}

/// Returns whether `text` looks like an XGID.
pub fn looks_like(text: &str) -> bool {
    let board = text.trim().split(':').next().unwrap_or("");
    let is_board = board.len() == BOARD && !board.contains(char::is_whitespace);
    has_prefix(text) || (is_board && text.contains(':'))
}

/// Returns whether `text` contains an XGID with its prefix.
pub(super) fn has_prefix(text: &str) -> bool {
    prefix(text).is_some()
}

/// Returns the start and the end of the first `XGID=` in a text, ignoring case and blanks around the equals
/// sign.
pub fn mark(text: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    while let Some(found) = end_of_mark(&text[from..], "XGID") {
        from += found;
        let rest = text[from..].trim_start_matches(' ');
        if let Some(id) = rest.strip_prefix('=') {
            let id = id.trim_start_matches(' ');
            return Some((from - "XGID".len(), text.len() - id.len()));
        }
    }
    None
}

fn prefix(text: &str) -> Option<usize> {
    Some(mark(text)?.1)
}

impl Xgid {
    /// Creates an identifier with the player in the turn field at the bottom.
    pub fn new(state: GameState) -> Self {
        Self {
            state,
            turn_at_bottom: true,
            largest_cube: USUAL_LARGEST_CUBE,
        }
    }

    /// Parses an XGID. `XGID=` may be missing, in lower case or in the middle of a line; the last fields may
    /// be missing.
    ///
    /// # Errors
    /// An [`IdError`] with a column in `text`.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        let start = match prefix(text) {
            Some(start) => start,
            None => text.len() - text.trim_start().len(),
        };
        let body = body(&text[start..], |c| c.is_ascii_alphanumeric() || c == '-');
        let fields = fields(body, text[..start].chars().count() + 1, 11);
        if let Some(extra) = fields.get(10) {
            return Err(extra.error("no more than ten fields"));
        }
        Self::from_fields(&fields)
    }

    fn from_fields(fields: &[Field<'_>]) -> Result<Self, IdError> {
        // The values of missing fields.
        const DEFAULTS: [&str; 9] = ["0", "0", "1", "00", "0", "0", "0", "0", "10"];
        let field = |n: usize| {
            fields.get(n).copied().unwrap_or(Field {
                text: DEFAULTS[n - 1],
                column: 0,
            })
        };
        let (bottom, top) = board(fields[0])?;
        let cube =
            1 << field(1).up_to(LARGEST_CUBE_POWER, "the cube as a power of two, 0 to 20")?;
        let owner = field(2).side("the owner of the cube, 1, 0 or -1", true)?;
        let turn = field(3).side("whose turn it is, 1 or -1", false)?;
        let (roll, doubled) = dice(field(4))?;
        let score = score([field(5), field(6)], field(7), field(8))?;
        let rules = match field(8).text.parse() {
            Ok(0u32) => {
                let bits = field(7).up_to(3, "the money rules, 0 to 3")?;
                Rules {
                    jacoby: bits & 1 != 0,
                    beavers: bits & 2 != 0,
                    ..Rules::default()
                }
            }
            _ => Rules::default(),
        };
        let largest_cube = field(9).up_to(31, "the largest cube as a power of two, 0 to 31")? as u8;
        // Up to here everything is seen by the bottom player.
        let owner = match owner {
            0 => CubeOwner::Centred,
            1 => CubeOwner::Mover,
            _ => CubeOwner::Opponent,
        };
        let seen_by_bottom = GameState {
            position: Position::new(bottom, top)?,
            cube,
            owner,
            score,
            rules,
            roll,
            doubled,
        };
        let bottom_decides = (turn == 1) != doubled;
        Ok(Self {
            state: if bottom_decides {
                seen_by_bottom
            } else {
                seen_by_bottom.flipped()
            },
            turn_at_bottom: turn == 1,
            largest_cube,
        })
    }
}

/// Parses a board of 26 characters to a position seen by the bottom player.
pub fn position_of(board_text: &str) -> Option<Position> {
    let field = Field {
        text: board_text,
        column: 1,
    };
    let (bottom, top) = board(field).ok()?;
    Position::new(bottom, top).ok()
}

/// Parses the checkers of both sides, bottom first.
fn board(field: Field<'_>) -> Result<(Side, Side), IdError> {
    let mut bottom = [0u8; BAR + 1];
    let mut top = [0u8; BAR + 1];
    let (mut bottoms, mut tops) = (0, 0);
    let mut length = 0;
    for (i, c) in field.text.chars().enumerate() {
        let at = |reason: String| IdError::at(field.column + i, reason);
        if i == BOARD {
            return Err(at("the board has more than 26 characters".to_owned()));
        }
        length += 1;
        match c {
            '-' => {}
            'A'..='O' if i > 0 => {
                bottom[i] = c as u8 - b'A' + 1;
                bottoms += bottom[i];
            }
            'a'..='o' if i <= POINTS => {
                top[BAR - i] = c as u8 - b'a' + 1;
                tops += top[BAR - i];
            }
            'A'..='O' | 'a'..='o' => {
                return Err(at(format!("'{c}' is on the other player's bar")));
            }
            _ => {
                let c = shown(&c.to_string());
                return Err(at(format!("found '{c}', expected '-', A to O or a to o")));
            }
        }
        if bottoms > CHECKERS || tops > CHECKERS {
            let total = bottoms.max(tops);
            return Err(at(format!(
                "makes {total} checkers on one side, at most 15"
            )));
        }
    }
    if length < BOARD {
        let at = field.column + length;
        let reason = format!("the board ends after {length} of 26 characters");
        return Err(IdError::at(at, reason));
    }
    Ok((Side::new(&bottom)?, Side::new(&top)?))
}

/// Parses the dice, and whether a double is pending.
fn dice(field: Field<'_>) -> Result<(Option<Roll>, bool), IdError> {
    match field.text {
        "00" | "0" => Ok((None, false)),
        "D" | "d" => Ok((None, true)),
        "B" | "b" | "R" | "r" => Err(field.error(
            "dice such as 31, 00 or D; an offered beaver is not a position of this program",
        )),
        text => {
            let bytes = text.as_bytes();
            let roll = match bytes {
                [a, b] => Roll::new(a.wrapping_sub(b'0'), b.wrapping_sub(b'0')),
                _ => None,
            };
            let expected = "two dice from 1 to 6 such as 31, 00 before the roll, or D";
            roll.map(|roll| (Some(roll), false))
                .ok_or_else(|| field.error(expected))
        }
    }
}

/// Parses the score, seen by the bottom player.
fn score(
    points: [Field<'_>; 2],
    rule: Field<'_>,
    length: Field<'_>,
) -> Result<MatchScore, IdError> {
    let limit = u32::from(LONGEST_MATCH);
    let match_length = length.up_to(limit, "the match length, 0 for money")? as u16;
    let crawford = match_length > 0 && rule.up_to(1, "0, or 1 for the Crawford game")? == 1;
    let reason = "0: nobody is one point away, as the Crawford game needs";
    checked_score(points, match_length, crawford.then_some((rule, reason)))
}

/// Parses the score, seen by the player whose points come first. `crawford`: the field that marks the
/// Crawford game, with the expectation for an error message.
pub(super) fn checked_score(
    points: [Field<'_>; 2],
    length: u16,
    crawford: Option<(Field<'_>, &str)>,
) -> Result<MatchScore, IdError> {
    let mut score = [0u16; 2];
    for (value, field) in score.iter_mut().zip(points) {
        *value = field.up_to(u32::from(u16::MAX), "a score")? as u16;
        if length > 0 && *value >= length {
            return Err(field.error(&format!("a score below {length}")));
        }
    }
    if let Some((field, expected)) = crawford
        && score.iter().all(|&points| points + 1 != length)
    {
        return Err(field.error(expected));
    }
    // If both players need one point, no rule prevents a double.
    let [mover, opponent] = score;
    Ok(MatchScore {
        length,
        mover,
        opponent,
        crawford: crawford.is_some() && mover != opponent,
    })
}

impl fmt::Display for Xgid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The turn field contains the player to decide, or after a double the opponent.
        let turn = if self.state.doubled {
            self.state.flipped()
        } else {
            self.state
        };
        let (bottom, side) = if self.turn_at_bottom {
            (turn, 1)
        } else {
            (turn.flipped(), -1)
        };
        f.write_str("XGID=")?;
        for i in 0..=BAR {
            let own = if i == 0 {
                0
            } else {
                bottom.position.mover.at(i)
            };
            let other = match BAR - i {
                0 => 0,
                p => bottom.position.opponent.at(p),
            };
            let c = match (own, other) {
                (0, 0) => '-',
                (0, n) => char::from(b'a' + n - 1),
                (n, _) => char::from(b'A' + n - 1),
            };
            write!(f, "{c}")?;
        }
        let owner = match bottom.owner {
            CubeOwner::Centred => 0,
            CubeOwner::Mover => 1,
            CubeOwner::Opponent => -1,
        };
        write!(f, ":{}:{owner}:{side}:", bottom.cube.max(1).ilog2())?;
        match (bottom.doubled, bottom.roll) {
            (true, _) => f.write_str("D")?,
            (_, Some(roll)) => write!(f, "{roll}")?,
            _ => f.write_str("00")?,
        }
        let score = bottom.score;
        let rule = if score.is_money() {
            u8::from(bottom.rules.jacoby) + 2 * u8::from(bottom.rules.beavers)
        } else {
            u8::from(score.crawford)
        };
        write!(
            f,
            ":{}:{}:{rule}:{}:{}",
            score.mover, score.opponent, score.length, self.largest_cube
        )
    }
}
