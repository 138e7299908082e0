//! How bad errors are, and what they come to.

use serde::{Deserialize, Serialize};

use super::TurnReview;

/// From which loss on a play counts as what, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Doubtful, `?!`. Default .020, the line that eXtreme Gammon and Backgammon Galaxy draw for
    /// an error.
    pub doubtful: f32,
    /// Error, `?`. Default .040, GNU Backgammon's line.
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
    /// Doubtful.
    Doubtful,
    /// An error.
    Error,
    /// A blunder.
    Blunder,
}

impl Mark {
    /// All, mildest first.
    pub const ALL: [Self; 4] = [Self::Fine, Self::Doubtful, Self::Error, Self::Blunder];

    /// The mark of a play that lost `error` points, to three digits, as errors are written.
    #[must_use]
    pub fn of(error: f32, thresholds: &Thresholds) -> Self {
        let error = (1000.0 * error).round() / 1000.0;
        if error >= thresholds.blunder {
            Self::Blunder
        } else if error >= thresholds.error {
            Self::Error
        } else if error >= thresholds.doubtful {
            Self::Doubtful
        } else {
            Self::Fine
        }
    }

    /// `·`, `?!`, `?` or `??`.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Fine => "·",
            Self::Doubtful => "?!",
            Self::Error => "?",
            Self::Blunder => "??",
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Doubtful => "doubtful",
            Self::Error => "error",
            Self::Blunder => "blunder",
        }
    }
}

/// What one player's decisions come to: plays, and cube decisions that count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Decisions analysed.
    pub decisions: u32,
    /// Of these, with something to decide: more than one legal play, or a cube.
    pub unforced: u32,
    /// Of these, about the cube.
    pub cube_decisions: u32,
    /// Points given away.
    pub error: f32,
    /// Of these, by cube decisions.
    pub cube_error: f32,
    /// Chances to win the match given away.
    pub mwc: f32,
    /// Luck of the rolls, in points.
    pub luck: f32,
    /// Decisions by [`Mark`], mildest first.
    pub marks: [u32; 4],
}

impl Totals {
    /// Adds one analysed turn.
    pub fn add(&mut self, review: &TurnReview, thresholds: &Thresholds) {
        self.add_with(review, review.error, thresholds);
    }

    /// Adds one analysed turn whose error is known better, from a rollout.
    pub fn add_with(&mut self, review: &TurnReview, error: Option<f32>, thresholds: &Thresholds) {
        self.luck += review.luck.unwrap_or(0.0);
        let point = review.point.unwrap_or(0.0);
        let spoken = review.candidates.is_empty();
        if let Some(error) = error {
            self.count(error, !review.is_forced(), point, thresholds);
            if spoken && review.cube.is_some() {
                self.cube_decisions += 1;
                self.cube_error += error;
            }
        }
        let silent = review.cube.filter(|cube| !spoken && cube.counts());
        if let Some(error) = silent.and_then(|cube| cube.error) {
            self.count(error, true, point, thresholds);
            self.cube_decisions += 1;
            self.cube_error += error;
        }
    }

    fn count(&mut self, error: f32, unforced: bool, point: f32, thresholds: &Thresholds) {
        self.decisions += 1;
        self.unforced += u32::from(unforced);
        self.error += error;
        self.mwc += error * point;
        self.marks[Mark::of(error, thresholds) as usize] += 1;
    }
}
