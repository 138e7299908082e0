//! Candidates that hardly ever vary, that are known exactly, that are many: all are compared alike.

use std::sync::Arc;

use crate::eval::{Engine, Evaluator};
use crate::game::{PlayList, Position};
use crate::notation::{parse_id, parse_play};
use crate::rollout::{
    Allocation, Coupling, ErrorMethod, Estimate, LuckKind, RolloutPreset, RolloutResult, Settings,
    Setup, Standing, Status, StopReason, run_blocking,
};

fn engine() -> Setup {
    Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>)
}

/// Positions after all plays of a roll, and their equities, exact where they are known; the best first.
fn plays(setup: &Setup, id: &str, roll: [u8; 2]) -> (Vec<Position>, Vec<f64>) {
    let position = parse_id(id).unwrap().position;
    let roll = crate::game::Roll::new(roll[0], roll[1]).unwrap();
    let list = PlayList::of(&position, roll);
    let exact = |p: &Position| -f64::from(setup.evaluator.probabilities_of(p).equity());
    let mut all: Vec<_> = list.results().iter().map(|p| (*p, exact(p))).collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.into_iter().unzip()
}

/// Plain trials, played out though the answers are known.
fn plain(trials: u64, allocation: Allocation) -> Settings {
    let mut settings = Settings {
        luck: LuckKind::None,
        stop_at_known: false,
        allocation,
        ..Settings::default()
    };
    settings.stop.trials = trials;
    settings
}

fn roll(setup: &Setup, candidates: &[Position], settings: &Settings) -> RolloutResult {
    run_blocking(setup, candidates, settings, &mut |_| true).unwrap()
}

/// Two plays that hardly ever lose, .003 apart, and one that is worse.
fn rarely_lost(setup: &Setup) -> (Vec<Position>, Vec<f64>) {
    let (all, exact) = plays(setup, "2AYAgCYAAAAAAA", [1, 1]);
    let last = all.len() - 1;
    assert!(
        exact[0] > 0.99 && exact[last] < exact[0] - 0.02,
        "{exact:?}"
    );
    (
        vec![all[0], all[1], all[last]],
        vec![exact[0], exact[1], exact[last]],
    )
}

/// Under adaptive allocation a play that never varied used to get no more trials, and to be taken for
/// certain: the second best was named best, and plays .02 apart were too close to matter.
#[test]
fn plays_that_never_varied_are_not_certain() {
    let setup = engine();
    let (starts, exact) = rarely_lost(&setup);
    for allocation in [Allocation::Adaptive, Allocation::Race, Allocation::Equal] {
        let (mut wrong, mut close) = (0, 0);
        for seed in 1..=60 {
            let mut settings = plain(3600, allocation);
            settings.seed = seed;
            settings.stop.separated = Some(0.95);
            let result = roll(&setup, &starts, &settings);
            let mean = |i: usize| result.candidates[i].equity.mean;
            let best = (0..3).max_by(|&i, &j| mean(i).total_cmp(&mean(j))).unwrap();
            let named = result.status == Status::Done(StopReason::Separated);
            wrong += u32::from(named && exact[best] < exact[0]);
            settings.stop.separated = None;
            settings.stop.equivalent = Some(0.001);
            let result = roll(&setup, &starts, &settings);
            close += u32::from(result.status == Status::Done(StopReason::Equivalent));
        }
        // Three of sixty would be five percent.
        assert!(wrong <= 3 && close <= 3, "{allocation:?} {wrong} {close}");
    }
}

/// More plays than are compared with each other have the same guarantees.
#[test]
fn many_plays_that_never_varied_are_not_certain() {
    let setup = engine();
    let (starts, exact) = plays(&setup, "/LUBACCrAAAAAA", [1, 1]);
    let [starts, last] = [&starts[..18], &starts[17..18]];
    assert!(exact[0] - exact[17] > 1e-3, "{last:?} {exact:?}");
    let mut close = 0;
    for seed in 1..=20 {
        let mut settings = plain(720, Allocation::Equal);
        settings.seed = seed;
        settings.stop.equivalent = Some(0.0001);
        let result = roll(&setup, starts, &settings);
        assert!(result.family.is_none());
        close += u32::from(result.status == Status::Done(StopReason::Equivalent));
    }
    assert!(close <= 1, "{close}");
}

/// A play that lost every trial had a chance of 19.6% to be better than one that won some.
#[test]
fn a_play_that_always_lost_is_hardly_the_best() {
    let setup = engine();
    let (starts, _) = plays(&setup, "EAAAgAAACAAAAA", [2, 1]);
    // A million trials of each say so.
    let values = [-0.9788, -0.9864, -0.9962];
    let mut settings = plain(3000, Allocation::Adaptive);
    settings.seed = 5;
    settings.stop.equivalent = Some(0.005);
    let result = roll(&setup, &starts, &settings);
    for (candidate, value) in result.candidates.iter().zip(values) {
        let [low, high] = candidate.equity.anytime95;
        assert!(low <= value && value <= high, "{value} {candidate:?}");
        if candidate.error_method == ErrorMethod::Constant {
            assert!(candidate.p_best < 0.02, "{candidate:?}");
            // It got its share of the trials.
            assert!(candidate.trials > 500, "{candidate:?}");
        }
    }
    assert!(
        result.candidates[0].p_best > 0.6,
        "{:?}",
        result.candidates[0]
    );
}

/// Of plays that are known exactly the difference is, in a family as in a pair; and an unknown one is no
/// less certain for being compared with them.
#[test]
fn known_plays_do_not_widen() {
    let setup = engine();
    let far = Position::from_points(&[(6, 3), (5, 3), (4, 2)], &[(6, 3), (5, 2), (3, 2)]).unwrap();
    assert!(setup.evaluator.exact(&far).is_none());
    let [a, b, c, _] = four();
    let exact = [a, b, c].map(|p| -f64::from(setup.evaluator.exact(&p).unwrap().equity()));
    let four = [a, b, c, far];
    for allocation in [Allocation::Equal, Allocation::Adaptive] {
        let settings = Settings {
            stop_at_known: true,
            ..plain(720, allocation)
        };
        let result = roll(&setup, &four, &settings);
        let family = result.family.unwrap();
        let width = |[low, high]: [f64; 2]| high - low;
        let own = result.candidates[3].equity;
        for d in &family.differences {
            if d.second == 3 {
                assert!(
                    (width(d.equity.ci95) - width(own.ci95)).abs() < 1e-12,
                    "{d:?}"
                );
                continue;
            }
            let difference = exact[d.first] - exact[d.second];
            let known = Estimate {
                mean: d.equity.mean,
                se: 0.0,
                ci95: [d.equity.mean; 2],
                anytime95: [d.equity.mean; 2],
            };
            assert_eq!(d.equity, known);
            assert_eq!(d.simultaneous_anytime95, known.ci95);
            assert!((d.equity.mean - difference).abs() < 1e-6, "{d:?}");
        }
    }
}

/// Where the first roll decides, all of them have been seen: that no trial with the same first roll
/// ever differed says that none can.
#[test]
fn plays_that_the_first_roll_decides_are_certain() {
    let setup = engine();
    let (starts, _) = rarely_lost(&setup);
    let width = |[low, high]: [f64; 2]| high - low;
    for (horizon, is_certain) in [(Some(1), true), (None, false)] {
        let mut settings = plain(360, Allocation::Equal);
        settings.horizon = horizon;
        let certain = |e: &Estimate| width(e.ci95) < 1e-9 && width(e.anytime95) < 1e-9;
        let pair = roll(&setup, &starts[..2], &settings);
        assert!(
            pair.candidates.iter().all(|s| certain(&s.equity)) == is_certain,
            "{horizon:?}: {:?}",
            pair.candidates.iter().map(|s| s.equity).collect::<Vec<_>>()
        );
        assert_eq!(certain(&pair.difference.unwrap().equity), is_certain);
    }
}

/// Two close bearoffs, one that is a little worse, and one that is lost.
fn four() -> [Position; 4] {
    let own: [&[(usize, u8)]; 4] = [&[(6, 2)], &[(3, 2), (1, 2)], &[(6, 2), (3, 1)], &[(6, 9)]];
    let opponent = [(5, 1), (4, 1), (2, 1)];
    own.map(|own| Position::from_points(&opponent, own).unwrap())
}

#[test]
fn adaptive_candidates_are_compared_by_their_own_means() {
    let result = roll(
        &engine(),
        &four(),
        &Settings {
            luck: LuckKind::Auto,
            ..plain(1440, Allocation::Adaptive)
        },
    );
    let family = result.family.expect("four candidates");
    assert_eq!(family.differences.len(), 6);
    for d in &family.differences {
        let [a, b] = [d.first, d.second].map(|i| result.candidates[i].clone());
        assert!((d.equity.mean - (a.equity.mean - b.equity.mean)).abs() < 1e-12);
        let varied =
            |s: &crate::rollout::CandidateResult| s.error_method == ErrorMethod::Stratified;
        if varied(&a) && varied(&b) {
            let sum = a.equity.se.powi(2) + b.equity.se.powi(2);
            assert!((d.equity.se.powi(2) - sum).abs() < 1e-12);
        }
        assert_eq!(d.trials, a.trials.min(b.trials));
        let width = |[low, high]: [f64; 2]| high - low;
        let each = [d.equity.ci95, d.simultaneous_ci95];
        assert!(each.map(width).is_sorted(), "{each:?}");
        let ever = [d.equity.anytime95, d.simultaneous_anytime95];
        assert!(ever.map(width).is_sorted(), "{ever:?}");
    }
    let mean = |i: usize| result.candidates[i].equity.mean;
    let best = (0..4).max_by(|&i, &j| mean(i).total_cmp(&mean(j)));
    assert!(!family.beaten[best.unwrap()] && family.beaten[3]);
}

/// `5/3 4/3` and `5/3 2/1` are worth the same here, and so are `5/2` and `4/2 3/2`.
const LEVEL: &str = "XGID=-AAAAA---------------a-ba-:0:0:1:21:0:0:0:0:10";

fn after(id: &str, plays: &[&str]) -> Vec<Position> {
    let state = parse_id(id).unwrap();
    let play = |text: &&str| parse_play(text, &state.position, state.roll.unwrap()).unwrap();
    plays
        .iter()
        .map(|text| play(text).apply(&state.position))
        .collect()
}

/// Two plays whose results differ by rounding alone were "decided" from the first blocks on.
#[test]
fn rounding_decides_no_pair() {
    let setup = engine();
    let plays = ["5/3 4/3", "5/3 2/1"];
    for seed in 1..=3 {
        let mut settings = Settings {
            seed,
            stop_at_known: false,
            coupling: Coupling::Dice,
            ..Settings::default()
        };
        settings.stop.trials = 720;
        settings.stop.separated = Some(0.95);
        let result = roll(&setup, &after(LEVEL, &plays), &settings);
        assert_eq!(result.status, Status::Done(StopReason::Trials));
        let difference = result.difference.unwrap();
        assert!(difference.equity.mean.abs() < 1e-6, "{difference:?}");
        let verdict = difference.verdict(plays, false, 0.005);
        assert_ne!(verdict.standing, Standing::Decided, "{verdict:?}");
        assert!(verdict.work.is_empty(), "{verdict:?}");
        let best: Vec<f64> = result.candidates.iter().map(|c| c.p_best).collect();
        assert_eq!(best, [0.5, 0.5]);
    }
}

/// Of three the one that was named first had it all.
#[test]
fn level_plays_share_the_chance_to_be_best() {
    let setup = engine();
    for plays in [["5/2", "4/2 3/2", "5/3 4/3"], ["4/2 3/2", "5/2", "5/3 4/3"]] {
        for stop_at_known in [true, false] {
            let mut settings = Settings {
                stop_at_known,
                coupling: Coupling::Dice,
                ..Settings::default()
            };
            settings.stop.trials = 360;
            let result = roll(&setup, &after(LEVEL, &plays), &settings);
            let best = [0, 1, 2].map(|i| result.candidates[i].p_best);
            assert_eq!(best[0], best[1], "{plays:?} {best:?}");
            assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{best:?}");
        }
    }
}

/// The better of two plays has a chance above 97.5% exactly if the verdict is "decided".
#[test]
fn the_chance_to_be_the_best_agrees_with_the_verdict() {
    const ID: &str = "XGID=---AB-DCCB------bccd-ba---:0:0:1:61:0:0:0:0:10";
    let close = (["9/3 4/3", "8/2 4/3"], LuckKind::None);
    let far = (["9/2", "7/1 4/3"], Settings::default().luck);
    let mut seen = [false; 2];
    for (seed, (plays, luck)) in (1..=4).flat_map(|seed| [(seed, close), (seed, far)]) {
        for coupling in [Coupling::None, Coupling::Dice] {
            let settings = Settings {
                coupling,
                seed,
                luck,
                ..plain(360 * seed, Allocation::Equal)
            };
            let result = roll(&engine(), &after(ID, &plays), &settings);
            let likely = result.candidates.iter().map(|one| one.p_best);
            let likely = likely.fold(0.0, f64::max);
            let is_decided = result.standing(0, 1, 0.0) == Some(Standing::Decided);
            assert_eq!(is_decided, likely > 0.975, "{plays:?} {seed}: {likely}");
            seen[usize::from(is_decided)] = true;
        }
    }
    assert_eq!(seen, [true; 2]);
}

/// The chance of a play out of a race follows from the games that both plays have, however lucky its own were.
/// By its own mean the play would come first.
#[test]
fn who_is_out_of_a_race_is_hardly_the_best() {
    const ID: &str = "XGID=---AB-DCCB------bccd-ba---:0:0:1:61:0:0:0:0:10";
    let starts = after(ID, &["9/3 4/3", "9/3 9/8", "9/2", "8/2 4/3"]);
    let settings = Settings {
        coupling: Coupling::Dice,
        stop_at_known: true,
        seed: 58,
        ..plain(1800, Allocation::Race)
    };
    let result = roll(&engine(), &starts, &settings);
    let [first, second, best, rival] = &result.candidates[..] else {
        panic!("four plays");
    };
    assert!(first.trials < second.trials && second.trials < best.trials);
    assert!(first.equity.mean > best.equity.mean + 0.005, "it was lucky");
    let chances = [first, second, best, rival].map(|one| one.p_best);
    assert!(
        best.p_best > 0.85 && first.p_best < 0.03 && second.p_best < 0.03,
        "{chances:?}"
    );
    assert_eq!(result.best_first(), [2, 3, 1, 0]);
    let equities = [2, 3, 1, 0].map(|i| result.equity_beside_best(i));
    assert!(equities.is_sorted_by(|a, b| a >= b), "{equities:?}");
}

/// A play that is far behind cost as many games as the rival of the best.
#[test]
fn a_play_far_behind_gets_few_games_by_default() {
    let mut settings = plain(0, Allocation::Equal);
    RolloutPreset::STANDARD.apply(&mut settings, 4);
    assert_eq!(settings.allocation, Allocation::Race);
    // By the luck net the two best plays are open for long.
    (settings.luck, settings.ply) = (LuckKind::Net, 0);
    (settings.stop.equivalent, settings.stop.trials) = (None, 720);
    let result = roll(&engine(), &four(), &settings);
    let family = result.family.as_ref().unwrap();
    assert!(family.is_out(3), "{family:?}");
    let trials: Vec<u64> = result.candidates.iter().map(|one| one.trials).collect();
    assert!(trials[3] <= 4 * 36 && trials[0] >= 720, "{trials:?}");
}

/// The interval for a number of trials set before was shown after a stop by itself, and while a rollout ran: it widened
/// when the rollout was decided, and the verdict beside it went by another one.
#[test]
fn a_rollout_that_stops_by_itself_shows_one_interval_all_the_time() {
    let width = |[low, high]: [f64; 2]| high - low;
    for (trials, by_rule) in [(2592, true), (360, false)] {
        let mut settings = plain(trials, Allocation::Equal);
        if by_rule {
            settings.stop.separated = Some(0.95);
        }
        let mut looks = 0;
        let mut check = |result: &RolloutResult| {
            let difference = result.difference.unwrap().equity;
            let own = result.candidates.iter().map(|one| one.equity);
            for e in own.chain([difference]) {
                let same = width(e.ci95) == width(e.anytime95);
                assert_eq!(same, by_rule, "{e:?}");
            }
            looks += 1;
        };
        let plays = &four()[1..3];
        let result = run_blocking(&engine(), plays, &settings, &mut |snapshot| {
            let result = snapshot.result();
            if result.candidates[0].equity.anytime95[1].is_finite() {
                check(&result);
            }
            true
        })
        .unwrap();
        check(&result);
        assert!(looks > 2, "{looks}");
        let status = Status::Done(match by_rule {
            true => StopReason::Separated,
            false => StopReason::Trials,
        });
        assert_eq!(result.status, status);
    }
}
