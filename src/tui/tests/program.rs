//! The program in a variation, while something else has the board.

use crate::tui::documents::standing::Standing;
use crate::tui::message::Message;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;

/// In a variation where the program waits for an analysis of its turn.
fn waiting() -> TestApp {
    let mut bench = TestApp::new(Depth::True);
    let (cards, micros) = (Vec::new(), 20_600 * 86_400_000_000);
    bench.tell(Message::Study { cards, micros });
    bench.keys("n j v s");
    // Nothing here is analysed so deep.
    bench.app.settings.ply = 2;
    bench.keys(".");
    let open = bench.app.variation.as_ref();
    assert_eq!(open.and_then(|open| open.program), Some(1));
    bench
}

/// The analysis comes.
fn analyse(bench: &mut TestApp) {
    let review = bench.app.document.looks[&(1, 0)].clone();
    bench.tell(Message::Reviewed {
        generation: bench.app.document.generation,
        turn: 1,
        ply: 2,
        standing: Standing::Look,
        review,
    });
}

fn played(bench: &TestApp) -> bool {
    bench.app.document.turns[1].action.is_some()
}

/// The program makes no move from a question of the quiz or a draft, and makes its own when that is over.
#[test]
fn the_program_waits_for_the_quiz_and_the_editor() {
    let is_covered = |bench: &TestApp| bench.app.quiz.is_some() || bench.app.editor.is_some();
    for begin in ["z z", "e"] {
        let mut bench = waiting();
        bench.keys(begin);
        assert!(is_covered(&bench), "{begin}");
        analyse(&mut bench);
        assert!(is_covered(&bench) && !played(&bench), "{begin}");
        bench.keys("esc esc");
        assert!(!is_covered(&bench) && played(&bench), "{begin}");
    }
}

/// Who has made a play goes on with that side: the program has the other one, and answers at once.
#[test]
fn the_program_plays_against_the_side_that_decided_last() {
    let mut bench = TestApp::typed(Depth::True, "n j v");
    let made = bench.app.document.turns[0].before.player;
    bench.keys("S");
    let open = bench.app.variation.as_ref().unwrap();
    assert_eq!(open.opponent, Some(made.other()));
    assert!(open.line.len() > 1, "it answers");
    let on_roll = bench.app.turn().unwrap().before.player;
    assert_eq!(on_roll, made);
    // Where nobody has decided yet the player on roll is the user.
    let mut bench = TestApp::typed(Depth::True, "n s");
    let on_roll = bench.app.turn().unwrap().before.player;
    bench.keys("S");
    let open = bench.app.variation.as_ref().unwrap();
    assert_eq!((open.opponent, open.line.len()), (Some(on_roll.other()), 0));
}
