//! Rollouts by name: how deep both sides play, and when the answer is good enough.
//!
//! A player who asks which play is better wants no number of trials but an answer. So a preset plays on
//! until the best play is separated from the others, or until the difference is too small to matter. It
//! names the trials at which it gives up.

use super::limits::MOST_PAIRWISE;
use super::settings::{Allocation, Settings, StopRules};
use crate::dice::DiceSource;

/// A rollout by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RolloutPreset {
    /// Its name on the command line and in the settings.
    pub name: &'static str,
    /// Its effect, in a line.
    pub about: &'static str,
    /// Plies with which both sides play. Two plies are looked ahead only for plays that are close, as
    /// [`Settings::filter`] has it.
    pub ply: u8,
    /// Rolls after which a trial is evaluated; none plays to the end.
    pub horizon: Option<u16>,
    /// Trials of each play at most.
    pub trials: u64,
}

impl RolloutPreset {
    /// The preset of a user who asks for no other.
    pub const STANDARD: Self = Self {
        name: "standard",
        about: "1-ply play, to the end",
        ply: 1,
        horizon: None,
        trials: 2592,
    };

    /// All presets, fastest first.
    pub const ALL: [Self; 4] = [
        Self {
            name: "short",
            about: "1-ply play, truncated after 6 rolls",
            ply: 1,
            horizon: Some(6),
            trials: 720,
        },
        Self {
            name: "quick",
            about: "0-ply play, truncated after 11 rolls",
            ply: 0,
            horizon: Some(11),
            trials: 1296,
        },
        Self::STANDARD,
        Self {
            name: "thorough",
            about: "2-ply play where plays are close, to the end",
            ply: 2,
            horizon: None,
            trials: 5184,
        },
    ];

    /// Confidence with which the best play is separated.
    pub const SEPARATED: f64 = 0.95;
    /// Points between plays that are too close to matter.
    pub const EQUIVALENT: f64 = 0.005;

    /// The preset of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name == name)
    }

    /// The preset that plays as these settings do, if one does.
    pub fn of(ply: u8, horizon: Option<u16>, trials: u64) -> Option<Self> {
        let is_same = |p: &Self| (p.ply, p.horizon, p.trials) == (ply, horizon, trials);
        Self::ALL.into_iter().find(is_same)
    }

    /// Sets depth, horizon and stop rules. The rules that compare plays are for two and more.
    pub fn apply(&self, settings: &mut Settings, candidates: usize) {
        settings.ply = self.ply;
        settings.horizon = self.horizon;
        settings.stop = StopRules {
            trials: self.trials,
            ..Self::until_decided(candidates)
        };
        settings.allocation = Self::allocation(&settings.stop, settings.dice_source, candidates);
    }

    /// Which of so many plays get the trials of a rollout with these stop rules, unless the user says so. One that ends
    /// once it is decided spends no trials on a play that is out. A file of dice has no games for the others to get.
    pub fn allocation(stop: &StopRules, dice: DiceSource, candidates: usize) -> Allocation {
        let decides = stop.separated.is_some() || stop.equivalent.is_some();
        let prescribed = matches!(dice, DiceSource::Prescribed { .. });
        match decides && !prescribed && (3..=MOST_PAIRWISE).contains(&candidates) {
            true => Allocation::Race,
            false => Allocation::Equal,
        }
    }

    /// Stop rules that end a rollout once it is decided or too close to matter; none for one candidate.
    pub fn until_decided(candidates: usize) -> StopRules {
        let several = candidates > 1;
        StopRules {
            separated: several.then_some(Self::SEPARATED),
            equivalent: several.then_some(Self::EQUIVALENT),
            ..StopRules::default()
        }
    }
}

impl Settings {
    /// Points between plays that do not matter.
    pub fn closeness(&self) -> f64 {
        self.stop.equivalent.unwrap_or(RolloutPreset::EQUIVALENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_found_by_name_and_by_what_they_do() {
        for preset in RolloutPreset::ALL {
            assert_eq!(RolloutPreset::named(preset.name), Some(preset));
            let mut settings = Settings::default();
            preset.apply(&mut settings, 2);
            let Settings {
                ply, horizon, stop, ..
            } = settings;
            assert_eq!(RolloutPreset::of(ply, horizon, stop.trials), Some(preset));
            assert_eq!(stop.separated, Some(0.95));
            preset.apply(&mut settings, 1);
            assert_eq!(
                (settings.stop.separated, settings.stop.equivalent),
                (None, None)
            );
        }
        assert_eq!(RolloutPreset::named("best"), None);
        assert_eq!(RolloutPreset::of(0, None, 1296), None);
    }
}
