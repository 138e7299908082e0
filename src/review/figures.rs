//! Sums over the decisions and rolls of one player, in a game or a match.
//!
//! *PR*, eXtreme Gammon's performance rating: 500 times the mean error of the decisions that count
//! for it, so that 0.01 points a decision is 5.0. It is half as much again in matches to one point.
//! *GNU Backgammon's error rate*: 1000 times the mean error of those that count there. Which
//! decisions count is in [`decision_cost`](super::decision_cost).

use serde::{Deserialize, Serialize};

use super::decision_cost::{Class, DecisionCost};
use super::luck::RollLuck;
use super::marks::{Mark, Thresholds};

/// Decisions of one class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClassFigures {
    /// Decisions analysed in which there was something to decide.
    pub decisions: u32,
    /// Points given away.
    pub error: f64,
    /// Doubtful decisions.
    pub doubtful: u32,
    pub errors: u32,
    pub blunders: u32,
}

/// Points of performance rating for each point given away a decision, in a match of `length` points (0: money).
pub fn pr_factor(length: u16) -> f64 {
    if length == 1 { 750.0 } else { 500.0 }
}

/// A mean error over the decisions that count for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// Decisions that count.
    pub decisions: u32,
    /// Points given away in them.
    pub error: f64,
}

impl Rate {
    /// Counts a decision.
    pub fn add(&mut self, error: f64) {
        self.decisions += 1;
        self.error += error;
    }

    /// eXtreme Gammon's performance rating in a match of `length` points (0: money); `None` where
    /// nothing counts.
    pub fn pr(&self, length: u16) -> Option<f64> {
        self.times(pr_factor(length))
    }

    /// Mean error of these decisions in thousandths of a point; `None` where nothing counts.
    fn millipoints(&self) -> Option<f64> {
        self.times(1000.0)
    }

    fn times(&self, factor: f64) -> Option<f64> {
        (self.decisions > 0).then(|| factor * self.error / f64::from(self.decisions))
    }
}

/// A player's figures. Points are normalised to the cube (EMG) throughout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Decisions analysed, forced ones included.
    pub decisions: u32,
    /// Decisions with something to decide.
    pub unforced: u32,
    /// Points given away.
    pub error_total: f64,
    /// Loss as a chance to win the match, or in money play in points with the cube counted.
    pub error_unnormalised: f64,
    /// eXtreme Gammon's performance rating.
    pub pr: Option<f64>,
    /// Decisions that count for PR, and points given away in them.
    pub pr_counted: Rate,
    /// GNU Backgammon's error rate, in thousandths of a point a decision.
    pub gnubg_error_rate: Option<f64>,
    /// Decisions that count for that rate, and points given away in them.
    pub gnubg_counted: Rate,
    /// Checker plays.
    pub checker: ClassFigures,
    /// Doubles, and turns without one where one might have been.
    pub double: ClassFigures,
    /// Answers to doubles.
    pub take: ClassFigures,
    pub rolls: u32,
    /// Luck in points.
    pub luck: f64,
    /// Luck as a chance to win the match, or in money play in points with the cube counted.
    pub luck_unnormalised: f64,
}

impl Figures {
    /// Adds a decision in a match of `length` points; `point` is what a point is worth in MWC or
    /// points.
    pub fn add(&mut self, cost: &DecisionCost, point: f64, length: u16, thresholds: &Thresholds) {
        let error = f64::from(cost.error);
        self.decisions += 1;
        self.unforced += u32::from(cost.unforced);
        self.error_total += error;
        self.error_unnormalised += error * point;
        let class = self.of_mut(cost.class);
        class.decisions += u32::from(cost.unforced);
        class.error += error;
        match Mark::of(cost.error, thresholds) {
            Mark::Fine => {}
            Mark::Doubtful => class.doubtful += 1,
            Mark::Error => class.errors += 1,
            Mark::Blunder => class.blunders += 1,
        }
        if cost.in_pr {
            self.pr_counted.add(error);
            self.pr = self.pr_counted.pr(length);
        }
        if cost.in_gnubg {
            self.gnubg_counted.add(error);
            self.gnubg_error_rate = self.gnubg_counted.millipoints();
        }
    }

    pub fn add_luck(&mut self, luck: &RollLuck) {
        self.rolls += 1;
        self.luck += f64::from(luck.points);
        self.luck_unnormalised += f64::from(luck.unnormalised);
    }

    /// The decisions of a class.
    pub fn of(&self, class: Class) -> &ClassFigures {
        match class {
            Class::Checker => &self.checker,
            Class::Double => &self.double,
            Class::Take => &self.take,
        }
    }

    fn of_mut(&mut self, class: Class) -> &mut ClassFigures {
        match class {
            Class::Checker => &mut self.checker,
            Class::Double => &mut self.double,
            Class::Take => &mut self.take,
        }
    }

    /// Decisions of a class that count for PR, and points given away in them. Cube decisions with something
    /// to decide all count for it, so checker plays have the rest.
    pub fn pr_counted_of(&self, class: Class) -> Rate {
        let cube = |kind: &ClassFigures| Rate {
            decisions: kind.decisions,
            error: kind.error,
        };
        let (double, take) = (cube(&self.double), cube(&self.take));
        let all = self.pr_counted;
        match class {
            Class::Double => double,
            Class::Take => take,
            Class::Checker => Rate {
                decisions: all
                    .decisions
                    .saturating_sub(double.decisions + take.decisions),
                // What rounding leaves is no error.
                error: (all.error - double.error - take.error).max(0.0),
            },
        }
    }

    /// Doubtful decisions, errors and blunders of all classes.
    pub fn marks(&self) -> [u32; 3] {
        let all = [&self.checker, &self.double, &self.take];
        let sum = |of: fn(&ClassFigures) -> u32| all.iter().map(|kind| of(kind)).sum();
        [sum(|k| k.doubtful), sum(|k| k.errors), sum(|k| k.blunders)]
    }
}

/// GNU Backgammon's word for a player with an error rate in mEMG a decision, by the table of its manual's chapter on
/// ratings.
///
/// ```
/// use luckless::review::gnubg_word;
/// assert_eq!(gnubg_word(4.9), "world class");
/// assert_eq!(gnubg_word(12.0), "intermediate");
/// ```
pub fn gnubg_word(rate: f64) -> &'static str {
    const WORDS: [(f64, &str); 7] = [
        (2.0, "supernatural"),
        (5.0, "world class"),
        (8.0, "expert"),
        (12.0, "advanced"),
        (18.0, "intermediate"),
        (26.0, "casual player"),
        (35.0, "beginner"),
    ];
    let word = WORDS.iter().find(|(below, _)| rate < *below);
    word.map_or("awful", |(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundredth_a_decision_is_five() {
        let lines = Thresholds::default();
        let mut figures = Figures::default();
        let verdict = |error, unforced| DecisionCost {
            class: Class::Checker,
            error,
            unforced,
            in_pr: unforced,
            in_gnubg: unforced,
        };
        figures.add(&verdict(0.0, false), 1.0, 7, &lines);
        assert_eq!((figures.pr, figures.gnubg_error_rate), (None, None));
        figures.add(&verdict(0.0, true), 0.5, 7, &lines);
        figures.add(&verdict(0.5, true), 0.5, 7, &lines);
        assert_eq!(figures.pr, Some(125.0));
        assert_eq!(figures.gnubg_error_rate, Some(250.0));
        assert_eq!(figures.error_unnormalised, 0.25);
        assert_eq!((figures.decisions, figures.unforced), (3, 2));
        assert_eq!(figures.marks(), [0, 0, 1]);
        let rate = Rate {
            decisions: 100,
            error: 1.0,
        };
        assert_eq!((rate.pr(9), rate.pr(1)), (Some(5.0), Some(7.5)));
    }
}
