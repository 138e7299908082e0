//! Decisions on paper: a page of HTML with numbered boards and room for an answer, and the answers on sheets of their
//! own.

use std::fmt::Write as _;

use super::anki::{answer, head};
use super::question::question_text;
use super::{Question, StudyDecision};
use crate::diagram::Diagram;
use crate::review::report::html;
use crate::sanitize::escape_markup as escape;
use crate::words::counted;

/// The page of these decisions; each question must be that of its decision.
pub fn page(all: &[(StudyDecision, Question)]) -> String {
    let title = counted(all.len(), "position");
    let mut body = format!(
        "<h1>{title}</h1><p class=\"note\">The player at the bottom decides. The answers are on the last \
         pages.</p>\n<section class=\"sheet\"><div class=\"cards\">\n"
    );
    for (number, (decision, _)) in (1..).zip(all) {
        let state = &decision.state;
        let name = format!("{number}. {}", question_text(state));
        let _ = writeln!(
            body,
            "<article class=\"card\"><h3>{name}</h3>{}<p class=\"note\">{}</p><p class=\"room\">answer</p></article>",
            Diagram::new(*state).svg_element(&name),
            escape(&head(state)),
        );
    }
    body.push_str(
        "</div></section>\n<section class=\"answers\"><h2>Answers</h2><div class=\"cards\">\n",
    );
    for (number, (decision, question)) in (1..).zip(all) {
        let ranked = question.ranked();
        let best = question.best().map_or("", |best| question.words(best));
        let _ = writeln!(
            body,
            "<article class=\"card\"><h3>{number}. {}</h3>{}<p class=\"note\"><code>{}</code></p></article>",
            escape(best),
            answer(decision, question, &ranked),
            escape(&decision.key()),
        );
    }
    body.push_str("</div></section>\n");
    html::page(&title, &body)
}
