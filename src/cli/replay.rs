//! `luckless rollout --replay`: one trial, roll by roll.

use anyhow::Result;
use serde::Serialize;

use super::output::{self, Table};
use super::rolling_run::refused;
use crate::game::{PlayList, Position, Roll};
use crate::notation::{gnubg_id, play_text};
use crate::rollout::{ExportedTrial, Settings, Setup, TrialRecord, Turn, replay};
use crate::store::Shown;

#[derive(Serialize)]
struct Document<'a> {
    position: &'a str,
    dice: Option<&'a str>,
    trial: u64,
    strands: Vec<Strand<'a>>,
}

#[derive(Serialize)]
struct Strand<'a> {
    play: Option<&'a str>,
    result: ExportedTrial,
    turns: Vec<Step>,
}

#[derive(Serialize)]
struct Step {
    /// Whether the player whose equity is wanted is on roll: who made the play, or without dice whoever
    /// is on roll first.
    own: bool,
    position: String,
    dice: String,
    play: String,
    /// The cube, in a cubeful rollout.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<u32>,
    /// For that player.
    luck: f64,
}

impl Step {
    fn new(turn: &Turn, turned: bool) -> Self {
        Self {
            own: turn.own != turned,
            position: gnubg_id::position_id(&turn.position),
            dice: turn.roll.to_string(),
            play: play_to(&turn.position, turn.roll, &turn.result),
            cube: turn.cube,
            luck: if turned { -turn.luck } else { turn.luck },
        }
    }
}

/// The play of `roll` that leads from `position` to `result`, as text.
pub(super) fn play_to(position: &Position, roll: Roll, result: &Position) -> String {
    let mut list = PlayList::new();
    list.generate(position, roll);
    let place = list.results().iter().position(|r| r == result);
    place.map_or_else(String::new, |i| play_text(position, &list.plays()[i]))
}

/// Shows trial `trial` of every strand.
pub(super) fn run(
    setup: &Setup,
    settings: &Settings,
    candidates: &[Position],
    shown: &Shown,
    trial: u64,
    json: bool,
) -> Result<()> {
    let replay = replay(setup, candidates, settings, trial).map_err(refused)?;
    // A position before the roll is the candidate of the player who is not on roll.
    let turned = shown.dice.is_none();
    let strand = |record: &TrialRecord| {
        let result = record.exported();
        let own = |t: &&Turn| t.strand == record.strand;
        Strand {
            play: shown.plays[usize::from(record.strand)].as_deref(),
            result: if turned { result.turned() } else { result },
            turns: replay
                .turns
                .iter()
                .filter(own)
                .map(|turn| Step::new(turn, turned))
                .collect(),
        }
    };
    let strands: Vec<Strand<'_>> = replay.results.iter().map(strand).collect();
    if json {
        return output::json(&Document {
            position: &shown.position,
            dice: shown.dice.as_deref(),
            trial,
            strands,
        });
    }
    output::text(&text(&strands, trial))
}

fn text(strands: &[Strand<'_>], trial: u64) -> String {
    let mut text = String::new();
    for strand in strands {
        let name = strand.play.unwrap_or("(to roll)");
        let ended = &strand.result;
        text += &format!(
            "trial {trial} of {name}: ended at {:+.4}, luck {:+.4}, {:+.4} without it\n\n",
            ended.plain,
            ended.plain - ended.reduced,
            ended.reduced
        );
        let mut table = Table::new(&[
            "position", "on roll", "cube", "dice", "play", "luck", "so far",
        ]);
        let mut sum = 0.0;
        for step in &strand.turns {
            sum += step.luck;
            table.row(vec![
                step.position.clone(),
                if step.own { "own" } else { "other" }.to_owned(),
                step.cube.map_or_else(|| "–".to_owned(), |c| c.to_string()),
                step.dice.clone(),
                step.play.clone(),
                output::points(step.luck),
                output::points(sum),
            ]);
        }
        text += &format!("{table}\n");
    }
    text
}
