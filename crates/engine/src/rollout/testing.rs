//! Results of rollouts that were never played, for tests.

use super::{
    CandidateResult, Estimate, FamilyResult, PlayDifference, RolloutResult, Status, StopReason,
};

/// A race of three plays that the first is out of, with the trials and the mean of each. `leads`: what the first is
/// ahead of the second and of the third, and the second of the third.
pub fn race_without_the_first(own: [(u64, f64); 3], leads: [f64; 3]) -> RolloutResult {
    let candidate = |(trials, mean)| CandidateResult {
        trials,
        equity: Estimate::exact(mean),
        ..CandidateResult::default()
    };
    let pairs = [(0, 1), (0, 2), (1, 2)].into_iter().zip(leads);
    let differences = pairs.map(|((first, second), mean)| PlayDifference {
        first,
        second,
        trials: own[first].0.min(own[second].0),
        equity: Estimate::exact(mean),
        ..PlayDifference::default()
    });
    RolloutResult {
        candidates: own.map(candidate).into(),
        family: Some(FamilyResult {
            differences: differences.collect(),
            beaten: vec![false; 3],
            out: vec![true, false, false],
        }),
        ..RolloutResult::empty(Status::Done(StopReason::Trials))
    }
}
