//! The answer of `luckless eval` as a card: one page of HTML, with a board, that has no link and needs
//! nothing else.

use std::fmt::Write as _;

use super::eval_answer::EvalDocument;
use crate::diagram::Diagram;
use crate::game::GameState;
use crate::notation::{match_id, position_id, xgid_text};
use crate::review::report::html;
use crate::sanitize::escape_markup as escape;

/// The card of `state`, the roll in it if there is one.
pub(super) fn write(answer: &EvalDocument, state: &GameState) -> String {
    let text = answer.to_text(state);
    let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
    // The identifier, which stands below, comes first there.
    let head = head.split_once("  ").map_or(head, |(_, words)| words);
    let mut body = format!(
        "<article class=\"card\">{}<h3>{}</h3>\n",
        Diagram::new(*state).svg_element(head),
        escape(head)
    );
    match answer.plays() {
        Some(table) => html::table(&mut body, &table),
        None => {
            let _ = writeln!(body, "<pre>{}</pre>", escape(rest.trim_matches('\n')));
        }
    }
    let gnubg = format!("{}:{}", position_id(&state.position), match_id(state));
    let _ = writeln!(
        body,
        "<p class=\"note\"><code>{}</code><br>GNUBG ID <code>{}</code><br>Luckless {}</p></article>",
        escape(&xgid_text(state)),
        escape(&gnubg),
        env!("CARGO_PKG_VERSION"),
    );
    html::page(head, &body)
}
