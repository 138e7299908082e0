//! What commands share: options, output, messages of wrong usage, signals.

pub(in crate::cli) mod match_begun;
pub(in crate::cli) mod options;
pub(in crate::cli) mod output;
pub(in crate::cli) mod progress;
pub(in crate::cli) mod screen;
pub(in crate::cli) mod signals;
pub(in crate::cli) mod stdin;
pub(in crate::cli) mod thinking;
pub(in crate::cli) mod typed;
pub(in crate::cli) mod usage;
