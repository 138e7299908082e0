//! The review as one page of HTML that needs nothing else: no picture, no font from elsewhere. A few lines
//! of script copy an identifier; without them the page reads the same.

use std::fmt::Write as _;

use super::moves_html;
use super::style::CSS;
use super::text;
use super::{CubeReport, DecisionPlace, MoveReport, Report, ReportSide, chart, signed};
use crate::diagram::Diagram;
use crate::grid::Grid;
use crate::notation::xgid_text;
use crate::review::Mark;
use crate::sanitize::escape_markup as escape;

/// A page of one's own with the look of a report: `body` under a title, the script that copies identifiers
/// only where there is something to copy. Needs nothing else.
#[must_use]
pub fn page(title: &str, body: &str) -> String {
    let title = escape(title);
    let script = match body.contains("class=\"copy\"") {
        true => format!("<script>{COPY}</script>"),
        false => String::new(),
    };
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <title>{title}</title><style>{CSS}</style></head><body>\n{body}{script}</body></html>\n"
    )
}

/// Copies the identifier beside a button. A page from a disk may not use the clipboard: then the text is
/// selected.
const COPY: &str = "
document.querySelectorAll('button.copy').forEach(function (b) {
  b.addEventListener('click', function () {
    var id = b.parentNode.querySelector('code');
    var select = function () { getSelection().selectAllChildren(id); b.textContent = 'selected'; };
    if (!navigator.clipboard) { return select(); }
    navigator.clipboard.writeText(id.textContent).then(function () { b.textContent = 'copied'; }, select);
  });
});
";

/// Errors shown with a board.
const BOARDS: usize = 12;
/// Smallest loss among them, in points.
const LEAST_LOSS: f64 = 0.02;

/// The page; its worst errors are those of one player if one is named.
#[must_use]
pub fn write(report: &Report, whose: Option<ReportSide>) -> String {
    let [left, right] = &report.players;
    let title = format!("{} – {}", left.name, right.name);
    let mut out = String::with_capacity(200_000);
    let _ = writeln!(
        out,
        "<h1>{}</h1><p class=\"soft\">{}<br>{}{}{}</p>",
        escape(&title),
        escape(&text::subtitle(report)),
        escape(&text::method(report)),
        text::rolled(report).map_or_else(String::new, |r| format!("<br>{}", escape(&r))),
        text::file_name(report).map_or_else(String::new, |f| format!("<br>{}", escape(f))),
    );
    // What a reader wants first: who, the result, how well, how luckily, and the story as a chart.
    table(&mut out, &text::players(report));
    let chart = chart::chart(report);
    if !chart.is_empty() {
        let _ = writeln!(
            out,
            "<h2>Course of the match</h2><div class=\"wide\">{chart}</div>"
        );
    }
    worst(&mut out, report, whose);
    out.push_str(
        "<p class=\"note\">PR is eXtreme Gammon's performance rating: 500 times the mean error of the \
         decisions that count. ?! from 0.02 points, ? from 0.04, ?? from 0.08. The luck-adjusted \
         result is the result less the luck of the dice: right on average, and it may lie outside \
         what a result can be. ★ is the best of the plays that were looked at most deeply, ~ a difference of \
         figures of different depths, which are not ranked.</p>\n<h2>Where equity is lost</h2>",
    );
    table(&mut out, &text::types(report));
    out.push_str("<h2>Games</h2>");
    table(&mut out, &text::games(report));
    for (index, game) in report.games.iter().enumerate() {
        moves_html::game(&mut out, report, index, game);
    }
    if !report.warnings.is_empty() {
        out.push_str("<h2>Warnings</h2><ul>");
        for w in &report.warnings {
            let _ = write!(out, "<li>{}:{}: {}", w.line, w.column, escape(&w.message));
        }
        out.push_str("</ul>");
    }
    page(&title, &out)
}

/// A grid as a table.
pub fn table(out: &mut String, grid: &Grid) {
    out.push_str("<div class=\"wide\"><table>");
    for (i, row) in grid.rows().iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        out.push_str("<tr>");
        for cell in row {
            let _ = write!(out, "<{tag}>{}</{tag}>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

fn worst(out: &mut String, report: &Report, whose: Option<ReportSide>) {
    let places = report.worst(LEAST_LOSS, whose);
    if places.is_empty() {
        return;
    }
    out.push_str("<h2>Worst decisions</h2><div class=\"cards\">\n");
    let shown = places.len().min(BOARDS);
    for (i, place) in places.iter().take(shown).enumerate() {
        card(out, report, place, (i, shown));
    }
    out.push_str("</div>\n");
    if text::rolled(report).is_some() {
        out.push_str(
            "<p class=\"note\">R: rolled out, with half the width of the 95% interval.</p>\n",
        );
    }
}

/// One decision with its board, the `i`-th of `of`.
fn card(out: &mut String, report: &Report, place: &DecisionPlace, (i, of): (usize, usize)) {
    let (_, one) = report.at(place);
    let silent = one.cube.as_ref().filter(|_| place.silent);
    let _ = write!(out, "<article class=\"card\" id=\"error-{}\">", i + 1);
    let id = board(out, report, place);
    heading(out, report, place, silent);
    if let Some(note) = one.kept() {
        let _ = write!(out, "<p class=\"own\">{}</p>", escape(&note));
    }
    match silent.or(one.cube.as_ref().filter(|_| one.dice.is_none())) {
        Some(cube) => moves_html::cube(out, one, cube),
        None => moves_html::candidates(out, one),
    }
    let _ = write!(
        out,
        "<p class=\"note\"><code>{}</code> <button class=\"copy\">copy</button></p><p class=\"soft\">",
        escape(&id)
    );
    if i > 0 {
        let _ = write!(out, "<a href=\"#error-{i}\">← worse</a> ");
    }
    if i + 1 < of {
        let _ = write!(out, "<a href=\"#error-{}\">next error →</a>", i + 2);
    }
    out.push_str("</p></article>\n");
}

/// The board of a decision, and the identifier of what it shows.
fn board(out: &mut String, report: &Report, place: &DecisionPlace) -> String {
    let (game, one) = report.at(place);
    let Some(mut state) = report.state(game, one) else {
        return one.position.clone();
    };
    if place.silent {
        state.roll = None;
    }
    let who = &report.players[one.player.index()].name;
    let label = format!("game {} move {}, {who} on roll", game.number, one.number);
    let diagram = Diagram {
        player: one.player.into(),
        ..Diagram::new(state)
    };
    out.push_str(&diagram.svg_element(&label));
    xgid_text(&state)
}

/// What was done and what is best, what it cost, and what another program said. `silent`: about not doubling
/// before the roll.
fn heading(out: &mut String, report: &Report, place: &DecisionPlace, silent: Option<&CubeReport>) {
    let (game, one) = report.at(place);
    let name = escape(&report.players[one.player.index()].name);
    let (played, best, cost) = match silent {
        Some(cube) => (
            Some(&cube.choice),
            Some(&cube.best),
            Some(cube.error_unnormalised),
        ),
        None => (
            one.played.as_ref(),
            one.best.as_ref(),
            one.error_unnormalised,
        ),
    };
    let dash = || "–".to_owned();
    let played = played.map_or_else(dash, |t| escape(one.spoken(t)));
    let best = best.map_or_else(dash, |t| escape(one.spoken(t)));
    let dice = one.dice.as_deref().filter(|_| !place.silent);
    let dice = dice.map_or_else(String::new, |d| format!(" {}:", escape(d)));
    let _ = write!(
        out,
        "<h3><a href=\"#{}\">Game {} move {}</a> · {name}{dice} {played} \
         <span class=\"bad\">{}</span></h3><p class=\"soft\">best: <b>{best}</b>",
        chart::anchor(place),
        game.number,
        one.number,
        signed(-place.error, 3),
    );
    if let Some(cost) = cost {
        let _ = write!(out, ", costs {}", escape(&report.lost(cost)));
    }
    if let Some(said) = said(one, place.silent) {
        let _ = write!(out, "<br>{}", escape(&said));
    }
    out.push_str("</p>");
}

/// What another program said of it.
pub(super) fn said(one: &MoveReport, silent: bool) -> Option<String> {
    let other = one.other.as_ref()?;
    let error = if silent {
        other.cube_error
    } else {
        other.error
    };
    let mut text = format!("{} said", other.program);
    let best = other.best.as_ref().filter(|_| !silent);
    if let Some(best) = best {
        let _ = write!(text, " {best}");
    }
    if let Some(equity) = other.equity.filter(|_| !silent) {
        let _ = write!(text, " {}", signed(equity, 3));
    }
    if let Some(error) = error {
        let _ = write!(text, ", error {error:.3}");
    }
    if !other.level.is_empty() {
        let _ = write!(text, " ({})", other.level);
    }
    (best.is_some() || error.is_some()).then_some(text)
}

/// The class of a mark.
pub(super) fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Fine => "",
        Mark::Doubtful => "meh",
        Mark::Error | Mark::Blunder => "bad",
    }
}
