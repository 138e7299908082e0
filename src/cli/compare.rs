//! `luckless compare`: the difference between two plays.

use std::fmt::Write as _;

use anyhow::Result;
use clap::ValueEnum;
use serde::Serialize;

use super::eval::situation as rules;
use super::options::Id;
use super::output::{self, Table};
use super::rolling::{Described, Options, Situation};
use super::rolling_run::{Outcome, Task};
use super::strand::{Difference, Strand, error, estimate};
use super::usage::misuse;
use crate::game::Roll;
use crate::notation::{parse_play, play_text};
use crate::rollout::{Coupling, StopReason};
use crate::store::Shown;

const EXAMPLES: &str = "\
Examples:
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9'
  luckless compare 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' --coupling dice --json

Both plays are rolled out side by side. With --coupling rank trial i of both gets rolls that are
equally lucky; with dice the same rolls; with none rolls of its own. A coupling that makes the two
results hang together makes their difference certain sooner: ranks do without variance reduction;
with it the luck is gone already, and the same dice help where the two games can meet again.";

/// How the dice of the two plays hang together.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Coupled {
    /// Rolls of equal rank of luck
    Rank,
    /// The same rolls
    Dice,
    /// Rolls of its own for each
    None,
    /// Rank with --no-vr, dice otherwise: what is best as a rule (docs/rollouts.md)
    Auto,
}

/// Roll out two plays side by side: which is better, and by how much
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The position: an XGID, a GNUBG position ID, or POSITION:MATCH
    #[arg(value_name = "ID")]
    id: Id,
    /// The roll to be played [default: the one in the ID]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// The first play
    #[arg(value_name = "PLAY")]
    a: String,
    /// The second play
    #[arg(value_name = "PLAY")]
    b: String,
    /// How the dice of the two hang together
    #[arg(long, value_enum, default_value = "auto")]
    coupling: Coupled,
    #[command(flatten)]
    options: Options,
}

#[derive(Serialize)]
struct Document {
    position: String,
    dice: String,
    a: Strand,
    b: Strand,
    difference: Difference,
    coupling: Coupling,
    settings: Described,
    stopped: Option<StopReason>,
    seconds: f64,
    cpu_seconds: f64,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let position = self.id.state.position;
        let Some(roll) = self.id.roll(self.dice) else {
            return Err(misuse("plays need a roll: give --dice"));
        };
        if position.is_over() {
            return Err(misuse("the game is over: there is nothing to compare"));
        }
        let mut plays = Vec::new();
        for text in [&self.a, &self.b] {
            let play = parse_play(text, &position, roll);
            plays.push(play.map_err(|e| misuse(format!("'{text}': {e}")))?);
        }
        let candidates: Vec<_> = plays.iter().map(|p| p.apply(&position)).collect();
        if candidates[0] == candidates[1] {
            return Err(misuse("the two plays lead to the same position"));
        }
        let coupling = match (self.coupling, self.options.subtracts_luck()) {
            (Coupled::Rank, _) | (Coupled::Auto, false) => Coupling::Rank,
            (Coupled::Dice, _) | (Coupled::Auto, true) => Coupling::Dice,
            (Coupled::None, _) => Coupling::None,
        };
        let situation = Situation {
            coupling,
            initial: false,
            before_roll: false,
            cube_decision: false,
            state: self.id.state,
        };
        let setup = self.options.setup(situation)?;
        let settings = self.options.settings(&setup, situation);
        let names = plays.iter().map(|p| Some(play_text(&position, p)));
        let shown = Shown {
            command: "compare".to_owned(),
            position: self.id.text.clone(),
            dice: Some(roll.to_string()),
            plays: names.collect(),
        };
        let outcome = self.options.run(Task {
            setup,
            settings,
            candidates,
            shown: shown.clone(),
        })?;
        print(
            &outcome,
            &shown,
            self.options.json,
            &format!("  {}", rules(&self.id.state)),
        )?;
        outcome.completed()
    }
}

/// Prints the comparison of the two strands of `outcome`.
pub(super) fn print(outcome: &Outcome, shown: &Shown, json: bool, rules: &str) -> Result<()> {
    let (Some(difference), [a, b]) = (outcome.result.difference, &outcome.result.strands[..])
    else {
        anyhow::bail!("the rollout ended before there was anything to compare");
    };
    let name = |i: usize| shown.plays.get(i).cloned().flatten();
    let chances = outcome.result.match_chances;
    let (a, b) = (
        Strand::new(name(0), a).at_score(chances),
        Strand::new(name(1), b).at_score(chances),
    );
    let dice = shown.dice.clone().unwrap_or_default();
    if json {
        return output::json(&Document {
            position: shown.position.clone(),
            dice,
            a,
            b,
            difference: Difference::new(&difference),
            coupling: outcome.described.settings.coupling,
            settings: outcome.described.clone(),
            stopped: outcome.stopped(),
            seconds: outcome.result.seconds,
            cpu_seconds: outcome.result.cpu_seconds,
        });
    }
    let mut table = Table::new(&Strand::HEADINGS);
    table.row(a.cells());
    table.row(b.cells());
    let mut text = format!("{}  to play {dice}{rules}\n", shown.position);
    let _ = writeln!(text, "{}\n\n{table}", outcome.summary());
    let _ = writeln!(text, "difference   {}", estimate(&difference.equity));
    let _ = writeln!(
        text,
        "correlation {:.3}, standard error {}, worth {:.0} plain trials of each play",
        difference.correlation,
        error(difference.equity.se),
        difference.equivalent_trials,
    );
    output::text(&text)
}
