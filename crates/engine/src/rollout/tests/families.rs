//! Several plays on one stream of numbers, and the pilot that chooses how.

use super::evaluators::{Rough, equity, played_value};
use super::kinds::rough;
use super::{assert_same, bearoff, roll_out, settings, setup};
use crate::dice::PrescribedDice;
use crate::game::Position;
use crate::rollout::{
    Allocation, Coupling, Estimate, LONG, LuckKind, Pilot, RolloutError, RolloutPreset,
    RolloutResult, Settings, Standing, Status, StopReason, resume_blocking, run_blocking,
};
use std::sync::Arc;

/// Four ways to leave a bearoff, the opponent on roll in all.
fn starts() -> [Position; 4] {
    [
        &[(5, 1), (3, 1)][..],
        &[(6, 1), (2, 1)],
        &[(5, 1), (4, 1)],
        &[(6, 1), (6, 1)],
    ]
    .map(|own| bearoff(&[(6, 1), (4, 1)], own))
}

fn roll(settings: &Settings) -> RolloutResult {
    run_blocking(
        &setup(Rough { noise: 0.3 }),
        &starts(),
        settings,
        &mut |_| true,
    )
    .unwrap()
}

#[test]
fn all_differences_are_right_and_coupled() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    for coupling in [
        Coupling::None,
        Coupling::Dice,
        Coupling::Rank,
        Coupling::QUANTILE,
    ] {
        let mut settings = settings(3600);
        settings.coupling = coupling;
        settings.luck = LuckKind::None;
        let result = roll(&settings);
        let family = result.family.expect("four plays");
        assert_eq!(family.differences.len(), 6);
        for d in &family.differences {
            let case = format!("{coupling} {d:?}");
            let value = exact[d.first] - exact[d.second];
            assert!((d.equity.mean - value).abs() < 4.0 * d.equity.se, "{case}");
            assert_eq!(d.trials, 3600, "{case}");
            let half = |[low, high]: [f64; 2]| high - low;
            assert!(half(d.equity.ci95) < half(d.simultaneous_ci95), "{case}");
            assert!(
                half(d.equity.anytime95) < half(d.simultaneous_anytime95),
                "{case}"
            );
            let apart = coupling == Coupling::None;
            assert_eq!(d.correlation.abs() < 0.35, apart, "{case}");
        }
        let flipped = family.difference(2, 0).unwrap();
        let straight = family.difference(0, 2).unwrap();
        assert_eq!(flipped.equity.mean, -straight.equity.mean);
        assert_eq!(
            flipped.simultaneous_anytime95[0],
            -straight.simultaneous_anytime95[1]
        );
        let sum: f64 = result.candidates.iter().map(|s| s.p_best).sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
}

/// Two blocks are few, seventy-two trials are not: differences have intervals from their trials.
#[test]
fn short_families_have_intervals_too() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    let (mut held, mut all) = (0, 0);
    for seed in 0..300 {
        let mut settings = settings(72);
        settings.seed = seed;
        settings.coupling = Coupling::Dice;
        let result = roll(&settings);
        for d in &result.family.expect("four plays").differences {
            let value = exact[d.first] - exact[d.second];
            let [low, high] = d.equity.ci95;
            assert!(high - low < 1.5, "{d:?}");
            held += usize::from((low..=high).contains(&value));
            all += 1;
        }
    }
    // Differences of one rollout go together: the standard error is about one percent.
    let share = held as f64 / all as f64;
    assert!((0.92..0.985).contains(&share), "{share}");
}

#[test]
fn simultaneous_intervals_hold_together() {
    let setup = setup(Rough { noise: 0.3 });
    // Longer games: where results hardly ever differ no interval knows how much they might.
    let starts = [
        &[(6, 2), (5, 1), (3, 2)][..],
        &[(6, 3), (2, 1), (4, 1)],
        &[(5, 2), (4, 2), (1, 1)],
    ]
    .map(|own| bearoff(&[(6, 2), (4, 2), (2, 1)], own));
    let exact = starts.map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    let held = (0..200)
        .filter(|&seed| {
            let mut settings = settings(360);
            settings.seed = seed;
            settings.coupling = Coupling::Rank;
            settings.luck = LuckKind::Lookahead(None);
            let result = run_blocking(&setup, &starts, &settings, &mut |_| true).unwrap();
            let family = result.family.unwrap();
            family.differences.iter().all(|d| {
                let value = exact[d.first] - exact[d.second];
                let [low, high] = d.simultaneous_ci95;
                (low..=high).contains(&value)
            })
        })
        .count();
    // 95% less twice its error; Bonferroni is on the safe side.
    assert!(held >= 183, "{held}");
}

/// A race drops what is surely worse, keeps the others level, ends with the best, and is the same on
/// any number of threads.
#[test]
fn a_race_is_won_by_the_best() {
    let setup = setup(Rough { noise: 0.3 });
    let exact = starts().map(|p| -equity(&played_value(&*setup.evaluator, &p)));
    let mut settings = settings(100_000);
    settings.coupling = Coupling::Rank;
    settings.luck = LuckKind::None;
    settings.allocation = Allocation::Race;
    let result = roll(&settings);
    assert_eq!(result.status, Status::Done(StopReason::Separated));
    let family = result.family.as_ref().unwrap();
    let left: Vec<usize> = (0..4).filter(|&i| !family.beaten[i]).collect();
    let best = (0..4)
        .max_by(|&i, &j| exact[i].total_cmp(&exact[j]))
        .unwrap();
    assert_eq!(left, [best]);
    // What is called worse is seen to be.
    for worse in (0..4).filter(|&i| i != best) {
        let leader = family.leader(worse).unwrap();
        let difference = family.difference(worse, leader).unwrap();
        assert!(difference.simultaneous_anytime95[1] < 0.0, "{worse}");
    }
    assert_eq!(family.leader(best), None);
    let trials: Vec<u64> = result.candidates.iter().map(|s| s.trials).collect();
    let worst = (0..4)
        .min_by(|&i, &j| exact[i].total_cmp(&exact[j]))
        .unwrap();
    assert!(trials[worst] < trials[best], "{trials:?}");
    assert!(trials.iter().all(|t| t % 36 == 0 && *t < 100_000));
    for threads in [1, 3] {
        let again = roll_out(&setup.evaluator, &starts(), &settings, threads);
        assert_same(&again, &result);
    }
}

/// A race at the level of the verdict ends decided, also where a play was beaten by one that is out by now.
#[test]
fn a_race_that_has_a_winner_is_decided() {
    let more: [&[(usize, u8)]; 2] = [&[(6, 1), (3, 1)], &[(4, 2)]];
    let more = more.map(|own| bearoff(&[(6, 1), (4, 1)], own));
    let plays = [&starts()[..], &more].concat();
    let mut settings = settings(100_000);
    settings.allocation = Allocation::Race;
    settings.stop.separated = Some(RolloutPreset::SEPARATED);
    for seed in 1..=10 {
        settings.seed = seed;
        let result = run_blocking(&setup(Rough { noise: 0.3 }), &plays, &settings, &mut |_| {
            true
        })
        .unwrap();
        assert_eq!(result.status, Status::Done(StopReason::Separated));
        let verdict = result.verdict(&["a", "b", "c", "d", "e", "f"], &settings);
        let verdict = verdict.unwrap();
        assert_eq!(verdict.standing, Standing::Decided, "{seed}: {verdict:?}");
    }
}

/// A race by a larger error ends sooner. What has left it is beaten only if the intervals of 95% say so.
#[test]
fn a_race_by_a_larger_error_decides_no_more_than_its_intervals() {
    let mut settings = settings(100_000);
    settings.luck = LuckKind::None;
    settings.coupling = Coupling::Rank;
    settings.allocation = Allocation::Race;
    settings.stop.separated = Some(0.6);
    let mut open = 0;
    for seed in 1..=10 {
        settings.seed = seed;
        let result = roll(&settings);
        assert_eq!(result.status, Status::Done(StopReason::Separated));
        let family = result.family.unwrap();
        for (i, _) in family
            .beaten
            .iter()
            .enumerate()
            .filter(|(_, beaten)| **beaten)
        {
            let leader = family.leader(i).unwrap();
            let difference = family.difference(i, leader).unwrap();
            assert!(difference.simultaneous_anytime95[1] < 0.0, "{seed} {i}");
        }
        open += family.beaten.iter().filter(|beaten| !**beaten).count();
    }
    assert!(open > 10, "{open}");
}

/// A race ends at an error that those reach which are still in it.
#[test]
fn an_error_is_not_waited_for_of_who_has_lost_the_race() {
    let mut settings = settings(1_000_000);
    settings.luck = LuckKind::None;
    settings.coupling = Coupling::Rank;
    settings.allocation = Allocation::Race;
    settings.stop.separated = Some(0.999_99);
    let errors = |settings: &Settings| {
        let result = roll(settings);
        let errors = result.candidates.iter().map(|c| c.equity.se);
        let mut errors: Vec<f64> = errors.collect();
        errors.sort_by(f64::total_cmp);
        (errors, result.status)
    };
    // Two go on to the end; shortly before it their errors are a little larger.
    let most = 1.05 * errors(&settings).0[1];
    settings.stop.standard_error = Some(most);
    let (errors, status) = errors(&settings);
    assert_eq!(
        status,
        Status::Done(StopReason::StandardError),
        "{errors:?}"
    );
    assert!(errors[1] <= most && most < errors[2], "{most} {errors:?}");
}

/// The figures of a difference come from all trials that both plays have, however many plays a race has dropped
/// before.
/// They are the same as if those two were the only plays.
#[test]
fn a_race_compares_trial_by_trial_to_its_end() {
    let mut settings = settings(100_000);
    settings.coupling = Coupling::Rank;
    settings.luck = LuckKind::None;
    settings.allocation = Allocation::Race;
    let race = roll(&settings);
    let family = race.family.as_ref().unwrap();
    let mut counts: Vec<u64> = race.candidates.iter().map(|c| c.trials).collect();
    counts.sort_unstable();
    assert!(counts[0] < counts[1] && counts[3] < 100_000, "{counts:?}");
    settings.allocation = Allocation::Equal;
    for d in &family.differences {
        settings.stop.trials = d.trials;
        let equal = roll(&settings).family.unwrap();
        let same = equal.difference(d.first, d.second).unwrap();
        let known = |e: Estimate| (e.mean, e.se, e.anytime95);
        assert_eq!(known(d.equity), known(same.equity));
        assert_eq!(d.correlation, same.correlation);
        assert_eq!(d.simultaneous_anytime95, same.simultaneous_anytime95);
    }
}

/// Gone on with on this thread, a rollout ends as if it had never stopped, and its seconds go on.
#[test]
fn a_rollout_on_this_thread_is_gone_on_with() {
    let setup = setup(Rough { noise: 0.3 });
    for allocation in [Allocation::Equal, Allocation::Adaptive, Allocation::Race] {
        let mut settings = settings(1440);
        settings.luck = LuckKind::None;
        settings.allocation = allocation;
        let whole = roll(&settings);
        let mut cut = None;
        run_blocking(&setup, &starts(), &settings, &mut |look| {
            cut = Some(look.progress());
            look.trials() < 360
        })
        .unwrap();
        let mut cut = cut.unwrap();
        // A round of a race may have fewer than four blocks.
        assert!((360..396).contains(&cut.trials()), "{}", cut.trials());
        // Several threads have shared the work.
        (cut.seconds, cut.cpu_seconds) = (1e5, 1e6);
        let mut last = None;
        let resumed = resume_blocking(&setup, cut, &mut |look| {
            last = Some(look.progress());
            true
        })
        .unwrap();
        let ended = |result: &RolloutResult| (result.candidates.clone(), result.status);
        assert_eq!(ended(&resumed), ended(&whole), "{allocation:?}");
        // As text: correlations that cannot be told are no numbers.
        let family = |result: &RolloutResult| format!("{:?}", result.family);
        assert_eq!(family(&resumed), family(&whole), "{allocation:?}");
        let last = last.unwrap();
        // What is done already is not gone on with.
        let again = resume_blocking(&setup, last.clone(), &mut |_| unreachable!()).unwrap();
        assert_eq!(ended(&again), ended(&whole), "{allocation:?}");
        for times in [
            [resumed.seconds, resumed.cpu_seconds],
            [last.seconds, last.cpu_seconds],
        ] {
            assert!((1e5..2e5).contains(&times[0]), "{times:?}");
            assert!((1e6..2e6).contains(&times[1]), "{times:?}");
        }
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let refused = |candidates: usize, change: &dyn Fn(&mut Settings)| {
        let mut settings = settings(36);
        change(&mut settings);
        let setup = setup(Rough { noise: 0.3 });
        run_blocking(&setup, &starts()[..candidates], &settings, &mut |_| true).unwrap_err()
    };
    assert_eq!(
        refused(3, &|s| s.coupling = Coupling::HYBRID),
        RolloutError::CouplingForTwo {
            coupling: Coupling::HYBRID,
            given: 3
        }
    );
    assert_eq!(
        refused(1, &|s| s.coupling = Coupling::Rank),
        RolloutError::RanksNeedTwo { given: 1 }
    );
    let own = |coupling| {
        move |s: &mut Settings| {
            s.coupling = coupling;
            s.ranks.own_ties = true;
        }
    };
    assert_eq!(refused(3, &own(Coupling::Rank)), RolloutError::OwnTies);
    assert_eq!(refused(2, &own(Coupling::QUANTILE)), RolloutError::OwnTies);
    assert_eq!(
        refused(2, &|s| {
            s.coupling = Coupling::Rank;
            s.ranks.by = LuckKind::None;
        }),
        RolloutError::RanksByNothing
    );
    assert!(matches!(
        refused(2, &|s| {
            s.coupling = Coupling::Rank;
            s.ranks.by = LuckKind::Net;
        }),
        RolloutError::NoLuckNet { .. }
    ));
    assert_eq!(
        refused(2, &|s| {
            s.coupling = Coupling::None;
            s.end_when_coalesced = true;
        }),
        RolloutError::NeverCoalesced
    );
    assert_eq!(
        refused(2, &|s| s.allocation = Allocation::Race),
        RolloutError::AdaptiveNeedsThree { given: 2 }
    );
}

/// Where lookahead measures the luck, a comparison of usual length takes the same dice and tries nothing;
/// a long one, or one with other luck, has a pilot.
#[test]
fn experience_chooses_unless_a_pilot_pays() {
    let setup = rough();
    let choose = |luck, trials| {
        let mut settings = settings(trials);
        settings.luck = luck;
        Pilot::choose(&setup, &starts()[..2], &settings, &|| false).unwrap()
    };
    let known = choose(LuckKind::Lookahead(None), 72);
    assert!(known.is_experience() && known.cost == 0.0);
    assert_eq!(known.settings.coupling, Coupling::Dice);
    assert_eq!(known.settings.luck, LuckKind::Lookahead(Some(0)));
    assert!(!choose(LuckKind::Lookahead(None), LONG).is_experience());
    assert!(!choose(LuckKind::None, 72).is_experience());
}

/// Rolls from a file are the same for all plays, and a pilot would play the games that are counted later.
#[test]
fn nothing_is_tried_on_rolls_from_a_file() {
    let mut setup = rough();
    let dice = Arc::new(PrescribedDice::parse(&"31 66 42\n".repeat(72), false).unwrap());
    setup.prescribed_dice = Some(Arc::clone(&dice));
    let mut settings = settings(72);
    settings.dice_source = dice.source();
    settings.luck = LuckKind::Net;
    for choose in [Pilot::choose, Pilot::run] {
        let pilot = choose(&setup, &starts()[..2], &settings, &|| false).unwrap();
        assert!(pilot.is_experience());
        let Settings { coupling, luck, .. } = pilot.settings;
        assert_eq!((coupling, luck), (Coupling::Dice, LuckKind::Net));
        assert!(run_blocking(&setup, &starts()[..2], &pilot.settings, &mut |_| true).is_ok());
    }
}

/// The pilot does not try settings that a rollout would refuse, however promising.
#[test]
fn the_pilot_tries_only_what_can_be_rolled_out() {
    let setup = rough();
    let tried = |change: &dyn Fn(&mut Settings)| {
        let mut settings = settings(72);
        change(&mut settings);
        let pilot = Pilot::run(&setup, &starts()[..2], &settings, &|| false).unwrap();
        let chosen = run_blocking(&setup, &starts()[..2], &pilot.settings, &mut |_| true);
        assert!(chosen.is_ok(), "{chosen:?}");
        pilot.tried
    };
    let bounded = tried(&|s| s.luck_bound = Some(2.0));
    assert!(bounded.iter().all(|t| t.luck != LuckKind::None));
    assert!(bounded.iter().any(|t| t.coupling.is_ranked()));
    let initial = tried(&|s| s.initial = true);
    assert!(initial.iter().all(|t| t.coupling == Coupling::Dice));
    let unranked = tried(&|s| (s.luck, s.ranks.by) = (LuckKind::None, LuckKind::None));
    assert!(unranked.iter().all(|t| t.coupling == Coupling::Dice));
}

/// The pilot is the same every time, leaves named luck alone, chooses the least figure of those it
/// tried, and its choice is one that can be rolled out.
#[test]
fn the_pilot_chooses_and_repeats_itself() {
    let setup = rough();
    for (k, luck) in [(2, LuckKind::Auto), (2, LuckKind::None), (4, LuckKind::Net)] {
        let mut settings = settings(72);
        settings.luck = luck;
        let pilot =
            |settings: &Settings| Pilot::run(&setup, &starts()[..k], settings, &|| false).unwrap();
        let first = pilot(&settings);
        assert_eq!(first, pilot(&settings));
        let figures: Vec<f64> = first.tried.iter().map(|t| t.figure()).collect();
        assert!(figures.is_sorted(), "{figures:?}");
        assert!(first.tried.len() >= 3 && first.cost > 0.0);
        let best = &first.tried[0];
        assert_eq!(first.settings.coupling, best.coupling);
        assert_eq!(first.settings.luck, best.luck);
        if luck != LuckKind::Auto {
            assert!(first.tried.iter().all(|t| t.luck == luck));
        }
        assert_eq!(first.settings.seed, settings.seed);
        assert_eq!(first.settings.stop, settings.stop);
        let result = run_blocking(&setup, &starts()[..k], &first.settings, &mut |_| true);
        assert_eq!(result.unwrap().candidates[0].trials, 72);
        // Another seed, other trials; the settings asked for are kept.
        settings.seed = 2;
        assert_ne!(pilot(&settings).tried, first.tried);
    }
    let one = Pilot::choose(&setup, &starts()[..1], &settings(72), &|| false);
    assert_eq!(one, Err(RolloutError::OnePlay));
}
