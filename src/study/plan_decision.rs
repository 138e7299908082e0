//! A decision as the study plan counts it: what could be done, at what cost, and what that shows.

use crate::review::{Class, PositionType};
use crate::stats::portable::exp;

/// Something that is done or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Habit {
    /// Doubles.
    Doubles,
    /// Takes a double.
    Takes,
    /// Hits a checker.
    Hits,
    /// Breaks an anchor.
    BreaksAnchor,
    /// Leaves more blots than another play does.
    LeavesBlots,
}

impl Habit {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Doubles,
        Self::Takes,
        Self::Hits,
        Self::BreaksAnchor,
        Self::LeavesBlots,
    ];

    /// In words: `takes`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Doubles => "doubles",
            Self::Takes => "takes",
            Self::Hits => "hits",
            Self::BreaksAnchor => "breaks anchors",
            Self::LeavesBlots => "leaves blots",
        }
    }

    /// The filter that finds such decisions in the library.
    #[must_use]
    pub fn filter(self) -> &'static str {
        match self {
            Self::Doubles => "class:double",
            Self::Takes => "class:take",
            Self::Hits | Self::BreaksAnchor | Self::LeavesBlots => "class:checker contact",
        }
    }

    /// The decisions in which it can show itself: `close takes`.
    #[must_use]
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

/// A part of the scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScoreRegion {
    /// Money play.
    Money,
    /// Both need one point.
    Dmp,
    /// One needs one point, and the cube is out of play.
    Crawford,
    /// One needs one point.
    PostCrawford,
    /// Both need five points or fewer.
    Short,
    /// All others.
    Long,
}

impl ScoreRegion {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Money,
        Self::Dmp,
        Self::Crawford,
        Self::PostCrawford,
        Self::Short,
        Self::Long,
    ];

    /// As a filter of the library names it.
    #[must_use]
    pub fn filter(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Dmp => "dmp",
            Self::Crawford => "crawford",
            Self::PostCrawford => "post-crawford",
            Self::Short => "short",
            Self::Long => "long",
        }
    }

    /// The region of a score by the points that both need.
    #[must_use]
    pub fn of(away: Option<(u16, u16)>, is_crawford: bool) -> Self {
        match away {
            None => Self::Money,
            Some((1, 1)) => Self::Dmp,
            Some(_) if is_crawford => Self::Crawford,
            Some((1, _) | (_, 1)) => Self::PostCrawford,
            Some((a, b)) if a.max(b) <= 5 => Self::Short,
            Some(_) => Self::Long,
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Money => "money",
            Self::Dmp => "DMP",
            Self::Crawford => "Crawford",
            Self::PostCrawford => "post-Crawford",
            Self::Short => "5-away or less",
            Self::Long => "more than 5-away",
        }
    }
}

/// Something that could be done.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanOption {
    /// Points that it gives away.
    pub cost: f64,
    /// What it does.
    pub habits: Vec<Habit>,
}

/// A decision that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanDecision {
    /// The kind of position.
    pub kind: PositionType,
    /// What it is about.
    pub class: Class,
    /// The score.
    pub region: ScoreRegion,
    /// What a point is worth: as a chance to win the match, or for money in points with the cube counted.
    pub point: f64,
    /// Points of performance rating for each point given away a decision, as its match has it.
    pub pr_factor: f64,
    /// What could be done.
    pub options: Vec<PlanOption>,
    /// Place of what was done.
    pub made: usize,
}

impl PlanDecision {
    /// Points that were given away.
    #[must_use]
    pub fn cost(&self) -> f64 {
        self.options
            .get(self.made)
            .map_or(0.0, |option| option.cost)
    }

    /// How likely the reference chooses each option.
    #[must_use]
    pub fn chances(&self, temperature: f64) -> Vec<f64> {
        let weight = |option: &PlanOption| exp(-option.cost / temperature);
        let weights: Vec<f64> = self.options.iter().map(weight).collect();
        let all: f64 = weights.iter().sum();
        weights
            .iter()
            .map(|weight| weight / all.max(1e-300))
            .collect()
    }

    /// Points that the reference gives away on average.
    #[must_use]
    pub fn expected(&self, temperature: f64) -> f64 {
        let chances = self.chances(temperature);
        let all = chances.iter().zip(&self.options);
        all.map(|(chance, option)| chance * option.cost).sum()
    }
}
