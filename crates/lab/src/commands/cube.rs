//! `luckless-lab cube`: tests cube formulas for the table of `crates/lab/records/cube.md`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{Context as _, Result};

use super::common::pool;
use crate::cli::common::options::{Nets, Threads};
use crate::cli::common::output;
use crate::cli::common::usage::{self, refused};
use crate::cube::{Efficiency, Model};
use crate::eval::Evaluator;
use crate::eval::efficiency_net::EfficiencyClass;
use crate::eval::efficiency_net::EfficiencyNet;
use crate::experiments::cube::{self, CubeCase};
use crate::grid::Grid;

/// Formulas for the value of the cube against rollouts with a live one
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Positions, from games of the program against itself
    #[arg(long, value_name = "N", default_value = "100",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Trials of each rollout, five for a position, at least 72
    #[arg(long, value_name = "N", default_value = "324",
          value_parser = clap::value_parser!(u64).range(72..=10_000_000))]
    trials: u64,
    /// Key of the games and of the dice
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// A net of cube efficiencies to try instead of the one in the program
    #[arg(long, value_name = "FILE")]
    efficiencies: Option<std::path::PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let evaluator: Arc<dyn Evaluator> = Arc::new(self.nets.engine()?);
        let positions = cube::positions(&*evaluator, self.positions as usize, self.seed);
        let pool = pool(&self.threads)?;
        let (count, all) = (AtomicUsize::new(0), positions.len());
        let done = || {
            let n = count.fetch_add(1, Ordering::Relaxed) + 1;
            if n.is_multiple_of(10) || n == all {
                usage::say(&format!("{n} of {all} positions"));
            }
        };
        let cases = pool
            .install(|| cube::measure(&evaluator, &positions, self.trials, self.seed, &done))
            .map_err(refused)?;
        let mut model = Model::default();
        if let Some(file) = &self.efficiencies {
            let net = EfficiencyNet::load(file).context("cannot use these efficiencies")?;
            model.efficiency = Efficiency::Learnt(net.into());
        }
        output::text(&table(&cases, &model))
    }
}

fn table(cases: &[CubeCase], model: &Model) -> String {
    let mut table = Grid::new(&[
        "positions",
        "cube",
        "values",
        "learnt",
        "constant",
        "Dahl",
        "cubeless",
        "se",
    ]);
    let kinds = [
        ("contact", Some(EfficiencyClass::Contact)),
        ("race", Some(EfficiencyClass::Race)),
        ("bearoff", Some(EfficiencyClass::Bearoff)),
        ("all", None),
    ];
    for (name, kind) in kinds {
        let of_kind: Vec<&CubeCase> = cases
            .iter()
            .filter(|c| kind.is_none_or(|kind| c.kind == kind))
            .collect();
        if of_kind.is_empty() {
            continue;
        }
        let states = [("centred", 0), ("mine", 1), ("theirs", 2)];
        let rows = states.map(|(name, state)| (name, Some(state)));
        for (cube_name, state) in rows.into_iter().chain([("any", None)]) {
            let e = cube::errors(&of_kind, model, state);
            let figure = |x: f64| format!("{x:.4}");
            let mut cells = vec![name.to_owned(), cube_name.to_owned(), e.n.to_string()];
            cells.extend(e.mean.map(figure));
            cells.push(figure(e.se));
            table.row(cells);
        }
    }
    table.to_string()
}
