//! Records of a duel: the results of a pair, or why it is void.

use serde::{Deserialize, Serialize};

use super::player::FaultKind;

/// A game or match: what the first contestant got, in points or in chances to win less one half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ContestRecord {
    /// The result as played.
    pub result: f64,
    pub luck: f64,
    /// The luck, scaled to stay within its bound.
    pub bounded: f64,
    pub games: u32,
    /// Plays of both contestants.
    pub plays: u32,
    /// Decisions that each contestant was asked for.
    pub decisions: [u32; 2],
    /// Seconds that they took: on a processor if it thinks in this program, else by the clock.
    pub seconds: [f64; 2],
}

/// Why a pair is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Whose fault: 0 or 1.
    pub side: usize,
    /// In what way.
    pub kind: FaultKind,
    /// One line.
    pub message: String,
}

/// Two contests on the same dice, with the seats exchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Which dice.
    pub pair: u64,
    /// The two, if neither is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contests: Option<[ContestRecord; 2]>,
    /// Why they are void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
}

impl PairRecord {
    /// Whether the pair is over, void or not. A pair that a player was absent from was never begun: it can be
    /// played later. To play any other void pair again would choose among results.
    pub fn is_played(&self) -> bool {
        let kind = self.fault.as_ref().map(|fault| fault.kind);
        kind != Some(FaultKind::Absent)
    }

    /// Whether the numbers can be those of a contest whose results lie between `-most` and `most`, the
    /// luck bounded by `bound`: for what comes from a file.
    pub fn is_sound(&self, most: f64, bound: f64) -> bool {
        let sound = |c: &ContestRecord| {
            c.result.abs() <= most + 1e-9
                && c.bounded.abs() <= bound + 1e-9
                && c.luck.is_finite()
                && c.seconds.iter().all(|s| s.is_finite() && *s >= 0.0)
        };
        match (&self.contests, &self.fault) {
            (Some(both), None) => both.iter().all(sound),
            (None, Some(fault)) => fault.side < 2,
            _ => false,
        }
    }
}
