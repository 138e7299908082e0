//! The matches of a player in the library, as a study plan is made of them, and the positions that stand for a
//! family.

use std::path::Path;
use std::time::Duration;

use super::library::LibraryMatch;
use super::{LibraryStore, ReviewStore, StoreError};
use crate::cube::Model;
use crate::game::Player;
use crate::library::{Filter, Found, Order, People, Search};
use crate::review::Thresholds;
use crate::study::plan::Family;
use crate::study::{StudyHistory, reference_positions};

/// Most expensive errors of a family among which the positions are chosen that stand for it.
const CANDIDATES: usize = 60;
/// Positions that stand for a family.
const REFERENCES: usize = 5;

/// The matches of a player in the library.
pub enum LibraryHistory {
    /// There is no match.
    Empty,
    /// Nobody was named, and the library does not know who the user is.
    Unknown,
    /// These.
    Found(Box<StudyHistory>),
}

/// Which library, and whose matches of it.
#[derive(Clone, Copy, Debug)]
pub struct HistoryOf<'a> {
    /// The file of the library.
    pub library: &'a Path,
    /// The file of reviews.
    pub reviews: &'a Path,
    /// The player; without a name the user.
    pub whose: Option<&'a str>,
    /// How long another process that writes is waited for.
    pub timeout: Duration,
}

impl HistoryOf<'_> {
    /// Reads the matches, in the order of play. `step` gets how many of how many have been read, and answers
    /// whether to go on. `tell` gets what is damaged and left out.
    ///
    /// # Errors
    /// [`StoreError`] if the library or the reviews cannot be read.
    pub fn read(
        &self,
        model: &Model,
        tell: &mut dyn FnMut(String),
        step: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<LibraryHistory, StoreError> {
        let store = LibraryStore::open_to_read(self.library, self.timeout)?;
        let reviews = ReviewStore::open_to_read(self.reviews, self.timeout)?;
        let (Some(store), Some(reviews)) = (store, reviews) else {
            return Ok(LibraryHistory::Empty);
        };
        let people = store.people()?;
        let all = store.matches(tell)?;
        if all.is_empty() {
            return Ok(LibraryHistory::Empty);
        }
        if self.whose.is_none() && !people.knows_me() {
            return Ok(LibraryHistory::Unknown);
        }
        let own: Vec<(&LibraryMatch, Player)> = all
            .iter()
            .filter_map(|one| Some((one, self.side(one, &people)?)))
            .collect();
        let mut history = StudyHistory::default();
        for (done, (one, whose)) in own.iter().enumerate() {
            if !step(done, own.len()) {
                break;
            }
            let opponent = people.player(&one.head.players[whose.other().index()]);
            match reviews.find(&one.review)?.sound(&mut *tell) {
                Some(report) => history.add(&report, &one.head.date, *whose, &opponent, model),
                None => tell(format!("match {}: its review is not there", one.id)),
            }
        }
        Ok(LibraryHistory::Found(Box::new(history)))
    }

    /// The side of the player in a match.
    fn side(&self, one: &LibraryMatch, people: &People) -> Option<Player> {
        let players = &one.head.players;
        let side = match self.whose {
            Some(whose) => people.side_of(players, whose),
            None => players.iter().position(|name| people.is_me(name)),
        };
        side.map(|side| [Player::Left, Player::Right][side])
    }

    /// Errors that stand for each of these families, of money sessions or of matches to a length, with the matches
    /// of the library.
    ///
    /// # Errors
    /// [`StoreError`] if the library cannot be read.
    pub fn references(
        &self,
        families: &[Family],
        is_money: bool,
    ) -> Result<References, StoreError> {
        let Some(store) = LibraryStore::open_to_read(self.library, self.timeout)? else {
            return Ok(References::default());
        };
        let matches = store.matches(&mut |_| {})?;
        let people = store.people()?;
        let mut all = Vec::new();
        for family in families {
            let length = if is_money { "length:0" } else { "length>=1" };
            let text = format!("{} {length}", family.filter());
            // What no filter can say finds nothing.
            let Ok(filter) = Filter::parse(&text) else {
                all.push(Vec::new());
                continue;
            };
            let search = Search {
                // Not as a word of the text, which cannot say every name.
                filter: filter.of_player(self.whose),
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

/// Positions that stand for families.
#[derive(Clone, Debug, Default)]
pub struct References {
    /// Of each family, the most expensive first.
    pub families: Vec<Vec<Found>>,
    /// All matches of the library.
    pub matches: Vec<LibraryMatch>,
}
