//! The session's rollouts: what waits, what runs, what is done.
//!
//! One runs at a time, on all threads; the others wait in the order they were asked for. Results
//! stay for the session, found again by decision, so that walking away loses nothing. Those of the
//! whole match come from a worker of their own and wait in no queue. Where the reader has asked for a
//! rollout of the same decision, that one is shown before them. A rollout of a double is one of its
//! answer as well: it is found by either decision, as that player sees it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use super::job::Foundation;
pub use super::job::{
    Aim, DecisionKey, Job, JobId, JobPlay, JobState, TRIALS_TO_SHOW, rolled_decision,
};
use crate::cube::CubeChoice;
use crate::game::{GameState, Position};
use crate::rollout::{CandidateResult, Estimate, RolloutResult, Settings, Status, StopReason};

/// A rollout of an earlier session.
#[derive(Clone, Debug)]
pub struct KeptRollout {
    /// Which decision.
    pub decision: DecisionKey,
    /// Its plays; positions where there are no dice.
    pub plays: Vec<JobPlay>,
    /// What it was for.
    pub aim: Aim,
    /// How it was rolled out.
    pub settings: Box<Settings>,
    /// All of it.
    pub result: Arc<RolloutResult>,
}

/// A play's figures of a newer rollout take the place of an older one's from so many trials on.
const TRIALS_TO_REPLACE: u64 = 36;

/// Of figures, the newest first, the one with the best foundation.
fn best_founded<T>(figures: impl Iterator<Item = (Foundation, T)>) -> Option<T> {
    let better = |best: (Foundation, T), next: (Foundation, T)| match next.0 > best.0 {
        true => next,
        false => best,
    };
    figures.reduce(better).map(|(_, figure)| figure)
}

/// All of them, oldest first.
#[derive(Debug, Default)]
pub struct Jobs {
    list: Vec<Job>,
    /// Where in `list` the jobs about a decision are, in order: each frame asks for those of all decisions.
    places: HashMap<DecisionKey, Vec<usize>>,
    /// Those of the whole match, by what they are about.
    of_match: HashMap<DecisionKey, Job>,
    /// Cube decisions of `list` and `of_match` as the other player meets them.
    mirrored: HashMap<DecisionKey, Job>,
    last: JobId,
    frozen: Option<Instant>,
}

impl Jobs {
    /// Adds a job at the end of the queue.
    pub fn add(
        &mut self,
        decision: DecisionKey,
        plays: Vec<JobPlay>,
        aim: Aim,
        settings: Settings,
    ) -> JobId {
        self.last += 1;
        let job = Job::new(self.last, decision, plays, aim, settings, JobState::Queued);
        self.list.push(job);
        self.note_places();
        self.last
    }

    /// Notes where the jobs of each decision are, after one has come or moved.
    fn note_places(&mut self) {
        self.places.clear();
        for (place, job) in self.list.iter().enumerate() {
            self.places.entry(job.decision).or_default().push(place);
        }
    }

    /// Takes in rollouts of earlier sessions, the oldest first; answers how many there are. What was
    /// rolled out since stands before them.
    pub fn remember(&mut self, kept: Vec<KeptRollout>) -> usize {
        let frozen = self.frozen.is_some();
        let mut jobs = Vec::with_capacity(kept.len());
        for rollout in kept {
            let KeptRollout {
                decision,
                plays,
                aim,
                settings,
                result,
            } = rollout;
            let is_same = |j: &Job| {
                (j.decision, j.aim) == (decision, aim)
                    && j.settings.lasting() == settings.lasting()
                    && j.has_plays(&plays)
            };
            if self.list.iter().any(is_same) {
                continue;
            }
            self.last += 1;
            let mut job = Job::new(self.last, decision, plays, aim, *settings, JobState::Done);
            job.take(result.clone(), frozen);
            if job.is_cube_decision() {
                self.mirror(&job, result);
            }
            jobs.push(job);
        }
        let count = jobs.len();
        self.list.splice(0..0, jobs);
        self.note_places();
        count
    }

    /// Takes in how far a rollout of the whole match has come.
    pub fn take_match_rollout(
        &mut self,
        decision: DecisionKey,
        plays: &[JobPlay],
        settings: &Settings,
        result: Arc<RolloutResult>,
    ) {
        let frozen = self.frozen.is_some();
        let new = || {
            let (plays, settings) = (plays.to_vec(), settings.clone());
            Job {
                of_match: true,
                ..Job::new(0, decision, plays, Aim::Each, settings, JobState::Done)
            }
        };
        let job = self.of_match.entry(decision).or_insert_with(new);
        job.take(result.clone(), frozen);
        let job = job.clone();
        self.mirror(&job, result);
    }

    /// The rollouts of the whole match have ended: what had not come to its end stays as it is.
    pub fn end_match_rollouts(&mut self) {
        for job in self.of_match.values_mut().chain(self.mirrored.values_mut()) {
            for result in [&mut job.latest, &mut job.shown].into_iter().flatten() {
                if job.of_match && result.status == Status::Running {
                    Arc::make_mut(result).status = Status::Done(StopReason::Cancelled);
                }
            }
        }
    }

    /// How many decisions of the whole match were rolled out.
    #[must_use]
    pub fn match_rollouts(&self) -> usize {
        self.of_match.len()
    }

    /// A rollout of a cube decision, for the other player.
    fn mirror(&mut self, job: &Job, result: Arc<RolloutResult>) {
        let Some(decision) = job.decision.other_side().filter(|_| job.is_cube_decision()) else {
            return;
        };
        let before = self.mirrored.get(&decision);
        // One that was asked for is not hidden by one of the whole match.
        if job.of_match && before.is_some_and(|b| !b.of_match) {
            return;
        }
        let mut own = Job {
            decision,
            shown: before.and_then(|b| b.shown.clone()),
            ..job.clone()
        };
        own.take(result, self.frozen.is_some());
        self.mirrored.insert(decision, own);
    }

    /// Puts a job that has ended at the end of the queue, to go on up to so many trials: also if it ended
    /// because it was decided.
    pub fn go_on(&mut self, id: JobId, trials: u64) {
        if let Some(i) = self.list.iter().position(|j| j.id == id) {
            let mut job = self.list.remove(i);
            job.settings.stop.trials = trials;
            if job.is_decided() {
                job.settings.stop.separated = None;
                job.settings.stop.equivalent = None;
            }
            job.state = JobState::Queued;
            self.list.push(job);
            self.note_places();
        }
    }

    /// Whether there has been none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.of_match.is_empty()
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

    /// Those that were asked for, in order.
    pub fn all(&self) -> impl Iterator<Item = &Job> {
        self.list.iter()
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

    /// Whether one runs.
    #[must_use]
    pub fn is_rolling(&self) -> bool {
        self.current()
            .is_some_and(|job| job.state == JobState::Running)
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
    pub fn about(&self, decision: DecisionKey) -> impl Iterator<Item = &Job> {
        let places = self.places.get(&decision).into_iter().flatten();
        let asked = places.rev().map(|&place| &self.list[place]);
        let others = [self.mirrored.get(&decision), self.of_match.get(&decision)];
        asked
            .chain(others.into_iter().flatten())
            .filter(|j| !matches!(j.state, JobState::Failed(_)))
    }

    /// The jobs about `decision` that have figures which compare: newest first, with the cube or
    /// without it as the newest of them.
    pub fn comparable(&self, decision: DecisionKey) -> impl Iterator<Item = &Job> {
        let with_figures = move || self.about(decision).filter(|j| j.has_figures());
        let kind = with_figures().next().map(Job::is_cubeful);
        with_figures().filter(move |j| Some(j.is_cubeful()) == kind)
    }

    /// The figures of a play: of the best founded job that has enough of them, of equal ones the newest, or
    /// else of any. Plays that several jobs have come from the same one, so that they compare.
    #[must_use]
    pub fn result_of(&self, decision: DecisionKey, result: &Position) -> Option<&CandidateResult> {
        self.rollout_of(decision, result)
            .map(|(_, figures)| figures)
    }

    /// What a play is worth by the same rollout, beside the best one where they are compared.
    #[must_use]
    pub fn equity_of(&self, decision: DecisionKey, result: &Position) -> Option<f64> {
        let (job, _) = self.rollout_of(decision, result)?;
        job.equity_of(result)
    }

    /// The figures of a play, and the rollout that they come from.
    #[must_use]
    pub fn rollout_of(
        &self,
        decision: DecisionKey,
        result: &Position,
    ) -> Option<(&Job, &CandidateResult)> {
        let comparable = || {
            self.comparable(decision)
                .filter_map(|j| Some((j, j.result_of(result)?)))
        };
        let enough = comparable().filter(|(_, s)| s.trials >= TRIALS_TO_REPLACE);
        let founded = enough.map(|(job, s)| (job.own_foundation(), (job, s)));
        best_founded(founded).or_else(|| comparable().next())
    }

    /// What a play gave away against the best, and the rollout that says so: the one whose difference is best
    /// founded.
    #[must_use]
    pub fn error(
        &self,
        decision: DecisionKey,
        best: &Position,
        played: &Position,
    ) -> Option<(&Job, f32)> {
        best_founded(self.about(decision).filter_map(|job| {
            let error = job.error(best, played)?;
            let trials = |r| job.result_of(r).map_or(0, |s| s.trials);
            let se = job.difference_se(job.place(best)?, job.place(played)?);
            let fewest = trials(best).min(trials(played));
            Some((job.foundation(fewest, se), (job, error)))
        }))
    }

    /// What rolling and a double that is taken are worth, by the best founded rollout of the decision.
    #[must_use]
    pub fn cube_values(&self, decision: DecisionKey) -> Option<[Estimate; 2]> {
        self.cube_rollout(decision).map(|(_, values)| values)
    }

    /// The same, and that rollout.
    #[must_use]
    pub fn cube_rollout(&self, decision: DecisionKey) -> Option<(&Job, [Estimate; 2])> {
        best_founded(self.comparable(decision).filter_map(|job| {
            let values = job.cube_values()?;
            Some((job.cube_foundation(), (job, values)))
        }))
    }

    /// What `choice` about the cube gave away, and the rollout that says so.
    #[must_use]
    pub fn cube_error(
        &self,
        decision: DecisionKey,
        choice: CubeChoice,
        state: &GameState,
    ) -> Option<(&Job, f32)> {
        best_founded(self.about(decision).filter_map(|job| {
            let error = job.cube_error(choice, state)?;
            Some((job.cube_foundation(), (job, error)))
        }))
    }

    /// Whether a comparison has separated two plays; none if they have not been compared.
    #[must_use]
    pub fn is_separated(
        &self,
        decision: DecisionKey,
        one: &Position,
        other: &Position,
    ) -> Option<bool> {
        self.comparable(decision)
            .find_map(|j| j.is_separated(one, other))
    }

    /// Takes a new snapshot; answers whether the job is known.
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
        job.take(result.clone(), frozen);
        if job.is_cube_decision() {
            let job = job.clone();
            self.mirror(&job, result);
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
        let others = self.of_match.values_mut().chain(self.mirrored.values_mut());
        for job in self.list.iter_mut().chain(others) {
            job.shown.clone_from(&job.latest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Roll;
    use crate::tui::testing::made_up;

    /// However the list changes, what is found of a decision is what stands in it, the newest first.
    #[test]
    fn jobs_are_found_by_their_decision() {
        let about = |roll: usize| {
            DecisionKey::of(&GameState {
                roll: Some(Roll::ALL[roll]),
                ..GameState::money(Position::opening())
            })
        };
        let [one, other] = [1, 2].map(about);
        let mut jobs = Jobs::default();
        let ids = [one, other, one]
            .map(|decision| jobs.add(decision, Vec::new(), Aim::Each, Settings::default()));
        let found = |jobs: &Jobs, decision| -> Vec<JobId> {
            jobs.about(decision).map(|job| job.id).collect()
        };
        assert_eq!(found(&jobs, one), [ids[2], ids[0]]);
        // What is gone on with is the newest.
        jobs.go_on(ids[0], 72);
        assert_eq!(found(&jobs, one), [ids[0], ids[2]]);
        assert_eq!(found(&jobs, other), [ids[1]]);
        // What was kept is older than all.
        let kept = KeptRollout {
            decision: one,
            plays: Vec::new(),
            aim: Aim::Pilot,
            settings: Box::default(),
            result: made_up(1, 72, Status::Done(StopReason::Trials)),
        };
        assert_eq!(jobs.remember(vec![kept]), 1);
        assert_eq!(found(&jobs, one)[..2], [ids[0], ids[2]]);
        assert_eq!(found(&jobs, one).len(), 3);
        assert_eq!(found(&jobs, other), [ids[1]]);
        assert!(found(&jobs, about(3)).is_empty());
    }
}
