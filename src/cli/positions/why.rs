//! `luckless why`: two plays side by side, chance by chance and roll by roll.

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::why_cube::{self, NamedRolls};
use crate::analysis::{
    BoardFacts, ComparisonSetup, CubeFacts, EquitySplit, PlayComparison, PlayRolls, RollCell,
    RollRank,
};
use crate::cli::common::options::{CubeModel, Id, Nets, Threads};
use crate::cli::common::output::{self, Cubeful};
use crate::cli::common::usage::misuse;
use crate::cube::{CubeChoice, Model};
use crate::eval::{Evaluator, Probabilities};
use crate::game::{GameState, Play, Position, Roll};
use crate::match_file::variations::is_start;
use crate::notation::{parse_play, position_id, xgid_text};
use crate::review::report::decision_text::{ComparisonText, CubeText, reply};

const EXAMPLES: &str = "\
Examples:
  luckless why 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9'
  luckless why 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' --ply 2
  luckless why 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' --json
  luckless why 'XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10'

For each play the opponent's 21 next rolls are played as the static evaluation ranks best, and valued \
at --ply plies. The equity of the play is their mean: one ply more. `luckless compare` rolls the plays \
out instead. Without a roll and plays: the take point, the doubling window, market losers, and what \
owning the cube is worth.";

/// Why a play is better than another, or all about a cube decision
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: Id,
    /// The roll to be played [default: the one in the ID]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// The two plays; leave out both and the roll for the cube decision
    #[arg(value_name = "PLAY", num_args = 0..=2)]
    plays: Vec<String>,
    /// Plies of lookahead after each roll; the plays have one more [default: 1, of a cube decision 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    ply: Option<u8>,
    /// Compare with the cube and the score: the default
    #[arg(long, conflicts_with = "cubeless")]
    cubeful: bool,
    /// Compare without the cube in money play; at a score both always count
    #[arg(long)]
    cubeless: bool,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

impl Args {
    pub(crate) fn run(self) -> Result<()> {
        let state = self.id.state;
        if state.position.is_over() {
            return Err(misuse("the game is over: there is nothing to compare"));
        }
        let state = self.cube.by_rule(state)?;
        let Some(roll) = self.id.roll(self.dice) else {
            return match self.plays.is_empty() {
                true => self.cube(&state),
                false => Err(misuse("plays need a roll: give --dice")),
            };
        };
        self.id
            .no_double_on_offer("it is answered before the roll")?;
        let plays = plays(&self.plays, &state.position, roll)?;
        let (engine, model) = (self.nets.engine()?, self.cube.load()?);
        let setup = ComparisonSetup {
            evaluator: &engine,
            model: &model,
            state,
            cubeful: !self.cubeless,
            ply: self.ply.unwrap_or(1),
        };
        let pool = self.threads.pool()?;
        let compared = pool.install(|| PlayComparison::new(&setup, plays, &|| false));
        let compared = compared.context("the comparison was given up")?;
        let before = state.before_roll();
        let document = ComparisonText {
            position: &self.id.text,
            roll,
            state,
            compared: &compared,
            luck: RollRank::new(&engine, &model, &before, roll, false),
        };
        if self.json {
            output::json(&to_json(&document))
        } else {
            let table = self.cube.table_words(&model, &state).unwrap_or_default();
            output::text(&output::with_head(&document.write(), &table))
        }
    }

    /// All about the cube decision.
    fn cube(&self, state: &GameState) -> Result<()> {
        if self.cubeless {
            return Err(misuse(
                "--cubeless compares plays; without dice it is the cube decision",
            ));
        }
        let (engine, model) = (self.nets.engine()?, self.cube.load()?);
        let facts = CubeFacts::new(&engine, &model, state, self.ply.unwrap_or(2), &|| false);
        let facts = facts.context("the decision was given up")?;
        let document = CubeText {
            position: &self.id.text,
            state,
            facts: &facts,
        };
        if self.json {
            output::json(&why_cube::to_json(&document))
        } else {
            let table = self.cube.table_words(&model, state).unwrap_or_default();
            output::text(&output::with_head(&document.write(), &table))
        }
    }
}

/// Why the first play of a decision is better than the second, or not, in words; `None` where they lead to the same
/// position. `is_of_match`: whether it was made in a match, and is no position alone.
pub(crate) fn of_plays(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
    plays: [Play; 2],
    is_of_match: bool,
) -> Option<String> {
    let before = state.before_roll();
    let roll = state.roll?;
    let setup = ComparisonSetup {
        evaluator,
        model,
        state: before,
        cubeful: true,
        ply: 1,
    };
    let compared = PlayComparison::new(&setup, plays, &|| false)?;
    // A recorded game has this position before its first roll alone.
    let is_first_roll = is_of_match && is_start(&state.position);
    let document = ComparisonText {
        position: &xgid_text(state),
        roll,
        state: *state,
        compared: &compared,
        luck: RollRank::new(evaluator, model, &before, roll, is_first_roll),
    };
    Some(document.write())
}

/// The plays as they are written; no two the same.
fn plays(texts: &[String], position: &Position, roll: Roll) -> Result<[Play; 2]> {
    let read = |text: &String| {
        parse_play(text, position, roll).map_err(|e| misuse(format!("'{text}': {e}")))
    };
    let [a, b] = texts else {
        return Err(misuse(
            "two plays are compared: name both, such as '24/20 13/10' '24/20 13/9'",
        ));
    };
    let plays = [read(a)?, read(b)?];
    if plays[0].apply(position) == plays[1].apply(position) {
        return Err(misuse("the two plays lead to the same position"));
    }
    Ok(plays)
}

#[derive(Serialize)]
struct WhyJson<'a> {
    position: &'a str,
    dice: String,
    /// Plies behind the value after each reply.
    ply: u8,
    #[serde(flatten)]
    cubeful: Cubeful,
    a: PlayJson,
    b: PlayJson,
    difference: f64,
    split: EquitySplit,
    better: NamedRolls,
    worse: NamedRolls,
    luck: Option<RollRank>,
    rolls: Vec<RollJson>,
}

#[derive(Serialize)]
struct PlayJson {
    play: String,
    result: String,
    equity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mwc: Option<f32>,
    #[serde(flatten)]
    chances: Probabilities,
    /// Plies behind these figures.
    ply: u8,
    board: BoardJson,
    /// The opponent's cube action before the next roll, with the cube.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<&'static str>,
}

/// Board after a play.
#[derive(Serialize)]
struct BoardJson {
    hit_by: NamedRolls,
    blots: u32,
    home_points: Vec<usize>,
    anchors: Vec<usize>,
    pips: u32,
    opponent_pips: u32,
}

#[derive(Serialize)]
struct RollJson {
    dice: String,
    weight: u32,
    a: CellJson,
    b: CellJson,
    difference: f64,
}

#[derive(Serialize)]
struct CellJson {
    equity: f32,
    reply: Option<String>,
}

/// The answer as machine output.
fn to_json<'a>(answer: &ComparisonText<'a>) -> WhyJson<'a> {
    let compared = answer.compared;
    let play = |side: &PlayRolls| PlayJson {
        play: answer.name(side),
        result: position_id(&side.result),
        equity: side.equity,
        mwc: side.mwc,
        chances: side.chances,
        ply: compared.ply + 1,
        board: board_json(&side.board),
        opponent: side.answer.map(cube_action),
    };
    let roll = |(i, roll): (usize, &Roll)| RollJson {
        dice: roll.to_string(),
        weight: roll.weight(),
        a: cell_json(&compared.a, &compared.a.rolls[i]),
        b: cell_json(&compared.b, &compared.b.rolls[i]),
        difference: compared.after(i),
    };
    WhyJson {
        position: answer.position,
        dice: answer.roll.to_string(),
        ply: compared.ply,
        cubeful: Cubeful::new(compared.cubeful, answer.note()),
        a: play(&compared.a),
        b: play(&compared.b),
        difference: compared.difference(),
        split: compared.split,
        better: NamedRolls::new(&compared.better().0),
        worse: NamedRolls::new(&compared.worse().0),
        luck: answer.luck,
        rolls: Roll::ALL.iter().enumerate().map(roll).collect(),
    }
}

fn board_json(board: &BoardFacts) -> BoardJson {
    let [pips, opponent_pips] = board.pips;
    BoardJson {
        hit_by: NamedRolls::new(&board.hits_and_misses().0),
        blots: board.blots,
        home_points: board.home_points.clone(),
        anchors: board.anchors.clone(),
        pips,
        opponent_pips,
    }
}

fn cell_json(side: &PlayRolls, cell: &RollCell) -> CellJson {
    CellJson {
        equity: cell.equity,
        reply: reply(side, cell),
    }
}

/// Returns the opponent's cube action before the roll, as JSON names it.
fn cube_action(answer: CubeChoice) -> &'static str {
    match answer {
        CubeChoice::Take => "double/take",
        CubeChoice::Pass => "double/pass",
        CubeChoice::Beaver => "beaver",
        CubeChoice::NoDouble | CubeChoice::Double => "no double",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;

    /// As in the workstation: of the rolls that can be the first there are 15.
    #[test]
    fn a_first_roll_is_no_double() {
        let (engine, model) = (Engine::embedded(), Model::standard());
        let roll = Roll::new(3, 1).unwrap();
        let state = GameState {
            roll: Some(roll),
            ..GameState::money(Position::opening())
        };
        let plays = ["8/5 6/5", "24/23 13/10"].map(str::to_owned);
        let plays = super::plays(&plays, &state.position, roll).unwrap();
        for (is_of_match, place) in [(true, "1st of 15"), (false, "of 21")] {
            let told = of_plays(&engine, model, &state, plays, is_of_match).unwrap();
            assert_has!(told, place);
        }
    }
}
