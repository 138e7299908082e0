//! The last stage of a review: decisions are rolled out. What the rollouts say replaces what lookahead
//! said.
//!
//! *Which.* Those that a rollout may change, or the errors ([`MatchRolloutAim`]).
//!
//! *How.* Both sides play at one ply with the cube, the game is valued after ten rolls or as many as a
//! [`Level`](crate::rollout::Level) says, and luck is subtracted. Cube decisions are rolled out to the
//! end. One thread rolls out one decision, so its figures do not depend on the number of threads. How many
//! decisions a time limit allows does depend on it. A rollout that the limit cuts short is not used.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

mod aim;

pub use self::aim::{ErrorFilter, MatchRolloutAim};
use self::aim::{Task, TurnDecision, tasks};
pub(super) use self::aim::{are_alike, changes_nothing, deviation, overtaken};
use super::cube::cube_decision_of;
use super::in_order::in_order;
use super::match_review::AnalysedTurn;
use crate::game::{GameState, Play, Position};
use crate::locks::{lock, unlocked};
use crate::panics::guarded;
use crate::rollout::{
    Coupling, CubeSettings, Progress, RolloutError, RolloutPrecision, RolloutResult, Settings,
    Setup, Snapshot, StopRules, Truncated, cube_decision, run_blocking,
};

/// Trials of each play unless something else is asked for.
pub const TRIALS: u64 = 360;
/// Plies at which both sides play.
pub const PLY: u8 = 1;
/// Rolls after which a trial is valued unless something else is asked for.
pub const HORIZON: u16 = 10;
/// Most plays of one decision; the one that was made comes besides.
const MOST_PLAYS: usize = 4;
/// Points behind the best within which a third play or a later one is rolled out.
const WITHIN: f32 = 0.06;
/// How much of a match is rolled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchRolloutLimits {
    /// Which decisions.
    pub aim: MatchRolloutAim,
    /// At most so many decisions; `None`: as many as there is time for.
    pub decisions: Option<usize>,
    /// No longer than this.
    pub budget: Option<Duration>,
    /// Trials of each play.
    pub trials: u64,
    /// Trials of each side of a cube decision.
    pub cube_trials: u64,
    /// Rolls after which a trial is valued that is not one of a cube decision.
    pub horizon: u16,
}

impl MatchRolloutLimits {
    /// The usual limits: all close decisions.
    pub const USUAL: Self = Self {
        aim: MatchRolloutAim::Close,
        decisions: None,
        budget: None,
        trials: TRIALS,
        cube_trials: TRIALS,
        horizon: HORIZON,
    };

    /// The limits for all decisions that are worth a rollout, as this level of analysis rolls out.
    pub fn of(rollout: &Truncated) -> Self {
        Self {
            aim: MatchRolloutAim::Close,
            decisions: None,
            budget: None,
            trials: rollout.trials,
            cube_trials: rollout.cube_trials,
            horizon: rollout.horizon,
        }
    }

    fn settings(&self, cube: CubeSettings) -> Settings {
        Settings {
            ply: PLY,
            // What a cube is worth to its owner shows late.
            horizon: Some(self.horizon).filter(|_| !cube.decision),
            cube: Some(cube),
            coupling: Coupling::Dice,
            stop: StopRules {
                trials: match cube.decision {
                    true => self.cube_trials,
                    false => self.trials,
                },
                ..StopRules::default()
            },
            ..Settings::default()
        }
    }
}

/// Counts of rolled out decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRolloutSummary {
    /// Decisions rolled out.
    pub decisions: usize,
    /// Decisions that would have been, with more time; a cube too large for a rollout makes none.
    pub left: usize,
}

/// A decision that is rolled out.
#[derive(Clone, Copy, Debug)]
pub struct DecisionRollout<'a> {
    /// Place of its turn in the list that was analysed.
    pub turn: usize,
    /// The state it is made in: before the roll, seen by the doubler, where it is one about the cube.
    pub state: GameState,
    /// The plays; none where it is one about the cube.
    pub plays: &'a [Play],
    /// Positions to roll out: those after the plays, or twice the one before the roll, for no double and for
    /// double and take.
    pub positions: &'a [Position],
    /// The settings of the rollout.
    pub settings: &'a Settings,
}

/// A decision whose rollout has ended.
#[derive(Clone, Copy, Debug)]
pub struct RolledDecision<'a> {
    pub rollout: &'a DecisionRollout<'a>,
    pub result: &'a RolloutResult,
    /// Progress that is to be kept; `None` if it was kept before.
    pub new: Option<&'a Progress>,
    /// Decisions done, this one among them.
    pub done: usize,
    /// Decisions to do, those done among them.
    pub of: usize,
}

/// Follows the rollouts of a match while they run, from several threads at a time.
pub trait Follower: Sync {
    /// Returns whether the rollouts continue. Called before each of them and between its rounds of trials. May
    /// wait.
    fn goes_on(&self) -> bool {
        true
    }

    /// Gets the number of decisions that are worth a rollout.
    fn begins(&self, _of: usize) {}

    /// The progress of a rollout like this that was kept; `None` if none was.
    fn kept(&self, _: &DecisionRollout<'_>) -> Option<Progress> {
        None
    }

    /// Gets how far a rollout has come.
    fn seen(&self, _: &DecisionRollout<'_>, _: &RolloutResult) {}

    /// Gets a rollout that has ended.
    fn found(&self, _: &RolledDecision<'_>) {}

    /// Gets a rollout that was cut short and may go on later, and what is to be kept of it.
    fn cut_short(&self, _: &DecisionRollout<'_>, _: &Progress) {}

    /// Gets a rollout that could not be done, and why; the others go on.
    fn failed(&self, _: &DecisionRollout<'_>, _why: &str) {}
}

/// Work on the decisions.
enum Work {
    /// Rollouts that were kept are put in.
    Recall,
    /// Decisions are rolled out.
    RollOut {
        /// No longer than to this time.
        until: Option<Instant>,
    },
}

/// The outcome of a decision's rollout.
enum Obtained {
    /// Its rollout, and the progress of one that is new.
    Rolled(Box<RolloutResult>, Option<Box<Progress>>),
    /// Its rollout has too few trials yet.
    CutShort,
    /// No rollout of it was kept, and none is wanted.
    NotKept,
    /// The cube is too large for a rollout: the verdict of lookahead stands.
    TooLarge,
}

/// Rolls out decisions of a match that has been analysed, and puts the results in. `None` if the
/// follower did not let it go on to the end; what was done is put in nevertheless.
///
/// Uses the threads of the pool in force.
pub fn roll_out(
    analysed: &mut [AnalysedTurn],
    setup: &Setup,
    limits: &MatchRolloutLimits,
    follower: &dyn Follower,
) -> Option<MatchRolloutSummary> {
    let until = limits.budget.map(|budget| Instant::now() + budget);
    run(analysed, setup, limits, follower, &Work::RollOut { until })
}

/// Puts in what was kept of the rollouts of a match, whatever they were made for, and rolls nothing out. Only
/// plays of a [verification](super::verification) are rolled out otherwise, and not found here.
/// `None` if the follower did not let it go on to the end.
pub fn recall(
    analysed: &mut [AnalysedTurn],
    setup: &Setup,
    limits: &MatchRolloutLimits,
    follower: &dyn Follower,
) -> Option<MatchRolloutSummary> {
    let limits = &MatchRolloutLimits {
        aim: MatchRolloutAim::All,
        decisions: None,
        ..*limits
    };
    run(analysed, setup, limits, follower, &Work::Recall)
}

fn run(
    analysed: &mut [AnalysedTurn],
    setup: &Setup,
    limits: &MatchRolloutLimits,
    follower: &dyn Follower,
    work: &Work,
) -> Option<MatchRolloutSummary> {
    let tasks = tasks(analysed, limits.aim, limits.decisions.unwrap_or(usize::MAX));
    let all = tasks.len();
    let tasks = by_rollout(analysed, tasks);
    follower.begins(all);
    let run = Run {
        analysed,
        setup,
        limits,
        follower,
        work,
        all,
        stopped: AtomicBool::new(false),
        ready: AtomicUsize::new(0),
        failed: AtomicUsize::new(0),
        too_large: AtomicUsize::new(0),
        found: Mutex::default(),
    };
    in_order(tasks.len(), &|i| {
        let goes_on = !run.is_over();
        if goes_on {
            run.decide(&tasks[i]);
        }
        goes_on
    });
    let given_up = run.failed.into_inner() + run.too_large.into_inner();
    let (stopped, found) = (run.stopped.into_inner(), unlocked(run.found));
    let decisions = found.iter().map(|(alike, _)| alike.len()).sum();
    for (alike, result) in &found {
        put(analysed, alike, result);
    }
    (!stopped).then_some(MatchRolloutSummary {
        decisions,
        left: all - decisions - given_up,
    })
}

/// The rollouts of a match under way; all threads work on it.
struct Run<'a> {
    analysed: &'a [AnalysedTurn],
    setup: &'a Setup,
    limits: &'a MatchRolloutLimits,
    follower: &'a dyn Follower,
    work: &'a Work,
    /// Decisions to be rolled out.
    all: usize,
    /// The user has stopped the work.
    stopped: AtomicBool,
    /// Decisions whose rollouts are ready, whose rollouts have failed, and whose cube is too large for one.
    ready: AtomicUsize,
    failed: AtomicUsize,
    too_large: AtomicUsize,
    found: Mutex<Vec<(Vec<Task>, RolloutResult)>>,
}

impl Run<'_> {
    /// Returns whether no more is rolled out: stopped by the user, or out of time.
    fn is_over(&self) -> bool {
        let stop = self.stopped.load(Ordering::Relaxed) || !self.follower.goes_on();
        self.stopped.fetch_or(stop, Ordering::Relaxed);
        let is_late = match self.work {
            Work::RollOut { until: Some(until) } => Instant::now() >= *until,
            Work::RollOut { until: None } | Work::Recall => false,
        };
        stop || is_late
    }

    /// Rolls out the decisions of `alike`, which one rollout serves, or recalls that rollout.
    fn decide(&self, alike: &[Task]) {
        let (setup, follower) = (self.setup, self.follower);
        let task = &alike[0];
        let one = &self.analysed[task.turn];
        let Some(task_rollout) = TaskRollout::new(one, task.decision, setup, self.limits) else {
            return;
        };
        let rollout = task_rollout.rollout(task.turn);
        let obtained = match recalled(&rollout, setup, follower) {
            Some(result) => Ok(Obtained::Rolled(Box::new(result), None)),
            None if matches!(self.work, Work::Recall) => Ok(Obtained::NotKept),
            None => roll_safely(&rollout, setup, follower, &|| self.is_over()),
        };
        match obtained {
            Ok(Obtained::Rolled(result, new)) => {
                let before = self.ready.fetch_add(alike.len(), Ordering::Relaxed);
                follower.found(&RolledDecision {
                    rollout: &rollout,
                    result: &result,
                    new: new.as_deref(),
                    done: before + alike.len(),
                    of: self.all,
                });
                lock(&self.found).push((alike.to_vec(), *result));
            }
            Ok(Obtained::CutShort | Obtained::NotKept) => {}
            Ok(Obtained::TooLarge) => {
                self.too_large.fetch_add(alike.len(), Ordering::Relaxed);
            }
            Err(why) => {
                self.failed.fetch_add(alike.len(), Ordering::Relaxed);
                follower.failed(&rollout, &why);
            }
        }
    }
}

/// Puts a result into the turns of the tasks that it serves. One about the cube holds for a double and for its answer,
/// also where only one of them was to be rolled out.
fn put(analysed: &mut [AnalysedTurn], alike: &[Task], result: &RolloutResult) {
    let Some(task) = alike.first() else { return };
    if task.decision == TurnDecision::Play {
        return put_play(&mut analysed[task.turn], result);
    }
    let Some((state, _)) = cube_decision_of(&analysed[task.turn].turn) else {
        return;
    };
    let is_same =
        |one: &&mut AnalysedTurn| cube_decision_of(&one.turn).is_some_and(|(of, _)| of == state);
    let analysed = analysed.iter_mut().filter(|one| one.review.cube.is_some());
    analysed
        .filter(is_same)
        .for_each(|one| put_cube(one, result));
}

/// The result of a rollout like this that was kept, if it has trials enough.
fn recalled(
    rollout: &DecisionRollout<'_>,
    setup: &Setup,
    follower: &dyn Follower,
) -> Option<RolloutResult> {
    let kept = follower.kept(rollout);
    let kept = kept.filter(|kept| kept.trials() >= rollout.settings.stop.trials);
    kept?.result(setup).ok()
}

/// Tasks grouped by the rollout that serves them: a double and its answer are one rollout.
fn by_rollout(analysed: &[AnalysedTurn], tasks: Vec<Task>) -> Vec<Vec<Task>> {
    let mut all: Vec<Vec<Task>> = Vec::with_capacity(tasks.len());
    let mut places: HashMap<GameState, usize> = HashMap::new();
    for task in tasks {
        let cube = cube_decision_of(&analysed[task.turn].turn)
            .filter(|_| task.decision == TurnDecision::Cube);
        let place = match cube {
            Some((state, _)) => *places.entry(state).or_insert(all.len()),
            None => all.len(),
        };
        match all.get_mut(place) {
            Some(alike) => alike.push(task),
            None => all.push(vec![task]),
        }
    }
    all
}

/// Places among the candidates of a turn's plays that are rolled out.
fn chosen(one: &AnalysedTurn) -> Vec<usize> {
    let candidates = &one.review.candidates;
    let limit = candidates[0].equity - WITHIN;
    let mut places: Vec<usize> = (0..candidates.len().min(MOST_PLAYS))
        .take_while(|&i| i < 2 || candidates[i].equity >= limit)
        .collect();
    places.extend(one.review.played.filter(|i| !places.contains(i)));
    places
}

/// A task's rollout and its settings.
struct TaskRollout {
    state: GameState,
    plays: Vec<Play>,
    positions: Vec<Position>,
    settings: Settings,
}

impl TaskRollout {
    fn new(
        one: &AnalysedTurn,
        decision: TurnDecision,
        setup: &Setup,
        limits: &MatchRolloutLimits,
    ) -> Option<Self> {
        let (state, plays, positions, cube) = match decision {
            TurnDecision::Play => {
                let state = one.turn.before.state;
                let chosen = chosen(one).into_iter().map(|i| &one.review.candidates[i]);
                let (plays, positions) = chosen.map(|c| (c.play, c.result)).unzip();
                (state, plays, positions, CubeSettings::after_play(&state))
            }
            TurnDecision::Cube => {
                let (state, _) = cube_decision_of(&one.turn)?;
                let cubeful = CubeSettings::of_decision(&state);
                (state, Vec::new(), vec![state.position; 2], cubeful)
            }
        };
        Some(Self {
            state,
            plays,
            positions,
            settings: limits.settings(cube).resolved(setup),
        })
    }

    fn rollout(&self, turn: usize) -> DecisionRollout<'_> {
        DecisionRollout {
            turn,
            state: self.state,
            plays: &self.plays,
            positions: &self.positions,
            settings: &self.settings,
        }
    }
}

/// Rolls out as [`roll`] does; a panic is an error that says why.
fn roll_safely(
    rollout: &DecisionRollout<'_>,
    setup: &Setup,
    follower: &dyn Follower,
    over: &dyn Fn() -> bool,
) -> Result<Obtained, String> {
    guarded(|| roll(rollout, setup, follower, over)).unwrap_or_else(Err)
}

fn roll(
    rollout: &DecisionRollout<'_>,
    setup: &Setup,
    follower: &dyn Follower,
    over: &dyn Fn() -> bool,
) -> Result<Obtained, String> {
    let mut progress = None;
    let mut look = |look: &Snapshot<'_>| {
        if look.trials() >= rollout.settings.stop.trials {
            progress = Some(look.progress());
            return true;
        }
        follower.seen(rollout, &look.result());
        !over()
    };
    match run_blocking(setup, rollout.positions, rollout.settings, &mut look) {
        Ok(result) => Ok(match progress {
            Some(progress) => Obtained::Rolled(Box::new(result), Some(Box::new(progress))),
            None => Obtained::CutShort,
        }),
        Err(RolloutError::CubeCap { .. }) => Ok(Obtained::TooLarge),
        Err(refused) => Err(refused.to_string()),
    }
}

fn put_play(one: &mut AnalysedTurn, result: &RolloutResult) {
    let candidates = &one.review.candidates;
    let places = chosen(one).into_iter().zip(&result.candidates);
    let first = places.map(|(i, rolled_out)| {
        let mut candidate = candidates[i];
        candidate.probabilities = rolled_out.chances();
        candidate.equity = rolled_out.equity.mean as f32;
        (candidate, RolloutPrecision::from(rolled_out))
    });
    let first = first.collect();
    one.rolled.get_or_insert_default().plays = one.review.put_rolled_plays(first);
}

fn put_cube(one: &mut AnalysedTurn, result: &RolloutResult) {
    let Some((state, _)) = cube_decision_of(&one.turn) else {
        return;
    };
    let ([hold, take], Some(decision)) = (&result.candidates[..], cube_decision(result, &state))
    else {
        return;
    };
    one.review.put_rolled_cube(decision);
    one.rolled.get_or_insert_default().cube = Some([hold, take].map(RolloutPrecision::from));
}

#[cfg(test)]
mod tests;
