//! A cache of the tables of recently requested scores. Tables are functions of the score, so the cache does
//! not affect results.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::score::AtScore;
use crate::cube::terms::Terms;
use crate::eval::bearoff::board_set::BoardSet;

/// Maximum size of all cached tables, in bytes. A table of six checkers per side takes 41 MB at scores of a
/// 7-point match and 55 MB at those of 13 points, half of that if both players need the same number. The
/// largest take 82 MB. A removed table stays in memory while it is in use.
pub(super) const ROOM: usize = 256 << 20;
/// Maximum number of cached tables.
pub(super) const MOST_TABLES: usize = 256;

static SHELF: Shelf = Shelf::new();

/// Tables, with the times of their last requests.
pub(super) struct Shelf {
    held: RwLock<Vec<Arc<AtScore>>>,
    /// Number of tables created, used as the time, so that a look-up does not write to shared memory.
    made: AtomicU64,
}

/// Returns the table of this score for these boards.
pub(super) fn at(terms: &Terms, boards: &'static BoardSet) -> Arc<AtScore> {
    SHELF.at(terms, boards)
}

impl Shelf {
    pub(super) const fn new() -> Self {
        Self {
            held: RwLock::new(Vec::new()),
            made: AtomicU64::new(0),
        }
    }

    pub(super) fn at(&self, terms: &Terms, boards: &'static BoardSet) -> Arc<AtScore> {
        let terms = terms.of_score();
        let find = |held: &[Arc<AtScore>]| {
            let own = held.iter().find(|table| table.is_of(&terms, boards));
            // The table of all boards has the same values, to the bit.
            let all = || held.iter().find(|table| table.has_all_of(&terms));
            let found = own.or_else(all)?;
            found.touch(self.made.load(Ordering::Relaxed));
            Some(found.clone())
        };
        let found = find(&self.held.read().unwrap_or_else(PoisonError::into_inner));
        if let Some(found) = found {
            return found;
        }
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have added it.
        if let Some(found) = find(&held) {
            return found;
        }
        let new = Arc::new(AtScore::new(terms, boards));
        new.touch(self.made.fetch_add(1, Ordering::Relaxed) + 1);
        make_room(&mut held, new.bytes());
        held.push(new.clone());
        new
    }

    /// Returns the size of the cached tables when all are computed, in bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.iter().map(|table| table.bytes()).sum()
    }
}

/// Removes the least recently used tables until a table of this size fits.
fn make_room(held: &mut Vec<Arc<AtScore>>, bytes: usize) {
    let taken = |held: &[Arc<AtScore>]| held.iter().map(|table| table.bytes()).sum::<usize>();
    while held.len() >= MOST_TABLES || taken(held) + bytes > ROOM {
        let used = |table: &Arc<AtScore>| table.used.load(Ordering::Relaxed);
        let oldest = (0..held.len()).min_by_key(|&i| used(&held[i]));
        match oldest {
            Some(oldest) => held.swap_remove(oldest),
            None => return,
        };
    }
}
