//! What a file of ours is: how it is marked, which tables it has, how an older one is brought up to date.

use rusqlite::Transaction;

/// What marks a file as one of ours, and what is in it.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// SQLite's application number.
    pub(super) application: i32,
    /// The version of the tables.
    pub(super) version: i32,
    /// How they are made.
    pub(super) schema: &'static str,
    /// What leads from each version to the next, the first one's first; a file of another version is
    /// refused.
    pub(super) upgrades: &'static [Step],
    /// The tables whose rows are saved from a damaged file.
    pub(super) tables: &'static [Table],
}

/// What leads from a version to the next.
pub(super) enum Step {
    /// Statements.
    Sql(&'static str),
    /// More than that.
    Code(fn(&Transaction<'_>) -> rusqlite::Result<()>),
}

/// A table, by how its rows are gone through one by one.
#[derive(Clone, Copy)]
pub(super) enum Table {
    /// Those with this name by `id`.
    Rows(&'static str),
    /// By two numbers.
    Pairs(&'static str, [&'static str; 2]),
}

impl Table {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Rows(name) | Self::Pairs(name, _) => name,
        }
    }
}
