//! What all of the screen is drawn with: cells and roles, titles, frames of windows, axes and dots.

pub(crate) mod ascii;
pub(crate) mod axis;
pub(crate) mod bounds;
pub(crate) mod braille;
pub(crate) mod chart_labels;
pub(crate) mod columns;
pub(crate) mod paint;
pub(crate) mod pane;
pub(crate) mod prompt;
pub(crate) mod window;
pub(crate) mod words;
