//! `quiz`, `plan` and `export`.

pub(crate) mod export;
pub(crate) mod plan;
pub(crate) mod quiz;
pub(crate) mod quiz_session;
pub(crate) mod study_files;
