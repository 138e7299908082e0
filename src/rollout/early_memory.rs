//! What a worker remembers of the first turns: all trials of a rollout begin alike, so the same positions come
//! again and again. Nothing of it changes a result.

use std::collections::HashMap;

use super::game_memory::TableKey;
use super::play_choice::RollTable;
use crate::game::{Position, Roll};

/// In so many turns the choices of other trials are remembered, and the tables of where they lead.
pub(super) const REMEMBERED: u32 = 2;
/// Tables and choices that are remembered at most: those of two rolls of four plays. 4 MB of tables.
const MOST: usize = 2048;

/// What a choice depends on: position, roll, player and plies.
pub(super) type ChoiceKey = (Position, Roll, usize, u8);

/// A choice, and what it cost in the unit of [`PlayChooser::looked`](super::play_choice::PlayChooser).
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    /// The position after the play.
    pub(super) result: Position,
    pub(super) cost: f64,
}

/// Tables and choices of the first turns.
#[derive(Default)]
pub(super) struct EarlyMemory {
    tables: HashMap<(TableKey, u8), (Box<RollTable>, f64)>,
    choices: HashMap<ChoiceKey, Chosen>,
}

impl EarlyMemory {
    /// The table of a position whose rolls are valued at `ply` plies, and what it cost.
    pub(super) fn table(&self, of: TableKey, ply: u8) -> Option<(&RollTable, f64)> {
        let (table, cost) = self.tables.get(&(of, ply))?;
        Some((table, *cost))
    }

    pub(super) fn keep_table(&mut self, of: TableKey, ply: u8, table: &RollTable, cost: f64) {
        if self.tables.len() < MOST {
            let kept = || (Box::new(table.clone()), cost);
            self.tables.entry((of, ply)).or_insert_with(kept);
        }
    }

    pub(super) fn choice(&self, key: &ChoiceKey) -> Option<Chosen> {
        self.choices.get(key).copied()
    }

    pub(super) fn keep_choice(&mut self, key: ChoiceKey, chosen: Chosen) {
        if self.choices.len() < MOST {
            self.choices.insert(key, chosen);
        }
    }
}
