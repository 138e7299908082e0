//! Generates every legal play of a roll, exactly once.
//!
//! A play is identified by its resulting position. No two sequences of this generator have the same result,
//! so results need not be compared or hashed.
//!
//! *Doubles.* The result of moving `k` checkers by the same number depends only on the multiset of starting
//! points: the vectors "one off `s`, one onto `s - d`" are independent. Any playable multiset can be played
//! from the highest point down. The sources are therefore taken in non-increasing order, each sequence once.
//!
//! *Two different dice* `a > b`. A play is a pair of points: `i`, from which `a` is played, and `j`, from
//! which `b` is played. Two pairs have the same result in two cases only:
//! 1. one checker moves from `s` to `s - a - b`: over `s - a` or over `s - b`, with the same result unless it
//!    hits on one of them;
//! 2. both dice bear off from `i` and `j`, and either die may take either checker.
//!
//! Everything else is bit arithmetic on masks of the points (see [`Side::mask`](super::Side::mask)).

use wide::i8x16;

use super::play::Play;
use super::position::{BAR, CHECKERS, OFF, Position, Side, flipped};
use super::roll::Roll;

const BAR_BIT: u32 = 1 << BAR;
/// Points outside the home board, and the bar.
const OUTSIDE: u32 = !0b111_1111;

impl Play {
    /// Returns the legal play of `roll` from `before` to `after`, which is seen by the opponent.
    pub fn to(before: &Position, roll: Roll, after: &Position) -> Option<Self> {
        let mut list = PlayList::new();
        list.generate(before, roll);
        list.play_to(after)
    }
}

/// The steps of a play under generation; `()` records nothing.
trait Steps: Copy {
    const NONE: Self;
    /// Appends a step.
    fn push(&mut self, from: u8, to: u8);
}

impl Steps for Play {
    const NONE: Self = Self::NONE;

    #[inline(always)]
    fn push(&mut self, from: u8, to: u8) {
        self.push(from, to);
    }
}

/// Records nothing, if only the results are needed.
impl Steps for () {
    const NONE: Self = ();

    #[inline(always)]
    fn push(&mut self, _: u8, _: u8) {}
}

/// The results of the legal plays of one roll: faster to generate than a [`PlayList`], because it has no
/// plays.
#[derive(Clone, Debug, Default)]
pub struct ResultList(Generated<()>);

impl ResultList {
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces the list by the results of the legal plays of `roll` in `position`; see
    /// [`PlayList::generate`].
    ///
    /// ```
    /// use luckless_engine::game::{PlayList, Position, ResultList, Roll};
    /// let (opening, roll) = (Position::opening(), Roll::new(3, 1).unwrap());
    /// let mut list = ResultList::new();
    /// list.generate(&opening, roll);
    /// assert_eq!(list.results(), PlayList::of(&opening, roll).results());
    /// ```
    pub fn generate(&mut self, position: &Position, roll: Roll) {
        self.0.generate(position, roll);
    }

    /// Returns the positions; see [`PlayList::results`].
    #[inline]
    pub fn results(&self) -> &[Position] {
        &self.0.results
    }
}

/// The legal plays of one roll with their results. A list is reused for many rolls, so that generation stops
/// allocating once it has grown.
#[derive(Clone, Debug, Default)]
pub struct PlayList(Generated<Play>);

/// The results of the plays of one roll, with the recorded steps.
#[derive(Clone, Debug, Default)]
struct Generated<S> {
    results: Vec<Position>,
    steps: Vec<S>,
}

impl PlayList {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the plays of `roll` in `position`; see [`PlayList::generate`].
    pub fn of(position: &Position, roll: Roll) -> Self {
        let mut list = Self::new();
        list.generate(position, roll);
        list
    }

    /// Creates an empty list with capacity for the plays of most rolls.
    pub fn with_room() -> Self {
        const TYPICAL_PLAYS: usize = 32;
        Self(Generated {
            results: Vec::with_capacity(TYPICAL_PLAYS),
            steps: Vec::with_capacity(TYPICAL_PLAYS),
        })
    }

    /// Returns the positions after the plays, each seen by the opponent, who is then on roll. Never empty
    /// after [`PlayList::generate`]: a dance has one result, the position with the turn passed.
    #[inline]
    pub fn results(&self) -> &[Position] {
        &self.0.results
    }

    /// Returns the plays, in the order of [`PlayList::results`].
    #[inline]
    pub fn plays(&self) -> &[Play] {
        &self.0.steps
    }

    /// Returns the legal play to `result`, if there is one.
    ///
    /// ```
    /// use luckless_engine::game::{PlayList, Position, Roll};
    /// let (opening, roll) = (Position::opening(), Roll::new(3, 1).unwrap());
    /// let plays = PlayList::of(&opening, roll);
    /// let play = plays.play_to(&plays.results()[0]).unwrap();
    /// assert_eq!(play.apply(&opening), plays.results()[0]);
    /// ```
    pub fn play_to(&self, result: &Position) -> Option<Play> {
        let place = self.0.results.iter().position(|r| r == result)?;
        self.0.steps.get(place).copied()
    }

    /// Returns the number of plays; a dance counts as one.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.results.len()
    }

    /// Returns whether nothing has been generated yet.
    pub fn is_empty(&self) -> bool {
        self.0.results.is_empty()
    }

    /// Replaces the list by the legal plays of `roll` in `position`. They play both dice if possible, else
    /// the higher die if possible, else the lower, and as many steps of a double as possible.
    ///
    /// ```
    /// use luckless_engine::game::{PlayList, Position, Roll};
    /// let mut plays = PlayList::new();
    /// plays.generate(&Position::opening(), Roll::new(3, 1).unwrap());
    /// assert_eq!(plays.len(), 16);
    /// ```
    pub fn generate(&mut self, position: &Position, roll: Roll) {
        self.0.generate(position, roll);
    }
}

impl<S: Steps> Generated<S> {
    fn generate(&mut self, position: &Position, roll: Roll) {
        self.results.clear();
        self.steps.clear();
        let board = Board::new(position);
        if roll.is_double() {
            self.doubles(&board, roll.high());
        } else {
            self.two_dice(&board, roll.high(), roll.low());
        }
        if self.results.is_empty() {
            self.results.push(position.flipped());
            self.steps.push(S::NONE);
        }
    }

    fn two_dice(&mut self, board: &Board<'_>, a: u8, b: u8) {
        // seconds[i]: the points from which b can be played after a from i.
        let mut seconds = [0u32; 32];
        let start = Moved::new(board);
        let first_a = board.sources(board.own, a);
        for i in descending(first_a) {
            let left = board.moved(board.own, i, a);
            let js = board.sources(left, b);
            seconds[i as usize] = js;
            let moved = start.step(i, a);
            for j in descending(js) {
                if !board.repeats(i, j, a, b, &seconds) {
                    self.emit(&moved.step(j, b));
                }
            }
        }
        let first_b = board.sources(board.own, b);
        for j in descending(first_b) {
            let left = board.moved(board.own, j, b);
            let moved = start.step(j, b);
            for i in descending(board.sources(left, a)) {
                let done = seconds[i as usize] >> j & 1 != 0;
                if !done && !board.repeats(i, j, a, b, &seconds) {
                    self.emit(&moved.step(i, a));
                }
            }
        }
        if self.results.is_empty() {
            let (first, die) = if first_a != 0 {
                (first_a, a)
            } else {
                (first_b, b)
            };
            for i in descending(first) {
                self.emit(&start.step(i, die));
            }
        }
    }

    fn doubles(&mut self, board: &Board<'_>, die: u8) {
        let mut longest = 0;
        let start = Moved::new(board);
        self.walk_double(board, die, &mut longest, (&start, 0), board.own, u32::MAX);
    }

    /// Extends the `depth` steps of `moved` in all ways whose next source is in `allowed`. Keeps sequences
    /// that cannot be extended if none found so far is longer.
    fn walk_double(
        &mut self,
        board: &Board<'_>,
        die: u8,
        longest: &mut usize,
        (moved, depth): (&Moved<S>, usize),
        own: u32,
        allowed: u32,
    ) {
        let sources = board.sources(own, die) & allowed;
        if sources == 0 {
            if depth > 0 && self.is_longest(depth, longest) {
                self.emit(moved);
            }
            return;
        }
        // The last of four steps: most plays of a double are emitted here.
        if depth == 3 {
            self.is_longest(4, longest);
            for s in descending(sources) {
                self.emit(&moved.step(s, die));
            }
            return;
        }
        for s in descending(sources) {
            let to = s.saturating_sub(die);
            let next = moved.step(s, die);
            let mut left = own | (1 << to & !(1 << OFF));
            if next.mover.at(usize::from(s)) == 0 {
                left &= !(1 << s);
            }
            self.walk_double(
                board,
                die,
                longest,
                (&next, depth + 1),
                left,
                (2u32 << s) - 1,
            );
        }
    }

    /// Returns whether no sequence longer than `steps` has been found; shorter sequences are removed.
    #[inline]
    fn is_longest(&mut self, steps: usize, longest: &mut usize) -> bool {
        if steps > *longest {
            *longest = steps;
            self.results.clear();
            self.steps.clear();
        }
        steps == *longest
    }

    #[inline(always)]
    fn emit(&mut self, moved: &Moved<S>) {
        self.steps.push(moved.steps);
        self.results.push(Position {
            mover: moved.opponent,
            opponent: moved.mover,
        });
    }
}

/// A position after some steps of a play, with the steps.
#[derive(Clone, Copy)]
struct Moved<S> {
    mover: Side,
    opponent: Side,
    /// The opponent's blots not yet hit, in the mover's coordinates.
    blots: u32,
    steps: S,
}

impl<S: Steps> Moved<S> {
    #[inline]
    fn new(board: &Board<'_>) -> Self {
        Self {
            mover: board.position.mover,
            opponent: board.position.opponent,
            blots: board.blots,
            steps: S::NONE,
        }
    }

    /// Returns the position after one more step. Whole sides are added: loading a vector soon after storing
    /// one of its bytes would stall.
    #[inline(always)]
    fn step(&self, from: u8, die: u8) -> Self {
        let to = from.saturating_sub(die);
        let hit = self.blots & 1 << to;
        let mut steps = self.steps;
        steps.push(from, to);
        Self {
            mover: plus(
                self.mover,
                &STEPS[usize::from(die % 8)][usize::from(from % 32)],
            ),
            // Without a hit, 1 << 31 stands for a place without a blot.
            opponent: plus(
                self.opponent,
                &HITS[(hit | 1 << 31).trailing_zeros() as usize],
            ),
            blots: self.blots ^ hit,
            steps,
        }
    }
}

#[inline(always)]
fn plus(side: Side, change: &Side) -> Side {
    let [a, b]: [&[i8x16; 2]; 2] = [&side, change].map(bytemuck::cast_ref);
    bytemuck::cast([a[0] + b[0], a[1] + b[1]])
}

/// The change of a side by a step with a die (first index) from a place.
static STEPS: [[Side; 32]; 8] = {
    let mut steps = [[Side([0; 32]); 32]; 8];
    let mut die = 1;
    while die <= 6 {
        let mut from = 1;
        while from <= BAR {
            let to = if from > die { from - die } else { OFF };
            steps[die][from].0[from] = u8::MAX;
            steps[die][from].0[to] = 1;
            from += 1;
        }
        die += 1;
    }
    steps
};

/// The change of the opponent's side by a hit on a point, in the hitter's coordinates; zero for other
/// numbers.
static HITS: [Side; 32] = {
    let mut hits = [Side([0; 32]); 32];
    let mut to = 1;
    while to < BAR {
        hits[to].0[BAR - to] = u8::MAX;
        hits[to].0[BAR] = 1;
        to += 1;
    }
    hits
};

/// Masks of a position that generation uses repeatedly.
struct Board<'a> {
    position: &'a Position,
    /// Places with at least one checker of the mover.
    own: u32,
    /// Places with exactly one checker of the mover.
    single: u32,
    /// The opponent's blots and made points, in the mover's coordinates.
    blots: u32,
    made: u32,
}

impl<'a> Board<'a> {
    #[inline]
    fn new(position: &'a Position) -> Self {
        let own = position.mover.mask(1);
        let theirs = flipped(position.opponent.mask(1) & !BAR_BIT);
        let made = flipped(position.opponent.mask(2) & !BAR_BIT);
        Self {
            position,
            own,
            single: own & !position.mover.mask(2),
            blots: theirs & !made,
            made,
        }
    }

    /// Returns the places from which `die` can be played if the mover's checkers are on `own`.
    #[inline]
    fn sources(&self, own: u32, die: u8) -> u32 {
        let open = !(self.made << die);
        if own & BAR_BIT != 0 {
            return BAR_BIT & open;
        }
        let beyond = own & !((2u32 << die) - 1);
        let mut sources = beyond & open;
        if own & OUTSIDE == 0 {
            let exact = own & 1 << die;
            // A die above the rearmost checker bears that checker off.
            sources |= if beyond | exact == 0 && own != 0 {
                1 << (31 - own.leading_zeros())
            } else {
                exact
            };
        }
        sources
    }

    /// Returns the mover's places after a first step.
    #[inline]
    fn moved(&self, own: u32, from: u8, die: u8) -> u32 {
        let mut left = own & !(self.single & 1 << from);
        if from > die {
            left |= 1 << (from - die);
        }
        left
    }

    /// Returns whether the pair (`a` from `i`, `b` from `j`) has the same result as another pair that is
    /// emitted instead.
    #[inline]
    fn repeats(&self, i: u8, j: u8, a: u8, b: u8, seconds: &[u32; 32]) -> bool {
        let after_a = seconds[j as usize];
        if i + b == j && j > a {
            // The checker on j moves over j - b; over j - a it is the other pair.
            let hits = self.blots & (1 << (j - a) | 1 << i);
            return hits == 0 && after_a >> (j - a) & 1 != 0;
        }
        i < j && j <= b && after_a >> i & 1 != 0
    }
}

/// Iterates over the set bits of a mask, highest first.
#[inline]
fn descending(mut mask: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = 31 - mask.leading_zeros();
        mask ^= 1 << bit;
        Some(bit as u8)
    })
}

const _: () = assert!(CHECKERS == 15);

#[cfg(test)]
mod tests {
    use super::*;

    /// Number of distinct plays of each roll from the opening position, doubles first, as counted by every
    /// independent generator.
    #[test]
    fn opening_counts() {
        let doubles = [42, 75, 73, 52, 4, 11];
        let others = [
            (2, 1, 15),
            (3, 1, 16),
            (4, 1, 14),
            (5, 1, 8),
            (6, 1, 10),
            (3, 2, 17),
            (4, 2, 18),
            (5, 2, 8),
            (6, 2, 14),
            (4, 3, 17),
            (5, 3, 9),
            (6, 3, 14),
            (5, 4, 9),
            (6, 4, 14),
            (6, 5, 7),
        ];
        let mut list = PlayList::new();
        for (die, expected) in (1..).zip(doubles) {
            list.generate(&Position::opening(), Roll::new(die, die).unwrap());
            assert_eq!(list.len(), expected, "{die}{die}");
        }
        for (a, b, expected) in others {
            list.generate(&Position::opening(), Roll::new(a, b).unwrap());
            assert_eq!(list.len(), expected, "{a}{b}");
        }
    }

    #[test]
    fn a_dance_passes_the_turn() {
        let closed = [(1, 2), (2, 2), (3, 2), (4, 2), (5, 2), (6, 2)];
        let p = Position::from_points(&[(25, 1), (6, 3)], &closed).unwrap();
        let mut list = PlayList::new();
        list.generate(&p, Roll::new(6, 5).unwrap());
        assert_eq!(list.results(), [p.flipped()]);
        assert!(list.plays()[0].is_empty());
    }

    /// The last checker could bear off with the three alone, but both dice can be played by hitting on the
    /// way, so they must be.
    #[test]
    fn the_last_checker_too_plays_both_dice() {
        let p = Position::from_points(&[(3, 1)], &[(23, 1), (6, 14)]).unwrap();
        let mut list = PlayList::new();
        list.generate(&p, Roll::new(3, 1).unwrap());
        assert_eq!(list.len(), 1);
        assert_eq!(list.results()[0].mover.bar(), 1);
        let race = Position::from_points(&[(3, 1)], &[(6, 14)]).unwrap();
        list.generate(&race, Roll::new(6, 5).unwrap());
        assert_eq!(list.len(), 1);
        assert_eq!(list.plays()[0].len(), 1);
    }

    #[test]
    fn results_are_the_plays_carried_out() {
        let mut list = PlayList::new();
        for roll in Roll::ALL {
            list.generate(&Position::opening(), roll);
            for (play, result) in list.plays().iter().zip(list.results()) {
                assert_eq!(play.apply(&Position::opening()), *result);
            }
        }
    }
}
