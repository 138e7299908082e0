//! The quiz: which positions it asks, the answers, and the board they are shown on.

pub(crate) mod quiz;
pub(crate) mod quiz_board;
pub(crate) mod quiz_request;
