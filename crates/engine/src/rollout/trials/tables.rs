//! The tables of rolls that luck is measured from: whose they are, and how they are shared.

use super::early_memory::REMEMBERED;
use super::game_memory::TableKey;
use super::play_choice::Cancelled;
use super::trial::{PlayRules, Recent, TrialGame, TrialPlayers};

impl PlayRules<'_> {
    /// The key of the table for the game's position.
    pub(super) fn table_of(&self, game: &TrialGame) -> TableKey {
        let at = self.by_score.then_some((game.cube, game.own_turn));
        (game.position, at)
    }
}

impl TrialPlayers<'_> {
    /// Sees to it that the table of the game's slot is that of its position.
    pub(super) fn ensure_table(&mut self, game: &mut TrialGame, ply: u8) -> Result<(), Cancelled> {
        if game.ready {
            return Ok(());
        }
        game.ready = true;
        let of = self.rules.table_of(game);
        let [a, b] = &mut self.slots;
        let (slot, other) = if game.slot == 0 { (a, b) } else { (b, a) };
        if other.table_of == Some(of) {
            slot.table.clone_from(&other.table);
            slot.table_of = Some(of);
            return Ok(());
        }
        slot.table_of = None;
        // All trials of a candidate begin with the same position: it counts once.
        let counted = game.turns == 0 && slot.start == Some(of);
        if game.turns == 0 {
            slot.start = Some(of);
        }
        match self.early.table(of, ply) {
            Some((table, cost)) if game.turns <= REMEMBERED => {
                (*slot.table).clone_from(table);
                self.chooser.looked += if counted { 0.0 } else { cost };
            }
            _ => self.fill_and_keep(game, ply, of)?,
        }
        self.slots[usize::from(game.slot)].table_of = Some(of);
        Ok(())
    }

    /// Fills the table, and remembers it early in a game with what it cost. A remembered table counts as if
    /// it were looked up, so that a pilot's choice does not depend on it.
    fn fill_and_keep(&mut self, game: &TrialGame, ply: u8, of: TableKey) -> Result<(), Cancelled> {
        let before = self.chooser.looked;
        self.fill_table(game, ply)?;
        if game.turns <= REMEMBERED {
            let cost = self.chooser.looked - before;
            let table = &self.slots[usize::from(game.slot)].table;
            self.early.keep_table(of, ply, table, cost);
        }
        Ok(())
    }

    /// Looks up the rolls of the game's position, for the table of its slot.
    fn fill_table(&mut self, game: &TrialGame, ply: u8) -> Result<(), Cancelled> {
        let table = &mut self.slots[usize::from(game.slot)].table;
        let PlayRules {
            luck_by, cancelled, ..
        } = self.rules;
        if !self.rules.by_score {
            let position = &game.position;
            self.chooser
                .table(luck_by, position, ply, table, cancelled)?;
            self.chooser.rolled = (ply == 0).then_some(*position);
            return Ok(());
        }
        self.look_at_score(game, ply)
    }

    /// Copies the table that came with a choice of the other candidate; false if it is there no more.
    pub(super) fn copy_table(&mut self, to: u8, recent: &Recent) -> bool {
        if self.slots[usize::from(recent.slot)].table_of != Some((recent.result, None)) {
            return false;
        }
        if to != recent.slot {
            let [a, b] = &mut self.slots;
            let (to, from) = if to == 0 { (a, b) } else { (b, a) };
            to.table.clone_from(&from.table);
            to.table_of = Some((recent.result, None));
        }
        true
    }
}
