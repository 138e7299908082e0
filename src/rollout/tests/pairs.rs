//! Coupled dice: each strand stays fair, and the difference gains.

use super::evaluators::{Rough, equity, played_value};
use super::{bearoff, settings, setup, source, tally};
use crate::game::Position;
use crate::rollout::{Coupling, DifferenceResult, ErrorMethod, LuckKind, StrandResult};

/// Two ways to leave a bearoff, the opponent on roll in both.
fn starts() -> [Position; 2] {
    [
        bearoff(&[(6, 1), (4, 1)], &[(5, 1), (3, 1)]),
        bearoff(&[(6, 1), (4, 1)], &[(6, 1), (2, 1)]),
    ]
}

fn roll(
    coupling: Coupling,
    luck: LuckKind,
    rotation: bool,
    trials: u64,
) -> (Vec<StrandResult>, DifferenceResult) {
    let mut settings = settings(trials);
    settings.coupling = coupling;
    settings.luck = luck;
    settings.dice = source(rotation);
    let (tally, frame) = tally(&setup(Rough { noise: 0.3 }), &starts(), &settings);
    let (strands, difference) = tally.results(&frame);
    (strands, difference.unwrap())
}

#[test]
fn each_strand_and_the_difference_are_right_whatever_couples_them() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for coupling in [Coupling::None, Coupling::Dice, Coupling::Rank] {
        for luck in [LuckKind::None, LuckKind::Full(None)] {
            for rotation in [false, true] {
                let (strands, d) = roll(coupling, luck, rotation, 3600);
                let case = format!("{coupling:?} {luck:?} {rotation}");
                for (s, x) in strands.iter().zip(exact) {
                    for e in [s.equity, s.plain] {
                        assert!((e.mean - x).abs() < 4.0 * e.se, "{case} {e:?} {x}");
                    }
                }
                let off = (d.equity.mean - (exact[0] - exact[1])).abs();
                assert!(off < 4.0 * d.equity.se, "{case} {d:?}");
                let direct = strands[0].equity.mean - strands[1].equity.mean;
                assert!((d.equity.mean - direct).abs() < 1e-9, "{case}");
                assert_eq!(d.trials, 3600);
            }
        }
    }
}

#[test]
fn matched_ranks_beat_equal_dice_and_these_beat_none() {
    let plain = |coupling| roll(coupling, LuckKind::None, false, 7200).1;
    let none = plain(Coupling::None);
    let dice = plain(Coupling::Dice);
    let rank = plain(Coupling::Rank);
    assert!(none.plain_correlation.abs() < 0.05, "{none:?}");
    assert!(dice.plain_correlation > 0.3, "{dice:?}");
    assert!(rank.plain_correlation > 0.3, "{rank:?}");
    assert!(none.equity.se > dice.equity.se && none.equity.se > rank.equity.se);
    // Without coupling, reduction or rotation a pair is worth what it is.
    assert_eq!(none.errors, ErrorMethod::Combined);
    assert!((none.equivalent_trials / 7200.0 - 1.0).abs() < 1e-6);
    let gain = (1.0 - rank.plain_correlation).recip();
    assert!((rank.equivalent_trials / 7200.0 / gain - 1.0).abs() < 0.2);
}

/// Strands that stand alike from the beginning stay together: no difference, without error.
#[test]
fn equal_plays_do_not_differ() {
    for coupling in [Coupling::Dice, Coupling::Rank] {
        let mut settings = settings(360);
        settings.coupling = coupling;
        let start = starts()[0];
        let (tally, frame) = tally(&setup(Rough { noise: 0.3 }), &[start, start], &settings);
        let (strands, difference) = tally.results(&frame);
        let d = difference.unwrap();
        assert_eq!((d.equity.mean, d.equity.se), (0.0, 0.0));
        assert_eq!(d.errors, ErrorMethod::Exact);
        assert!((d.correlation - 1.0).abs() < 1e-9);
        assert_eq!(strands[0].equity, strands[1].equity);
        assert_eq!([strands[0].p_best, strands[1].p_best], [0.5, 0.5]);
        assert!(strands[0].plain.se > 0.0);
    }
}

/// Rotated ranks: in each block of 36 every first rank comes once, so that the first roll is no
/// source of error for either strand.
#[test]
fn rotating_the_rank_helps() {
    let with = roll(Coupling::Rank, LuckKind::None, true, 7200).0;
    let without = roll(Coupling::Rank, LuckKind::None, false, 7200).0;
    for (w, o) in with.iter().zip(&without) {
        assert_eq!(w.errors, ErrorMethod::Stratified);
        assert!(w.plain.se < 0.95 * o.plain.se, "{w:?} {o:?}");
    }
}

/// The intervals of the difference hold as often as they say.
#[test]
fn intervals_of_the_difference_are_honest() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for coupling in [Coupling::None, Coupling::Dice, Coupling::Rank] {
        let held = (0..1000)
            .filter(|&seed| {
                let mut settings = settings(108);
                settings.seed = seed;
                settings.coupling = coupling;
                settings.luck = LuckKind::None;
                let (tally, frame) = tally(&setup, &starts(), &settings);
                let [lo, hi] = tally.results(&frame).1.unwrap().equity.ci95;
                (lo..=hi).contains(&(exact[0] - exact[1]))
            })
            .count();
        // Standard error of 95% in 1000 runs: 0.7%.
        assert!((930..=970).contains(&held), "{coupling:?} {held}");
    }
}
