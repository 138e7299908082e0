//! Choosing plays at any depth, without allocating, and keeping what the choice has looked up.
//!
//! The n-ply value of a position is the mean over the 21 rolls of the (n-1)-ply value of the
//! position after the best play of each. Those 21 values are just what the luck of the *next* roll
//! is measured from. So the table behind the play that is chosen is kept, and luck costs nothing
//! at 1-ply play or deeper. Choices and values are those of [`crate::eval::lookahead`], to the bit.

use crate::eval::{Evaluator, Probabilities};
use crate::game::roll::{DISTINCT, ORDERED};
use crate::game::{PlayList, Position, Roll};

use super::error::MOST_PLIES;
use super::settings::Filter;
use super::trial::Cancelled;

/// Whether to end; asked inside deep decisions.
pub(super) type Ask<'a> = &'a dyn Fn() -> bool;

/// The 21 rolls of one position: the best play of each by the static evaluation, and its value.
#[derive(Clone)]
pub(super) struct Table {
    /// After the best play, seen by the opponent.
    pub(super) results: [Position; DISTINCT],
    /// Chances of the player who rolls.
    pub(super) values: [Probabilities; DISTINCT],
    /// Their equities.
    pub(super) equities: [f32; DISTINCT],
}

impl Table {
    pub(super) fn new() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            values: [Probabilities::default(); DISTINCT],
            equities: [0.0; DISTINCT],
        }
    }

    /// The mean over the 36 rolls: the value of the position, one ply deeper.
    fn mean(&self) -> Probabilities {
        let mut sum = [0.0f32; 5];
        for (roll, value) in Roll::ALL.iter().zip(&self.values) {
            for (s, v) in sum.iter_mut().zip(value.to_array()) {
                *s += roll.weight() as f32 * v;
            }
        }
        Probabilities::from_array(sum.map(|s| s / ORDERED as f32))
    }
}

/// Memory for the plays of one roll.
#[derive(Default)]
pub(super) struct Plays {
    list: PlayList,
    equities: Vec<f32>,
}

impl Plays {
    /// The position after the play of `roll` that the static evaluation likes best; the first of
    /// equals.
    #[inline]
    pub(super) fn best(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        roll: Roll,
    ) -> Position {
        self.list.generate(position, roll);
        let results = self.list.results();
        if results.len() == 1 {
            return results[0];
        }
        self.equities.clear();
        self.equities.resize(results.len(), 0.0);
        evaluator.equities_after(position, results, &mut self.equities);
        results[crate::eval::lookahead::best_index(&self.equities)]
    }
}

/// A play being considered: its place in the list, and its equity so far.
#[derive(Clone, Copy)]
struct Choice {
    place: u32,
    equity: f32,
}

/// Chooses plays; each worker has one, for the memory in it.
pub(super) struct Decider {
    plays: Plays,
    list: PlayList,
    values: Vec<Probabilities>,
    order: Vec<Choice>,
    /// A table for each depth below the one in hand.
    levels: Vec<Table>,
    /// The table of the play in hand, and that of the best so far.
    trial: Box<Table>,
    best: Box<Table>,
}

impl Decider {
    pub(super) fn new() -> Self {
        Self {
            plays: Plays::default(),
            list: PlayList::default(),
            values: Vec::new(),
            order: Vec::new(),
            levels: vec![Table::new(); usize::from(MOST_PLIES) + 1],
            trial: Box::new(Table::new()),
            best: Box::new(Table::new()),
        }
    }

    /// The best play of `roll` by the static evaluation.
    #[inline]
    pub(super) fn static_choice(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        roll: Roll,
    ) -> Position {
        self.plays.best(evaluator, position, roll)
    }

    /// Looks at all rolls of `position`, each valued at `ply` plies.
    pub(super) fn table(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        ply: u8,
        out: &mut Table,
        cancelled: Ask<'_>,
    ) -> Result<(), Cancelled> {
        let Self { plays, levels, .. } = self;
        fill(plays, levels, evaluator, position, ply, out, cancelled)
    }

    /// The play of `roll` that is best at `ply` plies (at least one). With `keep`, the table of the
    /// position it leads to, whose values are one ply less deep, is put there; false if there is
    /// none, the game being over.
    #[expect(
        clippy::too_many_arguments,
        reason = "a decision and all it depends on"
    )]
    pub(super) fn choose(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        roll: Roll,
        ply: u8,
        filter: Filter,
        keep: Option<&mut Table>,
        cancelled: Ask<'_>,
    ) -> Result<(Position, bool), Cancelled> {
        self.list.generate(position, roll);
        let results = self.list.results();
        self.values.clear();
        self.values.resize(results.len(), Probabilities::default());
        evaluator.probabilities(results, &mut self.values);
        self.order.clear();
        let options = self.values.iter().enumerate().map(|(i, v)| Choice {
            place: i as u32,
            equity: v.turned().equity(),
        });
        self.order.extend(options);
        sort(&mut self.order);
        let mut kept = self.order.len();
        let mut tabled = false;
        for depth in 1..=ply {
            let limit = self.order[0].equity - filter.within;
            kept = self.order[..kept]
                .iter()
                .take(usize::from(filter.most.max(1)))
                .take_while(|o| o.equity >= limit)
                .count();
            let last = depth == ply;
            if kept == 1 && !(last && keep.is_some()) {
                continue;
            }
            let mut highest = f32::NEG_INFINITY;
            for i in 0..kept {
                let result = results[self.order[i].place as usize];
                let over = result.is_over();
                let value = if over {
                    evaluator.probabilities_of(&result)
                } else {
                    let (plays, levels) = (&mut self.plays, &mut self.levels);
                    let out = &mut self.trial;
                    fill(plays, levels, evaluator, &result, depth - 1, out, cancelled)?;
                    self.trial.mean()
                };
                let equity = value.turned().equity();
                self.order[i].equity = equity;
                if last && equity.total_cmp(&highest).is_gt() {
                    highest = equity;
                    tabled = !over;
                    std::mem::swap(&mut self.trial, &mut self.best);
                }
            }
            sort_stable(&mut self.order[..kept]);
        }
        let choice = results[self.order[0].place as usize];
        if let (Some(out), true) = (keep, tabled) {
            out.clone_from(&self.best);
        }
        Ok((choice, tabled))
    }
}

/// The rolls of `position`, each valued at `ply` plies, into `out`. Deeper tables lie in `levels`.
fn fill(
    plays: &mut Plays,
    levels: &mut [Table],
    evaluator: &dyn Evaluator,
    position: &Position,
    ply: u8,
    out: &mut Table,
    cancelled: Ask<'_>,
) -> Result<(), Cancelled> {
    if cancelled() {
        return Err(Cancelled);
    }
    for (result, roll) in out.results.iter_mut().zip(Roll::ALL) {
        *result = plays.best(evaluator, position, roll);
    }
    match levels.split_last_mut() {
        Some((below, levels)) if ply > 0 => {
            for (value, result) in out.values.iter_mut().zip(&out.results) {
                *value = if result.is_over() {
                    evaluator.probabilities_of(result)
                } else {
                    fill(plays, levels, evaluator, result, ply - 1, below, cancelled)?;
                    below.mean()
                };
            }
        }
        _ => evaluator.probabilities(&out.results, &mut out.values),
    }
    for (value, equity) in out.values.iter_mut().zip(&mut out.equities) {
        *value = value.turned();
        *equity = value.equity();
    }
    Ok(())
}

/// Best first; equals in the order of the list.
fn sort(order: &mut [Choice]) {
    order.sort_unstable_by(|a, b| b.equity.total_cmp(&a.equity).then(a.place.cmp(&b.place)));
}

/// Best first; equals keep their order. Few of them, so that inserting is quickest, and does not
/// allocate.
fn sort_stable(order: &mut [Choice]) {
    for i in 1..order.len() {
        let mut j = i;
        while j > 0 && order[j].equity.total_cmp(&order[j - 1].equity).is_gt() {
            order.swap(j, j - 1);
            j -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::lookahead::{candidates, evaluate};
    use crate::eval::{Engine, MoveFilter};

    /// The same choices as the lookahead, the values of which the tables repeat.
    #[test]
    fn choices_and_tables_are_those_of_the_lookahead() {
        let engine = Engine::embedded();
        let mut decider = Decider::new();
        let mut position = Position::opening();
        let mut table = Table::new();
        for n in 0..24 {
            let roll = Roll::ordered(n * 11 % 36);
            let ply = 1 + u8::from(n % 12 == 5);
            let filter = MoveFilter::default();
            let never = || false;
            let expected = candidates(&engine, &position, roll, ply, filter, &never).unwrap()[0];
            let (result, tabled) = decider
                .choose(
                    &engine,
                    &position,
                    roll,
                    ply,
                    Filter::default(),
                    Some(&mut table),
                    &never,
                )
                .unwrap();
            assert_eq!(result, expected.result);
            if tabled {
                assert_eq!(table.mean().turned(), expected.probabilities);
                let mut again = Table::new();
                decider
                    .table(&engine, &result, ply - 1, &mut again, &never)
                    .unwrap();
                assert_eq!(again.values, table.values);
                assert_eq!(again.results, table.results);
                let value = evaluate(&engine, &result, ply, &never).unwrap();
                assert_eq!(value, table.mean());
            }
            position = if result.is_over() {
                Position::opening()
            } else {
                result
            };
        }
    }
}
