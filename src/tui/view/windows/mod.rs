//! The windows over the screen.

pub(crate) mod cube_facts;
pub(crate) mod matrix;
pub(crate) mod opening;
pub(crate) mod roll_table;
pub(crate) mod why;
