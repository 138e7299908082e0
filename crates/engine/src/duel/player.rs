//! The sides of a duel: contestants, and their players on several threads.

use serde::{Deserialize, Serialize};

use crate::cube::{CubeChoice, Model};
use crate::eval::Evaluator;
use crate::game::{GameState, PlayList, Position, Roll};
use crate::rollout::LevelValue;

/// The kind of a player's failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The player could not be started or reached.
    Absent,
    /// The player exited or closed the connection.
    Closed,
    /// The player did not answer in time.
    Late,
    /// The answer is meaningless.
    Garbled,
    /// The answer is an illegal play or action.
    Illegal,
    /// The game did not end.
    Endless,
}

impl FaultKind {
    pub const ALL: [Self; 6] = [
        Self::Absent,
        Self::Closed,
        Self::Late,
        Self::Garbled,
        Self::Illegal,
        Self::Endless,
    ];

    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Absent => "absent",
            Self::Closed => "closed",
            Self::Late => "late",
            Self::Garbled => "garbled",
            Self::Illegal => "illegal",
            Self::Endless => "endless",
        }
    }
}

/// Why a decision is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The player failed.
    Failed {
        kind: FaultKind,
        /// A message of one line.
        message: String,
    },
    /// The duel was cancelled; no player failed.
    Cancelled,
}

impl Fault {
    /// Creates a failure with its message.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self::Failed {
            kind,
            message: message.into(),
        }
    }
}

/// A contestant at one board. States are seen by the player to decide.
pub trait Player {
    /// Returns whether to double before the roll; called only if doubling is possible.
    ///
    /// # Errors
    /// A [`Fault`].
    fn doubles(&mut self, state: &GameState) -> Result<bool, Fault>;

    /// Returns the answer to the double in `state`.
    ///
    /// # Errors
    /// A [`Fault`].
    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault>;

    /// Returns the position after the best play of `roll`, seen by the opponent; `legal` contains all plays.
    ///
    /// # Errors
    /// A [`Fault`].
    fn play(&mut self, state: &GameState, roll: Roll, legal: &PlayList) -> Result<Position, Fault>;
}

/// One of the two sides of a duel.
pub trait Contestant: Sync {
    /// Creates a player for one board.
    ///
    /// # Errors
    /// A [`Fault`] if no player can be created.
    fn sit(&self) -> Result<Box<dyn Player + '_>, Fault>;

    /// Returns the maximum number of simultaneous boards.
    fn most_boards(&self) -> usize {
        usize::MAX
    }

    /// Returns whether the players compute on the calling thread.
    fn thinks_here(&self) -> bool {
        false
    }
}

/// A contestant that uses this program's engine at a fixed depth.
#[derive(Clone, Copy)]
pub struct EngineContestant<'a> {
    /// The evaluator of positions.
    pub evaluator: &'a dyn Evaluator,
    /// The cube model.
    pub model: &'a Model,
    /// Plies of lookahead.
    pub ply: u8,
    /// Plays consider the cube and the score.
    pub cubeful: bool,
    /// Returns whether to cancel; called during decisions.
    pub cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Contestant for EngineContestant<'_> {
    fn sit(&self) -> Result<Box<dyn Player + '_>, Fault> {
        Ok(Box::new(*self))
    }

    fn thinks_here(&self) -> bool {
        true
    }
}

impl EngineContestant<'_> {
    fn decide(&self, state: &GameState) -> Result<crate::cube::CubeDecision, Fault> {
        let cancelled = || (self.cancelled)();
        let decision = self
            .model
            .decide(self.evaluator, state, self.ply, &cancelled);
        decision.ok_or(Fault::Cancelled)
    }
}

impl Player for EngineContestant<'_> {
    fn doubles(&mut self, state: &GameState) -> Result<bool, Fault> {
        Ok(self.decide(state)?.action.doubles())
    }

    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault> {
        let answer = self.decide(&state.roller())?.answer();
        Ok(answer.unwrap_or(CubeChoice::Take))
    }

    fn play(&mut self, state: &GameState, roll: Roll, legal: &PlayList) -> Result<Position, Fault> {
        if let [only] = legal.results() {
            return Ok(*only);
        }
        let model = self.cubeful.then_some(self.model);
        let cancelled = || (self.cancelled)();
        let all = LevelValue::all(self.evaluator, model, state, roll, self.ply, &cancelled);
        let best = all.and_then(|all| all.first().map(|best| best.candidate.result));
        best.ok_or(Fault::Cancelled)
    }
}
