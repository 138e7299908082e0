//! Whom an analysis that comes late belongs to. Whatever is analysed has a number, its generation;
//! the three highest bits tell its kind, so that no two kinds ever share a number.

/// Questions of a quiz are counted from here; documents that are opened from 1.
const QUESTIONS: u64 = 1 << 62;
/// Plays that the tutor of a match against the program has a look at.
const TUTORED: u64 = QUESTIONS | 1 << 61;
/// First number of the lines of a variation.
const LINES: u64 = 2 << 62;
/// Drafts of the position editor.
const DRAFTS: u64 = 3 << 62;
/// Numbers that are kept free for the questions of one quiz.
const QUIZ: u64 = 1 << 20;

/// The numbers given out last: none is given out twice.
#[derive(Debug, Default)]
pub struct Generations {
    /// Of what a worker was asked for: of a line, a play for the tutor, a file.
    request: u64,
    /// Of the first question of a quiz.
    quiz: u64,
    /// Of the draft in the editor, or left there.
    draft: u64,
}

impl Generations {
    /// The number of a request that is told from others by what it asks for.
    pub(crate) fn next_request(&mut self) -> u64 {
        self.request += 1;
        self.request
    }

    /// The number of the line of a variation.
    pub(crate) fn next_line(&mut self) -> u64 {
        LINES | self.next_request()
    }

    /// The number of a play for the tutor.
    pub(crate) fn next_tutored(&mut self) -> u64 {
        TUTORED | self.next_request()
    }

    /// The number of the first question of a quiz; the others count on from it.
    pub(crate) fn next_quiz(&mut self) -> u64 {
        self.quiz += QUIZ;
        QUESTIONS | self.quiz
    }

    /// The number of the first draft of an editor; the others count on from it.
    pub(crate) fn next_editor(&self) -> u64 {
        DRAFTS | (self.draft + 1)
    }

    /// Takes note of a draft's number.
    pub(crate) fn keep_draft(&mut self, generation: u64) {
        self.draft = generation & !DRAFTS;
    }
}

/// What an analysis is about, whatever has become of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
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
    pub(crate) const fn of(generation: u64) -> Self {
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
