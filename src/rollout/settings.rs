//! What is rolled out, and when it ends.

use serde::{Deserialize, Serialize};

/// How the trials are played. Two rollouts with equal settings give equal bits, whatever the
/// number of threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Key of the dice.
    pub seed: u64,
    /// Plies of lookahead with which both sides choose their plays.
    pub ply: u8,
    /// Rolls after which a trial is stopped and evaluated; `None` plays to the end.
    pub horizon: Option<u16>,
    /// What luck is subtracted.
    pub reduction: Reduction,
    /// Whether each 36 trials begin with each of the 36 rolls once.
    pub rotation: bool,
    /// How the strands' dice hang together.
    pub coupling: Coupling,
    /// When to stop.
    pub stop: StopRules,
}

/// Which estimate of the luck is subtracted from a trial's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// None: the plain result.
    None,
    /// Dahl's: the value of the best play of the roll less its mean over all thirty-six.
    Full,
}

/// How the dice of several strands hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coupling {
    /// Each strand has dice of its own.
    None,
    /// Trial i of every strand gets the same dice.
    Dice,
    /// Koca's: trial i of every strand gets rolls of the same rank of luck.
    Rank,
}

/// The rules that end a rollout; whichever is met first does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StopRules {
    /// Trials for each strand at most.
    pub trials: u64,
    /// Stop when the standard error of every strand's equity (of the difference, for a pair) is
    /// at most this many points.
    pub standard_error: Option<f64>,
    /// Stop after this many seconds of running (pauses not counted).
    pub seconds: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 1,
            ply: 0,
            horizon: None,
            reduction: Reduction::Full,
            rotation: true,
            coupling: Coupling::Dice,
            stop: StopRules {
                trials: 1296,
                standard_error: None,
                seconds: None,
            },
        }
    }
}
