//! GNU Backgammon's second opinion: keys through the application.

use crate::tui::message::Message;
use crate::tui::testing::{TestApp, text};
use crate::tui::theme::Depth;

#[test]
fn gnubg_is_asked_and_its_figures_stand_beside_ours() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("n g o");
    let question = bench.asked_gnubg.take().unwrap();
    assert_eq!(question.address, "127.0.0.1:1984");
    let made = bench.app.document.turns[bench.app.at].action;
    let is_made =
        |play| matches!(made, Some(crate::match_file::Action::Move { play: p, .. }) if p == play);
    assert!(question.plays.iter().any(|&play| is_made(play)));
    // The later, the better: the last one is its best.
    let worth = |i: usize| ([0.5, 0.1, 0.0, 0.1, 0.0], 0.4 + 0.01 * i as f64);
    let figures = Ok((0..question.plays.len()).map(worth).collect());
    bench.tell(Message::SecondOpinion {
        question: Box::new(question),
        figures,
    });
    let status = bench.app.status.as_ref().unwrap().text.clone();
    assert!(
        status.starts_with("gnubg: ") && status.contains("I shows"),
        "{status}"
    );
    bench.keys("I");
    let screen = text(&bench.draw(120, 40));
    assert!(screen.contains("GNU Backgammon"), "{screen}");
    bench.keys("esc g o");
    assert!(bench.app.second.is_empty() && bench.asked_gnubg.is_none());
    // What went wrong is said.
    bench.keys("g o");
    let question = Box::new(bench.asked_gnubg.take().unwrap());
    let figures = Err("gnubg does not answer".to_owned());
    bench.tell(Message::SecondOpinion { question, figures });
    assert!(bench.app.status.as_ref().unwrap().is_warning);
    assert!(bench.app.second.is_empty());
}

#[test]
fn without_an_address_nobody_is_asked() {
    let mut bench = TestApp::new(Depth::True);
    bench.app.settings.gnubg.clear();
    bench.keys("n g o");
    assert!(bench.asked_gnubg.is_none());
    let said = &bench.app.status.as_ref().unwrap().text;
    assert!(said.contains("no address"), "{said}");
}

/// What is hidden is told neither by the program nor by another one.
#[test]
fn hidden_answers_stay_hidden() {
    let mut bench = TestApp::new(Depth::True);
    bench.keys("n g o : h i d e enter");
    let question = bench.asked_gnubg.take().unwrap();
    let figures = question
        .plays
        .iter()
        .map(|_| ([0.5, 0.1, 0.0, 0.1, 0.0], 0.4));
    let figures = Ok(figures.collect());
    let question = Box::new(question);
    bench.tell(Message::SecondOpinion { question, figures });
    let said = |bench: &TestApp| bench.app.status.as_ref().unwrap().text.clone();
    assert!(said(&bench).contains("is hidden"), "{}", said(&bench));
    for (keys, words) in [
        ("g o", "the answers are hidden"),
        ("v", "choose a play with j"),
        ("g h", "choose a play with j"),
    ] {
        bench.keys(keys);
        assert!(said(&bench).contains(words), "{keys}: {}", said(&bench));
    }
    assert!(bench.asked_gnubg.is_none() && bench.app.variation.is_none());
}
