//! What a double gains against none, as rolled out: the opponent answers well.

use super::result::{Estimate, RolloutResult};
use crate::stats::interval::NORMAL_975;

/// What a double gains against none, in points, by the rollout of a cube decision: the least that a take, a
/// pass and, where the rules allow it, a beaver leave. `None` of a rollout of something else, and before the
/// first trial. The fixed-sample interval is that of the answer that leaves least. The anytime-valid one
/// covers what any of them may leave, each at its 95%.
#[must_use]
pub fn double_gain(result: &RolloutResult, beavers: bool) -> Option<Estimate> {
    let [hold, take] = &result.candidates[..] else {
        return None;
    };
    let taken = result.difference.filter(|d| d.trials > 0)?.equity;
    let [hold, take] = [hold, take].map(|side| side.flipped().equity);
    let mut answers = vec![taken, hold.mirrored(1.0)];
    if beavers {
        answers.push(beavered(&hold, &take, &taken));
    }
    let least = answers.iter().min_by(|a, b| a.mean.total_cmp(&b.mean))?;
    let bound =
        |of: &dyn Fn(&Estimate) -> f64| answers.iter().map(of).fold(f64::INFINITY, f64::min);
    Some(Estimate {
        anytime95: [bound(&|e| e.anytime95[0]), bound(&|e| e.anytime95[1])],
        ..*least
    })
}

/// A double that is beavered against none: twice the take less the hold, 2T − H. Both sides are rolled out
/// with the same dice, and their covariance follows from the variance of `taken`, T − H. So
/// `Var(2T − H) = 2·Var(T) − Var(H) + 2·Var(T − H)`.
fn beavered(hold: &Estimate, take: &Estimate, taken: &Estimate) -> Estimate {
    let half_width = |e: &Estimate| (e.ci95[1] - e.ci95[0]) / 2.0;
    let [h, t, d] = [hold, take, taken].map(half_width);
    let square = 2.0 * t * t - h * h + 2.0 * d * d;
    // Intervals that are not all of one kind need not agree; no covariance leads beyond these.
    let radius = square.max(0.0).sqrt().max((t - d).abs()).min(t + d);
    let mean = 2.0 * take.mean - hold.mean;
    // 2T − H is T − H and T once more: the union bound.
    let both = |i: usize| taken.anytime95[i] + take.anytime95[i];
    Estimate {
        mean,
        se: radius / NORMAL_975,
        ci95: [mean - radius, mean + radius],
        anytime95: [both(0), both(1)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(mean: f64, radius: f64) -> Estimate {
        Estimate {
            mean,
            se: radius / NORMAL_975,
            ci95: [mean - radius, mean + radius],
            anytime95: [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    #[test]
    fn the_gain_of_a_beavered_double_has_the_error_of_its_trials() {
        // Trials of a hold and a take that hang together.
        let trials: Vec<[f64; 2]> = (0..100)
            .map(|i| f64::from(i * 37 % 100))
            .map(|x| [x, 0.5 * x + (x * x) % 17.0])
            .collect();
        let spread = |of: &dyn Fn(&[f64; 2]) -> f64| {
            let mean = trials.iter().map(of).sum::<f64>() / 100.0;
            let squares = trials.iter().map(|t| (of(t) - mean).powi(2)).sum::<f64>();
            estimate(mean, squares.sqrt())
        };
        let (hold, take) = (spread(&|t| t[0]), spread(&|t| t[1]));
        let found = beavered(&hold, &take, &spread(&|t| t[1] - t[0]));
        let expected = spread(&|t| 2.0 * t[1] - t[0]);
        assert!((found.mean - expected.mean).abs() < 1e-9);
        assert!((found.ci95[0] - expected.ci95[0]).abs() < 1e-9);
    }

    #[test]
    fn a_beavered_double_is_right_where_it_loses_less() {
        let sides = [estimate(-0.3, 0.02), estimate(-0.2, 0.03)];
        let gain = beavered(&sides[0], &sides[1], &estimate(0.1, 0.02));
        assert!(gain.chance_above(0.0) < 0.05, "{gain:?}");
        let sides = [estimate(-0.3, 0.02), estimate(-0.1, 0.03)];
        let gain = beavered(&sides[0], &sides[1], &estimate(0.2, 0.02));
        assert!(gain.chance_above(0.0) > 0.95, "{gain:?}");
    }
}
