//! What the user has written beside the moves of matches, and the variations tried: a SQLite file of its own, since reviews can
//! be made again and notes cannot.
//!
//! A match is known by how it began: its length, and the positions and rolls of its first thirty turns
//! (fewer if it has no more). No two matches have those in common, while the same match does in every
//! format it was saved in, under other names of the players, and while it goes on.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use rusqlite::params;
use sha2::{Digest as _, Sha256};

use super::StoreError;
use super::database::Database;
use super::kind::{Kind, Step};
use crate::game::GameState;
use crate::match_file::Match;
use crate::notation::gnubg_id::full_id;
use crate::notation::xgid_text;

/// "LUCN" marks the file as ours.
const KIND: Kind = Kind {
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
    upgrades: &[Step::Sql(
        "
CREATE TABLE variations (
  match TEXT NOT NULL,
  game INTEGER NOT NULL,
  event INTEGER NOT NULL,
  tree TEXT NOT NULL,
  PRIMARY KEY (match, game, event)
) WITHOUT ROWID;
",
    )],
    tables: &[],
};
/// Turns that tell a match from all others.
const BEGINNING: usize = 30;
/// No note has more characters.
pub const LONGEST_NOTE: usize = 2000;

/// No tree of variations has more bytes; one of the most actions has less.
pub const LARGEST_TREE: usize = 2 << 20;

/// Notes of a match, or variations as JSON, by the places of game and event.
pub type Notes = BTreeMap<(usize, usize), String>;

/// What a match is known by: see the [module](self).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MatchFingerprint(String);

impl MatchFingerprint {
    /// The mark of a match.
    #[must_use]
    pub fn of(record: &Match) -> Self {
        let mut digest = Sha256::new();
        digest.update(record.length.to_le_bytes());
        let decisions = record
            .games
            .iter()
            .flat_map(|game| record.decision_states(game));
        let rolled = decisions.filter(|decision| decision.state.roll.is_some());
        for decision in rolled.take(BEGINNING) {
            // Positions and not plays: programs write the steps of a play differently.
            digest.update(full_id(&GameState {
                roll: decision.state.roll,
                ..GameState::money(decision.state.position)
            }));
        }
        Self(format!("{:x}", digest.finalize()))
    }

    /// The mark of a position that stands alone, whatever its dice.
    #[must_use]
    pub fn of_position(state: &GameState) -> Self {
        let state = GameState {
            roll: None,
            ..*state
        };
        let mut digest = Sha256::new();
        digest.update("position ");
        digest.update(xgid_text(&state));
        Self(format!("{:x}", digest.finalize()))
    }
}

/// An open file of notes.
#[derive(Debug)]
pub struct NoteStore(Database);

impl NoteStore {
    /// Opens the file at `path`, making it and its folder if they are not there.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// As [`NoteStore::open`]; no save waits longer than `patience` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, patience).map(Self)
    }

    /// The notes of a match in the file at `path`; none if there is no file. Another process that
    /// writes to it is waited for no longer than `patience`, and only while it ends its save.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn read(
        path: &Path,
        of: &MatchFingerprint,
        patience: Duration,
    ) -> Result<Notes, StoreError> {
        match Database::open_to_read(path, &KIND, patience)? {
            Some(database) => Self(database).notes(of),
            None => Ok(Notes::new()),
        }
    }

    /// The notes of a match.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn notes(&self, of: &MatchFingerprint) -> Result<Notes, StoreError> {
        self.0.read(|connection| {
            connection
                .prepare("SELECT game, event, text FROM notes WHERE match = ?1")?
                .query_map([&of.0], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?
                .collect()
        })
    }

    /// The variations of a match in the file at `path`, as JSON: as [`NoteStore::read`].
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn read_variations(
        path: &Path,
        of: &MatchFingerprint,
        patience: Duration,
    ) -> Result<Notes, StoreError> {
        let Some(database) = Database::open_to_read(path, &KIND, patience)? else {
            return Ok(Notes::new());
        };
        database.read(|connection| {
            connection
                .prepare("SELECT game, event, tree FROM variations WHERE match = ?1")?
                .query_map([&of.0], |row| Ok(((row.get(0)?, row.get(1)?), row.get(2)?)))?
                .collect()
        })
    }

    /// Keeps the variations of an event of a game, as JSON, instead of those before; an empty text removes
    /// them.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written, or are longer than [`LARGEST_TREE`].
    pub fn keep_variations(
        &mut self,
        of: &MatchFingerprint,
        (game, event): (usize, usize),
        tree: &str,
    ) -> Result<(), StoreError> {
        if tree.len() > LARGEST_TREE {
            return Err(self.0.wrong("the variations of a turn are too many"));
        }
        self.put(("variations", "tree"), of, (game, event), tree)
    }

    /// Keeps a note about an event of a game, instead of the one before; an empty one removes it.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written, or is longer than [`LONGEST_NOTE`]: no part of it is kept then.
    pub fn keep(
        &mut self,
        of: &MatchFingerprint,
        (game, event): (usize, usize),
        text: &str,
    ) -> Result<(), StoreError> {
        let text = text.trim();
        let length = text.chars().count();
        if length > LONGEST_NOTE {
            return Err(self.0.wrong(format!(
                "a note has at most {LONGEST_NOTE} characters, this one {length}"
            )));
        }
        self.put(("notes", "text"), of, (game, event), text)
    }

    /// Writes a text about an event of a game into a column of a table; an empty one removes the row.
    fn put(
        &mut self,
        (table, column): (&str, &str),
        of: &MatchFingerprint,
        (game, event): (usize, usize),
        text: &str,
    ) -> Result<(), StoreError> {
        self.0.change(|change| {
            let done = if text.is_empty() {
                let delete =
                    format!("DELETE FROM {table} WHERE match = ?1 AND game = ?2 AND event = ?3");
                change.execute(&delete, params![of.0, game, event])
            } else {
                let insert = format!(
                    "INSERT INTO {table} (match, game, event, {column}) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO UPDATE SET {column} = excluded.{column}"
                );
                change.execute(&insert, params![of.0, game, event, text])
            };
            done.map(drop)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_file;
    use crate::store::READING;

    fn sample() -> Match {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_matches/");
        let path = format!("{folder}anna-ben-7pt.mat");
        match_file::read(Path::new(&path)).unwrap()
    }

    #[test]
    fn notes_are_kept_replaced_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/notes.sqlite");
        let mark = MatchFingerprint::of(&sample());
        assert!(NoteStore::read(&path, &mark, READING).unwrap().is_empty());
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
        let notes = NoteStore::read(&path, &mark, READING).unwrap();
        let all: Vec<_> = notes.iter().map(|(k, v)| (*k, v.as_str())).collect();
        assert_eq!(all, [((0, 3), "too loose"), ((1, 0), "why?\nbecause")]);
        let mut other = sample();
        other.length = 9;
        let none = NoteStore::read(&path, &MatchFingerprint::of(&other), READING).unwrap();
        assert!(none.is_empty());
    }

    #[test]
    fn variations_are_kept_also_in_a_file_of_the_version_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.sqlite");
        let mark = MatchFingerprint::of(&sample());
        let old = Kind {
            version: 1,
            schema: "CREATE TABLE notes (match TEXT NOT NULL, game INTEGER NOT NULL,
                event INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (match, game, event))
                WITHOUT ROWID;",
            upgrades: &[],
            ..KIND
        };
        let mut older = NoteStore(Database::open(&path, &old).unwrap());
        older.keep(&mark, (0, 3), "from before").unwrap();
        drop(older);
        let read = |mark| NoteStore::read_variations(&path, mark, READING).unwrap();
        assert!(read(&mark).is_empty());
        let mut store = NoteStore::open(&path).unwrap();
        store.keep_variations(&mark, (0, 3), "[1]").unwrap();
        store.keep_variations(&mark, (0, 3), "[2]").unwrap();
        store.keep_variations(&mark, (1, 3), "[3]").unwrap();
        store.keep_variations(&mark, (1, 3), "").unwrap();
        let long = "x".repeat(LARGEST_TREE + 1);
        assert!(store.keep_variations(&mark, (2, 3), &long).is_err());
        assert_eq!(store.notes(&mark).unwrap()[&(0, 3)], "from before");
        assert_eq!(read(&mark), Notes::from([((0, 3), "[2]".to_owned())]));
        let state = GameState::money(crate::game::Position::opening());
        let rolled = GameState {
            roll: crate::game::Roll::new(3, 1),
            ..state
        };
        let alone = MatchFingerprint::of_position(&state);
        assert_eq!(alone, MatchFingerprint::of_position(&rolled));
        store.keep_variations(&alone, (0, 0), "[4]").unwrap();
        assert_eq!(read(&alone).len(), 1);
    }

    #[test]
    fn a_match_is_the_same_in_other_formats_and_as_it_goes_on() {
        let record = sample();
        let mark = MatchFingerprint::of(&record);
        let again = match_file::sgf::write::write(&record);
        let again = match_file::read_bytes(again.as_bytes(), "x.sgf").unwrap();
        assert_eq!(MatchFingerprint::of(&again), mark);
        let mut renamed = record.clone();
        renamed.players = ["x".into(), "y".into()];
        renamed.games.pop();
        assert_eq!(MatchFingerprint::of(&renamed), mark);
        let mut other = record.clone();
        other.games[0].events.remove(2);
        assert_ne!(MatchFingerprint::of(&other), mark);
    }
}
