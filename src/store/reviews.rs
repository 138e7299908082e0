//! Stores reviewed matches in a SQLite file.
//!
//! The key of a review ([`ReviewId`]) covers the bytes of the file, the parsed match, its index in the file, and all
//! settings. A file that is moved, renamed or copied is therefore not analysed again; a changed one is. A review is
//! stored in a short form for lists and as a packed document. For a match that was open in the workstation, the
//! analysis of each turn is stored too ([`KeptTurns`]).
//!
//! Each of these has a checksum. Damaged data is not used and is computed again.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rusqlite::{OptionalExtension as _, Row, Transaction, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::checksum::{ASIDE, RowChecksum, field};
use super::database::Database;
use super::kind::{Kind, Table};
use super::listing::open_to_list;
use super::lookup::Lookup;
use super::rows::damaged;
use super::{KeptTurns, ReviewId, ReviewKey, StoreError, user_folders};
use crate::review::Report;
use crate::rollout::RESULTS_DIGEST;

/// "LUCR" marks the file.
pub(super) const KIND: Kind = Kind {
    file: user_folders::REVIEWS,
    application: 0x4c55_4352,
    version: 4,
    schema: "
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  match TEXT NOT NULL,
  ply INTEGER NOT NULL,
  played TEXT NOT NULL,
  short TEXT NOT NULL,
  report BLOB NOT NULL,
  rolled INTEGER NOT NULL DEFAULT 0,
  turns BLOB,
  results TEXT NOT NULL DEFAULT '',
  short_sum INTEGER,
  report_sum INTEGER,
  turns_sum INTEGER
);
",
    tables: &[Table::Rows("reviews")],
};
/// Maximum bytes of an unpacked document.
const LARGEST: u64 = 256 << 20;

/// The fields of a review that lists need.
struct Head {
    id: i64,
    key: String,
    record: String,
    ply: i64,
    played: String,
    short: String,
    rolled: i64,
    results: String,
}

/// Selects the row of a key. Selecting by key directly would return the key from the index, which may be undamaged
/// while the row's is not.
const BY_KEY: &str = "id = (SELECT id FROM reviews WHERE key = ?1)";

const HEAD: &str = "id, key, match, ply, played, short, rolled, results, short_sum";

/// A row of the list.
enum HeadRow {
    Whole(Head),
    Damaged,
    /// Damaged and already set aside.
    Aside,
}

/// Order of the reviews of a match, best last. Earlier fields take precedence.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// The results are of this version of the program.
    is_own: bool,
    ply: i64,
    rolled: i64,
    id: i64,
    played: String,
}

impl Head {
    fn read(row: &Row<'_>) -> Option<Self> {
        Some(Self {
            id: field(row, 0)?,
            key: field(row, 1)?,
            record: field(row, 2)?,
            ply: field(row, 3)?,
            played: field(row, 4)?,
            short: field(row, 5)?,
            rolled: field(row, 6)?,
            results: field(row, 7)?,
        })
    }

    /// Returns the head of a row if its checksum is right and it has the requested `key`, if any.
    fn whole(row: &Row<'_>, key: Option<&str>) -> Option<Self> {
        let head = Self::read(row)?;
        let sum: i64 = field(row, 8)?;
        let is_asked = key.is_none_or(|key| key == head.key);
        (is_asked && sum == head.sum()).then_some(head)
    }

    fn sum(&self) -> i64 {
        RowChecksum::of("reviews")
            .number(self.id)
            .text(&self.key)
            .text(&self.record)
            .number(self.ply)
            .text(&self.played)
            .text(&self.short)
            .number(self.rolled)
            .text(&self.results)
            .sum()
    }
}

/// Returns the checksum of a packed document in `column`.
fn packed_sum(column: &str, key: &str, packed: &[u8]) -> i64 {
    RowChecksum::of(column).text(key).bytes(packed).sum()
}

/// Updates the checksums of a row.
fn seal(change: &Transaction<'_>, id: i64) -> rusqlite::Result<()> {
    let question = format!("SELECT {HEAD}, report, turns FROM reviews WHERE id = ?1");
    let sums = change.query_row(&question, [id], |row| {
        let (report, turns): (Vec<u8>, Option<Vec<u8>>) = (row.get(9)?, row.get(10)?);
        Ok(Head::read(row).map(|head| {
            let turns = turns.map(|turns| packed_sum("turns", &head.key, &turns));
            let report = packed_sum("report", &head.key, &report);
            (head.sum(), report, turns)
        }))
    })?;
    let Some((short, report, turns)) = sums else {
        return Ok(());
    };
    let sql = "UPDATE reviews SET short_sum = ?2, report_sum = ?3, turns_sum = ?4 WHERE id = ?1";
    change
        .execute(sql, params![id, short, report, turns])
        .map(drop)
}

#[derive(Debug)]
pub struct ReviewStore(Database);

impl ReviewStore {
    /// Opens the file at `path`; creates it and its folder if missing.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// Opens the file as [`ReviewStore::open`] does; saves wait at most `timeout` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_within(path: &Path, timeout: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, timeout).map(Self)
    }

    /// Opens the file at `path` for reading; `None` if it is missing. Waits at most `timeout`, and only for the end
    /// of another process's save.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened or belongs to another program.
    pub fn open_to_read(path: &Path, timeout: Duration) -> Result<Option<Self>, StoreError> {
        Ok(open_to_list(path, &KIND, timeout)?.map(Self))
    }

    /// Sets the time that later operations wait for another process.
    ///
    /// # Errors
    /// [`StoreError`] if SQLite refuses.
    pub fn wait_at_most(&self, timeout: Duration) -> Result<(), StoreError> {
        self.0.wait_at_most(timeout)
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Path of the rollouts file in the same folder.
    pub fn rollouts(&self) -> Option<PathBuf> {
        Some(self.0.path().parent()?.join(super::user_folders::ROLLOUTS))
    }

    fn damaged<T>(&self) -> Lookup<T> {
        let path = self.0.path().display();
        Lookup::Damaged(format!("{path}: the review kept there is damaged"))
    }

    /// Reads the document in a column of the review with this key.
    fn document<T: DeserializeOwned>(
        &self,
        key: &str,
        column: &str,
    ) -> Result<Lookup<T>, StoreError> {
        let unpacked =
            |packed: Vec<u8>| unpack(&packed).map_or_else(|| self.damaged(), Lookup::Kept);
        Ok(self.packed(key, column)?.and_then(unpacked))
    }

    /// Returns the packed bytes of that document, if undamaged.
    fn packed(&self, key: &str, column: &str) -> Result<Lookup<Vec<u8>>, StoreError> {
        let question = format!("SELECT {HEAD}, {column}, {column}_sum FROM reviews WHERE {BY_KEY}");
        let found = self.0.read_row(|connection| {
            let row = |row: &Row<'_>| {
                // A review with a damaged head is not listed and must be repeated, too.
                let head = Head::whole(row, Some(key));
                let packed: Option<Option<Vec<u8>>> = field(row, 9);
                let sum: Option<i64> = field(row, 10);
                Ok((head.and(packed), sum))
            };
            connection.query_row(&question, [key], row).optional()
        })?;
        Ok(found.and_then(|(packed, sum)| match packed {
            Some(None) => Lookup::Nothing,
            Some(Some(packed)) if sum == Some(packed_sum(column, key, &packed)) => {
                Lookup::Kept(packed)
            }
            _ => self.damaged(),
        }))
    }

    /// Returns the review with this `id`, if stored.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, id: &ReviewId) -> Result<Lookup<Report>, StoreError> {
        self.report(&id.0)
    }

    /// Returns the review with this key.
    fn report(&self, key: &str) -> Result<Lookup<Report>, StoreError> {
        let kept = self.document(key, "report")?;
        Ok(kept.and_then(|report: Report| Lookup::Kept(report.restored())))
    }

    /// Returns whether the review with this `id` is stored and undamaged.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn contains(&self, id: &ReviewId) -> Result<bool, StoreError> {
        Ok(matches!(self.packed(&id.0, "report")?, Lookup::Kept(_)))
    }

    /// Returns the analysed turns of that review's match, if stored.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find_turns(&self, id: &ReviewId) -> Result<Lookup<KeptTurns>, StoreError> {
        self.document(&id.0, "turns")
    }

    /// Returns the figures of the review with this `id`, without its games.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find_short(&self, id: &ReviewId) -> Result<Lookup<Report>, StoreError> {
        let question = format!("SELECT {HEAD} FROM reviews WHERE {BY_KEY}");
        let found = self.0.read_row(|connection| {
            let row = |row: &Row<'_>| Ok(Head::whole(row, Some(&id.0)));
            connection.query_row(&question, [&id.0], row).optional()
        })?;
        Ok(found.and_then(|head| {
            let short = head.and_then(|head| serde_json::from_str(&head.short).ok());
            short.map_or_else(|| self.damaged(), Lookup::Kept)
        }))
    }

    /// Stores a review, with or without its turns. Matches are ordered by `played`, a date as `2026-11-20`. An
    /// undamaged existing review stays and gets the turns.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; the old content is then unchanged.
    pub fn save(
        &mut self,
        key: &ReviewKey,
        played: &str,
        report: &Report,
        turns: Option<&KeptTurns>,
    ) -> Result<(), StoreError> {
        let short = serde_json::to_string(&short(report)).map_err(|e| self.0.wrong(e))?;
        let pack = |packed: std::io::Result<Vec<u8>>| packed.map_err(|e| self.0.wrong(e));
        let packed = pack(pack_up(report))?;
        let turns = turns.map(|turns| pack(pack_up(turns))).transpose()?;
        let rolled = report.rollouts.map_or(0, |r| r.decisions) as i64;
        let ply = i64::from(key.ply);
        self.0.change(|change| {
            let Some(id) = there(change, &key.id)? else {
                let row = params![
                    key.id.0,
                    key.record,
                    ply,
                    played,
                    short,
                    packed,
                    rolled,
                    turns,
                    RESULTS_DIGEST
                ];
                let sql = "INSERT INTO reviews
                    (key, match, ply, played, short, report, rolled, turns, results)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
                change.execute(sql, row)?;
                return seal(change, change.last_insert_rowid());
            };
            if let Some(turns) = &turns {
                let sum = packed_sum("turns", &key.id.0, turns);
                let sql = "UPDATE reviews SET turns = ?2, turns_sum = ?3 WHERE id = ?1";
                change.execute(sql, params![id, turns, sum])?;
            }
            Ok(())
        })
    }

    /// Calls `each` with the date and figures (without games) of every match, in the order in which the reviews were
    /// stored. Of several reviews of a match the deepest is used, preferably one of this version of the program.
    /// Damage is reported to `tell` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read; otherwise the error of `each`.
    pub fn each<E: From<StoreError>>(
        &self,
        tell: &mut dyn FnMut(String),
        each: impl FnMut(&str, Report) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_counted(tell, &|_| false, each)
    }

    /// Lists every match as [`Self::each`] does. Matches that are `wanted` have their cube errors; if these were not
    /// stored, the games are read to count them, which takes time.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read; otherwise the error of `each`.
    pub fn each_counted<E: From<StoreError>>(
        &self,
        tell: &mut dyn FnMut(String),
        wanted: &dyn Fn(&Report) -> bool,
        mut each: impl FnMut(&str, Report) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut best: HashMap<String, Rank> = HashMap::new();
        let mut bad = 0;
        for id in self.0.ids("reviews")? {
            match self.head(id)? {
                HeadRow::Whole(head) => {
                    let rank = Rank {
                        is_own: head.results == RESULTS_DIGEST,
                        ply: head.ply,
                        rolled: head.rolled,
                        id: head.id,
                        played: head.played,
                    };
                    let there = best.entry(head.record).or_insert_with(|| rank.clone());
                    if *there < rank {
                        *there = rank;
                    }
                }
                HeadRow::Damaged => bad += 1,
                HeadRow::Aside => {}
            }
        }
        if bad > 0 {
            tell(damaged(self.0.path(), bad, ["review", "reviews"]));
        }
        let chosen = best.into_values().map(|best| (best.id, best.played));
        let mut chosen: Vec<(i64, String)> = chosen.collect();
        chosen.sort();
        for (id, played) in chosen {
            let short = match self.head(id)? {
                HeadRow::Whole(head) => self.listed(&head, &mut *tell, wanted)?,
                HeadRow::Damaged | HeadRow::Aside => None,
            };
            match short {
                Some(short) => each(&played, short)?,
                None => tell(format!(
                    "{}: review {id} is damaged",
                    self.0.path().display()
                )),
            }
        }
        Ok(())
    }

    /// Returns the figures of a match, if readable, with its cube errors if `wanted`.
    fn listed(
        &self,
        head: &Head,
        tell: &mut dyn FnMut(String),
        wanted: &dyn Fn(&Report) -> bool,
    ) -> Result<Option<Report>, StoreError> {
        let Ok(mut short) = serde_json::from_str::<Report>(&head.short) else {
            return Ok(None);
        };
        let is_counted = short.players.iter().all(|one| one.cube_errors.is_some());
        if !is_counted && wanted(&short) {
            let whole = self.report(&head.key)?.sound(tell);
            for (player, whole) in short
                .players
                .iter_mut()
                .zip(whole.iter().flat_map(|w| &w.players))
            {
                player.cube_errors.clone_from(&whole.cube_errors);
            }
        }
        Ok(Some(short))
    }

    /// Returns the head of a row by its ID.
    fn head(&self, id: i64) -> Result<HeadRow, StoreError> {
        let question = format!("SELECT {HEAD} FROM reviews WHERE id = ?1");
        let found = self.0.read_row(|connection| {
            let row = |row: &Row<'_>| {
                let key: Option<String> = field(row, 1);
                let is_aside = key.is_some_and(|key| key.starts_with(ASIDE));
                Ok(match Head::whole(row, None) {
                    Some(head) => HeadRow::Whole(head),
                    None if is_aside => HeadRow::Aside,
                    None => HeadRow::Damaged,
                })
            };
            let mut question = connection.prepare_cached(&question)?;
            question.query_row([id], row).optional()
        })?;
        Ok(match found {
            Lookup::Kept(head) => head,
            Lookup::Nothing | Lookup::Damaged(_) => HeadRow::Damaged,
        })
    }
}

/// Returns the row of this review if its report is undamaged. A damaged row is set aside under a key that no lookup
/// uses.
fn there(change: &Transaction<'_>, id: &ReviewId) -> rusqlite::Result<Option<i64>> {
    let question = format!("SELECT {HEAD}, report, report_sum FROM reviews WHERE {BY_KEY}");
    let row = |row: &Row<'_>| {
        let head = Head::whole(row, Some(&id.0));
        let (report, sum): (Option<Vec<u8>>, Option<i64>) = (field(row, 9), field(row, 10));
        let sound = report.is_some_and(|packed| {
            sum == Some(packed_sum("report", &id.0, &packed)) && unpack::<Report>(&packed).is_some()
        });
        Ok((row.get(0)?, head.is_some() && sound))
    };
    let there: Option<(i64, bool)> = change.query_row(&question, [&id.0], row).optional()?;
    match there {
        Some((row, true)) => Ok(Some(row)),
        Some((row, false)) => {
            let sql = "UPDATE reviews SET key = ?2 || id || ' ' || key WHERE id = ?1";
            change.execute(sql, params![row, ASIDE])?;
            Ok(None)
        }
        None => Ok(None),
    }
}

fn unpack<T: DeserializeOwned>(packed: &[u8]) -> Option<T> {
    let mut bytes = Vec::new();
    let mut unpacker = DeflateDecoder::new(packed).take(LARGEST);
    unpacker.read_to_end(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

fn pack_up(document: &impl Serialize) -> std::io::Result<Vec<u8>> {
    let text = serde_json::to_vec(document)?;
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(&text)?;
    packer.finish()
}

/// Returns the figures of a match without its games.
pub fn short(report: &Report) -> Report {
    Report {
        file: report.file.clone(),
        format: report.format.clone(),
        date: report.date.clone(),
        event: report.event.clone(),
        engine: report.engine.clone(),
        table: report.table.clone(),
        players: report.players.clone(),
        games: Vec::new(),
        warnings: Vec::new(),
        ..*report
    }
}

#[cfg(test)]
mod tests;
