//! Keys: how they are written.

use std::fmt;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::sanitize::is_unsafe;

/// One key with its modifiers. Shift is part of the character: `G`, not shift-g.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    ctrl: bool,
    alt: bool,
}

const NAMED: &[(&str, KeyCode)] = &[
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backtab", KeyCode::BackTab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("space", KeyCode::Char(' ')),
];

impl Key {
    /// The key that leads back.
    pub const ESC: Self = Self {
        code: KeyCode::Esc,
        ctrl: false,
        alt: false,
    };

    /// The key that erases the character before.
    pub const BACKSPACE: Self = Self {
        code: KeyCode::Backspace,
        ctrl: false,
        alt: false,
    };

    /// What the same key sends on terminals that erase by `^H`.
    pub const CTRL_H: Self = Self {
        code: KeyCode::Char('h'),
        ctrl: true,
        alt: false,
    };

    /// The key of a terminal's event.
    pub fn of(event: &KeyEvent) -> Self {
        Self {
            code: event.code,
            ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
            alt: event.modifiers.contains(KeyModifiers::ALT),
        }
    }

    /// A key as the tables write it: `n`, `G`, `+`, `left`, `space`, `ctrl-l`.
    pub fn parse(text: &str) -> Option<Self> {
        let (ctrl, rest) = match text.strip_prefix("ctrl-") {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, text),
        };
        let (alt, rest) = match rest.strip_prefix("alt-") {
            Some(rest) if !rest.is_empty() => (true, rest),
            _ => (false, rest),
        };
        let mut chars = rest.chars();
        let function = || {
            let number = rest.strip_prefix('f')?.parse().ok()?;
            (1..=12).contains(&number).then_some(KeyCode::F(number))
        };
        let code = match (chars.next(), chars.next()) {
            (Some(c), None) if c != ' ' => KeyCode::Char(c),
            _ => {
                let named = NAMED.iter().find(|(name, _)| *name == rest);
                named.map(|(_, code)| *code).or_else(function)?
            }
        };
        Some(Self { code, ctrl, alt })
    }

    /// The character this key types, if it types one.
    pub fn typed(&self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt && !is_unsafe(c) => Some(c),
            _ => None,
        }
    }

    /// The key without Alt, if it is one that terminals send after an Esc for it, so that it may be both in a row.
    pub fn after_esc(&self) -> Option<Self> {
        let is_sent_so = matches!(
            self.code,
            KeyCode::Char(_) | KeyCode::Enter | KeyCode::Tab | KeyCode::Backspace
        );
        (self.alt && is_sent_so).then_some(Self {
            alt: false,
            ..*self
        })
    }

    /// Whether Ctrl is held.
    pub fn has_ctrl(&self) -> bool {
        self.ctrl
    }

    /// The terminal's code of the key, without modifiers.
    pub fn code(&self) -> KeyCode {
        self.code
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        if let Some((name, _)) = NAMED.iter().find(|(_, c)| *c == self.code) {
            return f.write_str(name);
        }
        match self.code {
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "f{n}"),
            other => write!(f, "{other}"),
        }
    }
}

/// The keys of one binding, such as `g g`.
pub fn sequence(text: &str) -> Vec<Key> {
    text.split(' ').filter_map(Key::parse).collect()
}

/// A binding as people read it: arrows as arrows, `g g` as `gg`.
pub fn pretty(text: &str) -> String {
    text.split(' ')
        .map(|key| match key {
            "left" => "←",
            "right" => "→",
            "up" => "↑",
            "down" => "↓",
            "space" => "Space",
            "backspace" => "Backspace",
            "enter" => "Enter",
            "esc" => "Esc",
            "tab" => "Tab",
            "backtab" => "Shift-Tab",
            "home" => "Home",
            "end" => "End",
            "pgup" => "PgUp",
            "pgdn" => "PgDn",
            "delete" => "Del",
            other => other,
        })
        .map(with_modifiers)
        .collect()
}

/// A key with its modifiers as it is shown: `ctrl-c` as `Ctrl-C`.
fn with_modifiers(key: &str) -> String {
    if let Some(rest) = key.strip_prefix("ctrl-").filter(|rest| !rest.is_empty()) {
        return format!("Ctrl-{}", with_modifiers(rest).to_uppercase());
    }
    // With Alt a letter in capitals is another key.
    if let Some(rest) = key.strip_prefix("alt-").filter(|rest| !rest.is_empty()) {
        return format!("Alt-{}", with_modifiers(rest));
    }
    match key.strip_prefix('f').filter(|digits| !digits.is_empty()) {
        Some(digits) if digits.bytes().all(|b| b.is_ascii_digit()) => format!("F{digits}"),
        _ => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::actions::ACTIONS;
    use super::super::keymap::{KeyMap, Meaning};
    use super::super::scope::KeyScope;
    use super::*;

    #[test]
    fn every_binding_is_written_as_keys() {
        for action in ACTIONS {
            for binding in action.keys {
                for word in binding.split(' ') {
                    let key = Key::parse(word);
                    assert!(key.is_some(), "{}: '{binding}'", action.name);
                    assert_eq!(key.unwrap().to_string(), word, "{}", action.name);
                }
            }
        }
    }

    #[test]
    fn no_two_actions_share_keys_where_both_listen() {
        for (i, a) in ACTIONS.iter().enumerate() {
            for b in &ACTIONS[i + 1..] {
                if !(a.scope.covers(b.scope) || b.scope.covers(a.scope)) {
                    continue;
                }
                for x in a.keys {
                    for y in b.keys {
                        let (x, y) = (sequence(x), sequence(y));
                        assert!(
                            !x.starts_with(&y) && !y.starts_with(&x),
                            "{} and {} both want {x:?}",
                            a.name,
                            b.name
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn where_text_is_typed_no_action_takes_a_character() {
        for action in ACTIONS.iter().filter(|a| a.scope.covers(KeyScope::Prompt)) {
            for binding in action.keys {
                assert_eq!(sequence(binding)[0].typed(), None, "{}", action.name);
            }
        }
    }

    #[test]
    fn names_are_unique_and_prefixes_wait() {
        for (i, a) in ACTIONS.iter().enumerate() {
            assert!(
                ACTIONS[i + 1..]
                    .iter()
                    .all(|b| b.name != a.name || b.scope != a.scope)
            );
        }
        let keys = KeyMap::default();
        let meaning = |text| keys.meaning(KeyScope::Match, &sequence(text));
        assert!(matches!(meaning("g"), Meaning::Prefix));
        assert!(matches!(meaning("g g"), Meaning::Action(a) if a.name == "first"));
        let followers = keys.followers(KeyScope::Match, &sequence("y"));
        assert!(!followers.is_empty());
    }

    #[test]
    fn keys_are_shown_as_people_read_them() {
        for (key, shown) in [
            ("ctrl-c", "Ctrl-C"),
            ("alt-x", "Alt-x"),
            ("alt-X", "Alt-X"),
            ("f12", "F12"),
            ("f", "f"),
            ("g g", "gg"),
            ("left", "←"),
        ] {
            assert_eq!(pretty(key), shown);
        }
        assert_eq!(Key::parse("f5").unwrap().to_string(), "f5");
        assert_eq!([Key::parse("f13"), Key::parse("fx")], [None; 2]);
    }
}
