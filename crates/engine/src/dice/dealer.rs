//! Deals the dice of any trial, from any source.
//!
//! **Stratified.** Write the number of a trial in digits d₀ (base 36, or 30 if the first roll is no double),
//! d₁, d₂, … (base 36). The first roll is π(d₀) with one shuffle π for the whole rollout. It has period 36,
//! so *any* 36 consecutive trials have each first roll once. Roll l is σ(ρ₀(d₀) + … + ρ_l(d_l) mod 36), with
//! separate shuffles σ and ρ in each full set. Within a block only d₀ changes, so each block has every roll
//! once at every level. All values of d₀ … d_l give all sequences of l + 1 rolls: a Latin square, cube, …
//!
//! Later rolls cannot have the property of the first one for blocks that begin anywhere. They would need
//! period 36 too, and then only 36 of the 1296 pairs would occur.
//!
//! **Decks.** F. Dahl, *Rollout techniques*, Hoosier Backgammon Club newsletter, 1995.
//!
//! **Sobol'.** Points of B. Burley, *Practical hash-based Owen scrambling*, JCGT 9, 2020 (crate
//! `sobol_burley`), one net per block, with 36 cells on each axis. Each block and axis is rotated by a random
//! number of cells, so that each single roll is exactly uniform.

use std::sync::Arc;

use crate::game::roll::ORDERED;

use super::source::{DiceSource, MOST_DEPTH, NO_DOUBLES, PrescribedDice, no_doubles};
use super::stream::{Dice, HEAD, Purpose, SOBOL_BLOCK, StreamKey, below, rotation, shuffled};

/// Number of turns with dice from decks or Sobol' points; later turns are random.
const DEALT: usize = 64;
const LEVELS: usize = MOST_DEPTH as usize;
const WITHOUT_DOUBLES: [u8; NO_DOUBLES] = no_doubles();

/// Deals the dice of trials, and caches data shared by neighbouring trials. Each worker has its own dealer.
pub struct Dealer {
    source: DiceSource,
    initial: bool,
    prescribed: Option<Arc<PrescribedDice>>,
    /// Two caches, for candidates that alternate and have separate dice.
    shared: [Shared; 2],
}

/// Data shared by the trials of a block and of a full set.
struct Shared {
    key: Option<StreamKey>,
    block: u64,
    set: u64,
    first: [u8; ORDERED],
    order: [u8; ORDERED],
    /// For each level: the order of its rolls, and of the digits that it depends on.
    levels: [[[u8; ORDERED]; LEVELS + 1]; LEVELS],
    decks: Box<[[u8; ORDERED]; DEALT]>,
    /// Scramble and rotations of the axes of a Sobol' net.
    scramble: u32,
    turns: [u8; DEALT],
}

impl Shared {
    fn new() -> Self {
        Self {
            key: None,
            block: u64::MAX,
            set: u64::MAX,
            first: [0; ORDERED],
            order: [0; ORDERED],
            levels: [[[0; ORDERED]; LEVELS + 1]; LEVELS],
            decks: Box::new([[0; ORDERED]; DEALT]),
            scramble: 0,
            turns: [0; DEALT],
        }
    }
}

impl Dealer {
    /// Creates a dealer for `source`. With `initial` the first roll is never a double. `prescribed`: the
    /// games, for a source of prescribed rolls.
    pub fn new(source: DiceSource, initial: bool, prescribed: Option<Arc<PrescribedDice>>) -> Self {
        Self {
            source,
            initial,
            prescribed,
            shared: [Shared::new(), Shared::new()],
        }
    }

    /// Returns the dice of trial `trial`.
    pub fn deal(&mut self, key: StreamKey, purpose: Purpose, trial: u64) -> Dice {
        let mut dice = Dice::new(key, purpose, trial);
        let block = self.source.block(self.initial);
        let (block, place) = (trial / block, trial % block);
        let shared = &mut self.shared[(key.candidate & 1) as usize];
        if shared.key != Some(key) {
            shared.key = Some(key);
            shared.block = u64::MAX;
            shared.set = u64::MAX;
            shared.order = shuffled(&mut key.generator(Purpose::Order, 0));
        }
        dice.known = match self.source {
            DiceSource::Random => {
                if self.initial {
                    dice.head[0] = below(&mut dice.generator, NO_DOUBLES as u32) as u8;
                }
                u8::from(self.initial)
            }
            DiceSource::Prescribed { .. } => {
                let game = self.prescribed.as_ref().map_or(&[][..], |p| p.game(trial));
                dice.head[..game.len()].copy_from_slice(game);
                game.len() as u8
            }
            source => shared.balance(
                source,
                key,
                self.initial,
                trial,
                (block, place as usize),
                &mut dice.head,
            ),
        };
        let is_prescribed = matches!(self.source, DiceSource::Prescribed { .. });
        if self.initial && !is_prescribed && dice.known > 0 {
            // Up to here a number below 30.
            dice.head[0] = WITHOUT_DOUBLES[usize::from(dice.head[0]) % NO_DOUBLES];
        }
        dice
    }
}

/// Returns the rank of `order[place]` among the first thirty of a shuffle: these ranks are shuffled too.
fn rank_below(order: &[u8; ORDERED], place: usize) -> u8 {
    let own = order[place];
    order[..NO_DOUBLES].iter().filter(|&&n| n < own).count() as u8
}

impl Shared {
    /// Sets the first numbers of a trial at this place of its block, for a `source` that balances blocks.
    /// Returns their number.
    fn balance(
        &mut self,
        source: DiceSource,
        key: StreamKey,
        initial: bool,
        trial: u64,
        (block, place): (u64, usize),
        head: &mut [u8; HEAD],
    ) -> u8 {
        match source {
            DiceSource::Random | DiceSource::Prescribed { .. } => 0,
            DiceSource::Rotation => {
                if self.block != block {
                    self.first = rotation(key, block);
                    self.block = block;
                }
                head[0] = match initial {
                    true => rank_below(&self.first, place),
                    false => self.first[place],
                };
                1
            }
            DiceSource::Stratified { depth, decks } => {
                self.stratify(key, usize::from(depth), initial, trial, head);
                if decks {
                    self.deal_decks(key, block);
                    let numbers = head.iter_mut().zip(self.decks.iter());
                    for (number, deck) in numbers.skip(usize::from(depth)) {
                        *number = deck[place];
                    }
                }
                if decks { DEALT as u8 } else { depth }
            }
            DiceSource::Decks => {
                self.deal_decks(key, block);
                for (number, deck) in head.iter_mut().zip(self.decks.iter()) {
                    *number = deck[place];
                }
                if initial {
                    head[0] = rank_below(&self.decks[0], place);
                }
                DEALT as u8
            }
            DiceSource::Sobol => {
                self.sobol(key, block, place as u32, initial, head);
                DEALT as u8
            }
        }
    }

    fn stratify(
        &mut self,
        key: StreamKey,
        depth: usize,
        initial: bool,
        trial: u64,
        head: &mut [u8; HEAD],
    ) {
        let base = if initial { NO_DOUBLES } else { ORDERED } as u64;
        let size = base * (ORDERED as u64).pow(depth as u32 - 1);
        let set = trial / size;
        if self.set != set {
            self.set = set;
            for level in 1..depth {
                let stream = set.wrapping_mul(LEVELS as u64).wrapping_add(level as u64);
                let mut generator = key.generator(Purpose::Strata, stream);
                for order in &mut self.levels[level][..level + 2] {
                    *order = shuffled(&mut generator);
                }
            }
        }
        let mut digits = [0; LEVELS];
        let mut left = trial % size;
        digits[0] = (left % base) as usize;
        left /= base;
        for digit in &mut digits[1..depth] {
            *digit = (left % ORDERED as u64) as usize;
            left /= ORDERED as u64;
        }
        head[0] = if initial {
            rank_below(&self.order, digits[0])
        } else {
            self.order[digits[0]]
        };
        for level in 1..depth {
            let [outer, inner @ ..] = &self.levels[level];
            let sum: usize = digits[..=level]
                .iter()
                .zip(inner)
                .map(|(&digit, order)| usize::from(order[digit]))
                .sum();
            head[level] = outer[sum % ORDERED];
        }
    }

    fn deal_decks(&mut self, key: StreamKey, block: u64) {
        if self.block == block {
            return;
        }
        self.block = block;
        let mut generator = key.generator(Purpose::Decks, block);
        for deck in self.decks.iter_mut() {
            *deck = shuffled(&mut generator);
        }
    }

    fn sobol(
        &mut self,
        key: StreamKey,
        block: u64,
        place: u32,
        initial: bool,
        head: &mut [u8; HEAD],
    ) {
        debug_assert!(u64::from(place) < SOBOL_BLOCK, "within the net");
        let cells = |turn: usize| {
            if turn == 0 && initial {
                NO_DOUBLES as u32
            } else {
                ORDERED as u32
            }
        };
        if self.block != block {
            self.block = block;
            let mut generator = key.generator(Purpose::Sobol, block);
            self.scramble = below(&mut generator, 1 << 16) << 16 | below(&mut generator, 1 << 16);
            for (turn, by) in self.turns.iter_mut().enumerate() {
                *by = below(&mut generator, cells(turn)) as u8;
            }
        }
        for set in 0..DEALT / 4 {
            let point = sobol_burley::sample_4d(place, set as u32, self.scramble);
            for (axis, x) in point.into_iter().enumerate() {
                let turn = 4 * set + axis;
                let n = cells(turn);
                let cell = (x * n as f32) as u32;
                head[turn] = ((cell + u32::from(self.turns[turn])) % n) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, HashSet};

    const KEY: StreamKey = StreamKey {
        seed: 7,
        candidate: 0,
    };

    fn dealer(text: &str, initial: bool) -> Dealer {
        Dealer::new(text.parse().unwrap(), initial, None)
    }

    fn rolls(dealer: &mut Dealer, trials: std::ops::Range<u64>, turns: usize) -> Vec<Vec<u8>> {
        let mut game = |trial| {
            let mut dice = dealer.deal(KEY, Purpose::Rolls, trial);
            (0..turns).map(|_| dice.number()).collect()
        };
        trials.map(&mut game).collect()
    }

    fn distinct<T: Eq + std::hash::Hash>(all: impl Iterator<Item = T>) -> usize {
        all.collect::<HashSet<T>>().len()
    }

    #[test]
    fn any_36_consecutive_trials_have_each_first_roll_once() {
        let all = rolls(&mut dealer("stratified=3", false), 0..400, 1);
        for start in 0..364 {
            assert_eq!(distinct(all[start..start + 36].iter().map(|g| g[0])), 36);
        }
        // Any 37 trials have each first roll at most twice.
        for start in 0..363 {
            let mut seen = HashMap::new();
            for game in &all[start..start + 37] {
                *seen.entry(game[0]).or_insert(0) += 1;
            }
            assert!(seen.values().all(|&n| n <= 2));
        }
    }

    #[test]
    fn full_sets_of_one_two_and_three_rolls() {
        for (initial, base) in [(false, 36u64), (true, 30)] {
            let mut dealer = dealer("stratified=3", initial);
            let full = base * 36 * 36;
            let all = rolls(&mut dealer, full..2 * full, 4);
            for block in all.chunks(base as usize) {
                for turn in 0..3 {
                    assert_eq!(distinct(block.iter().map(|g| g[turn])), base as usize);
                }
            }
            for set in all.chunks(base as usize * 36) {
                let pairs = distinct(set.iter().map(|g| (g[0], g[1])));
                assert_eq!(pairs, base as usize * 36);
            }
            let triples = distinct(all.iter().map(|g| (g[0], g[1], g[2])));
            assert_eq!(triples as u64, full);
            assert_eq!(full, if initial { 38880 } else { 46656 });
            assert!(!initial || all.iter().all(|g| g[0] / 6 != g[0] % 6));
        }
    }

    #[test]
    fn decks_deal_each_roll_once_at_every_turn() {
        for text in ["decks", "cross+decks", "stratified=1+decks"] {
            for block in [0, 5] {
                let all = rolls(
                    &mut dealer(text, false),
                    36 * block..36 * (block + 1),
                    DEALT,
                );
                for turn in 0..DEALT {
                    assert_eq!(distinct(all.iter().map(|g| g[turn])), 36, "{text} {turn}");
                }
            }
            let all = rolls(&mut dealer(text, true), 30..60, 3);
            for turn in 0..3 {
                assert_eq!(distinct(all.iter().map(|g| g[turn])), 30, "{text} {turn}");
            }
        }
    }

    /// Anthon's quasi-random ranks: every source deals ranks like rolls, from separate streams.
    #[test]
    fn ranks_are_stratified_as_rolls_are() {
        let ranks = |text: &str, trials: std::ops::Range<u64>, turns: usize| -> Vec<Vec<u8>> {
            let mut dealer = dealer(text, false);
            let mut game = |trial| {
                let mut dice = dealer.deal(KEY, Purpose::Ranks, trial);
                let turn = |_| {
                    let rank = dice.number();
                    dice.tie_break();
                    rank
                };
                (0..turns).map(turn).collect()
            };
            trials.map(&mut game).collect()
        };
        for (text, turns) in [("rotation", 1), ("stratified=3", 3), ("decks", DEALT)] {
            for block in [0, 7] {
                let all = ranks(text, 36 * block..36 * (block + 1), turns);
                for turn in 0..turns {
                    assert_eq!(distinct(all.iter().map(|g| g[turn])), 36, "{text} {turn}");
                }
            }
        }
        let pairs = ranks("stratified=2", 0..1296, 2);
        assert_eq!(distinct(pairs.iter().map(|g| (g[0], g[1]))), 1296);
        // Numbers that are not prescribed differ from the rolls of the same trial.
        let free = ranks("rotation", 0..36, 12);
        let rolls = rolls(&mut dealer("rotation", false), 0..36, 12);
        assert!(free.iter().zip(&rolls).all(|(a, b)| a[1..] != b[1..]));
    }

    #[test]
    fn sobol_points_fill_each_turn_evenly() {
        let all = rolls(&mut dealer("sobol", false), 128..256, 40);
        for net in all.chunks(SOBOL_BLOCK as usize) {
            for turn in 0..40 {
                let mut seen = [0; 36];
                net.iter().for_each(|g| seen[usize::from(g[turn])] += 1);
                // 32 points, one in each 32nd of the axis: a 36th has at most two of them.
                assert!(seen.iter().all(|n| *n <= 2), "{turn}: {seen:?}");
                let none = seen.iter().filter(|n| **n == 0).count();
                assert!((4..=12).contains(&none), "{turn}: {seen:?}");
            }
        }
    }

    /// The rolls of a trial do not depend on earlier deals, and no source prefers a roll or a pair of rolls.
    #[test]
    fn every_source_is_fair_and_knows_only_its_trial() {
        for text in [
            "random",
            "rotation",
            "stratified=1",
            "cross",
            "stratified=4",
            "decks",
            "cross+decks",
            "sobol",
        ] {
            for initial in [false, true] {
                let mut forward = dealer(text, initial);
                let all = rolls(&mut forward, 0..300, 70);
                for trial in [299, 0, 150, 36, 35] {
                    let fresh = rolls(&mut dealer(text, initial), trial..trial + 1, 70);
                    assert_eq!(all[trial as usize], fresh[0], "{text} {trial}");
                }
                let (mut first, mut second) = ([0u32; 36], [0u32; 36]);
                let mut pairs = vec![0u32; 1296];
                let mut dealer = dealer(text, initial);
                for seed in 0..200 {
                    let key = StreamKey { seed, candidate: 1 };
                    for trial in 0..1080 / 2 {
                        let mut dice = dealer.deal(key, Purpose::Rolls, trial);
                        let (a, b) = (dice.number(), dice.number());
                        first[usize::from(a)] += 1;
                        second[usize::from(b)] += 1;
                        pairs[usize::from(a) * 36 + usize::from(b)] += 1;
                    }
                }
                let total = 200.0 * 540.0;
                for (n, &count) in first.iter().enumerate() {
                    let cells = if initial { 30.0 } else { 36.0 };
                    let out = initial && n / 6 == n % 6;
                    let expected = if out { 0.0 } else { total / cells };
                    // Five deviations of independent draws.
                    let room = 5.0 * f64::sqrt(expected);
                    assert!(
                        (f64::from(count) - expected).abs() <= room,
                        "{text} {n} {count}"
                    );
                }
                for &count in &second {
                    assert!(
                        (f64::from(count) - total / 36.0).abs() < 5.0 * 55.0,
                        "{text}"
                    );
                }
                let cells = if initial { 1080.0 } else { 1296.0 };
                let expected: f64 = total / cells;
                let most = pairs.iter().max().copied().unwrap_or(0);
                assert!(
                    f64::from(most) < expected + 6.5 * expected.sqrt(),
                    "{text} {most}"
                );
            }
        }
    }

    #[test]
    fn prescribed_games_go_on_at_random() {
        let prescribed = Arc::new(PrescribedDice::parse("31 66\n11\n", false).unwrap());
        let mut dealer = Dealer::new(prescribed.source(), false, Some(prescribed));
        let games = rolls(&mut dealer, 0..2, 30);
        assert_eq!(games[0][..2], [12, 35]);
        assert_eq!(games[1][0], 0);
        assert_ne!(games[0][2..12], games[1][2..12]);
    }
}
