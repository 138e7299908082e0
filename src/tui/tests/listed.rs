//! Files and pasted texts with several positions, and what another program says of a position.

use std::path::PathBuf;

use ratatui::crossterm::event::Event;

use crate::game::GameState;
use crate::notation::parse_id;
use crate::store::session::SavedSource;
use crate::tui::documents::open::{How, open};
use crate::tui::documents::places::openable;
use crate::tui::documents::places::{MOST_LISTED, Openable};
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::DecisionKey;
use crate::tui::testing::{Race, TestApp};
use crate::tui::theme::Depth;
use crate::tui::windows::exported::{Written, WrittenFile};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::quiz::QuizSource;

const IDS: [&str; 3] = [
    "XGID=-a--BBCBB--ABb--Acbcbb----:0:0:1:42:2:1:0:5:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:0:0:0:7:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
];

/// Two plays, as GNU Backgammon exports them.
const PLAYS: &str = "
 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : MACqAAAAAAAE

*    1. Cubeful 0-ply    8/4 6/4                      Eq.: +0.161
       0.536 0.167 0.012 - 0.464 0.131 0.005
     2. Cubeful 0-ply    24/20 13/11                  Eq.: +0.031 (-0.130)
       0.508 0.135 0.007 - 0.492 0.132 0.005
";

/// A cube decision, as BGBlitz exports it.
const CUBE: &str = "
 Position-ID: dB7GGAJsZuJgAg    Match-ID: cAkgAVAAAAAE
 XGID=---BBaB-BbA-bC-b--BdAca---:0:0:1:00:0:5:0:9:10

              Siege G+BG  BG
 Grün         45.9  11.7  0.2
 Rot          54.1  17.5  0.2
 Erwartungswert Rot (ohne Doppler): 0.139  Std.Abw.: 0.132
 Auszahlungserw. (mit Doppler)   :  0.226

 Würfelaktion:         :  Kein Doppel / Annehmen  EMG
 Kein Doppel           :  0.226   ( 0.000)      0.287   ( 0.000)
 Doppeln / Annehmen    :  0.220   (-0.006)      0.164   (-0.123)
 Doppeln / Ablehnen    :  0.261   ( 0.034)      1.000   ( 0.713)
";

fn paste(bench: &mut TestApp, text: &str) {
    bench.tell(Message::Input(Event::Paste(text.into())));
}

/// With a file of this content open.
fn with_file(content: &str) -> (tempfile::TempDir, PathBuf, TestApp) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    std::fs::write(&path, content).unwrap();
    let mut bench = TestApp::new(Depth::True);
    paste(&mut bench, &path.display().to_string());
    (folder, path, bench)
}

fn in_view(bench: &TestApp) -> GameState {
    bench.app.turn().unwrap().before.state
}

/// The top line.
fn head(bench: &mut TestApp, size: (u16, u16)) -> String {
    let screen = bench.screen(size.0, size.1);
    screen.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn the_positions_of_a_file_are_gone_through() {
    let (_folder, path, mut bench) = with_file(&IDS.join("\n"));
    assert_eq!(bench.said(), "position 1 of 3: ] and [ show the others");
    for (keys, place) in [("esc", 1), ("]", 2), ("]", 3), ("[", 2)] {
        bench.keys(keys);
        assert_eq!(in_view(&bench), parse_id(IDS[place - 1]).unwrap());
        assert_eq!(bench.said(), "", "it is said once");
        for size in [(60, 24), (80, 24), (120, 40)] {
            let head = head(&mut bench, size);
            let words = format!("position {place} of 3");
            assert_has!(head, &words, "list.txt");
        }
    }
    bench.keys("l");
    let words = "a position of a list: ] and [ show the others";
    assert_eq!(bench.said(), words);
    // What was open before and comes after is beside the list.
    bench.keys("] ]");
    assert!(bench.app.document.is_sample);
    bench.keys("]");
    assert_eq!(in_view(&bench), parse_id(IDS[0]).unwrap());
    // The next start knows which one was in view, and has the others.
    bench.keys("]");
    let saved = bench.app.session().unwrap();
    assert_eq!(saved.places[0].source, SavedSource::InFile(path, 1));
    let source = openable(&saved.places[0].source);
    let mut again = TestApp::new(Depth::True);
    again.app.sources = vec![source.clone()];
    let how = How::new(&Race, &again.app.model, false);
    let document = open(&source, 9, &how).map(Box::new);
    again.tell(Message::Opened(9, document));
    assert_eq!(again.said(), "position 2 of 3: ] and [ show the others");
    assert_eq!((again.app.source, again.app.shown), (1, 1));
    again.keys("[");
    assert_eq!(in_view(&again), parse_id(IDS[0]).unwrap());
}

#[test]
fn a_list_that_changes_is_followed() {
    let (_folder, path, mut bench) = with_file(&IDS.join("\n"));
    bench.keys("]");
    std::fs::write(&path, IDS[..2].join("\n")).unwrap();
    bench.keys("]");
    let why = "list.txt has 2 positions, there is no position 3";
    assert_eq!(bench.said(), why);
    assert_eq!(in_view(&bench), parse_id(IDS[1]).unwrap());
    bench.keys("[");
    assert!(head(&mut bench, (80, 24)).contains("position 1 of 2"));
    std::fs::write(&path, IDS.join("\n")).unwrap();
    bench.keys("]");
    assert_eq!(bench.said(), "position 2 of 3: ] and [ show the others");
    bench.keys("]");
    assert_eq!(in_view(&bench), parse_id(IDS[2]).unwrap());
    // Other dice are opened beside it.
    bench.keys("d 6 5 enter");
    assert!(bench.app.document.list.is_none());
    bench.keys("[");
    assert_eq!(in_view(&bench), parse_id(IDS[2]).unwrap());
}

/// Of a long list the next start knows the position in view and those with marks: other documents keep their places.
#[test]
fn a_list_does_not_displace_what_was_left_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    let others = format!("\n{}", IDS[0]).repeat(59);
    std::fs::write(&path, format!("{}{others}", IDS[1])).unwrap();
    let mut bench = TestApp::new(Depth::True);
    let file = folder.path().join("a.mat");
    bench.app.sources = vec![Openable::File(file.clone())];
    bench.keys("l l l E t r esc");
    let turn = bench.app.at;
    assert!(turn > 0 && bench.app.match_rollouts.is_some());
    paste(&mut bench, &path.display().to_string());
    let decision = DecisionKey::of(&in_view(&bench));
    let result = decision.state().position;
    bench.app.marked.entry(decision).or_default().insert(result);
    let go = |bench: &mut TestApp, key: &str| bench.keys(&vec![key; 55].join(" "));
    let kept = |bench: &TestApp| bench.app.session().unwrap().places;
    go(&mut bench, "]");
    let places = kept(&bench);
    let sources: Vec<&SavedSource> = places.iter().map(|place| &place.source).collect();
    let all = [
        &SavedSource::InFile(path.clone(), 55),
        &SavedSource::File(path.clone()),
        &SavedSource::File(file),
    ];
    assert_eq!(sources, all);
    assert!(places[2].turn == turn && places[2].match_rollouts.is_some());
    // Without marks it is forgotten as well.
    go(&mut bench, "[");
    bench.app.marked.clear();
    bench.keys("]");
    assert_eq!(kept(&bench).len(), 2);
}

#[test]
fn a_list_that_is_named_twice_is_gone_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.txt");
    std::fs::write(&path, IDS[..2].join("\n")).unwrap();
    let mut bench = TestApp::new(Depth::True);
    bench.app.sources = vec![Openable::File(path.clone()); 2];
    paste(&mut bench, &path.display().to_string());
    assert_eq!(bench.said(), "position 1 of 2: ] and [ show the others");
    let all = [
        Openable::File(path.clone()),
        Openable::InFile(path.clone(), 1),
    ];
    assert_eq!(bench.app.sources, all);
    for place in [2, 1] {
        bench.keys("]");
        assert_eq!(in_view(&bench), parse_id(IDS[place - 1]).unwrap());
    }
}

#[test]
fn warnings_of_a_list_are_told_once() {
    let (_folder, _, mut bench) = with_file(&[IDS[0], "XGID=-b---?", IDS[1]].join("\n"));
    let words = "1 warning in this file, W lists them; position 1 of 2: ] and [ show the others";
    assert_eq!(bench.said(), words);
    bench.keys("]");
    assert_eq!(bench.said(), "");
    assert!(head(&mut bench, (120, 40)).contains("1 warning"));
    bench.keys("W");
    assert!(matches!(bench.app.overlay, Some(Overlay::List { .. })));
}

#[test]
fn a_long_list_is_gone_through_up_to_a_bound() {
    let lines = format!("{}\n", IDS[0]).repeat(MOST_LISTED + 3);
    let (_folder, _, mut bench) = with_file(&lines);
    assert_eq!(
        bench.said(),
        "position 1 of 1003: ] and [ show the first 1000"
    );
    assert_eq!(bench.app.sources.len(), 1 + MOST_LISTED);
    bench.keys("[ [");
    assert!(head(&mut bench, (80, 24)).contains("position 1000 of 1003"));
}

#[test]
fn the_positions_of_a_pasted_text_are_gone_through() {
    let mut bench = TestApp::new(Depth::True);
    let post = format!("What here?\n{}\nAnd here?\n{}\nThanks", IDS[0], IDS[1]);
    paste(&mut bench, &post);
    assert_eq!(bench.said(), "position 1 of 2: ] and [ show the others");
    let sources = bench.app.sources.clone();
    bench.keys("]");
    assert_eq!(in_view(&bench), parse_id(IDS[1]).unwrap());
    assert!(head(&mut bench, (80, 24)).contains("position 2 of 2"));
    let saved = bench.app.session().unwrap();
    assert_eq!(saved.places[0].source, SavedSource::Id(IDS[1].into()));
    paste(&mut bench, &post);
    assert_eq!(in_view(&bench), parse_id(IDS[0]).unwrap());
    assert_eq!(bench.app.sources, sources);
}

/// Of a file and of a pasted text.
#[test]
fn analysis_of_a_position_is_shown_beside_ours() {
    for (block, program, line, figures) in [
        (
            PLAYS,
            "GNU Backgammon",
            "gnubg: ",
            ["Cubeful 0-ply", "8/4 6/4", "+0.161", "+0.031"],
        ),
        (
            CUBE,
            "BGBlitz",
            "BGBlitz: ",
            ["no double", "+0.287", "+0.164", "+1.000"],
        ),
    ] {
        let (_folder, _, of_file) = with_file(block);
        let mut pasted = TestApp::new(Depth::True);
        paste(&mut pasted, block);
        for mut bench in [of_file, pasted] {
            for size in [(80, 24), (120, 40)] {
                let screen = bench.screen(size.0, size.1);
                // In little room the figures of a cube decision go before it.
                let is_whole = size.0 > 80 || block == PLAYS;
                assert!(!is_whole || screen.contains(line), "{screen}");
                let screen = bench.screen_after("I I", size.0, size.1);
                let title = format!("analysis of {program}");
                assert_has!(screen, &title);
                for words in figures {
                    assert_has!(screen, words);
                }
                bench.keys("esc");
            }
            let written = bench.app.home().record_to_write();
            assert!(written.positions[0].analysis.is_some());
            // Of what is tried in it the file says nothing.
            bench.keys("v I I");
            assert_eq!(bench.said(), "the file has no analysis of this decision");
        }
    }
}

/// A list is a quiz: each position is asked once, the author's remark stands below the answer, and a key leads from a
/// question to its position and back.
#[test]
fn a_list_is_asked_as_a_quiz() {
    let remark = "own the middle";
    let list = format!("{} # {remark}\n{}\n", IDS[0], IDS[1]);
    let (_folder, path, mut bench) = with_file(&list);
    bench.keys("z z");
    assert_eq!(bench.said(), "the answers of the quiz cannot be kept here");
    bench.has_stores();
    bench.keys("z z");
    let wanted = bench.quiz_request.take().expect("looked for");
    let QuizSource::List { list, decisions } = wanted.source.clone() else {
        panic!("{wanted:?}");
    };
    assert_eq!((list, decisions.len()), (Openable::File(path.clone()), 2));
    assert_eq!(decisions[0].note.as_deref(), Some(remark));
    assert!(decisions[1].source.ends_with("list.txt, line 2"));
    // The second comes first.
    let decisions = decisions.into_iter().rev().collect();
    bench.tell(Message::QuizFound { wanted, decisions });
    assert_eq!(in_quiz(&bench), parse_id(IDS[1]).unwrap());
    bench.keys("o");
    assert!(bench.said().contains("answer first"), "{}", bench.said());
    bench.keys("1");
    bench.wait(600);
    bench.keys("enter");
    assert_eq!(in_quiz(&bench), parse_id(IDS[0]).unwrap());
    assert!(!bench.screen(120, 40).contains(remark));
    bench.keys("1");
    assert!(bench.screen(120, 40).contains(remark));
    bench.keys("]");
    assert!(bench.app.quiz.is_some(), "no key of the list");
    bench.keys("o");
    assert!(bench.app.quiz.is_none());
    assert_eq!(in_view(&bench), parse_id(IDS[0]).unwrap());
    assert!(bench.said().contains("zq"), "{}", bench.said());
    bench.keys("] z q");
    assert_eq!(in_quiz(&bench), parse_id(IDS[0]).unwrap());
    bench.keys("esc");
    // One position alone is no list.
    paste(&mut bench, IDS[2]);
    bench.keys("z z");
    assert!(
        bench.said().starts_with("this is no match"),
        "{}",
        bench.said()
    );
}

/// The name that is proposed for a file is one that no file has.
#[test]
fn a_free_name_is_proposed() {
    const MATCH: &[u8] = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clara.mat");
    std::fs::write(&path, MATCH).unwrap();
    let mut bench = TestApp::new(Depth::True);
    paste(&mut bench, &path.display().to_string());
    for name in ["clara-1-1.html", "clara-1-1-2.html", "clara-1-1-3.html"] {
        bench.keys("y h");
        let Some(Overlay::Prompt { input, .. }) = bench.app.overlay.take() else {
            panic!("a name is asked for");
        };
        let proposed = PathBuf::from(input.value());
        assert_eq!(proposed, folder.path().join(name));
        std::fs::write(&proposed, "").unwrap();
    }
}

fn in_quiz(bench: &TestApp) -> GameState {
    bench.app.quiz.as_ref().expect("open").open.decision.state
}

/// What came of the export that was asked for last.
pub(super) fn exported(bench: &mut TestApp, done: Result<WrittenFile, String>) {
    let number = bench.app.unwritten.last().unwrap().number;
    bench.tell(Message::Exported(number, done));
}

/// Each export is told by its own number: one that is done meanwhile is not taken for another.
#[test]
fn exports_that_overlap_are_told_apart() {
    let mut bench = TestApp::typed(Depth::True, "y l h a r d enter");
    let number = |bench: &TestApp| bench.app.unwritten.last().unwrap().number;
    let list = number(&bench);
    bench.keys("y l s o f t enter");
    let other_list = number(&bench);
    bench.keys("l y p ctrl-u a . s v g enter");
    let picture = number(&bench);
    assert_ne!(list, picture);
    let done = |path: &str| {
        let (path, left_out) = (path.into(), Vec::new());
        Ok(WrittenFile { path, left_out })
    };
    bench.tell(Message::Exported(picture, done("a.svg")));
    assert!(bench.app.position_list.is_none());
    // The name would be asked again for another position than the one that was to be written.
    bench.tell(Message::Exported(
        other_list,
        Err("the disk is full".into()),
    ));
    let screen = bench.screen(80, 24);
    assert!(bench.app.overlay.is_none() && screen.contains("the disk is full"));
    bench.keys("h");
    bench.tell(Message::Exported(list, Err("the disk is full".into())));
    assert_has!(bench.screen(80, 24), "> hard");
}

/// Positions are collected in a list, which is proposed again.
#[test]
fn the_position_in_view_is_added_to_a_list() {
    let mut bench = TestApp::new(Depth::True);
    let state = bench.app.turn().unwrap().before.state;
    let screen = bench.screen_after("y l", 80, 24);
    assert_has!(screen, "add the position to a list", "positions.txt");
    bench.keys("h a r d enter");
    assert_eq!(bench.exported, Some("hard".into()));
    match &bench.written {
        Some(Written::Listed(position)) => assert_eq!(position.state, state),
        other => panic!("{other:?}"),
    }
    let left_out = Vec::new();
    let path = "hard".into();
    exported(&mut bench, Ok(WrittenFile { path, left_out }));
    let said = bench.said().to_owned();
    assert_eq!(said, "added to hard");
    bench.keys("l y l enter");
    assert_eq!(bench.exported, Some("hard".into()));
}

/// A note is about one position: not about one that a variation comes to, and what the list says is said once.
#[test]
fn a_note_goes_with_its_own_position() {
    let mut bench = TestApp::new(Depth::True);
    paste(&mut bench, IDS[1]);
    bench.keys("a h a r d enter y l enter");
    let note = |bench: &TestApp| match &bench.written {
        Some(Written::Listed(position)) => position.note.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(note(&bench).as_deref(), Some("hard"));
    bench.keys("j v y l enter");
    assert_eq!(note(&bench), None);
    bench.keys("a enter");
    bench.tell(Message::NoteKept { is_removed: false });
    assert!(
        bench.said().contains("from which this variation branches"),
        "{}",
        bench.said()
    );
    let (_folder, _, mut bench) = with_file(&format!("{} # hard\n{}\n", IDS[1], IDS[0]));
    assert_eq!(bench.screen(80, 24).matches("hard").count(), 1);
    bench.keys("a h a r d enter");
    assert_eq!(bench.screen(80, 24).matches("hard").count(), 1);
}

/// While a file is being written the program is left only when that is asked twice.
#[test]
fn leaving_asks_while_a_file_is_written() {
    let mut bench = TestApp::typed(Depth::True, "y p ctrl-u a . s v g enter q");
    assert!(!bench.over);
    assert_has!(bench.screen(80, 24), "a file is still being written");
    let (path, left_out) = ("a.svg".into(), Vec::new());
    exported(&mut bench, Ok(WrittenFile { path, left_out }));
    bench.keys("q");
    assert!(bench.over);
}

/// A guess stays selected as the answers come.
#[test]
fn a_guess_stays_as_the_answers_are_shown() {
    let mut bench = TestApp::typed(Depth::True, "; j j");
    let guessed = bench.app.selection.play;
    assert!(guessed.is_some());
    bench.keys(";");
    assert_eq!(bench.app.selection.play, guessed);
    bench.keys(";");
    assert_eq!(bench.app.selection.play, None);
}
