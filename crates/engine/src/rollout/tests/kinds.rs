//! Every source of dice with every kind of luck: right, and honest about its errors.

use super::evaluators::{Rough, equity, played_value};
use super::single::play_trial;
use super::{bearoff, roll_out, settings, setup, tally, watched};
use crate::dice::{DiceSource, PrescribedDice};
use crate::eval::{Engine, Evaluator, Probabilities};
use crate::game::roll::DISTINCT;
use crate::game::{Position, Roll};
use crate::rollout::{
    Allocation, Coupling, Early, ErrorMethod, LuckKind, PlayStyle, Rollout, RolloutError, Settings,
    Setup, Status, StopReason, replay, run_blocking,
};
use std::sync::Arc;

fn start() -> Position {
    bearoff(&[(5, 1), (4, 1)], &[(6, 1), (3, 1)])
}

/// As [`Rough`], and has an idea of the luck: large rolls are good.
struct WithLuckNet(Rough);

impl Evaluator for WithLuckNet {
    fn name(&self) -> &str {
        "net"
    }
    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.0.probabilities(positions, out);
    }
    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        self.0.equities_after(before, results, out);
    }
    fn exact(&self, position: &Position) -> Option<Probabilities> {
        self.0.exact(position)
    }
    fn roll_values(&self, position: &Position, out: &mut [Probabilities; DISTINCT]) -> bool {
        let left = position.mover.pips() as f32;
        for (value, roll) in out.iter_mut().zip(Roll::ALL) {
            let gained = (roll.pips() as f32).min(left) * 0.05;
            *value = Probabilities {
                win: 7.0 + gained,
                win_gammon: 0.1 * gained,
                ..Probabilities::default()
            };
        }
        true
    }
}

pub(super) fn rough() -> Setup {
    setup(WithLuckNet(Rough { noise: 0.3 }))
}

const SOURCES: [&str; 9] = [
    "random",
    "rotation",
    "stratified=1",
    "stratified=3",
    "cross",
    "decks",
    "cross+decks",
    "sobol",
    "stratified=2",
];

const KINDS: [LuckKind; 4] = [
    LuckKind::None,
    LuckKind::Net,
    LuckKind::Lookahead(Some(0)),
    LuckKind::Lookahead(Some(1)),
];

#[test]
fn means_are_right_whatever_the_dice_and_the_luck() {
    let setup = rough();
    let exact = -equity(&played_value(&*setup.evaluator, &start()));
    for source in SOURCES {
        for luck in KINDS {
            for bound in [None, Some(0.7)] {
                let mut settings = settings(1296);
                settings.dice_source = source.parse().unwrap();
                settings.luck = luck;
                settings.luck_bound = bound;
                let (tally, design) = tally(&setup, &[start()], &settings);
                let s = &tally.results(&design).0[0];
                let case = format!("{source} {luck} {bound:?}: {:?} {exact}", s.equity);
                for e in [s.equity, s.plain] {
                    let off = (e.mean - exact).abs();
                    assert!(off < 4.5 * e.se + 1e-6, "{case}");
                }
                if let Some([low, high]) = s.nonasymptotic95 {
                    assert!(low <= exact && exact <= high, "{case}");
                }
                assert_eq!(
                    s.nonasymptotic95.is_some(),
                    bound.is_some() || luck == LuckKind::None
                );
                let [low, high] = s.plain_nonasymptotic95;
                assert!(low <= exact && exact <= high, "{case}");
            }
        }
    }
}

#[test]
fn initial_positions_begin_without_doubles() {
    let setup = rough();
    for source in SOURCES {
        let mut settings = settings(1080);
        settings.dice_source = source.parse().unwrap();
        settings.initial = true;
        settings.luck = LuckKind::Lookahead(None);
        // The exact value: the mean over the fifteen rolls.
        let mut list = crate::game::PlayList::new();
        let mut exact = 0.0;
        for roll in Roll::ALL.into_iter().filter(|r| !r.is_double()) {
            list.generate(&start(), roll);
            let mut equities = vec![0.0; list.len()];
            setup
                .evaluator
                .equities_after(&start(), list.results(), &mut equities);
            let best = list.results()[crate::eval::rolls::best_index(&equities)];
            exact += equity(&played_value(&*setup.evaluator, &best)) / 15.0;
        }
        let (tally, design) = tally(&setup, &[start()], &settings);
        let s = &tally.results(&design).0[0];
        // Luck is measured against all rolls, the first one cannot be a double: the variance-reduced
        // mean is that of ordinary dice. So it is the plain one that is the initial position's.
        let off = (s.plain.mean - exact).abs();
        assert!(
            off < 4.5 * s.plain.se + 1e-6,
            "{source} {:?} {exact}",
            s.plain
        );
        let replayed = replay(&setup, &[start()], &settings, 77).unwrap();
        assert!(!replayed.turns[0].roll.is_double());
    }
}

/// Coverage of the fixed-sample interval for every source, plain and variance-reduced. (The command
/// `luckless-lab coverage` does it with thousands of rollouts of real positions.)
#[test]
fn intervals_are_honest_under_every_source() {
    let setup = rough();
    let exact = -equity(&played_value(&*setup.evaluator, &start()));
    for (source, trials, least) in [
        ("random", 144, 0.93),
        ("rotation", 144, 0.93),
        ("stratified=1", 144, 0.93),
        ("decks", 288, 0.93),
        ("sobol", 1024, 0.92),
        ("cross+decks", 288, 0.93),
        ("stratified=3", 288, 0.93),
        ("stratified=3", 72, 0.93),
        ("cross", 144, 0.93),
        ("cross", 1008, 0.93),
    ] {
        for luck in [LuckKind::None, LuckKind::Net] {
            let runs = 400;
            let mut held = 0;
            for seed in 0..runs {
                let mut settings = settings(trials);
                settings.dice_source = source.parse().unwrap();
                settings.luck = luck;
                settings.seed = 900 + seed;
                let (tally, design) = tally(&setup, &[start()], &settings);
                let e = tally.results(&design).0[0].equity;
                held += u64::from(e.ci95[0] <= exact && exact <= e.ci95[1]);
            }
            // Standard error 1.1%.
            let share = held as f64 / runs as f64;
            assert!(
                (least - 0.01..=0.985).contains(&share),
                "{source} {luck}: {share}"
            );
        }
    }
}

/// Decks and cross-sections spread the mean less than rotation does, and the errors show it.
#[test]
fn deeper_stratification_narrows_the_error() {
    let setup = rough();
    let se = |source: &str| {
        let mut settings = settings(5184);
        settings.dice_source = source.parse().unwrap();
        settings.luck = LuckKind::None;
        let (tally, design) = tally(&setup, &[start()], &settings);
        let s = &tally.results(&design).0[0];
        (s.equity.se, s.error_method)
    };
    let (random, naive) = se("random");
    let (rotation, stratified) = se("rotation");
    let (cross, pairs) = se("cross");
    let (decks, blocks) = se("decks");
    assert_eq!(
        [naive, stratified, pairs, blocks],
        [
            ErrorMethod::Naive,
            ErrorMethod::Stratified,
            ErrorMethod::StratifiedPairs,
            ErrorMethod::Blocks
        ]
    );
    assert!(rotation < 0.95 * random, "{rotation} {random}");
    assert!(cross < 0.8 * rotation, "{cross} {rotation}");
    assert!(decks < rotation, "{decks} {rotation}");
}

#[test]
fn the_kind_of_luck_is_chosen_by_the_play() {
    let with_net = rough();
    let plain = setup(Rough { noise: 0.3 });
    let resolved = |setup: &Setup, ply, luck| {
        let settings = Settings {
            ply,
            luck,
            ..Settings::default()
        };
        settings.resolved(setup).luck
    };
    assert_eq!(
        resolved(&with_net, 0, LuckKind::Auto),
        LuckKind::Lookahead(Some(0))
    );
    assert_eq!(
        resolved(&plain, 0, LuckKind::Auto),
        LuckKind::Lookahead(Some(0))
    );
    assert_eq!(
        resolved(&with_net, 1, LuckKind::Auto),
        LuckKind::Lookahead(Some(0))
    );
    assert_eq!(
        resolved(&with_net, 2, LuckKind::Lookahead(None)),
        LuckKind::Lookahead(Some(1))
    );
    assert_eq!(
        resolved(&plain, 2, LuckKind::Lookahead(Some(0))),
        LuckKind::Lookahead(Some(0))
    );
    let refused = Rollout::start(
        plain,
        vec![start()],
        Settings {
            luck: LuckKind::Net,
            ..Settings::default()
        },
        1,
        None,
    );
    assert!(matches!(refused, Err(RolloutError::NoLuckNet { .. })));
}

/// At 1-ply play the table of the last decision is the luck of the next roll: the same to the bit
/// as looking it up again, which somebody else's evaluator forces.
#[test]
fn free_luck_is_the_luck_that_is_looked_up() {
    for ply in [1, 2] {
        let free = rough();
        let mut looked_up = rough();
        looked_up.luck = Some(Arc::clone(&free.evaluator));
        let mut settings = settings(36);
        settings.ply = ply;
        settings.luck = LuckKind::Lookahead(None);
        for trial in 0..36 {
            let one = play_trial(&free, start(), &settings, trial);
            let two = play_trial(&looked_up, start(), &settings, trial);
            assert_eq!(one, two, "{ply} {trial}");
        }
    }
}

/// Settings of its own for each player and for the first rolls.
#[test]
fn players_play_as_their_styles_say() {
    let setup = rough();
    let play = |change: &dyn Fn(&mut Settings)| -> Vec<Position> {
        let mut settings = settings(36);
        settings.luck = LuckKind::None;
        change(&mut settings);
        let start = bearoff(&[(6, 2), (5, 2), (2, 1)], &[(6, 3), (3, 2)]);
        let all = (0..36).map(|t| replay(&setup, &[start], &settings, t).unwrap());
        all.flat_map(|r| r.turns.into_iter().map(|t| t.result))
            .collect()
    };
    let zero = play(&|_| ());
    let one = play(&|s| s.ply = 1);
    let weaker = PlayStyle {
        ply: 0,
        filter: crate::eval::CandidateFilter::default(),
        early: None,
    };
    let mixed = play(&|s| {
        s.ply = 1;
        s.opponent = Some(weaker);
    });
    assert!(zero != one && mixed != one && mixed != zero);
    let early = |rolls, ply| play(&|s| s.early = Some(Early { rolls, ply }));
    assert_eq!(early(1000, 1), one);
    assert_eq!(early(2, 0), zero);
    assert_ne!(early(1, 1), one);
}

#[test]
fn luck_stays_within_its_bound() {
    let setup = rough();
    let mut settings = settings(200);
    settings.luck = LuckKind::Lookahead(None);
    settings.luck_bound = Some(0.5);
    let mut at_the_bound = 0;
    for trial in 0..200 {
        let t = play_trial(&setup, start(), &settings, trial);
        let luck = t.plain_equity() - t.variance_reduced_equity();
        assert!(luck.abs() <= 0.5 + 1e-5, "{luck}");
        at_the_bound += u32::from(luck.abs() > 0.499);
    }
    assert!(at_the_bound > 0);
}

/// The wildest trials are those that a replay shows.
#[test]
fn extreme_trials_can_be_played_again() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let again = Setup::from(Arc::clone(&evaluator));
    for candidates in [
        vec![start()],
        vec![start(), bearoff(&[(5, 2)], &[(6, 1), (3, 1)])],
    ] {
        let settings = settings(720);
        let result = roll_out(&evaluator, &candidates, &settings, 2);
        for (i, candidate) in result.candidates.iter().enumerate() {
            assert_eq!(candidate.extremes.len(), 6);
            for pair in candidate.extremes.windows(2) {
                assert!(pair[0].variance_reduced <= pair[1].variance_reduced);
            }
            for extreme in &candidate.extremes {
                let replayed = replay(&again, &candidates, &settings, extreme.trial).unwrap();
                let record = replayed.results[i].exported();
                assert_eq!(
                    (record.variance_reduced, record.plain),
                    (extreme.variance_reduced, extreme.plain)
                );
            }
        }
        let replayed = replay(&again, &candidates[..1], &settings, 5).unwrap();
        let luck: f64 = replayed.turns.iter().map(|t| t.luck).sum();
        let record = replayed.results[0].exported();
        assert!((record.plain - luck - record.variance_reduced).abs() < 1e-9);
    }
}

/// Rules that end a rollout, and their reasons.
#[test]
fn rollouts_end_for_the_reason_given() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let far = bearoff(&[(6, 2), (5, 2)], &[(1, 2)]);
    let near = bearoff(&[(1, 2)], &[(6, 2), (5, 2)]);
    let reason = |candidates: &[Position], change: &dyn Fn(&mut Settings)| {
        let mut settings = settings(100_000);
        change(&mut settings);
        let one = roll_out(&evaluator, candidates, &settings, 1);
        let two = roll_out(&evaluator, candidates, &settings, 3);
        assert_eq!(
            one.candidates, two.candidates,
            "the same on any number of threads"
        );
        let Status::Done(reason) = one.status else {
            panic!("{:?}", one.status);
        };
        assert!(one.candidates[0].trials < 100_000 && one.candidates[0].trials >= 72);
        reason
    };
    for two in [vec![near, far], vec![far, near, start()]] {
        let why = reason(&two, &|s| s.stop.separated = Some(0.99));
        assert_eq!(why, StopReason::Separated);
        // Nothing is open that could be near.
        let why = reason(&two, &|s| s.stop.equivalent = Some(0.0001));
        assert_eq!(why, StopReason::Separated);
    }
    let why = reason(&[start()], &|s| s.stop.half_width = Some(0.05));
    assert_eq!(why, StopReason::Width);
    for alike in [vec![start(); 2], vec![start(); 3]] {
        let why = reason(&alike, &|s| {
            s.stop.equivalent = Some(0.05);
            s.stop.separated = Some(0.95);
            s.coupling = Coupling::None;
        });
        assert_eq!(why, StopReason::Equivalent);
    }
    let one_play = |s: &mut Settings| s.stop.separated = Some(0.95);
    let mut settings = settings(36);
    one_play(&mut settings);
    let refused = Rollout::start(Arc::clone(&evaluator), vec![start()], settings, 1, None);
    assert_eq!(refused.unwrap_err(), RolloutError::OnePlay);
}

/// Adaptive allocation: reproducible, resumable, gives the trials to those that matter, and leaves
/// the estimates where they belong.
#[test]
fn adaptive_allocation() {
    let evaluator: Arc<dyn Evaluator> = Arc::new(Rough { noise: 0.3 });
    let candidates = [
        bearoff(&[(6, 1), (4, 1)], &[(5, 1), (3, 1)]),
        bearoff(&[(6, 1), (4, 1)], &[(5, 1), (2, 1)]),
        bearoff(&[(6, 1), (4, 1)], &[(6, 2), (5, 1)]),
    ];
    let mut settings = settings(720);
    settings.allocation = Allocation::Adaptive;
    settings.luck = LuckKind::None;
    let one = roll_out(&evaluator, &candidates, &settings, 1);
    for threads in [2, 5] {
        let other = roll_out(&evaluator, &candidates, &settings, threads);
        assert_eq!(one.candidates, other.candidates);
    }
    let setup = Setup::from(Arc::clone(&evaluator));
    let here = run_blocking(&setup, &candidates, &settings, &mut |_| true).unwrap();
    assert_eq!(
        (&one.candidates, one.status),
        (&here.candidates, here.status)
    );
    let trials: Vec<u64> = one.candidates.iter().map(|s| s.trials).collect();
    assert!(trials.iter().sum::<u64>() >= 3 * 720, "{trials:?}");
    assert!(
        trials[2] < trials[0] / 2 && trials[2] < trials[1] / 2,
        "{trials:?}"
    );
    // Stopped in the middle and gone on with.
    let mut few = settings.clone();
    few.stop.trials = 300;
    let mut handle =
        Rollout::start(Arc::clone(&evaluator), candidates.to_vec(), few, 2, None).unwrap();
    handle.wait();
    let mut progress = handle.progress();
    let text = serde_json::to_string(&progress).unwrap();
    assert_eq!(progress, serde_json::from_str(&text).unwrap());
    progress.settings.stop.trials = 720;
    let resumed = Rollout::resume(Arc::clone(&evaluator), progress, 2, None)
        .unwrap()
        .join();
    assert_eq!(one.candidates, resumed.candidates);
    // The bias over many rollouts is far below the standard error of one.
    let exact = -equity(&played_value(&*evaluator, &candidates[0]));
    let (mut off, mut se, runs) = (0.0, 0.0, 120);
    for seed in 0..runs {
        settings.seed = seed;
        settings.stop.trials = 360;
        let result = run_blocking(&setup, &candidates, &settings, &mut |_| true).unwrap();
        let s = result.candidates[0].equity;
        off += (s.mean - exact) / f64::from(runs as u32);
        se += s.se / f64::from(runs as u32);
    }
    assert!(off.abs() < 0.35 * se, "{off} {se}");
}

#[test]
fn prescribed_rolls_are_rolled() {
    let mut setup = rough();
    let prescribed = Arc::new(PrescribedDice::parse("31 66 11\n65 65\n", false).unwrap());
    setup.prescribed_dice = Some(Arc::clone(&prescribed));
    let mut settings = settings(2);
    settings.dice_source = prescribed.source();
    let rolls: Vec<String> = replay(&setup, &[start()], &settings, 0)
        .unwrap()
        .turns
        .iter()
        .map(|t| t.roll.to_string())
        .collect();
    assert!(
        rolls.len() >= 2 && rolls[0] == "31" && rolls[1] == "66",
        "{rolls:?}"
    );
    // All plays get them, so these are never independent.
    settings.coupling = Coupling::None;
    assert!(replay(&setup, &[start()], &settings, 0).is_ok());
    let refused = replay(&setup, &[start(); 2], &settings, 0).unwrap_err();
    assert_eq!(refused, RolloutError::PrescribedIndependent);
    settings.coupling = Coupling::Dice;
    settings.stop.trials = 3;
    let refused = Rollout::start(setup, vec![start()], settings, 1, None).unwrap_err();
    assert_eq!(
        refused,
        RolloutError::PrescribedShort {
            games: 2,
            trials: 3
        }
    );
}

/// Rolls from a file are never replaced by others: without the file nothing is rolled out, nor gone on with.
#[test]
fn prescribed_rolls_that_are_missing_are_no_others() {
    let dice = Arc::new(PrescribedDice::parse("31 66 11\n65 65\n", false).unwrap());
    let other = Arc::new(PrescribedDice::parse("31 66 12\n65 65\n", false).unwrap());
    let mut settings = settings(2);
    settings.dice_source = dice.source();
    let missing = RolloutError::PrescribedMissing { games: 2 };
    for wrong in [None, Some(other)] {
        let setup = Setup {
            prescribed_dice: wrong,
            ..rough()
        };
        let refused = Rollout::start(setup.clone(), vec![start()], settings.clone(), 1, None);
        assert_eq!(refused.unwrap_err(), missing);
        assert_eq!(
            replay(&setup, &[start()], &settings, 0).unwrap_err(),
            missing
        );
    }
    let whole = Setup {
        prescribed_dice: Some(dice),
        ..rough()
    };
    let mut handle = Rollout::start(whole, vec![start()], settings, 1, None).unwrap();
    handle.wait();
    let resumed = Rollout::resume(rough(), handle.progress(), 1, None);
    assert_eq!(resumed.unwrap_err(), missing);
}

/// The non-asymptotic interval holds as well if you look after every block. Trials of a rotation count one by
/// one, and the interval is narrow enough to miss; of decks only blocks do, and twenty are few.
#[test]
fn the_non_asymptotic_interval_holds_at_every_look() {
    let setup = rough();
    let exact = -equity(&played_value(&*setup.evaluator, &start()));
    for (dice_source, widest) in [(DiceSource::Rotation, 0.5), (DiceSource::Decks, 8.0)] {
        let (mut held, mut width) = (0, 0.0f64);
        for seed in 0..100 {
            let mut settings = settings(720);
            settings.seed = seed;
            settings.luck = LuckKind::Lookahead(None);
            settings.luck_bound = Some(1.0);
            settings.dice_source = dice_source;
            let mut always = true;
            let (tally, design) = watched(&setup, &[start()], &settings, |tally, design| {
                let [low, high] = tally.results(design).0[0].nonasymptotic95.unwrap();
                always &= low <= exact && exact <= high;
            });
            held += u32::from(always);
            let [low, high] = tally.results(&design).0[0].nonasymptotic95.unwrap();
            width = width.max(high - low);
        }
        assert!(held >= 93, "{dice_source:?} {held}");
        assert!(width < widest, "{dice_source:?} {width}");
    }
}

/// Trials that end with the first roll are known as soon as every first roll was played, with the luck subtracted or not.
#[test]
fn what_the_first_roll_decides_is_known_after_a_block() {
    for luck in [LuckKind::None, LuckKind::Net] {
        let result = |trials| {
            let mut settings = settings(trials);
            (settings.horizon, settings.luck) = (Some(1), luck);
            let engine: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
            let result = roll_out(&engine, &[Position::opening()], &settings, 1);
            result.candidates[0].clone()
        };
        assert_ne!(result(20).error_method, ErrorMethod::Exact);
        let [block, more] = [result(36), result(40)];
        for one in [&block, &more] {
            assert_eq!(one.error_method, ErrorMethod::Exact, "{luck:?}");
            let known = [one.equity, one.plain].into_iter().chain(one.probabilities);
            for estimate in known {
                let ends = [estimate.mean; 2];
                assert_eq!(
                    (estimate.se, estimate.ci95, estimate.anytime95),
                    (0.0, ends, ends)
                );
            }
        }
        assert!(
            (block.equity.mean - more.equity.mean).abs() < 1e-6,
            "{luck:?}"
        );
    }
}
