//! `luckless-lab benchmarks`: one page with the figures that the documents quote.
//!
//! Parts of the page between `<!-- begin figures-NAME -->` and `<!-- end figures-NAME -->` are copied to other pages;
//! `tests/documents/book.rs` verifies the copies.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::common::setup;
use crate::cli::bench::{self, BenchDocument};
use crate::cli::common::options::{Nets, count, seconds};
use crate::cli::common::usage::refused;
use crate::cli::common::usage::say;
use crate::cube::Model;
use crate::dice::DiceSource;
use crate::eval::Engine;
use crate::experiments::decision_loss::{self, Losses, PLIES};
use crate::experiments::techniques::{self, CASES, Worth};
use crate::experiments::{coverage_record, decisions, peer_figures};
use crate::match_file;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{Report, STANDARD_PLY, Thresholds, analyse_match};
use crate::rollout::{LuckKind, Setup};
use crate::store::{file, today};

/// The standard error to which rollouts are timed.
const TARGET: f64 = 0.005;

/// The figures that the documents quote: docs/reference/benchmarks.md
#[derive(Debug, clap::Args)]
pub(super) struct Benchmarks {
    /// Folder of the repository
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    repository: PathBuf,
    /// The released program, for its size
    #[arg(long, value_name = "FILE", default_value = "target/release/luckless")]
    program: PathBuf,
    /// Seconds for each figure of speed
    #[arg(long, value_name = "S", default_value = "1.2", value_parser = seconds)]
    seconds: f64,
    /// Seconds for each kind of variance reduction in each position
    #[arg(long, value_name = "S", default_value = "4", value_parser = seconds)]
    rollout_seconds: f64,
    /// Trials of each play of a decision
    #[arg(long, value_name = "N", default_value_t = 144, value_parser = count::<u64>(1))]
    trials: u64,
    #[command(flatten)]
    nets: Nets,
}

struct Measured {
    engine: String,
    speed: BenchDocument,
    /// For each position of [`CASES`], by kind of luck.
    rollouts: Vec<[Worth; LUCKS.len()]>,
    losses: Losses,
    reviews: Vec<Report>,
    coverage: String,
    size: Option<u64>,
}

/// Kinds of luck, with their names in tables.
const LUCKS: [(LuckKind, &str); 3] = [
    (LuckKind::None, "none"),
    (LuckKind::Net, "luck net"),
    (LuckKind::Lookahead(Some(0)), "lookahead"),
];
/// Keys of the comparisons in the short table.
const IN_SHORT: [&str; 7] = [
    "strength-gnubg",
    "strength-sage",
    "strength-puretd",
    "strength-2ply",
    "review-gnubg",
    "rollout-gnubg",
    "speed-gnubg",
];
/// Number of contact positions, which come first in [`CASES`].
const CONTACT: usize = 5;

impl Benchmarks {
    pub(super) fn run(&self) -> Result<()> {
        let page = self.measure()?.page();
        let path = self.repository.join("docs/reference/benchmarks.md");
        fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        say(&format!("{}: written", path.display()));
        Ok(())
    }

    fn measure(&self) -> Result<Measured> {
        let setup = setup();
        say("speed");
        let speed = bench::measure(&self.nets, self.seconds, 1)?;
        say("rollouts");
        let rollouts = CASES
            .iter()
            .map(|case| self.rollouts(&setup, case))
            .collect::<Result<Vec<_>>>()?;
        say("decisions");
        let mut losses = Losses::default();
        for decision in decisions::bundled() {
            decision_loss::add(&setup, &decision, self.trials, &mut losses).map_err(refused)?;
        }
        say("reviews");
        let record = self.repository.join("crates/lab/records/coverage.txt");
        let record = file::read(&record, file::LIMIT)?;
        Ok(Measured {
            engine: setup.evaluator.name().to_owned(),
            speed,
            rollouts,
            losses,
            reviews: self.reviews()?,
            coverage: String::from_utf8_lossy(&record).into_owned(),
            size: fs::metadata(&self.program).ok().map(|meta| meta.len()),
        })
    }

    fn rollouts(
        &self,
        setup: &Setup,
        case: &techniques::BenchmarkPosition,
    ) -> Result<[Worth; LUCKS.len()]> {
        let time = Duration::try_from_secs_f64(self.rollout_seconds).unwrap_or_default();
        let measure = |luck| {
            techniques::measure(setup, case, DiceSource::Rotation, luck, None, time)
                .map_err(refused)
        };
        let [(none, _), (net, _), (lookahead, _)] = LUCKS;
        Ok([measure(none)?, measure(net)?, measure(lookahead)?])
    }

    /// Reviews the sample matches as `luckless review` does.
    fn reviews(&self) -> Result<Vec<Report>> {
        let engine = Engine::embedded();
        let model = Model::default();
        let mut reports = Vec::new();
        for sample in &crate::experiments::sample_matches::SAMPLES {
            let name = format!("{}.mat", sample.file);
            let path = self.repository.join("sample_matches").join(&name);
            let record = match_file::read_bytes(&file::read(&path, file::LIMIT)?, &name)?;
            let analysed = analyse_match(&engine, &model, &record, STANDARD_PLY, &|| false);
            let context = ReportContext {
                engine: "",
                model: &model,
                ply: STANDARD_PLY,
                thresholds: Thresholds::default(),
                rollouts: None,
            };
            let mut report = build(&record, &analysed.unwrap_or_default(), &context);
            report.file = Some(name);
            reports.push(report);
        }
        Ok(reports)
    }
}

/// Formats a Markdown table.
fn table(headings: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let headings: Vec<String> = headings.iter().map(ToString::to_string).collect();
    let rule: Vec<String> = headings.iter().map(|_| "---".to_owned()).collect();
    let mut text = line(&headings) + &line(&rule);
    text.extend(rows.into_iter().map(|row| line(&row)));
    text
}

/// Marks a part that other pages may copy.
fn part(name: &str, text: &str) -> String {
    format!("<!-- begin figures-{name} -->\n{text}<!-- end figures-{name} -->\n")
}

/// Formats a figure with two significant digits and separated thousands.
fn rough(figure: f64) -> String {
    if !figure.is_finite() || figure <= 0.0 {
        return format!("{figure}");
    }
    let scale = 10f64.powi(1 - figure.log10().floor() as i32);
    let rounded = (figure * scale).round() / scale;
    match rounded {
        r if r >= 100.0 => bench::grouped(r),
        r if r >= 10.0 => format!("{r:.0}"),
        r => {
            let digits = (1 - r.log10().floor() as i32).max(0) as usize;
            format!("{r:.digits$}")
        }
    }
}

fn geometric_mean(figures: impl Iterator<Item = f64> + Clone) -> f64 {
    let count = figures.clone().count() as f64;
    (figures.map(f64::ln).sum::<f64>() / count).exp()
}

impl Measured {
    fn page(&self) -> String {
        let mut text = format!(
            "# Benchmarks\n\nWritten by `luckless-lab benchmarks`; do not edit it. Other pages quote it, and a test \
             holds the\ncopies.\n\nEvaluator `{}`, signature {}, {}, {}.\nSpeeds are of a machine that others use too: \
             read them as ratios.\n\n",
            self.engine,
            self.speed.signature,
            today(),
            machine(self.speed.simd),
        );
        let sections = [
            ("In short", "in-short", self.in_short()),
            ("Speed", "speed", self.speeds()),
            ("Rollouts", "rollouts", self.rollout_table()),
            ("Decisions", "decisions", self.decisions()),
            ("Sample matches", "reviews", self.review_table()),
            (
                "Coverage of intervals",
                "coverage",
                coverage_record::summary(&self.coverage).map_or_else(String::new, |rows| {
                    let head = [
                        "variance reduction",
                        "intervals",
                        "fixed-sample 95%: lowest, mean",
                        "anytime-valid: lowest",
                    ];
                    table(&head, rows)
                }),
            ),
            ("Size", "size", self.sizes()),
            ("Comparison with other programs", "peers", peers()),
        ];
        for (title, name, content) in sections {
            let _ = write!(
                text,
                "## {title}\n\n{}{}\n",
                remark(name),
                part(name, &content)
            );
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }

    /// Mean CPU seconds to the target standard error in contact positions.
    fn mean_seconds(&self, luck: usize) -> f64 {
        let contact = self.rollouts[..CONTACT].iter();
        geometric_mean(contact.map(|worth| worth[luck].seconds_to(TARGET)))
    }

    /// Share of the variance of a trial that remains, in contact positions.
    fn variance_left(&self, luck: usize) -> f64 {
        let contact = self.rollouts[..CONTACT].iter();
        geometric_mean(contact.map(|worth| worth[luck].variance / worth[0].variance))
    }

    fn in_short(&self) -> String {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let peers = IN_SHORT.iter().filter_map(|key| peer_figures::find(key));
        let mut rows: Vec<Vec<String>> = peers.map(|peer| vec![peer.name, peer.figure]).collect();
        rows.extend(
            [(2, "VR by lookahead"), (1, "VR by the luck net")].map(|(luck, name)| {
                let left = format!(
                    "variance of a trial left by {name}, geometric mean of five contact positions"
                );
                vec![left, percent(self.variance_left(luck))]
            }),
        );
        table(&["", "figure"], rows)
    }

    fn speeds(&self) -> String {
        let mut rows = self.speed.rows();
        // A single thread has equal rows for one and all threads.
        rows.pop();
        table(
            &["", "a second"],
            rows.into_iter()
                .map(|(name, figure)| vec![name, rough(figure)]),
        )
    }

    fn rollout_table(&self) -> String {
        let cell = |worth: &Worth| {
            format!(
                "{}, {} µs: {} s",
                rough(worth.difference),
                rough(2e6 * worth.seconds),
                rough(worth.seconds_to(TARGET))
            )
        };
        let mut rows: Vec<Vec<String>> = CASES
            .iter()
            .zip(&self.rollouts)
            .map(|(case, worths)| {
                let mut row = vec![case.name.to_owned()];
                row.extend(worths.iter().map(cell));
                row
            })
            .collect();
        let means = (0..LUCKS.len()).map(|luck| format!("{} s", rough(self.mean_seconds(luck))));
        let mut last = vec!["geometric mean of the first five".to_owned()];
        last.extend(means);
        rows.push(last);
        table(&["position", LUCKS[0].1, LUCKS[1].1, LUCKS[2].1], rows)
    }

    fn decisions(&self) -> String {
        let rows = PLIES.iter().zip(&self.losses).map(|(ply, loss)| {
            let thousandths = 1000.0 * loss.mean();
            let error = 1000.0 * loss.standard_error();
            vec![
                format!("{ply}-ply"),
                format!("{thousandths:.1} (se {error:.1})"),
            ]
        });
        table(&["choice by", "loss, thousandths of a point"], rows)
    }

    fn review_table(&self) -> String {
        let mut rows = Vec::new();
        for report in &self.reviews {
            let name = report.file.clone().unwrap_or_default();
            let pr = |i: usize| {
                let player = &report.players[i];
                let pr = player.figures.pr.unwrap_or(f64::NAN);
                format!("{} {pr:.2}, {:.3}", player.name, player.figures.error_total)
            };
            rows.push(vec![format!("`{name}`"), report.kind(), pr(0), pr(1)]);
        }
        table(&["match", "", "PR, points lost", "PR, points lost"], rows)
    }

    fn sizes(&self) -> String {
        let size = self.size.map_or_else(
            || "not built".to_owned(),
            |bytes| format!("{:.1} MB", bytes as f64 / 1e6),
        );
        table(
            &["", "size"],
            [vec![
                "`luckless`, nets and tables included".to_owned(),
                size,
            ]],
        )
    }
}

/// Returns one or two sentences that explain a part.
fn remark(name: &str) -> String {
    let text = match name {
        "speed" => {
            "`luckless bench`, one thread. Other work on the machine slows it. The comparison with GNU Backgammon's\n\
             speed is from another day, in turns with it, and differs."
        }
        "rollouts" => {
            "The two best plays of six positions on the same dice, cubeless, 0-ply. Each cell has the variance of\n\
             the difference, CPU microseconds a pair, and CPU seconds to a standard error of 0.005."
        }
        "decisions" => {
            "Mean loss of a choice among the plays of `crates/lab/src/experiments/decisions.tsv`, against rollouts with variance\n\
             reduction by lookahead. The plays are close by design."
        }
        "reviews" => "The sample matches at 2-ply, as `luckless review` analyses them.",
        "coverage" => {
            "From the record `crates/lab/records/coverage.txt`, whose head has its command, date and evaluator. An\n\
             interval should hold in 95%; a share of 1,000 rollouts has an error of 0.7%."
        }
        "peers" => {
            "Kept in `crates/lab/src/experiments/peer_figures.tsv`: they need other programs, and were measured in turns with them on\n\
             one machine, by the evaluator of their day: `6b991980`, from 30 November on `67214baa`. The five\n\
             positions are those of the table of rollouts, which is of another day and has other seeds."
        }
        _ => return String::new(),
    };
    format!("{text}\n\n")
}

fn peers() -> String {
    let rows = peer_figures::all().into_iter();
    table(
        &["", "figure", "day", "how"],
        rows.map(|peer| vec![peer.name, peer.figure, peer.day, peer.how]),
    )
}

/// Returns the processor's name and number of cores.
fn machine(simd: &str) -> String {
    let info = fs::read_to_string(Path::new("/proc/cpuinfo")).unwrap_or_default();
    let model = info
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, name)| name.trim());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{model}, {cores} cores, kernel {simd}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_count() {
        let all = [4_712_345.0, 146_123.0, 55.4, 5.04, 0.0361, 0.00193, 99.6];
        let texts = all.map(rough);
        let expected = [
            "4,700,000",
            "150,000",
            "55",
            "5.0",
            "0.036",
            "0.0019",
            "100",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn parts_are_marked() {
        let text = part("a", &table(&["x", "y"], [vec!["1".into(), "2".into()]]));
        assert_eq!(
            text,
            "<!-- begin figures-a -->\n| x | y |\n| --- | --- |\n| 1 | 2 |\n<!-- end figures-a -->\n"
        );
    }
}
