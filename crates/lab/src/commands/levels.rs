//! `luckless-lab levels`: loss of each level on decisions analysed by others, and its cost.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::common::setup;
use crate::cli::common::options::{count, levels};
use crate::cli::common::output;
use crate::experiments::judged;
use crate::experiments::levels::{self, Disputes, LevelRecord};
use crate::game::GameState;
use crate::grid::Grid;
use crate::match_file;
use crate::notation::xgid_text;
use crate::rollout::{Level, Truncated};
use crate::store::file;

/// What each level of analysis loses on decisions that others judged, and what it costs
#[derive(Debug, clap::Args)]
pub(super) struct Levels {
    /// Match files with analyses by others; what they judged by a deep look counts
    #[arg(value_name = "FILE", required_unless_present = "judged")]
    files: Vec<PathBuf>,
    /// Decisions for money without the cube, a JSON object a line: position, dice, and plays with
    /// result and equity
    #[arg(long, value_name = "FILE")]
    judged: Option<PathBuf>,
    /// Only the first N decisions of a kind
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    decisions: usize,
    /// Leave plays out: cube decisions alone
    #[arg(long, conflicts_with = "judged")]
    cubes: bool,
    /// Only these levels
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = levels())]
    only: Vec<Level>,
    /// Where a level and the one before it choose different plays, roll both out to the end, so many trials
    #[arg(long, value_name = "TRIALS", value_parser = count::<u64>(36))]
    settle: Option<u64>,
    /// Settle what each level and the judge choose differently, not what two levels do
    #[arg(long, requires = "settle")]
    against_judge: bool,
    /// Name the decisions in which a level loses by the judge, each with its position and its loss
    #[arg(long)]
    list: bool,
    /// Another level beside them, rolled out
    #[arg(long, value_name = "PLY:MOST:WITHIN:ROLLS:TRIALS", value_parser = level)]
    also: Vec<Level>,
}

/// Parses a level with rollouts.
fn level(text: &str) -> Result<Level, String> {
    let wrong = || "expected PLY:MOST:WITHIN:ROLLS:TRIALS, such as 2:5:0.08:10:360".to_owned();
    let parts: Vec<&str> = text.split(':').collect();
    let [ply, most, within, horizon, trials] = parts[..] else {
        return Err(wrong());
    };
    let rolled = || {
        Some(Truncated {
            most: most.parse().ok()?,
            within: within.parse().ok()?,
            ply: 1,
            horizon: horizon.parse().ok()?,
            trials: trials.parse().ok()?,
            cube_trials: trials.parse().ok()?,
        })
    };
    Ok(Level {
        name: "other",
        ply: ply.parse().map_err(|_| wrong())?,
        rollout: Some(rolled().ok_or_else(wrong)?),
    })
}

impl Levels {
    pub(super) fn run(&self) -> Result<()> {
        let setup = setup();
        let (mut plays, mut cubes) = (Vec::new(), Vec::new());
        for path in &self.files {
            let record = match_file::read(path)?;
            if !self.cubes {
                plays.extend(levels::plays(&record));
            }
            cubes.extend(levels::cubes(&record));
        }
        if let Some(path) = &self.judged {
            let bytes = file::read(path, file::LIMIT)?;
            let read = judged::read(&String::from_utf8_lossy(&bytes));
            plays.extend(read.with_context(|| path.display().to_string())?);
        }
        once(&mut plays);
        once(&mut cubes);
        plays.truncate(self.decisions);
        cubes.truncate(self.decisions);
        if plays.is_empty() && cubes.is_empty() {
            bail!("no judged decisions in these files");
        }
        let wanted = |level: &Level| self.only.is_empty() || self.only.contains(level);
        let mut all: Vec<Level> = Level::ALL.into_iter().filter(wanted).collect();
        all.extend(&self.also);
        let (mut table, mut listed) = (Table::new(), String::new());
        let mut settled = Disputed::new();
        let mut other = self
            .against_judge
            .then(|| ("the judge", levels::judges(&plays)));
        for level in all {
            let record = levels::choose(&setup, level, &plays);
            if let (Some(trials), Some((name, other))) = (self.settle, &other) {
                let disputes = levels::settle(&setup, &plays, [&record, other], trials);
                settled.row([level.name, name], &disputes);
            }
            if !self.against_judge && self.settle.is_some() {
                other = Some((level.name, record.clone()));
            }
            let [double, answer] = levels::decide(&setup, level, &cubes);
            if self.list {
                listed += &list(level, "play", plays.iter().map(|one| one.state), &record);
                for (what, record) in [("double", &double), ("answer", &answer)] {
                    listed += &list(level, what, cubes.iter().map(|one| one.state), record);
                }
            }
            table.row(level, "plays", record);
            table.row(level, "doubles", double);
            table.row(level, "answers", answer);
        }
        let settled = match self.settle {
            Some(trials) => format!("\n{SETTLED} {trials} trials of each play.\n{}", settled.0),
            None => String::new(),
        };
        output::text(&format!("{UNITS_NOTE}\n{}{settled}{listed}", table.grid))
    }
}

const UNITS_NOTE: &str =
    "Losses in thousandths of a point a decision; gain on the level above it, paired.";

const SETTLED: &str = "Disputed plays rolled out to the end at 1-ply; clearly better, clearly worse, the share of \
                       these that is better (Wilson, 95%), and the gain in thousandths of a point a disputed \
                       decision;";

/// Lists the decisions in which a level loses, one per line.
fn list(
    level: Level,
    what: &str,
    states: impl Iterator<Item = GameState>,
    record: &LevelRecord,
) -> String {
    let lost = states.zip(&record.losses).filter(|(_, loss)| **loss > 0.0);
    let line = |(state, loss): (GameState, &f64)| {
        let (name, id) = (level.name, xgid_text(&state));
        format!("{name}  {what}  {loss:.4}  {id}\n")
    };
    lost.map(line).collect()
}

/// Removes duplicates: two files may contain the same match.
fn once<T: PartialEq>(decisions: &mut Vec<T>) {
    let all = std::mem::take(decisions);
    for decision in all {
        if !decisions.contains(&decision) {
            decisions.push(decision);
        }
    }
}

/// Formats a mean and its standard error in thousandths; a single decision has no error.
fn thousandths([mean, error]: [f64; 2]) -> String {
    let mean = format!("{:.2}", 1e3 * mean);
    if error.is_finite() {
        format!("{mean} (se {:.2})", 1e3 * error)
    } else {
        mean
    }
}

/// Rollout results for decisions in which two levels choose different plays.
struct Disputed(Grid);

impl Disputed {
    fn new() -> Self {
        let headings = [
            "level", "against", "disputed", "better", "worse", "won", "gain",
        ];
        Self(Grid::new(&headings))
    }

    fn row(&mut self, [level, other]: [&str; 2], disputes: &Disputes) {
        let [better, worse] = disputes.decided();
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        let won = disputes.won().map(|(share, [low, high])| {
            let [share, low, high] = [share, low, high].map(percent);
            format!("{share} ({low}–{high})")
        });
        self.0.row(vec![
            level.to_owned(),
            other.to_owned(),
            disputes.gains.len().to_string(),
            better.to_string(),
            worse.to_string(),
            won.unwrap_or_default(),
            thousandths(disputes.gain()),
        ]);
    }
}

/// The table, with the previous level for each kind of decision.
struct Table {
    grid: Grid,
    before: Vec<(&'static str, LevelRecord)>,
}

impl Table {
    fn new() -> Self {
        let headings = [
            "level",
            "of",
            "decisions",
            "rolled",
            "loss",
            "gain",
            "CPU ms",
        ];
        Self {
            grid: Grid::new(&headings),
            before: Vec::new(),
        }
    }

    fn row(&mut self, level: Level, of: &'static str, record: LevelRecord) {
        let decisions = record.losses.iter().filter(|loss| !loss.is_nan()).count();
        if decisions == 0 {
            return;
        }
        let before = self.before.iter().position(|b| b.0 == of);
        let before = before.map(|i| self.before.swap_remove(i).1);
        let gain = before.map(|before| thousandths(record.less_than(&before)));
        self.grid.row(vec![
            level.name.to_owned(),
            of.to_owned(),
            decisions.to_string(),
            record.rolled.to_string(),
            thousandths(record.loss()),
            gain.unwrap_or_default(),
            format!("{:.2}", 1e3 * record.seconds / record.losses.len() as f64),
        ]);
        self.before.push((of, record));
    }
}
