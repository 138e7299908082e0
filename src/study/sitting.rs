//! The order of questions in a sitting of the quiz, on the screen and on the command line.
//!
//! The questions left are asked from the front. A question that was skipped or not known comes again at the end.

use std::collections::VecDeque;

use super::{Grade, StudyDecision};

/// Puts an answered question at the end where it was not known. Returns whether it did.
pub fn repeat(left: &mut VecDeque<StudyDecision>, answered: &StudyDecision, grade: Grade) -> bool {
    let is_repeated = !grade.is_recalled();
    if is_repeated {
        left.push_back(answered.clone());
    }
    is_repeated
}

/// Takes the last answer back: its question comes next, before `open`, a question in view without an answer.
/// `is_repeated` is what [`repeat`] answered.
pub fn undo(
    left: &mut VecDeque<StudyDecision>,
    last: StudyDecision,
    is_repeated: bool,
    open: Option<StudyDecision>,
) {
    // Before the copy is looked for, as it may be the question in view.
    if let Some(open) = open {
        left.push_front(open);
    }
    if is_repeated {
        let key = last.key();
        // Skipped questions may stand behind the copy.
        if let Some(place) = left.iter().rposition(|one| one.key() == key) {
            left.remove(place);
        }
    }
    left.push_front(last);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn questions(numbers: &[u16]) -> VecDeque<StudyDecision> {
        let question = |number: &u16| StudyDecision::sample(*number, 0.1);
        numbers.iter().map(question).collect()
    }

    fn numbers(left: &VecDeque<StudyDecision>) -> Vec<u16> {
        left.iter().map(|one| one.state.score.mover).collect()
    }

    #[test]
    fn what_was_not_known_comes_again() {
        let mut left = questions(&[1, 2]);
        let first = left.pop_front().unwrap();
        for known in [Grade::Hard, Grade::Good, Grade::Easy] {
            assert!(!repeat(&mut left, &first, known));
        }
        assert_eq!(numbers(&left), [2]);
        assert!(repeat(&mut left, &first, Grade::Again));
        assert_eq!(numbers(&left), [2, 1]);
    }

    #[test]
    fn undo_removes_the_copy_and_no_skipped_question() {
        let mut left = questions(&[1, 2, 3]);
        let first = left.pop_front().unwrap();
        assert!(repeat(&mut left, &first, Grade::Again));
        let skipped = left.pop_front().unwrap();
        left.push_back(skipped);
        let open = left.pop_front();
        undo(&mut left, first, true, open);
        assert_eq!(numbers(&left), [1, 3, 2]);
    }

    #[test]
    fn undo_removes_the_copy_that_is_in_view() {
        let mut left = questions(&[1]);
        let last = left.pop_front().unwrap();
        assert!(repeat(&mut left, &last, Grade::Again));
        let open = left.pop_front();
        undo(&mut left, last, true, open);
        assert_eq!(numbers(&left), [1]);
    }

    #[test]
    fn undo_of_an_answer_in_view_leaves_the_others() {
        let mut left = questions(&[1, 2]);
        let last = left.pop_front().unwrap();
        undo(&mut left, last, false, None);
        assert_eq!(numbers(&left), [1, 2]);
    }
}
