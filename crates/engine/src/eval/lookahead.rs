//! n-ply evaluation, and the candidate plays of a decision.
//!
//! 0-ply is the static evaluation; n-ply is the mean over the 21 rolls of the (n-1)-ply value of the position
//! after the best play. (Some programs count one more.)

use serde::{Deserialize, Serialize};

use super::transpositions::Transpositions;
use super::{Evaluator, Probabilities, Rolls};
use crate::game::position::CHECKERS;
use crate::game::roll::DISTINCT;
use crate::game::{Play, PlayList, Position, Roll};

/// A play with its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    pub play: Play,
    /// The resulting position, seen by the opponent, who is on roll.
    pub result: Position,
    /// Chances of the player who makes the play.
    pub probabilities: Probabilities,
    /// Cubeless equity of the player who makes the play, in points.
    pub equity: f32,
    /// Plies of lookahead.
    pub ply: u8,
}

/// Limits on the plays that are evaluated deeper.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateFilter {
    pub most: u16,
    /// Maximum distance to the best play, in points.
    pub within: f32,
}

impl CandidateFilter {
    /// Returns the filter before the evaluation at `ply` plies: the preceding depth has narrowed the choice,
    /// and the next depth costs twenty times as much.
    pub fn at(self, ply: u8) -> Self {
        let narrower = ply.max(1) - 1;
        Self {
            most: (self.most >> narrower.min(8)).max(2),
            // Repeated products: `powi` may give different bits on other machines.
            within: self.within * (0..narrower).fold(1.0, |narrow, _| narrow * 0.4),
        }
    }

    /// Returns the filter for the plays of `position`: it keeps all plays if few checkers are left in
    /// contact.
    pub fn in_position(self, position: &Position) -> Self {
        match is_sparse(position) {
            true => Self {
                most: u16::MAX,
                within: f32::INFINITY,
            },
            false => self,
        }
    }

    /// Returns how many plays are evaluated at `ply` plies, from their `equities` one ply before, best first.
    #[inline]
    pub fn kept(self, ply: u8, equities: impl IntoIterator<Item = f32>) -> usize {
        let filter = self.at(ply);
        let mut equities = equities.into_iter().peekable();
        let limit = equities.peek().map_or(0.0, |best| best - filter.within);
        equities
            .take(usize::from(filter.most))
            .take_while(|equity| *equity >= limit)
            .count()
    }
}

impl Default for CandidateFilter {
    fn default() -> Self {
        Self {
            most: 8,
            within: 0.16,
        }
    }
}

/// Maximum number of checkers of both sides in sparse positions with contact.
const SPARSE: u8 = 10;

/// Returns whether few checkers are left and can still be hit. Static evaluations are unreliable there: nets
/// have seen few such positions, and a hit turns the game.
pub fn is_sparse(position: &Position) -> bool {
    let left = [position.mover, position.opponent].map(|side| CHECKERS - side.off());
    left[0] + left[1] <= SPARSE && !position.is_race()
}

/// Returns all plays of `roll`, best first: those within `filter` at `ply` plies, and after them the others
/// at the depth at which they were dropped. `None` if `cancelled` returned true.
pub fn candidates(
    evaluator: &dyn Evaluator,
    position: &Position,
    roll: Roll,
    ply: u8,
    filter: CandidateFilter,
    cancelled: &dyn Fn() -> bool,
) -> Option<Vec<Candidate>> {
    let mut all = at_a_glance(evaluator, position, roll);
    let mut lookahead = Lookahead::new(evaluator, cancelled);
    let filter = filter.in_position(position);
    narrow(
        &mut all,
        (ply, filter, LeftOut::ComesAgain),
        &|candidate| candidate.equity,
        &sort,
        &mut |candidate, depth| {
            let value = lookahead.evaluate(&candidate.result, depth)?;
            candidate.probabilities = value.flipped();
            candidate.equity = candidate.probabilities.equity();
            candidate.ply = depth;
            Some(())
        },
    )?;
    Some(all)
}

/// The treatment of a dropped play if the best one falls below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// It is evaluated too, since its equity was as reliable as the one that fell.
    ComesAgain,
    /// It stays out, as in rollouts, where speed matters more than certainty.
    StaysOut,
}

/// Evaluates plays one ply deeper at a time: `all` is sorted by static equities, then by the results of
/// `rank` at each depth. `filter` selects the plays for the next depth. The others follow after those of the
/// last depth, unless they return. `None` if `rank` returns `None`.
pub fn narrow<T>(
    all: &mut [T],
    (ply, filter, left_out): (u8, CandidateFilter, LeftOut),
    equity: &dyn Fn(&T) -> f32,
    sort: &dyn Fn(&mut [T]),
    rank: &mut dyn FnMut(&mut T, u8) -> Option<()>,
) -> Option<()> {
    let mut kept = all.len();
    for depth in 1..=ply {
        kept = filter.kept(depth, all[..kept].iter().map(equity));
        if kept == 1 && depth < ply {
            continue;
        }
        let mut ranked = 0;
        while ranked < kept {
            for one in &mut all[ranked..kept] {
                rank(one, depth)?;
            }
            sort(&mut all[..kept]);
            let best = equity(&all[0]);
            ranked = kept;
            for i in ranked..all.len() {
                if left_out == LeftOut::ComesAgain && equity(&all[i]) > best {
                    all[kept..=i].rotate_right(1);
                    kept += 1;
                }
            }
        }
    }
    Some(())
}

/// Returns all plays of `roll` by the static evaluation, best first.
fn at_a_glance(evaluator: &dyn Evaluator, position: &Position, roll: Roll) -> Vec<Candidate> {
    let mut list = PlayList::with_room();
    list.generate(position, roll);
    let mut values = vec![Probabilities::default(); list.len()];
    evaluator.probabilities_after(position, list.results(), &mut values);
    // Sort indices instead of plays, which are twenty times as large.
    let mut order: Vec<(f32, usize)> = (values.iter().map(|v| v.flipped().equity()))
        .zip(0..)
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    let candidate = |&(equity, i): &(f32, usize)| Candidate {
        play: list.plays()[i],
        result: list.results()[i],
        probabilities: values[i].flipped(),
        equity,
        ply: 0,
    };
    order.iter().map(candidate).collect()
}

/// Sorts plays, best first; equal equities keep the order of generation, so that results do not depend on the
/// sorting algorithm.
fn sort(candidates: &mut [Candidate]) {
    candidates.sort_by(|a, b| b.equity.total_cmp(&a.equity));
}

/// Returns the chances of the player on roll at `ply` plies, or `None` if `cancelled` returned true.
pub fn evaluate(
    evaluator: &dyn Evaluator,
    position: &Position,
    ply: u8,
    cancelled: &dyn Fn() -> bool,
) -> Option<Probabilities> {
    Lookahead::new(evaluator, cancelled).evaluate(position, ply)
}

/// A lookahead with its cache.
struct Lookahead<'a> {
    evaluator: &'a dyn Evaluator,
    cancelled: &'a dyn Fn() -> bool,
    /// Reusable memory, one element for each ply.
    rolls: Vec<Rolls>,
    known: Transpositions<(Position, u8), Probabilities>,
}

impl<'a> Lookahead<'a> {
    fn new(evaluator: &'a dyn Evaluator, cancelled: &'a dyn Fn() -> bool) -> Self {
        Self {
            evaluator,
            cancelled,
            rolls: Vec::new(),
            known: Transpositions::default(),
        }
    }

    /// See [`evaluate`].
    fn evaluate(&mut self, position: &Position, ply: u8) -> Option<Probabilities> {
        if ply == 0 || position.is_over() {
            return Some(self.evaluator.probabilities_of(position));
        }
        let key = (*position, ply);
        let known = self.known.get(&key);
        if known.is_some() {
            return known;
        }
        if (self.cancelled)() {
            return None;
        }
        let value = self.look(position, ply)?;
        self.known.put(key, value);
        Some(value)
    }

    fn look(&mut self, position: &Position, ply: u8) -> Option<Probabilities> {
        let depth = usize::from(ply);
        if self.rolls.len() < depth {
            self.rolls.resize_with(depth, Rolls::default);
        }
        self.rolls[depth - 1].value_all(self.evaluator, position);
        if ply > 1 {
            for r in 0..DISTINCT {
                let result = self.rolls[depth - 1].results[r];
                let value = self.evaluate(&result, ply - 1)?;
                self.rolls[depth - 1].values[r] = value.flipped();
            }
        }
        Some(self.rolls[depth - 1].mean())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::game::Side;
    use crate::game::position::BAR;
    use crate::notation::gnubg_id::parse_position;

    /// Returns the mean over the rolls, without a cache.
    fn plainly(engine: &Engine, position: &Position, ply: u8) -> Probabilities {
        if ply == 0 || position.is_over() {
            return engine.probabilities_of(position);
        }
        let mut rolls = Rolls::default();
        rolls.value_all(engine, position);
        for (value, result) in rolls.values.iter_mut().zip(&rolls.results) {
            *value = plainly(engine, result, ply - 1).flipped();
        }
        rolls.mean()
    }

    /// No dropped play ranks above the best one, and with few checkers no play is dropped. In the first
    /// position a hit is best by 0.44, which the static evaluation does not see.
    #[test]
    fn dropped_plays_rank_below_the_best() {
        let engine = Engine::embedded();
        let filter = CandidateFilter {
            most: 2,
            within: 0.02,
        };
        for (id, dice) in [
            ("CIAAKAEQAAAAAA", (4, 1)),
            ("AIAAABgAAAAAAA", (5, 3)),
            ("4HPwATDgc/ABMA", (3, 1)),
            ("27kiAAPb5sYAAA", (6, 2)),
        ] {
            let position = parse_position(id).unwrap();
            let roll = Roll::new(dice.0, dice.1).unwrap();
            for ply in 1..=2 {
                let all = candidates(&engine, &position, roll, ply, filter, &|| false).unwrap();
                let best = all[0].equity;
                assert!(all.iter().all(|c| c.equity <= best), "{id} at {ply} plies");
                let is_whole = all.iter().all(|c| c.ply == ply);
                assert!(is_whole || !is_sparse(&position), "{id} at {ply} plies");
            }
        }
        let position = parse_position("CIAAKAEQAAAAAA").unwrap();
        let roll = Roll::new(4, 1).unwrap();
        let all = candidates(&engine, &position, roll, 2, filter, &|| false).unwrap();
        assert!(all[0].result.opponent.at(BAR) == 1 || all[0].result.mover.at(BAR) == 1);
    }

    /// On the bar against five points, so that many rolls have the same result.
    #[test]
    fn remembering_changes_nothing() {
        let mut mover = [0; 26];
        (mover[25], mover[8], mover[6], mover[13]) = (1, 4, 5, 5);
        let mut opponent = [0; 26];
        opponent[1..=5].fill(2);
        (opponent[7], opponent[24]) = (3, 2);
        let side = |counts| Side::new(&counts).unwrap();
        let position = Position::new(side(mover), side(opponent)).unwrap();
        let engine = Engine::embedded();
        for ply in 0..=2 {
            let value = evaluate(&engine, &position, ply, &|| false).unwrap();
            assert_eq!(value, plainly(&engine, &position, ply));
        }
        let mut looks = std::cell::Cell::new(0);
        evaluate(&engine, &position, 2, &|| {
            looks.set(looks.get() + 1);
            false
        });
        assert!(*looks.get_mut() < 15, "{looks:?}");
    }
}
