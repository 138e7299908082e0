//! Questions about decisions: comparison of two plays, the cube, all rolls, other scores, bias of a rollout. Answers
//! are cached, so that a window opened again shows them at once.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::analysis::matrix::cells;
use crate::analysis::{
    Cell, CellAnswer, CubeFacts, PlayComparison, ReferenceChoice, RollRank, RollTable,
};
use crate::game::{CubeOwner, GameState, Play, Position};
use crate::rollout::Settings;
use crate::rollout::bias_check::BiasCheck;

use super::job::{DecisionKey, JobId};

/// Maximum points away in the matrix.
pub const MATRIX: u16 = 9;
/// Maximum number of cached answers.
const MOST: usize = 200;

/// A question about a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inquiry {
    /// The comparison of two plays.
    Why {
        /// Before the plays.
        state: GameState,
        /// Whether the roll is the first of a game.
        is_first_roll: bool,
        plays: [Play; 2],
    },
    /// The cube decision of the player on roll.
    Cube {
        /// Before the roll.
        state: GameState,
    },
    /// All rolls of the player on roll.
    Rolls {
        /// Before the roll, or with the current roll.
        state: GameState,
        /// Whether the roll is the first of a game.
        is_first_roll: bool,
    },
    /// The decision at other scores.
    Matrix {
        /// The state of the decision, with the dice if there are any.
        state: GameState,
        /// The choice whose cost to show; `None` shows the best choice.
        reference: Option<ReferenceChoice>,
    },
    /// The effect of deeper play on a rollout.
    Bias {
        /// Before the plays.
        state: GameState,
        job: JobId,
    },
}

/// A question with the data to answer it.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    Decision(Inquiry),
    /// About the play in a rollout of these candidates.
    Play(Vec<Position>, Settings),
}

/// A result of a worker.
#[derive(Clone, Debug)]
pub enum Finding {
    /// Both plays, one level deeper than before, and the luck of the roll.
    Compared(Arc<PlayComparison>, Option<RollRank>),
    /// A cube decision, one level deeper than before.
    Cube(Arc<CubeFacts>),
    /// All rolls, one level deeper than before.
    Rolls(Arc<RollTable>),
    /// The cells, and the choice whose cost will be shown.
    Cells(Arc<[Cell]>, ReferenceChoice),
    /// The choice whose cost is shown, at another depth.
    Reference(ReferenceChoice),
    /// The answer of a cell, deeper than before.
    Cell(usize, CellAnswer),
    /// The bias after more trials than before.
    Bias(Arc<BiasCheck>),
    /// The answer is complete.
    Done,
    /// The question failed, with the reason.
    Failed(String),
}

/// The answer to a question so far.
#[derive(Clone, Debug)]
pub struct Answer {
    pub inquiry: Inquiry,
    pub compared: Option<(Arc<PlayComparison>, Option<RollRank>)>,
    /// For a cube decision.
    pub cube: Option<Arc<CubeFacts>>,
    /// For all rolls.
    pub rolls: Option<Arc<RollTable>>,
    pub matrix: Option<MatrixAnswer>,
    /// For the bias of a rollout.
    pub bias: Option<Arc<BiasCheck>>,
    /// Whether the answer is complete.
    pub is_done: bool,
    /// The reason for a failure.
    pub failure: Option<String>,
}

impl Answer {
    /// An empty answer.
    fn to(inquiry: Inquiry) -> Self {
        Self {
            inquiry,
            compared: None,
            cube: None,
            rolls: None,
            matrix: None,
            bias: None,
            is_done: false,
            failure: None,
        }
    }
}

/// The answer to a matrix question so far.
#[derive(Clone, Debug)]
pub struct MatrixAnswer {
    pub cells: Arc<[Cell]>,
    /// The deepest answers so far.
    pub answers: Vec<Option<CellAnswer>>,
    /// The choice whose cost is shown.
    pub reference: ReferenceChoice,
}

impl MatrixAnswer {
    /// Returns the cell at a place and its answer.
    pub fn at(&self, place: MatrixPlace) -> Option<(&Cell, Option<&CellAnswer>)> {
        let found = if place.row == 0 {
            let mut named = named(&self.cells, place.owner);
            named.nth(place.column)
        } else {
            let away = [place.row as u16, place.column as u16 + 1];
            let mut all = self.cells.iter().enumerate();
            all.find(|(_, cell)| cell.is_at(away, place.owner))
        };
        let (i, cell) = found?;
        Some((cell, self.answers.get(i).and_then(Option::as_ref)))
    }
}

/// The decision `given` at the score and cube of a cell. At other scores, an offered double is replaced by the
/// decision of the player who doubled.
pub fn decision_at(given: &GameState, cell: &Cell) -> DecisionKey {
    // A match of another length may have the same score: the original decision stays unchanged.
    if cell.is_of(given) {
        return DecisionKey::of(given);
    }
    DecisionKey::of(&GameState {
        roll: given.roll,
        ..cell.state(given)
    })
}

/// The selected cell of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixPlace {
    /// 0 for named scores; then 1-away, 2-away, …
    pub row: usize,
    /// Column in the row.
    pub column: usize,
    pub owner: CubeOwner,
}

impl MatrixPlace {
    /// Number of scores per side.
    pub const SIDE: usize = MATRIX as usize;

    /// The initial cell: the score of the state.
    pub fn of(state: &GameState) -> Self {
        let owner = state.owner;
        let cells = cells_of(state);
        let named = named(&cells, owner).position(|(_, cell)| cell.is_of(state));
        let (row, column) = match (named, state.score.away()) {
            (Some(column), _) => (0, column),
            (None, Some((mine, theirs))) if cells.iter().any(|cell| cell.is_of(state)) => {
                (usize::from(mine.max(1)), usize::from(theirs.max(1)) - 1)
            }
            (None, _) => (0, 0),
        };
        Self { row, column, owner }
    }

    /// Moves down and right, or back, within the possible scores.
    pub fn step(&mut self, state: &GameState, down: isize, right: isize) {
        let to = |at: usize, by: isize, most: usize| at.saturating_add_signed(by).min(most);
        self.row = to(self.row, down, Self::SIDE);
        let columns = match self.row {
            0 => named(&cells_of(state), self.owner).count(),
            _ => Self::SIDE,
        };
        self.column = to(self.column, right, columns.saturating_sub(1));
    }

    /// Selects the next possible cube.
    pub fn next_cube(&mut self, state: &GameState) {
        let owners = owners(state);
        let at = owners.iter().position(|o| *o == self.owner);
        self.owner = owners[at.map_or(0, |i| (i + 1) % owners.len())];
    }
}

/// The cells of the window.
fn cells_of(state: &GameState) -> Vec<Cell> {
    cells(state, state.roll.is_some(), MATRIX)
}

/// The named cells shown with a cube of this owner. Match scores with a single cube state are always shown.
fn named(cells: &[Cell], owner: CubeOwner) -> impl Iterator<Item = (usize, &Cell)> {
    let named = cells.iter().enumerate().filter(|(_, c)| c.name.is_some());
    named.filter(move |(_, cell)| cell.away.is_some() || cell.owner == owner)
}

/// The cube states that a decision can have.
pub fn owners(state: &GameState) -> &'static [CubeOwner] {
    crate::analysis::matrix::owners(state.roll.is_some(), state.doubled)
}

#[derive(Debug, Default)]
pub struct Inquiries {
    answers: VecDeque<(u64, Answer)>,
    next: u64,
}

impl Inquiries {
    /// Returns the answer to a question; `None` if it was never asked.
    pub fn about(&self, inquiry: &Inquiry) -> Option<&Answer> {
        let known = self.answers.iter().find(|(_, a)| a.inquiry == *inquiry);
        known.map(|(_, answer)| answer)
    }

    /// Records a question. Returns its number if a worker must answer it.
    pub fn ask(&mut self, inquiry: Inquiry) -> Option<u64> {
        if self.about(&inquiry).is_some_and(|answer| answer.is_done) {
            return None;
        }
        // Earlier results are shown until better ones arrive.
        let place = self.answers.iter().position(|(_, a)| a.inquiry == inquiry);
        let known = place.and_then(|place| self.answers.remove(place));
        if self.answers.len() >= MOST {
            self.answers.pop_front();
        }
        self.next += 1;
        let answer = Answer {
            failure: None,
            ..known.map_or_else(|| Answer::to(inquiry), |(_, answer)| answer)
        };
        self.answers.push_back((self.next, answer));
        Some(self.next)
    }

    /// Stores a result for a question, unless it is already known.
    pub fn found(&mut self, number: u64, finding: Finding) {
        let Some((_, answer)) = self.answers.iter_mut().find(|(n, _)| *n == number) else {
            return;
        };
        match finding {
            Finding::Compared(compared, luck) => {
                let is_deep = |known: &(Arc<PlayComparison>, _)| known.0.ply > compared.ply;
                if !answer.compared.as_ref().is_some_and(is_deep) {
                    answer.compared = Some((compared, luck));
                }
            }
            Finding::Cube(facts) => {
                if answer.cube.as_ref().is_none_or(|c| c.ply <= facts.ply) {
                    answer.cube = Some(facts);
                }
            }
            Finding::Rolls(table) => {
                if answer.rolls.as_ref().is_none_or(|r| r.ply <= table.ply) {
                    answer.rolls = Some(table);
                }
            }
            Finding::Cells(cells, reference) => {
                let is_known = |matrix: &MatrixAnswer| matrix.cells.len() == cells.len();
                if answer.matrix.as_ref().is_some_and(is_known) {
                    return;
                }
                answer.matrix = Some(MatrixAnswer {
                    answers: vec![None; cells.len()],
                    cells,
                    reference,
                });
            }
            Finding::Reference(reference) => {
                if let Some(matrix) = &mut answer.matrix {
                    matrix.reference = reference;
                }
            }
            Finding::Cell(i, found) => {
                let matrix = answer.matrix.as_mut();
                if let Some(place) = matrix.and_then(|m| m.answers.get_mut(i))
                    && place.as_ref().is_none_or(|known| known.ply <= found.ply)
                {
                    *place = Some(found);
                }
            }
            Finding::Bias(check) => {
                if answer
                    .bias
                    .as_ref()
                    .is_none_or(|b| b.trials <= check.trials)
                {
                    answer.bias = Some(check);
                }
            }
            Finding::Done => answer.is_done = true,
            Finding::Failed(why) => {
                answer.failure = Some(why);
            }
        }
    }
}

impl Inquiry {
    /// The state of the question.
    pub fn state(&self) -> &GameState {
        match self {
            Self::Why { state, .. }
            | Self::Cube { state }
            | Self::Rolls { state, .. }
            | Self::Matrix { state, .. }
            | Self::Bias { state, .. } => state,
        }
    }
}
