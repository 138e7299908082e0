//! `luckless eval`: chances, equity, candidate plays, cube action.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::eval_batch;
use super::options::{Id, Nets, Threads, plies};
use super::output::{self, Table, percent, perhaps_points, points};
use super::usage::misuse;
use crate::cube::{self, Decision};
use crate::eval::lookahead::{self, Candidate};
use crate::eval::{Evaluator, MoveFilter, Probabilities};
use crate::game::{CubeOwner, GameState, Roll};
use crate::notation::{play_text, position_id};

const EXAMPLES: &str = "\
Examples:
  luckless eval 4HPwATDgc/ABMA --dice 31
  luckless eval 4HPwATDgc/ABMA --dice 43 --ply 2 --top 5
  luckless eval 'XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10' --json
  printf '4HPwATDgc/ABMA 31\\n' | luckless eval --batch

With --batch each line `POSITION-ID [DICE]` on stdin is answered by one line of JSON on stdout, in
the same order, as soon as no more input waits. A line that cannot be answered gets
{\"position\":…,\"error\":…} and does not change the exit status.";

/// Chances, equity, candidate plays and cube action of a position
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The position: an XGID, a GNUBG position ID, or POSITION:MATCH
    #[arg(
        value_name = "ID",
        allow_hyphen_values = true,
        required_unless_present = "batch"
    )]
    id: Option<Id>,
    /// The roll to be played, such as 31 [default: the one in the ID, if any]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// Plies of lookahead; 0 is the static evaluation
    #[arg(long, value_name = "N", default_value = "0", value_parser = plies())]
    ply: u8,
    /// Show only the best K plays
    #[arg(long, value_name = "K")]
    top: Option<usize>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    /// Answer lines `POSITION-ID [DICE]` from stdin, a line of JSON each
    #[arg(long, conflicts_with_all = ["id", "dice"])]
    batch: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

/// What is asked of each position.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) ply: u8,
    pub(super) top: Option<usize>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let engine = self.nets.engine()?;
        let question = Question {
            ply: self.ply,
            top: self.top,
        };
        let Some(id) = self.id else {
            return eval_batch::run(&engine, question, self.threads.number());
        };
        let answer = question.answer(&engine, &id, self.dice).map_err(misuse)?;
        if self.json {
            output::json(&answer)
        } else {
            output::text(&answer.to_text(&id.state))
        }
    }
}

/// The answer of the machine output.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Answer {
    Plays(Plays),
    Position(PositionValue),
}

/// With dice: the plays, best first.
#[derive(Serialize)]
pub(super) struct Plays {
    position: String,
    dice: String,
    ply: u8,
    plays: Vec<PlayValue>,
}

#[derive(Serialize)]
struct PlayValue {
    play: String,
    result: String,
    equity: f32,
    #[serde(flatten)]
    chances: Probabilities,
    /// Plies behind these figures: less than asked for where a play was out of the running.
    ply: u8,
}

/// Without dice: the position, and the cube.
#[derive(Serialize)]
pub(super) struct PositionValue {
    position: String,
    ply: u8,
    equity: f32,
    #[serde(flatten)]
    chances: Probabilities,
    cube: Option<Decision>,
    /// When a double has been offered: what to say to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
}

impl Question {
    /// The answer for one position, or why there is none.
    pub(super) fn answer(
        self,
        evaluator: &dyn Evaluator,
        id: &Id,
        dice: Option<Roll>,
    ) -> Result<Answer, String> {
        match id.roll(dice) {
            Some(roll) => self.plays(evaluator, id, roll).map(Answer::Plays),
            None => Ok(Answer::Position(self.position(evaluator, id))),
        }
    }

    fn plays(self, evaluator: &dyn Evaluator, id: &Id, roll: Roll) -> Result<Plays, String> {
        let position = id.state.position;
        if position.is_over() {
            return Err("the game is over: there is no roll to play".to_owned());
        }
        if id.state.doubled {
            return Err("a double must be answered before the roll".to_owned());
        }
        let filter = MoveFilter::default();
        let all = lookahead::candidates(evaluator, &position, roll, self.ply, filter, &|| false)
            .unwrap_or_default();
        let value = |c: &Candidate| PlayValue {
            play: play_text(&position, &c.play),
            result: position_id(&c.result),
            equity: c.equity,
            chances: c.probabilities,
            ply: c.ply,
        };
        Ok(Plays {
            position: id.text.clone(),
            dice: roll.to_string(),
            ply: self.ply,
            plays: all
                .iter()
                .take(self.top.unwrap_or(usize::MAX))
                .map(value)
                .collect(),
        })
    }

    fn position(self, evaluator: &dyn Evaluator, id: &Id) -> PositionValue {
        // Whoever has been doubled is asked, but the doubler rolls next.
        let doubled = id.state.doubled;
        let roller = id.state.roller();
        let chances = lookahead::evaluate(evaluator, &roller.position, self.ply, &|| false)
            .unwrap_or_default();
        let over = roller.position.is_over();
        let cube = if over {
            None
        } else {
            cube::decision(&roller, &chances)
        };
        let seen = if doubled { chances.turned() } else { chances };
        PositionValue {
            position: id.text.clone(),
            ply: self.ply,
            equity: seen.equity(),
            chances: seen,
            cube,
            answer: cube.filter(|_| doubled).and_then(|c| reply(&c, &roller)),
        }
    }
}

fn reply(decision: &Decision, state: &GameState) -> Option<&'static str> {
    let take = decision.double_take?;
    Some(if take >= 1.0 {
        "pass"
    } else if take < 0.0 && state.rules.beavers {
        "beaver"
    } else {
        "take"
    })
}

impl Answer {
    fn to_text(&self, state: &GameState) -> String {
        match self {
            Self::Plays(plays) => plays.to_text(),
            Self::Position(value) => value.to_text(state),
        }
    }
}

const CHANCES: [&str; 5] = ["win", "gammon", "bg", "lose g", "lose bg"];

impl Plays {
    fn to_text(&self) -> String {
        let mut table = Table::new(&[&["play", "equity"][..], &CHANCES, &["ply"]].concat());
        for p in &self.plays {
            let mut row = vec![p.play.clone(), points(p.equity)];
            row.extend(p.chances.to_array().map(percent));
            row.push(p.ply.to_string());
            table.row(row);
        }
        format!("{}  to play {}\n\n{table}", self.position, self.dice)
    }
}

impl PositionValue {
    fn to_text(&self, state: &GameState) -> String {
        let mut table = Table::new(&[&["", "equity"][..], &CHANCES].concat());
        let mut row = vec![format!("{}-ply", self.ply), points(self.equity)];
        row.extend(self.chances.to_array().map(percent));
        table.row(row);
        let mut text = format!("{}  {}\n\n{table}", self.position, situation(state));
        if let Some(cube) = &self.cube {
            let _ = write!(
                text,
                "\ncubeful {}   no double {}   double/take {}   double/pass {}\n",
                points(cube.cubeful_equity),
                points(cube.no_double),
                perhaps_points(cube.double_take),
                perhaps_points(cube.double_pass),
            );
            let _ = match self.answer {
                Some(answer) => writeln!(text, "the double: {answer}"),
                None => writeln!(text, "cube action: {}", cube.action.name()),
            };
        }
        text
    }
}

/// Score and cube in words.
pub(super) fn situation(state: &GameState) -> String {
    let score = match state.score.away() {
        None => "money".to_owned(),
        Some((mine, theirs)) => format!(
            "{}-point match, {mine}-away {theirs}-away{}",
            state.score.length,
            if state.score.crawford {
                ", Crawford"
            } else {
                ""
            }
        ),
    };
    let owner = match state.owner {
        CubeOwner::Centred => "centred",
        CubeOwner::Mover => "of the player on roll",
        CubeOwner::Opponent => "of the other player",
    };
    format!("{score}, cube {} {owner}", state.cube)
}
