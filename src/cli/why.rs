//! `luckless why`: two plays side by side, chance by chance and roll by roll.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::eval_answer::situation;
use super::options::{CubeModel, Id, Nets, Threads};
use super::output::{self, Cubeful, percent, points};
use super::usage::misuse;
use super::why_cube::CubeDocument;
use crate::analysis::{
    Comparison, CubeFacts, EquitySplit, PlayRolls, Question, RollCell, RollRank,
};
use crate::cube::{CubeChoice, Model};
use crate::eval::{Evaluator, Probabilities};
use crate::game::{GameState, Play, Position, Roll};
use crate::grid::Grid;
use crate::notation::play::dice;
use crate::notation::{parse_play, play_text, position_id, xgid_text};

const EXAMPLES: &str = "\
Examples:
  luckless why 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9'
  luckless why 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' --ply 2
  luckless why 4HPwATDgc/ABMA --dice 43 '24/20 13/10' '13/10 13/9' --json
  luckless why 'XGID=-BCBBBC------------bbbbcc-:0:0:1:00:0:0:0:0:10'

For each play the opponent's 21 next rolls are played as the static evaluation likes best, and valued \
at --ply plies. The equity of the play is their mean: one ply more. `luckless compare` rolls the plays \
out instead. Without a roll and plays: the take point, the doubling window, market losers, and what \
owning the cube is worth.";

/// What plays compared without the cube say of themselves.
const CUBELESS: &str = "cubeless: the cube does not count in these equities";

/// Why a play is better than another, or all about a cube decision
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The position: an XGID, a GNUBG position ID, POSITION:MATCH, an OGID or a FIBS board
    #[arg(value_name = "ID", allow_hyphen_values = true)]
    id: Id,
    /// The roll to be played [default: the one in the ID]
    #[arg(long, value_name = "DICE")]
    dice: Option<Roll>,
    /// The two plays; none, without a roll, for all about the cube decision
    #[arg(value_name = "PLAY", num_args = 0..=2)]
    plays: Vec<String>,
    /// Plies of lookahead behind each roll; the plays have one more [default: 1, of a cube decision 2]
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
    pub(super) fn run(self) -> Result<()> {
        let state = self.id.state;
        if state.position.is_over() {
            return Err(misuse("the game is over: there is nothing to compare"));
        }
        self.cube.agrees_with(&state)?;
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
        let question = Question {
            evaluator: &engine,
            model: &model,
            state,
            cubeful: !self.cubeless,
            ply: self.ply.unwrap_or(1),
        };
        let pool = self.threads.pool()?;
        let compared = pool.install(|| Comparison::new(&question, plays, &|| false));
        let compared = compared.context("the comparison was given up")?;
        let before = GameState {
            roll: None,
            ..state
        };
        let document = WhyDocument {
            position: &self.id.text,
            roll,
            state,
            compared: &compared,
            luck: RollRank::new(&engine, &model, &before, roll, false),
        };
        if self.json {
            output::json(&document.to_json())
        } else {
            output::text(&document.to_text())
        }
    }
}

impl Args {
    /// All about the cube decision.
    fn cube(&self, state: &GameState) -> Result<()> {
        let (engine, model) = (self.nets.engine()?, self.cube.load()?);
        let facts = CubeFacts::new(&engine, &model, state, self.ply.unwrap_or(2), &|| false);
        let facts = facts.context("the decision was given up")?;
        let document = CubeDocument {
            position: &self.id.text,
            state,
            facts: &facts,
        };
        if self.json {
            output::json(&document.to_json())
        } else {
            output::text(&document.to_text())
        }
    }
}

/// Why the first play of a recorded decision is better than the second, or not, in words; `None` where they lead to
/// the same position.
pub(super) fn of_plays(
    (evaluator, model): (&dyn Evaluator, &Model),
    state: &GameState,
    plays: [Play; 2],
) -> Option<String> {
    let before = GameState {
        roll: None,
        ..*state
    };
    let roll = state.roll?;
    let question = Question {
        evaluator,
        model,
        state: before,
        cubeful: true,
        ply: 1,
    };
    let compared = Comparison::new(&question, plays, &|| false)?;
    // A recorded game has this position before its first roll alone.
    let is_first_roll = state.position == Position::opening();
    let document = WhyDocument {
        position: &xgid_text(state),
        roll,
        state: *state,
        compared: &compared,
        luck: RollRank::new(evaluator, model, &before, roll, is_first_roll),
    };
    Some(document.to_text())
}

/// The plays as they are written; no two the same.
fn plays(texts: &[String], position: &Position, roll: Roll) -> Result<[Play; 2]> {
    let read = |text: &String| {
        parse_play(text, position, roll).map_err(|e| misuse(format!("'{text}': {e}")))
    };
    let [a, b] = texts else {
        return Err(misuse("two plays are compared"));
    };
    let plays = [read(a)?, read(b)?];
    if plays[0].apply(position) == plays[1].apply(position) {
        return Err(misuse("the two plays lead to the same position"));
    }
    Ok(plays)
}

/// The answer, to be written as text or as JSON.
struct WhyDocument<'a> {
    position: &'a str,
    roll: Roll,
    state: GameState,
    compared: &'a Comparison,
    luck: Option<RollRank>,
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
    split: SplitJson,
    better: FavouringRolls,
    worse: FavouringRolls,
    luck: Option<LuckJson>,
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
    /// What the opponent does with the cube before the next roll, with the cube.
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent: Option<&'static str>,
}

#[derive(Serialize)]
struct SplitJson {
    wins: f64,
    gammons: f64,
    backgammons: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<f64>,
}

#[derive(Serialize)]
struct FavouringRolls {
    rolls: Vec<String>,
    of_36: u32,
}

#[derive(Serialize)]
struct LuckJson {
    points: f32,
    rank: u32,
    percentile: f32,
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

impl WhyDocument<'_> {
    fn sides(&self) -> [&PlayRolls; 2] {
        [&self.compared.a, &self.compared.b]
    }

    fn name(&self, side: &PlayRolls) -> String {
        play_text(&self.state.position, &side.play)
    }

    fn note(&self) -> Option<&'static str> {
        (!self.compared.cubeful).then_some(CUBELESS)
    }

    fn to_json(&self) -> WhyJson<'_> {
        let compared = self.compared;
        let play = |side: &PlayRolls| PlayJson {
            play: self.name(side),
            result: position_id(&side.result),
            equity: side.equity,
            mwc: side.mwc,
            chances: side.chances,
            ply: compared.ply + 1,
            opponent: side.answer.map(cube_action),
        };
        let favouring = |(rolls, of_36): (Vec<Roll>, u32)| FavouringRolls {
            rolls: rolls.iter().map(ToString::to_string).collect(),
            of_36,
        };
        let EquitySplit {
            wins,
            gammons,
            backgammons,
            cube,
        } = compared.split;
        let roll = |(i, roll): (usize, &Roll)| RollJson {
            dice: roll.to_string(),
            weight: roll.weight(),
            a: cell_json(&compared.a, &compared.a.rolls[i]),
            b: cell_json(&compared.b, &compared.b.rolls[i]),
            difference: compared.after(i),
        };
        WhyJson {
            position: self.position,
            dice: self.roll.to_string(),
            ply: compared.ply,
            cubeful: Cubeful::new(compared.cubeful, self.note()),
            a: play(&compared.a),
            b: play(&compared.b),
            difference: compared.difference(),
            split: SplitJson {
                wins,
                gammons,
                backgammons,
                cube,
            },
            better: favouring(compared.better()),
            worse: favouring(compared.worse()),
            luck: self.luck.map(|luck| LuckJson {
                points: luck.points,
                rank: luck.rank,
                percentile: luck.percentile,
            }),
            rolls: Roll::ALL.iter().enumerate().map(roll).collect(),
        }
    }

    fn to_text(&self) -> String {
        let note = self.note().map_or_else(String::new, |n| format!("\n{n}"));
        let mut text = format!(
            "{}  {}, to play {}{note}\n\n",
            self.position,
            situation(&self.state),
            self.roll
        );
        for (letter, side) in ["A", "B"].iter().zip(self.sides()) {
            let _ = writeln!(text, "{letter}  {}{}", self.name(side), doubling(side));
        }
        let _ = write!(text, "\n{}\n{}", self.figures(), self.parts());
        let ply = self.compared.ply;
        let _ = write!(
            text,
            "\nA less B after the opponent's next roll, {ply}-ply\n{}",
            self.map()
        );
        let _ = writeln!(text, "\n{}", self.sentence());
        let _ = write!(text, "\n{}", self.replies());
        if let Some(luck) = &self.luck {
            let _ = writeln!(
                text,
                "\nluck of {}: {} points, {}",
                self.roll,
                points(luck.points),
                luck.place()
            );
        }
        text
    }

    fn figures(&self) -> Grid {
        let mut table = Grid::new(&["", "A", "B", "A less B"]);
        let [a, b] = self.sides();
        let ply = self.compared.ply + 1;
        table.row(vec![
            format!("equity, {ply}-ply"),
            points(a.equity),
            points(b.equity),
            points(self.compared.difference()),
        ]);
        let mut chance = |name: &str, a: f32, b: f32| {
            let more = 100.0 * (f64::from(a) - f64::from(b));
            let more = format!("{more:+.2}%");
            table.row(vec![name.to_owned(), percent(a), percent(b), more]);
        };
        if let (Some(a), Some(b)) = (a.mwc, b.mwc) {
            chance("match", a, b);
        }
        let names = [
            "wins",
            "gammons",
            "backgammons",
            "gammons lost",
            "backgammons lost",
        ];
        let [a, b] = [a, b].map(|side| side.chances.to_array());
        for ((name, a), b) in names.iter().zip(a).zip(b) {
            chance(name, a, b);
        }
        table
    }

    /// What the difference is made of.
    fn parts(&self) -> String {
        let parts = self.compared.split.rounded(4).into_iter();
        let words = parts
            .map(|(name, part)| format!("{name} {}", points(if part == 0.0 { 0.0 } else { part })));
        let words: Vec<String> = words.collect();
        let total = points(self.compared.difference());
        format!("{total} = {}\n", words.join(", "))
    }

    /// The differences as a square of both dice.
    fn map(&self) -> Grid {
        let mut table = Grid::new(&["", "1", "2", "3", "4", "5", "6"]);
        for high in 1..=6 {
            let cell = |low| {
                let roll = Roll::new(high, low);
                roll.map_or_else(String::new, |roll| {
                    signed(self.compared.after(roll.index()))
                })
            };
            let row = std::iter::once(high.to_string()).chain((1..=6).map(cell));
            table.row(row.collect());
        }
        table
    }

    fn sentence(&self) -> String {
        let (better, wins) = self.compared.better();
        let (worse, loses) = self.compared.worse();
        let even = 36 - wins - loses;
        let mut text = match (wins, loses) {
            (0, 0) => "no roll tells the plays apart".to_owned(),
            (_, 0) => format!("A is better on {}: {wins} of 36 rolls", listed(&better)),
            (0, _) => format!("B is better on {}: {loses} of 36 rolls", listed(&worse)),
            _ => format!(
                "A is better on {}: {wins} of 36 rolls\nB is better on {}: {loses} of 36 rolls",
                listed(&better),
                listed(&worse)
            ),
        };
        if even > 0 && even < 36 {
            let _ = write!(text, "\nno difference on {even}");
        }
        text
    }

    fn replies(&self) -> Grid {
        let mut table = Grid::new(&["roll", "A", "reply", "B", "reply", "A less B"]);
        let [a, b] = self.sides();
        for (i, roll) in Roll::ALL.iter().enumerate() {
            let of = |side: &PlayRolls| {
                let cell = &side.rolls[i];
                [
                    points(cell.equity),
                    reply(side, cell).unwrap_or_else(|| "–".into()),
                ]
            };
            let cells = [of(a), of(b)].concat();
            let row = std::iter::once(dice(*roll));
            let row = row.chain(cells);
            table.row(row.chain([points(self.compared.after(i))]).collect());
        }
        table
    }
}

fn cell_json(side: &PlayRolls, cell: &RollCell) -> CellJson {
    CellJson {
        equity: cell.equity,
        reply: reply(side, cell),
    }
}

fn reply(side: &PlayRolls, cell: &RollCell) -> Option<String> {
    let reply = cell.reply?;
    Some(play_text(&side.result, &reply))
}

/// Rolls as players write them.
fn listed(rolls: &[Roll]) -> String {
    let rolls = rolls.iter().copied().map(dice);
    rolls.collect::<Vec<_>>().join(", ")
}

/// A difference in the map: shorter than elsewhere.
fn signed(difference: f64) -> String {
    if difference.abs() < crate::analysis::comparison::EVEN {
        "=".to_owned()
    } else {
        format!("{difference:+.3}")
    }
}

/// What the opponent does with the cube before the roll, in the machine output.
fn cube_action(answer: CubeChoice) -> &'static str {
    match answer {
        CubeChoice::Take => "double/take",
        CubeChoice::Pass => "double/pass",
        CubeChoice::Beaver => "beaver",
        CubeChoice::NoDouble | CubeChoice::Double => "no double",
    }
}

/// The same for people, where there is something to say.
fn doubling(side: &PlayRolls) -> &'static str {
    match side.answer {
        Some(CubeChoice::Take) => "  (the opponent doubles, and it is taken)",
        Some(CubeChoice::Pass) => "  (the opponent doubles, and it is passed)",
        Some(CubeChoice::Beaver) => "  (the opponent doubles, and it is beavered)",
        _ => "",
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
        let told = of_plays((&engine, model), &state, plays).unwrap();
        assert!(told.contains("points, 1st of 15, "), "{told}");
    }
}
