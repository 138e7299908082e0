//! `luckless-lab pair-coverage`, `meeting`, `turns`, `families`, `decisions`: further figures of
//! `crates/lab/records/coupled-dice.md`.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;

use super::common::{LUCK, print_and_save, setup, wanted};
use crate::cli::common::options::count;
use crate::cli::common::output;
use crate::cli::common::usage::refused;
use crate::eval::Engine;
use crate::experiments::decisions::{self, BenchmarkDecision};
use crate::experiments::figure::{self, Bar};
use crate::experiments::pairing::{self, COUPLINGS};
use crate::game::Position;
use crate::grid::Grid;
use crate::rollout::{Coupling, LuckKind, RolloutResult, Settings, Setup};
use crate::stats::interval::NORMAL_975;

/// Decisions of seven kinds from the program's own play, as a list of positions, dice and plays
#[derive(Debug, clap::Args)]
pub(super) struct Decisions {
    /// Decisions of each kind
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = count::<usize>(1))]
    each: usize,
    /// Decisions between five plays
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count::<usize>(0))]
    families: usize,
    /// Key of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Decisions {
    pub(super) fn run(&self) -> Result<()> {
        let found = decisions::find(&Engine::embedded(), self.each, self.families, self.seed);
        let lines: Vec<String> = found.iter().map(|d| d.line() + "\n").collect();
        // Written raw, because the columns are separated by tabs.
        output::raw(lines.concat().as_bytes())
    }
}

/// Whether intervals of differences hold: short paired rollouts of two bearoffs of known value
#[derive(Debug, clap::Args)]
pub(super) struct PairCoverage {
    /// Rollouts for each row
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(2))]
    runs: u32,
    /// Trials of each rollout
    #[arg(long, value_name = "N", default_value_t = 72, value_parser = count::<u64>(1))]
    trials: u64,
    /// Key of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Two positions whose games seldom end differently: a hard case for intervals
    #[arg(long)]
    rare: bool,
    /// Keep text and figure in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl PairCoverage {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let pair = self.pair()?;
        let mut table = Grid::new(&[
            "coupling",
            "luck",
            "fixed",
            "any time",
            "a off",
            "b off",
            "a - b off",
            "err²/se²",
        ]);
        let mut rows = Vec::new();
        for coupling in COUPLINGS {
            let mut bars = Vec::new();
            for luck in [LuckKind::None, LuckKind::Net] {
                let mut settings = Settings {
                    coupling,
                    luck,
                    stop_at_known: false,
                    seed: self.seed,
                    ..Settings::default()
                };
                settings.stop.trials = self.trials;
                let held =
                    pairing::coverage(&setup, &pair, &settings, self.runs).map_err(refused)?;
                bars.push(bar(&held));
                table.row(cells(coupling, luck, &held));
            }
            rows.push((coupling.to_string(), bars));
        }
        let text = format!(
            "{} rollouts of {} trials of two bearoffs of known value. Fixed, any time: how often the 95%\n\
             intervals of the difference held it. Off: mean over all rollouts less the exact value, in standard\n\
             errors of that mean, of the first play, the second, and the difference. Err²/se²: mean squared error of\n\
             the difference over the mean of what its standard error claims.\n\n{table}",
            self.runs, self.trials
        );
        let title = "How often the fixed-sample 95% interval of the difference held, %";
        let figure = figure::bars(title, &LUCK, &rows, 95.0);
        print_and_save(
            self.out.as_deref(),
            "pair-coverage",
            &text,
            &[("svg", figure)],
        )
    }

    /// Two positions against an opponent on roll with three checkers left: two checkers far from home, or four close
    /// ones. Either often wins where the other does not. With `rare`, positions that seldom end differently.
    fn pair(&self) -> Result<[Position; 2]> {
        let opponent = [(5, 1), (4, 1), (2, 1)];
        let pair: [&[(usize, u8)]; 2] = match self.rare {
            true => [&[(6, 1), (4, 1), (1, 1)], &[(5, 1), (3, 1), (2, 1)]],
            false => [&[(6, 2)], &[(3, 2), (1, 2)]],
        };
        let [a, b] = pair.map(|own| Position::from_points(&opponent, own));
        Ok([a?, b?])
    }
}

/// The share of intervals that covered, with its own interval.
fn bar(held: &pairing::PairingCounts) -> Bar {
    let error = NORMAL_975 * (held.fixed * (1.0 - held.fixed) / f64::from(held.runs)).sqrt();
    Bar {
        value: 100.0 * held.fixed,
        interval: [-1.0, 1.0].map(|s| 100.0 * (held.fixed + s * error)),
    }
}

fn cells(coupling: Coupling, luck: LuckKind, held: &pairing::PairingCounts) -> Vec<String> {
    let mut cells = vec![
        coupling.to_string(),
        luck.to_string(),
        format!("{:.1}%", 100.0 * held.fixed),
        format!("{:.1}%", 100.0 * held.anytime),
    ];
    cells.extend(held.off.iter().map(|o| format!("{o:+.2}")));
    cells.push(format!("{:.2}", held.honesty));
    cells
}

/// What it is worth that two games coalesce: the decisions whose plays are nearest to each other
#[derive(Debug, clap::Args)]
pub(super) struct Coalescing {
    /// Other decisions than those of the repository: a list as `luckless-lab decisions` gives it
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Trials of each row
    #[arg(long, value_name = "N", default_value_t = 1296, value_parser = count::<u64>(1))]
    trials: u64,
    /// Decisions
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<usize>(1))]
    positions: usize,
    /// Keep the text in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Coalescing {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let coalesced = |d: &BenchmarkDecision, coupling, luck, trials| {
            pairing::coalescence(&setup, &d.candidates, coupling, luck, trials).map_err(refused)
        };
        // Contact decisions whose plays coalesce most often with the same dice.
        let mut found = Vec::new();
        for d in decisions::pairs(wanted(self.decisions.as_deref())?) {
            if d.kind != decisions::BenchmarkClass::Race {
                let share = coalesced(&d, Coupling::Dice, LuckKind::None, 72)?.share;
                found.push((share, d));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut text = String::new();
        for (_, d) in found.iter().take(self.positions) {
            let mut table = Grid::new(&[
                "coupling",
                "luck",
                "met",
                "variance",
                "if met",
                "correlation",
                "us/trial",
                "ending there",
                "s to 0.005",
                "ending there",
            ]);
            for luck in [LuckKind::None, LuckKind::Net, LuckKind::Lookahead(Some(0))] {
                for coupling in COUPLINGS {
                    let full = matches!(luck, LuckKind::Lookahead(_));
                    let trials = if full { self.trials / 6 } else { self.trials };
                    let m = coalesced(d, coupling, luck, trials.max(72))?;
                    let to = |seconds: f64| seconds * m.variances[0] / (0.005 * 0.005);
                    table.row(vec![
                        coupling.to_string(),
                        luck.to_string(),
                        format!("{:.1}%", 100.0 * m.share),
                        format!("{:.4}", m.variances[0]),
                        format!("{:.4}", m.variances[1]),
                        format!("{:.2}", m.correlation),
                        format!("{:.0}", 1e6 * m.seconds[0]),
                        format!("{:.0}", 1e6 * m.seconds[1]),
                        format!("{:.2}", to(m.seconds[0])),
                        format!("{:.2}", to(m.seconds[1])),
                    ]);
                }
            }
            let _ = writeln!(text, "{}\n\n{table}", d.line().replace('\t', "  "));
        }
        print_and_save(self.out.as_deref(), "meeting", &text, &[])
    }
}

/// How the luck of two games is correlated, turn by turn
#[derive(Debug, clap::Args)]
pub(super) struct Turns {
    /// Other decisions than those of the repository: a list as `luckless-lab decisions` gives it
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Trials of each decision
    #[arg(long, value_name = "N", default_value_t = 72, value_parser = count::<u64>(1))]
    trials: u64,
    /// Keep text and figure in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Turns {
    pub(super) fn run(&self) -> Result<()> {
        const SHOWN: [usize; 8] = [1, 2, 3, 4, 6, 10, 16, 24];
        let setup = setup();
        let decisions = decisions::pairs(wanted(self.decisions.as_deref())?);
        // In a race all luck is correlated anyway.
        let contact = |d: &&BenchmarkDecision| d.kind != decisions::BenchmarkClass::Race;
        let decisions: Vec<&BenchmarkDecision> = decisions.iter().filter(contact).collect();
        let mut headings = vec!["turn".to_owned()];
        headings.extend(SHOWN.iter().map(ToString::to_string));
        let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
        let mut table = Grid::new(&headings);
        let mut series = Vec::new();
        for coupling in COUPLINGS {
            let turns = SHOWN[SHOWN.len() - 1];
            let seen = pairing::by_turn(&setup, &decisions, coupling, self.trials, turns)
                .map_err(refused)?;
            let at = |of: &dyn Fn(&pairing::AtTurn) -> f64| -> Vec<f64> {
                SHOWN.iter().map(|&t| of(&seen[t - 1])).collect()
            };
            let mut row = |name: &str, values: &[f64]| {
                let mut cells = vec![format!("{coupling}: {name}")];
                cells.extend(values.iter().map(|v| format!("{v:.2}")));
                table.row(cells);
            };
            let luck = at(&|t| t.correlation);
            row("correlation of luck", &luck);
            row("same roll", &at(&|t| t.same_roll));
            row("same position", &at(&|t| t.same_position));
            series.push((coupling.to_string(), luck));
        }
        let series: Vec<(&str, Vec<f64>)> = series
            .iter()
            .map(|(n, v)| (n.as_str(), v.clone()))
            .collect();
        let places = SHOWN.map(|t| t as f64);
        let title = "Correlation of the two games' luck, turn by turn";
        let figure = figure::lines(title, "turn", &places, &series, [0.0, 1.0]);
        let text = format!(
            "{} decisions in contact, {} trials each, luck by the luck net\n\n{table}",
            decisions.len(),
            self.trials
        );
        print_and_save(self.out.as_deref(), "turns", &text, &[("svg", figure)])
    }
}

/// How soon the best of five close plays is named: a race on one stream of numbers against
/// independent rollouts with the usual rule
#[derive(Debug, clap::Args)]
pub(super) struct Families {
    /// Other decisions than those of the repository: a list as `luckless-lab decisions` gives it
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Rollouts of each decision with each way, two at least
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = count::<u64>(2))]
    runs: u64,
    /// Most trials of each play
    #[arg(long, value_name = "N", default_value_t = 7200, value_parser = count::<u64>(1))]
    trials: u64,
    /// Trials that stand for the truth
    #[arg(long, value_name = "N", default_value_t = 7200, value_parser = count::<u64>(1))]
    truth: u64,
    /// Decisions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count::<usize>(1))]
    positions: usize,
    /// Keep the text in this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Families {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let mut text = String::new();
        let all = decisions::families(wanted(self.decisions.as_deref())?);
        for d in all.iter().take(self.positions) {
            let truth = self.truth(&setup, &d.candidates)?;
            let _ = writeln!(text, "{}\n", d.line().replace('\t', "  "));
            let equities: Vec<String> = truth
                .candidates
                .iter()
                .map(|s| format!("{:+.4} (se {:.4})", s.equity.mean, s.equity.se))
                .collect();
            let _ = writeln!(text, "truth: {}\n", equities.join(", "));
            let mean = |i: usize| truth.candidates[i].equity.mean;
            let best = (0..d.candidates.len())
                .max_by(|&i, &j| mean(i).total_cmp(&mean(j)))
                .unwrap_or(0);
            let table = self.ways(&setup, &d.candidates, best)?;
            let _ = writeln!(text, "{table}");
        }
        print_and_save(self.out.as_deref(), "families", &text, &[])
    }

    /// Rolls out all plays with many trials.
    fn truth(&self, setup: &Setup, plays: &[Position]) -> Result<RolloutResult> {
        let mut settings = Settings {
            seed: 1 << 40,
            luck: LuckKind::Net,
            ..Settings::default()
        };
        settings.stop.trials = self.truth;
        crate::rollout::run_blocking(setup, plays, &settings, &mut |_| true).map_err(refused)
    }

    /// Measures how often and how soon each method names a best play, and whether it is `best`.
    fn ways(&self, setup: &Setup, plays: &[Position], best: usize) -> Result<Grid> {
        type Way<'a> = (&'a str, Box<dyn Fn(u64) -> Result<pairing::Named> + 'a>);
        let race = |coupling| {
            move |seed| pairing::race(setup, plays, coupling, seed, self.trials).map_err(refused)
        };
        let usual = |deviations: f64| {
            move |seed| {
                pairing::joint_deviation(setup, plays, seed, self.trials, 144, deviations)
                    .map_err(refused)
            }
        };
        let ways: [Way<'_>; 6] = [
            ("race, same dice", Box::new(race(Coupling::Dice))),
            ("race, ranks", Box::new(race(Coupling::Rank))),
            ("race, quantiles", Box::new(race(Coupling::QUANTILE))),
            ("race, independent dice", Box::new(race(Coupling::None))),
            ("independent, 1.96 joint sd", Box::new(usual(1.96))),
            ("independent, 2.33 joint sd", Box::new(usual(2.33))),
        ];
        let mut table = Grid::new(&[
            "way",
            "named",
            "rightly",
            "trials of all plays",
            "CPU s, mean",
        ]);
        for (name, way) in &ways {
            let named = (0..self.runs).map(|run| way(100 + run));
            let named: Vec<pairing::Named> = named.collect::<Result<_>>()?;
            let n = self.runs as f64;
            let share =
                |is: &dyn Fn(&pairing::Named) -> bool| named.iter().filter(|x| is(x)).count();
            let mean = |of: &dyn Fn(&pairing::Named) -> f64| named.iter().map(of).sum::<f64>() / n;
            table.row(vec![
                (*name).to_owned(),
                format!("{}/{}", share(&|x| x.decided), self.runs),
                share(&|x| x.decided && x.best == best).to_string(),
                format!("{:.0}", mean(&|x| x.trials as f64)),
                format!("{:.2}", mean(&|x| x.seconds)),
            ]);
        }
        Ok(table)
    }
}
