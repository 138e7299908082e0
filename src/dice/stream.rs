//! Uniform numbers from 0 to 35, by counter.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::game::Roll;
use crate::game::roll::ORDERED;

/// What a stream is for: streams of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Rolls.
    Rolls,
    /// Ranks of rolls.
    Ranks,
    /// The order of the first numbers of a block.
    Rotation,
}

/// What the streams of one rollout are keyed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The seed of the rollout.
    pub seed: u64,
    /// The strand whose dice these are; 0 for dice that strands share.
    pub strand: u64,
}

impl Key {
    fn generator(self, purpose: Purpose, stream: u64) -> ChaCha8Rng {
        let tag: [u8; 8] = match purpose {
            Purpose::Rolls => *b"rolls\0\0\0",
            Purpose::Ranks => *b"ranks\0\0\0",
            Purpose::Rotation => *b"rotation",
        };
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.strand.to_le_bytes());
        key[16..24].copy_from_slice(&tag);
        key[24..].copy_from_slice(b"luckless");
        let mut generator = ChaCha8Rng::from_seed(key);
        generator.set_stream(stream);
        generator
    }
}

/// An exactly uniform number below `n` (at most 2^16): random words beyond the largest multiple
/// of `n` are thrown away.
#[inline]
fn below(generator: &mut ChaCha8Rng, n: u32) -> u32 {
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
    generator: ChaCha8Rng,
    first: Option<u8>,
}

impl Dice {
    /// The stream of trial `trial`; `first`, if given, is its first number (0 to 35).
    #[must_use]
    pub fn new(key: Key, purpose: Purpose, trial: u64, first: Option<u8>) -> Self {
        Self {
            generator: key.generator(purpose, trial),
            first,
        }
    }

    /// The next number, 0 to 35, each equally likely.
    #[inline]
    pub fn number(&mut self) -> u8 {
        match self.first.take() {
            Some(first) => first,
            None => below(&mut self.generator, ORDERED as u32) as u8,
        }
    }

    /// The next number as a roll.
    #[inline]
    pub fn roll(&mut self) -> Roll {
        Roll::ordered(usize::from(self.number()))
    }

    /// A random number for breaking ties, independent of the numbers of the stream.
    #[inline]
    pub fn tie_break(&mut self) -> u64 {
        self.generator.next_u64()
    }
}

/// The first numbers of the 36 trials of block `block`: each of 0 to 35 once, every order equally
/// likely (Fisher & Yates; Durstenfeld, *Random permutation*, CACM 7, 1964).
#[must_use]
pub fn rotation(key: Key, block: u64) -> [u8; ORDERED] {
    let mut generator = key.generator(Purpose::Rotation, block);
    let mut order: [u8; ORDERED] = std::array::from_fn(|i| i as u8);
    for last in (1..ORDERED).rev() {
        order.swap(last, below(&mut generator, last as u32 + 1) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: Key = Key { seed: 7, strand: 0 };

    fn numbers(key: Key, purpose: Purpose, trial: u64) -> Vec<u8> {
        let mut dice = Dice::new(key, purpose, trial, None);
        (0..40).map(|_| dice.number()).collect()
    }

    /// Pearson's statistic of counts that should be equal.
    fn chi_squared(counts: &[u32]) -> f64 {
        let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
        let square = |&c: &u32| (f64::from(c) - expected).powi(2) / expected;
        counts.iter().map(square).sum()
    }

    #[test]
    fn a_trial_has_its_numbers_and_no_other_has_them() {
        let base = numbers(KEY, Purpose::Rolls, 5);
        assert_eq!(base, numbers(KEY, Purpose::Rolls, 5));
        assert_ne!(base, numbers(KEY, Purpose::Rolls, 6));
        assert_ne!(base, numbers(KEY, Purpose::Ranks, 5));
        assert_ne!(base, numbers(Key { seed: 8, ..KEY }, Purpose::Rolls, 5));
        assert_ne!(base, numbers(Key { strand: 1, ..KEY }, Purpose::Rolls, 5));
    }

    /// What seeds mean may never change unnoticed: rollouts would not repeat.
    #[test]
    fn the_numbers_of_seed_1_stay_what_they_are() {
        let key = Key { seed: 1, strand: 0 };
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
            let mut dice = Dice::new(KEY, Purpose::Rolls, trial, None);
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
        assert_ne!(rotation(KEY, 0), rotation(Key { strand: 1, ..KEY }, 0));
    }

    #[test]
    fn a_prescribed_first_number_comes_first_and_once() {
        let mut free = Dice::new(KEY, Purpose::Rolls, 3, None);
        let mut fixed = Dice::new(KEY, Purpose::Rolls, 3, Some(17));
        assert_eq!(fixed.number(), 17);
        for _ in 0..20 {
            assert_eq!(fixed.number(), free.number());
        }
    }
}
