//! `luckless rollout`: games played out from a position or from several plays.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::cube_decision::{CubeDecision, STRANDS};
use super::eval::situation as rules;
use super::options::Id;
use super::output::{self, Table};
use super::rolling::{Described, Options, Situation};
use super::rolling_run::{Outcome, Task};
use super::strand::Strand;
use super::usage::misuse;
use crate::eval::lookahead;
use crate::eval::{Evaluator, MoveFilter};
use crate::game::{Play, Position, Roll};
use crate::notation::{parse_play, play_text};
use crate::rollout::{Coupling, StopReason};
use crate::store::Shown;

const EXAMPLES: &str = "\
Examples:
  luckless rollout 4HPwATDgc/ABMA --dice 31
  luckless rollout 4HPwATDgc/ABMA --dice 43 --play '24/20 13/10' --play '13/10 13/9'
  luckless rollout 4HPwATDgc/ABMA --dice 64 --top 5 --trials 12960 --stop se=0.002
  luckless rollout IAAAPAAAAAAAAA --trials 1 --json
  luckless rollout XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10 --cube-decision
  luckless rollout 4HPwATDgc/ABMA --dice 51 --trials 1000000 --checkpoint long.rollout

Equities are cubeless, in points, for the player on roll; with --cubeful they are played with the
cube, in points on the present one (normalised at a score). Beside the 95% interval for a number of
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
    id: Option<Id>,
    /// The roll to be played [default: the one in the ID; with none, the position before the roll]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// A play to roll out; may be repeated
    #[arg(long, value_name = "PLAY")]
    play: Vec<String>,
    /// Roll out the K best plays, by static evaluation, beside those given [default: 3 if none is]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=512))]
    top: Option<u16>,
    /// The position is an initial one: the first roll is never a double
    #[arg(long)]
    initial: bool,
    /// With --batch: the file for the answers, gone on with if it is there [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<std::path::PathBuf>,
    /// Roll out the cube decision of the player on roll: no double, and double and take
    #[arg(long, conflicts_with_all = ["dice", "play", "top", "initial", "cubeless"])]
    cube_decision: bool,
    #[command(flatten)]
    tasks: Tasks,
    #[command(flatten)]
    options: Options,
}

/// What else can be done than rolling one position out.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
struct Tasks {
    /// Show this trial, roll by roll, instead of rolling out
    #[arg(long, value_name = "TRIAL")]
    replay: Option<u64>,
    /// Play the trials yourself: the side whose equity is wanted (own), the other one, or both
    #[arg(long, value_name = "SIDE", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "own")]
    interactive: Option<super::by_hand::Side>,
    /// Roll out the positions in this file (JSON lines; - for stdin), a line of JSON for each
    #[arg(long, value_name = "JOBS")]
    batch: Option<std::path::PathBuf>,
}

#[derive(Serialize)]
struct Document {
    position: String,
    dice: Option<String>,
    settings: Described,
    plays: Vec<Strand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cube_decision: Option<CubeDecision>,
    stopped: Option<StopReason>,
    seconds: f64,
    cpu_seconds: f64,
}

/// What is rolled out: plays with their names, or a position.
pub(super) struct Chosen {
    pub(super) situation: Situation,
    pub(super) candidates: Vec<Position>,
    pub(super) shown: Shown,
}

/// What a user asks to roll out.
pub(super) struct Wanted<'a> {
    pub(super) id: &'a Id,
    pub(super) dice: Option<Roll>,
    pub(super) plays: &'a [String],
    pub(super) top: Option<u16>,
    pub(super) initial: bool,
    pub(super) cube_decision: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if let Some(jobs) = &self.tasks.batch {
            if self.id.is_some() || !self.play.is_empty() || self.initial || self.cube_decision {
                return Err(misuse("what is to be rolled out is in the file of jobs"));
            }
            return super::batch::run(&self.options, jobs, self.out.as_deref());
        }
        if self.out.is_some() {
            return Err(misuse("--out goes with --batch"));
        }
        let Some(id) = &self.id else {
            return Err(misuse("give a position, or --batch"));
        };
        let wanted = Wanted {
            id,
            dice: self.dice,
            plays: &self.play,
            top: self.top,
            initial: self.initial,
            cube_decision: self.cube_decision,
        };
        let judge = self.options.engine()?;
        let Chosen {
            situation,
            candidates,
            shown,
        } = wanted.choose(&judge)?;
        let setup = self.options.setup(situation)?;
        let settings = self.options.settings(&setup, situation);
        if let Some(trial) = self.tasks.replay {
            let json = self.options.json;
            return super::replay::run(&setup, &settings, &candidates, &shown, trial, json);
        }
        if let Some(side) = self.tasks.interactive {
            return super::by_hand::run(&self.options, side, setup, settings, &candidates, &shown);
        }
        let outcome = self.options.run(Task {
            setup,
            settings,
            candidates,
            shown: shown.clone(),
        })?;
        print(&outcome, &shown, self.options.json, &rules(&id.state))?;
        outcome.completed()
    }
}

/// The strands as printed, best first.
fn strands(outcome: &Outcome, shown: &Shown) -> Vec<Strand> {
    let before_roll = shown.dice.is_none();
    let chances = outcome.result.match_chances;
    let strand = |(name, s): (&Option<String>, &crate::rollout::StrandResult)| {
        if before_roll {
            let turned = chances.map(|[zero, point]| [1.0 - zero, point]);
            Strand::new(name.clone(), &s.turned()).at_score(turned)
        } else {
            Strand::new(name.clone(), s).at_score(chances)
        }
    };
    let mut plays: Vec<Strand> = shown
        .plays
        .iter()
        .zip(&outcome.result.strands)
        .map(strand)
        .collect();
    if outcome.described.settings.cube.is_some_and(|c| c.decision) {
        return plays;
    }
    plays.sort_by(|a, b| b.equity().total_cmp(&a.equity()));
    plays
}

/// The document of a rollout.
pub(super) fn document(outcome: &Outcome, shown: &Shown) -> impl Serialize + use<> {
    Document {
        position: shown.position.clone(),
        dice: shown.dice.clone(),
        plays: strands(outcome, shown),
        cube_decision: CubeDecision::new(outcome),
        stopped: outcome.stopped(),
        seconds: outcome.result.seconds,
        cpu_seconds: outcome.result.cpu_seconds,
        settings: outcome.described.clone(),
    }
}

/// Prints a rollout.
pub(super) fn print(outcome: &Outcome, shown: &Shown, json: bool, rules: &str) -> Result<()> {
    if json {
        return output::json(&document(outcome, shown));
    }
    let decision = CubeDecision::new(outcome);
    // Which strand of a cube decision is best says nothing: there is the pass as well.
    let columns = Strand::HEADINGS.len() - usize::from(decision.is_some());
    let mut table = Table::new(&Strand::HEADINGS[..columns]);
    let mut remarks = String::new();
    for play in strands(outcome, shown) {
        let mut cells = play.cells();
        cells.truncate(columns);
        table.row(cells);
        remarks.extend(play.remark());
    }
    let mut text = format!("{}  ", shown.position);
    if let Some(roll) = &shown.dice {
        let _ = write!(text, "to play {roll}  ");
    }
    let _ = writeln!(text, "{rules}");
    let _ = writeln!(text, "{}\n\n{table}{remarks}", outcome.summary());
    if let Some(decision) = decision {
        text += &decision.text(outcome);
    }
    output::text(text.trim_end_matches('\n'))?;
    output::text("\n")
}

impl Wanted<'_> {
    /// The positions to roll out.
    pub(super) fn choose(&self, judge: &dyn Evaluator) -> Result<Chosen> {
        let position = self.id.state.position;
        if position.is_over() {
            return Err(misuse("the game is over: there is nothing to roll out"));
        }
        let roll = self.id.roll(self.dice);
        if self.cube_decision {
            return self.cube_decision(roll);
        }
        let (plays, candidates) = match roll {
            Some(_) if self.initial => {
                return Err(misuse(
                    "an initial position is one before the roll: leave out --dice",
                ));
            }
            Some(roll) => {
                let plays = self.plays(judge, &position, roll)?;
                let names = plays
                    .iter()
                    .map(|p| Some(play_text(&position, p)))
                    .collect();
                (names, plays.iter().map(|p| p.apply(&position)).collect())
            }
            None if !self.plays.is_empty() || self.top.is_some() => {
                return Err(misuse("plays need a roll: give --dice"));
            }
            // The strand then belongs to the player who is *not* on roll.
            None => (vec![None], vec![position]),
        };
        Ok(Chosen {
            situation: Situation {
                coupling: Coupling::Dice,
                initial: self.initial,
                before_roll: roll.is_none(),
                cube_decision: false,
                state: self.id.state,
            },
            candidates,
            shown: Shown {
                command: "rollout".to_owned(),
                position: self.id.text.clone(),
                dice: roll.map(|r| r.to_string()),
                plays,
            },
        })
    }

    /// The two strands of a cube decision.
    fn cube_decision(&self, roll: Option<Roll>) -> Result<Chosen> {
        // A double that waits for its answer is rolled out from the doubler's side.
        let state = self.id.state.roller();
        if roll.is_some() {
            return Err(misuse(
                "the cube is decided before the roll: give a position without dice",
            ));
        }
        if !state.may_double() {
            return Err(misuse(
                "there is no cube decision: the player on roll may not double",
            ));
        }
        Ok(Chosen {
            situation: Situation {
                coupling: Coupling::Dice,
                initial: false,
                before_roll: true,
                cube_decision: true,
                state,
            },
            candidates: vec![state.position; 2],
            shown: Shown {
                command: "rollout".to_owned(),
                position: self.id.text.clone(),
                dice: None,
                plays: STRANDS.map(|name| Some(name.to_owned())).to_vec(),
            },
        })
    }

    /// The plays asked for: those given, then the best others.
    fn plays(&self, judge: &dyn Evaluator, position: &Position, roll: Roll) -> Result<Vec<Play>> {
        let mut plays: Vec<Play> = Vec::new();
        let mut add = |play: Play| {
            if plays
                .iter()
                .all(|p| p.apply(position) != play.apply(position))
            {
                plays.push(play);
            }
        };
        for text in self.plays {
            let play = parse_play(text, position, roll);
            add(play.map_err(|e| misuse(format!("'{text}': {e}")))?);
        }
        let top = match self.top {
            Some(top) => usize::from(top),
            None if self.plays.is_empty() => TOP,
            None => 0,
        };
        if top > 0 {
            let filter = MoveFilter::default();
            let best = lookahead::candidates(judge, position, roll, 0, filter, &|| false);
            best.unwrap_or_default()
                .iter()
                .take(top)
                .for_each(|c| add(c.play));
        }
        Ok(plays)
    }
}
