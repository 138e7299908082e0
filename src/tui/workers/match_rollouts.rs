//! Rolls out a whole match in the background, the last part of its review; see [`crate::review::match_rollouts`].
//!
//! A coordinator thread waits for a pool that plays. While a rollout of the user runs, they pause between rounds of
//! trials, and that time is not counted. Results are stored at once, so that the match opens with them next time.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::locks::{lock, wait};
use crate::match_file::Match;
use crate::notation::xgid_text;
use crate::panics::guarded;
use crate::review::match_rollouts::{
    DecisionRollout, Follower, MatchRolloutSummary, RolledDecision,
};
use crate::review::verification::{
    self, ClaimKind, LookaheadSetup, Verdict, VerificationLimits, Verified, claims,
};
use crate::review::{
    AnalysedTurn, MatchRolloutAim, MatchRolloutLimits, MatchTurn, STANDARD_PLY, StandardReview,
    recall, roll_out,
};
use crate::rollout::{Progress, RolloutPreset, RolloutResult, Setup};
use crate::store::{DecisionRolloutStore, KeptDecisions};
use crate::tui::message::{MatchRolloutNews, MatchRolloutProgress, Message, Tell as _};
use crate::tui::rollouts::decision_count::DecisionCount;
use crate::tui::rollouts::jobs::{DecisionKey, JobPlay};
use crate::tui::state::MatchRolloutGoal;

/// Limits of the verification of imported analyses, within the time budget.
const VERIFICATION: VerificationLimits = VerificationLimits {
    decisions: usize::MAX,
    trials: RolloutPreset::STANDARD.trials,
};

/// Identifies a run: messages belong to one.
#[derive(Clone, Copy)]
pub struct MatchRun {
    /// Generation of the document.
    pub generation: u64,
    pub number: u64,
}

impl MatchRun {
    fn send(self, messages: &Sender<Message>, news: MatchRolloutNews) {
        let Self { generation, number } = self;
        messages.tell(Message::MatchRollouts {
            generation,
            number,
            news,
        });
    }
}

/// The work to do.
pub struct MatchRolloutTask {
    pub run: MatchRun,
    /// The turns of the document.
    pub turns: Arc<[MatchTurn]>,
    /// Their standard reviews.
    pub reviews: Vec<StandardReview>,
    pub setup: Setup,
    pub threads: usize,
    /// The store of rollouts.
    pub store: Option<DecisionRolloutStore>,
    /// Purpose and time budget; `None` only looks for stored rollouts.
    pub wanted: Option<(MatchRolloutGoal, Duration)>,
    /// The match with its imported analysis.
    pub record: Arc<Match>,
}

/// A run in progress. Dropping the handle cancels it without waiting.
pub struct MatchRolloutHandle(Arc<Gate>);

impl MatchRolloutHandle {
    /// Pauses or resumes the run.
    pub fn hold(&self, hold: bool) {
        let mut clock = self.0.lock();
        if clock.holds != hold {
            clock.turn(hold);
            self.0.wake.notify_all();
        }
    }
}

impl Drop for MatchRolloutHandle {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.wake.notify_all();
    }
}

/// Gate for workers: closed while paused, and for good after the end.
struct Gate {
    clock: Mutex<Clock>,
    wake: Condvar,
}

struct Clock {
    over: bool,
    holds: bool,
    used: Duration,
    since: Instant,
    budget: Option<Duration>,
}

impl Clock {
    fn used(&self) -> Duration {
        let now = if self.holds {
            Duration::ZERO
        } else {
            self.since.elapsed()
        };
        self.used + now
    }

    fn turn(&mut self, hold: bool) {
        self.used = self.used();
        self.since = Instant::now();
        self.holds = hold;
    }

    fn is_spent(&self) -> bool {
        self.budget.is_some_and(|budget| self.used() >= budget)
    }
}

impl Gate {
    /// Restarts the clock.
    fn restart(&self) {
        let mut clock = self.lock();
        (clock.used, clock.since) = (Duration::ZERO, Instant::now());
    }

    fn lock(&self) -> MutexGuard<'_, Clock> {
        // Each change is a single step.
        lock(&self.clock)
    }

    /// Waits while paused. Returns whether there is time left.
    fn passes(&self) -> bool {
        let mut clock = self.lock();
        while clock.holds && !clock.over {
            clock = wait(&self.wake, clock);
        }
        !clock.over && !clock.is_spent()
    }
}

/// Starts a run; `None`, with a report, if the thread cannot be started.
pub fn start(task: MatchRolloutTask, messages: Sender<Message>) -> Option<MatchRolloutHandle> {
    let gate = Arc::new(Gate {
        clock: Mutex::new(Clock {
            over: false,
            holds: false,
            used: Duration::ZERO,
            since: Instant::now(),
            budget: task.wanted.map(|(_, budget)| budget),
        }),
        wake: Condvar::new(),
    });
    let own = gate.clone();
    let (run, recalled) = (task.run, task.wanted.is_none());
    let sender = messages.clone();
    let work = move || {
        let sender = messages.clone();
        let done = guarded(|| work(task, &own, messages)).unwrap_or_else(|why| {
            sender.warn(format!("the match is not rolled out: {why}"));
            None
        });
        run.send(&sender, MatchRolloutNews::Over { done, recalled });
    };
    let spawned = thread::Builder::new()
        .name("match-rollouts".into())
        .spawn(work);
    if let Err(why) = spawned {
        sender.warn(format!("the match is not rolled out: {why}"));
        let done = None;
        run.send(&sender, MatchRolloutNews::Over { done, recalled });
        return None;
    }
    Some(MatchRolloutHandle(gate))
}

/// Rolls out a match. Returns the progress; `None` if there is nothing to do.
fn work(
    mut task: MatchRolloutTask,
    gate: &Gate,
    messages: Sender<Message>,
) -> Option<MatchRolloutProgress> {
    let mut analysed = analysed(&task);
    let goal = task.wanted.map(|(goal, _)| goal);
    let wants = goal.is_some();
    let store = task.store.take().filter(|store| wants || store.may_hold());
    if !wants && store.is_none() {
        return None;
    }
    let following = Following {
        run: task.run,
        gate,
        kept: store.map(KeptDecisions::new),
        messages: messages.clone(),
        count: Mutex::default(),
    };
    // The gate enforces the time budget.
    let limits = MatchRolloutLimits {
        aim: match goal {
            Some(MatchRolloutGoal::Errors(filter)) => MatchRolloutAim::Errors(filter),
            _ => MatchRolloutAim::Close,
        },
        ..MatchRolloutLimits::USUAL
    };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(task.threads)
        .thread_name(|i| format!("match-{i}"))
        .build()
        .map_err(|error| messages.warn(error.to_string()))
        .ok()?;
    // Stored rollouts count at once, even those not needed for this purpose. Decisions to roll out are selected by
    // lookahead alone.
    let found = pool.install(|| recall_all(&task, &analysed, &limits, &following));
    if !wants {
        return found;
    }
    gate.restart();
    // After a cancellation nobody waits for the result.
    let is_awaited = || !gate.lock().over;
    if goal == Some(MatchRolloutGoal::Verify) {
        let all = pool.install(|| verify(&task.record, &analysed, &task.setup, &following));
        return is_awaited().then(|| MatchRolloutProgress {
            decisions: all.iter().filter(|one| one.rolled.is_some()).count(),
            is_all: !all.iter().any(Verified::is_left),
        });
    }
    match pool.install(|| roll_out(&mut analysed, &task.setup, &limits, &following)) {
        Some(rollouts) => Some(progress(rollouts)),
        None => is_awaited().then(|| interrupted(&analysed)),
    }
}

/// Reports the stored rollouts of a match and of imported claims. Returns their number.
fn recall_all(
    task: &MatchRolloutTask,
    analysed: &[AnalysedTurn],
    limits: &MatchRolloutLimits,
    following: &Following<'_>,
) -> Option<MatchRolloutProgress> {
    let (mut known, looking) = (analysed.to_vec(), Recalling(following));
    let found = recall(&mut known, &task.setup, limits, &looking).map(progress)?;
    let claims = recall_claims(&task.record, analysed, &known, &task.setup, &looking);
    Some(MatchRolloutProgress {
        decisions: found.decisions + claims,
        ..found
    })
}

/// Progress of a cancelled run.
fn interrupted(analysed: &[AnalysedTurn]) -> MatchRolloutProgress {
    let all = || analysed.iter().filter_map(|one| one.rolled.as_ref());
    let cubes = all().filter(|r| r.cube.is_some()).count();
    let plays = all().filter(|r| !r.plays.is_empty()).count();
    MatchRolloutProgress {
        decisions: cubes + plays,
        is_all: false,
    }
}

fn progress(rollouts: MatchRolloutSummary) -> MatchRolloutProgress {
    MatchRolloutProgress {
        decisions: rollouts.decisions,
        is_all: rollouts.left == 0,
    }
}

/// Rolls out decisions in which the imported analysis differs from ours.
fn verify(
    record: &Match,
    analysed: &[AnalysedTurn],
    setup: &Setup,
    following: &Following<'_>,
) -> Vec<Verified> {
    let lookahead = LookaheadSetup {
        evaluator: &*setup.evaluator,
        model: setup.model(),
        ply: STANDARD_PLY,
    };
    let mut all = claims(record, analysed, &lookahead);
    following.send(MatchRolloutNews::Opinions(all.clone()));
    verification::roll_out(&mut all, setup, &VERIFICATION, following, &|i, rolled| {
        following.send(MatchRolloutNews::Opinion(i, rolled));
    });
    all
}

/// Reports the stored rollouts of imported claims. Those of plays have other settings than those of close decisions.
/// Returns how many decisions were not already `known`.
fn recall_claims(
    record: &Match,
    analysed: &[AnalysedTurn],
    known: &[AnalysedTurn],
    setup: &Setup,
    looking: &Recalling<'_>,
) -> usize {
    let lookahead = LookaheadSetup {
        evaluator: &*setup.evaluator,
        model: setup.model(),
        // The two choices of a claim are the same at any depth.
        ply: 0,
    };
    let mut all = claims(record, analysed, &lookahead);
    // Claims that agree without deeper lookahead may have been rolled out with it.
    all.iter_mut().for_each(|one| one.verdict = Verdict::Open);
    let follower = KeptClaims { looking, setup };
    verification::roll_out(&mut all, setup, &VERIFICATION, &follower, &|_, _| ());
    let is_new = |one: &&Verified| {
        let rolled = known[one.claim.turn].rolled.as_ref();
        let is_known = rolled.is_some_and(|rolled| match one.claim.kind {
            ClaimKind::Plays(..) => !rolled.plays.is_empty(),
            ClaimKind::Double | ClaimKind::Take => rolled.cube.is_some(),
        });
        one.rolled.is_some() && !is_known
    };
    all.iter().filter(is_new).count()
}

fn analysed(task: &MatchRolloutTask) -> Vec<AnalysedTurn> {
    let both = task.turns.iter().zip(&task.reviews);
    both.map(|(turn, standard)| standard.of_turn(turn))
        .collect()
}

struct Following<'a> {
    run: MatchRun,
    gate: &'a Gate,
    kept: Option<KeptDecisions>,
    messages: Sender<Message>,
    /// Number of finished decisions and their total.
    count: Mutex<DecisionCount>,
}

impl Following<'_> {
    fn send(&self, news: MatchRolloutNews) {
        self.run.send(&self.messages, news);
    }

    fn send_count(&self, change: impl FnOnce(&mut DecisionCount)) {
        let count = {
            let mut count = lock(&self.count);
            change(&mut count);
            *count
        };
        let used = self.gate.lock().used();
        self.send(MatchRolloutNews::Done(count, used));
    }

    fn send_result(&self, rollout: &DecisionRollout<'_>, result: &RolloutResult) {
        let play = |(i, &result)| JobPlay {
            play: rollout.plays.get(i).copied().unwrap_or_default(),
            result,
        };
        self.send(MatchRolloutNews::Rolled {
            decision: DecisionKey::of(&rollout.state),
            plays: rollout.positions.iter().enumerate().map(play).collect(),
            settings: Box::new(rollout.settings.clone()),
            result: Arc::new(result.clone()),
        });
    }
}

impl Follower for Following<'_> {
    fn goes_on(&self) -> bool {
        self.gate.passes()
    }

    fn begins(&self, of: usize) {
        self.send_count(|count| *count = DecisionCount { done: 0, of });
    }

    fn kept(&self, rollout: &DecisionRollout<'_>) -> Option<Progress> {
        self.kept
            .as_ref()?
            .find(rollout, |news| self.messages.warn(news))
    }

    fn seen(&self, rollout: &DecisionRollout<'_>, result: &RolloutResult) {
        self.send_result(rollout, result);
        self.send_count(|_| ());
    }

    fn found(&self, rolled: &RolledDecision<'_>) {
        if let (Some(kept), Some(progress)) = (&self.kept, rolled.new) {
            kept.keep(rolled.rollout, progress);
        }
        self.send_result(rolled.rollout, rolled.result);
        // Another thread may have reported more already.
        self.send_count(|count| {
            *count = DecisionCount {
                done: count.done.max(rolled.done),
                of: rolled.of,
            };
        });
    }

    fn cut_short(&self, rollout: &DecisionRollout<'_>, progress: &Progress) {
        if let Some(kept) = &self.kept {
            kept.keep(rollout, progress);
        }
    }

    fn failed(&self, rollout: &DecisionRollout<'_>, why: &str) {
        let id = xgid_text(&rollout.state);
        self.messages
            .warn(format!("a decision could not be rolled out: {why} ({id})"));
    }
}

/// Reports only stored rollouts. Takes no time from other rollouts, so it is neither paused for them nor counted in
/// the budget. Ends if the file cannot be read.
struct Recalling<'a>(&'a Following<'a>);

impl Follower for Recalling<'_> {
    fn goes_on(&self) -> bool {
        let is_unreadable = self
            .0
            .kept
            .as_ref()
            .is_some_and(KeptDecisions::is_unreadable);
        !self.0.gate.lock().over && !is_unreadable
    }

    fn kept(&self, rollout: &DecisionRollout<'_>) -> Option<Progress> {
        self.0.kept(rollout)
    }

    fn found(&self, rolled: &RolledDecision<'_>) {
        self.0.send_result(rolled.rollout, rolled.result);
    }
}

/// Reports stored rollouts of claims without rolling out any.
struct KeptClaims<'a> {
    looking: &'a Recalling<'a>,
    setup: &'a Setup,
}

impl Follower for KeptClaims<'_> {
    fn goes_on(&self) -> bool {
        false
    }

    fn kept(&self, rollout: &DecisionRollout<'_>) -> Option<Progress> {
        if !self.looking.goes_on() {
            return None;
        }
        let kept = self.looking.kept(rollout)?;
        let result = kept.result(self.setup).ok()?;
        self.looking.0.send_result(rollout, &result);
        Some(kept)
    }
}

#[cfg(test)]
mod tests;
