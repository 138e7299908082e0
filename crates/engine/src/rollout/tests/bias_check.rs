//! The check of a rollout's play against what is known exactly.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::evaluators::{Exact, Rough, equity, played_value};
use super::{bearoff, settings, setup};
use crate::eval::{Engine, Evaluator};
use crate::game::{CubeOwner, GameState, Position};
use crate::notation::parse_id;
use crate::rollout::request::limits::MOST_PLIES;
use crate::rollout::run::bias_check::{BiasChecker, estimate};
use crate::rollout::{Coupling, CubeSettings, Early, PlayStyle, RolloutError, Settings};

fn start() -> Position {
    bearoff(&[(5, 1), (4, 1)], &[(6, 1), (3, 1)])
}

/// Judged by exact values, the mean gain is what exact play by both is worth more than the play that
/// was checked.
#[test]
fn judged_exactly_it_finds_what_better_play_is_worth() {
    let setup = setup(Rough { noise: 0.8 });
    let exact = Exact::of(&[start()]);
    let value = |by: &dyn Evaluator| -equity(&played_value(by, &start()));
    let wanted = value(&exact) - value(&*setup.evaluator);
    assert!(wanted.abs() > 0.01, "the player plays too well: {wanted}");
    let starts = [start()];
    let mut settings = settings(1);
    settings.stop_at_known = false;
    let mut check = BiasChecker::new(&setup, &starts, &settings).unwrap();
    check.deeper_evaluators = [&exact, &exact];
    check.found.ply = 0;
    assert!(check.extend(3600, &|| false));
    let found = check.found().of(0);
    let off = (found.mean - wanted).abs();
    assert!(off < 4.0 * found.standard_error, "{found:?}, not {wanted}");
    assert!(found.standard_error < 0.02, "{found:?}");
    assert!(check.found().changed > 100);
}

#[test]
fn exact_play_leaves_nothing_to_change() {
    let setup = setup(Exact::of(&[start()]));
    let starts = [start(), start()];
    let mut check = BiasChecker::new(&setup, &starts, &settings(1)).unwrap();
    assert!(check.extend(72, &|| false));
    let found = check.found();
    assert_eq!((found.changed, found.trials, found.ply), (0, 72, 1));
    let difference = found.of_difference(0, 1);
    assert_eq!(difference.mean, 0.0);
    // Nothing was found in so many trials, which is no proof.
    let unknown = [f64::NEG_INFINITY, f64::INFINITY];
    assert_eq!(
        (difference.ci95, difference.standard_error),
        (unknown, f64::INFINITY)
    );
}

/// One in forty games has a mistake, of one size: of 144 games each, the intervals hold the mean as often as they say.
/// Student's with a degree of freedom for each game but one held in 90%.
#[test]
fn rare_mistakes_are_within_the_interval() {
    let mut chance = ChaCha8Rng::seed_from_u64(1);
    let share = 0.025;
    let (mut held, mut all) = (0, 0);
    for _ in 0..2000 {
        let gains: Vec<f64> = (0..144)
            .map(|_| f64::from(u8::from(chance.random_bool(share))))
            .collect();
        let found = estimate(gains.into_iter());
        all += 1;
        held += u32::from(found.ci95[0] <= share && share <= found.ci95[1]);
    }
    let held = f64::from(held) / f64::from(all);
    assert!(held >= 0.95, "{held}");
    let twice = estimate([0.0, 0.0, 0.0, 0.1].into_iter());
    assert!(
        twice.standard_error.is_finite() && !twice.ci95[0].is_finite(),
        "{twice:?}"
    );
}

/// The tables of bearoffs know the cube too, so a deeper look has nothing against cube decisions there.
#[test]
fn exact_cube_decisions_are_left_alone() {
    let setup = setup(Engine::embedded());
    let race = bearoff(&[(6, 2), (5, 2), (3, 1)], &[(6, 2), (4, 3)]);
    let mut settings = settings(1);
    settings.stop_at_known = false;
    settings.cube = Some(CubeSettings::before_roll(&GameState::money(race)));
    let starts = [race];
    let mut check = BiasChecker::new(&setup, &starts, &settings).unwrap();
    assert!(check.extend(36, &|| false));
    let found = check.found();
    assert!(found.decisions > 36, "{found:?}");
    assert!(found.of(0).mean.abs() < 0.01, "{:?}", found.of(0));
}

/// The second side of a cube decision begins on the doubled cube, which the opponent owns: what deeper play would add
/// is that of a rollout with such a cube, in points on the cube of before.
#[test]
fn both_sides_of_a_cube_decision_are_looked_into() {
    let setup = setup(Engine::embedded());
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10";
    let state = parse_id(id).unwrap();
    let gains = |state: &GameState, decision: bool| {
        let mut settings = settings(1);
        settings.horizon = Some(4);
        settings.cube = Some(CubeSettings {
            decision,
            ..CubeSettings::before_roll(state)
        });
        let sides = vec![state.position; 1 + usize::from(decision)];
        let mut check = BiasChecker::new(&setup, &sides, &settings).unwrap();
        assert!(check.extend(36, &|| false));
        let found = check.found();
        let difference = decision.then(|| found.of_difference(1, 0).mean);
        (found.of(sides.len() - 1).mean, difference)
    };
    let (second, difference) = gains(&state, true);
    assert_ne!(difference, Some(0.0));
    let doubled = GameState {
        cube: 2,
        owner: CubeOwner::Opponent,
        ..state
    };
    let alone = 2.0 * gains(&doubled, false).0;
    assert!(
        second != 0.0 && (second - alone).abs() < 1e-6,
        "{second} {alone}"
    );
}

#[test]
fn blocks_add_up_on_any_number_of_threads() {
    let setup = setup(Rough { noise: 0.8 });
    let starts = [start(), bearoff(&[(4, 2)], &[(6, 1), (3, 1)])];
    let check = |threads: usize, blocks: &[u64]| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build().unwrap().install(|| {
            let mut check = BiasChecker::new(&setup, &starts, &settings(1)).unwrap();
            for block in blocks {
                assert!(check.extend(*block, &|| false));
            }
            check.found().clone()
        })
    };
    let whole = check(1, &[72]);
    assert_eq!(whole, check(3, &[10, 36, 26]));
    assert!(whole.changed > 0);
}

#[test]
fn a_check_that_is_cancelled_counts_nothing() {
    let setup = setup(Rough { noise: 0.8 });
    let starts = [start()];
    let mut check = BiasChecker::new(&setup, &starts, &settings(1)).unwrap();
    assert!(!check.extend(36, &|| true));
    assert_eq!(check.found().trials, 0);
}

/// No decision is judged by a shallower look than it was made by, no matter who made it, and at whichever roll.
#[test]
fn the_look_is_deeper_than_any_play() {
    let setup = setup(Rough { noise: 0.8 });
    let ply = |settings: &Settings| {
        let starts = [start(), start()];
        let check = BiasChecker::new(&setup, &starts, settings);
        check.map(|check| check.found().ply)
    };
    let mut settings = settings(1);
    let style = |ply| PlayStyle {
        ply,
        filter: settings.filter,
        early: None,
    };
    let opponents = [style(2), style(0)];
    settings.opponent = Some(opponents[0]);
    assert_eq!(ply(&settings), Ok(3));
    settings.ply = 1;
    settings.opponent = Some(opponents[1]);
    assert_eq!(ply(&settings), Ok(2));
    settings.early = Some(Early { rolls: 2, ply: 2 });
    assert_eq!(ply(&settings), Ok(3));
    settings.early = None;
    settings.coupling = Coupling::Rank;
    settings.ranks.own_ties = true;
    assert_eq!(ply(&settings), Ok(2), "the coupling has no part in it");
}

#[test]
fn play_that_cannot_be_deeper_is_refused() {
    let setup = setup(Rough { noise: 0.8 });
    let mut settings = settings(1);
    settings.ply = MOST_PLIES;
    let refused = BiasChecker::new(&setup, &[], &settings).map(|_| ());
    assert!(refused.is_err());
    let refused = BiasChecker::new(&setup, &[start()], &settings).map(|_| ());
    assert_eq!(
        refused,
        Err(RolloutError::Ply {
            given: MOST_PLIES + 1
        })
    );
}
