//! Text in columns, for reports and the command line.

use std::fmt;

use unicode_width::UnicodeWidthChar as _;

use crate::sanitize;

/// Columns that `text` takes in a terminal: those of its characters one by one, as most terminals put them into cells,
/// also where a script joins letters. A tone of skin colours the character before it and takes none.
///
/// ```
/// use luckless::grid::width;
/// assert_eq!(["Anna", "望月", "لا", "👍🏽"].map(width), [4, 4, 2, 2]);
/// ```
pub fn width(text: &str) -> usize {
    text.chars().map(columns).sum()
}

fn columns(c: char) -> usize {
    match c {
        '\u{1f3fb}'..='\u{1f3ff}' => 0,
        c => c.width().unwrap_or(0),
    }
}

/// `text` cut to `most` columns, with `…` where something is missing.
///
/// ```
/// assert_eq!(luckless::grid::cut("Anna-Maria", 6), "Anna-…");
/// assert_eq!(luckless::grid::cut("Anna", 4), "Anna");
/// ```
pub fn cut(text: &str, most: usize) -> String {
    if width(text) <= most {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for c in text.chars() {
        let w = columns(c);
        if used + w + 1 > most {
            break;
        }
        used += w;
        out.push(c);
    }
    if most > 0 {
        out.push('…');
    }
    out
}

/// A table whose columns line up in a terminal: the first one and those of words to the left, figures to the right.
/// What would steer the terminal is left out of its cells.
///
/// ```
/// use luckless::grid::Grid;
/// let mut grid = Grid::new(&["roll", "play", "equity"]).with_words(&["play"]);
/// grid.row(vec!["31".into(), "8/5 6/5".into(), "+0.155".into()]);
/// grid.row(vec!["61".into(), "13/7".into(), "-0.020".into()]);
/// assert_eq!(
///     grid.to_string(),
///     "roll  play     equity\n31    8/5 6/5  +0.155\n61    13/7     -0.020\n"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Grid {
    rows: Vec<Vec<String>>,
    /// Places of the columns of words besides the first.
    words: Vec<usize>,
}

impl Grid {
    /// A table with these headings and no row.
    pub fn new(headings: &[&str]) -> Self {
        let mut grid = Self {
            rows: Vec::new(),
            words: Vec::new(),
        };
        grid.row(headings.iter().map(ToString::to_string).collect());
        grid
    }

    /// The columns with these headings hold words.
    pub fn with_words(mut self, headings: &[&str]) -> Self {
        let columns = self.rows[0].iter().enumerate();
        let named = columns.filter(|(_, heading)| headings.contains(&heading.as_str()));
        self.words = named.map(|(column, _)| column).collect();
        self
    }

    /// Whether a column holds words, which begin under each other.
    pub fn is_of_words(&self, column: usize) -> bool {
        column == 0 || self.words.contains(&column)
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        let clean = |cell: String| sanitize::clean(&cell).into_owned();
        self.rows.push(cells.into_iter().map(clean).collect());
    }

    /// This grid without its last column, if nothing stands below the heading.
    pub fn without_empty_last(mut self) -> Self {
        let last = self.rows[0].len().saturating_sub(1);
        let is_empty = |row: &Vec<String>| row.get(last).is_none_or(String::is_empty);
        if self.rows.iter().skip(1).all(is_empty) {
            self.rows.iter_mut().for_each(|row| row.truncate(last));
        }
        self
    }

    /// This grid without the first of these columns, as many as it takes to fit into so many columns of the
    /// terminal.
    pub fn fitting(mut self, columns: usize, least: &[&str]) -> Self {
        let mut least = least.iter();
        while self.width() > columns {
            let Some(heading) = least.next() else { break };
            if let Some(place) = self.rows[0].iter().position(|cell| cell == heading) {
                self.remove(place);
            }
        }
        self
    }

    fn remove(&mut self, column: usize) {
        for row in self.rows.iter_mut().filter(|row| column < row.len()) {
            row.remove(column);
        }
        self.words.retain(|words| *words != column);
        for words in &mut self.words {
            *words -= usize::from(*words > column);
        }
    }

    /// Columns of the terminal that the table takes.
    fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
    }

    /// The width of each column.
    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widest = |c: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(c));
            cells.map(|cell| width(cell)).max().unwrap_or(0)
        };
        (0..columns).map(widest).collect()
    }

    /// The headings, then the rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for row in &self.rows {
            let mut line = String::new();
            for (i, (cell, wide)) in row.iter().zip(&widths).enumerate() {
                let gap = " ".repeat(wide - width(cell));
                let between = if i == 0 { "" } else { "  " };
                line += &match self.is_of_words(i) {
                    true => format!("{between}{cell}{gap}"),
                    false => format!("{between}{gap}{cell}"),
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
    fn columns_that_matter_least_give_way() {
        let mut grid = Grid::new(&["play", "se", "by", "type"]).with_words(&["type"]);
        grid.row(["8/5", "0.012", "R", "race"].map(str::to_owned).into());
        let least = ["se", "none", "by"];
        assert_eq!(grid.clone().fitting(21, &least).rows()[0].len(), 4);
        let narrow = grid.clone().fitting(20, &least);
        assert_eq!(narrow.to_string(), "play  by  type\n8/5    R  race\n");
        // What is not named stays, however narrow it is.
        assert_eq!(grid.fitting(3, &least).rows()[0], ["play", "type"]);
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
