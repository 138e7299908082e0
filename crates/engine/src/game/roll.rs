//! A roll of two dice.

use std::fmt;
use std::ops::{AddAssign, Div, Mul};
use std::str::FromStr;

use thiserror::Error;

use crate::sanitize;

/// A roll: two dice, the higher first. Twenty-one are distinct; thirty-six are equally likely.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Roll {
    high: u8,
    low: u8,
}

/// Why a text is not a roll.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is not a roll: expected two dice from 1 to 6, such as 31")]
pub struct RollError {
    text: String,
}

/// Number of distinct rolls.
pub const DISTINCT: usize = 21;
/// Number of equally likely ordered rolls.
pub const ORDERED: usize = 36;

impl Roll {
    /// Creates the roll of dice `a` and `b`, in either order; `None` unless both are 1 to 6.
    pub const fn new(a: u8, b: u8) -> Option<Self> {
        if a < 1 || a > 6 || b < 1 || b > 6 {
            return None;
        }
        Some(if a >= b {
            Self { high: a, low: b }
        } else {
            Self { high: b, low: a }
        })
    }

    /// All 21 rolls, by higher die and then by lower: 11, 21, 22, 31, … 66. [`Roll::index`] returns the index
    /// in this list.
    pub const ALL: [Self; DISTINCT] = {
        let mut all = [Self { high: 1, low: 1 }; DISTINCT];
        let (mut high, mut i) = (1, 0);
        while high <= 6 {
            let mut low = 1;
            while low <= high {
                all[i] = Self { high, low };
                i += 1;
                low += 1;
            }
            high += 1;
        }
        all
    };

    /// Returns roll `n` (0 to 35) of the 36 ordered rolls: first die `n / 6 + 1`, second die `n % 6 + 1`.
    #[inline]
    pub const fn ordered(n: usize) -> Self {
        let (a, b) = ((n / 6) as u8 % 6 + 1, (n % 6) as u8 + 1);
        if a >= b {
            Self { high: a, low: b }
        } else {
            Self { high: b, low: a }
        }
    }

    /// Returns the higher die.
    #[inline]
    pub const fn high(self) -> u8 {
        self.high
    }

    /// Returns the lower die.
    #[inline]
    pub const fn low(self) -> u8 {
        self.low
    }

    /// Returns whether both dice are equal.
    #[inline]
    pub const fn is_double(self) -> bool {
        self.high == self.low
    }

    /// Returns the index in [`Roll::ALL`], 0 to 20.
    #[inline]
    pub const fn index(self) -> usize {
        let h = self.high as usize;
        h * (h - 1) / 2 + self.low as usize - 1
    }

    /// Returns how many of the 36 ordered rolls this is: 1 for a double, otherwise 2.
    #[inline]
    pub const fn weight(self) -> u32 {
        if self.is_double() { 1 } else { 2 }
    }

    /// Returns the pips of the roll if all of it can be played.
    pub const fn pips(self) -> u32 {
        let sum = self.high as u32 + self.low as u32;
        if self.is_double() { 2 * sum } else { sum }
    }
}

/// Returns the mean over the 36 ordered rolls of figures given for each of [`Roll::ALL`], in that order.
pub fn mean<T, const N: usize>(values: impl IntoIterator<Item = [T; N]>) -> [T; N]
where
    T: Copy + Default + From<u8> + AddAssign + Mul<Output = T> + Div<Output = T>,
{
    let weights = Roll::ALL.map(|roll| T::from(roll.weight() as u8));
    weighted_mean(&weights, T::from(ORDERED as u8), values)
}

/// Returns the mean over the possible rolls. `weights`: how many ordered rolls each of the 21 stands for.
/// `total`: their sum.
#[inline]
pub fn weighted_mean<T, const N: usize>(
    weights: &[T; DISTINCT],
    total: T,
    values: impl IntoIterator<Item = [T; N]>,
) -> [T; N]
where
    T: Copy + Default + AddAssign + Mul<Output = T> + Div<Output = T>,
{
    let mut sum = [T::default(); N];
    for (value, &weight) in values.into_iter().zip(weights) {
        for (s, v) in sum.iter_mut().zip(value) {
            *s += weight * v;
        }
    }
    sum.map(|s| s / total)
}

/// Returns the mean of values for only some rolls, each with the number of ordered rolls it stands for.
#[inline]
pub fn mean_by_weight<T>(values: impl IntoIterator<Item = (T, T)>) -> T
where
    T: Copy + Default + AddAssign + Mul<Output = T> + Div<Output = T>,
{
    let (mut sum, mut total) = (T::default(), T::default());
    for (value, weight) in values {
        sum += weight * value;
        total += weight;
    }
    sum / total
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.high, self.low)
    }
}

impl fmt::Debug for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Roll {
    type Err = RollError;

    /// Parses `31`, `3-1`, `3,1` or `3 1`.
    fn from_str(text: &str) -> Result<Self, RollError> {
        let dice = match *text.trim().as_bytes() {
            [a, b] | [a, b'-' | b',' | b' ', b] => Some([a, b].map(|die| die.wrapping_sub(b'0'))),
            _ => None,
        };
        let roll = dice.and_then(|[a, b]| Self::new(a, b));
        roll.ok_or_else(|| RollError {
            text: sanitize::clean_at_most(text, 20),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_and_weights_cover_the_36_rolls() {
        for (i, roll) in Roll::ALL.iter().enumerate() {
            assert_eq!(roll.index(), i);
        }
        assert_eq!(Roll::ALL.iter().map(|r| r.weight()).sum::<u32>(), 36);
        let mut seen = [0u32; DISTINCT];
        for n in 0..ORDERED {
            seen[Roll::ordered(n).index()] += 1;
        }
        for (roll, n) in Roll::ALL.iter().zip(seen) {
            assert_eq!(roll.weight(), n, "{roll}");
        }
    }

    #[test]
    fn means_are_over_the_ordered_rolls() {
        let pips = |roll: &Roll| f64::from(roll.pips());
        let counted: f64 = (0..ORDERED).map(|n| pips(&Roll::ordered(n))).sum();
        let [mean, ones] = mean(Roll::ALL.iter().map(|roll| [pips(roll), 1.0]));
        assert_eq!((mean, ones), (counted / 36.0, 1.0));
        // Without doubles the mean of two dice is seven pips.
        let weights = Roll::ALL.map(|roll| if roll.is_double() { 0.0f32 } else { 2.0 });
        let pips = Roll::ALL.map(|roll| [roll.pips() as f32]);
        assert_eq!(weighted_mean(&weights, 30.0, pips), [7.0]);
        let pairs = pips.into_iter().zip(weights);
        assert_eq!(
            mean_by_weight(pairs.map(|([pips], weight)| (pips, weight))),
            7.0
        );
    }

    #[test]
    fn text() {
        assert_eq!("13".parse::<Roll>().unwrap().to_string(), "31");
        assert_eq!("6-4".parse::<Roll>().unwrap(), Roll::new(4, 6).unwrap());
        for bad in ["", "0", "07", "333", "3x", "\u{1b}1"] {
            assert!(bad.parse::<Roll>().is_err(), "{bad:?}");
        }
    }
}
