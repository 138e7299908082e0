//! A decision as the study plan counts it: what could be done, at what cost, and what that shows.

use serde::Serialize;

use crate::library::filter::ScoreRegion;
use crate::review::rated_player::weight;
use crate::review::{Class, PositionType};

/// Something that is done or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Habit {
    Doubles,
    /// Takes a double.
    Takes,
    /// Hits a checker.
    Hits,
    #[serde(rename = "breaks anchors")]
    BreaksAnchor,
    /// Leaves more blots than another play does.
    #[serde(rename = "leaves blots")]
    LeavesBlots,
}

impl Habit {
    /// All habits.
    pub const ALL: [Self; 5] = [
        Self::Doubles,
        Self::Takes,
        Self::Hits,
        Self::BreaksAnchor,
        Self::LeavesBlots,
    ];

    /// Name of the habit in words: `takes`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Doubles => "doubles",
            Self::Takes => "takes",
            Self::Hits => "hits",
            Self::BreaksAnchor => "breaks anchors",
            Self::LeavesBlots => "leaves blots",
        }
    }

    /// The filter that finds decisions of such a kind in the library.
    pub fn filter(self) -> &'static str {
        match self {
            Self::Doubles => "class:double",
            Self::Takes => "class:take",
            Self::Hits | Self::BreaksAnchor | Self::LeavesBlots => "class:checker contact",
        }
    }

    /// The decisions in which the habit can show itself: `close takes`.
    pub fn decisions(self) -> &'static str {
        match self {
            Self::Doubles => "close doubles",
            Self::Takes => "close takes",
            Self::Hits => "close plays with and without a hit",
            Self::BreaksAnchor => "close plays that keep an anchor or break it",
            Self::LeavesBlots => "close plays with more blots or fewer",
        }
    }
}

/// Something that could be done.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOption {
    /// Points that it gives away.
    pub cost: f64,
    /// Habits that the option follows.
    pub habits: Vec<Habit>,
}

/// A decision that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanDecision {
    /// Which game of the player it was in.
    pub game: usize,
    pub kind: PositionType,
    pub class: Class,
    pub region: ScoreRegion,
    /// Value of a point as a chance to win the match, or for money in points with the cube counted.
    pub point: f64,
    /// Points of performance rating for each point given away a decision, as its match has it.
    pub pr_factor: f64,
    /// Options of the player.
    pub options: Vec<PlanOption>,
    /// Place of what was done.
    pub made: usize,
}

impl PlanDecision {
    /// Points that the player gave away.
    pub fn cost(&self) -> f64 {
        self.options
            .get(self.made)
            .map_or(0.0, |option| option.cost)
    }

    /// Chances with which a reference player of this temperature, in points, chooses each option.
    pub fn chances(&self, temperature: f64) -> Vec<f64> {
        let weight = |option: &PlanOption| weight(option.cost, temperature);
        let weights: Vec<f64> = self.options.iter().map(weight).collect();
        let all: f64 = weights.iter().sum();
        weights
            .iter()
            .map(|weight| weight / all.max(1e-300))
            .collect()
    }

    /// Points that a reference player of this temperature gives away on average.
    pub fn expected(&self, temperature: f64) -> f64 {
        let chances = self.chances(temperature);
        let all = chances.iter().zip(&self.options);
        all.map(|(chance, option)| chance * option.cost).sum()
    }
}

/// The temperature at which a reference player loses what is `wanted`, or the next possible one; `lost` is what one of a
/// temperature loses, which grows with it.
pub(super) fn fitted(wanted: f64, lost: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (1e-4_f64, 10.0_f64);
    for _ in 0..60 {
        let middle = (low * high).sqrt();
        if lost(middle) < wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low * high).sqrt()
}
