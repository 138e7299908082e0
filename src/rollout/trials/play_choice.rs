//! The choice of plays at any depth, without allocating, and what it has looked up.
//!
//! The n-ply value of a position is the mean over the 21 rolls of the (n-1)-ply value of the
//! position after the best play of each. Those 21 values are just what the luck of the *next* roll
//! is measured from. So the table behind the play that is chosen is kept, and luck costs nothing
//! at 1-ply play or deeper. Choices and values are those of [`crate::eval::lookahead`], to the bit,
//! with two exceptions, both for speed: where few checkers are left the filter keeps no more plays than elsewhere, and
//! a play that it has left out does not come in again.

use crate::cube::{Cube, CubeContext, ScoreRolls, ties};
use crate::eval::lookahead::CandidateFilter;
use crate::eval::rolls::best_play;
use crate::eval::{Evaluator, Probabilities, Rolls};
use crate::game::roll::DISTINCT;
use crate::game::{Position, ResultList, Roll};

use crate::rollout::request::limits::MOST_PLIES;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::request::settings::Settings;

/// What the rolls of a position cost, in rolls by themselves: they share the position's sums (measured at
/// 0-ply, trials with luck by lookahead against plain ones: 13 to 16).
pub(super) const ALL_ROLLS: f64 = 14.5;

/// What rolls are put in order by.
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

/// Whether to end the rollout; asked inside deep decisions.
pub(in crate::rollout) type CancelCheck<'a> = &'a dyn Fn() -> bool;

/// The user has cancelled the rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rollout) struct Cancelled;

/// The 21 rolls of one position: the best play of each by the static evaluation, and its value.
#[derive(Clone, Debug)]
pub(super) struct RollTable {
    /// After the best play, seen by the opponent.
    pub(super) results: [Position; DISTINCT],
    /// Chances of the player who rolls.
    pub(super) values: [Probabilities; DISTINCT],
    /// In a table made at a score the cube at which plays are best; see [`ScoreRolls`] for the values.
    at: Option<Cube>,
    score_values: [[f32; DISTINCT]; 2],
}

impl RollTable {
    pub(super) fn new() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            values: [Probabilities::default(); DISTINCT],
            at: None,
            score_values: [[0.0; DISTINCT]; 2],
        }
    }

    fn copy(&mut self, rolls: &Rolls) {
        self.results = rolls.results;
        self.values = rolls.values;
        self.at = None;
    }

    /// Takes over rolls with the plays that are best at `cube`, seen by the player who rolls.
    pub(in crate::rollout) fn copy_score(&mut self, rolls: &ScoreRolls, cube: Cube) {
        self.results = rolls.results;
        self.values = rolls.chances;
        self.score_values = rolls.values;
        self.at = Some(cube);
    }

    /// The values (MWC or points) for the player who rolls at `cube`, in a table that was made with it
    /// or before it was turned.
    pub(in crate::rollout) fn at_score(&self, cube: Cube) -> Option<&[f32; DISTINCT]> {
        let at = self.at?;
        match cube {
            same if same == at => Some(&self.score_values[0]),
            turned if turned == at.doubled() => Some(&self.score_values[1]),
            _ => None,
        }
    }
}

/// A play being considered: its place in the list, and its equity so far.
#[derive(Clone, Copy)]
struct Choice {
    place: u32,
    equity: f32,
}

/// Chooses plays; each worker has one, for the memory in it.
pub(super) struct PlayChooser {
    list: ResultList,
    equities: Vec<f32>,
    values: Vec<Probabilities>,
    order: Vec<Choice>,
    /// The rolls of a position at each depth.
    rolls_by_ply: Vec<Rolls>,
    /// What has been looked up, in rolls whose plays were generated and evaluated by themselves.
    pub(super) looked: f64,
}

impl PlayChooser {
    pub(super) fn new() -> Self {
        Self {
            list: ResultList::new(),
            equities: Vec::new(),
            values: Vec::new(),
            order: Vec::new(),
            rolls_by_ply: vec![Rolls::default(); usize::from(MOST_PLIES) + 1],
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

    /// The play of `roll` whose result is worth least to the opponent, who is on roll after it, by
    /// `worth` of the result and its chances. Of [`ties`] for the opponent's `context` at the cube of
    /// `level` that with the least cubeless equity.
    pub(super) fn least_after(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        roll: Roll,
        context: &CubeContext,
        level: u8,
        worth: &dyn Fn(&Position, &Probabilities) -> f32,
    ) -> Position {
        self.looked += 1.0;
        self.list.generate(position, roll);
        let results = self.list.results();
        if results.len() == 1 {
            return results[0];
        }
        self.values.clear();
        self.values.resize(results.len(), Probabilities::default());
        evaluator.probabilities_after(position, results, &mut self.values);
        let worths = results.iter().zip(&self.values);
        self.equities.clear();
        self.equities
            .extend(worths.map(|(result, chances)| worth(result, chances)));
        let equity = |i: usize| self.values[i].equity();
        results[ties::least(context, level, &self.equities, equity)]
    }

    /// Values all rolls of `position`, each at `ply` plies, into `out`.
    pub(super) fn table(
        &mut self,
        evaluator: &dyn Evaluator,
        position: &Position,
        ply: u8,
        out: &mut RollTable,
        cancelled: CancelCheck<'_>,
    ) -> Result<(), Cancelled> {
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
        filter: CandidateFilter,
        mut keep: Option<&mut RollTable>,
        cancelled: CancelCheck<'_>,
    ) -> Result<(Position, bool), Cancelled> {
        self.put_in_order(evaluator, position, roll);
        let mut kept = self.order.len();
        let mut tabled = false;
        for depth in 1..=ply {
            kept = filter.kept(depth, self.order[..kept].iter().map(|o| o.equity));
            let last = depth == ply;
            if kept == 1 && !(last && keep.is_some()) {
                continue;
            }
            let mut highest = f32::NEG_INFINITY;
            for i in 0..kept {
                let (value, over) = self.value_after(i, evaluator, depth, cancelled)?;
                let equity = value.flipped().equity();
                self.order[i].equity = equity;
                if last && equity > highest {
                    highest = equity;
                    tabled = !over;
                    if let (Some(out), true) = (keep.as_deref_mut(), tabled) {
                        out.copy(&self.rolls_by_ply[usize::from(depth) - 1]);
                    }
                }
            }
            sort_few(&mut self.order[..kept]);
        }
        Ok((self.list.results()[self.order[0].place as usize], tabled))
    }

    /// Puts all plays of `roll` in order, best first by the static evaluation.
    fn put_in_order(&mut self, evaluator: &dyn Evaluator, position: &Position, roll: Roll) {
        self.looked += 1.0;
        self.list.generate(position, roll);
        let results = self.list.results();
        self.values.clear();
        self.values.resize(results.len(), Probabilities::default());
        evaluator.probabilities_after(position, results, &mut self.values);
        self.order.clear();
        let choices = self.values.iter().enumerate().map(|(i, v)| Choice {
            place: i as u32,
            equity: v.flipped().equity(),
        });
        self.order.extend(choices);
        sort(&mut self.order);
    }

    /// The chances of the opponent after the play at place `i` of the order, looked at `depth` plies deep,
    /// and whether the game is over. Unless it is, `rolls_by_ply[depth - 1]` has its rolls.
    fn value_after(
        &mut self,
        i: usize,
        evaluator: &dyn Evaluator,
        depth: u8,
        cancelled: CancelCheck<'_>,
    ) -> Result<(Probabilities, bool), Cancelled> {
        let result = self.list.results()[self.order[i].place as usize];
        if result.is_over() {
            return Ok((evaluator.probabilities_of(&result), true));
        }
        let (rolls_by_ply, looked) = (&mut self.rolls_by_ply, &mut self.looked);
        value_rolls(
            rolls_by_ply,
            looked,
            evaluator,
            &result,
            depth - 1,
            cancelled,
        )?;
        Ok((self.rolls_by_ply[usize::from(depth) - 1].mean(), false))
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
    order.sort_unstable_by(|a, b| b.equity.total_cmp(&a.equity).then(a.place.cmp(&b.place)));
}

/// Sorts a few choices, best first; equals keep their order. Inserting is quickest for few, and does not
/// allocate.
fn sort_few(order: &mut [Choice]) {
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
    use crate::eval::Engine;
    use crate::eval::lookahead::{candidates, evaluate};

    /// The same choices as the lookahead, the values of which the tables repeat.
    #[test]
    fn choices_and_tables_are_those_of_the_lookahead() {
        let engine = Engine::embedded();
        let mut chooser = PlayChooser::new();
        let mut position = Position::opening();
        let mut table = RollTable::new();
        for n in 0..24 {
            let roll = Roll::ordered(n * 11 % 36);
            let ply = 1 + u8::from(n % 12 == 5);
            let filter = CandidateFilter::default();
            let never = || false;
            let expected = candidates(&engine, &position, roll, ply, filter, &never).unwrap()[0];
            let (result, tabled) = chooser
                .choose(
                    &engine,
                    &position,
                    roll,
                    ply,
                    filter,
                    Some(&mut table),
                    &never,
                )
                .unwrap();
            assert_eq!(result, expected.result);
            if tabled {
                let mut again = RollTable::new();
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
