//! The decisions of one turn, each with what it gave away and in which ratings it counts.
//!
//! Programs agree on what an error is and disagree on what a decision is. Two profiles are kept side
//! by side, with their names; sources in `docs/methods/review-statistics.md`.

use serde::{Deserialize, Serialize};

use super::TurnReview;
use super::cube::CubeReview;
use crate::cube::CubeChoice;
use crate::game::GameState;

/// Plays that differ by less, in points, are no choice: eXtreme Gammon leaves such turns out.
const ALIKE: f32 = 0.001;
/// GNU Backgammon counts a silent cube decision if a double would have lost less than this.
const NEAR_DOUBLE: f32 = 0.16;

/// Returns whether plays of these equities, in points, are a choice by PR's rule.
pub fn differ(equities: impl IntoIterator<Item = f64>) -> bool {
    let widened = |[low, high]: [f64; 2], equity: f64| [low.min(equity), high.max(equity)];
    let [low, high] = equities.into_iter().fold([f64::MAX, f64::MIN], widened);
    high - low > f64::from(ALIKE)
}

/// Kind of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A play.
    Checker,
    /// To double, or to roll where one might have doubled.
    Double,
    /// To take, pass or beaver.
    Take,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 3] = [Self::Checker, Self::Double, Self::Take];

    /// Name of the class in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checker => "checker play",
            Self::Double => "doubling",
            Self::Take => "taking",
        }
    }

    /// Its word in a filter of the library.
    pub fn filter(self) -> &'static str {
        match self {
            Self::Checker => "checker",
            Self::Double => "double",
            Self::Take => "take",
        }
    }

    /// Returns the kind of decision that a state requires.
    /// With dice it is a play, with a pending double its answer, otherwise whether to double.
    pub fn of_state(state: &GameState) -> Self {
        match (state.roll, state.doubled) {
            (Some(_), _) => Self::Checker,
            (None, true) => Self::Take,
            (None, false) => Self::Double,
        }
    }

    /// The class of the decision in which this cube choice is made.
    pub fn of_choice(choice: CubeChoice) -> Self {
        match choice {
            CubeChoice::NoDouble | CubeChoice::Double => Self::Double,
            CubeChoice::Take | CubeChoice::Pass | CubeChoice::Beaver => Self::Take,
        }
    }
}

/// Which classes of decisions are wanted, where not all are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassFilter {
    /// Plays.
    Checker,
    /// All about the cube: doubling and taking.
    Cube,
    Double,
    /// The answers to a double.
    Take,
}

impl ClassFilter {
    /// Returns whether decisions of a class are selected.
    pub fn admits(self, class: Class) -> bool {
        match self {
            Self::Checker => class == Class::Checker,
            Self::Cube => class != Class::Checker,
            Self::Double => class == Class::Double,
            Self::Take => class == Class::Take,
        }
    }

    /// Name of the classes in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checker => Class::Checker.name(),
            Self::Cube => "cube decisions",
            Self::Double => Class::Double.name(),
            Self::Take => Class::Take.name(),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DecisionCost {
    pub class: Class,
    /// Points given away, normalised to the cube, never negative.
    pub error: f32,
    /// The player had a choice.
    pub unforced: bool,
    /// The decision counts in eXtreme Gammon's performance rating.
    pub in_pr: bool,
    /// The decision counts in GNU Backgammon's error rate.
    pub in_gnubg: bool,
}

impl TurnReview {
    /// The decisions of the turn: a play, something about the cube, or first the one about the cube
    /// and then the play.
    pub fn decision_costs(&self) -> impl Iterator<Item = DecisionCost> {
        let cube = self.cube.as_ref().and_then(of_cube);
        let play = self
            .error
            .filter(|_| !self.candidates.is_empty())
            .map(|error| self.of_play(error));
        cube.into_iter().chain(play)
    }

    fn of_play(&self, error: f32) -> DecisionCost {
        let unforced = !self.is_forced();
        let equities = self.candidates.iter().map(|c| f64::from(c.equity));
        DecisionCost {
            class: Class::Checker,
            error,
            unforced,
            in_pr: unforced && differ(equities),
            in_gnubg: unforced,
        }
    }
}

fn of_cube(cube: &CubeReview) -> Option<DecisionCost> {
    let (choice, error) = (cube.choice?, cube.error?);
    let silent = choice == CubeChoice::NoDouble;
    let near = |reach: f32| error > 0.0 || cube.decision.gain().is_some_and(|gain| gain > -reach);
    let counts = cube.counts();
    Some(DecisionCost {
        class: Class::of_choice(choice),
        error,
        unforced: counts,
        in_pr: counts,
        in_gnubg: !silent || near(NEAR_DOUBLE),
    })
}
