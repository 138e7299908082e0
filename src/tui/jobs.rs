//! The session's rollouts: what waits, what runs, what is done.
//!
//! One runs at a time, on all threads; the others wait in the order they were asked for. Results
//! stay for the session, found again by decision, so that walking away loses nothing.

use std::sync::Arc;
use std::time::Instant;

use crate::game::{Play, Position, Roll};
use crate::rollout::{Coupling, RolloutResult, Settings, Status, StrandResult};

/// Names a job for the workers.
pub type JobId = u64;

/// What is decided: the position and the dice. Score and cube do not matter to cubeless rollouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Seen by the player who decides.
    pub position: Position,
    /// The dice.
    pub roll: Roll,
}

/// One play of a job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobPlay {
    /// What is moved.
    pub play: Play,
    /// The position after it, opponent on roll: what is rolled out.
    pub result: Position,
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

/// One rollout of some plays of one decision.
#[derive(Clone, Debug)]
pub struct Job {
    /// Its name.
    pub id: JobId,
    /// What it is about.
    pub decision: Decision,
    /// The strands, in order.
    pub plays: Vec<JobPlay>,
    /// How it is done.
    pub settings: Settings,
    /// Where it stands.
    pub state: JobState,
    /// The newest snapshot.
    latest: Option<Arc<RolloutResult>>,
    /// The one on screen: older than `latest` while the display is frozen.
    shown: Option<Arc<RolloutResult>>,
}

impl Job {
    /// Whether its two plays are compared with matched ranks.
    #[must_use]
    pub fn is_pair(&self) -> bool {
        self.plays.len() == 2 && self.settings.coupling == Coupling::Rank
    }

    /// What the screen shows of it.
    #[must_use]
    pub fn result(&self) -> Option<&Arc<RolloutResult>> {
        self.shown.as_ref()
    }

    /// The figures of one play, once it has trials.
    #[must_use]
    pub fn strand(&self, result: &Position) -> Option<&StrandResult> {
        let i = self.plays.iter().position(|p| p.result == *result)?;
        self.shown.as_ref()?.strands.get(i).filter(|s| s.trials > 0)
    }

    /// Whether it waits, runs or pauses.
    #[must_use]
    pub fn is_active(&self) -> bool {
        matches!(
            self.state,
            JobState::Queued | JobState::Running | JobState::Paused
        )
    }
}

/// All of them, oldest first.
#[derive(Debug, Default)]
pub struct Jobs {
    list: Vec<Job>,
    last: JobId,
    frozen: Option<Instant>,
}

impl Jobs {
    /// Adds a job at the end of the queue.
    pub fn add(&mut self, decision: Decision, plays: Vec<JobPlay>, settings: Settings) -> JobId {
        self.last += 1;
        self.list.push(Job {
            id: self.last,
            decision,
            plays,
            settings,
            state: JobState::Queued,
            latest: None,
            shown: None,
        });
        self.last
    }

    /// Whether there has been none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A job by name.
    #[must_use]
    pub fn get(&self, id: JobId) -> Option<&Job> {
        self.list.iter().find(|j| j.id == id)
    }

    /// A job by name, to be changed.
    pub fn get_mut(&mut self, id: JobId) -> Option<&mut Job> {
        self.list.iter_mut().find(|j| j.id == id)
    }

    /// Those that wait, run or pause, in order.
    pub fn active(&self) -> impl Iterator<Item = &Job> {
        self.list.iter().filter(|j| j.is_active())
    }

    /// The one that runs or pauses.
    #[must_use]
    pub fn current(&self) -> Option<&Job> {
        self.list
            .iter()
            .find(|j| matches!(j.state, JobState::Running | JobState::Paused))
    }

    /// The next to start, if none runs or pauses.
    #[must_use]
    pub fn next(&self) -> Option<JobId> {
        if self.current().is_some() {
            return None;
        }
        self.list
            .iter()
            .find(|j| j.state == JobState::Queued)
            .map(|j| j.id)
    }

    /// The jobs about `decision`, newest first.
    pub fn about(&self, decision: Decision) -> impl Iterator<Item = &Job> {
        self.list
            .iter()
            .rev()
            .filter(move |j| j.decision == decision && !matches!(j.state, JobState::Failed(_)))
    }

    /// The figures of a play: of the newest job that has any.
    #[must_use]
    pub fn strand(&self, decision: Decision, result: &Position) -> Option<&StrandResult> {
        self.about(decision).find_map(|j| j.strand(result))
    }

    /// Takes a new snapshot; answers whether the screen changes.
    pub fn update(&mut self, id: JobId, result: Arc<RolloutResult>, finished: bool) -> bool {
        let frozen = self.frozen.is_some();
        let Some(job) = self.get_mut(id) else {
            return false;
        };
        job.state = match result.status {
            _ if finished => JobState::Done,
            Status::Done(_) => JobState::Done,
            Status::Paused => JobState::Paused,
            Status::Running => JobState::Running,
        };
        job.latest = Some(result);
        if !frozen {
            job.shown.clone_from(&job.latest);
        }
        true
    }

    /// Since when the display is held still.
    #[must_use]
    pub fn frozen(&self) -> Option<Instant> {
        self.frozen
    }

    /// Holds the display still from `now` on, or lets it go.
    pub fn toggle_freeze(&mut self, now: Instant) {
        if self.frozen.take().is_none() {
            self.frozen = Some(now);
            return;
        }
        for job in &mut self.list {
            job.shown.clone_from(&job.latest);
        }
    }
}
