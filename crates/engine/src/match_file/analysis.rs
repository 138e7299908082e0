//! What another program found out about the decisions of a match, as its file tells: kept to be
//! shown beside our own figures.
//!
//! Programs disagree about names and units, so the figures are converted to ours. Chances are
//! cumulative, from 0 to 1, and of the player whose decision it is. An error is what was given
//! away, never negative. An equity is in points of the present cube, normalised to money play (EMG)
//! in a match. The exception are all figures of a [`CubeVerdict`] whose [`CubeVerdict::unit`] is a chance
//! to win the match. Turning one into the other takes a table of match equities, which this module does
//! not know.

use std::collections::BTreeMap;

use serde::Serialize;

use super::action::Action;
use super::place::EventPlace;
use crate::game::{Play, Position};

/// Most plays kept of one decision; the one that was made is always among them.
pub const MOST_PLAYS: usize = 32;

/// What a program made of one decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Analysis {
    /// The program, such as `eXtreme Gammon`.
    pub program: String,
    /// The plays it looked at, best first. Empty for a decision about the cube alone.
    pub plays: Vec<PlayVerdict>,
    /// Place of the play that was made among them.
    pub played: Option<usize>,
    /// Equity that the play made gave away.
    pub error: Option<f64>,
    /// Luck of the roll, in points.
    pub luck: Option<f64>,
    /// The decision about the cube: whether to double before the roll, or, at a double, take and
    /// pass, that it was right.
    pub cube: Option<CubeVerdict>,
    /// The analysis as the properties of an SGF node, escaped: to be written back as it was.
    pub(super) sgf: Option<Box<str>>,
}

/// What a program made of one play.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayVerdict {
    pub play: Play,
    /// How deep it looked, in its own words: `3-ply`, `XG Roller`, `rollout of 1296`.
    pub level: String,
    /// Its equity for the player who makes it.
    pub equity: f64,
    /// The chances behind it.
    pub chances: Option<Chances>,
}

/// What a program made of a decision about the cube, for the player who may double.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CubeVerdict {
    /// How deep it looked, in its own words.
    pub level: String,
    /// What the three figures and the two errors are.
    pub unit: CubeUnit,
    /// Without a double.
    pub no_double: Option<f64>,
    /// After a double and a take.
    pub double_take: Option<f64>,
    /// After a double and a pass.
    pub double_pass: Option<f64>,
    /// Chances before the roll, of the player who may double.
    pub chances: Option<Chances>,
    /// Given away by doubling or by not doubling.
    pub error: Option<f64>,
    /// Given away by the answer.
    pub answer_error: Option<f64>,
}

/// What a figure of the cube is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CubeUnit {
    /// Points of the present cube.
    #[default]
    Points,
    /// A chance to win the match.
    Mwc,
}

/// Cubeless chances, cumulative, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chances {
    pub win: f64,
    pub win_gammon: f64,
    pub win_backgammon: f64,
    pub lose_gammon: f64,
    pub lose_backgammon: f64,
}

impl Chances {
    /// The five in the order of the fields; `None` unless each is a chance.
    pub fn new(five: [f64; 5]) -> Option<Self> {
        // Rounded figures may stick out a little.
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

    /// These chances seen by the other player.
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
    /// What a program says of plays, best first.
    pub fn of(program: &str, plays: Vec<PlayVerdict>) -> Self {
        Self {
            program: program.to_owned(),
            plays,
            ..Self::default()
        }
    }

    /// Finds the play that leads from `position` to `after` (seen by the next player) among the
    /// plays, and what it gave away.
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
    /// Fills in what `action` gave away, where the three figures tell it. `beavers`: whether the rules allow
    /// them.
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
        let of = match action {
            Action::Take | Action::Pass | Action::Beaver { .. } => &mut self.answer_error,
            _ => &mut self.error,
        };
        *of = of.or(figures.error(action));
    }
}

/// The three figures of a decision about the cube in one unit, for the player who may double, and what
/// follows from them by the rules of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubeFigures {
    /// Without a double.
    pub no_double: f64,
    /// After a double and a take.
    pub take: f64,
    /// After a double and a pass.
    pub pass: f64,
    /// Whether a double may be beavered; only where the figures are points.
    pub beavers: bool,
}

/// What a double is worth to the doubler when it is beavered, where that is the answer: the rule allows it, and a take
/// leaves the doubler less than nothing. The unit is that of `take`, 0 being an even game.
pub fn beavered(take: f64, beavers: bool) -> Option<f64> {
    (beavers && take < 0.0).then_some(2.0 * take)
}

impl CubeFigures {
    /// What a double is worth to the doubler when it is answered best.
    pub fn doubled(&self) -> f64 {
        beavered(self.take, self.beavers).unwrap_or(self.take.min(self.pass))
    }

    /// What `action` gave away against the best one, never negative. A roll is the decision not to double.
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
    /// What was found for event `event` of game `game`, both places in the match's lists.
    pub fn of(&self, game: usize, event: usize) -> Option<&Analysis> {
        self.found.get(&(game, event))
    }

    /// Whether the file had none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// All, in order: game, event, and what was found.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &Analysis)> {
        self.found
            .iter()
            .map(|(&(game, event), a)| (game, event, a))
    }

    /// Adds what was found for an event.
    pub fn insert(&mut self, game: usize, event: usize, analysis: Analysis) {
        self.found.insert((game, event), analysis);
    }
}
