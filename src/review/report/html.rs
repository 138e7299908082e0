//! The review as one page of HTML that needs nothing else: no picture, no font from elsewhere. A few lines
//! of script copy an identifier; without them the page reads the same.

use std::fmt::Write as _;

use super::moves_html;
use super::said_html::{isolated, said};
use super::style::CSS;
use super::text;
use super::{DecisionPlace, Report, bars, chart, dice};
use crate::diagram::Diagram;
use crate::game::Player;
use crate::grid::Grid;
use crate::notation::parse_play;
use crate::review::figures::pr_factor;
use crate::sanitize::escape_markup as escape;

/// A page of one's own with the look of a report: `body` under a title, the script that copies identifiers
/// only where there is something to copy. Needs nothing else.
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

/// Most errors shown with a board.
const BOARDS: usize = 12;

/// Errors in view when the page opens; the others are folded below them.
const OPEN: usize = 4;

/// The review as a page; its worst errors are those of one player if one is named.
pub fn write(report: &Report, whose: Option<Player>) -> String {
    let [left, right] = &report.players;
    let title = format!("{} – {}", left.name, right.name);
    let mut out = String::with_capacity(200_000);
    let _ = writeln!(
        out,
        "<h1>{}</h1><p class=\"soft\">{}<br>{}{}{}</p>",
        [left, right]
            .map(|player| isolated(&player.name))
            .join(" – "),
        escape(&text::subtitle(report)),
        escape(&text::method(report)),
        text::rolled(report).map_or_else(String::new, |r| format!("<br>{}", escape(&r))),
        text::file_name(report).map_or_else(String::new, |f| format!("<br>{}", escape(&f))),
    );
    worst(&mut out, report, whose);
    bars::write(&mut out, report);
    let chart = chart::chart(report);
    if !chart.is_empty() {
        let _ = writeln!(
            out,
            "<h2>Course of the match</h2><div class=\"wide\">{chart}</div>"
        );
    }
    explanation(&mut out, report);
    out.push_str("<details><summary><h2>All figures</h2></summary>");
    table(&mut out, &text::players(report, report.names()));
    out.push_str("</details>\n<h2>Where equity is lost</h2>");
    table(&mut out, &text::types(report, report.names()));
    out.push_str("<h2>Games</h2>");
    table(&mut out, &text::games(report, report.names()));
    if let Some(grid) = dice::greatest(report, report.names()) {
        out.push_str("<h2>Rolls with the most luck, good or bad</h2>");
        table(&mut out, &grid);
    }
    if let Some(grid) = text::resignations(report) {
        out.push_str("<h2>Resignations, not in the totals</h2>");
        table(&mut out, &grid);
    }
    out.push_str("<h2>All moves</h2>");
    for (index, game) in report.games.iter().enumerate() {
        moves_html::game(&mut out, report, index, game);
    }
    if !report.warnings.is_empty() {
        out.push_str("<h2>Warnings</h2><ul>");
        for w in &report.warnings {
            let _ = write!(out, "<li>{}", escape(&w.with_place()));
        }
        out.push_str("</ul>");
    }
    page(&title, &out)
}

/// Writes what the figures and signs of the page mean.
fn explanation(out: &mut String, report: &Report) {
    let lines = report.thresholds;
    let _ = writeln!(
        out,
        "<p class=\"note\">PR is eXtreme Gammon's performance rating: {} times the mean error of the \
         decisions that count. ?! from {} points, ? from {}, ?? from {}. The luck-adjusted \
         result is the result less the luck of the dice: right on average, and it may lie outside \
         what a result can be. ★ is the best of the plays that were looked at most deeply, ~ a difference of \
         figures of different depths, which are not ranked.</p>",
        pr_factor(report.length),
        lines.doubtful,
        lines.error,
        lines.blunder,
    );
}

/// Writes a grid as a table.
pub fn table(out: &mut String, grid: &Grid) {
    out.push_str("<div class=\"wide\"><table>");
    for (i, row) in grid.rows().iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        out.push_str("<tr>");
        for (column, cell) in row.iter().enumerate() {
            let class = match column > 0 && grid.is_of_words(column) {
                true => " class=\"words\"",
                false => "",
            };
            let _ = write!(out, "<{tag}{class}>{}</{tag}>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</table></div>\n");
}

fn worst(out: &mut String, report: &Report, whose: Option<Player>) {
    let places = report.worst(report.least_listed(), whose);
    if places.is_empty() {
        return;
    }
    let of = super::text::of_how_many(report, whose, BOARDS);
    let _ = writeln!(out, "<h2>Worst decisions{of}</h2><div class=\"cards\">");
    let shown = places.len().min(BOARDS);
    for (i, place) in places.iter().take(shown).enumerate() {
        if i == OPEN {
            let more = shown - OPEN;
            let _ = write!(
                out,
                "</div><details><summary>{more} more</summary><div class=\"cards\">"
            );
        }
        card(out, report, place, i, shown);
    }
    let folded = if shown > OPEN { "</details>" } else { "" };
    let _ = writeln!(
        out,
        "</div>{folded}<p class=\"note\">Arrows show the best play.</p>"
    );
    if text::rolled(report).is_some() {
        out.push_str(
            "<p class=\"note\">R: rolled out, with half the width of the 95% interval.</p>\n",
        );
    }
}

/// Writes one decision with its board, the `i`-th of `of`.
fn card(out: &mut String, report: &Report, place: &DecisionPlace, i: usize, of: usize) {
    let (_, one) = report.at(place);
    let _ = write!(out, "<article class=\"card\" id=\"error-{}\">", i + 1);
    board(out, report, place);
    heading(out, report, place);
    let kept = one.kept();
    if !kept.is_empty() {
        let _ = write!(out, "<p class=\"own\">{}</p>", escape(&kept.join("\n")));
    }
    match one.cube_at(place.silent) {
        Some(cube) => moves_html::cube(out, one, cube),
        None => moves_html::candidates(out, one),
    }
    let _ = write!(
        out,
        "<p class=\"note\"><code>{}</code> <button class=\"copy\">copy</button></p><p class=\"soft links\">",
        escape(&report.identifier(place))
    );
    if i > 0 {
        let _ = write!(out, "<a href=\"#error-{i}\">← worse</a> ");
    }
    if i + 1 < of {
        let _ = write!(out, "<a href=\"#error-{}\">next error →</a>", i + 2);
    }
    out.push_str("</p></article>\n");
}

/// Writes the board of a decision, with the best play as arrows.
fn board(out: &mut String, report: &Report, place: &DecisionPlace) {
    let (game, one) = report.at(place);
    let state = report.state_at(place);
    let [_, best] = one.played_and_best(place.silent);
    let play = state
        .roll
        .and_then(|roll| parse_play(best, &state.position, roll).ok());
    let who = &report.players[one.player.index()].name;
    let label = format!("game {} move {}, {who} on roll", game.number, one.number);
    let diagram = Diagram {
        player: one.player,
        play,
        ..Diagram::new(state)
    };
    out.push_str(&diagram.svg_element(&label));
}

/// Writes what was done and what is best, what it cost, and what another program said.
fn heading(out: &mut String, report: &Report, place: &DecisionPlace) {
    let (game, one) = report.at(place);
    let name = isolated(&report.players[one.player.index()].name);
    let [played, best] = one.played_and_best(place.silent).map(escape);
    let cost = match place.silent {
        true => one.cube.as_ref().map(|cube| cube.error_unnormalised),
        false => one.error_unnormalised,
    };
    let roll = report.state_at(place).roll;
    let dice = roll.map_or_else(String::new, |roll| format!(" {roll}:"));
    let _ = write!(
        out,
        "<h3><a href=\"#{}\">Game {} move {}</a> · {name}{dice} {played} \
         <span class=\"bad\">error {:.3}</span></h3><p class=\"soft\">best: <b>{best}</b>",
        chart::anchor(place),
        game.number,
        one.number,
        place.error,
    );
    if let Some(cost) = cost {
        let unit = if report.length > 0 { " MWC" } else { " points" };
        let _ = write!(out, "; the error cost {}{unit}", escape(&report.lost(cost)));
    }
    if let Some(said) = said(one, place.silent) {
        let _ = write!(out, "<br>{}", escape(&said));
    }
    out.push_str("</p>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::notation::parse_id;
    use crate::review::Thresholds;
    use crate::review::report::wire::position_text;
    use crate::review::report::{OtherOpinion, markdown, testing};

    /// Of a missed double stand the figures of the cube, called as players call them, and not the level of the play.
    #[test]
    fn another_program_is_quoted_on_the_cube_or_on_the_play() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let report = testing::reviewed(&read_bytes(text, "x.mat").unwrap(), 0);
        let mut one = report.games[0].moves[0].clone();
        one.state = parse_id("XGID=-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:7:10").unwrap();
        let opinion = OtherOpinion {
            program: "XG".to_owned(),
            level: "4-ply".to_owned(),
            best: Some("8/5 6/5".to_owned()),
            equity: Some(0.155),
            error: Some(0.0),
            cube_error: Some(0.089),
            cube_figures: Some("no double +0.439, double/take -0.286".to_owned()),
            cube_level: Some("XG Roller+".to_owned()),
            luck: None,
        };
        one.other = Some(opinion.clone());
        let cube = "XG said no redouble +0.439, redouble/take -0.286, error 0.089 (XG Roller+)";
        assert_eq!(said(&one, true).as_deref(), Some(cube));
        let play = "XG said 8/5 6/5 +0.155, error 0.000 (4-ply)";
        assert_eq!(said(&one, false).as_deref(), Some(play));
        // A review that was kept before knows neither.
        one.other = Some(OtherOpinion {
            cube_figures: None,
            cube_level: None,
            ..opinion
        });
        assert_eq!(said(&one, true).as_deref(), Some("XG said, error 0.089"));
    }

    #[test]
    fn a_page_has_whole_names_and_identifiers_of_one_kind() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut record = read_bytes(text, "x.mat").unwrap();
        record.players[0] = "Maximilian Mustermann".to_owned();
        let report = testing::reviewed(&record, 0);
        let page = write(&report, None);
        assert_has!(page, "<h1><bdi>Maximilian Mustermann</bdi> – <bdi>");
        assert_has!(page, "<th>PR Maximilian Mustermann</th>");
        assert_has!(page, "<div class=\"note\">XGID=");
        let gnubg = position_text(&report.games[0].moves[0].state);
        assert!(!page.contains(&gnubg), "{gnubg}");
        let page = markdown::write(&report, None);
        assert_has!(page, "| PR Maximilian Mustermann |");
    }

    /// The page describes marks and PR by the thresholds and the factor of its report.
    #[test]
    fn lines_and_factor_are_those_of_the_report() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut record = read_bytes(text, "x.mat").unwrap();
        let mut told = |length, thresholds| {
            record.length = length;
            let mut report = testing::reviewed(&record, 0);
            report.thresholds = thresholds;
            write(&report, None)
        };
        let usual = told(3, Thresholds::default());
        assert_has!(usual, "rating: 500 times the mean error");
        assert_has!(usual, "?! from 0.02 points, ? from 0.04, ?? from 0.08.");
        let lines = Thresholds {
            doubtful: 0.03,
            error: 0.05,
            blunder: 0.1,
        };
        let other = told(1, lines);
        assert_has!(other, "rating: 750 times the mean error");
        assert_has!(other, "?! from 0.03 points, ? from 0.05, ?? from 0.1.");
    }
}
