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

/// A chance in per cent; a dash where there is none yet.
pub fn percent(chance: impl Into<f64>) -> String {
    match 100.0 * chance.into() {
        none if none.is_nan() => "–".to_owned(),
        // Subtracted luck can leave less than nothing.
        hundredths if hundredths < 0.005 => "0.00%".to_owned(),
        hundredths => format!("{hundredths:.2}%"),
    }
}

/// Formats the chance that a choice is right: none reads as certain, nor as impossible.
pub fn chance_right(chance: f64) -> String {
    match chance {
        none if none.is_nan() => "–".to_owned(),
        chance if chance >= 0.9995 => ">99.9%".to_owned(),
        chance if chance < 0.0005 => "<0.1%".to_owned(),
        _ => format!("{:.1}%", 100.0 * chance),
    }
}

#[cfg(test)]
mod tests {
    use super::chance_right;

    #[test]
    fn no_chance_reads_as_certain() {
        let shown = [0.0, 1e-9, 0.0006, 0.9994, 0.9996, 1.0].map(chance_right);
        let expected = ["<0.1%", "<0.1%", "0.1%", "99.9%", ">99.9%", ">99.9%"];
        assert_eq!(shown, expected);
    }
}
