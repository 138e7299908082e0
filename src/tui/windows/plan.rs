//! The window of the study plan: what is worth working on, habits, and the record against each opponent.

use super::asked::{Asked, HistoryNews};
use super::library::{LibraryRow, TypedFilter};
use super::quiz::StudyWindow;
use crate::library::Filter;
use crate::study::PlayerSummary;
use crate::study::plan::{Family, FamilyFinding, REFERENCE_RATING};

/// What the window shows, also while it is closed.
#[derive(Clone, Debug)]
pub struct PlanPlace {
    /// Rating of the reference player.
    pub reference: f64,
    /// Whether the user chose that rating; else it is lower than the user's own.
    pub is_chosen: bool,
    /// Whether all families are listed.
    pub lists_all: bool,
    /// Whether money sessions are wanted rather than matches to a length.
    pub wants_money: bool,
    /// Which matches; without a filter all.
    pub filter: Option<TypedFilter>,
    /// The window that comes back when it closes.
    pub from: Option<StudyWindow>,
    /// Selected row.
    pub row: usize,
    pub asked: Asked<PlanView>,
}

impl Default for PlanPlace {
    fn default() -> Self {
        Self {
            reference: REFERENCE_RATING,
            is_chosen: false,
            lists_all: false,
            wants_money: false,
            filter: None,
            from: None,
            row: 0,
            asked: Asked::default(),
        }
    }
}

/// A row of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanRow {
    /// A family, by its place among those that are listed.
    Family(usize),
    /// The families that are not listed: so many.
    Rest(usize),
    Habit(usize),
    /// The record against an opponent.
    Opponent(usize),
}

impl PlanPlace {
    /// All rows.
    pub fn rows(&self) -> Vec<PlanRow> {
        let Some(PlanView { summary, .. }) = self.asked.view.as_deref() else {
            return Vec::new();
        };
        /// Families that are listed at first.
        const FIRST: usize = 3;
        let listed = summary.plan.listed();
        // Kinds share no decision, but a score has decisions of all kinds.
        let is_told = |one: &FamilyFinding| {
            !summary.plan.families.is_empty() || matches!(one.family, Family::Kind(..))
        };
        let mut families: Vec<usize> = (0..listed.len()).collect();
        if !self.lists_all {
            families.retain(|&i| listed[i].recoverable > 0.0 && is_told(&listed[i]));
            families.truncate(FIRST);
        }
        let rest = listed.len() - families.len();
        let rest = (rest > 0).then_some(PlanRow::Rest(rest));
        let families = families.into_iter().map(PlanRow::Family).chain(rest);
        let habits = (0..summary.plan.habits.len()).map(PlanRow::Habit);
        let opponents = (0..summary.record.opponents.len()).map(PlanRow::Opponent);
        families.chain(habits).chain(opponents).collect()
    }

    pub fn selected(&self) -> Option<PlanRow> {
        self.rows().get(self.row).copied()
    }

    /// Positions that stand for the selected family.
    pub fn references(&self) -> &[LibraryRow] {
        let all = self.asked.view.as_ref().zip(self.selected());
        match all {
            Some((view, PlanRow::Family(i))) => {
                view.references.get(i).map_or(&[], |rows| rows.as_slice())
            }
            _ => &[],
        }
    }
}

/// What is asked of the planner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRequest {
    pub number: u64,
    /// Rating of the reference player.
    pub reference: f64,
    /// Whether money sessions are wanted rather than matches to a length.
    pub wants_money: bool,
    /// Which matches; without a filter all.
    pub filter: Option<Filter>,
    /// Whether the matches are to be read again.
    pub is_fresh: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PlanView {
    /// The plan and the record.
    pub summary: PlayerSummary,
    /// Positions that stand for each family.
    pub references: Vec<Vec<LibraryRow>>,
}

/// Something new of a plan.
pub type PlanNews = HistoryNews<PlanView>;
