//! The tutor of a match against the program: what it says of a decision before that counts.

use std::sync::Arc;

use super::played_match::{begun, opened, playing, roll_until};
use crate::review::review;
use crate::study::question;
use crate::tui::documents::played_match::MatchPrompt;
use crate::tui::documents::standing::Standing;
use crate::tui::message::Message;
use crate::tui::testing::{Race, TestApp};

#[test]
fn the_tutor_speaks_before_an_error_and_not_again() {
    let (_folder, path) = begun(7, 5);
    let mut bench = playing(&path);
    bench.keys("S");
    assert!(bench.said().contains("the tutor warns"), "{}", bench.said());
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    let look = bench.app.review().unwrap().clone();
    let worst = look.candidates.last().unwrap();
    assert!(look.candidates[0].equity - worst.equity > 0.1);
    bench.app.selection.play = Some(worst.result);
    let line = |bench: &TestApp| bench.app.variation.as_ref().unwrap().line.len();
    let before = line(&bench);
    bench.keys("v");
    assert!(bench.said().contains("costs"), "{}", bench.said());
    assert_eq!(line(&bench), before);
    // Another key takes the question back.
    bench.keys("i v");
    assert_eq!(line(&bench), before);
    bench.keys("v");
    assert!(line(&bench) > before);
    assert_has!(bench.screen(120, 40), " cost ");
    // A best play needs no word.
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    bench.app.selection.play = Some(bench.app.review().unwrap().candidates[0].result);
    let before = line(&bench);
    bench.keys("v");
    assert!(line(&bench) > before, "{}", bench.said());
}

/// A play that fell out of the analysis is looked at as deeply as the best before the tutor warns of it.
#[test]
fn the_tutor_compares_plays_of_one_depth() {
    let (_folder, path) = begun(7, 5);
    let mut bench = opened(&path);
    bench.app.settings.ply = 1;
    bench.keys("g p S");
    roll_until(&mut bench, |prompt| matches!(prompt, MatchPrompt::Play(_)));
    // As if the play had fallen out after the static evaluation.
    let place = (bench.app.at, 1);
    let mut look = (*bench.app.document.looks[&place]).clone();
    let best = look.candidates[0].equity;
    if let Some(last) = look.candidates.last_mut() {
        (last.ply, last.equity) = (0, best);
    }
    let dropped = *look.candidates.last().unwrap();
    bench.app.document.looks.insert(place, Arc::new(look));
    bench.app.selection.play = Some(dropped.result);
    bench.keys("v");
    let weighed = bench.app.played().unwrap().weighed.unwrap();
    let state = bench.app.turn().unwrap().before.state;
    let turn = question::turn(state, Some(dropped.play));
    let right = review(&Race, &turn, 1, &|| false).unwrap();
    assert_eq!(weighed.cost, right.error);
    let told = format!("costs {:.3}", right.error.unwrap());
    assert!(
        bench.said().contains(&format!("{told} points")),
        "{}: {told}",
        bench.said()
    );
    // A wider look that comes after another key is no answer to the question.
    bench.keys("k");
    let before = bench.app.variation.as_ref().unwrap().line.len();
    bench.tell(Message::Reviewed {
        generation: weighed.generation,
        turn: 0,
        ply: 2,
        standing: Standing::Look,
        review: Arc::new(right),
    });
    assert_eq!(bench.app.variation.as_ref().unwrap().line.len(), before);
    bench.app.selection.play = Some(dropped.result);
    bench.keys("v v");
    let last = bench.app.played().unwrap().last.as_ref();
    assert!(last.is_some_and(|last| last.cost.is_some()));
}
