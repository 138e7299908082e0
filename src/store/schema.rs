//! Compares the tables that a file declares with those of its kind.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::kind::Kind;
use crate::locks::lock;

/// Returns whether SQLite finds the file sound and its tables are those of its kind.
pub(super) fn is_sound(connection: &Connection, kind: &Kind) -> bool {
    let check = "PRAGMA integrity_check(1)";
    let said = connection.query_row(check, [], |row| row.get::<_, String>(0));
    said.is_ok_and(|said| said == "ok") && is_of(connection, kind)
}

/// Returns whether the file declares the tables of its kind as this version creates them.
pub(super) fn is_of(connection: &Connection, kind: &Kind) -> bool {
    has_tables(connection, kind).is_ok_and(|has| has)
}

fn has_tables(connection: &Connection, kind: &Kind) -> rusqlite::Result<bool> {
    for own in declarations(kind)?.iter() {
        if *own != Declaration::of(connection, &own.table)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A table declaration.
#[derive(PartialEq)]
struct Declaration {
    table: String,
    columns: Vec<Column>,
    references: Vec<String>,
}

/// Name, type, whether it is NOT NULL, and its position in the primary key.
type Column = (String, String, bool, i64);

impl Declaration {
    fn of(connection: &Connection, table: &str) -> rusqlite::Result<Self> {
        Ok(Self {
            table: table.to_owned(),
            columns: columns(connection, table)?,
            references: references(connection, table)?,
        })
    }
}

/// Returns the declarations of this version for a kind. Cached, because stores are opened often.
fn declarations(kind: &Kind) -> rusqlite::Result<Arc<Vec<Declaration>>> {
    static MADE: Mutex<BTreeMap<&'static str, Arc<Vec<Declaration>>>> = Mutex::new(BTreeMap::new());
    if let Some(made) = lock(&MADE).get(kind.schema) {
        return Ok(Arc::clone(made));
    }
    let ours = made_in_memory(kind)?;
    let all = tables(&ours)?.into_iter();
    let all = all.map(|table| Declaration::of(&ours, &table));
    let made = Arc::new(all.collect::<rusqlite::Result<_>>()?);
    lock(&MADE).insert(kind.schema, Arc::clone(&made));
    Ok(made)
}

fn made_in_memory(kind: &Kind) -> rusqlite::Result<Connection> {
    let ours = Connection::open_in_memory()?;
    ours.execute_batch(kind.schema)?;
    Ok(ours)
}

fn tables(of: &Connection) -> rusqlite::Result<Vec<String>> {
    of.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")?
        .query_map([], |row| row.get(0))?
        .collect()
}

/// Returns the columns of other tables to which a table refers.
fn references(of: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let question =
        "SELECT \"table\" || '.' || coalesce(\"to\", '') FROM pragma_foreign_key_list(?1)
                    ORDER BY id, seq";
    of.prepare(question)?
        .query_map([table], |row| row.get(0))?
        .collect()
}

/// Returns the columns of a table as declared, by name.
fn columns(of: &Connection, table: &str) -> rusqlite::Result<Vec<Column>> {
    let question = "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?1) ORDER BY name";
    of.prepare(question)?
        .query_map([table], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?
        .collect()
}

/// A table or index as a file declares it.
struct Entry {
    name: String,
    sql: String,
    /// Its root page.
    root: i64,
}

impl Entry {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        // A damaged field may be no text or not UTF-8.
        let text = |place| {
            Ok::<_, rusqlite::Error>(match row.get_ref(place)? {
                ValueRef::Text(text) | ValueRef::Blob(text) => {
                    String::from_utf8_lossy(text).into_owned()
                }
                _ => String::new(),
            })
        };
        Ok(Self {
            name: text(0)?,
            sql: text(1)?,
            root: row.get(2).unwrap_or(0),
        })
    }

    /// Returns all readable declarations of a file.
    fn all(of: &Connection) -> rusqlite::Result<Vec<Self>> {
        let mut all = of.prepare("SELECT name, sql, rootpage FROM sqlite_master")?;
        let found = all.query_map([], Self::of)?;
        Ok(found.map_while(Result::ok).collect())
    }

    /// Returns whether it may be `other`, even if its name or declaration is damaged.
    fn may_be(&self, other: &Self) -> bool {
        self.name == other.name || (!self.sql.is_empty() && self.sql == other.sql)
    }
}

/// Returns the root pages of a file's tables by name, as far as known; its declarations may be damaged.
pub(super) fn roots(of: &Connection, kind: &Kind) -> Vec<(String, i64)> {
    let found = allow_damage(of).and_then(|()| Entry::all(of));
    let ours = made_in_memory(kind).and_then(|ours| Entry::all(&ours));
    let (Ok(found), Ok(ours)) = (found, ours) else {
        return Vec::new();
    };
    let root = |own: &Entry| {
        let found = found.iter().find(|one| one.may_be(own) && one.root > 0);
        found.map(|found| (own.name.clone(), found.root))
    };
    ours.iter().filter_map(root).collect()
}

/// Sets the root pages of these tables.
pub(super) fn set_roots(of: &Connection, roots: &[(String, i64)]) -> rusqlite::Result<()> {
    allow_damage(of)?;
    let mut set = of.prepare("UPDATE sqlite_master SET rootpage = ?2 WHERE name = ?1")?;
    roots
        .iter()
        .try_for_each(|(name, root)| set.execute((name, root)).map(drop))
}

/// Allows reading and writing of declarations that SQLite cannot parse.
fn allow_damage(of: &Connection) -> rusqlite::Result<()> {
    of.query_row("PRAGMA writable_schema = ON", [], |_| Ok(()))
        .optional()
        .map(drop)
}
