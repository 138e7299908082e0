//! The tables of the library, and how their rows are read and written.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::super::checksum::{RowChecksum, field};
use super::super::kind::{Kind, Table};
use super::super::match_fingerprint::OPENING;
use super::super::{MatchFingerprint, ReviewKey, file, user_folders};
use super::entry::{FileState, Kept, LibraryFile, LibraryMatch, NewMatch};
use super::path_text::{path_text, text_path};
use crate::library::{MatchHead, PackedDecision, People};
use crate::rollout::RESULTS_DIGEST;

/// "LUCL" marks the file as ours.
pub(in crate::store) const KIND: Kind = Kind {
    file: user_folders::LIBRARY,
    application: 0x4c55_434c,
    version: 1,
    schema: "
CREATE TABLE matches (
  id INTEGER PRIMARY KEY,
  opening TEXT NOT NULL,
  beginning TEXT NOT NULL,
  head TEXT NOT NULL,
  results TEXT NOT NULL,
  review TEXT NOT NULL,
  head_sum INTEGER NOT NULL,
  decisions_sum INTEGER NOT NULL,
  decisions BLOB NOT NULL
);
CREATE INDEX by_opening ON matches (opening);
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  hash TEXT NOT NULL,
  state INTEGER NOT NULL,
  matches TEXT NOT NULL,
  reason TEXT NOT NULL,
  sum INTEGER NOT NULL
);
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  player TEXT NOT NULL,
  me INTEGER NOT NULL,
  sum INTEGER NOT NULL
);
",
    upgrades: &[],
    tables: &[
        Table::Rows("matches"),
        Table::Rows("files"),
        Table::Rows("people"),
    ],
};
/// Characters of a mark that are kept.
pub(super) const MARK: usize = 16;

/// How a match began, as far as it tells it from others.
pub(super) struct Beginning {
    opening: String,
    /// A mark for each turn.
    marks: String,
}

impl Beginning {
    pub(super) fn of(fingerprint: &MatchFingerprint) -> Self {
        let short = |mark: &String| mark.get(..MARK).unwrap_or_default().to_owned();
        let marks: Vec<String> = fingerprint.marks().rev().map(short).collect();
        let opening = marks.get(OPENING - 1).or(marks.last());
        Self {
            opening: opening.cloned().unwrap_or_default(),
            marks: marks.concat(),
        }
    }

    /// The marks of its turns, one behind the other.
    pub(super) fn marks(&self) -> &str {
        &self.marks
    }

    /// Whether two records that have the opening in common are of one match: one goes on where the
    /// other ends. The marks of fewer turns than tell a match change with its players' names.
    pub(super) fn fits(&self, other: &str) -> bool {
        let telling = |marks| str::get(marks, (OPENING - 1) * MARK..).filter(|m| m.len() >= MARK);
        match (telling(&self.marks), telling(other)) {
            (Some(a), Some(b)) => a.starts_with(b) || b.starts_with(a),
            _ => self.marks == other,
        }
    }
}

pub(super) const HEAD: &str = "id, opening, beginning, head, results, review, head_sum";

/// A row of a match, but for its decisions.
pub(super) struct Stored {
    pub(super) id: i64,
    opening: String,
    pub(super) beginning: String,
    text: String,
    results: String,
    review: String,
    pub(super) head: MatchHead,
}

impl Stored {
    pub(super) fn whole(row: &Row<'_>) -> Option<Self> {
        let text: String = field(row, 3)?;
        let stored = Self {
            id: field(row, 0)?,
            opening: field(row, 1)?,
            beginning: field(row, 2)?,
            results: field(row, 4)?,
            review: field(row, 5)?,
            head: serde_json::from_str(&text).ok()?,
            text,
        };
        let sum: i64 = field(row, 6)?;
        let Self {
            opening,
            beginning,
            text,
            results,
            review,
            ..
        } = &stored;
        let whole = head_sum([opening, beginning, text, results, review]) == sum;
        whole.then_some(stored)
    }

    pub(super) fn listed(self, files: Vec<PathBuf>) -> LibraryMatch {
        LibraryMatch {
            id: self.id,
            head: self.head,
            review: ReviewKey::kept(self.review),
            is_current: self.results == RESULTS_DIGEST,
            files,
            beginning: self.beginning,
        }
    }

    /// Whether `new`, another record of the match, should take the place of this one.
    pub(super) fn gives_way_to(&self, new: &MatchHead) -> bool {
        let old = &self.head;
        // What is not in a shorter record would be lost.
        if new.turns < old.turns {
            return false;
        }
        let has_rules = (old.jacoby, old.beavers) == (new.jacoby, new.beavers);
        let is_alike =
            has_rules && old.engine == new.engine && old.is_of_table(new.table.as_deref());
        if self.results != RESULTS_DIGEST || !is_alike {
            return true;
        }
        (new.turns, new.ply, new.rolled) > (old.turns, old.ply, old.rolled)
    }
}

pub(super) fn head_sum(texts: [&str; 5]) -> i64 {
    let seal = RowChecksum::of("matches");
    texts.iter().fold(seal, |seal, text| seal.text(text)).sum()
}

pub(super) const DECISIONS: &str = "id, decisions_sum, decisions";

pub(super) fn decisions_sum(bytes: &[u8]) -> i64 {
    RowChecksum::of("decisions").bytes(bytes).sum()
}

/// The decisions in a row of [`DECISIONS`], if they are whole.
pub(super) fn packed<'a>(row: &'a Row<'_>) -> Option<&'a [PackedDecision]> {
    let bytes = row.get_ref(2).ok()?.as_blob().ok()?;
    let sum: i64 = field(row, 1)?;
    (decisions_sum(bytes) == sum).then_some(())?;
    PackedDecision::read(bytes)
}

pub(super) fn by_id(connection: &Connection, id: i64) -> rusqlite::Result<Option<Stored>> {
    let question = format!("SELECT {HEAD} FROM matches WHERE id = ?1");
    let row = |row: &Row<'_>| Ok(Stored::whole(row));
    let found = connection.query_row(&question, [id], row).optional()?;
    Ok(found.flatten())
}

pub(super) fn find(connection: &Connection, of: &Beginning) -> rusqlite::Result<Option<Stored>> {
    let question = format!("SELECT {HEAD} FROM matches WHERE opening = ?1 ORDER BY id");
    let mut statement = connection.prepare_cached(&question)?;
    let mut rows = statement.query([&of.opening])?;
    while let Some(row) = rows.next()? {
        if let Some(stored) = Stored::whole(row).filter(|stored| of.fits(&stored.beginning)) {
            return Ok(Some(stored));
        }
    }
    Ok(None)
}

/// What was known of a file before it was read again.
#[derive(Default)]
pub(super) struct FileBefore {
    /// Whether it had other bytes.
    pub(super) has_changed: bool,
    /// The matches in it.
    pub(super) matches: Vec<i64>,
}

/// Keeps a match, or finds that it is there; `None` if it should be there and is not.
pub(super) fn put(
    change: &Transaction<'_>,
    one: &NewMatch,
    head: &str,
    before: &FileBefore,
) -> rusqlite::Result<Option<Kept>> {
    let mark = Beginning::of(&one.fingerprint);
    let there = find(change, &mark)?;
    if let Some(old) = there.as_ref().filter(|old| !old.gives_way_to(&one.head)) {
        let is_known = before.matches.contains(&old.id);
        let head = match is_known {
            true if before.has_changed => old.head.corrected_by(&one.head),
            true => None,
            false => old.head.completed_by(&one.head),
        };
        return Ok(Some(match head {
            Some(head) => {
                set_head(change, old, &head)?;
                Kept::Updated(old.id)
            }
            None if is_known => Kept::Unchanged(old.id),
            None => Kept::AnotherFile(old.id),
        }));
    }
    let Some(decisions) = &one.decisions else {
        return Ok(None);
    };
    let decisions: &[u8] = bytemuck::cast_slice(decisions);
    let id = there.map(|old| old.id);
    let sql = "INSERT OR REPLACE INTO matches
        (id, opening, beginning, head, results, review, head_sum, decisions_sum, decisions)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    let review = &one.review.key;
    change.execute(
        sql,
        params![
            id,
            mark.opening,
            mark.marks,
            head,
            RESULTS_DIGEST,
            review,
            head_sum([&mark.opening, &mark.marks, head, RESULTS_DIGEST, review]),
            decisions_sum(decisions),
            decisions
        ],
    )?;
    Ok(Some(match id {
        Some(id) => Kept::Updated(id),
        None => Kept::Added(change.last_insert_rowid()),
    }))
}

/// Gives a match another head; its decisions and its review stay.
fn set_head(change: &Transaction<'_>, of: &Stored, head: &MatchHead) -> rusqlite::Result<()> {
    let text = serde_json::to_string(head)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let sum = head_sum([&of.opening, &of.beginning, &text, &of.results, &of.review]);
    let sql = "UPDATE matches SET head = ?2, head_sum = ?3 WHERE id = ?1";
    change.execute(sql, params![of.id, text, sum]).map(drop)
}

pub(super) const FILE: &str = "path, hash, state, matches, reason, sum";

pub(super) fn file_of(row: &Row<'_>) -> Option<LibraryFile> {
    let (path, hash): (String, String) = (field(row, 0)?, field(row, 1)?);
    let (state, sum): (i64, i64) = (field(row, 2)?, field(row, 5)?);
    let (matches, reason): (String, String) = (field(row, 3)?, field(row, 4)?);
    (file_sum(&path, &hash, state, &matches, &reason) == sum).then_some(())?;
    let state = match state {
        0 => FileState::Read(serde_json::from_str(&matches).ok()?),
        1 => FileState::Failed {
            why: reason,
            matches: serde_json::from_str(&matches).ok()?,
        },
        _ => FileState::Removed(reason.split_whitespace().map(str::to_owned).collect()),
    };
    Some(LibraryFile {
        path: text_path(&path),
        hash,
        state,
    })
}

pub(super) fn file_sum(path: &str, hash: &str, state: i64, matches: &str, reason: &str) -> i64 {
    let seal = RowChecksum::of("files").text(path).text(hash).number(state);
    seal.text(matches).text(reason).sum()
}

pub(super) fn known(connection: &Connection, path: &str) -> rusqlite::Result<Option<LibraryFile>> {
    let question = format!("SELECT {FILE} FROM files WHERE path = ?1");
    let row = |row: &Row<'_>| Ok(file_of(row));
    let found = connection.query_row(&question, [path], row).optional()?;
    Ok(found.flatten())
}

/// All files whose rows are whole.
pub(super) fn files_of(connection: &Connection) -> rusqlite::Result<Vec<LibraryFile>> {
    let mut question = connection.prepare(&format!("SELECT {FILE} FROM files"))?;
    let rows = question.query_map([], |row| Ok(file_of(row)))?;
    Ok(rows
        .collect::<rusqlite::Result<Vec<_>>>()?
        .into_iter()
        .flatten()
        .collect())
}

pub(super) fn put_file(
    change: &Transaction<'_>,
    path: &str,
    hash: &str,
    state: &FileState,
) -> rusqlite::Result<()> {
    let (number, reason) = match state {
        FileState::Read(_) => (0, String::new()),
        FileState::Failed { why, .. } => (1, why.clone()),
        FileState::Removed(beginnings) => (2, beginnings.join(" ")),
    };
    let matches = serde_json::json!(state.matches()).to_string();
    let sum = file_sum(path, hash, number, &matches, &reason);
    let sql = "INSERT INTO files (path, hash, state, matches, reason, sum)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (path) DO UPDATE SET hash = ?2, state = ?3, matches = ?4, reason = ?5, sum = ?6";
    change
        .execute(sql, params![path, hash, number, matches, reason, sum])
        .map(drop)
}

/// How the matches began that were removed.
pub(super) fn removed(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let question = format!("SELECT {FILE} FROM files WHERE state = 2");
    let mut question = connection.prepare_cached(&question)?;
    let files = question.query_map([], |row| Ok(file_of(row)))?;
    let files: Vec<Option<LibraryFile>> = files.collect::<rusqlite::Result<_>>()?;
    let beginnings = files
        .into_iter()
        .flatten()
        .filter_map(|file| match file.state {
            FileState::Removed(beginnings) => Some(beginnings),
            _ => None,
        });
    Ok(beginnings.flatten().collect())
}

/// Forgets the files with these bytes under other paths where they are no longer; one of them, which was moved here, is
/// the answer.
pub(super) fn forget_moved(
    change: &Transaction<'_>,
    path: &str,
    hash: &str,
) -> rusqlite::Result<Option<LibraryFile>> {
    let question = format!("SELECT {FILE} FROM files WHERE hash = ?1 AND path <> ?2 AND state = 0");
    let mut question = change.prepare(&question)?;
    let others = question.query_map([hash, path], |row| Ok(file_of(row)))?;
    let others: Vec<Option<LibraryFile>> = others.collect::<rusqlite::Result<_>>()?;
    let mut moved = None;
    for other in others.into_iter().flatten() {
        if file::is_gone(&other.path) {
            change.execute(
                "DELETE FROM files WHERE path = ?1",
                [path_text(&other.path)],
            )?;
            moved = Some(other);
        }
    }
    Ok(moved)
}

pub(super) fn person_sum(name: &str, player: &str, me: bool) -> i64 {
    let seal = RowChecksum::of("people").text(name).text(player);
    seal.number(i64::from(me)).sum()
}

pub(super) fn people(connection: &Connection) -> rusqlite::Result<People> {
    let mut statement = connection.prepare_cached("SELECT name, player, me, sum FROM people")?;
    let rows = statement.query_map([], |row| {
        let person: Option<(String, String, bool)> = (|| {
            let (name, player): (String, String) = (field(row, 0)?, field(row, 1)?);
            let (me, sum): (bool, i64) = (field(row, 2)?, field(row, 3)?);
            (person_sum(&name, &player, me) == sum).then_some((name, player, me))
        })();
        Ok(person)
    })?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(People::from_rows(rows.into_iter().flatten()))
}

/// The message about rows that are not whole.
pub(super) fn damaged(path: &Path, n: u32, one: &str, many: &str) -> String {
    let (is, what) = if n == 1 { ("is", one) } else { ("are", many) };
    format!("{}: {n} {what} {is} damaged, and left out", path.display())
}
