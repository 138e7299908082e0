//! Reads and writes the settings file. Unknown content is reported and preserved.

use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};
use toml_edit::{DocumentMut, Item, TableLike, Value};

use super::settings::{UserSettings, line_at, toml_message};
use super::{StoreError, file, repair};
use crate::sanitize;

/// Maximum size of a settings file, in bytes.
const LARGEST: u64 = 64 << 10;
/// Maximum number of complaints.
const MOST_COMPLAINTS: usize = 50;

/// The content of a settings file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadSettings {
    /// The settings. Missing and invalid ones have their defaults.
    pub settings: UserSettings,
    /// Complaints about invalid content, one line each, in the order of the file.
    pub complaints: Vec<String>,
}

/// A setting: its table, if any, and its key.
type Name<'a> = (Option<&'a str>, &'a str);

impl UserSettings {
    /// Reads the file at `path`; if it is missing, returns the defaults.
    pub fn load(path: &Path) -> ReadSettings {
        match file::read_text(path, LARGEST) {
            Ok(text) => Self::read(&text.unwrap_or_default()),
            Err(why) => ReadSettings {
                settings: Self::default(),
                complaints: vec![why],
            },
        }
    }

    /// Reads settings from TOML text.
    pub fn read(text: &str) -> ReadSettings {
        let (table, errors) = DeTable::parse_recoverable(text);
        let wrong = |e: &toml::de::Error| (e.span().map_or(0, |s| s.start), toml_message(text, e));
        let errors = errors.iter().take(MOST_COMPLAINTS);
        let mut complaints: Vec<(usize, String)> = errors.map(wrong).collect();
        let mut places = Vec::new();
        let mut good = String::new();
        for (name, span, _) in leaves(table.get_ref()) {
            let value = text.get(span.clone()).unwrap_or_default();
            let line = alone(name, value);
            match toml::from_str::<Self>(&line) {
                Ok(_) => {
                    good.push_str(&line);
                    places.push((shown(name), span.start));
                }
                // Finding the lines of thousands of errors would take minutes.
                Err(_) if complaints.len() >= MOST_COMPLAINTS => {}
                Err(error) => {
                    let line = line_at(text, span.start);
                    let is_named = |(at, _): &(usize, String)| line_at(text, *at) == line;
                    if !complaints.iter().any(is_named) {
                        let message = error.message().replace(['\n', '\r'], " ");
                        let why = format!("line {line}: {}: {message}", shown(name));
                        complaints.push((span.start, why));
                    }
                }
            }
        }
        // Every line is valid, and none is repeated.
        let mut settings: Self = toml::from_str(&good).unwrap_or_default();
        while let Some(refusal) = settings.refusal() {
            let begins = |name: &String| name.starts_with(refusal.name);
            let at = places.iter().find(|(name, _)| begins(name));
            let at = at.map_or(0, |(_, at)| *at);
            let line = line_at(text, at);
            complaints.push((
                at,
                format!("line {line}: {}: {}", refusal.name, refusal.why),
            ));
            settings = refusal.without;
        }
        complaints.sort();
        ReadSettings {
            settings,
            // The complaints quote names from the file.
            complaints: complaints
                .into_iter()
                .map(|(_, why)| sanitize::clean(&why).into_owned())
                .collect(),
        }
    }

    /// Writes the settings that differ from `known`, those last read or written, into the file at `path`. Comments
    /// and changes by other programs are preserved. Returns the path of the backup of the old file.
    ///
    /// # Errors
    /// [`StoreError`]; the file is then unchanged.
    pub fn save(&self, known: &Self, path: &Path) -> Result<Option<PathBuf>, StoreError> {
        let old = match file::read(path, LARGEST) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.is_missing() => None,
            Err(error) => return Err(error),
        };
        // Comments that are not UTF-8 would be lost.
        let text = old.as_deref().map(std::str::from_utf8).transpose();
        let text = text.map_err(|error| StoreError::Format {
            path: path.to_owned(),
            message: format!("not UTF-8, so nothing is written into it: {error}"),
        })?;
        let text = text.unwrap_or_default();
        // A file that must be replaced as a whole is the only copy of its comments.
        let is_lost = !text.trim().is_empty() && document(&LargeIntegers::of(text).held).is_none();
        let new = self.written_into(text, known);
        let new = new.map_err(|message| StoreError::Format {
            path: path.to_owned(),
            message,
        })?;
        let Some(old) = old else {
            return file::write(path, new.as_bytes()).map(|()| None);
        };
        if old == new.as_bytes() {
            return Ok(None);
        }
        let aside = is_lost.then(|| repair::place_aside(path)).flatten();
        let backup = aside.clone().unwrap_or_else(|| self::backup(path));
        let kept = file::write_like(&backup, &old, path);
        let written = kept.and_then(|()| file::write(path, new.as_bytes()));
        if let (Err(_), Some(aside)) = (&written, aside) {
            // The original still exists, and the next attempt sets it aside again.
            let _ = std::fs::remove_file(aside);
        }
        written.map(|()| Some(backup))
    }

    /// Returns `text` with the settings that differ from `known` updated. Text that is not valid TOML cannot be
    /// edited and is replaced.
    fn written_into(&self, text: &str, known: &Self) -> Result<String, String> {
        let own = toml::to_string(self).map_err(|e| e.to_string())?;
        let large = LargeIntegers::of(text);
        let (Some(mut document), false) = (document(&large.held), text.trim().is_empty()) else {
            return Ok(own);
        };
        let known = toml::to_string(known).map_err(|e| e.to_string())?;
        let [own, known] = [own, known].map(|text| text.parse::<DocumentMut>());
        let (own, known) = (
            own.map_err(|e| e.to_string())?,
            known.map_err(|e| e.to_string())?,
        );
        for (name, value) in values(&own) {
            let before = get(&known, name).map(ToString::to_string);
            if before.as_deref() != Some(value.to_string().as_str()) {
                set(&mut document, name, value.clone());
            }
        }
        Ok(written_like(text, &large.restored(document.to_string())))
    }
}

/// Parses a text for editing; `None` if it is not TOML.
fn document(text: &str) -> Option<DocumentMut> {
    text.parse().ok()
}

/// A text in which integers too large for TOML are replaced by strings. Only these integers are refused; otherwise
/// the whole text could not be edited and would lose its comments.
struct LargeIntegers {
    /// The text with strings instead.
    held: String,
    /// The integers as written, and their strings.
    integers: Vec<(String, String)>,
}

impl LargeIntegers {
    fn of(text: &str) -> Self {
        let (table, _) = DeTable::parse_recoverable(text);
        let mut spans: Vec<_> = leaves(table.get_ref())
            .into_iter()
            .filter(|(_, _, value)| match value {
                DeValue::Integer(n) => i64::from_str_radix(n.as_str(), n.radix()).is_err(),
                _ => false,
            })
            .map(|(_, span, _)| span)
            .collect();
        spans.sort_by_key(|span| std::cmp::Reverse(span.start));
        let (mut held, mut integers) = (text.to_owned(), Vec::new());
        for span in spans {
            let integer = text[span.clone()].to_owned();
            let string = format!("\"luckless: the integer {integer}\"");
            held.replace_range(span, &string);
            integers.push((integer, string));
        }
        Self { held, integers }
    }

    /// Returns the text with the remaining integers restored.
    fn restored(&self, text: String) -> String {
        let back =
            |text: String, (integer, string): &(String, String)| text.replace(string, integer);
        self.integers.iter().fold(text, back)
    }
}

/// Restores the byte order mark and line endings of the text from which a document was parsed, as Windows editors
/// write them. The parsed document has neither.
fn written_like(text: &str, document: &str) -> String {
    let mark = &text[..text.len() - sanitize::without_mark(text).len()];
    let ends = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let lines = document.replace("\r\n", "\n");
    format!(
        "{mark}{}",
        sanitize::without_mark(&lines).replace('\n', ends)
    )
}

/// Path of the backup made before the latest save.
fn backup(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".bak");
    path.with_file_name(name)
}

/// Returns the keys of a file, including those in tables, with the positions and values.
fn leaves<'a>(table: &'a DeTable<'a>) -> Vec<(Name<'a>, Range<usize>, &'a DeValue<'a>)> {
    let mut all = Vec::new();
    for (key, value) in table {
        let key: &str = key.get_ref();
        match value.get_ref() {
            DeValue::Table(inner) => {
                all.extend(inner.iter().map(|(below, value)| {
                    let below: &str = below.get_ref();
                    ((Some(key), below), value.span(), value.get_ref())
                }));
            }
            _ => all.push(((None, key), value.span(), value.get_ref())),
        }
    }
    all
}

/// Returns a line of TOML with one setting.
fn alone((table, key): Name<'_>, value: &str) -> String {
    let quoted = |name: &str| toml_edit::Key::new(name).to_string();
    match table {
        Some(table) => format!("{}.{} = {value}\n", quoted(table), quoted(key)),
        None => format!("{} = {value}\n", quoted(key)),
    }
}

fn shown((table, key): Name<'_>) -> String {
    table.map_or_else(|| key.to_owned(), |table| format!("{table}.{key}"))
}

/// Returns the settings of a text written by the program.
fn values(document: &DocumentMut) -> Vec<(Name<'_>, &Value)> {
    let mut all = Vec::new();
    for (key, item) in document.iter() {
        match item {
            Item::Table(table) => {
                let below = table.iter().filter_map(|(k, v)| Some((k, v.as_value()?)));
                all.extend(below.map(|(below, value)| ((Some(key), below), value)));
            }
            item => all.extend(item.as_value().map(|value| ((None, key), value))),
        }
    }
    all
}

fn get<'a>(document: &'a DocumentMut, (table, key): Name<'_>) -> Option<&'a Value> {
    match table {
        Some(table) => document.get(table)?.get(key)?.as_value(),
        None => document.get(key)?.as_value(),
    }
}

/// Replaces a value, or adds it at the end of its table.
fn set(document: &mut DocumentMut, (table, key): Name<'_>, mut value: Value) {
    let place: &mut dyn TableLike = match table {
        None => document.as_table_mut(),
        Some(name) => {
            if document.get(name).is_none_or(|item| !item.is_table_like()) {
                document.insert(name, toml_edit::table());
            }
            let Some(table) = document.get_mut(name).and_then(Item::as_table_like_mut) else {
                return;
            };
            table
        }
    };
    match place.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            // Comments around it are kept.
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            value.decor_mut().clear();
            place.insert(key, Item::Value(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Saves settings that were changed after reading the file.
    fn save(settings: &UserSettings, path: &Path) -> Result<Option<PathBuf>, StoreError> {
        settings.save(&UserSettings::load(path).settings, path)
    }

    const OWN: &str = "\
# My settings.
theme = \"light\"   # by day
colour = \"red\"

[rollout]
# As many as I have patience for.
trials = 5184
trails = 7        # a slip
ply = 9

[marks]
doubtful = \"x\"
";

    #[test]
    fn what_is_understood_counts_and_the_rest_is_named() {
        let found = UserSettings::read(OWN);
        let mut expected = UserSettings {
            theme: "light".into(),
            ..UserSettings::default()
        };
        expected.rollout.trials = 5184;
        assert_eq!(found.settings, expected);
        let begins = [
            "line 3: colour: unknown field",
            "line 8: rollout.trails: unknown field",
            "line 9: rollout.ply: at most 2 plies",
            "line 12: marks.doubtful: invalid type",
        ];
        assert_eq!(found.complaints.len(), begins.len(), "{found:?}");
        for (complaint, begin) in found.complaints.iter().zip(begins) {
            assert!(complaint.starts_with(begin), "{complaint}");
        }
    }

    /// A comment in another encoding would be lost, so the file is not written.
    #[test]
    fn a_file_that_is_no_utf_8_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let own = b"# caf\xe9\ntheme = \"light\"\n";
        fs::write(&path, own).unwrap();
        let error = save(&UserSettings::default(), &path)
            .unwrap_err()
            .to_string();
        assert_has!(error, "not UTF-8");
        assert_eq!(fs::read(&path).unwrap(), own);
    }

    #[cfg(unix)]
    #[test]
    fn the_copy_of_a_private_file_is_private() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::write(&path, OWN).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let backup = save(&UserSettings::default(), &path).unwrap().unwrap();
        for file in [&path, &backup] {
            let mode = fs::metadata(file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", file.display());
        }
    }

    #[test]
    fn a_file_of_windows_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let own = format!("\u{feff}{}", OWN.replace('\n', "\r\n"));
        fs::write(&path, &own).unwrap();
        let mut settings = UserSettings::load(&path).settings;
        assert_eq!(settings.theme, "light");
        assert_eq!(save(&settings, &path).unwrap(), None, "nothing has changed");
        settings.theme = "dark".into();
        settings.review.budget = 5;
        save(&settings, &path).unwrap();
        let new = fs::read_to_string(&path).unwrap();
        assert!(
            new.starts_with(&own[..own.find("light").unwrap()]),
            "{new:?}"
        );
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());
        assert_has!(new, "budget = 5\r\n");
    }

    #[test]
    fn saving_changes_what_was_changed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::write(&path, OWN).unwrap();
        let mut settings = UserSettings::load(&path).settings;
        assert_eq!(save(&settings, &path).unwrap(), None, "nothing has changed");
        assert_eq!(fs::read_to_string(&path).unwrap(), OWN);
        settings.theme = "dark".into();
        settings.rollout.trials = 360;
        settings.review.budget = 5;
        let backup = save(&settings, &path).unwrap().unwrap();
        assert_eq!(backup, folder.path().join("settings.toml.bak"));
        assert_eq!(fs::read_to_string(&backup).unwrap(), OWN);
        let expected = OWN.replace("\"light\"", "\"dark\"").replace("5184", "360");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text, format!("{expected}\n[review]\nbudget = 5\n"));
        assert_eq!(UserSettings::load(&path).settings, settings);
    }

    /// An integer too large for TOML is refused; the rest of the file and its comments stay.
    #[test]
    fn an_integer_beyond_toml_is_refused_and_costs_no_comments() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let own = "# Mine.\r\ntheme = \"light\" # by day\r\n[rollout]\r\ntrials = 0xffff_ffff_ffff_ffff # much\r\n\
                   seed = 18446744073709551615 # a slip\r\n[review]\r\nbudget = 99999999999999999999999\r\n";
        fs::write(&path, own).unwrap();
        let found = UserSettings::load(&path);
        assert_eq!(found.complaints.len(), 3, "{found:?}");
        let mut settings = found.settings;
        assert_eq!(settings.rollout, UserSettings::default().rollout);
        assert_eq!(save(&settings, &path).unwrap(), None, "nothing has changed");
        settings.theme = "dark".into();
        settings.rollout.seed = 7;
        let backup = save(&settings, &path).unwrap().unwrap();
        assert_eq!(backup, folder.path().join("settings.toml.bak"));
        let expected = own
            .replace("light", "dark")
            .replace("18446744073709551615", "7");
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
    }

    #[test]
    fn a_text_that_is_broken_somewhere_counts_elsewhere_and_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let broken = "ply = 1\ntheme = \"light\nmouse = false\n\n[rollout\ntrials = 72\n";
        fs::write(&path, broken).unwrap();
        let ReadSettings {
            settings,
            complaints,
        } = UserSettings::load(&path);
        assert_eq!((settings.ply, settings.mouse), (1, false));
        assert!(complaints[0].starts_with("line 2"), "{complaints:?}");
        let backup = save(&settings, &path).unwrap().unwrap();
        assert_eq!(fs::read_to_string(&backup).unwrap(), broken);
        // The backup stays after later saves.
        let mut settings = settings;
        settings.ply = 3;
        assert_ne!(save(&settings, &path).unwrap(), Some(backup.clone()));
        assert_eq!(fs::read_to_string(backup).unwrap(), broken);
        let found = UserSettings::load(&path);
        assert_eq!((found.settings, found.complaints.len()), (settings, 0));
    }

    #[test]
    fn forms_that_toml_has_for_the_same_are_understood() {
        for text in [
            "rollout = { trials = 360, seed = 2 }",
            "rollout.trials = 360\nrollout.seed = 2",
            "[\"rollout\"]\n\"trials\" = 3_60\nseed = 0x2",
        ] {
            let known = UserSettings::read(text).settings;
            let mut settings = known.clone();
            assert_eq!(
                (settings.rollout.trials, settings.rollout.seed),
                (360, 2),
                "{text}"
            );
            settings.rollout.ply = 1;
            let again = UserSettings::read(&settings.written_into(text, &known).unwrap());
            assert_eq!((again.settings, again.complaints.len()), (settings, 0));
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        fs::create_dir(&path).unwrap();
        assert_eq!(UserSettings::load(&path).complaints.len(), 1);
        assert!(save(&UserSettings::default(), &path).is_err());
        let path = folder.path().join("large.toml");
        fs::write(&path, vec![b'#'; LARGEST as usize + 1]).unwrap();
        assert_eq!(UserSettings::load(&path).complaints.len(), 1);
        assert!(save(&UserSettings::default(), &path).is_err());
    }
}
