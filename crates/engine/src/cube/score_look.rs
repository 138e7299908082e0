//! Chooses plays at a score in rollouts, for one worker: a faster version of [`Model::candidates`] for
//! repeated use.
//!
//! Memory is reused, and the choices of the first rolls are cached. Only those replies are evaluated that the
//! evaluator's pruner keeps. The 21 rolls after the chosen play are stored: they determine the opponent's
//! cube decision and the luck of the next roll.

use std::collections::HashMap;

use super::context::{Cube, CubeContext};
use super::cube_set::Cubes;
use super::lookahead::CubefulLookahead;
use super::model::Model;
use super::ranking::{CubefulCandidate, StaticPlay, narrow, value_static_plays};
use crate::eval::lookahead::LeftOut;
use crate::eval::{CandidateFilter, Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{PlayList, Position, Roll};

/// The 21 rolls of a position at a score, seen by the player who rolls.
#[derive(Clone, Debug)]
pub struct ScoreRolls {
    /// The positions after the best plays with the present cube, seen by the opponent.
    pub results: [Position; DISTINCT],
    /// Cubeless chances after these plays.
    pub chances: [Probabilities; DISTINCT],
    /// Values (MWC, or points including the cube) after the best play with the present cube, and with the cube
    /// after a double and a take. The second are 0 if a double is impossible.
    pub values: [[f32; DISTINCT]; 2],
}

impl Default for ScoreRolls {
    fn default() -> Self {
        Self {
            results: [Position::opening(); DISTINCT],
            chances: [Probabilities::default(); DISTINCT],
            values: [[0.0; DISTINCT]; 2],
        }
    }
}

/// Successive lookaheads from positions of one match. Sides are those of the contexts passed to
/// [`ScoreLook::new`].
pub struct ScoreLook<'a> {
    look: CubefulLookahead<'a>,
    evaluator: &'a dyn Evaluator,
    list: PlayList,
    chances: Vec<Probabilities>,
    plays: Vec<StaticPlay>,
    ranked: Vec<CubefulCandidate>,
    /// The rolls after the plays that are ranked at the last depth.
    tables: Vec<(Position, ScoreRolls)>,
    chosen: HashMap<ChoiceKey, (Position, Option<Box<ScoreRolls>>)>,
}

/// Everything that a choice depends on: side, position, cube, roll and plies.
type ChoiceKey = (usize, Position, Cube, Roll, u8);

/// Maximum number of cached choices: those of two rolls with five plays, and some more. 7 MB.
const MOST_CHOICES: usize = 4096;

impl<'a> ScoreLook<'a> {
    /// Creates lookaheads for a match; `contexts` are those of the two sides.
    pub fn new(
        evaluator: &'a dyn Evaluator,
        model: &'a Model,
        contexts: [CubeContext; 2],
        cancelled: &'a dyn Fn() -> bool,
    ) -> Self {
        let mut look = CubefulLookahead::new(evaluator, model, contexts, cancelled);
        look.likely_only = true;
        Self {
            look,
            evaluator,
            list: PlayList::new(),
            chances: Vec::new(),
            plays: Vec::new(),
            ranked: Vec::new(),
            tables: Vec::new(),
            chosen: HashMap::new(),
        }
    }

    /// Computes the rolls of `position`, whose player on roll is `side` and sees `cube`, with the best plays
    /// and their values at `ply` - 1 plies. `None` if the lookahead was cancelled.
    pub fn rolls(
        &mut self,
        side: usize,
        position: &Position,
        cube: Cube,
        ply: u8,
        out: &mut ScoreRolls,
    ) -> Option<()> {
        rolls(&self.look, side, cube, position, ply, out)?;
        Some(())
    }

    /// Returns the best play of `roll` by `side`, who sees `cube`, at `ply` plies after `filter`. Also
    /// returns the rolls of the resulting position, one ply less deep, unless the game is over. Choices that
    /// are `early` in a game are cached: all games of a rollout begin alike. `None` if the lookahead was
    /// cancelled.
    pub fn choose(
        &mut self,
        side: usize,
        position: Position,
        cube: Cube,
        roll: Roll,
        (ply, filter): (u8, CandidateFilter),
        early: bool,
    ) -> Option<(Position, Option<&ScoreRolls>)> {
        let key = (side, position, cube, roll, ply);
        if early && self.chosen.contains_key(&key) {
            let (result, table) = &self.chosen[&key];
            return Some((*result, table.as_deref()));
        }
        self.value_plays(side, &position, cube, roll)?;
        let (result, table) = self.rank_deeper(side, cube, ply, filter)?;
        if early && self.chosen.len() < MOST_CHOICES {
            let table = table.map(|table| Box::new(self.tables[table].1.clone()));
            self.chosen.insert(key, (result, table));
        }
        Some((result, table.map(|table| &self.tables[table].1)))
    }

    /// Returns the best of the ranked plays after a deeper lookahead, and the index of its table.
    fn rank_deeper(
        &mut self,
        side: usize,
        cube: Cube,
        ply: u8,
        filter: CandidateFilter,
    ) -> Option<(Position, Option<usize>)> {
        let Self {
            look,
            ranked,
            tables,
            ..
        } = self;
        let context = look.contexts[side];
        let mut used = 0;
        let looks = (ply, filter, LeftOut::StaysOut);
        narrow(ranked, &context, cube, looks, &mut |one, depth| {
            let result = one.candidate.result;
            if depth < ply || result.is_over() {
                *one = look.rank(side, one.candidate, cube, depth, None)?;
                return Some(());
            }
            if used == tables.len() {
                tables.push((result, ScoreRolls::default()));
            }
            let (of, table) = &mut tables[used];
            used += 1;
            *of = result;
            let (chances, theirs) = rolls(look, 1 - side, cube.flipped(), &result, depth, table)?;
            *one = context.ranked(one.candidate, cube, depth, chances, theirs);
            Some(())
        })?;
        let best = ranked[0].candidate.result;
        let table = tables[..used].iter().position(|(of, _)| *of == best);
        Some((best, table))
    }

    /// Ranks all plays of `roll` without lookahead.
    fn value_plays(
        &mut self,
        side: usize,
        position: &Position,
        cube: Cube,
        roll: Roll,
    ) -> Option<()> {
        self.list.generate(position, roll);
        let (list, chances, plays) = (&self.list, &mut self.chances, &mut self.plays);
        value_static_plays(self.evaluator, position, list, chances, plays);
        self.ranked.clear();
        for (candidate, chances) in &self.plays {
            let one = self.look.rank(side, *candidate, cube, 0, Some(chances))?;
            self.ranked.push(one);
        }
        Some(())
    }
}

/// Fills `out` with the rolls of `side`. Returns the chances and the value for that player before the
/// doubling decision.
fn rolls(
    look: &CubefulLookahead<'_>,
    side: usize,
    cube: Cube,
    position: &Position,
    ply: u8,
    out: &mut ScoreRolls,
) -> Option<(Probabilities, f32)> {
    if look.is_cancelled() {
        return None;
    }
    let context = &look.contexts[side];
    let mut cubes = Cubes::NONE;
    let (_, unit) = look.ask(&mut cubes, side, cube);
    let doubles = look.doubles(side, &cubes);
    let wanted = doubles.wanted;
    let units = [unit, doubles.places[0].map_or(0.0, |(_, unit)| unit)];
    out.values[1] = [0.0; DISTINCT];
    let (chances, row) = look.look(side, position, &wanted, ply, &mut |r, seen| {
        out.results[r] = *seen.result;
        out.chances[r] = seen.chances.flipped();
        for (c, unit) in units.into_iter().enumerate().take(wanted.len) {
            out.values[c][r] = unit * context.flip(seen.row[c]);
        }
    })?;
    // An exact value takes precedence over the mean of the rolls.
    let known = look.exact(context, position, &wanted);
    let row = known.map_or(row, |(_, known)| known);
    let row = look.decided(side, &cubes, &doubles, &row);
    Some((chances, unit * row[0]))
}
