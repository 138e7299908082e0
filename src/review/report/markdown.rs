//! The review as Markdown.

use std::fmt::Write as _;

use super::{Report, dice, text};
use crate::game::Player;
use crate::grid::Grid;
use crate::sanitize;

/// Most errors in the list.
const WORST: usize = 30;

/// The whole review, with the errors of one player if one is named.
pub fn write(report: &Report, whose: Option<Player>) -> String {
    let [left, right] = &report.players;
    let mut out = String::new();
    let _ = writeln!(out, "# {} – {}\n", escape(&left.name), escape(&right.name));
    let _ = writeln!(out, "{}  ", escape(&text::subtitle(report)));
    let _ = writeln!(out, "{}  ", escape(&text::method(report)));
    if let Some(rolled) = text::rolled(report) {
        let _ = writeln!(out, "{}", escape(&rolled));
    }
    out.push('\n');
    table(&mut out, &text::players(report, report.names()));
    let _ = writeln!(out, "\n## Where equity is lost\n");
    table(&mut out, &text::types(report, report.names()));
    let _ = writeln!(out, "\n## Games\n");
    table(&mut out, &text::games(report, report.names()));
    let list = text::worst(report, whose, WORST);
    if list.rows().len() > 1 {
        let shown = text::of_how_many(report, whose, WORST);
        let _ = writeln!(out, "\n## Worst decisions{shown}\n");
        table(&mut out, &list);
        let _ = writeln!(out, "\nTheir positions:\n");
        for (place, id) in text::identifiers(report, whose, WORST) {
            let _ = writeln!(out, "- {place}: {}", code(&id));
        }
    }
    if let Some(grid) = dice::greatest(report, report.names()) {
        let _ = writeln!(out, "\n## Rolls with the most luck, good or bad\n");
        table(&mut out, &grid);
    }
    if let Some(grid) = text::resignations(report) {
        let _ = writeln!(out, "\n## Resignations, not in the totals\n");
        table(&mut out, &grid);
    }
    let notes = text::notes(report);
    if !notes.is_empty() {
        let _ = writeln!(out, "\n## Notes\n");
    }
    for (place, text) in notes {
        let _ = writeln!(out, "- **{}** {}", escape(&place), escape(&text));
    }
    if !report.warnings.is_empty() {
        let _ = writeln!(out, "\n## Warnings\n");
        for w in &report.warnings {
            let _ = writeln!(out, "- {}", escape(&w.with_place()));
        }
    }
    out
}

fn table(out: &mut String, grid: &Grid) {
    for (i, row) in grid.rows().iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell)).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
        if i == 0 {
            let rule: Vec<&str> = (0..row.len())
                .map(|c| if grid.is_of_words(c) { "---" } else { "---:" })
                .collect();
            let _ = writeln!(out, "| {} |", rule.join(" | "));
        }
    }
}

/// Text that is shown as it stands: a forum makes other characters of the hyphens and colons of an identifier.
fn code(text: &str) -> String {
    format!("`{}`", sanitize::clean(text).replace('`', ""))
}

/// Text in which no character has a meaning for Markdown.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in sanitize::clean(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file::read_bytes;
    use crate::review::report::{html, testing};

    /// A reader of a forum sets up the position that the page shows, without dice before a missed double.
    #[test]
    fn worst_decisions_have_the_identifiers_of_the_page() {
        let text = include_bytes!("../../../tests/fixtures/mat/three_points.mat");
        let mut report = testing::reviewed(&read_bytes(text, "x.mat").unwrap(), 0);
        let moves = &mut report.games[0].moves;
        let mut cube = moves[3].cube.clone().expect("a double");
        cube.error = 9.0;
        moves[2].cube = Some(cube);
        let place = format!("1.{}", moves[2].number);
        let page = html::write(&report, None);
        let ids = page.split("<code>").skip(1);
        let ids: Vec<&str> = ids
            .filter_map(|rest| rest.split("</code>").next())
            .collect();
        let (markdown, plain) = (write(&report, None), text::write(&report, None));
        let before_the_roll = ids[0];
        assert!(before_the_roll.starts_with("XGID=") && before_the_roll.contains(":00:"));
        let first = format!("positions:\n\n- {place}: `{before_the_roll}`\n");
        assert_has!(markdown, &first);
        let first = format!("positions\n{place}   {before_the_roll}\n");
        assert_has!(plain, &first);
        for id in ids {
            assert_has!(markdown, &format!(": `{id}`\n"));
            assert_has!(plain, &format!(" {id}\n"));
        }
    }
}
