//! `luckless rollout`: games played out from a position or from several plays.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::eval::situation;
use super::options::Id;
use super::output::{self, Table};
use super::rolling::{Described, Options, Strand};
use super::usage::misuse;
use crate::eval::lookahead;
use crate::eval::{Engine, MoveFilter};
use crate::game::{Play, Position, Roll};
use crate::notation::{parse_play, play_text};
use crate::rollout::Coupling;

const EXAMPLES: &str = "\
Examples:
  luckless rollout 4HPwATDgc/ABMA --dice 31
  luckless rollout 4HPwATDgc/ABMA --dice 43 --play '24/20 13/10' --play '13/10 13/9'
  luckless rollout 4HPwATDgc/ABMA --dice 64 --top 5 --trials 12960 --stop se=0.002
  luckless rollout IAAAPAAAAAAAAA --trials 1 --json
  luckless rollout 4HPwATDgc/ABMA --dice 51 --trials 1000000 --checkpoint long.rollout

Equities are cubeless, in points, for the player on roll. Beside the 95% interval for a number of
trials fixed in advance stands one that holds at any time, however often one looks and whenever one
stops. Interrupted (Ctrl-C), it prints what it has and ends with status 1.";

/// Without plays of one's own, so many of the best are rolled out.
const TOP: usize = 3;

/// Play games out from a position, with the luck taken out
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The position: an XGID, a GNUBG position ID, or POSITION:MATCH
    #[arg(value_name = "ID")]
    id: Id,
    /// The roll to be played [default: the one in the ID; with none, the position before the roll]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// A play to roll out; may be repeated
    #[arg(long, value_name = "PLAY")]
    play: Vec<String>,
    /// Roll out the K best plays, by static evaluation, beside those given [default: 3 if none is]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=512))]
    top: Option<u16>,
    #[command(flatten)]
    options: Options,
}

#[derive(Serialize)]
struct Document {
    position: String,
    dice: Option<String>,
    settings: Described,
    plays: Vec<Strand>,
    seconds: f64,
    cpu_seconds: f64,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let engine = self.options.engine()?;
        let position = self.id.state.position;
        if position.is_over() {
            return Err(misuse("the game is over: there is nothing to roll out"));
        }
        let roll = self.id.roll(self.dice);
        let settings = self.options.settings(Coupling::Dice);
        let (names, candidates) = match roll {
            Some(roll) => {
                let plays = self.plays(&engine, &position, roll)?;
                let names = plays
                    .iter()
                    .map(|p| Some(play_text(&position, p)))
                    .collect();
                (names, plays.iter().map(|p| p.apply(&position)).collect())
            }
            None if !self.play.is_empty() || self.top.is_some() => {
                return Err(misuse("plays need a roll: give --dice"));
            }
            // The strand then belongs to the player who is *not* on roll.
            None => (vec![None], vec![position]),
        };
        let outcome = self.options.run(engine, candidates, settings)?;
        let strand = |(name, s): (Option<String>, &_)| match roll {
            Some(_) => Strand::new(name, s),
            None => Strand::new(name, &s.turned()),
        };
        let mut plays: Vec<Strand> = names
            .into_iter()
            .zip(&outcome.result.strands)
            .map(strand)
            .collect();
        plays.sort_by(|a, b| b.equity().total_cmp(&a.equity()));
        if self.options.json {
            output::json(&Document {
                position: self.id.text.clone(),
                dice: roll.map(|r| r.to_string()),
                plays,
                seconds: outcome.result.seconds,
                cpu_seconds: outcome.result.cpu_seconds,
                settings: outcome.described.clone(),
            })?;
        } else {
            let mut table = Table::new(&Strand::HEADINGS);
            plays.iter().for_each(|p| table.row(p.cells()));
            let mut text = format!("{}  ", self.id.text);
            if let Some(roll) = roll {
                let _ = write!(text, "to play {roll}  ");
            }
            let _ = writeln!(text, "{}", situation(&self.id.state));
            let _ = writeln!(text, "{}\n\n{table}", outcome.summary());
            output::text(text.trim_end_matches('\n'))?;
            output::text("\n")?;
        }
        outcome.completed()
    }

    /// The plays asked for: those given, then the best others.
    fn plays(&self, engine: &Engine, position: &Position, roll: Roll) -> Result<Vec<Play>> {
        let mut plays: Vec<Play> = Vec::new();
        let mut add = |play: Play| {
            if plays
                .iter()
                .all(|p| p.apply(position) != play.apply(position))
            {
                plays.push(play);
            }
        };
        for text in &self.play {
            let play = parse_play(text, position, roll);
            add(play.map_err(|e| misuse(format!("'{text}': {e}")))?);
        }
        let top = match self.top {
            Some(top) => usize::from(top),
            None if self.play.is_empty() => TOP,
            None => 0,
        };
        if top > 0 {
            let filter = MoveFilter::default();
            let best = lookahead::candidates(engine, position, roll, 0, filter, &|| false);
            best.unwrap_or_default()
                .iter()
                .take(top)
                .for_each(|c| add(c.play));
        }
        Ok(plays)
    }
}
