//! The board line of FIBS and its clients: `board:` and 52 values between colons.
//!
//! Names, match length and points come first, "you" before the opponent. Then come the places 0 to 25, the
//! turn, both players' dice, the cube, who may double, whether a double is pending, and your colour and
//! direction. Checkers with the sign of your colour are yours. Your bar is 25 if you move down (direction
//! −1), else 0. FIBS has neither Jacoby rule nor beavers.

use super::field::{Field, end_of_mark, fields};
use super::xgid::{LONGEST_MATCH, checked_score};
use super::{IdError, shown};
use crate::game::position::{BAR, CHECKERS};
use crate::game::{
    CubeOwner, GameState, MatchScore, Position, Roll, Rules, Side, is_crawford_score,
};

/// Number of values in a line.
const VALUES: usize = 52;
/// The length of an unlimited match on FIBS.
const UNLIMITED: u32 = 9999;

// Indices of the values, from 0.
const LENGTH: usize = 2;
const POINTS: [usize; 2] = [3, 4];
const BOARD: usize = 5;
const TURN: usize = 31;
const DICE: [usize; 2] = [32, 34];
const CUBE: usize = 36;
const MAY_DOUBLE: [usize; 2] = [37, 38];
const DOUBLED: usize = 39;
const COLOUR: usize = 40;
const DIRECTION: usize = 41;
const ON_BAR: [usize; 2] = [46, 47];
const CRAWFORD: [usize; 2] = [50, 51];

/// Returns the start of the values, in bytes.
fn start(text: &str) -> Option<usize> {
    end_of_mark(text, "board:")
}

/// Returns whether `text` contains a board line.
pub(super) fn looks_like(text: &str) -> bool {
    let line = start(text).and_then(|start| text[start..].lines().next());
    let is_first = text.trim_start().starts_with("board:");
    line.is_some_and(|line| is_first || line.matches(':').count() >= DIRECTION)
}

/// Parses the board line anywhere in `text`.
///
/// # Errors
/// An [`IdError`] with a column in `text`.
pub(super) fn parse(text: &str) -> Result<GameState, IdError> {
    values(text)?.state()
}

/// Parses the line that GNU Backgammon (1.07) sends to an external player. The positive numbers always belong
/// to the second player, and so does the first flag of who may double.
///
/// * Without a double the first name and points are the first player's, and the turn is the player to roll or
///   play.
/// * With a double names and points are exchanged, and the turn is the doubler.
///
/// # Errors
/// An [`IdError`].
pub(super) fn parse_gnubg(text: &str) -> Result<GameState, IdError> {
    let mut values = values(text)?;
    if values.flag(DOUBLED)? {
        values.asked = Asked::NotOnTurn;
    } else {
        values.points.reverse();
    }
    values.state()
}

/// Returns the line in GNU Backgammon's form: the player on roll has the positive numbers and moves down, and
/// the first points are the opponent's.
pub(super) fn gnubg_text(state: &GameState) -> String {
    let (mover, other) = (&state.position.mover, &state.position.opponent);
    let points = [state.score.opponent, state.score.mover].map(|points| points.to_string());
    let mut values = vec!["other".to_owned(), "mover".to_owned()];
    values.push(state.score.length.to_string());
    values.extend(points);
    for place in 0..=BAR {
        let own = if place == 0 { 0 } else { mover.at(place) };
        let theirs = match place {
            BAR => 0,
            place => other.at(BAR - place),
        };
        values.push((i32::from(own) - i32::from(theirs)).to_string());
    }
    let dice = state.roll.map_or([0, 0], |roll| [roll.high(), roll.low()]);
    let may = match state.owner {
        CubeOwner::Centred => [1, 1],
        CubeOwner::Mover => [1, 0],
        CubeOwner::Opponent => [0, 1],
    };
    let one_away = |points: u16| points + 1 == state.score.length;
    let is_near = one_away(state.score.mover) || one_away(state.score.opponent);
    let crawford = match (state.score.crawford, is_near) {
        (true, _) => [0, 0],
        (false, true) => [1, 1],
        (false, false) => [0, 1],
    };
    // The turn, and the dice of both players.
    let mut more: Vec<i64> = vec![1];
    more.extend([dice, dice].concat().into_iter().map(i64::from));
    more.extend([
        i64::from(state.cube),
        may[0],
        may[1],
        i64::from(state.doubled),
    ]);
    // Colour and direction, home and bar, checkers there, moves.
    more.extend([1, -1, 0, 25, 0, 0, 0, 0, 0, 0]);
    more.extend(crawford);
    values.extend(more.into_iter().map(|value| value.to_string()));
    format!("board:{}", values.join(":"))
}

/// Returns the values of the line, with FIBS's meaning.
fn values(text: &str) -> Result<Values<'_>, IdError> {
    let start = start(text).unwrap_or(0);
    let line = text[start..].lines().next().unwrap_or("");
    let column = text[..start].chars().count() + 1;
    // Text after the last value is ignored.
    let values = Values {
        fields: fields(line, column, VALUES + 1),
        points: POINTS,
        asked: Asked::You,
    };
    if values.fields.len() <= DIRECTION {
        let end = column + line.chars().count();
        let found = values.fields.len();
        let reason = format!("the board ends after {found} of {VALUES} values");
        return Err(IdError::at(end, reason));
    }
    Ok(values)
}

/// The player who answers a double.
enum Asked {
    You,
    /// The player not on turn: the other player has doubled.
    NotOnTurn,
}

struct Values<'a> {
    fields: Vec<Field<'a>>,
    /// Indices of your points and of the opponent's.
    points: [usize; 2],
    asked: Asked,
}

impl<'a> Values<'a> {
    /// Returns a value; missing values at the end are 0.
    fn at(&self, place: usize) -> Field<'a> {
        let mut field = self.fields.get(place).copied().unwrap_or(Field {
            text: "0",
            column: 0,
        });
        // Words may follow the last value.
        field.text = field.text.split_whitespace().next().unwrap_or("");
        field
    }

    fn flag(&self, place: usize) -> Result<bool, IdError> {
        Ok(self.at(place).up_to(1, "0 or 1")? == 1)
    }

    fn state(&self) -> Result<GameState, IdError> {
        let colour = self.at(COLOUR).side("your colour, 1 or -1", false)?;
        let down = self.at(DIRECTION).side("your direction, 1 or -1", false)? == -1;
        let turn = self
            .at(TURN)
            .side("whose turn it is, 1 or -1 (0: the game is over)", false)?;
        let doubled = self.flag(DOUBLED)?;
        let you_decide = match (doubled, &self.asked) {
            (true, Asked::You) => true,
            (true, Asked::NotOnTurn) => turn != colour,
            (false, _) => turn == colour,
        };
        let (you, other) = (
            self.side(colour, down, ON_BAR[0])?,
            self.side(-colour, !down, ON_BAR[1])?,
        );
        let cube = self.at(CUBE);
        let value = cube.up_to(1 << super::xgid::LARGEST_CUBE_POWER, "the cube")?;
        if !value.is_power_of_two() {
            return Err(cube.error("the cube, 1, 2, 4 or more"));
        }
        let owner = match (value, MAY_DOUBLE.map(|place| self.flag(place))) {
            (_, [Err(error), _] | [_, Err(error)]) => return Err(error),
            (1, _) | (_, [Ok(true), Ok(true)]) => CubeOwner::Centred,
            (_, [Ok(true), Ok(false)]) => CubeOwner::Mover,
            // A player who has doubled may not double again.
            (_, [Ok(false), Ok(_)]) => CubeOwner::Opponent,
        };
        let length = self.at(LENGTH);
        let match_length = match length.number("the match length")? {
            n if n == UNLIMITED as i32 => 0,
            _ => length.up_to(u32::from(LONGEST_MATCH), "the match length")? as u16,
        };
        let score = self.score(match_length, value == 1 && !doubled)?;
        let dice = if you_decide { DICE[0] } else { DICE[1] };
        let seen_by_you = GameState {
            position: Position::new(you, other)?,
            cube: value,
            owner,
            score,
            rules: Rules::default(),
            roll: self.roll(dice)?.filter(|_| !doubled),
            doubled,
        };
        Ok(if you_decide {
            seen_by_you
        } else {
            seen_by_you.flipped()
        })
    }

    /// Returns the checkers with sign `sign`; `down`: whether they move towards place 1.
    fn side(&self, sign: i32, down: bool, on_bar: usize) -> Result<Side, IdError> {
        let mut counts = [0u8; BAR + 1];
        let mut total = 0;
        for place in 0..=BAR {
            let field = self.at(BOARD + place);
            // Limit absurd numbers, to avoid overflow.
            let count = field.number("a number of checkers")?.clamp(-100, 100) * sign;
            let own = if down { place } else { BAR - place };
            // The direction determines the owner of a bar, not the sign.
            let count = match own {
                BAR => count.abs(),
                0 => 0,
                _ => count.max(0),
            };
            total += count;
            if total > i32::from(CHECKERS) {
                let reason = format!("makes {total} checkers on one side, at most 15");
                return Err(IdError::at(field.column, reason));
            }
            counts[own] = count as u8;
        }
        if counts[BAR] == 0 {
            let room = u32::from(CHECKERS) - total as u32;
            counts[BAR] = self.at(on_bar).up_to(room, "checkers on the bar")? as u8;
        }
        Ok(Side::new(&counts)?)
    }

    fn score(&self, length: u16, undoubled: bool) -> Result<MatchScore, IdError> {
        let points = self.points.map(|place| self.at(place));
        let score = checked_score(points, length, None)?;
        let one_away = is_crawford_score(length, [score.mover, score.opponent]);
        let over = CRAWFORD.map(|place| self.at(place).text != "0");
        Ok(MatchScore {
            crawford: one_away && undoubled && over == [false; 2],
            ..score
        })
    }

    fn roll(&self, first: usize) -> Result<Option<Roll>, IdError> {
        let field = self.at(first);
        let die = |place: usize| self.at(place).up_to(6, "a die, 0 to 6");
        let (a, b) = (die(first)?, die(first + 1)?);
        if (a, b) == (0, 0) {
            return Ok(None);
        }
        let roll = Roll::new(a as u8, b as u8);
        roll.map(Some).ok_or_else(|| {
            let found = shown(&format!("{a}:{b}"));
            IdError::at(
                field.column,
                format!("dice {found}: expected two from 1 to 6, or none"),
            )
        })
    }
}
