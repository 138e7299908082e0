//! Intervals without approximation, for observations within bounds that are known beforehand.
//!
//! Whoever bets on each observation being above m, at fair odds if m is the mean, cannot expect to
//! grow rich; where the bets succeed, m is refuted. With observations x between 0 and 1 and stakes
//! λ_t that are fixed before x_t is seen, Waudby-Smith & Ramdas (*Estimating means of bounded
//! random variables by betting*, JRSS B 86, 2024, theorem 2) get the interval
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
//! as well, and is what is kept. The observations are means of blocks.

use serde::{Deserialize, Serialize};

use super::interval::ALPHA;

/// Largest stake.
const MOST: f64 = 0.5;

/// The running interval for the mean of observations between `low` and `high`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bets {
    low: f64,
    high: f64,
    n: u64,
    sum: f64,
    squares: f64,
    stakes: f64,
    staked: f64,
    cost: f64,
    inside: [f64; 2],
}

impl Bets {
    /// No observations yet. The bounds must not depend on the observations.
    #[must_use]
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
            inside: [0.0, 1.0],
        }
    }

    /// Takes in one observation; one beyond the bounds by a rounding error is put on them.
    pub fn push(&mut self, x: f64) {
        let x = ((x - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        let t = (self.n + 1) as f64;
        let odds = (2.0 / ALPHA).ln();
        // Both fixed before x: from the n = t - 1 observations so far.
        let before = (0.5 + self.sum) / t;
        let variance = (0.25 + self.squares) / t;
        let stake = (2.0 * odds / (variance * t * t.ln_1p())).sqrt().min(MOST);
        self.cost += (x - before).powi(2) * (-(-stake).ln_1p() - stake);
        self.stakes += stake;
        self.staked += stake * x;
        self.n += 1;
        self.sum += x;
        let mean = (0.5 + self.sum) / (t + 1.0);
        self.squares += (x - mean).powi(2);
        let centre = self.staked / self.stakes;
        let radius = (odds + self.cost) / self.stakes;
        self.inside[0] = self.inside[0].max(centre - radius);
        self.inside[1] = self.inside[1].min(centre + radius);
    }

    /// The interval: 95%, at all times at once.
    #[must_use]
    pub fn interval(&self) -> [f64; 2] {
        let scale = |u: f64| self.low + u * (self.high - self.low);
        let [a, b] = self.inside;
        // Ends that have crossed (one time in twenty at most) leave a point.
        [scale(a.min(b)), scale(b.max(a))]
    }

    /// Observations so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.n
    }

    /// Whether these can be bets on real observations: for what comes from a file.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let all = [
            self.low,
            self.high,
            self.sum,
            self.squares,
            self.stakes,
            self.staked,
            self.cost,
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
                    let mut bets = Bets::new(-6.0, 6.0);
                    (0..300).all(|_| {
                        bets.push(12.0 * draw(&mut rng) - 6.0);
                        let [low, high] = bets.interval();
                        let truth = 12.0 * mean - 6.0;
                        low <= truth && truth <= high
                    })
                })
                .count();
            assert!(held >= 371, "{mean} {held}");
        }
    }

    #[test]
    fn it_narrows_with_the_spread_and_not_only_with_the_bounds() {
        let width = |spread: f64| {
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let mut bets = Bets::new(0.0, 1.0);
            (0..2000).for_each(|_| bets.push(0.5 + spread * (unit(&mut rng) - 0.5)));
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
        assert_eq!(Bets::new(-3.0, 3.0).interval(), [-3.0, 3.0]);
    }
}
