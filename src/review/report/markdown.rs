//! The review as Markdown.

use std::fmt::Write as _;

use super::text;
use super::{Report, ReportSide};
use crate::grid::Grid;
use crate::sanitize;

/// Errors in the list.
const WORST: usize = 30;

/// The whole review, with the errors of one player if one is named.
#[must_use]
pub fn write(report: &Report, whose: Option<ReportSide>) -> String {
    let [left, right] = &report.players;
    let mut out = String::new();
    let _ = writeln!(out, "# {} – {}\n", escape(&left.name), escape(&right.name));
    let _ = writeln!(out, "{}  ", escape(&text::subtitle(report)));
    let _ = writeln!(out, "{}  ", escape(&text::method(report)));
    if let Some(rolled) = text::rolled(report) {
        let _ = writeln!(out, "{}", escape(&rolled));
    }
    out.push('\n');
    table(&mut out, &text::players(report));
    let _ = writeln!(out, "\n## Where equity is lost\n");
    table(&mut out, &text::types(report));
    let _ = writeln!(out, "\n## Games\n");
    table(&mut out, &text::games_of_page(report));
    let list = text::worst(report, whose, WORST);
    if list.rows().len() > 1 {
        let _ = writeln!(out, "\n## Worst decisions\n");
        table(&mut out, &list);
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
            let _ = writeln!(out, "- {}:{}: {}", w.line, w.column, escape(&w.message));
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
                .map(|c| if c == 0 { "---" } else { "---:" })
                .collect();
            let _ = writeln!(out, "| {} |", rule.join(" | "));
        }
    }
}

/// Takes their meaning from characters that have one.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in sanitize::clean(text).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}
