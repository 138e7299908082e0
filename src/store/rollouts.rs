//! Rollouts that last: a SQLite file.
//!
//! A rollout is found by what it is: evaluator, settings (when to stop aside) and positions. Kept
//! are all its sums, so that going on is as if it had never stopped; of a shard every trial as
//! well, so that shards can be counted together in order.
//!
//! A save is one transaction: a process that is killed loses what came after its last save, never
//! the file. Two processes may work on one file, even on one rollout: what trial *i* gives depends
//! on the seed and *i* alone, so whoever has more trials has the same as the other and more, and a
//! save that knows less than what is there changes nothing.
//!
//! The journal is rolled back at the next opening and gone afterwards, so that what is at rest is
//! one file that can be copied.

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{OptionalExtension as _, Transaction, params};
use serde::{Deserialize, Serialize};

use super::StoreError;
use super::database::{Database, Kind};
use crate::game::{GameState, Position};
use crate::notation::xgid_text;
use crate::rollout::{Progress, RECORD_BYTES, Settings, StopRules, TrialRecord};

/// "LUCK" marks the file as ours.
const KIND: Kind = Kind {
    application: 0x4c55_434b,
    version: 1,
    schema: SCHEMA,
    upgrades: &[],
};
/// Changes whenever what is counted of a rollout does: older progress then is not found.
const COUNTED: u32 = 3;
/// Most records in a row of the table of trials.
const CHUNK: usize = 4096;

const SCHEMA: &str = "
CREATE TABLE rollouts (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  shown TEXT NOT NULL,
  created INTEGER NOT NULL,
  updated INTEGER NOT NULL,
  trials INTEGER NOT NULL,
  progress TEXT NOT NULL
);
CREATE TABLE trials (
  rollout INTEGER NOT NULL REFERENCES rollouts(id),
  first INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (rollout, first)
) WITHOUT ROWID;
";

/// How a rollout is shown: what only its command knows.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Shown {
    /// The command that made it.
    pub command: String,
    /// The position as it was given.
    pub position: String,
    /// The roll.
    pub dice: Option<String>,
    /// The plays, in the order of the strands; `None` for the position itself.
    pub plays: Vec<Option<String>>,
}

impl Shown {
    /// A rollout of plays of a state, shown as `luckless rollout` shows its own.
    #[must_use]
    pub fn of(state: &GameState, plays: Vec<Option<String>>) -> Self {
        Self {
            command: "rollout".into(),
            position: xgid_text(state),
            dice: state.roll.map(|roll| roll.to_string()),
            plays,
        }
    }
}

/// A rollout that was found.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its number in the file.
    pub id: i64,
    /// How it is shown.
    pub shown: Shown,
    /// All its sums.
    pub progress: Progress,
}

/// An open file of rollouts.
#[derive(Debug)]
pub struct RolloutStore(Database);

/// What a rollout is found by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RolloutKey(String);

impl RolloutKey {
    /// The key of a rollout of `candidates` by these evaluators. The settings have their luck
    /// named ([`Settings::resolved`]).
    ///
    /// # Panics
    /// Never: all of it can be told in JSON.
    #[must_use]
    pub fn new(evaluator: &str, settings: &Settings, candidates: &[Position]) -> Self {
        let settings = Settings {
            stop: StopRules::default(),
            ..settings.clone()
        };
        let board = |p: &Position| -> String {
            let side = |s: &crate::game::Side| -> String {
                (1..26).map(|i| format!("{:x}", s.at(i))).collect()
            };
            format!("{}/{}", side(&p.mover), side(&p.opponent))
        };
        let boards: Vec<String> = candidates.iter().map(board).collect();
        let key = serde_json::json!({
            "evaluator": evaluator,
            "settings": settings,
            "positions": boards,
            "counted": COUNTED,
        });
        Self(key.to_string())
    }
}

impl RolloutStore {
    /// Opens the file at `path`, making it and its folder if they are not there.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Database::open(path, &KIND).map(Self)
    }

    /// As [`RolloutStore::open`]; no save waits longer than `patience` for another process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_within(path: &Path, patience: Duration) -> Result<Self, StoreError> {
        Database::open_within(path, &KIND, patience).map(Self)
    }

    /// Opens the file at `path` for reading; none if there is no file. Another process that writes to it
    /// is waited for no longer than `patience`, and only while it ends its save.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be opened, or is something else.
    pub fn open_to_read(path: &Path, patience: Duration) -> Result<Option<Self>, StoreError> {
        Ok(Database::open_to_read(path, &KIND, patience)?.map(Self))
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The rollout with this key, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read.
    pub fn find(&self, key: &RolloutKey) -> Result<Option<Kept>, StoreError> {
        let found = self.0.read(|connection| {
            connection
                .query_row(
                    "SELECT id, shown, progress FROM rollouts WHERE key = ?1",
                    [&key.0],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
                )
                .optional()
        })?;
        found.map(|row| self.kept(row)).transpose()
    }

    /// All rollouts in it, the oldest first.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn all(&self) -> Result<Vec<Kept>, StoreError> {
        let rows: Vec<(i64, String, String)> = self.0.read(|connection| {
            connection
                .prepare("SELECT id, shown, progress FROM rollouts ORDER BY id")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect()
        })?;
        rows.into_iter().map(|row| self.kept(row)).collect()
    }

    fn kept(&self, (id, shown, progress): (i64, String, String)) -> Result<Kept, StoreError> {
        let wrong = |e: serde_json::Error| self.0.wrong(format!("rollout {id}: {e}"));
        Ok(Kept {
            id,
            shown: serde_json::from_str(&shown).map_err(wrong)?,
            progress: serde_json::from_str(&progress).map_err(wrong)?,
        })
    }

    /// Keeps `progress`, unless there are more trials there already. `records` are the trials that
    /// lead up to it, in order, if each is to be kept; those that are there already are left out.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written; what was there then is still there.
    pub fn save(
        &mut self,
        key: &RolloutKey,
        shown: &Shown,
        progress: &Progress,
        records: &[TrialRecord],
    ) -> Result<(), StoreError> {
        let told = |e: serde_json::Error| self.0.wrong(e);
        let text = serde_json::to_string(progress).map_err(told)?;
        let shown = serde_json::to_string(shown).map_err(told)?;
        let strands = progress.candidates.len();
        self.0.change(|change| {
            let texts = [&key.0, &shown, &text].map(String::as_str);
            write(change, texts, progress.trials(), records, strands)
        })
    }

    /// The trials of rollout `id` from its next row on: those after trial `after`, or the first.
    /// Empty at the end.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn trials(&self, id: i64, after: Option<u64>) -> Result<Vec<TrialRecord>, StoreError> {
        let after = after.map_or(-1, |a| i64::try_from(a).unwrap_or(i64::MAX));
        let data: Option<Vec<u8>> = self.0.read(|connection| {
            connection
                .query_row(
                    "SELECT data FROM trials WHERE rollout = ?1 AND first > ?2
                     ORDER BY first LIMIT 1",
                    params![id, after],
                    |row| row.get(0),
                )
                .optional()
        })?;
        let data = data.unwrap_or_default();
        let mut rest = &data[..];
        let mut records = Vec::with_capacity(data.len() / RECORD_BYTES);
        while !rest.is_empty() {
            let Some((record, after)) = TrialRecord::read(rest) else {
                let damaged = format!("rollout {id}: its trials are damaged");
                return Err(self.0.wrong(damaged));
            };
            records.push(record);
            rest = after;
        }
        Ok(records)
    }
}

fn write(
    change: &Transaction<'_>,
    [key, shown, text]: [&str; 3],
    trials: u64,
    records: &[TrialRecord],
    strands: usize,
) -> rusqlite::Result<()> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_secs() as i64);
    let trials = i64::try_from(trials).unwrap_or(i64::MAX);
    let there: Option<(i64, i64)> = change
        .query_row(
            "SELECT id, trials FROM rollouts WHERE key = ?1",
            [key],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let (id, before) = match there {
        // Nothing new; at the same number of trials the stop rules may have changed.
        Some((_, before)) if before > trials => return Ok(()),
        Some((id, before)) => {
            change.execute(
                "UPDATE rollouts SET shown = ?2, updated = ?3, trials = ?4, progress = ?5
                 WHERE id = ?1",
                params![id, shown, now, trials, text],
            )?;
            (id, before)
        }
        None => {
            change.execute(
                "INSERT INTO rollouts (key, shown, created, updated, trials, progress)
                 VALUES (?1, ?2, ?3, ?3, ?4, ?5)",
                params![key, shown, now, trials, text],
            )?;
            (change.last_insert_rowid(), 0)
        }
    };
    let new = usize::try_from(trials - before).unwrap_or(0) * strands;
    let new = &records[records.len() - new.min(records.len())..];
    for chunk in new.chunks(CHUNK - CHUNK % strands.max(1)) {
        let mut data = Vec::with_capacity(chunk.len() * RECORD_BYTES);
        chunk.iter().for_each(|r| r.write(&mut data));
        let first = i64::try_from(chunk[0].trial).unwrap_or(i64::MAX);
        change.execute(
            "INSERT OR REPLACE INTO trials (rollout, first, data) VALUES (?1, ?2, ?3)",
            params![id, first, data],
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::rollout::{Rollout, Setup, Shard};
    use rusqlite::Connection;
    use std::sync::Arc;

    fn start() -> Vec<Position> {
        vec![Position::from_points(&[(6, 3), (4, 2)], &[(5, 3), (3, 1)]).unwrap()]
    }

    fn rolled(
        trials: u64,
        shard: Option<Shard>,
        from: Option<Progress>,
    ) -> (Progress, Vec<TrialRecord>) {
        let mut setup =
            Setup::from(Arc::new(Engine::embedded()) as Arc<dyn crate::eval::Evaluator>);
        setup.keep_trials = true;
        let mut settings = Settings {
            shard,
            stop_at_known: false,
            ..Settings::default()
        };
        settings.stop.trials = trials;
        let mut handle = match from {
            Some(mut progress) => {
                progress.settings.stop.trials = trials;
                Rollout::resume(setup, progress, 1, None).unwrap()
            }
            None => Rollout::start(setup, start(), settings, 1, None).unwrap(),
        };
        handle.wait();
        handle.harvest()
    }

    fn key(progress: &Progress) -> RolloutKey {
        RolloutKey::new(
            &progress.evaluator,
            &progress.settings,
            &progress.candidates,
        )
    }

    #[test]
    fn what_is_kept_is_found_and_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/rollouts.sqlite");
        let shown = Shown {
            command: "rollout".into(),
            ..Shown::default()
        };
        let (few, records) = rolled(72, None, None);
        let mut store = RolloutStore::open(&path).unwrap();
        assert!(store.find(&key(&few)).unwrap().is_none());
        store.save(&key(&few), &shown, &few, &records).unwrap();
        let found = store.find(&key(&few)).unwrap().unwrap();
        assert_eq!((&found.progress, &found.shown), (&few, &shown));
        // Another process, which knows more; then one that knows less.
        let (many, more) = rolled(180, None, Some(few.clone()));
        assert_eq!(more.len(), 108);
        let mut other = RolloutStore::open(&path).unwrap();
        other.save(&key(&few), &shown, &many, &more).unwrap();
        store.save(&key(&few), &shown, &few, &records).unwrap();
        let found = store.find(&key(&many)).unwrap().unwrap();
        assert_eq!(found.progress, many);
        assert_eq!(store.all().unwrap().len(), 1);
        // All trials are there, once, in order.
        let (mut after, mut all) = (None, Vec::new());
        loop {
            let next = store.trials(found.id, after).unwrap();
            let Some(last) = next.last() else { break };
            after = Some(last.trial);
            all.extend(next);
        }
        assert_eq!(
            all.iter().map(|r| r.trial).collect::<Vec<_>>(),
            (0..180).collect::<Vec<_>>()
        );
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1
        );
    }

    #[test]
    fn overlapping_saves_keep_each_trial_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = RolloutStore::open(&folder.path().join("s")).unwrap();
        let shown = Shown::default();
        let shard = Some(Shard { index: 1, of: 3 });
        let (a, first) = rolled(360, shard, None);
        let (b, second) = rolled(720, shard, None);
        store.save(&key(&a), &shown, &a, &first).unwrap();
        // From the beginning: what is there already is left out.
        store.save(&key(&b), &shown, &b, &second).unwrap();
        let id = store.all().unwrap()[0].id;
        let one = store.trials(id, None).unwrap();
        let two = store.trials(id, one.last().map(|r| r.trial)).unwrap();
        assert_eq!([one, two].concat(), second);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        std::fs::write(
            &path,
            "something else, and long enough to be looked at ".repeat(99),
        )
        .unwrap();
        let error = RolloutStore::open(&path).unwrap_err().to_string();
        assert!(error.contains("not a store"), "{error}");
        let path = folder.path().join("y");
        let other = Connection::open(&path).unwrap();
        other.execute_batch("CREATE TABLE t (x)").unwrap();
        drop(other);
        let error = RolloutStore::open(&path).unwrap_err().to_string();
        assert!(error.contains("not a store"), "{error}");
        assert!(RolloutStore::open(folder.path()).is_err());
    }
}
