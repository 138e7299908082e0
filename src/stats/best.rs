//! Which of several estimated quantities is the largest.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

pub use super::portable::normal_cdf;
use super::portable::{cos_sin, exp, exp_m1, ln, ln_1p, student_cdf};

/// An estimate whose standard error is itself estimated, with some degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    /// The estimate.
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Degrees of freedom behind that.
    pub dof: f64,
}

/// Chance that a quantity so estimated is above zero, as far as the data tell: Student's distribution
/// around the estimate, which is what remains of no opinion beforehand. One half for exactly zero
/// without error, and while the error is unknown.
#[must_use]
pub fn above_zero(of: Estimated) -> f64 {
    let Estimated { mean, se, dof } = of;
    if se.is_nan() || mean.is_nan() || se == f64::INFINITY {
        0.5
    } else if se > 0.0 {
        student_cdf(mean / se, dof.max(1.0))
    } else if mean == 0.0 {
        0.5
    } else {
        f64::from(u8::from(mean > 0.0))
    }
}

/// From so many degrees of freedom on Student's distribution is taken for the normal one.
const MANY: f64 = 1e5;

/// The place in the normal distribution of a place in Student's, and back (D. L. Wallace, *Bounds on
/// normal approximations to Student's and the chi-square distributions*, Annals of Mathematical
/// Statistics 30, 1959): right to 0.01 in the chance from one degree of freedom on, and much better
/// from five.
fn to_normal(t: f64, dof: f64) -> f64 {
    if dof >= MANY {
        return t;
    }
    let scale = (8.0 * dof + 1.0) / (8.0 * dof + 3.0);
    scale * (dof * ln_1p(t * t / dof)).sqrt() * t.signum()
}

fn from_normal(z: f64, dof: f64) -> f64 {
    if dof >= MANY {
        return z;
    }
    let z1 = z * (8.0 * dof + 3.0) / (8.0 * dof + 1.0);
    (dof * exp_m1(z1 * z1 / dof)).sqrt() * z.signum()
}

/// Chance of each of several quantities to be the largest: Student's distribution around each
/// estimate, errors taken as independent. Positively correlated errors (equal dice) make the
/// differences surer than that, so the figure is then cautious. The chances sum to one; they are
/// equal while an error is still unknown.
///
/// With t_i(z) the place in Student's distribution of the place z in the normal one, it is for each i
/// ∫ φ(z) Π_{j≠i} P(quantity j < m_i + s_i t_i(z)) dz, by the trapezoidal rule.
#[must_use]
pub fn chances(estimates: &[Estimated]) -> Vec<f64> {
    const REACH: i32 = 80;
    const STEP: f64 = 0.1;
    let known = |e: &Estimated| e.mean.is_finite() && e.se.is_finite();
    if !estimates.iter().all(known) {
        return vec![1.0 / estimates.len() as f64; estimates.len()];
    }
    // Where all errors vanish the largest wins and equals share: a width far below any real
    // error does that without a case of its own.
    let scale = estimates.iter().map(|e| e.se).fold(0.0, f64::max);
    let least = (scale * 1e-6).max(1e-12);
    let weight = |i: usize| -> f64 {
        let own = estimates[i];
        (-REACH..=REACH)
            .map(|k| {
                let z = f64::from(k) * STEP;
                let x = own.mean + own.se.max(least) * from_normal(z, own.dof.max(1.0));
                let mut product = exp(-0.5 * z * z);
                for (j, other) in estimates.iter().enumerate() {
                    if j != i {
                        let t = (x - other.mean) / other.se.max(least);
                        product *= normal_cdf(to_normal(t, other.dof.max(1.0)));
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
/// of the errors of these, row by row, which have `dof` degrees of freedom: Student's distribution in
/// several dimensions, by drawing (always the same drawings, so that equal data give equal bits). The
/// chances sum to one.
///
/// # Panics
/// If there are not as many covariances as pairs of means.
#[must_use]
pub fn chances_together(means: &[f64], covariances: &[f64], dof: f64) -> Vec<f64> {
    let k = means.len();
    assert_eq!(covariances.len(), k * k, "a covariance for every two means");
    let root = root(covariances, k);
    let mut generator = ChaCha8Rng::seed_from_u64(0x6265_7374);
    let mut unit = || (f64::from(generator.next_u32()) + 0.5) / 4_294_967_296.0;
    let mut normals = vec![0.0; (k + 1).next_multiple_of(2)];
    let mut wins = vec![0u32; k];
    for _ in 0..DRAWINGS / 2 {
        for two in normals.chunks_exact_mut(2) {
            // Box & Muller, 1958.
            let (radius, angle) = ((-2.0 * ln(unit())).sqrt(), std::f64::consts::TAU * unit());
            two.copy_from_slice(&cos_sin(angle).map(|side| radius * side));
        }
        let wide = wider(normals[k], dof);
        // And the mirror image of each drawing.
        for sign in [1.0, -1.0] {
            let mut best = (0, f64::NEG_INFINITY);
            for i in 0..k {
                let row = &root[i * k..=i * k + i];
                let error: f64 = row.iter().zip(&normals).map(|(r, z)| r * z).sum();
                let value = means[i] + sign * wide * error;
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

/// The factor √(ν/χ²) that makes Student's distribution of the normal one, χ² at the place `z` in the
/// normal distribution (E. B. Wilson, M. M. Hilferty, *The distribution of chi-square*, PNAS 17, 1931).
fn wider(z: f64, dof: f64) -> f64 {
    if dof >= MANY {
        return 1.0;
    }
    let part = 2.0 / (9.0 * dof.max(1.0));
    let root = 1.0 - part + z * part.sqrt();
    root.max(0.05).powi(-3).sqrt()
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

    fn sure((mean, se): (f64, f64)) -> Estimated {
        Estimated {
            mean,
            se,
            dof: f64::INFINITY,
        }
    }

    #[test]
    fn one_alone_is_the_best() {
        assert_eq!(chances(&[sure((0.3, 0.1))]), [1.0]);
    }

    #[test]
    fn two_agree_with_the_difference() {
        let p = chances(&[(0.10, 0.03), (0.05, 0.04)].map(sure));
        let expected = above_zero(sure((0.05, 0.05)));
        assert!((p[0] - expected).abs() < 1e-6, "{p:?} {expected}");
        assert!((p[0] + p[1] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn equals_share_and_a_clear_winner_takes_all() {
        let p = chances(&[sure((0.1, 0.02)); 4]);
        assert!(p.iter().all(|x| (x - 0.25).abs() < 1e-9), "{p:?}");
        let p = chances(&[(0.0, 0.0), (1.0, 0.0), (1.0, 0.0)].map(sure));
        assert!(p[0] < 1e-12 && (p[1] - 0.5).abs() < 1e-9, "{p:?}");
        let p = chances(&[(0.0, f64::INFINITY), (1.0, 0.1)].map(sure));
        assert_eq!(p, [0.5, 0.5]);
    }

    /// Printed 95% and 97.5% quantiles of Student's t, and its approximation.
    #[test]
    fn few_degrees_of_freedom_are_less_sure() {
        for (dof, t, chance) in [
            (1.0, 6.3138, 0.95),
            (5.0, 2.0150, 0.95),
            (10.0, 2.2281, 0.975),
            (1e9, 1.9600, 0.975),
        ] {
            let of = |mean| Estimated { mean, se: 1.0, dof };
            assert!((above_zero(of(t)) - chance).abs() < 1e-4, "{dof}");
            assert!((above_zero(of(-t)) + chance - 1.0).abs() < 1e-4, "{dof}");
            let near = normal_cdf(to_normal(t, dof));
            assert!((near - chance).abs() < 0.01, "{dof} {near}");
            assert!((from_normal(to_normal(t, dof), dof) - t).abs() < 1e-9);
            // Against a quantity that is known.
            let p = chances(&[of(t), sure((0.0, 0.0))]);
            assert!((p[0] - chance).abs() < 0.02, "{dof} {p:?}");
            let p = chances_together(&[t, 0.0], &[1.0, 0.0, 0.0, 0.0], dof);
            assert!((p[0] - chance).abs() < 0.02, "{dof} {p:?}");
        }
    }

    #[test]
    fn together_agrees_with_apart_and_with_the_difference() {
        let estimates = [(0.10, 0.03), (0.05, 0.04), (0.02, 0.05)];
        let means = estimates.map(|e| e.0);
        let mut covariances = vec![0.0; 9];
        for i in 0..3 {
            covariances[4 * i] = estimates[i].1 * estimates[i].1;
        }
        let apart = chances(&estimates.map(sure));
        let together = chances_together(&means, &covariances, f64::INFINITY);
        for (a, b) in apart.iter().zip(&together) {
            assert!((a - b).abs() < 0.015, "{apart:?} {together:?}");
        }
        // Errors that are nearly the same cancel in the difference.
        let (a, b, c) = (0.03f64.powi(2), 0.04f64.powi(2), 0.95 * 0.03 * 0.04);
        let p = chances_together(&[0.10, 0.08], &[a, c, c, b], 1e9);
        let expected = above_zero(sure((0.02, (a + b - 2.0 * c).sqrt())));
        assert!((p[0] - expected).abs() < 0.015, "{p:?} {expected}");
        // Without error the largest wins.
        assert_eq!(chances_together(&[0.1, 0.2], &[0.0; 4], 9.0), [0.0, 1.0]);
    }
}
