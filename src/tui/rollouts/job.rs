//! One rollout of the session: what it is about, where it stands, what it has found.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::cube::{CubeChoice, CubeDecision, cube_words};
use crate::eval::Probabilities;
use crate::game::{GameState, Play, PlayList, Position};
use crate::rollout::{
    CandidateResult, Estimate, LuckKind, Pilot, RolloutResult, Settings, Status, StopReason,
};
use crate::stats::interval::excludes_zero;
use crate::study::{Foundation, rolled};

/// A rollout's figures take the place of lookahead's, or of an older rollout's, from so many trials on.
pub const TRIALS_TO_REPLACE: u64 = 36;

/// Names a job for the workers.
pub type JobId = u64;

/// What is decided: the position, the dice, and what the game is played for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecisionKey(GameState);

impl DecisionKey {
    /// The decision of a state.
    pub fn of(state: &GameState) -> Self {
        Self(*state)
    }

    /// The state in which it is made. Without dice the position itself is rolled out.
    pub fn state(&self) -> &GameState {
        &self.0
    }

    /// The position to roll out where there are no dice; `None` with dice. It is the position with the player
    /// on roll as its mover, which is what is rolled out.
    pub fn before_roll(&self) -> Option<Position> {
        let state = &self.0;
        state.roll.is_none().then(|| match state.doubled {
            true => state.position.flipped(),
            false => state.position,
        })
    }

    /// The decision about the cube before the roll as the other player meets it, the one who doubles or the
    /// one who answers. None where there are dice.
    pub fn other_side(&self) -> Option<Self> {
        let state = &self.0;
        let other = || GameState {
            doubled: !state.doubled,
            ..state.flipped()
        };
        state.roll.is_none().then(|| Self(other()))
    }

    /// The decision not to double before the roll that is played here.
    pub fn before(&self) -> Self {
        Self(self.0.before_roll())
    }

    /// Whether the figures of a rollout are shown for the other player: it tells the figures of the player
    /// who is not on roll, and without dice those of the one who rolls next are shown, of a double on offer
    /// the doubler's.
    pub(crate) fn is_flipped(&self) -> bool {
        self.0.roll.is_none()
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobPlay {
    /// What is moved.
    pub play: Play,
    /// The position after it, opponent on roll: what is rolled out.
    pub result: Position,
}

impl JobPlay {
    /// The plays of a decision that lead to these positions, or the positions themselves where there are no
    /// dice; none if one of the plays is not legal.
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

/// Where a job stands.
#[derive(Clone, Debug, PartialEq)]
pub enum JobState {
    /// Waits for its turn.
    Queued,
    /// Trials are being played.
    Running,
    /// Stopped for a while by the user.
    Paused,
    /// Ended; what it found stays.
    Done,
    /// Could not be done.
    Failed(String),
}

/// What a job is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The figures of each play.
    Each,
    /// The differences between plays, with the coupling of their dice that was named.
    Compare,
    /// The differences between plays, with the coupling that a pilot finds best.
    Pilot,
}

/// One rollout of some plays of one decision.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// What it is about.
    pub decision: DecisionKey,
    /// The candidates, in order.
    pub plays: Vec<JobPlay>,
    pub aim: Aim,
    /// How it is done: as asked for, once a pilot has chosen as that says.
    pub settings: Settings,
    pub(crate) asked: Settings,
    /// What its pilot found.
    pub(crate) pilot: Option<Arc<Pilot>>,
    /// Where it stands.
    pub state: JobState,
    /// When it began, or went on, last.
    pub started: Option<Instant>,
    /// The newest snapshot.
    pub(crate) latest: Option<Arc<RolloutResult>>,
    /// The one on screen: older than `latest` while the display is frozen.
    pub(crate) shown: Option<Arc<RolloutResult>>,
    /// Whether it is one of the rollouts of the whole match, which no queue knows.
    pub(crate) of_match: bool,
    /// Whether it was found in the store.
    pub(crate) is_kept: bool,
    /// What luck one from the store has had subtracted.
    pub(crate) kept_luck: Option<LuckKind>,
}

impl Job {
    /// A job without figures.
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

    /// What luck is subtracted; `auto` where no pilot has chosen yet.
    pub fn luck(&self) -> LuckKind {
        let chosen = self
            .kept_luck
            .filter(|_| self.settings.luck == LuckKind::Auto);
        chosen.unwrap_or(self.settings.luck)
    }

    /// The cube decision of this job as the other player meets it; `None` for plays, or for a position alone.
    pub(crate) fn other_side(&self) -> Option<DecisionKey> {
        let other = self.decision.other_side();
        other.filter(|_| self.is_cube_decision())
    }

    /// Settings by which this job was asked for.
    pub fn asked(&self) -> &Settings {
        &self.asked
    }

    /// Whether the plays of this job are compared with each other.
    pub fn is_comparison(&self) -> bool {
        self.plays.len() > 1 && self.aim != Aim::Each
    }

    /// Whether two plays are compared.
    pub fn is_pair(&self) -> bool {
        self.plays.len() == 2 && self.is_comparison()
    }

    /// Whether more than two plays are compared.
    pub fn is_family(&self) -> bool {
        self.plays.len() > 2 && self.is_comparison()
    }

    /// Whether a pilot has still to choose the coupling.
    pub fn wants_pilot(&self) -> bool {
        self.aim == Aim::Pilot && self.pilot.is_none()
    }

    /// For how long the pilot of this job has been at work; `None` while there is none.
    pub fn piloted_for(&self, now: Instant) -> Option<Duration> {
        let since = self.started.filter(|_| self.state == JobState::Running)?;
        let is_trying = self.wants_pilot();
        is_trying.then(|| now.saturating_duration_since(since))
    }

    /// What the pilot of this job found.
    pub fn pilot(&self) -> Option<&Pilot> {
        self.pilot.as_deref()
    }

    /// Takes over the settings that the pilot of this job has found.
    pub fn choose(&mut self, pilot: Arc<Pilot>) {
        let stop = self.settings.stop;
        self.settings = pilot.settings.clone();
        self.settings.stop = stop;
        self.pilot = Some(pilot);
    }

    /// Whether more trials cannot change what a family has shown: only one play is left.
    pub fn has_one_play_left(&self) -> bool {
        let family = self.latest.as_ref().and_then(|r| r.family.as_ref());
        let open = |beaten: &[bool]| beaten.iter().filter(|b| !**b).count();
        self.is_family() && family.is_some_and(|f| open(&f.beaten) == 1)
    }

    /// Whether this job has separated two of its plays, at any time; `None` if it does not compare them.
    pub fn is_separated(&self, one: &Position, other: &Position) -> Option<bool> {
        let (i, j) = (self.place(one)?, self.place(other)?);
        let result = self.shown.as_ref()?;
        if !self.is_comparison() {
            return self.has_separated(result, [i, j]).then_some(true);
        }
        let interval = match &result.family {
            // A play that is out gets no more trials, so its own interval stays as it was.
            Some(family) if family.beaten.get(i) != family.beaten.get(j) => return Some(true),
            Some(family) => family.difference(i, j)?.simultaneous_anytime95,
            None => result.difference.filter(|d| d.trials > 0)?.equity.anytime95,
        };
        Some(excludes_zero(interval))
    }

    /// Whether a rollout of plays ended because one of these two, its best, is separated from all others.
    fn has_separated(&self, result: &RolloutResult, pair: [usize; 2]) -> bool {
        let ended = matches!(result.status, Status::Done(StopReason::Separated));
        ended && !self.is_cube_decision() && result.best().is_some_and(|best| pair.contains(&best))
    }

    /// A candidate by name: its play, or the position where there are no dice.
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

    /// Whether the trials of this job are played with the cube and at the score. What they give compares with
    /// the evaluator's cubeful equities only then.
    pub fn is_cubeful(&self) -> bool {
        self.settings.cube.is_some()
    }

    /// Whether any of its plays has trials on screen.
    pub fn has_figures(&self) -> bool {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        candidates.into_iter().any(|s| s.trials > 0)
    }

    /// Whether the candidates of this job are the two sides of a cube decision.
    pub fn is_cube_decision(&self) -> bool {
        self.settings.cube.is_some_and(|c| c.decision)
    }

    /// Equity of rolling on and of a double that is taken, for the doubler, in points; `None` until they have
    /// [`TRIALS_TO_REPLACE`].
    pub fn cube_values(&self) -> Option<[Estimate; 2]> {
        let result = self.shown.as_ref().filter(|_| self.is_cube_decision())?;
        let [hold, take] = [result.candidates.first()?, result.candidates.get(1)?];
        (hold.trials >= TRIALS_TO_REPLACE).then_some([hold.equity, take.equity])
    }

    /// The cube decision in `state` by this rollout of both sides, once it has [`Self::cube_values`].
    pub fn cube_decision(&self, state: &GameState) -> Option<CubeDecision> {
        let [hold, take] = self.cube_values()?.map(|value| value.mean as f32);
        let beavers = self.settings.cube?.restricted(state).allows_beavers();
        Some(CubeDecision::in_points(hold, take, beavers))
    }

    /// The doubler's chances without a double, and after one that is taken, once they have trials.
    pub fn cube_chances(&self) -> Option<[Probabilities; 2]> {
        self.cube_values()?;
        let candidates = &self.shown.as_ref()?.candidates;
        Some([0, 1].map(|side| candidates[side].chances()))
    }

    /// The figures of this job that the screen shows.
    pub fn result(&self) -> Option<&Arc<RolloutResult>> {
        self.shown.as_ref()
    }

    /// The figures of one play, once it has trials.
    pub fn result_of(&self, result: &Position) -> Option<&CandidateResult> {
        let i = self.place(result)?;
        self.shown
            .as_ref()?
            .candidates
            .get(i)
            .filter(|s| s.trials > 0)
    }

    /// Trials so far of the candidate that has the most: how far the rollout is. While the display is frozen
    /// [`Self::trials_shown`] has fewer.
    pub fn trials_played(&self) -> u64 {
        let candidates = self.latest.iter().flat_map(|r| &r.candidates);
        candidates.map(|s| s.trials).max().unwrap_or(0)
    }

    /// Whether this job was stopped before its end.
    pub fn was_stopped(&self) -> bool {
        let status = self.latest.as_ref().map(|r| r.status);
        status == Some(Status::Done(StopReason::Cancelled))
    }

    /// Whether this job ended because its plays are separated, or too close to matter.
    pub fn is_decided(&self) -> bool {
        let status = self.latest.as_ref().map(|r| r.status);
        matches!(
            status,
            Some(Status::Done(StopReason::Separated | StopReason::Equivalent))
        )
    }

    /// Whether a rollout for `aim` by `settings` would have trials like its own.
    pub fn is_like(&self, aim: Aim, settings: &Settings) -> bool {
        let mut own = self.asked.clone();
        own.stop = settings.stop;
        let may_be_piloted = self.is_kept && (self.aim, aim) == (Aim::Compare, Aim::Pilot);
        if may_be_piloted {
            // The store does not say whether a pilot chose this: going on with it needs no other choice.
            (own.coupling, own.ranks) = (settings.coupling, settings.ranks);
            // Without variance reduction it would take many times the trials.
            if settings.luck == LuckKind::Auto && own.luck.is_some() {
                own.luck = LuckKind::Auto;
            }
        }
        (self.aim == aim || may_be_piloted) && own == *settings
    }

    /// Whether this job is about exactly these plays, in this order.
    pub(crate) fn has_in_order(&self, plays: &[JobPlay]) -> bool {
        let own = self.plays.iter().map(|play| play.result);
        own.eq(plays.iter().map(|play| play.result))
    }

    /// Whether this job is about exactly these plays, in whatever order.
    pub fn has_plays(&self, plays: &[JobPlay]) -> bool {
        let has = |p: &JobPlay| self.plays.iter().any(|q| q.result == p.result);
        self.plays.len() == plays.len() && plays.iter().all(has)
    }

    /// Whether this job is one of the rollouts of the whole match.
    pub fn is_of_match(&self) -> bool {
        self.of_match
    }

    /// Whether the figures of this job still change.
    pub fn is_live(&self) -> bool {
        let status = self.latest.as_ref().map(|r| r.status);
        self.is_active() || (self.of_match && status == Some(Status::Running))
    }

    /// Takes a new result in, as the runner tells it; the screen shows it unless it is held still.
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

    /// Whether this job waits, runs or pauses.
    pub fn is_active(&self) -> bool {
        matches!(
            self.state,
            JobState::Queued | JobState::Running | JobState::Paused
        )
    }
}

impl Job {
    /// Whether all of its plays lead to what is known without a trial.
    pub fn is_exact(&self) -> bool {
        self.shown.as_deref().is_some_and(rolled::is_exact)
    }
}

impl Job {
    /// Error of `choice` about the cube, in points, if this rollout is of that decision and has come far
    /// enough.
    pub fn cube_error(&self, choice: CubeChoice, state: &GameState) -> Option<f32> {
        let decision = self.cube_decision(state)?;
        let result = self.shown.as_ref()?;
        let fewest = result.candidates.iter().map(|s| s.trials).min()?;
        self.tells(fewest).then(|| decision.error(choice))?
    }

    /// Standard error of the difference of two of its candidates. Where they are not compared their errors
    /// count as independent.
    pub fn difference_se(&self, one: usize, other: usize) -> f64 {
        let shown = self.shown.as_ref();
        shown.map_or(f64::INFINITY, |result| {
            rolled::difference_se(result, one, other)
        })
    }

    /// The place of the candidate that leads to `result`.
    pub fn place(&self, result: &Position) -> Option<usize> {
        self.plays.iter().position(|p| p.result == *result)
    }

    /// How well a figure with `trials` and this standard error is founded.
    pub(crate) fn foundation(&self, trials: u64, se: f64) -> Foundation {
        Foundation::new(&self.settings, self.tells(trials), se)
    }

    /// The foundation of its figures as a whole, by the mean of their standard errors.
    pub(crate) fn own_foundation(&self) -> Foundation {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        let all: Vec<&CandidateResult> = candidates.filter(|s| s.trials > 0).collect();
        let sum: f64 = all.iter().map(|s| s.equity.se).sum();
        self.foundation(self.trials_shown(), sum / all.len() as f64)
    }

    /// Trials of the candidate that has the most in the figures on the screen: how well those are founded, also while
    /// the display is frozen.
    pub(crate) fn trials_shown(&self) -> u64 {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        candidates.map(|s| s.trials).max().unwrap_or(0)
    }

    /// The foundation of the values of a cube decision.
    pub(crate) fn cube_foundation(&self) -> Foundation {
        let candidates = self.shown.iter().flat_map(|r| &r.candidates);
        let fewest = candidates.map(|s| s.trials).min().unwrap_or(0);
        self.foundation(fewest, self.difference_se(0, 1))
    }

    /// Whether this job has come far enough to tell errors.
    pub(crate) fn tells(&self, trials: u64) -> bool {
        match &self.shown {
            Some(result) => rolled::tells(result, trials),
            None => trials >= rolled::TRIALS_TO_TELL,
        }
    }
}

/// A result seen by the other player.
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
