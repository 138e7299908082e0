//! Every two of several strands that do not share their trials: how they compare under adaptive
//! allocation.
//!
//! The strands have different numbers of blocks, so there is nothing to pair: what is known of a
//! difference is what is known of its two means. The standard error is that of independent strands; with
//! coupled dice, which make results alike, it errs on the safe side. The intervals that hold at all times
//! assume nothing about how strands hang together: each strand's own interval gets its share of the 5%
//! (the union bound), and the difference lies between the differences of their ends.

use super::frame::{Frame, MOST_DUELS};
use super::result::{Estimate, FamilyResult, PlayDifference, StrandResult};
use crate::stats::anytime::{UNIT_INFORMATION, student_radius};
use crate::stats::interval::{ALPHA, student};
use crate::stats::{Moments, bounded};

/// How they compare, from the block means of each strand and what is known of it by itself; `None` where
/// there are fewer than three, or too many.
pub(super) fn family(
    frame: &Frame,
    blocks: &[Moments],
    strands: &[StrandResult],
) -> Option<FamilyResult> {
    let n = strands.len();
    if !(3..=MOST_DUELS).contains(&n) {
        return None;
    }
    let around = |mean: f64, radius: f64| [mean - radius, mean + radius];
    // A strand whose blocks have been all alike is not certain for that: what has not been seen yet
    // is allowed for, as in the duels of strands that share their trials.
    let unseen = |i: usize, of: &dyn Fn(f64) -> f64| {
        let constant = blocks[i].count() > 0 && blocks[i].squares() == 0.0;
        let trials = (blocks[i].count() * frame.design.block) as f64;
        constant.then(|| 2.0 * frame.most * of(trials))
    };
    // Half of a strand's interval that holds at all times but with chance `alpha`.
    let ever = |i: usize, alpha: f64| {
        let (count, squares) = (blocks[i].count(), blocks[i].squares());
        unseen(i, &|trials| bounded::mixture(trials, 0.0, alpha)[1])
            .unwrap_or_else(|| student_radius(count, squares, UNIT_INFORMATION, alpha))
    };
    // The same for one look.
    let once = |i: usize, quantile: f64| {
        unseen(i, &|trials| bounded::wilson(0.0, trials, quantile)[1])
            .unwrap_or(quantile * strands[i].equity.se)
    };
    let known = |i: usize| frame.known[i].is_some();
    let pairs = (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
    let one = |(first, second): (usize, usize)| {
        let [a, b] = [&strands[first], &strands[second]];
        let mean = a.equity.mean - b.equity.mean;
        let se = a.equity.se.hypot(b.equity.se);
        let freedom = blocks[first].count().min(blocks[second].count());
        let fixed = |alpha: f64| {
            let quantile = student(freedom.saturating_sub(1) as f64, alpha);
            let half = |i: usize| if known(i) { 0.0 } else { once(i, quantile) };
            around(mean, half(first).hypot(half(second)))
        };
        let always = |alpha: f64| {
            let half = |i: usize| if known(i) { 0.0 } else { ever(i, alpha) };
            around(mean, half(first) + half(second))
        };
        PlayDifference {
            first,
            second,
            trials: a.trials.min(b.trials),
            equity: Estimate {
                mean,
                se,
                ci95: fixed(ALPHA),
                anytime95: always(ALPHA / 2.0),
            },
            simultaneous_ci95: fixed(ALPHA / (n * (n - 1) / 2) as f64),
            // If every strand's interval holds, so do those of all differences.
            simultaneous95: always(ALPHA / n as f64),
            correlation: f64::NAN,
        }
    };
    let differences: Vec<PlayDifference> = pairs.map(one).collect();
    let mut beaten = vec![false; n];
    for d in &differences {
        beaten[d.first] |= d.simultaneous95[1] < 0.0;
        beaten[d.second] |= d.simultaneous95[0] > 0.0;
    }
    Some(FamilyResult {
        differences,
        beaten,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::game::Position;
    use crate::rollout::{Allocation, Settings, Setup, roll_here};

    /// Two close bearoffs, one that is a little worse, and one that is lost.
    fn four() -> (Setup, [Position; 4], Settings) {
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let own: [&[(usize, u8)]; 4] = [&[(6, 2)], &[(3, 2), (1, 2)], &[(6, 2), (3, 1)], &[(6, 9)]];
        let opponent = [(5, 1), (4, 1), (2, 1)];
        let candidates = own.map(|own| Position::from_points(&opponent, own).unwrap());
        let mut settings = Settings {
            allocation: Allocation::Adaptive,
            stop_at_known: false,
            ..Settings::default()
        };
        settings.stop.trials = 1440;
        (setup, candidates, settings)
    }

    #[test]
    fn who_is_far_behind_is_beaten_and_who_never_varied_is_not_certain() {
        let (setup, candidates, settings) = four();
        let frame = Frame::new(&setup, &candidates, &settings.resolved(&setup));
        let spread = [0.1, 0.1, 0.1, 0.0];
        let blocks: Vec<Moments> = [0.2, 0.15, -0.5, 0.1]
            .iter()
            .zip(spread)
            .map(|(mean, spread)| {
                let mut blocks = Moments::default();
                (0..40).for_each(|i| blocks.push(mean + spread * f64::from(i % 5 - 2)));
                blocks
            })
            .collect();
        let strand = |m: &Moments| StrandResult {
            trials: 36 * m.count(),
            equity: Estimate {
                mean: m.mean(),
                se: m.standard_error(),
                ..Estimate::default()
            },
            ..StrandResult::default()
        };
        let strands: Vec<StrandResult> = blocks.iter().map(strand).collect();
        let family = family(&frame, &blocks, &strands).unwrap();
        assert_eq!(family.beaten, [false, false, true, false]);
        let constant = family.difference(0, 3).unwrap();
        assert!((constant.equity.mean - 0.1).abs() < 1e-12);
        let varied = family.difference(0, 1).unwrap();
        let half = |d: [f64; 2]| (d[1] - d[0]) / 2.0;
        assert!(half(constant.equity.ci95) > 1.96 * constant.equity.se);
        assert!(half(varied.equity.ci95) < 2.1 * varied.equity.se);
    }

    #[test]
    fn adaptive_strands_are_compared_by_their_own_means() {
        let (setup, candidates, settings) = four();
        let result = roll_here(&setup, &candidates, &settings, &mut |_| true).unwrap();
        let family = result.family.expect("four strands");
        assert_eq!(family.differences.len(), 6);
        for d in &family.differences {
            let [a, b] = [d.first, d.second].map(|i| result.strands[i].clone());
            assert!((d.equity.mean - (a.equity.mean - b.equity.mean)).abs() < 1e-12);
            assert!(
                (d.equity.se.powi(2) - a.equity.se.powi(2) - b.equity.se.powi(2)).abs() < 1e-12
            );
            assert_eq!(d.trials, a.trials.min(b.trials));
            let width = |[low, high]: [f64; 2]| high - low;
            let each = [
                d.equity.ci95,
                d.simultaneous_ci95,
                d.equity.anytime95,
                d.simultaneous95,
            ];
            assert!(each.map(width).is_sorted(), "{each:?}");
            let reach = |s: &StrandResult| width(s.equity.anytime95);
            assert!(width(d.equity.anytime95) >= reach(&a) + reach(&b) - 1e-12);
        }
        let mean = |i: usize| result.strands[i].equity.mean;
        let best = (0..4).max_by(|&i, &j| mean(i).total_cmp(&mean(j)));
        assert!(!family.beaten[best.unwrap()]);
    }
}
