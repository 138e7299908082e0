//! What is open: matches and positions, their variations, and games that are played in them.

pub mod by_hand;
mod correction;
pub mod document;
pub mod later_games;
pub mod match_decision;
pub mod new_match;
pub mod notes;
pub mod open;
mod outcome;
pub mod picks;
pub mod places;
pub mod played_match;
pub mod standing;
pub mod store_name;
pub mod transcript;
pub mod tutor;
pub mod variation;
pub mod variation_kind;
