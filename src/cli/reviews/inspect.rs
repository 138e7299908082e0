//! `luckless inspect`: shows the parsed content of a file, game by game, with all warnings.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::common::output;
use crate::cli::common::stdin;
use crate::cli::common::usage;
use crate::grid::Grid;
use crate::match_file::MatchSummary;
use crate::match_file::inspect::{AnalysisSummary, GameSummary};
use crate::match_file::json::AnalysisForm;

const EXAMPLES: &str = "\
Examples:
  luckless inspect match.mat
  luckless inspect --json match.mat
  luckless inspect --jsonl matches/*.mat";

/// What was read of match files, game by game, and every warning
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Match files; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Machine output: one JSON document (an array when there are several files)
    #[arg(long, conflicts_with = "jsonl")]
    json: bool,
    /// Machine output: a line of JSON for each file
    #[arg(long)]
    jsonl: bool,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let mut read = Vec::new();
        let mut failures = Vec::new();
        for file in &self.files {
            match stdin::read_match(file) {
                Ok(record) => read.push(MatchSummary::new(&record)),
                Err(error) => failures.push(error),
            }
        }
        if self.jsonl {
            read.iter().try_for_each(output::json)?;
        } else if self.json {
            match &read[..] {
                [one] if self.files.len() == 1 => output::json(one)?,
                [] => {}
                several => output::json(&several)?,
            }
        } else {
            read.iter().try_for_each(|s| output::text(&text(s)))?;
        }
        // The last failure determines the exit status; the others are reported here.
        let Some(last) = failures.pop() else {
            return Ok(());
        };
        failures.iter().for_each(|e| usage::say(&e.to_string()));
        bail!(last)
    }
}

/// Formats the matches of a file as text.
fn text(summary: &MatchSummary) -> String {
    let mut text = head(summary);
    text.push('\n');
    if !summary.games.is_empty() {
        let _ = write!(text, "{}", games(summary));
    }
    text.push_str(&analysis(summary));
    positions(&mut text, summary);
    for warning in &summary.warnings {
        let _ = writeln!(text, "warning: {}", warning.with_place());
    }
    text.push('\n');
    for other in &summary.others {
        text.push_str(&self::text(other));
    }
    text
}

/// Formats file, players, length, and the file's description of the match.
fn head(summary: &MatchSummary) -> String {
    let [left, right] = &summary.players;
    let length = match (summary.length, summary.positions.len()) {
        // A list has no match: each position has its own score.
        (_, 1) if summary.games.is_empty() => "1 position".to_owned(),
        (_, n @ 2..) if summary.games.is_empty() => format!("{n} positions"),
        (0, _) => "money".to_owned(),
        (n, _) => format!("{n} point match"),
    };
    let mut text = String::new();
    let file = summary.file.as_deref().unwrap_or("stdin");
    let _ = writeln!(text, "{}", output::printable(file));
    let _ = writeln!(
        text,
        "{left} – {right}, {length}; {}, {}",
        summary.format, summary.encoding
    );
    if !summary.head.is_empty() {
        let _ = writeln!(text, "{}", output::printable(&summary.head.join(", ")));
    }
    text
}

/// Formats the counted points, with the recorded ones if they differ: `1 (3)`.
fn points(game: &GameSummary) -> String {
    match (game.counted, game.points) {
        (Some(counted), Some(written)) if counted != written => format!("{counted} ({written})"),
        (counted, written) => counted
            .or(written)
            .map_or("–".to_owned(), |p| p.to_string()),
    }
}

/// Formats the score before a game, with a mark of the Crawford game: `6–4 C`.
fn score(game: &GameSummary) -> String {
    let [left, right] = game.score;
    let crawford = if game.crawford { " C" } else { "" };
    format!("{left}–{right}{crawford}")
}

/// A table with a row per game.
fn games(summary: &MatchSummary) -> Grid {
    let headings = [
        "game", "score", "rolls", "doubles", "takes", "passes", "winner", "points", "", "final",
    ];
    let mut table = Grid::new(&headings);
    for game in &summary.games {
        table.row(vec![
            game.game.to_string(),
            score(game),
            game.rolls.to_string(),
            game.doubles.to_string(),
            game.takes.to_string(),
            game.passes.to_string(),
            game.winner.unwrap_or("–").to_owned(),
            points(game),
            if game.complete { "" } else { "incomplete" }.to_owned(),
            game.final_position_id.clone(),
        ]);
    }
    table
}

/// Adds a line for each position of a list: its place and its description in the file.
fn positions(text: &mut String, summary: &MatchSummary) {
    for position in &summary.positions {
        let line = match position.line {
            0 => String::new(),
            line => format!("line {line}: "),
        };
        let said = position.analysis.as_ref().map(AnalysisForm::in_short);
        let said = said.map_or_else(String::new, |said| format!("  ({said})"));
        let remark = position.comment.as_deref();
        let remark = remark.map_or_else(String::new, |remark| {
            format!("  # {}", remark.replace('\n', " "))
        });
        let _ = writeln!(text, "{line}{}{said}{remark}", position.xgid);
    }
}

/// Formats the sums of the imported analysis over all games.
fn analysis(summary: &MatchSummary) -> String {
    let games: Vec<_> = summary
        .games
        .iter()
        .filter_map(|g| g.analysis.as_ref())
        .collect();
    let Some(first) = games.first() else {
        return String::new();
    };
    let mut table = Grid::new(&["analysis", "play errors", "cube errors", "luck"]);
    for (side, name) in summary.players.iter().enumerate() {
        let text = |sum: Option<f64>| sum.map_or_else(|| "–".to_owned(), |sum| format!("{sum:.3}"));
        let luck = games.iter().filter_map(|game| game.luck);
        let cubes = games.iter().map(|game| Some(game.cube_errors?[side]));
        table.row(vec![
            name.clone(),
            text(Some(games.iter().map(|game| game.play_errors[side]).sum())),
            // Partial sums would be taken as complete.
            text(cubes.sum()),
            text(luck.map(|both| both[side]).reduce(|sum, one| sum + one)),
        ]);
    }
    let count = |of: fn(&AnalysisSummary) -> usize| games.iter().map(|g| of(g)).sum::<usize>();
    let (plays, cubes) = (count(|g| g.plays), count(|g| g.cubes));
    format!(
        "\n{table}{}: {plays} plays, {cubes} cube decisions\n",
        first.program
    )
}
