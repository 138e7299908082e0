//! Two contestants, and the board at which they play.

use super::luck::DuelLuck;
use super::player::{Contestant, Player};
use super::rules::DuelRules;
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::PlayList;

/// Two contestants, the rules, and the measurement of luck.
#[derive(Clone, Copy)]
pub struct Duel<'a> {
    pub contestants: [&'a dyn Contestant; 2],
    pub rules: DuelRules,
    /// The evaluator that measures the luck.
    pub luck: &'a dyn Evaluator,
    /// How rolls are valued.
    pub kind: DuelLuck,
    /// Match equities and cube efficiency for the luck.
    pub model: &'a Model,
    pub seed: u64,
}

/// A board with its players.
pub(super) struct Table<'a> {
    pub(super) players: [Option<Box<dyn Player + 'a>>; 2],
    pub(super) list: PlayList,
}

impl<'a> Table<'a> {
    pub(super) fn new() -> Self {
        Self {
            players: [None, None],
            list: PlayList::new(),
        }
    }

    /// Returns the player of a side. Both players must be seated.
    pub(super) fn player(&mut self, side: usize) -> &mut (dyn Player + 'a) {
        let player = self.players[side].as_mut();
        &mut **player.expect("both sit before the dice are rolled")
    }
}
