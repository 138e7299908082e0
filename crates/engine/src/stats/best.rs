//! Which of several estimated quantities is the largest.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

pub use super::portable::normal_cdf;
use super::portable::{ENDLESS, cos_sin, exp, exp_m1, ln, ln_1p, square, student_cdf};

/// An estimate whose standard error is itself estimated, with some degrees of freedom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimated {
    pub mean: f64,
    /// Its standard error.
    pub se: f64,
    /// Degrees of freedom of the standard error.
    pub dof: f64,
    /// The zero-variance allowance, for a run that has never varied.
    pub allowance: Option<ZeroVarianceAllowance>,
}

/// Room for what a run that has never varied has not shown yet.
///
/// The random variable is distributed as its intervals say. At the normal score z it lies at the end of
/// the interval of z standard errors, the share z²/(n + z²) of the distance to the bound away. (That is
/// Wilson's interval of an event that was not seen in n observations.) So it is far more likely to be
/// near the mean than a normal distribution as wide would have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ZeroVarianceAllowance {
    /// Observations.
    pub of: f64,
    /// Distances from the mean down to the least value, and up to the largest.
    pub room: [f64; 2],
}

impl ZeroVarianceAllowance {
    /// The distance from the mean at the normal score `z`.
    fn at(&self, z: f64) -> f64 {
        let share = z * z / (self.of + z * z);
        if z < 0.0 {
            -share * self.room[0]
        } else {
            share * self.room[1]
        }
    }

    /// The normal score at which the distance from the mean is `distance`.
    fn place(&self, distance: f64) -> f64 {
        let room = self.room[usize::from(distance > 0.0)];
        if distance == 0.0 {
            return 0.0;
        }
        let share = distance.abs() / room;
        // Without room nothing lies beyond.
        let z = if share < 1.0 {
            (self.of * share / (1.0 - share)).sqrt()
        } else {
            f64::INFINITY
        };
        z.copysign(distance)
    }
}

impl Estimated {
    /// The same with a standard error `times` as large. An allowance stays: it is no estimate.
    pub fn widened(self, times: f64) -> Self {
        Self {
            se: self.se * times,
            ..self
        }
    }

    /// The random variable at the normal score `z`, its error at least `least`.
    fn at(&self, z: f64, least: f64) -> f64 {
        let distance = match &self.allowance {
            Some(allowance) => allowance.at(z),
            None => self.se.max(least) * from_normal(z, self.dof.max(1.0)),
        };
        self.mean + distance
    }

    /// Chance that it is less than `x`.
    fn chance_below(&self, x: f64, least: f64) -> f64 {
        let place = match &self.allowance {
            Some(allowance) => allowance.place(x - self.mean),
            None => to_normal((x - self.mean) / self.se.max(least), self.dof.max(1.0)),
        };
        normal_cdf(place)
    }
}

/// Posterior probability that a quantity so estimated is above zero: Student's distribution around the
/// estimate, as a flat prior gives it. One half for exactly zero
/// without error, and while the error is unknown.
pub fn above_zero(of: Estimated) -> f64 {
    let Estimated {
        mean,
        se,
        dof,
        allowance,
    } = of;
    if se.is_nan() || mean.is_nan() || se == f64::INFINITY {
        0.5
    } else if allowance.is_some() {
        1.0 - of.chance_below(0.0, 0.0)
    } else if se > 0.0 {
        student_cdf(mean / se, dof.max(1.0))
    } else if mean == 0.0 {
        0.5
    } else {
        f64::from(u8::from(mean > 0.0))
    }
}

/// The place in the normal distribution of a place in Student's, and back (D. L. Wallace, *Bounds on
/// normal approximations to Student's and the chi-square distributions*, Annals of Mathematical
/// Statistics 30, 1959): right to 0.01 in the chance from one degree of freedom on, and much better
/// from five.
fn to_normal(t: f64, dof: f64) -> f64 {
    if dof >= ENDLESS {
        return t;
    }
    let scale = (8.0 * dof + 1.0) / (8.0 * dof + 3.0);
    scale * (dof * ln_1p(t * t / dof)).sqrt() * t.signum()
}

fn from_normal(z: f64, dof: f64) -> f64 {
    if dof >= ENDLESS {
        return z;
    }
    let z1 = z * (8.0 * dof + 3.0) / (8.0 * dof + 1.0);
    (dof * exp_m1(z1 * z1 / dof)).sqrt() * z.signum()
}

/// Chance of each of several quantities to be the largest: Student's distribution around each
/// estimate, errors taken as independent. Positively correlated errors (equal dice) make the
/// difference of two surer than that, so that the figure is then cautious; of more it need not be. The
/// chances sum to one; they are equal while an error is still unknown.
///
/// With x_i(z) the quantity i at the normal score z, it is for each i
/// ∫ φ(z) Π_{j≠i} P(quantity j < x_i(z)) dz, by the trapezoidal rule.
pub fn chances(estimates: &[Estimated]) -> Vec<f64> {
    const STEPS: i32 = 80;
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
        (-STEPS..=STEPS)
            .map(|k| {
                let z = f64::from(k) * STEP;
                let x = own.at(z, least);
                let mut product = exp(-0.5 * z * z);
                for (j, other) in estimates.iter().enumerate() {
                    if j != i {
                        product *= other.chance_below(x, least);
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

/// The place of the largest value, the first of equals; `None` of no values. What is not a number is no
/// larger than any.
pub fn first_largest(values: impl Iterator<Item = (usize, f64)>) -> Option<usize> {
    let best = values.reduce(|best, one| match best.1 >= one.1 || one.1.is_nan() {
        true => best,
        false => one,
    });
    best.map(|(place, _)| place)
}

/// Monte Carlo draws of [`chances_together`]: the standard error of its figures is at most half a percent.
const DRAWS: u32 = 10_000;

/// Which of several quantities are estimated by their difference to one of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Beside {
    /// The place of that one.
    pub reference: usize,
    /// For each whether its estimate is the difference: it less the reference.
    pub differs: Vec<bool>,
}

/// Chance of each of several quantities to be the largest, from their estimates and the covariances
/// of the errors of these, row by row, which have `dof` degrees of freedom: Student's distribution in
/// several dimensions, by Monte Carlo (always the same draws, so that equal data give equal bits). Those
/// that have never varied are drawn by themselves. The chances sum to one.
///
/// # Panics
/// If there are not as many covariances as pairs of estimates.
pub fn chances_together(
    estimates: &[Estimated],
    covariances: &[f64],
    dof: f64,
    beside: Option<&Beside>,
) -> Vec<f64> {
    let k = estimates.len();
    assert_eq!(covariances.len(), k * k, "a covariance for every two");
    let alone = |i: usize| estimates[i].allowance.is_some();
    let mut matrix = covariances.to_vec();
    for (place, covariance) in matrix.iter_mut().enumerate() {
        if alone(place / k) || alone(place % k) {
            *covariance = 0.0;
        }
    }
    let root = root(&matrix, k);
    let mut generator = ChaCha8Rng::seed_from_u64(0x6265_7374);
    let mut unit = || (f64::from(generator.next_u32()) + 0.5) / 4_294_967_296.0;
    let mut normals = vec![0.0; (k + 1).next_multiple_of(2)];
    let mut values = vec![0.0; k];
    let mut wins = vec![0u32; k];
    for _ in 0..DRAWS / 2 {
        for two in normals.chunks_exact_mut(2) {
            // Box & Muller, 1958.
            let (radius, angle) = ((-2.0 * ln(unit())).sqrt(), std::f64::consts::TAU * unit());
            two.copy_from_slice(&cos_sin(angle).map(|side| radius * side));
        }
        let wide = wider(normals[k], dof);
        // And the mirror image of each drawing.
        for sign in [1.0, -1.0] {
            for (i, own) in estimates.iter().enumerate() {
                values[i] = if alone(i) {
                    own.at(sign * normals[i], 0.0)
                } else {
                    let row = &root[i * k..=i * k + i];
                    let error: f64 = row.iter().zip(&normals).map(|(r, z)| r * z).sum();
                    own.mean + sign * wide * error
                };
            }
            if let Some(Beside { reference, differs }) = beside {
                let base = values[*reference];
                let differences = values
                    .iter_mut()
                    .zip(differs)
                    .filter(|(_, differs)| **differs);
                differences.for_each(|(value, _)| *value += base);
            }
            wins[first_largest(values.iter().copied().enumerate()).unwrap_or(0)] += 1;
        }
    }
    let total = f64::from(2 * (DRAWS / 2));
    wins.into_iter().map(|w| f64::from(w) / total).collect()
}

/// The factor √(ν/χ²) that makes Student's distribution of the normal one, χ² at the normal score
/// `z` (E. B. Wilson, M. M. Hilferty, *The distribution of chi-square*, PNAS 17, 1931).
fn wider(z: f64, dof: f64) -> f64 {
    if dof >= ENDLESS {
        return 1.0;
    }
    let part = 2.0 / (9.0 * dof.max(1.0));
    let root = 1.0 - part + z * part.sqrt();
    let root = root.max(0.05);
    (1.0 / (root * square(root))).sqrt()
}

/// The part by which more than rounding makes covariances too large for a variance.
const TOO_LARGE: f64 = 1e-9;

/// The Cholesky factor of the matrix: the lower triangle L with L·Lᵀ = matrix. Where rounding has made
/// a pivot negative it counts as 0. Covariances that come from other observations than the variances may be too
/// large for these: then they are made smaller, and the variance stays.
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
        let (row, variance) = (&mut root[i * k..=i * k + i], matrix[i * k + i]);
        let sum: f64 = row.iter().map(|part| part * part).sum();
        if sum > variance * (1.0 + TOO_LARGE) {
            let scale = (variance / sum).sqrt();
            row.iter_mut().for_each(|part| *part *= scale);
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equals_leads() {
        let place = |values: &[f64]| first_largest(values.iter().copied().enumerate());
        assert_eq!(place(&[]), None);
        assert_eq!(place(&[0.1, 0.3, 0.3]), Some(1));
        assert_eq!(place(&[f64::NAN, -1.0, f64::NAN]), Some(1));
    }

    fn sure((mean, se): (f64, f64)) -> Estimated {
        Estimated {
            mean,
            se,
            dof: f64::INFINITY,
            allowance: None,
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
            let of = |mean| Estimated {
                mean,
                se: 1.0,
                dof,
                allowance: None,
            };
            assert!((above_zero(of(t)) - chance).abs() < 1e-4, "{dof}");
            assert!((above_zero(of(-t)) + chance - 1.0).abs() < 1e-4, "{dof}");
            let near = normal_cdf(to_normal(t, dof));
            assert!((near - chance).abs() < 0.01, "{dof} {near}");
            assert!((from_normal(to_normal(t, dof), dof) - t).abs() < 1e-9);
            // Against a quantity that is known.
            let p = chances(&[of(t), sure((0.0, 0.0))]);
            assert!((p[0] - chance).abs() < 0.02, "{dof} {p:?}");
            let two = [of(t), sure((0.0, 0.0))];
            let p = chances_together(&two, &[1.0, 0.0, 0.0, 0.0], dof, None);
            assert!((p[0] - chance).abs() < 0.02, "{dof} {p:?}");
        }
    }

    #[test]
    fn together_agrees_with_apart_and_with_the_difference() {
        let estimates = [(0.10, 0.03), (0.05, 0.04), (0.02, 0.05)];
        let mut covariances = vec![0.0; 9];
        for i in 0..3 {
            covariances[4 * i] = estimates[i].1 * estimates[i].1;
        }
        let apart = chances(&estimates.map(sure));
        let together = chances_together(&estimates.map(sure), &covariances, f64::INFINITY, None);
        for (a, b) in apart.iter().zip(&together) {
            assert!((a - b).abs() < 0.015, "{apart:?} {together:?}");
        }
        // Errors that are nearly the same cancel in the difference.
        let (a, b, c) = (0.03f64.powi(2), 0.04f64.powi(2), 0.95 * 0.03 * 0.04);
        let near = [(0.10, 0.03), (0.08, 0.04)].map(sure);
        let p = chances_together(&near, &[a, c, c, b], 1e9, None);
        let expected = above_zero(sure((0.02, (a + b - 2.0 * c).sqrt())));
        assert!((p[0] - expected).abs() < 0.015, "{p:?} {expected}");
        // Without error the largest wins.
        let two = [(0.1, 0.0), (0.2, 0.0)].map(sure);
        assert_eq!(chances_together(&two, &[0.0; 4], 9.0, None), [0.0, 1.0]);
    }

    /// A quantity that is known beside another is larger with the chance of their difference, however little is known
    /// of the other itself; a covariance that is too large for the variances does not widen it.
    #[test]
    fn differences_are_drawn_as_they_are_known() {
        let three = [(0.1, 0.5), (-0.02, 0.01), (-0.5, 0.01)].map(sure);
        let beside = Beside {
            reference: 0,
            differs: vec![false, true, true],
        };
        let expected = above_zero(three[1]);
        for covariance in [0.0, 0.2] {
            let (a, b) = (0.25, 0.0001);
            let all = [a, covariance, 0.0, covariance, b, 0.0, 0.0, 0.0, b];
            let p = chances_together(&three, &all, f64::INFINITY, Some(&beside));
            assert!(
                (p[1] - expected).abs() < 0.006 && p[2] == 0.0,
                "{p:?} {expected}"
            );
            assert!((p[0] + p[1] - 1.0).abs() < 1e-12, "{p:?}");
        }
    }

    /// One that has never varied in many observations is hardly better than it has shown itself; one in
    /// few may be. It is drawn as it is integrated.
    #[test]
    fn what_was_never_seen_is_seldom_large() {
        let never = |of: f64| Estimated {
            mean: -1.0,
            se: 2.0 * 3.84 / (of + 3.84) / 3.92,
            dof: f64::INFINITY,
            allowance: Some(ZeroVarianceAllowance {
                of,
                room: [0.0, 2.0],
            }),
        };
        let leader = sure((-0.9767, 0.0027));
        for (of, least, most) in [(180.0, 0.05, 0.12), (1080.0, 0.0, 0.001)] {
            let two = [leader, never(of)];
            let p = chances(&two)[1];
            assert!((least..most).contains(&p), "{of}: {p}");
            let variance = leader.se * leader.se;
            let drawn = chances_together(&two, &[variance, 0.0, 0.0, 0.0], 1e9, None)[1];
            assert!((p - drawn).abs() < 0.01, "{of}: {p} {drawn}");
        }
        assert!(above_zero(never(180.0)) < 1e-6);
        let level = Estimated {
            mean: 0.0,
            ..never(180.0)
        };
        assert_eq!(above_zero(level), 0.5);
        assert_eq!(chances(&[level; 2]), [0.5, 0.5]);
    }

    #[test]
    fn the_first_of_equals_is_the_largest_and_what_is_no_number_is_not() {
        let of = |values: &[f64]| first_largest(values.iter().copied().enumerate());
        assert_eq!(of(&[0.1, 0.3, 0.3]), Some(1));
        assert_eq!(
            [of(&[f64::NAN, 0.2]), of(&[0.2, f64::NAN]), of(&[])],
            [Some(1), Some(0), None]
        );
    }
}
