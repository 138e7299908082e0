//! Hints for filters without results: what a word that was searched in names may have meant.

use super::parse::{dice, kind, mark, stands_alone};
use super::score::ScoreTest;
use super::spelling::distance;
use super::table::KEYS;
use super::words::{Filter, MatchTest, Word};
use crate::sanitize;

impl Filter {
    /// Returns the message that nothing fits, with a suggestion for a word that was searched in names.
    ///
    /// ```
    /// use luckless::library::Filter;
    /// let filter = Filter::parse("me blitz").unwrap();
    /// assert_eq!(
    ///     filter.nothing_fits(),
    ///     "nothing fits: 'blitz' is looked for in names; is kind:blitz meant?",
    /// );
    /// ```
    pub fn nothing_fits(&self) -> String {
        let meant = self.of_match.iter().find_map(|word| match &word.test {
            MatchTest::Text(text) => Some((text, near(text)?)),
            _ => None,
        });
        match meant {
            Some((word, meant)) => {
                let word = sanitize::clean(word);
                format!("nothing fits: '{word}' is looked for in names; is {meant} meant?")
            }
            None => "nothing fits".to_owned(),
        }
    }

    /// Returns whether the filter refers to the user; without a known user nothing fits.
    pub fn asks_for_me(&self) -> bool {
        let is_me = |word: &Word<MatchTest>| !word.not && word.test == MatchTest::Me;
        self.of_match.iter().any(is_me)
    }
}

/// Returns similar words of the filter language.
fn near(text: &str) -> Option<String> {
    let one = text.strip_suffix('s').unwrap_or(text);
    for text in [text, one] {
        if kind(text).is_some() {
            return Some(format!("kind:{}", text.replace(' ', "-")));
        }
        if mark(text).is_some() {
            return Some(format!("mark:{text}"));
        }
        if stands_alone(text) {
            return Some(text.to_owned());
        }
    }
    if text.len() == 2 && dice(text).is_some() {
        return Some(format!("dice:{text}"));
    }
    let is_year = |year: &str| ["19", "20"].contains(&year);
    let is_day = text.chars().all(|c| c.is_ascii_digit() || c == '-');
    if is_day && text.len() >= 4 && text.get(..2).is_some_and(is_year) {
        return Some(format!("date:{text}"));
    }
    if ScoreTest::parse(text).is_some() {
        return Some(format!("score:{text}"));
    }
    let lone = KEYS.iter().filter(|key| stands_alone(key.name));
    let mut long = lone.filter(|key| key.name.len() > 3);
    let near = long.find(|key| distance(key.name, text) <= 1);
    near.map(|key| key.name.to_owned())
}
