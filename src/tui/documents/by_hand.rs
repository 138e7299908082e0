//! Rollouts by hand: a person plays games on the board, one trial each, with the luck subtracted (variance-reduced).
//!
//! The games are lines of a separate tree, walked like variations. That tree is not stored; the results are.

use std::sync::Arc;

use crate::game::{GameState, Play, Player, Position, Roll};
use crate::match_file::{Action, Variations};
use crate::rollout::by_hand::Hands;
use crate::rollout::{CandidateResult, Settings, TrialRecord};
use crate::store::RolloutLabel;
use crate::tui::keys::ActionId;

/// The decision to roll out by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct HandStart {
    /// The decision, seen by the player on roll.
    pub state: GameState,
    pub player: Player,
    /// The play to evaluate; `None` before the roll.
    pub play: Option<Play>,
    /// Settings of the program's play and of the luck evaluation.
    pub settings: Settings,
    /// Label of the stored rollout.
    pub label: RolloutLabel,
}

impl HandStart {
    /// The position at the start of each game, seen by its player on roll.
    pub fn position(&self) -> Position {
        match &self.play {
            Some(play) => play.apply(&self.state.position),
            None => self.state.position,
        }
    }
}

/// A request to the thread with the dice.
#[derive(Clone, Debug, PartialEq)]
pub struct HandRequest {
    pub start: Arc<HandStart>,
    /// The sides played by the person.
    pub hands: Hands,
    /// The number of the game; `None` for the next one.
    pub trial: Option<u64>,
    /// All actions of the game so far.
    pub actions: Vec<Action>,
    /// The person's choice for the current decision.
    pub now: HandMove,
    /// All known games.
    pub known: Arc<Vec<TrialRecord>>,
}

/// A choice of the person that is not an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandMove {
    /// None: the actions contain the choice.
    Wait,
    /// Rolls without doubling.
    Roll,
    /// The program makes this decision.
    Program,
    /// The program plays the current roll.
    ProgramPlay,
}

/// The decision required of the person.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HandPrompt {
    /// Double or roll.
    Double,
    /// Take or pass.
    Answer,
    Play(Roll),
    /// None: the game is over. Result and luck are for the player of the decision.
    Over {
        /// Points of the game without subtracting luck.
        plain: f64,
        luck: f64,
    },
}

/// The result of a request.
#[derive(Clone, Debug)]
pub struct HandNews {
    /// Number of the game.
    pub trial: u64,
    /// Actions of the program, and forced ones.
    pub actions: Vec<Action>,
    pub prompt: HandPrompt,
    /// All games.
    pub known: Arc<Vec<TrialRecord>>,
    /// Their summary for the player of the decision, once there is a game.
    pub sum: Option<Box<CandidateResult>>,
    /// The reason why games are not stored, if any.
    pub trouble: Option<String>,
}

/// The displayed rollout by hand.
#[derive(Debug)]
pub struct HandRollout {
    pub start: Arc<HandStart>,
    /// The sides played by the person.
    pub hands: Hands,
    /// The games of this sitting.
    pub tree: Variations,
    /// Number of actions before each game: 1 if a play is evaluated.
    pub before: usize,
    /// Number of the displayed game, once known.
    pub trial: Option<u64>,
    /// The required decision; `None` while the program works.
    pub prompt: Option<HandPrompt>,
    pub known: Arc<Vec<TrialRecord>>,
    /// Summary of all games.
    pub sum: Option<Box<CandidateResult>>,
    pub ended: Vec<EndedGame>,
    /// Whether the person has acted in the displayed game.
    pub has_played: bool,
    /// Request counter, to detect late replies.
    pub requests: u64,
    /// Whether answers were hidden before.
    pub was_hidden: bool,
}

/// A finished game by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndedGame {
    pub trial: u64,
    pub plain: f64,
    pub luck: f64,
}

impl HandRollout {
    /// Returns whether an action is possible at the current prompt.
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
