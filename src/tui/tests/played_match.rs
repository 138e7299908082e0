//! Matches against the program: keys through the application, files on the disk.

use std::path::{Path, PathBuf};

use ratatui::crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyModifiers};

use super::new_match::terms;
use crate::game::{Player, Rules};
use crate::match_file::write::Target;
use crate::match_file::{self, Action, Event, Match};
use crate::tui::documents::new_match::NewMatch;
use crate::tui::documents::open::{How, open};
use crate::tui::documents::played_match::{MatchPrompt, actions};
use crate::tui::figures::candidate_rows;
use crate::tui::message::Message;
use crate::tui::state::Openable;
use crate::tui::testing::{Race, TestApp};
use crate::tui::text;
use crate::tui::theme::Depth;
use crate::tui::update;

/// A folder with a match of which nothing was played, and its file.
pub(super) fn begun(length: u16, seed: u64) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.mat");
    let begun = NewMatch {
        length,
        name: "Anna".into(),
        seed,
        ..NewMatch::default()
    };
    let record = begun.record();
    std::fs::write(&path, Target::Mat.write(&record)).unwrap();
    (folder, path)
}

/// The workstation with the match of a file, not played on.
pub(super) fn opened(path: &Path) -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    let how = How::new(&Race, &bench.app.model, false);
    let source = Openable::File(path.to_owned());
    let document = open(&source, 7, &how).unwrap();
    bench.app.sources = vec![source];
    (bench.app.source, bench.app.shown) = (0, 0);
    bench.tell(Message::Opened(7, Ok(Box::new(document))));
    bench.app.status = None;
    bench
}

/// The workstation with the match of a file, played on.
pub(super) fn playing(path: &Path) -> TestApp {
    let mut bench = opened(path);
    bench.keys("g p");
    assert!(bench.app.played().is_some(), "{}", bench.said());
    bench
}

fn written(path: &Path) -> Match {
    match_file::read(path).unwrap()
}

/// Lets the program decide until `is_there`, but rolls without a double.
pub(super) fn roll_until(
    bench: &mut TestApp,
    is_there: impl Fn(MatchPrompt) -> bool,
) -> MatchPrompt {
    decide_until(bench, "s", is_there)
}

/// Lets the program decide until `is_there`.
fn play_until(bench: &mut TestApp, is_there: impl Fn(MatchPrompt) -> bool) -> MatchPrompt {
    decide_until(bench, ".", is_there)
}

fn decide_until(
    bench: &mut TestApp,
    at_double: &str,
    is_there: impl Fn(MatchPrompt) -> bool,
) -> MatchPrompt {
    for _ in 0..2000 {
        let prompt = bench.app.match_prompt().unwrap();
        if is_there(prompt) {
            return prompt;
        }
        assert_ne!(prompt, MatchPrompt::Wait, "nobody waits: {}", bench.said());
        bench.keys(match prompt {
            MatchPrompt::Double => at_double,
            MatchPrompt::NextGame => "s",
            _ => ".",
        });
    }
    panic!("the game has no end");
}

/// What a player tries first works: Space and Enter roll, a digit chooses the play in that row, Enter makes it.
#[test]
fn space_rolls_and_a_digit_chooses_a_play() {
    let (_folder, path) = begun(3, 11);
    let mut bench = playing(&path);
    for key in ["space", "enter"] {
        play_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
        bench.keys(key);
        let prompt = bench.app.match_prompt().unwrap();
        assert_ne!(prompt, MatchPrompt::Double, "{key}: {}", bench.said());
    }
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    let screen = bench.screen(120, 40);
    assert_lacks!(screen, "equity");
    bench.keys("2");
    let rows = candidate_rows::rows(&bench.app);
    let (second, play) = (rows[1].candidate.result, rows[1].candidate.play);
    let before = bench.app.turn().unwrap().before.state.position;
    assert_has!(screen, &*format!("2   {}", text::play(&play, &before)));
    assert_eq!(bench.app.selection.play, Some(second));
    bench.keys("enter");
    let mut made = bench.app.document.turns.iter();
    let is_it = |turn: &crate::review::MatchTurn| matches!(turn.action, Some(Action::Move { play: made, .. }) if made == play);
    assert!(made.any(is_it), "{}", bench.said());
}

#[test]
fn a_match_is_played_to_its_end_and_shown() {
    let (_folder, path) = begun(3, 11);
    let mut bench = playing(&path);
    assert!(bench.app.options.hidden);
    let mut games = 0;
    while play_until(&mut bench, MatchPrompt::is_between_games) == MatchPrompt::NextGame {
        games += 1;
        let record = written(&path);
        let last = record.games.last().unwrap();
        assert!(record.is_complete(last), "{:?}", record.warnings);
        assert!(
            bench.said().contains("begins the next game"),
            "{}",
            bench.said()
        );
        bench.keys("s");
        assert_eq!(bench.app.played().unwrap().record.games.len(), games + 1);
    }
    assert!(bench.said().contains("shows the match"), "{}", bench.said());
    bench.app.settings.fill_library = true;
    bench.keys("s");
    // What was played is in view as any match of a file.
    assert!(bench.app.variation.is_none() && !bench.app.options.hidden);
    assert_eq!(bench.filled, std::slice::from_ref(&path));
    let record = written(&path);
    assert!(
        record.is_won() && record.warnings.is_empty(),
        "{:?}",
        record.warnings
    );
    assert_eq!(record.players, ["Anna", "Luckless"]);
    assert_eq!(bench.app.document.record.games.len(), record.games.len());
    assert!(bench.app.document.is_analysed());
    assert!(record.games.iter().all(|game| record.is_complete(game)));
    bench.keys("g p");
    assert_eq!(terms(&bench), Some("3"), "another like it is proposed");
}

#[test]
fn each_action_is_on_the_disk_and_a_match_that_was_left_goes_on() {
    let (_folder, path) = begun(5, 3);
    let mut bench = playing(&path);
    for _ in 0..6 {
        roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
        bench.keys("j v");
        let open = bench.app.variation.as_ref().unwrap();
        let record = written(&path);
        let game = record.games.last().expect("a game is on");
        assert_eq!(game.events.len(), open.line.len());
    }
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    let before = bench.app.turn().unwrap().before;
    bench.keys("esc esc");
    assert!(bench.app.variation.is_none() && !bench.app.options.hidden);
    let events = |record: &Match| {
        let games = record.games.iter().map(|game| game.events.clone());
        games.collect::<Vec<_>>()
    };
    assert_eq!(events(&bench.app.document.record), events(&written(&path)));
    // In another session the same roll is to be played, once no double is chosen again.
    let mut again = playing(&path);
    roll_until(&mut again, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    assert_eq!(again.app.turn().unwrap().before, before);
}

#[test]
fn a_match_goes_on_at_its_end_by_the_dice_that_come() {
    let (_folder, path) = begun(7, 9);
    let mut bench = playing(&path);
    for _ in 0..3 {
        roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
        bench.keys("j v");
    }
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    let events = written(&path).games[0].events.clone();
    let roll = bench.app.turn().unwrap().before.state.roll;
    // Neither other dice, nor a cube action after the roll.
    bench.keys("> < U D A X d 6 6 enter");
    assert_eq!(bench.app.turn().unwrap().before.state.roll, roll);
    bench.keys("h h j v");
    assert!(
        bench.said().contains("goes on at the end"),
        "{}",
        bench.said()
    );
    assert_eq!(written(&path).games[0].events, events);
    bench.keys("l l l j v");
    assert!(written(&path).games[0].events.len() > events.len());
    let no_error = bench.said().to_owned();
    bench.keys("E n r B");
    assert!(
        bench.app.overlay.is_none() && !bench.rolls_match,
        "{no_error}"
    );
}

#[test]
fn at_the_start_the_person_plays_with_a_tutor_who_was_asked_for() {
    let (_folder, path) = begun(1, 2);
    let mut bench = opened(&path);
    update::play_on(
        &mut bench.app,
        crate::tui::PlayOn::AgainstProgram { has_tutor: true },
    );
    let played = bench.app.played().unwrap();
    assert!(played.has_tutor() && played.person == Some(Player::Left));
}

#[test]
fn dice_depend_on_seed_and_place_alone() {
    let rolls = |seed| {
        let (_folder, path) = begun(5, seed);
        let mut bench = playing(&path);
        play_until(&mut bench, MatchPrompt::is_between_games);
        let record = written(&path);
        let states = record.decision_states(&record.games[0]);
        let rolls = states.iter().map(|one| (one.player, one.state.roll));
        rolls.collect::<Vec<_>>()
    };
    assert_eq!(rolls(4), rolls(4));
    assert_ne!(rolls(4), rolls(6));
}

/// The pane says what is asked at any size of the screen.
#[test]
fn the_pane_names_the_score_and_the_keys() {
    let (_folder, path) = begun(7, 1);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.keys("j v");
    play_until(&mut bench, |prompt| prompt == MatchPrompt::Double);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "against the program", "D doubles, s rolls");
    assert_has!(screen, "to 7 points", "Luckless plays");
    assert_has!(bench.screen(80, 24), "D doubles, s rolls");
    // Without room for the pane the bottom line says it.
    bench.draw(60, 20);
    assert_has!(bench.screen_after("tab", 60, 20), "D doubles, s rolls");
}

#[test]
fn a_game_is_given_up_once_the_same_is_asked_for_again() {
    let (_folder, path) = begun(7, 8);
    let mut bench = playing(&path);
    let asked = roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.keys("g x");
    assert!(
        bench.said().contains("gx again gives it up"),
        "{}",
        bench.said()
    );
    assert!(written(&path).games[0].result.is_none());
    bench.keys("esc");
    assert_eq!(bench.said(), "nothing done");
    assert!(
        bench.app.played().is_some(),
        "only the question is taken back"
    );
    bench.keys("g x j g x");
    assert!(
        written(&path).games[0].result.is_none(),
        "asked about again"
    );
    bench.keys("g x");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::NextGame));
    let record = written(&path);
    let result = record.games[0].result.unwrap();
    // In the opening the program expects less than a point.
    assert_eq!((result.winner, result.points), (Player::Right, 1));
    assert!(record.is_complete(&record.games[0]) && record.warnings.is_empty());
    // The roll in hand is written.
    let [.., hidden, resigned] = &record.games[0].events[..] else {
        panic!("{record:?}");
    };
    assert_eq!(hidden.action.roll().map(MatchPrompt::Play), Some(asked));
    assert!(matches!(hidden.action, Action::Hidden { .. }) && resigned.action == Action::Resign);
    bench.keys("g x");
    assert!(
        bench.said().contains("the game is over"),
        "{}",
        bench.said()
    );
    bench.keys("s");
    assert_eq!(bench.app.played().unwrap().record.games[1].score, [0, 1]);
    bench.keys("esc esc g x");
    // A resignation with dice in hand is nothing that the file is warned about.
    let how = How::new(&Race, &bench.app.model, false);
    let again = open(&Openable::File(path.clone()), 8, &how).unwrap();
    assert!(again.warned.is_empty(), "{:?}", again.warned);
    assert!(
        bench.said().contains("only a game that is played"),
        "{}",
        bench.said()
    );
}

/// Whatever is typed, the file stays a sound match, and each frame is drawn.
#[test]
fn keys_at_random_leave_a_sound_match() {
    const KEYS: &[&str] = &[
        "j",
        "j v",
        "v",
        ".",
        ".",
        ".",
        "s",
        "s",
        "D",
        "A",
        "X",
        "K",
        "h",
        "l",
        "S",
        "t",
        "g x",
        "g g",
        "esc",
        "g p",
        "b",
        "enter",
        "U",
        "delete",
        ">",
        "d 3 1 enter",
        "n",
        "space",
        "tab",
        "end",
        "i",
        "+",
        "-",
        "e esc",
        "M esc",
        "Y esc",
        "Z",
        "g h",
        "r",
        "x",
        "]",
        "[",
    ];
    for seed in 0..8 {
        let (_folder, path) = begun(3, seed);
        let mut bench = playing(&path);
        let mut events = 0;
        let mut chance = seed;
        for step in 0..250 {
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let keys = KEYS[(chance >> 33) as usize % KEYS.len()];
            bench.keys(keys);
            if bench.app.variation.is_none() {
                bench.keys("g p");
            }
            if step % 10 == 0 {
                bench.draw(100, 30);
            }
            let record = written(&path);
            let breaks_off = |why: &str| why.contains("breaks off");
            let all = &record.warnings;
            assert!(all.iter().all(|one| breaks_off(&one.message)), "{all:?}");
            let now: usize = record.games.iter().map(|game| game.events.len()).sum();
            let takes_back = ["delete", "U"].contains(&keys);
            assert!(takes_back || now >= events, "nothing is lost: {keys}");
            events = now;
        }
    }
}

/// The workstation with a match of this record, played on.
fn playing_on(record: &Match) -> (tempfile::TempDir, PathBuf, TestApp) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.mat");
    std::fs::write(&path, Target::Mat.write(record)).unwrap();
    let bench = playing(&path);
    (folder, path, bench)
}

fn money(jacoby: bool, beavers: bool) -> Match {
    let begun = NewMatch {
        name: "Anna".into(),
        seed: 21,
        rules: Rules {
            jacoby,
            beavers,
            ..Rules::default()
        },
        ..NewMatch::default()
    };
    begun.record()
}

#[test]
fn a_double_of_the_person_is_answered_and_one_of_the_program_is_asked_about() {
    let (_folder, path, mut bench) = playing_on(&money(false, false));
    let mut seen = [0; 3];
    for _ in 0..30 {
        match roll_until(&mut bench, |prompt| {
            matches!(
                prompt,
                MatchPrompt::Double | MatchPrompt::Answer | MatchPrompt::NextGame
            )
        }) {
            MatchPrompt::Double => {
                let events = actions(&written(&path));
                bench.keys("D");
                let record = written(&path);
                let all = &record.games.last().unwrap().events;
                let answer = all.iter().rev().find(|one| one.player == Player::Right);
                assert!(actions(&record) >= events + 2, "answered");
                assert!(matches!(
                    answer.unwrap().action,
                    Action::Take | Action::Pass | Action::Move { .. } | Action::Double { .. }
                ));
                seen[0] += 1;
            }
            MatchPrompt::Answer => {
                let key = if seen[1] % 2 == 0 { "A" } else { "X" };
                bench.keys(key);
                seen[1] += 1;
            }
            _ => {
                let record = written(&path);
                let game = record.games.last().unwrap();
                let text = || std::fs::read_to_string(&path).unwrap();
                assert!(record.is_complete(game), "{}", text());
                assert!(record.warnings.is_empty(), "{:?}", record.warnings);
                bench.keys("s");
                seen[2] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
}

/// A beaver is offered where there are beavers.
#[test]
fn the_answers_to_a_double_are_named() {
    for beavers in [true, false] {
        let (_folder, _path, mut bench) = playing_on(&money(false, beavers));
        roll_until(&mut bench, |prompt| prompt == MatchPrompt::Answer);
        let screen = bench.screen(120, 40);
        assert_has!(screen, "A takes, X passes");
        assert_eq!(screen.contains("K beavers"), beavers, "{screen}");
        bench.keys("s");
        assert_eq!(
            bench.said().contains("K beavers"),
            beavers,
            "{}",
            bench.said()
        );
    }
}

#[test]
fn money_is_played_by_the_rules_that_were_asked_for() {
    for (jacoby, beavers) in [(true, true), (false, false)] {
        let (_folder, path, bench) = playing_on(&money(jacoby, beavers));
        let rules = bench.app.turn().unwrap().before.state.rules;
        assert_eq!((rules.jacoby, rules.beavers), (jacoby, beavers));
        let record = written(&path);
        assert_eq!((record.length, record.rules.jacoby), (0, jacoby));
    }
}

/// Anna leads 4–0 in a match to 5, by a resignation.
fn before_crawford() -> Match {
    let begun = NewMatch {
        length: 5,
        name: "Anna".into(),
        seed: 2,
        ..NewMatch::default()
    };
    let mut record = begun.record();
    record.resign(Player::Right, 4, None);
    record
}

#[test]
fn nobody_doubles_in_the_crawford_game_and_it_is_gone_on_with_after_a_resignation() {
    let (_folder, path, mut bench) = playing_on(&before_crawford());
    let game = bench
        .app
        .played()
        .unwrap()
        .record
        .games
        .last()
        .cloned()
        .unwrap();
    assert_eq!((game.number, game.score, game.crawford), (2, [4, 0], true));
    let prompt = roll_until(&mut bench, |prompt| {
        prompt.is_between_games() || matches!(prompt, MatchPrompt::Double | MatchPrompt::Answer)
    });
    assert!(prompt.is_between_games());
    let all = written(&path);
    let is_double = |event: &Event| matches!(event.action, Action::Double { .. });
    assert!(!all.games[1].events.iter().any(is_double));
}

#[test]
fn while_the_program_is_at_work_the_person_waits_or_leaves() {
    let (_folder, path) = begun(7, 5);
    let mut bench = playing(&path);
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.keys("j");
    // What has to happen outside does not happen yet, so no analysis comes.
    let press = |bench: &mut TestApp, keys: &str| {
        for key in keys.chars() {
            let event = KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE);
            let now = bench.app.now;
            update::update(&mut bench.app, Message::Input(Input::Key(event)), now);
        }
    };
    press(&mut bench, "v");
    assert_eq!(bench.app.match_prompt(), Some(MatchPrompt::Wait));
    let line = |bench: &TestApp| bench.app.variation.as_ref().unwrap().line.len();
    let before = line(&bench);
    press(&mut bench, "svDAXKhlSgx.");
    assert_eq!(line(&bench), before);
    assert_has!(bench.screen(100, 30), "the program is at work");
    // Where the reader is elsewhere the program waits, and plays once the end is in view again.
    press(&mut bench, "hh");
    let at = bench.app.at;
    bench.keys("i");
    assert_eq!((bench.app.at, line(&bench)), (at, before));
    bench.keys("l l l");
    assert!(line(&bench) > before);
    bench.keys("esc esc");
    assert!(bench.app.variation.is_none() && !bench.app.options.hidden);
}

/// The file on a slow disk is older than the match: what was played is not lost by going on at once.
#[test]
fn a_match_goes_on_from_what_was_played_and_not_from_an_older_file() {
    let (_folder, path) = begun(7, 3);
    let mut bench = playing(&path);
    let mut older = String::new();
    for _ in 0..4 {
        roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
        older = std::fs::read_to_string(&path).unwrap();
        bench.keys("j v");
    }
    let played = written(&path).games[0].events.clone();
    let newest = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, older).unwrap();
    bench.keys("esc esc");
    assert!(bench.app.document.record.games[0].events.len() < played.len());
    bench.keys("g p");
    std::fs::write(&path, newest).unwrap();
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.keys("j v");
    let now = written(&path).games[0].events.clone();
    assert!(now.len() > played.len() && now[..played.len()] == played[..]);
}

/// After the Crawford game the leader has nothing to win by a double, and rolls at once.
#[test]
fn the_leader_of_a_game_after_crawford_is_not_asked_to_double() {
    let begun = NewMatch {
        length: 3,
        name: "Anna".into(),
        seed: 4,
        ..NewMatch::default()
    };
    let mut record = begun.record();
    record.resign(Player::Right, 2, None);
    let crawford = record.next_game().unwrap();
    record.games.push(crawford);
    record.resign(Player::Left, 1, None);
    let (_folder, path, mut bench) = playing_on(&record);
    bench.keys("S");
    let asked = roll_until(&mut bench, |prompt| {
        prompt.is_between_games() || matches!(prompt, MatchPrompt::Double)
    });
    assert_ne!(asked, MatchPrompt::Double);
    let game = written(&path).games.last().cloned().unwrap();
    assert_eq!((game.score, game.crawford), ([2, 1], false));
    assert!(game.events.len() > 5);
}
