//! The tables of the scores that were asked for last. They are functions of the score, so it is no
//! matter for any result which of them are at hand.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use super::score::AtScore;
use crate::cube::terms::Terms;
use crate::eval::bearoff::board_set::BoardSet;

/// Bytes that all tables held may take. One of six checkers a side takes 41 MB at scores of a 7-point match
/// and 55 MB at those of 13 points. It takes half of that where both players need the same. The largest
/// take 82 MB. One that is given up lives on while a value of it is looked up.
pub(super) const ROOM: usize = 256 << 20;
/// Tables that are looked for.
pub(super) const MOST_TABLES: usize = 256;

static SHELF: Shelf = Shelf::new();

/// Tables, and when they were asked for.
pub(super) struct Shelf {
    held: RwLock<Vec<Arc<AtScore>>>,
    /// Tables that were made, so that looking one up writes to no memory that threads share.
    made: AtomicU64,
}

/// The table of this score for these boards.
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
        // Another thread may have been quicker.
        if let Some(found) = find(&held) {
            return found;
        }
        let new = Arc::new(AtScore::new(terms, boards));
        new.touch(self.made.fetch_add(1, Ordering::Relaxed) + 1);
        make_room(&mut held, new.bytes());
        held.push(new.clone());
        new
    }

    /// Bytes that the tables held take when all are computed.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.iter().map(|table| table.bytes()).sum()
    }
}

/// Gives up the tables that have been out of use for longest, until there are so many bytes of room.
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
