use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use super::*;
use crate::eval::{CandidateFilter, Engine};
use crate::game::MatchScore;
use crate::notation::parse_id;

/// Shared, because unpacking the nets takes longer than a matrix.
static ENGINE: LazyLock<Engine> = LazyLock::new(Engine::embedded);

fn never() -> bool {
    false
}

/// Positions with non-trivial plays.
const PLAYS: [(&str, &str); 3] = [
    ("4HPwATDgc/ABMA", "43"),
    ("XGID=-b---BD-C---eD---c-d-a--B-:0:0:1:63:0:0:0:0:10", "63"),
    ("XGID=-BCBBBC------------bbbbcc-:0:0:1:21:0:0:0:0:10", "21"),
];

fn state(id: &str) -> GameState {
    parse_id(id).unwrap()
}

#[test]
fn without_lookahead_cells_equal_the_model_at_their_score() {
    let (engine, model) = (&*ENGINE, Model::standard());
    for (id, dice) in PLAYS {
        let given = state(id);
        let roll: Roll = dice.parse().unwrap();
        let matrix = Matrix::new(engine, model, given, Some(roll));
        let present = matrix.best_here(0, &never).unwrap();
        for cell in matrix.cells(4) {
            let answer = matrix.answer(&cell, present, 0, &never).unwrap();
            let at = cell.state(&given);
            let all = model.candidates(engine, &at, roll, 0, CandidateFilter::default(), &never);
            let all = all.unwrap();
            let (place, equity) = answer.equities[0];
            assert_eq!(equity, all[0].cubeful, "{cell:?}");
            let found = matrix.plays().nth(place).unwrap();
            let best = all
                .iter()
                .find(|c| c.candidate.result == found.result)
                .unwrap();
            assert!(all[0].cubeful - best.cubeful < 2e-3);
            assert_eq!(answer.best, Some(BestChoice::Play(all[0].candidate.result)));
        }
    }
}

#[test]
fn cube_cells_equal_the_decision_at_their_score() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let given = state(PLAYS[2].0);
    let matrix = Matrix::new(engine, model, given.before_roll(), None);
    let present = matrix.best_here(0, &never).unwrap();
    let mut changes = 0;
    for cell in matrix.cells(6) {
        let answer = matrix.answer(&cell, present, 0, &never).unwrap();
        let decision = model
            .decide(engine, &cell.state(&given), 0, &never)
            .unwrap();
        assert_eq!(answer.equities[0].1, decision.no_double);
        match answer.best {
            Some(best) => assert_eq!(best, BestChoice::Action(decision.action)),
            None => assert_eq!(decision.double_take, None),
        }
        changes += usize::from(answer.is_change);
        if answer.is_change && answer.best.is_none() {
            panic!("{cell:?}");
        }
    }
    assert!(changes > 0);
}

#[test]
fn the_state_given_costs_nothing() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let mut given = state(PLAYS[1].0);
    given.score = MatchScore {
        length: 7,
        mover: 3,
        opponent: 2,
        crawford: false,
    };
    let matrix = Matrix::new(engine, model, given, given.roll);
    for ply in 0..=1 {
        let present = matrix.best_here(ply, &never).unwrap();
        let answer = matrix
            .answer(&matrix.given(), present, ply, &never)
            .unwrap();
        assert_eq!((answer.cost, answer.is_change), (Some(0.0), false));
    }
}

#[test]
fn an_answer_to_a_double_is_seen_by_the_answering_player() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let race = state(PLAYS[2].0);
    let given = GameState {
        position: race.position.flipped(),
        roll: None,
        doubled: true,
        ..race
    };
    let matrix = Matrix::new(engine, model, given, None);
    let present = matrix.best_here(0, &never).unwrap();
    assert!(
        matches!(present, ReferenceChoice::Best(BestChoice::Answer(_))),
        "{present:?}"
    );
    for cell in matrix.cells(4) {
        let doubler = cell.state(&given);
        assert_eq!(
            doubler.score.away(),
            cell.away.map(|[a, b]| (b, a)).or(None)
        );
        assert_ne!(doubler.owner, CubeOwner::Opponent);
    }
    let take = ReferenceChoice::Cube(CubeChoice::Take);
    let money = matrix.answer(&matrix.cells(2)[0], take, 0, &never).unwrap();
    assert!(money.cost.unwrap() >= 0.0);
}

/// A double by a player whose cube already wins the match needs an answer: a pass loses the match.
#[test]
fn a_double_that_gains_nothing_is_taken() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let given = GameState {
        cube: 2,
        owner: CubeOwner::Opponent,
        score: MatchScore {
            length: 5,
            mover: 0,
            opponent: 3,
            crawford: false,
        },
        ..GameState::money(Position::opening()).offered()
    };
    let matrix = Matrix::new(engine, model, given, None);
    let present = matrix.best_here(0, &never).unwrap();
    let take = BestChoice::Answer(CubeChoice::Take);
    assert_eq!(present, ReferenceChoice::Best(take));
    let pass = ReferenceChoice::Cube(CubeChoice::Pass);
    let answer = matrix.answer(&matrix.given(), pass, 0, &never).unwrap();
    assert_eq!(answer.best, Some(take));
    assert!(answer.is_change && answer.cost.unwrap() > 0.5, "{answer:?}");
    let dead = |cell: &&Cell| {
        cell.away
            .is_some_and(|[_, doubler]| u32::from(doubler) <= cell.cube)
    };
    // At other scores nobody makes such a double: without a doubling decision there is no answer.
    let mut seen = 0;
    for cell in matrix.cells(5).iter().filter(dead) {
        let answer = matrix.answer(cell, present, 0, &never).unwrap();
        let is_given = cell.name.is_none() && cell.away == Some([5, 2]) && cell.cube == 2;
        assert_eq!(answer.best, is_given.then_some(take), "{cell:?}");
        assert_eq!(answer.cost.is_some(), is_given, "{cell:?}");
        seen += u32::from(is_given);
    }
    assert_eq!(seen, 1);
}

#[test]
fn named_scores_are_what_their_names_say() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let given = state(PLAYS[0].0);
    let matrix = Matrix::new(engine, model, given, Roll::new(4, 3));
    let cells = matrix.cells(9);
    assert_eq!(cells.len(), 3 + 3 + 3 * 80);
    let find = |name| *cells.iter().find(|c| c.name == Some(name)).unwrap();
    let go = model.context(&find(ScoreName::GammonGo).state(&given));
    let save = model.context(&find(ScoreName::GammonSave).state(&given));
    // A gammon wins the match, and a lost gammon costs no more than a lost game.
    assert_eq!(
        (
            go.result(crate::cube::Cube::CENTRED, 2),
            save.result(crate::cube::Cube::CENTRED, -2)
        ),
        (1.0, 0.0)
    );
    assert!(go.gammon_value(0, 2) > 0.4 && go.flipped().gammon_value(0, 2) == 0.0);
    assert!(save.flipped().gammon_value(0, 2) > 0.4 && save.gammon_value(0, 2) == 0.0);
    let dmp = model.context(&find(ScoreName::Dmp).state(&given));
    assert_eq!(
        (dmp.gammon_value(0, 2), dmp.flipped().gammon_value(0, 2)),
        (0.0, 0.0)
    );
}

/// At any score the decision has a cell, which is named if no other cell has its score.
#[test]
fn the_present_score_always_has_a_cell() {
    let mut given = state(PLAYS[0].0);
    given.roll = Roll::new(4, 3);
    let own = |given: &GameState| {
        let cells = cells(given, true, 9);
        let own: Vec<Cell> = cells.into_iter().filter(|c| c.is_of(given)).collect();
        (own[0].name, own[0].score_words(given.rules), own.len())
    };
    let mut at = |mine: u16, theirs: u16, crawford| {
        given.score = MatchScore {
            length: 15,
            mover: 15 - mine,
            opponent: 15 - theirs,
            crawford,
        };
        own(&given)
    };
    let named = |name, words: &str| (name, words.to_owned(), 1);
    assert_eq!(at(5, 3, false), named(None, "5-away 3-away"));
    assert_eq!(at(1, 3, false), named(None, "1-away 3-away post-Crawford"));
    assert_eq!(at(1, 1, false), named(Some(ScoreName::Dmp), "DMP"));
    let go = named(
        Some(ScoreName::GammonGo),
        "gammon-go, 2-away 1-away Crawford",
    );
    assert_eq!(at(2, 1, true), go);
    let name = Some(ScoreName::Own);
    let crawford = named(name, "own score, 1-away 4-away Crawford");
    assert_eq!(at(1, 4, true), crawford);
    let far = named(name, "own score, 13-away 11-away");
    assert_eq!(at(13, 11, false), far);
    // The other cells use the owned cube at 4, but not a cube that was never turned.
    (given.cube, given.owner) = (1, CubeOwner::Centred);
    given.score.crawford = true;
    (given.score.mover, given.score.opponent) = (14, 14);
    assert_eq!(own(&given), named(Some(ScoreName::Dmp), "DMP"));
    given.score.crawford = false;
    (given.score.mover, given.score.opponent) = (2, 4);
    (given.cube, given.owner) = (4, CubeOwner::Opponent);
    assert_eq!(own(&given), far);
    given.score = GameState::money(given.position).score;
    assert_eq!(own(&given), named(Some(ScoreName::Money), "money"));
    // An automatic double leaves the cube in the middle.
    (given.cube, given.owner) = (2, CubeOwner::Centred);
    assert_eq!(own(&given), named(name, "own score, money"));
}

#[test]
fn no_score_has_two_cells() {
    let mut given = state(PLAYS[0].0);
    for no_crawford in [false, true] {
        given.rules.no_crawford = no_crawford;
        let cells = cells(&given, true, 9);
        for (i, one) in cells.iter().enumerate() {
            let again = cells[..i].iter().find(|other| other.has_score_of(one));
            assert_eq!(again, None, "{one:?}");
        }
        assert_eq!(cells.len(), 3 + 3 + 3 * 80 - 2 * usize::from(no_crawford));
    }
}

/// Bounds the error of shared replies. `crates/lab/records/cube-model.md` has figures for more positions.
#[test]
fn deeper_cells_nearly_equal_a_separate_lookahead() {
    let (engine, model) = (&*ENGINE, Model::standard());
    for (id, dice) in &PLAYS[..2] {
        let given = state(id);
        let roll: Roll = dice.parse().unwrap();
        let matrix = Matrix::new(engine, model, given, Some(roll));
        let present = matrix.best_here(1, &never).unwrap();
        for cell in matrix.cells(4).iter().step_by(9) {
            let answer = matrix.answer(cell, present, 1, &never).unwrap();
            let at = cell.state(&given);
            let own = model.candidates(engine, &at, roll, 1, CandidateFilter::default(), &never);
            let apart = (answer.equities[0].1 - own.unwrap()[0].cubeful).abs();
            assert!(apart < 0.01, "{id} {cell:?}: {apart}");
        }
    }
}

#[test]
fn cells_come_one_by_one_and_can_be_cancelled() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let matrix = Matrix::new(engine, model, state(PLAYS[0].0), Roll::new(4, 3));
    let cells = matrix.cells(4);
    let present = matrix.best_here(0, &never).unwrap();
    let found = Mutex::new(vec![None; cells.len()]);
    let put = |i: usize, answer| found.lock().unwrap()[i] = Some(answer);
    assert!(matrix.fill(&cells, present, 0, &never, &put));
    assert!(found.lock().unwrap().iter().all(Option::is_some));
    let asked = AtomicUsize::new(0);
    let soon = || asked.fetch_add(1, Ordering::Relaxed) > 5;
    assert!(!matrix.fill(&cells, present, 2, &soon, &|_, _| ()));
}

/// In a match there are no beavers: the same action is then called a take, and is not a change.
#[test]
fn without_beavers_the_same_act_has_another_name() {
    let (engine, model) = (&*ENGINE, Model::standard());
    for (dice, named) in [("D", "take"), ("00", "no double")] {
        let id = format!("XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:2:0:10");
        let matrix = Matrix::new(engine, model, state(&id), None);
        let present = matrix.best_here(0, &never).unwrap();
        let mut seen = 0;
        for cell in matrix
            .cells(4)
            .into_iter()
            .filter(|cell| cell.away.is_some())
        {
            let answer = matrix.answer(&cell, present, 0, &never).unwrap();
            let is_same = match answer.best {
                Some(BestChoice::Answer(choice)) => choice.name() == named,
                Some(BestChoice::Action(action)) => action.name() == named,
                _ => continue,
            };
            assert!(answer.is_change != is_same, "{cell:?} {answer:?}");
            assert!(!is_same || answer.cost == Some(0.0), "{cell:?} {answer:?}");
            seen += u32::from(is_same);
        }
        assert!(seen > 3, "{dice}");
    }
}

/// A player who is too good to double does not double.
#[test]
fn too_good_is_no_other_choice_than_no_double() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let given = state("XGID=-a----EDB---eB--acBe------:0:0:1:00:4:2:0:7:10");
    let matrix = Matrix::new(engine, model, given, None);
    let present = ReferenceChoice::Cube(CubeChoice::NoDouble);
    let best = ReferenceChoice::Best(BestChoice::Action(CubeAction::NoDouble));
    let mut too_good = 0;
    for cell in matrix.cells(5) {
        let answers =
            [present, best].map(|choice| matrix.answer(&cell, choice, 0, &never).unwrap());
        let Some(BestChoice::Action(action)) = answers[0].best else {
            continue;
        };
        for answer in answers {
            assert_eq!(answer.is_change, action.doubles(), "{cell:?} {answer:?}");
            assert!(
                action.doubles() || answer.cost == Some(0.0),
                "{cell:?} {answer:?}"
            );
        }
        too_good += u32::from(!action.doubles() && action != CubeAction::NoDouble);
    }
    assert!(too_good > 0);
}

/// Without the Crawford rule there is no Crawford game, and the score has its ordinary decision.
#[test]
fn gammon_go_without_the_rule_is_an_ordinary_game() {
    let (engine, model) = (&*ENGINE, Model::standard());
    let mut given = state("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:1:2:0:3:10");
    given.rules.no_crawford = true;
    let matrix = Matrix::new(engine, model, given, None);
    let present = matrix.best_here(0, &never).unwrap();
    let cells = matrix.cells(2);
    let go = cells
        .iter()
        .find(|cell| cell.name == Some(ScoreName::GammonGo));
    let answer = matrix.answer(go.unwrap(), present, 0, &never).unwrap();
    let own = model.decide(engine, &given, 0, &never).unwrap();
    assert_eq!(answer.best, Some(BestChoice::Action(own.action)));
}
