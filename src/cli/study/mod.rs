//! `quiz`, `plan` and `export`.

pub(in crate::cli) mod export;
pub(in crate::cli) mod plan;
pub(in crate::cli) mod quiz;
pub(in crate::cli) mod quiz_session;
pub(in crate::cli) mod study_files;
