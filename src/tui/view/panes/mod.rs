//! The panes of the screen, its top line and its bottom line.

pub(in crate::tui) mod bar;
pub(in crate::tui) mod by_hand;
pub(in crate::tui) mod candidates;
pub(in crate::tui) mod chart;
pub(in crate::tui) mod coupled;
pub(in crate::tui) mod cube_pane;
pub(in crate::tui) mod editor;
pub(in crate::tui) mod family;
pub(in crate::tui) mod figures;
pub(in crate::tui) mod game_chart;
pub(in crate::tui) mod header;
pub(in crate::tui) mod hints;
pub(in crate::tui) mod moves;
pub(in crate::tui) mod pair;
pub(in crate::tui) mod play_rows;
pub(in crate::tui) mod played_match;
pub(in crate::tui) mod quiz;
pub(in crate::tui) mod scatter;
pub(in crate::tui) mod tip;
pub(in crate::tui) mod transcript;
pub(in crate::tui) mod variations;
pub(in crate::tui) mod verdict;
