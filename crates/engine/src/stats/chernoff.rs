//! Chernoff's bound on the tail of a sum of independent terms (H. Chernoff, *A measure of asymptotic
//! efficiency for tests of a hypothesis based on the sum of observations*, 1952): it holds for any number of
//! terms and any distributions.

use super::portable::{exp, ln};

/// Chernoff's bound on the chance that a sum of independent terms reaches `sum`: each term a list of chances
/// and values, none negative.
pub fn chernoff(terms: &[Vec<(f64, f64)>], sum: f64) -> f64 {
    let values = || terms.iter().flatten().map(|(_, value)| *value);
    let largest = values().fold(0.0, f64::max);
    let mean: f64 = terms.iter().flatten().map(|(p, value)| p * value).sum();
    if sum <= mean {
        return 1.0;
    }
    if largest <= 0.0 {
        return 0.0;
    }
    let exponent = |t: f64| {
        let log_mean = |term: &Vec<(f64, f64)>| {
            let top = term.iter().map(|(_, value)| *value).fold(0.0, f64::max);
            let all: f64 = term
                .iter()
                .map(|(p, value)| p * exp(t * (value - top)))
                .sum();
            t * top + ln(all.max(1e-300))
        };
        terms.iter().map(log_mean).sum::<f64>() - t * sum
    };
    // Convex in t: the smallest value lies between the golden cuts.
    let (mut low, mut high) = (0.0, 200.0 / largest);
    let golden = 0.618_033_988_749_894_9;
    for _ in 0..80 {
        let a = high - golden * (high - low);
        let b = low + golden * (high - low);
        if exponent(a) < exponent(b) {
            high = b;
        } else {
            low = a;
        }
    }
    exp(exponent(0.5 * (low + high)).min(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bound is above the chance itself: of a binomial, summed.
    #[test]
    fn the_bound_holds() {
        let (n, p) = (30usize, 0.3);
        let terms = vec![vec![(1.0 - p, 0.0), (p, 1.0)]; n];
        let mut chances = vec![1.0];
        for _ in 0..n {
            let mut next = vec![0.0; chances.len() + 1];
            for (k, chance) in chances.iter().enumerate() {
                next[k] += chance * (1.0 - p);
                next[k + 1] += chance * p;
            }
            chances = next;
        }
        for k in 10..=n {
            let tail: f64 = chances[k..].iter().sum();
            let bound = chernoff(&terms, k as f64);
            assert!(bound >= tail * (1.0 - 1e-9), "{k}: {bound} < {tail}");
            assert!(bound <= 60.0 * tail + 1e-12, "{k}: {bound} ≫ {tail}");
        }
        assert!((chernoff(&terms, 9.0) - 1.0).abs() < 1e-12);
        assert_eq!(chernoff(&[], 1.0), 0.0);
    }
}
