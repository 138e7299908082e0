//! GNU Backgammon's identifiers: 14 characters for the board, 12 for everything else.
//!
//! Both are Base64 without padding of a sequence of bits, least significant bit of each byte first. The
//! *position ID* describes the player not on roll and then the player on roll. For the points 1 to 24 and the
//! bar it has a 1 for each checker and a 0 after each place: at most 80 bits. The *match ID* packs cube,
//! turn, dice, length and scores into 67 bits (GNU Backgammon manual, "A technical description of the
//! Position ID" and "… of the Match ID").
//!
//! While a double is pending, the player on roll of a match ID is the *doubler*, and the board is the
//! doubler's. A [`GameState`] is always that of the player to decide.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::{IdError, shown};
use crate::game::position::{BAR, CHECKERS, POINTS};
use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll, Rules, Side};

/// Number of characters of a position ID.
const POSITION_CHARS: usize = 14;
/// Number of characters of a match ID.
const MATCH_CHARS: usize = 12;
/// Number of bits per character.
const CHAR_BITS: usize = 6;
/// Number of bits for the cube, as a power of two.
const CUBE_BITS: usize = 4;
/// Number of bits for the length of a match and for each score.
const SCORE_BITS: usize = 15;
/// Largest cube that a match ID can express.
pub const LARGEST_CUBE: u32 = 1 << ((1 << CUBE_BITS) - 1);

/// Returns the position ID of a position: 14 characters.
///
/// ```
/// use luckless_engine::game::Position;
/// use luckless_engine::notation::position_id;
/// assert_eq!(position_id(&Position::opening()), "4HPwATDgc/ABMA");
/// ```
pub fn position_id(position: &Position) -> String {
    let mut bytes = [0u8; 10];
    let mut bit = 0;
    for side in [&position.opponent, &position.mover] {
        for place in 1..=BAR {
            for _ in 0..side.at(place) {
                bytes[bit / 8] |= 1 << (bit % 8);
                bit += 1;
            }
            bit += 1;
        }
    }
    STANDARD_NO_PAD.encode(bytes)
}

/// Parses a position ID.
///
/// # Errors
/// An [`IdError`] with a column in `text`.
pub fn parse_position(text: &str) -> Result<Position, IdError> {
    let start = text.len() - text.trim_start().len();
    let mut bytes = [0u8; 10];
    decode(
        text.trim(),
        POSITION_CHARS,
        text[..start].chars().count(),
        &mut bytes,
    )?;
    let column = |bit: usize| start + base64_char(bit) + 1;
    let mut counts = [[0u8; BAR + 1]; 2];
    let mut bit = 0;
    for (side, name) in counts.iter_mut().zip(["not on roll", "on roll"]) {
        let mut total = 0;
        for place in &mut side[1..] {
            while bit < 80 && bytes[bit / 8] >> (bit % 8) & 1 != 0 {
                *place += 1;
                total += 1;
                if total > CHECKERS {
                    let reason = format!("makes 16 checkers for the player {name}, at most 15");
                    return Err(IdError::at(column(bit), reason));
                }
                bit += 1;
            }
            bit += 1;
        }
    }
    if let Some(extra) = (bit..80).find(|&b| bytes[b / 8] >> (b % 8) & 1 != 0) {
        return Err(IdError::at(column(extra), "goes on after the last checker"));
    }
    let [opponent, mover] = counts;
    if let Some(point) = (1..=POINTS).find(|&p| mover[p] > 0 && opponent[BAR - p] > 0) {
        let reason = format!("puts both sides on point {point} of the player on roll");
        return Err(IdError::at(start + POSITION_CHARS, reason));
    }
    Ok(Position::new(Side::new(&mover)?, Side::new(&opponent)?)?)
}

/// Returns the match ID of a state: 12 characters. The player to decide is player 1, or player 0 if player 1
/// has doubled. `None` if the cube is above [`LARGEST_CUBE`] or a score is too large.
pub fn match_id(state: &GameState) -> Option<String> {
    let on_roll = if state.doubled {
        state.flipped()
    } else {
        *state
    };
    let score = on_roll.score;
    let highest = score.length.max(score.mover).max(score.opponent);
    if on_roll.cube >= 2 * LARGEST_CUBE || u32::from(highest) >= 1 << SCORE_BITS {
        return None;
    }
    let mut bits = Bits::default();
    bits.push(on_roll.cube.max(1).ilog2(), CUBE_BITS);
    bits.push(
        match on_roll.owner {
            CubeOwner::Centred => 3,
            CubeOwner::Mover => 1,
            CubeOwner::Opponent => 0,
        },
        2,
    );
    bits.push(1, 1);
    bits.push(u32::from(score.crawford), 1);
    // The state of the game: in progress.
    bits.push(1, 3);
    bits.push(u32::from(!state.doubled), 1);
    bits.push(u32::from(state.doubled), 1);
    bits.push(0, 2);
    let (high, low) = state.roll.map_or((0, 0), |roll| (roll.high(), roll.low()));
    bits.push(u32::from(high), 3);
    bits.push(u32::from(low), 3);
    bits.push(u32::from(score.length), SCORE_BITS);
    bits.push(u32::from(score.opponent), SCORE_BITS);
    bits.push(u32::from(score.mover), SCORE_BITS);
    // In a match, where it has no effect, the Jacoby rule is written as off.
    bits.push(u32::from(!(score.is_money() && state.rules.jacoby)), 1);
    Some(STANDARD_NO_PAD.encode(bits.bytes))
}

/// Returns `POSITION:MATCH` of a state, as GNU Backgammon prints and reads it; `None` if there is no
/// [`match_id`].
pub fn full_id(state: &GameState) -> Option<String> {
    let board = if state.doubled {
        state.position.flipped()
    } else {
        state.position
    };
    Some(format!("{}:{}", position_id(&board), match_id(state)?))
}

/// Returns whether a text is a match ID alone, without a board. A word of twelve lower-case letters is not.
pub fn is_match_id(text: &str) -> bool {
    let is_small = text.bytes().all(|byte| byte.is_ascii_lowercase());
    let board = position_id(&Position::opening());
    !is_small && text.len() == MATCH_CHARS && parse(&format!("{board}:{text}")).is_ok()
}

/// Parses a position ID, alone (money play) or with a match ID after a colon. GNU Backgammon's words before
/// the ID are allowed.
///
/// # Errors
/// An [`IdError`] with a column in `text`.
pub fn parse(text: &str) -> Result<GameState, IdError> {
    let start = id_start(text);
    let id = text[start..].trim_end();
    if id.is_empty() {
        return Err(IdError::Empty);
    }
    let offset = text[..start].chars().count();
    let (board, rest) = match id.split_once(':') {
        Some((board, rest)) => (board, Some(rest)),
        None => (id, None),
    };
    if board.chars().count() == MATCH_CHARS && rest.is_none() {
        let reason = "the position ends after 12 of 14 characters (a match ID alone has no board)";
        return Err(IdError::at(offset + MATCH_CHARS + 1, reason));
    }
    if rest.is_none() && !(8..=20).contains(&id.chars().count()) {
        return Err(IdError::Unrecognised { text: shown(id) });
    }
    let position = parse_position(board).map_err(|error| moved(error, offset))?;
    match rest {
        None => Ok(GameState::money(position)),
        Some(rest) => {
            let column = offset + board.chars().count() + 1;
            parse_match(rest.trim(), column, position)
        }
    }
}

/// Returns the start of the identifier, in bytes: after `GNUBG ID:`, `GNUBGID=` and blanks.
fn id_start(text: &str) -> usize {
    let mut start = text.len() - text.trim_start().len();
    for word in ["gnubgid=", "gnubgid ", "gnubg id:", "position id:"] {
        if text[start..]
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
        {
            let rest = &text[start + word.len()..];
            start = text.len() - rest.trim_start().len();
        }
    }
    start
}

fn moved(error: IdError, offset: usize) -> IdError {
    match error {
        IdError::At { column, reason } => IdError::At {
            column: column + offset,
            reason,
        },
        other => other,
    }
}

/// Parses a match ID that starts after `offset` characters; `position` is the board of its player on roll.
fn parse_match(text: &str, offset: usize, position: Position) -> Result<GameState, IdError> {
    let mut bits = Bits::default();
    decode(text, MATCH_CHARS, offset, &mut bits.bytes)?;
    let cube = bits.take(CUBE_BITS);
    let owner = bits.take(2);
    let on_roll = bits.take(1);
    let crawford = bits.take(1) == 1;
    let _game_state = bits.take(3);
    // The player to decide, which also covers resignations; a state has none.
    let _decides = bits.take(1);
    let doubled = bits.take(1) == 1;
    let _resignation = bits.take(2);
    let at = bits.at;
    let error = |bit: usize, reason: String| IdError::at(offset + base64_char(bit) + 1, reason);
    let dice = (bits.take(3) as u8, bits.take(3) as u8);
    let roll = match dice {
        (0, 0) => None,
        (a, b) => Some(Roll::new(a, b).ok_or_else(|| {
            error(
                at,
                format!("dice {a}{b}: expected two dice from 1 to 6, or none"),
            )
        })?),
    };
    let length = bits.take(SCORE_BITS) as u16;
    let at = bits.at;
    let points = [bits.take(SCORE_BITS) as u16, bits.take(SCORE_BITS) as u16];
    let jacoby = length == 0 && bits.take(1) == 0;
    check_score(length, points, crawford)
        .map_err(|(bit, reason)| error(bit.unwrap_or(at), reason))?;
    let me = on_roll as usize;
    let state = GameState {
        position,
        cube: 1 << cube,
        owner: match owner {
            0 | 1 if owner == on_roll => CubeOwner::Mover,
            0 | 1 => CubeOwner::Opponent,
            _ => CubeOwner::Centred,
        },
        score: MatchScore {
            length,
            mover: points[me],
            opponent: points[1 - me],
            // If both players need one point, no rule prevents a double.
            crawford: crawford && points[0] != points[1],
        },
        rules: Rules {
            jacoby,
            beavers: false,
            ..Rules::default()
        },
        roll: if doubled { None } else { roll },
        doubled,
    };
    // A pending double is the opponent's decision.
    Ok(if doubled { state.flipped() } else { state })
}

/// Refuses an impossible score. Returns the faulty bit, if it is not in the score, and the reason.
fn check_score(
    length: u16,
    points: [u16; 2],
    crawford: bool,
) -> Result<(), (Option<usize>, String)> {
    if let Some(over) = points.iter().find(|&&p| length > 0 && p >= length) {
        let reason = format!("score {over}: expected less than the match length, {length}");
        return Err((None, reason));
    }
    if crawford && points.iter().all(|&p| p + 1 != length) {
        let reason = "Crawford game, but nobody is one point away".to_owned();
        return Err((Some(7), reason));
    }
    Ok(())
}

/// Returns the index of the character that contains bit `bit`. Characters take six bits from the top of each
/// byte downwards, so the bits are not in order.
fn base64_char(bit: usize) -> usize {
    let from_top = bit / 8 * 8 + (7 - bit % 8);
    from_top / CHAR_BITS
}

/// Decodes Base64 without padding into `bytes`, whose size fits `chars` characters.
fn decode(text: &str, chars: usize, offset: usize, bytes: &mut [u8]) -> Result<(), IdError> {
    let text = text.trim_end_matches('=');
    for (i, c) in text.chars().enumerate() {
        let column = offset + i + 1;
        if i == chars {
            return Err(IdError::at(
                column,
                format!("expected no more than {chars} characters"),
            ));
        }
        if !(c.is_ascii_alphanumeric() || c == '+' || c == '/') {
            let c = shown(&c.to_string());
            let reason = format!("found '{c}', expected a letter, a digit, '+' or '/'");
            return Err(IdError::at(column, reason));
        }
    }
    let found = text.chars().count();
    if found < chars {
        let reason = format!("ends after {found} of {chars} characters");
        return Err(IdError::at(offset + found + 1, reason));
    }
    // The last character of a position ID has unused bits, which some programs do not clear.
    let mut value = 0u32;
    let mut have = 0;
    let mut out = bytes.iter_mut();
    for c in text.bytes() {
        value = value << CHAR_BITS | u32::from(sextet(c));
        have += CHAR_BITS;
        if have >= 8 {
            have -= 8;
            if let Some(byte) = out.next() {
                *byte = (value >> have) as u8;
            }
        }
    }
    Ok(())
}

fn sextet(c: u8) -> u8 {
    match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    }
}

/// The bits of a match ID, least significant first.
#[derive(Default)]
struct Bits {
    bytes: [u8; 9],
    at: usize,
}

impl Bits {
    fn push(&mut self, value: u32, width: usize) {
        for i in 0..width {
            if value >> i & 1 != 0 {
                self.bytes[self.at / 8] |= 1 << (self.at % 8);
            }
            self.at += 1;
        }
    }

    fn take(&mut self, width: usize) -> u32 {
        let mut value = 0;
        for i in 0..width {
            value |= u32::from(self.bytes[self.at / 8] >> (self.at % 8) & 1) << i;
            self.at += 1;
        }
        value
    }
}
