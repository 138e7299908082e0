//! When a card comes back: the memory model FSRS-6, with its published standard weights.
//!
//! A memory has a *stability* S, the days after which it is recalled with 90 %, and a *difficulty* D from
//! 1 to 10. After `t` days it is recalled with probability `(1 + f·t/S)^(−w20)`, where `f` makes that 0.9 at
//! `t = S`. An answer changes both; the next one is due when the probability has fallen to the retention
//! that is wanted.
//!
//! Source: the description of the algorithm by its authors (github.com/open-spaced-repetition, *The
//! Algorithm*, version 6). The tests hold it against sequences of their Python package `fsrs` 6.3.2.

use serde::{Deserialize, Serialize};

/// How well an answer was known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Not known.
    Again,
    /// Known, but only just.
    Hard,
    /// Known.
    Good,
    /// Known without thought.
    Easy,
}

impl Grade {
    /// All grades, the worst first.
    pub const ALL: [Self; 4] = [Self::Again, Self::Hard, Self::Good, Self::Easy];

    /// Number of the grade, from 1 for again to 4 for easy.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The grade with this number, if there is one.
    pub fn of_number(number: i64) -> Option<Self> {
        let place = usize::try_from(number.checked_sub(1)?).ok()?;
        Self::ALL.get(place).copied()
    }

    /// Name of the grade in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Again => "again",
            Self::Hard => "hard",
            Self::Good => "good",
            Self::Easy => "easy",
        }
    }

    /// Returns whether an answer of this grade was known at all.
    pub fn is_recalled(self) -> bool {
        self != Self::Again
    }
}

/// Memory of a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardMemory {
    /// Days until it is recalled with 90 %.
    pub stability: f64,
    /// From 1 to 10.
    pub difficulty: f64,
}

/// The weights w0 to w20 that its authors fitted to many users.
const WEIGHTS: [f64; 21] = [
    0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835,
    0.0614, 0.2629, 1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
/// Least stability, in days.
const LEAST: f64 = 0.001;

/// Decides when cards come back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheduler {
    /// The probability of recall at which a card is due.
    pub retention: f64,
    /// The longest interval, in days.
    pub longest: u32,
}

impl Default for Scheduler {
    fn default() -> Self {
        Self {
            retention: 0.9,
            longest: 365,
        }
    }
}

impl Scheduler {
    /// The memory after the first answer.
    pub fn first(grade: Grade) -> CardMemory {
        CardMemory {
            stability: WEIGHTS[usize::from(grade.number()) - 1].max(LEAST),
            difficulty: first_difficulty(grade).clamp(1.0, 10.0),
        }
    }

    /// The memory after an answer `days` days after the one before.
    pub fn next(memory: CardMemory, days: u32, grade: Grade) -> CardMemory {
        let recall = Self::recall(memory, days);
        let stability = match (days, grade) {
            (0, _) => same_day(memory.stability, grade),
            (_, Grade::Again) => forgotten(memory, recall),
            _ => recalled(memory, recall, grade),
        };
        CardMemory {
            stability: stability.max(LEAST),
            difficulty: next_difficulty(memory.difficulty, grade),
        }
    }

    /// The probability of recall after so many days.
    pub fn recall(memory: CardMemory, days: u32) -> f64 {
        let decay = WEIGHTS[20];
        libm::pow(1.0 + factor() * f64::from(days) / memory.stability, -decay)
    }

    /// Days until a card with this memory is due, at least one.
    pub fn interval(&self, memory: CardMemory) -> u32 {
        let wanted = libm::pow(self.retention, -1.0 / WEIGHTS[20]) - 1.0;
        let days = libm::round(memory.stability / factor() * wanted);
        days.clamp(1.0, f64::from(self.longest.max(1))) as u32
    }
}

/// The factor f that makes the probability of recall 90 % at the stability.
fn factor() -> f64 {
    libm::pow(0.9, -1.0 / WEIGHTS[20]) - 1.0
}

/// Number of the grade, with 0 for good and less for worse.
fn centred(grade: Grade) -> f64 {
    f64::from(grade.number()) - 3.0
}

fn first_difficulty(grade: Grade) -> f64 {
    WEIGHTS[4] - libm::exp(WEIGHTS[5] * (centred(grade) + 2.0)) + 1.0
}

/// The difficulty after an answer: moved by the grade, less so the harder it is, and drawn towards what an
/// easy card begins with.
fn next_difficulty(difficulty: f64, grade: Grade) -> f64 {
    let moved = difficulty - WEIGHTS[6] * centred(grade) * (10.0 - difficulty) / 9.0;
    let drawn = WEIGHTS[7] * first_difficulty(Grade::Easy) + (1.0 - WEIGHTS[7]) * moved;
    drawn.clamp(1.0, 10.0)
}

fn same_day(stability: f64, grade: Grade) -> f64 {
    let growth = libm::exp(WEIGHTS[17] * (centred(grade) + WEIGHTS[18]))
        * libm::pow(stability, -WEIGHTS[19]);
    match grade {
        Grade::Again => stability * growth,
        _ => stability * growth.max(1.0),
    }
}

fn recalled(memory: CardMemory, recall: f64, grade: Grade) -> f64 {
    let by_grade = match grade {
        Grade::Hard => WEIGHTS[15],
        Grade::Easy => WEIGHTS[16],
        _ => 1.0,
    };
    let growth = libm::exp(WEIGHTS[8])
        * (11.0 - memory.difficulty)
        * libm::pow(memory.stability, -WEIGHTS[9])
        * (libm::exp((1.0 - recall) * WEIGHTS[10]) - 1.0);
    memory.stability * (1.0 + growth * by_grade)
}

fn forgotten(memory: CardMemory, recall: f64) -> f64 {
    let long = WEIGHTS[11]
        * libm::pow(memory.difficulty, -WEIGHTS[12])
        * (libm::pow(memory.stability + 1.0, WEIGHTS[13]) - 1.0)
        * libm::exp((1.0 - recall) * WEIGHTS[14]);
    let short = memory.stability / libm::exp(WEIGHTS[17] * WEIGHTS[18]);
    long.min(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ratings and days since the one before: stability, difficulty and interval after each.
    fn check(answers: &[(u8, u32)], expected: &[(f64, f64, u32)]) {
        let scheduler = Scheduler {
            longest: 36_500,
            ..Scheduler::default()
        };
        let mut memory = None;
        for ((number, days), (stability, difficulty, interval)) in answers.iter().zip(expected) {
            let grade = Grade::of_number(i64::from(*number)).unwrap();
            let now = match memory {
                None => Scheduler::first(grade),
                Some(before) => Scheduler::next(before, *days, grade),
            };
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9 * b.abs().max(1.0);
            assert!(near(now.stability, *stability), "{now:?}, not {stability}");
            assert!(
                near(now.difficulty, *difficulty),
                "{now:?}, not {difficulty}"
            );
            assert_eq!(scheduler.interval(now), *interval);
            memory = Some(now);
        }
    }

    /// Each answer on the day it is due.
    #[test]
    fn intervals_are_those_of_the_reference_package() {
        let answers = [
            (3, 0),
            (3, 2),
            (3, 11),
            (3, 46),
            (3, 163),
            (3, 497),
            (1, 1346),
            (1, 9),
            (3, 1),
            (3, 2),
            (3, 4),
            (3, 7),
            (3, 13),
        ];
        let expected = [
            (2.3065, 2.118103970459016, 2),
            (10.964332335820698, 2.111214235785395, 11),
            (46.28021728755693, 2.1043313908464483, 46),
            (162.86220163874916, 2.0974554287524403, 163),
            (497.4471936002745, 2.0905863426205262, 497),
            (1345.52877754259, 2.083724125574744, 1346),
            (9.444601345349833, 7.383202320049203, 9),
            (1.3126390719537793, 9.125104766121234, 1),
            (2.3496733074806873, 9.11120803065195, 2),
            (4.19402832707873, 9.097325191918136, 4),
            (7.466540229825095, 9.083456236023055, 7),
            (12.731547265598365, 9.06960114908387, 13),
            (21.528151353185145, 9.055759917231622, 22),
        ];
        check(&answers, &expected);
    }

    /// Two answers on one day, late ones, and all four grades.
    #[test]
    fn answers_of_one_day_and_late_ones_too() {
        let answers = [
            (1, 0),
            (3, 0),
            (2, 1),
            (4, 5),
            (3, 10),
            (1, 40),
            (2, 0),
            (3, 3),
            (4, 0),
            (3, 90),
        ];
        let expected = [
            (0.212, 6.4133, 1),
            (0.24668918777567272, 6.402115069296838, 1),
            (1.3140467293825921, 7.596784690858309, 1),
            (10.93323744314388, 6.7789704936734, 11),
            (26.583864666580148, 6.767419892476565, 27),
            (2.276562712671388, 8.922701269498617, 2),
            (2.276562712671388, 9.270067269869179, 2),
            (4.5155898341365726, 9.256025571896147, 5),
            (7.391391116618882, 8.992652356529028, 7),
            (27.886406328285442, 8.978888073469337, 28),
        ];
        check(&answers, &expected);
        let last = CardMemory {
            stability: 27.886406328285442,
            difficulty: 8.978888073469337,
        };
        assert!((Scheduler::recall(last, 10) - 0.9546093630308081).abs() < 1e-12);
    }

    #[test]
    fn the_longest_interval_is_kept_and_retention_changes_it() {
        let memory = CardMemory {
            stability: 100.0,
            difficulty: 5.0,
        };
        let usual = Scheduler::default();
        assert_eq!(usual.interval(memory), 100);
        let strict = Scheduler {
            retention: 0.95,
            ..usual
        };
        assert!(strict.interval(memory) < 50);
        let short = Scheduler {
            longest: 30,
            ..usual
        };
        assert_eq!(short.interval(memory), 30);
    }
}
