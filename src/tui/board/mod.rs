//! Draws the board as a picture of block characters.
//!
//! [`Scene`] contains the checkers and [`BoardStyle`] the sizes. [`picture`] composes [`shapes`] on a [`raster`] of
//! 64 samples per cell; [`glyphs`] converts each cell to the best character and two colours. This module is
//! independent of the screen.

pub(crate) mod cache;
pub(crate) mod glyphs;
pub(crate) mod palette;
pub(crate) mod picture;
pub(crate) mod raster;
mod scene;
pub(crate) mod shapes;
mod style;
pub(crate) mod ways;

pub use scene::{Scene, Slot};
pub use style::{BoardStyle, SLOTS};
