//! Checksums of rows, as checkpoints have them: a row whose checksum does not fit is not used.

use rusqlite::Row;
use rusqlite::types::FromSql;

/// Beginning of the key of a row that was set aside: nobody asks for such a key.
pub(super) const ASIDE: &str = "damaged ";

/// Takes in the fields of a row, in order.
pub(super) struct RowChecksum(crc32fast::Hasher);

impl RowChecksum {
    /// The checksum of a row of this table.
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
        // With its length, so that no two rows read alike.
        let mut own = self.number(bytes.len() as i64);
        own.0.update(bytes);
        own
    }

    pub(super) fn sum(self) -> i64 {
        i64::from(self.0.finalize())
    }
}

/// A field of a row; `None` where it is not even of the type that it should be.
pub(super) fn field<T: FromSql>(row: &Row<'_>, place: usize) -> Option<T> {
    row.get(place).ok()
}
