//! Positions without dice, the list's results, and ways between documents.

use ratatui::crossterm::event::Event;

use crate::cube::dahl::Settlement;
use crate::game::{CubeOwner, GameState, Player, Position, Roll};
use crate::match_file::{Action, GameResult};
use crate::tui::figures::candidate_rows::FigureSource;
use crate::tui::message::Message;
use crate::tui::state::{Document, Openable};
use crate::tui::testing::{TestApp, record};
use crate::tui::theme::Depth;

fn alone() -> TestApp {
    with_owner(CubeOwner::Centred)
}

fn with_owner(owner: CubeOwner) -> TestApp {
    let state = GameState {
        owner,
        ..GameState::money(Position::opening())
    };
    TestApp::with(
        Depth::True,
        Document::of_position(state, "opening".into(), 1),
    )
}

#[test]
fn a_position_without_dice_is_rolled_out_and_shown_for_the_player_on_roll() {
    // Without a cube decision: the other one holds the cube.
    let mut bench = with_owner(CubeOwner::Opponent);
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert_eq!(job.plays.len(), 1);
    assert!(job.is_cubeful() && !job.is_cube_decision());
    assert_eq!(job.plays[0].result, Position::opening());
    bench.roll(1296, true);
    // The made-up rollout says +0.1 for the player who is not on roll.
    let decision = bench.app.decision().unwrap();
    let candidate = bench.app.jobs.result_of(decision, &Position::opening());
    assert!((candidate.unwrap().equity.mean + 0.1).abs() < 1e-9);
    assert_has!(bench.screen(120, 40), "equity    -0.100  ±", "before roll");
}

#[test]
fn a_cube_decision_is_rolled_out_and_shown() {
    let mut bench = alone();
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert_eq!(job.plays.len(), 2);
    assert!(job.is_cube_decision());
    bench.roll(1296, true);
    let screen = bench.screen(120, 40);
    // Made up: +0.1 and +0.07 for the player who is not on roll.
    assert_has!(screen, "double/take", "no double   -0.100 ±");
    assert_has!(screen, "double/take -0.070 ±");
    // It ended without a word.
    let chances = "(a double is right: 99.7%, a take: >99.9%)";
    assert_has!(bench.screen(200, 60), "still open: double/take", chances);
    // The legend gives way before the title, and one spelling does for both panes.
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "─ convergence ─");
        assert_lacks!(screen, "double, ");
        let trials = screen
            .lines()
            .find(|line| line.contains(" trials") && line.contains("±95"));
        assert!(
            trials.is_none_or(|line| line.chars().count() < usize::from(w)),
            "{screen}"
        );
    }
    // The text for forums has the chances of the rollout, and how it was done.
    bench.keys("y t");
    let copied = bench.copied.clone().unwrap();
    assert_has!(copied, "X:Player   O:Opponent\n");
    assert_has!(
        copied,
        "Analyzed in Rollout\nNo double\n  Player Winning Chances:   48.00% (G:13.00% B:1.00%)\n"
    );
    assert_has!(
        copied,
        "Double/Take\n  Player Winning Chances:   48.00% (G:13.00% B:1.00%)\n"
    );
    assert_has!(
        copied,
        "Rollout:\n 1296 Games rolled with Variance Reduction.\n"
    );
    assert_has!(copied, " Moves: 1-ply, cube decisions: 1-ply\n");
    assert_has!(copied, " Confidence No Double: ±0.027 (-0.127..-0.073)\n");
    assert_has!(copied, " Confidence Double:    ±0.027 (-0.097..-0.043)\n");
    // In a cube decision without the cube there is but the position.
    bench.app.settings.rollout.cubeful = false;
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert_eq!((job.plays.len(), job.settings.cube), (1, None));
    // The same position with another cube is another decision.
    let other = with_owner(CubeOwner::Mover);
    assert_ne!(other.app.decision(), bench.app.decision());
}

/// With a settlement limit the position is rolled out without a cube, and the pane tells what a cube makes
/// of it in each state; comparisons know no limit.
#[test]
fn a_settlement_limit_is_rolled_out_and_shown() {
    let mut bench = alone();
    bench.app.settings.rollout.settlement = 0.55;
    bench.app.settings.rollout.horizon = 7;
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    let settings = &job.settings;
    assert_eq!(
        (job.plays.len(), settings.cube, settings.horizon),
        (1, None, None)
    );
    assert_eq!(settings.settlement, Some(Settlement::at(0.55)));
    bench.roll(1296, true);
    let screen = bench.screen(120, 40);
    assert_has!(screen, "cubeless", "cube, at 0.55");
    assert_has!(screen, "centred     own  theirs", "-0.120  +0.010  -0.190");
    // Without it the rollout is another one, of the cube decision.
    bench.app.settings.rollout.settlement = 0.0;
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert!(job.is_cube_decision() && job.settings.settlement.is_none());
    // At a score it does not count, and that is said.
    let mut bench = TestApp::new(Depth::True);
    assert!(!bench.app.turn().unwrap().before.state.score.is_money());
    bench.app.settings.rollout.settlement = 0.55;
    bench.keys("r");
    assert!(bench.said().contains("for money play"), "{}", bench.said());
}

#[test]
fn a_position_has_its_cube_action() {
    let mut bench = alone();
    let screen = bench.screen(80, 24);
    assert_has!(screen, "cube action", "no double", "double/take");
    assert_has!(screen, "double/pass");
    let mut state = GameState::money(Position::opening());
    state.score.length = 5;
    let document = Document::of_position(state, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    assert!(bench.screen(80, 24).contains("cube action"));
    state.score.mover = 4;
    let document = Document::of_position(state, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    let screen = bench.screen(80, 24);
    assert!(
        !screen.contains("cube action"),
        "who needs one has no use of the cube"
    );
}

/// The owner of the cube redoubles, in the pane, in a rollout, and in the windows.
#[test]
fn a_cube_of_ones_own_is_redoubled() {
    let mut bench = with_owner(CubeOwner::Mover);
    let names = ["no redouble", "redouble/take", "redouble/pass"];
    let has = |bench: &mut TestApp, names: &[&str]| {
        let screen = bench.screen(120, 40);
        for name in names {
            assert_has!(screen, name);
        }
    };
    has(&mut bench, &names);
    bench.keys("Y");
    has(&mut bench, &names);
    bench.keys("esc r");
    bench.roll(1296, true);
    has(&mut bench, &names);
    let job = bench.app.jobs.about(bench.app.decision().unwrap()).next();
    let job = job.unwrap();
    assert_eq!([job.name(0), job.name(1)], ["no redouble", "redouble/take"]);
}

#[test]
fn an_answer_to_a_double_is_shown_from_the_side_of_the_doubler() {
    let mut bench = TestApp::new(Depth::True);
    let turns = &bench.app.document.turns;
    let is = |action: &Option<Action>| matches!(action, Some(Action::Take));
    let take = turns.iter().position(|t| is(&t.action)).unwrap();
    let win = |i: usize| {
        let review = bench.app.document.reviews[i].as_ref().unwrap();
        review.chances.unwrap().win
    };
    assert!((win(take) + win(take - 1) - 1.0).abs() < 1e-6);
    bench.keys("n");
    while bench.app.at < take {
        bench.keys("l");
    }
    bench.keys("r");
    let before = bench.app.turn().unwrap().before.state.position;
    let job = bench.app.jobs.current().unwrap();
    assert_eq!(job.plays[0].result, before.flipped());
    bench.roll(1296, true);
    let decision = bench.app.decision().unwrap();
    let candidate = bench
        .app
        .jobs
        .result_of(decision, &before.flipped())
        .unwrap();
    // The rollout's figures are those of the player not on roll, who answers; shown are the doubler's.
    assert!((candidate.equity.mean + 0.1).abs() < 1e-9);
    // The doubler's are -0.1 without a double and -0.07 after the take, which costs nothing; the
    // double itself cost 0.03 less than none: nothing as well, the other way round.
    let state = bench.app.turn().unwrap().before.state;
    assert!(!state.may_double() && state.doubled);
    assert_eq!(bench.app.error(take), Some((0.0, FigureSource::Rollout)));
    let screen = bench.screen(80, 24);
    let doubler = bench.app.turn().unwrap().before.player.other();
    let whose = format!("for {}, who doubles", bench.app.name(doubler));
    assert_has!(screen, &*whose, "answer  take", "double/take -0.070");
    assert_has!(screen, "double/pass +1.000");
    // The chances as well: those of a rollout, as in the text below.
    assert_has!(screen, "wins  48.0");
    // The figures in words are those of the pane.
    let screen = bench.screen_after("? tab tab", 120, 40);
    assert_has!(screen, "-0.070", "after a double that is taken", "+1.000");
    assert_has!(screen, "after a double that is passed", "(rollout)");
    // The text for forums is the doubler's.
    bench.keys("esc y t");
    let copied = bench.copied.clone().unwrap();
    let line = "No double\n  Player Winning Chances:   48.00% (G:13.00% B:1.00%)\n";
    assert_has!(copied, line);
}

/// Who waits for the answer is on roll: X.
#[test]
fn a_double_alone_is_copied_as_the_doublers() {
    let id = "XGID=-a-a--E-C---dE--ac-e----B-:0:0:1:D:3:2:0:7:10";
    let state = crate::notation::parse_id(id).unwrap();
    assert!(state.doubled);
    let mut bench = TestApp::with(Depth::True, Document::of_position(state, "x".into(), 1));
    bench.keys("y t");
    let copied = bench.copied.clone().unwrap();
    assert_has!(copied, "X:Player   O:Opponent\n");
    assert_has!(copied, "Score is X:3 O:2 7 pt.(s) match.\n");
    assert_has!(copied, "\nX on roll, cube action\n");
}

/// A text for forums that is opened keeps its names, and is copied with them.
#[test]
fn the_names_of_a_text_for_forums_are_kept() {
    for dice in ["31", "D"] {
        let id = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:3:2:0:7:10");
        let text = format!("{id}\n\nX:Anna   O:Ben\nScore is X:3 O:2 7 pt.(s) match.\n");
        let record = crate::match_file::read_bytes(text.as_bytes(), "forum.txt").unwrap();
        let document = Document::of_lone(&record.positions[0], "forum.txt".into(), 1);
        let mut bench = TestApp::with(Depth::True, document);
        let screen = bench.screen(80, 24);
        assert_has!(screen, "Anna", "Ben");
        bench.keys("y t");
        let copied = bench.copied.clone().unwrap();
        assert_has!(copied, "X:Anna   O:Ben\n");
    }
}

#[test]
fn dice_are_set_and_taken_off() {
    let mut bench = alone();
    bench.keys("d 3 1 enter");
    assert_eq!(bench.app.decision().unwrap().state().roll, Roll::new(3, 1));
    assert!(!bench.app.review().unwrap().candidates.is_empty());
    bench.keys("d 7 1 enter");
    assert!(bench.app.status.as_ref().unwrap().is_warning);
    assert_eq!(bench.app.decision().unwrap().state().roll, Roll::new(3, 1));
    bench.keys("esc d enter");
    assert_eq!(bench.app.decision().unwrap().state().roll, None);
    let bench = TestApp::typed(Depth::True, "d 5 5 enter");
    assert!(
        bench.app.variation.is_some(),
        "those of a match stay as they fell"
    );
}

#[test]
fn the_way_back_from_what_was_opened() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.sources = vec![Openable::Sample];
    bench.tell(Message::Input(Event::Paste("4HPwATDgc/ABMA".into())));
    assert_eq!(bench.app.document.title, "4HPwATDgc/ABMA");
    bench.keys("[");
    assert!(bench.app.document.is_sample);
    bench.keys("]");
    assert_eq!(bench.app.document.title, "4HPwATDgc/ABMA");
}

#[test]
fn games_end_with_their_result_and_the_match_with_its_winner() {
    let mut record = record();
    record.games[0].result = Some(GameResult {
        winner: Player::Left,
        points: 2,
    });
    record.games[2].result = Some(GameResult {
        winner: Player::Left,
        points: 4,
    });
    let document = Document::of_match(record.clone(), "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    let screen = bench.screen_after("tab end", 120, 40);
    assert_has!(screen, "● Anna wins 4", "● Anna wins the match");
    // A narrow list has no room for all, but says who.
    let screen = bench.screen(100, 30);
    assert_eq!(screen.matches("● Anna wins").count(), 2, "{screen}");
    bench.keys("g g L h");
    assert!(bench.screen(120, 40).contains("● Anna wins 2"));
    record.players[0] = "You".into();
    let document = Document::of_match(record, "x".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    assert_has!(
        bench.screen_after("tab end", 120, 40),
        "● You win the match"
    );
}

#[test]
fn the_first_turn_names_the_keys_to_walk() {
    let mut bench = TestApp::new(Depth::True);
    assert!(bench.screen(80, 24).contains("←→ turns"));
}

#[test]
fn both_tables_of_a_rollout_have_one_order_and_whole_plays() {
    let mut bench = TestApp::typed(Depth::True, "n j j space k space j j space r");
    bench.roll(1296, true);
    let screen = bench.screen(200, 60);
    let letters = |head: &str| -> String {
        let lines: Vec<Vec<char>> = screen.lines().map(|l| l.chars().collect()).collect();
        let head: Vec<char> = head.chars().collect();
        let at = |l: &Vec<char>| l.windows(head.len()).rposition(|w| w == head);
        let (row, column) = (0..lines.len())
            .rev()
            .find_map(|i| at(&lines[i]).map(|c| (i, c)))
            .unwrap();
        let left = bench.app.areas.figures.x;
        assert!(column > usize::from(left));
        (1..=3).map(|i| lines[row + i][usize::from(left)]).collect()
    };
    assert_eq!(letters("without VR  ±95 "), letters("equity  ±95"));
}

#[test]
fn little_things_say_what_they_are() {
    let mut bench = TestApp::typed(Depth::True, "i");
    assert!(bench.screen(80, 24).contains("win   wg   lg\n"));
    assert!(bench.screen(200, 60).contains("win   wg   wb   lg   lb"));
    assert!(bench.screen(40, 12).contains("moves"), "what is hidden");
    bench.keys(": z z q q");
    assert!(bench.screen(80, 24).contains("no command"));
    bench.keys("esc R R j 1 0 0 enter");
    assert_eq!(bench.app.settings.rollout.trials, 108, "whole rounds");
}

/// The bottom line and the guidance name what can be done here, and nothing else.
#[test]
fn only_keys_that_do_something_are_named() {
    let mut bench = alone();
    let bar = |bench: &mut TestApp| {
        let screen = bench.screen(200, 60);
        screen.lines().last().unwrap().to_owned()
    };
    let without = |bench: &mut TestApp, words: &[&str]| {
        let bar = bar(bench);
        for word in words {
            assert_lacks!(bar, word);
        }
    };
    without(
        &mut bench,
        &["plays", "roll out match", "next error", "turns"],
    );
    bench.keys("j");
    assert_has!(bench.said(), "no dice");
    bench.keys("d 3 1 enter");
    without(&mut bench, &["roll out match", "next error", "turns"]);
    assert_lacks!(bench.screen(120, 40), "all that is unsure");
    assert!(bar(&mut bench).contains("↑↓ plays"));
    let mut bench = TestApp::new(Depth::True);
    while bench.app.turn().unwrap().before.state.roll.is_some() {
        bench.keys("l");
    }
    without(&mut bench, &["plays"]);
    bench.keys("tab");
    assert!(bar(&mut bench).contains("↑↓ moves"));
    bench.keys("n r");
    assert!(bar(&mut bench).contains("p pause"));
    bench.keys("p");
    assert!(bar(&mut bench).contains("p go on"));
    bench.keys("p x B enter");
    assert!(bar(&mut bench).contains("B stop match"));
    bench.keys("p");
    assert!(bar(&mut bench).contains("p go on"));
}

/// Whether to double first is asked of a roll that stands alone as well.
#[test]
fn the_cube_decision_before_a_roll_alone_is_shown() {
    let id = "XGID=--a-BBC-BA---D-aacbe-b--A-:1:1:1:54:2:4:0:7:10";
    let state = crate::notation::parse_id(id).unwrap();
    let document = Document::of_position(state, "alone".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.draw(120, 40);
    let screen = bench.screen_after("b", 120, 40);
    assert!(bench.app.before.is_some(), "{screen}");
    assert_has!(screen, "double/take");
    bench.keys("b");
    assert!(bench.app.before.is_none());
}

/// A first move.
fn with_31() -> TestApp {
    let state = GameState {
        roll: Roll::new(3, 1),
        ..GameState::money(Position::opening())
    };
    let document = Document::of_position(state, "opening".into(), 1);
    TestApp::with(Depth::True, document)
}

/// Of a first move the opening book is told: of the best play, of the selected one, and between two.
#[test]
fn the_opening_book_is_mentioned() {
    let mut bench = with_31();
    assert_has!(bench.screen(120, 40), "book: 8/5 6/5 +0.2");
    let screen = bench.screen_after("j j", 120, 40);
    assert!(
        screen.contains("book: this") || screen.contains("book: not"),
        "{screen}"
    );
    assert_has!(bench.screen_after("Y", 120, 40), "The opening book:");
}

/// Who hides the answers is not told them by the book.
#[test]
fn the_opening_book_is_hidden_with_the_answers() {
    let mut bench = with_31();
    bench.draw(120, 40);
    bench.app.options.hidden = true;
    assert_lacks!(bench.screen(120, 40), "book:");
}

/// The score is shown as it is typed: the player at the bottom first.
#[test]
fn the_score_of_the_editor_is_typed_as_it_is_shown() {
    for turn in ["", "f "] {
        let mut bench = TestApp::new(Depth::None);
        let id = "XGID=-b-B--DBB---bC---e-dbA-A--:0:0:1:52:2:1:0:7:10";
        bench.tell(Message::Input(Event::Paste(id.into())));
        bench.keys(&format!("{turn}e"));
        let row = |bench: &mut TestApp| {
            let screen = bench.screen(80, 24);
            let found = screen.split("of 7").next().unwrap().to_owned();
            let words: Vec<String> = found.split_whitespace().map(str::to_owned).collect();
            words[words.len() - 4..].to_vec()
        };
        let before = row(&mut bench);
        bench.keys(&format!("s {} - {} / 7 enter", before[1], before[3]));
        assert_eq!(row(&mut bench), before);
    }
}
