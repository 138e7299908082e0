//! Coupled dice: each candidate stays fair, and the difference gains.

use super::coverage::check_every_block;
use super::evaluators::{Rough, equity, played_value};
use super::kinds::rough;
use super::{bearoff, settings, setup, source, tally};
use crate::game::Position;
use crate::rollout::{CandidateResult, Coupling, DifferenceResult, ErrorMethod, LuckKind};

/// Every way to couple two candidates.
pub(super) const COUPLINGS: [Coupling; 8] = [
    Coupling::None,
    Coupling::Dice,
    Coupling::Rank,
    Coupling::QUANTILE,
    Coupling::Quantile { step: 1 },
    Coupling::HYBRID,
    Coupling::Hybrid { within: 3 },
    Coupling::NEAR,
];

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
) -> (Vec<CandidateResult>, DifferenceResult) {
    let mut settings = settings(trials);
    settings.coupling = coupling;
    settings.luck = luck;
    settings.dice_source = source(rotation);
    let (tally, design) = tally(&setup(Rough { noise: 0.3 }), &starts(), &settings);
    let (candidates, difference) = tally.results(&design);
    (candidates, difference.unwrap())
}

#[test]
fn each_candidate_and_the_difference_are_right_whatever_couples_them() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for coupling in COUPLINGS {
        for luck in [LuckKind::None, LuckKind::Lookahead(None)] {
            for rotation in [false, true] {
                let (candidates, d) = roll(coupling, luck, rotation, 3600);
                let case = format!("{coupling:?} {luck:?} {rotation}");
                for (s, x) in candidates.iter().zip(exact) {
                    for e in [s.equity, s.plain] {
                        assert!((e.mean - x).abs() < 4.0 * e.se, "{case} {e:?} {x}");
                    }
                }
                let off = (d.equity.mean - (exact[0] - exact[1])).abs();
                assert!(off < 4.0 * d.equity.se, "{case} {d:?}");
                let direct = candidates[0].equity.mean - candidates[1].equity.mean;
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
    assert_eq!(none.error_method, ErrorMethod::Combined);
    assert!((none.equivalent_trials / 7200.0 - 1.0).abs() < 1e-6);
    let gain = (1.0 - rank.plain_correlation).recip();
    assert!((rank.equivalent_trials / 7200.0 / gain - 1.0).abs() < 0.2);
}

/// Candidates that are the same from the beginning stay coalesced: no difference, without error.
#[test]
fn equal_plays_do_not_differ() {
    for coupling in &COUPLINGS[1..] {
        let coupling = *coupling;
        let mut settings = settings(360);
        settings.coupling = coupling;
        let start = starts()[0];
        let (tally, design) = tally(&setup(Rough { noise: 0.3 }), &[start, start], &settings);
        let (candidates, difference) = tally.results(&design);
        let d = difference.unwrap();
        assert_eq!((d.equity.mean, d.equity.se), (0.0, 0.0));
        assert_eq!(d.error_method, ErrorMethod::Exact);
        assert!((d.correlation - 1.0).abs() < 1e-9);
        assert_eq!(candidates[0].equity, candidates[1].equity);
        assert_eq!([candidates[0].p_best, candidates[1].p_best], [0.5, 0.5]);
        assert_eq!(d.coalesced, 360);
        assert!(candidates[0].plain.se > 0.0);
    }
}

/// Two plays whose games have never ended differently may still do so: the interval says how often and
/// how much, and the chance to be the best is not certain.
#[test]
fn what_has_never_differed_may_differ() {
    let mut settings = settings(72);
    settings.luck = LuckKind::None;
    settings.stop_at_known = false;
    settings.dice_source = source(false);
    // The opponent wins now or never, whichever it was.
    let two = [1, 2].map(|point| bearoff(&[(6, 1), (5, 1)], &[(point, 1)]));
    let (tally, design) = tally(&setup(Rough { noise: 0.0 }), &two, &settings);
    let (candidates, difference) = tally.results(&design);
    let d = difference.unwrap();
    assert!(candidates[0].equity.se > 0.0 && candidates[0].p_best == 0.5);
    assert_eq!(
        (d.equity.mean, d.error_method),
        (0.0, ErrorMethod::Constant)
    );
    let [low, high] = d.equity.ci95;
    assert!(low < -0.1 && high > 0.1 && high < 0.5, "{low} {high}");
}

/// Rotated ranks: in each block of 36 every first rank comes once, so that the first roll is no
/// source of error for either candidate.
#[test]
fn rotating_the_rank_helps() {
    let with = roll(Coupling::Rank, LuckKind::None, true, 7200).0;
    let without = roll(Coupling::Rank, LuckKind::None, false, 7200).0;
    for (w, o) in with.iter().zip(&without) {
        assert_eq!(w.error_method, ErrorMethod::Stratified);
        assert!(w.plain.se < 0.95 * o.plain.se, "{w:?} {o:?}");
    }
}

/// The intervals of the difference hold as often as they say.
#[test]
fn intervals_of_the_difference_are_honest() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for coupling in COUPLINGS {
        let held = (0..1000)
            .filter(|&seed| {
                let mut settings = settings(108);
                settings.seed = seed;
                settings.coupling = coupling;
                settings.luck = LuckKind::None;
                let (tally, design) = tally(&setup, &starts(), &settings);
                let [lo, hi] = tally.results(&design).1.unwrap().equity.ci95;
                (lo..=hi).contains(&(exact[0] - exact[1]))
            })
            .count();
        // Standard error of 95% in 1000 runs: 0.7%. Where the two mostly give the same, differences
        // are few and the interval is cautious.
        assert!((930..=985).contains(&held), "{coupling:?} {held}");
    }
}

/// A user who looks at the difference after every block: its anytime interval holds as often as it says.
#[test]
fn looking_at_the_difference_after_every_block() {
    let setup = setup(Rough { noise: 0.3 });
    let [first, second] = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for coupling in [Coupling::None, Coupling::Dice, Coupling::Rank] {
        let mut settings = settings(720);
        (settings.coupling, settings.luck) = (coupling, LuckKind::None);
        check_every_block(&setup, &starts(), &settings, first - second, |(_, both)| {
            both.unwrap().equity
        });
    }
}

/// The luck that ranks rolls is independent of the luck that is subtracted: any order is right.
#[test]
fn ranks_by_anything_leave_every_candidate_right() {
    let setup = rough();
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for luck in [LuckKind::None, LuckKind::Net, LuckKind::Lookahead(Some(0))] {
        for by in [
            LuckKind::Net,
            LuckKind::Lookahead(Some(0)),
            LuckKind::Lookahead(Some(1)),
        ] {
            let mut settings = settings(1800);
            settings.coupling = Coupling::Rank;
            settings.luck = luck;
            settings.ranks.by = by;
            let (tally, design) = tally(&setup, &starts(), &settings);
            let (candidates, d) = tally.results(&design);
            let case = format!("{luck} {by}");
            for (s, x) in candidates.iter().zip(exact) {
                assert!(
                    (s.equity.mean - x).abs() < 4.0 * s.equity.se,
                    "{case} {x} {s:?}"
                );
            }
            let d = d.unwrap();
            assert!(d.plain_correlation > 0.3, "{case} {d:?}");
        }
    }
    // By default they are made by the luck that is subtracted.
    let by = |luck| {
        let mut settings = settings(36);
        (settings.coupling, settings.luck) = (Coupling::Rank, luck);
        settings.resolved(&setup).ranks.by
    };
    assert_eq!(by(LuckKind::None), LuckKind::Net);
    assert_eq!(by(LuckKind::Lookahead(None)), LuckKind::Lookahead(Some(0)));
}

/// Koca's own tie-break: right as well, and candidates that have coalesced may part again.
#[test]
fn ties_of_their_own() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    let with = |own_ties| {
        let mut settings = settings(3600);
        settings.coupling = Coupling::Rank;
        settings.ranks.own_ties = own_ties;
        settings.luck = LuckKind::None;
        let (tally, design) = tally(&setup, &starts(), &settings);
        let (candidates, d) = tally.results(&design);
        for (s, x) in candidates.iter().zip(exact) {
            assert!((s.equity.mean - x).abs() < 4.0 * s.equity.se, "{x} {s:?}");
        }
        d.unwrap()
    };
    let (shared, own) = (with(false), with(true));
    assert_eq!(own.coalesced, 0);
    assert!(shared.coalesced > 0);
    assert!(shared.plain_correlation >= own.plain_correlation - 0.02);
}

/// A trial that ends where the candidates coalesce has the same difference as one that is played on.
#[test]
fn the_difference_needs_no_more_once_the_candidates_have_met() {
    for coupling in [Coupling::Dice, Coupling::Rank, Coupling::HYBRID] {
        let with = |end_when_coalesced| {
            let mut settings = settings(720);
            settings.coupling = coupling;
            settings.luck = LuckKind::Lookahead(None);
            settings.end_when_coalesced = end_when_coalesced;
            let (tally, design) = tally(&setup(Rough { noise: 0.3 }), &starts(), &settings);
            tally.results(&design).1.unwrap()
        };
        let (on, ended) = (with(false), with(true));
        assert!(
            on.coalesced > 0 && on.coalesced == ended.coalesced,
            "{on:?}"
        );
        assert!((on.equity.mean - ended.equity.mean).abs() < 1e-9);
        assert!((on.equity.se - ended.equity.se).abs() < 1e-9);
        assert!(on.plain_correlation != ended.plain_correlation);
    }
}

/// Of such trials the candidates' own results are the evaluator's opinion: none is given, in figures, in
/// the history, or in the scatter plot.
#[test]
fn plays_have_no_equities_where_trials_end_early() {
    let with = |end_when_coalesced| {
        let mut settings = settings(720);
        settings.luck = LuckKind::Lookahead(None);
        settings.end_when_coalesced = end_when_coalesced;
        let setup = setup(Rough { noise: 0.3 });
        crate::rollout::run_blocking(&setup, &starts(), &settings, &mut |_| true).unwrap()
    };
    let (on, ended) = (with(false), with(true));
    for (candidate, full) in ended.candidates.iter().zip(&on.candidates) {
        assert_eq!(candidate.error_method, ErrorMethod::NotEstimated);
        let estimates = [candidate.equity, candidate.plain];
        for e in estimates.iter().chain(&candidate.probabilities) {
            assert!(e.mean.is_nan() && e.se == f64::INFINITY);
            assert!(e.ci95[0] == f64::NEG_INFINITY && e.anytime95[1] == f64::INFINITY);
        }
        assert!(candidate.extremes.is_empty() && candidate.nonasymptotic95.is_none());
        assert_eq!(
            (candidate.trials, candidate.p_best),
            (full.trials, full.p_best)
        );
    }
    assert!(ended.scatter.is_empty() && ended.history[..2].iter().all(Vec::is_empty));
    let last = |r: &crate::rollout::RolloutResult| r.history[2].last().map(|p| (p.trials, p.mean));
    assert_eq!(last(&on).map(|l| l.0), last(&ended).map(|l| l.0));
    assert!((last(&on).unwrap().1 - last(&ended).unwrap().1).abs() < 1e-9);
}

/// Each candidate's luck is scaled by its own sum, also where the rest of two games is played once: no
/// trial of either leaves the bound.
#[test]
fn luck_of_both_candidates_stays_within_its_bound() {
    let bound = 0.3;
    let mut setup = setup(Rough { noise: 0.3 });
    setup.keep_trials = true;
    for cube in [None, Some(cubeful())] {
        let mut settings = settings(720);
        settings.luck = LuckKind::Lookahead(None);
        settings.luck_bound = Some(bound);
        settings.cube = cube;
        let mut records = Vec::new();
        crate::rollout::run_blocking(&setup, &starts(), &settings, &mut |look| {
            records = look.records.to_vec();
            true
        })
        .unwrap();
        let luck: Vec<f64> = records
            .iter()
            .map(|r| r.exported())
            .map(|t| (t.plain - t.variance_reduced).abs())
            .collect();
        let most = luck.iter().copied().fold(0.0, f64::max);
        assert!(most <= bound + 1e-9, "{most}");
        // And is not scaled for nothing.
        let at = |rest: usize| {
            luck.iter()
                .skip(rest)
                .step_by(2)
                .filter(|l| **l > 0.99 * bound)
        };
        assert!(at(0).count() > 10 && at(1).count() > 10);
        assert!(records.iter().any(|r| r.has_coalesced()));
    }
}

/// Money play on a cube that may be turned twice.
fn cubeful() -> crate::rollout::CubeSettings {
    let state = crate::game::GameState::money(starts()[0]);
    crate::rollout::CubeSettings {
        cap: 4,
        ..crate::rollout::CubeSettings::after_play(&state)
    }
}

/// The same player is on roll in both candidates at every turn, one who cannot move included, and a
/// candidate that goes on alone has ordinary dice: all that is seen of a pair turn by turn.
#[test]
fn candidates_are_never_out_of_step() {
    let setup = setup(Rough { noise: 0.3 });
    // Two on the bar against a closed board, and against one with a point open.
    let closed = [(6, 2), (5, 2), (4, 2), (3, 2), (2, 2), (1, 2), (8, 3)];
    let open = [(6, 2), (5, 2), (4, 2), (3, 2), (2, 2), (13, 2), (8, 3)];
    let opponent = [(25, 2), (6, 4), (5, 4), (4, 3), (3, 2)];
    let start = |mover: &[(usize, u8)]| Position::from_points(&opponent, mover).unwrap();
    let starts = [start(&closed), start(&open)];
    for coupling in COUPLINGS {
        let mut settings = settings(36);
        settings.coupling = coupling;
        settings.luck = LuckKind::Lookahead(None);
        for trial in 0..6 {
            let replay = crate::rollout::replay(&setup, &starts, &settings, trial).unwrap();
            let turns = |candidate: u16| {
                let own = replay
                    .turns
                    .iter()
                    .filter(move |t| t.candidate == candidate);
                own.map(|t| t.own).collect::<Vec<_>>()
            };
            for candidate in [0, 1] {
                for (i, own) in turns(candidate).iter().enumerate() {
                    assert_eq!(*own, i % 2 == 1, "{coupling} {trial} {candidate} {i}");
                }
            }
            assert_ne!(turns(0).len() + turns(1).len(), 0);
        }
    }
}
