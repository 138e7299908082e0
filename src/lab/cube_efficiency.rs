//! The cube efficiency that fits live rollouts best, by kind of position, and whether it is better
//! on positions it was not fitted to.
//!
//! With the values of a dead and of a live cube from the chances of a position ([`CubeCase::chances`])
//! and the rollouts' values v of the three states of the cube, the efficiency x is the one for which the
//! squares of `v - dead - x·(live - dead)` are least; in races x may go with the pips of the player
//! on roll. The three states of one position share its chances and its dice, so the standard error
//! is that of whole positions (the *sandwich* of cluster-robust regression, one cluster a position).
//!
//! *Held out.* The cases are dealt into two halves. An efficiency fitted to each is tried on the other; what
//! its mean absolute error gains over the efficiency in use has a standard error from the positions' paired
//! differences.

use super::cube::CubeCase;
use crate::cube::{Efficiency, EfficiencyClass};

/// A straight line in the pips of the player on roll, less [`CENTRE`] of them, or a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EfficiencyLine {
    /// The efficiency at [`CENTRE`] pips, or everywhere.
    pub efficiency: f64,
    /// Its standard error.
    pub se: f64,
    /// What a pip adds, and the standard error of that; `None` for a constant.
    pub pip: Option<[f64; 2]>,
}

/// Pips about which lines are told: near the middle of races.
pub const CENTRE: f64 = 70.0;

impl EfficiencyLine {
    /// The cube efficiency in the position of `case`.
    #[must_use]
    pub fn at(&self, case: &CubeCase) -> f64 {
        let slope = self.pip.map_or(0.0, |[slope, _]| slope);
        (self.efficiency + slope * centred(case)).clamp(0.0, 1.0)
    }
}

fn centred(case: &CubeCase) -> f64 {
    f64::from(case.position.mover.pips()) - CENTRE
}

/// What a case adds to the sums of a regression on `terms` (at most two) of the efficiency.
struct Sums {
    /// Σ z zᵀ.
    squares: [[f64; 2]; 2],
    /// Σ z d.
    products: [f64; 2],
}

fn sums(case: &CubeCase, with_pips: bool) -> Sums {
    let mut sums = Sums {
        squares: [[0.0; 2]; 2],
        products: [0.0; 2],
    };
    let factor = if with_pips { centred(case) } else { 0.0 };
    for [live, gained] in case.blends() {
        let z = [live, live * factor];
        for (row, zi) in sums.squares.iter_mut().zip(z) {
            for (cell, zj) in row.iter_mut().zip(z) {
                *cell += zi * zj;
            }
        }
        for (product, zi) in sums.products.iter_mut().zip(z) {
            *product += zi * gained;
        }
    }
    sums
}

/// The inverse of a symmetric matrix; of its first entry alone where the rest is empty.
fn inverse(m: [[f64; 2]; 2]) -> Option<[[f64; 2]; 2]> {
    if m[1][1] == 0.0 {
        return (m[0][0] > 0.0).then(|| [[1.0 / m[0][0], 0.0], [0.0, 0.0]]);
    }
    let determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    (determinant > 1e-12 * m[0][0] * m[1][1]).then(|| {
        let [[a, b], [c, d]] = m;
        [[d, -b], [-c, a]].map(|row| row.map(|x| x / determinant))
    })
}

fn times(m: [[f64; 2]; 2], v: [f64; 2]) -> [f64; 2] {
    m.map(|row| row[0] * v[0] + row[1] * v[1])
}

/// The efficiency that fits these cases best, with the pips if asked for. `None` of too few cases.
#[must_use]
pub fn fit(cases: &[&CubeCase], with_pips: bool) -> Option<EfficiencyLine> {
    let each: Vec<Sums> = cases.iter().map(|case| sums(case, with_pips)).collect();
    let (mut squares, mut products) = ([[0.0; 2]; 2], [0.0; 2]);
    for one in &each {
        for (sum, p) in products.iter_mut().zip(one.products) {
            *sum += p;
        }
        for (sum, s) in squares
            .iter_mut()
            .flatten()
            .zip(one.squares.iter().flatten())
        {
            *sum += s;
        }
    }
    let terms = 1 + usize::from(with_pips);
    let n = each.len();
    let inverse = inverse(squares).filter(|_| n > terms)?;
    let x = times(inverse, products);
    // What is left of each position, as a whole.
    let mut variances = [0.0; 2];
    for one in &each {
        let explained = times(one.squares, x);
        let left = std::array::from_fn(|i| one.products[i] - explained[i]);
        let moved = times(inverse, left);
        for (variance, m) in variances.iter_mut().zip(moved) {
            *variance += m * m;
        }
    }
    let few = n as f64 / (n - terms) as f64;
    let se = variances.map(|v| (v * few).sqrt());
    Some(EfficiencyLine {
        efficiency: x[0],
        se: se[0],
        pip: with_pips.then_some([x[1], se[1]]),
    })
}

/// What a fitted efficiency gains on positions that it was not fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeldOut {
    /// Mean absolute error of the efficiency in use, in points.
    pub now: f64,
    /// The same of the fitted efficiency.
    pub fitted: f64,
    /// Standard error of the difference of the two.
    pub se: f64,
}

/// Fits one half of the cases and tries the fit on the other, both ways.
#[must_use]
pub fn held_out(cases: &[&CubeCase], efficiency: &Efficiency, with_pips: bool) -> Option<HeldOut> {
    let half = |wanted: usize| -> Vec<&CubeCase> {
        let of_half = cases.iter().enumerate().filter(|(i, _)| i % 2 == wanted);
        of_half.map(|(_, case)| *case).collect()
    };
    let (mut now, mut fitted, mut gains) = (0.0, 0.0, Vec::new());
    for tried in 0..2 {
        let line = fit(&half(1 - tried), with_pips)?;
        for case in half(tried) {
            let before = error(case, f64::from(efficiency.of(&case.position)));
            let after = error(case, line.at(case));
            now += before;
            fitted += after;
            gains.push(before - after);
        }
    }
    let n = gains.len() as f64;
    let mean = gains.iter().sum::<f64>() / n;
    let spread: f64 = gains.iter().map(|g| (g - mean).powi(2)).sum();
    Some(HeldOut {
        now: now / n,
        fitted: fitted / n,
        se: (spread / (n - 1.0) / n).sqrt(),
    })
}

/// Mean absolute error of an efficiency over the three states of the cube.
fn error(case: &CubeCase, efficiency: f64) -> f64 {
    let blends = case.blends();
    let all = blends
        .iter()
        .map(|[live, gained]| (gained - efficiency * live).abs());
    all.sum::<f64>() / blends.len() as f64
}

/// The kinds that have an efficiency of their own, with their names, and whether it goes with the pips.
pub const CLASSES: [(&str, EfficiencyClass, bool); 3] = [
    ("contact", EfficiencyClass::Contact, false),
    ("race", EfficiencyClass::Race, true),
    ("bearoff", EfficiencyClass::Bearoff, false),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Probabilities;
    use crate::game::Position;

    /// Races whose values are those of efficiencies that go with the pips, a little off to either side.
    fn cases(off: f64) -> Vec<CubeCase> {
        let case = |i: usize| {
            let position = Position::from_points(&[(6 + i, 5)], &[(7, 15)]).unwrap();
            let mut case = CubeCase {
                position,
                kind: EfficiencyClass::Race,
                chances: Probabilities {
                    win: 0.3 + 0.03 * i as f32,
                    ..Probabilities::default()
                },
                live: [[0.0; 2]; 3],
            };
            let efficiency = 0.6 + 0.002 * centred(&case);
            let sign = if i % 4 < 2 { off } else { -off };
            case.live = case.janowski(efficiency as f32).map(|v| [v + sign, 0.01]);
            case
        };
        (0..12).map(case).collect()
    }

    #[test]
    fn lines_are_found_again() {
        let cases = cases(0.0);
        let all: Vec<&CubeCase> = cases.iter().collect();
        let line = fit(&all, true).unwrap();
        let [slope, _] = line.pip.unwrap();
        assert!(
            (line.efficiency - 0.6).abs() < 1e-3 && (slope - 0.002).abs() < 1e-4,
            "{line:?}"
        );
        assert!(line.se < 1e-3);
        let constant = fit(&all, false).unwrap();
        assert!(constant.se > line.se && constant.pip.is_none());
        assert_eq!(fit(&all[..1], false), None);
        // The same position again and again has no slope.
        assert_eq!(fit(&[all[0]; 5], true), None);
    }

    #[test]
    fn a_better_efficiency_gains_where_it_was_not_fitted() {
        let cases = cases(0.01);
        let all: Vec<&CubeCase> = cases.iter().collect();
        let far = Efficiency {
            race: 0.2,
            race_pip: 0.0,
            race_range: [0.0, 1.0],
            ..Efficiency::default()
        };
        let held = held_out(&all, &far, true).unwrap();
        assert!(
            held.now - held.fitted > 3.0 * held.se && held.fitted < 0.02,
            "{held:?}"
        );
        let right = Efficiency {
            race: 0.6 - 0.002 * CENTRE as f32,
            race_pip: 0.002,
            race_range: [0.0, 1.0],
            ..Efficiency::default()
        };
        let held = held_out(&all, &right, true).unwrap();
        assert!(held.now <= held.fitted + 1e-3, "{held:?}");
        assert!(held.se > 0.0);
    }
}
