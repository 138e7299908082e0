//! Luck never shifts a mean, no matter what measures it.

use super::evaluators::{Backwards, Exact, Rough, equity, flipped, played_value};
use super::kinds::rough;
use super::single::play_trial;
use super::{bearoff, settings, setup, source, tally};
use crate::eval::Evaluator;
use crate::eval::lookahead::evaluate;
use crate::eval::rolls::best_index;
use crate::game::{PlayList, Position, Roll};
use crate::rollout::{LuckKind, Settings, Setup};

/// Two checkers against two, with plays to choose among, and gammons to be lost (none are off).
fn start() -> Position {
    bearoff(&[(5, 1), (4, 1)], &[(6, 1), (3, 1)])
}

/// The means of a rollout to the end are within four standard errors of the exact value of the game as this
/// evaluator plays it.
fn check(evaluator: impl Evaluator + 'static, trials: u64) {
    let setup = setup(evaluator);
    let exact = flipped(played_value(&*setup.evaluator, &start()));
    let kinds = [LuckKind::None, LuckKind::Lookahead(None)];
    check_means(&setup, start(), exact, &kinds, &settings(trials));
}

/// As [`check`] says, for these `kinds` of luck.
fn check_means(
    setup: &Setup,
    start: Position,
    exact: [f64; 5],
    kinds: &[LuckKind],
    settings: &Settings,
) {
    for &luck in kinds {
        for rotation in [false, true] {
            let mut settings = settings.clone();
            settings.luck = luck;
            settings.dice_source = source(rotation);
            let (tally, design) = tally(setup, &[start], &settings);
            let (candidates, _) = tally.results(&design);
            let s = &candidates[0];
            for e in [s.equity, s.plain] {
                let off = (e.mean - equity(&exact)).abs();
                assert!(off < 4.0 * e.se + 1e-6, "{} {e:?}", setup.name(&settings));
            }
            for (p, x) in s.probabilities.iter().zip(exact) {
                assert!((p.mean - x).abs() < 4.0 * p.se + 1e-6, "{p:?} {x}");
            }
        }
    }
}

#[test]
fn an_exact_evaluator() {
    check(Exact::of(&[start()]), 1440);
}

#[test]
fn an_evaluator_that_is_exactly_wrong() {
    check(Backwards(Exact::of(&[start()])), 7200);
}

#[test]
fn a_rough_evaluator() {
    check(Rough { noise: 0.3 }, 7200);
}

/// Chances of the player on roll where `evaluator` chooses the plays of the next `rolls` rolls and values what
/// comes of them.
fn truncated(evaluator: &dyn Evaluator, position: &Position, rolls: u16) -> [f64; 5] {
    if rolls == 0 || position.is_over() {
        let known = evaluator.exact(position);
        let chances = known.unwrap_or_else(|| evaluator.probabilities_of(position));
        return chances.to_array().map(f64::from);
    }
    let (mut sum, mut list, mut equities) = ([0.0; 5], PlayList::new(), Vec::new());
    for roll in Roll::ALL {
        list.generate(position, roll);
        equities.resize(list.len(), 0.0);
        evaluator.equities_after(position, list.results(), &mut equities);
        let result = &list.results()[best_index(&equities)];
        let value = flipped(truncated(evaluator, result, rolls - 1));
        for (s, v) in sum.iter_mut().zip(value) {
            *s += f64::from(roll.weight()) / 36.0 * v;
        }
    }
    sum
}

/// Luck with hits, entries and dances: against all games of three rolls, from the bar among blots of both sides.
#[test]
fn a_rough_evaluator_in_contact() {
    let start = bearoff(
        &[(25, 1), (13, 1), (8, 1), (6, 2), (5, 2), (4, 1)],
        &[(18, 1), (6, 2), (5, 2), (4, 2), (3, 1), (2, 2)],
    );
    let (setup, mut settings) = (rough(), settings(7200));
    settings.horizon = Some(3);
    let exact = flipped(truncated(&*setup.evaluator, &start, 3));
    let kinds = [LuckKind::None, LuckKind::Net, LuckKind::Lookahead(Some(0))];
    check_means(&setup, start, exact, &kinds, &settings);
}

/// A horizon of one roll under rotation goes once through all rolls: the plain mean of a block is
/// the 1-ply evaluation, and so is every single variance-reduced result.
#[test]
fn a_horizon_of_one_roll_is_one_ply() {
    let setup = setup(Rough { noise: 0.3 });
    let one_ply = evaluate(&*setup.evaluator, &start(), 1, &|| false).unwrap();
    let expected = f64::from(one_ply.flipped().equity());
    let mut settings = settings(36);
    settings.horizon = Some(1);
    let mut sum = 0.0;
    for trial in 0..36 {
        let result = play_trial(&setup, start(), &settings, trial);
        sum += result.plain_equity();
        assert!((result.variance_reduced_equity() - expected).abs() < 1e-5);
    }
    assert!((sum / 36.0 - expected).abs() < 1e-5);
}

/// Play at one ply is play all the same: exact luck takes all of it out.
#[test]
fn deeper_play_has_its_luck_taken_out_too() {
    let setup = setup(Exact::of(&[start()]));
    let exact = -equity(&played_value(&*setup.evaluator, &start()));
    let mut settings = settings(36);
    settings.ply = 1;
    for trial in 0..12 {
        let result = play_trial(&setup, start(), &settings, trial);
        assert!((result.variance_reduced_equity() - exact).abs() < 1e-5);
    }
}
