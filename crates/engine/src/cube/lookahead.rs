//! Cubeful values by lookahead, and plays ranked with cube and score.
//!
//! The n-ply value of rolling at a cube is the mean over the 21 rolls of the value of the best play. The
//! opponent then makes the cube decision with values of one ply less. At the end of the lookahead are the
//! values of [`Model::values`]. These also determine the best play, separately for each cube: a gammon may be
//! worth much on one cube and nothing on another.
//!
//! *One lookahead for all cubes.* The doubling decision needs two cubes, and each answer of the opponent
//! another one. Their values are computed together, from the same chances, while they choose the same plays.
//! In money play all cubes of one owner are equivalent up to a factor.

use std::cell::RefCell;

use super::context::{Cube, CubeContext};
use super::cube_set::{Cubes, MOST_CUBES, ValueRow};
use super::cubeful_values::CubeActionValues;
use super::likely::Likely;
use super::model::Model;
use super::ranking::{CubefulCandidate, StaticPlay, narrow, static_plays};
use super::replies::{Plays, ReplyTable};
use super::ties;
use crate::cube::CubeDecision;
use crate::eval::lookahead::LeftOut;
use crate::eval::rolls::RollPlays;
use crate::eval::transpositions::Transpositions;
use crate::eval::{Candidate, CandidateFilter, Evaluator, Probabilities};
use crate::game::roll::ORDERED;
use crate::game::{GameState, Position, Roll};

/// A lookahead: everything except the position.
pub(super) struct CubefulLookahead<'a> {
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
    /// The contexts of the player on roll at the root, and of the opponent.
    pub(super) contexts: [CubeContext; 2],
    cancelled: &'a dyn Fn() -> bool,
    /// Replies shared with lookaheads at other scores, if any.
    shared: Option<&'a ReplyTable>,
    /// Only likely replies are evaluated, as in rollouts: see [`ScoreLook`](super::score_look::ScoreLook).
    /// Their chances are the evaluator's even if exact values are known, since luck is measured from them.
    pub(super) likely_only: bool,
    /// Unused memory: a lookahead takes one element for each ply.
    idle: RefCell<Vec<Plays>>,
    /// Values of the replies to one roll.
    scratch: RefCell<Vec<f32>>,
    known: RefCell<Known>,
}

/// Cached values of rolling: by side, position, cubes and plies.
type Known = Transpositions<(usize, Position, Cubes, u8), (Probabilities, ValueRow)>;

/// Cubes, and the cubes after a double.
pub(super) struct Doubles {
    pub(super) wanted: Cubes,
    /// For each cube, the index of its double in `wanted`, and the factor of its value.
    pub(super) places: [Option<(usize, f32)>; MOST_CUBES],
}

/// The result of a lookahead after one roll; chances and values are the opponent's.
pub(super) struct SeenRoll<'a> {
    /// The position after the best play at the first cube.
    pub(super) result: &'a Position,
    pub(super) chances: &'a Probabilities,
    pub(super) row: &'a ValueRow,
}

impl Model {
    /// Returns the cube decision of the player on roll of `state` at `ply` plies, before the roll; `None` if
    /// `cancelled` returned true. See [`Model::decision`].
    ///
    /// While a double is pending, this is the decision of the doubler. It then includes the answer even if
    /// the present cube already wins the match for the doubler: such a double gains nothing, but may be
    /// passed.
    pub fn decide(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CubeDecision> {
        let decided = self.decide_with_chances(evaluator, state, ply, cancelled)?;
        Some(decided.0)
    }

    /// Returns the cube decision of [`Model::decide`], and the cubeless chances of the player who rolls next,
    /// along the best plays with the present cube.
    pub fn decide_with_chances(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<(CubeDecision, Probabilities)> {
        self.lookahead(evaluator, &state.roller(), cancelled)
            .decide(state, ply)
    }

    /// Returns all plays of `roll`, best first by cubeful value: those within `filter` at `ply` plies, and
    /// after them the others at the depth at which they were dropped. If few checkers are left in contact no
    /// play is dropped. `None` if `cancelled` returned true.
    pub fn candidates(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        roll: Roll,
        ply: u8,
        filter: CandidateFilter,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<Vec<CubefulCandidate>> {
        let plays = static_plays(evaluator, &state.position, roll);
        let look = self.lookahead(evaluator, state, cancelled);
        let filter = filter.in_position(&state.position);
        look.candidates(&plays, Cube::of(state), ply, filter)
    }

    /// Returns the play `candidate` analysed at `ply` plies. `None` if `cancelled` returned true.
    pub fn analyse(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        candidate: Candidate,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CubefulCandidate> {
        let look = self.lookahead(evaluator, state, cancelled);
        look.rank(0, candidate, Cube::of(state), ply, None)
    }

    /// Returns the values of `cubes` for the player on roll of `state` who rolls without doubling, at `ply`
    /// plies, and the cubeless chances along the plays of the first cube. Only likely replies are evaluated.
    /// Never `None`, since nothing is cancelled.
    pub fn rolling<const N: usize>(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        cubes: &[Cube; N],
        ply: u8,
    ) -> Option<(Probabilities, [f32; N])> {
        let mut look = self.lookahead(evaluator, state, &|| false);
        look.likely_only = true;
        let mut asked = Cubes::NONE;
        let places = cubes.map(|cube| look.ask(&mut asked, 0, cube));
        let (chances, row) = look.rolling(0, &state.position, &asked, ply, None)?;
        Some((chances, places.map(|(place, unit)| unit * row[place])))
    }

    pub(super) fn lookahead<'a>(
        &'a self,
        evaluator: &'a dyn Evaluator,
        state: &GameState,
        cancelled: &'a dyn Fn() -> bool,
    ) -> CubefulLookahead<'a> {
        CubefulLookahead::new(evaluator, self, self.contexts(state), cancelled)
    }
}

impl<'a> CubefulLookahead<'a> {
    pub(super) fn new(
        evaluator: &'a dyn Evaluator,
        model: &'a Model,
        contexts: [CubeContext; 2],
        cancelled: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            evaluator,
            model,
            contexts,
            cancelled,
            shared: None,
            likely_only: false,
            idle: RefCell::default(),
            scratch: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// Returns the lookahead with replies from `table`: see [`ReplyTable`].
    pub(super) fn sharing(mut self, table: &'a ReplyTable) -> Self {
        self.shared = Some(table);
        self
    }
}

impl CubefulLookahead<'_> {
    pub(super) fn is_cancelled(&self) -> bool {
        (self.cancelled)()
    }

    /// See [`Model::decide_with_chances`]. The contexts are those of the player who rolls next.
    pub(super) fn decide(
        &self,
        state: &GameState,
        ply: u8,
    ) -> Option<(CubeDecision, Probabilities)> {
        let roller = state.roller();
        let cube = Cube::of(&roller);
        let context = &self.contexts[0];
        let may = match state.doubled {
            true => context.may_offer(cube),
            false => roller.may_double() && context.may_double(cube),
        };
        let mut cubes = Cubes::NONE;
        let at = self.ask(&mut cubes, 0, cube);
        let doubled = may.then(|| match context.counts_doubled(cube) {
            true => self.ask(&mut cubes, 0, cube.doubled()),
            false => at,
        });
        let (chances, row) = self.rolling(0, &roller.position, &cubes, ply, None)?;
        let value = |(place, unit): (usize, f32)| unit * row[place];
        let values = CubeActionValues::new(context, cube, value(at), doubled.map(value));
        Some((CubeDecision::new(context, cube, &values), chances))
    }

    /// See [`Model::candidates`].
    pub(super) fn candidates(
        &self,
        plays: &[StaticPlay],
        cube: Cube,
        ply: u8,
        filter: CandidateFilter,
    ) -> Option<Vec<CubefulCandidate>> {
        let mut all = plays
            .iter()
            .map(|(candidate, chances)| self.rank(0, *candidate, cube, 0, Some(chances)))
            .collect::<Option<Vec<_>>>()?;
        let context = &self.contexts[0];
        let looks = (ply, filter, LeftOut::ComesAgain);
        narrow(&mut all, context, cube, looks, &mut |one, depth| {
            *one = self.rank(0, one.candidate, cube, depth, None)?;
            Some(())
        })?;
        Some(all)
    }

    /// Returns the index of `cube` in `cubes`, and the factor of its value.
    pub(super) fn ask(&self, cubes: &mut Cubes, side: usize, cube: Cube) -> (usize, f32) {
        let context = &self.contexts[side];
        if context.is_money() {
            let base = Cube { level: 0, ..cube };
            (cubes.place(base), cube.value())
        } else {
            (cubes.place(cube), 1.0)
        }
    }

    /// Returns the value of `candidate` at `cube`, both seen by `side`, who makes the play.
    pub(super) fn rank(
        &self,
        side: usize,
        candidate: Candidate,
        cube: Cube,
        ply: u8,
        known: Option<&Probabilities>,
    ) -> Option<CubefulCandidate> {
        let mut cubes = Cubes::NONE;
        let (place, unit) = self.ask(&mut cubes, 1 - side, cube.flipped());
        let (chances, row) = self.deciding(1 - side, &candidate.result, &cubes, ply, known)?;
        let theirs = unit * row[place];
        Some(self.contexts[side].ranked(candidate, cube, ply, chances, theirs))
    }

    /// Returns the values of `cubes` for the player on roll (`side` 0 is the root's), who may double first,
    /// and the cubeless chances.
    pub(super) fn deciding(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        ply: u8,
        known: Option<&Probabilities>,
    ) -> Option<(Probabilities, ValueRow)> {
        let doubles = self.doubles(side, cubes);
        let (chances, row) = self.rolling(side, position, &doubles.wanted, ply, known)?;
        if position.is_over() {
            return Some((chances, row));
        }
        Some((chances, self.decided(side, cubes, &doubles, &row)))
    }

    /// Returns the cubes after a double of each of `cubes` by the player on roll.
    pub(super) fn doubles(&self, side: usize, cubes: &Cubes) -> Doubles {
        let context = &self.contexts[side];
        let mut doubles = Doubles {
            wanted: *cubes,
            places: [None; MOST_CUBES],
        };
        for (place, &cube) in doubles.places.iter_mut().zip(cubes.as_slice()) {
            if context.may_double(cube) {
                *place = Some(self.ask(&mut doubles.wanted, side, cube.doubled()));
            }
        }
        doubles
    }

    /// Returns the values of `cubes` for the player on roll before the doubling decision, from the values of
    /// them and their doubles after it.
    pub(super) fn decided(
        &self,
        side: usize,
        cubes: &Cubes,
        doubles: &Doubles,
        rolled: &ValueRow,
    ) -> ValueRow {
        let context = &self.contexts[side];
        let mut row = *rolled;
        for (i, &cube) in cubes.as_slice().iter().enumerate() {
            let double_take = doubles.places[i].map(|(place, unit)| unit * rolled[place]);
            row[i] = CubeActionValues::new(context, cube, rolled[i], double_take).best();
        }
        row
    }

    /// Returns the values of `cubes` for the player on roll, who rolls without doubling, and the cubeless
    /// chances along the plays of the first cube.
    pub(super) fn rolling(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        ply: u8,
        known: Option<&Probabilities>,
    ) -> Option<(Probabilities, ValueRow)> {
        let context = &self.contexts[side];
        let exact = self.exact(context, position, cubes);
        if exact.is_some() && !self.likely_only {
            return exact;
        }
        if ply == 0 || position.is_over() || exact.is_some() {
            let static_chances = || self.evaluator.probabilities_of(position);
            let chances = known.copied().unwrap_or_else(static_chances);
            let row = exact.map(|exact| exact.1);
            let row = row.unwrap_or_else(|| self.end(side, position, cubes, &chances));
            return Some((chances, row));
        }
        let key = (side, *position, *cubes, ply);
        let found = self.known.borrow().get(&key);
        if found.is_some() {
            return found;
        }
        if (self.cancelled)() {
            return None;
        }
        let mean = match self.shared {
            Some(table) => {
                let replies = table.get(self.evaluator, position);
                self.mean(side, &replies, &cubes.flipped(), ply, &mut |_, _| ())?
            }
            None => self.look(side, position, cubes, ply, &mut |_, _| ())?,
        };
        self.known.borrow_mut().put(key, mean);
        Some(mean)
    }

    /// Returns the values of rolling as the mean over the rolls, with the cubeless chances; calls `each` for
    /// every roll.
    pub(super) fn look(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        ply: u8,
        each: &mut dyn FnMut(usize, &SeenRoll<'_>),
    ) -> Option<(Probabilities, ValueRow)> {
        let mut plays = self.idle.borrow_mut().pop().unwrap_or_default();
        let replies = if self.likely_only {
            plays.value_likely(self.evaluator, position)
        } else {
            plays.value_all(self.evaluator, position)
        };
        let mean = self.mean(side, replies, &cubes.flipped(), ply, each);
        self.idle.borrow_mut().push(plays);
        mean
    }

    /// Returns the mean over the rolls of the values of their best plays: see [`CubefulLookahead::rolling`].
    /// `cubes` are seen by the opponent.
    fn mean(
        &self,
        side: usize,
        replies: &RollPlays,
        cubes: &Cubes,
        ply: u8,
        each: &mut dyn FnMut(usize, &SeenRoll<'_>),
    ) -> Option<(Probabilities, ValueRow)> {
        let context = &self.contexts[side];
        let mut sums = RollSums::default();
        for (r, roll) in Roll::ALL.into_iter().enumerate() {
            let (results, chances) = replies.of_roll(r);
            let (best, mut row) = self.best_plays(1 - side, results, chances, cubes);
            let result = &results[best[0]];
            let seen = match ply {
                0 | 1 => self.chances_after(1 - side, result, cubes, &chances[best[0]]),
                _ => self.deeper(1 - side, results, &best, cubes, ply - 1, &mut row)?,
            };
            each(
                r,
                &SeenRoll {
                    result,
                    chances: &seen,
                    row: &row,
                },
            );
            sums.add(roll, &seen, &row[..cubes.len], context);
        }
        Some((sums.chances(), sums.values))
    }

    /// Returns for each cube the result with the lowest value, without lookahead, for the opponent, who is on
    /// roll after the play (`side`), and that value. Among [`ties`] the result with the lowest cubeless
    /// equity, as in [`narrow`].
    pub(super) fn best_plays(
        &self,
        side: usize,
        results: &[Position],
        chances: &[Probabilities],
        cubes: &Cubes,
    ) -> ([usize; MOST_CUBES], ValueRow) {
        let doubles = self.doubles(side, cubes);
        let values = &mut *self.scratch.borrow_mut();
        values.clear();
        values.resize(cubes.len * results.len(), 0.0);
        let likely = self.likely_only.then(|| {
            let context = &self.contexts[side];
            Likely::new(context, cubes, chances)
        });
        for (i, (result, seen)) in results.iter().zip(chances).enumerate() {
            let row = if likely.as_ref().is_none_or(|likely| likely.holds(seen)) {
                self.glance(side, result, seen, cubes, &doubles)
            } else {
                [f32::INFINITY; MOST_CUBES]
            };
            for c in 0..cubes.len {
                values[c * results.len() + i] = row[c];
            }
        }
        let mut best = [0; MOST_CUBES];
        let mut least = [f32::INFINITY; MOST_CUBES];
        let equity = |i: usize| chances[i].equity();
        for (c, values) in values.chunks_exact(results.len()).enumerate() {
            let level = cubes.all[c].level;
            best[c] = ties::least(&self.contexts[side], level, values, equity);
            least[c] = values.iter().copied().fold(f32::INFINITY, f32::min);
        }
        (best, least)
    }

    /// Returns the values of [`CubefulLookahead::deciding`] without lookahead, from known chances.
    fn glance(
        &self,
        side: usize,
        position: &Position,
        chances: &Probabilities,
        cubes: &Cubes,
        doubles: &Doubles,
    ) -> ValueRow {
        let exact = self.exact(&self.contexts[side], position, &doubles.wanted);
        let row = exact.map(|exact| exact.1);
        let row = row.unwrap_or_else(|| self.end(side, position, &doubles.wanted, chances));
        if position.is_over() {
            return row;
        }
        self.decided(side, cubes, doubles, &row)
    }

    /// Computes the values of the chosen results at `ply` plies, for the player then on roll, into `row`: one
    /// lookahead for all cubes that chose the same result. Returns the chances of the first.
    pub(super) fn deeper(
        &self,
        side: usize,
        results: &[Position],
        best: &[usize; MOST_CUBES],
        cubes: &Cubes,
        ply: u8,
        row: &mut ValueRow,
    ) -> Option<Probabilities> {
        let mut first = Probabilities::default();
        for c in 0..cubes.len {
            let chosen = best[c];
            if best[..c].contains(&chosen) {
                continue;
            }
            let mut same = Cubes::NONE;
            let mut places = [0; MOST_CUBES];
            for d in (c..cubes.len).filter(|&d| best[d] == chosen) {
                places[same.len] = d;
                same.place(cubes.all[d]);
            }
            let result = &results[chosen];
            let (chances, values) = self.deciding(side, result, &same, ply, None)?;
            for (place, value) in places.iter().zip(&values[..same.len]) {
                row[*place] = *value;
            }
            if c == 0 {
                first = chances;
            }
        }
        Some(first)
    }

    /// Returns the values of rolling without a double at `cubes`, if all are known exactly, with the winning
    /// chance as the only nonzero chance.
    pub(super) fn exact(
        &self,
        context: &CubeContext,
        position: &Position,
        cubes: &Cubes,
    ) -> Option<(Probabilities, ValueRow)> {
        let exact = self.model.exact(context, position);
        let exact = exact.filter(|_| !position.is_over())?;
        let mut row = [0.0; MOST_CUBES];
        for (value, &cube) in row.iter_mut().zip(cubes.as_slice()) {
            *value = exact.no_double(context, cube)?;
        }
        let chances = Probabilities::from_array([exact.win(), 0.0, 0.0, 0.0, 0.0]);
        Some((chances, row))
    }

    /// Returns the chances of the player on roll, `side`: exact if the values of `cubes` are, else `known`.
    pub(super) fn chances_after(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        known: &Probabilities,
    ) -> Probabilities {
        let exact = self.exact(&self.contexts[side], position, cubes);
        let exact = exact.filter(|_| !self.likely_only);
        exact.map_or(*known, |exact| exact.0)
    }

    /// Returns the values of rolling without a double at `cubes` by the model, without lookahead.
    fn end(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        chances: &Probabilities,
    ) -> ValueRow {
        let context = &self.contexts[side];
        let mut row = [0.0; MOST_CUBES];
        let cells = row.iter_mut().zip(cubes.as_slice());
        if let Some(points) = position.points() {
            cells.for_each(|(value, &cube)| *value = context.result(cube, points));
        } else {
            let model = self.model;
            let cubeful = model.cubeful_values(context, position, chances, cubes.lowest());
            cells.for_each(|(value, &cube)| *value = cubeful.no_double(cube));
        }
        row
    }
}

/// The sum of the mean over the rolls, for the player who rolls, from figures of the opponent after each.
#[derive(Default)]
pub(super) struct RollSums {
    /// Values of each cube.
    pub(super) values: ValueRow,
    chances: [f32; 5],
}

impl RollSums {
    /// Adds the figures after `roll`; `context` is that of either player.
    #[inline]
    pub(super) fn add(
        &mut self,
        roll: Roll,
        seen: &Probabilities,
        row: &[f32],
        context: &CubeContext,
    ) {
        let weight = roll.weight() as f32 / ORDERED as f32;
        for (total, value) in self.values.iter_mut().zip(row) {
            *total += weight * context.flip(*value);
        }
        for (total, chance) in self.chances.iter_mut().zip(seen.flipped().to_array()) {
            *total += weight * chance;
        }
    }

    /// Returns the chances of the player who rolls.
    pub(super) fn chances(&self) -> Probabilities {
        Probabilities::from_array(self.chances)
    }
}

#[cfg(test)]
mod tests;
