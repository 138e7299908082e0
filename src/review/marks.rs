//! How bad errors are.

use serde::{Deserialize, Serialize};

/// From which loss on a play counts as what, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Doubtful, `?!`. Default .020, the line that eXtreme Gammon and Backgammon Galaxy draw for
    /// an error.
    pub doubtful: f32,
    /// Error, `?`. Default .040, GNU Backgammon's *doubtful*.
    pub error: f32,
    /// Blunder, `??`. Default .080, which all three share.
    pub blunder: f32,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            doubtful: 0.020,
            error: 0.040,
            blunder: 0.080,
        }
    }
}

/// How bad a play was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// Nothing lost worth naming.
    Fine,
    Doubtful,
    Error,
    Blunder,
}

/// An error in points to three digits, as it is written and compared with a threshold.
pub fn as_written(error: f32) -> f32 {
    (1000.0 * error).round() / 1000.0
}

/// Returns whether an error reaches a threshold, both in points: 0.0196 is written as 0.020 and reaches 0.02.
pub fn reaches(error: f32, threshold: f32) -> bool {
    as_written(error) >= threshold
}

impl Mark {
    /// All marks, mildest first.
    pub const ALL: [Self; 4] = [Self::Fine, Self::Doubtful, Self::Error, Self::Blunder];

    /// The mark of a play that lost `error` points, to three digits, as errors are written.
    pub fn of(error: f32, thresholds: &Thresholds) -> Self {
        if reaches(error, thresholds.blunder) {
            Self::Blunder
        } else if reaches(error, thresholds.error) {
            Self::Error
        } else if reaches(error, thresholds.doubtful) {
            Self::Doubtful
        } else {
            Self::Fine
        }
    }

    /// The mark as a sign: `·`, `?!`, `?` or `??`.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Fine => "·",
            Self::Doubtful => "?!",
            Self::Error => "?",
            Self::Blunder => "??",
        }
    }

    /// Name of the mark in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Doubtful => "doubtful",
            Self::Error => "error",
            Self::Blunder => "blunder",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reaches_a_threshold_as_it_is_written() {
        assert!(reaches(0.0196, 0.02) && !reaches(0.0194, 0.02));
    }
}
