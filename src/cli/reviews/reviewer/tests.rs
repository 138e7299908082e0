use super::*;
use crate::game::{GameState, Position};
use crate::rollout::{Settings, StopRules, run_blocking};

/// A missing file of rollouts is not reported; an unreadable one is.
#[test]
fn why_no_rollout_is_found_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let setup = Setup::from(evaluator);
    let state = GameState::money(Position::opening());
    let settings = Settings::default().resolved(&setup);
    let rollout = DecisionRollout {
        turn: 0,
        state,
        plays: &[],
        positions: &[state.position],
        settings: &settings,
    };
    let never = || false;
    let is_reported = |path: &Path| {
        let worker = Arc::new(RolloutWorker::start(path.to_owned(), |_| ()));
        let followed = Followed::new(Some(worker), &setup, &never, None);
        assert!(followed.kept(&rollout).is_none());
        // After a failure nothing is looked up again.
        followed.kept.is_some_and(|kept| kept.is_unreadable())
    };
    assert!(!is_reported(&folder.path().join("none")));
    // A folder is not a file of rollouts.
    assert!(is_reported(folder.path()));
}

/// An interrupted rollout is stored, and the next run finds it.
#[test]
fn a_rollout_that_is_cut_short_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rollouts.sqlite");
    let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
    let setup = Setup::from(evaluator);
    let state = GameState::money(Position::opening());
    let settings = Settings {
        horizon: Some(1),
        stop: StopRules {
            trials: 72,
            ..StopRules::default()
        },
        ..Settings::default()
    };
    let settings = settings.resolved(&setup);
    let rollout = DecisionRollout {
        turn: 0,
        state,
        plays: &[],
        positions: &[state.position; 2],
        settings: &settings,
    };
    let mut cut = None;
    run_blocking(&setup, rollout.positions, &settings, &mut |look| {
        cut = Some(look.progress());
        false
    })
    .unwrap();
    let never = || false;
    let begun = || {
        let worker = Arc::new(RolloutWorker::start(path.clone(), |_| ()));
        let followed = Followed::new(Some(Arc::clone(&worker)), &setup, &never, None);
        (followed, worker)
    };
    let (first, worker) = begun();
    first.cut_short(&rollout, &cut.unwrap());
    first.end(Some(worker));
    let (second, _worker) = begun();
    let found = second.kept(&rollout).map(|kept| kept.trials());
    assert_eq!(found, Some(36));
}
