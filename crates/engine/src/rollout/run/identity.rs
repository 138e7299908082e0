//! The identity of a rollout, and whether kept progress is on the way to one that is wanted.
//!
//! Two rollouts of one [`Identity`] play the same trials and count them alike; they differ at most in
//! when they end. So whatever keeps rollouts finds them by it, and [`Progress::toward`] alone decides
//! whether one goes on: for the command line, the workstation and the review of a match.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::progress::{Board, Progress, board};
use super::results_digest::RESULTS_DIGEST;
use crate::game::Position;
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::settings::{Settings, StopRules};
use crate::rollout::request::setup::Setup;

/// Identity of a rollout as plain data: see the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Identity {
    results: String,
    evaluator: String,
    settings: Settings,
    candidates: Vec<Board>,
}

impl Identity {
    /// The identity of a rollout of these positions; `auto` luck need not be resolved.
    pub fn new(setup: &Setup, settings: &Settings, candidates: &[Position]) -> Self {
        let settings = settings.resolved(setup);
        Self {
            results: RESULTS_DIGEST.to_owned(),
            evaluator: setup.name(&settings),
            settings: settings.lasting(),
            candidates: candidates.iter().map(board).collect(),
        }
    }

    /// The identity of a rollout that has begun.
    pub fn of(progress: &Progress) -> Self {
        Self {
            results: progress.results.clone(),
            evaluator: progress.evaluator.clone(),
            settings: progress.settings.lasting(),
            candidates: progress.candidates.iter().map(board).collect(),
        }
    }

    /// The identity of progress as it was written down, whether its sums can still be read or not; `None` if
    /// the text is no progress.
    pub fn read(progress: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            results: String,
            evaluator: String,
            settings: Settings,
            candidates: Vec<Board>,
        }
        let head: Head = serde_json::from_str(progress).ok()?;
        Some(Self {
            results: head.results,
            evaluator: head.evaluator,
            settings: head.settings.lasting(),
            candidates: head.candidates,
        })
    }

    /// This identity for every version of the program: for games of a person, which stay what they are.
    pub fn of_any_version(self) -> Self {
        Self {
            results: String::new(),
            ..self
        }
    }

    /// The identity of the whole rollout that this shard belongs to.
    pub fn of_all_shards(mut self) -> Self {
        self.settings.shard = None;
        self
    }

    /// How this identity, of kept progress, differs from the `wanted` one; `None` if it does not.
    pub fn difference(&self, wanted: &Self) -> Option<Unfit> {
        let (old, new) = (&self.settings, &wanted.settings);
        if self.candidates != wanted.candidates {
            Some(Unfit::Positions)
        } else if self.results != wanted.results {
            Some(Unfit::Version)
        } else if self.evaluator != wanted.evaluator {
            Some(Unfit::Evaluator {
                made: self.evaluator.clone(),
                wanted: wanted.evaluator.clone(),
            })
        } else if old.seed != new.seed {
            Some(Unfit::Seed {
                made: old.seed,
                wanted: new.seed,
            })
        } else if old.ply != new.ply {
            Some(Unfit::Ply {
                made: old.ply,
                wanted: new.ply,
            })
        } else if old.stop != new.stop {
            Some(Unfit::Race)
        } else {
            (old != new).then_some(Unfit::Settings)
        }
    }
}

#[derive(Clone)]
pub struct WantedRollout {
    /// Evaluators, cube model and dice.
    pub setup: Setup,
    pub settings: Settings,
    /// The positions after the plays in question, the opponent on roll.
    pub candidates: Vec<Position>,
    /// Differences to the progress that are allowed.
    pub leeway: Leeway,
}

impl WantedRollout {
    /// The identity of the rollout that is wanted.
    pub fn identity(&self) -> Identity {
        Identity::new(&self.setup, &self.settings, &self.candidates)
    }
}

/// Differences between progress and the wanted rollout that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leeway {
    /// Nothing: the result is the one that is there without the progress.
    Nothing,
    /// The rules that end it: a user who names the progress wants it to go on.
    Rules,
    /// Besides, it may have more trials than wanted: all there are will be shown.
    More,
}

/// Why progress is not gone on with.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Unfit {
    /// Other plays, or another position.
    #[error("it rolls out other positions")]
    Positions,
    /// The trials of another version are not those of this one.
    #[error("another version of this program made it, whose trials are not the same")]
    Version,
    /// Another evaluator played.
    #[error("evaluator '{made}', not '{wanted}'")]
    Evaluator {
        /// The evaluator of the progress.
        made: String,
        /// The evaluator that is to play.
        wanted: String,
    },
    /// Other dice.
    #[error("seed {made}, not {wanted}")]
    Seed {
        /// Seed of the progress.
        made: u64,
        /// Seed wanted.
        wanted: u64,
    },
    /// Play of another depth.
    #[error("ply {made}, not {wanted}")]
    Ply {
        /// Plies of the progress.
        made: u8,
        /// Plies wanted.
        wanted: u8,
    },
    /// A race by another confidence.
    #[error("plays were dropped by another --stop separated")]
    Race,
    /// Anything else.
    #[error("its settings differ")]
    Settings,
    /// It might have ended earlier by the rules wanted.
    #[error("it was to end by other rules")]
    Rules,
    /// The progress has gone further.
    #[error("it has {has} trials already, more than {most}")]
    Beyond {
        /// Trials of the progress.
        has: u64,
        /// Trials wanted.
        most: u64,
    },
    /// The progress contradicts itself.
    #[error("it is damaged: {what}")]
    Damaged {
        /// The fault.
        what: &'static str,
    },
}

impl Progress {
    /// This progress as that of the rollout wanted.
    ///
    /// # Errors
    /// [`Unfit`]: why it is not on the way to it.
    pub fn toward(mut self, wanted: &WantedRollout) -> Result<Self, Unfit> {
        if let Some(difference) = Identity::of(&self).difference(&wanted.identity()) {
            return Err(difference);
        }
        let WantedRollout {
            setup,
            settings,
            leeway,
            ..
        } = wanted;
        let (old, new) = (self.settings.stop, settings.stop);
        if *leeway == Leeway::Nothing && !leads_to(&old, &new) {
            return Err(Unfit::Rules);
        }
        let (has, most) = (self.trials(), settings.most_trials());
        if has > most && *leeway != Leeway::More {
            return Err(Unfit::Beyond { has, most });
        }
        self.settings.stop = StopRules {
            trials: if has > most { has } else { new.trials },
            ..new
        };
        match self.design(setup) {
            Err(RolloutError::Damaged { what }) => Err(Unfit::Damaged { what }),
            // What else is wrong with what is wanted is reported when it begins.
            _ => Ok(self),
        }
    }
}

/// Returns whether the `new` rules have not ended a rollout that the `old` ones have not ended.
/// The number of trials is ignored.
fn leads_to(old: &StopRules, new: &StopRules) -> bool {
    let by_results = |rules: &StopRules| StopRules {
        trials: 0,
        seconds: None,
        ..*rules
    };
    let new = by_results(new);
    by_results(old) == new || new == by_results(&StopRules::default())
}
