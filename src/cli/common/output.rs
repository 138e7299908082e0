//! Writing to stdout, and tables.

use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use serde::Serialize;

use super::usage::refuse_given;
pub use crate::review::report::decision_text::{percent, points};
use crate::sanitize;
use crate::store::file;

/// Stdout, buffered until it is finished.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// A text with words at the end of its first line.
pub fn with_head(text: &str, words: &str) -> String {
    let (head, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    [head, words, rest].concat()
}

/// Columns that a table may have: those of the terminal, any number in a file or a pipe.
pub fn columns() -> usize {
    let size = io::stdout()
        .is_terminal()
        .then(ratatui::crossterm::terminal::size);
    match size {
        Some(Ok((columns, _))) if columns > 0 => columns.into(),
        _ => usize::MAX,
    }
}

/// One JSON document, in one line.
pub fn json(document: &impl Serialize) -> Result<()> {
    raw(json_line(document)?.as_bytes())
}

pub fn json_line(document: &impl Serialize) -> Result<String> {
    let mut line = sanitize::to_json(document)?;
    line.push('\n');
    Ok(line)
}

/// A text from elsewhere without what steers the terminal.
pub fn printable(text: &str) -> String {
    sanitize::clean(text).into_owned()
}

/// A text; what steers the terminal is left out of it.
pub fn text(text: &str) -> Result<()> {
    raw(sanitize::clean_lines(text).as_bytes())
}

/// A cell of CSV, in quotes where it needs them. A text that a spreadsheet would take for a formula, a date or a
/// fraction has a `'` before it.
pub fn csv_cell(cell: &str) -> String {
    cell_guarded_from(|cell| is_formula(cell) || is_date(cell), cell)
}

/// A cell of CSV that a spreadsheet may take for a date, since it is one.
pub fn csv_date(cell: &str) -> String {
    cell_guarded_from(is_formula, cell)
}

fn cell_guarded_from(is_taken_for_another: impl Fn(&str) -> bool, cell: &str) -> String {
    let mut cell = sanitize::clean(cell);
    if is_taken_for_another(&cell) {
        cell = format!("'{cell}").into();
    }
    match cell.contains([',', '"']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.into_owned(),
    }
}

fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '+', '-', '@']) && cell.parse::<f64>().is_err()
}

/// Whether a text is two or three numbers as in `12/4` and `2026-11-20`.
fn is_date(cell: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_of_numbers = |separator: char| {
        let parts = cell.trim().split(separator);
        matches!(parts.clone().count(), 2 | 3) && parts.into_iter().all(is_number)
    };
    ['/', '-'].into_iter().any(is_of_numbers)
}

/// Bytes as they are. What outside text is in them has been made safe.
pub fn raw(bytes: &[u8]) -> Result<()> {
    let mut out = stdout();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Refuses a folder, and a path where a file is unless it is to be replaced: an early answer, before any work.
pub fn may_write(path: &Path, force: bool) -> Result<()> {
    must_not_be_folder(path)?;
    must_not_be_store(path)?;
    match path.is_file() && !force {
        true => Err(is_there(path)),
        false => Ok(()),
    }
}

fn must_not_be_folder(path: &Path) -> Result<()> {
    match path.is_dir() {
        true => bail!("{}: is a folder; give the name of a file", path.display()),
        false => Ok(()),
    }
}

/// Refuses to write over a store, of which there may be no copy.
fn must_not_be_store(path: &Path) -> Result<()> {
    match file::is_database(path) {
        true => bail!(
            "{}: is a store of Luckless, or another database: it is not replaced",
            path.display()
        ),
        false => Ok(()),
    }
}

/// Returns the file that `--out` names; `None` for `-`, which is stdout. There `--force` is refused.
pub fn named_file(out: Option<PathBuf>, force: bool) -> Result<Option<PathBuf>> {
    let file = out.filter(|path| path.as_os_str() != "-");
    if file.is_none() {
        refuse_given(
            &[(force, "--force")],
            "- is stdout, where nothing is replaced",
        )?;
    }
    Ok(file)
}

fn is_there(path: &Path) -> anyhow::Error {
    anyhow!("{}: is there already; --force replaces it", path.display())
}

/// Writes a file; one that is there already only with `force`. A pipe or a terminal is written to.
pub fn to_file(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    must_not_be_folder(path)?;
    must_not_be_store(path)?;
    let written = match force || file::is_device(path) {
        true => file::write(path, bytes),
        false => file::write_new(path, bytes),
    };
    match written {
        Err(error) if error.is_taken() => Err(is_there(path)),
        written => Ok(written?),
    }
}

/// Whether cube and score count in the equities, and a note about it: how they would, or how not.
#[derive(Clone, Copy, Serialize)]
pub struct Cubeful {
    cubeful: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

impl Cubeful {
    pub fn new(cubeful: bool, note: Option<&'static str>) -> Self {
        Self { cubeful, note }
    }
}

/// An equity with its sign and without the sign of zero, or a dash.
pub fn perhaps_points(equity: Option<f32>) -> String {
    equity.map_or_else(|| "–".to_owned(), points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula() {
        for (cell, written) in [
            ("Anna", "Anna"),
            ("Kovács, \"Anna\"", "\"Kovács, \"\"Anna\"\"\""),
            ("=cmd|'/c calc'!A1", "'=cmd|'/c calc'!A1"),
            ("@sum(1,2)", "\"'@sum(1,2)\""),
            ("-0.25", "-0.25"),
        ] {
            assert_eq!(csv_cell(cell), written);
            assert_eq!(csv_date(cell), written);
        }
    }

    #[test]
    fn a_play_is_no_date() {
        for cell in ["12/4", "5-3", "10/3/1", "2026-11-20"] {
            assert_eq!(csv_cell(cell), format!("'{cell}"));
            assert_eq!(csv_date(cell), cell);
        }
        for cell in [
            "12/4*", "bar/4", "8/5 6/5", "24/22(2)", "12/", "5-", "31", "0.5", "", "1/2/3/4",
        ] {
            assert_eq!(csv_cell(cell), cell);
        }
    }
}
