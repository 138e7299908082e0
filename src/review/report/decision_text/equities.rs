//! Match equities: a table, and what a score means for the cube.

use std::fmt::Write as _;

use crate::analysis::{ScoreFacts, TakePoint};
use crate::cube::EquityTable;
use crate::grid::Grid;

/// A table to so many points, and after the Crawford game where there is one.
pub fn table_text(table: &EquityTable, length: usize) -> String {
    let length = length as i32;
    let columns: Vec<String> = (1..=length).map(|n| n.to_string()).collect();
    let mut headings = vec!["needs"];
    headings.extend(columns.iter().map(String::as_str));
    let mut grid = Grid::new(&headings);
    for mine in 1..=length {
        let row = (1..=length).map(|theirs| short(table.chance(mine, theirs, false)));
        grid.row([mine.to_string()].into_iter().chain(row).collect());
    }
    let (name, given) = (table.name(), table.given());
    let mut text = format!("{name}, given to {given} points: chances in percent\n\n{grid}");
    if table.has_crawford() {
        let mut post = Grid::new(&headings);
        let row = (1..=length).map(|mine| short(table.chance(mine, 1, true)));
        post.row(["trailer".to_owned()].into_iter().chain(row).collect());
        let _ = write!(text, "\nafter the Crawford game\n{post}");
    }
    text
}

/// Describes the meaning of a score for the cube.
pub fn score_text(facts: &ScoreFacts) -> String {
    let [mine, theirs] = facts.away;
    let mut text = format!(
        "{mine}-away {theirs}-away{}, {}: {:.2}% to win the match\n\n",
        if facts.crawford { ", Crawford" } else { "" },
        facts.table,
        100.0 * facts.mwc
    );
    let mut table = Grid::new(&[
        "cube",
        "win",
        "gammon",
        "bg",
        "lose",
        "gammon",
        "bg",
        "gammon value",
        "theirs",
    ]);
    let mut points = Grid::new(&["double to", "take, dead", "live", "theirs, dead", "live"]);
    for c in &facts.cubes {
        let mut row = vec![c.cube.to_string()];
        row.extend(c.won.iter().chain(&c.lost).map(|p| short(*p)));
        row.extend(c.gammon_value.map(|v| format!("{v:.3}")));
        table.row(row);
        if !c.is_in_use() {
            continue;
        }
        let mut row = vec![(2 * c.cube).to_string()];
        for point in [c.take_point, c.their_take_point] {
            row.extend(match point {
                Some(TakePoint { dead, live }) => [short(dead), short(live)],
                None => ["–".to_owned(), "–".to_owned()],
            });
        }
        points.row(row);
    }
    let _ = writeln!(text, "{table}");
    match facts.is_cube_in_use() {
        true => {
            let _ = write!(text, "take points of games without gammons\n{points}");
        }
        false => text.push_str("nobody has any use of the cube\n"),
    }
    text
}

fn short(chance: f32) -> String {
    format!("{:.1}", 100.0 * f64::from(chance))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_in_words() {
        let text = |away| score_text(&ScoreFacts::new(EquityTable::standard(), away, false, None));
        assert!(text([2, 2]).starts_with("2-away 2-away, Kazaross XG2: 50.00% to win the match\n"));
        assert!(text([2, 2]).contains("\ntake points of games without gammons\ndouble to"));
        assert!(text([2, 2]).ends_with("2                32.3  32.3          32.3  32.3\n"));
        assert!(text([1, 1]).ends_with("nobody has any use of the cube\n"));
    }
}
