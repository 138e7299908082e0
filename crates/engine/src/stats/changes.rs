//! How often the means of blocks have changed: what tells a run that hardly ever varies.
//!
//! A run of observations that are nearly always the same has a spread that says too little. Before
//! the first exception there is none at all; after a few of them the spread is as uncertain as their
//! number. Student's interval of rare events held at all times in 90% of cases where 95% was promised, and in
//! 95% for 99%. (The events had a chance of 0.001 to 0.01 an observation, looked at after each block of 36.
//! `rare_events_are_covered` in [`evidence`](super::evidence) has the figures with and without.) So
//! exceptions are *counted* until there are [`FEW_EXCEPTIONS`] of them, and the interval is that of a chance.

use serde::{Deserialize, Serialize};

/// Exceptions from which the spread is believed.
pub const FEW_EXCEPTIONS: u64 = 8;
/// Blocks from which exceptions are counted: of fewer two may be alike by chance.
const LEAST_BLOCKS: u64 = 5;
/// Values that differ by no more than this are alike: what luck differs by because numbers are
/// rounded, in points.
pub const ROUNDING: f64 = 1e-5;
/// Means that differ by no more than this may be the same, in points: values have single precision, about
/// 1e-7, and a difference that never varies shows no error of its own.
pub const ROUND_OFF: f64 = 1e-6;

/// A count of changes from one block to the next.
#[derive(Clone, Copy, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Changes {
    blocks: u64,
    changes: u64,
    last: f64,
}

impl Changes {
    /// Takes in the mean of a block.
    pub fn push(&mut self, mean: f64) {
        let changed = self.blocks > 0 && (mean - self.last).abs() > ROUNDING;
        self.changes += u64::from(changed);
        self.blocks += 1;
        self.last = mean;
    }

    /// Runs of blocks that differ from the rest, if they are few: less than [`FEW_EXCEPTIONS`], and most blocks are as
    /// the one before. Each changes the mean twice, to and fro. Neighbouring blocks with equal means are one run.
    pub fn few(&self) -> Option<u64> {
        let exceptions = self.changes.div_ceil(2);
        let few = exceptions < FEW_EXCEPTIONS && 2 * self.changes < self.blocks;
        (self.blocks >= LEAST_BLOCKS && few).then_some(exceptions)
    }

    /// Whether this can be the count of `blocks` blocks: for what comes from a file.
    pub fn is_sound(&self, blocks: u64) -> bool {
        self.blocks == blocks
            && self.changes <= self.blocks.saturating_sub(1)
            && self.last.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(means: &[f64]) -> Changes {
        let mut changes = Changes::default();
        means.iter().for_each(|&mean| changes.push(mean));
        changes
    }

    #[test]
    fn exceptions_are_counted_while_they_are_few() {
        assert_eq!(of(&[1.0; 4]).few(), None);
        assert_eq!(of(&[1.0; 5]).few(), Some(0));
        assert_eq!(of(&[1.0, 1.0, 0.9, 1.0, 1.0, 1.0]).few(), Some(1));
        assert_eq!(of(&[1.0, 1.0 + 1e-7, 1.0, 1.0, 1.0]).few(), Some(0));
        let all: Vec<f64> = (0..20).map(f64::from).collect();
        assert_eq!(of(&all).few(), None);
        let sometimes: Vec<f64> = (0..100).map(|i| f64::from(i % 12 == 3)).collect();
        assert_eq!(of(&sometimes[..80]).few(), Some(7));
        assert_eq!(of(&sometimes).few(), None);
        assert!(of(&all).is_sound(20));
        assert!(!of(&all).is_sound(19) && !of(&all).is_sound(21));
    }
}
