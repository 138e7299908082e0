//! Checksums of rows, as in checkpoints. Rows with a wrong checksum are not used.

use rusqlite::Row;
use rusqlite::types::FromSql;

/// Key prefix of a damaged row that was set aside. No lookup uses such a key.
pub(super) const ASIDE: &str = "damaged ";

/// Checksum over the fields of a row, in order.
pub(super) struct RowChecksum(crc32fast::Hasher);

impl RowChecksum {
    /// Starts the checksum of a row of `table`.
    pub(super) fn of(table: &str) -> Self {
        Self(crc32fast::Hasher::new()).bytes(table.as_bytes())
    }

    pub(super) fn number(mut self, number: i64) -> Self {
        self.0.update(&number.to_le_bytes());
        self
    }

    pub(super) fn text(self, text: &str) -> Self {
        self.bytes(text.as_bytes())
    }

    pub(super) fn bytes(self, bytes: &[u8]) -> Self {
        // The length is included so that no two different rows give the same bytes.
        let mut own = self.number(bytes.len() as i64);
        own.0.update(bytes);
        own
    }

    pub(super) fn sum(self) -> i64 {
        i64::from(self.0.finalize())
    }
}

/// Reads a field of a row; `None` if its type is wrong.
pub(super) fn field<T: FromSql>(row: &Row<'_>, place: usize) -> Option<T> {
    row.get(place).ok()
}
