//! Riordan's interval with probabilities chosen for a guess of the distribution.
//!
//! See [`order`](super::order) for what the interval is. Its probabilities may depend on anything but the
//! observations: he guesses the distribution from a part of the data and chooses those that make the
//! expected bound least. Here claims are made at some ranks r of the n observations. The share of the
//! distribution at or below the observation of rank r is claimed to be at least p_r, the δ_r-quantile of a
//! Beta(r, n − r + 1), for
//!
//! ```text
//! δ_r = c ( (4 u (1 − u))^a + b / (n + 1 − r) )        u = r / (n + 1)
//! ```
//!
//! The larger `b`, the more is spent on the far end, where the bound M may be much further out than the
//! largest observation. For each of a few (a, b) the factor c makes α/2 the chance that any claim fails.
//! That is exact: a claim fails if more than r − 1 of n uniform numbers lie below p_r, and these counts are a
//! Markov chain. (Above 5,000 observations the δ simply sum to α/2.) The (a, b) with the least expected bound
//!
//! ```text
//! M − Σ p_k (Z_{k+1} − Z_k)        Z the guessed observations at the ranks; after the last: M
//! ```
//!
//! is taken.

use super::interval::ALPHA;
use super::portable::{beta_quantile, exp, ln, ln_gamma};

/// Neighbouring ranks are at most one in so many of all observations apart.
const WIDEST_STEP: usize = 40;
/// The weights that are tried: `a`, then `b`.
const CENTRES: [f64; 2] = [0.5, 1.5];
const TAILS: [f64; 5] = [0.3, 1.0, 3.0, 10.0, 100.0];
const SHAPES: usize = CENTRES.len() * TAILS.len();
/// Most observations for which the chance that any claim fails is computed; of more, the sum of all δ stands
/// in for it.
const MOST_CALIBRATED: usize = 5_000;
/// Chances below this are left out, to the side of safety.
const NEGLIGIBLE: f64 = 1e-14;

/// Ranks and the shares that are claimed at them.
type Claims = Vec<(usize, f64)>;

/// The claims that can be made of `n` observations, one list for each shape.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderRanks {
    n: usize,
    shapes: Vec<Claims>,
}

impl OrderRanks {
    /// The claims that can be made of `n` observations.
    pub fn new(n: usize) -> Self {
        let ranks = ranks(n);
        let shapes = (0..SHAPES).map(|i| {
            let shape = [CENTRES[i / TAILS.len()], TAILS[i % TAILS.len()]];
            calibrated(n, &ranks, shape)
        });
        Self {
            n,
            shapes: shapes.collect(),
        }
    }
}

/// The probabilities of an interval.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderDesign {
    n: usize,
    bounds: [f64; 2],
    upper: Claims,
    /// Claims of the negated observations.
    lower: Claims,
}

impl OrderDesign {
    /// The design for observations between `low` and `high`. `guess` is their distribution as it is guessed:
    /// sorted values, none of them among the observations.
    pub fn new(ranks: &OrderRanks, guess: &[f64], low: f64, high: f64) -> Self {
        let negated: Vec<f64> = guess.iter().rev().map(|z| -z).collect();
        Self {
            n: ranks.n,
            bounds: [low, high],
            upper: best(ranks, guess, high),
            lower: best(ranks, &negated, -low),
        }
    }

    /// The 95 % interval for the mean from the sorted observations.
    ///
    /// # Panics
    /// If they are not as many as the design is for.
    pub fn interval(&self, sorted: &[f64]) -> [f64; 2] {
        let n = self.n;
        assert_eq!(
            sorted.len(),
            n,
            "a design is for one number of observations"
        );
        let [low, high] = self.bounds;
        let upper = end(&self.upper, high, &|rank| sorted[rank - 1]);
        let lower = -end(&self.lower, -low, &|rank| -sorted[n - rank]);
        [lower.max(low), upper.min(high)]
    }
}

/// The upper bound of the mean that the claims give; `at` is the observation at a rank, `far` the bound of
/// all.
fn end(claims: &Claims, far: f64, at: &dyn Fn(usize) -> f64) -> f64 {
    let (mut sum, mut share) = (0.0, 0.0);
    for &(rank, p) in claims {
        let p = p.max(share);
        sum += (p - share) * at(rank);
        share = p;
    }
    sum + (1.0 - share) * far
}

/// The ranks among `n` at which claims are made: all of them near both ends.
fn ranks(n: usize) -> Vec<usize> {
    let mut all = Vec::new();
    let mut distance = 1;
    while distance <= n.div_ceil(2) {
        all.extend([distance, n + 1 - distance]);
        distance += (distance / 4).clamp(1, (n / WIDEST_STEP).max(1));
    }
    all.sort_unstable();
    all.dedup();
    all
}

/// The claims of a shape; the chance that any of them fails is α/2.
fn calibrated(n: usize, ranks: &[usize], [a, b]: [f64; 2]) -> Claims {
    let weight = |rank: usize| {
        let u = rank as f64 / (n + 1) as f64;
        exp(a * ln(4.0 * u * (1.0 - u))) + b / (n + 1 - rank) as f64
    };
    let claims = |c: f64| -> Claims {
        let share = |rank: usize| {
            let delta = (c * weight(rank)).min(ALPHA / 2.0);
            beta_quantile(delta, rank as f64, (n - rank + 1) as f64)
        };
        ranks.iter().map(|&rank| (rank, share(rank))).collect()
    };
    // The sum of all δ is α/2 at the least factor: then it holds whatever depends on what.
    let all: f64 = ranks.iter().map(|&rank| weight(rank)).sum();
    let (mut low, mut high) = (ln(ALPHA / 2.0 / all), ln(ALPHA));
    let rounds = if n > MOST_CALIBRATED { 0 } else { 12 };
    for _ in 0..rounds {
        let middle = low.midpoint(high);
        if failure(n, &claims(exp(middle))) <= ALPHA / 2.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    claims(exp(low))
}

/// The chance that any claim fails: that of `n` uniform numbers `rank` or more lie below its share.
fn failure(n: usize, claims: &Claims) -> f64 {
    // Chances of the counts from `first` on, no claim having failed.
    let (mut first, mut chances, mut below) = (0, vec![1.0], 0.0);
    for &(rank, p) in claims {
        if p <= below {
            continue;
        }
        let q = (p - below) / (1.0 - below);
        let mut next = vec![0.0; rank.saturating_sub(first)];
        for (i, &chance) in chances.iter().enumerate() {
            spread(chance, n - first - i, q, &mut next[i.min(rank - first)..]);
        }
        let start = next.iter().position(|c| *c > NEGLIGIBLE);
        let Some(start) = start else { return 1.0 };
        first += start;
        chances = next.split_off(start);
        while chances.last().is_some_and(|c| *c < NEGLIGIBLE) {
            chances.pop();
        }
        below = p;
    }
    1.0 - chances.iter().sum::<f64>()
}

/// Adds `chance` times the binomial chances of `n` and `q` to `out`, as far as it goes.
fn spread(chance: f64, n: usize, q: f64, out: &mut [f64]) {
    let mode = (((n + 1) as f64 * q) as usize).min(n);
    let rest = (n - mode) as f64;
    let ways = ln_gamma(n as f64 + 1.0) - ln_gamma(mode as f64 + 1.0) - ln_gamma(rest + 1.0);
    let top = chance * exp(ways + mode as f64 * ln(q) + rest * super::portable::ln_1p(-q));
    let odds = q / (1.0 - q);
    let mut add = |k: usize, term: f64| {
        if let Some(cell) = out.get_mut(k) {
            *cell += term;
        }
    };
    let mut term = top;
    for k in mode..=n {
        if term < NEGLIGIBLE * NEGLIGIBLE {
            break;
        }
        add(k, term);
        term *= odds * (n - k) as f64 / (k + 1) as f64;
    }
    term = top;
    for k in (0..mode).rev() {
        term *= (k + 1) as f64 / (odds * (n - k) as f64);
        if term < NEGLIGIBLE * NEGLIGIBLE {
            break;
        }
        add(k, term);
    }
}

/// The guess of the observation of rank `rank` among `n`.
fn guessed(guess: &[f64], rank: usize, n: usize) -> f64 {
    let place = (rank as f64 - 0.5) / n as f64 * guess.len() as f64 - 0.5;
    let place = place.clamp(0.0, (guess.len() - 1) as f64);
    let (below, share) = (place.floor(), place.fract());
    let next = (below as usize + 1).min(guess.len() - 1);
    guess[below as usize] * (1.0 - share) + guess[next] * share
}

/// The claims with the least expected upper end.
fn best(ranks: &OrderRanks, guess: &[f64], high: f64) -> Claims {
    if guess.is_empty() {
        return ranks.shapes.first().cloned().unwrap_or_default();
    }
    let expected = |claims: &Claims| end(claims, high, &|rank| guessed(guess, rank, ranks.n));
    let all = ranks.shapes.iter();
    let least = all.min_by(|x, y| expected(x).total_cmp(&expected(y)));
    least.cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::order;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore, SeedableRng};

    fn unit(rng: &mut ChaCha8Rng) -> f64 {
        (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn draw(rng: &mut ChaCha8Rng, n: usize) -> Vec<f64> {
        let mut all: Vec<f64> = (0..n)
            .map(|_| {
                let sum: f64 = (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0;
                // Once in 300 far out.
                if unit(rng) < 1.0 / 300.0 {
                    -1.0
                } else {
                    0.1 * sum
                }
            })
            .collect();
        all.sort_by(f64::total_cmp);
        all
    }

    /// With all observations alike only the share above the last matters. The best there is spends the
    /// whole chance on it: p^100 = α/2.
    #[test]
    fn hardly_more_than_the_unavoidable_is_lost() {
        let design = OrderDesign::new(&OrderRanks::new(100), &[0.0; 10], -1.0, 1.0);
        let [low, high] = design.interval(&[0.0; 100]);
        let least = 1.0 - 0.025f64.powf(0.01);
        assert!(high >= least && high < 1.2 * least, "{high} {least}");
        assert!((low + high).abs() < 1e-12);
    }

    #[test]
    fn the_chance_of_failure_is_exact() {
        let one = failure(3, &vec![(3, 0.5)]);
        assert!((one - 0.125).abs() < 1e-12, "{one}");
        // Holds if none lies below 0.1 and not both below 0.3.
        let two = failure(2, &vec![(1, 0.1), (2, 0.3)]);
        assert!((two - (1.0 - (0.81 - 0.04))).abs() < 1e-12, "{two}");
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let ranks = OrderRanks::new(50);
        for claims in &ranks.shapes {
            let exact = failure(50, claims);
            assert!(exact <= 0.025 && exact > 0.02, "{exact}");
            let failed = (0..4000).filter(|_| {
                let mut all: Vec<f64> = (0..50).map(|_| unit(&mut rng)).collect();
                all.sort_by(f64::total_cmp);
                claims.iter().any(|&(rank, p)| all[rank - 1] < p)
            });
            let share = failed.count() as f64 / 4000.0;
            assert!((share - exact).abs() < 0.01, "{share} {exact}");
        }
    }

    #[test]
    fn it_holds_and_is_narrower_where_extremes_are_rare() {
        let truth = -1.0 / 300.0;
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let design = OrderDesign::new(&OrderRanks::new(300), &draw(&mut rng, 60), -1.2, 1.2);
        let (mut held, mut widths) = (0, [0.0; 2]);
        for _ in 0..400 {
            let all = draw(&mut rng, 300);
            let [low, high] = design.interval(&all);
            held += u32::from(low <= truth && truth <= high);
            let [a, b] = order::interval(&all, -1.2, 1.2);
            widths[0] += high - low;
            widths[1] += b - a;
        }
        assert!(held >= 375, "{held}");
        assert!(widths[0] < 0.6 * widths[1], "{widths:?}");
    }
}
