//! The kinds of store files: their SQLite marks and their tables.

use std::path::Path;

/// A kind of store file.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Name of the file in the user's folder.
    pub(super) file: &'static str,
    /// SQLite's application ID.
    pub(super) application: i32,
    /// The version of the tables. A file of another version is refused.
    pub(super) version: i32,
    /// SQL that creates the tables.
    pub(super) schema: &'static str,
    /// Tables whose rows are recovered from a damaged file.
    pub(super) tables: &'static [Table],
}

/// A table, by the key that enumerates its rows during recovery.
#[derive(Clone, Copy)]
pub(super) enum Table {
    /// A table enumerated by `id`.
    Rows(&'static str),
    /// A table enumerated by two numbers.
    Pairs(&'static str, [&'static str; 2]),
    /// A table without numeric keys: read from both ends, as far as rows are readable.
    Ends(&'static str, [&'static str; 3]),
}

impl Kind {
    /// Returns whether the file name at this path is used only by this kind.
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
