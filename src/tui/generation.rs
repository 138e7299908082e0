//! Whom an analysis that comes late belongs to. Whatever is analysed has a number, its generation;
//! the three highest bits tell its kind, so that no two kinds ever share a number.

/// Questions of a quiz are counted from here; documents that are opened from 1.
pub(super) const QUESTIONS: u64 = 1 << 62;
/// Plays that the tutor of a match against the program has a look at.
pub(super) const TUTORED: u64 = QUESTIONS | 1 << 61;
/// Lines of a variation.
pub(super) const LINES: u64 = 2 << 62;
/// Drafts of the position editor.
pub(super) const DRAFTS: u64 = 3 << 62;

/// Whether it is that of a question.
pub(super) const fn is_question(generation: u64) -> bool {
    generation >> 61 == QUESTIONS >> 61
}

/// Whether it is that of a play for the tutor.
pub(super) const fn is_tutored(generation: u64) -> bool {
    generation >> 61 == TUTORED >> 61
}
