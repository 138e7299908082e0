//! `luckless eval --rolls`: all rolls of a position.

use anyhow::Result;
use serde::Serialize;

use crate::analysis::RollTable;
use crate::cli::common::options::Id;
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::Roll;
use crate::notation::play_text;
use crate::review::report::decision_text::RollsText;

pub(super) struct RollsRequest<'a> {
    pub(super) id: &'a Id,
    /// The roll that has come, if one has.
    pub(super) roll: Option<Roll>,
    pub(super) ply: u8,
    pub(super) json: bool,
}

#[derive(Serialize)]
struct RollsDocument<'a> {
    position: &'a str,
    ply: u8,
    /// Mean over the rolls.
    equity: f32,
    /// Best first.
    rolls: Vec<RollDocument>,
}

#[derive(Serialize)]
struct RollDocument {
    dice: String,
    /// Of 36.
    weight: u32,
    play: String,
    cubeful_equity: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    mwc: Option<f32>,
    luck: f32,
}

impl RollsRequest<'_> {
    /// Prints the table.
    pub(super) fn print(&self, evaluator: &dyn Evaluator, model: &Model) -> Result<()> {
        let state = &self.id.state;
        let table = RollTable::new(evaluator, model, state, false, self.ply, &|| false)
            .ok_or_else(|| misuse("the game is over: there is no roll"))?;
        if self.json {
            return output::json(&self.document(&table));
        }
        let text = RollsText {
            position: &self.id.text,
            state,
            table: &table,
            roll: self.roll,
        };
        output::text(&text.write())
    }

    fn document(&self, table: &RollTable) -> RollsDocument<'_> {
        let position = self.id.state.roller().position;
        let rolls = table.rolls.iter().map(|one| RollDocument {
            dice: one.roll.to_string(),
            weight: one.roll.weight(),
            play: play_text(&position, &one.play),
            cubeful_equity: one.points,
            mwc: one.mwc,
            luck: table.luck(one),
        });
        RollsDocument {
            position: &self.id.text,
            ply: table.ply,
            equity: table.mean,
            rolls: rolls.collect(),
        }
    }
}
