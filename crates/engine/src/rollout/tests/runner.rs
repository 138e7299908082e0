//! The background runner: the same bits however it runs, and under control.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::evaluators::Rough;
use super::{assert_same, bearoff, roll_out, settings};
use crate::eval::{Evaluator, Probabilities};
use crate::game::Position;
use crate::rollout::{
    Coupling, Progress, Rollout, RolloutError, RolloutHandle, Settings, Status, StopReason,
};

fn rough() -> Arc<dyn Evaluator> {
    Arc::new(Rough { noise: 0.3 })
}

fn starts(n: usize) -> Vec<Position> {
    (0..n)
        .map(|i| bearoff(&[(6, 1), (4, 2)], &[(5, 1 + i as u8), (3, 1)]))
        .collect()
}

fn start(evaluator: Arc<dyn Evaluator>, n: usize, settings: &Settings) -> RolloutHandle {
    Rollout::start(evaluator, starts(n), settings.clone(), 2, None).unwrap()
}

/// Plays as another evaluator does, but takes its time, and counts how often.
struct Slow {
    rough: Rough,
    time: Duration,
    calls: AtomicUsize,
}

fn slow(time: Duration) -> Arc<Slow> {
    Arc::new(Slow {
        rough: Rough { noise: 0.3 },
        time,
        calls: AtomicUsize::new(0),
    })
}

impl Evaluator for Slow {
    fn name(&self) -> &str {
        "rough"
    }
    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        self.calls.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(self.time);
        self.rough.probabilities(positions, out);
    }
    fn equities_after(&self, before: &Position, results: &[Position], out: &mut [f32]) {
        self.rough.equities_after(before, results, out);
    }
    fn exact(&self, position: &Position) -> Option<Probabilities> {
        self.rough.exact(position)
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    for (candidates, coupling) in [
        (1, Coupling::None),
        (2, Coupling::None),
        (2, Coupling::Dice),
        (2, Coupling::Rank),
        (3, Coupling::Dice),
    ] {
        let mut settings = settings(500);
        settings.coupling = coupling;
        let one = roll_out(&rough(), &starts(candidates), &settings, 1);
        assert_eq!(one.status, Status::Done(StopReason::Trials));
        assert!(one.candidates.iter().all(|s| s.trials == 500));
        for threads in [2, 5] {
            let many = roll_out(&rough(), &starts(candidates), &settings, threads);
            assert_same(&one, &many);
            assert_eq!(many.family.is_some(), candidates > 2);
        }
    }
}

/// Cancelled again and again at whatever point, kept as text, and gone on with.
#[test]
fn interrupted_and_resumed_is_as_never_stopped() {
    let mut settings = settings(1500);
    settings.coupling = Coupling::Rank;
    let whole = roll_out(&rough(), &starts(2), &settings, 2);
    let slow = || slow(Duration::from_micros(20));
    let mut handle = start(slow(), 2, &settings);
    let mut interruptions = 0;
    let resumed = loop {
        std::thread::sleep(Duration::from_millis(30));
        if interruptions < 4 {
            handle.cancel();
        }
        handle.wait();
        let result = handle.result();
        if result.status == Status::Done(StopReason::Trials) {
            break result;
        }
        interruptions += 1;
        let text = serde_json::to_string(&handle.progress()).unwrap();
        let progress: Progress = serde_json::from_str(&text).unwrap();
        assert_eq!(progress, handle.progress(), "nothing is lost in the text");
        let threads = 1 + interruptions % 3;
        let evaluator: Arc<dyn Evaluator> = if interruptions < 4 { slow() } else { rough() };
        handle = Rollout::resume(evaluator, progress, threads, None).unwrap();
    };
    assert!(interruptions >= 1, "{interruptions}");
    assert_same(&whole, &resumed);
}

#[test]
fn more_trials_can_be_asked_for_afterwards() {
    let whole = roll_out(&rough(), &starts(3), &settings(700), 2);
    let mut first = start(rough(), 3, &settings(301));
    first.wait();
    let mut progress = first.progress();
    assert_eq!(progress.trials(), 301);
    progress.settings.stop.trials = 700;
    let second = Rollout::resume(rough(), progress, 2, None).unwrap().join();
    // The history has one more point, where the first run ended.
    assert_eq!(whole.candidates, second.candidates);
}

#[test]
fn stopping_at_a_standard_error_is_the_same_everywhere() {
    let mut settings = settings(100_000);
    settings.stop.standard_error = Some(0.02);
    let one = roll_out(&rough(), &starts(1), &settings, 1);
    let two = roll_out(&rough(), &starts(1), &settings, 4);
    assert_eq!(one.status, Status::Done(StopReason::StandardError));
    assert_same(&one, &two);
    let n = one.candidates[0].trials;
    assert!(n.is_multiple_of(36) && n >= 72 && one.candidates[0].equity.se <= 0.02);
}

#[test]
fn time_is_up() {
    let mut settings = settings(1_000_000_000);
    settings.stop.seconds = Some(1.0);
    let begin = Instant::now();
    let result = start(rough(), 1, &settings).join();
    assert_eq!(result.status, Status::Done(StopReason::Time));
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert!(result.candidates[0].trials > 0 && result.trials_per_second > 0.0);
    assert!(result.seconds >= 1.0 && result.cpu_seconds > 0.0);
    assert!(result.history[0].len() < 500);
}

/// A decision at 2 plies asks for dozens of evaluations; after the word no more than a few are begun.
#[test]
fn slow_deep_play_is_cancelled_and_paused_at_once() {
    let mut settings = settings(10_000);
    settings.ply = 2;
    let calls_after = |word: &dyn Fn(&RolloutHandle), status: Status| {
        let evaluator = slow(Duration::from_millis(2));
        let handle = start(evaluator.clone(), 2, &settings);
        while evaluator.calls.load(Ordering::SeqCst) < 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        word(&handle);
        let before = evaluator.calls.load(Ordering::SeqCst);
        while handle.result().status != status {
            std::thread::sleep(Duration::from_millis(1));
        }
        // Enough for a hundred more of each worker.
        std::thread::sleep(Duration::from_millis(300));
        evaluator.calls.load(Ordering::SeqCst) - before
    };
    let cancelled = Status::Done(StopReason::Cancelled);
    let calls = calls_after(&RolloutHandle::cancel, cancelled);
    assert!(calls <= 8, "{calls}");
    let calls = calls_after(&RolloutHandle::pause, Status::Paused);
    assert!(calls <= 8, "{calls}");
}

#[test]
fn a_pause_changes_nothing_but_the_time() {
    let settings = settings(2400);
    let whole = roll_out(&rough(), &starts(1), &settings, 2);
    let handle = start(slow(Duration::from_micros(50)), 1, &settings);
    std::thread::sleep(Duration::from_millis(40));
    handle.pause();
    let mut paused = handle.result();
    while paused.status == Status::Running {
        std::thread::sleep(Duration::from_millis(1));
        paused = handle.result();
    }
    assert_eq!(paused.status, Status::Paused);
    // What was finished at the moment of the pause may still come in, late on busy cores.
    let end = Instant::now() + Duration::from_secs(20);
    let (paused, still) = loop {
        let paused = handle.progress();
        std::thread::sleep(Duration::from_millis(300));
        let still = handle.progress();
        if still.trials() == paused.trials() || Instant::now() >= end {
            break (paused, still);
        }
    };
    assert!(paused.trials() < 2400, "too fast for this test");
    assert_eq!(still.trials(), paused.trials());
    assert_eq!(still.seconds, paused.seconds);
    handle.resume();
    let end = handle.join();
    assert_same(&whole, &end);
}

struct Broken;

impl Evaluator for Broken {
    fn name(&self) -> &str {
        "broken"
    }
    fn probabilities(&self, _: &[Position], _: &mut [Probabilities]) {
        panic!("out of order");
    }
    fn equities_after(&self, _: &Position, _: &[Position], _: &mut [f32]) {
        panic!("out of order");
    }
    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }
}

#[test]
fn a_failing_worker_ends_the_rollout_with_a_message() {
    let mut handle = start(Arc::new(Broken), 1, &settings(100));
    handle.wait();
    assert_eq!(handle.result().status, Status::Done(StopReason::Failed));
    assert_eq!(handle.failure().as_deref(), Some("out of order"));
    assert_eq!(handle.result().candidates[0].trials, 0);
}

#[test]
fn the_bell_rings_for_news_and_not_too_often() {
    let rings = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&rings);
    let mut settings = settings(1_000_000_000);
    settings.stop.seconds = Some(2.0);
    let notify = Box::new(move || {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let handle = Rollout::start(rough(), starts(1), settings, 1, Some(notify)).unwrap();
    let seconds = handle.join().seconds;
    let rings = rings.load(Ordering::Relaxed);
    // Twenty a second, one when the time is up, and one at the end.
    let most = 2.0 + 20.0 * seconds;
    assert!(rings >= 2 && rings as f64 <= most, "{rings} {seconds}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let refused = |n: usize, change: &dyn Fn(&mut Settings)| {
        let mut settings = settings(36);
        change(&mut settings);
        Rollout::start(rough(), starts(n), settings, 1, None).unwrap_err()
    };
    assert_eq!(refused(0, &|_| ()), RolloutError::NoCandidates);
    assert_eq!(
        refused(1, &|s| s.stop.trials = 0),
        RolloutError::Trials { given: 0 }
    );
    assert_eq!(refused(1, &|s| s.horizon = Some(0)), RolloutError::Horizon);
    assert_eq!(refused(1, &|s| s.ply = 9), RolloutError::Ply { given: 9 });
    assert_eq!(
        refused(1, &|s| s.coupling = Coupling::Rank),
        RolloutError::RanksNeedTwo { given: 1 }
    );
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refused(1, &|s| s.stop.standard_error = Some(bad));
        assert_eq!(error, RolloutError::StandardError);
        let error = refused(1, &|s| s.stop.seconds = Some(bad));
        assert_eq!(error, RolloutError::Seconds);
    }
}

#[test]
fn damaged_progress_is_refused() {
    let mut handle = start(rough(), 2, &settings(100));
    handle.wait();
    let good = serde_json::to_value(handle.progress()).unwrap();
    let resume = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut value = good.clone();
        change(&mut value);
        let progress: Progress = serde_json::from_value(value).unwrap();
        Rollout::resume(rough(), progress, 1, None)
    };
    assert!(resume(&|_| ()).is_ok());
    let damages: [&dyn Fn(&mut serde_json::Value); 5] = [
        &|v| v["tally"]["trials"] = 99.into(),
        &|v| v["tally"]["pair"] = serde_json::Value::Null,
        &|v| v["tally"]["candidates"][0]["equity"]["strata"] = serde_json::json!([]),
        &|v| v["seconds"] = (-1.0).into(),
        &|v| v["settings"]["dice_source"] = "random".into(),
    ];
    for damage in damages {
        let error = resume(damage).unwrap_err();
        assert!(matches!(error, RolloutError::Damaged { .. }), "{error}");
    }
    let other = resume(&|v| v["evaluator"] = "another".into());
    assert!(matches!(other, Err(RolloutError::OtherEvaluator { .. })));
}

#[test]
fn three_candidates_share_the_chance_to_be_best() {
    let result = roll_out(&rough(), &starts(3), &settings(360), 2);
    assert!(result.difference.is_none() && result.history.len() == 3);
    let sum: f64 = result.candidates.iter().map(|s| s.p_best).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    assert!(
        result.candidates[0].p_best > 0.99,
        "fewest checkers left to bear off: {:?}",
        result
            .candidates
            .iter()
            .map(|s| s.p_best)
            .collect::<Vec<_>>()
    );
}
