//! The window of a player's rating: match by match, by class and kind of decision, and by kind of cube error.

use std::path::PathBuf;

use super::asked::{Asked, HistoryNews};
use super::library::TypedFilter;
use super::quiz::StudyWindow;
use crate::library::Filter;
use crate::study::RatingHistory;

/// What the window shows, also while it is closed.
#[derive(Clone, Debug, Default)]
pub struct RatingPlace {
    /// Whose; without a name the user's own.
    pub whose: Option<String>,
    /// Which matches; without a filter all.
    pub filter: Option<TypedFilter>,
    /// The window that comes back when it closes.
    pub from: Option<StudyWindow>,
    /// Which list is in view.
    pub list: RatingList,
    /// Selected row.
    pub row: usize,
    pub asked: Asked<RatingView>,
}

/// A list of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RatingList {
    /// The matches, the newest first.
    #[default]
    Matches,
    /// Classes of decision and kinds of position.
    Parts,
    /// Kinds of errors in cube decisions.
    CubeErrors,
    /// Months, opponents and lengths.
    Groups,
}

impl RatingList {
    /// The list that follows.
    pub fn next(self) -> Self {
        match self {
            Self::Matches => Self::Parts,
            Self::Parts => Self::CubeErrors,
            Self::CubeErrors => Self::Groups,
            Self::Groups => Self::Matches,
        }
    }
}

impl RatingPlace {
    /// How many rows the list has.
    pub fn rows(&self) -> usize {
        match (&self.asked.view, self.list) {
            (None, _) => 0,
            (Some(view), RatingList::Matches) => view.history.matches().len(),
            (Some(view), RatingList::Parts) => view.parts(),
            (Some(view), RatingList::CubeErrors) => view.history.cube_errors().len(),
            (Some(view), RatingList::Groups) => view.history.all_groups().len(),
        }
    }

    /// The place of the selected match in the order of play.
    pub fn selected(&self) -> Option<usize> {
        match self.list {
            RatingList::Matches => self.rows().checked_sub(self.row + 1),
            _ => None,
        }
    }

    /// The filter that finds the decisions of the selected class or kind, or the matches of the selected group. Cube
    /// errors have a word of their own.
    pub fn row_filter(&self) -> Option<String> {
        let history = &self.asked.view.as_ref()?.history;
        let (classes, types) = (history.classes(), history.types());
        match self.list {
            RatingList::Matches => None,
            RatingList::CubeErrors => {
                let errors = history.cube_errors();
                Some(errors.get(self.row)?.kind.filter().to_owned())
            }
            RatingList::Groups => history.all_groups().get(self.row)?.filter.clone(),
            RatingList::Parts => match classes.get(self.row) {
                Some(row) => Some(format!("class:{}", row.class.filter())),
                None => {
                    let row = types.get(self.row.checked_sub(classes.len())?)?;
                    Some(format!("kind:{}", row.kind.filter()))
                }
            },
        }
    }
}

/// The rating of a player.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingView {
    /// The matches in the order of play.
    pub history: RatingHistory,
    /// Of each a file that it is in.
    pub files: Vec<Option<PathBuf>>,
}

impl RatingView {
    /// How many classes of decision and kinds of position there are.
    pub fn parts(&self) -> usize {
        self.history.classes().len() + self.history.types().len()
    }
}

/// What is asked of the planner.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingRequest {
    pub number: u64,
    /// Whose; without a name the user's own.
    pub whose: Option<String>,
    /// Which matches; without a filter all.
    pub filter: Option<Filter>,
}

/// Something new of a rating.
pub type RatingNews = HistoryNews<RatingView>;
