//! Trials with a live cube: what the cube stands at, who may turn it, what it makes of a result.
//!
//! Both players decide about the cube before each roll, by the values of [`crate::cube`] at the plies of
//! the rollout. A double that is passed ends the trial, one that is taken turns the cube. All values are
//! points with the cube in money play and match-winning chances (MWC) in a match. Results are in points on
//! the cube with which the rollout began, in a match normalised to them, for the player who made the
//! candidate play.
//!
//! *Luck* is the cubeful value after the roll, the opponent then deciding about the cube, less its
//! mean over the rolls. It is a function of position, cube and roll, so subtracting it shifts
//! nothing, however wrong it is. A turn of the cube is a decision and has no luck.
//!
//! *The cap.* Nobody turns a cube that stands at the cap. It keeps a rollout of two players who
//! redouble at every turn from hanging and from results without bound; far above the cubes that
//! come up it changes nothing.

use super::luck::{self, Range};
use super::seats;
use super::trial_rolls::TrialRolls;
use crate::cube::{Cube, CubeActionValues, CubeContext, Exact, Model, model};
use crate::eval::Probabilities;
use crate::game::roll::{self, DISTINCT};
use crate::game::{GameState, Position};
use crate::rollout::request::cube_settings::{CubeSettings, FAR_BELOW};
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;

/// How a cubeful trial ended.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct CubeEnd {
    /// The result for the player who made the candidate play, in points on the cube before the
    /// rollout, normalised in a match.
    pub result: f64,
    /// The luck in it, of the same player and in the same points.
    pub luck: f64,
    /// The cube at the end is 2 to this power.
    pub level: u8,
    /// A pass ended the game.
    pub passed: bool,
}

/// The chance to win the match as a function of points on the present cube.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MwcLine {
    /// The chance at 0 points.
    pub zero: f64,
    /// Chance per point.
    pub point: f64,
}

impl MwcLine {
    /// The chance at so many points.
    pub fn at(self, points: f64) -> f64 {
        self.zero + self.point * points
    }

    /// The other player's.
    pub fn flipped(self) -> Self {
        Self {
            zero: 1.0 - self.zero,
            ..self
        }
    }
}

/// Rules of the cube in a rollout.
#[derive(Clone, Copy)]
pub(crate) struct CubeRules<'a> {
    pub(crate) model: &'a Model,
    /// Seen by the player on roll when trials begin, and by the one who made the candidate play.
    contexts: [CubeContext; 2],
    pub(super) settings: CubeSettings,
    start: Cube,
    cap: u8,
    /// Points for a unit of value (MWC or points).
    slope: f64,
}

/// The mean of what each of the 21 rolls is worth.
pub(super) fn mean_value(values: [f64; DISTINCT]) -> f32 {
    let [mean] = roll::mean(values.map(|value| [value]));
    mean as f32
}

impl<'a> CubeRules<'a> {
    /// The rules of the cube of a rollout; `None` in a cubeless one.
    pub(crate) fn new(setup: &'a Setup, settings: &Settings) -> Option<Self> {
        let cubeful = settings.cube?;
        let model = setup.model();
        let contexts = model.contexts(&cubeful.state(Position::opening()));
        let start = cubeful.cube();
        let spread = |points| f64::from(contexts[0].from_points(start.level, points));
        let point = spread(1.0) - spread(0.0);
        Some(Self {
            model,
            contexts,
            settings: cubeful,
            start,
            cap: cubeful.cap.ilog2() as u8,
            slope: if point > 0.0 { 1.0 / point } else { 0.0 },
        })
    }

    /// The cube of a candidate when its trials begin, and whether that turn's decision has been made.
    pub(crate) fn start(&self, candidate: usize) -> (Cube, bool) {
        let decision = self.settings.decision;
        if decision && candidate == 1 {
            (self.start.doubled(), true)
        } else {
            (self.start, decision)
        }
    }

    /// The game as the player on roll sees it; `own` says whether that is the one who made the
    /// candidate play.
    #[inline]
    pub(crate) fn context(&self, own: bool) -> &CubeContext {
        &self.contexts[seats::side(own)]
    }

    pub(crate) fn is_money(&self) -> bool {
        self.contexts[0].is_money()
    }

    /// Returns whether this is a match in which nobody ever wants to double at the cap.
    pub(super) fn is_match_below_cap(&self) -> bool {
        !self.is_money() && self.cap >= self.contexts[0].top()
    }

    /// The game as both players see it: the opponent of the one who made the candidate play, and that one.
    pub(super) fn contexts(&self) -> [CubeContext; 2] {
        self.contexts
    }

    pub(super) fn cap(&self) -> u8 {
        self.cap
    }

    /// A value (MWC or points) for the player on roll, in points for the one who made the candidate play.
    #[inline]
    pub(crate) fn points(&self, own: bool, value: f32) -> f64 {
        let points = f64::from(self.context(own).to_points(self.start.level, value));
        if own { points } else { -points }
    }

    /// The most points that a trial can be worth to either side.
    pub(crate) fn most_points(&self) -> f64 {
        if self.is_money() {
            return 3.0 * f64::from(self.settings.cap) / f64::from(self.settings.cube);
        }
        let ends = [0.0, 1.0].map(|mwc| self.points(true, mwc).abs());
        // A normalised match equity is at least that of the present cube.
        ends[0].max(ends[1]).max(1.0) * (1.0 + 1e-6)
    }

    /// The match-winning chance of the player who made the candidate play at 0 points, and what a
    /// point adds.
    pub(crate) fn mwc(&self) -> Option<MwcLine> {
        let at = |points| f64::from(self.contexts[1].from_points(self.start.level, points));
        (!self.is_money()).then(|| MwcLine {
            zero: at(0.0),
            point: at(1.0) - at(0.0),
        })
    }

    /// Returns whether the player on roll may double, below the cap.
    #[inline]
    pub(crate) fn may_double(&self, own: bool, cube: Cube) -> bool {
        cube.level < self.cap && self.context(own).may_double(cube)
    }

    /// Returns whether no player can ever double again.
    #[inline]
    fn is_dead(&self, own: bool, cube: Cube) -> bool {
        !self.may_double(own, cube) && !self.may_double(!own, cube.flipped())
    }

    /// The value (MWC or points) for the player on roll where it is known without error; `chances` gives
    /// exact chances, if there are any.
    pub(crate) fn known(
        &self,
        own: bool,
        cube: Cube,
        decided: bool,
        position: &Position,
        chances: impl FnOnce() -> Option<Probabilities>,
    ) -> Option<f32> {
        let context = self.context(own);
        if let Some(points) = position.points() {
            return Some(context.result(cube, points));
        }
        if self.is_dead(own, cube)
            && let Some(chances) = chances()
        {
            return Some(context.dead(cube, &chances));
        }
        let exact = self.exact(context, cube, position)?;
        if decided {
            exact.no_double(context, cube)
        } else {
            exact.best(context, cube)
        }
    }

    /// The exact values of a bearoff, where the cap does not matter.
    #[inline]
    fn exact(&self, context: &CubeContext, cube: Cube, position: &Position) -> Option<Exact> {
        let capped = if self.is_money() {
            cube.level + FAR_BELOW > self.cap
        } else {
            self.cap < context.top()
        };
        if capped {
            return None;
        }
        self.model.exact(context, position)
    }

    /// Returns whether the value at `cube` is known without error.
    pub(super) fn is_exact(&self, own: bool, cube: Cube, position: &Position) -> bool {
        let exact = self.exact(self.context(own), cube, position);
        exact.is_some_and(|exact| exact.covers(cube))
    }

    /// Returns the value of each cube action to the player on roll (MWC or points), from the 21 rolls.
    /// The table keeps the value of each roll.
    pub(super) fn value_table(
        &self,
        own: bool,
        cube: Cube,
        table: &mut TrialRolls,
    ) -> CubeActionValues {
        let after = |at| self.after_rolls(own, at, &table.results, &table.values);
        let may_double = self.may_double(own, cube);
        let doubled = may_double.then(|| after(cube.doubled()));
        let values = [after(cube), doubled.unwrap_or([0.0; DISTINCT])];
        table.keep_values(cube, values);
        let [no_double, double_take] = values.map(mean_value);
        let double_take = may_double.then_some(double_take);
        CubeActionValues::new(self.context(own), cube, no_double, double_take)
    }

    /// The chances of the player on roll where the exact values of a bearoff say them.
    pub(crate) fn exact_chances(&self, own: bool, position: &Position) -> Option<Probabilities> {
        let exact = self.model.exact(self.context(own), position)?;
        Some(Probabilities {
            win: exact.win(),
            ..Probabilities::default()
        })
    }

    /// Returns the value of each cube action to the player on roll (MWC or points), from the chances.
    pub(super) fn values(
        &self,
        own: bool,
        cube: Cube,
        position: &Position,
        chances: &Probabilities,
    ) -> CubeActionValues {
        let mut values = self
            .model
            .values(self.context(own), cube, position, chances);
        if cube.level >= self.cap {
            values.double_take = None;
        }
        values
    }

    /// The value (MWC or points) for the player on roll, who may double first.
    pub(in crate::rollout) fn deciding(
        &self,
        own: bool,
        cube: Cube,
        position: &Position,
        chances: &Probabilities,
    ) -> f32 {
        let context = self.context(own);
        if let Some(points) = position.points() {
            context.result(cube, points)
        } else if let Some(value) = self
            .exact(context, cube, position)
            .and_then(|exact| exact.best(context, cube))
        {
            value
        } else if self.is_dead(own, cube) {
            context.dead(cube, chances)
        } else {
            self.model.best(context, cube, position, chances)
        }
    }

    /// The values (MWC or points) for the player on roll after each of the 21 rolls, the cube where it is,
    /// from the positions and the chances of the roller after them.
    pub(super) fn after_rolls(
        &self,
        own: bool,
        cube: Cube,
        results: &[Position; DISTINCT],
        chances: &[Probabilities; DISTINCT],
    ) -> [f64; DISTINCT] {
        let context = self.context(own);
        std::array::from_fn(|r| {
            let theirs = self.deciding(!own, cube.flipped(), &results[r], &chances[r].flipped());
            f64::from(context.flip(theirs))
        })
    }

    /// The values (MWC or points) for the player on roll after each of the 21 rolls, the cube where it is,
    /// from a prediction made before the roll: the chances of the position, to which each roll adds what it
    /// is worth more than the mean.
    pub(super) fn after_guess(
        &self,
        own: bool,
        cube: Cube,
        position: &Position,
        chances: &Probabilities,
        guess: &[Probabilities; DISTINCT],
        range: Range,
    ) -> [f64; DISTINCT] {
        let context = self.context(own);
        let other = self.context(!own);
        let mean = luck::mean(guess, range);
        let base = chances.to_array();
        let dead_cube = self.is_dead(own, cube);
        let efficiency = &self.model.efficiency;
        let efficiencies = efficiency
            .of(position, chances, other.has_jacoby())
            .flipped();
        let resolved = model::resolved(other, &position.flipped());
        std::array::from_fn(|r| {
            let gained = guess[r].to_array();
            let after =
                std::array::from_fn(|i| (base[i] + gained[i] - mean[i] as f32).clamp(0.0, 1.0));
            let after = Probabilities::from_array(after);
            let value = if dead_cube {
                context.dead(cube, &after)
            } else {
                let cubeful = other.cubeful_values(&after.flipped(), efficiencies, cube.level);
                context.flip(cubeful.resolving(resolved).best(cube.flipped()))
            };
            f64::from(value)
        })
    }

    /// A difference of values (MWC or points) for the player on roll, in points for the one who made the
    /// candidate play.
    #[inline]
    pub(crate) fn difference(&self, own: bool, value: f64) -> f64 {
        if own {
            self.slope * value
        } else {
            -self.slope * value
        }
    }

    /// The state of a game under way, for its player on roll.
    pub(crate) fn state(&self, own: bool, cube: Cube, position: Position) -> GameState {
        let state = self.settings.state(position);
        GameState {
            cube: 1 << cube.level.min(31),
            owner: cube.owner,
            score: if own {
                state.score.flipped()
            } else {
                state.score
            },
            ..state
        }
    }
}
