//! Reads and writes rows of games by hand.

use rusqlite::{Row, Transaction, params};

use super::checksum::{RowChecksum, field};
use super::clock;
use super::rows::records;
use crate::rollout::TrialRecord;

fn sum(key: &str, trial: i64, played: i64, shown: &str, data: &[u8]) -> i64 {
    let head = RowChecksum::of("games")
        .text(key)
        .number(trial)
        .number(played);
    head.text(shown).bytes(data).sum()
}

/// Returns the game of a row, if the checksum is right.
pub(super) fn whole(row: &Row<'_>, key: &str) -> Option<TrialRecord> {
    let (trial, played): (i64, i64) = (field(row, 1)?, field(row, 2)?);
    let (shown, data): (String, Vec<u8>) = (field(row, 3)?, field(row, 4)?);
    let own: i64 = field(row, 5)?;
    let fits = own == sum(key, trial, played, &shown, &data);
    let game = records(&data).filter(|_| fits)?;
    game.first().copied()
}

pub(super) fn insert(
    change: &Transaction<'_>,
    key: &str,
    shown: &str,
    game: &TrialRecord,
) -> rusqlite::Result<()> {
    let mut data = Vec::new();
    game.write(&mut data);
    let trial = i64::try_from(game.trial).unwrap_or(i64::MAX);
    let played = clock::seconds();
    let sum = sum(key, trial, played, shown, &data);
    change
        .execute(
            "INSERT INTO games (key, trial, played, shown, data, sum)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![key, trial, played, shown, data, sum],
        )
        .map(drop)
}
