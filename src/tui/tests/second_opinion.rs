//! GNU Backgammon's second opinion: keys through the application.

use crate::game::{GameState, Play, Position, Side};
use crate::match_file::Chances;
use crate::tui::message::Message;
use crate::tui::rollouts::second_opinion::SecondFigures;
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

fn figures(chances: [f64; 5], worth: f64) -> Option<SecondFigures> {
    let chances = Chances::new(chances)?;
    Some(SecondFigures { chances, worth })
}

#[test]
fn gnubg_is_asked_and_its_figures_stand_beside_ours() {
    let mut bench = TestApp::typed(Depth::True, "n I g");
    let question = bench.asked_gnubg.take().unwrap();
    assert_eq!(question.address, "127.0.0.1:1984");
    let made = bench.app.document.turns[bench.app.at].action;
    let is_made =
        |play| matches!(made, Some(crate::match_file::Action::Move { play: p, .. }) if p == play);
    assert!(question.plays.iter().any(|&play| is_made(play)));
    // The later, the better: the last one is its best.
    let worth = |i: usize| figures([0.5, 0.1, 0.0, 0.1, 0.0], 0.4 + 0.01 * i as f64);
    let figures = (0..question.plays.len()).map(worth).collect();
    bench.tell(Message::SecondOpinion {
        question: Box::new(question),
        figures: Ok(figures),
    });
    let status = bench.said().to_owned();
    assert!(
        status.starts_with("gnubg: ") && status.contains("I shows"),
        "{status}"
    );
    assert_has!(bench.screen_after("I I", 120, 40), "GNU Backgammon");
    bench.keys("esc I g");
    assert!(bench.app.second.is_empty() && bench.asked_gnubg.is_none());
    // What went wrong is said.
    bench.keys("I g");
    let question = Box::new(bench.asked_gnubg.take().unwrap());
    let figures = Err("gnubg does not answer".to_owned());
    bench.tell(Message::SecondOpinion { question, figures });
    assert!(bench.app.status.as_ref().unwrap().is_warning);
    assert!(bench.app.second.is_empty());
}

/// What a play wins that ends the game follows from the rules; gnubg tells the others.
#[test]
fn a_play_that_ends_the_game_is_worth_what_it_wins() {
    let side = |places: &[(usize, u8)]| {
        let mut counts = [0; 26];
        places.iter().for_each(|&(at, n)| counts[at] = n);
        Side::new(&counts).unwrap()
    };
    let position = Position::new(side(&[(6, 1), (1, 1)]), side(&[(6, 15)])).unwrap();
    let money = GameState {
        roll: Some("61".parse().unwrap()),
        ..GameState::money(position)
    };
    let mut jacoby = money;
    jacoby.rules.jacoby = true;
    let mut of_match = money;
    of_match.score.length = 7;
    // The other side has borne off none: a gammon, which does not count with the cube in the middle under Jacoby.
    for (state, [low, high]) in [
        (money, [2.0; 2]),
        (jacoby, [1.0; 2]),
        (of_match, [1.5, 2.5]),
    ] {
        let document = Document::of_position(state, "x".into(), 1);
        let mut bench = TestApp::with(Depth::True, document);
        bench.keys("I g");
        let question = bench.asked_gnubg.take().unwrap();
        let ends = |play: &Play| play.apply(&position).points().is_some();
        let of_play = |play: &Play| match ends(play) {
            true => None,
            false => figures([0.9, 0.0, 0.0, 0.0, 0.0], 0.55),
        };
        let figures: Vec<_> = question.plays.iter().map(of_play).collect();
        assert!(figures.contains(&None) && figures.iter().any(Option::is_some));
        bench.tell(Message::SecondOpinion {
            question: Box::new(question),
            figures: Ok(figures),
        });
        let analysis = bench.app.second.values().next().unwrap();
        let best = &analysis.plays[0];
        assert!(ends(&best.play) && analysis.plays.iter().any(|one| !ends(&one.play)));
        assert!(
            (low - 1e-6..=high + 1e-6).contains(&best.equity),
            "{best:?}"
        );
        assert_eq!(best.chances.unwrap().win_gammon, 1.0);
    }
}

#[test]
fn without_an_address_nobody_is_asked() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.settings.gnubg.clear();
    bench.keys("n I g");
    assert!(bench.asked_gnubg.is_none());
    assert_has!(bench.said(), "no address");
}

/// What is hidden is told neither by the program nor by another one.
#[test]
fn hidden_answers_stay_hidden() {
    let mut bench = TestApp::typed(Depth::True, "n I g : h i d e enter");
    let question = bench.asked_gnubg.take().unwrap();
    let of_play = |_| figures([0.5, 0.1, 0.0, 0.1, 0.0], 0.4);
    let figures = Ok(question.plays.iter().map(of_play).collect());
    let question = Box::new(question);
    bench.tell(Message::SecondOpinion { question, figures });
    let said = |bench: &TestApp| bench.said().to_owned();
    assert!(said(&bench).contains("is hidden"), "{}", said(&bench));
    for (keys, words) in [
        ("I g", "the answers are hidden"),
        ("v", "choose a play with j"),
        ("g h", "choose a play with j"),
    ] {
        bench.keys(keys);
        assert!(said(&bench).contains(words), "{keys}: {}", said(&bench));
    }
    assert!(bench.asked_gnubg.is_none() && bench.app.variation.is_none());
}
