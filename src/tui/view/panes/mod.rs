//! The panes of the screen, its top line and its bottom line.

pub(crate) mod bar;
pub(crate) mod by_hand;
pub(crate) mod candidates;
pub(crate) mod chart;
pub(crate) mod coupled;
pub(crate) mod cube_pane;
pub(crate) mod editor;
pub(crate) mod family;
pub(crate) mod figures;
pub(crate) mod game_chart;
pub(crate) mod header;
pub(crate) mod hints;
pub(crate) mod imported;
pub(crate) mod moves;
pub(crate) mod pair;
pub(crate) mod play_rows;
pub(crate) mod played_match;
pub(crate) mod quiz;
pub(crate) mod scatter;
pub(crate) mod tip;
pub(crate) mod transcript;
pub(crate) mod variations;
pub(crate) mod verdict;
