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
use crate::sanitize;

/// A setting's entry in the form and in the settings file.
pub struct SettingRow {
    pub field: Field,
    /// Its key in the settings file, with the table that it is in: `rollout.ply`.
    key: &'static str,
    /// Its name in the form.
    pub name: &'static str,
    /// One line about it in the form.
    pub about: &'static str,
    pub kind: SettingKind,
}

/// Values of a setting, and how it is changed.
pub enum SettingKind {
    /// Yes or no.
    Flag {
        get: fn(&UserSettings) -> bool,
        set: fn(&mut UserSettings, bool),
    },
    Number {
        get: fn(&UserSettings) -> u64,
        set: fn(&mut UserSettings, u64),
        /// The least and the largest value, in the form and in the file.
        range: [u64; 2],
        unit: &'static str,
        /// The values that are stepped through; without any each one.
        steps: &'static [u64],
        shown: fn(&UserSettings) -> String,
    },
    /// A text that is typed.
    Text {
        text: fn(&mut UserSettings) -> &mut String,
        /// The form's text for an empty value.
        empty: &'static str,
        /// Most bytes.
        longest: usize,
        /// Characters that may be typed.
        is_fit: fn(char) -> bool,
        /// A digit begins a new text instead of extending the present one.
        digit_begins: bool,
    },
    /// One of several values. A step goes to the next one, or to the one before; it gets the names of the themes.
    Choice {
        step: fn(&mut UserSettings, bool, &[String]),
        shown: fn(&UserSettings) -> String,
    },
}

/// Declares the settings: one entry makes the member of its structure with its default, its row of the form, and its
/// line in the manual, which is the comment on it. An entry without a row is a table of settings. What stands in
/// brackets has a row, but no place in the file.
macro_rules! settings {
    ($(
        $(#[$attribute:meta])*
        $group:ident $table:literal $([$virtual:ident $virtual_name:literal $virtual_about:literal $virtual_kind:expr])? {$(
            #[doc = $doc:literal]
            $key:ident: $type:ty = $default:expr $(, $field:ident $name:literal $about:literal $kind:expr)?;
        )*}
    )*) => {
        $(
            $(#[$attribute])*
            #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
            #[serde(default, deny_unknown_fields)]
            pub struct $group {
                $(#[doc = $doc] pub $key: $type,)*
            }

            impl Default for $group {
                fn default() -> Self {
                    Self { $($key: $default,)* }
                }
            }
        )*

        /// A row of the form of settings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Field {
            $($($virtual,)? $($($field,)?)*)*
        }

        /// All rows, in the order of the form.
        const ROWS: &[SettingRow] = &[$(
            $(SettingRow {
                field: Field::$virtual,
                key: "",
                name: $virtual_name,
                about: $virtual_about,
                kind: $virtual_kind,
            },)?
            $($(SettingRow {
                field: Field::$field,
                key: concat!($table, stringify!($key)),
                name: $name,
                about: $about,
                kind: $kind,
            },)?)*
        )*];

        /// The manual's text of each key: its table, its name and its comment.
        #[cfg(test)]
        const COMMENTS: &[(&str, &str, &str)] = &[$($(($table, stringify!($key), $doc),)*)*];
    };
}

/// A setting that is a whole number.
macro_rules! number {
    ($($at:ident).+, $range:expr, $unit:literal, $steps:expr, $shown:expr) => {
        SettingKind::Number {
            get: |s| s.$($at).+ as u64,
            set: |s, n| s.$($at).+ = n as _,
            range: $range,
            unit: $unit,
            steps: $steps,
            shown: $shown,
        }
    };
}

/// A setting that is yes or no.
macro_rules! flag {
    ($($at:ident).+) => {
        SettingKind::Flag {
            get: |s| s.$($at).+,
            set: |s, yes| s.$($at).+ = yes,
        }
    };
}

/// A line between marks, in steps of 0.005. It stays between its neighbours, also where it is rounded.
macro_rules! line {
    ($at:ident, $bounds:expr) => {
        SettingKind::Choice {
            step: |s, more, _| {
                let bounds: fn(&MarkThresholds) -> [f32; 2] = $bounds;
                let [least, most] = bounds(&s.marks);
                let next = if more {
                    s.marks.$at + 0.005
                } else {
                    s.marks.$at - 0.005
                };
                s.marks.$at = ((next * 1000.0).round() / 1000.0).clamp(least, most);
            },
            shown: |s| format!("{:.3}", s.marks.$at),
        }
    };
}

settings! {
    /// The user's settings. A key that is not in the file has its default.
    UserSettings "" {
        /// a theme's name; empty chooses by the terminal
        theme: String = String::new(),
            Theme "theme" "colours and symbols; automatic: what suits the terminal" SettingKind::Choice {
                step: |s, more, themes| {
                    let names: Vec<&str> = std::iter::once("").chain(themes.iter().map(String::as_str)).collect();
                    let at = names.iter().position(|name| *name == s.theme).unwrap_or(0);
                    s.theme = next(&names, Some(at), more).to_owned();
                },
                shown: |s| or_if_empty(&s.theme, "automatic"),
            };
        /// clicks and wheel; not in GNU Screen, which would hold Esc back
        mouse: bool = true,
            Mouse "mouse" "clicks and wheel; from the next start on (Shift selects text)" flag!(mouse);
        /// characters of pictures: ascii, quadrants, sextants, octants, or auto: by the locale
        glyphs: GlyphSet = GlyphSet::default(),
            Glyphs "characters" "sextants and octants are finer, in few fonts; ascii: on the whole screen" SettingKind::Choice {
                step: |s, more, _| s.glyphs = next_of(&GlyphSet::ALL, &s.glyphs, more),
                shown: |s| s.glyphs.name().to_owned(),
            };
        /// checkers glide for 0.2 s when you go to the next turn
        animation: bool = true,
            Animation "animation" "checkers glide for 0.2 s when you go to the next turn" flag!(animation);
        /// take matches of folders that are opened or watched into the library
        fill_library: bool = true,
            FillLibrary "fill library" "take matches of folders that are opened or watched into the library" flag!(fill_library);
        /// where copies go: system, terminal (OSC 52), off, or auto
        clipboard: Clipboard = Clipboard::default(),
            Clipboard "clipboard" "for y: the system's, the terminal's (over ssh), or none" SettingKind::Choice {
                step: |s, more, _| s.clipboard = next_of(&Clipboard::ALL, &s.clipboard, more),
                shown: |s| s.clipboard.name().to_owned(),
            };
        /// host:port where GNU Backgammon answers as an external player (key go); empty: nowhere
        gnubg: String = "127.0.0.1:1984".to_owned(),
            Gnubg "gnubg" "host and port of GNU Backgammon, for a second opinion; → to type it" SettingKind::Text {
                text: |s| &mut s.gnubg,
                empty: "none",
                longest: 64,
                is_fit: |typed| typed.is_ascii_graphic(),
                digit_begins: true,
            };
        /// where names of files to write are proposed; empty: beside the match
        export_folder: String = String::new(),
            ExportFolder "export folder" "where exports are proposed; → to type it, empty: beside the match" SettingKind::Text {
                text: |s| &mut s.export_folder,
                empty: "beside the match",
                longest: 1024,
                is_fit: |typed| !sanitize::is_unsafe(typed),
                digit_begins: false,
            };
        /// lookahead for the position in view: 0 to 3
        ply: u8 = 2,
            LookPly "plies in view" "how far the plays in view are looked ahead at (+ and -)"
            number!(ply, [0, UserSettings::MOST_PLIES as u64], " plies", &[], |s| plies(s.ply));
        /// points lost from which on a play counts as …: none above the next, all below 10
        marks: MarkThresholds = MarkThresholds::default();
        /// as given here: the preset standard
        rollout: RolloutPreferences = RolloutPreferences::default();
        /// the review of a match
        review: ReviewPreferences = ReviewPreferences::default();
    }

    /// The lines between the marks, in points.
    #[derive(Copy)]
    MarkThresholds "marks." {
        /// ?!  (the line eXtreme Gammon and Backgammon Galaxy call an error)
        doubtful: f32 = Thresholds::default().doubtful,
            // The settings file may have lines beyond those that steps lead to.
            Doubtful "?! from" "points lost from which on a play is doubtful" line!(doubtful, |m| [m.doubtful.min(0.005), m.error]);
        /// ?   (the line GNU Backgammon calls doubtful)
        error: f32 = Thresholds::default().error,
            Error "? from" "points lost from which on a play is an error" line!(error, |m| [m.doubtful, m.blunder]);
        /// ??
        blunder: f32 = Thresholds::default().blunder,
            Blunder "?? from" "points lost from which on a play is a blunder" line!(blunder, |m| [m.error, m.blunder.max(1.0)]);
    }

    /// How matches are reviewed and rolled out.
    #[derive(Copy, Eq)]
    ReviewPreferences "review." {
        /// lookahead of a match's review where a verdict is close: 0 to 3
        ply: u8 = STANDARD_PLY,
            ReviewPly "plies of a review" "how far close decisions of a match are looked ahead at; 3 is slower"
            number!(review.ply, [0, UserSettings::MOST_PLIES as u64], " plies", &[], |s| plies(s.review.ply));
        /// seconds for the rollouts of a match (key B), at most 86400
        budget: u64 = 60,
            Budget "match rollouts" "seconds that the rollouts of a match may take"
            number!(review.budget, [1, ReviewPreferences::LONGEST_BUDGET], " seconds", &[10, 30, 60, 120, 300, 600, 1800, 3600], |s| format!("{} s", s.review.budget));
    }

    /// How rollouts are done.
    #[derive(Copy)]
    RolloutPreferences "rollout." [
        Preset "preset" "short, quick, standard or thorough set plies, truncation and trials" SettingKind::Choice {
            step: |s, more, _| {
                let now = s.rollout.preset();
                let at = now.and_then(|now| RolloutPreset::ALL.iter().position(|preset| *preset == now));
                s.rollout.choose(next(&RolloutPreset::ALL, at, more));
            },
            shown: |s| s.rollout.preset().map_or("custom", |preset| preset.name).to_owned(),
        }
    ] {
        /// games for each play, from 1 to 1000000000000; a rollout that ends once it is decided may have fewer
        trials: u64 = RolloutPreset::STANDARD.trials,
            Trials "trials" "games for each play, in sets of 36; fewer where it is decided before"
            number!(rollout.trials, [1, limits::MOST_TRIALS], "", &[36, 144, 324, 648, 1296, 2592, 5184, 10_368, 20_736], |s| s.rollout.trials.to_string());
        /// end once the best play is separated (95%), or all within 0.005
        until_decided: bool = true,
            UntilDecided "until decided" "end when the best play is separated (95%) or within ±0.005" flag!(rollout.until_decided);
        /// key of the dice, at most 9223372036854775807
        seed: u64 = rollout::Settings::default().seed,
            Seed "seed" "the same seed gives the same dice"
            number!(rollout.seed, [0, RolloutPreferences::LARGEST_SEED], "", &[], |s| s.rollout.seed.to_string());
        /// lookahead with which both sides play: 0, 1 or 2
        ply: u8 = RolloutPreset::STANDARD.ply,
            Ply "plies" "how far both sides look ahead for each play"
            number!(rollout.ply, [0, RolloutPreferences::MOST_PLIES as u64], " plies", &[], |s| plies(s.rollout.ply));
        /// the cube is played, by the score and the rules of the position
        cubeful: bool = true,
            Cube "cube" "both sides double, take and pass, at the score; no: cubeless games" flag!(rollout.cubeful);
        /// rolls after which a game is evaluated, at most 65535; 0 plays to the end
        horizon: u16 = RolloutPreset::STANDARD.horizon.unwrap_or(0),
            Horizon "truncate after" "rolls after which a game is evaluated instead; 0 plays to the end"
            number!(rollout.horizon, [0, u16::MAX as u64], "", &[0, 5, 7, 9, 11, 15, 21], |s| match s.rollout.horizon {
                0 => "never".to_owned(),
                rolls => format!("{rolls} rolls"),
            });
        /// settlement limit for money: cubeless equity from 0 to 1 from which a cube wins a point; 0: none
        settlement: f32 = 0.0,
            Settlement "settlement limit" "for money, cubeless and to the end: from this equity on a double is passed" SettingKind::Number {
                // In hundredths of a point.
                get: |s| (100.0 * s.rollout.settlement).round() as u64,
                set: |s, n| s.rollout.settlement = n as f32 / 100.0,
                range: [0, 100],
                unit: "",
                steps: &[0, 30, 40, 50, 60, 70, 80, 100],
                shown: |s| match s.rollout.settlement {
                    0.0 => "none".to_owned(),
                    points => format!("{points:.2} points"),
                },
            };
        /// variance reduction: the luck is subtracted
        reduction: bool = rollout::Settings::default().luck.is_some(),
            Reduction "variance reduction" "subtract the luck of the dice from the result of each game" flag!(rollout.reduction);
        /// each 36 games begin with each of the 36 rolls once
        rotation: bool = rollout::Settings::default().dice_source == DiceSource::Rotation,
            Rotation "all 36 first rolls" "each 36 games begin with each of the 36 rolls once" flag!(rollout.rotation);
        /// dice of compared plays: auto, koca, rank, quantile=0.1, hybrid=12, near=4, dice, none
        coupling: Coupled = Coupled::Auto,
            Coupling "coupled dice (c)" "how the dice of plays compared by c depend on each other" SettingKind::Choice {
                step: |s, more, _| s.rollout.coupling = next_of(&Coupled::ALL, &s.rollout.coupling, more),
                shown: |s| match s.rollout.coupling {
                    Coupled::Auto => "automatic",
                    Coupled::Koca => "matched ranks, Koca's rule for ties",
                    Coupled::Fixed(coupling) => coupling.choice(),
                }.to_owned(),
            };
    }
}

impl Field {
    /// All rows, in the order of the form.
    pub const ALL: [Self; ROWS.len()] = {
        let mut all = [Self::Theme; ROWS.len()];
        let mut i = 0;
        while i < all.len() {
            all[i] = ROWS[i].field;
            i += 1;
        }
        all
    };
    /// The rows of rollouts, which are the last.
    pub const ROLLOUT: &[Self] = Self::ALL.split_at(Self::Preset as usize).1;

    pub fn row(self) -> &'static SettingRow {
        &ROWS[self as usize]
    }

    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub fn about(self) -> &'static str {
        self.row().about
    }

    /// The value of the setting as the form has it.
    pub fn shown(self, settings: &UserSettings) -> String {
        match &self.row().kind {
            SettingKind::Flag { get, .. } => if get(settings) { "yes" } else { "no" }.to_owned(),
            SettingKind::Number { shown, .. } | SettingKind::Choice { shown, .. } => {
                shown(settings)
            }
            SettingKind::Text { text, empty, .. } => {
                or_if_empty(text(&mut settings.clone()), empty)
            }
        }
    }

    /// Takes the setting one step up or down; a text has none.
    pub fn step(self, settings: &mut UserSettings, more: bool, themes: &[String]) {
        match &self.row().kind {
            SettingKind::Flag { get, set } => set(settings, !get(settings)),
            SettingKind::Choice { step, .. } => step(settings, more, themes),
            SettingKind::Text { .. } => {}
            SettingKind::Number {
                get,
                set,
                range: [least, most],
                steps,
                ..
            } => {
                let now = get(settings);
                let next = match (steps.is_empty(), more) {
                    (true, true) => Some((now + 1).min(*most)),
                    (true, false) => Some(now.saturating_sub(1).max(*least)),
                    (false, true) => steps.iter().find(|step| **step > now).copied(),
                    (false, false) => steps.iter().rfind(|step| **step < now).copied(),
                };
                set(settings, next.unwrap_or(now));
            }
        }
    }
}

/// Plies, and how eXtreme Gammon counts them.
fn plies(ply: u8) -> String {
    format!("{ply} (XG {}-ply)", u32::from(ply) + 1)
}

/// Returns the typed text, or `nothing` if it is empty.
fn or_if_empty(typed: &str, nothing: &str) -> String {
    if typed.is_empty() { nothing } else { typed }.to_owned()
}

/// The value after the one at `at`, or before it; from none of them the first or the last.
fn next<T: Copy>(all: &[T], at: Option<usize>, more: bool) -> T {
    let n = all.len();
    all[match (at, more) {
        (Some(at), true) => (at + 1) % n,
        (Some(at), false) => (at + n - 1) % n,
        (None, true) => 0,
        (None, false) => n - 1,
    }]
}

/// The value after `now`, or before it. One that is not among them counts as the last.
fn next_of<T: Copy + PartialEq>(all: &[T], now: &T, more: bool) -> T {
    let at = all.iter().position(|one| one == now);
    next(all, Some(at.unwrap_or(all.len() - 1)), more)
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

impl ReviewPreferences {
    /// Maximum time budget, in seconds: one day.
    pub const LONGEST_BUDGET: u64 = 86_400;
}

/// How the dice of plays that are compared depend on each other. As text: `auto`, `koca`, or a
/// [`Coupling`].
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

impl From<MarkThresholds> for Thresholds {
    fn from(marks: MarkThresholds) -> Self {
        Self {
            doubtful: marks.doubtful,
            error: marks.error,
            blunder: marks.blunder,
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
        settings.allocation =
            RolloutPreset::allocation(&settings.stop, settings.dice_source, plays);
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
        let usual = Self::default();
        let mut without = self.clone();
        let (name, why) = if !is_address(&self.gnubg) {
            without.gnubg = usual.gnubg;
            (
                "gnubg",
                "expected host:port, such as 127.0.0.1:1984".to_owned(),
            )
        } else if self.rollout.settlement != 0.0 && self.rollout.settlement().is_none() {
            without.rollout.settlement = 0.0;
            ("rollout.settlement", "from 0 to 1 points".to_owned())
        } else if !(0.0 < doubtful && doubtful <= error && error <= blunder && blunder < 10.0) {
            without.marks = usual.marks;
            (
                "marks",
                "expected 0 < doubtful <= error <= blunder < 10".to_owned(),
            )
        } else {
            ROWS.iter().find_map(|row| {
                let SettingKind::Number {
                    get,
                    set,
                    range: [least, most],
                    unit,
                    ..
                } = row.kind
                else {
                    return None;
                };
                let is_refused = !(least..=most).contains(&get(self));
                let why = match least {
                    0 => format!("at most {most}{unit}"),
                    _ => format!("from {least} to {most}{unit}"),
                };
                is_refused.then(|| {
                    set(&mut without, get(&usual));
                    (row.key, why)
                })
            })?
        };
        Some(Refusal { name, why, without })
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
    pub(super) why: String,
    /// Resets it to the default.
    pub(super) without: UserSettings,
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

    /// The settings with their defaults and comments, as the manual has them.
    fn manual() -> String {
        let defaults = toml::to_string(&UserSettings::default()).unwrap();
        let (mut out, mut table) = (String::new(), String::new());
        for line in defaults.lines() {
            let is_table = line.starts_with('[');
            let key = match is_table {
                true => line.trim_matches(['[', ']']),
                false => line.split(' ').next().unwrap(),
            };
            let place = if is_table { "" } else { &table };
            let comment = COMMENTS.iter().find(|one| (one.0, one.1) == (place, key));
            out += &match comment {
                Some((.., comment)) => format!("{line:<17} #{comment}\n"),
                None => format!("{line}\n"),
            };
            if is_table {
                table = format!("{key}.");
            }
        }
        out
    }

    #[test]
    fn the_manual_has_the_table() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/docs/reference/settings-and-themes.md"
        );
        let page = std::fs::read_to_string(path).unwrap();
        let (before, rest) = page.split_once("```toml\n").unwrap();
        let (shown, after) = rest.split_once("```").unwrap();
        if std::env::var_os("UPDATE_MANUAL").is_some() {
            return std::fs::write(path, format!("{before}```toml\n{}```{after}", manual()))
                .unwrap();
        }
        assert_eq!(shown, manual(), "run this test with UPDATE_MANUAL=1");
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
        assert_has!(found.complaints[0], "koca");
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
