//! One decision at many scores and cubes: the best play or cube action at each, and the cost of a reference
//! choice there.
//!
//! All cells share one set of plays and one table of replies ([`ManyScores`]), so each position is evaluated
//! once for all cells. Every cell is cubeful, also for money.

mod cells;

use rayon::prelude::*;

pub use self::cells::{Cell, ScoreName, cells, owners};

use crate::cube::{CubeAction, CubeChoice, CubeDecision, ManyScores, Model};
use crate::eval::{Candidate, Evaluator};
use crate::game::{CubeOwner, GameState, Play, Position, Roll};

/// Smaller costs, in points, are displayed as zero and change no answer.
const SAME: f32 = 5e-5;
/// Number of best plays of a cell whose equities are kept, besides the reference play.
const SHOWN: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BestChoice {
    /// The play to this position.
    Play(Position),
    /// The cube action of the player on roll, with the answer.
    Action(CubeAction),
    /// The answer to a double.
    Answer(CubeChoice),
}

/// The choice whose cost is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReferenceChoice {
    /// The best choice in the given state.
    Best(BestChoice),
    /// The play to this position, given by the user.
    Play(Position),
    /// A cube choice, given by the user.
    Cube(CubeChoice),
}

impl ReferenceChoice {
    /// Replaces a beaver by a take, for rules without beavers.
    fn without_beaver(self) -> Self {
        let best = |action| Self::Best(BestChoice::Action(action));
        match self {
            Self::Cube(CubeChoice::Beaver) => Self::Cube(CubeChoice::Take),
            Self::Best(BestChoice::Answer(CubeChoice::Beaver)) => {
                Self::Best(BestChoice::Answer(CubeChoice::Take))
            }
            Self::Best(BestChoice::Action(CubeAction::NoDoubleBeaver)) => {
                best(CubeAction::NoDouble)
            }
            Self::Best(BestChoice::Action(CubeAction::DoubleBeaver)) => {
                best(CubeAction::DoubleTake)
            }
            other => other,
        }
    }
}

/// The decision in one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellAnswer {
    /// Plies of lookahead.
    pub ply: u8,
    /// The best choice; `None` if there is no decision because nobody may double.
    pub best: Option<BestChoice>,
    /// Cost of the reference choice here, in points of the cube of the cell (EMG in a match).
    pub cost: Option<f32>,
    /// The best choice here differs from the reference choice.
    pub is_change: bool,
    /// Equities, best first. For a play decision: indices in [`Matrix::plays`], including the reference play.
    /// For a cube decision: indices in [`ACTIONS`] of the possible actions, with the beaver only if it is the
    /// best answer.
    pub equities: Vec<(usize, f32)>,
}

/// Names of the actions of a cube decision.
pub const ACTIONS: [&str; 4] = ["no double", "double/take", "double/beaver", "double/pass"];

/// The decision and the data shared by its cells.
pub struct Matrix<'a> {
    given: GameState,
    roll: Option<Roll>,
    scores: ManyScores<'a>,
}

impl<'a> Matrix<'a> {
    /// Creates the decision: a play with `roll`; otherwise the cube decision, or the answer to a pending
    /// double.
    pub fn new(
        evaluator: &'a dyn Evaluator,
        model: &'a Model,
        given: GameState,
        roll: Option<Roll>,
    ) -> Self {
        Self {
            given,
            roll,
            scores: ManyScores::new(evaluator, model, &given.roller().position, roll),
        }
    }

    /// Returns whether the decision is a play rather than a cube action.
    pub fn is_play(&self) -> bool {
        self.roll.is_some()
    }

    /// Iterates over the plays in the order of generation.
    pub fn plays(&self) -> impl Iterator<Item = &Candidate> {
        self.scores.plays()
    }

    /// Returns the play to `result`.
    pub fn play(&self, result: &Position) -> Option<Play> {
        let mut plays = self.plays();
        plays.find(|c| c.result == *result).map(|c| c.play)
    }

    /// Returns the cell of the given state.
    pub fn given(&self) -> Cell {
        Cell::of(&self.given)
    }

    /// Returns the cells of the decision ([`cells()`]).
    pub fn cells(&self, max: u16) -> Vec<Cell> {
        cells(&self.given, self.is_play(), max)
    }

    /// Returns the possible owners of the cube for the decision.
    pub fn owners(&self) -> &'static [CubeOwner] {
        owners(self.is_play(), self.given.doubled)
    }

    /// Returns the best choice in the given state at `ply` plies. `None` if `cancelled` returned true.
    pub fn best_here(&self, ply: u8, cancelled: &dyn Fn() -> bool) -> Option<ReferenceChoice> {
        let state = self.given().asked(&self.given);
        let verdict = if self.is_play() {
            let all = self.scores.candidates(&state, ply, cancelled)?;
            BestChoice::Play(all.first()?.candidate.result)
        } else {
            verdict(
                &self.scores.decide(&state, ply, cancelled)?,
                self.given.doubled,
            )
        };
        Some(ReferenceChoice::Best(verdict))
    }

    /// Returns the decision in `cell` at `ply` plies. `None` if `cancelled` returned true.
    pub fn answer(
        &self,
        cell: &Cell,
        present: ReferenceChoice,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CellAnswer> {
        // A pending double needs an answer even if it gains nothing. At other scores there is an answer only
        // if a player may double.
        let state = match cell.is_of(&self.given) {
            true => cell.asked(&self.given),
            false => cell.state(&self.given),
        };
        match present {
            ReferenceChoice::Play(result) | ReferenceChoice::Best(BestChoice::Play(result)) => {
                self.play_answer(&state, result, ply, cancelled)
            }
            _ => {
                let decision = self.scores.decide(&state, ply, cancelled)?;
                Some(cube_answer(&decision, present, self.given.doubled, ply))
            }
        }
    }

    /// Computes all `cells` at `ply` plies in parallel on the thread pool. `each` receives the index of a
    /// cell and its answer. Returns false if `cancelled` returned true.
    pub fn fill(
        &self,
        cells: &[Cell],
        present: ReferenceChoice,
        ply: u8,
        cancelled: &(dyn Fn() -> bool + Sync),
        each: &(dyn Fn(usize, CellAnswer) + Sync),
    ) -> bool {
        let answer = |(i, cell): (usize, &Cell)| {
            let answer = self.answer(cell, present, ply, cancelled)?;
            each(i, answer);
            Some(())
        };
        let done: Option<()> = cells.par_iter().enumerate().map(answer).collect();
        done.is_some()
    }

    fn play_answer(
        &self,
        state: &GameState,
        present: Position,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CellAnswer> {
        let mut all = self.scores.candidates(state, ply, cancelled)?;
        let depth = all.first()?.candidate.ply;
        let at = all.iter().position(|c| c.candidate.result == present)?;
        let was_dropped = all[at].candidate.ply < depth;
        if was_dropped {
            // A cost compares equities of equal depth.
            let again = self
                .scores
                .analyse(state, all[at].candidate, depth, cancelled)?;
            all[at] = again;
        }
        // The ranking has the best play first, with ties resolved. Only a play that the filter dropped can be
        // better.
        let is_better = was_dropped && all[at].cubeful > all[0].cubeful + SAME;
        let best = if is_better { at } else { 0 };
        let cost = (all[best].cubeful - all[at].cubeful).max(0.0);
        let place = |result: &Position| self.plays().position(|c| c.result == *result);
        let others = (0..all.len()).filter(|i| *i < SHOWN || *i == at);
        let order = std::iter::once(best).chain(others.filter(|i| *i != best));
        // Do not compare equities of different depths.
        let shown = order.map(|i| &all[i]).filter(|c| c.candidate.ply == depth);
        let equities = shown
            .filter_map(|c| Some((place(&c.candidate.result)?, c.cubeful)))
            .collect();
        Some(CellAnswer {
            ply,
            best: Some(BestChoice::Play(all[best].candidate.result)),
            cost: Some(cost),
            is_change: cost > SAME,
            equities,
        })
    }
}

/// Returns the best choice of the player to decide: the answer if a double `is_offered`.
fn verdict(decision: &CubeDecision, is_offered: bool) -> BestChoice {
    match decision.answer() {
        Some(answer) if is_offered => BestChoice::Answer(answer),
        _ => BestChoice::Action(decision.action),
    }
}

/// Returns the answer of a cell from its cube decision at `ply` plies: the best choice, and the cost of the
/// choice `present`. If a double `is_offered`, the decision is its answer.
pub fn cube_answer(
    decision: &CubeDecision,
    present: ReferenceChoice,
    is_offered: bool,
    ply: u8,
) -> CellAnswer {
    let present = match decision.allows_beavers() {
        true => present,
        false => present.without_beaver(),
    };
    let choice = match present {
        ReferenceChoice::Cube(choice) | ReferenceChoice::Best(BestChoice::Answer(choice)) => choice,
        ReferenceChoice::Best(BestChoice::Action(action)) => action.choice(),
        ReferenceChoice::Best(_) | ReferenceChoice::Play(_) => CubeChoice::NoDouble,
    };
    let may = decision.double_take.is_some();
    let best = may.then(|| verdict(decision, is_offered));
    let is_change = may
        && match present {
            // A player who is too good does not double either.
            ReferenceChoice::Best(BestChoice::Action(action)) if plays_on(action) => {
                !plays_on(decision.action)
            }
            ReferenceChoice::Best(verdict) => best != Some(verdict),
            _ => match choice {
                CubeChoice::Double => !decision.action.doubles(),
                CubeChoice::NoDouble => decision.action.doubles(),
                answer => decision.answer() != Some(answer),
            },
        };
    let values = [
        Some(decision.no_double),
        decision.double_take,
        decision.beavered(),
        decision.double_pass,
    ];
    let equities = values.iter().enumerate();
    CellAnswer {
        ply,
        best,
        cost: match present {
            ReferenceChoice::Best(BestChoice::Action(action)) => both(decision, action, choice),
            _ => decision.error(choice),
        },
        is_change,
        equities: equities.filter_map(|(i, v)| Some((i, (*v)?))).collect(),
    }
}

/// Returns whether an action is to roll without a double, except when the reason is a beaver.
fn plays_on(action: CubeAction) -> bool {
    matches!(
        action,
        CubeAction::NoDouble | CubeAction::TooGoodTake | CubeAction::TooGoodPass
    )
}

/// Returns the total loss in points of both players: the one who may double, and the one who answers.
fn both(decision: &CubeDecision, action: CubeAction, choice: CubeChoice) -> Option<f32> {
    let answer = match action {
        CubeAction::DoubleTake => CubeChoice::Take,
        CubeAction::DoublePass => CubeChoice::Pass,
        CubeAction::NoDoubleBeaver | CubeAction::DoubleBeaver if decision.is_beavered() => {
            CubeChoice::Beaver
        }
        _ => return decision.error(choice),
    };
    Some(decision.error(choice)? + decision.error(answer)?)
}

#[cfg(test)]
mod tests;
