//! Records of a duel: the results of a pair, or the reason why it is void.

use serde::{Deserialize, Serialize};

use super::player::FaultKind;

/// A game or match, for the first contestant: in points, or in match winning chances minus 0.5.
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
    /// Number of decisions of each contestant.
    pub decisions: [u32; 2],
    /// Thinking time of each contestant in seconds: CPU time if it runs in this program, otherwise elapsed
    /// time.
    pub seconds: [f64; 2],
}

/// Why a pair is void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The side at fault: 0 or 1.
    pub side: usize,
    pub kind: FaultKind,
    /// A message of one line.
    pub message: String,
}

/// Two contests on the same dice, with the seats exchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The number of the pair, which determines the dice.
    pub pair: u64,
    /// The two contests, unless the pair is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contests: Option<[ContestRecord; 2]>,
    /// Why the pair is void.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRecord>,
}

impl PairRecord {
    /// Returns whether the pair is finished, void or not. A pair with an absent player was never begun and
    /// can be played later. Replaying any other void pair would select among results.
    pub fn is_played(&self) -> bool {
        let kind = self.fault.as_ref().map(|fault| fault.kind);
        kind != Some(FaultKind::Absent)
    }

    /// Returns whether the numbers are possible for results between `-most` and `most` with luck within
    /// `bound`: a check for records from a file.
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
