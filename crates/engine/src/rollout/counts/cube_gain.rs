//! What a double gains against none, as rolled out: the opponent answers well.

use super::result::{Estimate, RolloutResult};
use crate::stats::best::{Estimated, chances_together};
use crate::stats::interval::{NORMAL_975, half_width, normal_error};

/// What a double gains against none, in points, by the rollout of a cube decision: the least that a take, a
/// pass and, where the rules allow it, a beaver leave. `None` of a rollout of something else, and before the
/// first trial. The fixed-sample interval is that of the answer that leaves least. The anytime-valid one holds
/// for all answers together ([`RolloutResult::double_gain95`]): that a double is wrong would else have several
/// chances to be said of one that is right.
pub fn double_gain(result: &RolloutResult, beavers: bool) -> Option<Estimate> {
    let all = Answers::new(result, beavers)?.all();
    let least = all.iter().min_by(|a, b| a.mean.total_cmp(&b.mean))?;
    Some(Estimate {
        anytime95: result.double_gain95.unwrap_or(Estimate::NONE.anytime95),
        ..*least
    })
}

/// The chance that a double is right, as far as the trials tell: that it is worth as much as none whatever the
/// opponent answers. `None` where [`double_gain`] has none.
pub fn chance_of_double(result: &RolloutResult, beavers: bool) -> Option<f64> {
    Some(Answers::new(result, beavers)?.chance_of_all())
}

/// The two sides of a cube decision, seen by the doubler, and what a take leaves.
struct Answers {
    hold: Estimate,
    take: Estimate,
    taken: Estimate,
    beavers: bool,
}

impl Answers {
    fn new(result: &RolloutResult, beavers: bool) -> Option<Self> {
        let [hold, take] = &result.candidates[..] else {
            return None;
        };
        let taken = result.difference.filter(|d| d.trials > 0)?.equity;
        let [hold, take] = [hold, take].map(|side| side.flipped().equity);
        Some(Self {
            hold,
            take,
            taken,
            beavers,
        })
    }

    /// What a double gains against none, in points, for each answer: a take, a pass and, where it is allowed,
    /// a beaver.
    fn all(&self) -> Vec<Estimate> {
        let beaver = self.beavers.then(|| self.beavered());
        let answers = [self.taken, self.hold.mirrored(1.0)].into_iter();
        answers.chain(beaver).collect()
    }

    /// The chance that every answer leaves 0 or more. All of them are sums of the hold H and the take T, whose
    /// covariance follows from the error of T − H. What is drawn lies within what holds whatever the
    /// covariance is.
    fn chance_of_all(&self) -> f64 {
        let all = self.all();
        let each: Vec<f64> = all.iter().map(|e| e.chance_at_least(0.0)).collect();
        let most = each.iter().copied().fold(1.0, f64::min);
        let least = (1.0 - each.iter().map(|chance| 1.0 - chance).sum::<f64>()).max(0.0);
        let [h, t, d] = [&self.hold, &self.take, &self.taken].map(|of| normal_error(of.ci95));
        if ![h, t, d].iter().all(|error| error.is_finite()) {
            return most;
        }
        let both = ((h * h + t * t - d * d) / 2.0).clamp(-h * t, h * t);
        // Shares of H and T in what a take, a pass and a beaver take from the doubler, after nothing at all.
        let shares = [[0.0, 0.0], [1.0, -1.0], [1.0, 0.0], [1.0, -2.0]];
        let shares = &shares[..=all.len()];
        let covariance = |[a, b]: [f64; 2], [c, e]: [f64; 2]| {
            a * c * h * h + (a * e + b * c) * both + b * e * t * t
        };
        let covariances: Vec<f64> = shares
            .iter()
            .flat_map(|one| shares.iter().map(|other| covariance(*one, *other)))
            .collect();
        let losses = std::iter::once(0.0).chain(all.iter().map(|e| -e.mean));
        let losses: Vec<Estimated> = losses.map(without_error).collect();
        let drawn = chances_together(&losses, &covariances, f64::INFINITY, None)[0];
        // Rounding may put the one a little above the other.
        drawn.max(least).min(most)
    }

    /// A double that is beavered against none: twice the take less the hold, 2T − H. Both sides are rolled out
    /// with the same dice, and their covariance follows from the variance of `taken`, T − H. So
    /// `Var(2T − H) = 2·Var(T) − Var(H) + 2·Var(T − H)`.
    fn beavered(&self) -> Estimate {
        let [h, t, d] = [&self.hold, &self.take, &self.taken].map(|of| half_width(of.ci95));
        let square = 2.0 * t * t - h * h + 2.0 * d * d;
        // Intervals that are not all of one kind need not agree; no covariance leads beyond these.
        let radius = square.max(0.0).sqrt().max((t - d).abs()).min(t + d);
        let mean = 2.0 * self.take.mean - self.hold.mean;
        Estimate {
            mean,
            se: radius / NORMAL_975,
            ci95: [mean - radius, mean + radius],
            ..Estimate::NONE
        }
    }
}

/// A mean whose error is given among the covariances.
fn without_error(mean: f64) -> Estimated {
    Estimated {
        mean,
        se: 0.0,
        dof: f64::INFINITY,
        allowance: None,
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

    fn answers([hold, take, taken]: [Estimate; 3], beavers: bool) -> Answers {
        Answers {
            hold,
            take,
            taken,
            beavers,
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
        let found = answers([hold, take, spread(&|t| t[1] - t[0])], true).beavered();
        let expected = spread(&|t| 2.0 * t[1] - t[0]);
        assert!((found.mean - expected.mean).abs() < 1e-9);
        assert!((found.ci95[0] - expected.ci95[0]).abs() < 1e-9);
    }

    #[test]
    fn a_beavered_double_is_right_where_it_loses_less() {
        let of = |take, taken| {
            let all = [
                estimate(-0.3, 0.02),
                estimate(take, 0.03),
                estimate(taken, 0.02),
            ];
            answers(all, true).chance_of_all()
        };
        assert!(of(-0.2, 0.1) < 0.05);
        assert!(of(-0.1, 0.2) > 0.95);
    }

    #[test]
    fn a_double_is_right_only_where_every_answer_leaves_something() {
        // T is 1 without error: both answers leave 1 − H, with even chances.
        let same = [estimate(1.0, 0.1), estimate(1.0, 0.0), estimate(0.0, 0.1)];
        let found = answers(same, false).chance_of_all();
        assert!((found - 0.5).abs() < 0.01, "{found}");
        // T is H and something independent: T − H and 1 − H are both positive one time in four.
        let (h, d) = (0.1, 0.1);
        let apart = [
            estimate(1.0, h),
            estimate(1.0, (h * h + d * d).sqrt()),
            estimate(0.0, d),
        ];
        let found = answers(apart, false).chance_of_all();
        assert!((found - 0.25).abs() < 0.01, "{found}");
        // An answer that is no question adds nothing, to the last bit.
        let clear = [estimate(0.5, h), estimate(0.6, h), estimate(0.1, d)];
        let found = answers(clear, false).chance_of_all();
        assert!(
            (found - clear[2].chance_at_least(0.0)).abs() < 1e-12,
            "{found}"
        );
        // All but certain that it is wrong: rounding does not matter.
        for loss in 1..200 {
            let mean = -0.001 * f64::from(loss);
            let wrong = [estimate(0.1, h), estimate(0.1 + mean, h), estimate(mean, d)];
            let found = answers(wrong, true).chance_of_all();
            assert!((0.0..=1.0).contains(&found), "{loss}: {found}");
        }
        // Known without error, and level: a tie is right.
        let level = [estimate(1.0, 0.0), estimate(1.0, 0.0), estimate(0.0, 0.0)];
        assert_eq!(answers(level, true).chance_of_all(), 1.0);
        // So it is where no trial has told the two apart, which leaves an allowance.
        let free = Estimate {
            se: 0.0,
            ..estimate(-0.0, 0.03)
        };
        let free = [estimate(0.3, 0.05), estimate(0.3, 0.05), free];
        assert!(answers(free, false).chance_of_all() > 0.999);
    }
}
