//! The list of plays in another order, and what the file itself says of a decision.

use std::sync::Arc;

use crate::cube::CubeChoice;
use crate::game::{GameState, PlayList, Position};
use crate::match_file::{
    Analysis, Chances, CubeUnit, CubeVerdict, LonePosition, Match, PlayVerdict,
};
use crate::review::verification::{LookaheadSetup, Rolled, claims};
use crate::review::{AnalysedTurn, Class, MatchTurn};
use crate::tui::figures::candidate_rows::{FigureSource, rows};
use crate::tui::figures::error_list::{self, ErrorRow};
use crate::tui::figures::imported;
use crate::tui::message::{MatchRolloutNews, Message};
use crate::tui::screen::units::{Scale, Units};
use crate::tui::state::Document;
use crate::tui::testing::{Race, TestApp, record};
use crate::tui::theme::Depth;

#[test]
fn plays_are_shown_by_equity_with_their_depth() {
    let mut bench = TestApp::typed(Depth::True, "n j j space j space r");
    bench.roll(1296, true);
    let by_depth = rows(&bench.app);
    let best = by_depth.iter().find(|row| row.is_best).unwrap();
    assert!(by_depth.iter().any(|row| row.starts_level));
    bench.keys("V o");
    let shown = rows(&bench.app);
    assert_eq!(shown.len(), by_depth.len());
    assert!(shown.windows(2).all(|two| two[0].equity >= two[1].equity));
    assert!(shown.iter().all(|row| !row.starts_level));
    let star = shown.iter().find(|row| row.is_best).unwrap();
    assert_eq!(star.candidate.result, best.candidate.result);
    assert!(!shown[0].is_best && shown[0].level == FigureSource::Ply(0));
    for (w, h) in [(80, 24), (120, 40)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, " by equity", " ply");
        let depth = |line: &str| line.contains('★') && line.contains(" R");
        assert!(screen.lines().any(depth), "{screen}");
    }
    // What is rolled out does not depend on the view.
    let job = bench.app.jobs.about(bench.app.decision().unwrap()).count();
    bench.keys("r");
    assert_eq!(
        bench.app.jobs.about(bench.app.decision().unwrap()).count(),
        job
    );
    bench.keys("x V o");
    assert!(rows(&bench.app)[0].is_best);
    assert!(!bench.screen(80, 24).contains("by equity"));
}

/// The plays of a turn as another program may value them, the best last by ours.
fn verdicts(turn: &MatchTurn) -> Analysis {
    let state = turn.before.state;
    let list = PlayList::of(&state.position, state.roll.unwrap());
    let plays = list.plays().iter().take(6).enumerate();
    let verdict = |(i, play): (usize, &crate::game::Play)| PlayVerdict {
        play: *play,
        level: ["rollout of 1296", "XG Roller++", "3-ply"][i.min(2)].to_owned(),
        equity: 0.25 - 0.04 * i as f64,
        chances: Chances::new([0.5, 0.2, 0.01, 0.1, 0.005]),
    };
    let mut analysis = Analysis::default();
    analysis.program = "eXtreme Gammon".into();
    analysis.plays = plays.map(verdict).collect();
    (analysis.played, analysis.error) = (Some(1), Some(0.04));
    analysis.cube = Some(CubeVerdict {
        level: "4-ply".into(),
        unit: CubeUnit::Mwc,
        no_double: Some(0.61),
        double_take: Some(0.58),
        double_pass: Some(0.66),
        error: Some(0.05),
        ..CubeVerdict::default()
    });
    analysis
}

/// The match with an analysis of the first turn of its second game with enough plays.
fn analysed() -> (TestApp, usize) {
    let mut record: Match = record();
    let turns = crate::review::turns(&record);
    let is_wanted = |turn: &&MatchTurn| {
        let state = turn.before.state;
        let mut list = PlayList::new();
        state
            .roll
            .inspect(|roll| list.generate(&state.position, *roll));
        turn.game == 1 && turn.before.event > 2 && list.plays().len() > 6
    };
    let at = turns.iter().position(|turn| is_wanted(&turn)).unwrap();
    let turn = turns[at];
    let place = turn.place();
    record.analyses.insert(place.0, place.1, verdicts(&turn));
    let document = Document::of_match(record, "analysed.xg".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    while bench.app.at < at {
        bench.keys("l");
    }
    (bench, at)
}

/// Where there is room for it.
#[test]
fn the_list_of_errors_has_those_of_the_file() {
    let listed = |bench: &TestApp| -> Vec<ErrorRow> { error_list::all(&bench.app).collect() };
    let all = listed(&analysed().0);
    let plays: Vec<&ErrorRow> = all
        .iter()
        .filter(|row| row.class == Class::Checker)
        .collect();
    // The file calls one of our errors its own, and finds nothing in another.
    let mut record: Match = record();
    let turns = crate::review::turns(&record);
    for (row, error) in plays.iter().zip([0.04, 0.0]) {
        let turn = &turns[row.decision.turn];
        let mut analysis = Analysis::of("another program", Vec::new());
        analysis.error = Some(error);
        record
            .analyses
            .insert(turn.game, turn.before.event, analysis);
    }
    let document = Document::of_match(record, "analysed.xg".into(), 1);
    let mut bench = TestApp::with(Depth::True, document);
    let errors: Vec<Option<f64>> = (listed(&bench).iter())
        .map(|row| imported::error_of(&bench.app, row))
        .collect();
    assert!(errors.contains(&Some(0.04)) && errors.contains(&None));
    let screen = bench.screen_after("E", 120, 40);
    assert_has!(screen, "in file", " 0.040  ", " ·  ", " –  ");
    assert!(!bench.screen(80, 24).contains("in file"));
}

#[test]
fn all_that_the_file_says_is_shown_beside_ours() {
    let (mut bench, _) = analysed();
    let all = imported::rows(&bench.app);
    assert_eq!(all.len(), 6);
    assert!(all[1].is_played && (all[5].difference + 0.2).abs() < 1e-9);
    for row in &all {
        let mine = rows(&bench.app)
            .into_iter()
            .find(|r| Some(r.candidate.result) == row.result);
        assert_eq!(row.ours, mine.map(|r| (r.equity, r.level)));
    }
    bench.keys("I I");
    for (w, h) in [(80, 24), (120, 40), (200, 60)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "analysis of eXtreme Gammon", "rollout of 1296");
        assert_has!(screen, "+0.250", " ~-.200", "ours");
        for row in &all {
            assert!(screen.contains(&row.name), "{}:\n{screen}", row.name);
        }
    }
    // Enter shows a play on the board.
    bench.keys("j j enter");
    assert!(bench.app.overlay.is_none());
    assert_eq!(bench.app.selection.play, all[2].result);
    // The line below the plays is never cut, and in the same units.
    for keys in ["", "u", "esc"] {
        bench.keys(keys);
        let scale = bench.app.scale();
        let screen = bench.screen(80, 24);
        let line = screen.lines().find(|l| l.contains("XG: ")).unwrap();
        let of = if keys == "esc" { 0 } else { 2 };
        let equity = scale.value(all[of].equity.unwrap());
        assert_lacks!(line, '…');
        assert!(
            line.contains(&equity) || line.contains(&all[0].name),
            "{line}"
        );
    }
    bench.keys(": h i d e enter I I");
    assert_has!(bench.said(), "hidden");
    bench.keys(": h i d e enter l I I");
    assert_has!(bench.said(), "no analysis");
}

#[test]
fn a_cube_decision_of_the_file_comes_in_our_units() {
    let (mut bench, _) = analysed();
    bench.keys("b");
    let all = imported::rows(&bench.app);
    assert_eq!(all.len(), 3);
    let state = bench.app.turn().unwrap().before.state;
    let whole = Scale::new(Units::Whole, &state, &bench.app.model);
    assert_eq!(whole.value(all[0].equity.unwrap()), "61.00%");
    let screen = bench.screen_after("I I", 80, 24);
    let points = Scale::CUBE.value(all[1].equity.unwrap());
    assert_has!(screen, "double/take", &points);
    // Each action has its difference to the right one, on both sides.
    let values = all.iter().map(|row| row.equity.unwrap());
    let [no, take, pass] = values.collect::<Vec<f64>>()[..] else {
        panic!("three actions");
    };
    let right = no.max(take.min(pass));
    for (row, value) in all.iter().zip([no, take, pass]) {
        let ours = row.ours.unwrap().0;
        let name = format!(" {} ", row.name);
        let mut lines = screen.lines().filter(|line| line.starts_with('│'));
        let line = lines.find(|line| line.contains(&name));
        let figures = line.unwrap().split_whitespace();
        let signed = figures.filter(|word| word.starts_with(['+', '-']) && word.contains('.'));
        let is_right = |value: f64, right: f64| usize::from(value == right);
        let ours_right = imported::right_action(&all, &|row| row.ours.map(|(equity, _)| equity));
        let empty = is_right(value, right) + is_right(ours, ours_right.unwrap());
        assert_eq!(signed.count(), 4 - empty, "{}:\n{screen}", row.name);
    }
    assert_has!(bench.screen_after("esc u I I", 80, 24), "58.00%");
}

/// What the file says is held against rollouts, in a list that leads to each decision.
#[test]
fn the_file_is_verified() {
    let (mut bench, at) = analysed();
    bench.keys("I v");
    assert!(bench.verifies, "nobody rolls out");
    assert!(bench.screen(80, 24).contains("is the file right?"));
    let (turns, reviews) = bench.app.document.analysed_turns();
    let both = turns.into_iter().zip(reviews);
    let analysed: Vec<AnalysedTurn> = both
        .map(|(turn, standard)| standard.of_turn(&turn))
        .collect();
    let model = bench.app.model.clone();
    let lookahead = LookaheadSetup {
        evaluator: &Race,
        model: &model,
        ply: 0,
    };
    let all = claims(&bench.app.document.record, &analysed, &lookahead);
    assert!(
        all.iter()
            .any(|one| one.claim.turn == at && one.claim.is_error)
    );
    let (generation, number) = (bench.app.document.generation, bench.app.match_runs);
    let place = all.iter().position(|one| one.claim.turn == at).unwrap();
    bench.tell(Message::MatchRollouts {
        generation,
        number,
        news: MatchRolloutNews::Opinions(all),
    });
    let rolled = Rolled {
        difference: -0.03,
        anytime95: [-0.05, -0.01],
        trials: 360,
        ended: true,
    };
    bench.tell(Message::MatchRollouts {
        generation,
        number,
        news: MatchRolloutNews::Opinion(place, rolled),
    });
    for (w, h) in [(60, 20), (80, 24), (120, 40)] {
        let screen = bench.screen(w, h);
        assert_has!(screen, "is XG right?", "overturned", "-0.030 ±.020");
        assert_has!(screen, "refuted");
    }
    // Enter leads to the decision.
    bench.keys("esc g g h I v");
    for _ in 0..place {
        bench.keys("j");
    }
    bench.keys("enter");
    assert_eq!(bench.app.at, at);
    assert!(bench.app.overlay.is_none() && bench.app.before.is_none());
    // One about the cube leads to the decision before the roll.
    let all = bench.app.opinions.as_mut().unwrap();
    all[place].claim.actions = Some([CubeChoice::Double, CubeChoice::NoDouble]);
    bench.keys("I v");
    for _ in 0..place {
        bench.keys("j");
    }
    bench.keys("enter");
    assert!(bench.app.at == at && bench.app.before.is_some());
    // One alone is one error.
    let all = bench.app.opinions.as_mut().unwrap();
    *all = vec![all.swap_remove(place)];
    let screen = bench.screen_after("I v", 120, 40);
    assert_has!(screen, "1 error by the file");
    assert_lacks!(screen, "1 opinions");
}

/// Without another program's analysis there is nothing to verify.
#[test]
fn a_file_without_analysis_is_not_verified() {
    let bench = TestApp::typed(Depth::True, "I v");
    assert!(bench.app.overlay.is_none() && !bench.verifies);
    assert_has!(bench.said(), "no analysis of another program");
}

/// Where a beaver is right, the double is worth what that leaves, and is named so.
#[test]
fn a_beaver_is_the_answer_of_the_file() {
    let mut state = GameState::money(Position::opening());
    state.rules.beavers = true;
    let mut bench = TestApp::with(Depth::True, Document::of_position(state, "x".into(), 1));
    let record = Arc::make_mut(&mut bench.app.document.record);
    let mut analysis = Analysis::of("another program", Vec::new());
    analysis.cube = Some(CubeVerdict {
        no_double: Some(-0.25),
        double_take: Some(-0.2),
        double_pass: Some(1.0),
        ..CubeVerdict::default()
    });
    record.positions = vec![LonePosition {
        analysis: Some(analysis),
        ..LonePosition::new(state, 0)
    }];
    let rows = imported::rows(&bench.app);
    let named: Vec<(&str, f64)> = rows
        .iter()
        .map(|row| (&*row.name, row.equity.unwrap()))
        .collect();
    assert_eq!(
        named,
        [
            ("no double", -0.25),
            ("double/beaver", -0.4),
            ("double/pass", 1.0)
        ]
    );
    assert_eq!(rows[0].difference, 0.0);
    assert!((rows[1].difference + 0.15).abs() < 1e-9);
}
