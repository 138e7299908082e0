//! What all of the screen is drawn with: cells and roles, titles, frames of windows, axes and dots.

pub(in crate::tui) mod ascii;
pub(in crate::tui) mod axis;
pub(in crate::tui) mod bounds;
pub(in crate::tui) mod braille;
pub(in crate::tui) mod chart_labels;
pub(in crate::tui) mod columns;
pub(in crate::tui) mod paint;
pub(in crate::tui) mod pane;
pub(in crate::tui) mod window;
pub(in crate::tui) mod words;
