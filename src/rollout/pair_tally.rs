//! What is counted of a pair: the differences, and how the two strands hang together.

use serde::{Deserialize, Serialize};

use super::coupling::Coupling;
use super::frame::Frame;
use super::result::{DifferenceResult, ErrorMethod};
use super::tally::{bet, equivalent};
use super::trial::Outcome;
use crate::stats::{Bets, CoMoments, Series, Summary};

/// Most points of the scatter plot.
const SCATTER: usize = 512;

/// The differences of two strands, trial by trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PairTally {
    pub(super) difference: Series,
    bets: Option<Bets>,
    reduced: CoMoments,
    plain: CoMoments,
    /// Trials in which the two strands met.
    #[serde(default)]
    met: u64,
    scatter: Vec<[f32; 2]>,
    /// One trial in this many is kept for the scatter plot.
    every: u64,
}

impl PairTally {
    pub(super) fn new(frame: &Frame) -> Self {
        Self {
            difference: Series::new(&frame.pair_design),
            bets: frame.bound.map(|b| Bets::new(-2.0 * b, 2.0 * b)),
            reduced: CoMoments::default(),
            plain: CoMoments::default(),
            met: 0,
            scatter: Vec::new(),
            every: 1,
        }
    }

    pub(super) fn push(&mut self, frame: &Frame, trial: u64, a: &Outcome, b: &Outcome) {
        let [x, y] = [a, b].map(Outcome::reduced_equity);
        let mean = self
            .difference
            .push(&frame.pair_design, frame.cell(a.numbers), x - y);
        if let Some(bets) = &mut self.bets {
            bet(bets, &frame.pair_design, x - y, mean);
        }
        self.reduced.push(x, y);
        self.plain.push(a.plain_equity(), b.plain_equity());
        self.met += u64::from(a.met && b.met);
        if trial.is_multiple_of(self.every) {
            if self.scatter.len() == SCATTER {
                let mut place = 0;
                self.scatter.retain(|_| {
                    place += 1;
                    place % 2 == 1
                });
                self.every *= 2;
            }
            if trial.is_multiple_of(self.every) {
                self.scatter.push([x as f32, y as f32]);
            }
        }
    }

    /// The sample for the scatter plot.
    pub(super) fn scatter(&self) -> Vec<[f32; 2]> {
        self.scatter.clone()
    }

    /// The difference with its errors. `most`: the most points that a trial of which nothing alike has
    /// been seen may add to either side.
    pub(super) fn summary(&self, strands: &[Summary], most: f64, frame: &Frame) -> Summary {
        let (a, b) = (&strands[0], &strands[1]);
        if a.method == ErrorMethod::Exact && b.method == ErrorMethod::Exact {
            return Summary::exact(a.n, a.mean - b.mean);
        }
        // A strand that has not varied yet adds nothing to the spread of the differences, whatever the dice
        // have in common, and yet it might have varied: its error is its own.
        let is_constant = |s: &Summary| s.method == ErrorMethod::Constant;
        let apart = frame.coupling == Coupling::None || is_constant(a) || is_constant(b);
        if !self.difference.is_constant() {
            let together = self.difference.summary(&frame.pair_design);
            return match apart {
                true => Summary::independent_difference(a, b, &together),
                false => together,
            };
        }
        // Games that are alike from the beginning stay together.
        if frame.coupling != Coupling::None && frame.alike && a.n > 0 {
            return Summary::exact(a.n, 0.0);
        }
        self.difference
            .constant_summary(&frame.pair_design, -most, most)
    }

    pub(super) fn result(&self, difference: &Summary) -> DifferenceResult {
        let sum = |moments: &CoMoments| moments.variances().iter().sum::<f64>();
        DifferenceResult {
            trials: difference.n,
            equity: (*difference).into(),
            correlation: self.reduced.correlation(),
            plain_correlation: self.plain.correlation(),
            equivalent_trials: equivalent(sum(&self.plain), difference),
            independent_trials: equivalent(sum(&self.reduced), difference),
            variance: self.difference.all().variance(),
            coalesced: self.met,
            rigorous95: self.bets.as_ref().map(Bets::interval),
            errors: difference.method,
        }
    }

    /// Whether this can be the tally of `n` pairs in this frame.
    pub(super) fn is_sound(&self, n: u64, frame: &Frame) -> bool {
        self.difference.is_sound(n, &frame.pair_design)
            && self.reduced.count() == n
            && self.plain.count() == n
            && self.reduced.is_sound()
            && self.plain.is_sound()
            && self.met <= n
            && self.bets.is_some() == frame.bound.is_some()
            && self.bets.iter().all(Bets::is_sound)
            && self.every.is_power_of_two()
            && self.scatter.len() <= SCATTER
    }
}
