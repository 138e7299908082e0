//! Which of several estimated quantities is the largest.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
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

/// Drawings behind [`chances_together`]: its figures have an error of at most half a percent.
const DRAWINGS: u32 = 10_000;

/// Chance of each of several quantities to be the largest, from their estimates and the covariances
/// of the errors of these, row by row: the normal approximation with no opinion beforehand, by
/// drawing (always the same drawings, so that equal data give equal bits). The chances sum to one.
///
/// # Panics
/// If there are not as many covariances as pairs of means.
#[must_use]
pub fn chances_together(means: &[f64], covariances: &[f64]) -> Vec<f64> {
    let k = means.len();
    assert_eq!(covariances.len(), k * k, "a covariance for every two means");
    let root = root(covariances, k);
    let mut generator = ChaCha8Rng::seed_from_u64(0x6265_7374);
    let mut unit = || (f64::from(generator.next_u32()) + 0.5) / 4_294_967_296.0;
    let mut normals = vec![0.0; k + k % 2];
    let mut wins = vec![0u32; k];
    for _ in 0..DRAWINGS / 2 {
        for two in normals.chunks_exact_mut(2) {
            // Box & Muller, 1958.
            let (radius, angle) = ((-2.0 * unit().ln()).sqrt(), std::f64::consts::TAU * unit());
            two.copy_from_slice(&[radius * angle.cos(), radius * angle.sin()]);
        }
        // And the mirror image of each drawing.
        for sign in [1.0, -1.0] {
            let mut best = (0, f64::NEG_INFINITY);
            for i in 0..k {
                let row = &root[i * k..=i * k + i];
                let error: f64 = row.iter().zip(&normals).map(|(r, z)| r * z).sum();
                let value = means[i] + sign * error;
                if value > best.1 {
                    best = (i, value);
                }
            }
            wins[best.0] += 1;
        }
    }
    let total = f64::from(2 * (DRAWINGS / 2));
    wins.into_iter().map(|w| f64::from(w) / total).collect()
}

/// The lower triangle whose square is the matrix (Cholesky); where rounding has left it without one,
/// the nearest below.
fn root(matrix: &[f64], k: usize) -> Vec<f64> {
    let mut root = vec![0.0; k * k];
    for i in 0..k {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|m| root[i * k + m] * root[j * k + m]).sum();
            let left = matrix[i * k + j] - dot;
            root[i * k + j] = if i == j {
                left.max(0.0).sqrt()
            } else if root[j * k + j] > 0.0 {
                left / root[j * k + j]
            } else {
                0.0
            };
        }
    }
    root
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

    #[test]
    fn together_agrees_with_apart_and_with_the_difference() {
        let estimates = [(0.10, 0.03), (0.05, 0.04), (0.02, 0.05)];
        let means = estimates.map(|e| e.0);
        let mut covariances = vec![0.0; 9];
        for i in 0..3 {
            covariances[4 * i] = estimates[i].1 * estimates[i].1;
        }
        let apart = chances(&estimates);
        let together = chances_together(&means, &covariances);
        for (a, b) in apart.iter().zip(&together) {
            assert!((a - b).abs() < 0.015, "{apart:?} {together:?}");
        }
        // Errors that are nearly the same cancel in the difference.
        let (a, b, c) = (0.03f64.powi(2), 0.04f64.powi(2), 0.95 * 0.03 * 0.04);
        let p = chances_together(&[0.10, 0.08], &[a, c, c, b]);
        let expected = above_zero(0.02, (a + b - 2.0 * c).sqrt());
        assert!((p[0] - expected).abs() < 0.015, "{p:?} {expected}");
        // Without error the largest wins.
        assert_eq!(chances_together(&[0.1, 0.2], &[0.0; 4]), [0.0, 1.0]);
    }
}
