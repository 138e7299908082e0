//! Stores games played by a person, in the file of rollouts.
//!
//! A person's play does not follow from the seed, so games of several sittings are added, never replaced; each is a
//! row. Before a game its number, which decides its dice, is reserved: the smallest number without a finished or
//! running game. Two simultaneous sittings thus have different dice, and an unfinished game is offered again, with
//! the same dice, to the next player.

use rusqlite::{Transaction, params};

use super::clock;
use super::games::{insert, whole};
use super::rows::damaged;
use super::{HandKey, RolloutLabel, RolloutStore, StoreError, process};
use crate::rollout::TrialRecord;
use crate::words::counted;

/// Seconds until the number of an unfinished game is free again.
const UNPLAYED_EXPIRES: i64 = 24 * 3600;

impl RolloutStore {
    /// Reserves the number of the next game for this process.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn begin_game(&mut self, key: &HandKey) -> Result<u64, StoreError> {
        let sitting = process::own();
        let mut taken = 0;
        self.database.change(|change| {
            free(change, &key.0, &sitting)?;
            taken = next(change, &key.0)?;
            let sql = "INSERT INTO begun (key, trial, sitting, since) VALUES (?1, ?2, ?3, ?4)";
            let row = params![key.0, taken, sitting, clock::seconds()];
            change.execute(sql, row).map(drop)
        })?;
        u64::try_from(taken).map_err(|e| self.database.wrong(e))
    }

    /// Releases the number that this process reserved.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be written.
    pub fn leave_game(&mut self, key: &HandKey) -> Result<(), StoreError> {
        let sql = "DELETE FROM begun WHERE key = ?1 AND sitting = ?2";
        self.database
            .change(|change| change.execute(sql, [&key.0, &process::own()]).map(drop))
    }

    /// Stores finished games.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be written; none is stored then.
    pub fn keep_games(
        &mut self,
        key: &HandKey,
        shown: &RolloutLabel,
        games: &[TrialRecord],
    ) -> Result<(), StoreError> {
        let shown = serde_json::to_string(shown).map_err(|e| self.database.wrong(e))?;
        self.database.change(|change| {
            for game in games {
                insert(change, &key.0, &shown, game)?;
                let sql = "DELETE FROM begun WHERE key = ?1 AND trial = ?2 AND sitting = ?3";
                let trial = i64::try_from(game.trial).unwrap_or(i64::MAX);
                change.execute(sql, params![key.0, trial, process::own()])?;
            }
            Ok(())
        })
    }

    /// Returns all stored games by number. Damaged games are passed to `report` and skipped.
    ///
    /// # Errors
    /// [`StoreError`] if they cannot be read.
    pub fn games(
        &self,
        key: &HandKey,
        report: &mut dyn FnMut(String),
    ) -> Result<Vec<TrialRecord>, StoreError> {
        let question = "SELECT id, trial, played, shown, data, sum FROM games WHERE key = ?1
                        ORDER BY trial, id";
        let found = self.database.read_row(|connection| {
            let rows = connection
                .prepare(question)?
                .query_map([&key.0], |row| Ok(whole(row, &key.0)))?
                .collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(Some(rows))
        })?;
        let rows = found.sound(&mut *report).unwrap_or_default();
        let all = rows.len();
        let sound: Vec<TrialRecord> = rows.into_iter().flatten().collect();
        if sound.len() < all {
            let of_all = format!("of {}", counted(all, "game"));
            report(damaged(self.path(), all - sound.len(), [&of_all; 2]));
        }
        Ok(sound)
    }
}

/// Releases numbers whose game is no longer played.
fn free(change: &Transaction<'_>, key: &str, own: &str) -> rusqlite::Result<()> {
    let begun: Vec<(i64, String, i64)> = change
        .prepare("SELECT trial, sitting, since FROM begun WHERE key = ?1")?
        .query_map([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (trial, sitting, since) in begun {
        let forgotten = (clock::seconds() - since).abs() > UNPLAYED_EXPIRES;
        if sitting == own || forgotten || process::is_gone(&sitting) {
            let sql = "DELETE FROM begun WHERE key = ?1 AND trial = ?2";
            change.execute(sql, params![key, trial])?;
        }
    }
    Ok(())
}

/// Returns the smallest number without a finished or running game.
fn next(change: &Transaction<'_>, key: &str) -> rusqlite::Result<i64> {
    let taken = "SELECT trial FROM games WHERE key = ?1
                 UNION SELECT trial FROM begun WHERE key = ?1 ORDER BY trial";
    let mut query = change.prepare(taken)?;
    let mut rows = query.query([key])?;
    let mut next = 0;
    while let Some(row) = rows.next()? {
        if row.get::<_, i64>(0)? != next {
            break;
        }
        next += 1;
    }
    Ok(next)
}

#[cfg(test)]
mod tests;
