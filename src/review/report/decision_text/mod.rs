//! One decision explained in lines of text: two plays compared, all about a cube decision, all rolls of a position,
//! the decision at other scores, and match equities. The command line prints them, and the workstation copies them.

mod comparison;
mod cube;
mod equities;
mod matrix;
mod rolls;

pub use comparison::{ComparisonText, reply};
pub use cube::{CubeText, of_offered};
pub use equities::{score_text, table_text};
pub use matrix::MatrixText;
pub use rolls::RollsText;

use super::signed;
use crate::game::Roll;
use crate::notation::play::dice;

/// Headings of the five chances.
pub const CHANCES: [&str; 5] = ["win", "gammon", "bg", "lose g", "lose bg"];

/// Rolls as players write them.
fn listed(rolls: &[Roll]) -> String {
    let rolls = rolls.iter().copied().map(dice);
    rolls.collect::<Vec<_>>().join(", ")
}

/// An equity with its sign; a dash where there is none yet.
pub fn points(equity: impl Into<f64>) -> String {
    match equity.into() {
        none if none.is_nan() => "–".to_owned(),
        equity => signed(equity, 4),
    }
}

pub fn percent(chance: impl Into<f64>) -> String {
    let hundredths = 100.0 * chance.into();
    // Subtracted luck can leave less than nothing.
    let rounded = if hundredths < 0.005 { 0.0 } else { hundredths };
    format!("{rounded:.2}%")
}
