//! Describes standalone positions in words.

use std::path::Path;

use crate::cli::common::typed::position_words;
use crate::game::GameState;
use crate::match_file::{self, LonePosition, Match};
use crate::notation::xgid_text;

/// Describes the position, and the command that gives its figures.
pub(super) fn in_words(state: &GameState, id: &str) -> String {
    let words = position_words(state);
    let figures = match state.roll {
        Some(_) => "plays",
        None => "chances and cube action",
    };
    format!("{words}\nFor its {figures}: luckless eval {id}\n")
}

/// Describes the positions of a file without games after applying `change`; `None` for a file with games. Unreadable
/// parts are reported.
pub(super) fn of_file(
    path: &Path,
    change: &dyn Fn(&mut Match),
    report: &mut dyn FnMut(&str),
) -> Option<String> {
    let mut record = match_file::read(path).ok()?;
    change(&mut record);
    let all: Vec<&LonePosition> = record.lone_positions().collect();
    if !record.games.is_empty() || all.is_empty() {
        return None;
    }
    for warning in record.all_warnings() {
        report(&format!("{}: {}", path.display(), warning.with_place()));
    }
    let mut text = String::new();
    for (number, one) in (1..).zip(&all) {
        if all.len() > 1 {
            text += &format!("Position {number} of {}. ", all.len());
        }
        text += &in_words(&one.state, &xgid_text(&one.state));
        if let Some(comment) = &one.comment {
            text += &format!("Remark: {}\n", comment.replace('\n', " "));
        }
    }
    Some(text)
}
