//! Generations: numbers that assign late analyses to their subject. The three highest bits give the kind of subject,
//! so that no two kinds share a number.

/// First number of quiz questions; documents are numbered from 1.
const QUESTIONS: u64 = 1 << 62;
/// First number of plays for the tutor of a match against the program.
const TUTORED: u64 = QUESTIONS | 1 << 61;
/// First number of lines of a variation.
const LINES: u64 = 2 << 62;
/// First number of drafts of the position editor.
const DRAFTS: u64 = 3 << 62;
/// Numbers reserved for the questions of one quiz.
const QUIZ: u64 = 1 << 20;

/// The last numbers issued; none is issued twice.
#[derive(Debug, Default)]
pub struct Generations {
    /// Of requests to workers: lines, plays for the tutor, files.
    request: u64,
    /// Of the first question of a quiz.
    quiz: u64,
    /// Of the draft in the editor or left there.
    draft: u64,
}

impl Generations {
    /// The number of a request without a kind of its own.
    pub(crate) fn next_request(&mut self) -> u64 {
        self.request += 1;
        self.request
    }

    /// The number of a line of a variation.
    pub(crate) fn next_line(&mut self) -> u64 {
        LINES | self.next_request()
    }

    /// The number of a play for the tutor.
    pub(crate) fn next_tutored(&mut self) -> u64 {
        TUTORED | self.next_request()
    }

    /// The number of a quiz's first question; the others count up from it.
    pub(crate) fn next_quiz(&mut self) -> u64 {
        self.quiz += QUIZ;
        QUESTIONS | self.quiz
    }

    /// The number of an editor's first draft; the others count up from it.
    pub(crate) fn next_editor(&self) -> u64 {
        DRAFTS | (self.draft + 1)
    }

    /// Records a draft's number.
    pub(crate) fn keep_draft(&mut self, generation: u64) {
        self.draft = generation & !DRAFTS;
    }
}

/// The subject of an analysis, even if it is no longer open.
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
    /// The subject of the analysis with this number.
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
