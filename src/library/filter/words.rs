//! The conditions of a filter and their evaluation.

use super::super::names::fold;
use super::super::people::FoldedName;
use super::super::{Answer, Decision, MatchHead, NoteTexts, PackedDecision, Pattern, People};
use super::range::{Range, within};
use super::score::ScoreTest;
use crate::eval::Probabilities;
use crate::game::CubeOwner;
use crate::review::marks::as_written;
use crate::review::{Class, CubeErrorKind, Mark, PositionType, Thresholds};

/// A filter on matches and decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    pub(super) of_match: Vec<Word<MatchTest>>,
    pub(super) of_decision: Vec<Word<DecisionTest>>,
    /// All conditions on checkers, kept together so that they exchange sides together.
    pub(super) pattern: Option<Box<Pattern>>,
}

/// A condition or its negation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word<T> {
    pub(super) not: bool,
    pub(super) test: T,
}

/// A condition on a match and the player who decides. Names and texts are folded.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MatchTest {
    /// The name of a player or the event contains this text.
    Text(String),
    Player(NameTest),
    Opponent(NameTest),
    Event(NameTest),
    Me,
    Won,
    Lost,
    /// Date at or after the first text and before the second, in the order of texts.
    Date(String, String),
    Length(Vec<Range>),
    Match(Vec<Range>),
    Pr(Vec<Range>),
}

/// A condition on a player or an event: one of several folded names.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NameTest {
    /// The name contains the text.
    Part(Vec<String>),
    /// The whole name; a player may have several.
    Whole(Vec<String>),
}

impl NameTest {
    /// Builds the condition of a word with this operator.
    pub(super) fn new(operator: &str, names: Vec<String>) -> Self {
        match operator {
            "=" => Self::Whole(names),
            _ => Self::Part(names),
        }
    }

    /// Returns whether a player's name fits.
    fn fits(&self, name: &FoldedName, people: &People) -> bool {
        match self {
            Self::Part(names) => names.iter().any(|part| people.is_folded_called(name, part)),
            Self::Whole(names) => names.iter().any(|whole| name.is_of(&people.player(whole))),
        }
    }

    /// Returns whether an event's folded name fits.
    fn fits_event(&self, event: &str) -> bool {
        match self {
            Self::Part(names) => names.iter().any(|part| event.contains(part)),
            Self::Whole(names) => names.iter().any(|whole| event == whole),
        }
    }

    /// Returns whether one of the texts is a whole name of the user; others may share a part of it.
    fn is_of_user(&self, people: &People) -> bool {
        let (Self::Part(names) | Self::Whole(names)) = self;
        names.iter().any(|name| people.is_me(name))
    }
}

/// Returns the filter word for matches against the player of this name.
///
/// ```
/// use luckless::library::filter::opponent_word;
/// assert_eq!(opponent_word("Kovacs, Bela"), r#"opponent="Kovacs, Bela""#);
/// assert_eq!(opponent_word(r#"Bela "Dice" K"#), r#"opponent="Bela ""Dice"" K""#);
/// ```
pub fn opponent_word(name: &str) -> String {
    name_word("opponent", name)
}

/// Returns the filter word for decisions of the player of this name.
///
/// ```
/// use luckless::library::filter::player_word;
/// assert_eq!(player_word("Kovacs, Bela"), r#"player="Kovacs, Bela""#);
/// ```
pub fn player_word(name: &str) -> String {
    name_word("player", name)
}

/// Returns the filter word for matches of an event.
///
/// ```
/// use luckless::library::filter::event_word;
/// assert_eq!(event_word("Club evening, final"), r#"event="Club evening, final""#);
/// ```
pub fn event_word(name: &str) -> String {
    name_word("event", name)
}

/// Returns a word for a whole name.
fn name_word(key: &str, name: &str) -> String {
    format!("{key}={}", quoted(name))
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A condition on a decision.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum DecisionTest {
    Class(Vec<Class>),
    Kind(Vec<PositionType>),
    Mark(Vec<Mark>),
    CubeError(CubeErrorKind),
    /// Bits of the indices of rolls in [`crate::game::Roll::ALL`], from 1.
    Dice(u32),
    Score(Vec<ScoreTest>),
    Owner(Vec<CubeOwner>),
    Contact(bool),
    Silent,
    Number(Quantity, Vec<Range>),
    /// A structure of checkers.
    Place(Box<Pattern>),
    Played(Vec<String>),
    Best(Vec<String>),
    /// The note contains one of these texts; without texts, there is a note.
    Note(Vec<String>),
}

/// A numeric property of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    Error,
    Loss,
    Win,
    Gammon,
    Backgammon,
    LoseGammon,
    LoseBackgammon,
    Pips,
    OpponentPips,
    Lead,
    Cube,
    Ply,
    Move,
}

/// A match to be filtered.
#[derive(Clone, Debug)]
pub struct FilteredMatch<'a> {
    id: i64,
    head: &'a MatchHead,
    people: &'a People,
    names: [FoldedName; 2],
    me: [bool; 2],
    event: String,
    notes: NoteTexts,
}

/// The data on a match that [`Filter::fits`] needs.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchFit {
    /// Decisions of the left and of the right player pass.
    pub sides: [bool; 2],
    notes: NoteTexts,
}

impl MatchFit {
    /// Returns whether no decision of the match passes.
    pub fn is_none(&self) -> bool {
        self.sides == [false; 2]
    }
}

impl<'a> FilteredMatch<'a> {
    pub fn new(id: i64, head: &'a MatchHead, people: &'a People) -> Self {
        let names = head.players.each_ref();
        Self {
            id,
            head,
            people,
            names: names.map(|name| people.folded(name)),
            me: names.map(|name| people.is_me(name)),
            event: fold(head.event.as_deref().unwrap_or_default()),
            notes: NoteTexts::default(),
        }
    }

    /// Adds the user's notes on the match; see [`Filter::asks_for_notes`].
    pub fn with_notes(self, notes: NoteTexts) -> Self {
        Self { notes, ..self }
    }

    fn has_in_name(&self, side: usize, text: &str) -> bool {
        self.people.is_folded_called(&self.names[side], text)
    }

    fn is_called(&self, side: usize, wanted: &NameTest) -> bool {
        wanted.fits(&self.names[side], self.people)
    }

    /// Returns whether player `side` (0 left, 1 right) of the match fits.
    fn fits(&self, test: &MatchTest, side: usize) -> bool {
        let head = self.head;
        match test {
            MatchTest::Text(text) => {
                self.event.contains(text) || (0..2).any(|side| self.has_in_name(side, text))
            }
            MatchTest::Player(names) => self.is_called(side, names),
            MatchTest::Opponent(names) => self.is_called(1 - side, names),
            MatchTest::Event(names) => names.fits_event(&self.event),
            MatchTest::Me => self.me[side],
            MatchTest::Won => head.winner().is_some_and(|winner| winner.index() == side),
            MatchTest::Lost => head.winner().is_some_and(|winner| winner.index() != side),
            MatchTest::Date(from, to) => may_lie_in(&head.date, from, to),
            MatchTest::Length(ranges) => within(ranges, f32::from(head.length)),
            MatchTest::Match(ranges) => within(ranges, self.id as f32),
            MatchTest::Pr(ranges) => head.pr[side].is_some_and(|pr| within(ranges, pr as f32)),
        }
    }
}

/// Returns whether a match of this day may have been played at or after `from` and before `to`, in the order of
/// texts. A bare month or year stands for each of its days.
fn may_lie_in(day: &str, from: &str, to: &str) -> bool {
    let day = day.trim_end_matches('~');
    let [first, last] = match day.len() {
        4 => ["-01-01", "-12-31"],
        7 => ["-01", "-31"],
        _ => [""; 2],
    }
    .map(|end| format!("{day}{end}"));
    // After the last day, like the ends of a range.
    let behind = format!("{last}~");
    !day.is_empty() && behind.as_str() > from && first.as_str() < to
}

impl Filter {
    /// Returns whether the filter has no conditions.
    pub fn is_empty(&self) -> bool {
        self.of_match.is_empty() && !self.asks_for_decisions()
    }

    /// Adds a condition on the structure of checkers.
    pub fn with_pattern(mut self, pattern: Pattern) -> Self {
        let test = DecisionTest::Place(Box::new(pattern));
        self.of_decision.push(Word { not: false, test });
        self
    }

    /// Restricts the filter to decisions of one player, a folded name as from [`People::player`]; of the user if
    /// `None`.
    pub fn of_player(mut self, whose: Option<&str>) -> Self {
        let test = match whose {
            Some(player) => MatchTest::Player(NameTest::Whole(vec![player.to_owned()])),
            None => MatchTest::Me,
        };
        self.of_match.push(Word { not: false, test });
        self
    }

    /// Returns whether there are conditions on decisions.
    pub fn asks_for_decisions(&self) -> bool {
        !self.of_decision.is_empty() || self.pattern.is_some()
    }

    /// Returns whether there are conditions on notes; matches must then be given with their notes.
    pub fn asks_for_notes(&self) -> bool {
        let asks = |word: &Word<DecisionTest>| matches!(word.test, DecisionTest::Note(_));
        self.of_decision.iter().any(asks)
    }

    /// Returns whether the filter requires a note.
    pub fn wants_notes(&self) -> bool {
        let wants =
            |word: &Word<DecisionTest>| !word.not && matches!(word.test, DecisionTest::Note(_));
        self.of_decision.iter().any(wants)
    }

    /// Returns whether the filter determines whose decisions to find: it names the player who decides, or the user as
    /// the opponent. Another opponent leaves it open.
    pub fn says_who_decides(&self, people: &People) -> bool {
        self.of_match.iter().any(|word| match &word.test {
            MatchTest::Player(_) | MatchTest::Me => true,
            MatchTest::Opponent(names) => !word.not && names.is_of_user(people),
            _ => false,
        })
    }

    /// Returns whether the filter names the player who decides.
    pub fn names_player(&self) -> bool {
        let names = |word: &Word<MatchTest>| {
            let is_name = matches!(word.test, MatchTest::Player(_) | MatchTest::Me);
            is_name && !word.not
        };
        self.of_match.iter().any(names)
    }

    /// Drops conditions on the action and its cost, so that right decisions pass, too.
    pub fn of_situation(&self) -> Self {
        use DecisionTest as D;
        let kept = |word: &Word<D>| match &word.test {
            D::Mark(_) | D::Played(_) | D::Best(_) => None,
            D::Number(Quantity::Error | Quantity::Loss, _) => None,
            // The kind of a cube error also describes the situation: its class is kept.
            D::CubeError(kind) => (!word.not).then(|| Word {
                not: false,
                test: D::Class(vec![kind.class()]),
            }),
            _ => Some(word.clone()),
        };
        Self {
            of_decision: self.of_decision.iter().filter_map(kept).collect(),
            ..self.clone()
        }
    }

    /// Returns whether decisions of the left and of the right player of a match may pass.
    pub fn match_fit(&self, one: &FilteredMatch<'_>) -> MatchFit {
        let fits = |side| {
            self.of_match
                .iter()
                .all(|word| one.fits(&word.test, side) != word.not)
        };
        MatchFit {
            sides: [fits(0), fits(1)],
            notes: one.notes.clone(),
        }
    }

    /// Returns whether a decision passes, in a match with this [`Filter::match_fit`].
    pub fn fits(&self, of_match: &MatchFit, one: &PackedDecision) -> bool {
        let own = of_match.sides[one.player().index()];
        let has = |pattern: &Pattern| pattern.fits(one);
        own && self.pattern.as_deref().is_none_or(has)
            && self
                .of_decision
                .iter()
                .all(|word| fits(&word.test, one, &of_match.notes) != word.not)
    }
}

/// Returns the mark of an error by the standard thresholds, so that a filter means the same for every user.
fn mark(error: f32) -> Mark {
    Mark::of(error, &Thresholds::default())
}

/// Returns the kind of cube error, if the error is marked.
fn cube_error(one: &PackedDecision) -> Option<CubeErrorKind> {
    if one.class()? == Class::Checker || mark(one.error()) == Mark::Fine {
        return None;
    }
    let decision = one.unpack()?;
    let (right, is_too_good) = match decision.best {
        Answer::Best(action) => (action.choice(), action.is_too_good()),
        Answer::Cube(choice) => (choice, false),
        Answer::Play(_) => return None,
    };
    match decision.played {
        Answer::Cube(choice) => CubeErrorKind::of(choice, right, is_too_good),
        _ => None,
    }
}

/// Returns whether an answer contains the wanted text, with whole numbers. An action that was not taken follows "no",
/// up to the opponent's reaction: `no double/beaver`.
fn is_part(wanted: &str, answer: &str) -> bool {
    let is_no = |text: &str| text == "no" || text.starts_with("no ");
    let not_given = match is_no(answer) && !is_no(wanted) {
        true => answer.find('/').unwrap_or(answer.len()),
        false => 0,
    };
    let is_digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    let cuts = |before: &str, after: &str| {
        is_digit(before.chars().next_back()) && is_digit(after.chars().next())
    };
    let is_whole = |(at, _): (usize, &str)| {
        let (before, after) = (&answer[..at], &answer[at + wanted.len()..]);
        at >= not_given && !cuts(before, wanted) && !cuts(wanted, after)
    };
    answer.match_indices(wanted).any(is_whole)
}

fn fits(test: &DecisionTest, one: &PackedDecision, notes: &NoteTexts) -> bool {
    // Tested under both names: a redouble is a double, too.
    let has = |texts: &[String], answer: fn(&Decision) -> Answer| {
        one.unpack().is_some_and(|decision| {
            let (answer, state) = (answer(&decision), &decision.state);
            let names = [answer.text(state), answer.words(state)].map(|name| fold(&name));
            let fits = |wanted: &String| names.iter().any(|name| is_part(wanted, name));
            texts.iter().any(fits)
        })
    };
    match test {
        DecisionTest::Class(all) => one.class().is_some_and(|class| all.contains(&class)),
        DecisionTest::Kind(all) => one.kind().is_some_and(|kind| all.contains(&kind)),
        DecisionTest::Mark(all) => all.contains(&mark(one.error())),
        DecisionTest::CubeError(kind) => cube_error(one) == Some(*kind),
        DecisionTest::Dice(bits) => {
            let roll = one.roll().flatten();
            roll.is_some_and(|roll| bits & 1 << (roll.index() + 1) != 0)
        }
        DecisionTest::Score(all) => all.iter().any(|score| score.fits(one)),
        DecisionTest::Owner(all) => one.owner().is_some_and(|owner| all.contains(&owner)),
        DecisionTest::Contact(contact) => one.kind().is_some_and(|kind| {
            let race = matches!(kind, PositionType::Race | PositionType::Bearoff);
            race != *contact
        }),
        DecisionTest::Silent => one.is_silent(),
        DecisionTest::Place(pattern) => pattern.fits(one),
        DecisionTest::Number(what, ranges) => number(*what, one).is_some_and(|n| within(ranges, n)),
        DecisionTest::Played(texts) => has(texts, |one| one.played),
        DecisionTest::Best(texts) => has(texts, |one| one.best),
        DecisionTest::Note(texts) => notes.about(one).is_some_and(|note| {
            texts.is_empty() || texts.iter().any(|text| note.contains(text.as_str()))
        }),
    }
}

fn number(what: Quantity, one: &PackedDecision) -> Option<f32> {
    // Rounded to 0.01 %, the stored precision.
    let chance = |of: fn(&Probabilities) -> f32| (10_000.0 * of(&one.chances())).round() / 100.0;
    let pips = |side: usize| one.pips()[side] as f32;
    Some(match what {
        Quantity::Error => as_written(one.error()),
        // Match-winning chance; there is none in money play.
        Quantity::Loss if one.length() == 0 => return None,
        Quantity::Loss => 100.0 * one.loss(),
        Quantity::Win => chance(|c| c.win),
        Quantity::Gammon => chance(|c| c.win_gammon),
        Quantity::Backgammon => chance(|c| c.win_backgammon),
        Quantity::LoseGammon => chance(|c| c.lose_gammon),
        Quantity::LoseBackgammon => chance(|c| c.lose_backgammon),
        Quantity::Pips => pips(0),
        Quantity::OpponentPips => pips(1),
        Quantity::Lead => pips(1) - pips(0),
        Quantity::Cube => one.cube_value()? as f32,
        Quantity::Ply => f32::from(one.ply()),
        Quantity::Move => one.number() as f32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_given_is_no_part() {
        assert!(is_part("double", "double/take") && !is_part("double", "no double"));
        assert!(is_part("no double", "no double") && is_part("no double", "no double/beaver"));
        assert!(is_part("beaver", "no double/beaver") && !is_part("double", "no double/beaver"));
        assert!(is_part("24/2", "24/2") && !is_part("24/2", "24/23"));
        assert!(is_part("no", "no double") && !is_part("no", "double/take"));
    }
}
