//! Rows of games by hand: written, read, and taken over from older files.

use rusqlite::{Row, Transaction, params};

use super::HandKey;
use super::checksum::{RowChecksum, field};
use super::clock;
use super::rows::records;
use crate::rollout::by_hand::Hands;
use crate::rollout::{Identity, TrialRecord};

fn sum(key: &str, trial: i64, played: i64, shown: &str, data: &[u8]) -> i64 {
    let head = RowChecksum::of("games")
        .text(key)
        .number(trial)
        .number(played);
    head.text(shown).bytes(data).sum()
}

/// The game of a row whose checksum fits.
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

/// Takes over the games of files in which they were the trials of rollouts.
pub(super) fn adopt(change: &Transaction<'_>) -> rusqlite::Result<()> {
    let rows: Vec<(i64, String, String, String)> = change
        .prepare("SELECT id, key, shown, progress FROM rollouts WHERE key LIKE '% by hand (%'")?
        .query_map([], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?
        .collect::<rusqlite::Result<_>>()?;
    for (id, old, shown, progress) in rows {
        let all = [Hands::Own, Hands::Other, Hands::Both];
        let hands = all
            .into_iter()
            .zip(["(Own)\"", "(Other)\"", "(Both)\""])
            .find(|(_, name)| old.contains(&format!(" by hand {name}")));
        let (Some((hands, _)), Some(identity)) = (hands, Identity::read(&progress)) else {
            continue;
        };
        let key = HandKey::new(identity, hands);
        let data: Vec<Vec<u8>> = change
            .prepare("SELECT data FROM trials WHERE rollout = ?1 ORDER BY first")?
            .query_map([id], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for game in data.iter().filter_map(|data| records(data)).flatten() {
            insert(change, &key.0, &shown, &game)?;
        }
    }
    Ok(())
}
