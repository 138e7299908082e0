//! `luckless-lab match-rollouts`: cost of a cubeful trial at match scores.

use anyhow::Result;

use super::common::setup;
use crate::cli::common::options::{count, plies};
use crate::cli::common::output;
use crate::cli::common::usage::refused;
use crate::cli::rollouts::rollout_options::filter;
use crate::eval::CandidateFilter;
use crate::experiments::match_decisions::{self, MatchDecision};
use crate::grid::Grid;
use crate::rollout::{Settings, Setup, StopRules, cpu_seconds, run_blocking};

/// What a trial with the cube costs at ten scores, five plays each, on one thread
#[derive(Debug, clap::Args)]
pub(super) struct MatchRollouts {
    /// Plies with which both sides play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = plies())]
    ply: u8,
    /// Trials of each play
    #[arg(long, value_name = "N", default_value_t = 36, value_parser = count::<u64>(2))]
    trials: u64,
    /// Which plays are looked at more deeply: so many within so many points
    #[arg(long, value_name = "PLAYS:POINTS", value_parser = filter)]
    filter: Option<CandidateFilter>,
    /// Roll out for money, without the cube
    #[arg(long)]
    cubeless: bool,
}

impl MatchRollouts {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let mut table = Grid::new(&["position", "away, cube", "ms a trial", "variance", "best"]);
        let mut logs = 0.0;
        let all = match_decisions::bundled();
        for decision in &all {
            let cost = self.measure(&setup, decision)?;
            logs += cost.seconds.ln();
            table.row(vec![
                decision.kind.clone(),
                decision.score(),
                format!("{:.3}", 1e3 * cost.seconds),
                format!("{:.4}", cost.variance),
                decision.plays[cost.best].clone(),
            ]);
        }
        let mean = (logs / all.len() as f64).exp();
        output::text(&format!(
            "{table}\ngeometric mean: {:.3} ms of CPU a trial of one play; {:.0} trials of five plays \
             a second on one core\n",
            1e3 * mean,
            0.2 / mean
        ))
    }

    fn measure(&self, setup: &Setup, decision: &MatchDecision) -> Result<Cost> {
        let settings = Settings {
            ply: self.ply,
            filter: self.filter.unwrap_or(Settings::FILTER),
            cube: (!self.cubeless).then(|| decision.cube()),
            stop: StopRules {
                trials: self.trials,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let plays = &decision.candidates;
        // Computes the exact bear-offs of the score once, before timing.
        let warm = Settings {
            ply: 0,
            ..settings.clone()
        };
        run_blocking(setup, plays, &warm, &mut |_| true).map_err(refused)?;
        let began = cpu_seconds();
        let result = run_blocking(setup, plays, &settings, &mut |_| true).map_err(refused)?;
        let trials = self.trials as f64 * plays.len() as f64;
        let equity = |i: &usize| result.candidates[*i].equity.mean;
        let best = (0..plays.len()).max_by(|a, b| equity(a).total_cmp(&equity(b)));
        let estimate = result.candidates.iter().map(|c| c.equity.se.powi(2));
        Ok(Cost {
            seconds: (cpu_seconds() - began) / trials,
            variance: estimate.sum::<f64>() * self.trials as f64 / plays.len() as f64,
            best: best.unwrap_or(0),
        })
    }
}

/// Cost and result of rolling out one decision.
struct Cost {
    /// CPU seconds per trial of one play.
    seconds: f64,
    /// Variance of a trial, averaged over the plays.
    variance: f64,
    /// Index of the play with the highest equity.
    best: usize,
}
