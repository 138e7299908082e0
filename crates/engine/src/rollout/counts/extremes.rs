//! The wildest trials of a candidate, remembered so that they can be played again and looked at.
//!
//! Riordan found a variance-reduced result of -74 among others within 35: one trial that added 2 to the
//! standard deviation. What such a game looked like is the first thing one wants to know.

use serde::{Deserialize, Serialize};

/// Trials that are kept at each end.
pub(super) const KEPT: usize = 3;

/// A trial and what it gave.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExtremeTrial {
    /// Its number: with the seed and the settings all that is needed to play it again.
    pub trial: u64,
    /// Its equity with the luck subtracted, in points.
    pub variance_reduced: f64,
    /// Its equity as it ended, in points.
    pub plain: f64,
}

/// The lowest and the highest variance-reduced results.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Extremes {
    low: Vec<ExtremeTrial>,
    high: Vec<ExtremeTrial>,
}

impl Extremes {
    #[inline]
    pub(super) fn push(&mut self, trial: u64, variance_reduced: f64, plain: f64) {
        let new = ExtremeTrial {
            trial,
            variance_reduced,
            plain,
        };
        keep(&mut self.low, new, |a, b| a < b);
        keep(&mut self.high, new, |a, b| a > b);
    }

    /// The trials that are kept, from the lowest result to the highest; each trial once.
    pub(super) fn all(&self) -> Vec<ExtremeTrial> {
        let mut all = self.low.clone();
        let high = self.high.iter().rev();
        all.extend(high.filter(|h| self.low.iter().all(|l| l.trial != h.trial)));
        all
    }

    pub(super) fn is_sound(&self) -> bool {
        self.low.len() <= KEPT && self.high.len() <= KEPT
    }
}

/// Inserts `new` before the first trial that is less extreme; equals stay in the order of their trials.
#[inline]
fn keep(list: &mut Vec<ExtremeTrial>, new: ExtremeTrial, beyond: impl Fn(f64, f64) -> bool) {
    if let (KEPT, Some(last)) = (list.len(), list.last())
        && !beyond(new.variance_reduced, last.variance_reduced)
    {
        return;
    }
    let place = list.partition_point(|old| !beyond(new.variance_reduced, old.variance_reduced));
    list.truncate(KEPT - 1);
    list.insert(place.min(list.len()), new);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_are_kept_in_order() {
        let mut extremes = Extremes::default();
        for (trial, x) in [5.0, 1.0, 9.0, 3.0, -2.0, 9.0, 4.0, 0.5]
            .into_iter()
            .enumerate()
        {
            extremes.push(trial as u64, x, 0.0);
        }
        let kept: Vec<(u64, f64)> = extremes
            .all()
            .iter()
            .map(|e| (e.trial, e.variance_reduced))
            .collect();
        assert_eq!(
            kept,
            [(4, -2.0), (7, 0.5), (1, 1.0), (0, 5.0), (5, 9.0), (2, 9.0)]
        );
        let mut few = Extremes::default();
        few.push(0, 1.0, 1.0);
        few.push(1, 2.0, 1.0);
        assert_eq!(few.all().len(), 2);
    }
}
