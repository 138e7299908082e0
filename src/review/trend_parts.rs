//! Where a player loses equity over many matches: by class of decision, by kind of position and by kind of cube error.

use std::collections::BTreeMap;

use serde::Serialize;

use super::cube_errors::{CubeErrorKind, CubeErrors};
use super::decision_cost::Class;
use super::figures::{Figures, Rate};
use super::position_type::PositionType;
use super::report::TypeReport;
use super::trend::{TrendEstimate, ratio, weighed};

/// Sums over a part of a player's decisions, over many matches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PartTrend {
    /// Decisions with something to decide.
    pub decisions: u32,
    /// Points given away.
    pub error: f64,
    /// Share of all points that the player gave away.
    pub share: f64,
    pub blunders: u32,
    /// The rating of these decisions alone, with the matches as units.
    pub pr: Option<TrendEstimate>,
}

/// Decisions of one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClassTrend {
    pub class: Class,
    #[serde(flatten)]
    pub part: PartTrend,
}

/// Decisions in one kind of position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TypeTrend {
    #[serde(rename = "type")]
    pub kind: PositionType,
    #[serde(flatten)]
    pub part: PartTrend,
}

/// Cube errors of one kind. Its decisions are those in which they could be made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CubeErrorTrend {
    pub kind: CubeErrorKind,
    /// Those that are marked, blunders too.
    pub errors: u32,
    #[serde(flatten)]
    pub part: PartTrend,
}

impl CubeErrorTrend {
    /// Heads of [`Self::cells`].
    pub const HEADS: [&str; 9] = [
        "cube errors",
        "possible",
        "made",
        "rate",
        "blunders",
        "error",
        "share",
        "PR",
        "95% interval",
    ];

    /// The errors as a row of a table.
    pub fn cells(&self) -> [String; 9] {
        let Self { kind, errors, part } = self;
        let [pr, interval] = TrendEstimate::cells(part.pr);
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        [
            kind.plural().to_owned(),
            part.decisions.to_string(),
            errors.to_string(),
            percent(f64::from(*errors) / f64::from(part.decisions)),
            part.blunders.to_string(),
            format!("{:.3}", part.error),
            percent(part.share),
            pr,
            interval,
        ]
    }
}

/// Sums of each part, and of each match its decisions that count and its rating times them.
#[derive(Clone, Debug)]
struct Parts<K>(BTreeMap<K, PartSum>);

#[derive(Clone, Debug, Default)]
struct PartSum {
    decisions: u32,
    error: f64,
    blunders: u32,
    matches: Vec<(f64, f64)>,
}

impl<K> Default for Parts<K> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord + Copy> Parts<K> {
    fn add(
        &mut self,
        part: K,
        (decisions, error, blunders): (u32, f64, u32),
        (counted, pr): (&Rate, Option<f64>),
    ) {
        let sum = self.0.entry(part).or_default();
        sum.decisions += decisions;
        sum.error += error;
        sum.blunders += blunders;
        sum.matches.extend(weighed(counted.decisions, pr));
    }

    fn rows(&self) -> Vec<(K, PartTrend)> {
        self.rows_of(self.0.values().map(|sum| sum.error).sum())
    }

    /// The parts of `all` points that the player gave away.
    fn rows_of(&self, all: f64) -> Vec<(K, PartTrend)> {
        let row = |(&part, sum): (&K, &PartSum)| {
            let trend = PartTrend {
                decisions: sum.decisions,
                error: sum.error,
                share: if all > 0.0 { sum.error / all } else { 0.0 },
                blunders: sum.blunders,
                pr: ratio(&sum.matches),
            };
            (part, trend)
        };
        self.0.iter().map(row).collect()
    }
}

/// Sums over a player's decisions, by class.
#[derive(Clone, Debug, Default)]
pub struct ClassTrends(Parts<Class>);

impl ClassTrends {
    /// Adds a match of `length` points (0: money).
    pub fn push(&mut self, figures: &Figures, length: u16) {
        for class in Class::ALL {
            let counted = figures.pr_counted_of(class);
            let kind = figures.of(class);
            let sums = (kind.decisions, kind.error, kind.blunders);
            self.0.add(class, sums, (&counted, counted.pr(length)));
        }
    }

    /// Checker plays, doubling and taking, as far as there was something to decide.
    pub fn rows(&self) -> Vec<ClassTrend> {
        let rows = self.0.rows().into_iter();
        rows.filter(|(_, part)| part.decisions > 0)
            .map(|(class, part)| ClassTrend { class, part })
            .collect()
    }
}

/// Sums over a player's decisions, by kind of position.
#[derive(Clone, Debug, Default)]
pub struct TypeTrends(Parts<PositionType>);

impl TypeTrends {
    /// Adds a match.
    pub fn push(&mut self, types: &[TypeReport]) {
        for one in types {
            let sums = (one.decisions, one.error, one.blunders);
            self.0.add(one.kind, sums, (&one.pr_counted, one.pr));
        }
    }

    /// The kinds, the one that cost most first.
    pub fn rows(&self) -> Vec<TypeTrend> {
        let rows = self.0.rows().into_iter();
        let mut rows: Vec<TypeTrend> = rows.map(|(kind, part)| TypeTrend { kind, part }).collect();
        rows.sort_by(|a, b| b.part.error.total_cmp(&a.part.error));
        rows
    }
}

/// Sums over a player's errors in cube decisions, by kind.
#[derive(Clone, Debug, Default)]
pub struct CubeErrorTrends {
    parts: Parts<CubeErrorKind>,
    errors: BTreeMap<CubeErrorKind, u32>,
    /// All points that the player gave away.
    all: f64,
}

impl CubeErrorTrends {
    /// Adds the errors of a match of `length` points (0: money) with these figures.
    pub fn push(&mut self, errors: &[CubeErrors], figures: &Figures, length: u16) {
        self.all += Class::ALL
            .map(|class| figures.of(class).error)
            .iter()
            .sum::<f64>();
        for one in errors {
            let (decisions, error) = (one.decisions, one.error);
            let counted = Rate { decisions, error };
            let sums = (decisions, error, one.blunders);
            self.parts
                .add(one.kind, sums, (&counted, counted.pr(length)));
            *self.errors.entry(one.kind).or_default() += one.errors;
        }
    }

    /// The kinds, as far as they could be made.
    pub fn rows(&self) -> Vec<CubeErrorTrend> {
        let rows = self.parts.rows_of(self.all).into_iter();
        rows.filter(|(_, part)| part.decisions > 0)
            .map(|(kind, part)| CubeErrorTrend {
                kind,
                errors: self.errors.get(&kind).copied().unwrap_or_default(),
                part,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::figures::ClassFigures;

    #[test]
    fn kinds_of_position_are_summed_and_shared() {
        let one = |kind, decisions, error: f64| TypeReport {
            kind,
            decisions,
            error,
            error_unnormalised: 0.0,
            blunders: 1,
            pr: Some(500.0 * error / f64::from(decisions)),
            pr_counted: Rate { decisions, error },
        };
        let mut all = TypeTrends::default();
        all.push(&[
            one(PositionType::Race, 20, 0.1),
            one(PositionType::Blitz, 10, 0.2),
        ]);
        all.push(&[one(PositionType::Blitz, 30, 0.4)]);
        all.push(&[one(PositionType::Blitz, 30, 0.3)]);
        let rows = all.rows();
        assert_eq!(rows[0].kind, PositionType::Blitz);
        assert_eq!((rows[0].part.decisions, rows[0].part.blunders), (70, 3));
        assert!((rows[0].part.share - 0.9).abs() < 1e-12);
        let pr = rows[0].part.pr.unwrap();
        assert!((pr.value - 450.0 / 70.0).abs() < 1e-12 && pr.matches == 3);
        assert!(pr.ci95.is_some() && rows[1].part.pr.unwrap().ci95.is_none());
    }

    /// Cube errors are summed over matches, and cost a share of all points that were given away.
    #[test]
    fn cube_errors_have_their_share_of_all_points() {
        let one = |kind, decisions, errors, error| CubeErrors {
            kind,
            decisions,
            errors,
            blunders: 1,
            error,
        };
        let (missed, wrong) = (CubeErrorKind::MissedDouble, CubeErrorKind::EarlyDouble);
        let kind = |error| ClassFigures {
            error,
            ..ClassFigures::default()
        };
        let figures = Figures {
            checker: kind(0.5),
            double: kind(0.5),
            ..Figures::default()
        };
        let mut all = CubeErrorTrends::default();
        let lost = one(missed, 6, 2, 0.4);
        all.push(&[lost, one(wrong, 10, 1, 0.1)], &figures, 7);
        all.push(&[one(missed, 4, 2, 0.5)], &figures, 7);
        let rows = all.rows();
        assert_eq!(rows.len(), 2);
        let cells = rows[0].cells();
        let expected = [
            "missed doubles",
            "10",
            "4",
            "40%",
            "2",
            "0.900",
            "45%",
            "45.0",
        ];
        assert_eq!(cells[..8], expected);
        assert_eq!(rows[1].kind, wrong);
    }

    /// Checker plays have what the cube leaves of PR, and a match to one point its factor.
    #[test]
    fn classes_share_what_pr_is_made_of() {
        let kind = |decisions, error| ClassFigures {
            decisions,
            error,
            ..ClassFigures::default()
        };
        let figures = Figures {
            pr_counted: Rate {
                decisions: 60,
                error: 0.9,
            },
            // Ten plays were alike, and count for no rating.
            checker: kind(60, 0.5),
            double: kind(6, 0.3),
            take: kind(4, 0.1),
            ..Figures::default()
        };
        let mut all = ClassTrends::default();
        all.push(&figures, 7);
        let rows = all.rows();
        let pr = |i: usize| rows[i].part.pr.unwrap().value;
        assert_eq!(rows[0].class, Class::Checker);
        assert!((pr(0) - 5.0).abs() < 1e-9, "{}", pr(0));
        assert!((pr(1) - 25.0).abs() < 1e-9 && (pr(2) - 12.5).abs() < 1e-9);
        assert!((rows.iter().map(|row| row.part.share).sum::<f64>() - 1.0).abs() < 1e-12);
        let mut short = ClassTrends::default();
        short.push(&figures, 1);
        assert!((short.rows()[0].part.pr.unwrap().value - 7.5).abs() < 1e-9);
        let none = Figures::default();
        let mut empty = ClassTrends::default();
        empty.push(&none, 7);
        assert!(empty.rows().is_empty());
    }
}
