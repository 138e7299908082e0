//! Dahl's states of the cube from cubeless games, against the settled game gone through to its end.

use std::collections::HashMap;
use std::sync::Arc;

use super::evaluators::Rough;
use super::shards::play;
use super::{bearoff, roll_out, settings, setup, tally};
use crate::cube::dahl::{Settlement, States};
use crate::eval::rolls::best_index;
use crate::eval::{Engine, Evaluator, Probabilities};
use crate::game::{CubeOwner, GameState, PlayList, Position, Roll};
use crate::rollout::{
    CubeSettings, Identity, LuckKind, Progress, Rollout, RolloutError, Setup, Shard, ShardMerge,
    TrialRecord,
};

fn start() -> Position {
    bearoff(&[(6, 2), (3, 1)], &[(5, 2), (4, 1)])
}

/// Returns the value of the game to the player on roll, if players double at the limit and the other always
/// passes.
fn walk(
    evaluator: &dyn Evaluator,
    limit: f32,
    position: &Position,
    owner: CubeOwner,
    known: &mut HashMap<(Position, u8), f64>,
) -> f64 {
    if let Some(points) = position.points() {
        return f64::from(points);
    }
    let chances = evaluator.probabilities_of(position);
    let goes_for_more = chances.win_gammon > 0.001 && chances.equity() > 0.9;
    if owner != CubeOwner::Opponent && chances.equity() >= limit && !goes_for_more {
        return 1.0;
    }
    let key = (*position, owner as u8);
    if let Some(known) = known.get(&key) {
        return *known;
    }
    let (mut sum, mut list) = (0.0, PlayList::new());
    for roll in Roll::ALL {
        list.generate(position, roll);
        let mut equities = vec![0.0; list.len()];
        evaluator.equities_after(position, list.results(), &mut equities);
        let result = list.results()[best_index(&equities)];
        let theirs = walk(evaluator, limit, &result, owner.flipped(), known);
        sum -= f64::from(roll.weight()) / 36.0 * theirs;
    }
    known.insert(key, sum);
    sum
}

/// With luck subtracted and without, the means are those of the settled game.
#[test]
fn states_are_those_of_the_settled_game() {
    let setup = setup(Rough { noise: 0.3 });
    for limit in [0.3, 0.7] {
        let mut known = HashMap::new();
        let mut value = |owner| walk(&*setup.evaluator, limit, &start(), owner, &mut known);
        let expected = States {
            centred: value(CubeOwner::Centred),
            own: value(CubeOwner::Mover),
            other: value(CubeOwner::Opponent),
        };
        assert!(expected.own >= expected.centred && expected.centred > expected.other);
        let mut errors = Vec::new();
        for luck in [LuckKind::None, LuckKind::Lookahead(Some(0))] {
            let mut settings = settings(7200);
            settings.settlement = Some(Settlement::at(limit));
            settings.luck = luck;
            let (tally, design) = tally(&setup, &[start()], &settings);
            let found = tally.results(&design).0[0].flipped().states.unwrap();
            for (found, expected) in found.all().into_iter().zip(expected.all()) {
                let off = (found.mean - expected).abs();
                assert!(off < 4.0 * found.se + 1e-9, "{luck} {found:?} {expected}");
            }
            errors.push(found.centred.se);
        }
        assert!(errors[1] < errors[0], "{errors:?}");
    }
}

/// Where the cube seldom ends a game, the few games that it ends make most of the spread: intervals of a state
/// hold its value all the same. By the spread alone 60 in 100 did.
#[test]
fn states_that_are_seldom_settled_are_covered() {
    let engine: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let start = bearoff(&[(1, 2), (2, 2), (3, 2)], &[(1, 2), (2, 2), (3, 1)]);
    let (limit, runs) = (0.5, 40);
    let value = walk(
        &*engine,
        limit,
        &start,
        CubeOwner::Opponent,
        &mut HashMap::new(),
    );
    let mut held = [0; 2];
    for seed in 0..runs {
        let mut settings = settings(360);
        settings.seed = seed;
        settings.settlement = Some(Settlement::at(limit));
        settings.luck = LuckKind::Lookahead(Some(0));
        let result = roll_out(&engine, &[start], &settings, 1);
        let state = result.candidates[0].flipped().states.unwrap().other;
        let inside = |[low, high]: [f64; 2]| low <= value && value <= high;
        held[0] += u32::from(inside(state.ci95));
        held[1] += u32::from(inside(state.anytime95));
    }
    // 38 of 40 on average; less than 35 in 1 of 100 such tests.
    assert!(held.iter().all(|held| *held >= 35), "{held:?}");
}

/// A player who wins the point at once, by the rule, unless the other holds the cube; and one who bears off with
/// the first roll.
#[test]
fn states_that_are_known_have_no_interval() {
    let engine: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let mut settings = settings(1296);
    settings.settlement = Some(Settlement::at(0.5));
    let ahead = bearoff(&[(1, 2), (2, 2), (3, 2)], &[(6, 5), (5, 5), (4, 5)]);
    let last = bearoff(&[(6, 1)], &[(1, 1)]);
    // Four rolls win, and after the others the point is lost at once.
    let both = bearoff(&[(1, 1)], &[(6, 2)]);
    for (start, known) in [(ahead, 2), (last, 3), (both, 2)] {
        let result = roll_out(&engine, &[start.flipped()], &settings, 1);
        let states = result.candidates[0].states.unwrap();
        let all = [states.centred, states.own, states.other];
        let narrow = all
            .iter()
            .filter(|state| state.ci95[1] - state.ci95[0] < 1e-6);
        assert_eq!(narrow.count(), known, "{states:?}");
    }
}

/// Says that the player on roll wins nineteen games of twenty once 20 pips are left, and that all else is even.
struct LateFavourite;

impl Evaluator for LateFavourite {
    fn name(&self) -> &str {
        "late favourite"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        for (out, position) in out.iter_mut().zip(positions) {
            let win = if position.mover.pips() <= 20 {
                0.95
            } else {
                0.5
            };
            *out = self.exact(position).unwrap_or(Probabilities {
                win,
                ..Probabilities::default()
            });
        }
    }

    fn equities_after(&self, _: &Position, results: &[Position], out: &mut [f32]) {
        for (out, result) in out.iter_mut().zip(results) {
            *out = -self.probabilities_of(result).equity();
        }
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }
}

/// Games that the cube always ends, all alike but after more than a roll, say little while they are few.
#[test]
fn states_that_are_settled_later_have_an_interval() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(LateFavourite);
    let start = bearoff(&[(6, 15)], &[(6, 6)]);
    let mut settings = settings(72);
    settings.settlement = Some(Settlement::at(0.5));
    settings.luck = LuckKind::None;
    settings.stop_at_known = false;
    let result = roll_out(&evaluator, &[start], &settings, 1);
    let states = result.candidates[0].states.unwrap();
    for state in [states.centred, states.own] {
        assert_eq!(state.mean.abs(), 1.0, "{states:?}");
        for [low, high] in [state.ci95, state.anytime95] {
            assert!(high - low > 0.02, "{states:?}");
        }
    }
}

/// Threads, shards and an interruption change nothing, and a play beside another is what it is alone.
#[test]
fn states_are_functions_of_the_settings() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let starts = vec![start(), bearoff(&[(6, 2), (2, 1)], &[(5, 2), (4, 1)])];
    let mut settings = settings(720);
    settings.settlement = Some(Settlement::default());
    settings.luck = LuckKind::Lookahead(Some(0));
    let one = roll_out(&evaluator, &starts, &settings, 1);
    let three = roll_out(&evaluator, &starts, &settings, 3);
    assert_eq!(one.candidates, three.candidates);
    for (start, candidate) in starts.iter().zip(&one.candidates) {
        let alone = roll_out(&evaluator, &[*start], &settings, 2);
        assert!(candidate.states.is_some());
        assert_eq!(alone.candidates[0].states, candidate.states);
    }
    // Another limit is another rollout, which what is kept is never taken for.
    let identity = |limit: Option<f32>| {
        let mut settings = settings.clone();
        settings.settlement = limit.map(Settlement::at);
        Identity::new(&Setup::from(Arc::clone(&evaluator)), &settings, &starts)
    };
    assert_eq!(identity(Some(0.5)), identity(Some(0.5)));
    for other in [None, Some(0.55)] {
        assert!(identity(Some(0.5)).difference(&identity(other)).is_some());
    }
    let mut records = Vec::new();
    for index in [1, 0] {
        for record in play(&evaluator, &starts, &settings, Shard { index, of: 2 }) {
            let mut bytes = Vec::new();
            record.write(&mut bytes);
            records.push(TrialRecord::read(&bytes).unwrap().0);
        }
    }
    records.sort_by_key(|r| (r.trial, r.candidate));
    let setup = Setup::from(Arc::clone(&evaluator));
    let mut half = settings.clone();
    half.stop.trials = 360;
    for (settings, rows) in [(&settings, 720), (&half, 360)] {
        let mut merge = ShardMerge::new(&setup, starts.clone(), settings).unwrap();
        assert!(records.chunks(2).take(rows).all(|row| merge.push(row)));
        let text = serde_json::to_string(merge.progress()).unwrap();
        let mut back: Progress = serde_json::from_str(&text).unwrap();
        assert_eq!(&back, merge.progress());
        back.settings.stop.trials = 720;
        let whole = Rollout::resume(Arc::clone(&evaluator), back, 2, None).unwrap();
        assert_eq!(whole.join().candidates, one.candidates);
    }
}

#[test]
fn limits_without_such_games_are_refused() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let mut sound = settings(36);
    sound.settlement = Some(Settlement::default());
    let refused = |settings: &crate::rollout::Settings| {
        let setup = Setup::from(Arc::clone(&evaluator));
        ShardMerge::new(&setup, vec![start()], settings).err()
    };
    assert_eq!(refused(&sound), None);
    let mut cubeful = sound.clone();
    cubeful.cube = Some(CubeSettings::before_roll(&GameState::money(start())));
    let mut cut = sound.clone();
    cut.horizon = Some(7);
    for settings in [cubeful, cut] {
        assert_eq!(refused(&settings), Some(RolloutError::SettlementOfWhat));
    }
    sound.settlement = Some(Settlement::at(0.0));
    assert_eq!(refused(&sound), Some(RolloutError::SettlementLimit));
}
