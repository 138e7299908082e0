//! Imported analyses: the results of other programs in the file, displayed next to Luckless's own figures.
//!
//! Programs differ in names and units, so the figures are converted. Probabilities are cumulative, from 0 to
//! 1, for the player to decide. An error is the equity lost, never negative. Equities are in points of the
//! present cube, normalised to money play (EMG) in a match. The exception is a [`CubeVerdict`] whose
//! [`CubeVerdict::unit`] is match winning chance: converting it needs a match equity table, which this module
//! does not have.

use std::collections::BTreeMap;

use serde::Serialize;

use super::action::Action;
use super::place::EventPlace;
use crate::game::{Play, Position};

/// Maximum number of plays kept for one decision. The play that was made is always kept.
pub const MOST_PLAYS: usize = 32;

/// The imported analysis of one decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    pub program: String,
    /// The analysed plays, best first. Empty for a pure cube decision.
    pub plays: Vec<PlayVerdict>,
    /// Index in `plays` of the play that was made.
    pub played: Option<usize>,
    /// Equity lost by the play that was made.
    pub error: Option<f64>,
    /// Luck of the roll, in points.
    pub luck: Option<f64>,
    /// The cube decision: whether to double before the roll, or, after a double, the analysis of the double
    /// and its answer.
    pub cube: Option<CubeVerdict>,
    /// The analysis as escaped properties of an SGF node, so that it can be written unchanged.
    pub(super) sgf: Option<Box<str>>,
}

/// The imported analysis of one play.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayVerdict {
    pub play: Play,
    /// Depth of the analysis in the program's words: `3-ply`, `XG Roller`, `rollout of 1296`.
    pub level: String,
    /// Equity for the player who makes the play.
    pub equity: f64,
    pub chances: Option<Chances>,
}

/// The imported analysis of a cube decision, for the player who may double.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CubeVerdict {
    /// Depth of the analysis in the program's words.
    pub level: String,
    /// Unit of the three figures and the two errors.
    pub unit: CubeUnit,
    /// Without a double.
    pub no_double: Option<f64>,
    /// After a double and a take.
    pub double_take: Option<f64>,
    /// After a double and a pass.
    pub double_pass: Option<f64>,
    /// Chances before the roll, of the player who may double.
    pub chances: Option<Chances>,
    /// Loss by doubling or not doubling.
    pub error: Option<f64>,
    /// Loss by the answer.
    pub answer_error: Option<f64>,
}

/// Unit of cube figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CubeUnit {
    /// Points of the present cube.
    #[default]
    Points,
    /// Match winning chance, from 0 to 1.
    Mwc,
}

/// Cubeless probabilities, cumulative, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chances {
    pub win: f64,
    pub win_gammon: f64,
    pub win_backgammon: f64,
    pub lose_gammon: f64,
    pub lose_backgammon: f64,
}

impl Chances {
    /// Creates the chances in the order of the fields; `None` unless each is a probability.
    pub fn new(five: [f64; 5]) -> Option<Self> {
        // Rounded figures may exceed the range slightly.
        let fits = five.iter().all(|p| (-0.001..=1.001).contains(p));
        let [
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        ] = five.map(|p| p.clamp(0.0, 1.0));
        fits.then_some(Self {
            win,
            win_gammon,
            win_backgammon,
            lose_gammon,
            lose_backgammon,
        })
    }

    /// Returns these chances for the other player.
    pub fn flipped(&self) -> Self {
        Self {
            win: 1.0 - self.win,
            win_gammon: self.lose_gammon,
            win_backgammon: self.lose_backgammon,
            lose_gammon: self.win_gammon,
            lose_backgammon: self.win_backgammon,
        }
    }
}

impl Analysis {
    /// Creates an analysis of plays, best first.
    pub fn of(program: &str, plays: Vec<PlayVerdict>) -> Self {
        Self {
            program: program.to_owned(),
            plays,
            ..Self::default()
        }
    }

    /// Finds the play from `position` to `after` (seen by the next player) among the plays, and sets its
    /// error.
    pub(super) fn mark_played(&mut self, position: &Position, after: &Position) {
        self.played = self
            .plays
            .iter()
            .position(|verdict| verdict.play.apply(position) == *after);
        if self.error.is_none()
            && let (Some(played), Some(best)) = (self.played, self.plays.first())
        {
            self.error = Some((best.equity - self.plays[played].equity).max(0.0));
        }
    }
}

impl CubeVerdict {
    /// Sets the error of `action` if the three figures determine it. `beavers`: whether the rules allow
    /// beavers.
    pub(super) fn note_error(&mut self, action: Action, beavers: bool) {
        let (Some(no_double), Some(take), Some(pass)) =
            (self.no_double, self.double_take, self.double_pass)
        else {
            return;
        };
        let figures = CubeFigures {
            no_double,
            take,
            pass,
            beavers,
        };
        let error = match action {
            Action::Take | Action::Pass | Action::Beaver { .. } => &mut self.answer_error,
            _ => &mut self.error,
        };
        *error = error.or(figures.error(action));
    }
}

/// The three equities of a cube decision in one unit, for the player who may double, and the consequences by
/// the rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeFigures {
    /// Without a double.
    pub no_double: f64,
    /// After a double and a take.
    pub take: f64,
    /// After a double and a pass.
    pub pass: f64,
    /// A double may be beavered; only with figures in points.
    pub beavers: bool,
}

/// Returns the equity of a beavered double for the doubler, if a beaver is the best answer: the rules allow
/// it and a take leaves the doubler below 0. Unit as `take`, with 0 an even game.
pub fn beavered(take: f64, beavers: bool) -> Option<f64> {
    (beavers && take < 0.0).then_some(2.0 * take)
}

impl CubeFigures {
    /// Returns the equity of doubling, for the doubler, if the opponent answers best.
    pub fn doubled(&self) -> f64 {
        beavered(self.take, self.beavers).unwrap_or(self.take.min(self.pass))
    }

    /// Returns the loss of `action` against the best one, never negative. A roll counts as no double.
    pub fn error(&self, action: Action) -> Option<f64> {
        let doubled = self.doubled();
        let best = self.no_double.max(doubled);
        let lost = match action {
            Action::Move { .. } | Action::Hidden { .. } | Action::Illegal { .. } => {
                best - self.no_double
            }
            Action::Double { .. } => best - doubled,
            Action::Take => self.take - doubled,
            Action::Pass => self.pass - doubled,
            Action::Beaver { .. } => 2.0 * self.take - doubled,
            Action::Resign => return None,
        };
        Some(lost.max(0.0))
    }
}

/// The analyses of a match, by game and event.
#[derive(Clone, Debug, Default)]
pub struct Analyses {
    found: BTreeMap<EventPlace, Analysis>,
}

impl Analyses {
    /// Returns the analysis of an event, by its indices in the match and the game.
    pub fn of(&self, game: usize, event: usize) -> Option<&Analysis> {
        self.found.get(&(game, event))
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Iterates in order over game index, event index and analysis.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &Analysis)> {
        self.found
            .iter()
            .map(|(&(game, event), a)| (game, event, a))
    }

    pub fn insert(&mut self, game: usize, event: usize, analysis: Analysis) {
        self.found.insert((game, event), analysis);
    }
}
