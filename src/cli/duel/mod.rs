//! `luckless duel`: lets two engines play each other.

mod foreign;
mod kept;
pub(super) mod print;
mod sides;

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use self::kept::Kept;
use self::print::{Conditions, DuelDocument, DuelEnd, DuelUnit};
use self::sides::{LuckSpec, SeatNeeds, SideSpec};
use crate::cli::common::options::{Threads, count, file_beside_stdout, seconds};
use crate::cli::common::output;
use crate::cli::common::progress::ProgressLine;
use crate::cli::common::signals;
use crate::cli::common::usage::{misuse, say};
use crate::cube::Model;
use crate::duel::{self, Contestant, Duel, DuelLuck, DuelRules, DuelTally, PairRecord};

const EXAMPLES: &str = "\
Examples:
  luckless duel --a 1ply --b 0ply --games 2000
  luckless duel --a 0ply,new.net --b 0ply,old.net --games 20000 --cube
  luckless duel --a 1ply --length 5 --games 1000 --out five.duel
  luckless duel --a 2ply --b 1ply --until-decided --games 100000
  luckless duel --a 1ply --b gnubg:127.0.0.1:1984 --games 2000
  luckless duel --a 0ply --b 'ubgi:./engine --fast' --games 2000

A player is a number of plies and, if it is not the net in the program, a net \
file; or another program: ubgi:COMMAND, batch:COMMAND (as luckless eval --batch) \
or gnubg:HOST:PORT, where GNU Backgammon was told: external HOST:PORT. Every sequence of dice is played twice, with the seats exchanged: such a \
pair is one observation. The luck of both is subtracted, kept within a bound.";

/// Let two engines play games or matches, variance-reduced
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The first player
    #[arg(long, value_name = "PLAYER", default_value = "1ply")]
    a: SideSpec,
    /// The second player
    #[arg(long, value_name = "PLAYER", default_value = "0ply")]
    b: SideSpec,
    /// Games, or matches: two for each sequence of dice
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = count::<u64>(2))]
    games: u64,
    /// Play matches of N points instead of money games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    length: Option<u16>,
    /// Money games have a cube
    #[arg(long, conflicts_with = "length")]
    cube: bool,
    /// Gammons count only once the cube has been turned
    #[arg(long, requires = "cube", conflicts_with = "length")]
    jacoby: bool,
    /// A double may be redoubled at once
    #[arg(long, requires = "cube", conflicts_with = "length")]
    beavers: bool,
    /// No player doubles a cube of N [default: 64]
    #[arg(long, value_name = "N", requires = "cube", conflicts_with = "length", value_parser = largest_cube)]
    cube_cap: Option<u32>,
    /// How luck is valued: none, net, 0ply or 1ply, and a net file after a comma
    #[arg(long, value_name = "LUCK", default_value = "0ply")]
    luck: LuckSpec,
    /// Bound of the luck: points (4, or 24 with the cube), in matches percent (70)
    #[arg(long, value_name = "B", value_parser = bound)]
    luck_bound: Option<f64>,
    /// Key of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop when the anytime interval says who is stronger
    #[arg(long)]
    until_decided: bool,
    /// Keep every pair in this file; the same command goes on with it
    #[arg(long, value_name = "FILE", value_parser = file_beside_stdout())]
    out: Option<PathBuf>,
    /// Stop after N void pairs, not counting those in the file
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<u64>(1))]
    voids: u64,
    /// How long another program may take for an answer, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    answer_time: f64,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

/// Default cube cap.
const LARGEST_CUBE: u32 = 64;

fn largest_cube(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    number
        .filter(|n: &u32| n.is_power_of_two() && *n <= 4096)
        .ok_or_else(|| "expected a power of two up to 4096".to_owned())
}

fn bound(text: &str) -> Result<f64, String> {
    let number = text.parse().ok();
    number
        .filter(|b: &f64| *b > 0.0 && *b <= 1e4)
        .ok_or_else(|| "expected a number above 0".to_owned())
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if self.luck.kind == DuelLuck::None && self.luck_bound.is_some() {
            return Err(misuse(
                "--luck-bound bounds the luck: --luck none subtracts none",
            ));
        }
        let rules = self.rules();
        let engines = [self.a.engine()?, self.b.engine()?];
        let luck = self.luck.engine()?;
        let model = Model::default();
        let stop = signals::asked_to_end()?;
        let cancelled = || stop.load(Ordering::Relaxed);
        let sides = [&self.a, &self.b];
        let seat = SeatNeeds {
            model: &model,
            rules,
            timeout: Duration::from_secs_f64(self.answer_time),
            cancelled: &cancelled,
        };
        let contestants: Vec<Box<dyn Contestant + '_>> = (sides.iter().zip(&engines))
            .filter_map(|(side, engine)| side.contestant(engine.as_ref(), &seat))
            .collect();
        let duel = Duel {
            contestants: [&*contestants[0], &*contestants[1]],
            rules,
            luck: &luck,
            kind: self.luck.kind,
            model: &model,
            seed: self.seed,
        };
        let conditions = Conditions::new(sides, [&engines[0], &engines[1]], &duel, &self.luck);
        let mut kept = match &self.out {
            Some(path) => Some(Kept::open(path, &conditions, &rules)?),
            None => None,
        };
        let start = Instant::now();
        let mut tally = DuelTally::new(rules.most(), rules.luck_bound);
        let (ended, unsaved) = self.play(&duel, &stop, &mut tally, kept.as_mut());
        let seconds = start.elapsed().as_secs_f64();
        let document = DuelDocument::new(&conditions, &tally, ended, seconds);
        if self.games % 2 == 1 {
            let n = self.games + 1;
            say(&format!("each sequence of dice is played twice: {n} games"));
        }
        match (self.json, tally.pairs()) {
            (true, _) => output::json(&document)?,
            (false, 0) => {}
            (false, _) => output::text(&document.text())?,
        }
        if let Some(error) = unsaved {
            return Err(error);
        }
        completed(ended, &tally)
    }

    fn rules(&self) -> DuelRules {
        let length = self.length.unwrap_or(0);
        let luck_bound = match (length, self.cube) {
            (1.., _) => self.luck_bound.unwrap_or(70.0) / 100.0,
            (0, false) => self.luck_bound.unwrap_or(4.0),
            (0, true) => self.luck_bound.unwrap_or(24.0),
        };
        DuelRules {
            length,
            cube: self.cube,
            jacoby: self.jacoby,
            beavers: self.beavers,
            largest_cube: self.cube_cap.unwrap_or(LARGEST_CUBE),
            luck_bound: match self.luck.kind {
                DuelLuck::None => 0.0,
                _ => luck_bound,
            },
        }
    }

    /// Plays the missing pairs. Returns why it ended, and an error if a pair could not be stored.
    fn play(
        &self,
        duel: &Duel<'_>,
        stop: &Arc<AtomicBool>,
        tally: &mut DuelTally,
        mut kept: Option<&mut Kept>,
    ) -> (DuelEnd, Option<anyhow::Error>) {
        let pairs = self.games.div_ceil(2);
        let known = kept.as_mut().map(|kept| kept.take_records());
        let known = known.unwrap_or_default();
        // The user has seen the void pairs in the file already.
        let seen = known.values().filter(|record| record.fault.is_some());
        let most_voids = self.voids.saturating_add(seen.count() as u64);
        let enough = |tally: &DuelTally| {
            (self.until_decided && tally.is_decided()) || tally.voids() >= most_voids
        };
        let missing: Vec<u64> = (0..pairs)
            .filter(|pair| !known.contains_key(pair))
            .collect();
        let mut is_over = false;
        for (_, record) in known.into_iter().filter(|(pair, _)| *pair < pairs) {
            is_over = is_over || tally.take(record, &enough);
        }
        let mut failed = None;
        if !is_over && !missing.is_empty() {
            let unit = DuelUnit::of_money(duel.rules.is_money());
            let mut line = ProgressLine::new();
            let mut take = |record: PairRecord| {
                if let Some(kept) = &mut kept
                    && let Err(error) = kept.add(&record)
                {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
                is_over = tally.take(record, &enough);
                line.show_words(|| print::progress(tally, pairs, unit));
                match is_over {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            };
            let threads = self.threads.number().get();
            duel::run(duel, &missing, threads, stop, &mut take);
            line.clear();
        }
        let is_cut_short = failed.is_some() || stop.load(Ordering::Relaxed);
        let ended = match (is_over, tally.voids() >= most_voids) {
            (true, true) => DuelEnd::Voids,
            (true, false) => DuelEnd::Decided,
            (false, _) if is_cut_short => DuelEnd::Interrupted,
            (false, _) => DuelEnd::All,
        };
        (ended, failed)
    }
}

/// Fails if the duel did not end as requested.
fn completed(ended: DuelEnd, tally: &DuelTally) -> Result<()> {
    let why = tally.last_fault.as_ref();
    let why = why.map_or("", |(_, message)| message.as_str());
    match ended {
        DuelEnd::Voids => bail!("too many void pairs: {why}"),
        DuelEnd::Interrupted => bail!("interrupted"),
        _ if tally.pairs() == 0 => bail!("no pair was played to its end: {why}"),
        _ => Ok(()),
    }
}
