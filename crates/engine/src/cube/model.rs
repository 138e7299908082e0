//! What cubeful values are made with besides the chances: a match equity table, cube efficiency,
//! exact bearoffs.

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

/// Which share of what is still open the next roll decides, and the next two, in a race of a match.
/// It is all of it where the last roll is due, and 0 with contact and in money play, where it is
/// not used.
#[inline]
pub fn resolved(context: &CubeContext, position: &Position) -> [f32; 2] {
    if context.is_money() || !position.is_race() {
        return [0.0; 2];
    }
    let bearoff = Bearoff::embedded();
    let rolls = |side: &Side| match bearoff.mean_rolls(side) {
        Some(mean) => mean,
        // A roll is 49/6 pips, and some are wasted in the end.
        None => (side.pips() as f32 + 7.0) * 6.0 / 49.0,
    };
    // Where either side has one roll left, the roll that comes now is the last that decides anything.
    let turns = 2.0 * rolls(&position.mover).min(rolls(&position.opponent)) - 1.0;
    // The power is fitted to the exact values of five and six checkers a side (`docs/methods/cube.md`).
    [1.0, 2.0].map(|n: f32| {
        let share = (n / turns).min(1.0);
        share * share.sqrt()
    })
}

/// What cubeful values are made with. Made once, shared by all threads.
#[derive(Clone, Debug)]
pub struct Model {
    /// Match equities.
    pub table: Arc<EquityTable>,
    /// Cube efficiency.
    pub efficiency: Efficiency,
    /// Exact cubeful bearoffs of money play that were computed before, if there is such a table. Those
    /// of up to six checkers a side are known without.
    pub bearoff: Option<Arc<TwoSided>>,
}

impl Default for Model {
    /// The table in the program, and no file of bearoffs.
    fn default() -> Self {
        Self {
            table: Arc::new(EquityTable::standard().clone()),
            efficiency: Efficiency::default(),
            bearoff: None,
        }
    }
}

impl Model {
    /// The model without any file: the same everywhere.
    pub fn standard() -> &'static Self {
        &STANDARD
    }

    /// What the game of `state` is played for, seen by its player on roll.
    pub fn context(&self, state: &GameState) -> CubeContext {
        CubeContext::new(&state.score, state.rules, &self.table)
    }

    /// What the game of `state` is played for, seen by the player on roll, and by the other.
    pub fn contexts(&self, state: &GameState) -> [CubeContext; 2] {
        let context = self.context(state);
        [context, context.flipped()]
    }

    /// What each cube action is worth in `position`, without looking ahead: exact if it can be,
    /// else from `chances`.
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

    /// What `position` is worth to the player on roll before the decision to double, without looking
    /// ahead: the best of [`Model::values`].
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

    /// The values of every cube from `lowest` up by the model, whether or not they are known exactly.
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

    /// The cube decision of the player on roll of `state`, before the roll, from the cubeless
    /// chances of its position. A double already offered (`state.doubled`) is not this decision:
    /// ask for it from the doubler's side.
    pub fn decision(&self, state: &GameState, chances: &Probabilities) -> CubeDecision {
        let context = self.context(state);
        let cube = Cube::of(state);
        let values = self.values(&context, cube, &state.position, chances);
        CubeDecision::new(&context, cube, &values)
    }

    /// The values of `position` at every cube, where they are known without error: in a bearoff of
    /// few checkers, at any score. See [`bearoff`].
    #[inline]
    pub fn exact(&self, context: &CubeContext, position: &Position) -> Option<Exact> {
        Exact::of(context, position, self.bearoff.as_deref())
    }

    /// Whether the value of the player on roll in `state` is known without error.
    pub fn is_exact(&self, state: &GameState) -> bool {
        let exact = self.exact(&self.context(state), &state.position);
        exact.is_some_and(|exact| exact.covers(Cube::of(state)))
    }

    /// Whether [`Model::exact`] answers without waiting for a table. If not, a thread begins to compute
    /// it: for callers that must not wait, such as a screen.
    pub fn at_hand(&self, state: &GameState) -> bool {
        bearoff::at_hand(
            &self.context(state),
            &state.position,
            self.bearoff.as_deref(),
        )
    }
}
