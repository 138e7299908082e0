//! 95% intervals that hold at all times at once (confidence sequences).
//!
//! Optional stopping invalidates fixed-sample intervals: they miss more often than they promise,
//! and with endless looking always. A confidence sequence contains the true mean at *every* look
//! together with chance 95%, so stopping at will is allowed.
//!
//! **The one in use** ([`student_radius`]) comes from the t-test with a Gaussian mixture over
//! effect sizes. Let an estimate m of the mean μ be Gaussian, with the standard error s on ν degrees of freedom.
//! With t = (m - μ) / s and a mixture N(0, g) over (mean - μ)/σ of each of n blocks, the ratio
//!
//! ```text
//! B_n(μ) = (1 + n g)^(-1/2) · [ (1 + t²/ν) / (1 + t²/(ν (1 + n g))) ]^((ν + 1)/2)
//! ```
//!
//! is a nonnegative martingale of mean one, whatever the variance, and whatever the effects of strata that a
//! linear model takes out of s. By Ville's inequality it ever reaches 1/α with chance at most α, so the set of μ
//! with B_n(μ) < 1/α covers for all n at once. With C = ((1 + n g)^(1/2) / α)^(2/(ν + 1)) that set is the interval
//!
//! ```text
//! |m - μ| < s √( ν (C - 1) / (1 - C/(1 + n g)) ),     everything while C ≥ 1 + n g.
//! ```
//!
//! Sources: Lai, *On confidence sequences*, Annals of Statistics 4 (1976). Wang & Ramdas,
//! *Anytime-valid t-tests and confidence sequences for Gaussian means with unknown variance*,
//! Sequential Analysis (2025; arXiv 2310.03722). Lindon, Ham, Tingley & Bojinov, *Anytime-valid linear models and
//! regression adjusted causal inference in randomized experiments* (arXiv 2210.08589). The Bayes factor is the one of
//! Gönen and others, *The Bayesian two-sample t test* (2005).
//!
//! **For comparison**, in the tests: Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas,
//! *Time-uniform central limit theory and asymptotic confidence sequences*, Annals of Statistics 52
//! (2024). It has no Gaussian assumption, but is valid only in the limit. After few observations it
//! covers too little.

use super::portable::{exp, exp_m1, ln};

/// The most degrees of freedom that a block of trials brings. Trials are less Gaussian than means of blocks: their
/// kurtosis is about 13 (6 to 32 in differences of four decisions). So the variance of 36 of them is known as if they
/// were 6 Gaussian ones.
const MOST_FREEDOM: f64 = 6.0;

/// Half-width of the anytime-valid interval around an estimate with standard error `se` on `dof` degrees of freedom,
/// after so many `blocks`, missing with chance at most `alpha`. Infinite while the data say nothing.
///
/// The variance g of effect sizes is that of *unit information*, a prior worth one block. Around n g ≈ 8 the interval is
/// tightest, so this serves sequences of some tens of blocks best. It is within a fifth of the width of the best choice
/// for any number of blocks from 8 to 1000 (see the tests).
pub fn student_radius(se: f64, dof: f64, blocks: u64, alpha: f64) -> f64 {
    let blocks = blocks as f64;
    student_radius_of(se, dof.min(MOST_FREEDOM * blocks), blocks, alpha)
}

/// [`student_radius`] for `information` n g.
fn student_radius_of(se: f64, dof: f64, information: f64, alpha: f64) -> f64 {
    let wide = 1.0 + information;
    let log_c = 2.0 / (dof + 1.0) * (0.5 * ln(wide) - ln(alpha));
    let c = exp(log_c);
    if !se.is_finite() || c >= wide {
        return f64::INFINITY;
    }
    se * (dof * exp_m1(log_c) / (1.0 - c / wide)).sqrt()
}

/// The level of a two-sided interval each of whose ends by itself misses with chance `alpha` at most.
///
/// A test against one side takes the mixture of that side alone: twice the half of the Gaussian mixture. On the side of
/// the data the Bayes factor of the other half is less than 1, so that this one is at least `2 B - 1`.
pub fn level_of_ends(alpha: f64) -> f64 {
    2.0 * alpha / (1.0 + alpha)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Moments;
    use crate::stats::interval::{ALPHA, student_975};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    /// Half-width of the asymptotic confidence sequence of Waudby-Smith and others (their formula for
    /// the Gaussian mixture boundary), after `n` observations of sample variance `variance`, tuned by
    /// `rho`.
    fn asymptotic_radius(n: u64, variance: f64, rho: f64, alpha: f64) -> f64 {
        if n < 2 {
            return f64::INFINITY;
        }
        let n = n as f64;
        let r = n * rho * rho;
        (variance * 2.0 * (r + 1.0) / (n * r) * ((r + 1.0).sqrt() / alpha).ln()).sqrt()
    }

    /// The `rho` for which [`asymptotic_radius`] is about tightest after `n` observations (their
    /// approximation of the optimum).
    fn rho_for(n: u64, alpha: f64) -> f64 {
        let a = -2.0 * alpha.ln();
        ((a + a.ln() + 1.0) / n as f64).sqrt()
    }

    /// The radius after blocks with these means, of which only the spread of the means is known.
    fn radius_of_blocks(m: &Moments, g: f64, alpha: f64) -> f64 {
        let n = m.count() as f64;
        student_radius_of(m.standard_error(), n - 1.0, n * g, alpha)
    }

    fn uniform(rng: &mut ChaCha8Rng) -> f64 {
        ((rng.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn gaussian(rng: &mut ChaCha8Rng) -> f64 {
        let radius = (-2.0 * uniform(rng).ln()).sqrt();
        radius * (std::f64::consts::TAU * uniform(rng)).cos()
    }

    /// Shares of `runs` sequences of `length` observations whose mean (0) was inside at every
    /// look, by (the anytime interval, the asymptotic one, Student's fixed-sample one).
    fn coverage(
        runs: usize,
        length: u64,
        mut draw: impl FnMut(&mut ChaCha8Rng) -> f64,
    ) -> [f64; 3] {
        let mut held = [0usize; 3];
        let rho = rho_for(36, ALPHA);
        for run in 0..runs {
            let mut rng = ChaCha8Rng::seed_from_u64(run as u64);
            let mut m = Moments::default();
            let mut ok = [true; 3];
            for n in 1..=length {
                m.push(draw(&mut rng));
                if n < 2 {
                    continue;
                }
                let radii = [
                    radius_of_blocks(&m, 1.0, ALPHA),
                    asymptotic_radius(n, m.variance(), rho, ALPHA),
                    student_975((n - 1) as f64) * m.standard_error(),
                ];
                for (ok, radius) in ok.iter_mut().zip(radii) {
                    *ok &= m.mean().abs() < radius;
                }
            }
            for (held, ok) in held.iter_mut().zip(ok) {
                *held += usize::from(ok);
            }
        }
        held.map(|h| h as f64 / runs as f64)
    }

    #[test]
    fn the_interval_is_the_set_where_the_bayes_factor_is_small() {
        let bayes_factor = |n: f64, squares: f64, distance: f64, g: f64| {
            let nu = n - 1.0;
            let t2 = n * distance * distance / (squares / nu);
            let wide = 1.0 + n * g;
            wide.powf(-0.5) * ((1.0 + t2 / nu) / (1.0 + t2 / (nu * wide))).powf(n / 2.0)
        };
        for n in [5.0f64, 8.0, 40.0, 1000.0] {
            let (squares, dof) = (3.7 * n, n - 1.0);
            let radius = student_radius_of((squares / (n * dof)).sqrt(), dof, n, ALPHA);
            let at = bayes_factor(n, squares, radius, 1.0);
            assert!((at * ALPHA - 1.0).abs() < 1e-9, "n {n}: {at}");
        }
        assert_eq!(student_radius_of(1.0, 3.0, 4.0, ALPHA), f64::INFINITY);
    }

    #[test]
    fn unit_information_is_nearly_the_best_mixture_over_the_whole_range() {
        for n in [8.0, 12.0, 36.0, 100.0, 300.0, 1000.0] {
            let radius = |g: f64| student_radius_of(1.0, n - 1.0, n * g, ALPHA);
            let best = (-60..=40)
                .map(|e| radius(10f64.powf(f64::from(e) / 10.0)))
                .fold(f64::INFINITY, f64::min);
            let ratio = radius(1.0) / best;
            assert!(ratio < 1.2, "{n}: {ratio}");
        }
    }

    #[test]
    fn looking_after_every_block_breaks_the_fixed_interval_but_not_this_one() {
        let [anytime, asymptotic, fixed] = coverage(2000, 300, gaussian);
        // Binomial standard error of 95% in 2000 runs: 0.5%.
        assert!(anytime >= 0.94, "{anytime}");
        assert!(fixed < 0.75, "{fixed}");
        // Why the exact one is preferred: the asymptotic one has not reached its limit yet.
        assert!(asymptotic < anytime, "{asymptotic} {anytime}");
    }

    /// Each end by itself, at every look: a sequence that is wide and one that is narrow.
    #[test]
    fn one_end_misses_no_more_often_than_it_says() {
        let runs = 2000;
        let mut missed = [0; 2];
        for run in 0..runs {
            let mut rng = ChaCha8Rng::seed_from_u64(run);
            let mut m = Moments::default();
            let mut over = [false; 2];
            for _ in 1..=200 {
                m.push(gaussian(&mut rng));
                for (over, alpha) in over.iter_mut().zip([0.05, 0.02]) {
                    let level = level_of_ends(alpha);
                    let radius = radius_of_blocks(&m, 1.0, level);
                    *over |= m.mean() - radius > 0.0;
                }
            }
            missed
                .iter_mut()
                .zip(over)
                .for_each(|(missed, over)| *missed += u64::from(over));
        }
        // Twice the binomial standard error on top.
        assert!(missed[0] <= 120 && missed[1] <= 53, "{missed:?}");
        // And not half as often, which the interval of both ends would do.
        assert!(missed[0] >= 40, "{missed:?}");
    }

    /// Shares of `runs` rollouts of 72 blocks of 36 trials whose mean (0) was inside after every block, by the interval
    /// from the error of single trials.
    fn coverage_of_trials(runs: u64, mut draw: impl FnMut(&mut ChaCha8Rng) -> f64) -> f64 {
        let mut held = 0;
        for run in 0..runs {
            let mut rng = ChaCha8Rng::seed_from_u64(run);
            let mut m = Moments::default();
            held += u64::from((1..=72).all(|blocks| {
                (0..36).for_each(|_| m.push(draw(&mut rng)));
                let dof = (m.count() - 1) as f64;
                m.mean().abs() < student_radius(m.standard_error(), dof, blocks, ALPHA)
            }));
        }
        held as f64 / runs as f64
    }

    #[test]
    fn trials_with_long_or_skewed_tails_are_gaussian_enough() {
        // One trial in ten is won; one in twenty varies five times as much (kurtosis 20).
        let skewed = coverage_of_trials(1500, |rng| f64::from(uniform(rng) < 0.1) - 0.1);
        let long = coverage_of_trials(1500, |rng| {
            let spread = if uniform(rng) < 0.05 { 5.0 } else { 1.0 };
            spread * gaussian(rng)
        });
        // Binomial standard error of 95% in 1500 runs: 0.6%.
        assert!(skewed >= 0.94 && long >= 0.94, "{skewed} {long}");
    }
}
