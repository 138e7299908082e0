//! Plays and what is found of them: selecting, rollouts, questions, and what is written of it.

pub(crate) mod copied_windows;
pub(crate) mod export;
pub(crate) mod filters;
pub(crate) mod inquire;
pub(crate) mod levels;
pub(crate) mod match_rollouts;
pub(crate) mod plays;
pub(crate) mod rollouts;
pub(crate) mod second_opinion;
