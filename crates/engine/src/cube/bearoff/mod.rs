//! Exact cubeful values of bearoffs: in money play and at every score of matches up to 64 points, for up to
//! six checkers per side.
//!
//! Both sides have all checkers at home and have borne one off, so gammons are impossible. A backward
//! induction over the pairs of boards gives every value, with the best plays and cube actions by both sides
//! for each state of the cube. Money play needs one table, which [`TwoSided`] computes and may store in a
//! file. At a score the values depend on those of single games there ([`Terms`](super::terms::Terms)). Such a
//! table is computed on first use and cached while there is room (`held.rs`). Tables for four checkers per
//! side are computed first, in milliseconds, and those for six only if a position needs them; at a score only
//! for the boards needed ([`BoardSet`]). Results never depend on the cache.
//!
//! A caller that must not wait calls [`Model::at_hand`](super::Model::at_hand) first, which starts a thread
//! to compute a missing table.

mod held;
mod score;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};

use super::context::{Cube, CubeContext};
use super::cubeful_values::CubeActionValues;
use crate::eval::bearoff::Pair;
use crate::eval::bearoff::board_set::{BoardSet, FEW};
use crate::eval::bearoff::two_sided::{TwoSided, USUAL};
use crate::game::{CubeOwner, Position};

use self::score::{AtScore, Lane};

/// The exact values of one position. See the [module](self).
#[derive(Clone, Debug)]
pub struct Exact {
    pair: Pair,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    /// The winning chance of the player on roll, and the equities per unit of cube with an owned, a centred
    /// and an opponent's cube, without a double in this turn.
    Money([f32; 4]),
    /// The winning chance, if nobody may double.
    Dead(f32),
    /// A table at the score, and the index of the player on roll.
    Score(Arc<AtScore>, usize),
}

impl Exact {
    /// Returns the values of `position`, or `None` if it is not a bearoff of few checkers. `kept`: the stored
    /// table of money play, if there is one.
    #[inline]
    pub(super) fn of(
        context: &CubeContext,
        position: &Position,
        kept: Option<&TwoSided>,
    ) -> Option<Self> {
        let most = kept.map_or(USUAL, |table| table.checkers().max(USUAL));
        let pair = Pair::of(position, most)?;
        Self::of_pair(context, pair, kept)
    }

    fn of_pair(context: &CubeContext, pair: Pair, kept: Option<&TwoSided>) -> Option<Self> {
        let source = match context.terms() {
            None if context.is_money() => Source::Money(money(pair, kept)?),
            None => return None,
            Some(terms) if terms.is_dead() => Source::Dead(money(pair, kept)?[0]),
            Some(terms) => Source::Score(held::at(terms, BoardSet::of(pair)?), terms.side()),
        };
        Some(Self { pair, source })
    }

    /// Returns the winning chance of the player on roll, if both players maximise it.
    pub fn win(&self) -> f32 {
        match &self.source {
            Source::Money([win, ..]) | Source::Dead(win) => *win,
            Source::Score(table, side) => table.win(*side, self.pair),
        }
    }

    /// Returns whether the values at `cube` are known. In a match a centred cube must be at 1, and an owned
    /// one above 1.
    pub fn covers(&self, cube: Cube) -> bool {
        match &self.source {
            Source::Money(_) | Source::Dead(_) => true,
            Source::Score(table, _) => table.lane(cube).is_some(),
        }
    }

    /// Returns the value (MWC or points) for the player on roll at `cube` without a double in this turn, if
    /// the cube is [covered](Self::covers).
    pub fn no_double(&self, context: &CubeContext, cube: Cube) -> Option<f32> {
        Some(match &self.source {
            Source::Money([_, mine, centred, theirs]) => {
                let points = match cube.owner {
                    CubeOwner::Mover => mine,
                    CubeOwner::Centred => centred,
                    CubeOwner::Opponent => theirs,
                };
                context.from_points(cube.level, *points)
            }
            Source::Dead(win) => context.from_points(cube.level, 2.0 * win - 1.0),
            Source::Score(table, side) => table.no_double(*side, self.pair, table.lane(cube)?),
        })
    }

    /// Returns the value of each cube action for the player on roll, if the cube is [covered](Self::covers).
    pub fn values(&self, context: &CubeContext, cube: Cube) -> Option<CubeActionValues> {
        let double_take = match context.may_double(cube) {
            true => Some(self.no_double(context, cube.doubled())?),
            false => None,
        };
        let no_double = self.no_double(context, cube)?;
        Some(CubeActionValues::new(context, cube, no_double, double_take))
    }

    /// Returns the value (MWC or points) for the player on roll with the best cube action by both, if the
    /// cube is [covered](Self::covers).
    pub fn best(&self, context: &CubeContext, cube: Cube) -> Option<f32> {
        match &self.source {
            Source::Score(table, side) => {
                let lane: Lane = table.lane(cube)?;
                Some(table.best(*side, self.pair, lane))
            }
            _ => self.values(context, cube).map(|values| values.best()),
        }
    }
}

/// Returns whether the values of `position` are known without waiting for a table. If not, starts a thread to
/// compute it.
pub(super) fn at_hand(context: &CubeContext, position: &Position, kept: Option<&TwoSided>) -> bool {
    static MONEY_BEGUN: AtomicBool = AtomicBool::new(false);
    let Some(pair) = Pair::of(position, USUAL) else {
        return true;
    };
    match context.terms() {
        None if !context.is_money() => true,
        Some(terms) if !terms.is_dead() => {
            let Some(boards) = BoardSet::of(pair).filter(|boards| !boards.is_quick()) else {
                return true;
            };
            let table = held::at(terms, boards);
            if !table.is_computed() && table.begin() {
                let table = Arc::clone(&table);
                in_background(move || _ = table.table());
            }
            table.is_computed()
        }
        _ if pair.checkers() <= FEW => true,
        _ if kept.is_some_and(|table| pair.checkers() <= table.checkers()) => true,
        _ => {
            if LARGE.get().is_none() && !MONEY_BEGUN.swap(true, Ordering::Relaxed) {
                in_background(|| _ = large());
            }
            LARGE.get().is_some()
        }
    }
}

/// Runs `work` on a new thread, or on this one if no thread can be started.
fn in_background(work: impl Fn() + Clone + Send + 'static) {
    let name = "bearoff".to_owned();
    let begun = std::thread::Builder::new().name(name).spawn(work.clone());
    if begun.is_err() {
        work();
    }
}

static LARGE: OnceLock<Option<TwoSided>> = OnceLock::new();

fn large() -> Option<&'static TwoSided> {
    let table = LARGE.get_or_init(|| TwoSided::compute(USUAL, &mut |_| true));
    table.as_ref()
}

/// Returns the winning chance and the equities of money play, from the stored table if it contains the pair,
/// otherwise from a computed table.
fn money(pair: Pair, kept: Option<&TwoSided>) -> Option<[f32; 4]> {
    static SMALL: LazyLock<Option<TwoSided>> =
        LazyLock::new(|| TwoSided::compute(FEW, &mut |_| true));
    let table = match kept.filter(|table| pair.checkers() <= table.checkers()) {
        Some(table) => table,
        None if pair.checkers() <= FEW => SMALL.as_ref()?,
        None if pair.checkers() <= USUAL => large()?,
        None => return None,
    };
    Some(table.at(pair))
}
