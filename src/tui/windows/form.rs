//! The form of settings: what can be changed, by steps or digits.

use crate::store::UserSettings;
use crate::store::settings::{Field, SettingKind};

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
        match field.row().kind {
            // Of what is typed an empty line is the beginning.
            SettingKind::Text { text, .. } if self.is_typing => {
                text(&mut self.values.clone()).clone()
            }
            _ => field.shown(&self.values),
        }
    }

    /// The default of a field, where the value is another.
    pub fn default_value(&self, field: Field) -> Option<String> {
        let usual = field.shown(&UserSettings::default());
        (usual != self.value(field)).then_some(usual)
    }

    /// Goes up or down.
    pub fn go(&mut self, down: bool) {
        let n = self.fields.len();
        self.select((self.row + if down { 1 } else { n - 1 }) % n);
    }

    /// Takes the selected setting one step up or down; where there is nothing to step through it is typed.
    pub fn step(&mut self, more: bool) {
        self.typed.clear();
        let field = self.field();
        self.is_typing |= matches!(field.row().kind, SettingKind::Text { .. });
        field.step(&mut self.values, more, &self.themes);
    }

    /// Whether text is typed into the selected field: then letters are no actions.
    pub fn takes_text(&self) -> bool {
        self.is_typing
    }

    /// A character typed into a field that takes text, or one taken back.
    pub fn type_text(&mut self, typed: Option<char>) {
        let SettingKind::Text {
            text,
            longest,
            is_fit,
            ..
        } = self.field().row().kind
        else {
            return;
        };
        let text = text(&mut self.values);
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
        let SettingKind::Text {
            text, digit_begins, ..
        } = self.field().row().kind
        else {
            return false;
        };
        if digit_begins && digit.is_some() {
            text(&mut self.values).clear();
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
        let SettingKind::Number {
            set,
            range: [least, most],
            ..
        } = field.row().kind
        else {
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
        set(&mut self.values, n.max(least));
        (typed > most).then(|| format!("{}: at most {}", field.name(), self.value(field)))
    }
}

#[cfg(test)]
mod tests;
