//! The answer of `luckless eval` as a card of HTML.

use super::eval_answer::EvalDocument;
use crate::cli::common::usage::say;
use crate::diagram::Diagram;
use crate::game::GameState;
use crate::notation::parse_play;
use crate::review::report::position_card::{self, CardBody};
use crate::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, UserFolders};

/// Returns the card of `state` with its dice, the best play as arrows, and the user's note on the position. `table` names
/// the match equity table; it may be empty.
pub(crate) fn write(answer: &EvalDocument, state: &GameState, table: &str) -> String {
    let text = answer.to_text(state, table);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    // The identifier, which stands below, comes first there.
    let head = head.split_once("  ").map_or(head, |(_, words)| words);
    let plays = answer.plays();
    let best = plays
        .as_ref()
        .and_then(|table| table.rows().get(1)?.first());
    let play = best.zip(state.roll);
    let diagram = Diagram {
        play: play.and_then(|(best, roll)| parse_play(best, &state.position, roll).ok()),
        ..Diagram::new(*state)
    };
    let body = match plays {
        Some(table) => CardBody::Table(table),
        None => CardBody::Lines(rest.to_owned()),
    };
    let note = note(state);
    position_card::write(head, &diagram, &body, note.as_deref())
}

/// Returns the user's note about the position from the workstation, whatever its dice.
fn note(state: &GameState) -> Option<String> {
    let places = UserFolders::of_user()?;
    let about = MatchFingerprint::of_position(state);
    let notes = NoteStore::read(&places.notes(), &about, READ_TIMEOUT);
    let notes = notes.inspect_err(|why| say(&why.to_string())).ok()?;
    notes.into_values().next()
}
