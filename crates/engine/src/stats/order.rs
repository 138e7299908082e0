//! An interval from the order statistics, for independent observations within known bounds.
//!
//! O. Riordan, *Bot comparison: money play or matches?*, rec.games.backgammon, July 2003. Sort the
//! observations, Z_1 ≤ … ≤ Z_n, and choose p_1 ≤ … ≤ p_n. With the chance wanted, at least the share
//! p_i of the true distribution must lie at or below Z_i for all i at once. The mean is then at most
//!
//! ```text
//! p_1 Z_1 + Σ (p_i − p_{i−1}) Z_i + (1 − p_n) high
//! ```
//!
//! and at least the same from the other end. He tunes the p_i to a guess of the distribution. Here
//! p_i = i/n − ε with ε = √( ln(2/α) / 2n ) for each end. The constant is that of Massart (*The tight
//! constant in the Dvoretzky-Kiefer-Wolfowitz inequality*, Annals of Probability 18, 1990). It needs
//! no guess and no approximation (Anderson, 1969). For a fixed sample, not anytime-valid.

use super::interval::ALPHA;
use super::portable::ln;

/// The 95% interval for the mean of what the sorted observations are drawn from, all of it between
/// `low` and `high`.
pub fn interval(sorted: &[f64], low: f64, high: f64) -> [f64; 2] {
    let n = sorted.len() as f64;
    if sorted.is_empty() {
        return [low, high];
    }
    let gap = (ln(2.0 / ALPHA) / (2.0 * n)).sqrt();
    let bound = |values: &mut dyn Iterator<Item = f64>, far: f64| {
        let (mut sum, mut share) = (0.0, 0.0);
        for (i, z) in values.enumerate() {
            let next = ((i + 1) as f64 / n - gap).max(0.0);
            sum += (next - share) * z;
            share = next;
        }
        sum + (1.0 - share) * far
    };
    let upper = bound(&mut sorted.iter().copied(), high);
    let lower = bound(&mut sorted.iter().rev().copied(), low);
    [lower.max(low), upper.min(high)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    #[test]
    fn worked_by_hand() {
        // 200 equal observations: the share ε may lie at either bound.
        let gap = (40f64.ln() / 400.0).sqrt();
        let [low, high] = interval(&[0.25; 200], 0.0, 1.0);
        assert!((high - (0.25 * (1.0 - gap) + gap)).abs() < 1e-12);
        assert!((low - 0.25 * (1.0 - gap)).abs() < 1e-12);
        assert_eq!(interval(&[], -1.0, 2.0), [-1.0, 2.0]);
    }

    #[test]
    fn it_holds_for_rare_outliers() {
        let held = (0..500)
            .filter(|&run| {
                let mut rng = ChaCha8Rng::seed_from_u64(run);
                let mut draw = || f64::from(u8::from(rng.next_u32() < u32::MAX / 200));
                let mut all: Vec<f64> = (0..150).map(|_| draw()).collect();
                all.sort_by(f64::total_cmp);
                let [low, high] = interval(&all, 0.0, 1.0);
                low <= 0.005 && 0.005 <= high
            })
            .count();
        assert!(held >= 465, "{held}");
    }
}
