//! The window of the library: what is typed, what is asked of the librarian, and what it has found.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tui_input::Input;

use super::quiz::StudyWindow;
use crate::game::{GameState, Position};
use crate::library::{Filter, MatchRatings, Order, People};
use crate::review::{Mark, MatchTurn, PositionType};
use crate::store::MatchFingerprint;
use crate::store::file::whole_path;
use crate::store::library::MatchMark;
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::documents::places::Openable;
use crate::words::counted;

/// Rows that are shown at most: what does not fit is found by a filter.
pub const MOST_ROWS: usize = 1000;

/// Which list is in view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LibraryList {
    /// The matches, the newest first.
    #[default]
    Matches,
    /// The errors of all of them.
    Errors,
    /// All decisions, right ones too.
    Decisions,
    /// The decisions that are like one.
    Like,
}

/// What the window shows, also while it is closed: it comes back as it was left.
#[derive(Clone, Debug, Default)]
pub struct LibraryPlace {
    /// The filter as it is typed.
    pub input: Input,
    pub list: LibraryList,
    /// Selected row.
    pub row: usize,
    /// What comes first among errors.
    pub order: Order,
    /// What comes first among matches.
    pub by: MatchOrder,
    /// The decision that others are held against.
    pub like: Option<Box<GameState>>,
    /// The list that was in view before the positions like one, or before those of a row of the plan or a rating.
    pub former: Option<FormerList>,
    /// Whether a match was opened from the list: then the list itself comes back, before the one in `former`.
    pub was_entered: bool,
    /// The window that comes back when it closes.
    pub from: Option<StudyWindow>,
    /// Whether it shows what a row of the plan or of a rating is about.
    pub is_of_plan_or_rating: bool,
    /// What is wrong with the filter.
    pub wrong: Option<String>,
    /// The number of the latest question.
    pub number: u64,
    /// The answer to an earlier or the latest question.
    pub view: Option<Arc<LibraryView>>,
    /// Whether something else was asked for since, so that its rows are not what is looked for.
    pub is_outdated: bool,
    /// How far the library is filled in the background.
    pub filling: FillNews,
    /// The folders and files that were asked for and are not all in it yet: what of them is left goes on next time.
    pub under_way: Vec<PathBuf>,
    /// The folders that are watched and not all in it yet. What is left of them goes on next time too, but the end of the
    /// program does not ask about them, as nobody has asked for them now.
    pub watched: Vec<PathBuf>,
    /// Those that were asked for or watched since the start.
    pub taken_up: Vec<PathBuf>,
    /// What of that was new when the window was open last: matches, and files that cannot be read.
    seen: (usize, usize),
    /// The row whose player was said to be the user, or not to be, and that player: the same again takes it back, though
    /// the row may have the players the other way round since.
    pub named: Option<(i64, String)>,
}

/// Adds a path to each of the lists that has it not yet.
fn note(path: &Path, lists: [&mut Vec<PathBuf>; 2]) -> PathBuf {
    let path = whole_path(path);
    for list in lists {
        if !list.contains(&path) {
            list.push(path.clone());
        }
    }
    path
}

impl LibraryPlace {
    /// Notes that a file, or all matches of a folder, are to come into the library; answers the path that also holds
    /// where the next start is in another folder.
    pub fn take_up(&mut self, path: &Path) -> PathBuf {
        note(path, [&mut self.under_way, &mut self.taken_up])
    }

    /// Whether this file was asked for, and is not known to be in the library yet.
    pub fn is_under_way(&self, path: &Path) -> bool {
        self.under_way.contains(&whole_path(path))
    }

    /// As [`LibraryPlace::take_up`], of a folder that is watched.
    pub fn watch(&mut self, folder: &Path) -> PathBuf {
        note(folder, [&mut self.watched, &mut self.taken_up])
    }

    /// What is not all in the library yet, and goes on next time.
    pub fn unfinished(&self) -> Vec<PathBuf> {
        let watched = self.watched.iter();
        let others = watched.filter(|folder| !self.under_way.contains(folder));
        self.under_way.iter().chain(others).cloned().collect()
    }

    /// All that was on its way is in the library.
    pub fn finish(&mut self) {
        self.under_way.clear();
        self.watched.clear();
    }

    pub fn rows(&self) -> usize {
        self.view.as_ref().map_or(0, |view| view.rows.len())
    }

    /// What is new is seen.
    pub fn see(&mut self) {
        self.seen = (self.filling.added, self.filling.failed);
    }

    /// New matches and files that cannot be read, since the window was open last.
    pub fn news(&self) -> (usize, usize) {
        let FillNews { added, failed, .. } = self.filling;
        let (seen, seen_failed) = self.seen;
        (
            added.saturating_sub(seen),
            failed.saturating_sub(seen_failed),
        )
    }

    /// What is typed, if it is a filter that asks for something.
    pub fn typed_filter(&self) -> Option<TypedFilter> {
        let text = self.input.value().trim().to_owned();
        let filter = self.filter();
        (!filter.is_empty()).then_some(TypedFilter { text, filter })
    }

    /// What is typed as a filter; of a wrong one, one that asks for nothing.
    pub fn filter(&self) -> Filter {
        Filter::parse(self.input.value()).unwrap_or_default()
    }

    pub fn selected(&self) -> Option<&LibraryRow> {
        self.view.as_ref()?.rows.get(self.row)
    }
}

/// A filter, and how it was typed.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedFilter {
    pub text: String,
    /// What it asks for.
    pub filter: Filter,
}

/// A list to which the window goes back.
#[derive(Clone, Debug)]
pub struct FormerList {
    pub list: LibraryList,
    /// Its filter.
    pub input: Input,
    /// The row that was selected.
    pub row: usize,
}

impl FormerList {
    /// The list in view, as another one takes its place.
    pub fn of(place: &mut LibraryPlace) -> Self {
        Self {
            list: place.list,
            input: std::mem::take(&mut place.input),
            row: place.row,
        }
    }

    /// Brings the list into view again as it was left.
    pub fn restore(self, place: &mut LibraryPlace) {
        (place.list, place.input, place.row) = (self.list, self.input, self.row);
        place.view = None;
    }
}

/// What comes first among matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatchOrder {
    #[default]
    Newest,
    /// By the player named first, then the other.
    Player,
    /// By the other player.
    Opponent,
    Event,
    /// The best rating of the player named first.
    Rating,
    /// Matches that the player named first won, by the widest margin first.
    Result,
}

impl MatchOrder {
    /// The next order.
    pub fn next(self) -> Self {
        match self {
            Self::Newest => Self::Player,
            Self::Player => Self::Opponent,
            Self::Opponent => Self::Event,
            Self::Event => Self::Rating,
            Self::Rating => Self::Result,
            Self::Result => Self::Newest,
        }
    }

    /// The order in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Newest => "newest first",
            Self::Player => "by player",
            Self::Opponent => "by opponent",
            Self::Event => "by event",
            Self::Rating => "by PR",
            Self::Result => "by result",
        }
    }
}

/// How far the library is filled in the background.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FillNews {
    /// Files that are done.
    pub done: usize,
    pub of: usize,
    /// Matches that are new since the start.
    pub added: usize,
    /// Matches that have a better record, a deeper review or a corrected head since the start.
    pub updated: usize,
    /// Files that cannot be read, and were not known to be so.
    pub failed: usize,
    /// Of those that are done, the files whose matches were all there.
    pub known: usize,
    /// Of those that are done, the names of the files that cannot be read.
    pub unreadable: Vec<String>,
    /// Whether the user has named a folder that is among them.
    pub is_asked: bool,
}

impl FillNews {
    /// What became of the files: `14 files: 13 known already, 1 unreadable: bad.mat`.
    pub fn summary(&self) -> String {
        let bad = self.unreadable.len();
        let new = self.of.saturating_sub(self.known + bad);
        let mut parts = Vec::new();
        for (count, what) in [(new, "new"), (self.known, "known already")] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        match &self.unreadable[..] {
            [] => {}
            [name] => parts.push(format!("1 unreadable: {name}")),
            [first, ..] => parts.push(format!("{bad} unreadable: {first}, …")),
        }
        format!("{}: {}", counted(self.of, "file"), parts.join(", "))
    }
}

/// What the librarian is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub enum LibraryRequest {
    /// Find.
    Show(Box<LibraryQuery>),
    /// Take this match out.
    Remove(i64),
    /// This name is the user's own, or no longer.
    Me(String),
}

/// A question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryQuery {
    pub number: u64,
    pub list: LibraryList,
    /// What must fit.
    pub filter: Filter,
    /// What comes first among errors.
    pub order: Order,
    /// What comes first among matches.
    pub by: MatchOrder,
    /// The decision that others are held against.
    pub like: Option<Box<GameState>>,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LibraryView {
    pub list: LibraryList,
    /// The first rows of it.
    pub rows: Vec<LibraryRow>,
    /// How many there are in all.
    pub total: usize,
    /// Points that all errors gave away.
    pub error: f64,
    /// Matches in the library.
    pub matches: usize,
    /// Files that could not be read.
    pub failed: usize,
    /// The user's names, as the matches have them.
    pub me: Vec<String>,
    /// Which names are one player, and which the user's.
    pub people: People,
    /// Of matches, PR of the user or of the player asked for over all that are found.
    pub ratings: Option<MatchRatings>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct LibraryRow {
    /// The match.
    pub id: i64,
    /// The day it was played.
    pub date: String,
    /// The players: the user, or the player who decides, first.
    pub players: [String; 2],
    /// The file that it is opened from, if one begins with it.
    pub path: Option<PathBuf>,
    pub file: Option<PathBuf>,
    /// What is expected in the file that it is opened from.
    pub expected: ExpectedMatch,
    /// What else there is to tell.
    pub about: RowAbout,
}

impl LibraryRow {
    /// The match, and the decision where the row is of one: what it stays the row of wherever it stands.
    pub fn key(&self) -> (i64, Option<MatchDecision>) {
        match &self.about {
            RowAbout::Match { .. } => (self.id, None),
            RowAbout::Decision { decision, .. } => (self.id, Some(*decision)),
        }
    }
}

/// What a row tells.
#[derive(Clone, Debug, PartialEq)]
pub enum RowAbout {
    Match {
        /// Points, 0 for money.
        length: u16,
        /// Points at the end.
        score: [u32; 2],
        /// Performance ratings.
        pr: [Option<f64>; 2],
        event: String,
        /// Plies behind the figures.
        ply: u8,
    },
    Decision {
        decision: MatchDecision,
        /// Game and move, as `2.14`.
        place: String,
        /// Points that both players need, or `money`.
        score: String,
        /// The roll, or `cube`.
        roll: String,
        /// What was done.
        played: String,
        /// What would have been best.
        best: String,
        /// Points given away.
        error: f32,
        /// Error as match-winning chances, or for money in points times the cube.
        lost: String,
        /// How bad that is.
        mark: Mark,
        kind: PositionType,
        /// Plies behind the figures.
        ply: u8,
        /// Pips by which it differs from the one in view.
        distance: Option<u32>,
    },
}

/// A match that is being opened at one of its decisions, from a list to which the user may want to come back.
#[derive(Clone, Debug, PartialEq)]
pub struct AwaitedMatch {
    /// What is being opened.
    pub source: Openable,
    /// The turn of the double that was not given, where that comes into view with it.
    pub missed: Option<usize>,
    /// What is expected to be in it.
    pub expected: ExpectedMatch,
    /// How one comes back: said once it is there.
    pub way_back: &'static str,
}

/// What is expected of a match that is being opened.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectedMatch {
    /// Nothing.
    Any,
    /// That it begins so.
    Beginning(MatchMark),
    /// That the position stands before this turn.
    Position(usize, Position),
}

impl ExpectedMatch {
    /// Why a match is not what was expected, if it is not.
    pub fn unmet(&self, is: &MatchFingerprint, turns: &[MatchTurn]) -> Option<&'static str> {
        match self {
            Self::Any => None,
            Self::Beginning(mark) => (!mark.fits(is))
                .then_some("this file begins with another match than that of the list"),
            Self::Position(turn, position) => {
                let there = turns.get(*turn);
                let is_there = there.is_some_and(|turn| turn.before.state.position == *position);
                (!is_there).then_some(
                    "the decision is not in this file: it has changed, or begins with another match",
                )
            }
        }
    }
}
