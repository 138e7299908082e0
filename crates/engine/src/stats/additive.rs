//! The residual variance once the effects of rows and columns are subtracted.
//!
//! Each of several numbers of an observation is *balanced* if every value comes as often as it should.
//! The mean of all observations then has no error from the *main effects* of these numbers. It only has
//! the error of what is left when the best sum of such effects is subtracted (M. Stein, *Large sample
//! properties of simulations using Latin hypercube sampling*, Technometrics 29, 1987). A. Owen (*A
//! central limit theorem for Latin hypercube sampling*, JRSS B 54, 1992) estimates that residual from the
//! residuals of an additive fit, as is done here. Where the *pairs* of two numbers are balanced too,
//! their interaction is no error either, and only the variance within the pairs is.

use super::Moments;

/// Rounds of fitting at most. A table that is nearly balanced needs a handful.
const ROUNDS: usize = 60;
/// The fit is good when no effect moves by more than this share of the spread of the cells.
const SETTLED: f64 = 1e-9;

/// Variances of an observation in a table of two effects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdditiveFit {
    /// Around the effect of its row.
    pub rows: f64,
    /// Around the sum of the effects of its row and its column.
    pub additive: f64,
    /// Degrees of freedom of `additive`.
    pub dof: f64,
    /// Around the mean of its cell, all cells put together; 0 where none has two observations.
    pub cells: f64,
    /// Degrees of freedom of `cells`.
    pub cells_dof: f64,
}

/// The least-squares fit of row and column effects to the observations of a table of cells, row by
/// row, `width` cells each. `None` where too few observations are left for the residual variance.
pub fn fit(cells: &[Moments], width: usize) -> Option<AdditiveFit> {
    if width == 0 || cells.is_empty() {
        return None;
    }
    let table = Table::new(cells, width);
    let effects = table.rows.iter().chain(&table.columns);
    let parameters = effects.filter(|(n, _)| *n > 0.0).count() as f64 - 1.0;
    let rows = table.rows.iter().filter(|(n, _)| *n > 0.0).count() as f64;
    let filled = cells.iter().filter(|c| c.count() > 0).count() as f64;
    let n: f64 = table.rows.iter().map(|r| r.0).sum();
    let (dof, cells_dof) = (n - parameters, n - filled);
    if dof < 1.0 {
        return None;
    }
    let own: f64 = cells.iter().map(Moments::squares).sum();
    let (row, column) = table.effects();
    let (mut by_row, mut by_both) = (own, own);
    for (i, line) in cells.chunks(width).enumerate() {
        for (cell, b) in line.iter().zip(&column) {
            let n = cell.count() as f64;
            let from_row = cell.mean() - table.rows[i].1;
            let rest = cell.mean() - row[i] - b;
            by_row += n * from_row * from_row;
            by_both += n * rest * rest;
        }
    }
    Some(AdditiveFit {
        rows: by_row / (n - rows).max(1.0),
        additive: by_both / dof,
        dof,
        cells: if cells_dof > 0.0 {
            own / cells_dof
        } else {
            0.0
        },
        cells_dof,
    })
}

/// Counts and means of rows and columns.
struct Table<'a> {
    cells: &'a [Moments],
    width: usize,
    rows: Vec<(f64, f64)>,
    columns: Vec<(f64, f64)>,
}

impl<'a> Table<'a> {
    fn new(cells: &'a [Moments], width: usize) -> Self {
        let of = |all: Moments| (all.count() as f64, all.mean());
        Self {
            cells,
            width,
            rows: cells
                .chunks(width)
                .map(|c| of(c.iter().collect()))
                .collect(),
            columns: (0..width)
                .map(|j| of(cells.iter().skip(j).step_by(width).collect()))
                .collect(),
        }
    }

    /// The effects, by alternating between rows and columns (Gauss and Seidel): the columns
    /// are what deviates from the rows.
    fn effects(&self) -> (Vec<f64>, Vec<f64>) {
        let mut row: Vec<f64> = self.rows.iter().map(|r| r.1).collect();
        let mut column = vec![0.0; self.width];
        let spread = |list: &[(f64, f64)]| {
            let means = list.iter().filter(|l| l.0 > 0.0).map(|l| l.1);
            let low = means.clone().fold(f64::INFINITY, f64::min);
            means.fold(f64::NEG_INFINITY, f64::max) - low
        };
        let enough = SETTLED * (spread(&self.rows) + spread(&self.columns));
        for _ in 0..ROUNDS {
            let mut moved = 0.0f64;
            let mut sums = vec![0.0; self.width];
            for (i, line) in self.cells.chunks(self.width).enumerate() {
                for (cell, sum) in line.iter().zip(&mut sums) {
                    *sum += cell.count() as f64 * (cell.mean() - row[i]);
                }
            }
            for ((b, sum), (n, _)) in column.iter_mut().zip(&sums).zip(&self.columns) {
                let new = if *n > 0.0 { sum / n } else { 0.0 };
                moved = moved.max((new - *b).abs());
                *b = new;
            }
            for (i, line) in self.cells.chunks(self.width).enumerate() {
                let rest = line.iter().zip(&column);
                let sum: f64 = rest.map(|(c, b)| c.count() as f64 * (c.mean() - b)).sum();
                if self.rows[i].0 > 0.0 {
                    row[i] = sum / self.rows[i].0;
                }
            }
            if moved <= enough {
                break;
            }
        }
        (row, column)
    }
}

/// The variance that a single number's main effect has among observations whose number is balanced,
/// from the moments of its levels. (One-way analysis with random levels; Henderson, *Estimation of
/// variance and covariance components*, Biometrics 9, 1953, his first method.) `rest` is the
/// variance of single observations around the other effects, with this one still in it: so the divisor is less than
/// their number by the degrees of freedom. The result may be slightly negative, being unbiased.
pub fn main_effect(levels: &[Moments], rest: f64) -> f64 {
    let all: Moments = levels.iter().collect();
    let own: f64 = levels.iter().map(Moments::squares).sum();
    let seen = levels.iter().filter(|l| l.count() > 0).count() as f64 - 1.0;
    let n = all.count() as f64;
    if n <= seen + 1.0 {
        return 0.0;
    }
    ((all.squares() - own).max(0.0) - seen * rest) / (n - seen)
}

#[cfg(test)]
mod tests {
    use super::super::moments::tests::of;
    use super::*;

    #[test]
    fn sums_of_effects_leave_nothing() {
        // Unequal numbers, a cell without any, values a row's plus a column's effect.
        let value = |i: usize, j: usize| (i * i) as f64 * 3.0 + [0.0, 10.0, -4.0][j];
        let mut cells = Vec::new();
        for i in 0..4 {
            for j in 0..3 {
                let n = (i + 2 * j) % 4;
                cells.push(of(&vec![value(i, j); n]));
            }
        }
        let fit = fit(&cells, 3).unwrap();
        assert!(fit.additive < 1e-12 && fit.cells < 1e-12, "{fit:?}");
        assert!(fit.rows > 1.0, "{fit:?}");
    }

    #[test]
    fn worked_by_hand() {
        // Means 0, 2 / 4, 10: effects of rows ±3, of columns ±2, what they do together ±1; two
        // observations in each cell, ±1 around.
        let cells = [[-1.0, 1.0], [1.0, 3.0], [3.0, 5.0], [9.0, 11.0]].map(|x| of(&x));
        let fit = fit(&cells, 2).unwrap();
        assert!((fit.cells - 8.0 / 4.0).abs() < 1e-12, "{fit:?}");
        assert!((fit.additive - 16.0 / 5.0).abs() < 1e-9, "{fit:?}");
        assert!((fit.rows - (8.0 + 8.0 * 5.0) / 6.0).abs() < 1e-9, "{fit:?}");
        assert_eq!((fit.dof, fit.cells_dof), (5.0, 4.0));
    }

    #[test]
    fn too_little_gives_nothing() {
        assert_eq!(fit(&[of(&[1.0]), of(&[2.0])], 2), None);
        assert_eq!(fit(&[], 2), None);
        let single = [of(&[1.0]), of(&[2.0]), of(&[3.0]), of(&[5.0])];
        let fit = fit(&single, 2).unwrap();
        assert_eq!((fit.dof, fit.cells, fit.cells_dof), (1.0, 0.0, 0.0));
    }

    #[test]
    fn a_main_effect_is_found() {
        // Levels -1 and 1, no other spread: variance 1 among balanced observations, which the rest still has.
        let levels = [of(&[-1.0; 50]), of(&[1.0; 50])];
        assert!((main_effect(&levels, 1.0) - 1.0).abs() < 1e-12);
        let none = [of(&[-1.0, 1.0]), of(&[-1.0, 1.0])];
        assert!(main_effect(&none, 1.0) < 0.0);
        assert_eq!(main_effect(&[of(&[1.0]), of(&[2.0])], 1.0), 0.0);
    }
}
