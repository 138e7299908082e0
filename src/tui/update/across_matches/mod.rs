//! What is about many matches: the library, the study plan, the rating, and the quiz over the match in view.

pub(in crate::tui::update) mod library;
pub(in crate::tui::update) mod plan;
pub(in crate::tui::update) mod quiz_match;
pub(in crate::tui::update) mod rating;
