//! The session's rollouts: waiting, running and finished.
//!
//! One runs at a time, on all threads; the others wait in the order of request. Results stay for the session and are
//! found by decision. Rollouts of the whole match come from a separate worker, outside the queue; a rollout of the
//! same decision requested by the user takes precedence over them. A rollout of a double also belongs to its answer:
//! both decisions find it, and its figures are the doubler's.
//!
//! Several rollouts of a decision are kept; displays use the best founded one.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

pub use super::job::{Aim, DecisionKey, Job, JobId, JobPlay, JobState, TRIALS_TO_REPLACE};
use crate::cube::CubeChoice;
use crate::game::{GameState, Position};
use crate::rollout::{
    Allocation, CandidateResult, Estimate, RolloutResult, Settings, Status, StopReason, StopRules,
};
use crate::study::Foundation;

/// A rollout of an earlier session.
#[derive(Clone, Debug)]
pub struct KeptRollout {
    pub decision: DecisionKey,
    /// Its plays, or positions if there are no dice.
    pub plays: Vec<JobPlay>,
    pub aim: Aim,
    /// The settings by which the workstation would request it: `auto` if that leads to the same rollout.
    pub settings: Box<Settings>,
    /// The settings with `auto` resolved.
    pub resolved: Box<Settings>,
    pub result: Arc<RolloutResult>,
}

impl KeptRollout {
    /// Returns whether this is the stored state of a job.
    fn is_of(&self, job: &Job) -> bool {
        // The pilot's choice is resolved.
        let settings = match job.pilot {
            Some(_) => &self.resolved,
            None => &self.settings,
        };
        job.decision == self.decision
            && (job.aim == Aim::Each) == (self.aim == Aim::Each)
            && job.settings.lasting() == settings.lasting()
            && job.has_plays(&self.plays)
    }
}

/// Returns the best founded figure. Of equals the first wins, because the newest figures come first.
pub(crate) fn best_founded<T>(figures: impl Iterator<Item = (Foundation, T)>) -> Option<T> {
    let better = |best: (Foundation, T), next: (Foundation, T)| match next.0 > best.0 {
        true => next,
        false => best,
    };
    figures.reduce(better).map(|(_, figure)| figure)
}

/// The rollouts of the session, oldest first.
#[derive(Debug, Default)]
pub struct Jobs {
    list: Vec<Job>,
    /// Indices in `list` of the jobs of each decision, in order; cube decisions under both players. Cached, because
    /// each frame looks up all decisions.
    places: HashMap<DecisionKey, Vec<usize>>,
    /// The rollouts of the whole match by decision, in order: one per list of plays, because close decisions and
    /// verifications may roll out different plays.
    of_match: HashMap<DecisionKey, Vec<Job>>,
    last: JobId,
    frozen: Option<Instant>,
}

impl Jobs {
    /// Appends a job to the queue.
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

    /// Updates the indices after a job was added or moved.
    fn note_places(&mut self) {
        self.places.clear();
        for (place, job) in self.list.iter().enumerate() {
            let decisions = [Some(job.decision), job.other_side()];
            for decision in decisions.into_iter().flatten() {
                self.places.entry(decision).or_default().push(place);
            }
        }
    }

    /// Adds rollouts of earlier sessions, oldest first, before those of this session. Returns their number.
    pub fn remember(&mut self, kept: Vec<KeptRollout>) -> usize {
        let frozen = self.frozen.is_some();
        let mut jobs = Vec::with_capacity(kept.len());
        for rollout in kept {
            if self.list.iter().any(|job| rollout.is_of(job)) {
                continue;
            }
            let KeptRollout {
                decision,
                plays,
                aim,
                settings,
                resolved,
                result,
            } = rollout;
            self.last += 1;
            let mut job = Job {
                is_kept: true,
                kept_luck: Some(resolved.luck),
                ..Job::new(self.last, decision, plays, aim, *settings, JobState::Done)
            };
            job.take(result, frozen);
            jobs.push(job);
        }
        let count = jobs.len();
        self.list.splice(0..0, jobs);
        self.note_places();
        count
    }

    /// Stores the progress of a rollout of the whole match.
    pub fn take_match_rollout(
        &mut self,
        decision: DecisionKey,
        plays: &[JobPlay],
        settings: &Settings,
        result: Arc<RolloutResult>,
    ) {
        let frozen = self.frozen.is_some();
        let jobs = self.of_match.entry(decision).or_default();
        let is_it = |j: &Job| j.has_in_order(plays) && j.settings.lasting() == settings.lasting();
        let place = jobs.iter().position(is_it).unwrap_or(jobs.len());
        if place == jobs.len() {
            self.last += 1;
            let (id, plays, settings) = (self.last, plays.to_vec(), settings.clone());
            jobs.push(Job {
                of_match: true,
                ..Job::new(id, decision, plays, Aim::Each, settings, JobState::Done)
            });
        }
        jobs[place].take(result, frozen);
    }

    /// Marks unfinished rollouts of the whole match as ended.
    pub fn end_match_rollouts(&mut self) {
        for job in self.of_match.values_mut().flatten() {
            for result in [&mut job.latest, &mut job.shown].into_iter().flatten() {
                if result.status == Status::Running {
                    Arc::make_mut(result).status = Status::Done(StopReason::Cancelled);
                }
            }
        }
    }

    /// Number of rolled-out decisions of the whole match.
    #[cfg(test)]
    pub fn match_rollouts(&self) -> usize {
        self.of_match.len()
    }

    /// Moves a finished job to the end of the queue, to continue up to `trials` trials by these stopping rules, even
    /// if it was decided.
    pub fn go_on(&mut self, id: JobId, trials: u64, rules: &StopRules) {
        if let Some(i) = self.list.iter().position(|j| j.id == id) {
            let mut job = self.list.remove(i);
            let mut stop = StopRules { trials, ..*rules };
            if job.is_decided() {
                (stop.separated, stop.equivalent) = (None, None);
            }
            // A race keeps its confidence.
            if job.settings.allocation == Allocation::Race {
                stop.separated = job.settings.stop.separated;
            }
            job.settings.stop = stop;
            job.state = JobState::Queued;
            self.list.push(job);
            self.note_places();
        }
    }

    /// Returns whether there has been no rollout.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.of_match.is_empty()
    }

    pub fn get(&self, id: JobId) -> Option<&Job> {
        self.list.iter().find(|j| j.id == id)
    }

    pub fn get_mut(&mut self, id: JobId) -> Option<&mut Job> {
        self.list.iter_mut().find(|j| j.id == id)
    }

    /// The requested jobs, in order.
    pub fn all(&self) -> impl Iterator<Item = &Job> {
        self.list.iter()
    }

    /// The jobs that wait, run or are paused, in order.
    pub fn active(&self) -> impl Iterator<Item = &Job> {
        self.list.iter().filter(|j| j.is_active())
    }

    /// The same in the order in which they are rolled out.
    pub fn in_turn(&self) -> impl Iterator<Item = &Job> {
        let waiting = self.list.iter().filter(|j| j.state == JobState::Queued);
        self.current().into_iter().chain(waiting)
    }

    /// Moves a waiting job before the other waiting ones.
    pub fn put_first(&mut self, id: JobId) {
        let is_waiting = |j: &Job| j.state == JobState::Queued;
        let first = self.list.iter().position(is_waiting);
        let place = self.list.iter().position(|j| j.id == id && is_waiting(j));
        if let Some((first, place)) = first.zip(place) {
            self.list[first..=place].rotate_right(1);
            self.note_places();
        }
    }

    /// The running or paused job.
    pub fn current(&self) -> Option<&Job> {
        self.list
            .iter()
            .find(|j| matches!(j.state, JobState::Running | JobState::Paused))
    }

    /// Returns whether a job is running.
    pub fn is_rolling(&self) -> bool {
        self.current()
            .is_some_and(|job| job.state == JobState::Running)
    }

    /// The next job to start, if none is running or paused.
    pub fn next(&self) -> Option<JobId> {
        if self.current().is_some() {
            return None;
        }
        self.list
            .iter()
            .find(|j| j.state == JobState::Queued)
            .map(|j| j.id)
    }

    /// The jobs about `decision`, newest first; for a double also those of its answer and vice versa.
    pub fn about(&self, decision: DecisionKey) -> impl Iterator<Item = &Job> {
        let places = self.places.get(&decision).into_iter().flatten();
        let asked = places.rev().map(|&place| &self.list[place]);
        let sides = [Some(decision), decision.other_side()];
        let of_match = sides
            .into_iter()
            .flatten()
            .filter_map(|side| self.of_match.get(&side))
            .flat_map(|jobs| jobs.iter().rev())
            .filter(move |j| j.decision == decision || j.other_side() == Some(decision));
        asked
            .chain(of_match)
            .filter(|j| !matches!(j.state, JobState::Failed(_)))
    }

    /// The job about `decision` with this ID, including those of the whole match.
    pub fn about_by_id(&self, decision: DecisionKey, id: JobId) -> Option<&Job> {
        self.about(decision).find(|job| job.id == id)
    }

    /// The jobs about `decision` with comparable figures, newest first: cubeful or cubeless like the newest.
    pub fn comparable(&self, decision: DecisionKey) -> impl Iterator<Item = &Job> {
        let with_figures = move || self.about(decision).filter(|j| j.has_figures());
        let kind = with_figures().next().map(Job::is_cubeful);
        with_figures().filter(move |j| Some(j.is_cubeful()) == kind)
    }

    /// The figures of a play as the ranking of the decision's plays has them, or else from any job.
    pub fn result_of(&self, decision: DecisionKey, result: &Position) -> Option<&CandidateResult> {
        self.rollout_of(decision, result)
            .map(|(_, figures)| figures)
    }

    /// The figures of a play and their rollout.
    pub fn rollout_of(
        &self,
        decision: DecisionKey,
        result: &Position,
    ) -> Option<(&Job, &CandidateResult)> {
        let ranked = self.ranked_plays(decision);
        let ranked = ranked.iter().find(|play| play.result == *result);
        let ranked = ranked.map(|play| (play.job, play.figures));
        ranked.or_else(|| self.newest_rollout_of(decision, result))
    }

    /// The newest rollout with the play, however few its trials, and the play's figures.
    pub fn newest_rollout_of(
        &self,
        decision: DecisionKey,
        result: &Position,
    ) -> Option<(&Job, &CandidateResult)> {
        let mut jobs = self.comparable(decision);
        jobs.find_map(|job| Some((job, job.result_of(result)?)))
    }

    /// The best founded rollout of a cube decision, with its [`Job::cube_values`]. Cubeless rollouts are skipped,
    /// however new.
    pub fn cube_rollout(&self, decision: DecisionKey) -> Option<(&Job, [Estimate; 2])> {
        best_founded(self.about(decision).filter_map(|job| {
            let values = job.cube_values()?;
            Some((job.cube_foundation(), (job, values)))
        }))
    }

    /// Error of a cube action in points, and its rollout.
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

    /// Stores a new snapshot. Returns whether the job exists.
    pub fn update(&mut self, id: JobId, result: Arc<RolloutResult>, finished: bool) -> bool {
        let frozen = self.frozen.is_some();
        let Some(job) = self.get_mut(id) else {
            return false;
        };
        let is_empty = result.candidates.iter().all(|one| one.trials == 0);
        job.state = match result.status {
            Status::Done(StopReason::Cancelled) if is_empty => {
                JobState::Failed("stopped before its first trial".into())
            }
            _ if finished => JobState::Done,
            Status::Done(_) => JobState::Done,
            Status::Paused => JobState::Paused,
            Status::Running => JobState::Running,
        };
        job.take(result, frozen);
        true
    }

    /// Time since which the display is frozen.
    pub fn frozen(&self) -> Option<Instant> {
        self.frozen
    }

    /// Freezes the display from `now` on, or releases it.
    pub fn toggle_freeze(&mut self, now: Instant) {
        if self.frozen.take().is_none() {
            self.frozen = Some(now);
            return;
        }
        let of_match = self.of_match.values_mut().flatten();
        for job in self.list.iter_mut().chain(of_match) {
            job.shown.clone_from(&job.latest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Play, PlayList, Roll};
    use crate::rollout::CubeSettings;
    use crate::tui::testing::made_up;

    const DONE: Status = Status::Done(StopReason::Trials);

    /// However the list changes, the jobs found by decision are those in it, newest first.
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
        // A continued job becomes the newest.
        jobs.go_on(ids[0], 72, &StopRules::default());
        assert_eq!(found(&jobs, one), [ids[0], ids[2]]);
        assert_eq!(found(&jobs, other), [ids[1]]);
        // Stored rollouts are older than all.
        let kept = KeptRollout {
            decision: one,
            plays: Vec::new(),
            aim: Aim::Pilot,
            settings: Box::default(),
            resolved: Box::default(),
            result: made_up(1, 72, Status::Done(StopReason::Trials)),
        };
        assert_eq!(jobs.remember(vec![kept]), 1);
        assert_eq!(found(&jobs, one)[..2], [ids[0], ids[2]]);
        assert_eq!(found(&jobs, one).len(), 3);
        assert_eq!(found(&jobs, other), [ids[1]]);
        assert!(found(&jobs, about(3)).is_empty());
    }

    /// Close decisions are rolled out with our best plays in order, verifications with the file's best first: each
    /// result stays with its own plays.
    #[test]
    fn rollouts_of_the_match_keep_their_own_plays() {
        let state = GameState {
            roll: Some(Roll::ALL[1]),
            ..GameState::money(Position::opening())
        };
        let decision = DecisionKey::of(&state);
        let list = PlayList::of(&state.position, Roll::ALL[1]);
        let [a, b, c] = [0, 1, 2].map(|i| JobPlay {
            play: list.plays()[i],
            result: list.results()[i],
        });
        let settings = Settings {
            cube: Some(CubeSettings::after_play(&state)),
            ..Settings::default()
        };
        let mut jobs = Jobs::default();
        let rolled = |jobs: &mut Jobs, plays: &[JobPlay], trials| {
            let result = made_up(plays.len(), trials, DONE);
            jobs.take_match_rollout(decision, plays, &settings, result);
        };
        let are = |jobs: &Jobs, equities: [f64; 3]| {
            let equity =
                |play: JobPlay| jobs.result_of(decision, &play.result).unwrap().equity.mean;
            let found = [a, b, c].map(equity);
            let is_near = |(x, y): (&f64, &f64)| (x - y).abs() < 1e-9;
            assert!(found.iter().zip(&equities).all(is_near), "{found:?}");
        };
        // The first play of an artificial rollout is worth 0.1, the next 0.07.
        rolled(&mut jobs, &[a, b, c], 360);
        are(&jobs, [0.1, 0.07, 0.04]);
        rolled(&mut jobs, &[b, a], 1296);
        are(&jobs, [0.07, 0.1, 0.04]);
        let error = jobs.error(decision, &a.result, &b.result).unwrap();
        assert!(error < 1e-6, "{error}");
        // A continued rollout is not a new one.
        rolled(&mut jobs, &[a, b, c], 2592);
        are(&jobs, [0.1, 0.07, 0.04]);
        assert_eq!(
            (jobs.about(decision).count(), jobs.match_rollouts()),
            (2, 1)
        );
        let ids: Vec<JobId> = jobs.about(decision).map(|job| job.id).collect();
        assert_ne!(ids[0], ids[1], "each has a name of its own");
    }

    /// A double and its answer find the same rollouts and use the best founded one.
    #[test]
    fn a_double_and_its_answer_go_by_the_same_rollout() {
        let state = GameState::money(Position::opening());
        let double = DecisionKey::of(&state);
        let take = double.other_side().unwrap();
        let plays = vec![
            JobPlay {
                play: Play::NONE,
                result: state.position,
            };
            2
        ];
        let settings = |ply| Settings {
            ply,
            cube: Some(CubeSettings::of_decision(&state)),
            ..Settings::default()
        };
        let mut jobs = Jobs::default();
        let goes_by = |jobs: &Jobs, id: JobId| {
            for decision in [double, take] {
                let found = jobs.cube_rollout(decision).map(|(job, _)| job.id);
                assert_eq!(found, Some(id));
            }
        };
        let add = |jobs: &mut Jobs, ply| jobs.add(double, plays.clone(), Aim::Each, settings(ply));
        let found = |jobs: &Jobs, decision| -> Vec<JobId> {
            jobs.about(decision).map(|job| job.id).collect()
        };
        let deep = add(&mut jobs, 2);
        // Also while it waits.
        assert_eq!(
            [double, take].map(|side| found(&jobs, side)),
            [[deep], [deep]]
        );
        jobs.update(deep, made_up(2, 1296, DONE), true);
        goes_by(&jobs, deep);
        let quick = add(&mut jobs, 0);
        for trials in [0, 36, 2592] {
            jobs.update(quick, made_up(2, trials, Status::Running), false);
            goes_by(&jobs, deep);
        }
        jobs.take_match_rollout(double, &plays, &settings(1), made_up(2, 5184, DONE));
        goes_by(&jobs, deep);
        assert_eq!(found(&jobs, take), found(&jobs, double));
        assert_eq!(found(&jobs, take)[..2], [quick, deep]);
        // For both, the newest comes first.
        jobs.go_on(deep, 5184, &StopRules::default());
        assert_eq!(found(&jobs, take), found(&jobs, double));
        assert_eq!(found(&jobs, take)[..2], [deep, quick]);
        let newest = jobs.about(take).next().unwrap();
        assert_eq!((&newest.state, newest.is_live()), (&JobState::Queued, true));
    }

    /// A cubeless rollout gives no cube action and does not hide a cubeful one.
    #[test]
    fn a_cubeless_rollout_hides_no_cube_action() {
        let state = GameState::money(Position::opening());
        let decision = DecisionKey::of(&state);
        let play = JobPlay {
            play: Play::NONE,
            result: state.position,
        };
        let with_cube = Settings {
            cube: Some(CubeSettings::of_decision(&state)),
            ..Settings::default()
        };
        let mut jobs = Jobs::default();
        let cubeful = jobs.add(decision, vec![play; 2], Aim::Each, with_cube);
        jobs.update(cubeful, made_up(2, 1296, DONE), true);
        let by = |jobs: &Jobs| jobs.cube_rollout(decision).map(|(job, _)| job.id);
        assert_eq!(by(&jobs), Some(cubeful));
        let cubeless = jobs.add(decision, vec![play], Aim::Each, Settings::default());
        jobs.update(cubeless, made_up(1, 2592, DONE), true);
        assert_eq!(by(&jobs), Some(cubeful));
    }
}
