//! A card: a decision that comes back, and how it was answered so far.
//!
//! Nothing but the answers is kept. Where a card stands is what they come to, so an answer that is taken
//! back leaves nothing behind, and two logs can be put together.

use std::sync::Arc;

use super::rolled::StudyRollout;
use super::scheduler::{CardMemory, Grade, Scheduler};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// An answer to a card.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyAnswer {
    /// When it was given, in microseconds since 1970; no two answers have the same.
    pub id: i64,
    /// How well it was known.
    pub grade: Grade,
    /// The play or the cube action.
    pub given: String,
    /// Points that it gave away.
    pub cost: f32,
}

impl StudyAnswer {
    /// The day it was given, counted from 1 January 1970 in UTC.
    pub fn day(&self) -> i64 {
        day(self.id.div_euclid(1_000_000))
    }
}

/// Microseconds that the names of answers may run ahead of the clock: each has one of its own, and a clock may stand.
const CLOCK_LEEWAY: i64 = 3_600_000_000;

/// The name of the latest answer to these cards, at a time in microseconds since 1970; 0 without one. Those of a clock
/// that ran far ahead do not count: they would date all that come.
pub fn newest_answer(cards: &[StudyCard], now: i64) -> i64 {
    let answers = cards.iter().flat_map(|card| &card.answers);
    let ids = answers.map(|answer| answer.id);
    let ids = ids.filter(|id| *id <= now.saturating_add(CLOCK_LEEWAY));
    ids.max().unwrap_or(0)
}

/// The day of a time in seconds since 1970, in UTC.
pub fn day(seconds: i64) -> i64 {
    seconds.div_euclid(DAY)
}

/// A decision that is asked, and its answers.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StudyCard {
    /// The decision as an XGID: checkers, cube, score, dice.
    pub position: String,
    /// It was an error in the match, or is a position of a list.
    /// Other decisions are asked so that a question is no hint.
    pub is_error: bool,
    /// The choice in the match; empty for a position without one.
    pub made: String,
    /// Points that this gave away.
    pub cost: f32,
    /// Where it comes from: the match, the game and the move, or the file and the line.
    pub source: String,
    /// The user's note about it, if it was looked up; it is stored elsewhere.
    pub note: Option<String>,
    /// Figures of a stored rollout, if it was looked up.
    pub rollout: Option<Arc<StudyRollout>>,
    /// The answers, the oldest first.
    pub answers: Vec<StudyAnswer>,
}

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct CardStanding {
    /// Memory of the card; `None` without an answer.
    pub memory: Option<CardMemory>,
    /// The day of the last answer.
    pub last: Option<i64>,
    /// The day it is due; `None` where it does not come back, or was not answered yet.
    pub due: Option<i64>,
    /// How often it was forgotten: not known on a later day than one on which it was.
    pub lapses: u32,
    /// The first day on which it was known since it was last not.
    known: Option<i64>,
}

impl CardStanding {
    pub fn is_due(&self, today: i64) -> bool {
        self.due.is_some_and(|due| due <= today)
    }

    /// Takes an answer in.
    fn after(self, scheduler: &Scheduler, answer: &StudyAnswer) -> Self {
        let day = answer.day();
        let memory = match self.memory.zip(self.last) {
            None => Scheduler::first(answer.grade),
            Some((memory, last)) => {
                // A clock that was set back makes no negative time.
                let days = u32::try_from(day - last).unwrap_or(0);
                Scheduler::next(memory, days, answer.grade)
            }
        };
        let wait = match answer.grade.is_recalled() {
            true => i64::from(scheduler.interval(memory)),
            // Until it is known it comes back the same day.
            false => 0,
        };
        let is_recalled = answer.grade.is_recalled();
        let is_lapse = !is_recalled && self.known.is_some_and(|known| known < day);
        Self {
            memory: Some(memory),
            last: Some(day),
            due: Some(day + wait),
            lapses: self.lapses + u32::from(is_lapse),
            known: (self.known.or(Some(day))).filter(|_| is_recalled),
        }
    }
}

impl StudyCard {
    /// The card without its answers.
    pub fn unanswered(&self) -> Self {
        Self {
            answers: Vec::new(),
            ..self.clone()
        }
    }

    /// Where the card stands on a day. Answers of later days, which a clock that ran ahead has dated, do not count yet.
    ///
    /// A decision that was right in the match and has always been answered well does not come back.
    pub fn standing(&self, scheduler: &Scheduler, today: i64) -> CardStanding {
        let given = || self.answers.iter().filter(|answer| answer.day() <= today);
        let standing = given().fold(CardStanding::default(), |at, answer| {
            at.after(scheduler, answer)
        });
        let is_known = |answer: &StudyAnswer| answer.grade >= Grade::Good;
        match !self.is_error && given().all(is_known) {
            true => CardStanding {
                due: None,
                ..standing
            },
            false => standing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(is_error: bool, answers: &[(i64, Grade)]) -> StudyCard {
        let answer = |(day, grade): &(i64, Grade)| StudyAnswer {
            id: day * DAY * 1_000_000 + 5,
            grade: *grade,
            given: "8/5 6/5".into(),
            cost: 0.0,
        };
        StudyCard {
            is_error,
            answers: answers.iter().map(answer).collect(),
            ..StudyCard::default()
        }
    }

    /// The machine was a month ahead, and was set right.
    #[test]
    fn a_clock_that_was_set_back_makes_no_negative_time() {
        let scheduler = Scheduler::default();
        let back = [(130, Grade::Good), (100, Grade::Good), (102, Grade::Good)];
        let standing = card(true, &back).standing(&scheduler, i64::MAX);
        assert_eq!(standing.last, Some(102));
        assert!(standing.due.is_some_and(|due| due > 102), "{standing:?}");
        assert_eq!(standing.lapses, 0);
    }

    /// An answer that was given while the clock ran ahead holds nothing up once it is right.
    #[test]
    fn answers_of_the_future_do_not_count_yet() {
        let scheduler = Scheduler::default();
        let ahead = [(100, Grade::Good), (46_000, Grade::Again)];
        let at = |today| card(true, &ahead).standing(&scheduler, today);
        assert_eq!((at(102).last, at(102).due), (Some(100), Some(102)));
        assert_eq!(at(46_000).last, Some(46_000));
        let again = [ahead[0], (102, Grade::Good), ahead[1]];
        assert_eq!(card(true, &again).standing(&scheduler, 110).due, Some(113));
    }

    #[test]
    fn a_week_of_study() {
        let scheduler = Scheduler::default();
        let due = |answers: &[(i64, Grade)]| card(true, answers).standing(&scheduler, i64::MAX).due;
        assert_eq!(due(&[]), None);
        assert_eq!(due(&[(100, Grade::Good)]), Some(102));
        assert_eq!(due(&[(100, Grade::Good), (102, Grade::Good)]), Some(113));
        // Forgotten: the same day again, then the next.
        let lapse = [(100, Grade::Good), (102, Grade::Again)];
        assert_eq!(due(&lapse), Some(102));
        let again = [lapse[0], lapse[1], (102, Grade::Good)];
        assert_eq!(due(&again), Some(103));
        assert_eq!(card(true, &again).standing(&scheduler, i64::MAX).lapses, 1);
        // What was never known is not forgotten, and once is not twice.
        let lapses =
            |answers: &[(i64, Grade)]| card(true, answers).standing(&scheduler, i64::MAX).lapses;
        let (known, not) = (Grade::Good, Grade::Again);
        assert_eq!(lapses(&[(100, not), (100, not), (100, known)]), 0);
        assert_eq!(lapses(&[(100, known), (100, not), (101, not)]), 0);
        assert_eq!(lapses(&[(100, known), (102, not), (103, not)]), 1);
        assert_eq!(lapses(&[lapse[0], lapse[1], (102, known), (103, not)]), 2);
        // Late answers count as what they are: more was remembered.
        let late = card(true, &[(100, Grade::Good), (110, Grade::Good)]);
        assert!(late.standing(&scheduler, i64::MAX).due > Some(121));
        // A clock that was set back.
        assert_eq!(due(&[(100, Grade::Good), (90, Grade::Good)]), Some(92));
    }

    #[test]
    fn what_was_right_and_is_known_does_not_come_back() {
        let scheduler = Scheduler::default();
        let due =
            |answers: &[(i64, Grade)]| card(false, answers).standing(&scheduler, i64::MAX).due;
        assert_eq!(due(&[(100, Grade::Good)]), None);
        assert_eq!(due(&[(100, Grade::Again)]), Some(100));
        assert!(due(&[(100, Grade::Again), (100, Grade::Good)]).is_some());
    }

    #[test]
    fn days_before_1970_are_days_too() {
        assert_eq!([day(-1), day(0), day(DAY)], [-1, 0, 1]);
    }
}
