//! Intervals without approximation, for observations within bounds that are known beforehand.
//!
//! The predictable plug-in empirical-Bernstein confidence sequence. For each m there is a
//! non-negative supermartingale that starts at 1 if m is the mean; once it has reached 2/α, m is
//! excluded (Ville's inequality). Take observations x between 0 and 1 and tuning values λ_t that are
//! fixed before x_t is seen. Waudby-Smith & Ramdas (*Estimating means of bounded random variables by
//! betting*, JRSS B 86, 2024, theorem 2) then get the interval
//!
//! ```text
//! ( Σ λ_i x_i  ±  ( ln(2/α) + Σ v_i ψ(λ_i) ) ) / Σ λ_i
//! v_i = 4 (x_i − μ_{i−1})²      ψ(λ) = ( −ln(1 − λ) − λ ) / 4
//! λ_t = min( ½, √( 2 ln(2/α) / (s²_{t−1} t ln(1 + t)) ) )
//! μ_t = (½ + Σ x_i) / (t + 1)    s²_t = (¼ + Σ (x_i − μ_i)²) / (t + 1)
//! ```
//!
//! which holds at all t at once with chance 1 − α, for *every* distribution on 0 to 1, however
//! skewed, and however rare the outliers that have not been seen yet. Its intersection over t holds
//! as well, and is what is kept.
//!
//! *Blocks.* Observations that draw one from each of k strata of equal weight are not alike, but
//! their means μ_i average to m. What makes the interval hold is that each factor
//! exp(λ(x − m) − vψ(λ)) has a mean of at most exp(λ(μ_i − m)). Take one stake λ for the whole block,
//! and observations that are independent given their strata. The product over the block then has a
//! mean of at most exp(λ Σ(μ_i − m)) = 1. So the stake changes at the ends of blocks only, and the
//! interval is read there. Where observations of a block are not independent, the mean of the block
//! is the observation.
//!
//! *Between blocks* the mean must be m whatever came before. Blocks that are drawn without replacement
//! ([`Design::latin_period`](super::Design::latin_period)) do not have that. There the interval is neither
//! proved nor measured.

use serde::{Deserialize, Serialize};

use super::Design;
use super::interval::ALPHA;
use super::portable::{ln, ln_1p, square};

const LARGEST_STAKE: f64 = 0.5;

/// The running interval for the mean of observations between `low` and `high`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BettingInterval {
    low: f64,
    high: f64,
    n: u64,
    sum: f64,
    squares: f64,
    stakes: f64,
    staked: f64,
    cost: f64,
    stake: f64,
    inside: [f64; 2],
}

/// The logarithm of the threshold 2/α, for each of the two ends.
fn odds() -> f64 {
    ln(2.0 / ALPHA)
}

impl BettingInterval {
    /// An interval without observations yet. The bounds must not depend on the observations.
    pub fn new(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            n: 0,
            sum: 0.0,
            squares: 0.0,
            stakes: 0.0,
            staked: 0.0,
            cost: 0.0,
            stake: LARGEST_STAKE,
            inside: [0.0, 1.0],
        }
    }

    /// Takes in one observation of the open block; one beyond the bounds by a rounding error is put
    /// on them.
    #[inline]
    pub fn push(&mut self, x: f64) {
        let x = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        // Fixed before x, from the observations so far.
        let before = (0.5 + self.sum) / (self.n + 1) as f64;
        self.cost += square(x - before) * (-ln_1p(-self.stake) - self.stake);
        self.stakes += self.stake;
        self.staked += self.stake * x;
        self.n += 1;
        self.sum += x;
        let mean = (0.5 + self.sum) / (self.n + 1) as f64;
        self.squares += square(x - mean);
    }

    /// Takes in the next observation of a run of this design. `mean` is that of the block, if the
    /// observation completes one. Where the observations of a block depend on each other, their mean is
    /// the observation.
    #[inline]
    pub fn push_in(&mut self, design: &Design, x: f64, mean: Option<f64>) {
        if design.product {
            self.push(x);
        } else if let Some(mean) = mean {
            self.push(mean);
        }
        if mean.is_some() {
            self.close();
        }
    }

    /// Ends the block: reads the interval, and fixes the stake for the next one.
    pub fn close(&mut self) {
        let t = (self.n + 1) as f64;
        let centre = self.staked / self.stakes;
        let radius = (odds() + self.cost) / self.stakes;
        self.inside[0] = self.inside[0].max(centre - radius);
        self.inside[1] = self.inside[1].min(centre + radius);
        let variance = (0.25 + self.squares) / t;
        self.stake = (2.0 * odds() / (variance * t * ln_1p(t)))
            .sqrt()
            .min(LARGEST_STAKE);
    }

    /// The interval: 95%, at all times at once. Where the intervals of two times have nothing in common, one of
    /// them has missed. That happens one time in twenty at most. Then what lies between the ends that have
    /// crossed is given: no width at all would look exact.
    pub fn interval(&self) -> [f64; 2] {
        let scale = |u: f64| self.low + u * (self.high - self.low);
        let [a, b] = self.inside;
        [scale(a.min(b)), scale(b.max(a))]
    }

    /// Observations so far.
    pub fn count(&self) -> u64 {
        self.n
    }

    /// Whether these can be bets on real observations: for what comes from a file.
    pub fn is_sound(&self) -> bool {
        let all = [
            self.low,
            self.high,
            self.sum,
            self.squares,
            self.stakes,
            self.staked,
            self.cost,
            self.stake,
            self.inside[0],
            self.inside[1],
        ];
        all.iter().all(|x| x.is_finite()) && self.low < self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    fn unit(rng: &mut ChaCha8Rng) -> f64 {
        (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A rare outlier that most runs do not see: the case that breaks Student's interval.
    #[test]
    fn it_holds_at_all_looks_whatever_the_distribution() {
        type Draw = fn(&mut ChaCha8Rng) -> f64;
        let draws: [(Draw, f64); 3] = [
            (|r| f64::from(u8::from(unit(r) < 0.004)), 0.004),
            (unit, 0.5),
            (|r| 0.5 + 0.02 * (unit(r) - 0.5), 0.5),
        ];
        for (draw, mean) in draws {
            let held = (0..400)
                .filter(|&run| {
                    let mut rng = ChaCha8Rng::seed_from_u64(run);
                    let mut bets = BettingInterval::new(-6.0, 6.0);
                    (0..300).all(|_| {
                        bets.push(12.0 * draw(&mut rng) - 6.0);
                        bets.close();
                        let [low, high] = bets.interval();
                        let truth = 12.0 * mean - 6.0;
                        low <= truth && truth <= high
                    })
                })
                .count();
            assert!(held >= 371, "{mean} {held}");
        }
    }

    /// Blocks that draw one observation from each of twelve strata with means of their own.
    #[test]
    fn it_holds_for_stratified_blocks() {
        let held = (0..400)
            .filter(|&run| {
                let mut rng = ChaCha8Rng::seed_from_u64(run);
                let mut bets = BettingInterval::new(0.0, 1.0);
                (0..60).all(|_| {
                    for stratum in 0..12 {
                        let chance = 0.02 + f64::from(stratum) / 24.0;
                        bets.push(f64::from(u8::from(unit(&mut rng) < chance)));
                    }
                    bets.close();
                    let [low, high] = bets.interval();
                    let truth = 0.02 + 5.5 / 24.0;
                    low <= truth && truth <= high
                })
            })
            .count();
        assert!(held >= 371, "{held}");
    }

    /// Nothing that keeps its mean does this but by chance.
    #[test]
    fn ends_that_have_crossed_leave_what_lies_between_them() {
        let mut bets = BettingInterval::new(0.0, 1.0);
        let mut push = |x, times| {
            for _ in 0..times {
                bets.push(x);
                bets.close();
            }
            bets.interval()
        };
        let low = push(0.0, 400)[1];
        let [from, to] = push(1.0, 4000);
        assert!(low < 0.05 && from <= low && to > 0.5, "{low} {from} {to}");
    }

    #[test]
    fn it_narrows_with_the_spread_and_not_only_with_the_bounds() {
        let width = |spread: f64| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut bets = BettingInterval::new(0.0, 1.0);
            for _ in 0..2000 {
                bets.push(0.5 + spread * (unit(&mut rng) - 0.5));
                bets.close();
            }
            let [low, high] = bets.interval();
            assert!(low <= 0.5 && 0.5 <= high && bets.is_sound());
            high - low
        };
        assert!(
            width(1.0) < 0.07 && width(0.05) < 0.02,
            "{} {}",
            width(1.0),
            width(0.05)
        );
        assert_eq!(BettingInterval::new(-3.0, 3.0).interval(), [-3.0, 3.0]);
    }
}
