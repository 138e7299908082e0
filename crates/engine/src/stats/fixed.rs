//! The fixed-sample standard error of a run of observations, by what its design balances.

use super::interval::student_975;
use super::portable::square;
use super::summary::FixedSampleError;
use super::{Design, ErrorMethod, Series, additive, strata};

/// Fewest blocks whose spread is believed: with fewer Student's factor costs more than an error that
/// does not know of all that is balanced.
const FEWEST_BLOCKS: u64 = 6;
/// An estimate that is the rest of a subtraction is not believed below this share of what was
/// subtracted from.
const LEAST_REST: f64 = 0.02;
/// Fewest degrees of freedom within cells from which the effect of pairs is estimated.
const FEWEST_WITHIN: f64 = 10.0;

/// A variance of a single observation, such that divided by their number it is that of the mean.
#[derive(Clone, Copy, Debug)]
struct Spread {
    variance: f64,
    dof: f64,
}

impl Spread {
    /// The residual `left` of the variance `of`; `uncertain` is the variance of that estimate.
    fn rest(of: f64, left: f64, uncertain: f64) -> Self {
        let variance = left.max(LEAST_REST * of);
        let dof = if uncertain > 0.0 {
            (2.0 * variance * variance / uncertain).max(1.0)
        } else {
            f64::INFINITY
        };
        Self { variance, dof }
    }

    /// Half the width of the 95% interval, times the square root of the number of observations.
    fn radius(&self) -> f64 {
        student_975(self.dof) * self.variance.sqrt()
    }
}

impl Series {
    /// The mean and its standard error, by what the design balances.
    pub(super) fn error(&self, design: &Design) -> FixedSampleError {
        let all = &self.all;
        let n = all.count() as f64;
        let told = |mean: f64, spread: Spread, method| FixedSampleError {
            mean,
            se: (spread.variance / n).sqrt(),
            dof: spread.dof,
            method,
        };
        if design.correlated
            && let Some(spread) = self.of_blocks(design)
        {
            return told(all.mean(), spread, ErrorMethod::Blocks);
        }
        if let Some(first) = strata::estimate(&self.strata, &design.strata) {
            if let Some((mean, spread, method)) = self.of_pairs(design, &first) {
                return told(mean, spread, method);
            }
            return FixedSampleError {
                mean: first.mean,
                se: first.se,
                dof: first.dof,
                method: ErrorMethod::Stratified,
            };
        }
        FixedSampleError {
            mean: all.mean(),
            se: all.standard_error(),
            dof: all.count().saturating_sub(1) as f64,
            method: match all.count() {
                0 | 1 => ErrorMethod::Unknown,
                _ => ErrorMethod::Naive,
            },
        }
    }

    /// The share of the observations that are in whole blocks.
    fn closed(&self, design: &Design) -> f64 {
        (self.blocks.count() * design.block) as f64 / self.all.count() as f64
    }

    /// The spread from block means; `None` of fewer than [`FEWEST_BLOCKS`]. The open block, which does not
    /// have its full balance yet, counts as if its observations were independent.
    ///
    /// Where every pair comes round, blocks are not independent: the interaction of pairs cancels out
    /// over a square. It is estimated from the table of pairs and subtracted, if that narrows the
    /// interval.
    fn of_blocks(&self, design: &Design) -> Option<Spread> {
        let blocks = self.blocks.count();
        if blocks < FEWEST_BLOCKS {
            return None;
        }
        let dof = (blocks - 1) as f64;
        let mut whole = Spread {
            variance: design.block as f64 * self.blocks.variance(),
            dof,
        };
        let gone = 1.0 - design.unbalanced_share(blocks);
        if gone > 0.0
            && let Some(fit) = additive::fit(&self.pairs, design.second_strata)
            && fit.cells_dof >= FEWEST_WITHIN
        {
            let left = whole.variance - gone * (fit.additive - fit.cells).max(0.0);
            let uncertain = 2.0 * whole.variance * whole.variance / dof;
            let less = Spread::rest(whole.variance, left, uncertain);
            if less.radius() < whole.radius() {
                whole = less;
            }
        }
        if self.open.count() == 0 {
            return Some(whole);
        }
        let closed = self.closed(design);
        let parts = [
            (closed * whole.variance, whole.dof),
            (
                (1.0 - closed) * self.all.variance(),
                dof * design.block as f64,
            ),
        ];
        let (variance, both) = strata::satterthwaite(parts);
        Some(Spread {
            variance,
            dof: both.unwrap_or(dof),
        })
    }

    /// Mean, spread and estimator where second numbers are balanced too; `None` where they are not, or there
    /// are too few observations. Before every pair has been seen: the residual variance around the effects of
    /// both numbers, less so much of their interaction as is balanced already. From then on: the variance
    /// within pairs. In either case less the effects of later numbers that are balanced. `first` is the
    /// estimate within first ones.
    fn of_pairs(
        &self,
        design: &Design,
        first: &strata::Stratified,
    ) -> Option<(f64, Spread, ErrorMethod)> {
        if design.pairs.is_empty() {
            return None;
        }
        let n = self.all.count() as f64;
        let full = strata::estimate_pairs(&self.pairs, &design.pairs, design.second_strata);
        if let Some(e) = full
            && design.later_numbers == 0
        {
            let spread = Spread {
                variance: e.se * e.se * n,
                dof: e.dof,
            };
            return Some((e.mean, spread, ErrorMethod::StratifiedPairs));
        }
        let fit = additive::fit(&self.pairs, design.second_strata)?;
        let (closed, left) = (
            self.closed(design),
            design.unbalanced_share(self.blocks.count()),
        );
        // Numbers that are not in the table, as far as whole blocks balance them. What leaks into their
        // levels: the rest, all of the second numbers, and of the first as much as pairs with these
        // are out of balance.
        let leak = fit.rows.max(fit.additive) + left * (self.all.variance() - fit.rows).max(0.0);
        let columns = self.later_numbers.chunks_exact(design.second_strata.max(1));
        let effects: f64 = columns.map(|c| additive::main_effect(c, leak)).sum();
        let levels = (design.later_numbers * design.second_strata) as f64;
        let of_effects = 2.0 * levels * square(closed * fit.additive / n);
        if let Some(e) = full {
            let within = e.se * e.se * n;
            let uncertain = 2.0 * within * within / e.dof + of_effects;
            let spread = Spread::rest(within, within - closed * effects, uncertain);
            return Some((e.mean, spread, ErrorMethod::StratifiedPairs));
        }
        let gone = if fit.cells_dof < FEWEST_WITHIN {
            0.0
        } else {
            closed * (1.0 - left)
        };
        let unbalanced = (1.0 - closed) * (fit.rows - fit.additive).max(0.0);
        let together = (fit.additive - fit.cells).max(0.0);
        let rest = fit.additive + unbalanced - closed * effects - gone * together;
        // Spread that only a few strata have is known less well than its degrees of freedom say.
        let freedom = n - self.strata.len() as f64;
        let dof = fit.dof * (first.dof / freedom).min(1.0);
        let mut uncertain = 2.0 * square((1.0 - gone) * fit.additive) / dof + of_effects;
        if gone > 0.0 {
            uncertain += 2.0 * square(gone * fit.cells) / fit.cells_dof;
        }
        let spread = Spread::rest(fit.additive, rest, uncertain);
        Some((first.mean, spread, ErrorMethod::Additive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Cell, Moments};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    const N: usize = 36;

    fn shuffled(rng: &mut ChaCha8Rng) -> [usize; N] {
        let mut order = std::array::from_fn(|i| i);
        for last in (1..N).rev() {
            order.swap(last, rng.next_u32() as usize % (last + 1));
        }
        order
    }

    fn gaussian(rng: &mut ChaCha8Rng) -> f64 {
        (0..12)
            .map(|_| f64::from(rng.next_u32()) / 4_294_967_296.0 - 0.5)
            .sum()
    }

    /// Latin squares of 36 numbers, of which two neighbours are alike: the mean of `blocks` blocks and
    /// `open` observations more, again and again. A second number depends on the first in its effect, a
    /// third one only adds to the sum. Mean squared error over mean claimed variance, and the share of
    /// intervals that hold.
    fn tried(design: &Design, blocks: usize, open: usize) -> (f64, f64, ErrorMethod) {
        let runs = 800;
        let (mut squares, mut claimed, mut held) = (Moments::default(), Moments::default(), 0);
        let mut method = ErrorMethod::Unknown;
        for run in 0..runs {
            let mut rng = ChaCha8Rng::seed_from_u64(run);
            let mut series = Series::new(design);
            let mut orders = [[0; N]; 4];
            for i in 0..blocks * N + open {
                let (block, first) = (i / N, i % N);
                if i % (N * N) == 0 {
                    orders = std::array::from_fn(|_| shuffled(&mut rng));
                }
                let second = orders[1][(orders[0][first] + block) % N];
                let third = orders[3][(orders[2][first] + block) % N];
                let [a, b, c] = [first, second, third].map(|n| (n / 2) as f64 / 3.4 - 2.5);
                let x = 2.0 * a + 1.5 * b + 0.6 * a * b + 0.7 * c + gaussian(&mut rng);
                let cell = Cell {
                    stratum: first as u16,
                    pair: (first / 2 * (N / 2) + second / 2) as u16,
                    later_numbers: [(third / 2) as u16, 0],
                };
                series.push(design, cell, x);
            }
            let s = series.summary(design);
            // The true mean is 0.
            squares.push(s.mean * s.mean);
            claimed.push(s.se * s.se);
            held += u64::from(s.ci95[0] <= 0.0 && 0.0 <= s.ci95[1]);
            method = s.method;
        }
        let honesty = squares.mean() / claimed.mean();
        (honesty, held as f64 / runs as f64, method)
    }

    fn design(later_numbers: usize, correlated: bool) -> Design {
        let (n, half) = (N as f64, (N / 2) as f64);
        Design {
            block: N as u64,
            strata: vec![1.0 / n; N],
            pairs: vec![1.0 / (half * half); N * N / 4],
            second_strata: N / 2,
            later_numbers,
            latin_period: N as u64,
            correlated,
            product: false,
        }
    }

    /// What is claimed is what is: after some blocks of a square, after nearly all, after a whole one, and
    /// in the middle of a block.
    #[test]
    fn balanced_numbers_are_no_error() {
        for (blocks, open, expected) in [
            (4, 0, ErrorMethod::Additive),
            (10, 17, ErrorMethod::Additive),
            (30, 0, ErrorMethod::Additive),
            (36, 0, ErrorMethod::StratifiedPairs),
            (50, 0, ErrorMethod::StratifiedPairs),
        ] {
            let (honesty, held, method) = tried(&design(1, false), blocks, open);
            let case = format!("{blocks} blocks and {open}: {honesty} {held}");
            assert_eq!(method, expected, "{case}");
            // Standard errors 5% and 0.8%.
            assert!((0.82..1.18).contains(&honesty), "{case}");
            assert!((0.925..0.98).contains(&held), "{case}");
        }
    }

    /// An estimate that ignores the third number errs on the safe side. Blocks find it out; of what
    /// pairs do together they take off what narrows the interval.
    #[test]
    fn blocks_know_what_strata_do_not() {
        let (honesty, held, _) = tried(&design(0, false), 36, 0);
        assert!(honesty < 0.7 && held > 0.965, "{honesty} {held}");
        for (blocks, least) in [(8, 0.65), (45, 0.65), (36, 0.2)] {
            let (honesty, held, method) = tried(&design(0, true), blocks, 0);
            assert_eq!(method, ErrorMethod::Blocks);
            let case = format!("{blocks}: {honesty} {held}");
            assert!((least..1.2).contains(&honesty), "{case}");
            assert!(held > 0.925, "{case}");
        }
    }

    #[test]
    fn few_blocks_are_not_believed() {
        let design = Design {
            block: 4,
            correlated: true,
            ..Design::default()
        };
        let mut series = Series::new(&design);
        for i in 0..20 {
            series.push(&design, Cell::default(), f64::from(i % 7));
        }
        assert_eq!(series.summary(&design).method, ErrorMethod::Naive);
        for i in 20..24 {
            series.push(&design, Cell::default(), f64::from(i % 7));
        }
        let summary = series.summary(&design);
        assert_eq!((summary.method, summary.dof), (ErrorMethod::Blocks, 5.0));
    }
}
