//! A position with its analysis as a card: one page of HTML, with a board, that has no link and needs nothing
//! else.

use std::fmt::Write as _;

use super::html;
use crate::diagram::Diagram;
use crate::game::{CubeOwner, GameState};
use crate::grid::Grid;
use crate::notation::gnubg_id::full_id;
use crate::notation::xgid_text;
use crate::sanitize::escape_markup as escape;

/// Body of a card.
#[derive(Debug)]
pub enum CardBody {
    /// A table of figures, headings first.
    Table(Grid),
    /// Lines whose columns stand one below the other.
    Lines(String),
}

/// The card of the position of `diagram`, under `head`, with what the user has noted about it.
pub fn write(head: &str, diagram: &Diagram, body: &CardBody, note: Option<&str>) -> String {
    let state = &diagram.state;
    let mut page = format!(
        "<article class=\"card\">{}<h3>{}</h3>\n",
        diagram.svg_element(head),
        escape(head)
    );
    match body {
        CardBody::Table(table) => html::table(&mut page, table),
        CardBody::Lines(lines) => {
            let _ = writeln!(page, "<pre>{}</pre>", escape(lines.trim_matches('\n')));
        }
    }
    if let Some(note) = note {
        let _ = writeln!(page, "<div class=\"own\">{}</div>", escape(note));
    }
    let gnubg = full_id(state).map_or_else(String::new, |id| {
        format!("<br>GNUBG ID <code>{}</code>", escape(&id))
    });
    let _ = writeln!(
        page,
        "<p class=\"note\"><code>{}</code>{gnubg}<br>Luckless {}</p></article>",
        escape(&xgid_text(state)),
        env!("CARGO_PKG_VERSION"),
    );
    html::page(head, &page)
}

/// Score and cube in words where the figures are of who rolls next: while a double waits for its answer, the
/// doubler.
pub fn rollers_situation(state: &GameState) -> String {
    seen_by(&state.roller(), state, "the doubler has")
}

/// The same where they are of who decides: while a double waits, of who answers.
pub(super) fn deciders_situation(state: &GameState) -> String {
    seen_by(state, state, "who answers has")
}

/// Score and cube as `seen`. While a double waits, it says by whom, unless both sides have the same.
fn seen_by(seen: &GameState, state: &GameState, who: &str) -> String {
    let differs = !state.score.is_money() || state.owner != CubeOwner::Centred;
    match state.doubled && differs {
        true => format!("{} (as {who} it)", situation(seen)),
        false => situation(seen),
    }
}

/// Score and cube in words.
pub fn situation(state: &GameState) -> String {
    let score = match state.score.away() {
        None => state.rules.money_words(),
        Some((mine, theirs)) => format!(
            "{}-point match, {mine}-away {theirs}-away{}",
            state.score.length,
            if state.score.crawford {
                ", Crawford"
            } else {
                ""
            }
        ),
    };
    let owner = match state.owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "own",
        CubeOwner::Opponent => "theirs",
    };
    format!("{score}, cube {}, {owner}", state.cube)
}
