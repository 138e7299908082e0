//! `luckless-lab cube`: the table of `docs/experiments/cube.md` about formulas for the value of a cube.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::Result;

use crate::cli::options::{Nets, Threads};
use crate::cli::output::{self};
use crate::cli::usage::refused;
use crate::cube::{EfficiencyClass, Model};
use crate::eval::Evaluator;
use crate::grid::Grid;
use crate::lab::cube::{self, CubeCase};
use crate::lab::cube_efficiency::{self, CENTRE, CLASSES};

/// Formulas for the value of the cube against rollouts with a live one
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Positions, from games of the program against itself
    #[arg(long, value_name = "N", default_value = "100",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    positions: u32,
    /// Trials of each rollout, five for a position
    #[arg(long, value_name = "N", default_value = "324",
          value_parser = clap::value_parser!(u64).range(72..=10_000_000))]
    trials: u64,
    /// Key of the games and of the dice
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let evaluator: Arc<dyn Evaluator> = Arc::new(self.nets.engine()?);
        let positions = cube::positions(&*evaluator, self.positions as usize, self.seed);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.number().get())
            .build()?;
        let (count, all) = (AtomicUsize::new(0), positions.len());
        let done = || {
            let n = count.fetch_add(1, Ordering::Relaxed) + 1;
            if n.is_multiple_of(10) || n == all {
                crate::cli::usage::say(&format!("{n} of {all} positions"));
            }
        };
        let cases = pool
            .install(|| cube::measure(&evaluator, &positions, self.trials, self.seed, &done))
            .map_err(refused)?;
        output::text(&format!("{}\n{}", table(&cases), efficiencies(&cases)))
    }
}

/// The efficiencies that fit, and what they gain where they were not fitted.
fn efficiencies(cases: &[CubeCase]) -> String {
    let efficiency = Model::standard().efficiency;
    let mut table = Grid::new(&[
        "positions",
        "number",
        "efficiency now",
        "fitted",
        "a pip adds",
        "error now",
        "held out",
        "gain",
    ]);
    for (name, kind, pips) in CLASSES {
        let of_kind: Vec<&CubeCase> = cases.iter().filter(|c| c.kind == kind).collect();
        let tried = [false, true].into_iter().take(1 + usize::from(pips));
        for with_pips in tried {
            let Some(line) = cube_efficiency::fit(&of_kind, with_pips) else {
                continue;
            };
            let now = of_kind.iter().map(|c| efficiency.of(&c.position));
            let now = now.sum::<f32>() / of_kind.len() as f32;
            let slope = line
                .pip
                .map_or_else(String::new, |[slope, se]| format!("{slope:.5} ± {se:.5}"));
            let at = if with_pips {
                format!(" at {CENTRE} pips")
            } else {
                String::new()
            };
            let mut cells = vec![
                name.to_owned(),
                of_kind.len().to_string(),
                format!("{now:.3}"),
                format!("{:.3} ± {:.3}{at}", line.efficiency, line.se),
                slope,
            ];
            cells.extend(
                match cube_efficiency::held_out(&of_kind, &efficiency, with_pips) {
                    Some(h) => [
                        format!("{:.4}", h.now),
                        format!("{:.4}", h.fitted),
                        format!("{:+.4} ± {:.4}", h.now - h.fitted, h.se),
                    ],
                    None => ["–", "–", "–"].map(str::to_owned),
                },
            );
            table.row(cells);
        }
    }
    table.to_string()
}

fn table(cases: &[CubeCase]) -> String {
    let model = Model::standard();
    let mut table = Grid::new(&[
        "positions",
        "cube",
        "values",
        "Janowski",
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
