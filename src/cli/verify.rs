//! `luckless verify`: what another program's file says of a match, held against rollouts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use serde::Serialize;

use super::options::{CubeModel, Nets, Threads, plies, seconds};
use super::output;
use super::reviewer::Followed;
use super::signals::asked_to_end;
use super::usage::{message_of, say};
use crate::cube::Model;
use crate::eval::{Engine, Evaluator};
use crate::game::Player;
use crate::grid::Grid;
use crate::match_file::{self, Match};
use crate::notation::{play_text, xgid_text};
use crate::review::verification::{
    Counts, Means, Question, Rolled, Verdict, VerificationLimits, Verified, claims, roll_out,
};
use crate::review::{AnalysedTurn, STANDARD_PLY, analyse_match};
use crate::rollout::Setup;
use crate::store::{RolloutWorker, UserFolders};

const EXAMPLES: &str = "\
Examples:
  luckless verify match.xg
  luckless verify match.xg --budget 60
  luckless verify match.sgf --decisions 5 --json

A file that eXtreme Gammon, GNU Backgammon or BGBlitz has analysed is read with its figures. Where our \
lookahead differs, or where neither is sure, the two choices are rolled out, at 1-ply and with the \
cube, until one is better at the 95% level at all times, or they are within 0.005 points. What costs \
most if the file is wrong comes first. Rollouts are kept, so that a second run goes on.";

/// Whether another program's analysis is right
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Analysed match files
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
    /// Plies of our lookahead where a decision is close
    #[arg(long, value_name = "N", default_value_t = STANDARD_PLY, value_parser = plies())]
    ply: u8,
    /// Keep rollouts in FILE instead of the data folder
    #[arg(long, value_name = "FILE", conflicts_with = "no_store")]
    store: Option<PathBuf>,
    /// Keep nothing, and use nothing that is kept
    #[arg(long)]
    no_store: bool,
    /// Machine output: a JSON document for each match
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

#[derive(Serialize)]
struct VerifyDocument {
    file: String,
    program: String,
    players: Vec<PlayerCounts>,
    opinions: Vec<OpinionDocument>,
    /// Opinions that were to be rolled out and are not.
    left: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct PlayerCounts {
    name: String,
    #[serde(flatten)]
    counts: Counts,
}

#[derive(Serialize)]
struct OpinionDocument {
    game: usize,
    number: u32,
    player: String,
    position: String,
    dice: Option<String>,
    level: String,
    better: String,
    other: String,
    claimed: Option<f64>,
    lookahead: f64,
    ply: u8,
    error: bool,
    stake: f64,
    rollout: Option<Rolled>,
    verdict: Verdict,
}

impl OpinionDocument {
    fn new(one: &Verified, record: &Match, analysed: &[AnalysedTurn]) -> Self {
        let claim = &one.claim;
        let turn = &analysed[claim.turn].turn;
        let [better, other] = match (&claim.question, claim.actions) {
            (Question::Plays(plays, _), _) => {
                [0, 1].map(|i| play_text(&claim.state.position, &plays[i]))
            }
            (_, Some(actions)) => actions.map(|choice| choice.name().to_owned()),
            (_, None) => [const { String::new() }; 2],
        };
        Self {
            game: turn.game + 1,
            number: turn.number,
            player: name(record, claim.player),
            position: xgid_text(&claim.state),
            dice: claim.state.roll.map(|r| r.to_string()),
            level: claim.level.clone(),
            better,
            other,
            claimed: claim.claimed,
            lookahead: claim.looked_ahead,
            ply: claim.ply,
            error: claim.is_error,
            stake: claim.stake,
            rollout: one.rolled,
            verdict: one.verdict,
        }
    }

    fn cells(&self) -> Vec<String> {
        let decision = match &self.dice {
            Some(dice) => format!("{dice}: {} over {}", self.better, self.other),
            None => format!("{} over {}", self.better, self.other),
        };
        let rolled = self.rollout.map_or_else(String::new, |r| {
            let [low, high] = r.anytime95;
            match (high - low) / 2.0 {
                half if half.is_finite() => format!("{:+.3} ±{half:.3}", r.difference),
                _ => format!("{:+.3}", r.difference),
            }
        });
        vec![
            self.game.to_string(),
            self.number.to_string(),
            short(&self.player),
            decision,
            if self.error { "error" } else { "" }.to_owned(),
            self.claimed
                .map_or_else(|| "–".to_owned(), |c| format!("{c:+.3}")),
            format!("{:+.3}", self.lookahead),
            rolled,
            self.rollout
                .map_or_else(String::new, |r| r.trials.to_string()),
            self.verdict.name().to_owned(),
        ]
    }
}

/// A name as far as a column has room.
fn short(name: &str) -> String {
    const ROOM: usize = 16;
    match name.chars().count() > ROOM {
        true => name.chars().take(ROOM - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

fn name(record: &Match, player: Player) -> String {
    output::printable(&record.players[player.index()])
}

/// What files are verified with.
struct Verifier {
    engine: Arc<Engine>,
    model: Arc<Model>,
    limits: VerificationLimits,
    ply: u8,
    until: Option<Instant>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let until = self.budget.map(Duration::from_secs_f64);
        let verifier = Verifier {
            engine: Arc::new(self.nets.engine()?),
            model: Arc::new(self.cube.load()?),
            limits: VerificationLimits {
                decisions: self.decisions.map_or(usize::MAX, |n| n as usize),
                trials: self.trials.next_multiple_of(36),
            },
            ply: self.ply,
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
        let (mut failed, mut shown) = (0, 0);
        for path in &self.files {
            let done = pool.install(|| verifier.file(path, place.as_deref(), &cancelled));
            match done {
                Ok(documents) => {
                    for document in documents {
                        if shown > 0 && !self.json {
                            output::text("\n")?;
                        }
                        shown += 1;
                        self.print(&document)?;
                    }
                }
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
        match failed {
            0 => Ok(()),
            n => bail!("{n} of {} files could not be verified", self.files.len()),
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
    /// All matches of a file that were analysed.
    fn file(
        &self,
        path: &Path,
        place: Option<&Path>,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<VerifyDocument>> {
        let shown = path.display();
        let mut record = match_file::read(path)?;
        let others = std::mem::take(&mut record.others);
        let all = std::iter::once(record).chain(others);
        let analysed: Vec<Match> = all.filter(|record| !record.analyses.is_empty()).collect();
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
        let means = Means {
            evaluator: &*evaluator,
            model: &self.model,
            ply: self.ply,
        };
        let mut all = claims(record, &analysed, &means);
        let setup = Setup {
            cube: Some(self.model.clone()),
            ..Setup::from(evaluator)
        };
        let worker = place.map(|path| {
            let path = path.to_owned();
            Arc::new(RolloutWorker::with_news(path, |_| (), |n| say(&n)))
        });
        let follower = Followed::new(worker.clone(), &setup, cancelled, self.until);
        roll_out(&mut all, &setup, &self.limits, &follower, &|_, _| ());
        follower.end(worker);
        let program = all.first().map(|one| one.claim.program.clone());
        let opinions: Vec<_> = all
            .iter()
            .map(|one| OpinionDocument::new(one, record, &analysed))
            .collect();
        let players = [Player::Left, Player::Right].map(|player| PlayerCounts {
            name: name(record, player),
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

/// For readers: what is not agreed, then what each player's errors came to.
fn text(document: &VerifyDocument) -> String {
    let mut table = Grid::new(&[
        "game",
        "move",
        "player",
        "decision",
        "",
        "by the file",
        "lookahead",
        "rolled out",
        "trials",
        "verdict",
    ]);
    let agreed = |one: &&OpinionDocument| one.verdict == Verdict::Agreed;
    let mut text = format!(
        "{}: {} opinions of {}\n\n",
        document.file,
        document.opinions.len(),
        document.program
    );
    let told = document.opinions.iter().filter(|one| !agreed(one));
    told.for_each(|one| table.row(one.cells()));
    let _ = write!(text, "{table}");
    let count = document.opinions.iter().filter(agreed).count();
    let _ = writeln!(text, "\nagreed by lookahead, not rolled out: {count}");
    if document.left > 0 {
        let _ = writeln!(text, "not rolled out yet: {}", document.left);
    }
    for player in &document.players {
        let counts = player.counts;
        let _ = writeln!(
            text,
            "{}: {} of {} errors were none, {} open; {} of {} opinions overturned",
            player.name,
            counts.none,
            counts.errors,
            counts.open,
            counts.overturned,
            counts.opinions
        );
    }
    text
}
