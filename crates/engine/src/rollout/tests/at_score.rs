//! Trials in which plays are chosen one ply deep at a score: what is shared, remembered and left out shifts
//! nothing.

use std::sync::Arc;

use super::evaluators::Rough;
use super::kinds::rough;
use super::shards::play;
use super::{assert_same, bearoff, roll_out, settings, setup, tally};
use crate::cube::{Cube, Model, ScoreLook, ScoreRolls};
use crate::eval::{CandidateFilter, Engine, Evaluator};
use crate::game::{CubeOwner, GameState, MatchScore, Position, Roll};
use crate::rollout::{
    CubeSettings, LuckKind, Settings, Setup, Shard, ShardMerge, StopRules, TrialRecord, replay,
};

/// A bearoff of more checkers than are known exactly.
fn start() -> Position {
    bearoff(&[(6, 4), (5, 2), (4, 2)], &[(6, 3), (5, 2), (3, 3)])
}

fn at(position: Position, away: (u16, u16)) -> GameState {
    GameState {
        owner: CubeOwner::Centred,
        score: MatchScore {
            length: 9,
            mover: 9 - away.0,
            opponent: 9 - away.1,
            crawford: false,
        },
        ..GameState::money(position)
    }
}

fn one_ply(trials: u64, state: &GameState) -> Settings {
    Settings {
        ply: 1,
        cube: Some(CubeSettings::before_roll(state)),
        ..settings(trials)
    }
}

/// The choices and values of a look that lasts are those of looks of their own, where nothing is left out.
#[test]
fn a_look_that_lasts_chooses_as_others_do() {
    let (model, never) = (Model::standard(), || false);
    let evaluator = Rough { noise: 0.1 };
    let filter = CandidateFilter::default();
    for away in [(7, 7), (1, 1), (2, 5)] {
        let mut state = at(start(), away);
        let contexts = model.contexts(&state);
        let mut look = ScoreLook::new(&evaluator, model, contexts, &never);
        for n in 0..20 {
            let roll = Roll::ordered(n * 7 % 36);
            let all = model.candidates(&evaluator, &state, roll, 1, filter, &never);
            let all = all.unwrap();
            let (position, at_first) = (state.position, n < 4);
            let limits = (1, filter);
            let chosen = look.choose(n % 2, position, Cube::CENTRED, roll, limits, at_first);
            let (result, rolls) = chosen.unwrap();
            let found = all.iter().find(|c| c.candidate.result == result);
            let lost = all[0].cubeful - found.unwrap().cubeful;
            assert!(lost < 0.02, "{away:?} {n} {lost}");
            let rolls = rolls.cloned();
            let again = look.choose(n % 2, position, Cube::CENTRED, roll, limits, at_first);
            assert_eq!(again.unwrap().0, result);
            let Some(rolls) = rolls else { break };
            let mut alone = ScoreRolls::default();
            look.rolls(1 - n % 2, &result, Cube::CENTRED, 1, &mut alone);
            assert_eq!((rolls.results, rolls.values), (alone.results, alone.values));
            state = GameState {
                position: result,
                score: state.score.flipped(),
                ..state
            };
        }
    }
}

/// The program's own evaluator, which leaves replies out: choices hardly ever differ, and then by little.
#[test]
fn what_is_left_out_costs_next_to_nothing() {
    let (model, never) = (Model::standard(), || false);
    let engine = Engine::embedded();
    let filter = CandidateFilter::default();
    let (mut position, mut lost) = (Position::opening(), 0.0);
    let state = |position| at(position, (4, 4));
    let contexts = model.contexts(&state(position));
    let mut look = ScoreLook::new(&engine, model, contexts, &never);
    for n in 0..12 {
        let roll = Roll::ordered(n * 11 % 36);
        let all = model.candidates(&engine, &state(position), roll, 1, filter, &never);
        let all = all.unwrap();
        let chosen = look.choose(0, position, Cube::CENTRED, roll, (1, filter), false);
        let result = chosen.unwrap().0;
        let found = all.iter().find(|c| c.candidate.result == result);
        lost += all[0].cubeful - found.unwrap().cubeful;
        position = all[0].candidate.result;
    }
    assert!(lost < 0.01, "{lost}");
}

/// Luck measured from the tables of the plays averages nothing: plain and variance-reduced means agree,
/// with the cube and around its turns.
#[test]
fn luck_shifts_nothing_at_a_score() {
    let setup = setup(Rough { noise: 0.1 });
    for away in [(5, 3), (1, 3)] {
        let settings = one_ply(720, &at(start(), away));
        let (tally, design) = tally(&setup, &[start()], &settings);
        let s = &tally.results(&design).0[0];
        let off = (s.equity.mean - s.plain.mean).abs();
        assert!(
            off < 4.0 * s.plain.se,
            "{away:?} {:?} {:?}",
            s.equity,
            s.plain
        );
        assert!(
            s.variances[1] < s.variances[0],
            "{away:?} {:?}",
            s.variances
        );
        if away.0 > 1 {
            assert!(s.cube.unwrap().largest > 1, "{away:?}");
        }
    }
}

/// A worker's memory changes no result.
/// Threads, shards and a trial played by itself give the same bits, at a score, for money with the cube and
/// without, at one ply and at none.
#[test]
fn memory_and_threads_change_nothing() {
    let at_score = one_ply(144, &at(start(), (5, 3)));
    let money = one_ply(144, &GameState::money(start()));
    let cubeless = Settings {
        cube: None,
        ..money.clone()
    };
    let static_play = Settings {
        ply: 0,
        luck: LuckKind::Lookahead(Some(0)),
        ..cubeless.clone()
    };
    let other = bearoff(&[(6, 4), (5, 2), (4, 2)], &[(6, 2), (5, 4), (3, 2)]);
    for ply in [0, 1] {
        let decision = money.cube.map(|cube| CubeSettings {
            decision: true,
            ..cube
        });
        let settings = Settings {
            ply,
            cube: decision,
            ..money.clone()
        };
        check_memory(&settings, vec![start(); 2]);
    }
    for settings in [at_score, money, cubeless, static_play] {
        for starts in [vec![start()], vec![start(), other]] {
            check_memory(&settings, starts);
        }
    }
}

fn check_memory(settings: &Settings, starts: Vec<Position>) {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.1 });
    let setup = Setup::from(Arc::clone(&evaluator));
    let one = roll_out(&evaluator, &starts, settings, 1);
    let three = roll_out(&evaluator, &starts, settings, 3);
    assert_same(&one, &three);
    let mut merge = ShardMerge::new(&setup, starts.clone(), settings).unwrap();
    let mut records = Vec::new();
    for index in [1, 0] {
        records.extend(play(&evaluator, &starts, settings, Shard { index, of: 2 }));
    }
    records.sort_by_key(|r: &TrialRecord| (r.trial, r.candidate));
    for row in records.chunks(starts.len()) {
        assert!(merge.push(row));
    }
    for row in records.chunks(starts.len()).step_by(29) {
        let alone = replay(&setup, &starts, settings, row[0].trial).unwrap();
        assert_eq!(alone.results, row);
    }
    assert_same(&merge.result(), &one);
}

/// Luck of another depth, other plies of one side, a low cap: the tables of the plays do not serve, and
/// nothing shifts.
#[test]
fn other_luck_is_measured_as_before() {
    let setup = rough();
    let usual = one_ply(360, &at(start(), (5, 3)));
    let deep = Settings {
        luck: LuckKind::Lookahead(Some(1)),
        stop: StopRules {
            trials: 72,
            ..usual.stop
        },
        ..usual.clone()
    };
    let capped = Settings {
        cube: usual.cube.map(|cube| CubeSettings { cap: 2, ..cube }),
        ..usual.clone()
    };
    let net = Settings {
        luck: LuckKind::Net,
        ..usual
    };
    for settings in [deep, capped, net] {
        let (tally, design) = tally(&setup, &[start()], &settings);
        let s = &tally.results(&design).0[0];
        let off = (s.equity.mean - s.plain.mean).abs();
        assert!(
            off < 4.0 * s.plain.se + 1e-9,
            "{:?} {:?}",
            s.equity,
            s.plain
        );
        assert_ne!(s.equity.mean, s.plain.mean, "luck was subtracted");
    }
}
