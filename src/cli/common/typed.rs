//! Reads typed lines, and shows boards as plain text or in words.

use std::io;

use anyhow::{Context as _, Result, bail};

use crate::bounded_lines::{Line, read_line};
use crate::game::{CubeOwner, GameState, Position, Side};
use crate::notation::spoken;

/// Maximum length of a line in bytes.
const LONGEST_LINE: u64 = 4096;

/// Reads a line of stdin; `None` at its end.
pub(crate) fn typed_line() -> Result<Option<String>> {
    match read_line(&mut io::stdin().lock(), LONGEST_LINE).context("stdin")? {
        None => Ok(None),
        Some(Line::Whole(line)) => Ok(Some(line)),
        Some(Line::TooLong) => {
            bail!("stdin: a line of more than {LONGEST_LINE} bytes is no answer")
        }
    }
}

/// Describes cube and score in one line.
pub(crate) fn score_and_cube(state: &GameState) -> String {
    let owner = match state.owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "x's",
        CubeOwner::Opponent => "o's",
    };
    let score = match state.score.away() {
        None => format!("   {}", state.rules.money_words()),
        Some((x, o)) => format!("   x needs {x}, o needs {o}"),
    };
    let crawford = match state.score.crawford {
        true => ", the Crawford game",
        false => "",
    };
    format!("cube {} ({owner}){score}{crawford}\n", state.cube)
}

/// Describes the position in words, for users who cannot see a board.
pub(crate) fn position_words(state: &GameState) -> String {
    // A player who must answer a double is not on roll.
    let own = if state.doubled { "Player" } else { "On roll" };
    spoken(state, [own, "Opponent"])
}

/// Draws the board as two rows of points; the player who decides moves from 24 down. `doubled`: that player answers a
/// double, so the other one is on roll.
pub(crate) fn board(position: &Position, doubled: bool) -> String {
    let cell = |point: usize| {
        let (own, other) = (position.mover.at(point), position.opponent.at(25 - point));
        match (own, other) {
            (0, 0) => "  .".to_owned(),
            (own, 0) => format!("{own:>2}x"),
            (_, other) => format!("{other:>2}o"),
        }
    };
    let row = |points: &mut dyn Iterator<Item = usize>| {
        let (mut numbers, mut checkers) = (String::new(), String::new());
        for point in points {
            numbers += &format!(" {point:>3}");
            checkers += &format!(" {}", cell(point));
        }
        (numbers, checkers)
    };
    let (top, upper) = row(&mut (13..25));
    let (bottom, lower) = row(&mut (1..13).rev());
    let side = |s: &Side| format!("bar {}, off {}, {} pips", s.bar(), s.off(), s.pips());
    let [x, o] = match doubled {
        false => ["x (on roll)", "o"],
        true => ["x", "o (on roll)"],
    };
    format!(
        "{top}\n{upper}\n{lower}\n{bottom}\n{x}: {}   {o}: {}\n",
        side(&position.mover),
        side(&position.opponent)
    )
}
