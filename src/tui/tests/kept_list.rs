//! The window of rollouts: those that run or wait, and those that are kept.

use ratatui::crossterm::event::Event;

use super::transcript::{file, lines, transcribing};
use crate::game::{GameState, Position};
use crate::notation::xgid_text;
use crate::rollout::{CubeSettings, Settings};
use crate::tui::figures::rollout_list::{RolloutRow, rows};
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::{Job, JobId, JobState};
use crate::tui::state::Openable;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::kept_list::{KeptBest, KeptList, KeptListRow};
use crate::tui::windows::overlay::Overlay;

const ID: &str = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10";

fn row(play: Option<&str>, best: bool) -> KeptListRow {
    KeptListRow {
        day: "2026-03-05".into(),
        id: ID.into(),
        dice: Some("31".into()),
        best: best.then(|| KeptBest {
            play: play.map(str::to_owned),
            equity: 0.159,
            half: 0.0042,
            is_passed: false,
        }),
        candidates: vec![Position::opening(); 3],
        trials: 1296,
        settings: Box::new(Settings {
            ply: 1,
            cube: Some(CubeSettings::after_play(&GameState::money(
                Position::opening(),
            ))),
            ..Settings::default()
        }),
    }
}

/// What of a rollout of the session is kept.
fn kept(job: &Job) -> KeptListRow {
    KeptListRow {
        id: xgid_text(job.decision.state()),
        candidates: job.plays.iter().map(|play| play.result).collect(),
        settings: Box::new(job.settings.clone()),
        ..row(Some("8/5 6/5"), true)
    }
}

/// The rollouts under way in the order of their rows, and how many rows there are.
fn listed(bench: &TestApp) -> (Vec<JobId>, usize) {
    let rows = rows(&bench.app);
    let under_way = rows.iter().filter_map(|row| match row {
        RolloutRow::UnderWay(job) => Some(job.id),
        RolloutRow::Kept(_) => None,
    });
    (under_way.collect(), rows.len())
}

/// Three rollouts of different decisions: one runs, the others wait.
fn three() -> (TestApp, [JobId; 3]) {
    let mut bench = TestApp::typed(Depth::None, "n r n r n r");
    bench.roll(360, false);
    let all: Vec<JobId> = bench.app.jobs.active().map(|job| job.id).collect();
    (bench, all.try_into().unwrap())
}

/// The bottom line.
fn hints(bench: &mut TestApp, width: u16, height: u16) -> String {
    let screen = bench.screen(width, height);
    screen.lines().last().unwrap_or_default().to_owned()
}

/// The one that runs stands first, with its trials as they come, then those that wait in their turn; the disk is
/// waited for by none of them.
#[test]
fn rollouts_under_way_stand_above_those_that_are_kept() {
    let (mut bench, [first, second, third]) = three();
    bench.keys("R l");
    assert_eq!(listed(&bench), (vec![first, second, third], 3));
    for (width, height) in [(80, 24), (60, 20), (120, 40)] {
        let screen = bench.screen(width, height);
        let place = |word: &str| {
            screen
                .find(word)
                .unwrap_or_else(|| panic!("{word}\n{screen}"))
        };
        assert!(place("running") < place("waiting"), "{screen}");
        assert_eq!(screen.matches("│ waiting").count(), 2, "{screen}");
        place("the kept ones are being read");
        place("360 of 1296 trials");
        place(" s left");
        place("game 1 move ");
        let keys = hints(&mut bench, width, height);
        assert_has!(keys, "go there", "x stop");
    }
    bench.roll(720, false);
    assert!(bench.screen(80, 24).contains("720 of 1296 trials"));
    bench.keys("j");
    let keys = hints(&mut bench, 80, 24);
    assert_has!(keys, "x take out", "f next");
    let screen = bench.screen(80, 24);
    assert_has!(screen, "waiting, game 1 move ");
    // What is under way and kept already stands once.
    let running = bench.app.jobs.get(first).unwrap().clone();
    let rows = vec![kept(&running), row(None, false)];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 9 })));
    assert_eq!(listed(&bench), (vec![first, second, third], 4));
    assert!(bench.screen(80, 24).contains("the last 1 of 8 kept"));
    bench.keys("G");
    let keys = hints(&mut bench, 80, 24);
    assert!(keys.contains("open") && !keys.contains("x "), "{keys}");
    bench.keys("x");
    assert_has!(bench.said(), "neither runs nor waits");
    // When it ends, the list is read again; the selected row stays that of its rollout.
    bench.lists_kept = false;
    bench.roll(1296, true);
    assert!(bench.lists_kept);
    assert_eq!(listed(&bench), (vec![second, third], 4));
    let mut passed = row(None, true);
    passed.best.as_mut().unwrap().is_passed = true;
    let rows = vec![kept(&running), row(None, false), passed];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 3 })));
    assert_has!(bench.screen(80, 24), "+0.159   pass ");
    bench.keys("enter");
    assert_eq!(bench.app.sources[bench.app.source], Openable::Id(ID.into()));
}

/// One that is kept leads to its decision in the match in view, as one that runs does.
#[test]
fn a_kept_rollout_of_the_match_in_view_leads_to_its_decision() {
    let mut bench = TestApp::typed(Depth::None, "n r");
    bench.roll(1296, true);
    let here = (bench.app.at, bench.app.source);
    let job = bench.app.jobs.all().next().unwrap().clone();
    let other = KeptListRow {
        candidates: Vec::new(),
        ..kept(&job)
    };
    bench.keys("l l l R l");
    let rows = vec![kept(&job), other];
    let list = || {
        Message::KeptList(Ok(KeptList {
            rows: rows.clone(),
            total: 2,
        }))
    };
    bench.tell(list());
    let keys = hints(&mut bench, 80, 24);
    assert_has!(keys, "go there");
    bench.keys("enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!((bench.app.at, bench.app.source), here);
    assert_eq!(bench.app.shown_rollout, Some(job.id));
    // One that was kept since, and is not in view there, comes with its position.
    bench.keys("R l");
    bench.tell(list());
    bench.keys("G");
    assert!(hints(&mut bench, 80, 24).contains("Enter open"));
    bench.keys("enter");
    let id = xgid_text(job.decision.state());
    assert_eq!(bench.app.sources[bench.app.source], Openable::Id(id));
}

/// Those that wait are taken out one by one, or put first; the one that runs is stopped, and what comes next begins.
#[test]
fn rollouts_under_way_are_stopped_and_put_first() {
    let (mut bench, [first, second, third]) = three();
    bench.keys("R l j j f");
    assert_eq!(listed(&bench).0, [first, third, second]);
    assert!(matches!(
        &bench.app.overlay,
        Some(Overlay::KeptList { row: 1, .. })
    ));
    // The one that is selected stays so while it moves.
    bench.keys("j x");
    assert_eq!(listed(&bench).0, [first, third]);
    assert_eq!(bench.rolling, Some(first));
    bench.keys("k k x");
    assert_eq!(listed(&bench).0, [third]);
    assert_eq!(bench.rolling, Some(third));
    let job = bench.app.jobs.get(first).unwrap();
    assert!(job.was_stopped() && job.state == JobState::Done);
    bench.keys("f");
    assert_has!(bench.said(), "does not wait");
    let screen = bench.screen_after("esc p R l", 80, 24);
    assert!(
        screen.contains("│ paused ") && !screen.contains(" left"),
        "{screen}"
    );
}

/// Who has selected a rollout that ends is not on the next one, which `x` would stop.
#[test]
fn a_rollout_that_ends_is_the_first_of_those_that_are_kept() {
    let (mut bench, [first, second, third]) = three();
    bench.keys("R l");
    let rows = vec![row(None, true)];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 1 })));
    bench.roll(1296, true);
    assert!(matches!(
        &bench.app.overlay,
        Some(Overlay::KeptList { row: 2, .. })
    ));
    let running = bench.app.jobs.get(first).unwrap().clone();
    let rows = vec![kept(&running), row(None, true)];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 2 })));
    bench.keys("x");
    assert_eq!(listed(&bench), (vec![second, third], 4));
    // Where the disk does not answer, those that were read stay.
    bench.tell(Message::KeptList(Err("locked".into())));
    assert_eq!(listed(&bench).1, 4);
}

/// Enter goes to the decision, also from a variation; that of another document is opened as a position.
#[test]
fn rollouts_under_way_lead_to_their_decisions() {
    let (mut bench, [first, second, _]) = three();
    let decision = |bench: &TestApp, id| bench.app.jobs.get(id).unwrap().decision;
    for (keys, id) in [("R l enter", first), ("j v R l j enter", second)] {
        bench.keys(keys);
        assert!(bench.app.overlay.is_none() && bench.app.variation.is_none());
        assert_eq!(bench.app.decision(), Some(decision(&bench, id)));
        assert_eq!(bench.app.shown_rollout, Some(id));
    }
    // A cube decision before a roll.
    while bench.app.before.is_none() {
        bench.keys("l b");
    }
    let here = bench.app.decision();
    bench.keys("r h R l G enter");
    assert_eq!(bench.app.decision(), here);
    assert!(bench.app.before.is_some());
    let state = GameState::money(Position::opening());
    bench.tell(Message::Input(Event::Paste(xgid_text(&state))));
    assert!(bench.app.document.record.games.is_empty());
    assert_lacks!(bench.screen_after("R l", 80, 24), "game 1 move");
    bench.keys("enter");
    let id = xgid_text(decision(&bench, first).state());
    assert_eq!(bench.app.sources[bench.app.source], Openable::Id(id));
    assert_eq!(bench.app.decision(), Some(decision(&bench, first)));
}

#[test]
fn kept_rollouts_are_listed_and_opened() {
    let mut bench = TestApp::typed(Depth::None, "R l");
    assert!(bench.lists_kept);
    assert!(bench.screen(80, 24).contains("are being read"));
    let mut first = row(Some("8/5 6/5"), true);
    let settings = &mut *first.settings;
    (settings.horizon, settings.seed) = (Some(6), 7);
    let rows = vec![first, row(None, true), row(Some("8/5 \u{1b}[31m"), false)];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 7 })));
    for (w, h) in [(80, 24), (120, 40)] {
        let shown = bench.screen(w, h);
        assert_has!(shown, "the last 3 of 7", "2026-03-05 31   8/5 6/5");
        assert_has!(shown, "the position", " .004 ", "1296");
        assert_has!(shown, "played by another version", ID);
        assert_has!(shown, "truncated after 6 rolls", "seed 7");
        assert!(!shown.contains('\u{1b}'));
    }
    assert_has!(bench.screen(60, 20), "1296 trials, 1-ply, with cube");
    for (w, h) in [(60, 12), (20, 6), (1, 1)] {
        bench.draw(w, h);
    }
    bench.keys("j j j k enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!(bench.app.sources[bench.app.source], Openable::Id(ID.into()));
}

#[test]
fn an_empty_list_says_so() {
    let mut bench = TestApp::typed(Depth::None, "R l");
    bench.tell(Message::KeptList(Ok(KeptList::default())));
    assert!(
        bench
            .screen(80, 24)
            .contains("no rollout runs or is kept yet")
    );
    bench.keys("enter");
    assert!(bench.app.overlay.is_none());
    bench.keys("R l");
    bench.tell(Message::KeptList(Err("locked".into())));
    assert!(bench.screen(80, 24).contains("locked"));
    bench.keys("esc");
    // A list that comes late opens nothing.
    bench.tell(Message::KeptList(Ok(KeptList::default())));
    assert!(!matches!(bench.app.overlay, Some(Overlay::KeptList { .. })));
}

/// Who hides the answers is not told them by a list, a copy, a card or the page of the match.
#[test]
fn what_was_found_is_hidden_with_the_answers() {
    let mut bench = TestApp::typed(Depth::None, "n");
    bench.app.options.hidden = true;
    for keys in ["R l", "y a", "y t", "y h", "y r"] {
        bench.app.status = None;
        bench.keys(keys);
        assert!(bench.app.overlay.is_none(), "{keys}");
        assert!(bench.copied.is_none(), "{keys}");
        let said = bench.app.status.as_ref().map(|said| said.text.as_str());
        assert!(said.is_some_and(|said| said.contains("hidden")), "{said:?}");
    }
    // The position is no answer.
    bench.keys("y x");
    assert!(bench.copied.is_some());
}

/// The list stays while it is asked whether something may be lost, so that the same key answers.
#[test]
fn a_kept_rollout_is_opened_when_it_is_asked_for_twice() {
    let (_folder, path) = file(7);
    let mut bench = transcribing(&path);
    lines(&mut bench, &["31: 8/5 6/5", "52: 13/8 24/22"]);
    bench.keys("esc delete R l");
    let rows = vec![row(None, true)];
    bench.tell(Message::KeptList(Ok(KeptList { rows, total: 1 })));
    bench.keys("enter");
    assert!(bench.app.is_transcribing());
    assert!(matches!(bench.app.overlay, Some(Overlay::KeptList { .. })));
    bench.keys("enter");
    let opened = &bench.app.sources[bench.app.source];
    assert_eq!(*opened, Openable::Id(ID.into()));
}
