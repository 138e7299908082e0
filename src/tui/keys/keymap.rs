//! Which keys the actions have: those of the table, or those of the user's file `keys.toml`.
//!
//! The file has a table for each scope, in it names of actions with their keys: a text, or a list of texts,
//! each a sequence with spaces between (`"g g"`). What is wrong with an entry is said with its line, and
//! costs that entry alone: the action keeps the keys that it had.

use std::collections::HashMap;
use std::path::Path;

use toml::de::{DeTable, DeValue};

use super::actions::{ACTIONS, ActionEntry, ActionId};
use super::key::{Key, pretty, sequence};
use super::scope::KeyScope;
use crate::sanitize;
use crate::store::file;
use crate::store::settings::{line_at, toml_message};

/// Largest file of keys, in bytes.
const LARGEST: u64 = 64 << 10;
/// Most lines that are complained of.
const MOST_COMPLAINTS: usize = 50;
/// Most keys of an action.
const MOST_KEYS: usize = 20;

/// The keys of all actions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyMap {
    /// The actions that have others than those of the table.
    changed: HashMap<(KeyScope, ActionId), Vec<String>>,
}

/// What a sequence of keys means.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    Action(&'static ActionEntry),
    /// The beginning of at least one longer sequence.
    Prefix,
    Nothing,
}

/// What a file of keys says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadKeys {
    pub keys: KeyMap,
    /// What is wrong, a line each, in the order of the file.
    pub complaints: Vec<String>,
}

/// An action's keys as a file has them.
struct Entry {
    line: usize,
    action: &'static ActionEntry,
}

impl KeyMap {
    /// The keys of an action, the first one first.
    pub fn of(&self, action: &ActionEntry) -> Vec<&str> {
        match self.changed.get(&(action.scope, action.id)) {
            Some(keys) => keys.iter().map(String::as_str).collect(),
            None => action.keys.to_vec(),
        }
    }

    /// The keys of all actions that listen in a scope.
    fn bindings(
        &self,
        scope: KeyScope,
    ) -> impl Iterator<Item = (&'static ActionEntry, Vec<Key>)> + '_ {
        let actions = ACTIONS
            .iter()
            .filter(move |action| action.scope.covers(scope));
        actions.flat_map(move |action| {
            let keys = self.of(action).into_iter();
            keys.map(|key| (action, sequence(key))).collect::<Vec<_>>()
        })
    }

    /// The meaning of `keys` in `scope`.
    pub fn meaning(&self, scope: KeyScope, keys: &[Key]) -> Meaning {
        let mut is_prefix = false;
        for (action, bound) in self.bindings(scope) {
            if bound == keys {
                return Meaning::Action(action);
            }
            is_prefix |= bound.starts_with(keys);
        }
        if is_prefix {
            Meaning::Prefix
        } else {
            Meaning::Nothing
        }
    }

    /// A text with the key of each action of the match screen that it names in braces: `{errors}` is `E`. One
    /// without a key is called by its name.
    pub fn named(&self, text: &str) -> String {
        self.named_in(KeyScope::Match, text)
    }

    /// `text` with the keys of the actions that it names, as [`Self::named`] gives it, for the actions of
    /// another scope.
    pub fn named_in(&self, scope: KeyScope, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let named = after.split_once('}').and_then(|(name, after)| {
                let is_it = |a: &&ActionEntry| a.scope == scope && a.name == name;
                let action = ACTIONS.iter().find(is_it)?;
                let key = self.of(action).first().map(|key| pretty(key));
                Some((key.unwrap_or_else(|| format!(":{name}")), after))
            });
            match named {
                Some((key, after)) => {
                    out.push_str(&key);
                    rest = after;
                }
                None => {
                    out.push('{');
                    rest = after;
                }
            }
        }
        out + rest
    }

    /// Why an action cannot be done, with keys of where it listens, or else of the match screen.
    pub fn reason(&self, action: &ActionEntry, why: &str) -> String {
        self.named(&self.named_in(action.scope, why))
    }

    /// Actions that may follow the keys pressed so far, each with the keys that are missing.
    pub fn followers(&self, scope: KeyScope, keys: &[Key]) -> Vec<(String, &'static ActionEntry)> {
        let longer =
            |(_, bound): &(_, Vec<Key>)| bound.len() > keys.len() && bound.starts_with(keys);
        let rest = |(action, bound): (_, Vec<Key>)| {
            let rest: String = bound[keys.len()..].iter().map(Key::to_string).collect();
            (rest, action)
        };
        self.bindings(scope).filter(longer).map(rest).collect()
    }

    /// Reads the file at `path`; a missing one changes nothing.
    pub fn load(path: &Path) -> ReadKeys {
        match file::read_text(path, LARGEST) {
            Ok(text) => Self::read(&text.unwrap_or_default()),
            Err(why) => ReadKeys {
                complaints: vec![why],
                ..ReadKeys::default()
            },
        }
    }

    /// Keys from TOML text.
    pub fn read(text: &str) -> ReadKeys {
        let (table, errors) = DeTable::parse_recoverable(text);
        let wrong = |e: &toml::de::Error| {
            let at = e.span().map_or(0, |span| span.start);
            (line_at(text, at), toml_message(text, e))
        };
        let errors = errors.iter().take(MOST_COMPLAINTS);
        let mut complaints: Vec<(usize, String)> = errors.map(wrong).collect();
        let (mut keys, mut entries) = (Self::default(), Vec::new());
        for (name, value) in table.get_ref().iter() {
            let line = line_at(text, name.span().start);
            match scope_table(name.get_ref(), value.get_ref()) {
                Ok((scope, table)) => {
                    for (name, value) in table.iter() {
                        let line = line_at(text, name.span().start);
                        match entry(scope, name.get_ref(), value.get_ref()) {
                            Ok((action, bound)) => {
                                keys.changed.insert((scope, action.id), bound);
                                entries.push(Entry { line, action });
                            }
                            Err(why) => complaints.push((line, why)),
                        }
                    }
                }
                Err(why) => complaints.push((line, why)),
            }
        }
        entries.sort_by_key(|entry| entry.line);
        complaints.extend(keys.settle(entries));
        complaints.sort();
        complaints.truncate(MOST_COMPLAINTS);
        let named = |(line, why): (usize, String)| match why.starts_with("line ") {
            true => why,
            false => format!("line {line}: {why}"),
        };
        ReadKeys {
            keys,
            // A name of the file stands in them as it is written there.
            complaints: complaints
                .into_iter()
                .map(|complaint| sanitize::clean(&named(complaint)).into_owned())
                .collect(),
        }
    }

    /// Gives entries up whose keys another action has, the last first, until no key has two meanings.
    fn settle(&mut self, mut entries: Vec<Entry>) -> Vec<(usize, String)> {
        let mut complaints = Vec::new();
        while let Some((place, key, other)) = self.conflict(&entries) {
            let Entry { line, action } = entries.remove(place);
            let is_other =
                |entry: &&Entry| (entry.action.scope, entry.action.id) == (other.scope, other.id);
            let owner_line = entries.iter().find(is_other);
            let owner_line =
                owner_line.map_or_else(String::new, |entry| format!(" (line {})", entry.line));
            complaints.push((
                line,
                format!(
                    "{}: '{key}' is taken by '{}'{owner_line}: give that another key",
                    action.name, other.name
                ),
            ));
            self.changed.remove(&(action.scope, action.id));
        }
        complaints
    }

    /// The last entry one of whose keys another action has, too: its place, the key and that action.
    fn conflict(&self, entries: &[Entry]) -> Option<(usize, String, &'static ActionEntry)> {
        entries.iter().enumerate().rev().find_map(|(place, entry)| {
            let (key, other) = self.rival(entry.action)?;
            Some((place, key, other))
        })
    }

    /// An action that listens where this one does and has one of its keys, or the beginning of one.
    fn rival(&self, action: &'static ActionEntry) -> Option<(String, &'static ActionEntry)> {
        let listens = |other: &&ActionEntry| {
            let together = action.scope.covers(other.scope) || other.scope.covers(action.scope);
            together && (other.scope, other.id) != (action.scope, action.id)
        };
        for key in self.of(action) {
            let bound = sequence(key);
            let has_it = |other: &&ActionEntry| {
                let mut others = self.of(other).into_iter().map(sequence);
                others.any(|theirs| bound.starts_with(&theirs) || theirs.starts_with(&bound))
            };
            let other = ACTIONS.iter().filter(listens).find(has_it);
            if let Some(other) = other {
                return Some((key.to_owned(), other));
            }
        }
        None
    }

    /// A file that says what there is: each action with its keys, and what it does.
    pub fn written(&self) -> String {
        let mut text = String::new();
        for scope in KeyScope::ALL {
            text.push_str(&format!("[{}]\n", scope.name()));
            for action in ACTIONS.iter().filter(|action| action.scope == scope) {
                let keys: Vec<String> = self.of(action).into_iter().map(quoted).collect();
                let entry = format!("\"{}\" = [{}]", action.name, keys.join(", "));
                let is_fixed = action.id == ActionId::Count;
                let lead = if is_fixed { "# " } else { "" };
                text.push_str(&format!("{lead}{entry} # {}\n", action.about));
            }
            text.push('\n');
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
        text
    }
}

/// A text as TOML has it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn scope_table<'v, 't>(
    name: &str,
    value: &'v DeValue<'t>,
) -> Result<(KeyScope, &'v DeTable<'t>), String> {
    let scope = KeyScope::ALL.into_iter().find(|scope| scope.name() == name);
    match (scope, value) {
        (Some(scope), DeValue::Table(table)) => Ok((scope, table)),
        (Some(_), _) => Err(format!("'{name}' is a table: [{name}]")),
        (None, DeValue::Table(_)) => {
            let names: Vec<&str> = KeyScope::ALL.iter().map(|scope| scope.name()).collect();
            Err(format!(
                "there is no table '{name}', only {}",
                names.join(", ")
            ))
        }
        (None, _) => Err(format!("'{name}' stands in no table, such as [match]")),
    }
}

/// An entry of a table.
fn entry(
    scope: KeyScope,
    name: &str,
    value: &DeValue<'_>,
) -> Result<(&'static ActionEntry, Vec<String>), String> {
    let all = ACTIONS.iter().filter(|action| action.scope == scope);
    let Some(action) = all.clone().find(|action| action.name == name) else {
        return Err(format!(
            "there is no action '{name}' in [{}]: luckless keys lists them",
            scope.name()
        ));
    };
    if action.id == ActionId::Count {
        return Err(format!("{name}: the digits stay what they are"));
    }
    let keys = texts(value).ok_or_else(|| format!("{name}: expected a key or a list of keys"))?;
    if keys.len() > MOST_KEYS {
        return Err(format!("{name}: at most {MOST_KEYS} keys"));
    }
    if keys.is_empty() && is_needed(action) {
        return Err(format!("{name}: without a key there is no way to do it"));
    }
    for key in &keys {
        check(scope, key).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok((action, keys))
}

fn texts(value: &DeValue<'_>) -> Option<Vec<String>> {
    match value {
        DeValue::String(text) => Some(vec![text.to_string()]),
        DeValue::Array(all) => all
            .iter()
            .map(|one| one.get_ref().as_str().map(str::to_owned))
            .collect(),
        _ => None,
    }
}

/// Whether an action cannot be found in the palette, or leads there or out.
fn is_needed(action: &ActionEntry) -> bool {
    let in_palette = matches!(action.scope, KeyScope::Match | KeyScope::Editor);
    let leads_out = matches!(
        action.id,
        ActionId::Quit | ActionId::Close | ActionId::Help | ActionId::QuitNow
    );
    leads_out || (!in_palette && action.scope != KeyScope::Everywhere)
}

fn check(scope: KeyScope, text: &str) -> Result<(), String> {
    let is_key = |word: &str| Key::parse(word).is_some();
    if text.is_empty() || !text.split(' ').all(is_key) {
        return Err(format!(
            "'{text}' is no key (such as r, ctrl-r, f5 or \"g g\")"
        ));
    }
    let types = sequence(text).first().and_then(Key::typed).is_some();
    let is_typed_in = matches!(
        scope,
        KeyScope::Library | KeyScope::Prompt | KeyScope::Note | KeyScope::Everywhere
    );
    if types && is_typed_in {
        return Err(format!("'{text}' is typed there, and can be no key"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
