//! Counts of trials: tallies of candidates and pairs, and the estimates, intervals and verdicts read from
//! them.
//!
//! * [`rollout_design`]: how the trials depend on each other.
//! * [`candidate_tally`], [`pair_tally`] and [`pairwise`]: what is counted of one candidate, of two, and
//!   of every two of several.
//! * [`four_states`] and [`extremes`]: two further things that are counted.
//! * [`comparison`] and [`verdict`]: what that says about the candidates, in figures and in words.
//! * [`cube_gain`]: what it says about a double.
//! * [`allocation`]: which candidates get trials.
//! * [`tally`]: all that is counted, and the [`result`] that is read from it.

pub(super) mod allocation;
pub(super) mod candidate_tally;
pub(super) mod comparison;
pub(super) mod cube_gain;
pub(super) mod extremes;
pub(super) mod four_states;
pub(super) mod pair_tally;
pub(super) mod pairwise;
pub(super) mod result;
pub(super) mod rollout_design;
pub(super) mod tally;
pub(super) mod verdict;
