//! The user's settings: a small TOML file in which every key is optional. [`settings_file`](super::settings_file)
//! reads and writes it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use crate::cube::dahl::Settlement;
use crate::dice::DiceSource;
use crate::review::{STANDARD_PLY, Thresholds};
use crate::rollout::{self, Coupling, LuckKind, RolloutPreset, limits};

/// The user's settings. Missing keys have their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct UserSettings {
    /// Name of the theme; empty for a theme that suits the terminal.
    pub theme: String,
    /// Whether to use the mouse. In most terminals the user must then hold Shift to select text.
    pub mouse: bool,
    /// Characters for drawing.
    pub glyphs: GlyphSet,
    /// Whether checkers glide when the user steps through turns.
    pub animation: bool,
    /// Whether matches of watched folders are added to the library in the background.
    pub fill_library: bool,
    /// Target of copies.
    pub clipboard: Clipboard,
    /// Host and port of GNU Backgammon as an external player.
    pub gnubg: String,
    /// Folder proposed for exported files; empty for the folder of the match.
    pub export_folder: String,
    /// Search depth, in plies, for the displayed position.
    pub ply: u8,
    /// Error thresholds of the marks.
    pub marks: MarkThresholds,
    /// Rollout settings.
    pub rollout: RolloutPreferences,
    /// Review settings.
    pub review: ReviewPreferences,
}

/// Characters for drawing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GlyphSet {
    /// Chosen to suit the terminal: quadrants, or ASCII if the locale is not UTF-8.
    #[default]
    Auto,
    /// ASCII only, on the whole screen.
    Ascii,
    /// Halves, quadrants and eighths of a cell: in every font with block characters.
    Quadrants,
    /// Also sixths of a cell (Unicode 13).
    Sextants,
    /// Also eighths in two columns (Unicode 16).
    Octants,
}

impl GlyphSet {
    /// All character sets, the plainest first.
    pub const ALL: [Self; 5] = [
        Self::Auto,
        Self::Ascii,
        Self::Quadrants,
        Self::Sextants,
        Self::Octants,
    ];

    /// Name in the settings file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Ascii => "ascii",
            Self::Quadrants => "quadrants",
            Self::Sextants => "sextants",
            Self::Octants => "octants",
        }
    }
}

/// Target of copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clipboard {
    /// The system clipboard if the program runs on the user's machine and one exists; otherwise the terminal's.
    #[default]
    Auto,
    /// The terminal's clipboard, by OSC 52.
    Terminal,
    /// The system clipboard, wherever the program runs.
    System,
    Off,
}

impl Clipboard {
    /// All choices.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Terminal, Self::System, Self::Off];

    /// Name in the settings file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Terminal => "terminal",
            Self::System => "system",
            Self::Off => "off",
        }
    }
}

/// Settings of match reviews and their rollouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewPreferences {
    /// Search depth, in plies, of a review where a verdict is close.
    pub ply: u8,
    /// Time budget, in seconds, for the rollouts of a match.
    pub budget: u64,
}

impl ReviewPreferences {
    /// Maximum time budget, in seconds: one day.
    pub const LONGEST_BUDGET: u64 = 86_400;
}

impl Default for ReviewPreferences {
    fn default() -> Self {
        Self {
            ply: STANDARD_PLY,
            budget: 60,
        }
    }
}

/// Error thresholds of the marks, in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MarkThresholds {
    /// Minimum error marked `?!`.
    pub doubtful: f32,
    /// Minimum error marked `?`.
    pub error: f32,
    /// Minimum error marked `??`.
    pub blunder: f32,
}

/// Rollout settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RolloutPreferences {
    /// Trials per play; the maximum if the rollout stops once decided.
    pub trials: u64,
    /// Whether a rollout of several plays stops once the best play is separated or the rest are too close to matter.
    pub until_decided: bool,
    /// Seed of the dice.
    pub seed: u64,
    /// Search depth, in plies, of both players.
    pub ply: u8,
    /// Whether to use the cube, at the score.
    pub cubeful: bool,
    /// Number of rolls after which a trial is evaluated; 0 plays to the end.
    pub horizon: u16,
    /// Cubeless equity in points at which a cube ends money games that are played without one; 0 for no such cube.
    pub settlement: f32,
    /// Whether to subtract luck.
    pub reduction: bool,
    /// Whether each 36 trials start with each of the 36 rolls once.
    pub rotation: bool,
    /// How the dice of compared plays depend on each other.
    pub coupling: Coupled,
}

/// How the dice of compared plays depend on each other. As text: `auto`, `koca`, or a [`Coupling`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, SerializeDisplay, DeserializeFromStr)]
pub enum Coupled {
    /// The coupling that a pilot selects for the given plays.
    #[default]
    Auto,
    /// Matched ranks exactly as Koca wrote them: each candidate breaks ties at random.
    Koca,
    Fixed(Coupling),
}

impl Coupled {
    /// All couplings offered to the user, in order.
    pub const ALL: [Self; 8] = [
        Self::Auto,
        Self::Koca,
        Self::Fixed(Coupling::Rank),
        Self::Fixed(Coupling::QUANTILE),
        Self::Fixed(Coupling::HYBRID),
        Self::Fixed(Coupling::NEAR),
        Self::Fixed(Coupling::Dice),
        Self::Fixed(Coupling::None),
    ];

    /// Returns the coupling and whether each candidate breaks ties by itself. Returns `None` if a pilot must choose:
    /// for `Auto`, or if the coupling does not support this number of plays.
    pub fn named(self, plays: usize) -> Option<(Coupling, bool)> {
        match self {
            Self::Auto => None,
            Self::Koca => Some((Coupling::Rank, true)),
            Self::Fixed(coupling) if coupling.is_for_two() && plays != 2 => None,
            Self::Fixed(coupling) => Some((coupling, false)),
        }
    }
}

impl fmt::Display for Coupled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Koca => f.write_str("koca"),
            Self::Fixed(coupling) => coupling.fmt(f),
        }
    }
}

impl FromStr for Coupled {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "koca" => Ok(Self::Koca),
            _ => text
                .parse()
                .map(Self::Fixed)
                .map_err(|expected: String| format!("{expected}, koca or auto")),
        }
    }
}

impl Default for UserSettings {
    fn default() -> Self {
        Self {
            theme: String::new(),
            mouse: true,
            glyphs: GlyphSet::default(),
            animation: true,
            fill_library: true,
            clipboard: Clipboard::default(),
            gnubg: "127.0.0.1:1984".to_owned(),
            export_folder: String::new(),
            ply: 2,
            marks: MarkThresholds::default(),
            rollout: RolloutPreferences::default(),
            review: ReviewPreferences::default(),
        }
    }
}

impl Default for MarkThresholds {
    fn default() -> Self {
        let Thresholds {
            doubtful,
            error,
            blunder,
        } = Thresholds::default();
        Self {
            doubtful,
            error,
            blunder,
        }
    }
}

impl From<MarkThresholds> for Thresholds {
    fn from(marks: MarkThresholds) -> Self {
        Self {
            doubtful: marks.doubtful,
            error: marks.error,
            blunder: marks.blunder,
        }
    }
}

impl Default for RolloutPreferences {
    fn default() -> Self {
        let settings = rollout::Settings::default();
        let preset = RolloutPreset::STANDARD;
        Self {
            trials: preset.trials,
            until_decided: true,
            seed: settings.seed,
            ply: preset.ply,
            cubeful: true,
            horizon: preset.horizon.unwrap_or(0),
            settlement: 0.0,
            reduction: settings.luck.is_some(),
            rotation: settings.dice_source == DiceSource::Rotation,
            coupling: Coupled::Auto,
        }
    }
}

impl RolloutPreferences {
    /// Maximum search depth of a rollout started in the workstation.
    pub const MOST_PLIES: u8 = 2;
    /// Largest seed: TOML has no larger integer.
    pub const LARGEST_SEED: u64 = i64::MAX as u64;

    /// Rounds a number of trials up to whole rounds of 36 first rolls, within the rollout limit.
    pub fn whole_rounds(trials: u64) -> u64 {
        let most = limits::MOST_TRIALS / 36;
        trials.div_ceil(36).clamp(1, most) * 36
    }

    /// The settlement, if one is set.
    pub fn settlement(&self) -> Option<Settlement> {
        Some(Settlement::at(self.settlement)).filter(Settlement::is_sound)
    }

    /// Returns the settings of a rollout of `plays` plays. Cube and settlement depend on the position and are set by
    /// the caller.
    pub fn settings(&self, plays: usize) -> rollout::Settings {
        let mut settings = rollout::Settings {
            seed: self.seed,
            ply: self.ply,
            horizon: (self.horizon > 0).then_some(self.horizon),
            luck: if self.reduction {
                LuckKind::Auto
            } else {
                LuckKind::None
            },
            dice_source: if self.rotation {
                DiceSource::Rotation
            } else {
                DiceSource::Random
            },
            ..rollout::Settings::default()
        };
        if self.until_decided {
            settings.stop = RolloutPreset::until_decided(plays);
        }
        settings.stop.trials = self.trials;
        settings
    }

    /// Returns the preset with these settings, if any.
    pub fn preset(&self) -> Option<RolloutPreset> {
        let horizon = (self.horizon > 0).then_some(self.horizon);
        let preset = RolloutPreset::of(self.ply, horizon, self.trials);
        preset.filter(|_| self.until_decided)
    }

    /// Applies a preset.
    pub fn choose(&mut self, preset: RolloutPreset) {
        self.ply = preset.ply;
        self.horizon = preset.horizon.unwrap_or(0);
        self.trials = preset.trials;
        self.until_decided = true;
    }
}

impl UserSettings {
    /// Maximum search depth in the workstation.
    pub const MOST_PLIES: u8 = 3;

    /// Returns the first setting with an invalid value.
    pub(super) fn refusal(&self) -> Option<Refusal> {
        let MarkThresholds {
            doubtful,
            error,
            blunder,
        } = self.marks;
        let refuse = |name, why, reset| Some(Refusal { name, why, reset });
        if !is_address(&self.gnubg) {
            refuse("gnubg", "expected host:port, such as 127.0.0.1:1984", |s| {
                s.gnubg = Self::default().gnubg;
            })
        } else if self.ply > Self::MOST_PLIES {
            refuse("ply", "at most 3 plies", |s| s.ply = Self::default().ply)
        } else if self.rollout.ply > RolloutPreferences::MOST_PLIES {
            refuse("rollout.ply", "at most 2 plies", |s| {
                s.rollout.ply = RolloutPreferences::default().ply;
            })
        } else if !(1..=limits::MOST_TRIALS).contains(&self.rollout.trials) {
            refuse("rollout.trials", "from 1 to 1000000000000", |s| {
                s.rollout.trials = RolloutPreferences::default().trials;
            })
        } else if self.rollout.seed > RolloutPreferences::LARGEST_SEED {
            refuse("rollout.seed", "at most 9223372036854775807", |s| {
                s.rollout.seed = RolloutPreferences::default().seed;
            })
        } else if self.rollout.settlement != 0.0 && self.rollout.settlement().is_none() {
            refuse("rollout.settlement", "from 0 to 1 points", |s| {
                s.rollout.settlement = 0.0;
            })
        } else if self.review.ply > Self::MOST_PLIES {
            refuse("review.ply", "at most 3 plies", |s| {
                s.review.ply = STANDARD_PLY;
            })
        } else if !(1..=ReviewPreferences::LONGEST_BUDGET).contains(&self.review.budget) {
            refuse("review.budget", "from 1 to 86400 seconds", |s| {
                s.review.budget = ReviewPreferences::default().budget;
            })
        } else if !(0.0 < doubtful && doubtful <= error && error <= blunder && blunder < 10.0) {
            let why = "expected 0 < doubtful <= error <= blunder < 10";
            refuse("marks", why, |s| s.marks = MarkThresholds::default())
        } else {
            None
        }
    }

    /// Returns the reason why a file with these settings would not be accepted unchanged.
    pub fn trouble(&self) -> Option<String> {
        let refusal = self.refusal()?;
        Some(format!("{}: {}", refusal.name, refusal.why))
    }
}

/// Returns whether a text is empty or the host and port of an external player.
fn is_address(text: &str) -> bool {
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    text.is_empty()
        || text.rsplit_once(':').is_some_and(|(host, port)| {
            !host.is_empty() && !host.contains(char::is_whitespace) && is_port(port)
        })
}

/// A setting with an invalid value.
pub(super) struct Refusal {
    /// Name of the setting or its table.
    pub(super) name: &'static str,
    /// Requirement that it violates.
    pub(super) why: &'static str,
    /// Resets it to the default.
    pub(super) reset: fn(&mut UserSettings),
}

/// Formats a TOML error as one line with its line number.
pub fn toml_message(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace(['\n', '\r'], " ");
    match error.span() {
        Some(span) => {
            format!("line {}: {message}", line_at(text, span.start))
        }
        None => message,
    }
}

/// Returns the line number, from 1, of byte `at` of a text.
pub fn line_at(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or(text);
    before.matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_survive_a_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        assert_eq!(UserSettings::load(&path).settings, UserSettings::default());
        let mut settings = UserSettings::default();
        settings.rollout.trials = 5184;
        settings.theme = "light".into();
        settings.save(&UserSettings::default(), &path).unwrap();
        assert_eq!(UserSettings::load(&path).settings, settings);
    }

    #[test]
    fn couplings_are_named() {
        for coupled in Coupled::ALL {
            assert_eq!(coupled.to_string().parse(), Ok(coupled));
        }
        let own = UserSettings::read("[rollout]\ncoupling = \"hybrid=6\"\n").settings;
        let hybrid = Coupling::Hybrid { within: 6 };
        assert_eq!(own.rollout.coupling, Coupled::Fixed(hybrid));
        assert_eq!(own.rollout.coupling.named(2), Some((hybrid, false)));
        assert_eq!(own.rollout.coupling.named(3), None, "it serves two");
        assert_eq!(Coupled::Koca.named(3), Some((Coupling::Rank, true)));
        let found = UserSettings::read("[rollout]\ncoupling = \"ranks\"\n");
        assert!(found.complaints[0].contains("koca"), "{found:?}");
    }

    #[test]
    fn few_keys_suffice() {
        let some = UserSettings::read("[rollout]\ntrials = 360\n").settings;
        assert_eq!(some.rollout.trials, 360);
        assert!(some.rollout.reduction);
    }

    #[test]
    fn the_rollout_gets_what_was_set() {
        let mut own = RolloutPreferences {
            horizon: 11,
            reduction: false,
            ..RolloutPreferences::default()
        };
        let settings = own.settings(1);
        assert_eq!(settings.horizon, Some(11));
        assert_eq!(settings.luck, LuckKind::None);
        own.horizon = 0;
        assert_eq!(own.settings(1).horizon, None);
        let mut standard = rollout::Settings::default();
        RolloutPreset::STANDARD.apply(&mut standard, 2);
        let usual = RolloutPreferences::default();
        assert_eq!(usual.settings(2), standard, "one set of defaults");
        assert_eq!(usual.preset(), Some(RolloutPreset::STANDARD));
    }

    #[test]
    fn settings_that_cannot_be_are_refused() {
        for text in [
            "ply = 4",
            "[rollout]\nply = 9",
            "[rollout]\ntrials = 0",
            "[rollout]\ntrials = 1000000000001",
            "[rollout]\ntrials = 18446744073709551615",
            "[rollout]\nseed = 9223372036854775808",
            "gnubg = \"nohost\"",
            "gnubg = \"localhost:\"",
            "gnubg = \":1984\"",
            "gnubg = \"localhost:0\"",
            "gnubg = \"localhost:65536\"",
            "gnubg = \"local host:1984\"",
            "[marks]\nblunder = 10.0",
            "[review]\nbudget = 0",
            "[review]\nbudget = 86401",
            "[marks]\ndoubtful = nan",
            "[marks]\ndoubtful = 0.5\nblunder = 0.01",
        ] {
            let found = UserSettings::read(text);
            assert_eq!(found.settings, UserSettings::default(), "{text}");
            assert_eq!(found.complaints.len(), 1, "{text}");
        }
        for text in [
            "ply = 3\n[marks]\nblunder = 0.1",
            "gnubg = \"\"\n[rollout]\ntrials = 1000000000000\nseed = 9223372036854775807",
            "gnubg = \"localhost:1984\"",
            "gnubg = \"[::1]:1984\"",
        ] {
            let found = UserSettings::read(text);
            assert_eq!(found.complaints, [""; 0], "{text}");
            assert_eq!(found.settings.trouble(), None, "{text}");
        }
    }

    /// The limits in the message are exact.
    #[test]
    fn a_refusal_names_the_limit_that_is_broken() {
        for (text, why) in [
            (
                "[marks]\nblunder = 12.0",
                "line 2: marks: expected 0 < doubtful <= error <= blunder < 10",
            ),
            (
                "[rollout]\ntrials = 2000000000000",
                "line 2: rollout.trials: from 1 to 1000000000000",
            ),
            (
                "gnubg = \"nohost\"",
                "line 1: gnubg: expected host:port, such as 127.0.0.1:1984",
            ),
        ] {
            assert_eq!(UserSettings::read(text).complaints, [why]);
        }
        assert!(limits::MOST_TRIALS.to_string() == "1000000000000");
    }

    #[test]
    fn rounds_are_whole_and_within_what_a_rollout_may_have() {
        for (trials, rounds) in [(1, 36), (36, 36), (37, 72), (1000, 1008)] {
            assert_eq!(RolloutPreferences::whole_rounds(trials), rounds);
        }
        for trials in [limits::MOST_TRIALS, u64::MAX] {
            let most = RolloutPreferences::whole_rounds(trials);
            assert!(
                most <= limits::MOST_TRIALS && most.is_multiple_of(36),
                "{most}"
            );
        }
    }
}
