//! Plays and what is found of them: selecting, rollouts, questions, and what is written of it.

pub(in crate::tui::update) mod copied_windows;
pub(in crate::tui::update) mod equity_table;
pub(in crate::tui::update) mod export;
pub(in crate::tui::update) mod filters;
pub(in crate::tui::update) mod inquire;
pub(in crate::tui::update) mod inquiry_walk;
pub(in crate::tui::update) mod levels;
pub(in crate::tui::update) mod match_rollouts;
pub(in crate::tui::update) mod plays;
pub(in crate::tui::update) mod rollouts;
pub(in crate::tui::update) mod second_opinion;
