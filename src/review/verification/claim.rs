//! An opinion of a match's file, and what became of it.

use serde::Serialize;

use crate::cube::{CubeChoice, cube_words};
use crate::game::{GameState, Play, Player, Position};
use crate::match_file::EventPlace;
use crate::rollout::{RolloutPreset, Standing};
use crate::stats::interval::decisive_half;

/// An opinion that loses less, in points, needs no rollout.
pub(super) const LEAST_LOSS: f64 = 0.000_5;

/// Question for a rollout.
#[derive(Clone, Debug, PartialEq)]
pub enum ClaimKind {
    /// Which of two plays is better: the one that the file prefers comes first.
    Plays([Play; 2], [Position; 2]),
    Double,
    Take,
}

/// An opinion of the file: of two choices one is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its turn: the place in the list that was analysed.
    pub turn: usize,
    /// Its game and event, places in the match's lists.
    pub place: EventPlace,
    /// The player whose decision it is.
    pub player: Player,
    /// The state it is made in: before the roll, seen by the doubler, where it is one about the cube.
    pub state: GameState,
    pub program: String,
    /// How deep it looked, in its own words.
    pub level: String,
    pub kind: ClaimKind,
    /// Of a cube decision what the file prefers, and the other choice.
    pub actions: Option<[CubeChoice; 2]>,
    /// By how much the first choice is better, by the file: points on the present cube, EMG in a match.
    pub claimed: Option<f64>,
    /// By how much the first choice is better by lookahead, in the same unit; below 0 where lookahead prefers
    /// the other choice.
    pub looked_ahead: f64,
    /// Plies of that lookahead.
    pub ply: u8,
    /// The file calls the choice made an error.
    pub is_error: bool,
    /// Points lost on average if the file is followed.
    pub expected_loss: f64,
}

impl Claim {
    /// Returns whether lookahead clearly shares the opinion, or finds no possible loss.
    pub(super) fn is_agreed(&self) -> bool {
        let loss = self.expected_loss;
        loss == 0.0 || loss < LEAST_LOSS && self.looked_ahead > 0.0
    }

    /// The choice that the file prefers and the other one, as in the machine output; `name` writes a play.
    pub fn choices(&self, name: &dyn Fn(&Play) -> String) -> [String; 2] {
        match (&self.kind, self.actions) {
            (ClaimKind::Plays(plays, _), _) => plays.each_ref().map(name),
            (_, Some(actions)) => actions.map(|choice| choice.name().to_owned()),
            (_, None) => Default::default(),
        }
    }

    /// The choice that the file prefers and the other one, as players say them: a player who doubles with a
    /// cube of their own redoubles. `name` writes a play.
    pub fn words(&self, name: &dyn Fn(&Play) -> String) -> [String; 2] {
        let choices = self.choices(name);
        choices.map(|choice| cube_words(&choice, &self.state).to_owned())
    }
}

/// Outcome of verifying an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Lookahead says the same, and clearly.
    Agreed,
    /// A rollout says the same.
    Confirmed,
    /// A rollout says that the other choice is better.
    Overturned,
    /// A rollout says that the two differ by too little to matter.
    TooClose,
    /// A rollout did not decide it, or there was no time for one.
    Open,
}

impl Verdict {
    /// Name of the verdict in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Confirmed => "confirmed",
            Self::Overturned => "overturned",
            Self::TooClose => "too close",
            Self::Open => "open",
        }
    }

    /// The verdict of a rollout of the first choice less the second.
    pub(super) fn of(rolled: &Rolled) -> Self {
        let (mean, near) = (rolled.difference, RolloutPreset::EQUIVALENT);
        match Standing::of(mean, rolled.anytime95, near) {
            Standing::Decided if mean >= 0.0 => Self::Confirmed,
            Standing::Decided => Self::Overturned,
            Standing::TooClose => Self::TooClose,
            Standing::Open => Self::Open,
        }
    }
}

/// A difference that was rolled out: the file's choice less the other one, in points on the present cube, EMG in a
/// match.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rolled {
    /// Its mean.
    pub difference: f64,
    /// Its anytime-valid 95 % interval.
    pub anytime95: [f64; 2],
    /// Trials of each choice.
    pub trials: u64,
    /// The rollout decided the opinion, or has all requested trials.
    #[serde(skip)]
    pub ended: bool,
}

impl Rolled {
    /// Returns the distance from the difference to that end of its interval that lies toward zero.
    pub fn decisive_half(&self) -> f64 {
        decisive_half(self.difference, self.anytime95)
    }
}

/// An opinion and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The opinion.
    pub claim: Claim,
    /// The rollout, if there was one.
    pub rolled: Option<Rolled>,
    pub verdict: Verdict,
}

impl Verified {
    /// Takes in a rollout, whose interval gives the verdict.
    pub fn take(&mut self, rolled: Rolled) {
        self.verdict = Verdict::of(&rolled);
        self.rolled = Some(rolled);
    }

    /// Returns whether a rollout may still decide the opinion.
    pub fn is_left(&self) -> bool {
        self.verdict == Verdict::Open && self.rolled.is_none_or(|rolled| !rolled.ended)
    }
}

/// How much is rolled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerificationLimits {
    /// At most so many decisions.
    pub decisions: usize,
    /// Trials of each choice at most.
    pub trials: u64,
}
