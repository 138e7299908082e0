//! Every two of several strands, compared trial by trial and by the means of their blocks.
//!
//! Strands that are played in step have every trial in common: the interval for one look comes from
//! the differences of the trials, as that of a pair does.
//!
//! Strands with coupled dice have block *j* in common, however many blocks each has: what counts is
//! the difference of its two means. Blocks are independent and nearly Gaussian, so that intervals
//! of the differences hold at all times. For all of k(k-1)/2 differences at once each gets its share
//! of the 5% (Bonferroni: the union bound, whatever hangs together). For the question which strand is the
//! best only the k-1 differences that involve it need hold, whichever it is: the intervals at all times get
//! that share, those that are shown and those that decide alike (multiple comparisons with the best, Hsu
//! 1984, by the union bound).

use serde::{Deserialize, Serialize};

use super::frame::Frame;
use super::result::{Estimate, FamilyResult, PlayDifference};
use crate::stats::anytime::{UNIT_INFORMATION, student_radius};
use crate::stats::interval::{ALPHA, hull, student};
use crate::stats::{Cell, CoMoments, Moments, Series, Summary, bounded};

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
    /// Trial by trial, as long as they are in step.
    trials: Series,
    joint: CoMoments,
    /// The same of single trials, as long as they are in step.
    #[serde(default)]
    joint_trials: CoMoments,
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
        let radius = student_radius(d.count(), d.squares(), UNIT_INFORMATION, alpha);
        // Not before the other kind says something too: what is shown once stays.
        if radius.is_finite() && d.squares() == 0.0 {
            let trials = (d.count() * frame.design.block) as f64;
            return 2.0 * frame.most * bounded::mixture(trials, 0.0, alpha)[1];
        }
        radius
    }

    /// The estimate from single trials, if there are as many as the blocks have.
    fn in_step(&self, frame: &Frame) -> Option<Summary> {
        let enough = self.difference.count() * frame.design.block;
        let told = self.trials.all().count() >= enough.max(2) && !self.trials.is_constant();
        told.then(|| self.trials.summary(&frame.duel_design))
    }

    /// How the results hang together: trial by trial if there are as many as the blocks have, else by
    /// the blocks.
    fn correlation(&self, frame: &Frame) -> f64 {
        let blocks = self.difference.count();
        if self.joint_trials.count() + blocks == 0 {
            return f64::NAN;
        }
        if self.joint_trials.count() >= (blocks * frame.design.block).max(2) {
            self.joint_trials.correlation()
        } else if blocks < LEAST_BLOCKS {
            // Few points always lie near a line.
            0.0
        } else {
            self.joint.correlation()
        }
    }

    /// Half the interval for one look, from the blocks.
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

/// What each of the differences between the best strand and the others gets of `alpha`.
fn with_best(frame: &Frame, alpha: f64) -> f64 {
    alpha / (frame.known.len() - 1) as f64
}

impl Duels {
    pub(super) fn new(frame: &Frame) -> Self {
        Self {
            all: vec![
                Duel {
                    trials: Series::new(&frame.duel_design),
                    ..Duel::default()
                };
                frame.duels().count()
            ],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The results of a trial that strands have in common; `None` for one that has not played it.
    pub(super) fn offer_trial(&mut self, frame: &Frame, cell: Cell, results: &[Option<f64>]) {
        for ((i, j), duel) in frame.duels().zip(&mut self.all) {
            if let (Some(a), Some(b)) = (results[i], results[j]) {
                duel.trials.push(&frame.duel_design, cell, a - b);
                duel.joint_trials.push(a, b);
            }
        }
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
        let share = with_best(frame, alpha);
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
        let share = with_best(frame, alpha);
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
            let ever = |alpha: f64| around(d.mean(), duel.radius(frame, alpha));
            let (trials, mean, se, fixed) = match duel.in_step(frame) {
                Some(s) => {
                    let fixed = |alpha: f64| around(s.mean, student(s.dof, alpha) * s.se);
                    (s.n, s.mean, s.se, [fixed(ALPHA), fixed(share)])
                }
                // No block yet: the mean of what there is, if anything, without an error.
                None if d.count() == 0 => {
                    let told = duel.trials.all();
                    let mean = match told.count() {
                        0 => f64::NAN,
                        _ => told.mean(),
                    };
                    let unknown = around(mean, f64::INFINITY);
                    (told.count(), mean, f64::INFINITY, [unknown; 2])
                }
                None => {
                    let fixed = |alpha: f64| around(d.mean(), duel.fixed_radius(frame, alpha));
                    let trials = d.count() * frame.design.block;
                    (
                        trials,
                        d.mean(),
                        d.standard_error(),
                        [fixed(ALPHA), fixed(share)],
                    )
                }
            };
            PlayDifference {
                first,
                second,
                trials,
                equity: Estimate {
                    mean,
                    se,
                    ci95: fixed[0],
                    anytime95: hull(ever(ALPHA), fixed[0]),
                },
                simultaneous_ci95: fixed[1],
                simultaneous95: ever(with_best(frame, ALPHA)),
                correlation: duel.correlation(frame),
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
                && d.trials
                    .is_sound(d.trials.all().count(), &frame.duel_design)
                && d.joint.is_sound()
                && d.joint_trials.is_sound()
                && d.joint.count() == d.difference.count()
                && d.ahead.len() <= MOST_AHEAD
                && d.ahead.iter().all(|m| m.is_finite())
        };
        self.all.len() == frame.duels().count() && self.all.iter().all(sound)
    }
}
