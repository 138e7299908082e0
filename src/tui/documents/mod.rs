//! Open matches and positions, their variations, and the games played in them.

pub(crate) mod by_hand;
mod correction;
pub(crate) mod document;
pub(crate) mod later_games;
pub(crate) mod match_decision;
pub(crate) mod new_match;
pub(crate) mod notes;
pub(crate) mod open;
mod outcome;
pub(crate) mod picks;
pub(crate) mod places;
pub(crate) mod played_match;
pub(crate) mod standing;
pub(crate) mod store_name;
pub(crate) mod transcript;
pub(crate) mod tutor;
pub(crate) mod variation;
pub(crate) mod variation_kind;
