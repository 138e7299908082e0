//! Questions beyond the list of plays: why one play is better, and what is right at other scores. What was
//! found is kept for a while, so that a window opened again shows it at once.

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

/// Points away up to which the matrix goes.
pub const MATRIX: u16 = 9;
/// Most answers that are kept.
const MOST: usize = 200;

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Inquiry {
    /// Why the first play is better than the second, or not.
    Why {
        /// Before the plays.
        state: GameState,
        /// Whether the roll is the first of a game.
        is_first_roll: bool,
        /// Both.
        plays: [Play; 2],
    },
    /// All about the cube decision of the player on roll.
    Cube {
        /// Before the roll.
        state: GameState,
    },
    /// All rolls of the player on roll.
    Rolls {
        /// Before the roll, or with the one that has come.
        state: GameState,
        /// Whether the roll is the first of a game.
        is_first_roll: bool,
    },
    /// The decision at other scores.
    Matrix {
        /// The state of the decision, with the dice if there are any.
        state: GameState,
        /// The choice whose cost is asked for; what is best if there is none.
        reference: Option<ReferenceChoice>,
    },
    /// What deeper play would change of a rollout.
    Bias {
        /// Before the plays.
        state: GameState,
        /// The rollout.
        job: JobId,
    },
}

/// A question with all that it takes to answer it.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// About a decision.
    Decision(Inquiry),
    /// About the play of a rollout of these candidates.
    Play(Vec<Position>, Settings),
}

/// What a worker has found.
#[derive(Clone, Debug)]
pub enum Finding {
    /// Both plays, one level deeper than before, and the luck of the roll.
    Compared(Arc<PlayComparison>, Option<RollRank>),
    /// All about a cube decision, one level deeper than before.
    Cube(Arc<CubeFacts>),
    /// All rolls, one level deeper than before.
    Rolls(Arc<RollTable>),
    /// What cells there are, and the choice whose cost will be shown.
    Cells(Arc<[Cell]>, ReferenceChoice),
    /// The choice at another depth.
    Reference(ReferenceChoice),
    /// A cell's answer, deeper than before.
    Cell(usize, CellAnswer),
    /// The decisions of more trials than before.
    Bias(Arc<BiasCheck>),
    /// Nothing more will come.
    Done,
    /// It went wrong.
    Failed(String),
}

/// What is known of a question.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The question.
    pub inquiry: Inquiry,
    pub compared: Option<(Arc<PlayComparison>, Option<RollRank>)>,
    /// Of a cube decision.
    pub cube: Option<Arc<CubeFacts>>,
    /// Of all rolls.
    pub rolls: Option<Arc<RollTable>>,
    pub matrix: Option<MatrixAnswer>,
    /// Of the play of a rollout.
    pub bias: Option<Arc<BiasCheck>>,
    /// Whether nothing more will come.
    pub is_done: bool,
    /// Why nothing will.
    pub failure: Option<String>,
}

impl Answer {
    /// An answer in which nothing is known yet.
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

/// What is known of a matrix.
#[derive(Clone, Debug)]
pub struct MatrixAnswer {
    pub cells: Arc<[Cell]>,
    /// The deepest answers so far.
    pub answers: Vec<Option<CellAnswer>>,
    /// Whose cost is shown.
    pub reference: ReferenceChoice,
}

impl MatrixAnswer {
    /// The cell at a place, and its answer.
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

/// The decision `given` at the score and the cube of a cell; elsewhere than at its own score a double on
/// offer is that of the player who doubled.
pub fn decision_at(given: &GameState, cell: &Cell) -> DecisionKey {
    // A match of another length may stand at the same score: the decision itself stays as it is.
    if cell.is_of(given) {
        return DecisionKey::of(given);
    }
    DecisionKey::of(&GameState {
        roll: given.roll,
        ..cell.state(given)
    })
}

/// A selected cell of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixPlace {
    /// 0: scores with names; then 1-away, 2-away, …
    pub row: usize,
    /// Along the row.
    pub column: usize,
    pub owner: CubeOwner,
}

impl MatrixPlace {
    /// Scores each way.
    pub const SIDE: usize = MATRIX as usize;

    /// Where the window opens: at the score of the state.
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

    /// A step down and to the right, or back; stays within the scores that the decision can have.
    pub fn step(&mut self, state: &GameState, down: isize, right: isize) {
        let to = |at: usize, by: isize, most: usize| at.saturating_add_signed(by).min(most);
        self.row = to(self.row, down, Self::SIDE);
        let columns = match self.row {
            0 => named(&cells_of(state), self.owner).count(),
            _ => Self::SIDE,
        };
        self.column = to(self.column, right, columns.saturating_sub(1));
    }

    /// The next of the cubes that the decision can have.
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

/// The cells with names that are shown with a cube of this owner: a match score with one cube is always there.
fn named(cells: &[Cell], owner: CubeOwner) -> impl Iterator<Item = (usize, &Cell)> {
    let named = cells.iter().enumerate().filter(|(_, c)| c.name.is_some());
    named.filter(move |(_, cell)| cell.away.is_some() || cell.owner == owner)
}

/// The cubes that a decision can have.
pub fn owners(state: &GameState) -> &'static [CubeOwner] {
    crate::analysis::matrix::owners(state.roll.is_some(), state.doubled)
}

/// The questions asked so far.
#[derive(Debug, Default)]
pub struct Inquiries {
    answers: VecDeque<(u64, Answer)>,
    next: u64,
}

impl Inquiries {
    /// What is known of a question; `None` if it was never asked.
    pub fn about(&self, inquiry: &Inquiry) -> Option<&Answer> {
        let known = self.answers.iter().find(|(_, a)| a.inquiry == *inquiry);
        known.map(|(_, answer)| answer)
    }

    /// Notes a question; its number if a worker has to be asked.
    pub fn ask(&mut self, inquiry: Inquiry) -> Option<u64> {
        if self.about(&inquiry).is_some_and(|answer| answer.is_done) {
            return None;
        }
        // What was found before the window was closed is shown until there is more.
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

    /// Takes in what was found about a question, unless as much is known.
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
    /// The state that is asked about.
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
