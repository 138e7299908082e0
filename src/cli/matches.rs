//! `luckless matches`: the matches that were reviewed, and how a player's rating goes.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use serde::Serialize;

use super::output;
use super::review::side;
use crate::review::Report;
use crate::review::report::{PlayerReport, Side, signed};
use crate::review::trend::{Estimate, Trend};
use crate::store::{Places, ReviewStore};

const EXAMPLES: &str = "\
Examples:
  luckless review ~/matches
  luckless matches
  luckless matches --player anna
  luckless matches --player anna --json

A ~ behind a date says that the file has none, and that it is the day the file was written.";

/// The matches that were reviewed, and the trend of a player's rating
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Only matches of this player, whose trend is told as well
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    /// The file that reviews are kept in [default: the one in the data folder]
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

#[derive(Serialize)]
struct TrendRow {
    player: String,
    pr: Option<Estimate>,
    latest_ten: Option<Estimate>,
    pr_change_in_ten_matches: Option<Estimate>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let path = self
            .store
            .or_else(|| Places::of_user().map(|places| places.reviews()));
        let mut trend = Trend::default();
        let mut rows = Vec::new();
        let mut any = false;
        if let Some(path) = path.filter(|path| path.exists()) {
            ReviewStore::open(&path)?.each(|day, report| {
                let whose = self.player.as_deref().map(|name| side(&report, name));
                if whose == Some(None) {
                    return Ok(());
                }
                let whose = whose.flatten();
                if let Some(side) = whose {
                    trend.push(&report.players[side.index()].figures);
                }
                if self.json {
                    rows.push(Report {
                        date: Some(day.to_owned()),
                        ..report
                    });
                    return Ok(());
                }
                let head = if any { String::new() } else { heading() };
                any = true;
                output::text(&format!("{head}{}", line_for(day, &report, whose)))
            })?;
        }
        let trend = self.player.map(|player| TrendRow {
            player,
            pr: trend.pr(),
            latest_ten: trend.latest(),
            pr_change_in_ten_matches: trend.slope(),
        });
        if self.json {
            return output::json(&serde_json::json!({"matches": rows, "trend": trend}));
        }
        match trend {
            Some(trend) if any => output::text(&trend.text()),
            _ if any => Ok(()),
            _ => output::text("no reviewed match\n"),
        }
    }
}

impl TrendRow {
    fn text(&self) -> String {
        let mut out = String::from("\n");
        let mut row = |name: &str, estimate: &Option<Estimate>, sign: bool| {
            let Some(e) = estimate else { return };
            let number = |v: f64| {
                if sign {
                    signed(v, 2)
                } else {
                    format!("{v:.2}")
                }
            };
            let interval = e.ci95.map_or_else(String::new, |[a, b]| {
                format!("  95% interval {} … {}", number(a), number(b))
            });
            let _ = writeln!(
                out,
                "{name} {}{interval}  ({} matches)",
                number(e.value),
                e.matches
            );
        };
        row("PR", &self.pr, false);
        row("PR of the latest ten", &self.latest_ten, false);
        row(
            "change of PR in ten matches",
            &self.pr_change_in_ten_matches,
            true,
        );
        out
    }
}

/// Columns of a table that is printed as it comes: their widths are fixed.
fn columns(cells: [&str; 9]) -> String {
    const WIDTHS: [usize; 9] = [11, 18, 18, 6, 7, 6, 6, 8, 8];
    let mut line = String::new();
    for (i, (cell, width)) in cells.iter().zip(WIDTHS).enumerate() {
        // Names are cut, figures never are.
        let cut: String = match i {
            1 | 2 => cell.chars().take(width).collect(),
            _ => (*cell).to_owned(),
        };
        let _ = match i {
            0..=2 => write!(line, "{cut:<width$} "),
            _ => write!(line, "{cut:>width$} "),
        };
    }
    format!("{}\n", line.trim_end())
}

/// The head of the table.
pub(super) fn heading() -> String {
    columns([
        "date", "player", "opponent", "length", "score", "PR", "opp.", "luck", "adjusted",
    ])
}

/// A match, the left player first.
pub(super) fn line(day: &str, report: &Report) -> String {
    line_for(day, report, None)
}

/// A match, `whose` player first.
fn line_for(day: &str, report: &Report, whose: Option<Side>) -> String {
    let own = whose.unwrap_or(Side::Left).index();
    let [a, b] = [own, 1 - own];
    let players: [&PlayerReport; 2] = [&report.players[a], &report.players[b]];
    let pr = |p: &PlayerReport| {
        p.figures
            .pr
            .map_or_else(|| "–".to_owned(), |pr| format!("{pr:.2}"))
    };
    let length = match report.length {
        0 => "money".to_owned(),
        n => n.to_string(),
    };
    let score = format!("{}–{}", report.score[a], report.score[b]);
    columns([
        day,
        &players[0].name,
        &players[1].name,
        &length,
        &score,
        &pr(players[0]),
        &pr(players[1]),
        &report.stakes(players[0].figures.luck_stake),
        &report.stake(players[0].luck_adjusted_result),
    ])
}
