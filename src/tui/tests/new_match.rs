//! Beginning a match against the program with a key.

use std::sync::Arc;

use super::played_match::{begun, opened, playing};
use super::transcript::{file, lines, transcribing};
use super::typing::paste;
use crate::cube::{EquityTable, Model};
use crate::game::Player;
use crate::match_file::write::Target;
use crate::match_file::{self, Match};
use crate::tui::documents::new_match::NewMatch;
use crate::tui::documents::played_match::{MatchPrompt, PROGRAM, rating_of, seed_of};
use crate::tui::message::Message;
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::{Overlay, Prompt};

/// What stands in the window that asks for a new match, if it is open.
pub(super) fn terms(bench: &TestApp) -> Option<&str> {
    match &bench.app.overlay {
        Some(Overlay::Prompt {
            what: Prompt::NewMatch { .. },
            input,
            ..
        }) => Some(input.value()),
        _ => None,
    }
}

/// The match that a line begins in the window of a key, on the match of a test.
fn begun_by(keys: &str, line: &str) -> NewMatch {
    let mut bench = TestApp::new(Depth::True);
    bench.keys(keys);
    paste(&mut bench, line);
    bench.keys("enter");
    assert_eq!(terms(&bench), None, "{}", bench.said());
    let (new, folder) = bench.begun.take().expect("a match is begun");
    assert_eq!(folder, None);
    new
}

/// The key asks first, since it leaves a file; the match is played once its file is in view.
#[test]
fn a_match_is_begun_where_none_can_be_gone_on_with() {
    let mut bench = TestApp::typed(Depth::True, "g p");
    assert_eq!(terms(&bench), Some("7"));
    let screen = bench.screen(80, 24);
    assert_has!(screen, "a match against the program", "Enter begins it");
    assert_has!(
        screen,
        "such as 7, 7 12 tutor (its PR is 12, the tutor on), money jacoby"
    );
    bench.keys("esc");
    assert!(terms(&bench).is_none() && bench.begun.is_none());
    bench.keys("g p enter");
    assert!(bench.app.overlay.is_none());
    let (new, folder) = bench.begun.take().expect("a match is begun");
    assert_eq!((new.length, folder), (7, None));
    let record = new.record();
    assert_eq!(record.players, ["You", PROGRAM]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.mat");
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    bench.tell(Message::MatchBegun(Ok(path)));
    assert!(bench.app.played().is_some(), "{}", bench.said());
    assert!(bench.app.new_match.is_none());
    // What is played is gone on with, not begun anew.
    bench.keys("esc esc g p");
    assert!(bench.app.played().is_some() && bench.begun.is_none());
}

#[test]
fn a_match_that_is_over_is_followed_by_another_like_it() {
    let (folder, path) = begun(3, 5);
    let new = NewMatch {
        length: 3,
        name: "Anna".into(),
        seed: 5,
        rating: Some(12.0),
        ..NewMatch::default()
    };
    let mut record = new.record();
    record.resign(Player::Left, 3, None);
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    assert!(match_file::read(&path).unwrap().is_won());
    let mut bench = opened(&path);
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("3 12"));
    bench.keys("enter");
    let (next, place) = bench.begun.take().expect("a match is begun");
    let next = next.record();
    assert_eq!(place.as_deref(), Some(folder.path()));
    assert_eq!((next.length, rating_of(&next)), (3, Some(12.0)));
    assert_eq!(next.players, ["Anna", PROGRAM]);
    assert!(seed_of(&next).is_some_and(|seed| seed != 5), "other dice");
    assert!(next.games.iter().all(|game| game.events.is_empty()));
    bench.tell(Message::MatchBegun(Err("the disk is full".into())));
    assert!(
        bench.said().contains("the disk is full"),
        "{}",
        bench.said()
    );
    assert!(bench.app.played().is_none());
    // Another length and another opponent, by the same person in the same folder.
    bench.keys("g p 5 space t u t o r enter");
    let (next, place) = bench.begun.take().expect("a match is begun");
    assert_eq!(place.as_deref(), Some(folder.path()));
    assert_eq!((next.length, next.rating), (5, None));
    assert!(next.has_tutor && next.name == "Anna");
}

/// The first key takes the place of what is proposed.
#[test]
fn a_match_to_3_points_is_begun() {
    let mut bench = TestApp::typed(Depth::True, "g p 3");
    assert_eq!(terms(&bench), Some("3"));
    bench.keys("enter");
    let (new, _) = bench.begun.take().expect("a match is begun");
    assert_eq!((new.length, new.rating, new.has_tutor), (3, None, false));
    // What is proposed can be written on instead.
    bench.keys("g p end space 1 2 enter");
    let (new, _) = bench.begun.take().expect("a match is begun");
    assert_eq!((new.length, new.rating), (7, Some(12.0)));
}

#[test]
fn money_is_played_by_the_rules_that_are_typed() {
    for (line, jacoby, beavers) in [
        ("0", false, false),
        ("money", false, false),
        ("money jacoby", true, false),
        ("0 Beavers JACOBY", true, true),
    ] {
        let record = begun_by("g p", line).record();
        let rules = record.rules_in_force();
        assert_eq!(record.length, 0, "{line}");
        assert_eq!((rules.jacoby, rules.beavers), (jacoby, beavers), "{line}");
    }
}

/// The opponent plays by the rating, and the tutor is on from the beginning.
#[test]
fn an_opponent_of_a_rating_and_the_tutor_are_asked_for() {
    let new = begun_by("g p", "5 tutor 4.5");
    assert_eq!((new.length, new.rating), (5, Some(4.5)));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.mat");
    std::fs::write(&path, Target::Mat.write(&new.record())).unwrap();
    let mut bench = opened(&path);
    bench.keys("g p");
    let played = bench.app.played().expect("it is played");
    assert_eq!(played.rating, Some(4.5));
    assert!(played.has_tutor());
    // Elsewhere it is proposed to go on, and with its terms to begin another.
    bench.keys("esc esc");
    paste(&mut bench, "4HPwATDgc/ABMA");
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("go on"));
}

/// What is not understood stays in the window, which says what was expected.
#[test]
fn a_wrong_text_can_be_put_right() {
    for (keys, line, why) in [
        ("g p", "seven", "expected a length up to 9998, or money"),
        ("g p", "7 99", "expected a PR from 1 to 30"),
        ("g p", "7 fast", "beavers: not 'fast'"),
        ("g p", "7 jacoby", "jacoby and beavers are for money play"),
        ("g w", "Anna, Ben", "such as 7 or 11 Anna, Ben"),
        ("g w", "11 Anna Ben", "two names with a comma between"),
    ] {
        let mut bench = TestApp::new(Depth::True);
        bench.keys(keys);
        paste(&mut bench, line);
        bench.keys("enter");
        assert!(bench.said().contains(why), "{line}: {}", bench.said());
        assert!(bench.app.status.as_ref().unwrap().is_warning);
        assert!(bench.begun.is_none(), "{line}");
        assert_eq!(terms(&bench), Some(line));
        // It is edited, not replaced.
        bench.keys("backspace");
        assert_eq!(terms(&bench), Some(&line[..line.len() - 1]));
        bench.keys("ctrl-u 1 1 enter");
        let (new, _) = bench.begun.take().expect("one is begun");
        assert_eq!((new.length, new.is_transcribed), (11, keys == "g w"));
    }
}

/// At the end of a match its screen leads to the next one.
#[test]
fn the_end_of_a_match_names_the_key() {
    let (_folder, path) = begun(1, 5);
    let mut bench = opened(&path);
    bench.keys("g p");
    for _ in 0..400 {
        match bench.app.match_prompt() {
            Some(MatchPrompt::Over) | None => break,
            Some(MatchPrompt::Play(_)) => bench.keys("j v"),
            _ => bench.keys("s"),
        }
    }
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    bench.keys("s");
    assert!(
        bench.said().contains("gp begins another match"),
        "{}",
        bench.said()
    );
}

/// A program that was started without the Crawford rule begins matches without it.
#[test]
fn a_match_is_begun_by_the_rule_of_the_session() {
    for keys in ["g p enter", "g w enter"] {
        let mut bench = TestApp::new(Depth::True);
        let table = Arc::new(EquityTable::standard().without_crawford());
        bench.app.model = Arc::new(Model {
            table,
            ..Model::default()
        });
        bench.keys(keys);
        let (new, _) = bench.begun.take().expect("a match is begun");
        let text = Target::Mat.write(&new.record());
        let again = match_file::read_bytes(text.as_bytes(), "new.mat").unwrap();
        assert!(!again.crawford && again.length == 7, "{text}");
    }
}

#[test]
fn a_new_transcript_is_begun_with_the_key() {
    let mut bench = TestApp::typed(Depth::True, "g w");
    assert!(bench.begun.is_none());
    assert_eq!(terms(&bench), Some("7"));
    let screen = bench.screen(80, 24);
    assert_has!(screen, "a match to transcribe");
    assert_has!(
        screen,
        "such as 7, money or 11 Anna, Ben: the first roll's left die is Anna's"
    );
    bench.keys("enter");
    let (new, folder) = bench.begun.take().expect("one is begun");
    assert_eq!(folder, None);
    let record = new.record();
    assert_eq!(
        (record.length, &record.players),
        (7, &Match::UNNAMED.map(String::from))
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new.mat");
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    bench.tell(Message::MatchBegun(Ok(path)));
    assert!(bench.app.is_transcribing(), "{}", bench.said());
}

/// The names are typed behind the length; the first player stands on the left.
#[test]
fn a_new_transcript_has_the_names_that_are_typed() {
    for (line, length, players) in [
        ("11 Anna, Ben", 11, ["Anna", "Ben"]),
        ("money Anna Lee, Ben", 0, ["Anna Lee", "Ben"]),
        ("3", 3, Match::UNNAMED),
    ] {
        let mut bench = TestApp::typed(Depth::True, "g w");
        paste(&mut bench, line);
        bench.keys("enter");
        let (new, _) = bench.begun.take().expect("one is begun");
        let begun = Target::Mat.write(&new.record());
        let record = match_file::read_bytes(begun.as_bytes(), "new.mat").unwrap();
        assert_eq!(record.length, length, "{line}");
        assert_eq!(record.players, players, "{line}");
    }
}

/// A match that is over can be corrected, or followed by another; its file stays as it is until something is done.
#[test]
fn a_match_that_is_over_is_corrected_or_followed_by_a_new_one() {
    let (_folder, path) = file(1);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "resigns"]);
    // Written by another program, in other words.
    let text = std::fs::read_to_string(&path).unwrap();
    let other = text.replace("31: 8/5 6/5", "13: 6/5 8/5");
    assert_ne!(other, text);
    std::fs::write(&path, &other).unwrap();
    let mut bench = opened(&path);
    bench.keys("g w");
    assert_eq!(terms(&bench), Some("correct"));
    bench.keys("enter");
    assert!(bench.app.is_transcribing(), "{}", bench.said());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
    let mut bench = opened(&path);
    bench.keys("g w 5 enter");
    let (new, _) = bench.begun.take().expect("one is begun");
    assert!(new.is_transcribed && new.length == 5);
}

/// The match that was left is offered where another file is in view.
#[test]
fn the_match_that_was_left_is_gone_on_with() {
    let (folder, path) = begun(7, 9);
    let mut bench = playing(&path);
    bench.keys("esc esc");
    let other = folder.path().join("other.mat");
    std::fs::write(&other, Target::Mat.write(&record())).unwrap();
    paste(&mut bench, &other.display().to_string());
    assert!(bench.app.played().is_none());
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("go on"));
    // What is transcribed meanwhile does not take its place.
    bench.keys("esc g w esc esc g p");
    assert_eq!(terms(&bench), Some("go on"));
    bench.keys("enter");
    let played = bench.app.played().map(|played| &played.file.path);
    assert_eq!(played, Some(&path), "{}", bench.said());
}
