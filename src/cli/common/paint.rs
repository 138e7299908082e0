//! Colours of the texts that commands print.

use std::borrow::Cow;
use std::io::{self, IsTerminal as _};

use ratatui::crossterm::style::Stylize as _;

/// Returns the text with colours if stdout is a terminal that shows them and `NO_COLOR` is not set.
pub(super) fn for_stdout(text: &str) -> Cow<'_, str> {
    let is_off = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
        || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    // Pages and pictures are for other programs.
    match io::stdout().is_terminal() && !is_off && !text.starts_with('<') {
        true => painted(text).into(),
        false => text.into(),
    }
}

/// Paints a text line by line: titles and headings of tables, the best play, the marks of errors, identifiers.
fn painted(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let line = |i: usize| lines.get(i).copied().unwrap_or_default();
    let is_heading = |i: usize| {
        let (own, next) = (line(i), line(i + 1));
        has_columns(own) && !has_digits(own) && has_columns(next) && has_digits(next)
    };
    let is_title = |i: usize| {
        let is_first = i == 0 || line(i - 1).is_empty();
        is_first && !line(i).is_empty() && !has_columns(line(i)) && has_columns(line(i + 1))
    };
    let is_best = |i: usize| i > 0 && is_heading(i - 1) && line(i - 1).starts_with("play ");
    let paint = |i: usize| match is_heading(i) || is_title(i) || is_best(i) {
        true => line(i).bold().to_string(),
        false if line(i).starts_with("decided: ") => line(i).green().bold().to_string(),
        false if is_undecided(line(i)) => line(i).bold().to_string(),
        false => line(i).split(' ').map(word).collect::<Vec<_>>().join(" "),
    };
    (0..lines.len()).map(paint).collect::<Vec<_>>().join("\n")
}

/// Paints a word: the marks as in the list of moves.
fn word(text: &str) -> String {
    match text {
        "??" => text.red().bold().to_string(),
        "?" => text.red().to_string(),
        "?!" => text.yellow().to_string(),
        "★" => text.green().bold().to_string(),
        _ if text.starts_with("XGID=") => text.dim().to_string(),
        _ => text.to_owned(),
    }
}

/// Returns whether a line is a verdict that leaves plays undecided.
fn is_undecided(line: &str) -> bool {
    ["too close to matter: ", "still open: "]
        .iter()
        .any(|words| line.starts_with(words))
}

/// Returns whether a line is a row of a table, whose columns are separated by two spaces or more.
fn has_columns(line: &str) -> bool {
    line.trim().contains("  ")
}

/// Returns whether a line has digits besides those of a heading such as ±95%.
fn has_digits(line: &str) -> bool {
    let rest = line.replace("95%", "");
    rest.contains(|c: char| c.is_ascii_digit())
}
