//! `luckless-lab bias-check`: rollouts of endings and the bias check, against exact values.

use std::ops::RangeInclusive;

use anyhow::Result;
use rayon::prelude::*;

use super::common::{pool, setup};
use crate::cli::common::options::{Threads, count, plies};
use crate::cli::common::output;
use crate::experiments::bias_check::{CheckedEnding, check, endings};
use crate::grid::Grid;
use crate::rollout::Settings;
use crate::stats::interval::{NORMAL_975, half_width, student_975};

/// Whether a rollout and its bias check hold exact values: endings of seven and eight checkers, money, with the cube
#[derive(Debug, clap::Args)]
pub(super) struct BiasCheck {
    /// Endings
    #[arg(long, value_name = "N", default_value_t = 60)]
    endings: usize,
    /// Plies with which the rollouts play
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = plies())]
    ply: u8,
    /// Trials of each rollout
    #[arg(long, value_name = "N", default_value_t = 216, value_parser = count::<u64>(72))]
    trials: u64,
    /// Checks of each rollout, each with dice of its own
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<u64>(2))]
    checks: u64,
    /// Trials of each check
    #[arg(long, value_name = "N", default_value_t = 144, value_parser = count::<u64>(2))]
    check_trials: u64,
    /// Key of the endings and of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
}

/// Checkers per side. The tables contain up to six.
const CHECKERS: RangeInclusive<usize> = 7..=8;

/// Counts how often an interval held and sums squared errors.
#[derive(Default)]
struct Held {
    all: u32,
    held: u32,
    silent: u32,
    squares: f64,
    z: Vec<f64>,
}

impl Held {
    /// Counts an interval of half-width `radius` around an estimate with this `error`.
    fn count(&mut self, error: f64, radius: f64) {
        self.all += 1;
        self.squares += error * error;
        if !radius.is_finite() {
            self.silent += 1;
            return;
        }
        self.held += u32::from(error.abs() <= radius);
        self.z.push(NORMAL_975 * error / radius.max(1e-7));
    }

    fn row(&self, name: &str) -> Vec<String> {
        let z = |z: f64| format!("{z:.1}");
        let squares = self.z.iter().map(|z| z * z).sum::<f64>() / self.z.len().max(1) as f64;
        let worst = self
            .z
            .iter()
            .copied()
            .max_by(|a, b| a.abs().total_cmp(&b.abs()));
        vec![
            name.to_owned(),
            self.all.to_string(),
            self.silent.to_string(),
            format!(
                "{:.1}%",
                100.0 * f64::from(self.held) / f64::from((self.all - self.silent).max(1))
            ),
            format!("{:.5}", (self.squares / f64::from(self.all.max(1))).sqrt()),
            z(squares.sqrt()),
            z(worst.unwrap_or_default()),
        ]
    }
}

impl BiasCheck {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let mut settings = Settings {
            ply: self.ply,
            seed: self.seed,
            ..Settings::default()
        };
        settings.stop.trials = self.trials;
        let endings = endings(self.endings, CHECKERS, self.seed);
        let one = |ending| check(&setup, ending, &settings, self.checks, self.check_trials);
        let all: Vec<CheckedEnding> = pool(&self.threads)?
            .install(|| endings.par_iter().map(one).collect::<Result<_, _>>())?;
        output::text(&self.report(&all))
    }

    fn report(&self, all: &[CheckedEnding]) -> String {
        let mut rows: [Held; 6] = Default::default();
        let student = student_975((self.check_trials - 1) as f64);
        for one in all {
            let sum: f64 = one.checks.iter().map(|check| check.mean).sum();
            let n = one.checks.len() as f64;
            rows[0].count(one.error, one.radius);
            for check in &one.checks {
                let radii = [student * check.standard_error, half_width(check.ci95)];
                let others = (sum - check.mean) / (n - 1.0);
                for (i, radius) in radii.into_iter().enumerate() {
                    rows[1 + i].count(one.error + check.mean, one.radius.hypot(radius));
                    rows[3 + i].count(check.mean - others, radius);
                }
            }
            // The ideal of endless games: only the remaining error is counted.
            rows[5].count(one.error + sum / n, f64::INFINITY);
        }
        let mut table = Grid::new(&[
            "",
            "all",
            "no interval",
            "of the others held",
            "off, RMS",
            "z, RMS",
            "worst",
        ]);
        let names = [
            "rollout, exact value",
            "with a check, Student's interval",
            "with a check, its interval",
            "check alone, mean of the other checks: Student's",
            "the same: its interval",
            "rollout with the mean of all checks, exact value",
        ];
        for (row, name) in rows.iter().zip(names) {
            table.row(row.row(name));
        }
        format!(
            "{} endings, {} trials at {}-ply, {} checks of {} trials, seed {}\n{table}",
            all.len(),
            self.trials,
            self.ply,
            self.checks,
            self.check_trials,
            self.seed
        )
    }
}
