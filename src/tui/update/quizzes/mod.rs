//! The quiz: which positions it asks, the answers, and the board they are shown on.

pub(in crate::tui::update) mod quiz;
pub(in crate::tui::update) mod quiz_board;
pub(in crate::tui::update) mod quiz_request;
