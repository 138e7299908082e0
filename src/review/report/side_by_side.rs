//! Both players side by side in so few columns that a small window shows them.

use std::fmt::Write as _;

use super::text::{self, rolled};
use super::{Report, dice};
use crate::grid::{Grid, cut, width};

/// Columns of a name with its sign: at least, and at most.
const NAME: [usize; 2] = [14, 30];
/// Columns of a label.
const LABEL: usize = 20;

/// Writes the figures of both players in a match.
/// First comes the number of decisions rolled out, if any, with `remark` below.
/// Then follow all decisions, kinds of position, and games.
/// `signs` precede the players' names and stand for them in the tables of games.
/// Names are cut to the room that `columns` leave them.
pub fn figures(report: &Report, signs: [&str; 2], columns: usize, remark: &str) -> String {
    let rolled =
        rolled(report).map_or_else(String::new, |rolled| format!("{rolled}\n{remark}\n\n"));
    format!("{rolled}{}", tables(report, signs, columns))
}

fn tables(report: &Report, signs: [&str; 2], columns: usize) -> String {
    // Each beside the label and its gaps, and half of what is left.
    let room = (columns.saturating_sub(LABEL + 6) / 2).clamp(NAME[0], NAME[1]);
    let named = |i: usize| cut(&format!("{} {}", signs[i], report.players[i].name), room);
    let names = [named(0), named(1)];
    let names = names.each_ref().map(String::as_str);
    let (players, kinds) = (players(report, names), kinds(report, names));
    let luck = dice::greatest(report, signs);
    let luck = luck.map_or_else(String::new, |grid| {
        format!("\n{}\n{grid}", dice::GREATEST_HEADING)
    });
    format!("{players}\n{kinds}\n{}{luck}", games(report, signs))
}

/// The figures of both players, with labels that leave room for them.
fn players(report: &Report, names: [&str; 2]) -> Grid {
    let all = text::players(report, names);
    let mut grid = Grid::new(&["", names[0], names[1]]);
    for row in &all.rows()[1..] {
        let mut row = row.clone();
        if let Some(label) = row.first_mut() {
            *label = short_label(label);
        }
        grid.row(row);
    }
    grid
}

/// A label of the report in few columns.
fn short_label(label: &str) -> String {
    let known = match label {
        "gnubg error rate (mEMG)" => "gnubg rate, mEMG",
        "decisions that PR counts" => "  counted by PR",
        "checker plays: error ?! ? ??" => "checker  ?! ? ??",
        "doubling: error ?! ? ??" => "doubling  ?! ? ??",
        "taking: error ?! ? ??" => "taking  ?! ? ??",
        other => other,
    };
    // The figures of another program.
    let known = known.replace("eXtreme Gammon", "XG");
    let known = known.replace("GNU Backgammon", "gnubg");
    match known.split_once(": ") {
        Some((program, what)) => {
            let room = LABEL.saturating_sub(width(what) + 2);
            format!("{}: {what}", cut(program, room))
        }
        None => known,
    }
}

/// The table by kind of position: each player's decisions, points given away and rating, below the name.
fn kinds(report: &Report, names: [&str; 2]) -> String {
    /// Columns between the columns.
    const GAPS: [usize; 7] = [0, 2, 1, 1, 2, 1, 1];
    let head = ["", "", "error", "PR", "decisions", "error", "PR"];
    let grid = text::types(report, names);
    // There both players stand below each figure, here the figures below each player.
    let rows: Vec<[&str; 7]> = grid.rows()[1..]
        .iter()
        .map(|row| [0, 1, 3, 5, 2, 4, 6].map(|c| row.get(c).map_or("", String::as_str)))
        .collect();
    let widths: Vec<usize> = (0..head.len())
        .map(|c| {
            let cells = rows.iter().map(|row| width(row[c]));
            cells.fold(width(head[c]), usize::max)
        })
        .collect();
    let label = "kind of position";
    let first = widths[0].max(width(label));
    let group = |places: std::ops::RangeInclusive<usize>| {
        places.map(|c| GAPS[c] + widths[c]).sum::<usize>()
    };
    // A name that is wider than its figures moves them to the right.
    let moved = [(names[0], 1..=3), (names[1], 4..=6)]
        .map(|(name, places)| (width(name) + 2).saturating_sub(group(places)));
    let end = |c: usize| {
        let moved = moved[0] + if c > 3 { moved[1] } else { 0 };
        first + moved + group(1..=c)
    };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{}",
        line([(label, 0), (names[0], end(3)), (names[1], end(6))])
    );
    // The first heading reaches back over the kinds, which have none in this line.
    let heads = ["decisions", "error", "PR", "decisions", "error", "PR"];
    let _ = writeln!(out, "{}", line((1..7).map(|c| (heads[c - 1], end(c)))));
    for row in rows {
        let cells = row.into_iter().enumerate();
        let ends = cells.map(|(c, cell)| (cell, if c == 0 { 0 } else { end(c) }));
        let _ = writeln!(out, "{}", line(ends));
    }
    out
}

/// The table game by game, the players below each figure's name. A star marks the Crawford game.
fn games(report: &Report, signs: [&str; 2]) -> String {
    const GAPS: [usize; 9] = [0, 1, 1, 2, 1, 2, 1, 2, 1];
    let [a, b] = signs;
    let grid = text::games(report, signs);
    let mut rows: Vec<Vec<String>> = [
        ["game", "score", "won", "PR", "", "error", "", "luck", ""],
        ["", "", "", a, b, a, b, a, b],
    ]
    .map(|row| row.map(str::to_owned).to_vec())
    .into();
    rows.extend(grid.rows()[1..].iter().cloned());
    for row in &mut rows {
        if let Some(score) = row.get_mut(1) {
            *score = score.replace(" Crawford", "*");
        }
    }
    let widest = |c: usize| {
        let cells = rows.iter().filter_map(|row| row.get(c));
        cells.map(|cell| width(cell)).max().unwrap_or(0)
    };
    let ends: Vec<usize> = (0..GAPS.len())
        .scan(0, |end, c| {
            *end += GAPS[c] + widest(c);
            Some(*end)
        })
        .collect();
    let mut out = String::new();
    for row in &rows {
        let cells = row.iter().map(String::as_str).enumerate();
        let cells = cells.map(|(c, cell)| (cell, if c == 0 { 0 } else { ends[c] }));
        let _ = writeln!(out, "{}", line(cells));
    }
    if report.games.iter().any(|game| game.crawford) {
        let _ = writeln!(out, "* Crawford game");
    }
    out
}

/// A line of words that end each at its column; those at 0 begin the line.
fn line<'a>(words: impl IntoIterator<Item = (&'a str, usize)>) -> String {
    let mut out = String::new();
    for (word, end) in words {
        let gap = end.saturating_sub(width(&out) + width(word));
        out += &" ".repeat(gap);
        out += word;
    }
    out.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cut label shows that it is cut, and a wide script counts twice.
    #[test]
    fn labels_and_names_keep_to_their_columns() {
        assert_eq!(cut("● Ben", 14), "● Ben");
        assert_eq!(cut("● Maximilian Mustermann", 14), "● Maximilian …");
        assert!(width(&cut("● 望月望月望月望月望月", 14)) <= 14);
        for label in [
            "gnubg error rate (mEMG)",
            "decisions that PR counts",
            "checker plays: error ?! ? ??",
            "doubling: error ?! ? ??",
            "taking: error ?! ? ??",
            "result by errors",
            "eXtreme Gammon: luck, points",
            "GNU Backgammon: luck, points",
            "A program with a long name: error total",
        ] {
            assert!(width(&short_label(label)) <= LABEL, "{label}");
        }
    }
}
