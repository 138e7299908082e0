//! What is opened and read again: slow answers, and what would be lost by them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use ratatui::crossterm::event::Event;

use super::typing::paste;
use crate::game::{GameState, Position};
use crate::match_file::read_bytes;
use crate::notation::xgid_text;
use crate::store::Notes;
use crate::tui::documents::places::openable;
use crate::tui::documents::standing::Standing;
use crate::tui::keys::ActionId;
use crate::tui::message::{MatchRolloutNews, MatchRolloutProgress, Message};
use crate::tui::state::{Document, Effect, Openable, Openings};
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;
use crate::tui::update::update;
use crate::tui::windows::exported::MatchStatistics;
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::path_prompt::PathPrompt;

const IDS: [&str; 2] = [
    "4HPwATDgc/ABMA",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10",
];

/// Pastes what is to be opened; answers the number of the opening, which has no answer yet.
fn open(bench: &mut TestApp, text: &str) -> u64 {
    let now = bench.now;
    update(
        &mut bench.app,
        Message::Input(Event::Paste(text.into())),
        now,
    );
    let effects = std::mem::take(&mut bench.app.effects);
    let number = |effect: Effect| match effect {
        Effect::Open { number, .. } => Some(number),
        _ => None,
    };
    effects.into_iter().find_map(number).expect("an opening")
}

fn position(title: &str, number: u64) -> Message {
    let state = GameState::money(Position::opening());
    let document = Document::of_position(state, title.into(), number);
    Message::Opened(number, Ok(Box::new(document)))
}

const CLARA: &[u8] = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");

/// With a file open that is there.
fn with_file() -> (tempfile::TempDir, PathBuf, TestApp) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clara.mat");
    std::fs::write(&path, CLARA).unwrap();
    let mut bench = TestApp::new(Depth::True);
    bench.tell(Message::Input(Event::Paste(path.display().to_string())));
    assert_eq!(bench.app.document.record.path.as_ref(), Some(&path));
    (folder, path, bench)
}

/// Another program writes the file: a line more at its end.
fn change(path: &Path) {
    let bytes = [CLARA, b"\n"].concat();
    std::fs::write(path, bytes).unwrap();
}

/// The file as it was read again.
fn reread(path: &Path, number: u64) -> Message {
    let mut record = read_bytes(CLARA, "clara.mat").unwrap();
    record.path = Some(path.to_owned());
    let document = Document::of_match(record, "clara.mat".into(), number);
    Message::Reread(number, Ok(Box::new(document)))
}

/// With answers that can be kept.
fn with_quiz() -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    bench.tell(Message::Study {
        cards: Vec::new(),
        micros: 0,
    });
    bench
}

/// What was asked for before a quiz waits for its end.
#[test]
fn a_slow_answer_does_not_end_a_quiz() {
    let mut bench = with_quiz();
    let first = open(&mut bench, IDS[0]);
    bench.keys("z z");
    assert!(bench.app.quiz.is_some());
    bench.tell(position("first", first));
    assert!(bench.app.quiz.is_some() && bench.app.document.title != "first");
    bench.keys("esc");
    assert_eq!(bench.app.document.title, "first");
    assert!(bench.app.quiz.is_none());
    // What is being opened after it takes its place.
    let mut openings = Openings::default();
    let first = openings.begin();
    openings.guard();
    assert!(openings.was_before(first) && openings.takes(first));
    openings.hold(first, Box::default());
    let second = openings.begin();
    assert!(!openings.was_before(second) && openings.release().is_none());
}

#[test]
fn a_slow_answer_does_not_take_the_place_of_a_newer_one() {
    let mut bench = TestApp::new(Depth::True);
    let [first, second] = IDS.map(|id| open(&mut bench, id));
    bench.tell(position("second", second));
    bench.tell(position("first", first));
    assert_eq!(bench.app.document.title, "second");
    let shown = &bench.app.sources[bench.app.shown];
    assert_eq!(*shown, Openable::Id(IDS[1].into()));
    // Nor does it take the newer one from the list when it fails.
    let [first, second] = ["/none/a.mat", "/none/b.mat"].map(|path| open(&mut bench, path));
    bench.tell(Message::Opened(first, Err("a slow disk".into())));
    let newest = Openable::File("/none/b.mat".into());
    assert_eq!(bench.app.sources[bench.app.source], newest);
    assert_eq!(bench.said(), "[ leads back");
    bench.tell(Message::Opened(second, Err("nothing there".into())));
    assert!(!bench.app.sources.contains(&newest));
    assert_eq!(bench.said(), "nothing there");
    assert_eq!(bench.app.source, bench.app.shown);
}

#[test]
fn a_file_that_is_no_longer_in_view_does_not_come_back() {
    let (_folder, path, mut bench) = with_file();
    let number = open(&mut bench, IDS[0]);
    bench.tell(position("other", number));
    bench.tell(reread(&path, number - 1));
    bench.tell(reread(&path, number + 1));
    assert_eq!(bench.app.document.title, "other");
}

/// What is being opened is waited for; if it fails, the file in view is read again.
#[test]
fn a_changed_file_waits_for_what_is_being_opened() {
    let (_folder, path, mut bench) = with_file();
    let before = bench.app.document.generation;
    let number = open(&mut bench, IDS[0]);
    change(&path);
    bench.tell(Message::FileChanged);
    bench.tell(reread(&path, number + 1));
    assert_eq!(bench.app.document.generation, before);
    bench.tell(Message::Opened(number, Err("no".into())));
    assert!(bench.app.document.generation > number);
    assert!(bench.said().contains("was read again"), "{}", bench.said());
    assert_eq!(bench.app.source, bench.app.shown);
}

/// The file was read while something else was being opened, which failed: it is read once more.
#[test]
fn a_change_is_not_lost_to_an_opening_that_failed() {
    let (_folder, path, mut bench) = with_file();
    let before = bench.app.document.generation;
    let number = open(&mut bench, IDS[0]);
    bench.tell(Message::Opened(number, Err("no".into())));
    assert_eq!(bench.app.document.generation, before);
    change(&path);
    bench.tell(reread(&path, number - 1));
    assert!(bench.app.document.generation > number);
    assert!(bench.said().contains("was read again"), "{}", bench.said());
}

/// Another depth of reviews is that of the match in view at once, and of what is opened from then on.
#[test]
fn a_review_is_as_deep_as_the_settings_say() {
    let (_folder, _, mut bench) = with_file();
    let depth = |bench: &TestApp| bench.app.review_ply(bench.app.home());
    assert_eq!(depth(&bench), 2);
    let mut settings = bench.app.settings.clone();
    settings.review.ply = 3;
    bench.app.overlay = Some(Overlay::Form(Form::of_all(settings, Vec::new())));
    bench.keys("enter");
    assert_eq!(depth(&bench), 3);
    let words = "the match is analysed anew, up to 3-ply where close";
    assert_eq!(bench.said(), words);
    let screen = {
        bench.keys("g s");
        bench.screen(100, 40)
    };
    assert_has!(screen, "statistics, up to 3-ply");
}

#[test]
fn a_quiz_outlasts_a_change_of_the_file() {
    let (_folder, path, mut bench) = with_file();
    let (cards, micros) = (Vec::new(), 20_600 * 86_400_000_000);
    bench.tell(Message::Study { cards, micros });
    bench.keys("z z");
    let before = bench.app.document.generation;
    change(&path);
    bench.tell(Message::FileChanged);
    bench.tell(reread(&path, before + 1));
    assert!(bench.app.quiz.is_some());
    assert_eq!(bench.app.document.generation, before);
    bench.keys("esc");
    assert!(bench.app.quiz.is_none());
    assert!(bench.app.document.generation > before);
    assert!(bench.said().contains("was read again"), "{}", bench.said());
}

#[test]
fn a_game_by_hand_outlasts_a_change_of_the_file() {
    let (_folder, path, mut bench) = with_file();
    bench.keys("l g h .");
    let before = bench.app.home().generation;
    change(&path);
    bench.tell(Message::FileChanged);
    assert!(bench.app.is_playing_by_hand());
    assert_eq!(bench.app.home().generation, before);
    bench.keys("esc esc");
    assert!(bench.app.hand().is_none());
    assert!(bench.app.document.generation > before);
}

#[test]
fn rollouts_that_end_with_a_change_of_the_file_are_told() {
    let (_folder, path, mut bench) = with_file();
    let number = bench.app.document.generation + 1;
    bench.tell(reread(&path, number));
    assert_eq!(bench.said(), "the file has changed and was read again");
    bench.keys("B enter");
    bench.tell(reread(&path, number + 1));
    let words = "was read again; the rollouts of the match have ended";
    assert!(bench.said().ends_with(words), "{}", bench.said());
    assert!(bench.app.match_rollouts.is_none() && !bench.rolls_match);
}

/// Marks are those of now, not those that were there when the file was left.
#[test]
fn a_mark_that_was_taken_back_stays_so_when_the_file_changes() {
    let (_folder, path, mut bench) = with_file();
    bench.keys("l l space");
    let decision = bench.app.decision().unwrap();
    let marked = |bench: &TestApp| bench.app.marked.get(&decision).map_or(0, HashSet::len);
    assert_eq!(marked(&bench), 1);
    let number = open(&mut bench, IDS[0]);
    bench.tell(position("other", number));
    bench.keys("[");
    assert_eq!((bench.app.at, marked(&bench)), (2, 1));
    bench.keys("space");
    assert_eq!(marked(&bench), 0);
    let number = bench.app.document.generation + 1;
    bench.tell(reread(&path, number));
    assert!(bench.said().contains("was read again"), "{}", bench.said());
    assert_eq!((bench.app.at, marked(&bench)), (2, 0));
}

/// Dice of a position alone are part of what is open: they come back at the next start, with what hangs on them.
#[test]
fn dice_of_a_position_are_kept() {
    let mut bench = TestApp::new(Depth::True);
    let number = open(&mut bench, IDS[0]);
    bench.tell(position("first", number));
    bench.keys("d 3 1 enter space");
    let decision = bench.app.decision().unwrap();
    assert!(decision.state().roll.is_some() && bench.app.marked[&decision].len() == 1);
    let saved = bench.app.session().unwrap();
    let mut again = TestApp::new(Depth::True);
    again.app.resume(&saved);
    let Openable::Id(id) = openable(&saved.places[0].source) else {
        panic!("{saved:?}");
    };
    let number = open(&mut again, &id);
    let state = crate::notation::parse_id(&id).unwrap();
    let document = Document::of_position(state, "again".into(), number);
    again.tell(Message::Opened(number, Ok(Box::new(document))));
    assert_eq!(again.app.decision(), Some(decision));
    assert_eq!(again.app.marked[&decision].len(), 1);
    // What was being opened gives way to it.
    let other = IDS[1].replace(":31:", ":52:");
    let slow = open(&mut bench, &other);
    bench.keys("d 6 5 enter");
    bench.tell(position("slow", slow));
    assert_eq!(bench.app.source, bench.app.shown);
    let state = bench.app.turn().unwrap().before.state;
    let here = Openable::Id(xgid_text(&state));
    assert_eq!(bench.app.sources[bench.app.shown], here);
    assert!(bench.app.sources.contains(&Openable::Id(other)));
}

/// A program that only touches the file takes nothing away.
#[test]
fn a_file_with_the_same_content_is_not_shown_anew() {
    let (_folder, path, mut bench) = with_file();
    bench.keys("l l j B enter");
    let before = bench.app.document.generation;
    std::fs::write(&path, CLARA).unwrap();
    bench.app.status = None;
    bench.tell(Message::FileChanged);
    assert_eq!(bench.app.document.generation, before);
    assert!(bench.app.match_rollouts.is_some() && bench.app.selection.play.is_some());
    assert_eq!(bench.said(), "");
    // What is said of it is not taken away by what was rolled out before.
    change(&path);
    bench.tell(Message::FileChanged);
    assert!(bench.said().contains("was read again"), "{}", bench.said());
    let words = bench.said().to_owned();
    let (generation, number) = (bench.app.document.generation, bench.app.match_runs);
    let done = MatchRolloutProgress {
        decisions: 3,
        is_all: true,
    };
    let news = MatchRolloutNews::Over {
        done: Some(done),
        recalled: true,
    };
    bench.tell(Message::MatchRollouts {
        generation,
        number,
        news,
    });
    assert_eq!(bench.said(), words);
}

/// A note belongs to the match it was begun for, however slow the next one is to open.
#[test]
fn a_note_that_is_typed_stays_with_its_match() {
    let mut bench = TestApp::new(Depth::True);
    let mark = bench.app.document.fingerprint();
    let number = open(&mut bench, IDS[0]);
    bench.keys("a h i");
    bench.tell(position("first", number));
    assert!(matches!(bench.app.overlay, Some(Overlay::Note { .. })));
    assert_ne!(bench.app.document.title, "first");
    bench.keys("enter");
    assert_eq!(bench.kept_note, Some((mark, "hi".to_owned())));
    assert_eq!(bench.app.document.title, "first");
    assert!(bench.app.overlay.is_none());
}

/// Windows that wait for an answer about what was open would wait for ever.
#[test]
fn windows_of_another_document_are_closed() {
    let (_folder, path, mut bench) = with_file();
    let windows = [
        Overlay::List {
            of: ActionId::Verify,
            row: 0,
        },
        Overlay::Statistics {
            found: MatchStatistics::default(),
            row: 0,
        },
    ];
    for window in windows {
        bench.app.overlay = Some(window);
        let number = bench.app.document.generation + 1;
        bench.tell(reread(&path, number));
        assert!(bench.app.overlay.is_none());
    }
}

/// The review of a match ends in the round of the loop in which another one is opened: what is to be kept is that of
/// the first, not what there is of the other.
#[test]
fn a_review_is_kept_for_its_own_match() {
    let fresh = |generation| Document::of_match(record(), "x.mat".into(), generation);
    let analysed = TestApp::with(Depth::True, fresh(1));
    let mut bench = TestApp::unanalysed(fresh(1));
    let now = bench.now;
    let reviews = analysed.app.document.standard_reviews();
    for (turn, standard) in reviews.into_iter().enumerate() {
        let message = Message::Reviewed {
            generation: 1,
            turn,
            ply: 0,
            standing: Standing::Final,
            review: standard.review,
        };
        update(&mut bench.app, message, now);
    }
    let other = Message::Opened(2, Ok(Box::new(fresh(2))));
    update(&mut bench.app, other, now);
    assert_eq!(bench.app.home().generation, 2);
    let wanted = Effect::KeepReview { generation: 1 };
    assert_eq!(
        bench.app.effects.iter().filter(|e| **e == wanted).count(),
        1
    );
}

/// What has been typed of a note is not lost when a signal ends the program; a note that was emptied stays.
#[test]
fn a_signal_keeps_the_note_that_is_typed() {
    let mut bench = TestApp::typed(Depth::True, "a h i");
    bench.tell(Message::Ending);
    let kept = bench.kept_note.take();
    assert_eq!(kept.map(|(_, text)| text).as_deref(), Some("hi"));
    bench.keys("ctrl-u");
    bench.tell(Message::Ending);
    assert_eq!(bench.kept_note, None);
    assert!(bench.app.document.notes.values().any(|note| note == "hi"));
}

/// The third turn gets another play, so that the match is known by another beginning: what was kept before it comes
/// along, and so do notes behind it. A variation behind it hangs on a position that is gone.
#[test]
fn what_is_kept_comes_along_when_the_file_is_corrected() {
    let (_folder, path, mut bench) = with_file();
    bench.keys("l j v esc a o n e enter l j v esc l l j v esc a t w o enter");
    let places: Vec<_> = bench.app.document.notes.keys().copied().collect();
    assert_eq!((places.len(), bench.app.document.variations.len()), (2, 3));
    let before = bench.app.document.fingerprint();
    let read = |from: &str, to: &str, number| {
        let text = String::from_utf8_lossy(CLARA).replacen(from, to, 1);
        let mut record = read_bytes(text.as_bytes(), "clara.mat").unwrap();
        record.path = Some(path.clone());
        let document = Document::of_match(record, "clara.mat".into(), number);
        Message::Reread(number, Ok(Box::new(document)))
    };
    let number = bench.app.document.generation + 1;
    let of_disk = std::mem::take(&mut bench.kept_variations);
    bench.tell(read("65: 24/18 23/18", "65: 24/13", number));
    let document = &bench.app.document;
    assert!(!document.fingerprint().continues(&before));
    assert_eq!(document.notes.values().collect::<Vec<_>>(), ["one", "two"]);
    assert_eq!(document.variations.keys().next(), Some(&places[0]));
    assert_eq!(document.variations.len(), 2);
    assert_eq!(bench.kept_variations.len(), 2);
    let (mark, text) = bench.kept_note.take().unwrap();
    assert_eq!((mark, text), (document.fingerprint(), "two".to_owned()));
    let words = "what is kept beside 1 turn stays with the match as it was";
    assert!(bench.said().ends_with(words), "{}", bench.said());
    // Put right again: what the disk has of it is taken.
    bench.tell(read("", "", number + 1));
    assert_eq!(bench.app.document.variations.len(), 2);
    bench.tell(Message::Notes {
        generation: number + 1,
        notes: Notes::new(),
        variations: of_disk,
    });
    let document = &bench.app.document;
    assert_eq!((document.notes.len(), document.variations.len()), (2, 3));
}

/// The reason comes first: a text that is pasted is longer than the line.
#[test]
fn a_pasted_text_that_is_no_position_says_so() {
    let mut bench = TestApp::new(Depth::True);
    let text = " 5 point match\n\n Game 1\n A : 0   B : 0\n";
    for text in [text.to_owned(), "word ".repeat(40)] {
        bench.tell(Message::Input(Event::Paste(text)));
        let said = bench.said();
        assert!(said.starts_with("neither a position nor a file"), "{said}");
    }
    for (text, words) in [
        ("hello", "neither a position nor a file: hello"),
        ("cAkqARAAAAAE", "a match ID alone has no board"),
        ("games/none.mat", "cannot be read"),
    ] {
        bench.tell(Message::Input(Event::Paste(text.into())));
        assert_has!(bench.said(), words);
    }
}

/// A double that was missed is in view again at the next start, before its roll.
#[test]
fn the_cube_decision_before_a_roll_comes_back() {
    let (_folder, path, mut bench) = with_file();
    bench.keys("l l b");
    assert!(bench.app.before.is_some());
    let saved = bench.app.session().unwrap();
    assert!(saved.places[0].is_before_roll);
    let mut again = TestApp::new(Depth::True);
    again.app.resume(&saved);
    again.tell(Message::Input(Event::Paste(path.display().to_string())));
    assert_eq!((again.app.at, again.app.before.is_some()), (2, true));
    again.keys("b");
    assert!(!again.app.session().unwrap().places[0].is_before_roll);
    // In a file that has become shorter it is not there any more.
    let mut shorter = TestApp::new(Depth::True);
    let mut saved = saved;
    saved.places[0].turn = 9_999;
    shorter.app.resume(&saved);
    shorter.tell(Message::Input(Event::Paste(path.display().to_string())));
    assert!(shorter.app.at > 2 && shorter.app.before.is_none());
}

/// A position that is asked for with its dice is about its roll, wherever it was left.
#[test]
fn a_position_with_dice_opens_at_its_roll() {
    let id = "XGID=-a--BBBB-A--bB--ab-dcb--A-:0:0:1:62:2:1:0:7:10";
    let paste = |bench: &mut TestApp| bench.tell(Message::Input(Event::Paste(id.into())));
    let mut bench = TestApp::new(Depth::True);
    paste(&mut bench);
    bench.keys("b");
    assert!(bench.app.before.is_some());
    let mut again = TestApp::new(Depth::True);
    again.app.resume(&bench.app.session().unwrap());
    paste(&mut again);
    assert!(again.app.before.is_none());
    assert!(again.app.turn().unwrap().before.state.roll.is_some());
}

/// An identifier with a mistake stays in the line, and so does what no command has in its name.
#[test]
fn what_is_typed_wrongly_can_be_put_right() {
    let mut bench = TestApp::typed(Depth::None, "o");
    paste(&mut bench, "4HPwATDgc/ABMX");
    bench.keys("enter");
    assert_has!(bench.said(), "character");
    let Some(Overlay::Open(prompt)) = &bench.app.overlay else {
        panic!("the window is there")
    };
    assert_eq!(prompt.input.value(), "4HPwATDgc/ABMX");
    bench.keys("esc : x y z z y enter");
    let Some(Overlay::Help { input, .. }) = &bench.app.overlay else {
        panic!("the window is there")
    };
    assert_eq!(input.value(), "xyzzy");
}

/// Enter refused the beginning of a name, though the list had that name alone.
#[test]
fn the_only_name_of_the_list_is_opened() {
    let (folder, path, mut bench) = with_file();
    let typed = folder.path().join("cl").to_string_lossy().into_owned();
    bench.app.overlay = Some(Overlay::Open(PathPrompt::new(typed.clone())));
    let found = vec![path.to_string_lossy().into_owned()];
    bench.tell(Message::Completed { typed, found });
    bench.app.status = None;
    bench.keys("enter");
    assert!(
        bench
            .app
            .status
            .as_ref()
            .is_none_or(|status| !status.text.contains("no such file"))
    );
    assert!(bench.app.overlay.is_none());
}

/// A number behind the colon is a move.
#[test]
fn a_move_is_gone_to_by_its_number() {
    let mut bench = TestApp::typed(Depth::None, "l l l");
    let turn = bench.app.turn().unwrap();
    let (at, game, number) = (bench.app.at, turn.game + 1, turn.number);
    let mut typed = |text: &str| {
        bench.keys(":");
        paste(&mut bench, text);
        bench.keys("enter");
        let said = bench.app.status.as_ref().map(|status| status.text.clone());
        (bench.app.at, said.unwrap_or_default())
    };
    assert_eq!(typed("1").0, 0);
    assert!(typed(&format!("{game}.{number}")).0 <= at);
    assert!(typed("999").1.contains("has no move 999"));
    assert!(typed("99.1").1.contains("no move 1 of a game 99"));
    // The command by its name asks for the number.
    assert!(typed("go to move").1.contains("a number is a move"));
    assert!(matches!(bench.app.overlay, Some(Overlay::Help { .. })));
}
