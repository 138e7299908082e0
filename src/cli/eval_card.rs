//! The answer of `luckless eval` as a card of HTML.

use super::eval_answer::EvalDocument;
use crate::diagram::Diagram;
use crate::game::GameState;
use crate::review::report::position_card::{self, CardBody};

/// The card of `state`, the roll in it if there is one.
pub(super) fn write(answer: &EvalDocument, state: &GameState) -> String {
    let text = answer.to_text(state);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    // The identifier, which stands below, comes first there.
    let head = head.split_once("  ").map_or(head, |(_, words)| words);
    let body = match answer.plays() {
        Some(table) => CardBody::Table(table),
        None => CardBody::Lines(rest.to_owned()),
    };
    position_card::write(head, &Diagram::new(*state), &body, None)
}
