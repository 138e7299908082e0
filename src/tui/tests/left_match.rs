//! A match against the program that is left before its end.

use super::played_match::{begun, opened, playing, roll_until, said};
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::figures::troubles;
use crate::tui::testing::text;

/// Who has rolled without doubling may not double after all by leaving the match, nor in another session.
#[test]
fn a_roll_that_was_seen_is_not_taken_back() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
    bench.keys("s");
    let before = bench.app.turn().unwrap().before;
    assert!(before.state.roll.is_some());
    bench.keys("esc esc g p D");
    assert_eq!(bench.app.turn().unwrap().before, before);
    assert!(said(&bench).contains("is rolled"), "{}", said(&bench));
    let mut again = playing(&path);
    assert_eq!(again.app.turn().unwrap().before, before);
    // The next decision is asked as any other.
    again.keys("j v");
    let prompt = roll_until(&mut again, |prompt| prompt != MatchPrompt::Wait);
    assert!(
        matches!(
            prompt,
            MatchPrompt::Double | MatchPrompt::Answer | MatchPrompt::Play(_)
        ),
        "{prompt:?}"
    );
    assert_ne!(again.app.turn().unwrap().before, before);
}

#[test]
fn leaving_says_how_the_match_goes_on() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    assert!(!bench.app.played().unwrap().has_tutor());
    bench.keys("S");
    assert!(bench.app.played().unwrap().has_tutor());
    bench.keys("esc esc");
    assert!(said(&bench).contains("gp goes on"), "{}", said(&bench));
    bench.keys("g p");
    assert!(bench.app.played().unwrap().has_tutor(), "as it was left");
    // That it is not over is no warning about its file.
    let shown = opened(&path);
    assert!(!shown.app.document.record.warnings.is_empty());
    assert_eq!(troubles::of_file(&shown.app.document.record).count(), 0);
    // The file says so, to another session and after a new start.
    let again = playing(&path);
    assert!(again.app.played().unwrap().has_tutor(), "as its file says");
    // What leads nowhere in a match that is played says so.
    bench.keys("g p");
    assert!(said(&bench).contains("is being played"), "{}", said(&bench));
}

/// How many errors there are would tell whether the last play was one.
#[test]
fn errors_are_not_counted_while_the_answers_are_hidden() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    bench.keys("t");
    assert!(said(&bench).ends_with("points)"), "{}", said(&bench));
    bench.keys("esc esc t");
    assert!(said(&bench).contains(": "), "{}", said(&bench));
}

/// An earlier turn is only looked at.
#[test]
fn keys_that_play_are_of_the_end_of_the_game() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
    assert!(text(&bench.draw(120, 40)).contains("D doubles, s rolls"));
    bench.keys("h h");
    let screen = text(&bench.draw(120, 40));
    assert!(!screen.contains("D doubles"), "{screen}");
    assert!(screen.contains("leads to the end of the game"), "{screen}");
    for keys in ["s", "D", "v", "g x"] {
        bench.keys(keys);
        assert!(
            said(&bench).contains("goes on at the end"),
            "{keys}: {}",
            said(&bench)
        );
    }
}

/// A match without a turn says so, instead of promising what never comes.
#[test]
fn a_match_of_which_nothing_was_played_says_so() {
    let (_folder, path) = begun(7, 3);
    let mut bench = opened(&path);
    assert!(bench.app.document.turns.is_empty());
    for keys in ["r", "c", "b", "v", "B", "y r", "E"] {
        bench.app.status = None;
        bench.keys(keys);
        let screen = text(&bench.draw(120, 40));
        assert!(
            said(&bench).contains("nothing has been played"),
            "{keys}: {}\n{screen}",
            said(&bench)
        );
    }
}
