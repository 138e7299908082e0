//! The form of settings: what can be changed, by steps or digits.

use crate::rollout::RolloutPreset;
use crate::rollout::limits::MOST_TRIALS;
use crate::sanitize;
use crate::store::UserSettings;
use crate::store::settings::{Clipboard, Coupled, GlyphSet, ReviewPreferences, RolloutPreferences};

/// Settings being changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The settings as they are now.
    pub values: UserSettings,
    /// What can be changed.
    pub fields: &'static [Field],
    /// Themes by name.
    themes: Vec<String>,
    /// Selected field.
    pub row: usize,
    /// Digits typed into the field.
    pub typed: String,
    /// Whether text is typed into the field.
    is_typing: bool,
}

/// A setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Several of those below by one name.
    Preset,
    /// Trials of each play.
    Trials,
    /// Ended once the plays are separated.
    UntilDecided,
    /// Key of the dice.
    Seed,
    Ply,
    /// The cube played.
    Cube,
    /// Rolls until a trial is cut.
    Horizon,
    /// From where a cube settles games that are played without one.
    Settlement,
    /// Luck subtracted.
    Reduction,
    /// First rolls in turn.
    Rotation,
    /// Dice of plays that are compared.
    Coupling,
    /// Colours and symbols.
    Theme,
    /// Whether the mouse is listened to.
    Mouse,
    /// Characters of pictures.
    Glyphs,
    /// Whether checkers glide.
    Animation,
    FillLibrary,
    /// Where copies go.
    Clipboard,
    /// Where GNU Backgammon answers.
    Gnubg,
    /// Where exports go.
    ExportFolder,
    /// Plies for the position in view.
    LookPly,
    /// From where on a loss is doubtful.
    Doubtful,
    /// From where on it is an error.
    Error,
    /// From where on it is a blunder.
    Blunder,
    /// Plies of a match's review.
    ReviewPly,
    /// Time for the rollouts of a match.
    Budget,
}

impl Field {
    /// The settings of rollouts, in order: they follow the fourteen others.
    const ROLLOUT: &[Self] = Self::ALL.split_at(14).1;

    /// All settings, in order.
    pub const ALL: [Self; 25] = [
        Self::Theme,
        Self::Mouse,
        Self::Glyphs,
        Self::Animation,
        Self::FillLibrary,
        Self::Clipboard,
        Self::Gnubg,
        Self::ExportFolder,
        Self::LookPly,
        Self::Doubtful,
        Self::Error,
        Self::Blunder,
        Self::ReviewPly,
        Self::Budget,
        Self::Preset,
        Self::Trials,
        Self::UntilDecided,
        Self::Seed,
        Self::Ply,
        Self::Cube,
        Self::Horizon,
        Self::Settlement,
        Self::Reduction,
        Self::Rotation,
        Self::Coupling,
    ];

    /// Name of the setting.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::Trials => "trials",
            Self::UntilDecided => "until decided",
            Self::Seed => "seed",
            Self::Ply => "plies",
            Self::Cube => "cube",
            Self::Horizon => "truncate after",
            Self::Settlement => "settlement limit",
            Self::Reduction => "variance reduction",
            Self::Rotation => "all 36 first rolls",
            Self::Coupling => "coupled dice (c)",
            Self::Theme => "theme",
            Self::Mouse => "mouse",
            Self::Glyphs => "characters",
            Self::Animation => "animation",
            Self::FillLibrary => "fill library",
            Self::Clipboard => "clipboard",
            Self::Gnubg => "gnubg",
            Self::ExportFolder => "export folder",
            Self::LookPly => "plies in view",
            Self::Doubtful => "?! from",
            Self::Error => "? from",
            Self::Blunder => "?? from",
            Self::ReviewPly => "plies of a review",
            Self::Budget => "match rollouts",
        }
    }

    /// One line about the setting.
    pub fn about(self) -> &'static str {
        match self {
            Self::Preset => "short, quick, standard or thorough set plies, truncation and trials",
            Self::Trials => "games played out for each play, in sets of 36; at most, if decided",
            Self::UntilDecided => "end when the best play is separated (95%) or within ±0.005",
            Self::Seed => "the same seed gives the same dice",
            Self::Ply => "how far both sides look ahead for each play",
            Self::Cube => "both sides double, take and pass, at the score; no: cubeless games",
            Self::Horizon => "rolls after which a game is evaluated instead; 0 plays to the end",
            Self::Settlement => {
                "for money, cubeless and to the end: from this equity on a double is passed"
            }
            Self::Reduction => "subtract the luck of the dice from the result of each game",
            Self::Rotation => "each 36 games begin with each of the 36 rolls once",
            Self::Coupling => "how the dice of plays compared by c depend on each other",
            Self::Theme => "colours and symbols; automatic: what suits the terminal",
            Self::Mouse => "clicks and wheel; from the next start on (Shift selects text)",
            Self::Glyphs => {
                "sextants and octants are finer, in few fonts; ascii: on the whole screen"
            }
            Self::Animation => "checkers glide for 0.2 s when you go to the next turn",
            Self::FillLibrary => {
                "take matches of folders that are opened or watched into the library"
            }
            Self::Clipboard => "for y: the system's, the terminal's (over ssh), or none",
            Self::Gnubg => "host and port of GNU Backgammon, for a second opinion; → to type it",
            Self::ExportFolder => {
                "where exports are proposed; → to type it, empty: beside the match"
            }
            Self::LookPly => "how far the plays in view are looked ahead at (+ and -)",
            Self::Doubtful => "points lost from which on a play is doubtful",
            Self::Error => "points lost from which on a play is an error",
            Self::Blunder => "points lost from which on a play is a blunder",
            Self::ReviewPly => {
                "how far close decisions of a match are looked ahead at; 3 is slower"
            }
            Self::Budget => "seconds that the rollouts of a match may take",
        }
    }
}

/// One ply more or less.
fn stepped_plies(ply: u8, more: bool) -> u8 {
    match more {
        true => (ply + 1).min(UserSettings::MOST_PLIES),
        false => ply.saturating_sub(1),
    }
}

/// Plies, and how eXtreme Gammon counts them.
fn plies(ply: u8) -> String {
    format!("{ply} (XG {}-ply)", u32::from(ply) + 1)
}

/// The value of a setting as text.
fn shown(settings: &UserSettings, field: Field) -> String {
    let v = &settings.rollout;
    let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
    match field {
        Field::Preset => v.preset().map_or("custom", |preset| preset.name).to_owned(),
        Field::Trials => v.trials.to_string(),
        Field::UntilDecided => yes(v.until_decided),
        Field::Seed => v.seed.to_string(),
        Field::Ply => plies(v.ply),
        Field::Cube => yes(v.cubeful),
        Field::Horizon if v.horizon == 0 => "never".into(),
        Field::Horizon => format!("{} rolls", v.horizon),
        Field::Settlement if v.settlement == 0.0 => "none".into(),
        Field::Settlement => format!("{:.2} points", v.settlement),
        Field::Reduction => yes(v.reduction),
        Field::Rotation => yes(v.rotation),
        Field::Coupling => coupled(v.coupling).to_owned(),
        Field::Theme if settings.theme.is_empty() => "automatic".into(),
        Field::Theme => settings.theme.clone(),
        Field::Mouse => yes(settings.mouse),
        Field::Glyphs => settings.glyphs.name().to_owned(),
        Field::Animation => yes(settings.animation),
        Field::FillLibrary => yes(settings.fill_library),
        Field::Clipboard => settings.clipboard.name().to_owned(),
        Field::Gnubg => or_if_empty(&settings.gnubg, "none"),
        Field::ExportFolder => or_if_empty(&settings.export_folder, "beside the match"),
        Field::LookPly => plies(settings.ply),
        Field::Doubtful => format!("{:.3}", settings.marks.doubtful),
        Field::Error => format!("{:.3}", settings.marks.error),
        Field::Blunder => format!("{:.3}", settings.marks.blunder),
        Field::ReviewPly => plies(settings.review.ply),
        Field::Budget => format!("{} s", settings.review.budget),
    }
}

/// What is typed, or what nothing stands for.
fn or_if_empty(typed: &str, nothing: &str) -> String {
    if typed.is_empty() { nothing } else { typed }.to_owned()
}

/// A way to couple dice, in words for the form.
fn coupled(coupled: Coupled) -> &'static str {
    match coupled {
        Coupled::Auto => "automatic",
        Coupled::Koca => "matched ranks, Koca's rule for ties",
        Coupled::Fixed(coupling) => coupling.choice(),
    }
}

/// The preset after `now`, or before it; from settings of one's own the first or the last.
fn next_preset(now: Option<RolloutPreset>, more: bool) -> RolloutPreset {
    let all = RolloutPreset::ALL;
    let n = all.len();
    let place = now.and_then(|now| all.iter().position(|preset| *preset == now));
    all[match place {
        Some(place) => (place + if more { 1 } else { n - 1 }) % n,
        None if more => 0,
        None => n - 1,
    }]
}

/// The text of a setting that is typed.
struct TypedText<'a> {
    text: &'a mut String,
    /// Most bytes.
    longest: usize,
    /// What may be typed.
    is_fit: fn(char) -> bool,
    /// Whether a digit begins another text, rather than going on with this one.
    digit_begins: bool,
}

impl Field {
    /// The largest number that the setting may be, if it is one: that which the settings file may have.
    fn most(self) -> Option<u64> {
        Some(match self {
            Self::Trials => MOST_TRIALS,
            Self::Seed => RolloutPreferences::LARGEST_SEED,
            Self::Ply => RolloutPreferences::MOST_PLIES.into(),
            Self::LookPly | Self::ReviewPly => UserSettings::MOST_PLIES.into(),
            Self::Horizon => u16::MAX.into(),
            // In hundredths of a point.
            Self::Settlement => 100,
            Self::Budget => ReviewPreferences::LONGEST_BUDGET,
            _ => return None,
        })
    }

    /// Where the setting is kept, if it is one that is typed.
    fn text(self, settings: &mut UserSettings) -> Option<TypedText<'_>> {
        Some(match self {
            Self::Gnubg => TypedText {
                text: &mut settings.gnubg,
                longest: 64,
                is_fit: |typed| typed.is_ascii_graphic(),
                digit_begins: true,
            },
            Self::ExportFolder => TypedText {
                text: &mut settings.export_folder,
                longest: 1024,
                is_fit: |typed| !sanitize::is_unsafe(typed),
                digit_begins: false,
            },
            _ => return None,
        })
    }
}

const TRIALS: [u64; 9] = [36, 144, 324, 648, 1296, 2592, 5184, 10_368, 20_736];
/// Seconds for the rollouts of a match.
const BUDGETS: [u64; 8] = [10, 30, 60, 120, 300, 600, 1800, 3600];
const HORIZONS: [u64; 7] = [0, 5, 7, 9, 11, 15, 21];
/// Settlement limits, in hundredths of a point.
const LIMITS: [u64; 8] = [0, 30, 40, 50, 60, 70, 80, 100];

impl Form {
    /// The form of the rollout settings.
    pub fn of_rollouts(values: UserSettings) -> Self {
        Self {
            values,
            fields: Field::ROLLOUT,
            themes: Vec::new(),
            row: 0,
            typed: String::new(),
            is_typing: false,
        }
    }

    /// The form of all settings.
    pub fn of_all(values: UserSettings, themes: Vec<String>) -> Self {
        Self {
            fields: &Field::ALL,
            themes,
            ..Self::of_rollouts(values)
        }
    }

    /// Whether all settings are shown.
    pub fn is_of_all(&self) -> bool {
        self.fields.len() == Field::ALL.len()
    }

    /// The selected field.
    pub fn field(&self) -> Field {
        self.fields[self.row.min(self.fields.len() - 1)]
    }

    /// The value of a field as shown.
    pub fn value(&self, field: Field) -> String {
        match field {
            // Of what is typed an empty line is the beginning.
            Field::Gnubg if self.is_typing => self.values.gnubg.clone(),
            Field::ExportFolder if self.is_typing => self.values.export_folder.clone(),
            _ => shown(&self.values, field),
        }
    }

    /// The default of a field, where the value is another.
    pub fn default_value(&self, field: Field) -> Option<String> {
        let usual = shown(&UserSettings::default(), field);
        (usual != self.value(field)).then_some(usual)
    }

    /// Goes up or down.
    pub fn go(&mut self, down: bool) {
        let n = self.fields.len();
        self.select((self.row + if down { 1 } else { n - 1 }) % n);
    }

    /// Takes the selected setting one step up or down.
    pub fn step(&mut self, more: bool) {
        self.typed.clear();
        let field = self.field();
        if self.step_own(field, more) {
            return;
        }
        let v = &mut self.values.rollout;
        let along = |list: &[u64], now: u64| {
            if more {
                list.iter().find(|&&x| x > now).copied().unwrap_or(now)
            } else {
                list.iter()
                    .rev()
                    .find(|&&x| x < now)
                    .copied()
                    .unwrap_or(now)
            }
        };
        match field {
            Field::Preset => v.choose(next_preset(v.preset(), more)),
            Field::Trials => v.trials = along(&TRIALS, v.trials),
            Field::UntilDecided => v.until_decided = !v.until_decided,
            Field::Seed if more => v.seed = (v.seed + 1).min(RolloutPreferences::LARGEST_SEED),
            Field::Seed => v.seed = v.seed.saturating_sub(1),
            Field::Ply if more => v.ply = (v.ply + 1).min(RolloutPreferences::MOST_PLIES),
            Field::Ply => v.ply = v.ply.saturating_sub(1),
            Field::Cube => v.cubeful = !v.cubeful,
            Field::Horizon => v.horizon = along(&HORIZONS, u64::from(v.horizon)) as u16,
            Field::Settlement => {
                let now = (100.0 * v.settlement).round() as u64;
                v.settlement = along(&LIMITS, now) as f32 / 100.0;
            }
            Field::Reduction => v.reduction = !v.reduction,
            Field::Rotation => v.rotation = !v.rotation,
            Field::Coupling => {
                let all = Coupled::ALL;
                let n = all.len();
                // One of other figures, from the settings file, leads to the first.
                let at = all.iter().position(|c| *c == v.coupling).unwrap_or(n - 1);
                v.coupling = all[(at + if more { 1 } else { n - 1 }) % n];
            }
            _ => {}
        }
    }

    /// A step of a setting that is none of the rollouts'; answers whether it is one.
    fn step_own(&mut self, field: Field, more: bool) -> bool {
        let settings = &mut self.values;
        let marks = &mut settings.marks;
        // In steps of 0.005, each line at or above the one before: what is rounded must not pass it either.
        let moved = |line: f32, [least, most]: [f32; 2]| {
            let next = if more { line + 0.005 } else { line - 0.005 };
            ((next * 1000.0).round() / 1000.0).clamp(least, most)
        };
        // The settings file may have lines beyond those that steps lead to.
        let (lowest, highest) = (marks.doubtful.min(0.005), marks.blunder.max(1.0));
        match field {
            Field::Theme => {
                let names = std::iter::once("").chain(self.themes.iter().map(String::as_str));
                let names: Vec<&str> = names.collect();
                let at = names.iter().position(|n| *n == settings.theme).unwrap_or(0);
                let step = if more { 1 } else { names.len() - 1 };
                settings.theme = names[(at + step) % names.len()].to_owned();
            }
            Field::Mouse => settings.mouse = !settings.mouse,
            Field::Animation => settings.animation = !settings.animation,
            Field::FillLibrary => settings.fill_library = !settings.fill_library,
            Field::Glyphs => {
                let all = GlyphSet::ALL;
                let at = all
                    .iter()
                    .position(|set| *set == settings.glyphs)
                    .unwrap_or(0);
                let step = if more { 1 } else { all.len() - 1 };
                settings.glyphs = all[(at + step) % all.len()];
            }
            Field::Clipboard => {
                let all = Clipboard::ALL;
                let at = all.iter().position(|one| *one == settings.clipboard);
                let step = if more { 1 } else { all.len() - 1 };
                settings.clipboard = all[(at.unwrap_or(0) + step) % all.len()];
            }
            // There is nothing to step through: it is typed.
            Field::Gnubg | Field::ExportFolder => self.is_typing = true,
            Field::LookPly => settings.ply = stepped_plies(settings.ply, more),
            Field::ReviewPly => settings.review.ply = stepped_plies(settings.review.ply, more),
            Field::Doubtful => marks.doubtful = moved(marks.doubtful, [lowest, marks.error]),
            Field::Error => marks.error = moved(marks.error, [marks.doubtful, marks.blunder]),
            Field::Blunder => marks.blunder = moved(marks.blunder, [marks.error, highest]),
            Field::Budget => {
                let found = match more {
                    true => BUDGETS.iter().find(|&&b| b > settings.review.budget),
                    false => BUDGETS.iter().rfind(|&&b| b < settings.review.budget),
                };
                settings.review.budget = found.copied().unwrap_or(settings.review.budget);
            }
            _ => return false,
        }
        true
    }

    /// Whether text is typed into the selected field: then letters are no actions.
    pub fn takes_text(&self) -> bool {
        self.is_typing
    }

    /// A character typed into a field that takes text, or one taken back.
    pub fn type_text(&mut self, typed: Option<char>) {
        let field = self.field();
        let Some(TypedText {
            text,
            longest,
            is_fit,
            ..
        }) = field.text(&mut self.values)
        else {
            return;
        };
        match typed {
            None => {
                text.pop();
            }
            Some(c) if is_fit(c) && text.len() + c.len_utf8() <= longest => text.push(c),
            Some(_) => {}
        }
    }

    /// Begins to type into a field that takes text, by a digit or by taking a character back; answers whether it does.
    fn begin_text(&mut self, digit: Option<char>) -> bool {
        let field = self.field();
        let Some(TypedText {
            text, digit_begins, ..
        }) = field.text(&mut self.values)
        else {
            return false;
        };
        if digit_begins && digit.is_some() {
            text.clear();
        }
        self.is_typing = true;
        self.type_text(digit);
        true
    }

    /// Selects a field.
    pub fn select(&mut self, row: usize) {
        self.row = row.min(self.fields.len() - 1);
        self.typed.clear();
        self.is_typing = false;
    }

    /// A digit typed into the field, or one taken back. Where the number is larger than may be, the largest one stands
    /// for it, which is answered in words; so is a digit where none is typed.
    pub fn type_digit(&mut self, digit: Option<char>) -> Option<String> {
        let field = self.field();
        let Some(most) = field.most() else {
            let is_lost = !self.begin_text(digit) && digit.is_some();
            return is_lost.then(|| format!("{}: {{less}} and {{more}} change it", field.name()));
        };
        match digit {
            Some(digit) => self.typed.push(digit),
            None => {
                self.typed.pop();
            }
        }
        // Of more digits than a number has room for it is too large, whichever they are.
        let typed = match self.typed.as_str() {
            "" => 0,
            digits => digits.parse().unwrap_or(u64::MAX),
        };
        let n: u64 = typed.min(most);
        if !self.typed.is_empty() {
            self.typed = n.to_string();
        }
        let v = &mut self.values.rollout;
        match field {
            Field::Trials => v.trials = n.max(1),
            Field::Seed => v.seed = n,
            Field::Ply => v.ply = n as u8,
            Field::Horizon => v.horizon = n as u16,
            Field::Settlement => v.settlement = n as f32 / 100.0,
            Field::LookPly => self.values.ply = n as u8,
            Field::ReviewPly => self.values.review.ply = n as u8,
            Field::Budget => self.values.review.budget = n.max(1),
            _ => {}
        }
        (typed > most).then(|| format!("{}: at most {}", field.name(), self.value(field)))
    }
}

#[cfg(test)]
mod tests;
