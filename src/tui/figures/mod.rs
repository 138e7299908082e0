//! What the state comes to: the rows of lists, errors, sentences, and what can be done now. Drawing and
//! keys ask here, so that they agree.

pub mod candidate_rows;
pub mod conditions;
pub mod cube_figures;
pub mod error_list;
pub mod explain;
pub mod imported;
pub mod lists;
pub mod pace;
pub mod rolled_cells;
pub mod rolled_turns;
pub mod rollout_list;
pub mod row_count;
pub mod study_decisions;
pub mod trials;
pub mod troubles;
pub mod turn_errors;
