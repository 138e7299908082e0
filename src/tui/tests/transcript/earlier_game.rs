//! An earlier game of a transcript that is corrected.

use std::path::{Path, PathBuf};

use super::{file, is_asked, lines, transcribing, written};
use crate::match_file::{Action, Event, Match, Warning};
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::tests::new_match::terms;
use crate::tui::tests::played_match::opened;
use crate::tui::tests::typing::paste;

/// Three games to so many points: Anna wins 1, Ben 1 and then 2 by a doubled cube.
fn three_games(length: u16) -> (tempfile::TempDir, PathBuf) {
    let (folder, path) = file(length);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "resigns"]);
    bench.keys("s");
    let second = ["13: 8/5 6/5", "64: 24/14", "52: 13/8 6/4", "resigns"];
    lines(&mut bench, &second);
    bench.keys("s");
    let third = [
        "31: 8/5 6/5",
        "double",
        "take",
        "62: 24/18 13/11",
        "resigns",
    ];
    lines(&mut bench, &third);
    let record = written(&path);
    assert_eq!(scores(&record), [[0, 0], [1, 0], [1, 1]]);
    assert_eq!(record.final_score(), [1, 3]);
    (folder, path)
}

fn scores(record: &Match) -> Vec<[u16; 2]> {
    record.games.iter().map(|game| game.score).collect()
}

fn events(record: &Match) -> Vec<usize> {
    record.games.iter().map(|game| game.events.len()).collect()
}

/// Whether the file can be gone on with: a warning would be about something that gets lost.
fn is_sound(record: &Match) -> bool {
    record.warnings.iter().all(Warning::is_of_open_end)
}

/// The workstation with a turn of the match in view.
fn at(path: &Path, place: (usize, usize)) -> TestApp {
    let mut bench = opened(path);
    while bench.app.turn().expect("it is there").place() != place {
        bench.keys("l");
    }
    bench
}

/// The workstation with a game in view to be corrected, from a turn on.
fn correcting(path: &Path, place: (usize, usize)) -> TestApp {
    let mut bench = at(path, place);
    bench.keys("g w");
    assert_eq!(terms(&bench), Some("correct"));
    bench.keys("enter");
    assert!(bench.app.is_transcribing(), "{}", bench.said());
    bench
}

#[test]
fn a_wrong_play_of_an_earlier_game_is_corrected() {
    for length in [3, 7, 0] {
        let (_folder, path) = three_games(length);
        let before = std::fs::read(&path).unwrap();
        let mut bench = correcting(&path, (1, 1));
        assert_eq!(bench.app.at, 1);
        assert!(bench.said().starts_with("game 2: Del"), "{}", bench.said());
        bench.keys("delete");
        assert!(bench.said().contains("file waits"), "{}", bench.said());
        assert!(bench.screen(120, 40).contains("keeps this game as it was"));
        lines(&mut bench, &["24/18 13/9"]);
        assert_eq!(std::fs::read(&path).unwrap(), before, "it is not over");
        bench.keys("esc U");
        let told = "brought back: 1 action and the resignation";
        assert_eq!(bench.said(), told);
        let record = written(&path);
        assert!(is_sound(&record), "{:?}", record.warnings);
        assert_eq!(scores(&record), [[0, 0], [1, 0], [1, 1]]);
        assert_eq!(events(&record), [2, 4, 5]);
        assert_eq!(
            record.games[1].result,
            record.games[0].result.map(|mut won| {
                won.winner = won.winner.other();
                won
            })
        );
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let old = words(&String::from_utf8(before).unwrap());
        let new = words(&std::fs::read_to_string(&path).unwrap());
        let plays = ["24/18 13/9", "24/14", "24/20 20/14", "24/18 18/14"];
        let wrong = plays.iter().find(|play| old.contains(*play)).unwrap();
        assert_eq!(new, old.replace(wrong, "24/18 13/9"));
        // Where it was corrected the match comes back into view, and is read again with all of it.
        bench.keys("h h esc");
        assert!(bench.app.variation.is_none(), "{}", bench.said());
        assert_eq!(bench.app.turn().unwrap().game, 1);
        let turns = bench.app.document.turns.len();
        assert_eq!(bench.app.document.record.games.len(), 3);
        assert_eq!(
            bench.app.document.record.games[1].events,
            record.games[1].events
        );
        assert_eq!(turns, opened(&path).app.document.turns.len());
    }
}

/// Where the match goes on, the key goes on from its last game, and asks in those before.
#[test]
fn an_earlier_game_is_corrected_where_the_match_goes_on() {
    let (_folder, path) = three_games(7);
    let mut bench = at(&path, (2, 0));
    bench.keys("g w");
    assert!(is_asked(&bench), "{}", bench.said());
    assert_eq!(bench.app.played().unwrap().game(), 3);
    bench.keys("esc esc");
    let mut bench = at(&path, (0, 0));
    bench.keys("g w");
    assert_eq!(terms(&bench), Some("correct"));
    assert_has!(
        bench.screen(80, 24),
        "correct: from here; go on: at the end"
    );
    paste(&mut bench, "go on");
    bench.keys("enter");
    assert!(is_asked(&bench), "{}", bench.said());
    assert_eq!(bench.app.played().unwrap().game(), 3);
}

/// The scores behind follow from the new result, and so does which of the games is the Crawford game.
#[test]
fn a_changed_result_changes_the_scores_of_the_games_behind() {
    let (_folder, path) = three_games(7);
    let mut bench = correcting(&path, (1, 1));
    bench.keys("delete");
    lines(&mut bench, &["wins gammon"]);
    assert!(
        bench.said().contains("Anna wins 2 points, 3–0"),
        "{}",
        bench.said()
    );
    assert!(
        bench.said().contains("leads to the next game"),
        "{}",
        bench.said()
    );
    let record = written(&path);
    assert!(is_sound(&record), "{:?}", record.warnings);
    assert_eq!(scores(&record), [[0, 0], [1, 0], [3, 0]]);
    assert_eq!(record.final_score(), [3, 2]);
    // What was taken back is asked about; then the next game that is there comes, and behind the last one a new one.
    bench.keys("s");
    assert!(bench.said().contains("are lost then"), "{}", bench.said());
    bench.keys("s");
    assert_eq!(bench.app.played().unwrap().game(), 2);
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::NextGame));
    assert!(bench.said().contains("3–2: s begins"), "{}", bench.said());
    bench.keys("s");
    lines(&mut bench, &["31: 8/5 6/5"]);
    let record = written(&path);
    assert_eq!(scores(&record), [[0, 0], [1, 0], [3, 0], [3, 2]]);
    assert_eq!(events(&record), [2, 2, 5, 1]);
}

#[test]
fn leaving_in_the_middle_leaves_the_file_whole() {
    let (folder, path) = three_games(3);
    let before = std::fs::read(&path).unwrap();
    let other = folder.path().join("other.mat");
    std::fs::copy(&path, &other).unwrap();
    let mut bench = correcting(&path, (1, 1));
    bench.keys("delete esc");
    assert!(bench.app.is_transcribing(), "it is asked first");
    assert_eq!(
        bench.said(),
        "the game is not over: its changes are lost then: U brings turns back, Esc again leaves"
    );
    bench.keys("q");
    assert!(!bench.over && bench.said().contains("q again quits"));
    let name = other.display().to_string();
    paste(&mut bench, &name);
    assert!(bench.app.is_transcribing(), "{}", bench.said());
    // Also where all turns are there, but the game is not over.
    lines(&mut bench, &["24/18 13/9", "52: 13/8 6/4"]);
    bench.keys("esc esc");
    assert!(
        bench.said().contains("changes are lost"),
        "{}",
        bench.said()
    );
    bench.keys("esc");
    assert!(bench.app.variation.is_none(), "{}", bench.said());
    assert_eq!(bench.app.turn().unwrap().game, 1);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // What comes into view again is the match of the file.
    let mut again = bench;
    again.keys("g w enter");
    assert_eq!(again.app.played().unwrap().in_file().games.len(), 3);
    again.keys("esc");
    assert!(again.app.variation.is_none(), "nothing was changed");
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

/// A result that ends the match early, or makes the next game another one than it was, is not written.
#[test]
fn later_games_are_not_lost_by_a_result_that_they_do_not_fit() {
    let (_folder, path) = three_games(3);
    let before = std::fs::read(&path).unwrap();
    for (line, why) in [
        (
            "wins",
            "game 3 has a double, and would be the Crawford game",
        ),
        ("wins gammon", "the match would be over before game 3"),
    ] {
        let mut bench = correcting(&path, (1, 1));
        bench.keys("delete");
        lines(&mut bench, &[line]);
        assert_has!(bench.said(), &format!("not written, as {why}"));
        for _ in 0..2 {
            bench.keys("s");
            assert!(bench.said().starts_with(why), "{}", bench.said());
        }
        assert_eq!(bench.app.played().unwrap().game(), 1);
        bench.keys("esc");
        assert!(
            bench.said().starts_with("later games do not fit"),
            "{}",
            bench.said()
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
        // Taken back and brought back it is as it was.
        bench.keys("delete U");
        assert!(
            bench.said().contains("Ben wins 1 point, 1–1"),
            "{}",
            bench.said()
        );
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}

/// A game behind the end of the match of which nothing was played is no game.
#[test]
fn an_empty_game_gives_way_to_the_end_of_the_match() {
    let (_folder, path) = file(3);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "resigns"]);
    bench.keys("s");
    lines(&mut bench, &["13: 8/5 6/5", "64: 24/14", "resigns"]);
    bench.keys("s");
    lines(&mut bench, &["31: 8/5 6/5"]);
    bench.keys("esc delete delete");
    assert_eq!(events(&written(&path)), [2, 3, 0]);
    bench.keys("esc esc");
    let mut bench = correcting(&path, (0, 0));
    bench.keys("delete");
    lines(&mut bench, &["31: 8/5 6/5", "wins backgammon"]);
    // The second game was played.
    assert!(bench.said().contains("before game 2"), "{}", bench.said());
    let mut bench = at(&path, (1, 0));
    bench.keys("g w esc");
    assert_eq!(bench.app.played().unwrap().game(), 2);
    bench.keys("delete delete");
    lines(&mut bench, &["resigns backgammon"]);
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    assert_eq!(events(&written(&path)), [2, 3]);
    assert!(written(&path).is_won());
}

#[test]
fn a_game_is_not_removed_from_before_others() {
    let (_folder, path) = three_games(7);
    let before = std::fs::read(&path).unwrap();
    let mut bench = correcting(&path, (1, 0));
    bench.keys("delete delete delete");
    assert!(
        bench.said().contains("games follow this one"),
        "{}",
        bench.said()
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
    bench.keys("U U");
    assert!(bench.app.is_between_games(), "{}", bench.said());
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // The end of the game is put right by itself.
    bench.keys("l l l delete");
    let told = "the game goes on; the file waits until it is over again";
    assert_eq!(bench.said(), told);
    bench.keys("U");
    assert_eq!(bench.said(), "brought back: the resignation");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    bench.keys("L");
    assert!(
        bench.said().contains("in the match itself"),
        "{}",
        bench.said()
    );
}

/// The Crawford game is another one where the scores are.
#[test]
fn the_crawford_game_follows_from_the_scores() {
    let (_folder, path) = file(3);
    let mut bench = transcribing(&path);
    for end in ["resigns gammon", "resigns", "wins"] {
        lines(&mut bench, &["31: 8/5 6/5", end]);
        bench.keys("s");
    }
    let crawford =
        |record: &Match| -> Vec<bool> { record.games.iter().map(|game| game.crawford).collect() };
    let record = written(&path);
    assert_eq!(record.games.len(), 2, "{}", bench.said());
    assert_eq!(crawford(&record), [false, true]);
    let mut bench = correcting(&path, (0, 0));
    bench.keys("l delete");
    lines(&mut bench, &["resigns"]);
    let record = written(&path);
    assert_eq!(scores(&record), [[0, 0], [1, 0]]);
    assert_eq!(crawford(&record), [false, false]);
    assert!(
        is_sound(&record) && !record.is_won(),
        "{:?}",
        record.warnings
    );
    let is_resigned = |event: &Event| event.action == Action::Resign;
    assert!(record.games[1].events.iter().any(is_resigned));
}

/// A file that was read again meanwhile is corrected as it is.
#[test]
fn a_corrected_game_is_corrected_again() {
    let (_folder, path) = three_games(7);
    let mut bench = correcting(&path, (1, 1));
    bench.keys("delete");
    lines(&mut bench, &["24/18 13/9", "u"]);
    bench.keys("h h esc");
    assert!(bench.app.variation.is_none(), "{}", bench.said());
    let number = bench.app.document.generation + 1;
    let record = written(&path);
    let document = crate::tui::documents::document::Document::of_match(
        Match {
            path: Some(path.clone()),
            ..record
        },
        "final.mat".into(),
        number,
    );
    bench.tell(Message::Reread(number, Ok(Box::new(document))));
    bench.keys("g w enter");
    assert_eq!(bench.app.played().unwrap().game(), 1);
    bench.keys("delete");
    assert_eq!(events(&written(&path)), [2, 4, 5]);
    bench.keys("U esc");
    assert!(bench.app.variation.is_none(), "{}", bench.said());
    assert!(is_sound(&written(&path)));
}

/// The turn before a resignation stays in view, and an end that was taken back is not lost without a question.
#[test]
fn an_end_that_was_taken_back_is_asked_for() {
    let (_folder, path) = three_games(3);
    let bench = correcting(&path, (2, 3));
    assert!(bench.said().starts_with("game 3: Del"), "{}", bench.said());
    let mut bench = correcting(&path, (2, 4));
    bench.keys("delete");
    assert_eq!(bench.said(), "the game goes on");
    bench.keys("q");
    let asked = "the end that was taken back is lost then: U brings it back";
    assert!(bench.said().starts_with(asked), "{}", bench.said());
    bench.keys("esc U esc");
    assert_eq!(written(&path).final_score(), [1, 3]);
}

/// What is only told of a file, and stands there again, keeps nobody from correcting it.
#[test]
fn a_game_that_begins_with_equal_dice_can_be_corrected() {
    let (_folder, path) = three_games(7);
    let text = std::fs::read_to_string(&path).unwrap();
    let equal = text.replacen("31: 8/5 6/5", "33: 8/5 8/5 6/3 6/3", 1);
    assert_ne!(equal, text);
    std::fs::write(&path, equal).unwrap();
    assert_eq!(written(&path).warnings.len(), 1);
    let bench = correcting(&path, (1, 1));
    assert_eq!(bench.app.played().unwrap().game(), 1);
}

/// Nor are turns that the end of a match leaves behind it.
#[test]
fn turns_are_not_lost_behind_the_end_of_a_match() {
    let (_folder, path) = three_games(3);
    let mut bench = correcting(&path, (2, 1));
    bench.keys("delete");
    lines(&mut bench, &["wins gammon"]);
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Over));
    let lost = "turns that were taken back are lost then: ";
    for (key, again) in [
        ("esc", "Esc again leaves"),
        ("s", "the same key again leaves"),
    ] {
        bench.keys(key);
        assert_eq!(bench.said(), format!("{lost}{again}"));
    }
    bench.keys("s");
    assert!(!bench.app.is_transcribing(), "{}", bench.said());
}
