//! 95% intervals for a number of observations that was fixed before looking.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Chance with which the intervals of this program miss: one in twenty.
pub const ALPHA: f64 = 0.05;

/// 97.5% quantile of the standard normal distribution.
pub const NORMAL_975: f64 = 1.959_963_984_540_054;

/// From this many degrees of freedom on the expansion below is exact to 1e-6 and better than
/// inverting the distribution numerically.
const MANY: f64 = 200.0;

/// 97.5% quantile of Student's t with `dof` degrees of freedom (not necessarily a whole number):
/// half the width, in standard errors, of a two-sided 95% interval. Infinite below one degree:
/// then the data say nothing.
///
/// Few degrees by inverting the distribution function, many by the Cornish-Fisher expansion
/// around the normal quantile (Abramowitz & Stegun 26.7.5).
#[must_use]
pub fn student_975(dof: f64) -> f64 {
    if dof.is_nan() || dof < 1.0 {
        return f64::INFINITY;
    }
    if dof < MANY {
        return StudentsT::new(0.0, 1.0, dof)
            .map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - ALPHA / 2.0));
    }
    let z = NORMAL_975;
    let (z3, z5) = (z.powi(3), z.powi(5));
    z + (z3 + z) / (4.0 * dof) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * dof * dof)
}

/// Half the width, in standard errors, of a two-sided interval that misses with chance `alpha`: for
/// the shares of several intervals that are to hold together. Infinite below one degree.
#[must_use]
pub fn student(dof: f64, alpha: f64) -> f64 {
    let place = 1.0 - alpha / 2.0;
    if dof.is_nan() || dof < 1.0 {
        f64::INFINITY
    } else if dof < 1e6 {
        StudentsT::new(0.0, 1.0, dof).map_or(f64::INFINITY, |t| t.inverse_cdf(place))
    } else {
        Normal::standard().inverse_cdf(place)
    }
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

/// The least interval that holds both.
#[must_use]
pub fn hull(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
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
        let below = student_975(MANY - 1e-6);
        let above = student_975(MANY + 1e-6);
        assert!((below - above).abs() < 1e-6, "{below} {above}");
    }
}
