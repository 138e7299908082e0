//! Layout of the screen, units, and symbols.

pub(crate) mod layout;
pub(crate) mod legend;
pub(crate) mod motion;
pub(crate) mod targets;
pub(crate) mod units;
