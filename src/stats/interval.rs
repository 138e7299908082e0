//! 95% intervals for a number of observations that was fixed before looking.

use super::Moments;
use super::portable::student_quantile;

/// Chance with which the intervals of this program miss: one in twenty.
pub const ALPHA: f64 = 0.05;

/// 97.5% quantile of the standard normal distribution.
pub const NORMAL_975: f64 = 1.959_963_984_540_054;

/// 97.5% quantile of Student's t with `dof` degrees of freedom (not necessarily a whole number):
/// half the width, in standard errors, of a two-sided 95% interval. Infinite below one degree:
/// then the data say nothing.
#[must_use]
pub fn student_975(dof: f64) -> f64 {
    student(dof, ALPHA)
}

/// Half the width, in standard errors, of a two-sided interval that misses with chance `alpha`: for
/// the shares of several intervals that are to hold together. Infinite below one degree.
#[must_use]
pub fn student(dof: f64, alpha: f64) -> f64 {
    student_quantile(alpha / 2.0, dof)
}

/// The interval of half-width `radius` around `mean`; everything if `radius` is not finite.
#[must_use]
pub fn around(mean: f64, radius: f64) -> [f64; 2] {
    if radius.is_finite() {
        [mean - radius, mean + radius]
    } else {
        [f64::NEG_INFINITY, f64::INFINITY]
    }
}

/// Standard error of the sum of observations, taken as independent and alike, and half the width of its 95% interval;
/// `None` of fewer than two.
#[must_use]
pub fn of_sum(observations: &Moments) -> Option<(f64, f64)> {
    let n = observations.count();
    let se = (n > 1).then(|| (n as f64 * observations.variance()).sqrt())?;
    Some((se, se * student_975((n - 1) as f64)))
}

/// Half the width of an interval: what stands behind ±.
#[must_use]
pub fn half_width([low, high]: [f64; 2]) -> f64 {
    (high - low) / 2.0
}

/// The least interval that holds both.
#[must_use]
pub fn hull(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

/// The part of an interval in which the value can lie at all. Leaving off what is impossible costs no coverage. An
/// interval that lies beyond all that is possible has missed, and stays as it is: nothing of it is left, and one point
/// would look exact.
///
/// ```
/// use luckless::stats::interval::possible;
/// assert_eq!(possible([-0.2, 0.7], [0.0, 1.0]), [0.0, 0.7]);
/// assert_eq!(possible([-0.3, -0.1], [0.0, 1.0]), [-0.3, -0.1]);
/// assert_eq!(possible([1.1, 1.3], [0.0, 1.0]), [1.1, 1.3]);
/// ```
#[must_use]
pub fn possible([low, high]: [f64; 2], [least, most]: [f64; 2]) -> [f64; 2] {
    match high < least || low > most {
        true => [low, high],
        false => [low.max(least), high.min(most)],
    }
}

/// The same; `None` where all that is possible is left, so that the interval says nothing.
///
/// ```
/// use luckless::stats::interval::informative;
/// assert_eq!(informative([-0.2, 0.7], [0.0, 1.0]), Some([0.0, 0.7]));
/// assert_eq!(informative([-0.3, -0.1], [0.0, 1.0]), Some([-0.3, -0.1]));
/// assert_eq!(informative([-0.5, 2.1], [0.0, 1.0]), None);
/// ```
#[must_use]
pub fn informative(interval: [f64; 2], within: [f64; 2]) -> Option<[f64; 2]> {
    let says = interval[0] > within[0] || interval[1] < within[1];
    says.then(|| possible(interval, within))
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn the_expansion_takes_over_without_a_step() {
        for alpha in [0.5, ALPHA, 1e-3, 1e-6] {
            let [below, above] = [200.0 - 1e-9, 200.0].map(|dof| student(dof, alpha));
            assert!((below - above).abs() < 1e-7, "{alpha}: {below} {above}");
        }
    }
}
