//! The ways to err in a cube decision: doubles that are missed, too early or too good, wrong takes and passes, and
//! those of beavers.

use serde::{Deserialize, Serialize};

use super::decision_cost::Class;
use crate::cube::CubeChoice;

/// A way to err in a cube decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CubeErrorKind {
    /// Rolled where doubling was right.
    MissedDouble,
    /// Doubled too early. Reviews of before do not tell it from the next, and are counted anew.
    #[serde(alias = "wrong_double")]
    EarlyDouble,
    /// Doubled where playing on for a gammon was right.
    TooGoodDouble,
    /// Took or beavered what is a pass.
    WrongTake,
    /// Passed what is a take.
    WrongPass,
    /// Only took where a beaver was right.
    MissedBeaver,
    /// Beavered what should only be taken.
    WrongBeaver,
}

impl CubeErrorKind {
    pub const ALL: [Self; 7] = [
        Self::MissedDouble,
        Self::EarlyDouble,
        Self::TooGoodDouble,
        Self::WrongTake,
        Self::WrongPass,
        Self::MissedBeaver,
        Self::WrongBeaver,
    ];

    /// Returns the kind of error of `choice` if `right` was right; `None` if both are the same.
    /// `is_too_good`: not doubling was right because playing on for a gammon was.
    pub fn of(choice: CubeChoice, right: CubeChoice, is_too_good: bool) -> Option<Self> {
        use CubeChoice::{Beaver, Double, NoDouble, Pass, Take};
        Some(match (choice, right) {
            (NoDouble, Double) => Self::MissedDouble,
            (Double, NoDouble) if is_too_good => Self::TooGoodDouble,
            (Double, NoDouble) => Self::EarlyDouble,
            (Take | Beaver, Pass) => Self::WrongTake,
            (Pass, Take | Beaver) => Self::WrongPass,
            (Take, Beaver) => Self::MissedBeaver,
            (Beaver, Take) => Self::WrongBeaver,
            _ => return None,
        })
    }

    /// Returns whether this error is possible if `right` is right. Not all rules allow beavers.
    pub fn is_possible(self, right: CubeChoice, is_too_good: bool, allows_beavers: bool) -> bool {
        use CubeChoice::{Beaver, Double, NoDouble, Pass, Take};
        match self {
            Self::MissedDouble => right == Double,
            Self::EarlyDouble => right == NoDouble && !is_too_good,
            Self::TooGoodDouble => right == NoDouble && is_too_good,
            Self::WrongTake => right == Pass,
            Self::WrongPass => matches!(right, Take | Beaver),
            Self::MissedBeaver => right == Beaver,
            Self::WrongBeaver => right == Take && allows_beavers,
        }
    }

    /// The class of decision in which it is made.
    pub fn class(self) -> Class {
        match self {
            Self::MissedDouble | Self::EarlyDouble | Self::TooGoodDouble => Class::Double,
            _ => Class::Take,
        }
    }

    /// Several of it in words.
    pub fn plural(self) -> &'static str {
        match self {
            Self::MissedDouble => "missed doubles",
            Self::EarlyDouble => "early doubles",
            Self::TooGoodDouble => "too good doubles",
            Self::WrongTake => "wrong takes",
            Self::WrongPass => "wrong passes",
            Self::MissedBeaver => "missed beavers",
            Self::WrongBeaver => "wrong beavers",
        }
    }

    /// Its word in a filter of the library.
    pub const fn filter(self) -> &'static str {
        match self {
            Self::MissedDouble => "missed-double",
            Self::EarlyDouble => "early-double",
            Self::TooGoodDouble => "too-good-double",
            Self::WrongTake => "wrong-take",
            Self::WrongPass => "wrong-pass",
            Self::MissedBeaver => "missed-beaver",
            Self::WrongBeaver => "wrong-beaver",
        }
    }

    /// Parses a word of a filter.
    pub fn of_filter(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.filter() == word)
    }
}

/// A player's errors of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CubeErrors {
    pub kind: CubeErrorKind,
    /// Decisions in which they could be made.
    pub decisions: u32,
    /// Those that are marked, blunders too.
    pub errors: u32,
    pub blunders: u32,
    /// Points given away, also where too few for a mark.
    pub error: f64,
}

impl CubeErrors {
    /// No errors of this kind.
    pub fn none(kind: CubeErrorKind) -> Self {
        Self {
            kind,
            decisions: 0,
            errors: 0,
            blunders: 0,
            error: 0.0,
        }
    }
}
