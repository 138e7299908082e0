//! Whom an analysis that comes late belongs to. Whatever is analysed has a number, its generation;
//! the three highest bits tell its kind, so that no two kinds ever share a number.

/// Questions of a quiz are counted from here; documents that are opened from 1.
pub(in crate::tui) const QUESTIONS: u64 = 1 << 62;
/// Plays that the tutor of a match against the program has a look at.
pub(in crate::tui) const TUTORED: u64 = QUESTIONS | 1 << 61;
/// First number of the lines of a variation.
pub(in crate::tui) const LINES: u64 = 2 << 62;
/// Drafts of the position editor.
pub(in crate::tui) const DRAFTS: u64 = 3 << 62;

/// What an analysis is about, whatever has become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui) enum Subject {
    /// A document that was opened.
    Document,
    /// A question of a quiz.
    Question,
    /// A play for the tutor.
    Tutored,
    /// A line of a variation.
    Line,
    /// A draft of the editor.
    Draft,
}

impl Subject {
    /// What the analysis with this number is about.
    pub(in crate::tui) const fn of(generation: u64) -> Self {
        match generation {
            DRAFTS.. => Self::Draft,
            LINES.. => Self::Line,
            TUTORED.. => Self::Tutored,
            QUESTIONS.. => Self::Question,
            _ => Self::Document,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_tells_the_subject() {
        let all = [
            (0, Subject::Document),
            (QUESTIONS, Subject::Question),
            (TUTORED, Subject::Tutored),
            (LINES, Subject::Line),
            (DRAFTS, Subject::Draft),
        ];
        for (first, subject) in all {
            assert_eq!([first, first | 77].map(Subject::of), [subject; 2]);
        }
    }
}
