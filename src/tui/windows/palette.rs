//! Commands found by name, by key, or by another word that somebody may look for.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::overlay::help_rows;
use crate::tui::keys::{ActionEntry, ActionId, KeyMap, KeyScope, find, pretty, synonyms};

/// How good a hit is, besides how well a name matches. A key that is meant by itself comes before any name.
/// Then come the name as it is, names by words, other words, letters of a name in order, and the description.
/// What has only some of the words is listed where nothing has all of them.
const BY_KEY: u32 = u32::MAX;
const BY_WHOLE_NAME: u32 = 6_000_000;
const BY_NAME: u32 = 4_000_000;
const BY_WORD: u32 = 3_000_000;
const BY_LETTERS: u32 = 2_000_000;
const BY_ABOUT: u32 = 1_000_000;
/// Words as they are before other forms of them.
const HALF: u32 = 500_000;

/// Words that a question has and that say nothing about what is looked for.
const FILLERS: &str = "a an and the is are was were be it this that these of to for in on my me i you your do \
                       does did can would could show find get see tell give how what where which who \
                       why when there here so much many with or";

/// The commands of a place that match what is typed, best first; all of them for an empty line.
pub fn palette_rows(keymap: &KeyMap, place: KeyScope, typed: &str) -> Vec<&'static ActionEntry> {
    let all = help_rows(place);
    if typed.trim().is_empty() {
        return all;
    }
    let mut search = Search::of(typed);
    let mut found: Vec<(u32, &'static ActionEntry)> = all
        .iter()
        .filter_map(|action| Some((search.score(keymap, action)?, *action)))
        .collect();
    if found.is_empty() {
        let some = |action: &&'static ActionEntry| (search.matching_words(action), *action);
        found = all.iter().map(some).filter(|(n, _)| *n > 0).collect();
    }
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    let is_move = place == KeyScope::Match && NamedMove::parse(typed).is_some();
    let go_to = find(ActionId::GoTo, place).filter(|_| is_move);
    let others = found.into_iter().map(|(_, action)| action);
    let others = others.filter(|action| !(is_move && action.id == ActionId::GoTo));
    go_to.into_iter().chain(others).collect()
}

/// A move as lists and reports name it: `6.11` is move 11 of game 6, and `11` that of the game in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedMove {
    /// The place of the game in its match, from 1, where it is named.
    pub game: Option<usize>,
    /// The number within the game.
    pub number: u32,
}

impl NamedMove {
    /// The move with its game that a line of a table begins with.
    pub fn at_start(line: &str) -> Option<Self> {
        let word = line.split_whitespace().next()?;
        Self::parse(word).filter(|named| named.game.is_some())
    }

    /// The move that a text names, if it is nothing but that.
    pub fn parse(typed: &str) -> Option<Self> {
        let typed = typed.trim();
        let (game, number) = match typed.split_once('.') {
            Some((game, number)) => (Some(game.parse().ok()?), number),
            None => (None, typed),
        };
        let number = number.parse().ok()?;
        Some(Self { game, number })
    }
}

/// The other name by which a command was found, where neither its name nor its description says why it is there.
pub fn found_by(action: &ActionEntry, typed: &str) -> Option<&'static str> {
    let shown = format!("{} {}", action.name, action.about).to_lowercase();
    let shown: Vec<&str> = shown.split(|c: char| !c.is_alphanumeric()).collect();
    let search = Search::of(typed);
    let unseen = |word: &&String| !shown.iter().any(|known| is_like(known, word));
    let mut unseen = search.words.iter().filter(unseen);
    unseen.find_map(|word| {
        synonyms(action.id)
            .split(' ')
            .find(|known| is_like(known, word))
    })
}

/// What is looked for.
struct Search {
    /// The text as it was typed.
    typed: String,
    /// Its words, in small letters, without fillers.
    words: Vec<String>,
    pattern: Pattern,
    matcher: Matcher,
}

impl Search {
    fn of(typed: &str) -> Self {
        let typed = typed.trim().to_owned();
        let small = typed.to_lowercase();
        let is_mark = |c: char| c.is_ascii_punctuation() && c != '-';
        let all = small.split_whitespace().map(|w| w.trim_matches(is_mark));
        let all: Vec<String> = all.filter(|w| !w.is_empty()).map(str::to_owned).collect();
        let is_filler = |word: &String| FILLERS.split_whitespace().any(|f| f == word);
        let said: Vec<String> = all.iter().filter(|w| !is_filler(w)).cloned().collect();
        let words = if said.is_empty() { all } else { said };
        Self {
            pattern: Pattern::parse(&typed, CaseMatching::Ignore, Normalization::Smart),
            typed,
            words,
            matcher: Matcher::new(Config::DEFAULT),
        }
    }

    fn score(&mut self, keymap: &KeyMap, action: &ActionEntry) -> Option<u32> {
        let keys = keymap.of(action);
        if keys.into_iter().any(|key| pretty(key) == self.typed) {
            return Some(BY_KEY);
        }
        let mut buffer = Vec::new();
        let name = Utf32Str::new(action.name, &mut buffer);
        let letters = self.pattern.score(name, &mut self.matcher);
        // Of equal hits the shorter name is the closer one.
        let close = 1000 * letters.unwrap_or(0).min(900) + 100 - action.name.len().min(100) as u32;
        let name = action.name.to_lowercase();
        if name == self.typed.to_lowercase() {
            return Some(BY_WHOLE_NAME);
        }
        let others = synonyms(action.id);
        let both = format!("{others} {name}");
        let all = |known: &str, is: fn(&str, &str) -> bool| {
            let mut words = self.words.iter();
            words.all(|word| known.split_whitespace().any(|known| is(known, word)))
        };
        // What has the typed words in its name, whole.
        if all(&name, |known, typed| known == typed) {
            return Some(BY_NAME + 2 * HALF + close.min(HALF - 1));
        }
        // The first of the other words are those that mean it best.
        let place = |word: &String| both.split(' ').position(|known| is_like(known, word));
        let places: usize = self.words.iter().map(|word| place(word).unwrap_or(0)).sum();
        let by_place = 900 - places.min(900) as u32;
        if all(&both, |known, typed| known == typed) {
            return Some(BY_NAME + HALF + by_place);
        }
        if all(&name, begins) {
            return Some(BY_NAME + close.min(HALF - 1));
        }
        if all(&both, begins) {
            return Some(BY_WORD + HALF + by_place);
        }
        if all(&both, is_like) {
            return Some(BY_WORD + by_place);
        }
        if let Some(letters) = letters {
            return Some(BY_LETTERS + letters);
        }
        let about = action.about.to_lowercase();
        let has = self.words.iter().all(|word| about.contains(word.as_str()));
        has.then_some(BY_ABOUT)
    }

    /// How many of the typed words an action is known by; of equals that counts more which has one as its whole name.
    fn matching_words(&self, action: &ActionEntry) -> u32 {
        let name = action.name.to_lowercase();
        let known = format!("{} {name}", synonyms(action.id));
        let found = self.words.iter().filter(|word| names(&known, word));
        2 * found.count() as u32 + u32::from(self.words.contains(&name))
    }
}

/// Whether one of the known words is like a typed one.
fn names(known: &str, word: &str) -> bool {
    known.split_whitespace().any(|known| is_like(known, word))
}

fn begins(known: &str, typed: &str) -> bool {
    known.starts_with(typed)
}

/// Whether a known word begins like a typed one, or is another form of it: `doubling`, `double`.
fn is_like(known: &str, typed: &str) -> bool {
    begins(known, typed) || (stem(known) == stem(typed) && stem(typed).len() >= 3)
}

/// A word without the endings that English hangs on.
fn stem(word: &str) -> &str {
    let endings = ["ings", "ing", "ers", "er", "ies", "es", "ed", "s", "e", "y"];
    let cut = |ending: &&str| word.strip_suffix(ending).filter(|rest| rest.len() >= 3);
    endings.iter().find_map(cut).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(typed: &str) -> Vec<&'static ActionEntry> {
        palette_rows(&KeyMap::default(), KeyScope::Match, typed)
    }

    fn has(typed: &str, name: &str) -> bool {
        rows(typed).iter().any(|a| a.name == name)
    }

    #[test]
    fn commands_are_found_by_name_and_by_description() {
        assert_eq!(rows("").len(), help_rows(KeyScope::Match).len());
        assert_eq!(rows("flip")[0].name, "flip");
        assert_eq!(rows("next err")[0].name, "next error");
        assert_eq!(rows("all settings")[0].name, "settings");
        assert_eq!(rows("ascii")[0].name, "settings");
        assert!(has("matched ranks", "compare"));
        assert!(rows("zzzzqqq").is_empty());
        // Those of the position come first, those of the score are there too.
        assert!(has("take points", "match equity table"));
        assert!(has("gammon value", "match equity table"));
        // What was removed comes back, and what is done last of a line is taken back.
        assert!(has("undo", "restore branch") && has("undo", "remove branch"));
        assert!(has("worksheet", "write Anki cards") && has("worksheet", "write report"));
        assert!(has("lesson", "add to list") && has("markdown", "write report"));
    }

    #[test]
    fn numbers_are_moves() {
        let named = |game, number| Some(NamedMove { game, number });
        assert_eq!(NamedMove::parse(" 6.11 "), named(Some(6), 11));
        assert_eq!(NamedMove::parse("11"), named(None, 11));
        for other in ["6.", ".11", "6.1.1", "-3", "11 a", "", "99999999999"] {
            assert_eq!(NamedMove::parse(other), None, "{other}");
        }
        let found: Vec<_> = rows("6.11").iter().map(|row| row.name).collect();
        assert_eq!(found, ["go to move"]);
        assert_eq!(rows("21")[0].name, "go to move");
        assert!(has("21", "all rolls"));
    }

    #[test]
    fn a_name_that_is_not_shown_gives_a_message() {
        let by = |typed: &str| found_by(rows(typed)[0], typed);
        assert_eq!(by("takepoint"), Some("takepoint"));
        assert_eq!(by("simulating"), Some("simulate"));
        assert_eq!(by("flip"), None);
    }

    #[test]
    fn every_command_is_found_by_its_keys_and_by_other_words() {
        for action in help_rows(KeyScope::Match) {
            for key in action.keys {
                assert_eq!(rows(&pretty(key))[0].name, action.name, "{key}");
            }
            assert_eq!(rows(action.name)[0].name, action.name);
            let others = synonyms(action.id);
            assert!(!others.is_empty(), "{}", action.name);
            for word in others.split(' ') {
                assert!(has(word, action.name), "{word}: {}", action.name);
            }
        }
        let first = |typed: &str| rows(typed).first().map_or("nothing", |a| a.name);
        let wrong = PHRASES.iter().filter(|(typed, name)| first(typed) != *name);
        let wrong: Vec<_> = wrong.map(|one| (one, first(one.0))).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }

    /// What players type, and the command that they look for.
    const PHRASES: &[(&str, &str)] = &[
        ("counter", "roll out the match"),
        ("rollout match", "roll out the match"),
        ("roll out the whole match", "roll out the match"),
        ("B", "roll out the match"),
        ("resume", "pause"),
        ("exit", "quit"),
        ("comment", "note"),
        ("write a comment", "note"),
        ("export", "copy XGID"),
        ("missed double", "before the roll"),
        ("should I double?", "before the roll"),
        ("mwc", "units"),
        ("match winning chances", "units"),
        ("take point", "why"),
        ("take points", "why"),
        ("doubling window", "why"),
        ("market losers", "why"),
        ("too good", "why"),
        ("gammon value", "why"),
        ("explain", "why"),
        ("next blunder", "next error"),
        ("find the next mistake", "next error"),
        ("previous mistake", "previous error"),
        ("list of blunders", "errors"),
        ("how unlucky was I", "errors"),
        ("my rating", "your rating"),
        ("progress", "your rating"),
        ("pr", "statistics"),
        ("compare players", "statistics"),
        ("how sure", "figures in words"),
        ("confidence interval", "figures in words"),
        ("what do these numbers mean", "figures in words"),
        ("dice", "dice"),
        ("set dice", "dice"),
        ("change the dice", "dice"),
        ("roll the dice", "random dice"),
        ("winning chances", "columns"),
        ("gammons", "columns"),
        ("race", "pips"),
        ("pip count", "pips"),
        ("show the best move", "both plays"),
        ("arrows", "both plays"),
        ("try another move", "what if"),
        ("play against the computer", "against the program"),
        ("screenshot", "write picture"),
        ("save match", "write match"),
        ("load file", "open"),
        ("paste a position", "open"),
        ("set up a position", "edit position"),
        ("empty board", "new position"),
        ("bigger board", "larger"),
        ("fullscreen", "zoom"),
        ("quiz", "quiz of this match"),
        ("spoiler", "answers"),
        ("what to work on", "study plan"),
        ("weaknesses", "study plan"),
        ("keyboard shortcuts", "help"),
        ("symbols", "legend"),
        ("what xg says", "analysis of the file"),
        ("more plies", "deeper"),
        ("analyse deeper", "deeper"),
        ("variance reduction", "rollout settings"),
        ("number of trials", "rollout settings"),
        ("seed", "rollout settings"),
        ("start a rollout", "roll out"),
        ("stop the rollout", "stop"),
        ("compare two plays", "compare"),
        ("dmp", "other scores"),
        ("met", "match equity table"),
        ("match equity table", "match equity table"),
        ("equity table", "match equity table"),
        ("post-crawford", "match equity table"),
        ("gammon go", "other scores"),
        ("match score", "other scores"),
        ("other side of the board", "flip"),
        ("mouse", "settings"),
        ("animation", "settings"),
        ("cube errors only", "class"),
        ("review depth", "settings"),
        ("opponent temperature map", "why"),
        ("only my errors", "whose"),
        ("sort by equity", "order"),
        ("dark mode", "themes"),
        ("colour blind", "themes"),
        ("tutorial", "tips"),
        ("forum", "copy for a forum"),
        ("next match", "next file"),
        ("print", "write report"),
        ("profile", "study plan"),
        ("depth", "deeper"),
        ("level", "deeper"),
        ("jacoby", "edit position"),
        ("beavers", "edit position"),
        ("money", "edit position"),
        ("import", "open"),
        ("opening book", "why"),
        ("book", "why"),
        ("EPC", "why"),
        ("effective pip count", "why"),
        ("wastage", "why"),
    ];
}
