//! Parts of a decision that all pages word alike: names, another program's figures, the class of a mark.

use std::fmt::Write as _;

use super::{MoveReport, signed};
use crate::review::Mark;
use crate::sanitize::escape_markup;

/// A name in a line of text: written from the right, it does not turn round what stands beside it.
pub(super) fn isolated(name: &str) -> String {
    format!("<bdi>{}</bdi>", escape_markup(name))
}

/// Describes another program's opinion of a decision. `silent`: of not doubling before the roll.
pub(super) fn said(one: &MoveReport, silent: bool) -> Option<String> {
    let other = one.other.as_ref()?;
    let (best, error, level) = match silent {
        true => (
            other.cube_figures.as_deref(),
            other.cube_error,
            other.cube_level.as_deref(),
        ),
        false => (other.best.as_deref(), other.error, Some(&*other.level)),
    };
    let mut text = format!("{} said", other.program);
    if let Some(best) = best {
        let _ = write!(text, " {}", figures_spoken(one, best));
    }
    if let Some(equity) = other.equity.filter(|_| !silent) {
        let _ = write!(text, " {}", signed(equity, 3));
    }
    if let Some(error) = error {
        let _ = write!(text, ", error {error:.3}");
    }
    if let Some(level) = level.filter(|level| !level.is_empty()) {
        let _ = write!(text, " ({level})");
    }
    (best.is_some() || error.is_some()).then_some(text)
}

/// A play, or the figures of cube actions with commas between, as players say it.
fn figures_spoken(one: &MoveReport, text: &str) -> String {
    let part = |part: &str| match part.rsplit_once(' ') {
        Some((name, figure)) => format!("{} {figure}", one.spoken(name)),
        None => part.to_owned(),
    };
    let parts: Vec<String> = text.split(", ").map(part).collect();
    parts.join(", ")
}

pub(super) fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Fine => "",
        Mark::Doubtful => "meh",
        Mark::Error | Mark::Blunder => "bad",
    }
}
