//! Limits on the memory that reading a file may take, and a JSON list reader that drops elements beyond a
//! limit.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Maximum number of positions read from a file.
pub(super) const MOST_POSITIONS: usize = 20_000;
/// Maximum number of matches read from a file.
pub(super) const MOST_MATCHES: usize = 100;
/// Maximum number of games read from a match.
pub(super) const MOST_GAMES: usize = 1000;
/// Maximum number of tags and remarks kept for a match.
pub(super) const MOST_TAGS: usize = 200;

/// Returns the warning about a file with too many matches.
pub(super) fn beyond_the_last_match() -> String {
    format!("more than {MOST_MATCHES} matches; the rest is not read")
}

/// Returns the maximum memory, in bytes, that reading a file with this many bytes may take.
pub(super) const fn memory_for(file: usize) -> usize {
    4 * file + (32 << 20)
}

/// Reads the first `MOST` elements of a list. The others are skipped without taking memory.
///
/// # Errors
/// Errors of the deserializer.
pub(super) fn first<'de, const MOST: usize, D, T>(reader: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct First<const MOST: usize, T>(PhantomData<T>);
    impl<'de, const MOST: usize, T: Deserialize<'de>> Visitor<'de> for First<MOST, T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut all = Vec::new();
            while all.len() < MOST {
                match list.next_element()? {
                    Some(one) => all.push(one),
                    None => return Ok(all),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(all)
        }
    }
    reader.deserialize_seq(First::<MOST, T>(PhantomData))
}
