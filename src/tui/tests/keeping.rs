//! What is kept, what is not saved yet, and what could not be analysed: how the screen says so.

use crate::game::{GameState, Position, Roll};
use crate::review::review;
use crate::rollout::LuckKind;
use crate::store::notes::LONGEST_NOTE;
use crate::store::{MatchFingerprint, Notes, UnsavedRecords, VariationTexts};
use crate::tui::documents::notes::{JoinedNote, NoteContent};
use crate::tui::documents::standing::Standing;
use crate::tui::documents::store_name::StoreName;
use crate::tui::figures::troubles;
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::{Aim, KeptRollout};
use crate::tui::state::Document;
use crate::tui::testing::{Race, TestApp, record};
use crate::tui::theme::Depth;
use ratatui::crossterm::event::Event;
use std::sync::Arc;

fn unsaved(bench: &mut TestApp, store: StoreName, count: usize) {
    let why = "x.sqlite: another process keeps it locked";
    let why = if count > 0 { why } else { "" }.to_owned();
    let unsaved = UnsavedRecords { count, why };
    bench.tell(Message::Unsaved { store, unsaved });
}

/// Rollouts of an earlier session stand on the screen as if they had just ended, and count.
#[test]
fn rollouts_of_earlier_sessions_are_shown() {
    let mut bench = TestApp::typed(Depth::True, "n r");
    bench.roll(1296, true);
    let job = bench.app.jobs.about(bench.app.decision().unwrap()).next();
    let job = job.unwrap().clone();
    let error = bench.app.error(bench.app.at);
    let rollouts = vec![KeptRollout {
        decision: job.decision,
        plays: job.plays.clone(),
        aim: job.aim,
        settings: Box::new(job.settings.clone()),
        resolved: Box::new(job.settings.clone()),
        result: job.result().unwrap().clone(),
    }];
    let mut later = TestApp::typed(Depth::True, "n");
    let generation = later.app.document.generation;
    let kept = |generation| Message::Kept {
        generation,
        rollouts: rollouts.clone(),
    };
    later.tell(kept(generation + 1));
    assert_ne!(later.app.error(later.app.at), error, "of another file");
    later.tell(kept(generation));
    assert_eq!(later.app.error(later.app.at), error);
    assert!(later.said().contains("1 rollout"), "{}", later.said());
    assert_has!(later.screen(120, 40), "P(best)");
    // r goes on from there: nothing is played twice.
    later.keys("r");
    let job = later.app.jobs.current().unwrap();
    assert_eq!(job.settings.stop.trials, 2592);
}

/// The store does not say whether a pilot chose the coupling of a comparison: `c` goes on with it all the same, and
/// the session that made it does not take it in again.
#[test]
fn a_comparison_by_a_pilot_is_gone_on_with() {
    let mut bench = TestApp::typed(Depth::True, "n c");
    bench.roll(1296, true);
    let jobs = &bench.app.jobs;
    let job = jobs.about(bench.app.decision().unwrap()).next().unwrap();
    assert!(job.pilot().is_some() && job.settings.luck == LuckKind::Net);
    let rollouts = vec![KeptRollout {
        decision: job.decision,
        plays: job.plays.clone(),
        aim: Aim::Compare,
        settings: Box::new(job.settings.clone()),
        resolved: Box::new(job.settings.clone()),
        result: job.result().unwrap().clone(),
    }];
    let kept = |bench: &TestApp| Message::Kept {
        generation: bench.app.document.generation,
        rollouts: rollouts.clone(),
    };
    bench.tell(kept(&bench));
    assert_eq!(bench.app.jobs.all().count(), 1);
    let mut later = TestApp::typed(Depth::True, "n");
    later.tell(kept(&later));
    later.keys("c");
    let job = later.app.jobs.current().unwrap();
    assert_eq!(job.settings.stop.trials, 2592);
    assert_eq!(later.app.jobs.all().count(), 1);
    // Without variance reduction it would be another one.
    let mut other = TestApp::new(Depth::True);
    other.app.settings.rollout.reduction = false;
    other.keys("n");
    other.tell(kept(&other));
    other.keys("c");
    assert_eq!(other.app.jobs.all().count(), 2);
    // Nor is one that was made without it gone on with by it.
    let mut plain = rollouts.clone();
    plain[0].settings.luck = LuckKind::None;
    plain[0].resolved.luck = LuckKind::None;
    let mut reduced = TestApp::typed(Depth::True, "n");
    reduced.tell(Message::Kept {
        generation: reduced.app.document.generation,
        rollouts: plain,
    });
    reduced.keys("c");
    assert_eq!(reduced.app.jobs.all().count(), 2);
}

#[test]
fn what_is_not_saved_is_shown_until_it_is() {
    let mut bench = TestApp::new(Depth::True);
    unsaved(&mut bench, StoreName::Notes, 1);
    assert!(
        bench.said().contains("1 note not saved yet"),
        "{}",
        bench.said()
    );
    // The message goes, the fact stays, with its reason.
    bench.wait(5000);
    assert_eq!(bench.said(), "");
    unsaved(&mut bench, StoreName::Rollouts, 2);
    bench.wait(5000);
    unsaved(&mut bench, StoreName::Rollouts, 3);
    assert_eq!(bench.said(), "", "said once");
    unsaved(&mut bench, StoreName::Notes, 0);
    let words = "notes saved now, 3 of other kinds not yet (W)";
    assert_eq!(bench.said(), words);
    unsaved(&mut bench, StoreName::Notes, 1);
    bench.wait(5000);
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        assert_has!(bench.screen(width, height), "unsaved 4");
    }
    let screen = bench.screen_after("W", 120, 40);
    assert_has!(screen, "1 note not saved yet", "3 rollouts not saved yet");
    assert_has!(screen, "keeps it locked");
    bench.keys("esc q");
    assert!(!bench.over && bench.said().contains("q again quits"));
    bench.keys("q");
    assert!(bench.over);
    unsaved(&mut bench, StoreName::Notes, 0);
    unsaved(&mut bench, StoreName::Rollouts, 0);
    assert!(bench.said().contains("saved now"), "{}", bench.said());
    assert!(!bench.screen(120, 40).contains("unsaved"));
}

#[test]
fn notes_that_come_late_leave_alone_what_was_written_since() {
    let mut bench = TestApp::typed(Depth::True, "l l a n e w enter");
    let place = bench.app.place().unwrap();
    let generation = bench.app.document.generation;
    let notes = |generation| Message::Notes {
        generation,
        notes: Notes::from([(place, "old".into()), ((0, 0), "other".into())]),
        variations: VariationTexts::new(),
    };
    bench.tell(notes(generation + 1));
    assert_eq!(bench.app.document.notes.len(), 1);
    bench.tell(notes(generation));
    assert_eq!(bench.app.document.notes[&place], "new");
    assert_eq!(bench.app.document.notes[&(0, 0)], "other");
    bench.tell(Message::NoteKept { is_removed: false });
    assert_eq!(bench.said(), "note kept");
}

/// Two workstations have written beside the same move.
#[test]
fn a_note_that_was_joined_is_shown_and_told() {
    let mut bench = TestApp::typed(Depth::True, "l l a n e w enter");
    let place = bench.app.place().unwrap();
    let joined = |mark, sent: &str, text: &str| {
        Message::NoteJoined(JoinedNote {
            mark,
            place,
            sent: sent.into(),
            text: text.into(),
            about: "x.mat, game 1, move 2".into(),
        })
    };
    let mark = bench.app.document.fingerprint();
    let state = GameState::money(Position::opening());
    let other = MatchFingerprint::of_position(&state);
    bench.tell(joined(other, "new", "theirs / new"));
    assert_eq!(bench.app.document.notes[&place], "new", "of another match");
    bench.tell(joined(mark.clone(), "new", "theirs / new"));
    assert_eq!(bench.app.document.notes[&place], "theirs / new");
    let words = "x.mat, game 1, move 2: another note was there";
    assert!(bench.said().starts_with(words), "{}", bench.said());
    assert!(bench.said().contains("both are kept"), "{}", bench.said());
    let rows = troubles::rows(&bench.app);
    assert!(rows.iter().any(|row| row.text.contains("both are kept")));
    // What the user has written since is newer than the answer about what was written before.
    bench.keys("a ctrl-u n e w e r enter");
    assert_eq!(bench.app.document.notes[&place], "newer");
    bench.tell(joined(mark.clone(), "new", "theirs / new"));
    assert_eq!(bench.app.document.notes[&place], "newer");
    // A note that was to be removed stays alone.
    bench.keys("a ctrl-u enter");
    bench.tell(joined(mark, "", "theirs"));
    assert_eq!(bench.app.document.notes[&place], "theirs");
    let said = bench.said();
    assert!(said.contains("stays") && !said.contains("both"), "{said}");
}

/// What comes while the window is open was not seen: the text that is kept does not replace it.
#[test]
fn a_note_that_comes_while_another_is_typed_is_not_known() {
    let mut bench = TestApp::typed(Depth::True, "l l a n e w");
    let place = bench.app.place().unwrap();
    let generation = bench.app.document.generation;
    let notes = |text: &str| Message::Notes {
        generation,
        notes: Notes::from([(place, text.into())]),
        variations: VariationTexts::new(),
    };
    bench.tell(notes("old"));
    bench.keys("enter");
    assert_eq!(bench.known_notes, [""]);
    assert_eq!(bench.app.document.notes[&place], "new");
    // What the window has shown is known.
    bench.keys("a e r");
    bench.tell(Message::NoteJoined(JoinedNote {
        mark: bench.app.document.fingerprint(),
        place,
        sent: "new".into(),
        text: "old / new".into(),
        about: String::new(),
    }));
    assert_eq!(bench.app.document.notes[&place], "old / new");
    bench.keys("enter");
    assert_eq!(bench.kept_note.take().unwrap().1, "newer");
    assert_eq!(bench.known_notes, ["new"]);
    // Nothing typed in an empty window removes nothing that came since.
    let mut bench = TestApp::typed(Depth::True, "l l a");
    bench.tell(notes("old"));
    bench.keys("enter");
    assert_eq!(bench.app.document.notes[&place], "old");
    assert!(bench.kept_note.is_none());
}

#[test]
fn a_note_is_never_cut_in_silence() {
    let mut bench = TestApp::typed(Depth::True, "l a");
    let long = "word ".repeat(LONGEST_NOTE / 5);
    bench.tell(Message::Input(Event::Paste(long.clone() + "\nand more")));
    assert!(bench.said().contains("at most 2000"), "{}", bench.said());
    bench.app.status = None;
    bench.keys("x");
    assert!(bench.said().contains("at most 2000"), "{}", bench.said());
    bench.keys("enter");
    let place = bench.app.place().unwrap();
    let kept = &bench.app.document.notes[&place];
    assert_eq!(*kept, long.trim());
    // As many as fit are taken whole, lines of what was pasted kept apart.
    bench.keys("l a");
    bench.tell(Message::Input(Event::Paste("one\ntwo".into())));
    bench.keys("enter");
    let place = bench.app.place().unwrap();
    assert_eq!(bench.app.document.notes[&place], "one two");
}

/// A position of a book has its note, whatever the dice: there is no list of moves, so it stands above the board.
#[test]
fn a_position_alone_has_a_note() {
    let state = GameState::money(Position::opening());
    let alone = |id: &str| Document::of_position(state, id.into(), 1);
    let mut bench = TestApp::with(Depth::True, alone("opening"));
    let screen = bench.screen_after("a", 80, 24);
    assert_has!(screen, "a note about this position");
    bench.keys("b o o k 7 enter");
    for (columns, rows) in [(80, 24), (120, 40), (200, 60)] {
        assert_has!(bench.screen(columns, rows), "¶ book7");
    }
    // It may tell the answer.
    let screen = bench.screen_after(";", 80, 24);
    assert_has!(screen, "¶ hidden: ; shows it");
    bench.keys(";");
    let place = bench.app.place().unwrap();
    let content = NoteContent::Note {
        text: "x".into(),
        known: Vec::new(),
    };
    let change = bench.app.document.note_change(place, content);
    let rolled = GameState {
        roll: Roll::new(3, 1),
        ..state
    };
    assert_eq!(change.mark, MatchFingerprint::of_position(&rolled));
    assert_eq!(change.about, "opening");
    // The editor needs the row.
    bench.keys("e");
    assert!(!bench.screen(80, 24).contains("¶ book7"));
    // Found at the next start.
    let mut bench = TestApp::with(Depth::True, alone("opening"));
    let generation = bench.app.document.generation;
    bench.tell(Message::Notes {
        generation,
        notes: Notes::from([(place, "line of a book ".repeat(40))]),
        variations: VariationTexts::new(),
    });
    let screen = bench.screen(80, 24);
    assert_eq!(screen.matches("line of a book").count(), 15, "{screen}");
}

/// A note that is begun in a variation is kept beside the move of the match that it hangs on.
#[test]
fn a_note_in_a_variation_is_beside_its_move() {
    let mut bench = TestApp::typed(Depth::True, "n");
    let place = bench.app.place().unwrap();
    let number = bench.app.turn().unwrap().number;
    let screen = bench.screen_after("j v s a", 80, 24);
    let title = format!("a note beside move {number} of the match");
    assert_has!(screen, &title);
    bench.keys("t i m i n g enter");
    assert!(bench.app.variation.is_some());
    assert_eq!(bench.app.home().notes[&place], "timing");
    // It is there to be changed, here and in the match.
    bench.keys("a");
    assert!(bench.screen(80, 24).contains("timing"));
    bench.keys("esc esc esc");
    assert!(bench.app.variation.is_none());
    assert_eq!(bench.app.document.notes[&place], "timing");
    // That of a position alone is about the position from which it branches.
    let state = GameState::money(Position::opening());
    let mut alone = TestApp::with(Depth::True, Document::of_position(state, "p".into(), 1));
    let screen = alone.screen_after("v s a", 80, 24);
    assert_has!(screen, "the position where this began");
}

/// The evaluation of one turn panics: the review ends without it, and the match can be rolled out.
#[test]
fn a_turn_that_cannot_be_analysed_holds_up_nothing() {
    let document = Document::of_match(record(), "anna.mat".into(), 1);
    let mut bench = TestApp::unanalysed(document);
    let turns = bench.app.document.turns.len();
    let bad = 3;
    for turn in (0..turns).filter(|&turn| turn != bad) {
        let analysed = review(&Race, &bench.app.document.turns[turn], 0, &|| false);
        bench.tell(Message::Reviewed {
            generation: 1,
            turn,
            ply: 0,
            standing: Standing::Final,
            review: Arc::new(analysed.unwrap()),
        });
    }
    bench.keys("B enter");
    assert!(!bench.rolls_match, "the review has not ended");
    assert!(bench.screen(120, 40).contains("review 98%"));
    bench.tell(Message::ReviewFailed {
        generation: 1,
        turn: bad,
        ply: 1,
        is_standard: true,
        why: "index out of bounds at src/x.rs:7".into(),
    });
    assert!(bench.app.document.is_analysed() && bench.rolls_match);
    assert_eq!(bench.kept, 0, "another time it may be analysed whole");
    let (analysed, reviews) = bench.app.document.analysed_turns();
    assert_eq!((analysed.len(), reviews.len()), (turns - 1, turns - 1));
    let screen = bench.screen(120, 40);
    assert_lacks!(screen, "review 9");
    assert_has!(screen, "failed 1");
    // Its reason is read where it is, and in the list of what is wrong, which leads there.
    bench.keys("W");
    let rows = troubles::rows(&bench.app);
    assert!(rows[0].text.contains("src/x.rs:7"), "{rows:?}");
    let screen = bench.screen(120, 40);
    assert_has!(screen, "could not be analysed");
    bench.keys("enter");
    assert_eq!(bench.app.at, bad);
    bench.app.document.looks.clear();
    let screen = bench.screen(160, 45);
    assert_has!(screen, "out of bounds", "src/x.rs:7");
    // The list of moves marks it.
    assert!(screen.lines().any(|l| l.contains(" ! ")), "{screen}");
}

#[test]
fn what_workers_warn_of_can_be_read_later() {
    let mut bench = TestApp::new(Depth::True);
    for text in ["first", "second", "first"] {
        bench.tell(Message::Warning(text.into()));
    }
    bench.wait(5000);
    let rows = troubles::rows(&bench.app);
    let texts: Vec<_> = rows.iter().map(|row| row.text.as_str()).collect();
    assert_eq!(texts[..2], ["first", "second"]);
    for i in 0..200 {
        bench.tell(Message::Warning(format!("warning {i}")));
    }
    assert!(troubles::rows(&bench.app).len() < 60);
}

/// What was warned of stands in the list no longer once it is mended.
#[test]
fn what_is_mended_is_listed_no_more() {
    let mut bench = TestApp::new(Depth::True);
    let before = troubles::rows(&bench.app).len();
    let [one, other] = ["the place is not kept\tnow", "another"];
    bench.tell(Message::Warning(one.into()));
    bench.tell(Message::Warning(other.into()));
    bench.tell(Message::Mended(one.into()));
    let rows = troubles::rows(&bench.app);
    assert_eq!((rows.len(), rows[0].text.as_str()), (before + 1, other));
}

/// Settings say where they were saved, or why they are not saved yet, which can be read later.
#[test]
fn whether_settings_were_saved_is_said() {
    let mut bench = TestApp::new(Depth::True);
    // The sample has warnings of its own.
    let before = troubles::rows(&bench.app).len();
    bench.tell(Message::SettingsSaved("saved in x.toml".into()));
    assert_eq!(bench.said(), "saved in x.toml");
    assert_eq!(troubles::rows(&bench.app).len(), before);
    unsaved(&mut bench, StoreName::Settings, 1);
    assert!(
        bench.said().starts_with("the settings not saved yet"),
        "{}",
        bench.said()
    );
    let row = troubles::rows(&bench.app)[0].text.clone();
    assert_has!(row, "the settings");
    bench.keys("q");
    assert!(!bench.over && bench.said().contains("q again quits"));
}

/// A note that was removed comes back, where it was.
#[test]
fn a_removed_note_is_brought_back() {
    let mut bench = TestApp::new(Depth::None);
    let written = |bench: &TestApp| bench.app.home().notes.values().cloned().collect::<Vec<_>>();
    bench.keys("a d o u b t enter");
    assert_eq!(written(&bench), ["doubt"]);
    bench.keys("a ctrl-u enter");
    assert!(bench.app.home().notes.is_empty());
    bench.tell(Message::NoteKept { is_removed: true });
    assert!(
        bench.said().contains("U brings it back"),
        "{}",
        bench.said()
    );
    bench.keys("l U");
    assert_eq!(bench.said(), "nothing was removed here");
    bench.keys("h U");
    assert_eq!(written(&bench), ["doubt"]);
    assert_eq!(bench.kept_note.as_ref().map(|kept| &*kept.1), Some("doubt"));
}
