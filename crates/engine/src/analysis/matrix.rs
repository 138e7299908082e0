//! One decision at many scores and cubes: the best play or cube action at each, and what the present choice
//! would cost there.
//!
//! All cells share one set of plays and one table of replies ([`ManyScores`]), so the net values each
//! position once however many cells there are. The cube counts in every cell, for money too.

mod cells;

use rayon::prelude::*;

pub use self::cells::{Cell, ScoreName, cells, owners};

use crate::cube::{CubeAction, CubeChoice, CubeDecision, ManyScores, Model};
use crate::eval::{Candidate, Evaluator};
use crate::game::{CubeOwner, GameState, Play, Position, Roll};

/// Costs that are smaller, in points, are shown as nothing and change no answer.
const SAME: f32 = 5e-5;
/// Plays of a cell whose equities are kept, besides the present one.
const SHOWN: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BestChoice {
    /// The play that leads here.
    Play(Position),
    /// The cube action of the player on roll, and the answer.
    Action(CubeAction),
    /// The answer to a double.
    Answer(CubeChoice),
}

/// The choice whose cost is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReferenceChoice {
    /// What is best in the state that was given.
    Best(BestChoice),
    /// The play that leads here, as the user named it.
    Play(Position),
    /// A cube choice, as the user named it.
    Cube(CubeChoice),
}

impl ReferenceChoice {
    /// This choice where the rules know no beaver: a take instead.
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
    /// Plies of lookahead behind it.
    pub ply: u8,
    /// What is best; `None` where there is no such decision: nobody may double.
    pub best: Option<BestChoice>,
    /// What the present choice costs here, in points on the cube of the cell (EMG in a match).
    pub cost: Option<f32>,
    /// Whether another choice than the present one is best here.
    pub is_change: bool,
    /// Equities by the place of the plays in [`Matrix::plays`], best first, the present one among them; of a
    /// cube decision those of [`ACTIONS`] that are possible, and of a beaver where it is the right answer.
    pub equities: Vec<(usize, f32)>,
}

/// Names of the equities of a cube decision.
pub const ACTIONS: [&str; 4] = ["no double", "double/take", "double/beaver", "double/pass"];

/// The decision and what its cells share.
pub struct Matrix<'a> {
    given: GameState,
    roll: Option<Roll>,
    scores: ManyScores<'a>,
}

impl<'a> Matrix<'a> {
    /// The plays of `roll`; without a roll the cube decision, or the answer to a double on offer.
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

    /// Whether a play is decided, and not the cube.
    pub fn is_play(&self) -> bool {
        self.roll.is_some()
    }

    /// The plays, in the order of their generation.
    pub fn plays(&self) -> impl Iterator<Item = &Candidate> {
        self.scores.plays()
    }

    /// The play that leads to `result`.
    pub fn play(&self, result: &Position) -> Option<Play> {
        let mut plays = self.plays();
        plays.find(|c| c.result == *result).map(|c| c.play)
    }

    /// The cell of the state that was given.
    pub fn given(&self) -> Cell {
        Cell::of(&self.given)
    }

    /// The cells of the decision ([`cells()`]).
    pub fn cells(&self, max: u16) -> Vec<Cell> {
        cells(&self.given, self.is_play(), max)
    }

    /// The cubes that the decision can have.
    pub fn owners(&self) -> &'static [CubeOwner] {
        owners(self.is_play(), self.given.doubled)
    }

    /// What is best in the state that was given, at `ply` plies. `None` if `cancelled` answered true on the
    /// way.
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

    /// The decision in `cell` at `ply` plies. `None` if `cancelled` answered true on the way.
    pub fn answer(
        &self,
        cell: &Cell,
        present: ReferenceChoice,
        ply: u8,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<CellAnswer> {
        // A double that is on offer has an answer whatever it gains. At other scores there is one only where a player
        // may double, as in the doubler's own decision.
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

    /// All `cells` at `ply` plies, side by side on the threads of the pool; `each` gets the place of
    /// the cell and the answer. Returns false if `cancelled` answered true on the way.
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
            // A cost is a difference of like depths.
            let again = self
                .scores
                .analyse(state, all[at].candidate, depth, cancelled)?;
            all[at] = again;
        }
        // The ranking has the best first, ties decided; only a play the filter had dropped may come before it.
        let is_better = was_dropped && all[at].cubeful > all[0].cubeful + SAME;
        let best = if is_better { at } else { 0 };
        let cost = (all[best].cubeful - all[at].cubeful).max(0.0);
        let place = |result: &Position| self.plays().position(|c| c.result == *result);
        let others = (0..all.len()).filter(|i| *i < SHOWN || *i == at);
        let order = std::iter::once(best).chain(others.filter(|i| *i != best));
        // Equities of unlike depths do not compare.
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

/// The best choice of the player who decides, who answers a double where one `is_offered`.
fn verdict(decision: &CubeDecision, is_offered: bool) -> BestChoice {
    match decision.answer() {
        Some(answer) if is_offered => BestChoice::Answer(answer),
        _ => BestChoice::Action(decision.action),
    }
}

/// The answer of a cell from its cube decision, looked at `ply` plies deep: what is best there, and what the
/// choice `present` costs. Where a double `is_offered` its answer is decided.
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
            // Who is too good does not double either.
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

/// Whether an action is to roll without a double, whatever would be the answer but a beaver.
fn plays_on(action: CubeAction) -> bool {
    matches!(
        action,
        CubeAction::NoDouble | CubeAction::TooGoodTake | CubeAction::TooGoodPass
    )
}

/// Points that a cube action costs both players together: the one who may double, and the one who answers.
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
