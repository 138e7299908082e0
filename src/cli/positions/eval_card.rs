//! The answer of `luckless eval` as a card of HTML.

use super::eval_answer::EvalDocument;
use crate::cli::common::usage::say;
use crate::diagram::Diagram;
use crate::game::GameState;
use crate::review::report::position_card::{self, CardBody};
use crate::store::{MatchFingerprint, NoteStore, READ_TIMEOUT, UserFolders};

/// The card of `state`, the roll in it if there is one, with the note that was written about the position; `table` says
/// by which match equity table, where there is something to say.
pub(crate) fn write(answer: &EvalDocument, state: &GameState, table: &str) -> String {
    let text = answer.to_text(state, table);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    // The identifier, which stands below, comes first there.
    let head = head.split_once("  ").map_or(head, |(_, words)| words);
    let body = match answer.plays() {
        Some(table) => CardBody::Table(table),
        None => CardBody::Lines(rest.to_owned()),
    };
    let note = note(state);
    position_card::write(head, &Diagram::new(*state), &body, note.as_deref())
}

/// What was written in the workstation about the position, whatever its dice.
fn note(state: &GameState) -> Option<String> {
    let places = UserFolders::of_user()?;
    let about = MatchFingerprint::of_position(state);
    let notes = NoteStore::read(&places.notes(), &about, READ_TIMEOUT);
    let notes = notes.inspect_err(|why| say(&why.to_string())).ok()?;
    notes.into_values().next()
}
