//! Every two of several candidates, counted trial by trial and by the means of their blocks.
//!
//! Candidates that are played in step have every trial in common: the interval for a fixed sample comes
//! from the differences of the trials, as that of a pair does. In a race those that are left are in step, give or
//! take a block, which waits for the other's.
//!
//! Candidates with coupled dice have block *j* in common, however many blocks each has: what counts is
//! the difference of its two means. Blocks are nearly Gaussian, and independent unless the dice balance
//! pairs of rolls across them, so that intervals of the differences hold at all times. What that says
//! about the candidates is read off in [`comparison`](super::comparison).

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::rollout_design::RolloutDesign;
use crate::stats::best::Beside;
use crate::stats::changes::{Changes, ROUNDING};
use crate::stats::evidence::Rare;
use crate::stats::{Cell, CoMoments, ErrorMethod, Evidence, Moments, Series};

/// Blocks by which one candidate may be ahead of another: one that is farther ahead goes on alone.
const MOST_AHEAD: usize = 16;
/// Blocks by which a candidate may be ahead while single trials are compared: in a race one that is farther
/// ahead has left the other behind.
const MOST_AHEAD_IN_STEP: usize = 2;
/// Fewest blocks from which a covariance is believed.
const LEAST_BLOCKS: u64 = 5;

/// The differences of every two candidates.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct Pairwise {
    all: Vec<PairDifferences>,
}

/// What is counted of the difference of two candidates.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
struct PairDifferences {
    difference: Moments,
    /// Their differences trial by trial, as long as they are in step.
    trials: Series,
    joint: CoMoments,
    /// The results of both, trial by trial, as long as they are in step.
    #[serde(default)]
    joint_trials: CoMoments,
    /// The blocks of the one that is ahead.
    #[serde(default, skip_serializing_if = "WaitingBlocks::is_empty")]
    waiting: WaitingBlocks,
    /// Means of blocks of the one that is ahead, and whether it is the first.
    ahead: Vec<f64>,
    first_is_ahead: bool,
    /// Whether they have no more blocks to come together.
    closed: bool,
    /// How often the differences of blocks have changed.
    #[serde(default)]
    changes: Changes,
    /// Whether the luck of the two has ever differed.
    #[serde(default)]
    luck_differed: bool,
}

/// A trial of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CountedTrial {
    pub(super) cell: Cell,
    /// The equity with the luck subtracted, and the luck.
    pub(super) equity_and_luck: [f64; 2],
}

/// Blocks of one of two candidates that the other has not played yet.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
struct WaitingBlocks {
    blocks: VecDeque<Vec<CountedTrial>>,
    of_first: bool,
    /// Whether a block was given up: what comes later does not belong together.
    is_broken: bool,
}

impl WaitingBlocks {
    fn is_empty(&self) -> bool {
        self.blocks.is_empty() && !self.is_broken
    }

    /// Takes in the next block of one of them. Returns the block of the other that belongs to it; if there is
    /// none yet, the block waits.
    fn offer(&mut self, is_first: bool, block: &[CountedTrial]) -> Option<Vec<CountedTrial>> {
        if self.is_broken {
            return None;
        }
        if !self.blocks.is_empty() && self.of_first != is_first {
            return self.blocks.pop_front();
        }
        self.of_first = is_first;
        self.blocks.push_back(block.to_vec());
        if self.blocks.len() > MOST_AHEAD_IN_STEP {
            self.blocks.clear();
            self.is_broken = true;
        }
        None
    }

    fn is_sound(&self, block: u64) -> bool {
        let finite = |t: &CountedTrial| t.equity_and_luck.iter().all(|x| x.is_finite());
        let sound = |b: &Vec<CountedTrial>| b.len() as u64 == block && b.iter().all(finite);
        self.blocks.len() <= MOST_AHEAD_IN_STEP && self.blocks.iter().all(sound)
    }
}

impl PairDifferences {
    /// Counts a trial that both have played.
    fn push_trial(&mut self, design: &RolloutDesign, cell: Cell, [a, b]: [[f64; 2]; 2]) {
        let ([a, luck], [b, other]) = (a, b);
        self.trials.push(&design.pairwise_design, cell, a - b);
        self.joint_trials.push(a, b);
        self.luck_differed |= (luck - other).abs() > ROUNDING;
    }

    /// Takes in the next block of one of them, and counts its trials together with those of the other.
    fn offer_block(&mut self, design: &RolloutDesign, is_first: bool, block: &[CountedTrial]) {
        let Some(other) = self.waiting.offer(is_first, block) else {
            return;
        };
        for (own, other) in block.iter().zip(&other) {
            let (own, other, cell) = (own.equity_and_luck, other.equity_and_luck, own.cell);
            let both = if is_first { [own, other] } else { [other, own] };
            self.push_trial(design, cell, both);
        }
    }

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
        self.changes.push(a - b);
        self.joint.push(a, b);
    }

    /// What is known of the difference: from single trials, if there are as many as the blocks have,
    /// else from the blocks. `bounds` has the least and the largest difference of a trial, if there may
    /// be any that was not seen.
    fn evidence(&self, design: &RolloutDesign, bounds: Option<[f64; 2]>) -> Evidence {
        let bounds = bounds.filter(|_| !self.luck_differed);
        let of_pairs = &design.pairwise_design;
        let d = &self.difference;
        if self.trials.all().count() >= d.count() * of_pairs.block {
            let evidence = match bounds {
                Some(bounds) => self.trials.evidence_within(of_pairs, bounds),
                None => self.trials.evidence(of_pairs),
            };
            return Evidence {
                blocks: *d,
                ..evidence
            };
        }
        let observed = (d.count() * of_pairs.block, d.count());
        let rare = bounds.zip(self.changes.few());
        let rare = rare.map(|(bounds, seen)| Rare::new(seen, observed, of_pairs, bounds));
        Evidence {
            n: d.count() * of_pairs.block,
            mean: d.mean(),
            se: d.standard_error(),
            dof: d.count().saturating_sub(1) as f64,
            method: match (d.count(), rare) {
                (0 | 1, _) => ErrorMethod::Unknown,
                (_, Some(_)) => ErrorMethod::Rare,
                (_, None) => ErrorMethod::Blocks,
            },
            blocks: *d,
            rare,
        }
    }

    /// Correlation of the results: trial by trial if there are as many as the blocks have, else by
    /// the blocks. Not a number where one of them never varied, or too little is shared.
    fn correlation(&self, design: &RolloutDesign) -> f64 {
        let blocks = self.difference.count();
        if self.joint_trials.count() >= (blocks * design.trial_design.block).max(2) {
            self.joint_trials.correlation()
        } else if blocks < LEAST_BLOCKS {
            // Few points always lie near a line.
            f64::NAN
        } else {
            self.joint.correlation()
        }
    }
}

impl Pairwise {
    pub(super) fn new(design: &RolloutDesign) -> Self {
        Self {
            all: vec![
                PairDifferences {
                    trials: Series::new(&design.pairwise_design),
                    ..PairDifferences::default()
                };
                design.pairwise().count()
            ],
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Takes in a trial that all candidates have played: the results with the luck subtracted, and the luck.
    pub(super) fn offer_trial(&mut self, design: &RolloutDesign, cell: Cell, results: &[[f64; 2]]) {
        for ((i, j), pair) in design.pairwise().zip(&mut self.all) {
            pair.push_trial(design, cell, [results[i], results[j]]);
        }
    }

    /// Takes in the trials of the next block of `candidate`.
    pub(super) fn offer_block(
        &mut self,
        design: &RolloutDesign,
        candidate: usize,
        block: &[CountedTrial],
    ) {
        for ((i, j), pair) in design.pairwise().zip(&mut self.all) {
            if i == candidate || j == candidate {
                pair.offer_block(design, i == candidate, block);
            }
        }
    }

    /// Takes in the mean of the next block of `candidate`.
    pub(super) fn offer(&mut self, design: &RolloutDesign, candidate: usize, mean: f64) {
        for ((i, j), pair) in design.pairwise().zip(&mut self.all) {
            if i == candidate || j == candidate {
                pair.offer(i == candidate, mean);
            }
        }
    }

    fn pair(&self, design: &RolloutDesign, i: usize, j: usize) -> Option<&PairDifferences> {
        let n = design.known.len();
        // The order of `RolloutDesign::pairwise`.
        self.all.get(i * (2 * n - i - 1) / 2 + j - i - 1)
    }

    /// What is known of candidate `i` less candidate `j`, a later one; `None` where candidates are not
    /// compared.
    pub(super) fn evidence(
        &self,
        design: &RolloutDesign,
        i: usize,
        j: usize,
        bounds: Option<[f64; 2]>,
    ) -> Option<Evidence> {
        let pair = self.pair(design, i, j)?;
        Some(pair.evidence(design, bounds))
    }

    /// Correlation of the results of candidates `i` and `j`; not a number where it is not known.
    pub(super) fn correlation(&self, design: &RolloutDesign, i: usize, j: usize) -> f64 {
        let pair = self.pair(design, i, j);
        pair.map_or(f64::NAN, |pair| pair.correlation(design))
    }

    /// The block means of two candidates, of the earlier one first, as far as both have the blocks.
    fn joint(&self, design: &RolloutDesign, i: usize, j: usize) -> Option<&CoMoments> {
        let pair = self.pair(design, i.min(j), i.max(j))?;
        Some(&pair.joint)
    }

    /// Covariances of what is known of the candidates, row by row, from those of block means; `None` while too few
    /// blocks are in. Known is the mean of each, or `beside` another one the mean of the differences of their blocks.
    pub(super) fn covariance(
        &self,
        design: &RolloutDesign,
        candidates: &[Moments],
        beside: Option<&Beside>,
    ) -> Option<Vec<f64>> {
        let k = candidates.len();
        let enough = |pair: &PairDifferences| pair.joint.count() >= LEAST_BLOCKS;
        if self.is_empty() || !self.all.iter().all(enough) {
            return None;
        }
        let base = |i: usize| beside.filter(|b| b.differs[i]).map(|b| b.reference);
        let count = |i: usize| {
            let own = candidates[i].count();
            base(i).map_or(own, |base| own.min(candidates[base].count()))
        };
        let mut all = vec![0.0; k * k];
        for (i, blocks) in candidates.iter().enumerate() {
            let variance = match base(i) {
                Some(base) => self.joint(design, i, base)?.difference_variance(),
                None => blocks.variance(),
            };
            all[i * k + i] = match count(i) {
                0 => 0.0,
                n => variance / n as f64,
            };
        }
        for (i, j) in design.pairwise() {
            // Two means have only the blocks in common that both candidates have.
            let most = count(i).max(count(j));
            let covariance = self.block_covariance(design, [i, j], [base(i), base(j)])?;
            all[i * k + j] = covariance / most as f64;
            all[j * k + i] = all[i * k + j];
        }
        Some(all)
    }

    /// Covariance of the block means of two candidates, each less those of its `base` if it has one.
    fn block_covariance(
        &self,
        design: &RolloutDesign,
        [i, j]: [usize; 2],
        bases: [Option<usize>; 2],
    ) -> Option<f64> {
        let joint = |i, j| self.joint(design, i, j);
        let apart = |i, j| joint(i, j).map(CoMoments::difference_variance);
        let own = joint(i, j)?;
        let (one, base) = match bases {
            [None, None] => return Some(own.covariance()),
            // Three variances of differences, so that each is that of the pair wherever all have the same blocks.
            [Some(base), Some(_)] => {
                return Some((apart(i, base)? + apart(j, base)? - apart(i, j)?) / 2.0);
            }
            [None, Some(base)] => (i, base),
            [Some(base), None] => (j, base),
        };
        let with_base = match one == base {
            true => own.variances()[usize::from(base == i.max(j))],
            false => joint(one, base)?.covariance(),
        };
        Some(own.covariance() - with_base)
    }

    pub(super) fn is_sound(&self, design: &RolloutDesign) -> bool {
        let sound = |d: &PairDifferences| {
            d.difference.is_sound()
                && d.trials
                    .is_sound(d.trials.all().count(), &design.pairwise_design)
                && d.joint.is_sound()
                && d.joint_trials.is_sound()
                && d.joint.count() == d.difference.count()
                && d.changes.is_sound(d.difference.count())
                && d.waiting.is_sound(design.trial_design.block)
                && d.ahead.len() <= MOST_AHEAD
                && d.ahead.iter().all(|m| m.is_finite())
        };
        self.all.len() == design.pairwise().count() && self.all.iter().all(sound)
    }
}
