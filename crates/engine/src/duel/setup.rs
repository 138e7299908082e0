//! Two contestants, and the board that they sit at.

use super::luck::DuelLuck;
use super::player::{Contestant, Player};
use super::rules::DuelRules;
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::PlayList;

/// Two contestants, what they play, and by whom luck is measured.
#[derive(Clone, Copy)]
pub struct Duel<'a> {
    /// The players.
    pub contestants: [&'a dyn Contestant; 2],
    /// The rules of play.
    pub rules: DuelRules,
    /// The evaluator by whose values the luck is measured.
    pub luck: &'a dyn Evaluator,
    /// How the luck is measured.
    pub kind: DuelLuck,
    /// Match equities and cube efficiency for the luck.
    pub model: &'a Model,
    /// Key of the dice.
    pub seed: u64,
}

/// A board with the players at it.
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

    /// The player of a side. Asked for only once both sit.
    pub(super) fn player(&mut self, side: usize) -> &mut (dyn Player + 'a) {
        let player = self.players[side].as_mut();
        &mut **player.expect("both sit before the dice are rolled")
    }
}
