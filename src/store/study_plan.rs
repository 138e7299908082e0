//! Reads a player's matches in the library for a study plan, and finds the reference positions of each error family.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::library::LibraryMatch;
use super::{LibraryStore, Lookup, ReviewStore, StoreError};
use crate::cube::Model;
use crate::game::Player;
use crate::library::{Filter, Found, Order, People, Search};
use crate::review::{Report, Thresholds};
use crate::study::plan::Family;
use crate::study::{RatedMatch, RatingHistory, StudyHistory, reference_positions};

/// Number of most expensive errors of a family from which its reference positions are chosen.
const CANDIDATES: usize = 60;
/// Reference positions per family.
const REFERENCES: usize = 5;

/// Result of reading a player's matches.
pub enum LibraryHistory<T> {
    /// The library has no match.
    Empty,
    /// Nobody was named, and the library does not know the user.
    Unknown,
    /// Several players have the requested text in their names and none has it as a whole name; their folded names.
    Several(BTreeSet<String>),
    /// The result from the matches.
    Found(T),
}

impl LibraryHistory<()> {
    /// Replaces the result with `made`.
    fn with<T>(self, made: T) -> LibraryHistory<T> {
        match self {
            Self::Empty => LibraryHistory::Empty,
            Self::Unknown => LibraryHistory::Unknown,
            Self::Several(players) => LibraryHistory::Several(players),
            Self::Found(()) => LibraryHistory::Found(made),
        }
    }
}

/// A player's rating, match by match.
#[derive(Debug, Default)]
pub struct LibraryRatings {
    pub history: RatingHistory,
    /// For each match one of its files, an existing one if possible.
    pub files: Vec<Option<PathBuf>>,
}

/// A reviewed match of the player.
struct OwnMatch<'a> {
    entry: &'a LibraryMatch,
    report: &'a Report,
    whose: Player,
    /// Common key of all spellings of the opponent's name.
    opponent: String,
}

/// Whose matches to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose<'a> {
    User,
    /// The player with this name, or the only one whose name contains it.
    Called(&'a str),
    /// The player with exactly this name.
    Player(&'a str),
}

/// Selects a library and a player's matches in it.
#[derive(Clone, Copy, Debug)]
pub struct HistoryOf<'a> {
    pub library: &'a Path,
    pub reviews: &'a Path,
    pub whose: Whose<'a>,
    /// Selects the matches with a decision of the player that passes; `None` selects all.
    pub filter: Option<&'a Filter>,
    /// How long to wait for another process.
    pub timeout: Duration,
}

impl HistoryOf<'_> {
    /// Reads the player's matches for a study plan, in the order of play. Calls `step` with the number read and the
    /// total; it returns whether to continue. Damage is reported to `tell` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if the library or the reviews cannot be read.
    pub fn read(
        &self,
        model: &Model,
        tell: &mut dyn FnMut(String),
        step: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<LibraryHistory<Box<StudyHistory>>, StoreError> {
        let mut history = Box::<StudyHistory>::default();
        let read = self.each(tell, step, &mut |one| {
            history.add(
                one.report,
                &one.entry.head.date,
                one.whose,
                &one.opponent,
                model,
            );
        })?;
        Ok(read.with(history))
    }

    /// Reads the player's rating match by match, each with one of its files; otherwise as [`Self::read`].
    ///
    /// # Errors
    /// [`StoreError`] if the library or the reviews cannot be read.
    pub fn ratings(
        &self,
        tell: &mut dyn FnMut(String),
        step: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<LibraryHistory<LibraryRatings>, StoreError> {
        let mut ratings = LibraryRatings::default();
        let read = self.each(tell, step, &mut |one| {
            let rated = RatedMatch::of(one.report, &one.entry.head.date, one.whose);
            let opponent = one.opponent;
            ratings.history.push(RatedMatch { opponent, ..rated });
            ratings
                .files
                .push(one.entry.file_to_open().map(Path::to_owned));
        })?;
        Ok(read.with(ratings))
    }

    /// Calls `add` with each reviewed match of the player, in the order of play.
    fn each(
        &self,
        tell: &mut dyn FnMut(String),
        step: &mut dyn FnMut(usize, usize) -> bool,
        add: &mut dyn FnMut(OwnMatch<'_>),
    ) -> Result<LibraryHistory<()>, StoreError> {
        let store = LibraryStore::open_to_list(self.library, self.timeout)?;
        let reviews = ReviewStore::open_to_read(self.reviews, self.timeout)?;
        let Some(store) = store else {
            return Ok(LibraryHistory::Empty);
        };
        let people = store.people()?;
        let all = store.matches(tell)?;
        if all.is_empty() {
            return Ok(LibraryHistory::Empty);
        }
        if self.whose == Whose::User && !people.knows_me() {
            return Ok(LibraryHistory::Unknown);
        }
        let players = self.players(&all, &people);
        if players.len() > 1 && matches!(self.whose, Whose::Called(_)) {
            return Ok(LibraryHistory::Several(players));
        }
        let side_of = |one: &LibraryMatch| {
            let mut names = one.head.players.iter();
            let side = names.position(|name| players.contains(&people.player(name)));
            side.map(|side| [Player::Left, Player::Right][side])
        };
        let fitting = self.fitting(&store, &all, &people)?.into_iter();
        let own = fitting.filter_map(|one| Some((one, side_of(one)?)));
        let own: Vec<(&LibraryMatch, Player)> = own.collect();
        for (done, &(entry, whose)) in own.iter().enumerate() {
            if !step(done, own.len()) {
                break;
            }
            if let Some(report) = review_of(entry, reviews.as_ref(), tell)? {
                add(OwnMatch {
                    entry,
                    report: &report,
                    whose,
                    opponent: people.player(&entry.head.players[whose.other().index()]),
                });
            }
        }
        Ok(LibraryHistory::Found(()))
    }

    /// Returns the matches among `all` that pass the filter, in order.
    fn fitting<'m>(
        &self,
        store: &LibraryStore,
        all: &'m [LibraryMatch],
        people: &People,
    ) -> Result<Vec<&'m LibraryMatch>, StoreError> {
        let Some(filter) = self.filter else {
            return Ok(all.iter().collect());
        };
        let filter = filter
            .clone()
            .of_player(self.player(all, people).as_deref());
        let fitting = store.filter(&filter, all, people)?;
        Ok(fitting.into_iter().map(|(one, _)| one).collect())
    }

    /// Returns the requested player's folded name; `None` for the user.
    fn player(&self, all: &[LibraryMatch], people: &People) -> Option<String> {
        match self.whose {
            Whose::User => None,
            _ => self.players(all, people).pop_first(),
        }
    }

    /// Returns the folded names of the requested players.
    fn players(&self, all: &[LibraryMatch], people: &People) -> BTreeSet<String> {
        let names = all.iter().flat_map(|one| &one.head.players);
        match self.whose {
            Whose::User => people.mine().map(str::to_owned).collect(),
            Whose::Called(name) => people.meant(names.map(String::as_str), name),
            Whose::Player(name) => BTreeSet::from([people.player(name)]),
        }
    }

    /// Returns reference errors for each of these families, of money sessions or matches to a length, with the
    /// matches that were searched.
    ///
    /// # Errors
    /// [`StoreError`] if the library cannot be read.
    pub fn references(
        &self,
        families: &[Family],
        is_money: bool,
    ) -> Result<References, StoreError> {
        let Some(store) = LibraryStore::open_to_list(self.library, self.timeout)? else {
            return Ok(References::default());
        };
        let matches = store.matches(&mut |_| {})?;
        let people = store.people()?;
        let player = self.player(&matches, &people);
        let matches: Vec<LibraryMatch> = self
            .fitting(&store, &matches, &people)?
            .into_iter()
            .cloned()
            .collect();
        let mut all = Vec::new();
        for family in families {
            let length = if is_money { "length:0" } else { "length>=1" };
            let text = format!("{} {length}", family.filter());
            // A family that no filter can express has no references.
            let Ok(filter) = Filter::parse(&text) else {
                all.push(Vec::new());
                continue;
            };
            let search = Search {
                // Not as a word of the text, which cannot express every name.
                filter: filter.of_player(player.as_deref()),
                least: Thresholds::default().doubtful,
                order: Order::Loss,
                most: CANDIDATES,
                ..Search::default()
            };
            let found = store.search(&search, &matches, &people)?.found;
            all.push(reference_positions::diverse(&found, REFERENCES));
        }
        Ok(References {
            families: all,
            matches,
        })
    }
}

/// Returns the review of a match with the library's player names. The reason for a missing review is passed to
/// `tell`.
fn review_of(
    entry: &LibraryMatch,
    reviews: Option<&ReviewStore>,
    tell: &mut dyn FnMut(String),
) -> Result<Option<Report>, StoreError> {
    let review = reviews.map(|reviews| reviews.find(&entry.review));
    let review = review.transpose()?.unwrap_or(Lookup::Nothing);
    let Some(mut report) = review.sound(&mut *tell) else {
        tell(format!(
            "match {}: its review is not there: `luckless library add` of its file makes it again",
            entry.id
        ));
        return Ok(None);
    };
    // Names may have been corrected since the review.
    for (player, name) in report.players.iter_mut().zip(&entry.head.players) {
        player.name.clone_from(name);
    }
    Ok(Some(report))
}

/// Reference positions of error families.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// For each family, most expensive first.
    pub families: Vec<Vec<Found>>,
    /// The matches that were searched.
    pub matches: Vec<LibraryMatch>,
}
