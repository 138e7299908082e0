//! A rollout as it can be kept and gone on with.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::game::{Position, Side};

use super::plan::WorkPlan;
use super::results_digest::RESULTS_DIGEST;
use super::stops::stop_reason;
use crate::rollout::counts::result::{RolloutResult, Status, StopReason};
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::request::check::{check, check_prescribed, checked};
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::limits::MOST_TRIALS;
use crate::rollout::request::settings::Settings;
use crate::rollout::request::setup::Setup;

/// Everything needed to go on with a rollout as if it had never stopped, bit for bit: what was
/// asked, and what has been counted so far. Serialise it with anything that keeps `f64` exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Digest of the results of the program that played the trials ([`RESULTS_DIGEST`]).
    /// Only a program with the same digest may continue.
    #[serde(default)]
    pub results: String,
    /// Names of those who played the trials; only they may go on.
    pub evaluator: String,
    /// The settings. The stop rules may be changed before going on; with anything else changed
    /// the trials to come would not be like those done.
    pub settings: Settings,
    /// The positions after the candidate plays, the opponent on roll.
    #[serde(
        serialize_with = "write_positions",
        deserialize_with = "read_positions"
    )]
    pub candidates: Vec<Position>,
    /// Seconds of running, pauses not counted; of a rollout on the calling thread its CPU seconds.
    pub seconds: f64,
    /// CPU seconds of all workers.
    pub cpu_seconds: f64,
    pub(super) tally: Tally,
}

/// A rollout that can be played on: its settings are sound, and luck is resolved.
pub(super) struct PreparedRollout {
    pub(super) progress: Progress,
    pub(super) design: RolloutDesign,
    /// Work left.
    pub(super) plan: WorkPlan,
}

impl PreparedRollout {
    /// A rollout that has no trials yet.
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense.
    pub(super) fn begin(
        setup: &Setup,
        candidates: Vec<Position>,
        settings: &Settings,
    ) -> Result<Self, RolloutError> {
        let settings = checked(settings, &candidates, setup)?;
        let design = RolloutDesign::new(setup, &candidates, &settings);
        let progress = Progress::new(setup, settings, candidates, Tally::new(&design));
        Ok(Self::new(progress, design))
    }

    /// A rollout that goes on from `progress`.
    ///
    /// # Errors
    /// A [`RolloutError`] if the evaluator is another one, the settings make no sense, or the
    /// progress contradicts itself.
    pub(super) fn resume(setup: &Setup, mut progress: Progress) -> Result<Self, RolloutError> {
        progress.settings = progress.settings.resolved(setup);
        check_prescribed(&progress.settings, setup)?;
        let design = progress.design(setup)?;
        Ok(Self::new(progress, design))
    }

    fn new(progress: Progress, design: RolloutDesign) -> Self {
        let plan = progress.plan();
        Self {
            progress,
            design,
            plan,
        }
    }
}

impl Progress {
    /// Progress of a rollout that this program has counted in `tally`.
    pub(super) fn new(
        setup: &Setup,
        settings: Settings,
        candidates: Vec<Position>,
        tally: Tally,
    ) -> Self {
        Self {
            results: RESULTS_DIGEST.to_owned(),
            evaluator: setup.name(&settings),
            settings,
            candidates,
            seconds: 0.0,
            cpu_seconds: 0.0,
            tally,
        }
    }

    /// Trials done of each candidate.
    pub fn trials(&self) -> u64 {
        self.tally.trials
    }

    /// The result so far, without going on.
    ///
    /// # Errors
    /// A [`RolloutError`] if the evaluator is another one, the settings make no sense, or the
    /// progress contradicts itself.
    pub fn result(&self, setup: &Setup) -> Result<RolloutResult, RolloutError> {
        let design = self.design(setup)?;
        let plan = self.plan();
        // What no rule has ended was stopped on the way.
        let reason = stop_reason(&self.settings.stop, plan.limit(), &self.tally, &design);
        let status = Status::Done(reason.unwrap_or(StopReason::Cancelled));
        let times = [self.seconds, self.cpu_seconds];
        Ok(self.tally.snapshot(&design, status, times, 0.0))
    }

    /// The plan of what is left to be played.
    fn plan(&self) -> WorkPlan {
        let done = match &self.tally.schedule {
            Some(schedule) => schedule.counted,
            None => self.tally.trials,
        };
        WorkPlan::new(&self.settings, self.candidates.len(), done)
    }

    /// The design of the rollout, once the sums are known to be those of such a rollout by this program.
    pub(super) fn design(&self, setup: &Setup) -> Result<RolloutDesign, RolloutError> {
        check(&self.settings, &self.candidates, setup)?;
        if self.results != RESULTS_DIGEST {
            return Err(RolloutError::OtherVersion);
        }
        let present = setup.name(&self.settings);
        if self.evaluator != present {
            return Err(RolloutError::OtherEvaluator {
                made: self.evaluator.clone(),
                present,
            });
        }
        let damaged = |what| Err(RolloutError::Damaged { what });
        let time = |t: f64| (0.0..1e12).contains(&t);
        if !time(self.seconds) || !time(self.cpu_seconds) {
            return damaged("its times are impossible");
        }
        let design = RolloutDesign::new(setup, &self.candidates, &self.settings);
        if self.tally.trials > MOST_TRIALS || !self.tally.is_sound(&design) {
            return damaged("its statistics do not fit its settings");
        }
        Ok(design)
    }
}

/// Checkers of both sides on the points, on the bar (25) and off (0).
pub(super) type Board = [[u8; 26]; 2];

pub(crate) fn board(position: &Position) -> Board {
    [&position.mover, &position.opponent].map(|side| std::array::from_fn(|i| side.at(i)))
}

fn write_positions<S: Serializer>(
    positions: &[Position],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    positions
        .iter()
        .map(board)
        .collect::<Vec<_>>()
        .serialize(serializer)
}

fn read_positions<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Position>, D::Error> {
    let position =
        |[mover, opponent]: Board| Position::new(Side::new(&mover)?, Side::new(&opponent)?);
    Vec::<Board>::deserialize(deserializer)?
        .into_iter()
        .map(|board| position(board).map_err(serde::de::Error::custom))
        .collect()
}
