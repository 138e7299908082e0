//! The figures in view as sentences.

use crate::tui::explain::figures;
use crate::tui::testing::{TestApp, text};
use crate::tui::theme::Depth;

#[test]
fn figures_are_explained_where_the_cursor_is() {
    let mut bench = TestApp::new(Depth::None);
    bench.keys("n j");
    let first = figures(&bench.app);
    assert!(first[0].words.starts_with("the best play"), "{first:?}");
    assert!(first.iter().any(|one| one.figure.starts_with("pips ")));
    bench.keys("j");
    let second = figures(&bench.app);
    assert_ne!(first[0], second[0]);
    assert!(
        second
            .iter()
            .any(|one| one.words.contains("so much less than the best"))
    );
    for (w, h) in [(80, 24), (120, 40)] {
        bench.keys("? tab");
        let screen = text(&bench.draw(w, h));
        assert!(screen.contains("the figures in view"), "{screen}");
        assert!(screen.contains(&second[0].figure), "{screen}");
        assert!(
            screen.contains("what the play is worth on average"),
            "{screen}"
        );
        bench.keys("tab");
        assert!(text(&bench.draw(w, h)).contains("legend"));
        bench.keys("esc");
    }
}

#[test]
fn nothing_is_told_of_hidden_answers() {
    let mut bench = TestApp::new(Depth::None);
    bench.keys("n j z");
    let told = figures(&bench.app);
    assert!(
        told.iter().all(|one| !one.words.contains("best")),
        "{told:?}"
    );
    assert_eq!(told.len(), 2);
}
