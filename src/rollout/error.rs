//! What a rollout refuses.

use thiserror::Error;

use super::settings::{Coupling, Settings};

/// Most plays that are rolled out together.
pub const MOST_STRANDS: usize = 512;
/// Most trials of a strand.
pub const MOST_TRIALS: u64 = 1_000_000_000_000;
/// Most plies at which trials are played.
pub const MOST_PLIES: u8 = 4;

/// Why a rollout cannot be started.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// Nothing to roll out.
    #[error("no plays to roll out")]
    NoCandidates,
    /// Too many plays at once.
    #[error("{given} plays given, at most {MOST_STRANDS} can be rolled out together")]
    TooManyCandidates {
        /// Plays given.
        given: usize,
    },
    /// No trials, or absurdly many.
    #[error("number of trials must be from 1 to {MOST_TRIALS}, not {given}")]
    Trials {
        /// Trials asked for.
        given: u64,
    },
    /// A horizon of no rolls.
    #[error("horizon must be at least 1 roll")]
    Horizon,
    /// Play too deep to end.
    #[error("trials can be played at 0 to {MOST_PLIES} plies, not {given}")]
    Ply {
        /// Plies asked for.
        given: u8,
    },
    /// A standard error to stop at that is none.
    #[error("standard error to stop at must be a positive number of points")]
    StandardError,
    /// A time limit that is none.
    #[error("time limit must be a positive number of seconds")]
    Seconds,
    /// Matched ranks of one play or of more than two.
    #[error("matched ranks need exactly 2 plays, not {given}")]
    RanksNeedTwo {
        /// Plays given.
        given: usize,
    },
    /// The operating system gives no threads.
    #[error("cannot start worker threads: {reason}")]
    Threads {
        /// What it said.
        reason: String,
    },
    /// Saved progress of another evaluator: its trials cannot be continued by this one.
    #[error("progress was made with evaluator '{made}', not '{present}'")]
    OtherEvaluator {
        /// The evaluator that played the saved trials.
        made: String,
        /// The one at hand.
        present: String,
    },
    /// Saved progress that contradicts itself.
    #[error("saved progress is damaged: {what}")]
    Damaged {
        /// What is wrong with it.
        what: &'static str,
    },
}

/// Checks settings for that many candidates.
pub(super) fn check(settings: &Settings, candidates: usize) -> Result<(), RolloutError> {
    let positive = |x: Option<f64>| x.is_none_or(|x| x.is_finite() && x > 0.0);
    let Settings { stop, ply, .. } = settings;
    if candidates == 0 {
        Err(RolloutError::NoCandidates)
    } else if candidates > MOST_STRANDS {
        Err(RolloutError::TooManyCandidates { given: candidates })
    } else if stop.trials == 0 || stop.trials > MOST_TRIALS {
        Err(RolloutError::Trials { given: stop.trials })
    } else if settings.horizon == Some(0) {
        Err(RolloutError::Horizon)
    } else if *ply > MOST_PLIES {
        Err(RolloutError::Ply { given: *ply })
    } else if !positive(stop.standard_error) {
        Err(RolloutError::StandardError)
    } else if !positive(stop.seconds) {
        Err(RolloutError::Seconds)
    } else if settings.coupling == Coupling::Rank && candidates != 2 {
        Err(RolloutError::RanksNeedTwo { given: candidates })
    } else {
        Ok(())
    }
}
