//! The background runner: workers, their coordinator, and the handle to them.
//!
//! Workers of a pool of their own take units from a counter, play them, and hand them to the
//! [`InOrderCollector`]. A coordinator thread publishes snapshots some twenty times a second, watches the
//! clock, and ends the rollout. The owner holds a [`RolloutHandle`] and never waits: reading the
//! latest snapshot is loading a pointer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use arc_swap::ArcSwap;

use super::control::{Control, WorkerState};
use super::cpu;
use super::in_order_collector::InOrderCollector;
use super::plan::{self, WorkPlan};
use super::progress::{PreparedRollout, Progress};
use crate::game::Position;
use crate::panics::guarded;
use crate::rollout::counts::result::{RolloutResult, Status, StopReason};
use crate::rollout::counts::tally::Tally;
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::records::TrialRecord;
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};

/// Called, from the coordinator's thread, after a new snapshot has been published: at most some
/// twenty times a second, and once at the end. It should do no more than wake somebody up.
pub type OnChange = Box<dyn Fn() + Send + Sync>;

/// Time between snapshots.
const TICK: Duration = Duration::from_millis(50);
/// A snapshot is published at least this often while running, for its clock.
const MOST_TICKS: u32 = 20;

/// Starts rollouts.
#[derive(Debug)]
pub struct Rollout;

impl Rollout {
    /// Starts rolling out `candidates`, the positions after the plays in question with the
    /// opponent on roll, on `threads` threads of their own (0: one for each core). Results are
    /// the same whatever their number.
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense.
    pub fn start(
        setup: impl Into<Setup>,
        candidates: Vec<Position>,
        settings: Settings,
        threads: usize,
        on_change: Option<OnChange>,
    ) -> Result<RolloutHandle, RolloutError> {
        let setup = setup.into();
        let prepared = PreparedRollout::begin(&setup, candidates, &settings)?;
        launch(setup, prepared, threads, on_change)
    }

    /// Goes on from `progress` as if the rollout had never stopped.
    ///
    /// # Errors
    /// A [`RolloutError`] if the evaluator is another one, the settings make no sense, or the
    /// progress contradicts itself.
    pub fn resume(
        setup: impl Into<Setup>,
        progress: Progress,
        threads: usize,
        on_change: Option<OnChange>,
    ) -> Result<RolloutHandle, RolloutError> {
        let setup = setup.into();
        let prepared = PreparedRollout::resume(&setup, progress)?;
        launch(setup, prepared, threads, on_change)
    }
}

/// A rollout under way (or ended). Dropping it cancels.
pub struct RolloutHandle {
    shared: Arc<Shared>,
    coordinator: Option<JoinHandle<()>>,
}

struct Shared {
    setup: Setup,
    settings: Settings,
    candidates: Vec<Position>,
    plan: WorkPlan,
    control: Control,
    collector: InOrderCollector,
    next_unit: AtomicU64,
    latest: ArcSwap<RolloutResult>,
    on_change: Option<OnChange>,
    /// Trials and seconds when this run began, for its speed.
    began: (u64, f64),
}

fn launch(
    setup: Setup,
    prepared: PreparedRollout,
    threads: usize,
    on_change: Option<OnChange>,
) -> Result<RolloutHandle, RolloutError> {
    let refused = |reason: String| RolloutError::Threads { reason };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|i| format!("rollout-{i}"))
        .build()
        .map_err(|e| refused(e.to_string()))?;
    let workers = pool.current_num_threads();
    let PreparedRollout {
        progress,
        design,
        plan,
    } = prepared;
    let Progress {
        settings,
        candidates,
        seconds,
        cpu_seconds,
        tally,
        ..
    } = progress;
    let began = (tally.trials, seconds);
    let collector = InOrderCollector::new(
        tally,
        design,
        plan.clone(),
        settings.stop,
        workers,
        cpu_seconds,
        setup.keep_trials,
    );
    let shared = Arc::new(Shared {
        latest: ArcSwap::from_pointee(RolloutResult::empty(Status::Running)),
        control: Control::new(duration(seconds), workers),
        next_unit: AtomicU64::new(0),
        setup,
        settings,
        candidates,
        plan,
        collector,
        on_change,
        began,
    });
    shared
        .latest
        .store(Arc::new(shared.snapshot(Status::Running)));
    let coordinator = spawn(&shared, pool).map_err(refused)?;
    Ok(RolloutHandle {
        shared,
        coordinator: Some(coordinator),
    })
}

/// Sets the workers of the pool to work, and the thread that waits for them.
fn spawn(shared: &Arc<Shared>, pool: rayon::ThreadPool) -> Result<JoinHandle<()>, String> {
    for _ in 0..pool.current_num_threads() {
        let shared = Arc::clone(shared);
        pool.spawn(move || shared.work());
    }
    let conductor = Arc::clone(shared);
    let coordinate = move || {
        conductor.coordinate();
        drop(pool);
    };
    let builder = std::thread::Builder::new().name("rollout".to_owned());
    builder.spawn(coordinate).map_err(|e| {
        shared.control.end(StopReason::Failed);
        e.to_string()
    })
}

impl Shared {
    /// The body of a worker thread: plays units until the rollout ends, and reports a panic.
    fn work(&self) {
        if let Err(why) = guarded(|| self.play_units()) {
            self.collector.fail(why);
            self.control.end(StopReason::Failed);
        }
        self.control.worker_left();
    }

    fn play_units(&self) {
        let cancelled = || self.control.ended();
        let mut players =
            TrialPlayers::new(PlayRules::new(&self.setup, &self.settings, &cancelled));
        let mut dealer = plan::dealer(&self.setup, &self.settings);
        let mut clock = cpu::thread_seconds();
        let mut lap = || {
            let now = cpu::thread_seconds();
            now - std::mem::replace(&mut clock, now)
        };
        while !self.control.ended() {
            let number = self.next_unit.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = self.collector.unit(number, &self.control) else {
                break;
            };
            let played = self
                .plan
                .play(&mut players, &mut dealer, &self.candidates, &unit);
            let Ok(outcomes) = played else {
                break;
            };
            if let Some(reason) = self.collector.take(number, outcomes, lap()) {
                self.control.end(reason);
                break;
            }
        }
        self.collector.add_cpu(lap());
    }

    /// The body of the coordinator's thread: publishes, watches the clock, and sees the end.
    fn coordinate(&self) {
        let limit = self.settings.stop.seconds.map(duration);
        let mut seen = WorkerState {
            paused: false,
            workers: usize::MAX,
        };
        let mut published = (self.began.0, 0);
        loop {
            let running = self.control.running_time();
            let left = limit.map_or(TICK, |l| l.saturating_sub(running).min(TICK));
            if left.is_zero() {
                self.control.end(StopReason::Time);
            }
            // Once the time is up, only the workers' end is news.
            let most = match left.is_zero() {
                true => TICK,
                false => left.max(Duration::from_millis(1)),
            };
            let now = self.control.wait(seen, most);
            if now.workers == 0 {
                break;
            }
            let trials = self.collector.trials();
            published.1 += 1;
            if now.paused != seen.paused || trials != published.0 || published.1 >= MOST_TICKS {
                published = (trials, 0);
                self.publish(if now.paused {
                    Status::Paused
                } else {
                    Status::Running
                });
            }
            seen = now;
        }
        // Trials that were all done count as done, also if the end was asked for meanwhile.
        let reason = self.collector.reason().or_else(|| self.control.reason());
        self.publish(Status::Done(reason.unwrap_or(StopReason::Failed)));
    }

    fn publish(&self, status: Status) {
        self.latest.store(Arc::new(self.snapshot(status)));
        if let Some(notify) = &self.on_change {
            notify();
        }
    }

    fn snapshot(&self, status: Status) -> RolloutResult {
        let (tally, cpu_seconds) = self.collector.tally();
        let design = self.collector.design();
        let seconds = self.control.running_time().as_secs_f64();
        let elapsed = seconds - self.began.1;
        let played = (tally.trials - self.began.0) * self.candidates.len() as u64;
        let speed = if elapsed > 0.0 {
            played as f64 / elapsed
        } else {
            0.0
        };
        tally.snapshot(design, status, [seconds, cpu_seconds], speed)
    }
}

/// A length of time in seconds; one beyond all clocks is as long as there is.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

impl RolloutHandle {
    /// The latest snapshot.
    pub fn result(&self) -> Arc<RolloutResult> {
        self.shared.latest.load_full()
    }

    /// Stops the workers for a while, in the middle of their games; they do so within a decision.
    pub fn pause(&self) {
        self.shared.control.pause();
    }

    /// Lets the workers go on after a pause.
    pub fn resume(&self) {
        self.shared.control.go_on();
    }

    /// Ends the rollout. Complete rounds count; games under way are lost.
    pub fn cancel(&self) {
        self.shared.control.end(StopReason::Cancelled);
    }

    /// Returns whether the rollout has ended and published its last snapshot.
    pub fn is_finished(&self) -> bool {
        let ended = |thread: &JoinHandle<()>| thread.is_finished();
        matches!(self.result().status, Status::Done(_))
            || self.coordinator.as_ref().is_none_or(ended)
    }

    /// Why a worker failed, if one did ([`StopReason::Failed`]).
    pub fn failure(&self) -> Option<String> {
        self.shared.collector.failure()
    }

    /// The progress so far, to be kept and gone on with.
    pub fn progress(&self) -> Progress {
        let (tally, cpu_seconds) = self.shared.collector.tally();
        self.progress_of(tally, cpu_seconds)
    }

    /// The progress so far, with the trials counted since the last call, if the [`Setup`] says that they are
    /// kept. Then they must be fetched: beyond some number the workers wait.
    pub fn take_records(&self) -> (Progress, Vec<TrialRecord>) {
        let (tally, cpu_seconds, records) = self.shared.collector.take_records();
        (self.progress_of(tally, cpu_seconds), records)
    }

    fn progress_of(&self, tally: Tally, cpu_seconds: f64) -> Progress {
        let shared = &self.shared;
        let (settings, candidates) = (shared.settings.clone(), shared.candidates.clone());
        Progress {
            seconds: shared.control.running_time().as_secs_f64(),
            cpu_seconds,
            ..Progress::new(&shared.setup, settings, candidates, tally)
        }
    }

    /// The settings, with `auto` luck resolved.
    pub fn settings(&self) -> &Settings {
        &self.shared.settings
    }

    /// Waits for the end (a paused rollout goes on first) and gives the last snapshot.
    pub fn join(mut self) -> Arc<RolloutResult> {
        self.wait();
        self.result()
    }

    /// Waits for the end as [`RolloutHandle::join`] does, keeping the handle.
    pub fn wait(&mut self) {
        self.resume();
        if let Some(coordinator) = self.coordinator.take() {
            // It does not panic; if it did, the last snapshot is still the one to give.
            let _ = coordinator.join();
        }
    }
}

impl Drop for RolloutHandle {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl std::fmt::Debug for RolloutHandle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RolloutHandle")
            .field("settings", &self.shared.settings)
            .field("status", &self.result().status)
            .finish_non_exhaustive()
    }
}
