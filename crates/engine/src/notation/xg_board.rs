//! The board that eXtreme Gammon draws in its forum texts, for texts without the identifier.
//!
//! Two rulers frame eleven rows, five for each half around the middle. The player on roll is X and bears off
//! at the lower right. A point has three columns; a stack above five has its number in the innermost row. X's
//! checkers on the bar are above the middle, O's below. Words are translated, so only parts with the same
//! form in every language are read: `X-O: 2-4/7`, a number and an owner after the last colon of a line about
//! the cube, and dice at the end of a line that begins with X.

use super::{IdError, LARGEST_CUBE_POWER, LONGEST_MATCH};
use crate::game::position::{BAR, CHECKERS};
use crate::game::{
    CubeOwner, GameState, MatchScore, Position, Roll, Rules, Side, is_crawford_score,
};

/// The rulers above and below the board. FIBS's rulers have one more dash in the middle.
const RULERS: [&str; 2] = [
    "+13-14-15-16-17-18------19-20-21-22-23-24-+",
    "+12-11-10--9--8--7-------6--5--4--3--2--1-+",
];
/// The label before the score below the board. GNU Backgammon draws the same board but writes the score
/// elsewhere.
const SCORE: &str = "X-O:";
/// Number of lines below the board that may contain the score.
const ABOUT: usize = 4;
/// Number of rows between the rulers.
const ROWS: usize = 11;
/// Row of the bar's name.
const MIDDLE: usize = 5;
/// Number of characters between the outer lines of a row: two halves, and the bar with its lines.
const ROW: usize = 18 + 5 + 18;

/// Returns whether `text` contains a drawn board.
pub(super) fn looks_like(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    drawings(&lines).next().is_some()
}

/// Returns the lines, from 0, of the rulers above drawn boards.
pub(super) fn drawings<'a>(lines: &'a [impl AsRef<str>]) -> impl Iterator<Item = usize> + 'a {
    let contains = |line: usize, text: &str| {
        let line = lines.get(line).map(AsRef::as_ref);
        line.is_some_and(|line| line.contains(text))
    };
    let is_framed = move |top: &usize| {
        let mut rows = *top + 1..=*top + ROWS;
        contains(*top, RULERS[0])
            && contains(*top + ROWS + 1, RULERS[1])
            && rows.all(|row| contains(row, "|"))
            && (1..=ABOUT).any(|below| contains(*top + ROWS + 1 + below, SCORE))
    };
    (0..lines.len()).filter(is_framed)
}

/// Parses the first drawing in `text`.
///
/// # Errors
/// An [`IdError`] with a column in `text`.
pub(super) fn parse(text: &str) -> Result<GameState, IdError> {
    let lines: Vec<&str> = text.lines().collect();
    let Some(ruler) = drawings(&lines).next() else {
        return Err(IdError::Empty);
    };
    let first = ruler + 1;
    let rows = &lines[first..first + ROWS];
    let before: usize = lines[..first].iter().map(|l| l.chars().count() + 1).sum();
    let mut cells = Vec::with_capacity(ROWS);
    let mut column = before + 1;
    for row in rows {
        let chars: Vec<char> = row.chars().collect();
        let start = chars.iter().position(|&c| c == '|').map_or(0, |at| at + 1);
        if chars.len() < start + ROW {
            let reason = "this row of the board is too short";
            return Err(IdError::at(column + chars.len(), reason));
        }
        cells.push((column + start, chars[start..start + ROW].to_vec()));
        column += chars.len() + 1;
    }
    let (mover, opponent) = (side(&cells, 'X')?, side(&cells, 'O')?);
    let about = &lines[first + ROWS + 1..];
    let score = score(about, column)?;
    let (cube, owner) = cube(about);
    let rules = match score.is_money() {
        true => rules(&lines[..first]),
        false => Rules::default(),
    };
    Ok(GameState {
        position: Position::new(mover, opponent)?,
        cube,
        owner,
        score,
        rules,
        roll: roll(about),
        doubled: false,
    })
}

/// Returns the checkers of a side, from the cells of the eleven rows and their columns.
fn side(cells: &[(usize, Vec<char>)], sign: char) -> Result<Side, IdError> {
    let mut counts = [0u8; BAR + 1];
    for place in 0..12 {
        let at = 3 * place + 1 + if place < 6 { 0 } else { 5 };
        for (rows, point) in [(0..MIDDLE, 13 + place), (MIDDLE + 1..ROWS, 12 - place)] {
            let own = if sign == 'X' { point } else { BAR - point };
            counts[own] = stack(cells, rows, at, sign)?;
        }
    }
    let bar = if sign == 'X' {
        0..MIDDLE
    } else {
        MIDDLE + 1..ROWS
    };
    counts[BAR] = stack(cells, bar, 18 + 2, sign)?;
    let total: u32 = counts.iter().map(|&n| u32::from(n)).sum();
    if total > u32::from(CHECKERS) {
        let reason = format!("{total} checkers of {sign} are drawn, at most 15 are possible");
        return Err(IdError::at(cells[0].0, reason));
    }
    Ok(Side::new(&counts)?)
}

/// Returns the number of a side's checkers in a column: the number of signs, or the written number.
fn stack(
    cells: &[(usize, Vec<char>)],
    rows: std::ops::Range<usize>,
    at: usize,
    sign: char,
) -> Result<u8, IdError> {
    let (mut signs, mut number) = (0, None);
    for (start, row) in &cells[rows] {
        // Two digits may begin one column further left.
        let digits: String = row[at - 1..=at + 1]
            .iter()
            .filter(|c| c.is_ascii_digit())
            .collect();
        match row[at] {
            c if c == sign => signs += 1,
            ' ' | 'X' | 'O' | '|' if digits.is_empty() => {}
            _ if !digits.is_empty() => {
                number = digits.parse().ok().filter(|&n| n <= CHECKERS);
                if number.is_none() {
                    let reason = format!("'{digits}' checkers: at most 15 are possible");
                    return Err(IdError::at(start + at, reason));
                }
            }
            c => {
                let c = super::shown(&c.to_string());
                let reason = format!("found '{c}', expected a blank, X, O or a number");
                return Err(IdError::at(start + at, reason));
            }
        }
    }
    Ok(match number {
        Some(number) if signs > 0 => number,
        _ => signs,
    })
}

/// Parses the score: `X-O: 2-4/7`, with a word after it in the Crawford game.
fn score(lines: &[&str], column: usize) -> Result<MatchScore, IdError> {
    let read = |line: &&str| {
        let rest = line[line.find("X-O:")? + 4..].trim_start();
        let (points, rest) = rest.split_once('/').unwrap_or((rest, ""));
        let (mover, opponent) = points.trim().split_once('-')?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Some(Some(MatchScore::MONEY));
        }
        let score = MatchScore {
            length: rest[..digits].parse().unwrap_or(u16::MAX),
            mover: mover.trim().parse().unwrap_or(u16::MAX),
            opponent: opponent.trim().parse().unwrap_or(u16::MAX),
            crawford: rest[digits..].contains("Crawford"),
        };
        let MatchScore {
            length,
            mover,
            opponent,
            crawford,
        } = score;
        if length == 0 {
            return Some(Some(MatchScore::MONEY));
        }
        let fits = length <= LONGEST_MATCH && mover < length && opponent < length;
        let one_away = fits && (mover + 1 == length || opponent + 1 == length);
        // If both players need one point, no rule prevents a double.
        let score = MatchScore {
            crawford: crawford && is_crawford_score(length, [mover, opponent]),
            ..score
        };
        Some((fits && (one_away || !crawford)).then_some(score))
    };
    match lines.iter().find_map(read) {
        None => Ok(MatchScore::MONEY),
        Some(Some(score)) => Ok(score),
        Some(None) => {
            let reason = format!(
                "the score behind X-O: is none of a match to {LONGEST_MATCH} points or less"
            );
            Err(IdError::at(column, reason))
        }
    }
}

/// Parses the cube, as in `Cube: 2, O own cube`: the first line after the pip counts with a power of two
/// after its colon.
fn cube(lines: &[&str]) -> (u32, CubeOwner) {
    let read = |line: &&str| {
        let (_, rest) = line.split_once([':', '：'])?;
        let rest = rest.trim();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let value: u32 = rest[..digits].parse().ok()?;
        let owner = rest[digits..].trim_start_matches([',', ' ']);
        // A line of pip counts continues with those of the other player.
        if owner.contains([':', '：']) {
            return None;
        }
        let owner = match owner.chars().next() {
            None => CubeOwner::Centred,
            Some('X') => CubeOwner::Mover,
            Some('O') => CubeOwner::Opponent,
            Some(_) => return None,
        };
        (value.is_power_of_two() && value <= 1 << LARGEST_CUBE_POWER).then_some((value, owner))
    };
    lines
        .iter()
        .take(4)
        .find_map(read)
        .unwrap_or((1, CubeOwner::Centred))
}

/// Parses the roll: `X to play 31`.
fn roll(lines: &[&str]) -> Option<Roll> {
    let read = |line: &&str| {
        let line = line.trim();
        let dice = line.strip_prefix("X ")?.split_whitespace().next_back()?;
        dice.parse::<Roll>().ok()
    };
    lines.iter().take(6).find_map(read)
}

/// Parses the rules of money play: `Unlimited Game, Jacoby Beaver`.
fn rules(lines: &[&str]) -> Rules {
    let last = lines.iter().rev().take(4);
    let has = |word: &str| last.clone().any(|line| line.contains(word));
    Rules {
        jacoby: has("Jacoby"),
        beavers: has("Beaver"),
        ..Rules::default()
    }
}
