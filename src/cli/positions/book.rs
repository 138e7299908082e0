//! `luckless book`: the opening book, roll by roll.

use anyhow::Result;
use serde::Serialize;

use crate::analysis::opening_book::{BookLine, OpeningContext, lines};
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::game::Roll;
use crate::grid::Grid;
use crate::stats::interval::NORMAL_975;

const EXAMPLES: &str = "\
Examples:
  luckless book                     the first moves for money
  luckless book 31                  those of one roll
  luckless book 31 64               replies with 64 to 31 played best
  luckless book 31 all              the best reply to it with each roll
  luckless book --for gammon-go

Each play was rolled out by itself at 1-ply with the cube, until half its 95% interval was about 0.005 points; it is \
at most 0.0061. Replies are there for money without the Jacoby rule.";

/// The opening book: what first moves and replies are worth
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The first roll
    #[arg(value_name = "DICE")]
    first: Option<Roll>,
    /// The roll of the reply to it, or all: the best reply with each of the 21 rolls
    #[arg(value_name = "REPLY", value_parser = reply)]
    reply: Option<Reply>,
    /// What the game is played for
    #[arg(long = "for", value_name = "WHAT", value_enum, default_value = "money")]
    context: Context,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
}

/// Which replies are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reply {
    /// The replies with this roll.
    With(Roll),
    /// The best one of each roll.
    Best,
}

fn reply(text: &str) -> Result<Reply, String> {
    match text {
        "all" => Ok(Reply::Best),
        roll => roll
            .parse()
            .map(Reply::With)
            .map_err(|_| format!("'{roll}' is neither a roll, such as 64, nor all")),
    }
}

/// Stakes of a game, as the option names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Context {
    /// Money, without the Jacoby rule
    Money,
    /// Money under the Jacoby rule
    Jacoby,
    /// Double match point
    Dmp,
    /// The player on roll needs two points, the other one
    GammonGo,
    /// The other way round
    GammonSave,
}

impl From<Context> for OpeningContext {
    fn from(context: Context) -> Self {
        match context {
            Context::Money => Self::Money,
            Context::Jacoby => Self::MoneyJacoby,
            Context::Dmp => Self::DoubleMatchPoint,
            Context::GammonGo => Self::GammonGo,
            Context::GammonSave => Self::GammonSave,
        }
    }
}

#[derive(Serialize)]
struct BookDocument {
    /// Stakes of the game.
    context: &'static str,
    plays: Vec<PlayOfBook>,
}

#[derive(Serialize)]
struct PlayOfBook {
    /// The first roll and its play, where this is a reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    dice: String,
    play: String,
    /// With the cube, in points; at a score EMG.
    equity: f64,
    se: f64,
    trials: u64,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let context = self.context.into();
        if let Some(double) = self.first.filter(|roll| roll.is_double()) {
            return Err(misuse(format!("{double}: no game begins with a double")));
        }
        let all = lines().into_iter().filter(|line| line.context == context);
        let mut found: Vec<BookLine> = all.filter(|line| self.asks_for(line)).collect();
        if self.reply == Some(Reply::Best) {
            // Of each roll the best play comes first.
            found.dedup_by_key(|line| line.roll);
        }
        if found.is_empty() {
            return Err(misuse("replies are in the book for money alone"));
        }
        if self.json {
            return output::json(&BookDocument {
                context: context.name(),
                plays: found.iter().map(PlayOfBook::of).collect(),
            });
        }
        output::text(&format!("{}\n\n{}", context.name(), table(&found)))
    }

    fn asks_for(&self, line: &BookLine) -> bool {
        match (&line.before, self.reply) {
            (None, None) => self.first.is_none_or(|roll| roll == line.roll),
            (Some((before, _)), Some(reply)) => {
                let is_it = reply == Reply::Best || reply == Reply::With(line.roll);
                is_it && Some(*before) == self.first
            }
            _ => false,
        }
    }
}

impl PlayOfBook {
    fn of(line: &BookLine) -> Self {
        Self {
            after: line.before.as_ref().map(after),
            dice: line.roll.to_string(),
            play: line.play.clone(),
            equity: line.value.equity,
            se: line.value.se,
            trials: line.value.trials,
        }
    }
}

fn after((roll, play): &(Roll, String)) -> String {
    format!("{roll} {play}")
}

/// Lines of the book as a table; of each roll the best play comes first.
pub fn table<'a>(lines: impl IntoIterator<Item = &'a BookLine>) -> Grid {
    let mut table = Grid::new(&["after", "roll", "play", "equity", "±95%", "diff", "trials"])
        .with_words(&["play"]);
    let mut best = None;
    for line in lines {
        let after = line.before.as_ref().map_or_else(|| "–".to_owned(), after);
        let key = (after.clone(), line.roll);
        let lead = match &best {
            Some((same, lead)) if *same == key => *lead,
            _ => line.value.equity,
        };
        let difference = line.value.equity - lead;
        best = Some((key, lead));
        table.row(vec![
            after,
            line.roll.to_string(),
            line.play.clone(),
            format!("{:+.4}", line.value.equity),
            format!("{:.4}", NORMAL_975 * line.value.se),
            if difference < 0.0 {
                format!("{difference:+.4}")
            } else {
                String::new()
            },
            line.value.trials.to_string(),
        ]);
    }
    table
}
