//! Text in columns, for reports and the command line.

use std::fmt;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::sanitize;

/// `text` cut to `columns`, with `…` where something is missing.
///
/// ```
/// assert_eq!(luckless::grid::cut("Anna-Maria", 6), "Anna-…");
/// assert_eq!(luckless::grid::cut("Anna", 4), "Anna");
/// ```
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = c.width().unwrap_or(0);
        if used + w + 1 > columns {
            break;
        }
        used += w;
        out.push(c);
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// A table whose columns line up in a terminal: the first to the left, the others to the right. What
/// would steer the terminal is left out of its cells.
///
/// ```
/// use luckless::grid::Grid;
/// let mut grid = Grid::new(&["play", "equity"]);
/// grid.row(vec!["8/5 6/5".into(), "+0.155".into()]);
/// assert_eq!(grid.to_string(), "play     equity\n8/5 6/5  +0.155\n");
/// ```
#[derive(Clone, Debug)]
pub struct Grid(Vec<Vec<String>>);

impl Grid {
    /// A table with these headings and no row.
    #[must_use]
    pub fn new(headings: &[&str]) -> Self {
        let mut grid = Self(Vec::new());
        grid.row(headings.iter().map(ToString::to_string).collect());
        grid
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        let clean = |cell: String| sanitize::clean(&cell).into_owned();
        self.0.push(cells.into_iter().map(clean).collect());
    }

    /// Without the last column, if nothing stands below its heading.
    #[must_use]
    pub fn without_empty_last(mut self) -> Self {
        let last = self.0[0].len().saturating_sub(1);
        let is_empty = |row: &Vec<String>| row.get(last).is_none_or(String::is_empty);
        if self.0.iter().skip(1).all(is_empty) {
            self.0.iter_mut().for_each(|row| row.truncate(last));
        }
        self
    }

    /// The headings, then the rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.0
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.0.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |c: usize| {
            let cells = self.0.iter().filter_map(|row| row.get(c));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(widest).collect();
        for row in &self.0 {
            let mut line = String::new();
            for (i, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let gap = " ".repeat(width - cell.width());
                line += &match i {
                    0 => format!("{cell}{gap}"),
                    _ => format!("  {gap}{cell}"),
                };
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_script() {
        let mut grid = Grid::new(&["", "望月", "Ben\u{1b}[2J"]);
        grid.row(vec!["PR".into(), "3.1".into(), "12.25".into()]);
        let expected = "    望月  Ben[2J\nPR   3.1   12.25\n";
        assert_eq!(grid.to_string(), expected);
    }

    #[test]
    fn an_empty_last_column_goes() {
        let mut grid = Grid::new(&["a", "b"]);
        grid.row(vec!["1".into(), String::new()]);
        assert_eq!(grid.clone().without_empty_last().to_string(), "a\n1\n");
        grid.row(vec!["2".into(), "3".into()]);
        assert_eq!(grid.without_empty_last().rows()[2], ["2", "3"]);
    }
}
