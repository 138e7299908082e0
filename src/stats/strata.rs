//! The error of a mean under proportional stratification.
//!
//! When the population falls into groups (*strata*) of known weights w_h, and the observations
//! are drawn so that each group gets its share, the spread *between* groups no longer makes the
//! mean uncertain. With n_h observations of mean m_h and variance s_h² in stratum h,
//!
//! ```text
//! mean = Σ w_h m_h        var(mean) = Σ g_h,  g_h = w_h² s_h² / n_h
//! dof  = (Σ g_h)² / Σ g_h² / (n_h - 1)
//! ```
//!
//! (Cochran, *Sampling Techniques*, 3rd ed. 1977, §5.3 to 5.5; the degrees of freedom after
//! Satterthwaite, *An approximate distribution of estimates of variance components*, 1946, as
//! Cochran gives them in his formula 5.16.) The naive s²/n counts the spread between groups as
//! well and is too large.

use super::Moments;

/// Mean, error and degrees of freedom of a stratified sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratified {
    /// Weighted mean.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Satterthwaite's degrees of freedom.
    pub dof: f64,
}

/// The stratified estimate from the moments of each stratum and its weight; the weights sum to
/// one. `None` if a stratum has fewer than two observations, so that its variance is unknown.
#[must_use]
pub fn estimate(strata: &[Moments], weights: &[f64]) -> Option<Stratified> {
    if strata.is_empty() || strata.iter().any(|s| s.count() < 2) {
        return None;
    }
    // Weighted around one of them, so that equal means give exactly that mean.
    let centre = strata[0].mean();
    let (mut mean, mut variance, mut spread) = (centre, 0.0, 0.0);
    let mut freedom = 0.0;
    for (stratum, weight) in strata.iter().zip(weights) {
        let n = stratum.count() as f64;
        let share = weight * weight * stratum.variance() / n;
        mean += weight * (stratum.mean() - centre);
        variance += share;
        spread += share * share / (n - 1.0);
        freedom += n - 1.0;
    }
    let dof = if spread > 0.0 {
        variance * variance / spread
    } else {
        freedom
    };
    Some(Stratified {
        mean,
        se: variance.sqrt(),
        dof,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(xs: &[f64]) -> Moments {
        let mut m = Moments::default();
        xs.iter().for_each(|&x| m.push(x));
        m
    }

    #[test]
    fn spread_between_strata_is_no_error() {
        let strata = [of(&[10.0, 10.0]), of(&[20.0, 20.0, 20.0])];
        let e = estimate(&strata, &[0.25, 0.75]).unwrap();
        assert_eq!((e.mean, e.se, e.dof), (17.5, 0.0, 3.0));
    }

    #[test]
    fn worked_by_hand() {
        // Variances 2 and 8 of two observations each, weights 1/2: 1/4 of 1 and of 4.
        let strata = [of(&[0.0, 2.0]), of(&[5.0, 9.0])];
        let e = estimate(&strata, &[0.5, 0.5]).unwrap();
        assert_eq!(e.mean, 4.0);
        assert!((e.se - 1.25f64.sqrt()).abs() < 1e-12);
        assert!((e.dof - 1.5625 / (0.0625 + 1.0)).abs() < 1e-12);
    }

    #[test]
    fn equal_strata_have_all_degrees_of_freedom() {
        let strata = [of(&[0.0, 2.0, 4.0]), of(&[1.0, 3.0, 5.0])];
        let e = estimate(&strata, &[0.5, 0.5]).unwrap();
        assert!((e.dof - 4.0).abs() < 1e-12);
    }

    #[test]
    fn thin_strata_give_nothing() {
        assert_eq!(estimate(&[of(&[1.0, 2.0]), of(&[1.0])], &[0.5, 0.5]), None);
        assert_eq!(estimate(&[], &[]), None);
    }
}
