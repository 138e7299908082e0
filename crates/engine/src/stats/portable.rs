//! Functions of real numbers that give the same bits on every platform.
//!
//! The standard library's `ln`, `exp` and their kin are those of the system, and differ between
//! systems in the last digit. A stop rule or an allocation that depends on them would end a rollout
//! elsewhere on another machine. Here they come from the crate `libm`, which is written in Rust and
//! uses nothing but the operations that IEEE 754 prescribes to the bit.
//!
//! Quantiles are given for the *upper tail*, so that no digits are lost for small chances.

use std::f64::consts::{PI, SQRT_2};

/// From this many degrees of freedom on Student's quantile is expanded around the normal one.
const MANY: f64 = 200.0;
/// From this many degrees of freedom on Student's distribution function is taken for the normal one.
pub(super) const ENDLESS: f64 = 1e5;

/// Natural logarithm.
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Natural logarithm of `1 + x`.
pub fn ln_1p(x: f64) -> f64 {
    libm::log1p(x)
}

/// Exponential function.
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Exponential function less one.
pub fn exp_m1(x: f64) -> f64 {
    libm::expm1(x)
}

/// Cosine and sine of an angle.
pub fn cos_sin(angle: f64) -> [f64; 2] {
    [libm::cos(angle), libm::sin(angle)]
}

/// The square. (`powi` makes no promise of its last digit.)
pub fn square(x: f64) -> f64 {
    x * x
}

/// Length of the vector with these two sides.
pub fn hypot(a: f64, b: f64) -> f64 {
    (a * a + b * b).sqrt()
}

/// Logarithm of the gamma function, for positive numbers.
pub fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Distribution function of the standard normal distribution.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / SQRT_2)
}

/// The upper quantile of the normal distribution, exceeded with chance `tail`: Abramowitz & Stegun 26.2.23,
/// then two steps of Halley's method.
pub fn normal_quantile(tail: f64) -> f64 {
    if tail > 0.5 {
        return -normal_quantile(1.0 - tail);
    }
    if tail.is_nan() || tail <= 0.0 {
        return f64::INFINITY;
    }
    let t = (-2.0 * ln(tail)).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut z = t - above / below;
    for _ in 0..2 {
        let excess = normal_cdf(-z) - tail;
        let step = excess * (2.0 * PI).sqrt() * exp(0.5 * z * z);
        z += step / (1.0 - 0.5 * z * step);
    }
    z
}

/// Distribution function of Student's distribution with `dof` degrees of freedom, at least one.
pub fn student_cdf(t: f64, dof: f64) -> f64 {
    if t > 0.0 {
        1.0 - student_tail(t, dof)
    } else {
        student_tail(-t, dof)
    }
}

/// Chance that a random variable with Student's distribution exceeds `t`, which is not negative.
fn student_tail(t: f64, dof: f64) -> f64 {
    if dof >= ENDLESS {
        return normal_cdf(-t);
    }
    let square = t * t;
    let whole = dof + square;
    0.5 * incomplete_beta(dof / whole, square / whole, dof / 2.0, 0.5)
}

/// The upper quantile of Student's distribution that is exceeded with chance `tail`. Infinite below
/// one degree of freedom: then the data say nothing.
///
/// For many degrees it is the expansion around the normal quantile (Abramowitz & Stegun 26.7.5).
/// For few it is Newton's method for the logarithm of the tail as a function of the logarithm of
/// the place. That function is concave, so that the steps cannot run away.
pub fn student_quantile(tail: f64, dof: f64) -> f64 {
    if dof.is_nan() || dof < 1.0 {
        return f64::INFINITY;
    }
    if tail > 0.5 {
        return -student_quantile(1.0 - tail, dof);
    }
    if tail == 0.5 {
        return 0.0;
    }
    let z = normal_quantile(tail);
    let mut t = expanded(z, dof);
    if dof >= MANY || !z.is_finite() {
        return t;
    }
    let density = exp(ln_gamma((dof + 1.0) / 2.0) - ln_gamma(dof / 2.0)) / (dof * PI).sqrt();
    for _ in 0..60 {
        let chance = student_tail(t, dof);
        let height = density * exp(-(dof + 1.0) / 2.0 * ln_1p(t * t / dof));
        let step = (ln(chance / tail) * chance / (height * t)).clamp(-3.0, 3.0);
        t *= exp(step);
        if step.abs() < 1e-15 {
            break;
        }
    }
    t
}

/// Student's quantile from the normal one, to the fourth power of 1/dof.
fn expanded(z: f64, dof: f64) -> f64 {
    let q = z * z;
    let terms = [
        z * (1.0 + q) / 4.0,
        z * (3.0 + q * (16.0 + q * 5.0)) / 96.0,
        z * (-15.0 + q * (17.0 + q * (19.0 + q * 3.0))) / 384.0,
        z * (-945.0 + q * (-1920.0 + q * (1482.0 + q * (776.0 + q * 79.0)))) / 92_160.0,
    ];
    let mut sum = 0.0;
    for term in terms.iter().rev() {
        sum = (sum + term) / dof;
    }
    // With few degrees the expansion may leave the right side.
    (z + sum).max(z)
}

/// The regularised incomplete beta function of `x`, of which `rest` is `1 - x`, by its continued
/// fraction (Abramowitz & Stegun 26.5.8, evaluated as W. J. Lentz does, Applied Optics 15, 1976).
fn incomplete_beta(x: f64, rest: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || rest <= 0.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    let front = exp(ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * ln(x) + b * ln(rest));
    if x < (a + 1.0) / (a + b + 2.0) {
        front * fraction(x, a, b) / a
    } else {
        1.0 - front * fraction(rest, b, a) / b
    }
}

/// The value below which a Beta(a, b) falls with chance `chance`, to some fifteen digits, rounded down.
pub(super) fn beta_quantile(chance: f64, a: f64, b: f64) -> f64 {
    let (mut low, mut high) = (0.0f64, 1.0f64);
    for _ in 0..60 {
        let middle = low.midpoint(high);
        if incomplete_beta(middle, 1.0 - middle, a, b) <= chance {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn fraction(x: f64, a: f64, b: f64) -> f64 {
    const LEAST: f64 = 1e-300;
    let kept = |y: f64| if y.abs() < LEAST { LEAST } else { y };
    let mut c = 1.0;
    let mut d = 1.0 / kept(1.0 - (a + b) * x / (a + 1.0));
    let mut value = d;
    for m in 1..2000 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for term in [even, odd] {
            d = 1.0 / kept(1.0 + term * d);
            c = kept(1.0 + term / c);
            change = c * d;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

    #[test]
    fn normal_quantiles_agree_with_another_implementation() {
        let normal = Normal::standard();
        for tail in [0.5, 0.4, 0.1, 0.025, 1e-3, 1e-6, 1e-9] {
            let expected = normal.inverse_cdf(1.0 - tail);
            // The other one works with the chance below, of which digits are lost.
            let near = 1e-9 + 1e-15 / tail;
            assert!((normal_quantile(tail) - expected).abs() < near, "{tail}");
            assert!((normal_cdf(-normal_quantile(tail)) / tail - 1.0).abs() < 1e-12);
            assert!((normal_quantile(1.0 - tail) + normal_quantile(tail)).abs() < near);
        }
    }

    #[test]
    fn students_distribution_agrees_with_another_implementation() {
        for dof in [
            1.0, 1.5, 2.0, 3.7, 10.0, 35.0, 150.0, 199.9, 200.0, 5e3, 2e5,
        ] {
            let student = StudentsT::new(0.0, 1.0, dof).unwrap();
            for t in [-3.0, -0.4, 0.0, 0.01, 1.0, 2.5, 20.0] {
                let near = if dof > ENDLESS { 1e-5 } else { 1e-10 };
                assert!(
                    (student_cdf(t, dof) - student.cdf(t)).abs() < near,
                    "{dof} {t}"
                );
            }
            for tail in [0.49, 0.2, 0.025, 1e-3, 2.5e-7] {
                let t = student_quantile(tail, dof);
                let back = student_tail(t, dof);
                let near = if dof > ENDLESS { 1e-3 } else { 1e-6 };
                assert!((back / tail - 1.0).abs() < near, "{dof} {tail}: {t} {back}");
            }
        }
        assert_eq!(student_quantile(0.5, 7.0), 0.0);
        assert_eq!(student_quantile(0.025, 0.5), f64::INFINITY);
        // Cauchy's.
        assert!((student_quantile(0.25, 1.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn beta_quantiles_agree_with_another_implementation() {
        use statrs::function::beta::beta_reg;
        for (a, b) in [
            (1.0, 1.0),
            (1.0, 300.0),
            (300.0, 1.0),
            (40.0, 61.0),
            (5e3, 5e3),
        ] {
            for chance in [1e-5, 0.0125, 0.5] {
                let x = beta_quantile(chance, a, b);
                let back = beta_reg(a, b, x);
                assert!(
                    (back / chance - 1.0).abs() < 1e-6,
                    "{a} {b} {chance} {x} {back}"
                );
            }
        }
    }

    /// The same bits on every platform: a change of these changes when rollouts end.
    #[test]
    fn bits_are_these() {
        let all = [
            normal_quantile(0.025),
            student_quantile(0.025, 7.5),
            student_quantile(0.025, 1234.5),
            ln_gamma(17.25),
            normal_cdf(0.3),
        ];
        assert_eq!(all.map(f64::to_bits), BITS, "{:?}", all.map(f64::to_bits));
    }

    const BITS: [u64; 5] = [
        4_611_505_712_243_081_093,
        4_612_435_956_997_112_259,
        4_611_514_374_911_520_799,
        4_629_524_388_767_176_952,
        4_603_740_870_846_712_696,
    ];
}
