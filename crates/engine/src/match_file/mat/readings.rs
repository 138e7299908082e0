//! A game read in the one way in which all of it is legal.
//!
//! Where a play is not legal, an earlier one may have been read wrongly (what was hit on the way). Such hits
//! are tried in order, the doubtful and the late ones first. The first that makes the rest of the game legal
//! is taken.
//!
//! Otherwise the play was let stand as it is written; or it is written wrongly, and a legal play that leaves
//! no more than one checker elsewhere was made. If just one of these readings makes all that follows legal,
//! that is what happened. If several do, or none, nothing is guessed and the game is cut there.

use super::place::{Placed, SourceRow, place};
use super::replay::{Fault, ReplayedGame, TextReplay};
use super::result::GameHead;
use crate::game::{Play, PlayList, Position};
use crate::match_file::model::Action;
use crate::match_file::warnings::LET_STAND;
use crate::notation::play_text;

/// How many other readings of ambiguous hits are tried in a game.
const MOST_HITS: usize = 8;
/// Cells that are carried out for other readings of a file.
const MOST_TRIED_CELLS: usize = 400_000;
/// Cells that count for each reading beside those it carries out: it takes up the game before it.
const PRICE: usize = 50;

/// What may still be tried in a file: cells carried out for other readings than the first.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(MOST_TRIED_CELLS)
    }
}

impl Budget {
    /// Pays for a reading; `None` if nothing is left.
    fn pay(&mut self, carried_out: usize) -> Option<()> {
        let left = self.0.checked_sub(carried_out + PRICE);
        self.0 = left.unwrap_or(0);
        left.map(|_| ())
    }

    /// Whether no other reading is tried any more.
    pub(super) fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

/// What a play can have been.
#[derive(Clone, Copy)]
enum Reading {
    AsWritten(Position),
    Legal(Play),
}

/// Carries a game out. If a play is not legal, other readings are tried.
pub(super) fn replay(head: &GameHead<'_>, rows: &[SourceRow], budget: &mut Budget) -> ReplayedGame {
    let cells = place(rows, head.right_column);
    let mut first = TextReplay::new(head, None);
    first.run(&cells, 0);
    if !first.cut || budget.is_spent() {
        return first.finish();
    }
    if let Some(other) = with_other_hit(&first, head, &cells, budget) {
        return other.finish();
    }
    let fault = first.fault.take().filter(|_| !budget.is_spent());
    let only = fault.and_then(|fault| only_reading(&fault, &cells, budget));
    only.unwrap_or(first).finish()
}

/// The game with another hit on the way than the one that was taken, if all of it is legal then.
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

/// The game with the one reading of the play at fault after which all that follows is legal.
fn only_reading<'a>(
    fault: &Fault<'a>,
    cells: &[Placed<'a>],
    budget: &mut Budget,
) -> Option<TextReplay<'a>> {
    let position = fault.before.seen_by(fault.player);
    let written = fault.written.as_ref();
    let list = PlayList::of(&position, fault.roll);
    let is_near = |after: &Position| written.is_none_or(|w| w.is_near(&position, after));
    let legal = list.plays().iter().zip(list.results());
    let legal = legal
        .filter(|(_, after)| is_near(after))
        .map(|(&play, _)| Reading::Legal(play));
    let as_written = written.and_then(|written| written.carried_out(&position));
    let as_written = as_written.map(Reading::AsWritten);
    let mut found = None;
    for reading in as_written.into_iter().chain(legal) {
        let other = read_as(fault, reading, cells);
        budget.pay(other.carried_out)?;
        if fits(&other, fault) && found.replace(other).is_some() {
            return None;
        }
    }
    found
}

/// The game with this reading of the play at fault.
fn read_as<'a>(fault: &Fault<'a>, reading: Reading, cells: &[Placed<'a>]) -> TextReplay<'a> {
    let mut game = fault.before.clone();
    game.carried_out = 0;
    let (cell, player, roll) = (&cells[fault.cell], fault.player, fault.roll);
    let position = game.seen_by(player);
    let (column, told) = (fault.told.0, &fault.told.1);
    match reading {
        Reading::AsWritten(after) => {
            let told = format!("{LET_STAND}: {told}; what follows fits nothing else");
            game.warn_at(cell, column, player, &told);
            game.move_to(cell, player, Action::Illegal { roll, after }, after);
        }
        Reading::Legal(play) => {
            let text = play_text(&position, &play);
            let told = format!("{told}; read as {text}: what follows fits nothing else");
            game.warn_at(cell, column, player, &told);
            game.commit(cell, player, roll, play);
        }
    }
    game.run(cells, fault.cell + 1);
    game
}

/// Whether all of a game is legal in this reading, up to the end that is written.
fn is_legal(game: &TextReplay<'_>) -> bool {
    !game.cut && !game.goes_beyond && game.agrees_with_result()
}

/// Whether all that follows is legal in this reading, and there is a play in it.
fn fits(game: &TextReplay<'_>, fault: &Fault<'_>) -> bool {
    let after = fault.before.events.len() + 1;
    let later = game.events.get(after..).unwrap_or(&[]);
    let played = |action: Action| match action {
        Action::Move { play, .. } => !play.is_empty(),
        _ => false,
    };
    is_legal(game) && later.iter().any(|event| played(event.action))
}
