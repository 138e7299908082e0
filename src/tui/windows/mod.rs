//! What the windows over the screen hold.

pub mod asked;
pub mod draft;
pub mod editor;
pub mod equity_table;
pub mod exported;
pub mod form;
pub mod kept_list;
pub mod library;
pub mod overlay;
pub mod palette;
pub mod path_prompt;
pub mod plan;
pub mod quiz;
pub mod rating;
pub mod tips;
