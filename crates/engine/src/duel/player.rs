//! The sides of a duel: a contestant, and its players at work on several threads.

use serde::{Deserialize, Serialize};

use crate::cube::{CubeChoice, Model};
use crate::eval::Evaluator;
use crate::game::{GameState, PlayList, Position, Roll};
use crate::rollout::LevelValue;

/// In what way a player failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// It could not be started or reached.
    Absent,
    /// It ended or closed the connection.
    Closed,
    /// It did not answer in time.
    Late,
    /// Its answer means nothing.
    Garbled,
    /// Its answer is no legal play or action.
    Illegal,
    /// The game did not end.
    Endless,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::Absent,
        Self::Closed,
        Self::Late,
        Self::Garbled,
        Self::Illegal,
        Self::Endless,
    ];

    /// Name of the kind in words.
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

/// Why a decision was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The player failed.
    Failed {
        /// In what way.
        kind: FaultKind,
        /// One line.
        message: String,
    },
    /// The duel ends: nobody has failed.
    Cancelled,
}

impl Fault {
    /// A failure with its line.
    pub fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self::Failed {
            kind,
            message: message.into(),
        }
    }
}

/// A contestant at one board. States are seen by the player who decides.
pub trait Player {
    /// Whether to double, where it is possible, before the roll.
    ///
    /// # Errors
    /// A [`Fault`].
    fn doubles(&mut self, state: &GameState) -> Result<bool, Fault>;

    /// What to answer to the double in `state`.
    ///
    /// # Errors
    /// A [`Fault`].
    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault>;

    /// The position after the best play of `roll`, seen by the opponent; `legal` are all plays.
    ///
    /// # Errors
    /// A [`Fault`].
    fn play(&mut self, state: &GameState, roll: Roll, legal: &PlayList) -> Result<Position, Fault>;
}

/// One of the two sides of a duel.
pub trait Contestant: Sync {
    /// A player at a board of its own.
    ///
    /// # Errors
    /// A [`Fault`] if there can be none.
    fn sit(&self) -> Result<Box<dyn Player + '_>, Fault>;

    /// At how many boards this contestant can play at once.
    fn most_boards(&self) -> usize {
        usize::MAX
    }

    /// Whether its players think on the thread that asks them.
    fn thinks_here(&self) -> bool {
        false
    }
}

/// An evaluator of this program at a depth.
#[derive(Clone, Copy)]
pub struct EngineContestant<'a> {
    /// What it thinks of positions.
    pub evaluator: &'a dyn Evaluator,
    /// How it decides about the cube.
    pub model: &'a Model,
    /// At how many plies it decides.
    pub ply: u8,
    /// Whether plays count the cube and the score.
    pub cubeful: bool,
    /// Asked on the way: whether to give up.
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
