//! The quiz: what is asked, what was answered, and the cards that come back.
//!
//! Holds what was played and what is best, and shows neither before the answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::editor::ViewBefore;
use crate::game::Play;
use crate::library::Filter;
use crate::review::{MatchTurn, TurnReview};
use crate::store::{MatchFingerprint, StudyChange};
use crate::study::{
    CardStanding, Grade, Question, Scheduler, StudyAnswer, StudyCard, StudyDecision, day,
    newest_answer,
};
use crate::tui::documents::places::Openable;

/// A key that comes again so soon was hit twice, or held.
const ECHO: Duration = Duration::from_millis(500);
/// Number of best plays that must be analysed as deep as the first of them before a question is asked.
const DEEP: usize = 5;

/// The cards, and the clock they are due by.
#[derive(Debug, Default)]
pub struct Shelf {
    cards: Vec<StudyCard>,
    /// Microseconds since 1970, and when it was that.
    clock: Option<(i64, Instant)>,
    /// How many are due on which day.
    due: (usize, i64),
    newest: i64,
}

impl Shelf {
    /// A shelf of all cards, read at a time in microseconds since 1970.
    pub fn new(cards: Vec<StudyCard>, micros: i64, now: Instant) -> Self {
        let newest = newest_answer(&cards, micros);
        let mut shelf = Self {
            cards,
            clock: Some((micros, now)),
            due: (0, i64::MIN),
            newest,
        };
        shelf.pass(now);
        shelf
    }

    /// Whether cards can be kept.
    pub fn is_there(&self) -> bool {
        self.clock.is_some()
    }

    /// All cards.
    pub fn cards(&self) -> &[StudyCard] {
        &self.cards
    }

    pub fn due(&self) -> usize {
        self.due.0
    }

    /// The day it is, counted from 1970.
    pub fn today(&self, now: Instant) -> i64 {
        day(self.micros(now).div_euclid(1_000_000))
    }

    /// A name for an answer given now; no other answer has it.
    pub fn next_id(&mut self, now: Instant) -> i64 {
        self.newest = self.micros(now).max(self.newest + 1);
        self.newest
    }

    fn micros(&self, now: Instant) -> i64 {
        let Some((at, since)) = self.clock else {
            return 0;
        };
        let passed = now.saturating_duration_since(since).as_micros();
        at.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX))
    }

    /// Counts again where another day has begun.
    pub fn pass(&mut self, now: Instant) {
        let today = self.today(now);
        if self.due.1 != today {
            let due = crate::study::deck::count_due(&self.cards, today);
            self.due = (due, today);
        }
    }

    /// A new answer to `card`.
    pub fn change(&self, card: StudyCard, answer: StudyAnswer) -> StudyChange {
        StudyChange::new(card, &self.cards, answer)
    }

    /// Takes an answer in, or takes it back.
    pub fn apply(&mut self, change: &StudyChange) {
        let place = change.place_in(&mut self.cards);
        let today = self.due.1;
        let card = &mut self.cards[place];
        let is_due = |card: &StudyCard| card.standing(&Scheduler::default(), today).is_due(today);
        let before = is_due(card);
        change.apply_to(card);
        let after = is_due(card);
        self.due.0 = (self.due.0 + usize::from(after)).saturating_sub(usize::from(before));
    }

    pub fn standing(&self, position: &str) -> Option<CardStanding> {
        let mut cards = self.cards.iter();
        let card = cards.find(|card| card.position == position)?;
        Some(card.standing(&Scheduler::default(), self.due.1))
    }
}

/// A window that others are opened from, and a quiz is begun in; it comes back when that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyWindow {
    Library,
    /// The study plan.
    Plan,
    /// The rating of a player.
    Rating,
}

/// Where the decisions of a quiz are found.
#[derive(Clone, Debug, PartialEq)]
pub enum QuizSource {
    /// In the library: those that fit.
    Library(Filter),
    /// In a list of positions.
    List {
        /// Its first position.
        list: Openable,
        /// All positions of the list, with what the list itself says.
        decisions: Vec<StudyDecision>,
    },
}

/// A quiz that is wanted: what it asks is not known before files have been read.
#[derive(Clone, Debug, PartialEq)]
pub struct QuizRequest {
    pub title: String,
    /// Where its decisions are found.
    pub source: QuizSource,
    /// The day, counted from 1970.
    pub today: i64,
    /// Points from which on a decision is an error; 0 where every decision is wanted.
    pub least: f32,
    /// Order of the questions.
    pub seed: u64,
    /// Where it was begun.
    pub window: Option<StudyWindow>,
    /// Whether the user's own decisions alone were looked for; known once they were.
    pub is_of_user: bool,
}

impl QuizRequest {
    /// The filter of a quiz of the library.
    pub fn filter(&self) -> Option<&Filter> {
        match &self.source {
            QuizSource::Library(filter) => Some(filter),
            QuizSource::List { .. } => None,
        }
    }
}

/// A question that was answered.
#[derive(Clone, Debug)]
pub struct Answered {
    pub decision: StudyDecision,
    /// The answer, as it is kept.
    pub change: StudyChange,
    /// Whether it was put at the end to be asked again.
    pub is_again: bool,
}

impl Answered {
    /// How well the decision was known.
    pub fn grade(&self) -> Grade {
        let answer = self.change.answer.as_ref();
        answer.map_or(Grade::Again, |answer| answer.grade)
    }
}

/// The question in view.
#[derive(Debug)]
pub struct OpenQuestion {
    pub decision: StudyDecision,
    /// The decision as a turn, without what was done.
    turn: MatchTurn,
    /// What may be answered, once that is known.
    pub question: Option<Question>,
    /// The selected choice.
    pub row: usize,
    /// The point that the arrow keys have reached on the board.
    pub cursor: Option<usize>,
    /// Grades that were changed, the latest last.
    pub grades: Vec<Grade>,
    /// A play that was typed, and is being analysed.
    pub typed: Option<Play>,
    /// The choice that was taken.
    pub given: Option<usize>,
    /// The digit that took it, and when.
    pub digit: Option<(u32, Instant)>,
    /// Why it cannot be asked.
    pub failure: Option<String>,
}

impl OpenQuestion {
    fn new(decision: StudyDecision) -> Self {
        Self {
            turn: MatchTurn::alone(decision.state),
            decision,
            question: None,
            row: 0,
            cursor: None,
            grades: Vec::new(),
            typed: None,
            given: None,
            digit: None,
            failure: None,
        }
    }

    /// Whether a digit is the one that answered, hit twice: it grades nothing.
    pub fn is_echo(&self, digit: u32, now: Instant) -> bool {
        let at_once = |at: Instant| now.saturating_duration_since(at) < ECHO;
        self.digit
            .is_some_and(|(own, at)| own == digit && at_once(at))
    }

    /// The play that must be analysed for it: the one that was typed, or the one that was made.
    pub fn wanted(&self) -> Option<Play> {
        self.typed.or(self.decision.play)
    }
}

#[derive(Debug)]
pub struct Quiz {
    /// What it is about.
    pub title: String,
    /// What is asked after the question in view.
    pub left: VecDeque<StudyDecision>,
    pub done: Vec<Answered>,
    /// The question in view; the last one once nothing is left.
    pub open: OpenQuestion,
    /// Whether all has been asked.
    pub is_over: bool,
    /// Order of the plays.
    pub seed: u64,
    /// Points from which on a decision is an error.
    pub least: f32,
    /// Of the question in view, for analyses that come late.
    pub generation: u64,
    /// What to come back to.
    pub view: ViewBefore,
    /// The window it was begun in, which comes back as well.
    pub window: Option<StudyWindow>,
    /// The match that all questions are from, if it is the one that was in view.
    pub document: Option<MatchFingerprint>,
    /// The list that all questions are from, if it is one: its first position.
    pub list: Option<Openable>,
    /// Whether the match of the question in view is being opened: the quiz waits then, and does not end.
    pub is_visiting: bool,
}

/// A quiz that is begun.
#[derive(Debug, Default)]
pub struct NewQuiz {
    /// What it is about.
    pub title: String,
    /// What is asked, in order.
    pub decisions: Vec<StudyDecision>,
    /// Order of the plays.
    pub seed: u64,
    /// Points from which on a decision is an error.
    pub least: f32,
    /// The window it is begun in.
    pub window: Option<StudyWindow>,
    /// The match that all questions are from, if it is the one in view.
    pub document: Option<MatchFingerprint>,
    /// The list that all questions are from, if it is one: its first position.
    pub list: Option<Openable>,
}

impl Quiz {
    /// Begins; `None` if there is nothing to ask.
    pub fn new(new: NewQuiz, generation: u64, view: ViewBefore) -> Option<Self> {
        let mut left: VecDeque<StudyDecision> = new.decisions.into();
        let first = left.pop_front()?;
        Some(Self {
            title: new.title,
            left,
            done: Vec::new(),
            open: OpenQuestion::new(first),
            is_over: false,
            seed: new.seed,
            least: new.least,
            generation,
            view,
            window: new.window,
            document: new.document,
            list: new.list,
            is_visiting: false,
        })
    }

    /// What is on the board.
    pub fn turn(&self) -> &MatchTurn {
        &self.open.turn
    }

    /// How far the quiz is: `3 of 12`.
    pub fn place(&self) -> String {
        let done = self.done.len();
        let open = usize::from(self.open.given.is_none() && !self.is_over);
        let here = done + open;
        format!("{here} of {}", here + self.left.len())
    }

    /// Goes on to a decision.
    pub fn ask(&mut self, decision: StudyDecision) {
        self.open = OpenQuestion::new(decision);
        self.is_over = false;
        self.generation += 1;
    }

    /// Takes an analysis in; answers whether it was the one that was waited for.
    pub fn analysed(&mut self, review: &Arc<TurnReview>) -> bool {
        let best = review.candidates.first().map(|best| best.ply);
        let is_deep = |ply: u8| Some(ply) == best;
        let mut first = review.candidates.iter().take(DEEP);
        if !first.all(|one| is_deep(one.ply)) {
            return false;
        }
        let open = &mut self.open;
        let Some(question) = &mut open.question else {
            let asked = Question::about(&open.decision, review, self.seed);
            let asked = asked.filter(|asked| asked.is_of_use(&open.decision, self.least));
            if asked.is_none() {
                open.failure = Some("there is nothing to decide here".into());
            }
            open.question = asked;
            return true;
        };
        if open.typed.is_some() {
            let place = question.add(review);
            open.given = place.or(open.given);
            open.row = place.unwrap_or(open.row);
        }
        true
    }
}
