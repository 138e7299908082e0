//! `luckless duel`: engine against engine.

use std::path::Path;
use std::str::FromStr;
use std::time::Instant;

use anyhow::{Context as _, Result};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::options::Threads;
use super::output::{self};
use crate::duel::{self, DuelPlayer};
use crate::eval::Engine;
use crate::eval::net::Net;
use crate::grid::Grid;
use crate::stats::Moments;

const EXAMPLES: &str = "\
Examples:
  luckless duel --a 1ply --b 0ply --games 2000
  luckless duel --a 0ply,new.net --b 0ply,old.net --games 20000

A player is a number of plies and, if it is not the net in the program, a net file. Every sequence \
of dice is played twice, with the seats exchanged; the error is that of the means of such pairs.";

/// Let two engines play money games without a cube, variance-reduced
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The first player
    #[arg(long, value_name = "PLAYER", default_value = "1ply")]
    a: Spec,
    /// The second player
    #[arg(long, value_name = "PLAYER", default_value = "0ply")]
    b: Spec,
    /// Games, two for each sequence of dice
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(2..=100_000_000))]
    games: u64,
    /// Key of the dice
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
}

/// `1ply` or `1ply,FILE`.
#[derive(Clone, Debug, PartialEq)]
struct Spec {
    ply: u8,
    net: Option<String>,
}

impl FromStr for Spec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (ply, net) = match text.split_once(',') {
            Some((ply, net)) => (ply, Some(net.to_owned())),
            None => (text, None),
        };
        match ply.strip_suffix("ply").unwrap_or(ply).parse() {
            Ok(ply) if ply <= 3 => Ok(Self { ply, net }),
            _ => Err("expected 0ply to 3ply, and a net file after a comma if wanted".into()),
        }
    }
}

impl Spec {
    fn engine(&self) -> Result<Engine> {
        Ok(match &self.net {
            None => Engine::embedded(),
            Some(path) => Engine::with_net(Net::load(Path::new(path))?),
        })
    }
}

#[derive(Serialize)]
struct DuelDocument {
    a: String,
    b: String,
    games: u64,
    seed: u64,
    points_per_game: Figure,
    plain: Figure,
    seconds: f64,
}

#[derive(Serialize)]
struct Figure {
    mean: f64,
    se: f64,
}

impl From<&Moments> for Figure {
    fn from(m: &Moments) -> Self {
        Self {
            mean: m.mean(),
            se: m.standard_error(),
        }
    }
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let engines = [self.a.engine()?, self.b.engine()?];
        let players = [(&engines[0], self.a.ply), (&engines[1], self.b.ply)]
            .map(|(evaluator, ply)| DuelPlayer { evaluator, ply });
        let luck = Engine::embedded();
        let pool = ThreadPoolBuilder::new()
            .num_threads(self.threads.number().get())
            .build()
            .context("cannot start the threads")?;
        let start = Instant::now();
        let pairs = self.games.div_ceil(2);
        let tally = pool.install(|| duel::play(players, &luck, 0..pairs, self.seed));
        let name = |spec: &Spec| match &spec.net {
            None => format!("{}ply", spec.ply),
            Some(net) => format!("{}ply,{net}", spec.ply),
        };
        let document = DuelDocument {
            a: name(&self.a),
            b: name(&self.b),
            games: 2 * pairs,
            seed: self.seed,
            points_per_game: (&tally.variance_reduced).into(),
            plain: (&tally.plain).into(),
            seconds: start.elapsed().as_secs_f64(),
        };
        if self.json {
            return output::json(&document);
        }
        let mut table = Grid::new(&["points a game for the first", "mean", "se"]);
        for (name, figure) in [
            ("variance-reduced", &document.points_per_game),
            ("as played", &document.plain),
        ] {
            table.row(vec![
                name.to_owned(),
                format!("{:+.4}", figure.mean),
                format!("{:.4}", figure.se),
            ]);
        }
        output::text(&format!(
            "{} against {}: {} games\n{table}",
            output::printable(&document.a),
            output::printable(&document.b),
            document.games
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        assert_eq!("1ply".parse(), Ok(Spec { ply: 1, net: None }));
        let net = Some("a.net".to_owned());
        assert_eq!("0,a.net".parse(), Ok(Spec { ply: 0, net }));
        assert!("9ply".parse::<Spec>().is_err());
    }
}
