//! The list of errors, its filters, and what they count.

use super::*;
use crate::cube::CubeDecision;
use crate::review::ClassFilter;
use crate::tui::screen::targets::Target;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

/// A point weighs more or less by the score and the cube, and so the errors have another order.
#[test]
fn errors_are_listed_by_what_they_cost_of_the_match() {
    let mut bench = TestApp::new(Depth::True);
    let of_points = rows(&bench.app);
    bench.keys("E j u");
    let of_chances = rows(&bench.app);
    assert_ne!(of_chances, of_points);
    let costs: Vec<f64> = of_chances.iter().map(|row| cost(&bench.app, row)).collect();
    assert!(costs.is_sorted_by(|a, b| a >= b), "{costs:?}");
    let selected = of_chances.iter().position(|row| *row == of_points[1]);
    let Some(Overlay::List { row, .. }) = bench.app.overlay else {
        panic!("the list is open");
    };
    assert_eq!(selected, Some(row), "the selected one stays");
    let screen = bench.screen(80, 24);
    let cost = format!("{:.2}% ??", costs[0]);
    assert_has!(screen, &cost, "MWC   ply");
    bench.keys("u");
    assert_eq!(rows(&bench.app), of_points);
}

#[test]
fn errors_are_listed_by_cost_and_lead_to_their_place() {
    let mut bench = TestApp::new(Depth::True);
    let all = rows(&bench.app);
    assert!(all.len() > 2);
    assert!(all.is_sorted_by(|a, b| a.error >= b.error));
    bench.keys("E");
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        insta::assert_snapshot!(
            format!("errors_{width}x{height}"),
            bench.screen(width, height)
        );
    }
    // On a narrow screen too it stands there what is right.
    let narrow = bench.screen(60, 20);
    assert_has!(narrow, "no double");
    // What is best stands below its head.
    let column = |words| {
        let before = |line: &str| Some(line.split_once(words)?.0.chars().count());
        narrow.lines().find_map(before)
    };
    assert_eq!(column(" best"), column(" no double"), "{narrow}");
    bench.keys("down enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!(bench.app.at, all[1].decision.turn);
    // Only one player's, only the cube, only blunders: what the key stops at and what the list of
    // moves counts goes along.
    let agree = |bench: &TestApp| {
        let listed = rows(&bench.app);
        let mut turns: Vec<usize> = listed.iter().map(|r| r.decision.turn).collect();
        turns.sort_unstable();
        turns.dedup();
        assert_eq!(bench.app.errors().collect::<Vec<_>>(), turns);
        let counted: usize = [Player::Left, Player::Right]
            .into_iter()
            .filter(|&p| bench.app.options.whose.is_none_or(|w| w == p))
            .map(|p| count(&bench.app, p))
            .sum();
        assert_eq!(counted, listed.len());
        listed.len()
    };
    assert_eq!(agree(&bench), all.len());
    bench.keys("E t");
    let larger = agree(&bench);
    bench.keys("c");
    assert_has!(bench.said(), "checker play only");
    let plays = agree(&bench);
    // Plays and all about the cube are all that there is, and of the cube each error is of one class.
    bench.keys("c");
    assert_has!(bench.said(), "cube decisions only");
    let cube = agree(&bench);
    assert_eq!(plays + cube, larger);
    bench.keys("c");
    let doubles = agree(&bench);
    bench.keys("c");
    assert_eq!(bench.app.options.class, Some(ClassFilter::Take));
    assert_eq!(doubles + agree(&bench), cube);
    bench.keys("c t t esc");
    assert!(bench.app.overlay.is_none());
    assert!(plays < agree(&bench));
    bench.keys("w");
    let whose = bench.app.options.whose.unwrap();
    let turns = &bench.app.document.turns;
    let own = rows(&bench.app);
    assert!(
        own.iter()
            .all(|r| turns[r.decision.turn].before.player == whose)
    );
    assert!(!own.is_empty() && own.len() < all.len());
}

/// Where a take gave something away because a beaver was right, that is what is named.
#[test]
fn a_beaver_is_named_as_the_right_answer() {
    let mut bench = TestApp::new(Depth::True);
    let is_take = |turn: &MatchTurn| matches!(turn.action, Some(Action::Take));
    let turn = bench.app.document.turns.iter().position(is_take);
    let turn = turn.expect("a double is taken");
    let known = bench.app.document.reviews[turn].as_ref().expect("analysed");
    let mut review = TurnReview::clone(known);
    review.error = Some(0.3);
    let cube = review.cube.as_mut().expect("of the cube");
    cube.error = Some(0.3);
    cube.decision = CubeDecision::in_points(0.1, -0.3, true);
    bench.app.document.reviews[turn] = Some(review.into());
    bench.app.options.class = Some(ClassFilter::Take);
    let screen = bench.screen_after("E", 120, 40);
    let row = screen
        .lines()
        .find(|line| line.contains("take  ") && line.contains("0.300"));
    assert!(row.is_some_and(|row| row.contains("  beaver ")), "{screen}");
}

/// The size that is wanted means the same points everywhere.
#[test]
fn each_size_begins_at_one_threshold() {
    let mut bench = TestApp::new(Depth::True);
    let lines = bench.app.thresholds();
    for (mark, points) in [
        (Mark::Fine, 0.0),
        (Mark::Doubtful, lines.doubtful),
        (Mark::Error, lines.error),
        (Mark::Blunder, lines.blunder),
    ] {
        bench.app.options.threshold = mark;
        assert_eq!(wanted(&bench.app).from, points);
        assert!(filter(&bench.app).contains(&format!("from {points:.3} points")));
        assert!(all(&bench.app).all(|row| crate::review::marks::reaches(row.error, points)));
    }
}

/// It opens at the error that it led to, or at the one in view.
#[test]
fn the_window_knows_where_it_led_to() {
    use crate::tui::windows::overlay::Overlay;
    let mut bench = TestApp::new(Depth::True);
    let row = |bench: &TestApp| match bench.app.overlay {
        Some(Overlay::List { row, .. }) => row,
        _ => panic!("the window is open"),
    };
    bench.keys("E");
    assert_eq!(row(&bench), 0);
    bench.keys("j j enter E");
    assert_eq!(row(&bench), 2);
    bench.keys("enter n E");
    assert_eq!(rows(&bench.app)[row(&bench)].decision.turn, bench.app.at);
    // A turn without an error leads back to the one that was gone to.
    bench.keys("esc");
    let quiet = (0..bench.app.document.turns.len()).find(|turn| {
        rows(&bench.app)
            .iter()
            .all(|row| row.decision.turn != *turn)
    });
    bench.app.at = quiet.expect("a turn without an error");
    bench.keys("E");
    assert_eq!(row(&bench), 2);
}

/// On a wide screen the list stands beside the board, which shows the selected error with its plays, and after Esc what
/// it showed before; below 100 columns the list stands over the board, which stays where it is.
#[test]
fn the_board_beside_the_list_shows_the_selected_error() {
    let mut bench = TestApp::typed(Depth::True, "l l");
    let here = bench.app.at;
    for (w, h) in [(100, 30), (120, 40), (200, 60)] {
        bench.screen(w, h);
        bench.keys("E down down");
        let row = rows(&bench.app)[2];
        assert_eq!(bench.app.at, row.decision.turn);
        let screen = bench.screen(w, h);
        assert_has!(screen, "── errors ─", "─ candidates ─", "?? ━");
        assert_lacks!(screen, "─ moves ─");
        bench.keys("esc");
        assert_eq!(bench.app.at, here);
        bench.keys("E down enter");
        let row = rows(&bench.app)[1];
        assert_eq!(bench.app.at, row.decision.turn);
        bench.app.document.gone_to = None;
        bench.app.at = here;
    }
    bench.screen(99, 40);
    bench.keys("E down down");
    assert_eq!(bench.app.at, here);
    assert_has!(bench.screen(99, 40), "╭─ errors ─");
}

/// In few columns the filter is told in few words.
#[test]
fn the_title_tells_the_filter() {
    let mut bench = TestApp::typed(Depth::True, "E w c");
    bench.app.status = None;
    let [small, wide] = [(80, 24), (160, 45)].map(|(w, h)| bench.screen(w, h));
    let name = &bench.app.document.record.players[0];
    assert_has!(small, &format!("checker play, {name} ─"));
    assert_has!(wide, "checker play only, by");
}

#[test]
fn the_window_is_walked_along_the_match_and_clicked() {
    use ratatui::crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut bench = TestApp::new(Depth::True);
    let mut by_turn = rows(&bench.app);
    by_turn.sort_by_key(|r| (r.decision.turn, !r.decision.is_silent));
    bench.keys("E l");
    let selected = |bench: &TestApp| match bench.app.overlay {
        Some(crate::tui::windows::overlay::Overlay::List { row, .. }) => rows(&bench.app)[row],
        _ => panic!("the window is closed"),
    };
    let first = selected(&bench);
    bench.keys("l");
    let place = |row: &ErrorRow| by_turn.iter().position(|r| r == row).unwrap();
    assert_eq!(place(&selected(&bench)), place(&first) + 1);
    bench.keys("h");
    assert_eq!(selected(&bench), first);
    let click = |column, row| {
        crate::tui::message::Message::Input(Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }))
    };
    // The right end of the graph is the end of the match.
    bench.draw(120, 40);
    let area_of = |bench: &TestApp, wanted: fn(&Target) -> bool| {
        let mut targets = bench.app.areas.targets.iter();
        targets.find(|(_, target)| wanted(target)).unwrap().0
    };
    let graph = area_of(&bench, |target| matches!(target, Target::Course { .. }));
    assert!(graph.width > 40 && graph.height > 2);
    bench.tell(click(graph.right() - 1, graph.y + 1));
    assert!(bench.app.overlay.is_none());
    let last = bench.app.document.turns.len() - 1;
    assert!(last - bench.app.at < 4, "{}", bench.app.at);
    // A line of the list is its place.
    bench.keys("E home");
    bench.draw(120, 40);
    let row = area_of(&bench, |target| *target == Target::Row(2));
    bench.tell(click(row.x + 3, row.y));
    assert_eq!(bench.app.at, rows(&bench.app)[2].decision.turn);
    assert!(bench.app.overlay.is_none());
}

/// A double that was not given is looked at, and rolled out, before the roll.
#[test]
fn the_cube_is_looked_at_before_the_roll() {
    let mut bench = TestApp::new(Depth::True);
    let silent = |r: &Option<std::sync::Arc<TurnReview>>| {
        let review = r.as_ref().unwrap();
        review.cube.is_some() && !review.candidates.is_empty()
    };
    let turn = bench.app.document.reviews.iter().position(silent);
    let turn = turn.expect("a double was possible");
    bench.keys(&format!("{}b", "l ".repeat(turn)));
    assert_eq!(bench.app.at, turn);
    assert!(
        bench
            .app
            .before
            .is_some_and(|t| t.before.state.roll.is_none())
    );
    assert_has!(
        bench.screen(160, 45),
        "rolls without a double",
        "double/take"
    );
    bench.keys("r");
    let job = bench.app.jobs.current().unwrap();
    assert!(job.decision.state().roll.is_none() && job.plays.len() == 2);
    // Back to the roll, and there again; the next turn shows its roll.
    bench.keys("b");
    assert!(bench.app.before.is_none() && bench.app.at == turn);
    bench.keys("b");
    assert!(bench.app.before.is_some());
    bench.keys("esc b l");
    assert!(bench.app.before.is_none() && bench.app.at == turn + 1);
}

#[test]
fn figures_and_course_cover_the_match() {
    let bench = TestApp::new(Depth::True);
    let decided: u32 = [Player::Left, Player::Right]
        .iter()
        .map(|&p| figures(&bench.app, p).decisions)
        .sum();
    let analysed = |r: &std::sync::Arc<TurnReview>| r.decision_costs().count() as u32;
    let all: u32 = bench
        .app
        .document
        .reviews
        .iter()
        .flatten()
        .map(analysed)
        .sum();
    assert_eq!(decided, all);
    let values = values_by_turn(&bench.app);
    assert!(values.len() > 10);
    let money = bench.app.document.record.length == 0;
    assert!(money || values.iter().all(|(_, v)| (-0.01..=1.01).contains(v)));
}
