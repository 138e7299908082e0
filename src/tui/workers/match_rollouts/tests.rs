//! Tests of match rollouts in the background.

use std::path::Path;

use super::*;
use crate::cube::Model;
use crate::eval::{Engine, Evaluator};
use crate::match_file::Analysis;
use crate::match_file::analysis::PlayVerdict;
use crate::review::{StandardReview, analyse_match};
use crate::store::{RolloutStore, RolloutWorker};
use crossbeam_channel::unbounded;

const MATCH: &[u8] =
    b" 1 point match\n\n Game 1\n anna : 0    ben : 0\n  1) 31: 24/20            62: 24/18 13/11\n";

fn plan(folder: &Path, budget: Option<Duration>) -> MatchRolloutTask {
    let wanted = budget.map(|budget| (MatchRolloutGoal::Close, budget));
    task(MATCH, folder, wanted)
}

fn task(
    text: &[u8],
    folder: &Path,
    wanted: Option<(MatchRolloutGoal, Duration)>,
) -> MatchRolloutTask {
    let record = crate::match_file::read_bytes(text, "x.mat").unwrap();
    let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let model = Model::standard();
    let analysed = analyse_match(&*evaluator, model, &record, 0, &|| false).unwrap();
    let setup = Setup::from(evaluator);
    let worker = RolloutWorker::start(folder.join("r.sqlite"), |_| ());
    MatchRolloutTask {
        run: MatchRun {
            generation: 3,
            number: 5,
        },
        turns: analysed.iter().map(|one| one.turn).collect(),
        reviews: analysed
            .into_iter()
            .map(|one| StandardReview::from((one.review, one.shift)))
            .collect(),
        threads: 2,
        store: Some(DecisionRolloutStore::new(Arc::new(worker), setup.clone())),
        setup,
        wanted,
        record: Arc::new(record),
    }
}

/// The finished decisions and the final progress.
fn run(task: MatchRolloutTask) -> (Vec<DecisionKey>, Option<MatchRolloutProgress>) {
    let (messages, inbox) = unbounded();
    let _handle = start(task, messages).unwrap();
    let mut whole = Vec::new();
    loop {
        let message = inbox.recv_timeout(Duration::from_secs(60)).unwrap();
        let Message::MatchRollouts {
            generation,
            number,
            news,
        } = message
        else {
            panic!("{message:?}");
        };
        assert_eq!((generation, number), (3, 5));
        match news {
            MatchRolloutNews::Rolled {
                decision, result, ..
            } if result.candidates[0].trials == crate::review::match_rollouts::TRIALS => {
                whole.push(decision)
            }
            MatchRolloutNews::Over { done, .. } => return (whole, done),
            _ => {}
        }
    }
}

#[test]
fn what_was_rolled_out_is_there_the_next_time() {
    let folder = tempfile::tempdir().unwrap();
    let key = |d: &DecisionKey| crate::notation::gnubg_id::position_id(&d.state().position);
    let sorted = |mut all: Vec<DecisionKey>| {
        all.sort_by_key(key);
        all
    };
    // Nothing is stored yet.
    assert_eq!(run(plan(folder.path(), None)).1, None);
    let so_far = |decisions, is_all| Some(MatchRolloutProgress { decisions, is_all });
    let hour = Some(Duration::from_secs(3600));
    let (first, done) = run(plan(folder.path(), hour));
    let (n, first) = (first.len(), sorted(first));
    assert!(n > 0);
    assert_eq!(done, so_far(n, true));
    let (again, done) = run(plan(folder.path(), None));
    assert_eq!(done.map(|done| done.decisions), Some(n));
    assert_eq!(sorted(again), first);
    // Stored rollouts need no time budget.
    let (again, done) = run(plan(folder.path(), Some(Duration::ZERO)));
    assert_eq!(done, so_far(0, false));
    assert_eq!(sorted(again), first);
}

/// A rollout at the start pauses those of the match, but not the report of stored ones.
#[test]
fn what_was_kept_is_told_while_it_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let hour = Some(Duration::from_secs(3600));
    let (first, _) = run(plan(folder.path(), hour));
    for budget in [None, hour] {
        let (messages, inbox) = unbounded();
        let gate = Arc::new(Gate {
            clock: Mutex::new(Clock {
                over: false,
                holds: true,
                used: Duration::ZERO,
                since: Instant::now(),
                budget,
            }),
            wake: Condvar::new(),
        });
        let (task, own) = (plan(folder.path(), budget), gate.clone());
        let worker = thread::spawn(move || work(task, &own, messages));
        for _ in &first {
            let message = inbox.recv_timeout(Duration::from_secs(60)).unwrap();
            let Message::MatchRollouts { news, .. } = &message else {
                panic!("{message:?}");
            };
            assert!(matches!(news, MatchRolloutNews::Rolled { .. }), "{news:?}");
        }
        drop(MatchRolloutHandle(gate));
        worker.join().unwrap();
    }
}

#[test]
fn held_it_waits_and_dropped_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (messages, inbox) = unbounded();
    let hour = Some(Duration::from_secs(3600));
    let handle = start(plan(folder.path(), hour), messages).unwrap();
    handle.hold(true);
    // Results that passed the gate before may still be reported.
    while inbox.recv_timeout(Duration::from_millis(400)).is_ok() {}
    assert!(handle.0.lock().used() < Duration::from_secs(20));
    drop(handle);
    let last = inbox.iter().last().unwrap();
    assert!(
        matches!(
            last,
            Message::MatchRollouts {
                news: MatchRolloutNews::Over { .. },
                ..
            }
        ),
        "{last:?}"
    );
}

/// A file of a newer version is waited for once, not for each decision, and the wait is not counted as rollout time.
#[test]
fn a_file_that_cannot_be_read_is_waited_for_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r.sqlite");
    drop(RolloutStore::open(&path).unwrap());
    let file = rusqlite::Connection::open(&path).unwrap();
    file.pragma_update(None, "user_version", 99).unwrap();
    let hour = Duration::from_secs(3600);
    let mut plan = plan(folder.path(), Some(hour));
    let count = 20 * plan.turns.len();
    plan.turns = plan.turns.iter().copied().cycle().take(count).collect();
    plan.reviews = plan.reviews.iter().cloned().cycle().take(count).collect();
    plan.threads = 1;
    // One wait takes two seconds.
    let each = Duration::from_secs(2 * count as u64);
    let (messages, inbox) = unbounded();
    let begin = Instant::now();
    let handle = start(plan, messages).unwrap();
    let mut warnings = 0;
    let used = loop {
        match inbox.recv_timeout(2 * each).unwrap() {
            Message::Warning(text) => {
                assert_has!(text, "cannot be read");
                warnings += 1;
            }
            Message::MatchRollouts { news, .. } => match news {
                MatchRolloutNews::Done(DecisionCount { done: 0, .. }, used) => break used,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    };
    assert!(begin.elapsed() < each / 2, "{:?}", begin.elapsed());
    // Busy machines may lengthen both; the wait is not part of the used time.
    let waited = begin.elapsed().saturating_sub(used);
    assert!(waited > Duration::from_millis(1900), "{used:?}");
    assert_eq!(warnings, 1);
    drop(handle);
    for message in inbox {
        assert!(!matches!(message, Message::Warning(_)), "{message:?}");
    }
}

/// A match whose file rates the second best play of the first turn as the best.
fn verified(folder: &Path, wanted: Option<(MatchRolloutGoal, Duration)>) -> MatchRolloutTask {
    // The two best plays are so close that few trials cannot decide.
    let text = b" 1 point match\n\n Game 1\n anna : 0    ben : 0\n  1) 51: 24/23 13/8\n";
    let mut task = task(text, folder, wanted);
    let best = PlayVerdict {
        play: task.reviews[0].review.candidates[1].play,
        level: "3-ply".into(),
        equity: 0.2,
        chances: None,
    };
    let event = task.turns[0].before.event;
    let analysis = Analysis::of("another program", vec![best]);
    let record = Arc::get_mut(&mut task.record).unwrap();
    record.analyses.insert(0, event, analysis);
    task
}

/// The reported trials; if `ends`, the run is cancelled after the first report.
fn trials_told(task: MatchRolloutTask, ends: bool) -> (Vec<u64>, Option<MatchRolloutProgress>) {
    let (messages, inbox) = unbounded();
    let mut handle = Some(start(task, messages).unwrap());
    let mut trials = Vec::new();
    loop {
        match inbox.recv_timeout(Duration::from_secs(60)).unwrap() {
            Message::MatchRollouts { news, .. } => match news {
                MatchRolloutNews::Rolled { plays, result, .. } => {
                    assert_eq!(plays.len(), 2);
                    trials.push(result.candidates[0].trials);
                    handle.take_if(|_| ends);
                }
                MatchRolloutNews::Over { done, .. } => return (trials, done),
                _ => {}
            },
            other => panic!("{other:?}"),
        }
    }
}

/// A verification cancelled midway is stored: its trials count when the match is opened again, and it continues from
/// there.
#[test]
fn a_claim_that_was_cut_short_is_kept_and_told_again() {
    let folder = tempfile::tempdir().unwrap();
    let verify = Some((MatchRolloutGoal::Verify, Duration::from_secs(3600)));
    let run = |wanted, ends| trials_told(verified(folder.path(), wanted), ends);
    let (first, _) = run(verify, true);
    let played = *first.last().unwrap();
    assert!(first[0] == 36 && played < VERIFICATION.trials, "{first:?}");
    // At the next start, without a request.
    let (told, done) = run(None, false);
    assert_eq!(told, [played]);
    assert_eq!(done.map(|done| done.decisions), Some(1));
    let rolled = |message: Message| match message {
        Message::MatchRollouts {
            news: MatchRolloutNews::Rolled { result, .. },
            ..
        } => Some(result.candidates[0].trials),
        _ => None,
    };
    let begin = |wanted, most: usize| -> Vec<u64> {
        let (messages, inbox) = unbounded();
        let handle = start(verified(folder.path(), wanted), messages).unwrap();
        let trials = inbox.iter().filter_map(rolled).take(most).collect();
        drop(handle);
        // Run to the end.
        inbox.iter().for_each(drop);
        trials
    };
    // Before rollouts of close decisions, too.
    let close = Some((MatchRolloutGoal::Close, Duration::from_secs(3600)));
    assert_eq!(begin(close, 1), [played]);
    // It continues from there.
    let trials = begin(verify, 2);
    assert!(trials[0] == played && trials[1] > played, "{trials:?}");
}
