//! Writes the verdicts as one self-contained HTML page.

use std::fmt::Write as _;

use super::document::{OpinionDocument, VerifyDocument};
use crate::diagram::Diagram;
use crate::grid::Grid;
use crate::notation::parse_id;
use crate::review::report::html;
use crate::review::verification::Verdict;
use crate::sanitize::escape_markup as escape;

/// Maximum number of boards per match.
const BOARDS: usize = 24;

/// Formats the page of these matches.
pub(super) fn write(documents: &[VerifyDocument]) -> String {
    let mut body = String::with_capacity(100_000);
    for document in documents {
        one(&mut body, document);
    }
    let title = match documents {
        [one] => format!("Is {} right? {}", one.program, named(one)),
        _ => format!("{} analysed matches, verified", documents.len()),
    };
    html::page(&title, &body)
}

fn named(document: &VerifyDocument) -> String {
    let names: Vec<&str> = document.players.iter().map(|p| p.name.as_str()).collect();
    names.join(" – ")
}

fn one(out: &mut String, document: &VerifyDocument) {
    let count = |verdict| document.of(verdict).count();
    let rolled = (document.opinions.iter()).filter(|one| one.rollout.is_some());
    let _ = write!(
        out,
        "<h1>{}</h1><p class=\"soft\">{}, analysed by {}<br>{} opinions: {} agreed by lookahead, \
         {} rolled out</p>\n<p><b>{} overturned</b>, {} confirmed, {} too close to matter, {} open</p>\n",
        escape(&named(document)),
        escape(document.file_name()),
        escape(&document.program),
        document.opinions.len(),
        count(Verdict::Agreed),
        rolled.count(),
        count(Verdict::Overturned),
        count(Verdict::Confirmed),
        count(Verdict::TooClose),
        count(Verdict::Open),
    );
    let mut players = Grid::new(&[
        "player",
        "errors by the file",
        "refuted",
        "still open",
        "opinions overturned",
        "opinions open",
    ]);
    for player in &document.players {
        let counts = player.counts;
        players.row(vec![
            player.name.clone(),
            counts.errors.to_string(),
            counts.none.to_string(),
            counts.open.to_string(),
            format!("{} of {}", counts.overturned, counts.opinions),
            counts.opinions_open.to_string(),
        ]);
    }
    html::table(out, &players);
    cards(out, document);
    out.push_str("<h2>All that is not agreed</h2>\n");
    html::table(out, &verdicts_first(&document.table()));
    out.push_str(
        "<p class=\"note\">Figures are the first choice less the second, in points on the present cube. \
         Rolled out: with half the width of an interval that holds at all times, 95 %. Overturned: the \
         interval lies below 0. Too close: within 0.005 points. What costs most if the file is wrong \
         comes first.</p>\n",
    );
}

/// Moves the verdict column to the front, so that a narrow page shows it without scrolling.
fn verdicts_first(table: &Grid) -> Grid {
    let turned = |row: &[String]| -> Vec<String> {
        let (others, last) = row.split_at(row.len().saturating_sub(1));
        last.iter().chain(others).cloned().collect()
    };
    let mut rows = table.rows().iter().map(|row| turned(row));
    let headings = rows.next().unwrap_or_default();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut all = Grid::new(&headings).with_words(&VerifyDocument::WORDS);
    rows.for_each(|row| all.row(row));
    all
}

/// Adds boards of overturned verdicts, and of errors still open.
fn cards(out: &mut String, document: &VerifyDocument) {
    let open = document.of(Verdict::Open).filter(|one| one.error);
    let shown: Vec<&OpinionDocument> = (document.of(Verdict::Overturned).chain(open))
        .take(BOARDS)
        .collect();
    if shown.is_empty() {
        return;
    }
    out.push_str("<h2>Overturned, and errors still open</h2><div class=\"cards\">\n");
    for one in shown {
        card(out, one);
    }
    out.push_str("</div>\n");
}

fn card(out: &mut String, one: &OpinionDocument) {
    let place = format!("Game {} move {}", one.game, one.number);
    out.push_str("<article class=\"card\">");
    if let Ok(state) = parse_id(&one.position) {
        let label = format!("{place}, {} on roll", one.player);
        out.push_str(&Diagram::new(state).svg_element(&label));
    }
    let [decision, _, _, _, file, lookahead, rolled, trials, verdict] = &one.cells()[..] else {
        return;
    };
    let class = match one.verdict {
        Verdict::Overturned => "bad",
        _ => "meh",
    };
    let rollout = match one.rollout {
        Some(_) => format!("{} after {} trials", escape(rolled), escape(trials)),
        None => "not rolled out".to_owned(),
    };
    let error = if one.error { ", called an error" } else { "" };
    let _ = writeln!(
        out,
        "<h3>{place} · {} <span class=\"{class}\">{}</span></h3><p>{}</p>\
         <p class=\"soft\">by the file ({}{error}): {}<br>by {}-ply lookahead: {}<br>rolled out: {rollout}</p>\
         <p class=\"note\"><code>{}</code> <button class=\"copy\">copy</button></p></article>",
        escape(&one.player),
        escape(verdict),
        escape(decision),
        escape(&one.level),
        escape(file),
        one.ply,
        escape(lookahead),
        escape(&one.position),
    );
}
