//! The position editor: a draft with its history, a cursor on the board, and what is known of it so far.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::draft::{Draft, Edit, Spot};
use crate::game::{Player, Position};
use crate::review::{MatchTurn, TurnReview};
use crate::tui::board::Scene;

/// Changes that can be undone.
const MOST_UNDONE: usize = 500;

/// Where the cursor is on the board as it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardCell {
    /// In the upper half.
    pub top: bool,
    /// From the left; the bar is [`BoardCell::BAR`].
    pub column: u16,
}

impl BoardCell {
    /// The column of the bar.
    pub const BAR: u16 = 6;
    /// The last column.
    pub const LAST: u16 = 12;

    /// The spot at the cursor, where the side of `bottom` is at the bottom of the board.
    pub fn spot(self, bottom: Player, mirrored: bool) -> Spot {
        let place = match self.column {
            // A checker on the bar waits on the side where it will come in.
            Self::BAR if self.top => return Spot::Bar(bottom),
            Self::BAR => return Spot::Bar(bottom.other()),
            column if column > Self::BAR => column.min(Self::LAST) - 1,
            column => column,
        };
        let point = Scene::point(self.top, place, mirrored);
        Spot::Point(match bottom {
            Player::Left => point,
            Player::Right => crate::game::position::BAR - point,
        })
    }

    /// The cell beside it; from the end of a row the other end.
    pub fn moved(self, right: bool) -> Self {
        let columns = Self::LAST + 1;
        let step = if right { 1 } else { Self::LAST };
        Self {
            column: (self.column + step) % columns,
            ..self
        }
    }
}

/// What was in view before, to come back to.
#[derive(Clone, Debug)]
pub struct ViewBefore {
    /// The cube decision before the roll.
    pub before: Option<MatchTurn>,
    /// The selected play.
    pub play: Option<Position>,
    /// The first play on screen.
    pub scroll: usize,
}

/// A draft being edited.
#[derive(Debug)]
pub struct Editor {
    draft: Draft,
    undone: Vec<Draft>,
    history: VecDeque<Draft>,
    /// Where the cursor is.
    pub cell: BoardCell,
    /// Whether a button is held that went down on a place for checkers.
    pub is_drawing: bool,
    /// Whose checkers are placed.
    pub hand: Player,
    /// Names of the players of the match it began with.
    pub names: Option<[String; 2]>,
    /// What to come back to.
    pub view: ViewBefore,
    /// Distinguishes this draft from all before it, for analyses that come late.
    pub generation: u64,
    /// The draft as a turn to be drawn, whether it can be or not.
    turn: MatchTurn,
    /// Analyses of the draft, by plies.
    pub looks: BTreeMap<u8, Arc<TurnReview>>,
    /// Why it could not be analysed.
    pub failure: Option<String>,
}

impl Editor {
    /// Begins with a draft, whose analysis has the number `generation`. `left` is one that was left before: redoing
    /// takes it up again.
    pub fn new(draft: Draft, left: Option<Draft>, view: ViewBefore, generation: u64) -> Self {
        let turn = turn(&draft);
        Self {
            is_drawing: false,
            hand: draft.on_roll,
            draft,
            undone: left.into_iter().collect(),
            history: VecDeque::new(),
            cell: BoardCell {
                top: false,
                column: BoardCell::LAST,
            },
            names: None,
            view,
            generation,
            turn,
            looks: BTreeMap::new(),
            failure: None,
        }
    }

    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The draft as a turn to be drawn, whether it can be or not.
    pub fn turn(&self) -> &MatchTurn {
        &self.turn
    }

    /// How many changes can be undone.
    pub fn changes(&self) -> usize {
        self.history.len()
    }

    /// Whether there is something to be done again.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// The draft that stands once all that was taken back is done again, if anything was.
    pub fn last_undone(&self) -> Option<&Draft> {
        self.undone.first()
    }

    /// Makes a change. Answers whether anything is different now.
    ///
    /// # Errors
    /// Why nothing has changed, for the user.
    pub fn apply(&mut self, edit: Edit) -> Result<bool, String> {
        let mut draft = self.draft.clone();
        draft.apply(edit)?;
        let is_new = draft != self.draft;
        if is_new {
            self.undone.clear();
            self.follow(draft);
        }
        Ok(is_new)
    }

    /// Takes the last change back; answers whether there was one.
    pub fn undo(&mut self) -> bool {
        let before = self.history.pop_back();
        let has = before.is_some();
        if let Some(before) = before {
            self.undone.push(std::mem::replace(&mut self.draft, before));
            self.changed();
        }
        has
    }

    /// Makes the change again that was taken back last; answers whether there was one.
    pub fn redo(&mut self) -> bool {
        let after = self.undone.pop();
        let has = after.is_some();
        if let Some(after) = after {
            self.follow(after);
        }
        has
    }

    /// The next draft, with the way back to this one.
    fn follow(&mut self, next: Draft) {
        if self.history.len() == MOST_UNDONE {
            self.history.pop_front();
        }
        let before = std::mem::replace(&mut self.draft, next);
        self.history.push_back(before);
        self.changed();
    }

    fn changed(&mut self) {
        self.generation += 1;
        self.turn = turn(&self.draft);
        self.looks.clear();
        self.failure = None;
    }
}

fn turn(draft: &Draft) -> MatchTurn {
    let mut turn = MatchTurn::alone(draft.shown());
    turn.before.player = draft.on_roll;
    turn
}
