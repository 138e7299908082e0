//! A match against the program that is left before its end.

use std::path::{Path, PathBuf};

use super::new_match::terms;
use super::played_match::{begun, opened, playing, roll_until};
use super::transcript::{file, lines, transcribing};
use super::typing::paste;
use crate::game::Player;
use crate::match_file;
use crate::match_file::write::Target;
use crate::store::session::Session;
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::figures::troubles;
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;

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
    assert!(bench.said().contains("is rolled"), "{}", bench.said());
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
    assert!(bench.said().contains("gp goes on"), "{}", bench.said());
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
    assert!(bench.said().contains("is being played"), "{}", bench.said());
}

/// How many errors there are would tell whether the last play was one.
#[test]
fn errors_are_not_counted_while_the_answers_are_hidden() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    bench.keys("t");
    assert!(bench.said().ends_with("points)"), "{}", bench.said());
    bench.keys("esc esc t");
    assert!(bench.said().contains(": "), "{}", bench.said());
}

/// An earlier turn is only looked at.
#[test]
fn keys_that_play_are_of_the_end_of_the_game() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
    assert!(bench.screen(120, 40).contains("D doubles, s rolls"));
    let screen = bench.screen_after("h h", 120, 40);
    assert_lacks!(screen, "D doubles");
    assert_has!(screen, "leads to the end of the game");
    for keys in ["s", "D", "v", "g x"] {
        bench.keys(keys);
        assert!(
            bench.said().contains("goes on at the end"),
            "{keys}: {}",
            bench.said()
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
        let screen = bench.screen_after(keys, 120, 40);
        assert!(
            bench.said().contains("nothing has been played"),
            "{keys}: {}\n{screen}",
            bench.said()
        );
    }
}

/// The person makes a play.
fn play(bench: &mut TestApp) {
    roll_until(bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.keys("j v");
}

/// What the session of a workstation is after its file was written and read; `folder` may have one of before.
fn kept(bench: &TestApp, folder: &Path) -> Session {
    let path = folder.join("session.json");
    bench.app.session().unwrap().save(&path).unwrap();
    Session::load(&path).unwrap()
}

/// The workstation another day, with the match of the tests in view.
fn another_day(session: &Session) -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    bench.app.resume(session);
    bench
}

/// A match of which the person has made a play, as a session knows it that was ended then and there.
fn left_another_day() -> (tempfile::TempDir, PathBuf, Session) {
    let (folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    play(&mut bench);
    let session = kept(&bench, folder.path());
    (folder, path, session)
}

fn played_file(bench: &TestApp) -> Option<&Path> {
    bench.app.played().map(|played| &*played.file.path)
}

/// Has the match of a file be over.
fn end(path: &Path) {
    let mut over = match_file::read(path).unwrap();
    over.resign(Player::Left, 7, None);
    std::fs::write(path, Target::Mat.write(&over)).unwrap();
    assert!(match_file::read(path).unwrap().is_won());
}

#[test]
fn a_match_that_was_left_is_offered_another_day() {
    let (folder, path, session) = left_another_day();
    let mut bench = another_day(&session);
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("go on"));
    assert_has!(bench.screen(80, 24), "go on: with own.mat; or");
    bench.keys("enter");
    assert_eq!(played_file(&bench), Some(&*path), "{}", bench.said());
    play(&mut bench);
    // Left with the key, it is offered the day after as well.
    bench.keys("esc esc");
    let mut third = another_day(&kept(&bench, folder.path()));
    third.keys("g p");
    assert_eq!(terms(&third), Some("go on"));
    // Once it is over another is proposed.
    third.keys("enter");
    while third.app.match_prompt() != Some(MatchPrompt::Over) {
        roll_until(&mut third, MatchPrompt::is_between_games);
        if third.app.match_prompt() == Some(MatchPrompt::NextGame) {
            third.keys("s");
        }
    }
    let mut fourth = another_day(&kept(&third, folder.path()));
    fourth.keys("g p");
    assert_eq!(terms(&fourth), Some("7"));
    fourth.keys("esc g p g o space o n enter");
    assert!(fourth.app.played().is_none());
}

/// Another match begun instead, at its beginning: it takes the place of the one that was left with the first play.
#[test]
fn a_new_match_gives_way_to_the_one_that_was_left() {
    let (_folder, path, session) = left_another_day();
    let (other, new) = begun(5, 4);
    let mut bench = opened(&new);
    bench.app.resume(&session);
    bench.keys("g p");
    assert_eq!(played_file(&bench), Some(&*new));
    let mut again = another_day(&kept(&bench, other.path()));
    assert_eq!(again.app.match_to_go_on(), Some(&*path));
    again.keys("g p enter");
    assert_eq!(played_file(&again), Some(&*path), "{}", again.said());
    let offered = "gp goes on with the match that was left";
    assert!(bench.screen(80, 24).contains(offered));
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("go on"));
    bench.keys("esc");
    assert_eq!(played_file(&bench), Some(&*new));
    bench.keys("g p enter");
    assert_eq!(played_file(&bench), Some(&*path), "{}", bench.said());
    // With a play it is the last one.
    let mut bench = opened(&new);
    bench.app.resume(&session);
    bench.keys("g p");
    play(&mut bench);
    assert!(!bench.screen(80, 24).contains(offered));
    bench.keys("g p");
    assert!(bench.said().contains("is being played"), "{}", bench.said());
    let again = another_day(&kept(&bench, other.path()));
    assert_eq!(again.app.match_to_go_on(), Some(&*new));
    // The first of all is offered without a play.
    let mut bench = opened(&new);
    bench.keys("g p");
    let other = tempfile::tempdir().unwrap();
    let again = another_day(&kept(&bench, other.path()));
    assert_eq!(again.app.match_to_go_on(), Some(&*new));
}

#[test]
fn a_match_whose_file_is_gone_gives_way_to_a_new_one() {
    let (folder, path, session) = left_another_day();
    std::fs::remove_file(&path).unwrap();
    let mut bench = another_day(&session);
    bench.keys("g p enter");
    assert!(bench.app.played().is_none());
    let why = bench.said().to_owned();
    assert!(
        why.starts_with("the match that was left cannot be opened: ") && why.contains("own.mat"),
        "{why}"
    );
    assert_eq!(terms(&bench), Some("7"));
    bench.keys("enter");
    assert_eq!(bench.begun.as_ref().map(|(new, _)| new.length), Some(7));
    // It is not offered again.
    let session = kept(&bench, folder.path());
    assert_eq!(another_day(&session).app.match_to_go_on(), None);
}

/// In another window, or by a program that has put something else there.
#[test]
fn a_match_that_was_ended_elsewhere_gives_way_to_a_new_one() {
    let (_folder, path, session) = left_another_day();
    end(&path);
    let mut bench = another_day(&session);
    bench.keys("g p enter");
    assert!(bench.app.played().is_none());
    assert_eq!(bench.app.document.record.path.as_ref(), Some(&path));
    assert!(
        bench.said().contains("has come to its end"),
        "{}",
        bench.said()
    );
    assert_eq!(terms(&bench), Some("7"));
    std::fs::write(&path, Target::Mat.write(&record())).unwrap();
    let mut bench = another_day(&session);
    bench.keys("g p enter");
    assert!(bench.app.played().is_none());
    assert!(bench.said().contains("no longer has"), "{}", bench.said());
    assert_eq!(terms(&bench), Some("7"));
}

/// The match in view is not offered: it goes on, or it is over.
#[test]
fn a_match_in_view_is_no_other_one() {
    let (_folder, path, session) = left_another_day();
    let mut bench = opened(&path);
    bench.app.resume(&session);
    bench.keys("g p");
    assert_eq!(played_file(&bench), Some(&*path));
    end(&path);
    let mut bench = opened(&path);
    bench.app.resume(&session);
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("7"));
}

/// Of two programs the one counts in which a match was played last, whichever writes its session last.
#[test]
fn the_match_of_another_window_is_offered() {
    let (folder, path, session) = left_another_day();
    let first = another_day(&session);
    let (_other, new) = begun(5, 4);
    let mut second = opened(&new);
    second.app.resume(&session);
    second.keys("g p");
    play(&mut second);
    kept(&second, folder.path());
    let session = kept(&first, folder.path());
    assert_eq!(another_day(&session).app.match_to_go_on(), Some(&*new));
    // A match that is transcribed is none against the program.
    let (_transcript, written) = file(1);
    let mut third = transcribing(&written);
    lines(&mut third, &["31: 8/5 6/5"]);
    assert_eq!(third.app.session().unwrap().last_play, None);
    // What is gone on with there is the last one again.
    let mut first = first;
    first.keys("g p enter");
    let session = kept(&first, folder.path());
    assert_eq!(another_day(&session).app.match_to_go_on(), Some(&*path));
    // It is offered where a position is in view, too.
    let mut last = another_day(&session);
    paste(&mut last, "4HPwATDgc/ABMA");
    last.keys("g p");
    assert_eq!(terms(&last), Some("go on"));
}
