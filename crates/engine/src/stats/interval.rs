//! 95% intervals for a number of observations that was fixed before looking.

use super::Moments;
use super::changes::ROUND_OFF;
use super::portable::{exp, student_quantile};

/// Chance with which the intervals of this program miss: one in twenty.
pub const ALPHA: f64 = 0.05;

/// 97.5% quantile of the standard normal distribution.
pub const NORMAL_975: f64 = 1.959_963_984_540_054;

/// 97.5% quantile of Student's t with `dof` degrees of freedom (not necessarily a whole number):
/// half the width, in standard errors, of a two-sided 95% interval. Infinite below one degree:
/// then the data say nothing.
pub fn student_975(dof: f64) -> f64 {
    student(dof, ALPHA)
}

/// Half the width, in standard errors, of a two-sided interval that misses with chance `alpha`: for
/// the shares of several intervals that are to hold together. Infinite below one degree.
pub fn student(dof: f64, alpha: f64) -> f64 {
    student_quantile(alpha / 2.0, dof)
}

/// The interval of half-width `radius` around `mean`; everything if `radius` is not finite.
pub fn around(mean: f64, radius: f64) -> [f64; 2] {
    if radius.is_finite() {
        [mean - radius, mean + radius]
    } else {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
}

/// Standard error of the sum of observations, taken as independent and alike, and half the width of its 95% interval;
/// `None` of fewer than two.
pub fn of_sum(observations: &Moments) -> Option<(f64, f64)> {
    let n = observations.count();
    let se = (n > 1).then(|| (n as f64 * observations.variance()).sqrt())?;
    Some((se, se * student_975((n - 1) as f64)))
}

/// The same where chance decides how many observations there are too, as of the games of a match: such a sum varies
/// with their number as well if their mean is not zero. So the mean counts as spread. `None` of fewer than two.
pub fn of_stopped_sum(observations: &Moments) -> Option<(f64, f64)> {
    let n = observations.count() as f64;
    let mean = observations.mean();
    let se = (n > 1.0).then(|| (observations.squares() + n * mean * mean).sqrt())?;
    Some((se, se * student_975(n)))
}

/// The 95% interval of a positive quantity whose logarithm has a standard error of about `se / value`: for sums of few
/// errors, of which some are large. A sample without its large errors has too small a sum and too small a spread, which
/// an interval straight around the sum forgets.
///
/// ```
/// use luckless_engine::stats::interval::of_positive;
/// let [low, high] = of_positive(6.0, 0.5, 1e9);
/// assert!((low * high - 36.0).abs() < 1e-9 && high > 6.0 + 1.96 * 0.5);
/// ```
pub fn of_positive(value: f64, se: f64, dof: f64) -> [f64; 2] {
    let factor = exp(student_975(dof) * se / value);
    [value / factor, value * factor]
}

/// Number of equal weights that are worth as much as these: the square of their sum by the sum of their
/// squares (Kish, *Survey Sampling*, 1965). 0 of no weights.
///
/// ```
/// use luckless_engine::stats::interval::effective_count;
/// assert_eq!(effective_count([0.3; 4]), 4.0);
/// assert!(effective_count([1.0, 0.01, 0.01, 0.0]) < 1.1);
/// ```
pub fn effective_count(weights: impl IntoIterator<Item = f64>) -> f64 {
    let add = |(sum, squares): (f64, f64), w: f64| (sum + w, squares + w * w);
    let (sum, squares) = weights.into_iter().fold((0.0, 0.0), add);
    match squares > 0.0 {
        true => sum * sum / squares,
        false => 0.0,
    }
}

/// Least [`effective_count`] of losses from which their spread is estimated.
pub const LEAST_EFFECTIVE: f64 = 2.0;

/// The 95% interval of the expected sum of losses, from the losses that were seen, most of which are zero or
/// small. The few large ones say how much losses vary, so the degrees of freedom are their
/// [`effective_count`] less one. `None` where that count is below [`LEAST_EFFECTIVE`], or the losses do not
/// vary.
pub fn of_losses(losses: &[f64]) -> Option<[f64; 2]> {
    let errors = effective_count(losses.iter().copied());
    let all: Moments = losses.iter().copied().collect();
    let sum = all.mean() * all.count() as f64;
    let (se, _) = of_sum(&all)?;
    let says = errors >= LEAST_EFFECTIVE && se > ROUND_OFF * sum;
    says.then(|| of_positive(sum, se, errors - 1.0))
}

/// Half the width of an interval: what stands behind ±.
pub fn half_width([low, high]: [f64; 2]) -> f64 {
    (high - low) / 2.0
}

/// Distance from a mean to the end of its interval toward zero: what stands behind ± of a difference.
///
/// ```
/// use luckless_engine::stats::interval::decisive_half;
/// assert_eq!(decisive_half(-0.5, [-1.5, -0.25]), 0.25);
/// ```
pub fn decisive_half(mean: f64, [low, high]: [f64; 2]) -> f64 {
    if mean >= 0.0 { mean - low } else { high - mean }
}

/// Whether an interval lies on one side of zero.
///
/// ```
/// use luckless_engine::stats::interval::excludes_zero;
/// assert!(excludes_zero([0.01, 0.03]) && excludes_zero([-0.03, -0.01]));
/// assert!(!excludes_zero([0.0, 0.03]));
/// ```
pub fn excludes_zero([low, high]: [f64; 2]) -> bool {
    low > 0.0 || high < 0.0
}

/// The interval of the negated quantity: what one player gains the other loses.
///
/// ```
/// assert_eq!(luckless_engine::stats::interval::negated([-0.01, 0.03]), [-0.03, 0.01]);
/// ```
pub fn negated([low, high]: [f64; 2]) -> [f64; 2] {
    [-high, -low]
}

/// Standard error of a normal distribution whose 95% interval is as wide: of few degrees of freedom an error is as
/// uncertain as its interval is wide.
pub fn normal_error(ci95: [f64; 2]) -> f64 {
    half_width(ci95) / NORMAL_975
}

/// The least interval that holds both.
pub fn hull(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// The part of an interval in which the value can lie at all. Leaving off what is impossible costs no coverage. An
/// interval that lies beyond all that is possible has missed, and stays as it is: nothing of it is left, and one point
/// would look exact.
///
/// ```
/// use luckless_engine::stats::interval::possible;
/// assert_eq!(possible([-0.2, 0.7], [0.0, 1.0]), [0.0, 0.7]);
/// assert_eq!(possible([-0.3, -0.1], [0.0, 1.0]), [-0.3, -0.1]);
/// assert_eq!(possible([1.1, 1.3], [0.0, 1.0]), [1.1, 1.3]);
/// ```
pub fn possible([low, high]: [f64; 2], [least, most]: [f64; 2]) -> [f64; 2] {
    match high < least || low > most {
        true => [low, high],
        false => [low.max(least), high.min(most)],
    }
}

/// The part of an interval in which the value can lie at all, as [`possible`] gives it. `None` where that is
/// all of `within`, so that the interval says nothing.
///
/// ```
/// use luckless_engine::stats::interval::informative;
/// assert_eq!(informative([-0.2, 0.7], [0.0, 1.0]), Some([0.0, 0.7]));
/// assert_eq!(informative([-0.3, -0.1], [0.0, 1.0]), Some([-0.3, -0.1]));
/// assert_eq!(informative([-0.5, 2.1], [0.0, 1.0]), None);
/// ```
pub fn informative(interval: [f64; 2], within: [f64; 2]) -> Option<[f64; 2]> {
    let says = interval[0] > within[0] || interval[1] < within[1];
    says.then(|| possible(interval, within))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn student_quantiles_agree_with_the_printed_tables() {
        for (dof, expected) in [
            (1.0, 12.7062),
            (2.0, 4.3027),
            (10.0, 2.2281),
            (35.0, 2.0301),
            (120.0, 1.9799),
            (1000.0, 1.9623),
            (1e12, NORMAL_975),
        ] {
            assert!((student_975(dof) - expected).abs() < 6e-5, "{dof}");
            assert!((student(dof, ALPHA) - expected).abs() < 6e-5, "{dof}");
        }
        assert_eq!(student_975(0.5), f64::INFINITY);
    }

    /// Matches of two to six games, in which the better player gains 0.08 a game on average: the interval holds what a
    /// match brings on average, and one for a known number of games does not.
    #[test]
    fn a_sum_of_a_number_drawn_with_it_is_within_its_interval() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut stopped, mut fixed) = (0, 0);
        for _ in 0..3000 {
            let games: Moments = (0..rng.random_range(2..=6))
                .map(|_| 0.08 + 0.05 * (rng.random::<f64>() + rng.random::<f64>() - 1.0))
                .collect();
            let off = games.mean() * games.count() as f64 - 0.08 * 4.0;
            let holds =
                |found: Option<(f64, f64)>| found.is_some_and(|(_, radius)| off.abs() <= radius);
            stopped += u32::from(holds(of_stopped_sum(&games)));
            fixed += u32::from(holds(of_sum(&games)));
        }
        println!("{stopped} and {fixed} of 3000");
        assert!(stopped >= 2850 && fixed < 2400, "{stopped} {fixed}");
    }

    /// Kinds of errors, each with its chance and its mean: those of one size, and many small ones with few large ones.
    const KINDS: [&[(f64, f64)]; 3] = [
        &[(0.18, 0.03)],
        &[(0.25, 0.002), (0.1, 0.05)],
        &[(0.3, 0.005), (0.1, 0.03), (0.03, 0.15)],
    ];

    /// The interval of a sum of losses holds about as often as it says, and one straight around it does not. It is the
    /// upper end that a sample without its large errors has too low; the lower one holds.
    #[test]
    fn a_sum_of_losses_is_within_its_interval() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for (kinds, count, least) in [
            (KINDS[0], 40, 0.95),
            (KINDS[0], 300, 0.94),
            (KINDS[1], 40, 0.90),
            (KINDS[1], 300, 0.93),
            (KINDS[2], 100, 0.87),
            (KINDS[2], 300, 0.90),
        ] {
            let mean: f64 = kinds.iter().map(|(chance, mean)| chance * mean).sum();
            let expected = f64::from(count) * mean;
            let (mut all, mut held, mut lower) = (0, [0; 2], 0);
            for _ in 0..1500 {
                let loss = |_| {
                    let mut at: f64 = rng.random();
                    let kind = kinds.iter().find(|(chance, _)| {
                        at -= chance;
                        at < 0.0
                    });
                    kind.map_or(0.0, |(_, mean)| {
                        -mean * rng.random_range(1e-12..1.0f64).ln()
                    })
                };
                let losses: Vec<f64> = (0..count).map(loss).collect();
                let moments: Moments = losses.iter().copied().collect();
                let (_, radius) = of_sum(&moments).unwrap();
                let straight = around(f64::from(count) * moments.mean(), radius);
                let Some(own) = of_losses(&losses) else {
                    continue;
                };
                all += 1;
                lower += u32::from(own[0] <= expected);
                for (held, [low, high]) in held.iter_mut().zip([own, straight]) {
                    *held += u32::from(low <= expected && expected <= high);
                }
            }
            let share = |n: u32| f64::from(n) / f64::from(all);
            let [own, straight] = held.map(share);
            let case = format!("{kinds:?}, {count}: {own:.3}, straight {straight:.3}");
            println!("{case}, lower end {:.3}", share(lower));
            assert!(own >= least && own > straight, "{case}");
            assert!(share(lower) > 0.97, "{case}");
        }
        for nothing in [&[0.0, 0.4][..], &[0.1; 5], &[0.0; 5], &[]] {
            assert_eq!(of_losses(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn the_expansion_takes_over_without_a_step() {
        for alpha in [0.5, ALPHA, 1e-3, 1e-6] {
            let [below, above] = [200.0 - 1e-9, 200.0].map(|dof| student(dof, alpha));
            assert!((below - above).abs() < 1e-7, "{alpha}: {below} {above}");
        }
    }
}
