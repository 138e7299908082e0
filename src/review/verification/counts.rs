//! Verdicts, counted.

use serde::Serialize;

use super::{Verdict, Verified};
use crate::game::Player;

/// Verdicts on the errors that a file charges a player with, and on its other opinions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Errors by the file.
    pub errors: usize,
    /// Errors that rollouts do not find: the choice made is better, or as good.
    pub none: usize,
    /// Errors that rollouts left open.
    pub open: usize,
    /// All opinions about the player's decisions.
    pub opinions: usize,
    /// Overturned among them.
    pub overturned: usize,
    /// Open among them.
    pub opinions_open: usize,
}

impl Counts {
    /// The counts of a player's decisions.
    pub fn of(all: &[Verified], player: Player) -> Self {
        let mut counts = Self::default();
        for one in all.iter().filter(|one| one.claim.player == player) {
            counts.opinions += 1;
            counts.overturned += usize::from(one.verdict == Verdict::Overturned);
            counts.opinions_open += usize::from(one.verdict == Verdict::Open);
            if one.claim.is_error {
                counts.errors += 1;
                let none = matches!(one.verdict, Verdict::Overturned | Verdict::TooClose);
                counts.none += usize::from(none);
                counts.open += usize::from(one.verdict == Verdict::Open);
            }
        }
        counts
    }
}
