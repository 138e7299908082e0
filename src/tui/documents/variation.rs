//! Helpers for variations that do not depend on the display: random dice, and the rows of a tree.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use rand::Rng as _;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::game::{Player, Roll};
use crate::match_file::variations::VariationRow;
use crate::match_file::{Action, DecisionState, Match, NodeId, Variations};
use crate::tui::text;
use crate::words::verb;

#[derive(Debug)]
pub struct DiceCup(ChaCha8Rng);

impl Default for DiceCup {
    /// Dice with a seed from the system.
    fn default() -> Self {
        Self::seeded(RandomState::new().hash_one(0u8))
    }
}

impl DiceCup {
    pub fn seeded(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The dice for one place under this seed, independent of earlier rolls.
    pub fn at_place(seed: u64, place: u64) -> Self {
        let mut dice = ChaCha8Rng::seed_from_u64(seed);
        dice.set_stream(place);
        Self(dice)
    }

    /// Draws the winner of an opening roll.
    pub fn starter(&mut self) -> Player {
        match self.0.random() {
            true => Player::Left,
            false => Player::Right,
        }
    }

    /// Draws a seed for other dice.
    pub fn seed(&mut self) -> u64 {
        self.0.random()
    }

    /// A random number from 0 to 1.
    pub fn chance(&mut self) -> f64 {
        self.0.random()
    }

    /// Rolls the dice; the first roll of a game is never a double.
    pub fn roll(&mut self, is_first: bool) -> Roll {
        loop {
            let roll = Roll::ordered(self.0.random_range(0..36));
            if !(is_first && roll.is_double()) {
                return roll;
            }
        }
    }
}

/// Describes a player's action.
pub fn action_words(record: &Match, before: &DecisionState, action: &Action) -> String {
    let name = &record.players[before.player.index()];
    let forms = match action {
        Action::Move { play, .. } if play.is_empty() => ["rolls", "roll"],
        Action::Move { .. } => ["plays", "play"],
        Action::Double { .. } => ["doubles", "double"],
        Action::Take => ["takes", "take"],
        Action::Pass => ["passes", "pass"],
        Action::Beaver { .. } => ["beavers", "beaver"],
        _ => return String::new(),
    };
    let does = format!("{name} {}", verb(name, forms));
    match action {
        Action::Move { roll, play } => {
            let play = text::play(play, &before.state.position);
            format!("{does} {roll}: {play}")
        }
        _ => does,
    }
}

/// A row of the variations pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeLine {
    Action(VariationRow),
    /// The pending decision at the end of the displayed line, at this depth.
    Open(usize),
}

/// The rows of the pane of variations.
pub fn tree_lines(tree: &Variations, line: &[NodeId]) -> Vec<TreeLine> {
    let rows = tree.rows();
    let last = line.last().copied();
    let mut lines: Vec<TreeLine> = rows.iter().copied().map(TreeLine::Action).collect();
    if tree.after(last).is_some() {
        let row = rows.iter().position(|row| Some(row.node) == last);
        let indent = row.map_or(0, |row| rows[row].indent);
        lines.insert(row.map_or(0, |row| row + 1), TreeLine::Open(indent));
    }
    lines
}

/// The row of turn `at`.
pub fn tree_place(line: &[NodeId], lines: &[TreeLine], at: usize) -> usize {
    let node = line.get(at);
    let is_here = |line: &TreeLine| match line {
        TreeLine::Action(row) => Some(&row.node) == node,
        TreeLine::Open(_) => node.is_none(),
    };
    lines.iter().position(is_here).unwrap_or(0)
}
