//! The windows that say why, and what is right at other scores: keys through the application.

use crate::analysis::{BestChoice, CellAnswer, CubeFacts};
use crate::game::{CubeOwner, GameState, MatchScore, PlayList, Position, Roll};
use crate::match_file::Action;
use crate::tui::rollouts::inquiry::{Finding, Inquiries, Inquiry, MatrixPlace};
use crate::tui::state::Document;
use crate::tui::testing::TestApp;
use crate::tui::theme::Depth;
use crate::tui::windows::overlay::Overlay;

pub(super) fn shown(bench: &mut TestApp) -> String {
    bench.screen(80, 24)
}

#[test]
fn why_compares_the_selected_play_with_the_best_or_the_two_marked() {
    let mut bench = TestApp::typed(Depth::True, "n j j Y");
    let rows = crate::tui::figures::candidate_rows::rows(&bench.app);
    let plays = [0, 1].map(|i| rows[i].candidate.play);
    let Some(Overlay::Why { inquiry, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    assert!(matches!(inquiry, Inquiry::Why { plays: found, .. } if found == plays));
    let screen = shown(&mut bench);
    assert_has!(screen, "wins", "gammons", "36 rolls", "A−B", "cube");
    assert_has!(screen, "luck of");
    assert_eq!(bench.given_up, 0);
    bench.keys("esc j j space j space Y");
    assert_eq!(bench.given_up, 1, "without its window nobody waits");
    let rows = crate::tui::figures::candidate_rows::rows(&bench.app);
    let marked: Vec<_> = rows.iter().filter(|r| r.is_marked).collect();
    let Some(Overlay::Why {
        inquiry: Inquiry::Why { plays, .. },
        ..
    }) = bench.app.overlay
    else {
        panic!("no window");
    };
    assert_eq!(
        plays.to_vec(),
        marked.iter().map(|r| r.candidate.play).collect::<Vec<_>>()
    );
    // Three marked plays are none to compare.
    bench.keys("Y g g space Y");
    assert!(bench.app.overlay.is_none());
    assert_has!(bench.said(), "two");
}

/// No first roll of a game is a double: its luck is among the fifteen others.
#[test]
fn the_luck_of_a_first_roll_is_among_first_rolls() {
    let mut bench = TestApp::new(Depth::True);
    assert!(bench.app.turn().unwrap().is_opening_roll());
    bench.keys("j j Y");
    assert!(shown(&mut bench).contains(" of 15, "));
    bench.keys("esc n j j Y");
    assert!(shown(&mut bench).contains(" of 21, "));
}

/// Where both plays were rolled out the window has the equities of the list above those of its own look.
#[test]
fn a_rollout_stands_beside_the_depth_of_the_window() {
    let mut bench = TestApp::typed(Depth::True, "n j j c");
    bench.roll(1296, true);
    bench.keys("Y");
    let screen = shown(&mut bench);
    assert_has!(screen, "rollout     +0.100 +0.070 +0.030", "1-ply       ");
}

/// A cube decision of the matrix is rolled out as plays are.
#[test]
fn a_cube_decision_of_the_matrix_is_rolled_out() {
    let mut bench = TestApp::typed(Depth::True, "n b M j j l r");
    let id = bench.rolling.expect("a rollout runs");
    let job = bench.app.jobs.get(id).unwrap();
    assert!(job.is_cube_decision());
    bench.roll(720, true);
    let screen = shown(&mut bench);
    assert_has!(screen, "rolled out (0-ply, 720): ", "double/take");
}

/// What a rollout of a redouble has found counts in both windows, and so does that it is a redouble.
#[test]
fn the_windows_of_a_redouble_go_by_its_rollout() {
    let race = [(6, 5), (5, 5), (4, 5)];
    let state = GameState {
        cube: 2,
        owner: CubeOwner::Mover,
        ..GameState::money(Position::from_points(&race, &race).unwrap())
    };
    let mut bench = TestApp::with(Depth::True, Document::of_position(state, "race".into(), 1));
    let has = |bench: &mut TestApp, words: &[&str]| {
        let screen = bench.screen(120, 40);
        for words in words {
            assert_has!(screen, words);
        }
    };
    bench.keys("M");
    has(&mut bench, &["▸ND", "cube 2 own: no redouble"]);
    bench.keys("esc r");
    bench.roll(720, true);
    bench.keys("Y");
    let found = "rollout: not doubling costs 0.030; no redouble -0.100, redouble/take -0.070";
    assert_has!(bench.screen(160, 45), found);
    assert!(shown(&mut bench).contains(found), "in 80 columns too");
    bench.keys("esc M");
    let own = [
        "▸D/T .030",
        "best now: redouble/take",
        "D/T redouble/take",
        "R by rollout",
        "cube 2 own: redouble/take",
        " no redouble   ",
    ];
    has(&mut bench, &own);
    // A cube in the middle is doubled.
    bench.keys("tab");
    has(
        &mut bench,
        &["cube 1 centred: ", "ND no double", " no double   "],
    );
}

/// Where a beaver is the right answer, both windows say what it leaves of a double, the rollout too.
#[test]
fn a_beaver_has_its_row_in_both_windows() {
    let behind = Position::from_points(&[(6, 5), (5, 5), (4, 5)], &[(6, 5), (5, 5)]).unwrap();
    let mut state = GameState::money(behind);
    state.rules.beavers = true;
    let mut bench = TestApp::with(Depth::True, Document::of_position(state, "race".into(), 1));
    for (keys, words) in [
        ("Y", "double/beaver"),
        ("esc M", "double/beaver"),
        ("esc r", ""),
    ] {
        bench.keys(keys);
        for size in [(80, 24), (120, 40)] {
            assert_has!(bench.screen(size.0, size.1), words);
        }
    }
    bench.roll(720, true);
    bench.keys("Y");
    let screen = shown(&mut bench);
    let line = screen.lines().find(|line| line.contains("rollout: "));
    let line = line.unwrap_or_else(|| panic!("{screen}"));
    assert_has!(line, "double/beaver -");
    assert_has!(screen, "double/pass", "  wins ");
}

/// At its own score a double on offer is the decision in view, and its rollout is gone on with.
#[test]
fn a_double_on_offer_has_one_rollout_in_view_and_in_the_matrix() {
    let race = [(6, 5), (5, 5), (4, 5)];
    let state = GameState {
        doubled: true,
        score: MatchScore {
            length: 7,
            mover: 2,
            opponent: 3,
            crawford: false,
        },
        ..GameState::money(Position::from_points(&race, &race).unwrap())
    };
    let mut bench = TestApp::with(Depth::True, Document::of_position(state, "race".into(), 1));
    bench.keys("r");
    let id = bench.rolling.expect("a rollout runs");
    bench.roll(720, true);
    bench.keys("M");
    let screen = shown(&mut bench);
    assert_has!(screen, "rolled out (0-ply, 720): ");
    bench.keys("r");
    assert_eq!(bench.rolling, Some(id));
}

/// What deeper play would change of a rollout, in its window.
#[test]
fn a_rollouts_play_is_checked_one_ply_deeper() {
    let mut bench = TestApp::typed(Depth::True, "n R b");
    assert!(bench.app.overlay.is_none(), "nothing was rolled out yet");
    bench.keys("r");
    bench.roll(360, true);
    bench.keys("R b");
    let Some(Overlay::Bias { inquiry }) = bench.app.overlay else {
        panic!("no window");
    };
    let answer = bench.app.inquiries.about(&inquiry).unwrap();
    let found = answer.bias.clone().unwrap();
    assert!(answer.is_done && found.trials == 4 && found.decisions > 40);
    let screen = shown(&mut bench);
    let job = bench.app.jobs.about(bench.app.decision().unwrap());
    let name = job.map(|job| job.name(0)).next().unwrap();
    assert_has!(screen, "bias check", "deeper play", "4 games each", "less");
    assert_has!(screen, &name);
    // The keys over the window give its question up; it is asked again as the window comes back.
    bench.app.inquiries = Inquiries::default();
    bench.keys("? esc");
    let answer = bench.app.inquiries.about(&inquiry);
    assert!(answer.is_some_and(|answer| answer.bias.is_some()));
    bench.keys("esc");
    assert!(bench.app.overlay.is_none());
}

/// The opponent's next roll of the match is marked, with its luck after the play that was made.
#[test]
fn the_roll_that_came_is_marked() {
    let mut bench = TestApp::typed(Depth::True, "n Y");
    let at = bench.app.at;
    let roll = bench.app.document.turns[at + 1].before.state.roll.unwrap();
    let screen = shown(&mut bench);
    let sign = format!("▸{}: their luck", crate::notation::play::dice(roll));
    let line = screen.lines().find(|line| line.contains(&sign));
    let line = line.unwrap_or_else(|| panic!("{screen}"));
    assert_has!(line, " of 21 ");
    let marks = |line: &str| line.matches('▸').count();
    let map: usize = screen.lines().skip(4).take(8).map(marks).sum();
    assert!(map >= if roll.is_double() { 1 } else { 2 }, "{screen}");
    // After a play that was not made nobody rolled.
    bench.keys("esc");
    let played = bench.app.review().unwrap().played.unwrap();
    let rows = crate::tui::figures::candidate_rows::rows(&bench.app);
    let others = (1..rows.len()).filter(|&i| !rows[i].is_played).take(2);
    assert_ne!(played, 0);
    let others: Vec<usize> = others.collect();
    for other in others {
        bench.app.selection.play = Some(rows[other].candidate.result);
        bench.keys("space");
    }
    bench.keys("Y");
    assert!(!shown(&mut bench).contains(&sign));
}

/// A window that was closed too early shows what was found at once when it is opened again.
#[test]
fn what_was_found_is_kept_until_there_is_more() {
    let mut inquiries = Inquiries::default();
    let state = GameState::money(Position::opening());
    let inquiry = Inquiry::Cube { state };
    let facts = |ply| {
        let engine = crate::eval::Engine::embedded();
        let model = crate::cube::Model::standard();
        let facts = CubeFacts::new(&engine, model, &state, 0, &|| false).unwrap();
        Finding::Cube(std::sync::Arc::new(CubeFacts { ply, ..facts }))
    };
    let first = inquiries.ask(inquiry).unwrap();
    inquiries.found(first, facts(0));
    inquiries.found(first, facts(1));
    let second = inquiries.ask(inquiry).unwrap();
    let ply = |inquiries: &Inquiries| {
        inquiries
            .about(&inquiry)
            .unwrap()
            .cube
            .as_ref()
            .unwrap()
            .ply
    };
    assert_eq!(ply(&inquiries), 1);
    inquiries.found(first, facts(2));
    inquiries.found(second, facts(0));
    assert_eq!(
        ply(&inquiries),
        1,
        "nothing shallower, and nothing that is late"
    );
    inquiries.found(second, facts(2));
    inquiries.found(second, Finding::Done);
    assert_eq!(inquiries.ask(inquiry), None);
    assert_eq!(ply(&inquiries), 2);
}

#[test]
fn a_roll_is_selected_in_the_map_and_its_replies_are_seen() {
    let mut bench = TestApp::typed(Depth::True, "n Y j j j k");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Why { roll: 2, .. })
    ));
    assert!(shown(&mut bench).contains("2-2"));
    bench.keys("G l");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Why { roll: 20, .. })
    ));
    assert!(shown(&mut bench).contains("6-6"));
    bench.keys("g g q");
    assert!(bench.app.overlay.is_none());
}

#[test]
fn the_matrix_is_walked_and_every_cube_seen() {
    let mut bench = TestApp::typed(Depth::True, "n M");
    let place = |bench: &TestApp| match bench.app.overlay {
        Some(Overlay::Matrix { place, .. }) => place,
        _ => panic!("no window"),
    };
    // Five points each: the first row is 1-away.
    let first = place(&bench);
    assert_eq!(
        first,
        MatrixPlace {
            row: 5,
            column: 4,
            owner: CubeOwner::Centred
        }
    );
    let screen = shown(&mut bench);
    assert_has!(screen, "DMP", "gammon-go", "gammon-save", "cube centred");
    assert_has!(screen, "▸", "best at");
    bench.keys("k k k k k k");
    assert_eq!((place(&bench).row, place(&bench).column), (0, 3));
    assert!(shown(&mut bench).contains("1-away 2-away Crawford"));
    bench.keys("j l tab");
    assert_eq!(
        place(&bench),
        MatrixPlace {
            row: 1,
            column: 4,
            owner: CubeOwner::Mover
        }
    );
    assert!(shown(&mut bench).contains("own cube"));
    bench.keys("tab tab G q");
    assert!(bench.app.overlay.is_none());
}

/// A play that is nowhere the best, but loses nothing that is shown, is not told to be bad.
#[test]
fn a_play_that_loses_nothing_is_as_good_as_the_best() {
    let mut bench = TestApp::typed(Depth::None, "n M m");
    let Some(Overlay::Matrix { inquiry, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    let answer = bench.app.inquiries.about(&inquiry).unwrap();
    let answers = answer.matrix.clone().unwrap().answers;
    let (state, shown_best) = (*inquiry.state(), answers[0].as_ref().unwrap().best);
    let plays = PlayList::of(&state.position, state.roll.unwrap());
    let mut other = plays
        .results()
        .iter()
        .map(|result| BestChoice::Play(*result));
    let other = other.find(|play| Some(*play) != shown_best);
    for (cell, answer) in answers.into_iter().enumerate() {
        let equal = CellAnswer {
            best: other,
            cost: Some(2e-4),
            is_change: true,
            ..answer.unwrap()
        };
        bench.app.inquiries.found(2, Finding::Cell(cell, equal));
    }
    let screen = shown(&mut bench);
    // The cell of the match has the figure of the list.
    assert_has!(screen, "best or equal at 84 of 84", "best at 83 of 84");
}

/// Whether the matrix has the cost of what was made.
pub(super) fn shows_made(bench: &TestApp) -> bool {
    let made = bench.app.made_choice();
    matches!(
        bench.app.overlay,
        Some(Overlay::Matrix { inquiry: Inquiry::Matrix { reference, .. }, .. })
            if reference.is_some() && reference == made
    )
}

/// What the reader of an error wants to know is where else it is one.
#[test]
fn the_matrix_of_an_error_has_the_cost_of_what_was_made() {
    let mut bench = TestApp::typed(Depth::True, "n M");
    assert!(shows_made(&bench));
    let state = bench.app.turn().unwrap().before.state;
    let review = bench.app.document.reviews[bench.app.at].clone().unwrap();
    let made = review.candidates[review.played.unwrap()].play;
    let name = crate::tui::text::play(&made, &state.position);
    let screen = shown(&mut bench);
    assert_has!(screen, &*format!("A {name}, made: best"), "m best");
    let Some(Overlay::Matrix { inquiry, .. }) = bench.app.overlay else {
        panic!("no window");
    };
    let answer = bench.app.inquiries.about(&inquiry).unwrap();
    let costs = answer.matrix.as_ref().unwrap().answers.iter().flatten();
    assert!(
        costs
            .filter_map(|answer| answer.cost)
            .any(|cost| cost > 0.02)
    );
    // The key leads to the best, and back.
    bench.keys("m");
    assert!(!shows_made(&bench));
    let screen = shown(&mut bench);
    assert!(
        screen.contains("m made") && !screen.contains(", made:"),
        "{screen}"
    );
    bench.keys("m");
    assert!(shows_made(&bench));
}

/// Of a take the figures are those of the take, its codes are explained, and whose figures are shown is said.
#[test]
fn the_matrix_of_a_take_is_about_the_take() {
    let mut bench = TestApp::new(Depth::True);
    let mut turns = bench.app.document.turns.iter();
    let take = turns.position(|turn| matches!(turn.action, Some(Action::Take)));
    bench.app.at = take.expect("a double is taken");
    let doubler = bench.app.turn().unwrap().before.player.other();
    let name = bench.app.document.record.players[doubler.index()].clone();
    bench.keys("M");
    let screen = shown(&mut bench);
    let whose = format!("; for {name}, who doubles:");
    assert_has!(screen, "made: take. A figure is what taking costs there");
    assert_has!(screen, &whose);
    assert_lacks!(screen, "ND no double");
    let answers = [("T", "take"), ("P", "pass"), ("B", "beaver")];
    let explained = answers.map(|(code, name)| screen.contains(&format!("{code} {name}")));
    assert!(explained.contains(&true), "{screen}");
    bench.keys("esc Y");
    let screen = shown(&mut bench);
    let title = format!("cube decision, for {name}, who doubles");
    assert_has!(screen, &title);
}

#[test]
fn a_cube_decision_has_a_matrix_too() {
    let state = GameState::money(
        Position::from_points(&[(6, 5), (5, 5), (4, 5)], &[(6, 5), (5, 5), (4, 5)]).unwrap(),
    );
    let document = Document::of_position(state, "race".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("M");
    let screen = shown(&mut bench);
    assert_has!(screen, "best now: no double", "ND no double");
    bench.keys("tab tab");
    assert!(
        shown(&mut bench).contains("cube centred"),
        "nobody doubles with their cube"
    );
}

#[test]
fn what_was_found_is_shown_again_at_once() {
    let mut bench = TestApp::typed(Depth::True, "n M esc");
    let given_up = bench.given_up;
    bench.keys("M esc");
    assert_eq!(bench.given_up, given_up, "nothing was asked again");
}

#[test]
fn hidden_answers_stay_hidden() {
    let mut bench = TestApp::new(Depth::True);
    for keys in ["n : h i d e enter Y", "M"] {
        bench.keys(keys);
        assert!(bench.app.overlay.is_none());
        assert_has!(bench.said(), "hidden");
    }
}

#[test]
fn windows_in_words() {
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let mut bench = TestApp::typed(Depth::None, "n j j Y");
        insta::assert_snapshot!(format!("why_{w}x{h}"), bench.screen(w, h));
        bench.keys("esc M");
        insta::assert_snapshot!(format!("matrix_{w}x{h}"), bench.screen(w, h));
    }
    let mut state = GameState::money(Position::opening());
    state.roll = Roll::new(3, 1);
    let document = Document::of_position(state, "4HPwATDgc/ABMA".into(), 1);
    let mut bench = TestApp::with(Depth::None, document);
    bench.keys("M");
    insta::assert_snapshot!("matrix_opening", bench.screen(80, 24));
}

#[test]
fn without_dice_all_about_the_cube_is_shown() {
    let side = [(6, 3), (5, 3), (4, 3), (3, 3), (2, 3)];
    let state = GameState::money(Position::from_points(&side, &side).unwrap());
    let document = Document::of_position(state, "race".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("Y");
    assert!(matches!(
        bench.app.overlay,
        Some(Overlay::Why {
            inquiry: Inquiry::Cube { .. },
            ..
        })
    ));
    for (width, height) in [(80, 24), (120, 40), (200, 60)] {
        insta::assert_snapshot!(
            format!("cube_{width}x{height}"),
            bench.screen(width, height)
        );
    }
    let screen = shown(&mut bench);
    assert_has!(screen, "not doubling costs", "passed from", "take point");
    assert_has!(screen, "recube vig", "of 1,296");
    assert_has!(screen, "cubeless +0.120, doubled +0.240");
    assert_has!(screen, "EPC 69.1, opponent 69.1 (waste 9.1, 9.1)");
    assert_has!(screen, "1-1: a double is passed");
    // In fewer columns too, below the other facts.
    let narrow = bench.screen(70, 40);
    assert_has!(narrow, "cubeless +0.120, doubled +0.240");
    assert_has!(narrow, "EPC 69.1, opponent 69.1");
    // A window that hardly fits does no harm.
    for (width, height) in [(1, 1), (4, 3), (10, 40), (17, 9), (120, 2)] {
        bench.draw(width, height);
    }
    bench.keys("G");
    assert!(shown(&mut bench).contains("6-6: a double is passed"));
    bench.keys("q");
    assert!(bench.app.overlay.is_none());
}

#[test]
fn the_score_says_when_nobody_doubles() {
    let mut state = GameState::money(Position::opening());
    state.score = crate::game::MatchScore {
        length: 5,
        mover: 4,
        opponent: 2,
        crawford: true,
    };
    let document = Document::of_position(state, "Crawford".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    bench.keys("Y");
    let screen = shown(&mut bench);
    assert_has!(screen, "Crawford game: nobody doubles");
    assert_lacks!(screen, "take point");
    // Without a double there is one cubeless equity.
    let has_both = screen.contains("doubled");
    assert!(screen.contains("cubeless ") && !has_both, "{screen}");
}
