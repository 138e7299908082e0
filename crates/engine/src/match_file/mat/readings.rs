//! Finds readings of a game that make all of it legal.
//!
//! An illegal play may mean that an earlier play was read with the wrong hits. Other hits are tried, doubtful
//! and late ones first. The first choice that makes the rest of the game legal is taken.
//!
//! Otherwise the players let the play stand as written, or the file is wrong about a legal play with at most
//! one checker elsewhere. The reading that carries furthest is taken: to the end of the game with the fewest
//! other faults, or at least [`LEAST_CARRIED`] cells to the next fault. If several readings carry equally
//! far, the game is cut there. A written `Cannot Move` is taken as written unless another reading carries
//! further.

use super::place::{Placed, Source, place};
use super::replay::{Fault, ReplayedGame, TextReplay};
use super::result::GameHead;
use crate::game::{Play, PlayList, Position};
use crate::match_file::model::{Action, Warning};
use crate::match_file::warnings::{FilePlace, LET_STAND};
use crate::notation::{WrittenPlay, play_text};

/// Maximum number of alternative hits tried in a game.
const MOST_HITS: usize = 8;
/// Maximum number of cells replayed for alternative readings of a file.
const MOST_TRIED_CELLS: usize = 400_000;
/// Maximum number of readings tried for one fault, including those of later faults.
const MOST_READINGS: usize = 300;
/// Maximum number of faults that are searched together.
const MOST_FAULTS: usize = 3;
/// Minimum number of cells from a fault to the next one for a reading to be taken.
const LEAST_CARRIED: usize = 4;
/// The reach of a reading that carries to the end of the game.
const THROUGH: usize = usize::MAX;
/// Fixed cost of a reading in cells: it copies the game before the fault.
const PRICE: usize = 50;

/// The cells of a file that may still be replayed for alternative readings.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MOST_TRIED_CELLS)
    }
}

impl Budget {
    /// Subtracts the cost of a reading; `None` if the budget is spent.
    fn pay(&mut self, carried_out: usize) -> Option<()> {
        let left = self.0.checked_sub(carried_out + PRICE);
        self.0 = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// Returns whether the budget for alternative readings is spent.
    pub(super) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// One way to read a play at fault.
#[derive(Clone, Copy)]
enum Reading {
    AsWritten(Position),
    Legal(Play),
}

/// Replays a game. If only the next score includes automatic doubles, replays it again with them.
pub(super) fn replay_by_scores(
    head: GameHead<'_>,
    source: &Source,
    budget: &mut Budget,
) -> ReplayedGame {
    let game = replay(&head, source, budget);
    let Some(cube) = game.automatic else {
        return game;
    };
    let head = head.with_automatic_doubles(cube);
    let mut game = replay(&head, source, budget);
    let number = head.number;
    let message = format!(
        "game {number}: by the next score it began with a cube of {cube}, by automatic doubles"
    );
    let warning = Warning::at(FilePlace::line(head.line, 1), message);
    game.warnings.insert(0, warning);
    game
}

/// Replays a game, and tries other readings of illegal plays.
fn replay(head: &GameHead<'_>, source: &Source, budget: &mut Budget) -> ReplayedGame {
    let cells = place(&source.rows, head.right_column, source.is_exchanged);
    let mut game = TextReplay::new(head, None);
    game.run(&cells, 0);
    if game.fault.is_some()
        && !budget.is_spent()
        && let Some(other) = with_other_hit(&game, head, &cells, budget)
    {
        return other.finish();
    }
    while let Some(fault) = game.fault.clone() {
        let Some(next) = furthest(&fault, &cells, budget) else {
            break;
        };
        game = next;
    }
    game.finish()
}

/// Returns the game with another choice of hits, if it is then entirely legal.
fn with_other_hit<'a>(
    first: &TextReplay<'a>,
    head: &'a GameHead<'a>,
    cells: &[Placed<'a>],
    budget: &mut Budget,
) -> Option<TextReplay<'a>> {
    let mut doubts = first.doubts.clone();
    doubts.sort_by_key(|doubt| (doubt.certain, std::cmp::Reverse(doubt.cell)));
    let choices = doubts
        .iter()
        .flat_map(|doubt| (0..doubt.others).map(|other| (doubt.cell, other)));
    for choice in choices.take(MOST_HITS) {
        let mut other = TextReplay::new(head, Some(choice));
        other.run(cells, 0);
        budget.pay(other.carried_out)?;
        if is_legal(&other) {
            let at = cells[choice.0];
            other.warn(
                &at,
                "another hit than written, or the later plays are not legal",
            );
            return Some(other);
        }
    }
    None
}

/// Returns the game with the reading of the illegal play that carries furthest, up to the next play without a
/// legal reading. `None` if several carry equally far, or none far enough.
fn furthest<'a>(
    fault: &Fault<'a>,
    cells: &[Placed<'a>],
    budget: &mut Budget,
) -> Option<TextReplay<'a>> {
    let readings = readings_of(fault);
    let mut search = Search {
        cells,
        budget,
        left: MOST_READINGS,
    };
    let mut far = Vec::new();
    for more in 0..MOST_FAULTS {
        let each = readings.iter().map(|&r| search.reach(fault, r, more));
        let Some(reached) = each.collect::<Option<Vec<usize>>>() else {
            break;
        };
        far = reached;
        if far.contains(&THROUGH) {
            break;
        }
    }
    let most = far.iter().copied().max().unwrap_or(0);
    let mut best = (0..far.len()).filter(|&i| far[i] == most);
    let (first, second) = (best.next(), best.next());
    // A written pass stands unless another reading carries further.
    if fault.is_pass() {
        let best = first.filter(|_| second.is_none()).unwrap_or(0);
        return Some(read_as(fault, *readings.get(best)?, cells));
    }
    let is_enough = most >= fault.cell + LEAST_CARRIED;
    let best = first.filter(|_| second.is_none() && is_enough)?;
    Some(read_as(fault, readings[best], cells))
}

/// Returns the readings of a play at fault, the written one first.
fn readings_of(fault: &Fault<'_>) -> Vec<Reading> {
    let position = fault.before.seen_by(fault.player);
    let written = fault.written.as_ref();
    let forward = written.map(WrittenPlay::forward);
    let list = PlayList::of(&position, fault.roll);
    let is_near = |after: &Position| {
        let mut both = written.iter().copied().chain(&forward);
        written.is_none() || both.any(|w| w.is_near(&position, after))
    };
    let legal = list.plays().iter().zip(list.results());
    let legal = legal
        .filter(|(_, after)| is_near(after) || fault.is_pass() && list.len() == 1)
        .map(|(&play, _)| Reading::Legal(play));
    let as_written = match fault.is_pass() {
        true => Some(position.flipped()),
        false => written.and_then(|written| written.carried_out(&position)),
    };
    let as_written = as_written.map(Reading::AsWritten);
    as_written.into_iter().chain(legal).collect()
}

/// A depth-first search over the readings of consecutive faults.
struct Search<'s, 'a> {
    cells: &'s [Placed<'a>],
    budget: &'s mut Budget,
    /// How many more readings may be tried for the first fault.
    left: usize,
}

impl<'a> Search<'_, 'a> {
    /// Returns the cell that a reading reaches, with the best readings of up to `more` later faults. `None`
    /// if the budget is spent.
    fn reach(&mut self, fault: &Fault<'a>, reading: Reading, more: usize) -> Option<usize> {
        let game = read_as(fault, reading, self.cells);
        self.left = self.left.checked_sub(1)?;
        self.budget.pay(game.carried_out)?;
        let Some(next) = game.fault.clone() else {
            return Some(match fits(&game, fault) {
                true => THROUGH,
                false => 0,
            });
        };
        // The fault contains its own copy of the game.
        drop(game);
        let mut far = next.cell;
        if more > 0 {
            for reading in readings_of(&next) {
                far = far.max(self.reach(&next, reading, more - 1)?);
            }
        }
        Some(far)
    }
}

/// Replays the game with this reading of the illegal play.
fn read_as<'a>(fault: &Fault<'a>, reading: Reading, cells: &[Placed<'a>]) -> TextReplay<'a> {
    let mut game = fault.before.clone();
    game.carried_out = 0;
    let (cell, player, roll) = (&cells[fault.cell], fault.player, fault.roll);
    let position = game.seen_by(player);
    let (column, message) = (fault.error.0, &fault.error.1);
    match reading {
        Reading::AsWritten(after) => {
            let why = match fault.is_pass() {
                true => "",
                false => "; what follows fits nothing else",
            };
            let message = format!("{LET_STAND}: {message}{why}");
            game.warn_at(cell, column, player, &message);
            game.move_to(cell, player, Action::Illegal { roll, after }, after);
        }
        Reading::Legal(play) => {
            let text = play_text(&position, &play);
            let message = format!("{message}; read as {text}: what follows fits nothing else");
            game.warn_at(cell, column, player, &message);
            game.commit(cell, player, roll, play);
        }
    }
    game.run(cells, fault.cell + 1);
    game
}

/// Returns whether the whole game is legal in this reading, up to its written end or an unreadable roll.
fn is_legal(game: &TextReplay<'_>) -> bool {
    game.fault.is_none() && !game.goes_beyond && game.agrees_with_result()
}

/// Returns whether all events after the fault are legal in this reading and contain a play. After a written
/// pass a play is not required.
fn fits(game: &TextReplay<'_>, fault: &Fault<'_>) -> bool {
    let after = fault.before.events.len() + 1;
    let later = game.events.get(after..).unwrap_or(&[]);
    let played = |action: Action| match action {
        Action::Move { play, .. } => !play.is_empty(),
        _ => false,
    };
    let has_play = later.iter().any(|event| played(event.action));
    is_legal(game) && (has_play || fault.is_pass())
}
