//! Every two of several strands, compared by the means of their blocks.
//!
//! Strands with coupled dice have block *j* in common, however many blocks each has: what counts is
//! the difference of its two means. Blocks are independent and nearly Gaussian, so that intervals
//! of the differences hold at all times. For all of k(k-1)/2 differences at once each gets its share
//! of the 5% (Bonferroni: the union bound, whatever hangs together); for the question which strand
//! is the best only the k-1 differences that involve the best need hold, whichever that is.

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::result::{Estimate, FamilyResult, PlayDifference};
use crate::stats::anytime::{UNIT_INFORMATION, student_radius};
use crate::stats::interval::{ALPHA, student};
use crate::stats::{CoMoments, Moments, bounded};

/// Blocks by which one strand may be ahead of another: one that is farther ahead goes on alone.
const MOST_AHEAD: usize = 16;
/// Fewest blocks from which a covariance is believed.
const LEAST_BLOCKS: u64 = 5;

/// The duels of all strands.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Duels {
    all: Vec<Duel>,
}

/// Two strands.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
struct Duel {
    difference: Moments,
    joint: CoMoments,
    /// Means of blocks of the one that is ahead, and whether it is the first.
    ahead: Vec<f64>,
    first_is_ahead: bool,
    /// Whether they have no more blocks to come together.
    closed: bool,
}

impl Duel {
    fn offer(&mut self, is_first: bool, mean: f64) {
        if self.closed {
            return;
        }
        if self.ahead.is_empty() || self.first_is_ahead == is_first {
            self.first_is_ahead = is_first;
            self.ahead.push(mean);
            if self.ahead.len() > MOST_AHEAD {
                self.closed = true;
                self.ahead.clear();
            }
            return;
        }
        let other = self.ahead.remove(0);
        let (a, b) = if is_first {
            (mean, other)
        } else {
            (other, mean)
        };
        self.difference.push(a - b);
        self.joint.push(a, b);
    }

    /// Half the interval that holds at all times but with chance `alpha`. Where nothing has varied
    /// yet it allows for what has not been seen.
    fn radius(&self, frame: &Frame, alpha: f64) -> f64 {
        let d = &self.difference;
        if d.count() > 0 && d.squares() == 0.0 {
            let trials = (d.count() * frame.design.block) as f64;
            return 2.0 * frame.most * bounded::mixture(trials, 0.0, alpha)[1];
        }
        student_radius(d.count(), d.squares(), UNIT_INFORMATION, alpha)
    }

    /// The same for one look.
    fn fixed_radius(&self, frame: &Frame, alpha: f64) -> f64 {
        let d = &self.difference;
        let quantile = student(d.count().saturating_sub(1) as f64, alpha);
        if d.count() > 1 && d.squares() == 0.0 {
            let trials = (d.count() * frame.design.block) as f64;
            return 2.0 * frame.most * bounded::wilson(0.0, trials, quantile)[1];
        }
        quantile * d.standard_error()
    }
}

impl Duels {
    pub(super) fn new(frame: &Frame) -> Self {
        Self {
            all: vec![Duel::default(); frame.duels().count()],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The mean of the next block of `strand`.
    pub(super) fn offer(&mut self, frame: &Frame, strand: usize, mean: f64) {
        for ((i, j), duel) in frame.duels().zip(&mut self.all) {
            if i == strand || j == strand {
                duel.offer(i == strand, mean);
            }
        }
    }

    /// By how much `best` leads each other strand but those that are `out`: intervals that hold for
    /// all of them, at all times, but with chance `alpha`.
    pub(super) fn leads(
        &self,
        frame: &Frame,
        best: usize,
        alpha: f64,
        out: &[bool],
    ) -> Vec<[f64; 2]> {
        let share = alpha / (frame.known.len() - 1) as f64;
        let lead = |((i, j), duel): ((usize, usize), &Duel)| {
            let other = if i == best { j } else { i };
            if (i != best && j != best) || out.get(other) == Some(&true) {
                return None;
            }
            let sign = if i == best { 1.0 } else { -1.0 };
            let (mean, radius) = (sign * duel.difference.mean(), duel.radius(frame, share));
            Some([mean - radius, mean + radius])
        };
        frame.duels().zip(&self.all).filter_map(lead).collect()
    }

    /// Which strands are surely not the best, with error `alpha` in all: some other one leads them.
    /// Those that are `out` already stay so, and count as leaders no more.
    pub(super) fn beaten(&self, frame: &Frame, alpha: f64, out: &[bool]) -> Vec<bool> {
        let share = alpha / (frame.known.len() - 1) as f64;
        let mut beaten = vec![false; frame.known.len()];
        let was_out = |i: usize| out.get(i) == Some(&true);
        (0..beaten.len()).for_each(|i| beaten[i] = was_out(i));
        for ((i, j), duel) in frame.duels().zip(&self.all) {
            let (mean, radius) = (duel.difference.mean(), duel.radius(frame, share));
            if !was_out(j) && mean + radius < 0.0 {
                beaten[i] = true;
            }
            if !was_out(i) && mean - radius > 0.0 {
                beaten[j] = true;
            }
        }
        beaten
    }

    /// Covariances of the strands' means, row by row, from those of block means; `None` while too
    /// few blocks are in.
    pub(super) fn covariance(&self, frame: &Frame, strands: &[Moments]) -> Option<Vec<f64>> {
        let k = strands.len();
        let enough = |duel: &Duel| duel.joint.count() >= LEAST_BLOCKS;
        if self.is_empty() || !self.all.iter().all(enough) {
            return None;
        }
        let mut all = vec![0.0; k * k];
        for (i, blocks) in strands.iter().enumerate() {
            all[i * k + i] = blocks.variance() / blocks.count() as f64;
        }
        for ((i, j), duel) in frame.duels().zip(&self.all) {
            // Two means have only the blocks in common that both strands have.
            let most = strands[i].count().max(strands[j].count());
            let covariance = duel.joint.covariance() / most as f64;
            all[i * k + j] = covariance;
            all[j * k + i] = covariance;
        }
        Some(all)
    }

    /// All that is known of the family; `out` are those that get no more trials.
    pub(super) fn result(&self, frame: &Frame, out: &[bool]) -> Option<FamilyResult> {
        if self.is_empty() {
            return None;
        }
        let share = ALPHA / self.all.len() as f64;
        let around = |mean: f64, radius: f64| [mean - radius, mean + radius];
        let one = |((first, second), duel): ((usize, usize), &Duel)| {
            let d = &duel.difference;
            let (mean, se) = (d.mean(), d.standard_error());
            let fixed = |alpha: f64| around(mean, duel.fixed_radius(frame, alpha));
            PlayDifference {
                first,
                second,
                trials: d.count() * frame.design.block,
                equity: Estimate {
                    mean,
                    se,
                    ci95: fixed(ALPHA),
                    anytime95: around(mean, duel.radius(frame, ALPHA)),
                },
                simultaneous_ci95: fixed(share),
                simultaneous95: around(mean, duel.radius(frame, share)),
                // Two points always lie on a line.
                correlation: if duel.difference.count() < 3 {
                    0.0
                } else {
                    duel.joint.correlation()
                },
            }
        };
        Some(FamilyResult {
            differences: frame.duels().zip(&self.all).map(one).collect(),
            beaten: self.beaten(frame, ALPHA, out),
        })
    }

    pub(super) fn is_sound(&self, frame: &Frame) -> bool {
        let sound = |d: &Duel| {
            d.difference.is_sound()
                && d.joint.is_sound()
                && d.joint.count() == d.difference.count()
                && d.ahead.len() <= MOST_AHEAD
                && d.ahead.iter().all(|m| m.is_finite())
        };
        self.all.len() == frame.duels().count() && self.all.iter().all(sound)
    }
}
