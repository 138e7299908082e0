//! Figures of both players as bars of HTML.

use std::fmt::Write as _;

use super::said_html::isolated;
use super::text::maybe;
use super::{PlayerReport, Report};
use crate::review::Class;
use crate::review::figures::ClassFigures;
use crate::sanitize::escape_markup as escape;

/// A label, and the value and the text of each player.
struct BarRow {
    label: String,
    values: [Option<f64>; 2],
    texts: [String; 2],
}

/// Writes the figures that a reader compares first. Ratings share one scale, numbers of errors another.
pub(super) fn write(out: &mut String, report: &Report) {
    let [left, right] = report.names().map(isolated);
    let _ = writeln!(
        out,
        "<h2>Both players</h2><table class=\"bars\"><tr><th></th><th colspan=\"2\" class=\"text\">{left}</th>\
         <th colspan=\"2\" class=\"text\">{right}</th></tr>"
    );
    let both = |label: &str, digits, of: &dyn Fn(&PlayerReport) -> Option<f64>| {
        let values = report.players.each_ref().map(of);
        BarRow {
            label: label.to_owned(),
            values,
            texts: values.map(|value| maybe(value, digits)),
        }
    };
    let mut ratings = vec![both("PR", 2, &|p| p.figures.pr)];
    ratings.extend(Class::ALL.map(|class| {
        both(class.name(), 2, &|p| {
            p.figures.pr_counted_of(class).pr(report.length)
        })
    }));
    rows(out, &ratings, greatest(&ratings));
    let errors = |label: &str, of: fn(&ClassFigures) -> u32| {
        both(label, 0, &|p| {
            let kinds = [&p.figures.checker, &p.figures.double, &p.figures.take];
            Some(kinds.map(of).into_iter().sum::<u32>().into())
        })
    };
    let errors = [
        errors("blunders ??", |kind| kind.blunders),
        errors("errors ?", |kind| kind.errors),
        errors("doubtful ?!", |kind| kind.doubtful),
    ];
    rows(out, &errors, greatest(&errors));
    // The result of a money session has no greatest value, so it has no bar.
    let result = BarRow {
        label: "luck-adjusted result".to_owned(),
        values: (report.players.each_ref())
            .map(|p| (!report.is_money()).then_some(p.luck_adjusted_result)),
        texts: (report.players.each_ref()).map(|p| report.value_text(p.luck_adjusted_result)),
    };
    rows(out, &[result], 1.0);
    out.push_str("</table>\n");
}

fn greatest(rows: &[BarRow]) -> f64 {
    let values = rows.iter().flat_map(|row| row.values);
    values.flatten().fold(0.0, f64::max)
}

/// Writes rows; a bar of the value `full` fills its column.
fn rows(out: &mut String, rows: &[BarRow], full: f64) {
    for row in rows {
        let _ = write!(out, "<tr><td>{}</td>", escape(&row.label));
        for ((value, text), side) in row.values.iter().zip(&row.texts).zip(["left", "right"]) {
            let value = value.filter(|_| full > 0.0);
            let share = value.map_or(0.0, |value| (100.0 * value / full).clamp(0.0, 100.0));
            let _ = write!(
                out,
                "<td>{}</td><td class=\"track\"><span class=\"bar {side}\" style=\"width:{share:.0}%\"></span></td>",
                escape(text)
            );
        }
        out.push_str("</tr>\n");
    }
}
