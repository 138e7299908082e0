//! The request for a rollout: settings, setup, limits, and what is refused.
//!
//! * [`settings`] and [`preset`]: how trials are played and when a rollout ends; settings by name.
//! * [`luck_kind`], [`coupling`] and [`cube_settings`]: three of the settings.
//! * [`setup`] and [`names`]: the evaluators and tables, and what identifies them.
//! * [`limits`], [`error`](mod@error) and [`check`]: which settings are refused.

pub(super) mod check;
pub(super) mod coupling;
pub(super) mod cube_settings;
pub(super) mod error;
pub mod limits;
pub(super) mod luck_kind;
pub(super) mod names;
pub(super) mod preset;
pub(super) mod settings;
pub(super) mod setup;
