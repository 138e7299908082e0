//! When what has been counted ends a rollout.
//!
//! Rules that depend on results are looked at after whole blocks only, whatever the rounds, so that
//! the moment is the same on any number of threads. All but the standard error use intervals that
//! hold at all times at once, so that looking after every block is no fault.

use super::frame::Frame;
use super::result::StopReason;
use super::settings::StopRules;
use super::tally::Tally;
use crate::stats::anytime::{UNIT_INFORMATION, student_radius};
use crate::stats::interval::{ALPHA, around, hull, student};
use crate::stats::{Moments, Summary};

/// Fewest blocks after which a standard error may end a rollout: from two on the error under
/// rotation is the stratified one.
const LEAST_BLOCKS: u64 = 2;

/// Whether the trials counted so far end the rollout. `limit` is the number of trials of a strand.
pub(super) fn verdict(
    rules: &StopRules,
    limit: u64,
    tally: &Tally,
    frame: &Frame,
) -> Option<StopReason> {
    if tally.trials >= limit {
        return Some(StopReason::Trials);
    }
    let block = frame.design.block;
    let whole = frame.adaptive || tally.trials.is_multiple_of(block);
    if !whole || tally.trials < LEAST_BLOCKS * block {
        return None;
    }
    if rules.standard_error.is_some() || rules.width.is_some() {
        let all = tally.summaries(frame);
        // Of a pair it is the difference that matters.
        let wanted = if tally.pair.is_some() {
            &all[all.len() - 1..]
        } else {
            &all[..]
        };
        let most = |of: &dyn Fn(&Summary) -> f64| wanted.iter().map(of).fold(0.0, f64::max);
        // Where nothing has varied yet the error is that of an interval as wide.
        let se = |s: &Summary| s.estimated().se;
        if rules.standard_error.is_some_and(|x| most(&se) <= x) {
            return Some(StopReason::StandardError);
        }
        let half = |s: &Summary| (s.anytime95[1] - s.anytime95[0]) / 2.0;
        if rules.width.is_some_and(|x| most(&half) <= x) {
            return Some(StopReason::Width);
        }
    }
    let out = tally.out();
    if out.iter().filter(|o| !**o).count() == 1 {
        return Some(StopReason::Separated);
    }
    if let Some(confidence) = rules.separated
        && leads(tally, frame, 1.0 - confidence)
            .iter()
            .all(|lead| lead[0] > 0.0)
    {
        return Some(StopReason::Separated);
    }
    if let Some(most) = rules.equivalent {
        let leads = leads(tally, frame, ALPHA);
        let near = |lead: &[f64; 2]| -most <= lead[0] && lead[1] <= most;
        if leads.iter().any(near) && leads.iter().all(|l| near(l) || l[0] > 0.0) {
            return Some(StopReason::Equivalent);
        }
    }
    None
}

/// By how much the best strand leads each other one: intervals that hold for all of them, at all
/// times, but with chance `alpha`. The share of each other strand is `alpha` over their number: for
/// whichever is the best in truth, only the intervals that involve it need hold.
fn leads(tally: &Tally, frame: &Frame, alpha: f64) -> Vec<[f64; 2]> {
    let n = tally.strands.len();
    let means: Vec<f64> = tally
        .strands
        .iter()
        .zip(&frame.known)
        .map(|(s, &known)| s.equity(known, frame).mean)
        .collect();
    // Who has lost a race is not the best, whatever its few trials say.
    let out = |i: usize| tally.out().get(i) == Some(&true);
    let mut best = 0;
    for i in 1..n {
        if !out(i) && (out(best) || means[i] > means[best]) {
            best = i;
        }
    }
    if frame.known.iter().all(Option::is_some) {
        let lead = |i: usize| around(means[best] - means[i], 0.0);
        return (0..n).filter(|&i| i != best).map(lead).collect();
    }
    let radius =
        |m: &Moments, alpha: f64| student_radius(m.count(), m.squares(), UNIT_INFORMATION, alpha);
    if let (Some(pair), [a, b, shown]) = (&tally.pair, &tally.summaries(frame)[..]) {
        let blocks = pair.difference.blocks();
        // The two intervals are put together as in what is shown: see `Summary::anytime95`.
        let told = shown.estimated();
        let fixed = around(told.mean, student(told.dof, alpha) * told.se);
        let [down, up] = Summary::unseen_difference(a, b);
        let [low, high] = around(blocks.mean(), radius(blocks, alpha));
        let [low, high] = hull([low - down, high + up], fixed);
        return vec![if best == 0 {
            [low, high]
        } else {
            [-high, -low]
        }];
    }
    if !tally.family.is_empty() {
        return tally.family.leads(frame, best, alpha, tally.out());
    }
    // Each strand by itself, with dice of its own or of different numbers of trials.
    let interval = |i: usize| {
        let blocks = tally.strands[i].equity.blocks();
        match frame.known[i] {
            Some(_) => around(means[i], 0.0),
            None => around(blocks.mean(), radius(blocks, alpha / n as f64)),
        }
    };
    let own = interval(best);
    (0..n)
        .filter(|&i| i != best)
        .map(|i| {
            let other = interval(i);
            [own[0] - other[1], own[1] - other[0]]
        })
        .collect()
}
