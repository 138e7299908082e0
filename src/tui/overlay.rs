//! Windows over the screen: their state, apart from how they are drawn and what their keys do.

use tui_input::Input;

use super::actions::{ACTIONS, ActionEntry, KeyScope};
use super::inquiry::{Inquiry, MatrixPlace};
use super::palette::palette_rows;
use super::state::App;
use crate::rollout::RolloutPreset;
use crate::store::settings::{Coupled, RolloutPreferences};

/// A window over the screen.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// The keys of the place it was opened from.
    Help {
        /// Selected row.
        row: usize,
    },
    /// What the signs on the screen mean.
    Signs {
        /// First sign in sight.
        row: usize,
    },
    /// The errors by cost.
    Errors {
        /// Selected row.
        row: usize,
    },
    /// What was wrong with the file.
    Warnings {
        /// Selected row.
        row: usize,
    },
    /// Commands by name.
    Palette {
        /// What is typed.
        input: Input,
        /// Selected row.
        row: usize,
    },
    /// A path or an ID.
    Open {
        /// What is typed.
        input: Input,
        /// Names that complete it.
        found: Vec<String>,
        /// Selected row, if one is.
        row: Option<usize>,
    },
    /// A note beside the move in view.
    Note {
        /// What is typed.
        input: Input,
    },
    /// Where the match and its variations are written.
    Export {
        /// What is typed.
        input: Input,
    },
    /// How long the match may be rolled out.
    TimeLimit {
        /// What is typed.
        input: Input,
        /// Nothing was typed yet: the time is the one proposed, and a digit takes its place.
        is_proposed: bool,
    },
    /// The dice of a position alone.
    Dice {
        /// What is typed.
        input: Input,
    },
    /// Score and length of a draft.
    Score {
        /// What is typed.
        input: Input,
    },
    /// Rollout settings.
    Form(Form),
    /// Why one play is better than another, or all about a cube decision.
    Why {
        /// Which.
        inquiry: Inquiry,
        /// The selected next roll.
        roll: usize,
    },
    /// The decision at other scores.
    Matrix {
        /// Which.
        inquiry: Inquiry,
        /// The selected cell.
        place: MatrixPlace,
    },
}

impl Overlay {
    /// Where keys go while it is open.
    #[must_use]
    pub fn scope(&self) -> KeyScope {
        match self {
            Self::Help { .. } | Self::Signs { .. } | Self::Warnings { .. } => KeyScope::List,
            Self::Errors { .. } => KeyScope::Errors,
            Self::Palette { .. }
            | Self::Open { .. }
            | Self::Dice { .. }
            | Self::Score { .. }
            | Self::Export { .. }
            | Self::TimeLimit { .. } => KeyScope::Prompt,
            Self::Note { .. } => KeyScope::Note,
            Self::Form(_) => KeyScope::Form,
            Self::Why { .. } => KeyScope::Why,
            Self::Matrix { .. } => KeyScope::Matrix,
        }
    }
}

/// The rows of the help window: the actions of the match screen or of the editor, then those that work
/// everywhere.
#[must_use]
pub fn help_rows(screen: KeyScope) -> Vec<&'static ActionEntry> {
    let of = |scope: KeyScope| ACTIONS.iter().filter(move |a| a.scope == scope);
    of(screen).chain(of(KeyScope::Everywhere)).collect()
}

/// The rollout settings being changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// As they are now.
    pub values: RolloutPreferences,
    /// Selected field.
    pub row: usize,
    /// Digits typed into the field.
    pub typed: String,
}

/// A field of the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Several of those below by one name.
    Preset,
    /// Trials of each play.
    Trials,
    /// Ended once the plays are told apart.
    UntilDecided,
    /// Key of the dice.
    Seed,
    /// Plies.
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
}

impl Field {
    /// All, in order.
    pub const ALL: [Self; 11] = [
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

    /// Its name.
    #[must_use]
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
        }
    }

    /// One line about it.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Preset => "quick, standard or thorough set plies, truncation and trials",
            Self::Trials => "games played out for each play, in sets of 36; at most, if decided",
            Self::UntilDecided => "end when the best play is separated (95%) or within ±0.005",
            Self::Seed => "the same seed gives the same dice",
            Self::Ply => "how far both sides look ahead for each play",
            Self::Cube => "both sides double, take and pass, at the score; no: cubeless games",
            Self::Horizon => "rolls after which a game is evaluated instead; 0 plays to the end",
            Self::Settlement => {
                "games without cube: at this equity the player on roll wins a point"
            }
            Self::Reduction => "subtract the luck of the dice from the result of each game",
            Self::Rotation => "each 36 games begin with each of the 36 rolls once",
            Self::Coupling => "how the dice of plays compared by c depend on each other",
        }
    }
}

/// A way to couple dice, in words for the form.
fn coupled(coupled: Coupled) -> &'static str {
    match coupled {
        Coupled::Auto => "automatic, by a pilot",
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

const TRIALS: [u64; 9] = [36, 144, 324, 648, 1296, 2592, 5184, 10_368, 20_736];
const HORIZONS: [u64; 7] = [0, 5, 7, 9, 11, 15, 21];
/// Settlement limits, in hundredths of a point.
const LIMITS: [u64; 8] = [0, 30, 40, 50, 60, 70, 80, 100];

impl Form {
    /// The form of the present settings.
    #[must_use]
    pub fn new(values: RolloutPreferences) -> Self {
        Self {
            values,
            row: 0,
            typed: String::new(),
        }
    }

    /// The selected field.
    #[must_use]
    pub fn field(&self) -> Field {
        Field::ALL[self.row.min(Field::ALL.len() - 1)]
    }

    /// The value of a field as shown.
    #[must_use]
    pub fn value(&self, field: Field) -> String {
        let v = &self.values;
        let yes = |b: bool| if b { "yes" } else { "no" }.to_owned();
        match field {
            Field::Preset => v.preset().map_or("custom", |preset| preset.name).to_owned(),
            Field::Trials => v.trials.to_string(),
            Field::UntilDecided => yes(v.until_decided),
            Field::Seed => v.seed.to_string(),
            Field::Ply => v.ply.to_string(),
            Field::Cube => yes(v.cubeful),
            Field::Horizon if v.horizon == 0 => "never".into(),
            Field::Horizon => format!("{} rolls", v.horizon),
            Field::Settlement if v.settlement == 0.0 => "none".into(),
            Field::Settlement => format!("{:.2} points", v.settlement),
            Field::Reduction => yes(v.reduction),
            Field::Rotation => yes(v.rotation),
            Field::Coupling => coupled(v.coupling).to_owned(),
        }
    }

    /// Goes up or down.
    pub fn go(&mut self, down: bool) {
        let n = Field::ALL.len();
        self.row = (self.row + if down { 1 } else { n - 1 }) % n;
        self.typed.clear();
    }

    /// One step more or less.
    pub fn step(&mut self, more: bool) {
        self.typed.clear();
        let v = &mut self.values;
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
        match Field::ALL[self.row.min(Field::ALL.len() - 1)] {
            Field::Preset => v.choose(next_preset(v.preset(), more)),
            Field::Trials => v.trials = along(&TRIALS, v.trials),
            Field::UntilDecided => v.until_decided = !v.until_decided,
            Field::Seed if more => v.seed = v.seed.saturating_add(1),
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
        }
    }

    /// A digit typed into the field, or one taken back.
    pub fn type_digit(&mut self, digit: Option<char>) {
        match digit {
            Some(d) if self.typed.len() < 9 => self.typed.push(d),
            Some(_) => return,
            None => {
                self.typed.pop();
            }
        }
        let n: u64 = self.typed.parse().unwrap_or(0);
        let v = &mut self.values;
        match Field::ALL[self.row.min(Field::ALL.len() - 1)] {
            Field::Trials => v.trials = n.clamp(1, 100_000_000),
            Field::Seed => v.seed = n,
            Field::Ply => v.ply = n.min(u64::from(RolloutPreferences::MOST_PLIES)) as u8,
            Field::Horizon => v.horizon = n.min(1000) as u16,
            Field::Settlement => v.settlement = n.min(100) as f32 / 100.0,
            Field::Preset
            | Field::UntilDecided
            | Field::Cube
            | Field::Reduction
            | Field::Rotation
            | Field::Coupling => self.typed.clear(),
        }
    }
}

/// Names in the folder of what is typed that begin like it: files and folders (with their slash),
/// at most `most`.
#[must_use]
pub fn completions(typed: &str, most: usize) -> Vec<String> {
    let (folder, begin) = match typed.rfind('/') {
        Some(i) => (&typed[..=i], &typed[i + 1..]),
        None => ("", typed),
    };
    let read = std::fs::read_dir(if folder.is_empty() { "." } else { folder });
    let Ok(entries) = read else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .flatten()
        // A folder of a million files must not stop the keyboard.
        .take(5000)
        .filter_map(|e| {
            let name = e.file_name().into_string().ok()?;
            let wanted =
                name.starts_with(begin) && (!name.starts_with('.') || begin.starts_with('.'));
            let slash = if e.path().is_dir() { "/" } else { "" };
            wanted.then(|| format!("{folder}{name}{slash}"))
        })
        .collect();
    found.sort();
    found.truncate(most);
    found
}

/// The first row on screen of a list of `count` of which `height` fit, around the selected one.
#[must_use]
pub fn first_row(selected: usize, height: usize, count: usize) -> usize {
    selected
        .saturating_sub(height / 2)
        .min(count.saturating_sub(height))
}

/// How many rows a window's list has.
#[must_use]
pub fn row_count(app: &App) -> usize {
    match &app.overlay {
        Some(Overlay::Help { .. }) => help_rows(app.screen_scope()).len(),
        Some(Overlay::Signs { .. }) => super::legend::SIGNS.len(),
        Some(Overlay::Errors { .. }) => super::error_list::rows(app).len(),
        Some(Overlay::Warnings { .. }) => super::troubles::count(app),
        Some(Overlay::Palette { input, .. }) => {
            palette_rows(app.screen_scope(), input.value()).len()
        }
        Some(Overlay::Open { found, .. }) => found.len(),
        Some(Overlay::Form(_)) => Field::ALL.len(),
        Some(Overlay::Why { .. }) => crate::game::roll::DISTINCT,
        Some(
            Overlay::Dice { .. }
            | Overlay::Score { .. }
            | Overlay::TimeLimit { .. }
            | Overlay::Export { .. }
            | Overlay::Note { .. }
            | Overlay::Matrix { .. },
        )
        | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::dahl::Settlement;
    use crate::rollout::Coupling;

    #[test]
    fn the_form_steps_and_takes_digits() {
        let mut form = Form::new(RolloutPreferences::default());
        assert_eq!(form.value(Field::Preset), "custom");
        form.row = 1;
        form.step(true);
        assert_eq!(form.values.trials, 2592);
        for d in "500".chars() {
            form.type_digit(Some(d));
        }
        assert_eq!(form.values.trials, 500);
        form.type_digit(None);
        assert_eq!(form.values.trials, 50);
        form.step(false);
        assert_eq!(form.values.trials, 36);
        form.row = 0;
        form.go(false);
        assert_eq!(form.field(), Field::Coupling);
        form.step(true);
        assert_eq!(form.values.coupling, Coupled::Koca);
        form.step(false);
        form.step(false);
        assert_eq!(form.values.coupling, Coupled::Fixed(Coupling::None));
        form.values.coupling = Coupled::Fixed(Coupling::Hybrid { within: 3 });
        form.step(true);
        assert_eq!(form.values.coupling, Coupled::Auto);
        form.go(false);
        assert_eq!(form.field(), Field::Rotation);
        form.step(true);
        assert!(!form.values.rotation);
        form.row = 6;
        form.step(true);
        assert_eq!(form.value(Field::Horizon), "5 rolls");
        form.go(true);
        assert_eq!(form.value(Field::Settlement), "none");
        form.step(true);
        assert_eq!(form.value(Field::Settlement), "0.30 points");
        for d in "55".chars() {
            form.type_digit(Some(d));
        }
        assert_eq!(form.value(Field::Settlement), "0.55 points");
        form.step(true);
        assert_eq!(form.values.settlement(), Some(Settlement::at(0.6)));
        form.go(false);
        form.row = 5;
        form.step(false);
        assert!(!form.values.cubeful);
    }

    #[test]
    fn presets_are_stepped_through_and_left_by_other_values() {
        let mut form = Form::new(RolloutPreferences::default());
        for name in ["quick", "standard", "thorough", "quick"] {
            form.step(true);
            assert_eq!(form.value(Field::Preset), name);
        }
        assert_eq!(form.value(Field::Horizon), "11 rolls");
        form.step(false);
        assert_eq!(form.value(Field::Preset), "thorough");
        assert_eq!((form.values.ply, form.values.trials), (2, 5184));
        form.row = 2;
        form.step(true);
        assert!(!form.values.until_decided);
        assert_eq!(form.value(Field::Preset), "custom");
    }

    #[test]
    fn paths_are_completed() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("anna.mat"), "").unwrap();
        std::fs::create_dir(folder.path().join("annex")).unwrap();
        let start = format!("{}/ann", folder.path().display());
        let found = completions(&start, 9);
        assert_eq!(found.len(), 2);
        assert!(found[0].ends_with("anna.mat") && found[1].ends_with("annex/"));
        assert!(completions("/no such folder/x", 9).is_empty());
    }
}
