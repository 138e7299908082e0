//! What is done along a match or a line of play: walking, varying, playing by hand and against the program.

pub(in crate::tui::update) mod by_hand;
pub(in crate::tui::update) mod draft;
pub(in crate::tui::update) mod moved_match;
pub(in crate::tui::update) mod played_match;
pub(in crate::tui::update) mod program;
pub(in crate::tui::update) mod variations;
pub(in crate::tui::update) mod walk;
