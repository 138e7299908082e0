//! Which of several estimated quantities is the largest.

use statrs::function::erf::erfc;

/// Distribution function of the standard normal distribution.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// Chance that a quantity estimated as `mean` with standard error `se` is above zero, as far as
/// the data tell: the normal approximation with no opinion beforehand. One half for exactly
/// zero without error.
#[must_use]
pub fn above_zero(mean: f64, se: f64) -> f64 {
    if se.is_nan() || mean.is_nan() || se == f64::INFINITY {
        0.5
    } else if se > 0.0 {
        normal_cdf(mean / se)
    } else if mean == 0.0 {
        0.5
    } else {
        f64::from(u8::from(mean > 0.0))
    }
}

/// Chance of each of several quantities to be the largest, from `(mean, standard error)` of each:
/// the normal approximation with no opinion beforehand, errors taken as independent. Positively
/// correlated errors (equal dice) make the differences surer than that, so the figure is then
/// cautious. The chances sum to one; they are equal while an error is still unknown.
///
/// For each i it is ∫ φ(z) Π_{j≠i} Φ((m_i + s_i z - m_j) / s_j) dz, by the trapezoidal rule.
#[must_use]
pub fn chances(estimates: &[(f64, f64)]) -> Vec<f64> {
    const REACH: i32 = 80;
    const STEP: f64 = 0.1;
    let known = |&(m, s): &(f64, f64)| m.is_finite() && s.is_finite();
    if !estimates.iter().all(known) {
        return vec![1.0 / estimates.len() as f64; estimates.len()];
    }
    // Where all errors vanish the largest wins and equals share: a width far below any real
    // error does that without a case of its own.
    let scale = estimates.iter().map(|e| e.1).fold(0.0, f64::max);
    let least = (scale * 1e-6).max(1e-12);
    let weight = |i: usize| -> f64 {
        let (m, s) = (estimates[i].0, estimates[i].1.max(least));
        (-REACH..=REACH)
            .map(|k| {
                let z = f64::from(k) * STEP;
                let x = m + s * z;
                let mut product = (-0.5 * z * z).exp();
                for (j, &(mj, sj)) in estimates.iter().enumerate() {
                    if j != i {
                        product *= normal_cdf((x - mj) / sj.max(least));
                    }
                }
                product
            })
            .sum()
    };
    let weights: Vec<f64> = (0..estimates.len()).map(weight).collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|w| w / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_alone_is_the_best() {
        assert_eq!(chances(&[(0.3, 0.1)]), [1.0]);
    }

    #[test]
    fn two_agree_with_the_difference() {
        let p = chances(&[(0.10, 0.03), (0.05, 0.04)]);
        let expected = above_zero(0.05, 0.05);
        assert!((p[0] - expected).abs() < 1e-6, "{p:?} {expected}");
        assert!((p[0] + p[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equals_share_and_a_clear_winner_takes_all() {
        let p = chances(&[(0.1, 0.02); 4]);
        assert!(p.iter().all(|x| (x - 0.25).abs() < 1e-9), "{p:?}");
        let p = chances(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)]);
        assert!(p[0] < 1e-12 && (p[1] - 0.5).abs() < 1e-9, "{p:?}");
        let p = chances(&[(0.0, f64::INFINITY), (1.0, 0.1)]);
        assert_eq!(p, [0.5, 0.5]);
    }
}
