//! What is about many matches: the library, the study plan, the rating, and the quiz over the match in view.

pub(crate) mod library;
pub(crate) mod plan;
pub(crate) mod quiz_match;
pub(crate) mod rating;
