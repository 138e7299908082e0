//! The user's comment in the text export of a position: eXtreme Gammon writes it after the figures and before
//! the line with its version.

use std::ops::Range;

use super::position_cube::last_of_three_lines;
use super::position_figures::{equities, ranked};
use crate::notation::xgid;

/// Maximum number of lines of a block that are searched.
const MOST_LINES: usize = 500;

/// Returns the range of the comment in `lines`, the block of one position.
pub(super) fn comment_lines(lines: &[String]) -> Option<Range<usize>> {
    let lines = &lines[..lines.len().min(MOST_LINES)];
    let end = lines.iter().position(|line| is_version(line))?;
    let mut others = lines.iter().take(end).skip(1);
    if others.any(|line| begins_block(line)) {
        return None;
    }
    let lines = &lines[..end];
    let mut start = end_of_paragraph(lines, figures_end(lines)?);
    if last_of_three_lines(lines).is_some() {
        // The best cube action has its own paragraph after the figures.
        start = end_of_paragraph(lines, paragraph(lines, start).start);
    }
    loop {
        let next = paragraph(lines, start);
        if !is_of_rollout(&lines[next.clone()]) {
            let last = lines.iter().rposition(|line| !line.trim().is_empty())?;
            return (next.start <= last).then_some(next.start..last + 1);
        }
        start = next.end;
    }
}

/// Returns whether a line begins a block: it starts with an identifier.
pub(super) fn begins_block(line: &str) -> bool {
    let line = line.trim_start_matches(['>', ' ']);
    matches!(xgid::mark(line), Some((0, _)))
}

fn is_version(line: &str) -> bool {
    ["eXtreme Gammon Version", "Luckless Version"]
        .iter()
        .any(|program| line.starts_with(program))
}

/// Returns the last line of the candidates, else of the cube figures, else of the pip counts.
fn figures_end(lines: &[String]) -> Option<usize> {
    let mut candidates = 0;
    let mut last = None;
    for (i, line) in lines.iter().enumerate() {
        let number = format!("{}.", candidates + 1);
        let is_next = line.starts_with("  ") && line.trim_start().starts_with(&number);
        let is_candidate = |rest: &str| rest.contains('/') && !equities(rest).is_empty();
        if is_next && ranked(line).is_some_and(is_candidate) {
            (candidates, last) = (candidates + 1, Some(i));
        }
    }
    last.or_else(|| last_of_three_lines(lines))
        .or_else(|| lines.iter().rposition(|line| line.contains("X-O:")))
}

/// Returns the first line after the paragraph of line `at`.
fn end_of_paragraph(lines: &[String], at: usize) -> usize {
    let mut following = lines.iter().enumerate().skip(at);
    let end = following.find(|(_, line)| line.trim().is_empty());
    end.map_or(lines.len(), |(i, _)| i)
}

/// Returns the next paragraph from line `at` on.
fn paragraph(lines: &[String], at: usize) -> Range<usize> {
    let mut following = lines.iter().enumerate().skip(at);
    let start = following.find(|(_, line)| !line.trim().is_empty());
    let start = start.map_or(lines.len(), |(i, _)| i);
    start..end_of_paragraph(lines, start)
}

/// Returns whether a paragraph describes a rollout: its number of games and its seed, indented below a sign
/// or a word.
fn is_of_rollout(paragraph: &[String]) -> bool {
    let indented = |line: &String| line.starts_with("  ");
    let is_long = |digits: &str| digits.len() >= 3;
    let mut lines = paragraph.iter();
    let has_number = lines.any(|line| line.split(|c: char| !c.is_ascii_digit()).any(is_long));
    has_number && paragraph.iter().skip(1).all(indented) && paragraph.iter().any(indented)
}
