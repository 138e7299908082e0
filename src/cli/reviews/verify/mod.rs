//! `luckless verify`: checks imported analyses by rollouts.

mod document;
mod page;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use self::document::{OpinionDocument, PlayerCounts, VerifyDocument, name_of, text};
use super::reviewer::Followed;
use crate::cli::common::options::{CubeModel, Nets, Threads, plies, seconds};
use crate::cli::common::output;
use crate::cli::common::progress::analyse_match;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::stdin;
use crate::cli::common::usage::{message_of, misuse, say};
use crate::cube::Model;
use crate::eval::{Engine, Evaluator};
use crate::game::Player;
use crate::game::roll::ORDERED;
use crate::match_file::Match;
use crate::review::STANDARD_PLY;
use crate::review::verification::{Counts, LookaheadSetup, VerificationLimits, claims, roll_out};
use crate::rollout::Setup;
use crate::store::{RolloutWorker, UserFolders, file};

const EXAMPLES: &str = "\
Examples:
  luckless verify match.xg
  luckless verify match.xg --budget 60
  luckless verify match.sgf --decisions 5 --json --out verdicts.json
  luckless verify match.xg --format html --out verdicts.html

A file that eXtreme Gammon, GNU Backgammon or BGBlitz has analysed is read with its figures. Where our \
lookahead differs, or where neither is sure, the two choices are rolled out, at 1-ply and with the \
cube, until one is better at the 95% level at all times, or they are within 0.005 points. What costs \
most if the file is wrong comes first. Rollouts are kept, so that a second run goes on.";

/// Whether another program's analysis is right
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Analysed match files; - is stdin
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Roll out for so many seconds at most, all files together [default: until all is rolled out]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    budget: Option<f64>,
    /// Roll out N opinions of each match at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    decisions: Option<u32>,
    /// Trials of each choice at most
    #[arg(long, value_name = "N", default_value_t = 2592,
          value_parser = clap::value_parser!(u64).range(36..=1_000_000))]
    trials: u64,
    /// Plies of Luckless' lookahead where a decision is close
    #[arg(long, value_name = "N", default_value_t = STANDARD_PLY, value_parser = plies())]
    ply: u8,
    /// Keep rollouts in FILE instead of the data folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    store: Option<PathBuf>,
    /// Keep nothing, and use nothing that is kept
    #[arg(long)]
    no_store: bool,
    /// What is written: text for a terminal, or one page of HTML
    #[arg(long, value_enum, default_value_t = VerifyFormat::Text)]
    format: VerifyFormat,
    /// Machine output: a JSON document for each match
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write into FILE instead of stdout, which - is as well
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

/// Format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum VerifyFormat {
    /// A list for a terminal.
    Text,
    /// One page that needs nothing else.
    Html,
}

/// Resources of a verification.
struct Verifier {
    engine: Arc<Engine>,
    model: Arc<Model>,
    limits: VerificationLimits,
    ply: u8,
    cube: CubeModel,
    until: Option<Instant>,
}

impl Args {
    pub(crate) fn run(mut self) -> Result<()> {
        self.out = output::named_file(self.out, self.force)?;
        let until = self.budget.map(Duration::from_secs_f64);
        let verifier = Verifier {
            engine: Arc::new(self.nets.engine()?),
            model: Arc::new(self.cube.load()?),
            limits: VerificationLimits {
                decisions: self.decisions.map_or(usize::MAX, |n| n as usize),
                trials: self.trials.next_multiple_of(ORDERED as u64),
            },
            ply: self.ply,
            cube: self.cube.clone(),
            until: until.map(|budget| Instant::now() + budget),
        };
        let place = match &self.store {
            _ if self.no_store => None,
            Some(path) => Some(path.clone()),
            None => UserFolders::of_user().map(|p| p.rollouts()),
        };
        let ended = asked_to_end()?;
        let cancelled = || ended.load(Ordering::Relaxed);
        let pool = self.threads.pool()?;
        self.check_out()?;
        let (mut failed, mut shown) = (0, 0);
        let mut all = Vec::new();
        for path in &self.files {
            let done = pool.install(|| verifier.file(path, place.as_deref(), &cancelled));
            match done {
                Ok(documents) => {
                    for document in documents {
                        if self.out.is_some() || self.format == VerifyFormat::Html {
                            all.push(document);
                            continue;
                        }
                        if shown > 0 && !self.json {
                            output::text("\n")?;
                        }
                        shown += 1;
                        self.print(&document)?;
                    }
                }
                Err(_) if cancelled() => bail!("interrupted: the analysis was not finished"),
                Err(error) if self.files.len() > 1 => {
                    failed += 1;
                    say(&message_of(&error));
                }
                Err(error) => return Err(error),
            }
            if cancelled() {
                bail!("interrupted");
            }
        }
        self.write(&all)?;
        match failed {
            0 => Ok(()),
            n => bail!("{n} of {} files could not be verified", self.files.len()),
        }
    }

    /// Refuses an existing output file before anything is rolled out.
    fn check_out(&self) -> Result<()> {
        match &self.out {
            Some(out) if self.files.iter().any(|path| file::is_same(path, out)) => {
                let out = out.display();
                Err(misuse(format!("--out {out} is a match to be verified")))
            }
            Some(out) => output::may_write(out, self.force),
            None => Ok(()),
        }
    }

    /// Writes the output that is not written match by match.
    fn write(&self, all: &[VerifyDocument]) -> Result<()> {
        if all.is_empty() {
            return Ok(());
        }
        let text = match self.format {
            VerifyFormat::Html => page::write(all),
            VerifyFormat::Text if self.json => {
                all.iter().map(output::json_line).collect::<Result<_>>()?
            }
            VerifyFormat::Text => all.iter().map(text).collect::<Vec<_>>().join("\n"),
        };
        match &self.out {
            Some(out) => output::to_file(out, text.as_bytes(), self.force),
            None => output::text(&text),
        }
    }

    fn print(&self, document: &VerifyDocument) -> Result<()> {
        match self.json {
            true => output::json(document),
            false => output::text(&text(document)),
        }
    }
}

impl Verifier {
    /// Verifies all analysed matches of a file.
    fn file(
        &self,
        path: &Path,
        place: Option<&Path>,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<VerifyDocument>> {
        let shown = path.display();
        let mut record = stdin::read_match(path)?;
        self.cube.apply_to(&mut record);
        let others = std::mem::take(&mut record.others);
        let all = std::iter::once(record).chain(others);
        let all: Vec<Match> = all.collect();
        let mut alone = all.iter().flat_map(|record| &record.positions);
        let has_positions = alone.any(|position| position.analysis.is_some());
        let mut analysed = all;
        analysed.retain(|record| !record.analyses.is_empty());
        if analysed.is_empty() && has_positions {
            bail!(
                "{shown}: holds another program's analysis of positions, and verify takes that of matches: \
                 'luckless rollout XGID' rolls a position out"
            );
        }
        if analysed.is_empty() {
            bail!("{shown}: holds no analysis of another program");
        }
        let one = |record: &Match| self.record(path, record, place, cancelled);
        analysed.iter().map(one).collect()
    }

    fn record(
        &self,
        path: &Path,
        record: &Match,
        place: Option<&Path>,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<VerifyDocument> {
        let began = Instant::now();
        let evaluator: Arc<dyn Evaluator> = self.engine.clone();
        let analysed = analyse_match(&*evaluator, &self.model, record, self.ply, cancelled);
        let Some(analysed) = analysed else {
            bail!("the analysis was given up");
        };
        let lookahead = LookaheadSetup {
            evaluator: &*evaluator,
            model: &self.model,
            ply: self.ply,
        };
        let mut all = claims(record, &analysed, &lookahead);
        let setup = Setup {
            cube: Some(self.model.clone()),
            ..Setup::from(evaluator)
        };
        let worker = place.map(|path| Arc::new(RolloutWorker::start(path.to_owned(), |_| ())));
        let follower = Followed::new(worker.clone(), &setup, cancelled, self.until);
        roll_out(&mut all, &setup, &self.limits, &follower, &|_, _| ());
        follower.end(worker);
        let program = all.first().map(|one| one.claim.program.clone());
        let opinions: Vec<_> = all
            .iter()
            .map(|one| OpinionDocument::new(one, record, &analysed))
            .collect();
        let players = [Player::Left, Player::Right].map(|player| PlayerCounts {
            name: name_of(record, player),
            counts: Counts::of(&all, player),
        });
        Ok(VerifyDocument {
            file: output::printable(&path.display().to_string()),
            program: program.unwrap_or_default(),
            players: players.into(),
            left: all.iter().filter(|one| one.is_left()).count(),
            opinions,
            seconds: began.elapsed().as_secs_f64(),
        })
    }
}
