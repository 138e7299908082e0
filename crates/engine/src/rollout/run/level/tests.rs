//! Levels of analysis.

use super::*;
use crate::eval::Engine;
use crate::rollout::Estimate;
use crate::rollout::testing::race_without_the_first;
use std::sync::Arc;

fn setup() -> Setup {
    Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>)
}

/// Its callers have states before the roll and after it.
#[test]
fn the_roll_of_a_state_changes_no_value() {
    let (setup, roll) = (setup(), Roll::new(3, 1).unwrap());
    let mut state = GameState::money(Position::opening());
    state.roll = Some(roll);
    let all = |state: &GameState, model| {
        LevelValue::all(&*setup.evaluator, model, state, roll, 1, &|| false).unwrap()
    };
    let with_cube = all(&state, Some(Model::standard()));
    assert_eq!(
        with_cube,
        all(&state.before_roll(), Some(Model::standard()))
    );
    assert!(with_cube[0].cubeful.is_some());
    let without = all(&state, None);
    assert!(without[0].cubeful.is_none() && without.len() == with_cube.len());
    assert_eq!(without[0].equity(), without[0].candidate.equity);
}

/// A level that is soon done.
fn short() -> Level {
    Level {
        ply: 1,
        rollout: Some(Truncated {
            most: 3,
            within: 0.08,
            ply: 0,
            horizon: 3,
            trials: 72,
            cube_trials: 72,
        }),
        ..Level::ALL[4]
    }
}

/// A play that is out of a race stands last, though its few trials say most of it.
#[test]
fn a_play_that_is_out_of_a_race_comes_last() {
    let state = GameState::money(Position::opening());
    let roll = Roll::ALL[1];
    let evaluator = &*setup().evaluator;
    let looked = LevelValue::all(evaluator, None, &state, roll, 0, &|| false);
    let mut analysed = looked.unwrap();
    analysed.truncate(3);
    let before = [0, 1, 2].map(|i| analysed[i].candidate.result);
    let own = [(612, 0.118), (2628, 0.107), (2628, 0.111)];
    let result = race_without_the_first(own, [-0.016, -0.02, -0.004]);
    put_rolled(&mut analysed, &result);
    let after = [0, 1, 2].map(|i| analysed[i].candidate.result);
    assert_eq!(after, [before[2], before[1], before[0]]);
}

/// Trials that all ended alike have an error all the same, that of their allowance; what is exact has none.
#[test]
fn trials_that_ended_alike_have_an_error() {
    let se = |se, half: f64| {
        let equity = Estimate {
            se,
            ci95: [1.0 - half, 1.0 + half],
            ..Estimate::exact(1.0)
        };
        let rolled_out = CandidateResult {
            equity,
            ..CandidateResult::default()
        };
        RolloutPrecision::from(&rolled_out).se
    };
    assert!((se(0.0, 0.0196) - 0.01).abs() < 1e-5);
    assert_eq!([se(0.0, 0.0), se(0.02, 0.05)], [0.0, 0.02]);
    assert_eq!(se(0.0, f64::INFINITY), 0.0);
}

#[test]
fn names_are_of_their_levels() {
    for level in Level::ALL {
        assert_eq!(Level::named(level.name), Some(level));
    }
    assert_eq!(Level::named("magic"), None);
}

#[test]
fn rolled_plays_stand_before_the_others() {
    let position = Position::opening();
    let level = short();
    let roll = "43".parse().unwrap();
    let state = GameState::money(position);
    let analysed = level
        .analyse(&setup(), &state, roll, false, &|| false)
        .unwrap();
    let rolled = analysed.iter().take_while(|j| j.rolled.is_some()).count();
    assert!((2..=3).contains(&rolled));
    assert!(analysed[rolled..].iter().all(|j| j.rolled.is_none()));
    assert!(analysed[..rolled].is_sorted_by(|a, b| a.candidate.equity >= b.candidate.equity));
    assert_eq!(analysed[0].rolled.unwrap().trials, 72);
    assert!(analysed[0].rolled.unwrap().se < 0.05);
}

#[test]
fn who_cancels_gets_nothing() {
    let level = short();
    let roll = "43".parse().unwrap();
    let state = GameState::money(Position::opening());
    assert!(
        level
            .analyse(&setup(), &state, roll, true, &|| true)
            .is_none()
    );
    assert!(level.decide(&setup(), &state, &|| true).is_none());
}

/// A play's rank counts the cube; in a match its chance follows from what ranks it.
#[test]
fn a_level_that_rolls_out_knows_cube_and_score() {
    let level = short();
    let roll = "43".parse().unwrap();
    let mut state = GameState::money(Position::opening());
    for length in [0, 5] {
        state.score.length = length;
        let plays = level
            .analyse(&setup(), &state, roll, true, &|| false)
            .unwrap();
        let best = &plays[0];
        let cubeful = best.cubeful.unwrap();
        assert!(best.rolled.is_some() && (cubeful - best.candidate.equity).abs() < 0.1);
        let rolled: Vec<_> = plays.iter().take_while(|p| p.rolled.is_some()).collect();
        assert!(rolled.is_sorted_by(|a, b| a.equity() >= b.equity()));
        assert_eq!(best.mwc.is_some(), length > 0);
        if let Some(mwc) = best.mwc {
            let fixed = crate::cube::Model::standard().contexts(&state)[0];
            let back = fixed.to_points(0, mwc);
            assert!((back - cubeful).abs() < 1e-3, "{back} {cubeful}");
        }
    }
}

/// A close double of a race is rolled out, one that is far from it is not.
#[test]
fn close_cube_decisions_are_rolled_out() {
    let level = short();
    let decide = |position| {
        let state = GameState::money(position);
        level.decide(&setup(), &state, &|| false).unwrap()
    };
    assert_eq!(decide(Position::opening()).rolled, None);
    let race = crate::notation::gnubg_id::parse_position("fwMAAN4BAAAAAA").unwrap();
    let decision = decide(race);
    let [hold, take] = decision.rolled.unwrap();
    assert_eq!((hold.trials, take.trials), (72, 72));
}
