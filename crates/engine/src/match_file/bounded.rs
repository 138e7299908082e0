//! How much memory a file may take, and lists of a JSON document that take no more than is used of them.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// Most positions read of a file.
pub(super) const MOST_POSITIONS: usize = 20_000;
/// Most matches read of a file.
pub(super) const MOST_MATCHES: usize = 100;
/// Most games read of a match.
pub(super) const MOST_GAMES: usize = 1000;
/// Most tags and remarks kept of a match.
pub(super) const MOST_TAGS: usize = 200;

/// What is said of a file with more matches than are read.
pub(super) fn beyond_the_last_match() -> String {
    format!("more than {MOST_MATCHES} matches; the rest is not read")
}

/// Most memory that a file of so many bytes may take while it is read, in bytes.
pub(super) const fn memory_for(file: usize) -> usize {
    4 * file + (32 << 20)
}

/// The first `MOST` of a list. The others are passed over and take no memory.
///
/// # Errors
/// Those of the reader.
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
