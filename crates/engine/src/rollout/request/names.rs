//! The evaluators and tables that a rollout uses, by name.

use super::settings::Settings;
use super::setup::Setup;

impl Setup {
    /// The names of the evaluators that a rollout with these settings uses.
    pub fn name(&self, settings: &Settings) -> String {
        let mut name = self.evaluator.name().to_owned();
        if let Some(opponent) = &self.opponent {
            name += &format!(" against {}", opponent.name());
        }
        let measures = settings.luck.is_some() || settings.coupling.is_ranked();
        if let Some(luck) = self.luck.as_ref().filter(|_| measures) {
            name += &format!(", luck by {}", luck.name());
        }
        if settings.cube.is_some() {
            name += &format!(", {}", self.model().fingerprint());
        }
        name
    }
}
