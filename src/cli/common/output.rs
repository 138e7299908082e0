//! Writes to stdout and files, and formats tables.

use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use serde::Serialize;

use super::paint;
use super::usage::refuse_given;
pub use crate::review::report::decision_text::{chance_right, percent, points};
use crate::sanitize;
use crate::store::file;

/// Buffered stdout.
pub fn stdout() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// Appends words to the first line of a text.
pub fn with_head(text: &str, words: &str) -> String {
    let (head, rest) = text.split_at(text.find('\n').unwrap_or(text.len()));
    [head, words, rest].concat()
}

/// Maximum columns of a table: those of the terminal; unlimited in a file or pipe.
pub fn columns() -> usize {
    let size = io::stdout()
        .is_terminal()
        .then(ratatui::crossterm::terminal::size);
    match size {
        Some(Ok((columns, _))) if columns > 0 => columns.into(),
        _ => usize::MAX,
    }
}

/// Prints one JSON document on one line.
pub fn json(document: &impl Serialize) -> Result<()> {
    raw(json_line(document)?.as_bytes())
}

pub fn json_line(document: &impl Serialize) -> Result<String> {
    let mut line = sanitize::to_json(document)?;
    line.push('\n');
    Ok(line)
}

/// Removes terminal control characters from foreign text.
pub fn printable(text: &str) -> String {
    sanitize::clean(text).into_owned()
}

/// Prints a text without terminal control characters, with colours on a terminal.
pub fn text(text: &str) -> Result<()> {
    raw(paint::for_stdout(&sanitize::clean_lines(text)).as_bytes())
}

/// Formats a CSV cell, quoted if necessary. Text that a spreadsheet would read as a formula, date or fraction gets a
/// leading `'`.
pub fn csv_cell(cell: &str) -> String {
    cell_guarded_from(|cell| is_formula(cell) || is_date(cell), cell)
}

/// Formats a CSV cell that is a date, which spreadsheets may read as one.
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

/// Returns whether a text consists of two or three numbers, as `12/4` and `2026-11-20`.
fn is_date(cell: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_of_numbers = |separator: char| {
        let parts = cell.trim().split(separator);
        matches!(parts.clone().count(), 2 | 3) && parts.into_iter().all(is_number)
    };
    ['/', '-'].into_iter().any(is_of_numbers)
}

/// Prints raw bytes. Foreign text in them must be sanitised.
pub fn raw(bytes: &[u8]) -> Result<()> {
    let mut out = stdout();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(())
}

/// Fails early, before any work, if a path is a folder or an existing file that must not be replaced.
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

/// Refuses to overwrite a store, which may be the only copy.
fn must_not_be_store(path: &Path) -> Result<()> {
    match file::is_database(path) {
        true => bail!(
            "{}: is a store of Luckless, or another database: it is not replaced",
            path.display()
        ),
        false => Ok(()),
    }
}

/// Returns the file of `--out`; `None` for `-`, which is stdout and cannot be used with `--force`.
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

/// Writes a file; replaces an existing one only with `force`. Pipes and terminals are written to.
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

/// Kind of equities, with or without cube and score, and a note on how to change it.
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

/// Formats an equity with its sign, zero without one, or a dash.
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
