//! Luck never shifts a mean, no matter what measures it.

use super::evaluators::{Backwards, Exact, Rough, equity, flipped, played_value};
use super::single::play_trial;
use super::{bearoff, settings, setup, source, tally};
use crate::eval::Evaluator;
use crate::eval::lookahead::evaluate;
use crate::game::Position;
use crate::rollout::LuckKind;

/// Two checkers against two, with plays to choose among, and gammons to be lost (none are off).
fn start() -> Position {
    bearoff(&[(5, 1), (4, 1)], &[(6, 1), (3, 1)])
}

/// The means of a rollout are within four standard errors of the exact value of the game as this
/// evaluator plays it.
fn check(evaluator: impl Evaluator + 'static, trials: u64) {
    let setup = setup(evaluator);
    let exact = flipped(played_value(&*setup.evaluator, &start()));
    for luck in [LuckKind::None, LuckKind::Lookahead(None)] {
        for rotation in [false, true] {
            let mut settings = settings(trials);
            settings.luck = luck;
            settings.dice_source = source(rotation);
            let (tally, design) = tally(&setup, &[start()], &settings);
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
