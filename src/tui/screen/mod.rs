//! What lies where on the screen, in which units, and what its signs mean.

pub mod layout;
pub mod legend;
pub mod motion;
pub mod targets;
pub mod units;
