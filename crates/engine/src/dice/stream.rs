//! Uniform numbers from 0 to 35, from counter-based streams.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::game::Roll;
use crate::game::roll::ORDERED;

/// Number of trials in a Sobol' net. The scrambles are independent replicates, and the error follows only
/// from their spread (P. L'Ecuyer, *Randomized quasi-Monte Carlo: an introduction for practitioners*, 2018).
/// Nets of 128 balance slightly more, but a rollout of a few hundred trials has only two or three of them.
pub const SOBOL_BLOCK: u64 = 32;
/// Maximum number of prescribed rolls of a trial.
pub(super) const HEAD: usize = 128;

/// Number of leading numbers that the statistics use, if they are prescribed.
pub const COUNTED: usize = 4;

/// The purpose of a stream; streams with different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Rolls,
    /// Ranks of rolls.
    Ranks,
    /// The order of the first numbers in a block.
    Rotation,
    /// The order of the first numbers in all blocks.
    Order,
    /// The orders in a full set of stratified numbers.
    Strata,
    /// Decks of cards.
    Decks,
    /// Scrambles of a Sobol' net.
    Sobol,
}

/// The key of the streams of one rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamKey {
    pub seed: u64,
    /// The candidate, if its dice are separate; 0 for dice shared by candidates.
    pub candidate: u64,
}

impl StreamKey {
    pub(super) fn generator(self, purpose: Purpose, stream: u64) -> ChaCha8Rng {
        let tag: [u8; 8] = match purpose {
            Purpose::Rolls => *b"rolls\0\0\0",
            Purpose::Ranks => *b"ranks\0\0\0",
            Purpose::Rotation => *b"rotation",
            Purpose::Order => *b"order\0\0\0",
            Purpose::Strata => *b"strata\0\0",
            Purpose::Decks => *b"decks\0\0\0",
            Purpose::Sobol => *b"sobol\0\0\0",
        };
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.candidate.to_le_bytes());
        key[16..24].copy_from_slice(&tag);
        key[24..].copy_from_slice(b"luckless");
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        generator
    }
}

/// Returns an exactly uniform number below `n` (at most 2^16): random words beyond the largest multiple of
/// `n` are rejected.
#[inline]
pub(super) fn below(generator: &mut ChaCha8Rng, n: u32) -> u32 {
    let limit = u32::MAX - u32::MAX % n;
    loop {
        let word = generator.next_u32();
        if word < limit {
            return word % n;
        }
    }
}

/// The numbers of one trial, turn by turn.
#[derive(Clone, Debug)]
pub struct Dice {
    pub(super) generator: ChaCha8Rng,
    pub(super) head: [u8; HEAD],
    /// Number of prescribed numbers.
    pub(super) known: u8,
    next: u8,
}

impl Dice {
    /// Creates the stream of trial `trial` without prescribed numbers.
    pub fn new(key: StreamKey, purpose: Purpose, trial: u64) -> Self {
        Self {
            generator: key.generator(purpose, trial),
            head: [0; HEAD],
            known: 0,
            next: 0,
        }
    }

    /// Returns the next number, 0 to 35, uniformly distributed.
    #[inline]
    pub fn number(&mut self) -> u8 {
        if self.next < self.known {
            self.next += 1;
            return self.head[usize::from(self.next) - 1];
        }
        below(&mut self.generator, ORDERED as u32) as u8
    }

    /// Returns the first numbers; 0 if not prescribed.
    #[inline]
    pub fn prescribed(&self) -> [u8; COUNTED] {
        let known = usize::from(self.known);
        std::array::from_fn(|i| if i < known { self.head[i] } else { 0 })
    }

    /// Returns the next number as a roll.
    #[inline]
    pub fn roll(&mut self) -> Roll {
        Roll::ordered(usize::from(self.number()))
    }

    /// Returns a random number for breaking ties, independent of the numbers of the stream.
    #[inline]
    pub fn tie_break(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

/// Returns the first numbers of the 36 trials of block `block`: each of 0 to 35 once, in a random order.
pub fn rotation(key: StreamKey, block: u64) -> [u8; ORDERED] {
    shuffled(&mut key.generator(Purpose::Rotation, block))
}

/// Returns the numbers 0 to 35 in a random order, all orders equally likely (Fisher & Yates; Durstenfeld,
/// *Random permutation*, CACM 7, 1964).
pub(super) fn shuffled(generator: &mut ChaCha8Rng) -> [u8; ORDERED] {
    let mut order: [u8; ORDERED] = std::array::from_fn(|i| i as u8);
    for last in (1..ORDERED).rev() {
        order.swap(last, below(generator, last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: StreamKey = StreamKey {
        seed: 7,
        candidate: 0,
    };

    fn numbers(key: StreamKey, purpose: Purpose, trial: u64) -> Vec<u8> {
        let mut dice = Dice::new(key, purpose, trial);
        (0..40).map(|_| dice.number()).collect()
    }

    /// Returns Pearson's statistic for counts that should be equal.
    fn chi_squared(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        let square = |&c: &u32| (f64::from(c) - expected).powi(2) / expected;
        counts.iter().map(square).sum()
    }

    #[test]
    fn a_trial_has_numbers_of_its_own() {
        let base = numbers(KEY, Purpose::Rolls, 5);
        assert_eq!(base, numbers(KEY, Purpose::Rolls, 5));
        assert_ne!(base, numbers(KEY, Purpose::Rolls, 6));
        assert_ne!(base, numbers(KEY, Purpose::Ranks, 5));
        assert_ne!(
            base,
            numbers(StreamKey { seed: 8, ..KEY }, Purpose::Rolls, 5)
        );
        assert_ne!(
            base,
            numbers(
                StreamKey {
                    candidate: 1,
                    ..KEY
                },
                Purpose::Rolls,
                5
            )
        );
    }

    /// The numbers of a seed may never change, because rollouts must be reproducible.
    #[test]
    fn the_numbers_of_seed_1_stay_what_they_are() {
        let key = StreamKey {
            seed: 1,
            candidate: 0,
        };
        assert_eq!(
            numbers(key, Purpose::Rolls, 0)[..12],
            [8, 7, 28, 18, 16, 4, 25, 20, 24, 1, 30, 27]
        );
        assert_eq!(rotation(key, 0)[..6], [20, 19, 23, 8, 12, 0]);
    }

    #[test]
    fn numbers_are_uniform_within_and_across_trials() {
        let mut counts = [0; 36];
        let mut pairs = vec![0; 36 * 36];
        for trial in 0..20_000 {
            let mut dice = Dice::new(KEY, Purpose::Rolls, trial);
            let (a, b) = (dice.number(), dice.number());
            counts[usize::from(a)] += 1;
            pairs[usize::from(a) * 36 + usize::from(b)] += 1;
        }
        // Mean 35, deviation 8.4; mean 1295, deviation 51: five deviations allowed.
        assert!((chi_squared(&counts) - 35.0).abs() < 42.0);
        assert!((chi_squared(&pairs) - 1295.0).abs() < 255.0);
    }

    #[test]
    fn rotation_gives_each_number_once_and_every_place_a_fair_share() {
        let mut first = [0; 36];
        for block in 0..7200 {
            let order = rotation(KEY, block);
            let mut sorted = order;
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(i, &n)| usize::from(n) == i));
            first[usize::from(order[0])] += 1;
        }
        assert!((chi_squared(&first) - 35.0).abs() < 42.0);
        assert_ne!(
            rotation(KEY, 0),
            rotation(
                StreamKey {
                    candidate: 1,
                    ..KEY
                },
                0
            )
        );
    }

    #[test]
    fn prescribed_numbers_come_first_and_once() {
        let mut free = Dice::new(KEY, Purpose::Rolls, 3);
        let mut fixed = Dice::new(KEY, Purpose::Rolls, 3);
        fixed.head[..2].copy_from_slice(&[17, 3]);
        fixed.known = 2;
        assert_eq!(fixed.prescribed(), [17, 3, 0, 0]);
        assert_eq!([fixed.number(), fixed.number()], [17, 3]);
        for _ in 0..20 {
            assert_eq!(fixed.number(), free.number());
        }
    }
}
