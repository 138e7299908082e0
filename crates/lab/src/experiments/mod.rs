//! Reproducible experiments, and the generated files of the repository.

pub mod at_stop;
pub mod bias_check;
pub mod calibration;
pub mod close_decisions;
#[cfg(test)]
pub mod conversions;
pub mod coverage;
pub mod coverage_record;
pub mod cube;
pub mod decision_loss;
pub mod decisions;
pub mod figure;
pub mod fuzz;
pub mod inputs;
pub mod intervals;
pub mod judged;
pub mod koca;
pub mod ladder;
pub mod levels;
pub mod library;
pub mod match_decisions;
pub mod openings;
pub mod oracle;
pub mod pairing;
pub mod peer_figures;
pub mod rated_players;
pub mod sample_matches;
pub mod techniques;
pub mod verdicts;
