//! The choice of plays at any depth, without allocating, and what it has looked up.
//!
//! The n-ply value of a position is the mean over the 21 rolls of the (n-1)-ply value of the
//! position after the best play of each. Those 21 values are just what the luck of the *next* roll
//! is measured from. So the table behind the play that is chosen is kept, and luck costs nothing
//! at 1-ply play or deeper. Choices and values are those of [`crate::eval::lookahead`], to the bit,
//! with two exceptions, both for speed: where few checkers are left the filter keeps no more plays than elsewhere, and
//! a play that it has left out does not come in again.
//!
//! In money play with the cube plays go by their cubeful values, from the same rolls ([`Worth`]).

use std::cmp::Ordering;

use crate::cube::{Cube, CubeContext, ties};
use crate::eval::lookahead::CandidateFilter;
use crate::eval::pruning_net::add_likely;
use crate::eval::rolls::best_play;
use crate::eval::{Evaluator, Probabilities, Pruner, Rolls};
use crate::game::roll::DISTINCT;
use crate::game::{Position, ResultList, Roll};

use crate::rollout::request::limits::MOST_PLIES;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::request::settings::Settings;

use super::play_worth::Worth;
use super::trial_rolls::TrialRolls;

/// Cost of the rolls of a position, in rolls by themselves: they share the position's sums.
/// Measured at 0-ply, trials with luck by lookahead against plain ones: 13 to 16.
pub(super) const ALL_ROLLS: f64 = 14.5;

/// Values that put rolls in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// The luck net's prediction from the position before the roll.
    Guess,
    /// The table of all rolls, valued at so many plies.
    Table(u8),
}

impl Order {
    /// The order that settings with `auto` luck resolved ask for; `None` where rolls are not put in order.
    pub(super) fn new(settings: &Settings) -> Option<Self> {
        if !settings.coupling.is_ranked() {
            return None;
        }
        Some(match settings.ranks.by {
            LuckKind::Net => Self::Guess,
            LuckKind::Lookahead(Some(ply)) => Self::Table(ply),
            LuckKind::Lookahead(None) | LuckKind::Auto | LuckKind::None => Self::Table(0),
        })
    }
}

/// Returns whether the rollout must end; called inside deep decisions.
pub(crate) type CancelCheck<'a> = &'a dyn Fn() -> bool;

/// The user has cancelled the rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cancelled;

/// A play being considered: its place in the list, and what it is worth so far.
#[derive(Clone, Copy)]
struct Choice {
    place: u32,
    value: f32,
    /// Decides between plays that are worth the same.
    equity: f32,
}

impl Choice {
    /// Which of two plays comes first; equals keep their order.
    fn before(&self, other: &Self) -> Ordering {
        let by_value = other.value.total_cmp(&self.value);
        by_value.then_with(|| other.equity.total_cmp(&self.equity))
    }
}

/// A play that was looked at more deeply: its result, the plies, the rolls behind it, and what they cost.
struct Looked {
    result: Position,
    ply: u8,
    table: TrialRolls,
    cost: f64,
}

/// A position, its roll, and the player who plays it.
type Question = (Position, Roll, usize);

/// Chooses plays; each worker has one, for the memory in it.
pub(super) struct PlayChooser {
    list: ResultList,
    equities: Vec<f32>,
    /// The plays of a roll, and the chances of the opponent after each.
    results: Vec<Position>,
    values: Vec<Probabilities>,
    /// Whose plays these are, and whether they are all: the other of two games may ask the same with another cube.
    listed: Option<(Question, bool)>,
    /// Lookups for that question, and how many of them are filled.
    looks: Vec<Looked>,
    looks_used: usize,
    order: Vec<Choice>,
    /// The rolls of a position at each depth.
    rolls_by_ply: Vec<Rolls>,
    /// The position of which the evaluator that measures luck has valued the rolls without lookahead, where
    /// they are still there.
    pub(super) rolled: Option<Position>,
    /// Lookups so far, in rolls whose plays were generated and evaluated by themselves.
    pub(super) looked: f64,
}

impl PlayChooser {
    pub(super) fn new() -> Self {
        Self {
            list: ResultList::new(),
            equities: Vec::new(),
            results: Vec::new(),
            values: Vec::new(),
            listed: None,
            looks: Vec::new(),
            looks_used: 0,
            order: Vec::new(),
            rolls_by_ply: vec![Rolls::default(); usize::from(MOST_PLIES) + 1],
            rolled: None,
            looked: 0.0,
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
        self.looked += 1.0;
        best_play(
            evaluator,
            position,
            roll,
            &mut self.list,
            &mut self.equities,
        )
    }

    /// The play whose result is worth least to the opponent, who is on roll after it, by `worth` of the result
    /// and its chances. Of [`ties`] for the opponent's `context` at `cube` that with the least cubeless equity. In
    /// money play only those are valued that the evaluator's pruner leaves in the running. `looked` says that
    /// the rolls of the position have been looked up by the same evaluator.
    pub(super) fn least_after(
        &mut self,
        evaluator: &dyn Evaluator,
        question: Question,
        looked: bool,
        context: &CubeContext,
        cube: Cube,
        worth: &dyn Fn(&Position, &Probabilities) -> f32,
    ) -> Position {
        let money = context.is_money();
        let (position, roll, _) = question;
        if !looked {
            self.looked += 1.0;
        }
        let (results, chances) = if looked && money && self.rolled == Some(position) {
            self.rolls_by_ply[0].plays_of(roll)
        } else {
            self.list_plays(evaluator, question, money);
            (&*self.results, &*self.values)
        };
        if results.len() == 1 {
            return results[0];
        }
        let plays = results.iter().zip(chances);
        self.equities.clear();
        self.equities
            .extend(plays.map(|(result, chances)| worth(result, chances)));
        let equity = |i: usize| chances[i].equity();
        results[ties::least(context, cube.level, &self.equities, equity)]
    }

    /// The plays of a roll and their chances, by the static evaluation; `few` leaves out those that the
    /// evaluator's pruner does.
    fn list_plays(&mut self, evaluator: &dyn Evaluator, question: Question, few: bool) {
        if self.listed == Some((question, few)) {
            return;
        }
        self.listed = Some((question, few));
        self.looks_used = 0;
        let (position, roll, _) = question;
        self.list.generate(&position, roll);
        let all = self.list.results();
        self.results.clear();
        let pruner = (few && Pruner::shortens(all.len()))
            .then(|| evaluator.pruner(&position))
            .flatten();
        add_likely(pruner.as_ref(), all, &mut self.results);
        self.values.clear();
        self.values
            .resize(self.results.len(), Probabilities::default());
        if self.results.len() > 1 {
            evaluator.probabilities_after(&position, &self.results, &mut self.values);
        }
    }

    /// Values all rolls of `position`, each at `ply` plies, into `out`.
    pub(super) fn table(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        ply: u8,
        out: &mut TrialRolls,
        cancelled: CancelCheck<'_>,
    ) -> Result<(), Cancelled> {
        self.rolled = None;
        let looked = &mut self.looked;
        value_rolls(
            &mut self.rolls_by_ply,
            looked,
            evaluator,
            position,
            ply,
            cancelled,
        )?;
        out.copy(&self.rolls_by_ply[usize::from(ply)]);
        Ok(())
    }

    /// The play that is best by `worth` at `ply` plies (at least one). With `keep`, the table of the
    /// position it leads to, whose values are one ply less deep, is put there; false if there is
    /// none, the game being over.
    #[expect(
        clippy::too_many_arguments,
        reason = "a decision and all it depends on"
    )]
    pub(super) fn choose(
        &mut self,
        evaluator: &dyn Evaluator,
        question: Question,
        worth: &dyn Worth,
        ply: u8,
        filter: CandidateFilter,
        keep: Option<&mut TrialRolls>,
        cancelled: CancelCheck<'_>,
    ) -> Result<(Position, bool), Cancelled> {
        self.put_in_order(evaluator, question, worth);
        let mut kept = self.order.len();
        for depth in 1..=ply {
            kept = filter.kept(depth, self.order[..kept].iter().map(|o| o.value));
            if kept == 1 && !(depth == ply && keep.is_some()) {
                continue;
            }
            for i in 0..kept {
                self.look_deeper(i, evaluator, worth, depth, cancelled)?;
            }
            sort_few(&mut self.order[..kept]);
        }
        let best = self.results[self.order[0].place as usize];
        let Some(out) = keep else {
            return Ok((best, false));
        };
        let looks = &self.looks[..self.looks_used];
        let look = looks.iter().find(|l| l.result == best && l.ply == ply - 1);
        if let Some(look) = look {
            out.clone_from(&look.table);
        }
        Ok((best, look.is_some()))
    }

    /// Puts all plays of a roll in order, best first by the static evaluation.
    fn put_in_order(&mut self, evaluator: &dyn Evaluator, question: Question, worth: &dyn Worth) {
        self.looked += 1.0;
        self.list_plays(evaluator, question, false);
        self.order.clear();
        let plays = self.results.iter().zip(&self.values).enumerate();
        self.order
            .extend(plays.map(|(i, (result, chances))| Choice {
                place: i as u32,
                value: worth.at_once(result, chances),
                equity: chances.flipped().equity(),
            }));
        sort(&mut self.order);
    }

    /// Values the play at place `i` of the order by the rolls after it, `depth` plies deep.
    fn look_deeper(
        &mut self,
        i: usize,
        evaluator: &dyn Evaluator,
        worth: &dyn Worth,
        depth: u8,
        cancelled: CancelCheck<'_>,
    ) -> Result<(), Cancelled> {
        let result = self.results[self.order[i].place as usize];
        let (value, chances) = if result.is_over() {
            let chances = evaluator.probabilities_of(&result);
            (worth.at_once(&result, &chances), chances)
        } else {
            let look = self.looked_up(evaluator, &result, depth - 1, cancelled)?;
            let table = &mut self.looks[look].table;
            let chances = table.mean();
            (worth.by_rolls(&result, table, &chances), chances)
        };
        let choice = &mut self.order[i];
        choice.value = value;
        choice.equity = chances.flipped().equity();
        Ok(())
    }

    /// The place of the rolls of a play's result, valued at `ply` plies. What was looked up for the other of two
    /// games counts again, so that the cost does not depend on it.
    fn looked_up(
        &mut self,
        evaluator: &dyn Evaluator,
        result: &Position,
        ply: u8,
        cancelled: CancelCheck<'_>,
    ) -> Result<usize, Cancelled> {
        let looks = &self.looks[..self.looks_used];
        let known = looks
            .iter()
            .position(|l| l.ply == ply && l.result == *result);
        if let Some(known) = known {
            self.looked += self.looks[known].cost;
            return Ok(known);
        }
        self.rolled = None;
        let before = self.looked;
        let (rolls_by_ply, looked) = (&mut self.rolls_by_ply, &mut self.looked);
        value_rolls(rolls_by_ply, looked, evaluator, result, ply, cancelled)?;
        if self.looks_used == self.looks.len() {
            self.looks.push(Looked {
                result: *result,
                ply,
                table: TrialRolls::new(),
                cost: 0.0,
            });
        }
        let look = &mut self.looks[self.looks_used];
        look.table.copy(&self.rolls_by_ply[usize::from(ply)]);
        (look.result, look.ply, look.cost) = (*result, ply, self.looked - before);
        self.looks_used += 1;
        Ok(self.looks_used - 1)
    }
}

/// Values the rolls of `position`, each at `ply` plies, into `rolls_by_ply[ply]`.
fn value_rolls(
    rolls_by_ply: &mut [Rolls],
    looked: &mut f64,
    evaluator: &dyn Evaluator,
    position: &Position,
    ply: u8,
    cancelled: CancelCheck<'_>,
) -> Result<(), Cancelled> {
    if cancelled() {
        return Err(Cancelled);
    }
    let depth = usize::from(ply);
    *looked += ALL_ROLLS;
    rolls_by_ply[depth].value_all(evaluator, position);
    if depth == 0 {
        return Ok(());
    }
    for r in 0..DISTINCT {
        let result = rolls_by_ply[depth].results[r];
        let value = if result.is_over() {
            evaluator.probabilities_of(&result)
        } else {
            value_rolls(rolls_by_ply, looked, evaluator, &result, ply - 1, cancelled)?;
            rolls_by_ply[depth - 1].mean()
        };
        rolls_by_ply[depth].values[r] = value.flipped();
    }
    Ok(())
}

/// Sorts choices, best first; equals in the order of the list.
fn sort(order: &mut [Choice]) {
    order.sort_unstable_by(|a, b| a.before(b).then(a.place.cmp(&b.place)));
}

/// Sorts a few choices, best first; equals keep their order. Inserting is quickest for few, and does not
/// allocate.
fn sort_few(order: &mut [Choice]) {
    for i in 1..order.len() {
        let mut j = i;
        while j > 0 && order[j].before(&order[j - 1]).is_lt() {
            order.swap(j, j - 1);
            j -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::eval::lookahead::{candidates, evaluate};
    use crate::rollout::trials::play_worth::Cubeless;

    /// The same choices as the lookahead, the values of which the tables repeat.
    #[test]
    fn choices_and_tables_are_those_of_the_lookahead() {
        let engine = Engine::embedded();
        let mut chooser = PlayChooser::new();
        let mut position = Position::opening();
        let mut table = TrialRolls::new();
        for n in 0..24 {
            let roll = Roll::ordered(n * 11 % 36);
            let ply = 1 + u8::from(n % 12 == 5);
            let filter = CandidateFilter::default();
            let never = || false;
            let expected = candidates(&engine, &position, roll, ply, filter, &never).unwrap()[0];
            let (result, tabled) = chooser
                .choose(
                    &engine,
                    (position, roll, 0),
                    &Cubeless,
                    ply,
                    filter,
                    Some(&mut table),
                    &never,
                )
                .unwrap();
            assert_eq!(result, expected.result);
            if tabled {
                let mut again = TrialRolls::new();
                chooser
                    .table(&engine, &result, ply - 1, &mut again, &never)
                    .unwrap();
                assert_eq!(again.values, table.values);
                assert_eq!(again.results, table.results);
                let value = evaluate(&engine, &result, ply, &never).unwrap();
                assert_eq!(chooser.rolls_by_ply[usize::from(ply) - 1].mean(), value);
            }
            position = if result.is_over() {
                Position::opening()
            } else {
                result
            };
        }
    }
}
