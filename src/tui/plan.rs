//! The window of the study plan: what is worth working on, habits, and the record against each opponent.

use std::sync::Arc;

use super::library::LibraryRow;
use crate::study::PlayerSummary;
use crate::study::plan::REFERENCE_RATING;

/// What the window shows, also while it is closed.
#[derive(Clone, Debug)]
pub struct PlanPlace {
    /// Rating of the reference player.
    pub reference: f64,
    /// Whether money sessions are wanted rather than matches to a length.
    pub wants_money: bool,
    /// Opened from the library, which comes back when it closes.
    pub from_library: bool,
    /// Selected row.
    pub row: usize,
    /// The number of the latest question.
    pub number: u64,
    /// How many of how many matches are read.
    pub progress: Option<(usize, usize)>,
    /// The answer to the latest question, or to one before it.
    pub view: Option<Arc<PlanView>>,
    /// Why there is none.
    pub failure: Option<String>,
}

impl Default for PlanPlace {
    fn default() -> Self {
        Self {
            reference: REFERENCE_RATING,
            wants_money: false,
            from_library: false,
            row: 0,
            number: 0,
            progress: None,
            view: None,
            failure: None,
        }
    }
}

/// A row of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanRow {
    /// A family, by its place among those that are listed.
    Family(usize),
    /// A habit.
    Habit(usize),
    /// The record against an opponent.
    Opponent(usize),
}

impl PlanPlace {
    /// All rows.
    #[must_use]
    pub fn rows(&self) -> Vec<PlanRow> {
        let Some(PlanView { summary, .. }) = self.view.as_deref() else {
            return Vec::new();
        };
        let families = (0..summary.plan.listed().len()).map(PlanRow::Family);
        let habits = (0..summary.plan.habits.len()).map(PlanRow::Habit);
        let opponents = (0..summary.record.opponents.len()).map(PlanRow::Opponent);
        families.chain(habits).chain(opponents).collect()
    }

    /// The selected row.
    #[must_use]
    pub fn selected(&self) -> Option<PlanRow> {
        self.rows().get(self.row).copied()
    }

    /// Positions that stand for the selected family.
    #[must_use]
    pub fn references(&self) -> &[LibraryRow] {
        let all = self.view.as_ref().zip(self.selected());
        match all {
            Some((view, PlanRow::Family(i))) => {
                view.references.get(i).map_or(&[], |rows| rows.as_slice())
            }
            _ => &[],
        }
    }
}

/// What is asked of the planner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanWish {
    /// Its number.
    pub number: u64,
    /// Rating of the reference player.
    pub reference: f64,
    /// Whether money sessions are wanted rather than matches to a length.
    pub wants_money: bool,
    /// Whether the matches are to be read again.
    pub is_fresh: bool,
}

/// A plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanView {
    /// The plan and the record.
    pub summary: PlayerSummary,
    /// Positions that stand for each family.
    pub references: Vec<Vec<LibraryRow>>,
}

/// Something new of a plan.
#[derive(Debug)]
pub enum PlanNews {
    /// So many of so many matches are read.
    Progress(usize, usize),
    /// It is there, or why not.
    Found(Result<Box<PlanView>, HistoryFailure>),
}

/// Why there is no plan, or no rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HistoryFailure {
    /// The library has no match.
    Empty,
    /// It does not know who the user is.
    Unknown,
    /// Several players have the name that was asked for.
    Several,
    /// It has no decision of the user.
    NoDecision,
    /// It has no reviewed match of the player of this name, or of the user.
    NoReview(Option<String>),
    /// It cannot be read.
    Unread(String),
}
