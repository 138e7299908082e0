//! Code shared by commands: options, output, usage errors and signals.

pub(crate) mod match_begun;
pub mod options;
pub mod output;
mod paint;
pub(crate) mod progress;
pub(crate) mod screen;
pub(crate) mod signals;
pub(crate) mod stdin;
pub(crate) mod thinking;
pub(crate) mod typed;
pub mod usage;
