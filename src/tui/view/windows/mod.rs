//! The windows over the screen.

pub(in crate::tui) mod bias;
pub(in crate::tui) mod cube_facts;
pub(in crate::tui) mod equity_table;
pub(in crate::tui) mod error_list;
pub(in crate::tui) mod imported_analysis;
pub(in crate::tui) mod kept_list;
pub(in crate::tui) mod library;
pub(in crate::tui) mod matrix;
pub(in crate::tui) mod opening;
pub(in crate::tui) mod opinions;
pub(in crate::tui) mod overlays;
pub(in crate::tui) mod plan;
pub(in crate::tui) mod prompts;
pub(in crate::tui) mod rating;
pub(in crate::tui) mod roll_table;
pub(in crate::tui) mod themes;
pub(in crate::tui) mod why;
