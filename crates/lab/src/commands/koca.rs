//! `luckless-lab koca`: Koca's test of matched ranks, the main figures of `crates/lab/records/coupled-dice.md`.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;

use super::common::{LUCK, print_and_save, setup, wanted};
use crate::cli::common::options::count;

use crate::cli::common::usage::refused;
use crate::experiments::decisions::{self, BenchmarkDecision, CLASSES};
use crate::experiments::figure::{self, Bar};
use crate::experiments::koca::{self, AUTO, DecisionOutcomes, METHODS, ROWS};
use crate::grid::Grid;

/// Koca's test: a hundred rollouts of 36 trials of each decision with each coupling, held against
/// the truth
#[derive(Debug, clap::Args)]
pub(super) struct Koca {
    /// Other decisions than those of the repository: a list as `luckless-lab decisions` gives it
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Decisions of each kind, at most
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = count::<usize>(1))]
    positions: usize,
    /// Rollouts of each decision with each method
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count::<u64>(2))]
    rollouts: u64,
    /// Trials of a rollout
    #[arg(long, value_name = "N", default_value_t = 36, value_parser = count::<u64>(1))]
    trials: u64,
    /// Trials of the rollout that stands for the truth
    #[arg(long, value_name = "N", default_value_t = 2592, value_parser = count::<u64>(1))]
    truth: u64,
    /// Trials of each method with luck by lookahead subtracted
    #[arg(long = "full", value_name = "N", default_value_t = 72, value_parser = count::<u64>(1))]
    lookahead: u64,
    /// Key of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep text, table (CSV) and figure (SVG) in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Koca {
    pub(super) fn run(&self) -> Result<()> {
        let mut decisions = decisions::pairs(wanted(self.decisions.as_deref())?);
        let mut seen = [0; CLASSES.len()];
        decisions.retain(|d| {
            let kind = CLASSES.iter().position(|k| *k == d.kind).unwrap_or(0);
            seen[kind] += 1;
            seen[kind] <= self.positions
        });
        let plan = koca::KocaSettings {
            rollouts: self.rollouts.max(2),
            trials: self.trials,
            truth: self.truth,
            lookahead: self.lookahead,
            seed: self.seed,
        };
        let outcomes = koca::run(&setup(), &decisions, &plan).map_err(refused)?;
        let all: Vec<&DecisionOutcomes> = outcomes.iter().collect();
        let mut text = format!(
            "Koca's test: {} decisions, {} rollouts of {} trials each, seed {}\n\n",
            decisions.len(),
            plan.rollouts,
            plan.trials,
            plan.seed
        );
        summary(&mut text, &all);
        by_kind(&mut text, &decisions, &outcomes);
        apart(&mut text, &decisions, &outcomes);
        choices(&mut text, &all);
        let files = [("csv", csv(&decisions, &outcomes)), ("svg", chart(&all))];
        print_and_save(self.out.as_deref(), "koca", &text, &files)
    }
}

fn row_name(row: usize) -> &'static str {
    METHODS.get(row).map_or(AUTO, |m| m.name)
}

fn ratio(r: koca::Ratio) -> String {
    format!("{:.3} ({:.3}–{:.3})", r.mean, r.interval[0], r.interval[1])
}

/// Adds a table of the trials and seconds needed, over all decisions.
fn summary(text: &mut String, all: &[&DecisionOutcomes]) {
    let mut table = Grid::new(&[
        "method",
        "luck",
        "sd",
        "trials needed (95%)",
        "CPU needed (95%)",
        "trials against plain",
        "CPU against plain",
        "correlation",
        "met",
        "bias/se",
    ]);
    for (luck, name) in LUCK.iter().enumerate() {
        for row in 0..ROWS {
            let n = all.len() as f64;
            let cell = |o: &&DecisionOutcomes| o.cells[luck][row].clone();
            let mean = |of: &dyn Fn(&koca::MethodOutcome) -> f64| {
                all.iter().map(|o| of(&cell(o))).sum::<f64>() / n
            };
            // A geometric mean, as for the ratios.
            let sd = mean(&|c| koca::spread(&c.errors)[0].max(1e-6).ln()).exp();
            // Error of the mean of all rollouts, in joint standard errors of the mean and the truth.
            let off = |o: &&DecisionOutcomes| {
                let c = &o.cells[luck][row];
                let count = c.errors.len() as f64;
                let mean = c.errors.iter().sum::<f64>() / count;
                let se = (koca::spread(&c.errors)[0] / count.sqrt()).hypot(o.truth[1]);
                (mean / se).powi(2)
            };
            let off = (all.iter().map(off).sum::<f64>() / n).sqrt();
            table.row(vec![
                row_name(row).to_owned(),
                (*name).to_owned(),
                format!("{sd:.4}"),
                ratio(koca::ratio(all, luck, row, false)),
                ratio(koca::ratio(all, luck, row, true)),
                format!("{:.3}", koca::ratio_to_plain(all, luck, row, false).mean),
                format!("{:.3}", koca::ratio_to_plain(all, luck, row, true).mean),
                format!("{:.2}", mean(&|c| c.correlation)),
                format!("{:.0}%", 100.0 * mean(&|c| c.coalesced)),
                format!("{off:.2}"),
            ]);
        }
    }
    let _ = write!(
        text,
        "sd: of the errors of a rollout, in points. Trials, CPU needed: geometric means of the ratio to\n\
         independent dice with the same kind of luck; the last two, to independent plain dice. bias/se: root\n\
         mean square over decisions of the mean error in its standard error, 1 if there is no bias.\n\n{table}\n"
    );
}

fn by_kind(text: &mut String, decisions: &[BenchmarkDecision], outcomes: &[DecisionOutcomes]) {
    for (luck, name) in LUCK.iter().enumerate() {
        let mut headings = vec!["trials needed", "decisions"];
        headings.extend((1..ROWS).map(row_name));
        let mut table = Grid::new(&headings);
        for kind in CLASSES {
            let own: Vec<&DecisionOutcomes> = of_kind(decisions, outcomes, &|d| d.kind == kind);
            if own.is_empty() {
                continue;
            }
            let mut cells = vec![format!("{kind}, {name}"), own.len().to_string()];
            cells.extend((1..ROWS).map(|row| ratio(koca::ratio(&own, luck, row, false))));
            table.row(cells);
        }
        let _ = writeln!(text, "{table}");
    }
    let mut headings = vec!["correlation"];
    headings.extend(METHODS.iter().map(|m| m.name));
    let mut table = Grid::new(&headings);
    for kind in CLASSES {
        let own: Vec<&DecisionOutcomes> = of_kind(decisions, outcomes, &|d| d.kind == kind);
        if own.is_empty() {
            continue;
        }
        let n = own.len() as f64;
        for (luck, name) in LUCK.iter().copied().chain(["lookahead"]).enumerate() {
            let mut cells = vec![format!("{kind}, {name}")];
            for row in 0..METHODS.len() {
                let sum: f64 = own
                    .iter()
                    .map(|o| match luck {
                        2 => o.lookahead.get(row).copied().unwrap_or(f64::NAN),
                        luck => o.cells[luck][row].correlation,
                    })
                    .sum();
                cells.push(format!("{:.2}", sum / n));
            }
            table.row(cells);
        }
    }
    let _ = writeln!(text, "{table}");
}

fn of_kind<'a>(
    decisions: &[BenchmarkDecision],
    outcomes: &'a [DecisionOutcomes],
    is: &dyn Fn(&BenchmarkDecision) -> bool,
) -> Vec<&'a DecisionOutcomes> {
    let both = decisions.iter().zip(outcomes);
    both.filter(|(d, _)| is(d)).map(|(_, o)| o).collect()
}

/// Adds a table by difference of the plays: the mover's checkers on other places.
fn apart(text: &mut String, decisions: &[BenchmarkDecision], outcomes: &[DecisionOutcomes]) {
    let mut headings = vec!["checkers elsewhere", "decisions", "luck"];
    headings.extend((1..METHODS.len()).map(row_name));
    let mut table = Grid::new(&headings);
    for checkers in 1..=4u8 {
        let is = |d: &BenchmarkDecision| {
            let side = |i: usize| d.candidates[i].opponent;
            let moved: u8 = (0..26)
                .map(|p| side(0).at(p).saturating_sub(side(1).at(p)))
                .sum();
            moved.min(4) == checkers
        };
        let own = of_kind(decisions, outcomes, &is);
        if own.is_empty() {
            continue;
        }
        for (luck, name) in LUCK.iter().enumerate() {
            let mut cells = vec![
                checkers.to_string(),
                own.len().to_string(),
                (*name).to_owned(),
            ];
            let needed = |row| koca::ratio(&own, luck, row, false).mean;
            cells.extend((1..METHODS.len()).map(|row| format!("{:.2}", needed(row))));
            table.row(cells);
        }
    }
    let _ = writeln!(
        text,
        "Trials needed, by how different the plays are:\n\n{table}"
    );
}

/// Adds the pilot's choices with their frequency, and its results against the best fixed choice.
fn choices(text: &mut String, all: &[&DecisionOutcomes]) {
    for (luck, name) in LUCK.iter().enumerate() {
        let mut counts: Vec<(String, u32)> = Vec::new();
        for o in all {
            let Some((coupling, kind)) = o.cells[luck][ROWS - 1].chosen else {
                continue;
            };
            let chosen = format!("{coupling}, luck {kind}");
            match counts.iter_mut().find(|c| c.0 == chosen) {
                Some(count) => count.1 += 1,
                None => counts.push((chosen, 1)),
            }
        }
        counts.sort_by_key(|c| std::cmp::Reverse(c.1));
        let choices: Vec<String> = counts.iter().map(|(c, n)| format!("{c} ×{n}")).collect();
        let pilot: f64 = all.iter().map(|o| o.cells[luck][ROWS - 1].pilot).sum();
        let own = |o: &&DecisionOutcomes, row: usize| {
            let c = &o.cells[luck][row];
            (koca::spread(&c.errors)[0].max(1e-6).powi(2) * c.seconds).ln()
        };
        let best = |o: &&DecisionOutcomes| {
            (0..METHODS.len())
                .map(|row| own(o, row))
                .fold(f64::INFINITY, f64::min)
        };
        let worse: f64 = all.iter().map(|o| own(o, ROWS - 1) - best(o)).sum::<f64>();
        let _ = writeln!(
            text,
            "The pilot, {name}: {}. {:.2} CPU seconds each; its choice needs {:.2} times the seconds of the best\n\
             fixed method of each decision in hindsight (geometric mean).\n",
            choices.join("; "),
            pilot / all.len() as f64,
            (worse / all.len() as f64).exp()
        );
    }
}

fn csv(decisions: &[BenchmarkDecision], outcomes: &[DecisionOutcomes]) -> String {
    let mut out = "kind,position,dice,a,b,truth,truth_se,method,luck,sd,sd_low,sd_high,mean_error,\
                   correlation,met,cpu_ms,chosen,chosen_luck\n"
        .to_owned();
    for (d, o) in decisions.iter().zip(outcomes) {
        for (luck, name) in LUCK.iter().enumerate() {
            for (row, cell) in o.cells[luck].iter().enumerate() {
                let [sd, low, high] = koca::spread(&cell.errors);
                let mean = cell.errors.iter().sum::<f64>() / cell.errors.len() as f64;
                let chosen = match cell.chosen {
                    Some((coupling, kind)) => format!("{coupling},{kind}"),
                    None => ",".to_owned(),
                };
                let line = d.line();
                let id = line.split('\t').nth(1).unwrap_or_default();
                let _ = writeln!(
                    out,
                    "{},{id},{},{},{},{:.5},{:.5},\"{}\",{name},{sd:.5},{low:.5},{high:.5},{mean:.5},{:.4},\
                     {:.4},{:.3},{chosen}",
                    d.kind,
                    d.roll,
                    d.plays[0],
                    d.plays[1],
                    o.truth[0],
                    o.truth[1],
                    row_name(row),
                    cell.correlation,
                    cell.coalesced,
                    1e3 * cell.seconds,
                );
            }
        }
    }
    out
}

fn chart(all: &[&DecisionOutcomes]) -> String {
    let bar = |luck, row| {
        let r = koca::ratio(all, luck, row, false);
        Bar {
            value: r.mean,
            interval: r.interval,
        }
    };
    let rows: Vec<(String, Vec<Bar>)> = (1..ROWS)
        .map(|row| {
            let bars = (0..LUCK.len()).map(|luck| bar(luck, row)).collect();
            (row_name(row).to_owned(), bars)
        })
        .collect();
    figure::bars(
        "Trials needed, independent dice with the same luck being 1",
        &LUCK,
        &rows,
        1.0,
    )
}
