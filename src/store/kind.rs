//! What a file of ours is: how it is marked, and which tables it has.

use std::path::Path;

/// What marks a file as one of ours, and what is in it.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// What a file of this kind is called in the user's folder.
    pub(super) file: &'static str,
    /// SQLite's application number.
    pub(super) application: i32,
    /// The version of the tables. A file of another version is refused.
    pub(super) version: i32,
    /// How the tables are made.
    pub(super) schema: &'static str,
    /// The tables whose rows are saved from a damaged file.
    pub(super) tables: &'static [Table],
}

/// A table, by how its rows are gone through one by one.
#[derive(Clone, Copy)]
pub(super) enum Table {
    /// The table of this name, by `id`.
    Rows(&'static str),
    /// The table of this name, by two numbers.
    Pairs(&'static str, [&'static str; 2]),
    /// The table of this name, by what is no number: from the beginning and from the end, as far as it can be
    /// read.
    Ends(&'static str, [&'static str; 3]),
}

impl Kind {
    /// Whether a file at this path can, by its name, be meant for nothing but this kind.
    pub(super) fn names(&self, path: &Path) -> bool {
        path.file_name().is_some_and(|name| name == self.file)
    }
}

impl Table {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Rows(name) | Self::Pairs(name, _) | Self::Ends(name, _) => name,
        }
    }
}
