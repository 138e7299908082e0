//! The shared data of cubeful values: a match equity table, cube efficiency, exact bearoffs.

use std::sync::{Arc, LazyLock};

use super::bearoff::{self, Exact};
use super::context::{Cube, CubeContext};
use super::cubeful_values::{CubeActionValues, CubefulValues};
use super::decision::CubeDecision;
use super::efficiency::Efficiency;
use super::equity_table::EquityTable;
use crate::eval::Probabilities;
use crate::eval::bearoff::Bearoff;
use crate::eval::bearoff::two_sided::TwoSided;
use crate::game::{GameState, Position, Side};

static STANDARD: LazyLock<Model> = LazyLock::new(Model::default);

/// Returns the fractions of the open game that the next roll, and the next two, decide in a race of a match.
/// They are 1 on the last roll, and 0 with contact and in money play, where they are not used.
#[inline]
pub fn resolved(context: &CubeContext, position: &Position) -> [f32; 2] {
    if context.is_money() || !position.is_race() {
        return [0.0; 2];
    }
    let bearoff = Bearoff::embedded();
    let rolls = |side: &Side| match bearoff.mean_rolls(side) {
        Some(mean) => mean,
        // A roll has 49/6 pips; add the pips wasted in the bearoff.
        None => (side.pips() as f32 + 7.0) * 6.0 / 49.0,
    };
    // If either side has one roll left, the next roll is the last that matters.
    let turns = 2.0 * rolls(&position.mover).min(rolls(&position.opponent)) - 1.0;
    // The exponent is fitted to the exact values of five and six checkers per side (`docs/methods/cube.md`).
    [1.0, 2.0].map(|n: f32| {
        let share = (n / turns).min(1.0);
        share * share.sqrt()
    })
}

/// The shared data of cubeful values. Created once and shared by all threads.
#[derive(Clone, Debug)]
pub struct Model {
    pub table: Arc<EquityTable>,
    pub efficiency: Efficiency,
    /// A precomputed table of exact cubeful bearoffs in money play, if there is one. Up to six checkers per
    /// side are exact without it.
    pub bearoff: Option<Arc<TwoSided>>,
}

impl Default for Model {
    /// The model with the embedded table, without a file of bearoffs.
    fn default() -> Self {
        Self {
            table: Arc::new(EquityTable::standard().clone()),
            efficiency: Efficiency::default(),
            bearoff: None,
        }
    }
}

impl Model {
    /// Returns the model without any file, which is the same everywhere.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    /// Returns the context of the game of `state`, seen by its player on roll.
    pub fn context(&self, state: &GameState) -> CubeContext {
        CubeContext::new(&state.score, state.rules, &self.table)
    }

    /// Returns the context of the game of `state`, seen by the player on roll and by the opponent.
    pub fn contexts(&self, state: &GameState) -> [CubeContext; 2] {
        let context = self.context(state);
        [context, context.flipped()]
    }

    /// Returns the value of each cube action in `position` without lookahead: exact if possible, else from
    /// `chances`.
    pub fn values(
        &self,
        context: &CubeContext,
        cube: Cube,
        position: &Position,
        chances: &Probabilities,
    ) -> CubeActionValues {
        let exact = self.exact(context, position);
        if let Some(values) = exact.and_then(|exact| exact.values(context, cube)) {
            return values;
        }
        self.cubeful_values(context, position, chances, cube.level)
            .values(cube)
    }

    /// Returns the value of `position` for the player on roll before the doubling decision, without
    /// lookahead: the best of [`Model::values`].
    pub fn best(
        &self,
        context: &CubeContext,
        cube: Cube,
        position: &Position,
        chances: &Probabilities,
    ) -> f32 {
        let exact = self.exact(context, position);
        exact
            .and_then(|exact| exact.best(context, cube))
            .unwrap_or_else(|| {
                self.cubeful_values(context, position, chances, cube.level)
                    .best(cube)
            })
    }

    /// Returns the values of every cube from `lowest` up by the model, even if exact values are known.
    #[inline]
    pub fn cubeful_values<'a>(
        &self,
        context: &'a CubeContext,
        position: &Position,
        chances: &Probabilities,
        lowest: u8,
    ) -> CubefulValues<'a> {
        let efficiencies = self.efficiency.of(position, chances, context.has_jacoby());
        let values = context.cubeful_values(chances, efficiencies, lowest);
        values.resolving(resolved(context, position))
    }

    /// Returns the cube decision of the player on roll of `state`, before the roll, from the cubeless chances
    /// of its position. For a pending double (`state.doubled`), pass the state of the doubler instead.
    pub fn decision(&self, state: &GameState, chances: &Probabilities) -> CubeDecision {
        let context = self.context(state);
        let cube = Cube::of(state);
        let values = self.values(&context, cube, &state.position, chances);
        CubeDecision::new(&context, cube, &values)
    }

    /// Returns the exact values of `position` at every cube, if known: in a bearoff of few checkers, at any
    /// score. See [`bearoff`].
    #[inline]
    pub fn exact(&self, context: &CubeContext, position: &Position) -> Option<Exact> {
        Exact::of(context, position, self.bearoff.as_deref())
    }

    /// Returns whether the value of the player on roll in `state` is known exactly.
    pub fn is_exact(&self, state: &GameState) -> bool {
        let exact = self.exact(&self.context(state), &state.position);
        exact.is_some_and(|exact| exact.covers(Cube::of(state)))
    }

    /// Returns whether [`Model::exact`] returns without waiting for a table. If not, a thread starts to
    /// compute the table: for callers that must not wait, such as a screen.
    pub fn at_hand(&self, state: &GameState) -> bool {
        bearoff::at_hand(
            &self.context(state),
            &state.position,
            self.bearoff.as_deref(),
        )
    }
}
