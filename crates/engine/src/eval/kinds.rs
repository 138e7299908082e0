//! Kinds of position, and the first-layer weights of each kind.
//!
//! A checker on one's own bar point has a different meaning in a race, in a back game, and against a home
//! board of five points. Every kind of position could therefore have its own first layer; but most rows are
//! rare in most kinds, and would learn little there. [`Sharing`] determines which kinds share weights. A row
//! that is common in a kind has weights for that kind alone, else those for the kind's *phase*, else those
//! for its *plan*. Otherwise it shares the row's first weights. This costs no time: a position has the same
//! number of rows, and only their places are looked up.

pub use super::features::{KINDS, KINDS_OF_PHASE, PHASES};
use super::rows::ROWS;

/// Number of plans, the coarsest division: see [`plan`].
const PLANS: usize = 3;

#[inline]
const fn phase_of(kind: usize) -> usize {
    kind / KINDS_OF_PHASE
}

/// Returns the plan of a phase, by the checkers in the opponent's home board. In plan 0 at least one side has
/// none there, or has begun to bear off. In plan 1 each side has one or two there. In plan 2 at least one
/// side has three or more, so that blocking and timing decide.
const fn plan(phase: usize) -> usize {
    const PLAN: [u8; PHASES] = [0, 0, 0, 0, 0, 2, 0, 1, 2, 2, 2, 2];
    PLAN[phase] as usize
}

/// The plans, phases and kinds that have their own weights for a row.
type Marks = [bool; MARKS];
const OF_PHASE: usize = PLANS;
const OF_KIND: usize = OF_PHASE + PHASES;
const MARKS: usize = OF_KIND + KINDS;
/// Number of bytes of a row's marks in a file.
const MARK_BYTES: usize = MARKS.div_ceil(8);

/// Factors of the required count: a row gets its own weights for a phase if it was seen often enough; a kind
/// requires `FOR_KIND` times that count, a plan the count divided by `FOR_PLAN`.
const FOR_KIND: u32 = 8;
const FOR_PLAN: u32 = 20;

/// The sharing of row weights among kinds. The weights are numbered row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Sharing {
    marks: Vec<Marks>,
    /// The row of each weight.
    rows: Vec<u16>,
    /// The weights that each kind uses for each row; a single list if all kinds share them.
    places: Vec<[u16; ROWS]>,
}

impl Sharing {
    /// Number of bytes of a sharing in a file.
    pub const BYTES: usize = ROWS * MARK_BYTES;
    /// Maximum number of weights.
    const MOST_WEIGHTS: usize = 1 << 16;

    /// Creates the sharing in which all kinds share all rows.
    pub fn whole() -> Self {
        Self::new(vec![[false; MARKS]; ROWS]).expect("one for each row")
    }

    /// Creates the sharing in which common rows have their own weights, with at most `most` rows of weights.
    /// `seen`: how often each kind (the slower index) had each row.
    ///
    /// # Panics
    /// If `seen` is not [`KINDS`] x [`ROWS`] long, or `most` is less than [`ROWS`] or more than
    /// [`Sharing::MOST_WEIGHTS`].
    pub fn by_use(seen: &[u32], most: usize) -> Self {
        assert_eq!(seen.len(), KINDS * ROWS, "a number for each kind and row");
        assert!(
            (ROWS..=Self::MOST_WEIGHTS).contains(&most),
            "a place for each row"
        );
        let at = |often: u32| -> Vec<Marks> {
            let of_kind = |row: usize| move |kind: usize| seen[kind * ROWS + row];
            (0..ROWS).map(|r| earned(of_kind(r), often)).collect()
        };
        // Find the lowest required count that gives few enough weights.
        let (mut low, mut high) = (1, u32::MAX / FOR_KIND);
        while low < high {
            let middle = low + (high - low) / 2;
            let taken: usize = at(middle).iter().map(weights_of).sum();
            if taken <= most {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        let marks = at(low);
        // If even the highest requirement gives too many weights, share everything.
        match marks.iter().map(weights_of).sum::<usize>() <= most {
            true => Self::new(marks).expect("no more than can be told apart"),
            false => Self::whole(),
        }
    }

    /// Creates the sharing with these marks; `None` if it needs more than [`Sharing::MOST_WEIGHTS`].
    fn new(marks: Vec<Marks>) -> Option<Self> {
        let taken: usize = marks.iter().map(weights_of).sum();
        if taken > Self::MOST_WEIGHTS {
            return None;
        }
        let mut rows = Vec::with_capacity(taken);
        let mut places = vec![[0; ROWS]; if taken == ROWS { 1 } else { KINDS }];
        for (row, marks) in marks.iter().enumerate() {
            let first = rows.len();
            // Own weights are numbered in the order of the marks.
            let mut own = |mark: usize| {
                marks[mark].then(|| {
                    rows.push(row as u16);
                    rows.len() - 1
                })
            };
            let of_plan: [usize; PLANS] = std::array::from_fn(|p| own(p).unwrap_or(first));
            let of_phase: [usize; PHASES] =
                std::array::from_fn(|p| own(OF_PHASE + p).unwrap_or(of_plan[plan(p)]));
            for kind in 0..KINDS {
                let place = own(OF_KIND + kind).unwrap_or(of_phase[phase_of(kind)]);
                if let Some(places) = places.get_mut(kind) {
                    places[row] = place as u16;
                }
            }
            if rows.len() == first {
                rows.push(row as u16);
            }
        }
        Some(Self {
            marks,
            rows,
            places,
        })
    }

    /// Returns the weights that `kind` uses for each row, as indices below [`Sharing::len`].
    #[inline]
    pub fn places(&self, kind: usize) -> &[u16; ROWS] {
        self.places.get(kind).unwrap_or(&self.places[0])
    }

    /// Returns the row of each weight.
    pub fn rows(&self) -> &[u16] {
        &self.rows
    }

    /// Returns the number of rows of weights.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the sharing in the form of the file: a bit for each mark.
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = |marks: &Marks| {
            let mut bytes = [0; MARK_BYTES];
            for (i, _) in marks.iter().enumerate().filter(|(_, marked)| **marked) {
                bytes[i / 8] |= 1 << (i % 8);
            }
            bytes
        };
        self.marks.iter().flat_map(bytes).collect()
    }

    /// Reads the sharing from [`Sharing::BYTES`] bytes; `None` for another length, or more than
    /// [`Sharing::MOST_WEIGHTS`].
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let rows = bytes.chunks_exact(MARK_BYTES);
        let marks = rows.map(|row| std::array::from_fn(|i| row[i / 8] >> (i % 8) & 1 != 0));
        Self::new(marks.collect())
    }
}

/// Returns the plans, phases and kinds that have seen a row often enough for their own weights.
fn earned(seen: impl Fn(usize) -> u32, often: u32) -> Marks {
    let mut marks = [false; MARKS];
    let (mut by_phase, mut by_plan) = ([0u32; PHASES], [0u32; PLANS]);
    for kind in 0..KINDS {
        marks[OF_KIND + kind] = seen(kind) >= often * FOR_KIND;
        if !marks[OF_KIND + kind] {
            let sum = &mut by_phase[phase_of(kind)];
            *sum = sum.saturating_add(seen(kind));
        }
    }
    for phase in 0..PHASES {
        marks[OF_PHASE + phase] = by_phase[phase] >= often;
        if !marks[OF_PHASE + phase] {
            let sum = &mut by_plan[plan(phase)];
            *sum = sum.saturating_add(by_phase[phase]);
        }
    }
    for plan in 0..PLANS {
        marks[plan] = by_plan[plan] >= (often / FOR_PLAN).max(1);
    }
    marks
}

/// Returns the number of weights of a row with these marks, at least one.
fn weights_of(marks: &Marks) -> usize {
    marks.iter().filter(|marked| **marked).count().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row 7 is seen everywhere, row 8 in one phase, row 9 hardly ever.
    fn seen() -> Vec<u32> {
        let mut seen = vec![0; KINDS * ROWS];
        for kind in 0..KINDS {
            seen[kind * ROWS + 7] = 1_000_000;
            if phase_of(kind) == 4 {
                seen[kind * ROWS + 8] = 1000;
            }
        }
        seen[5 * ROWS + 9] = 1;
        seen
    }

    #[test]
    fn common_rows_have_weights_of_their_own() {
        let sharing = Sharing::by_use(&seen(), ROWS + KINDS + 3);
        let places = |row: usize| {
            let mut all: Vec<u16> = (0..KINDS).map(|k| sharing.places(k)[row]).collect();
            all.sort_unstable();
            all.dedup();
            assert!(
                all.iter()
                    .all(|&p| usize::from(sharing.rows()[usize::from(p)]) == row)
            );
            all.len()
        };
        assert_eq!([7, 9, 10].map(places), [KINDS, 1, 1]);
        assert!(sharing.len() <= ROWS + KINDS + 3);
        let few = Sharing::by_use(&seen(), ROWS);
        assert!((0..KINDS).all(|k| few.places(k) == Sharing::whole().places(0)));
    }

    #[test]
    fn files_keep_the_sharing() {
        for most in [ROWS, ROWS + 40, ROWS + 1000] {
            let sharing = Sharing::by_use(&seen(), most);
            let again = Sharing::from_bytes(&sharing.to_bytes());
            assert!(again.is_some_and(|a| a == sharing));
        }
        assert!(Sharing::from_bytes(&[0; 20]).is_none());
        // More than the maximum number of weights.
        assert!(Sharing::from_bytes(&vec![0xff; Sharing::BYTES]).is_none());
    }
}
