//! The table of files: the matches of each file and its state.

use rusqlite::{Connection, OptionalExtension as _, Row, Transaction, params};

use super::super::checksum::{RowChecksum, field};
use super::super::file;
use super::entry::{FileState, LibraryFile};
use super::path_text::{path_text, text_path};

pub(super) const FILE: &str = "path, hash, state, matches, reason, sum";

pub(super) fn file_of(row: &Row<'_>) -> Option<LibraryFile> {
    let (path, hash): (String, String) = (field(row, 0)?, field(row, 1)?);
    let (state, sum): (i64, i64) = (field(row, 2)?, field(row, 5)?);
    let (matches, reason): (String, String) = (field(row, 3)?, field(row, 4)?);
    (file_sum(&path, &hash, state, &matches, &reason) == sum).then_some(())?;
    // The first line is the reason why the file could not be read.
    let (why, removed) = match state {
        1 => reason.split_once('\n').unwrap_or((&reason, "")),
        _ => ("", &*reason),
    };
    let removed = removed.split_whitespace().map(str::to_owned).collect();
    let state = match state {
        0 => FileState::Read(serde_json::from_str(&matches).ok()?),
        1 => FileState::Failed {
            why: why.to_owned(),
            matches: serde_json::from_str(&matches).ok()?,
        },
        _ => FileState::Removed,
    };
    Some(LibraryFile {
        path: text_path(&path),
        hash,
        state,
        removed,
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

/// Returns all files with undamaged rows.
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
    removed: &[String],
) -> rusqlite::Result<()> {
    let (number, reason) = match state {
        FileState::Read(_) => (0, removed.join(" ")),
        FileState::Failed { why, .. } if removed.is_empty() => (1, why.clone()),
        FileState::Failed { why, .. } => (1, format!("{why}\n{}", removed.join(" "))),
        FileState::Removed => (2, removed.join(" ")),
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

/// Moves a file before the other files of these matches: it exchanges IDs with the first of them.
pub(super) fn put_first(
    change: &Transaction<'_>,
    path: &str,
    matches: &[i64],
) -> rusqlite::Result<()> {
    if matches.is_empty() {
        return Ok(());
    }
    let own = "SELECT id, (SELECT max(id) + 1 FROM files) FROM files WHERE path = ?1";
    let (own, free) = change.query_row(own, [path], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?))
    })?;
    let before = format!("SELECT {FILE}, id FROM files WHERE id < ?1 ORDER BY id");
    let mut before = change.prepare(&before)?;
    let rows = before.query_map([own], |row| Ok((file_of(row), row.get::<_, i64>(6)?)))?;
    let has_one = |file: &LibraryFile| file.state.matches().iter().any(|id| matches.contains(id));
    for row in rows {
        let (file, first) = row?;
        if file.as_ref().is_some_and(has_one) {
            for (from, to) in [(first, free), (own, first), (free, own)] {
                change.execute("UPDATE files SET id = ?2 WHERE id = ?1", [from, to])?;
            }
            break;
        }
    }
    Ok(())
}

/// Returns the beginnings of removed matches.
pub(super) fn removed(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let question = format!("SELECT {FILE} FROM files WHERE reason <> ''");
    let mut question = connection.prepare_cached(&question)?;
    let files = question.query_map([], |row| Ok(file_of(row)))?;
    let files: Vec<Option<LibraryFile>> = files.collect::<rusqlite::Result<_>>()?;
    let files = files.into_iter().flatten();
    Ok(files.flat_map(|file| file.removed).collect())
}

/// Deletes files with the same bytes whose paths no longer exist. Returns one of them: the file was moved here from
/// its path.
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
            let old = path_text(&other.path);
            // The row moves too and keeps its place among the files of its matches; its content is rewritten.
            let renamed = "UPDATE OR IGNORE files SET path = ?2 WHERE path = ?1";
            change.execute(renamed, [&*old, path])?;
            change.execute("DELETE FROM files WHERE path = ?1", [&*old])?;
            moved = Some(other);
        }
    }
    Ok(moved)
}
