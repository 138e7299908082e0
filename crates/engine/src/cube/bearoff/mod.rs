//! Exact cubeful values of bearoffs: in money play and at every score of matches up to 64 points, for
//! up to six checkers a side.
//!
//! Both sides have all their checkers at home and have borne one off, so no gammon can be lost. A
//! backward induction over the pairs of boards gives every value. Both sides make the best plays and
//! the best cube actions, for each state of the cube by itself. In money play one table serves, which
//! [`TwoSided`] computes and may keep in a file. At a score the values depend on what single games
//! are worth there ([`Terms`](super::terms::Terms)). Such a table is computed on first use and held
//! while there is room (`held.rs`). Both are computed for four checkers a side first, in milliseconds, and
//! for six only where a position needs that; at a score for no more boards than it needs ([`BoardSet`]).
//! What is answered never depends on what is held.
//!
//! A caller that must not wait asks [`Model::at_hand`](super::Model::at_hand) first, which lets a
//! thread compute what is not there.

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
    /// The chance to win of the player on roll, and the equities per unit of a cube that is theirs,
    /// centred and the other's, without a double in this turn.
    Money([f32; 4]),
    /// The chance to win where nobody may double.
    Dead(f32),
    /// A table at the score, and which of its two players is on roll.
    Score(Arc<AtScore>, usize),
}

impl Exact {
    /// The values of `position`, or `None` if it is no bearoff of few checkers. `kept` is the table
    /// of money play, if one is kept.
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

    /// The chance to win of the player on roll, both playing for nothing else.
    pub fn win(&self) -> f32 {
        match &self.source {
            Source::Money([win, ..]) | Source::Dead(win) => *win,
            Source::Score(table, side) => table.win(*side, self.pair),
        }
    }

    /// Whether the values at `cube` are known. In a match a centred cube must stand at 1, and any other
    /// above.
    pub fn covers(&self, cube: Cube) -> bool {
        match &self.source {
            Source::Money(_) | Source::Dead(_) => true,
            Source::Score(table, _) => table.lane(cube).is_some(),
        }
    }

    /// The value (MWC or points) for the player on roll at `cube` without a double in this turn, if
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

    /// What each cube action is worth to the player on roll, if the cube is
    /// [covered](Self::covers).
    pub fn values(&self, context: &CubeContext, cube: Cube) -> Option<CubeActionValues> {
        let double_take = match context.may_double(cube) {
            true => Some(self.no_double(context, cube.doubled())?),
            false => None,
        };
        let no_double = self.no_double(context, cube)?;
        Some(CubeActionValues::new(context, cube, no_double, double_take))
    }

    /// The value (MWC or points) for the player on roll with the best cube action by both, if the
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

/// Whether the values of `position` are known without waiting for a table. If not, a thread begins to
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

/// Runs `work` on a thread of its own, or on this one if no thread can be started.
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

/// The chance to win and the equities of money play. They are from the table that is kept, if there
/// is one that has the pair, or from one that the program computes for itself.
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
