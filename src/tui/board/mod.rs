//! The board as a picture: which checker lies where, how large everything is, and the block
//! characters that show it.
//!
//! [`Scene`] says what is to be seen and [`BoardStyle`] how large it is. [`picture`] lays it out of
//! [`shapes`] on a [`raster`] of 64 samples a cell; [`glyphs`] turns each cell into the character and
//! the two colours that come nearest. Nothing here knows the screen.

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
