//! The error of a mean under proportional stratification.
//!
//! Let the population fall into groups (*strata*) of known weights w_h, and let the observations be
//! drawn so that each group gets its share. The spread *between* groups then no longer makes the
//! mean uncertain. With n_h observations of mean m_h and variance s_h² in stratum h,
//!
//! ```text
//! mean = Σ w_h m_h        var(mean) = Σ g_h,  g_h = w_h² s_h² / n_h
//! dof  = (Σ g_h)² / Σ (g_h² / (n_h + 1)) - 2
//! ```
//!
//! (Cochran, *Sampling Techniques*, 3rd ed. 1977, §5.3 to 5.5.) The naive s²/n counts the spread
//! between groups as well and is too large.
//!
//! The degrees of freedom are those of Welch (*The generalization of 'Student's' problem when several
//! different population variances are involved*, Biometrika 34, 1947; A. A. Aspin and he in Biometrika
//! 36, 1949). The better known ones of Satterthwaite, (Σ g)² / Σ (g² / (n_h - 1)), put s⁴ for σ⁴, which
//! is too large by the factor 1 + 2/(n_h - 1). With two observations in each of 36 groups of equal spread
//! they find twelve degrees where there are 36. Where most groups have no spread at all they find three
//! where there are seven. Intervals were wider for that, and held in 99% of all cases.

use super::Moments;

/// The variance of a sum of two independent estimates, each given with its variance and degrees of freedom, and
/// Satterthwaite's degrees of freedom of it; `None` where nothing varies. Their estimates rest on many observations, so
/// that the factor above does not matter.
pub(super) fn satterthwaite(parts: [(f64, f64); 2]) -> (f64, Option<f64>) {
    let variance = parts[0].0 + parts[1].0;
    let spread: f64 = parts.iter().map(|(v, dof)| v * v / dof).sum();
    let dof = (spread > 0.0).then(|| variance * variance / spread);
    (variance, dof)
}

/// Mean, error and degrees of freedom of a stratified sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stratified {
    /// Weighted mean.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Welch's degrees of freedom.
    pub dof: f64,
}

/// A sum of independent estimates of variance, and the degrees of freedom of the whole.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    variance: f64,
    spread: f64,
    freedom: f64,
}

impl Sum {
    fn add(&mut self, share: f64, dof: f64) {
        self.variance += share;
        self.spread += share * share / (dof + 2.0);
        self.freedom += dof;
    }

    /// Degrees of freedom of the sum: never more than all parts have together, nor less than one.
    fn dof(&self) -> f64 {
        if self.spread > 0.0 {
            let welch = self.variance * self.variance / self.spread - 2.0;
            welch.clamp(1.0, self.freedom.max(1.0))
        } else {
            self.freedom
        }
    }
}

/// The weighted mean of the strata; `None` if one has no observation.
pub fn mean(strata: &[Moments], weights: &[f64]) -> Option<f64> {
    if strata.is_empty() || strata.iter().any(|s| s.count() == 0) {
        return None;
    }
    // Weighted around one of them, so that equal means give exactly that mean.
    let centre = strata[0].mean();
    let each = strata.iter().zip(weights);
    Some(each.fold(centre, |mean, (s, weight)| {
        mean + weight * (s.mean() - centre)
    }))
}

/// The stratified estimate from the moments of each stratum and its weight; the weights sum to
/// one. `None` if a stratum has fewer than two observations, so that its variance is unknown.
pub fn estimate(strata: &[Moments], weights: &[f64]) -> Option<Stratified> {
    let mean = mean(strata, weights)?;
    if strata.iter().any(|s| s.count() < 2) {
        return None;
    }
    let mut sum = Sum::default();
    for (stratum, weight) in strata.iter().zip(weights) {
        let n = stratum.count() as f64;
        sum.add(weight * weight * stratum.variance() / n, n - 1.0);
    }
    Some(Stratified {
        mean,
        se: sum.variance.sqrt(),
        dof: sum.dof(),
    })
}

/// The estimate over pairs of strata, `width` second ones to each first one, in the order of the
/// first. A pair with a single observation has no variance of its own. Those of one first stratum
/// are put together (Cochran, *Sampling Techniques*, §5A.12, *collapsed strata*). That counts the
/// spread between them as well and errs on the safe side. `None` where a pair has not been seen, or
/// stands alone.
pub fn estimate_pairs(pairs: &[Moments], weights: &[f64], width: usize) -> Option<Stratified> {
    if pairs.is_empty() || width == 0 || pairs.iter().any(|p| p.count() == 0) {
        return None;
    }
    let centre = pairs[0].mean();
    let (mut mean, mut sum) = (centre, Sum::default());
    for (group, weights) in pairs.chunks(width).zip(weights.chunks(width)) {
        let (mut singles, mut total, mut squares) = (0.0, 0.0, 0.0);
        for (pair, weight) in group.iter().zip(weights) {
            let n = pair.count() as f64;
            mean += weight * (pair.mean() - centre);
            if pair.count() > 1 {
                sum.add(weight * weight * pair.variance() / n, n - 1.0);
            } else {
                let y = weight * (pair.mean() - centre);
                singles += 1.0;
                total += y;
                squares += y * y;
            }
        }
        if singles == 1.0 {
            return None;
        }
        if singles > 1.0 {
            let between = (squares - total * total / singles).max(0.0);
            sum.add(singles / (singles - 1.0) * between, singles - 1.0);
        }
    }
    Some(Stratified {
        mean,
        se: sum.variance.sqrt(),
        dof: sum.dof(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::moments::tests::of;
    use super::*;

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
        // 3 · 1.5625 / (0.0625 + 1) - 2 would be more than the two degrees there are.
        assert_eq!(e.dof, 2.0);
    }

    #[test]
    fn equal_strata_have_all_degrees_of_freedom() {
        let strata = [of(&[0.0, 2.0, 4.0]), of(&[1.0, 3.0, 5.0])];
        let e = estimate(&strata, &[0.5, 0.5]).unwrap();
        assert!((e.dof - 4.0).abs() < 1e-12);
    }

    /// Degrees of freedom that the two observations of each of many groups give: one each, and where few
    /// groups have any spread, little more than those few have.
    #[test]
    fn many_thin_strata_keep_their_degrees_of_freedom() {
        let mut state = 1u64;
        let mut uniform = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        };
        let mut gaussian =
            || (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
        let weights = [1.0 / 36.0; 36];
        let runs = 400;
        let mut sum = 0.0;
        for _ in 0..runs {
            let strata: Vec<Moments> = (0..36).map(|_| of(&[gaussian(), gaussian()])).collect();
            sum += estimate(&strata, &weights).unwrap().dof / f64::from(runs);
        }
        assert!((28.0..36.0).contains(&sum), "{sum}");
        let mut strata = vec![of(&[0.0, 0.0]); 36];
        strata[3] = of(&[0.0, 1.0]);
        strata[9] = of(&[0.0, 1.0]);
        assert!((estimate(&strata, &weights).unwrap().dof - 4.0).abs() < 1e-9);
    }

    #[test]
    fn thin_strata_give_nothing() {
        assert_eq!(estimate(&[of(&[1.0, 2.0]), of(&[1.0])], &[0.5, 0.5]), None);
        assert_eq!(estimate(&[], &[]), None);
    }

    #[test]
    fn pairs_collapse_where_they_stand_alone() {
        // Two firsts of two seconds each; the second first has single observations.
        let pairs = [of(&[0.0, 2.0]), of(&[5.0, 9.0]), of(&[1.0]), of(&[3.0])];
        let e = estimate_pairs(&pairs, &[0.25; 4], 2).unwrap();
        assert!((e.mean - (1.0 + 7.0 + 1.0 + 3.0) / 4.0).abs() < 1e-12);
        // 1/16 of 2/2 and 8/2; then 2 · ((1/4 - 2/4)² + (3/4 - 2/4)²).
        let variance: f64 = 5.0 / 16.0 + 2.0 * 0.125;
        assert!((e.se - variance.sqrt()).abs() < 1e-12, "{}", e.se);
        assert_eq!(estimate_pairs(&pairs[..3], &[0.25; 3], 2), None);
        let unseen = [of(&[0.0, 2.0]), Moments::default()];
        assert_eq!(estimate_pairs(&unseen, &[0.5; 2], 2), None);
    }
}
