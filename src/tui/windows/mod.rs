//! What the windows over the screen hold.

pub(crate) mod asked;
pub(crate) mod draft;
pub(crate) mod editor;
pub(crate) mod equity_table;
pub(crate) mod exported;
pub(crate) mod form;
pub(crate) mod kept_list;
pub(crate) mod library;
pub(crate) mod overlay;
pub(crate) mod palette;
pub(crate) mod path_prompt;
pub(crate) mod plan;
pub(crate) mod quiz;
pub(crate) mod rating;
pub(crate) mod tips;
