//! Parts about the run that the documents of all rollouts share.

use serde::Serialize;

use super::bias_check::BiasDocument;
use super::rollout_options::SettingsDocument;
use super::rollout_run::EndedRollout;
use crate::cli::common::output::Cubeful;
use crate::rollout::StopReason;

/// How a rollout went, beside its figures.
#[derive(Serialize)]
pub(super) struct EndedDocument {
    settings: SettingsDocument,
    #[serde(flatten)]
    cubeful: Cubeful,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<String>,
    stopped: Option<StopReason>,
    seconds: f64,
    cpu_seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    bias_check: Option<BiasDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_trials: Option<u64>,
}

impl From<&EndedRollout> for EndedDocument {
    fn from(ended: &EndedRollout) -> Self {
        Self {
            settings: ended.described.clone(),
            cubeful: ended.cubeful(),
            caveats: ended.caveats(),
            stopped: ended.stopped(),
            seconds: ended.result.seconds,
            cpu_seconds: ended.result.cpu_seconds,
            bias_check: ended.bias.clone(),
            missing_trials: ended.missing_trials,
        }
    }
}
