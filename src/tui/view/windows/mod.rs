//! The windows over the screen.

pub(crate) mod bias;
pub(crate) mod cube_facts;
pub(crate) mod equity_table;
pub(crate) mod error_list;
pub(crate) mod imported_analysis;
pub(crate) mod kept_list;
pub(crate) mod library;
pub(crate) mod matrix;
pub(crate) mod opening;
pub(crate) mod opinions;
pub(crate) mod overlays;
pub(crate) mod plan;
pub(crate) mod prompts;
pub(crate) mod rating;
pub(crate) mod roll_table;
pub(crate) mod themes;
pub(crate) mod why;
