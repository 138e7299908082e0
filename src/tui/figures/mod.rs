//! What the state comes to: the rows of lists, errors, sentences, and what can be done now. Drawing and
//! keys ask here, so that they agree.

pub(crate) mod candidate_rows;
pub(crate) mod conditions;
pub(crate) mod cube_figures;
pub(crate) mod error_list;
pub(crate) mod explain;
pub(crate) mod imported;
pub(crate) mod lists;
pub(crate) mod luck;
pub(crate) mod pace;
pub(crate) mod rolled_cells;
pub(crate) mod rolled_turns;
pub(crate) mod rollout_list;
pub(crate) mod study_decisions;
pub(crate) mod trials;
pub(crate) mod troubles;
pub(crate) mod turn_errors;
