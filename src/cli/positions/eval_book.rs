//! The part of the answer of `luckless eval` that comes from the opening book.

use serde::Serialize;

use crate::analysis::OpeningBook;
use crate::game::{GameState, PlayList, Roll};
use crate::notation::play_text;
use crate::stats::interval::NORMAL_975;

/// A play of the opening book.
#[derive(Serialize)]
pub(crate) struct BookValue {
    play: String,
    /// With the cube, in points (EMG in a match).
    equity: f64,
    se: f64,
    trials: u64,
}

impl BookValue {
    /// All that the book has of this roll.
    pub(crate) fn all(state: &GameState, roll: Roll) -> Vec<Self> {
        let state = GameState {
            roll: Some(roll),
            ..*state
        };
        let list = PlayList::of(&state.position, roll);
        let plays = OpeningBook::bundled().plays(&state).iter();
        plays
            .filter_map(|value| {
                let play = list.play_to(&value.result)?;
                Some(Self {
                    play: play_text(&state.position, &play),
                    equity: value.equity,
                    se: value.se,
                    trials: value.trials,
                })
            })
            .collect()
    }

    /// The plays of the book in a line.
    pub(crate) fn line(all: &[Self]) -> String {
        let told = |v: &Self| format!("{} {:+.4} ±{:.4}", v.play, v.equity, NORMAL_975 * v.se);
        let told: Vec<String> = all.iter().map(told).collect();
        match told.is_empty() {
            true => String::new(),
            false => format!("opening book, rolled out at 1-ply: {}\n", told.join(", ")),
        }
    }
}
