//! Exact bearoffs at one score: a backward induction over pairs of boards, sides and cubes.
//!
//! *States of the cube*, seen by the player on roll, of a match in which cubes below 2^t are usable. The cube
//! is centred at 1, mine at 2, …, 2^(t-1), or theirs at 2, …, 2^t, the last of which nobody turns. These are
//! `t` lanes in which the roller may double and `t` in which not. A double leads from lane `q` of the first
//! kind to lane `q` of the second.
//!
//! *Stored values*: for each pair of boards, the value in each lane for the player who has just played, in
//! that player's own lanes. The opponent is on roll and about to make the cube decision. A roll's best play
//! is therefore the maximum of some rows, lane by lane, and the value of rolling is their mean.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::cube::context::Cube;
use crate::cube::terms::Terms;
use crate::eval::bearoff::Pair;
use crate::eval::bearoff::board_set::BoardSet;
use crate::eval::bearoff::induction::{Game, Pairs, induct};
use crate::game::CubeOwner;

/// A state of the cube: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lane {
    /// The player on roll may double.
    Free(usize),
    /// The opponent may double, or nobody.
    Held(usize),
}

/// The table of one score and a set of boards, computed on the first request of a value.
#[derive(Debug)]
pub(super) struct AtScore {
    terms: Terms,
    boards: &'static BoardSet,
    table: OnceLock<Table>,
    /// A thread has started to compute the table.
    begun: AtomicBool,
    /// Time of the last request, as a number of tables created.
    pub(super) used: AtomicU64,
}

impl AtScore {
    pub(super) fn new(terms: Terms, boards: &'static BoardSet) -> Self {
        Self {
            terms: terms.of_score(),
            boards,
            table: OnceLock::new(),
            begun: AtomicBool::new(false),
            used: AtomicU64::new(0),
        }
    }

    pub(super) fn is_of(&self, terms: &Terms, boards: &'static BoardSet) -> bool {
        std::ptr::eq(self.boards, boards) && self.terms == *terms
    }

    /// Returns whether the table is computed and contains all boards.
    pub(super) fn has_all_of(&self, terms: &Terms) -> bool {
        self.boards.is_whole() && self.is_computed() && self.terms == *terms
    }

    /// Returns the size of the computed table, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let boards = self.boards.boards();
        let lanes = 2 * usize::from(self.terms.live);
        players(&self.terms) * boards * boards * lanes * size_of::<f32>()
    }

    /// Records a request. Threads that request the same table at the same time only read.
    pub(super) fn touch(&self, time: u64) {
        if self.used.load(Ordering::Relaxed) != time {
            self.used.store(time, Ordering::Relaxed);
        }
    }

    /// Records that computation starts. Returns true for the first caller.
    pub(super) fn begin(&self) -> bool {
        !self.begun.swap(true, Ordering::Relaxed)
    }

    pub(super) fn is_computed(&self) -> bool {
        self.table.get().is_some()
    }

    /// Returns the lane of `cube`, seen by the player on roll; `None` for an impossible cube.
    pub(super) fn lane(&self, cube: Cube) -> Option<Lane> {
        let (live, level) = (usize::from(self.terms.live), usize::from(cube.level));
        if level >= live {
            return Some(Lane::Held(live - 1));
        }
        match cube.owner {
            CubeOwner::Centred if level == 0 => Some(Lane::Free(0)),
            CubeOwner::Mover if level > 0 => Some(Lane::Free(level)),
            CubeOwner::Opponent if level > 0 => Some(Lane::Held(level - 1)),
            _ => None,
        }
    }

    /// Computes the table if necessary; other callers wait.
    pub(super) fn table(&self) -> &Table {
        self.table
            .get_or_init(|| Table::new(&self.terms, self.boards))
    }

    /// Returns the chance of the player on roll to win the game, if both players maximise it.
    pub(super) fn win(&self, side: usize, pair: Pair) -> f32 {
        // The last cube decides the match.
        self.best(side, pair, Lane::Held(usize::from(self.terms.live) - 1))
    }

    /// Returns the MWC of the player on roll, who may double first.
    pub(super) fn best(&self, side: usize, pair: Pair, lane: Lane) -> f32 {
        let live = usize::from(self.terms.live);
        let seen = match lane {
            Lane::Free(0) => 0,
            Lane::Free(q) => live + q - 1,
            Lane::Held(q) if q + 1 < live => q + 1,
            Lane::Held(q) => live + q,
        };
        let [on_roll, played] = self.boards.places(pair);
        1.0 - self.table().row(side, on_roll, played)[seen]
    }

    /// Returns the MWC of the player on roll, who does not double in this turn.
    pub(super) fn no_double(&self, side: usize, pair: Pair, lane: Lane) -> f32 {
        match lane {
            Lane::Held(_) => self.best(side, pair, lane),
            Lane::Free(q) => {
                let table = self.table();
                let [i, j] = self.boards.places(pair);
                let worth = |&k: &u16| table.row(1 - side, j, usize::from(k))[q];
                let best = |after: &[u16]| after.iter().map(worth).fold(0.0, f32::max);
                let rolls = self.boards.moves().of(i);
                rolls.fold(0.0, |sum, (weight, after)| {
                    sum + f32::from(weight) * best(after)
                }) / 36.0
            }
        }
    }
}

/// The pairs of the boards, with twice as many lanes as usable cubes.
pub(super) enum Table {
    One(Vec<Pairs<f32, 2>>),
    Two(Vec<Pairs<f32, 4>>),
    Three(Vec<Pairs<f32, 6>>),
    Four(Vec<Pairs<f32, 8>>),
    Five(Vec<Pairs<f32, 10>>),
    Six(Vec<Pairs<f32, 12>>),
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

impl Table {
    fn new(terms: &Terms, boards: &BoardSet) -> Self {
        match terms.live {
            1 => Self::One(pairs::<1, 2>(terms, boards)),
            2 => Self::Two(pairs::<2, 4>(terms, boards)),
            3 => Self::Three(pairs::<3, 6>(terms, boards)),
            4 => Self::Four(pairs::<4, 8>(terms, boards)),
            5 => Self::Five(pairs::<5, 10>(terms, boards)),
            _ => Self::Six(pairs::<6, 12>(terms, boards)),
        }
    }

    /// Returns the MWC of the player who has just played, in that player's lanes, with `side` on roll.
    /// Players who need the same number of points share a table.
    #[inline]
    fn row(&self, side: usize, on_roll: usize, played: usize) -> &[f32] {
        match self {
            Self::One(sides) => sides[side % sides.len()].row(on_roll, played),
            Self::Two(sides) => sides[side % sides.len()].row(on_roll, played),
            Self::Three(sides) => sides[side % sides.len()].row(on_roll, played),
            Self::Four(sides) => sides[side % sides.len()].row(on_roll, played),
            Self::Five(sides) => sides[side % sides.len()].row(on_roll, played),
            Self::Six(sides) => sides[side % sides.len()].row(on_roll, played),
        }
    }
}

/// Returns the number of players with different values: players who need the same number share a table.
fn players(terms: &Terms) -> usize {
    let even = terms.away[0] == terms.away[1];
    if even { 1 } else { 2 }
}

fn pairs<const LIVE: usize, const LANES: usize>(
    terms: &Terms,
    boards: &BoardSet,
) -> Vec<Pairs<f32, LANES>> {
    let mut game = Match::<LIVE> {
        terms,
        cash: [0, 1].map(|side| std::array::from_fn(|level| terms.cash(side, level))),
    };
    let (moves, boards) = (boards.moves(), boards.boards());
    induct(&mut game, moves, boards, &mut |_| true).unwrap_or_default()
}

/// A match in which `LIVE` cubes are usable.
struct Match<'a, const LIVE: usize> {
    terms: &'a Terms,
    /// MWC of either side after a double and a pass, at each cube.
    cash: [[f32; LIVE]; 2],
}

impl<const LIVE: usize, const LANES: usize> Game<f32, LANES> for Match<'_, LIVE> {
    fn players(&self) -> usize {
        players(self.terms)
    }

    fn won(&self, player: usize) -> [f32; LANES] {
        let won = &self.terms.won[1 - player];
        std::array::from_fn(|lane| won[if lane < LIVE { lane } else { lane + 1 - LIVE }])
    }

    #[inline]
    fn seen(&self, player: usize, rolling: &[f32; LANES]) -> [f32; LANES] {
        let (free, held) = rolling.split_at(LIVE);
        let cash = &self.cash[player];
        let decided = |q: usize| free[q].max(held[q].min(cash[q]));
        std::array::from_fn(|lane| {
            let theirs = match lane {
                0 => decided(0),
                lane if lane < LIVE => held[lane - 1],
                lane if lane + 1 < LANES => decided(lane + 1 - LIVE),
                _ => held[LIVE - 1],
            };
            1.0 - theirs
        })
    }
}
