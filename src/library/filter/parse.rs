//! Parses filters.

use thiserror::Error;

use super::range::Range;
use super::score::ScoreTest;
use super::spelling::distance;
use super::table::KEYS;
use super::words::{DecisionTest, Filter, MatchTest, NameTest, Quantity, Word};
use crate::game::{CubeOwner, Roll};
use crate::library::Pattern;
use crate::library::names::fold;
use crate::review::{Class, CubeErrorKind, Mark, PositionType};
use crate::sanitize;

/// A syntax error in a filter.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("column {column}: {message}")]
pub struct FilterError {
    /// Column in characters, from 1.
    pub column: usize,
    pub message: String,
}

/// The word that allows a pattern with the sides exchanged.
const SWAPPED: &str = "swapped";
/// Replaces a comma between quotes during parsing, so that it does not separate a list.
const COMMA: char = '\u{f8ff}';
/// Characters that start an operator between name and value.
const OPERATORS: [char; 4] = [':', '=', '<', '>'];
/// Maximum number of words in a filter.
const MOST_WORDS: usize = 64;

impl Filter {
    /// Parses a filter.
    ///
    /// # Errors
    /// A [`FilterError`] with its column.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        filter(words(text, 1)?)
    }

    /// Parses a filter typed in a shell, which removes quotes: an argument such as `played:no redouble` is one word.
    /// Other arguments with blanks are several words, as in [`Filter::parse`].
    ///
    /// # Errors
    /// A [`FilterError`] with its column in the arguments joined by blanks.
    ///
    /// ```
    /// use luckless::library::Filter;
    /// let typed = Filter::of_arguments(&["me", "played:no redouble"]).unwrap();
    /// assert_eq!(typed, Filter::parse("me played:\"no redouble\"").unwrap());
    /// ```
    pub fn of_arguments(arguments: &[impl AsRef<str>]) -> Result<Self, FilterError> {
        let (mut all, mut column) = (Vec::new(), 1);
        // Quotes kept by the shell may open in one argument and close in another.
        let (mut text, mut first) = (String::new(), 1);
        for argument in arguments {
            let argument = argument.as_ref();
            let is_whole = is_one_word(argument);
            if is_whole {
                all.extend(words(&std::mem::take(&mut text), first)?);
                all.push(TypedWord::whole(argument, column));
            } else {
                text = text + argument + " ";
            }
            column += argument.chars().count() + 1;
            if is_whole {
                first = column;
            }
        }
        all.extend(words(&text, first)?);
        filter(all)
    }
}

/// Returns whether an argument with blanks is one word: a played or best action. The end of other texts, such as
/// names, cannot be recognised.
fn is_one_word(argument: &str) -> bool {
    let bare = argument.trim_start_matches('!');
    let Some((first, rest)) = bare.split_once(char::is_whitespace) else {
        return false;
    };
    let name = first.split_once(OPERATORS).map(|(name, _)| name);
    let is_action = matches!(name, Some("played" | "best"));
    let is_value = !argument.contains('"') && rest.split_whitespace().all(is_part_of_action);
    is_action && is_value && test(1, bare).is_ok()
}

/// Returns whether a word may be part of a cube action or a play.
fn is_part_of_action(word: &str) -> bool {
    const NAMES: [&str; 8] = [
        "no", "too", "good", "double", "redouble", "take", "pass", "beaver",
    ];
    let is_part = |part: &str| NAMES.contains(&part) || part.contains('/');
    !word.starts_with('!') && !word.contains(OPERATORS) && word.split(',').all(is_part)
}

fn filter(words: Vec<TypedWord>) -> Result<Filter, FilterError> {
    let mut filter = Filter::default();
    let mut swapped = None;
    for word in words {
        let column = word.column;
        let places = filter
            .pattern
            .as_ref()
            .map_or(0, |pattern| pattern.negations());
        if filter.of_match.len() + filter.of_decision.len() + places >= MOST_WORDS {
            return Err(error_at(column, format!("more than {MOST_WORDS} words")));
        }
        // Pairs of `!` cancel.
        match word.text.trim_start_matches("!!") {
            SWAPPED => swapped = Some(column),
            text if text.strip_prefix('!') == Some(SWAPPED) => {
                return Err(error_at(column, format!("'{SWAPPED}' has no opposite")));
            }
            _ => add(&mut filter, &word).map_err(|error| word.located(error))?,
        }
    }
    if let Some(column) = swapped {
        let lone = || {
            error_at(
                column,
                format!("'{SWAPPED}' needs a condition on checkers, such as 6:2"),
            )
        };
        let pattern = filter.pattern.take().ok_or_else(lone)?;
        filter.pattern = Some(Box::new(pattern.or_swapped()));
    }
    Ok(filter)
}

/// Adds the condition of a word to a filter.
fn add(filter: &mut Filter, word: &TypedWord) -> Result<(), FilterError> {
    let bare = word.text.trim_start_matches('!');
    let signs = word.text.len() - bare.len();
    let (column, not) = (word.column + signs, signs % 2 == 1);
    if Pattern::is_word(bare) {
        return place(filter, column, bare, not);
    }
    match test(column, bare)? {
        Test::Match(test) => filter.of_match.push(Word { not, test }),
        Test::Decision(test) => filter.of_decision.push(Word { not, test }),
    }
    Ok(())
}

/// Adds a condition on the checkers of a place, or its negation, to a filter.
fn place(filter: &mut Filter, column: usize, word: &str, not: bool) -> Result<(), FilterError> {
    let wrong = |message: String| error_at(column, message);
    let pattern = filter.pattern.get_or_insert_default();
    match not {
        true => pattern.ask_not(word),
        false => pattern.ask(word),
    }
    .map_err(wrong)
}

enum Test {
    Match(MatchTest),
    Decision(DecisionTest),
}

fn error_at(column: usize, message: impl Into<String>) -> FilterError {
    FilterError {
        column,
        // The message quotes words as typed.
        message: sanitize::clean(&with_commas(&message.into())).into_owned(),
    }
}

fn with_commas(text: &str) -> String {
    text.replace(COMMA, ",")
}

/// A word as typed, without its quotes.
#[derive(Default)]
struct TypedWord {
    text: String,
    /// Column of its first character, possibly a quote.
    column: usize,
    /// Where each of its characters stands.
    columns: Vec<usize>,
}

impl TypedWord {
    /// A text that begins at `column` as one word, including its blanks.
    fn whole(text: &str, column: usize) -> Self {
        Self {
            text: text.to_owned(),
            column,
            columns: (column..).take(text.chars().count()).collect(),
        }
    }

    /// Converts a column that ignores quotes into the column in the typed text.
    fn located(&self, error: FilterError) -> FilterError {
        let end = self.columns.last().map_or(self.column, |last| last + 1);
        let place = error.column.saturating_sub(self.column);
        let column = self.columns.get(place).copied().unwrap_or(end);
        FilterError { column, ..error }
    }
}

/// Splits a filter that begins at column `first` into words. Blanks between quotes belong to a word.
fn words(text: &str, first: usize) -> Result<Vec<TypedWord>, FilterError> {
    let mut words: Vec<TypedWord> = Vec::new();
    let (mut quoted, mut inside) = (None, false);
    let mut all = (first..).zip(text.chars()).peekable();
    while let Some((column, c)) = all.next() {
        if c.is_whitespace() && quoted.is_none() {
            inside = false;
            continue;
        }
        if !inside {
            words.push(TypedWord {
                column,
                ..TypedWord::default()
            });
            inside = true;
        }
        // Two quotes within quotes stand for one.
        let mut is_doubled = || quoted.is_some() && all.next_if(|(_, next)| *next == '"').is_some();
        if c == '"' && !is_doubled() {
            quoted = quoted.xor(Some(column));
        } else if let Some(word) = words.last_mut() {
            word.text.push(match (c, quoted) {
                (',', Some(_)) => COMMA,
                _ => c,
            });
            word.columns.push(column);
        }
    }
    match quoted {
        Some(column) => Err(error_at(column, "this quote has no end")),
        None => Ok(words),
    }
}

/// A word split into name, operator and value.
struct Parts<'a> {
    column: usize,
    name: &'a str,
    operator: &'a str,
    value: &'a str,
}

fn test(column: usize, word: &str) -> Result<Test, FilterError> {
    let Some(start) = word.find(OPERATORS) else {
        // Every name contains the empty text.
        return match fold(&with_commas(word)).is_empty() {
            true => Err(error_at(column, "a word is missing")),
            false => Ok(alone(word)),
        };
    };
    let (name, rest) = word.split_at(start);
    let long = rest.starts_with(">=") || rest.starts_with("<=");
    let (operator, value) = rest.split_at(if long { 2 } else { 1 });
    let parts = Parts {
        column: column + name.chars().count() + operator.len(),
        name,
        operator,
        value,
    };
    if value.is_empty() {
        return Err(error_at(
            parts.column,
            format!("'{name}{operator}' wants a value"),
        ));
    }
    match parts.of_match()? {
        Some(test) => Ok(Test::Match(test)),
        None => match parts.of_decision()? {
            Some(test) => Ok(Test::Decision(test)),
            None => Err(error_at(column, parts.unknown())),
        },
    }
}

/// Interprets a word without a value: a keyword, or else part of a name.
fn alone(word: &str) -> Test {
    use DecisionTest as D;
    Test::Decision(match word {
        "me" => return Test::Match(MatchTest::Me),
        "won" => return Test::Match(MatchTest::Won),
        "lost" => return Test::Match(MatchTest::Lost),
        "checker" => D::Class(vec![Class::Checker]),
        "cube" => D::Class(vec![Class::Double, Class::Take]),
        "double" => D::Class(vec![Class::Double]),
        "take" => D::Class(vec![Class::Take]),
        "race" => D::Contact(false),
        "contact" => D::Contact(true),
        "blunder" => D::Mark(vec![Mark::Blunder]),
        "silent" => D::Silent,
        "note" => D::Note(Vec::new()),
        _ => match CubeErrorKind::of_filter(word) {
            Some(kind) => D::CubeError(kind),
            None => return Test::Match(MatchTest::Text(fold(&with_commas(word)))),
        },
    })
}

/// Returns whether a word without a value is a keyword.
pub(super) fn stands_alone(word: &str) -> bool {
    word == SWAPPED || !matches!(alone(word), Test::Match(MatchTest::Text(_)))
}

impl Parts<'_> {
    fn values(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut column = self.column;
        self.value.split([',', COMMA]).map(move |value| {
            let own = column;
            column += value.chars().count() + 1;
            (own, value)
        })
    }

    /// Parses the values as kinds of position.
    fn kinds(&self) -> Result<Vec<PositionType>, FilterError> {
        self.list("kind of position", kind).map_err(|error| {
            let kinds = PositionType::ALL.map(PositionType::filter).join(", ");
            FilterError {
                message: format!("{}; there are {kinds}", error.message),
                ..error
            }
        })
    }

    /// Parses a list of names, each with `read`.
    fn list<T>(
        &self,
        what: &str,
        read: impl Fn(&str) -> Option<Vec<T>>,
    ) -> Result<Vec<T>, FilterError> {
        self.only_equal()?;
        let mut all = Vec::new();
        for (column, value) in self.values() {
            let read =
                read(value).ok_or_else(|| error_at(column, format!("'{value}' is no {what}")))?;
            all.extend(read);
        }
        Ok(all)
    }

    fn texts(&self) -> Result<Vec<String>, FilterError> {
        self.only_equal()?;
        let (mut column, mut all) = (self.column, Vec::new());
        for text in self.value.split(',') {
            let folded = fold(&with_commas(text));
            if folded.is_empty() {
                let name = self.name;
                return Err(error_at(column, format!("'{name}' wants a text here")));
            }
            all.push(folded);
            column += text.chars().count() + 1;
        }
        Ok(all)
    }

    fn only_equal(&self) -> Result<(), FilterError> {
        match self.operator {
            ":" | "=" => Ok(()),
            other => {
                let (column, name) = (self.column - other.len(), self.name);
                Err(error_at(
                    column,
                    format!("'{name}' wants ':' and no '{other}'"),
                ))
            }
        }
    }

    /// Parses the values as ranges, separated by commas.
    fn ranges(&self) -> Result<Vec<Range>, FilterError> {
        let all: Vec<(usize, &str)> = self.values().collect();
        if all.len() > 1 && !matches!(self.operator, ":" | "=") {
            let message = format!("a number has a point, and no comma: '{}'", self.value);
            return Err(error_at(self.column, message));
        }
        let range = |(column, value)| {
            Parts {
                column,
                value,
                ..*self
            }
            .range()
        };
        all.into_iter().map(range).collect()
    }

    fn range(&self) -> Result<Range, FilterError> {
        let number = |column: usize, text: &str| {
            let bare = text.strip_suffix('%').unwrap_or(text);
            let number = bare.parse::<f32>().ok().filter(|n| n.is_finite());
            number.ok_or_else(|| error_at(column, format!("'{text}' is no number")))
        };
        if let Some((low, high)) = self.ends()? {
            let after = self.column + low.chars().count() + 2;
            let ends = [number(self.column, low)?, number(after, high)?];
            self.in_order(ends[0] <= ends[1])?;
            return Ok(Range::between(ends[0], ends[1]));
        }
        let number = number(self.column, self.value)?;
        Range::of(self.operator, number).ok_or_else(|| error_at(self.column, self.unknown()))
    }

    /// Splits a range at `..`; `None` if the value is not a range.
    fn ends(&self) -> Result<Option<(&str, &str)>, FilterError> {
        let Some(ends) = self.value.split_once("..") else {
            return Ok(None);
        };
        self.only_equal()?;
        let (name, value) = (self.name, self.value);
        let meant = match ends {
            ("", "") => return Err(error_at(self.column, format!("'{value}' has no ends"))),
            (low, "") => format!("{name}>={low}"),
            ("", high) => format!("{name}<={high}"),
            both => return Ok(Some(both)),
        };
        Err(error_at(
            self.column,
            format!("'{value}' has one end; is {meant} meant?"),
        ))
    }

    /// Refuses a range whose larger end comes first, because it is empty.
    fn in_order(&self, is_ordered: bool) -> Result<(), FilterError> {
        match is_ordered {
            true => Ok(()),
            false => Err(error_at(
                self.column,
                format!("'{}' begins behind its end", self.value),
            )),
        }
    }

    fn of_match(&self) -> Result<Option<MatchTest>, FilterError> {
        Ok(Some(match self.name {
            "player" => MatchTest::Player(NameTest::new(self.operator, self.texts()?)),
            "opponent" => MatchTest::Opponent(NameTest::new(self.operator, self.texts()?)),
            "event" => MatchTest::Event(NameTest::new(self.operator, self.texts()?)),
            "date" => self.date()?,
            "length" => MatchTest::Length(self.ranges()?),
            "match" => MatchTest::Match(self.ranges()?),
            "pr" => MatchTest::Pr(self.ranges()?),
            _ => return Ok(None),
        }))
    }

    fn of_decision(&self) -> Result<Option<DecisionTest>, FilterError> {
        if let Some(quantity) = quantity(self.name) {
            return Ok(Some(DecisionTest::Number(quantity, self.ranges()?)));
        }
        Ok(Some(match self.name {
            "class" => DecisionTest::Class(
                self.list("class of decision (checker, double, take, cube)", class)?,
            ),
            "kind" => DecisionTest::Kind(self.kinds()?),
            "mark" => DecisionTest::Mark(self.list("mark", mark)?),
            "dice" => {
                let all = self.list("roll", dice)?;
                DecisionTest::Dice(all.into_iter().fold(0, |all, bits| all | bits))
            }
            "score" => {
                let read = |text: &str| ScoreTest::parse(text).map(|score| vec![score]);
                DecisionTest::Score(self.list("score, such as 3-5 or money", read)?)
            }
            "owner" => DecisionTest::Owner(self.list("owner of the cube", owner)?),
            "played" => DecisionTest::Played(self.texts()?),
            "best" => DecisionTest::Best(self.texts()?),
            "note" => DecisionTest::Note(self.texts()?),
            _ => return Ok(None),
        }))
    }

    /// Parses a date and its operator as a range of days.
    fn date(&self) -> Result<MatchTest, FilterError> {
        let check = |column: usize, text: &str| {
            let sound = text.split('-').enumerate().all(|(i, part)| {
                let long = if i == 0 { 4 } else { 2 };
                let most = [9999, 12, 31].get(i).copied().unwrap_or(0);
                let is_in = |n: u32| (u32::from(i > 0)..=most).contains(&n);
                let is_number = part.bytes().all(|b| b.is_ascii_digit());
                part.len() == long && is_number && part.parse().is_ok_and(is_in)
            });
            match sound {
                true => Ok(()),
                false => Err(error_at(
                    column,
                    format!("'{text}' is no date: 2026, 2026-03 or 2026-03-01"),
                )),
            }
        };
        // After every day of a month or year, in the order of texts.
        let last = |text: &str| format!("{text}~");
        let (begin, end) = (String::new(), last(""));
        if let Some((from, to)) = self.ends()? {
            check(self.column, from)?;
            check(self.column + from.chars().count() + 2, to)?;
            self.in_order(*from < *last(to))?;
            return Ok(MatchTest::Date(from.to_owned(), last(to)));
        }
        let day = self.value;
        check(self.column, day)?;
        Ok(match self.operator {
            ">" => MatchTest::Date(last(day), end),
            ">=" => MatchTest::Date(day.to_owned(), end),
            "<" => MatchTest::Date(begin, day.to_owned()),
            "<=" => MatchTest::Date(begin, last(day)),
            _ => MatchTest::Date(day.to_owned(), last(day)),
        })
    }

    fn unknown(&self) -> String {
        let name = self.name;
        // In a short word two letters are most of it.
        let most = if name.chars().count() > 3 { 2 } else { 1 };
        let near = KEYS.iter().find(|key| {
            !name.is_empty() && (key.name.starts_with(name) || distance(key.name, name) <= most)
        });
        match near {
            _ if stands_alone(name) => format!("'{name}' takes no value"),
            Some(key) => format!("'{name}' is nothing to ask for; is '{}' meant?", key.name),
            None => format!("'{name}' is nothing to ask for"),
        }
    }
}

fn quantity(name: &str) -> Option<Quantity> {
    Some(match name {
        "error" => Quantity::Error,
        "loss" => Quantity::Loss,
        "win" => Quantity::Win,
        "gammon" => Quantity::Gammon,
        "backgammon" => Quantity::Backgammon,
        "lose-gammon" => Quantity::LoseGammon,
        "lose-backgammon" => Quantity::LoseBackgammon,
        "pips" => Quantity::Pips,
        "opponent-pips" => Quantity::OpponentPips,
        "lead" => Quantity::Lead,
        "cube" => Quantity::Cube,
        "ply" => Quantity::Ply,
        "move" => Quantity::Move,
        _ => return None,
    })
}

fn class(text: &str) -> Option<Vec<Class>> {
    Some(match text {
        "checker" | "checker play" | "checker-play" => vec![Class::Checker],
        "double" | "doubling" => vec![Class::Double],
        "take" | "taking" => vec![Class::Take],
        "cube" => vec![Class::Double, Class::Take],
        _ => return None,
    })
}

pub(super) fn kind(text: &str) -> Option<Vec<PositionType>> {
    let spaced = |text: &str| text.replace(['-', '_'], " ");
    let wanted = spaced(text);
    let name = |kind: &&PositionType| {
        [kind.name(), kind.filter()]
            .iter()
            .any(|name| spaced(name) == wanted)
    };
    PositionType::ALL.iter().find(name).map(|kind| vec![*kind])
}

pub(super) fn mark(text: &str) -> Option<Vec<Mark>> {
    let found = Mark::ALL.iter().find(|mark| mark.name() == text);
    found.map(|mark| vec![*mark])
}

fn owner(text: &str) -> Option<Vec<CubeOwner>> {
    Some(vec![match text {
        "own" => CubeOwner::Mover,
        "opponent" => CubeOwner::Opponent,
        "centre" | "center" => CubeOwner::Centred,
        _ => return None,
    }])
}

/// Parses rolls into bits; `None` if the text is no roll.
pub(super) fn dice(text: &str) -> Option<Vec<u32>> {
    let bit = |roll: &Roll| 1 << (roll.index() + 1);
    if text == "doubles" {
        let doubles = Roll::ALL.iter().filter(|roll| roll.is_double());
        return Some(doubles.map(bit).collect());
    }
    text.parse::<Roll>().ok().map(|roll| vec![bit(&roll)])
}
