//! The user's notes on turns, and the variations tried, in a SQLite file of their own: reviews can be repeated, notes
//! cannot. They are stored under a [`MatchFingerprint`].

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::database::Database;
use super::kind::{Kind, Table};
use super::listing::open_to_list;
use super::match_fingerprint::MatchFingerprint;
use super::{StoreError, user_folders};
use crate::match_file::{EventPlace, Variations};

mod joined;

/// "LUCN" marks the file.
pub(super) const KIND: Kind = Kind {
    file: user_folders::NOTES,
    application: 0x4c55_434e,
    version: 2,
    schema: "
CREATE TABLE notes (
  match TEXT NOT NULL,
  game INTEGER NOT NULL,
  event INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (match, game, event)
) WITHOUT ROWID;
CREATE TABLE variations (
  match TEXT NOT NULL,
  game INTEGER NOT NULL,
  event INTEGER NOT NULL,
  tree TEXT NOT NULL,
  PRIMARY KEY (match, game, event)
) WITHOUT ROWID;
",
    tables: &[
        Table::Ends("notes", ["match", "game", "event"]),
        Table::Ends("variations", ["match", "game", "event"]),
    ],
};
/// Maximum length of a note, in characters.
pub const LONGEST_NOTE: usize = 2000;

/// Maximum bytes of a variation tree; the tree with the most actions is smaller.
const LARGEST_TREE: usize = 2 << 20;

/// Notes of a match, by event.
pub type Notes = BTreeMap<EventPlace, String>;
/// Variations of a match as JSON, by the event at which they start.
pub type VariationTexts = BTreeMap<EventPlace, String>;

/// The user's notes and variations for a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptNotes {
    pub notes: Notes,
    pub variations: VariationTexts,
}

/// Mark of the beginning to which a note belongs, its game and event, and its text.
pub(super) type MarkedNote = (String, EventPlace, String);

#[derive(Debug)]
pub struct NoteStore(Database);

impl NoteStore {
    /// Opens the file at `path`; creates it and its folder if missing.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// Opens the file as [`NoteStore::open`] does; saves wait at most `timeout` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_within(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, timeout).map(Self)
    }

    /// Reads the notes of a match from the file at `path`; none if it is missing. Waits at most `timeout`, and only
    /// for the end of another process's save.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn read(
        path: &Path,
        of: &MatchFingerprint,
        timeout: Duration,
    ) -> Result<Notes, StoreError> {
        match open_to_list(path, &KIND, timeout)? {
            Some(database) => Self(database).notes(of),
            None => Ok(Notes::new()),
        }
    }

    /// Reads the notes and variations of a match from the file at `path`; none if it is missing. Waits as
    /// [`NoteStore::read`] does.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn read_all(
        path: &Path,
        of: &MatchFingerprint,
        timeout: Duration,
    ) -> Result<KeptNotes, StoreError> {
        let Some(mut database) = open_to_list(path, &KIND, timeout)? else {
            return Ok(KeptNotes::default());
        };
        let all = |connection: &Connection| {
            Ok(KeptNotes {
                notes: NOTES.all(connection, of)?,
                variations: VARIATIONS.all(connection, of)?,
            })
        };
        database.read_mended(all)
    }

    /// Reads all notes of the file at `path`, by the mark of their beginning. An empty note hides the note of a
    /// shorter beginning. Waits as [`NoteStore::read`] does.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub(super) fn read_by_mark(
        path: &Path,
        timeout: Duration,
    ) -> Result<Vec<MarkedNote>, StoreError> {
        let Some(database) = open_to_list(path, &KIND, timeout)? else {
            return Ok(Vec::new());
        };
        database.read(|connection| {
            let mut all = connection.prepare("SELECT match, game, event, text FROM notes")?;
            let row = |row: &Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?), row.get(3)?));
            all.query_map([], row)?.collect()
        })
    }

    /// Returns the notes of a match.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn notes(&self, of: &MatchFingerprint) -> Result<Notes, StoreError> {
        self.0.read(|connection| NOTES.all(connection, of))
    }

    /// Stores the variations of an event, merged with those that another process stored there meanwhile and that were
    /// not removed here.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written, are longer than [`LARGEST_TREE`], or the stored ones cannot be read.
    pub fn keep_variations(
        &mut self,
        of: &MatchFingerprint,
        place: EventPlace,
        tree: &Variations,
    ) -> Result<(), StoreError> {
        let mut refused = None;
        self.0.change(|change| {
            let kept = VARIATIONS.find(change, of, place)?;
            match merged(tree, kept.as_deref()) {
                Ok(text) => VARIATIONS.write(change, of, place, &text),
                Err(why) => {
                    refused = Some(why);
                    Ok(())
                }
            }
        })?;
        refused.map_or(Ok(()), |why| Err(self.0.wrong(why)))
    }
}

/// Merges a tree with the stored one. Returns an empty text if nothing is left.
fn merged(tree: &Variations, kept: Option<&str>) -> Result<String, String> {
    let mut tree = tree.clone();
    if let Some(kept) = kept.filter(|kept| !kept.is_empty()) {
        let kept = Variations::from_json(*tree.root(), kept)
            .map_err(|why| format!("the variations there cannot be read: {why}"))?;
        tree.merge(&kept);
    }
    if tree.is_empty() {
        return Ok(String::new());
    }
    let text = tree.to_json();
    if text.len() > LARGEST_TREE {
        return Err("the variations of a turn are too many".to_owned());
    }
    Ok(text)
}

struct TextTable {
    name: &'static str,
    column: &'static str,
}

const NOTES: TextTable = TextTable {
    name: "notes",
    column: "text",
};
const VARIATIONS: TextTable = TextTable {
    name: "variations",
    column: "tree",
};

impl TextTable {
    /// Returns all texts of a match, the newest of each place.
    fn all(&self, connection: &Connection, of: &MatchFingerprint) -> rusqlite::Result<Notes> {
        let Self { name, column } = self;
        let question = format!("SELECT game, event, {column} FROM {name} WHERE match = ?1");
        let mut statement = connection.prepare(&question)?;
        let mut all = Notes::new();
        for mark in of.marks().chain(&of.former).rev() {
            let rows =
                statement.query_map([mark], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?;
            for row in rows {
                let (place, text) = row?;
                all.insert(place, text);
            }
        }
        all.retain(|_, text| !text.is_empty());
        Ok(all)
    }

    /// Returns the newest text of a place; an empty text hides an older one.
    fn find(
        &self,
        connection: &Connection,
        of: &MatchFingerprint,
        place: EventPlace,
    ) -> rusqlite::Result<Option<String>> {
        for mark in of.marks().chain(&of.former) {
            let found = self.get(connection, mark, place)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn get(
        &self,
        connection: &Connection,
        mark: &str,
        (game, event): EventPlace,
    ) -> rusqlite::Result<Option<String>> {
        let Self { name, column } = self;
        let question =
            format!("SELECT {column} FROM {name} WHERE match = ?1 AND game = ?2 AND event = ?3");
        let mut statement = connection.prepare_cached(&question)?;
        statement
            .query_row(params![mark, game, event], |row| row.get(0))
            .optional()
    }

    /// Writes a text; an empty text removes the stored one. A text of a shorter beginning may belong to another match
    /// as well: it stays, and an empty row hides it.
    fn write(
        &self,
        change: &Connection,
        of: &MatchFingerprint,
        (game, event): EventPlace,
        text: &str,
    ) -> rusqlite::Result<()> {
        let Self { name, column } = self;
        let delete = format!("DELETE FROM {name} WHERE match = ?1 AND game = ?2 AND event = ?3");
        change.execute(&delete, params![of.mark, game, event])?;
        if text.is_empty()
            && self
                .find(change, of, (game, event))?
                .is_none_or(|t| t.is_empty())
        {
            return Ok(());
        }
        let insert =
            format!("INSERT INTO {name} (match, game, event, {column}) VALUES (?1, ?2, ?3, ?4)");
        let insert = change.execute(&insert, params![of.mark, game, event, text]);
        insert.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameState, PlayList, Player, Position, Roll};
    use crate::match_file::{Action, DecisionState};
    use crate::store::READ_TIMEOUT;
    use crate::store::match_fingerprint::tests::{beginning, sample};

    #[test]
    fn notes_are_kept_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/notes.sqlite");
        let mark = MatchFingerprint::of(&sample());
        assert!(
            NoteStore::read(&path, &mark, READ_TIMEOUT)
                .unwrap()
                .is_empty()
        );
        assert!(!path.exists(), "reading makes nothing");
        let mut store = NoteStore::open(&path).unwrap();
        store.keep(&mark, (0, 3), "  too loose ").unwrap();
        store.keep(&mark, (1, 0), "x").unwrap();
        store.keep(&mark, (1, 0), "why?\nbecause").unwrap();
        store.keep(&mark, (2, 2), "gone").unwrap();
        store.keep(&mark, (2, 2), " ").unwrap();
        let long = "é".repeat(LONGEST_NOTE);
        store.keep(&mark, (3, 3), &long).unwrap();
        assert!(store.keep(&mark, (3, 3), &(long + "x")).is_err());
        store.keep(&mark, (3, 3), "").unwrap();
        drop(store);
        let notes = NoteStore::read(&path, &mark, READ_TIMEOUT).unwrap();
        let all: Vec<_> = notes.iter().map(|(k, v)| (*k, v.as_str())).collect();
        assert_eq!(all, [((0, 3), "too loose"), ((1, 0), "why?\nbecause")]);
        let mut other = sample();
        other.length = 9;
        let none = NoteStore::read(&path, &MatchFingerprint::of(&other), READ_TIMEOUT).unwrap();
        assert!(none.is_empty());
    }

    fn variations(path: &Path, of: &MatchFingerprint) -> VariationTexts {
        NoteStore::read_all(path, of, READ_TIMEOUT)
            .unwrap()
            .variations
    }

    #[test]
    fn variations_are_kept_beside_notes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let mark = MatchFingerprint::of(&sample());
        let mut store = NoteStore::open(&path).unwrap();
        store.keep(&mark, (0, 3), "too loose").unwrap();
        let read = |mark| variations(&path, mark);
        assert!(read(&mark).is_empty());
        let [one, two] = [0, 1].map(|n| tree(&[n]));
        store.keep_variations(&mark, (0, 3), &one).unwrap();
        store.keep_variations(&mark, (1, 3), &two).unwrap();
        let mut none = two.clone();
        none.set_removed(two.children(None).next().unwrap(), true);
        store.keep_variations(&mark, (1, 3), &none).unwrap();
        assert_eq!(store.notes(&mark).unwrap()[&(0, 3)], "too loose");
        assert_eq!(read(&mark), VariationTexts::from([((0, 3), one.to_json())]));
        let state = GameState::money(Position::opening());
        let rolled = GameState {
            roll: Roll::new(3, 1),
            ..state
        };
        let alone = MatchFingerprint::of_position(&state);
        assert_eq!(alone, MatchFingerprint::of_position(&rolled));
        store.keep_variations(&alone, (0, 0), &one).unwrap();
        assert_eq!(read(&alone).len(), 1);
    }

    /// A tree with these plays of 3-1, by index.
    fn tree(plays: &[usize]) -> Variations {
        let state = GameState::money(Position::opening());
        let (event, player) = (5, Player::Left);
        let mut tree = Variations::at(DecisionState {
            event,
            player,
            state,
        });
        let roll = Roll::new(3, 1).unwrap();
        let list = PlayList::of(&state.position, roll);
        for &n in plays {
            let play = list.plays()[n];
            tree.add(None, Action::Move { roll, play }).unwrap();
        }
        tree
    }

    #[test]
    fn variations_of_two_processes_come_together() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let mark = MatchFingerprint::of(&sample());
        let place = (0, 5);
        let mut store = NoteStore::open(&path).unwrap();
        let mut keep = |tree: &Variations| {
            store.keep_variations(&mark, place, tree).unwrap();
            let kept = variations(&path, &mark);
            kept.get(&place)
                .map(|text| Variations::from_json(*tree.root(), text).unwrap().leaves())
        };
        // Both begin with the same play; each tries another one.
        let (mut here, there) = (tree(&[0, 1]), tree(&[0, 2]));
        assert_eq!(keep(&here), Some(2));
        assert_eq!(keep(&there), Some(3));
        assert_eq!(keep(&here), Some(3));
        // Plays removed here are gone; those tried by the other process stay.
        let all: Vec<_> = here.children(None).collect();
        all.iter().for_each(|id| here.set_removed(*id, true));
        assert_eq!(keep(&here), Some(1));
        // Restored plays are there again.
        here.set_removed(all[0], false);
        assert_eq!(keep(&here), Some(2));
        let damaged = "UPDATE variations SET tree = '[{\"did\":\"take\"}]'";
        rusqlite::Connection::open(&path)
            .unwrap()
            .execute(damaged, [])
            .unwrap();
        let refused = store.keep_variations(&mark, place, &here).unwrap_err();
        assert_has!(refused.to_string(), "cannot be read");
    }

    #[test]
    fn notes_follow_a_match_that_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let mut store = NoteStore::open(&path).unwrap();
        let [early, later] = [3, 6].map(|events| MatchFingerprint::of(&beginning(events)));
        let whole = MatchFingerprint::of(&sample());
        assert!(whole.continues(&later) && later.continues(&early) && !early.continues(&later));
        store.keep(&early, (0, 1), "first").unwrap();
        store.keep(&early, (0, 2), "second").unwrap();
        store.keep_variations(&early, (0, 2), &tree(&[0])).unwrap();
        let texts = |store: &NoteStore, of| -> Vec<String> {
            store.notes(of).unwrap().into_values().collect()
        };
        assert_eq!(texts(&store, &later), ["first", "second"]);
        store.keep(&later, (0, 1), "newer").unwrap();
        store.keep(&later, (0, 2), "").unwrap();
        store.keep_variations(&later, (0, 2), &tree(&[1])).unwrap();
        for of in [&later, &whole] {
            assert_eq!(texts(&store, of), ["newer"]);
            let trees = variations(&path, of);
            assert_eq!(trees[&(0, 2)], tree(&[1, 0]).to_json());
        }
        // Another match with the same beginning has the notes on it.
        assert_eq!(texts(&store, &early), ["first", "second"]);
        store.keep(&whole, (0, 1), "").unwrap();
        assert!(texts(&store, &whole).is_empty());
    }
}
