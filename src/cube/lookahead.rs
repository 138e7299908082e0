//! Cubeful values by looking ahead, and plays ranked by what they are worth with the cube and the
//! score.
//!
//! The n-ply value of rolling at some cube is the mean over the 21 rolls of what the best play is
//! worth, the opponent then deciding about the cube with values of one ply less. At the end of the
//! look stand the values of [`Model::values`]. Which play is best goes by those too, for each
//! cube by itself: a gammon may be worth much on one cube and nothing on another.
//!
//! *One look for all cubes.* Whether to double asks for two cubes, each answer of the opponent for
//! another one. Their values are found together, from the same chances, as long as they choose the
//! same plays. In money play all cubes of one owner are one, times its value.

use std::cell::RefCell;

use super::context::{Cube, CubeContext};
use super::cubeful_values::CubeActionValues;
use super::model::Model;
use super::replies::{Plays, Replies, ReplyTable};
use super::ties;
use crate::cube::CubeDecision;
use crate::eval::transpositions::Transpositions;
use crate::eval::{Candidate, CandidateFilter, Evaluator, Probabilities};
use crate::game::{GameState, PlayList, Position, Roll};

/// Cubes that can come up in one look: three owners for each value, and five plies of doubling.
pub(super) const MOST_CUBES: usize = 24;

/// Values of several cubes in one position.
pub(super) type ValueRow = [f32; MOST_CUBES];

/// Different cubes, in order of their coming up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cubes {
    all: [Cube; MOST_CUBES],
    len: usize,
}

impl Cubes {
    pub(super) const NONE: Self = Self {
        all: [Cube::CENTRED; MOST_CUBES],
        len: 0,
    };

    fn as_slice(&self) -> &[Cube] {
        &self.all[..self.len]
    }

    /// The place of `cube`, which is added if need be.
    fn place(&mut self, cube: Cube) -> usize {
        if let Some(i) = self.as_slice().iter().position(|c| *c == cube) {
            return i;
        }
        let i = self.len.min(MOST_CUBES - 1);
        self.all[i] = cube;
        self.len = i + 1;
        i
    }

    pub(super) fn flipped(&self) -> Self {
        Self {
            all: self.all.map(Cube::flipped),
            len: self.len,
        }
    }

    fn lowest(&self) -> u8 {
        self.as_slice().iter().map(|c| c.level).min().unwrap_or(0)
    }
}

/// A look ahead: everything but the position.
pub(super) struct CubefulLookahead<'a> {
    evaluator: &'a dyn Evaluator,
    model: &'a Model,
    /// Seen by the player on roll at the root, and by the other.
    pub(super) contexts: [CubeContext; 2],
    cancelled: &'a dyn Fn() -> bool,
    /// Replies shared with looks at other scores, if there are any.
    shared: Option<&'a ReplyTable>,
    /// Memory that is not in use: a look takes one for each ply it goes down.
    idle: RefCell<Vec<Plays>>,
    known: RefCell<Known>,
}

/// What rolling is worth: by side, position, cubes and plies.
type Known = Transpositions<(usize, Position, Cubes, u8), (Probabilities, ValueRow)>;

/// A play and the chances after it, for the opponent, who is then on roll.
pub(super) type StaticPlay = (Candidate, Probabilities);

/// All plays of `roll` in the order of their generation, by the static evaluation.
pub(super) fn static_plays(
    evaluator: &dyn Evaluator,
    position: &Position,
    roll: Roll,
) -> Vec<StaticPlay> {
    let mut list = PlayList::new();
    list.generate(position, roll);
    let mut chances = vec![Probabilities::default(); list.len()];
    evaluator.probabilities_after(position, list.results(), &mut chances);
    let plays = list.plays().iter().zip(list.results()).zip(&chances);
    plays
        .map(|((&play, &result), &chances)| {
            let probabilities = chances.flipped();
            let candidate = Candidate {
                play,
                result,
                probabilities,
                equity: probabilities.equity(),
                ply: 0,
            };
            (candidate, chances)
        })
        .collect()
}

/// A play ranked with cube and score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubefulCandidate {
    /// The play, its cubeless chances and cubeless equity.
    pub candidate: Candidate,
    /// What it is worth with the cube, in points on the present cube (EMG in a match).
    pub cubeful: f32,
    /// The chance to win the match, in a match.
    pub mwc: Option<f32>,
}

impl Model {
    /// The cube decision of the player on roll of `state` at `ply` plies, before the roll; `None`
    /// if `cancelled` answered true on the way. See [`Model::decision`].
    pub fn decide(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CubeDecision> {
        let told = self.decide_with_chances(evaluator, state, ply, cancelled)?;
        Some(told.0)
    }

    /// The same with the cubeless chances of the player on roll, along the plays that are best with the cube
    /// where it is.
    pub fn decide_with_chances(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<(CubeDecision, Probabilities)> {
        self.lookahead(evaluator, state, cancelled)
            .decide(state, ply)
    }

    /// All plays of `roll`, best first by their cubeful values: those within `filter` at `ply`
    /// plies, the others behind them at the depth at which they fell out. `None` if `cancelled`
    /// answered true on the way.
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
        look.candidates(&plays, Cube::of(state), ply, filter)
    }

    /// One play analysed at `ply` plies; `candidate` says which.
    pub fn analyse(
        &self,
        evaluator: &dyn Evaluator,
        state: &GameState,
        candidate: Candidate,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CubefulCandidate> {
        let look = self.lookahead(evaluator, state, cancelled);
        look.rank(candidate, Cube::of(state), ply, None)
    }

    pub(super) fn lookahead<'a>(
        &'a self,
        evaluator: &'a dyn Evaluator,
        state: &GameState,
        cancelled: &'a dyn Fn() -> bool,
    ) -> CubefulLookahead<'a> {
        CubefulLookahead {
            evaluator,
            model: self,
            contexts: self.contexts(state),
            cancelled,
            shared: None,
            idle: RefCell::default(),
            known: RefCell::default(),
        }
    }
}

/// Best first. Plays that are worth the same with the cube, all of them being followed by a double and
/// a pass as a rule, go by their cubeless equity; those that are equal in that too keep the order of
/// generation. At a score [`ties`] says what is worth the same as the best.
fn sort(candidates: &mut [CubefulCandidate], context: &CubeContext, cube: Cube) {
    let cubeless = |a: &CubefulCandidate, b: &CubefulCandidate| {
        b.candidate.equity.total_cmp(&a.candidate.equity)
    };
    candidates.sort_by(|a, b| {
        let by_cubeful = b.cubeful.total_cmp(&a.cubeful);
        by_cubeful.then_with(|| cubeless(a, b))
    });
    let Some(best) = candidates.first().and_then(|c| c.mwc) else {
        return;
    };
    let [limit, _] = context.ties_of(cube.level, best);
    let is_tie = |c: &&CubefulCandidate| c.mwc.is_some_and(|mwc| mwc >= limit);
    let tied = candidates.iter().take_while(is_tie).count();
    candidates[..tied].sort_by(cubeless);
}

impl<'a> CubefulLookahead<'a> {
    /// The same look with replies from `table`: see [`ReplyTable`].
    pub(super) fn sharing(mut self, table: &'a ReplyTable) -> Self {
        self.shared = Some(table);
        self
    }
}

impl CubefulLookahead<'_> {
    /// See [`Model::decide_with_chances`].
    pub(super) fn decide(
        &self,
        state: &GameState,
        ply: u8,
    ) -> Option<(CubeDecision, Probabilities)> {
        let cube = Cube::of(state);
        let context = &self.contexts[0];
        let may = state.may_double() && context.may_double(cube);
        let mut cubes = Cubes::NONE;
        let at = self.ask(&mut cubes, 0, cube);
        let doubled = may.then(|| self.ask(&mut cubes, 0, cube.doubled()));
        let (chances, row) = self.rolling(0, &state.position, &cubes, ply, None)?;
        let value = |(place, unit): (usize, f32)| unit * row[place];
        let values = CubeActionValues {
            no_double: value(at),
            double_take: doubled.map(value),
            double_pass: context.cash(cube),
            beavers: context.beavers(),
        };
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
            .map(|(candidate, chances)| self.rank(*candidate, cube, 0, Some(chances)))
            .collect::<Option<Vec<_>>>()?;
        sort(&mut all, &self.contexts[0], cube);
        let mut kept = all.len();
        for depth in 1..=ply {
            let filter = filter.at(depth);
            let limit = all[0].cubeful - filter.within;
            kept = all[..kept]
                .iter()
                .take(usize::from(filter.most))
                .take_while(|c| c.cubeful >= limit)
                .count();
            if kept == 1 && depth < ply {
                continue;
            }
            for one in &mut all[..kept] {
                *one = self.rank(one.candidate, cube, depth, None)?;
            }
            sort(&mut all[..kept], &self.contexts[0], cube);
        }
        Some(all)
    }

    /// The place of `cube` among `cubes`, and what its value has to be multiplied by.
    pub(super) fn ask(&self, cubes: &mut Cubes, side: usize, cube: Cube) -> (usize, f32) {
        let context = &self.contexts[side];
        if context.is_money() {
            let base = Cube { level: 0, ..cube };
            (cubes.place(base), cube.value())
        } else {
            (cubes.place(cube), 1.0)
        }
    }

    /// What `candidate` is worth at `cube`, both seen by who makes the play.
    pub(super) fn rank(
        &self,
        mut candidate: Candidate,
        cube: Cube,
        ply: u8,
        known: Option<&Probabilities>,
    ) -> Option<CubefulCandidate> {
        let mut cubes = Cubes::NONE;
        let (place, unit) = self.ask(&mut cubes, 1, cube.flipped());
        let (chances, row) = self.deciding(1, &candidate.result, &cubes, ply, known)?;
        candidate.probabilities = chances.flipped();
        candidate.equity = candidate.probabilities.equity();
        candidate.ply = ply;
        let context = &self.contexts[0];
        let value = context.flip(unit * row[place]);
        Some(CubefulCandidate {
            candidate,
            cubeful: context.to_points(cube.level, value),
            mwc: (!context.is_money()).then_some(value),
        })
    }

    /// Values for the player on roll (`side` 0 is the root's) who may double first.
    pub(super) fn deciding(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        ply: u8,
        known: Option<&Probabilities>,
    ) -> Option<(Probabilities, ValueRow)> {
        let context = &self.contexts[side];
        let mut wanted = *cubes;
        let mut doubled = [None; MOST_CUBES];
        for (slot, &cube) in doubled.iter_mut().zip(cubes.as_slice()) {
            if context.may_double(cube) {
                *slot = Some(self.ask(&mut wanted, side, cube.doubled()));
            }
        }
        let (chances, mut row) = self.rolling(side, position, &wanted, ply, known)?;
        let over = position.is_over();
        let rolled = row;
        for (i, &cube) in cubes.as_slice().iter().enumerate().filter(|_| !over) {
            let values = CubeActionValues {
                no_double: rolled[i],
                double_take: doubled[i].map(|(place, unit)| unit * rolled[place]),
                double_pass: context.cash(cube),
                beavers: context.beavers(),
            };
            row[i] = values.best();
        }
        Some((chances, row))
    }

    /// Values for the player on roll who rolls without doubling, and the cubeless chances along
    /// the plays of the first cube.
    pub(super) fn rolling(
        &self,
        side: usize,
        position: &Position,
        cubes: &Cubes,
        ply: u8,
        known: Option<&Probabilities>,
    ) -> Option<(Probabilities, ValueRow)> {
        let context = &self.contexts[side];
        let over = position.is_over();
        let exact = (!over).then(|| self.exact(context, position, cubes));
        let exact = exact.flatten();
        if ply == 0 || over || exact.is_some() {
            let chances = match known {
                Some(chances) => *chances,
                None => self.evaluator.probabilities_of(position),
            };
            let row = exact.unwrap_or_else(|| self.end(side, position, cubes, &chances));
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
                self.mean(side, &replies, &cubes.flipped(), ply)?
            }
            None => {
                let mut plays = self.idle.borrow_mut().pop().unwrap_or_default();
                let replies = plays.value_all(self.evaluator, position);
                let mean = self.mean(side, replies, &cubes.flipped(), ply);
                self.idle.borrow_mut().push(plays);
                mean?
            }
        };
        self.known.borrow_mut().put(key, mean);
        Some(mean)
    }

    /// The mean over the rolls of what their best plays are worth: [`CubefulLookahead::rolling`]. `cubes` are
    /// seen by the opponent.
    fn mean(
        &self,
        side: usize,
        replies: &Replies,
        cubes: &Cubes,
        ply: u8,
    ) -> Option<(Probabilities, ValueRow)> {
        let context = &self.contexts[side];
        let mut sum: ValueRow = [0.0; MOST_CUBES];
        let mut mean = [0.0f32; 5];
        for (r, roll) in Roll::ALL.iter().enumerate() {
            let (results, chances) = replies.of_roll(r);
            let (best, mut row) = self.best_plays(1 - side, results, chances, cubes)?;
            let mut seen = chances[best[0]];
            if ply > 1 {
                seen = self.deeper(1 - side, results, &best, cubes, ply - 1, &mut row)?;
            }
            let weight = roll.weight() as f32 / 36.0;
            for (total, value) in sum.iter_mut().zip(&row[..cubes.len]) {
                *total += weight * context.flip(*value);
            }
            for (total, chance) in mean.iter_mut().zip(seen.flipped().to_array()) {
                *total += weight * chance;
            }
        }
        Some((Probabilities::from_array(mean), sum))
    }

    /// For each cube the result that is worst for the opponent, who is on roll after the play
    /// (`side`), by values without a look ahead, and the least value. Of [`ties`] that with the least
    /// cubeless equity, as in [`sort`].
    pub(super) fn best_plays(
        &self,
        side: usize,
        results: &[Position],
        chances: &[Probabilities],
        cubes: &Cubes,
    ) -> Option<([usize; MOST_CUBES], ValueRow)> {
        let mut values = vec![0.0; cubes.len * results.len()];
        for (i, (result, chances)) in results.iter().zip(chances).enumerate() {
            let (_, row) = self.deciding(side, result, cubes, 0, Some(chances))?;
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
        Some((best, least))
    }

    /// Values of the chosen results at `ply` plies, for the player then on roll, into `row`: one
    /// look for all cubes that chose the same result. Gives the chances of the first.
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

    /// Values that are known exactly, if those of all cubes are.
    fn exact(&self, context: &CubeContext, position: &Position, cubes: &Cubes) -> Option<ValueRow> {
        let exact = self.model.exact(context, position)?;
        let mut row = [0.0; MOST_CUBES];
        for (value, &cube) in row.iter_mut().zip(cubes.as_slice()) {
            *value = exact.no_double(context, cube)?;
        }
        Some(row)
    }

    /// Values without a look ahead that are not known exactly.
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

#[cfg(test)]
mod tests;
