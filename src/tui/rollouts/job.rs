//! A rollout of the session: its decision, progress and results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cube::{CubeChoice, CubeDecision, cube_words};
use crate::eval::Probabilities;
use crate::game::{GameState, Play, PlayList, Position};
use crate::rollout::{
    Allocation, CandidateResult, Estimate, LuckKind, Pilot, RolloutResult, Settings, Status,
    StopReason, chance_of_double,
};
use crate::study::{Foundation, rolled};

/// Minimum number of trials from which a rollout's figures replace those of lookahead or of an older rollout.
pub const TRIALS_TO_REPLACE: u64 = 36;

/// Identifies a job for the workers.
pub type JobId = u64;

/// Identifies a decision: position, dice, cube and score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecisionKey(GameState);

impl DecisionKey {
    pub fn of(state: &GameState) -> Self {
        Self(*state)
    }

    /// The state of the decision. Without dice the position itself is rolled out.
    pub fn state(&self) -> &GameState {
        &self.0
    }

    /// The position to roll out if there are no dice, with the player on roll as its mover; `None` with dice.
    pub fn before_roll(&self) -> Option<Position> {
        let state = &self.0;
        state.roll.is_none().then(|| match state.doubled {
            true => state.position.flipped(),
            false => state.position,
        })
    }

    /// The same cube decision before the roll from the opponent's side: for a double its answer and vice versa.
    /// `None` with dice.
    pub fn other_side(&self) -> Option<Self> {
        let state = &self.0;
        let other = || GameState {
            doubled: !state.doubled,
            ..state.flipped()
        };
        state.roll.is_none().then(|| Self(other()))
    }

    /// The decision not to double before this roll.
    pub fn before(&self) -> Self {
        Self(self.0.before_roll())
    }

    /// Returns whether a rollout's figures must be converted to the other player for display. A rollout gives figures
    /// for the player who is not on roll. Without dice they are shown for the player who rolls next, and for an
    /// offered double for the doubler.
    pub(crate) fn is_flipped(&self) -> bool {
        self.0.roll.is_none()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobPlay {
    pub play: Play,
    /// The position after it with the opponent on roll, which is rolled out.
    pub result: Position,
}

impl JobPlay {
    /// The plays of a decision that lead to these positions, or without dice the positions themselves; `None` if a
    /// play is illegal.
    pub fn all(decision: &DecisionKey, results: &[Position]) -> Option<Vec<Self>> {
        let state = decision.state();
        let Some(roll) = state.roll else {
            let play = Play::NONE;
            return Some(
                results
                    .iter()
                    .map(|&result| Self { play, result })
                    .collect(),
            );
        };
        let list = PlayList::of(&state.position, roll);
        let play = |&result: &Position| {
            let play = list.play_to(&result)?;
            Some(Self { play, result })
        };
        results.iter().map(play).collect()
    }
}

/// State of a job.
#[derive(Clone, Debug, PartialEq)]
pub enum JobState {
    /// Waiting for its turn.
    Queued,
    Running,
    /// Paused by the user.
    Paused,
    /// Finished; its results stay.
    Done,
    /// Failed with a reason.
    Failed(String),
}

/// Purpose of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Figures of each play.
    Each,
    /// Differences between plays, with the named coupling.
    Compare,
    /// Differences between plays, with the coupling that a pilot selects.
    Pilot,
}

/// A rollout of some plays of a decision.
#[derive(Clone, Debug)]
pub struct Job {
    pub id: JobId,
    pub decision: DecisionKey,
    /// The candidates, in order.
    pub plays: Vec<JobPlay>,
    pub aim: Aim,
    /// The settings in use: as requested, or as chosen by the pilot.
    pub settings: Settings,
    pub(crate) asked: Settings,
    /// Result of its pilot.
    pub(crate) pilot: Option<Arc<Pilot>>,
    pub state: JobState,
    /// Time of the last start or resumption.
    pub started: Option<Instant>,
    /// The latest snapshot.
    pub(crate) latest: Option<Arc<RolloutResult>>,
    /// The displayed snapshot, older than `latest` while the display is frozen.
    pub(crate) shown: Option<Arc<RolloutResult>>,
    /// Whether it belongs to the rollouts of the whole match, which are not in the queue.
    pub(crate) of_match: bool,
    /// Whether it was restored from the store.
    pub(crate) is_kept: bool,
    /// Luck subtracted in a stored rollout.
    pub(crate) kept_luck: Option<LuckKind>,
}

impl Job {
    /// A job without results.
    pub(crate) fn new(
        id: JobId,
        decision: DecisionKey,
        plays: Vec<JobPlay>,
        aim: Aim,
        settings: Settings,
        state: JobState,
    ) -> Self {
        Self {
            id,
            decision,
            plays,
            aim,
            asked: settings.clone(),
            settings,
            pilot: None,
            state,
            started: None,
            latest: None,
            shown: None,
            of_match: false,
            is_kept: false,
            kept_luck: None,
        }
    }

    /// The kind of luck subtracted; `auto` before a pilot has chosen.
    pub fn luck(&self) -> LuckKind {
        let chosen = self
            .kept_luck
            .filter(|_| self.settings.luck == LuckKind::Auto);
        chosen.unwrap_or(self.settings.luck)
    }

    /// This job's cube decision from the opponent's side; `None` for plays and for a position alone.
    pub(crate) fn other_side(&self) -> Option<DecisionKey> {
        let other = self.decision.other_side();
        other.filter(|_| self.is_cube_decision())
    }

    /// The requested settings.
    pub fn asked(&self) -> &Settings {
        &self.asked
    }

    /// Returns whether the plays of this job are compared with each other.
    pub fn is_comparison(&self) -> bool {
        self.plays.len() > 1 && self.aim != Aim::Each
    }

    /// Returns whether it compares two plays.
    pub fn is_pair(&self) -> bool {
        self.plays.len() == 2 && self.is_comparison()
    }

    /// Returns whether it compares more than two plays.
    pub fn is_family(&self) -> bool {
        self.plays.len() > 2 && self.is_comparison()
    }

    /// Returns whether its pilot has still to choose the coupling.
    pub fn wants_pilot(&self) -> bool {
        self.aim == Aim::Pilot && self.pilot.is_none()
    }

    /// How long its pilot has been running; `None` without a running pilot.
    pub fn piloted_for(&self, now: Instant) -> Option<Duration> {
        let since = self.started.filter(|_| self.state == JobState::Running)?;
        let is_trying = self.wants_pilot();
        is_trying.then(|| now.saturating_duration_since(since))
    }

    /// The result of its pilot.
    pub fn pilot(&self) -> Option<&Pilot> {
        self.pilot.as_deref()
    }

    /// Adopts the settings chosen by its pilot.
    pub fn choose(&mut self, pilot: Arc<Pilot>) {
        let stop = self.settings.stop;
        self.settings = pilot.settings.clone();
        self.settings.stop = stop;
        self.pilot = Some(pilot);
    }

    /// Returns whether a family has only one play left, so that more trials cannot change its verdict.
    pub fn has_one_play_left(&self) -> bool {
        let family = self.latest.as_ref().and_then(|r| r.family.as_ref());
        let open = |beaten: &[bool]| beaten.iter().filter(|b| !**b).count();
        let races = self.settings.allocation == Allocation::Race;
        races && family.is_some_and(|f| open(&f.beaten) == 1)
    }

    /// Name of a candidate: its play, or the position if there are no dice.
    pub fn name(&self, candidate: usize) -> String {
        match self.plays.get(candidate) {
            Some(p) if self.decision.state().roll.is_some() => {
                crate::tui::text::play(&p.play, &self.decision.state().position)
            }
            Some(_) if self.is_cube_decision() => {
                let state = self.decision.state();
                let name = match candidate {
                    0 => "no double",
                    _ => "double/take",
                };
                cube_words(name, state).into()
            }
            Some(_) => "before roll".into(),
            None => String::new(),
        }
    }

    /// Returns whether trials include cube and score. Only then are results comparable with the evaluator's cubeful
    /// equities.
    pub fn is_cubeful(&self) -> bool {
        self.settings.cube.is_some()
    }

    /// Returns whether any play has displayed trials.
    pub fn has_figures(&self) -> bool {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        candidates.into_iter().any(|s| s.trials > 0)
    }

    /// Returns whether its candidates are the two sides of a cube decision.
    pub fn is_cube_decision(&self) -> bool {
        self.settings.cube.is_some_and(|c| c.decision)
    }

    /// The doubler's equities in points without a double and after double and take; `None` below
    /// [`TRIALS_TO_REPLACE`].
    pub fn cube_values(&self) -> Option<[Estimate; 2]> {
        let result = self.shown.as_ref().filter(|_| self.is_cube_decision())?;
        let [hold, take] = [result.candidates.first()?, result.candidates.get(1)?];
        (hold.trials >= TRIALS_TO_REPLACE).then_some([hold.equity, take.equity])
    }

    /// The cube decision in `state` by this rollout of both sides, if it has [`Self::cube_values`].
    pub fn cube_decision(&self, state: &GameState) -> Option<CubeDecision> {
        let [hold, take] = self.cube_values()?.map(|value| value.mean as f32);
        let beavers = self.settings.cube?.restricted(state).allows_beavers();
        Some(CubeDecision::in_points(hold, take, beavers))
    }

    /// The chances that a double and that a take are right, by this rollout of both sides, if it has
    /// [`Self::cube_values`].
    pub fn cube_certainty(&self, beavers: bool) -> Option<[f64; 2]> {
        let [_, take] = self.cube_values()?;
        // Results are rolled out for the player who does not double.
        let rolled = flipped(self.shown.as_ref()?);
        let double = chance_of_double(&rolled, beavers)?;
        Some([double, 1.0 - take.chance_at_least(1.0)])
    }

    /// The doubler's chances without a double and after double and take, once they have trials.
    pub fn cube_chances(&self) -> Option<[Probabilities; 2]> {
        self.cube_values()?;
        let candidates = &self.shown.as_ref()?.candidates;
        Some([0, 1].map(|side| candidates[side].chances()))
    }

    /// The displayed result.
    pub fn result(&self) -> Option<&Arc<RolloutResult>> {
        self.shown.as_ref()
    }

    /// The figures of a play, once it has trials.
    pub fn result_of(&self, result: &Position) -> Option<&CandidateResult> {
        let i = self.place(result)?;
        self.shown
            .as_ref()?
            .candidates
            .get(i)
            .filter(|s| s.trials > 0)
    }

    /// Largest number of trials of a candidate so far, the rollout's progress. [`Self::trials_shown`] is smaller
    /// while the display is frozen.
    pub fn trials_played(&self) -> u64 {
        let candidates = self.latest.iter().flat_map(|r| &r.candidates);
        candidates.map(|s| s.trials).max().unwrap_or(0)
    }

    /// Returns whether this job was cancelled.
    pub fn was_stopped(&self) -> bool {
        let status = self.latest.as_ref().map(|r| r.status);
        status == Some(Status::Done(StopReason::Cancelled))
    }

    /// Returns whether this job ended because its plays are separated or too close to matter.
    pub fn is_decided(&self) -> bool {
        let status = self.latest.as_ref().map(|r| r.status);
        matches!(
            status,
            Some(Status::Done(StopReason::Separated | StopReason::Equivalent))
        )
    }

    /// Returns whether a rollout for `aim` with `settings` would have the same trials.
    pub fn is_like(&self, aim: Aim, settings: &Settings) -> bool {
        let mut own = self.asked.clone();
        own.stop = settings.stop;
        let may_be_piloted = self.is_kept && (self.aim, aim) == (Aim::Compare, Aim::Pilot);
        if may_be_piloted {
            // The store does not record whether a pilot chose the coupling; continuing does not need another choice.
            (own.coupling, own.ranks) = (settings.coupling, settings.ranks);
            // Without variance reduction it would take many times the trials.
            if settings.luck == LuckKind::Auto && own.luck.is_some() {
                own.luck = LuckKind::Auto;
            }
        }
        (self.aim == aim || may_be_piloted) && own == *settings
    }

    /// Returns whether this job has exactly these plays, in this order.
    pub(crate) fn has_in_order(&self, plays: &[JobPlay]) -> bool {
        let own = self.plays.iter().map(|play| play.result);
        own.eq(plays.iter().map(|play| play.result))
    }

    /// Returns whether this job has exactly these plays, in any order.
    pub fn has_plays(&self, plays: &[JobPlay]) -> bool {
        let has = |p: &JobPlay| self.plays.iter().any(|q| q.result == p.result);
        self.plays.len() == plays.len() && plays.iter().all(has)
    }

    /// Returns whether this job belongs to the rollouts of the whole match.
    pub fn is_of_match(&self) -> bool {
        self.of_match
    }

    /// Returns whether the results of this job still change.
    pub fn is_live(&self) -> bool {
        let status = self.latest.as_ref().map(|r| r.status);
        self.is_active() || (self.of_match && status == Some(Status::Running))
    }

    /// Stores a new result from the runner. The screen shows it unless it is frozen.
    pub(crate) fn take(&mut self, result: Arc<RolloutResult>, frozen: bool) {
        self.latest = Some(if self.decision.is_flipped() {
            Arc::new(flipped(&result))
        } else {
            result
        });
        if !frozen {
            self.shown.clone_from(&self.latest);
        }
    }

    /// Returns whether this job waits, runs or is paused.
    pub fn is_active(&self) -> bool {
        matches!(
            self.state,
            JobState::Queued | JobState::Running | JobState::Paused
        )
    }
}

impl Job {
    /// Returns whether the results of all its plays are known exactly.
    pub fn is_exact(&self) -> bool {
        self.shown.as_deref().is_some_and(rolled::is_exact)
    }
}

impl Job {
    /// Error of a cube action in points, if this is a rollout of that decision with enough trials.
    pub fn cube_error(&self, choice: CubeChoice, state: &GameState) -> Option<f32> {
        let decision = self.cube_decision(state)?;
        let result = self.shown.as_ref()?;
        let fewest = result.candidates.iter().map(|s| s.trials).min()?;
        self.tells(fewest).then(|| decision.error(choice))?
    }

    /// Standard error of the difference between two candidates. Without a comparison their errors count as
    /// independent.
    pub fn difference_se(&self, one: usize, other: usize) -> f64 {
        let shown = self.shown.as_ref();
        shown.map_or(f64::INFINITY, |result| {
            rolled::difference_se(result, one, other)
        })
    }

    /// Index of the candidate that leads to `result`.
    pub fn place(&self, result: &Position) -> Option<usize> {
        self.plays.iter().position(|p| p.result == *result)
    }

    /// Foundation of a figure with this number of trials and standard error.
    pub(crate) fn foundation(&self, trials: u64, se: f64) -> Foundation {
        let shown = self.shown.as_deref();
        let is_far = shown.is_some_and(|result| rolled::is_far(result, trials));
        Foundation::new(&self.settings, is_far, se)
    }

    /// Foundation of the whole rollout, by the mean of its standard errors.
    pub(crate) fn own_foundation(&self) -> Foundation {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        let all: Vec<&CandidateResult> = candidates.filter(|s| s.trials > 0).collect();
        let sum: f64 = all.iter().map(|s| s.equity.se).sum();
        self.foundation(self.trials_shown(), sum / all.len() as f64)
    }

    /// Largest number of displayed trials of a candidate, which determines the foundation of the displayed figures
    /// while the display is frozen.
    pub(crate) fn trials_shown(&self) -> u64 {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        candidates.map(|s| s.trials).max().unwrap_or(0)
    }

    /// Foundation of the values of a cube decision.
    pub(crate) fn cube_foundation(&self) -> Foundation {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        let fewest = candidates.map(|s| s.trials).min().unwrap_or(0);
        self.foundation(fewest, self.difference_se(0, 1))
    }

    /// Returns whether this rollout shows errors of plays with this number of trials.
    pub(crate) fn tells(&self, trials: u64) -> bool {
        let shown = self.shown.as_deref();
        shown.is_some_and(|result| rolled::tells(result, trials))
    }
}

/// Converts a result to the other player's side.
fn flipped(result: &RolloutResult) -> RolloutResult {
    let mut flipped = result.clone();
    flipped.candidates = result
        .candidates
        .iter()
        .map(CandidateResult::flipped)
        .collect();
    for point in flipped.history.iter_mut().flatten() {
        point.mean = -point.mean;
    }
    flipped
}
