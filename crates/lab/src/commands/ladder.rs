//! `luckless-lab ladder`: points per game and cost per decision of levels of play.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::common::save;
use crate::cli::common::options::{Threads, seconds};
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::duel::{DuelTally, PairRecord};
use crate::eval::{Engine, Evaluator as _};
use crate::experiments::figure;
use crate::experiments::ladder::{RULES, Rung, climb, tally_of};
use crate::grid::Grid;
use crate::store::file;

/// Points per game of each level against 0-ply, with anytime intervals, against CPU time per decision
#[derive(Debug, clap::Args)]
pub(super) struct Ladder {
    /// Seconds for each level
    #[arg(long, value_name = "S", default_value = "300", value_parser = seconds)]
    seconds: f64,
    /// Levels of this program: plies [default: 1,2, with --with none]
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=3))]
    plies: Vec<u8>,
    /// Another player: the second one of a duel with 0ply that was kept by `luckless duel --out`
    #[arg(long, value_name = "NAME=FILE", value_parser = kept)]
    with: Vec<(String, PathBuf)>,
    /// What a decision of such a player costs, in milliseconds of a processor: the duel knows elapsed time only
    #[arg(long, value_name = "NAME=MS", value_parser = cost)]
    cost: Vec<(String, f64)>,
    /// Write ladder.txt and ladder.svg into this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
}

fn kept(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() => Ok((name.to_owned(), path.into())),
        _ => Err("expected NAME=FILE".to_owned()),
    }
}

fn cost(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=MS")?;
    let value = value.parse().ok();
    let value = value.filter(|ms: &f64| *ms > 0.0 && ms.is_finite());
    Ok((name.to_owned(), value.ok_or("expected milliseconds")?))
}

impl Ladder {
    pub(super) fn run(&self) -> Result<()> {
        let engine = Engine::embedded();
        let mut rungs = Vec::new();
        let plies = match (&self.plies[..], &self.with[..]) {
            ([], []) => &[1, 2],
            (plies, _) => plies,
        };
        for &ply in plies {
            let threads = self.threads.number().get();
            add(
                &mut rungs,
                format!("{ply}ply"),
                &climb(&engine, ply, self.seconds, threads),
            );
        }
        for (name, path) in &self.with {
            let records = read(path).with_context(|| path.display().to_string())?;
            add(&mut rungs, name.clone(), &tally_of(records));
        }
        for (name, ms) in &self.cost {
            match rungs.iter_mut().find(|rung| rung.name == *name) {
                Some(rung) => rung.cost = *ms,
                None => return Err(misuse(format!("--cost {name}: no player of that name"))),
            }
        }
        let text = format!(
            "Evaluator {}; money games without a cube against 0ply, luck subtracted; anytime 95% intervals\n{}",
            engine.name(),
            table(&rungs)
        );
        output::text(&text)?;
        let spots: Vec<figure::Spot> = rungs.iter().map(Rung::spot).collect();
        let picture = figure::spots(
            "Points a game against 0ply, 95% anytime intervals",
            "milliseconds of a processor for a decision",
            &spots,
        );
        save(self.out.as_deref(), "ladder", &text, &[("svg", picture)])
    }
}

/// Adds a level, preceded by 0-ply if it is the first.
fn add(rungs: &mut Vec<Rung>, name: String, tally: &DuelTally) {
    if rungs.is_empty() {
        rungs.push(Rung::reference(tally));
    }
    rungs.push(Rung::new(name, tally));
}

fn table(rungs: &[Rung]) -> Grid {
    let mut table = Grid::new(&[
        "level",
        "games",
        "points a game",
        "se",
        "anytime",
        "ms a decision",
    ]);
    for rung in rungs {
        let [low, high] = rung.anytime;
        table.row(vec![
            rung.name.clone(),
            rung.games.to_string(),
            format!("{:+.4}", rung.points),
            format!("{:.4}", rung.se),
            match low.is_finite() {
                true => format!("{low:+.4} to {high:+.4}"),
                false => "–".to_owned(),
            },
            format!("{:.3}", rung.cost),
        ]);
    }
    table
}

/// Reads the pairs of a stored duel of 0-ply at money without a cube.
fn read(path: &Path) -> Result<Vec<PairRecord>> {
    let bytes = file::read(path, file::LIMIT)?;
    let text = String::from_utf8(bytes).context("is no text")?;
    pairs(&text)
}

fn pairs(text: &str) -> Result<Vec<PairRecord>> {
    // The last line may be incomplete.
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut lines = (1..).zip(whole.lines());
    let (_, head) = lines.next().unwrap_or_default();
    let head: Value = serde_json::from_str(head).context("is no file of a duel")?;
    if head["a"] != "0ply" || head["cube"] != false || head["luck_bound"] != RULES.luck_bound {
        return Err(misuse("is no duel of 0ply at money without a cube"));
    }
    let mut records: Vec<PairRecord> = Vec::new();
    for (number, line) in lines {
        let record: PairRecord =
            serde_json::from_str(line).with_context(|| format!("line {number} is damaged"))?;
        if !record.is_sound(RULES.most(), RULES.luck_bound) {
            bail!("pair {} is damaged", record.pair);
        }
        if record.is_played() {
            records.push(record);
        }
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the last line may be incomplete.
    #[test]
    fn a_damaged_line_is_refused() {
        let head = serde_json::json!({"a": "0ply", "cube": false, "luck_bound": RULES.luck_bound});
        let read = |rest: &str| pairs(&format!("{head}\n{rest}"));
        assert!(read("").unwrap().is_empty());
        assert!(read("{\"pair\":1,").unwrap().is_empty());
        let error = read("{\"pair\":1,\n").unwrap_err();
        assert_eq!(error.to_string(), "line 2 is damaged");
    }
}
