//! Rollouts by hand on the board: keys through the application.

use std::sync::Arc;

use ratatui::crossterm::event::Event;

use crate::game::{GameState, Position, Side};
use crate::rollout::by_hand::Hands;
use crate::store::UnsavedRecords;
use crate::tui::documents::by_hand::HandPrompt;
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::Message;
use crate::tui::state::{Document, Openable};
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

/// A short race of money play, the cube in the middle.
fn race() -> GameState {
    let side = |far: usize, near: u8| {
        let mut counts = [0; 26];
        (counts[far], counts[8], counts[1]) = (2, 1, near);
        Side::new(&counts).unwrap()
    };
    GameState::money(Position::new(side(10, 1), side(9, 2)).unwrap())
}

fn alone(state: GameState) -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    let document = Document::of_position(state, "p".into(), 5);
    bench.tell(Message::Opened(5, Ok(Box::new(document))));
    bench
}

/// Lets the program decide all that is asked until the game is over; answers how often it was asked.
fn play_on(bench: &mut TestApp) -> usize {
    for asked in 0..200 {
        if bench.app.hand_is_over() {
            return asked;
        }
        assert!(bench.app.hand().unwrap().prompt.is_some());
        bench.keys(".");
    }
    panic!("the game has no end");
}

/// Does one thing that is asked.
fn decide(bench: &mut TestApp) {
    bench.keys(match bench.app.hand().unwrap().prompt {
        Some(HandPrompt::Double) => "s",
        Some(HandPrompt::Answer) => "A",
        _ => "j v",
    });
    assert!(bench.app.is_playing_by_hand());
}

#[test]
fn games_are_played_to_their_end_and_summed() {
    let mut state = race();
    state.roll = Some("31".parse().unwrap());
    let mut bench = alone(state);
    let (at, before) = (bench.app.at, bench.app.document.turns.len());
    bench.keys("g h");
    let hand = bench.app.hand().unwrap();
    assert_eq!((hand.hands, hand.known.len()), (Hands::Own, 0));
    assert!(bench.app.options.hidden);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "no game has ended yet");
    for games in 1..=2 {
        assert!(play_on(&mut bench) > 0);
        let hand = bench.app.hand().unwrap();
        assert_eq!(hand.known.len(), games);
        let sum = hand.sum.as_ref().unwrap();
        assert_eq!(sum.trials, games as u64);
        // The mean of the games without their luck.
        let all = hand.ended.iter().map(|game| game.plain - game.luck);
        let mean = all.sum::<f64>() / games as f64;
        assert!((sum.equity.mean - mean).abs() < 1e-6, "{mean}");
        assert_has!(bench.screen(120, 40), "of it luck");
        bench.keys("s");
    }
    // The third is under way: one key does not drop it.
    decide(&mut bench);
    bench.keys("esc");
    let said = bench.app.status.as_ref().map(|status| status.text.clone());
    assert!(bench.app.variation.is_some(), "{said:?}");
    assert_has!(said.unwrap(), "Esc again leaves it");
    bench.keys("s esc q");
    assert!(!bench.over && bench.app.variation.is_some());
    // The first takes back that the program would be left.
    bench.keys("esc esc esc");
    assert!(bench.app.variation.is_none() && !bench.app.options.hidden);
    assert_eq!((bench.app.at, bench.app.document.turns.len()), (at, before));
    assert!(bench.kept_variations.is_empty());
}

#[test]
fn a_play_the_cube_and_both_sides_are_the_players() {
    let mut bench = alone(race());
    bench.keys("g h");
    // The cube comes first: who is on roll may double.
    assert_eq!(bench.app.hand().unwrap().prompt, Some(HandPrompt::Double));
    assert_has!(bench.screen(120, 40), "D doubles, s rolls");
    bench.keys("S");
    assert_eq!(bench.app.hand().unwrap().hands, Hands::Both);
    bench.keys("D");
    assert_eq!(bench.app.hand().unwrap().prompt, Some(HandPrompt::Answer));
    bench.keys("X");
    let Some(HandPrompt::Over { plain, .. }) = bench.app.hand().unwrap().prompt else {
        panic!("a pass ends it");
    };
    assert_eq!(plain, 1.0);
    // The next game has other dice, and a play of one's own.
    bench.keys("s s");
    let prompt = bench.app.hand().unwrap().prompt;
    let Some(HandPrompt::Play(roll)) = prompt else {
        panic!("{prompt:?}");
    };
    bench.keys("j v");
    let made = bench.app.document.turns[0];
    assert_eq!(made.before.state.roll, Some(roll));
    assert!(made.action.is_some());
    // What is behind stays as it was.
    bench.keys("h j v");
    assert_has!(bench.said(), "goes on at its end");
}

#[test]
fn games_are_kept_and_go_on_in_the_next_session() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollouts.sqlite");
    let mut first = alone(race());
    first.hand_games = Some(path.clone());
    first.keys("g h");
    play_on(&mut first);
    let kept = first.app.hand().unwrap().known.clone();
    // A game that is left is none.
    first.keys("s esc esc");
    let mut second = alone(race());
    second.hand_games = Some(path);
    second.keys("g h");
    let hand = second.app.hand().unwrap();
    assert_eq!((&hand.known, hand.trial), (&kept, Some(1)));
    assert_eq!(hand.sum.as_ref().unwrap().trials, 1);
}

/// Games that cannot be kept are said to be none of those that are, and count all the same; so is why one ends early.
#[test]
fn games_that_cannot_be_kept_or_go_on_say_so() {
    // No file lies below a file.
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut bench = alone(race());
    bench.hand_games = Some(file.path().join("below"));
    bench.keys("g h");
    play_on(&mut bench);
    let said = bench.app.status.clone().unwrap();
    assert!(said.is_warning);
    assert!(
        said.text.starts_with("games are not kept yet: "),
        "{said:?}"
    );
    let hand = bench.app.hand().unwrap();
    assert_eq!(hand.known.len(), 1);
    let (number, prompt) = (hand.requests, hand.prompt);
    let fails = |number| Message::ByHand {
        number,
        news: Err("x".into()),
    };
    // Of a request of before nothing is told.
    bench.tell(fails(number - 1));
    assert_eq!(bench.said(), said.text);
    bench.tell(fails(number));
    let said = bench.said();
    assert_eq!(said, "the game cannot go on: x");
    assert_eq!(bench.app.hand().unwrap().prompt, prompt);
}

/// A game under way; another position can be opened.
fn under_way(id: &str) -> TestApp {
    let mut bench = alone(race());
    bench.app.sources = vec![Openable::Sample, Openable::Id(id.into())];
    bench.keys("g h");
    decide(&mut bench);
    bench
}

/// Of a game in which nothing was done nothing is lost: it is left without a question.
#[test]
fn a_game_that_was_not_played_is_left_at_once() {
    let mut bench = alone(race());
    bench.keys("g h esc");
    assert!(bench.app.variation.is_none());
    assert_eq!(bench.games_left, 1, "its number is free again");
    let said = bench.app.status.as_ref().map(|said| said.text.clone());
    assert!(
        !said.as_ref().is_some_and(|said| said.contains("lost")),
        "{said:?}"
    );
}

/// What cannot be done says what can; and no key leads to errors whose answers are hidden.
#[test]
fn a_key_that_means_nothing_in_a_game_says_what_does() {
    let mut bench = alone(race());
    bench.keys("g h S D A");
    assert!(matches!(
        bench.app.hand().unwrap().prompt,
        Some(HandPrompt::Play(_))
    ));
    bench.app.status = None;
    bench.keys("s");
    let said = bench.app.status.as_ref().map(|said| said.text.clone());
    assert!(
        said.as_ref()
            .is_some_and(|said| said.contains("is rolled already")),
        "{said:?}"
    );
    bench.app.status = None;
    assert_lacks!(bench.screen(120, 40), "next error");
    let at = bench.app.at;
    bench.keys("N");
    let said = bench.app.status.as_ref().map(|said| said.text.clone());
    assert!(said.is_some_and(|said| said.contains("hidden")));
    assert_eq!(bench.app.at, at);
    bench.keys("B");
    let said = bench.app.status.as_ref().map(|said| said.text.as_str());
    assert!(
        said.is_some_and(|said| said.contains("this is a game by hand")),
        "{said:?}"
    );
}

/// Opening something else would lose the game under way: it is asked about, like leaving it.
#[test]
fn a_game_under_way_is_lost_only_when_that_is_asked_for_twice() {
    let id = "4HPwATDgc/ABMA";
    let paste = |bench: &mut TestApp| bench.tell(Message::Input(Event::Paste(id.into())));
    let says_so = |bench: &TestApp| {
        let said = bench.app.status.as_ref();
        bench.app.is_playing_by_hand() && said.is_some_and(|said| said.text.contains("lost"))
    };
    let is_opened = |bench: &TestApp| bench.app.document.title == id && bench.app.hand().is_none();
    let mut bench = under_way(id);
    paste(&mut bench);
    assert!(says_so(&bench));
    paste(&mut bench);
    assert!(is_opened(&bench));
    // Another key takes the question back.
    let mut bench = under_way(id);
    bench.keys("] tab ]");
    assert!(says_so(&bench));
    bench.keys("]");
    assert!(is_opened(&bench));
    // What was typed stays to be asked for again.
    let mut bench = under_way(id);
    bench.keys("o");
    paste(&mut bench);
    bench.keys("enter");
    assert!(says_so(&bench) && matches!(bench.app.overlay, Some(Overlay::Open(_))));
    bench.keys("enter");
    assert!(is_opened(&bench));
    // So does the match that was saved.
    let mut bench = under_way(id);
    let saved = std::path::PathBuf::from("sample_matches/clara-dev-3pt.mat");
    bench.app.arrived = Some(saved.clone());
    bench.keys("O");
    assert!(says_so(&bench) && bench.app.arrived == Some(saved));
    bench.keys("O");
    assert!(bench.app.hand().is_none() && bench.app.arrived.is_none());
    assert_eq!(bench.games_left, 1, "its number is free again");
    // Of a game that is over nothing is lost.
    let mut bench = under_way(id);
    play_on(&mut bench);
    paste(&mut bench);
    assert!(is_opened(&bench));
    assert_eq!(bench.games_left, 0, "it is kept");
}

/// What would be lost is named, also where a rollout would end too.
#[test]
fn a_game_by_hand_is_named_before_the_rollout() {
    let mut bench = TestApp::typed(Depth::True, "n r l g h .");
    assert!(bench.app.is_playing_by_hand() && bench.rolling.is_some());
    bench.keys("q");
    let said = bench.app.status.as_ref().map(|status| status.text.clone());
    assert!(said.unwrap().starts_with("the game by hand") && !bench.over);
    bench.keys("q");
    assert!(bench.over);
}

/// Playing both sides begins another game: the one under way is lost only when that is asked for twice.
#[test]
fn other_hands_take_no_game_that_is_under_way() {
    let mut bench = under_way("4HPwATDgc/ABMA");
    let hands = |bench: &TestApp| bench.app.hand().unwrap().hands;
    let lines = bench.app.variation.as_ref().unwrap().line.len();
    bench.keys("S");
    let said = bench.app.status.as_ref().map(|status| status.text.clone());
    assert!(said.unwrap().ends_with("S again begins another"));
    assert_eq!(hands(&bench), Hands::Own);
    assert_eq!(bench.app.variation.as_ref().unwrap().line.len(), lines);
    // Another key takes the question back.
    bench.keys("tab S");
    assert_eq!(hands(&bench), Hands::Own);
    bench.keys("S");
    assert_eq!(hands(&bench), Hands::Both);
    assert!(!bench.app.is_playing_by_hand());
    // Of a game that is over nothing is lost.
    play_on(&mut bench);
    bench.keys("S");
    assert_eq!(hands(&bench), Hands::Own);
}

/// All that would be lost is named, and what has come since it was asked about is asked about.
#[test]
fn quitting_names_the_game_and_what_is_not_saved() {
    let unsaved = |bench: &mut TestApp, count: usize| {
        let why = "notes.sqlite: locked".to_owned();
        bench.tell(Message::Unsaved {
            store: StoreName::Notes,
            unsaved: UnsavedRecords { count, why },
        });
    };
    let mut bench = under_way("4HPwATDgc/ABMA");
    unsaved(&mut bench, 1);
    bench.keys("q");
    let status = bench.app.status.clone().unwrap();
    assert!(status.is_warning && !bench.over);
    for words in ["the game by hand", "not all is saved", "q again quits"] {
        assert!(status.text.contains(words), "{}", status.text);
    }
    unsaved(&mut bench, 2);
    bench.keys("q");
    assert!(!bench.over, "one more is not saved");
    bench.keys("q");
    assert!(bench.over);
}

/// A game that ends with a pass has no play in view: Enter begins the next one all the same.
#[test]
fn enter_begins_the_next_game_after_a_pass() {
    let side = |point: usize, count: u8| {
        let mut counts = [0; 26];
        counts[point] = count;
        Side::new(&counts).unwrap()
    };
    let position = Position::new(side(1, 2), side(6, 15)).unwrap();
    let mut bench = alone(GameState::money(position));
    bench.keys("g h D");
    assert!(bench.app.hand_is_over());
    let document = bench.app.document.generation;
    bench.keys("enter");
    let said = bench.app.status.as_ref().map(|status| status.text.clone());
    assert!(
        !bench.app.hand_is_over() && bench.app.document.generation > document,
        "{said:?}"
    );
}

/// On the smallest whole screen the last game is seen; a long name, or one in braces, leaves the keys whole.
#[test]
fn a_small_pane_shows_the_last_game_and_the_keys() {
    let mut bench = alone(race());
    bench.keys("g h");
    let small = |bench: &mut TestApp| bench.screen(80, 24);
    assert!(small(&mut bench).contains("lets the program decide"));
    play_on(&mut bench);
    let screen = small(&mut bench);
    assert_has!(screen, " game 1    ");
    assert!(bench.screen(80, 40).contains("lets the program decide"));
    let mut bench = alone(race());
    bench.keys("g h S D");
    assert_eq!(bench.app.hand().unwrap().prompt, Some(HandPrompt::Answer));
    let name = "{take} and the rest of a name that has no end in sight at all";
    let record = Arc::make_mut(&mut bench.app.document.record);
    record.players = [name, name].map(Into::into);
    let screen = small(&mut bench);
    let asked = "{take} and the rest of … doubles before rolling: A takes, X passes";
    assert_has!(screen, asked);
}
