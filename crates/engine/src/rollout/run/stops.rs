//! When what has been counted ends a rollout.
//!
//! Rules that depend on results are looked at after whole blocks only, whatever the rounds, so that
//! the moment is the same on any number of threads. All but the standard error use intervals that
//! hold at all times at once, so that looking after every block is no fault.

use crate::rollout::counts::comparison::Comparisons;
use crate::rollout::counts::result::StopReason;
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::request::settings::StopRules;
use crate::stats::interval::{ALPHA, excludes_zero, half_width, normal_error};

/// Fewest blocks after which a standard error may end a rollout: from two on the error under
/// rotation is the stratified one.
const LEAST_BLOCKS: u64 = 2;

/// Why the trials counted so far end the rollout; `None` if they do not. `limit` is the number of trials of a
/// candidate.
pub(super) fn stop_reason(
    rules: &StopRules,
    limit: u64,
    tally: &Tally,
    design: &RolloutDesign,
) -> Option<StopReason> {
    if tally.trials >= limit {
        return Some(StopReason::Trials);
    }
    let block = design.trial_design.block;
    let whole = design.shares_out || tally.trials.is_multiple_of(block);
    if !whole || tally.trials < LEAST_BLOCKS * block {
        return None;
    }
    if !rules.look_at_results() && !design.shares_out {
        // To compare costs time, which others wait for.
        return None;
    }
    let compared = tally.compare(design);
    if let Some(reason) = precise(rules, &compared, design.decision) {
        return Some(reason);
    }
    if tally.out().iter().filter(|out| !**out).count() == 1 {
        return Some(StopReason::Separated);
    }
    if design.decision {
        return cube_decided(rules, &compared);
    }
    if let Some(confidence) = rules.separated
        && compared
            .leads(1.0 - confidence)
            .iter()
            .all(|(_, lead)| lead[0] > 0.0)
    {
        return Some(StopReason::Separated);
    }
    settled(&compared.closeness(rules.equivalent?))
}

/// Why the rollout of a cube decision ends: both its questions are answered, or what is left open is too
/// small to matter. `None` if neither is so. That one side is worth more than the other says nothing of a
/// pass.
fn cube_decided(rules: &StopRules, compared: &Comparisons<'_>) -> Option<StopReason> {
    let clear = |alpha: f64| {
        compared
            .cube_margins(alpha)
            .map(|both| both.map(excludes_zero))
    };
    if let Some(confidence) = rules.separated
        && clear(1.0 - confidence) == Some([true; 2])
    {
        return Some(StopReason::Separated);
    }
    let most = rules.equivalent?;
    let is_near = |[low, high]: [f64; 2]| -most <= low && high <= most;
    let margins = compared.cube_margins(ALPHA)?;
    settled(&margins.map(|margin| [excludes_zero(margin), is_near(margin)]))
}

/// Why a rollout ends of whose differences it is known whether each is clear, and whether it is too small to matter.
/// `None` while one is neither, or where there is none.
fn settled(differences: &[[bool; 2]]) -> Option<StopReason> {
    if differences.is_empty() || differences.contains(&[false; 2]) {
        return None;
    }
    Some(match differences.iter().all(|[is_clear, _]| *is_clear) {
        true => StopReason::Separated,
        false => StopReason::Equivalent,
    })
}

/// Which errors are small enough to end the rollout; `None` if none are. The standard error is that of a normal
/// distribution as wide as the fixed-sample interval. Of a pair it is that of the difference, which is what matters.
/// Of a cube decision both sides matter as well, since each may be held against a pass. Candidates that have lost a
/// race get no more trials, so their errors are not waited for.
fn precise(rules: &StopRules, compared: &Comparisons<'_>, is_cube: bool) -> Option<StopReason> {
    if rules.standard_error.is_none() && rules.half_width.is_none() {
        return None;
    }
    let pair = compared.pair();
    let of_intervals = |fixed, shown| (normal_error(fixed), half_width(shown));
    let pair = pair.map(|pair| of_intervals(pair.fixed(ALPHA), pair.shown(ALPHA)));
    let own = compared.own().iter().enumerate();
    let own = own.filter(|(i, _)| !compared.is_out(*i));
    let own = own.map(|(_, e)| of_intervals(e.fixed(ALPHA), e.summary().anytime95));
    let errors: Vec<(f64, f64)> = match pair {
        Some(pair) if !is_cube => vec![pair],
        pair => own.chain(pair).collect(),
    };
    if rules
        .standard_error
        .is_some_and(|most| errors.iter().all(|e| e.0 <= most))
    {
        return Some(StopReason::StandardError);
    }
    if rules
        .half_width
        .is_some_and(|most| errors.iter().all(|e| e.1 <= most))
    {
        return Some(StopReason::Width);
    }
    None
}
