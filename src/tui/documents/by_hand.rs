//! A rollout by hand on the board: games that a person plays, a trial each, with the luck subtracted
//! (variance-reduced).
//!
//! The games are lines of a tree of their own, walked like variations; no other variation is touched, and
//! none of them is kept. What is kept are the results.

use std::sync::Arc;

use crate::game::{GameState, Play, Player, Position, Roll};
use crate::match_file::{Action, Variations};
use crate::rollout::by_hand::Hands;
use crate::rollout::{CandidateResult, Settings, TrialRecord};
use crate::store::RolloutLabel;
use crate::tui::keys::ActionId;

/// What is played out.
#[derive(Clone, Debug, PartialEq)]
pub struct HandStart {
    /// The decision, seen by the player on roll.
    pub state: GameState,
    /// Whose decision it is.
    pub player: Player,
    /// The play whose worth is wanted; none before the roll.
    pub play: Option<Play>,
    /// How the program plays, and what the luck is measured by.
    pub settings: Settings,
    /// Label under which the rollout is kept.
    pub label: RolloutLabel,
}

impl HandStart {
    /// The position from which games begin, seen by the player on roll in it.
    pub fn position(&self) -> Position {
        match &self.play {
            Some(play) => play.apply(&self.state.position),
            None => self.state.position,
        }
    }
}

/// What is wanted of the thread that knows the dice.
#[derive(Clone, Debug, PartialEq)]
pub struct HandRequest {
    /// What is played out.
    pub start: Arc<HandStart>,
    /// Whose decisions are the person's.
    pub hands: Hands,
    /// The game; none for the next one.
    pub trial: Option<u64>,
    /// What was done in it so far, by all.
    pub actions: Vec<Action>,
    /// How what is to be decided now is decided.
    pub now: HandMove,
    /// All games that are known.
    pub known: Arc<Vec<TrialRecord>>,
}

/// What a person does besides actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandMove {
    /// Nothing: the actions say it.
    Wait,
    /// The dice are rolled, without a double.
    Roll,
    /// The program decides this once.
    Program,
    /// The program plays the roll that came.
    ProgramPlay,
}

/// What a person is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandPrompt {
    /// Double, or roll.
    Double,
    /// Take or pass.
    Answer,
    Play(Roll),
    /// Nothing: the game is over, with what it gave, and the luck in that, for the player who was to decide.
    Over {
        /// Points of the game as it was played.
        plain: f64,
        luck: f64,
    },
}

/// What became of a request.
#[derive(Clone, Debug)]
pub struct HandNews {
    /// The game.
    pub trial: u64,
    /// What the program did, and what could not be done otherwise.
    pub actions: Vec<Action>,
    /// What is to be decided.
    pub prompt: HandPrompt,
    /// All games there are, and what they come to, for the player who was to decide.
    pub known: Arc<Vec<TrialRecord>>,
    /// The sum of them, once there is a game.
    pub sum: Option<Box<CandidateResult>>,
    /// Why games are not kept, if they are not.
    pub trouble: Option<String>,
}

/// A rollout by hand that is in view.
#[derive(Debug)]
pub struct HandRollout {
    /// What is played out.
    pub start: Arc<HandStart>,
    /// Whose decisions are the person's.
    pub hands: Hands,
    /// The games of this sitting.
    pub tree: Variations,
    /// Actions of a line before a game begins: the play whose worth is wanted.
    pub before: usize,
    /// The game in view, once its number is known.
    pub trial: Option<u64>,
    /// What is asked; nothing while the program is at work.
    pub prompt: Option<HandPrompt>,
    /// All games.
    pub known: Arc<Vec<TrialRecord>>,
    /// What they come to.
    pub sum: Option<Box<CandidateResult>>,
    /// Games that ended in this sitting.
    pub ended: Vec<EndedGame>,
    /// Whether the person has done something in the game in view.
    pub has_played: bool,
    /// Requests are counted, so that late news are known.
    pub requests: u64,
    /// Whether answers were hidden before.
    pub was_hidden: bool,
}

/// A game by hand that has ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndedGame {
    pub trial: u64,
    /// Points that it gave.
    pub plain: f64,
    pub luck: f64,
}

impl HandRollout {
    /// Whether an action is an answer to what is asked.
    pub fn asks_for(&self, id: ActionId) -> bool {
        match (id, self.prompt) {
            (_, None) => false,
            (ActionId::Vary, Some(HandPrompt::Play(_))) => true,
            (ActionId::Double, Some(HandPrompt::Double)) => true,
            (ActionId::Take | ActionId::Pass | ActionId::Beaver, Some(HandPrompt::Answer)) => true,
            (ActionId::RollDice, Some(HandPrompt::Double | HandPrompt::Over { .. })) => true,
            (ActionId::Program, Some(prompt)) => !matches!(prompt, HandPrompt::Over { .. }),
            _ => false,
        }
    }
}
