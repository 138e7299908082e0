//! How study goes: cards, answers a day, what was remembered, and what is to come.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::card::StudyCard;
use super::scheduler::Scheduler;

/// Days of the forecast.
const FORECAST: usize = 14;

/// Weeks that are shown.
const WEEKS: i64 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StudyWeek {
    /// Its first day, counted from 1970.
    pub from: i64,
    pub answers: usize,
    /// Answers to cards asked again on a later day.
    pub repeated: usize,
    /// Such answers that were known.
    pub remembered: usize,
}

/// The last weeks up to today, from the first with an answer on.
pub fn weeks(days: &BTreeMap<i64, [usize; 3]>, today: i64) -> Vec<StudyWeek> {
    let first = days.keys().next().copied().unwrap_or(today);
    let all = (0..WEEKS).rev().map(|ago| today - 7 * ago - 6);
    all.filter(|from| from + 6 >= first)
        .map(|from| {
            let sum = |place: usize| days.range(from..from + 7).map(|(_, day)| day[place]).sum();
            StudyWeek {
                from,
                answers: sum(0),
                repeated: sum(1),
                remembered: sum(2),
            }
        })
        .collect()
}

/// All cards summed up.
#[derive(Clone, Debug, PartialEq, Default, Serialize)]
pub struct StudyProgress {
    /// Cards that come back.
    pub cards: usize,
    /// Cards due today, or before.
    pub due: usize,
    /// Answers in all.
    pub answers: usize,
    /// Answers today.
    #[serde(rename = "answers_today")]
    pub today: usize,
    /// Days in a row with an answer, up to today, or to yesterday where today has none yet.
    pub streak: usize,
    /// Answers to cards asked again on a later day.
    pub repeated: usize,
    /// Such answers that were known.
    pub remembered: usize,
    /// Cards due on each of the next days, the first is today.
    pub forecast: Vec<usize>,
    /// Days with answers: the day, counted from 1970, the answers, those asked again on a later day, and
    /// those of them known.
    #[serde(skip)]
    pub days: BTreeMap<i64, [usize; 3]>,
}

impl StudyProgress {
    /// The sums of these cards, as of `today`.
    pub fn new(cards: &[StudyCard], today: i64) -> Self {
        let scheduler = Scheduler::default();
        let mut progress = Self {
            forecast: vec![0; FORECAST],
            ..Self::default()
        };
        for card in cards {
            if let Some(due) = card.standing(&scheduler, today).due {
                progress.cards += 1;
                progress.due += usize::from(due <= today);
                let ahead = usize::try_from(due - today).unwrap_or(0);
                if let Some(count) = progress.forecast.get_mut(ahead) {
                    *count += 1;
                }
            }
            let mut last = None;
            for answer in &card.answers {
                let day = answer.day();
                let entry = progress.days.entry(day).or_default();
                entry[0] += 1;
                if last.is_some_and(|last| last < day) {
                    entry[1] += 1;
                    entry[2] += usize::from(answer.grade.is_recalled());
                }
                last = Some(day);
            }
        }
        let sum = |place: usize| progress.days.values().map(|day| day[place]).sum();
        let [answers, repeated, remembered] = [0, 1, 2].map(sum);
        let days: BTreeSet<i64> = progress.days.keys().copied().collect();
        let end = if days.contains(&today) {
            today
        } else {
            today - 1
        };
        let streak = (0..).take_while(|n| days.contains(&(end - n))).count();
        Self {
            answers,
            repeated,
            remembered,
            streak,
            today: progress.days.get(&today).map_or(0, |day| day[0]),
            ..progress
        }
    }

    /// The share remembered of the cards asked again on a later day.
    pub fn retention(&self) -> Option<f64> {
        (self.repeated > 0).then(|| self.remembered as f64 / self.repeated as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Grade, StudyAnswer};

    fn answer(day: i64, grade: Grade) -> StudyAnswer {
        StudyAnswer {
            id: day * 86_400_000_000,
            grade,
            given: String::new(),
            cost: 0.0,
        }
    }

    #[test]
    fn days_streaks_and_what_was_remembered() {
        let card = |answers: Vec<StudyAnswer>| StudyCard {
            is_error: true,
            answers,
            ..StudyCard::default()
        };
        let cards = [
            card(vec![answer(10, Grade::Good), answer(12, Grade::Good)]),
            card(vec![answer(11, Grade::Good), answer(13, Grade::Again)]),
            card(vec![answer(13, Grade::Again), answer(13, Grade::Good)]),
            card(Vec::new()),
        ];
        let on = |today| StudyProgress::new(&cards, today);
        let last = on(13);
        assert_eq!((last.cards, last.due, last.answers), (3, 1, 6));
        assert_eq!((last.today, last.streak), (3, 4));
        assert_eq!((last.repeated, last.remembered), (2, 1));
        assert_eq!(last.retention(), Some(0.5));
        assert_eq!(last.forecast[0], 1);
        assert_eq!(last.forecast.iter().sum::<usize>(), 3);
        assert_eq!((on(14).streak, on(15).streak), (4, 0));
        assert_eq!(StudyProgress::new(&[], 5).retention(), None);
    }
}
