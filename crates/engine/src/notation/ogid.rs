//! OGID, OpenGammon's position identifier: fields between colons, with or without `OGID=`.
//!
//! The first two fields are the checkers of White and of Black, one character each: `0` to `9` and `a` to `p`
//! are the places 0 to 25, `q` is borne off. Places are White's: White moves up from its bar at 0, Black down
//! from its bar at 25. The other fields are cube, dice, colour, state, both scores, match length, number of
//! the move and checkers per side; only the first three fields are required.
//!
//! The colour is that of the player who *reached* the position, so the opponent decides, as its inventors and
//! AnkiGammon read it. While a double is pending it is the doubler's. At the start of a game without dice it
//! is the player to roll. Some programs write the player on roll.

use super::field::{Field, body, end_of_mark, fields};
use super::xgid::{LONGEST_MATCH, checked_score};
use super::{IdError, shown};
use crate::game::position::{BAR, CHECKERS};
use crate::game::{CubeOwner, GameState, Position, Roll, Rules, Side, is_crawford_score};

/// Number of fields of a complete identifier.
const FIELDS: usize = 11;
/// Maximum number of characters of a checker field: enough for an error message about a few too many.
const LONGEST: usize = 20;
/// The place of checkers borne off.
const BORNE_OFF: u32 = 26;
/// Largest cube that an OGID can express: a digit contains the power of two.
pub const LARGEST_CUBE: u32 = 1 << 9;

/// Returns the end of `OGID=` in a text, in bytes.
fn prefix(text: &str) -> Option<usize> {
    end_of_mark(text, "OGID=")
}

/// Returns the OGID of a state; `None` if its cube exceeds [`LARGEST_CUBE`]. Black, whom other programs draw
/// at the bottom, is the player to decide, so White has reached the position or doubled. An OGID cannot
/// express Jacoby and beavers.
///
/// ```
/// use luckless_engine::game::{GameState, Position};
/// use luckless_engine::notation::ogid::ogid_text;
/// let opening = "11ccccchhhjjjjj:66666888dddddoo:N0N::W::0:0:0";
/// assert_eq!(ogid_text(&GameState::money(Position::opening())).as_deref(), Some(opening));
/// ```
pub fn ogid_text(state: &GameState) -> Option<String> {
    if state.cube > LARGEST_CUBE {
        return None;
    }
    let Position { mover, opponent } = &state.position;
    let whites = (0..BAR).map(|place| (place, opponent.at(BAR - place)));
    let blacks = (1..=BAR).map(|place| (place, mover.at(place)));
    let owner = match state.owner {
        CubeOwner::Centred => 'N',
        CubeOwner::Mover => 'B',
        CubeOwner::Opponent => 'W',
    };
    let action = if state.doubled { 'O' } else { 'N' };
    let dice = state.roll.map_or_else(String::new, |roll| roll.to_string());
    let score = &state.score;
    let is_match_point = is_crawford_score(score.length, [score.mover, score.opponent]);
    let game = match score.crawford {
        true => "C",
        false if is_match_point && state.has_crawford_rule() => "L",
        false => "",
    };
    Some(format!(
        "{}:{}:{owner}{}{action}:{dice}:W::{}:{}:{}{game}",
        places(whites),
        places(blacks),
        state.cube.ilog2(),
        score.opponent,
        score.mover,
        score.length,
    ))
}

/// Returns one character for each checker.
fn places(counts: impl Iterator<Item = (usize, u8)>) -> String {
    counts
        .flat_map(|(place, count)| std::iter::repeat_n(code(place), usize::from(count)))
        .collect()
}

/// Returns the character of a place, the inverse of [`place`].
fn code(place: usize) -> char {
    char::from_digit(place as u32, BAR as u32 + 1).unwrap_or('?')
}

/// Returns whether `text` looks like an OGID: by its prefix or by its first three fields.
pub(super) fn looks_like(text: &str) -> bool {
    if prefix(text).is_some() {
        return true;
    }
    let mut fields = text.trim().split(':');
    let checkers = |field: Option<&str>| {
        field.is_some_and(|f| f.len() <= LONGEST && f.chars().all(|c| place(c).is_some()))
    };
    let is_cube = |cube: &str| {
        let mut chars = cube.chars();
        let owner = chars.next().is_some_and(|c| "NWBD?".contains(c));
        let value = chars.next().is_some_and(|c| c.is_ascii_digit());
        owner && value && matches!(chars.next(), Some('N' | 'O' | 'T' | 'P'))
    };
    checkers(fields.next()) && checkers(fields.next()) && fields.next().is_some_and(is_cube)
}

/// Returns the place of a character.
fn place(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(c as u32 - '0' as u32),
        'a'..='q' => Some(c as u32 - 'a' as u32 + 10),
        _ => None,
    }
}

/// Parses an OGID, which may be in the middle of a line.
///
/// # Errors
/// An [`IdError`] with a column in `text`.
pub(super) fn parse(text: &str) -> Result<GameState, IdError> {
    let start = prefix(text).unwrap_or(text.len() - text.trim_start().len());
    // A question mark may replace the owner of the cube, but does not end an identifier.
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '?' | '-');
    let body = body(&text[start..], is_part).trim_end_matches('?');
    let fields = fields(body, text[..start].chars().count() + 1, FIELDS + 1);
    if let Some(extra) = fields.get(FIELDS) {
        return Err(extra.error("no more than eleven fields"));
    }
    let end = text[..start].chars().count() + body.chars().count() + 1;
    from_fields(&fields, end)
}

fn from_fields(fields: &[Field<'_>], end: usize) -> Result<GameState, IdError> {
    let field = |n: usize| {
        fields.get(n).copied().unwrap_or(Field {
            text: "",
            column: end,
        })
    };
    if fields.len() < 3 {
        return Err(field(2).error("White's checkers, Black's checkers and the cube"));
    }
    let white = side(field(0), true)?;
    let black = side(field(1), false)?;
    let (owner, cube, offered) = doubling_cube(field(2))?;
    let roll = dice(field(3))?;
    let state = field(5).text;
    let doubled = offered || state == "D";
    let white_decides = match (field(4).text, state) {
        ("W" | "w", "IW") | ("B" | "b", "IB") if roll.is_none() => state == "IW",
        ("W" | "w", _) => false,
        ("B" | "b", _) | ("", _) => true,
        _ => return Err(field(4).error("the colour W or B")),
    };
    if !matches!(field(10).text, "" | "15") {
        return Err(field(10).error("15 checkers a side"));
    }
    let number = |n: usize| match field(n).text {
        "" => Field {
            text: "0",
            column: field(n).column,
        },
        _ => field(n),
    };
    let (length, crawford) = match_length(number(8))?;
    let rule = "a length without C: nobody is one point away, as the Crawford game needs";
    let crawford = crawford.then_some((field(8), rule));
    let seen_by_white = GameState {
        position: Position::new(white, black)?,
        cube,
        owner,
        score: checked_score([number(6), number(7)], length, crawford)?,
        rules: Rules::default(),
        roll: roll.filter(|_| !doubled),
        doubled,
    };
    Ok(if white_decides {
        seen_by_white
    } else {
        seen_by_white.flipped()
    })
}

/// Parses the checkers of a side.
fn side(field: Field<'_>, is_white: bool) -> Result<Side, IdError> {
    let mut counts = [0u8; BAR + 1];
    let mut total = 0;
    for (i, c) in field.text.chars().enumerate() {
        let at = |reason: String| IdError::at(field.column + i, reason);
        let Some(place) = place(c) else {
            let c = shown(&c.to_string());
            return Err(at(format!("found '{c}', expected 0 to 9 or a to q")));
        };
        total += 1;
        if total > CHECKERS {
            return Err(at("makes 16 checkers on one side, at most 15".to_owned()));
        }
        if place == BORNE_OFF {
            continue;
        }
        let own = if is_white {
            BAR - place as usize
        } else {
            place as usize
        };
        if own == 0 {
            return Err(at(format!("'{c}' is the other player's bar")));
        }
        counts[own] += 1;
    }
    Ok(Side::new(&counts)?)
}

/// Parses the cube: the owner as seen by White, the value, and whether a double is pending.
fn doubling_cube(field: Field<'_>) -> Result<(CubeOwner, u32, bool), IdError> {
    let expected = "the cube: N, W or B, its power of two, and N, O, T or P";
    let chars: Vec<char> = field.text.chars().collect();
    let [owner, value, action] = chars[..] else {
        return Err(field.error(expected));
    };
    let owner = match owner {
        'N' | 'D' | '?' => CubeOwner::Centred,
        'W' => CubeOwner::Mover,
        'B' => CubeOwner::Opponent,
        _ => return Err(field.error(expected)),
    };
    let value = value.to_digit(10).ok_or_else(|| field.error(expected))?;
    match action {
        'N' | 'O' | 'T' => Ok((owner, 1 << value, action == 'O')),
        'P' => Err(field.error("a game that goes on: this double was passed")),
        _ => Err(field.error(expected)),
    }
}

fn dice(field: Field<'_>) -> Result<Option<Roll>, IdError> {
    match field.text.as_bytes() {
        [] | b"00" => Ok(None),
        [a, b] => Roll::new(a.wrapping_sub(b'0'), b.wrapping_sub(b'0'))
            .map(Some)
            .ok_or_else(|| field.error("two dice from 1 to 6 such as 31, or nothing")),
        _ => Err(field.error("two dice from 1 to 6 such as 31, or nothing")),
    }
}

/// Parses the length, and whether this is the Crawford game.
fn match_length(field: Field<'_>) -> Result<(u16, bool), IdError> {
    let expected = "the match length, perhaps with C, L or G behind it";
    let digits = field.text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, letters) = field.text.split_at(digits);
    let number = Field {
        text: number,
        ..field
    };
    let length = number.up_to(u32::from(LONGEST_MATCH), expected)? as u16;
    match letters.as_bytes() {
        [] | b"L" => Ok((length, false)),
        b"C" => Ok((length, length > 0)),
        [b'G', games @ ..] if games.iter().all(u8::is_ascii_digit) => Ok((length, false)),
        _ => Err(field.error(expected)),
    }
}
