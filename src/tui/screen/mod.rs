//! What lies where on the screen, in which units, and what its signs mean.

pub(crate) mod layout;
pub(crate) mod legend;
pub(crate) mod motion;
pub(crate) mod targets;
pub(crate) mod units;
