//! How a player's rating goes over many matches, with intervals.
//!
//! A rating over several matches is a ratio: all errors by all decisions that count. Matches differ
//! in length and in difficulty, and the decisions of one match are correlated. So matches are the units, and not single
//! decisions. The standard error is that of the jackknife: each match is left out once (Tukey 1958). Errors are rare and
//! some are large. A sample without its large errors has too small a mean and too small a spread. So the interval is
//! that of the logarithm, with Student's t. It has one degree of freedom less than the effective number of
//! matches (Kish 1965): by their decisions or by their errors, whichever is less ([`effective_count`]).
//! How often it holds stands in `docs/methods/review-statistics.md`.
//!
//! The trend is the slope of a straight line through the ratings by the order of the
//! matches, weighted by their decisions. Its standard error does not assume equal variances (HC3 of
//! MacKinnon and White 1985: each residual by one less its leverage). HC1 is too small for few
//! matches: with eight it shows a trend in 9 % of the cases without one, HC3 in 4 %.

use std::collections::BTreeMap;

use serde::Serialize;

use super::figures::Figures;
use crate::stats::change_point::change_point;
use crate::stats::changes::ROUND_OFF;
use crate::stats::interval::{
    LEAST_EFFECTIVE, around, effective_count, excludes_zero, half_width, of_positive, student_975,
};

/// Matches that a slope is given for.
const SPAN: f64 = 10.0;
/// Least share of a match's own residual that its leverage leaves.
const LEAST_FREEDOM: f64 = 1e-6;
/// Matches that count as the latest.
pub const LATEST: usize = 10;
/// Matches from which on a change says something.
const LEAST_MATCHES: usize = 8;
/// An interval of a rating whose upper end is more than so many times the rating says nothing.
pub(crate) const WIDEST_SHOWN: f64 = 10.0;
/// Half-width, in points of PR, up to which an interval that does not show a change still says something.
const NARROW: f64 = 2.0;

/// A figure and its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrendEstimate {
    /// Matches behind it.
    pub matches: usize,
    /// The figure: a PR, or of a trend PR in ten matches.
    pub value: f64,
    /// Its standard error; `None` from too few matches.
    pub se: Option<f64>,
    /// Its interval.
    pub ci95: Option<[f64; 2]>,
}

impl TrendEstimate {
    fn new(matches: usize, value: f64, se: Option<f64>, freedom: usize) -> Self {
        let radius = se.map(|se| se * student_975(freedom as f64));
        Self {
            matches,
            value,
            se,
            ci95: radius.map(|radius| around(value, radius)),
        }
    }

    /// The interval behind the figure, as ` (95% 4.90 … 5.80)`; `number` writes its ends.
    pub fn in_brackets(&self, number: &dyn Fn(f64) -> String) -> String {
        match self.telling() {
            Some([low, high]) => format!(" (95% {} … {})", number(low), number(high)),
            None => " (no interval yet)".to_owned(),
        }
    }

    /// The interval, where it is narrow, is that of a change for the better, or tells more than that the figure may be
    /// ten times as large.
    pub fn telling(&self) -> Option<[f64; 2]> {
        let is_narrow = |low: f64, high: f64| high - low <= 2.0 * NARROW;
        self.ci95.filter(|&[low, high]| {
            is_narrow(low, high) || high < 0.0 || high <= WIDEST_SHOWN * self.value
        })
    }

    /// A rating and its interval as the cells of a table: dashes for what is not known, or tells nothing.
    pub fn cells(rating: Option<Self>) -> [String; 2] {
        let value = rating.map(|rating| format!("{:.1}", rating.value));
        let interval = rating.and_then(|rating| rating.telling());
        let interval = interval.map(|[low, high]| format!("{low:.1} … {high:.1}"));
        [value, interval].map(|cell| cell.unwrap_or_else(|| "–".to_owned()))
    }

    /// Returns whether enough matches support the change, and it either is one or rules out a large one.
    pub fn says_something(&self) -> bool {
        let interval = self.ci95.filter(|_| self.matches >= LEAST_MATCHES);
        interval.is_some_and(|ci95| excludes_zero(ci95) || half_width(ci95) <= NARROW)
    }
}

/// How a day is written.
const DAY: &str = "2026-11-20";

/// Returns whether the order of matches of these days is known well enough for a change.
/// It is not if most lack the day of play, and have the same day of writing (`2026-11-20~`), the same month or
/// year, or no date.
pub fn order_is_known<'a>(days: impl IntoIterator<Item = &'a str>) -> bool {
    let mut written: BTreeMap<&str, usize> = BTreeMap::new();
    let mut all = 0;
    for day in days {
        all += 1;
        if day.ends_with('~') || day.len() < DAY.len() {
            *written.entry(day).or_default() += 1;
        }
    }
    written.values().all(|&n| n < 2 || 2 * n <= all)
}

/// Where PR changes most.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PrChange {
    /// The day of the first match after it, as far as it is known.
    pub date: String,
    /// PR over the matches before.
    pub before: TrendEstimate,
    /// PR over the matches after.
    pub after: TrendEstimate,
    /// The chance, from 0 to 1, of a change as large as this one in matches whose order means nothing.
    pub p: f64,
}

/// Matches of a player, in the order in which they were played.
#[derive(Clone, Debug, Default)]
pub struct Trend {
    /// Decisions that count, and the rating times them.
    matches: Vec<(f64, f64)>,
}

impl Trend {
    /// Adds a match; one without a decision that counts changes nothing.
    pub fn push(&mut self, figures: &Figures) {
        self.push_rated(figures.pr_counted.decisions, figures.pr);
    }

    /// Adds a match with so many decisions that count and this rating.
    pub fn push_rated(&mut self, decisions: u32, pr: Option<f64>) {
        self.matches.extend(weighed(decisions, pr));
    }

    /// PR over all matches.
    pub fn pr(&self) -> Option<TrendEstimate> {
        ratio(&self.matches)
    }

    /// PR over the latest ten matches; `None` if there are no more than these.
    pub fn latest(&self) -> Option<TrendEstimate> {
        let from = self.matches.len().checked_sub(LATEST).filter(|&n| n > 0)?;
        ratio(&self.matches[from..])
    }

    /// PR over the latest ten matches, or over all if there are fewer: PR as it runs.
    pub fn running(&self) -> Option<f64> {
        let from = self.matches.len().saturating_sub(LATEST);
        ratio(&self.matches[from..]).map(|pr| pr.value)
    }

    /// Where PR changes most, with so many matches or more on either side. The day is left empty.
    pub fn change(&self, least: usize) -> Option<PrChange> {
        let found = change_point(&self.matches, least)?;
        let (before, after) = self.matches.split_at(found.before);
        Some(PrChange {
            date: String::new(),
            before: ratio(before)?,
            after: ratio(after)?,
            p: found.p,
        })
    }

    /// Change of PR in ten matches; from three matches on.
    pub fn slope(&self) -> Option<TrendEstimate> {
        let n = self.matches.len();
        if n < 3 {
            return None;
        }
        let weighted = |of: &dyn Fn(f64, f64, f64) -> f64| -> f64 {
            let all = self.matches.iter().enumerate();
            all.map(|(i, &(w, e))| of(i as f64, w, e)).sum()
        };
        let weight = weighted(&|_, w, _| w);
        let middle = weighted(&|x, w, _| w * x) / weight;
        let mean = weighted(&|_, _, e| e) / weight;
        let squares = weighted(&|x, w, _| w * (x - middle).powi(2));
        let slope = weighted(&|x, _, e| (x - middle) * e) / squares;
        let rest = weighted(&|x, w, e| {
            let residual = e - w * (mean + slope * (x - middle));
            let leverage = w / weight + w * (x - middle).powi(2) / squares;
            // Of three matches one can have all the weight.
            ((x - middle) * residual / (1.0 - leverage).max(LEAST_FREEDOM)).powi(2)
        });
        let se = rest.sqrt() / squares;
        Some(TrendEstimate::new(n, SPAN * slope, Some(SPAN * se), n - 2))
    }
}

/// Decisions that count, and their rating times them, if they have one.
pub(super) fn weighed(decisions: u32, pr: Option<f64>) -> Option<(f64, f64)> {
    let n = f64::from(decisions);
    Some((n, n * pr?))
}

/// PR of matches, each of which is its decisions that count and its rating times them: see the [module](self).
pub(super) fn ratio(matches: &[(f64, f64)]) -> Option<TrendEstimate> {
    let n = matches.len();
    let sum = |of: fn(&(f64, f64)) -> f64| -> f64 { matches.iter().map(of).sum() };
    let (weight, error) = (sum(|m| m.0), sum(|m| m.1));
    let value = error / weight;
    let without = |(w, e): &(f64, f64)| (error - e) / (weight - w);
    let squares = matches.iter().map(|one| (without(one) - value).powi(2));
    let squares: f64 = squares.sum();
    let se = (n > 1).then(|| (squares * (n - 1) as f64 / n as f64).sqrt());
    let alike = effective_count(matches.iter().map(|m| m.0));
    let alike = alike.min(effective_count(matches.iter().map(|m| m.1)));
    // Matches that are all alike, as those without an error, say nothing of how they differ.
    let says = |se: &f64| alike >= LEAST_EFFECTIVE && *se > ROUND_OFF * value;
    let interval = |se: f64| of_positive(value, se, alike - 1.0);
    (n > 0).then(|| TrendEstimate {
        matches: n,
        value,
        se,
        ci95: se.filter(says).map(interval),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::figures::Rate;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn trend(all: &[(u32, f64)]) -> Trend {
        let mut trend = Trend::default();
        for &(decisions, pr) in all {
            let error = pr * f64::from(decisions) / 500.0;
            trend.push(&Figures {
                pr: Some(pr),
                pr_counted: Rate { decisions, error },
                ..Figures::default()
            });
        }
        trend
    }

    #[test]
    fn ratings_are_weighted_by_decisions() {
        let two = trend(&[(100, 4.0), (300, 8.0)]);
        let pr = two.pr().unwrap();
        assert!((pr.value - 7.0).abs() < 1e-12);
        // Without either match PR is 1 higher, or 3 lower: sqrt((1 + 9) / 2).
        assert!((pr.se.unwrap() - 5.0f64.sqrt()).abs() < 1e-12);
        // Two matches do not say how far matches lie apart.
        assert_eq!((two.slope(), two.latest(), pr.ci95), (None, None, None));
        // Nor do three, if one has nearly all decisions.
        let uneven = trend(&[(1000, 4.0), (10, 8.0), (10, 6.0)]);
        assert_eq!(uneven.pr().unwrap().ci95, None);
        // Three of one length, whose errors are worth 18² / (5² + 6² + 7²) like ones.
        let pr = trend(&[(100, 5.0), (100, 6.0), (100, 7.0)]).pr().unwrap();
        let (se, [low, high]) = (pr.se.unwrap(), pr.ci95.unwrap());
        assert!((se - 1.0 / 3.0f64.sqrt()).abs() < 1e-12);
        let factor = student_975(324.0 / 110.0 - 1.0) * se / 6.0;
        assert!((high / 6.0 - factor.exp()).abs() < 1e-9);
        assert!((low * high - 36.0).abs() < 1e-9);
        assert_eq!(trend(&[(10, 3.0)]).pr().unwrap().se, None);
        let without_error = trend(&[(10, 0.0), (20, 0.0)]).pr().unwrap();
        assert_eq!((without_error.value, without_error.ci95), (0.0, None));
        assert_eq!(trend(&[]).pr(), None);
    }

    /// The interval straight around the ratio, with the linearised error.
    fn straight(matches: &[(f64, f64)]) -> [f64; 2] {
        let n = matches.len() as f64;
        let weight: f64 = matches.iter().map(|m| m.0).sum();
        let value = matches.iter().map(|m| m.1).sum::<f64>() / weight;
        let squares: f64 = matches.iter().map(|(w, e)| (e - value * w).powi(2)).sum();
        let se = (squares * n / (n - 1.0)).sqrt() / weight;
        around(value, student_975(n - 1.0) * se)
    }

    /// Few decisions of which few are errors, and whole matches: the interval holds about as often as it says, and the
    /// simpler one does not. Nine errors of ten are small.
    #[test]
    fn the_rating_is_within_its_interval() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for (decisions, matches, least) in [
            (3..20, 5, 0.89),
            (3..20, 20, 0.91),
            (60..160, 3, 0.93),
            (60..160, 8, 0.93),
        ] {
            let (mut all, mut held) = (0, [0; 2]);
            for _ in 0..1500 {
                let one = |_| {
                    let count = rng.random_range(decisions.clone());
                    let error = (0..count).map(|_| match rng.random_range(0..30) {
                        0 => -75.0 * rng.random_range(1e-9..1.0f64).ln(),
                        1..=3 => -15.0 * rng.random_range(1e-9..1.0f64).ln(),
                        4..=12 => -2.5 * rng.random_range(1e-9..1.0f64).ln(),
                        _ => 0.0,
                    });
                    (f64::from(count), error.sum())
                };
                let sums: Vec<(f64, f64)> = (0..matches).map(one).collect();
                let Some(own) = ratio(&sums).and_then(|pr| pr.ci95) else {
                    continue;
                };
                let mean = (75.0 + 3.0 * 15.0 + 9.0 * 2.5) / 30.0;
                all += 1;
                for (held, [low, high]) in held.iter_mut().zip([own, straight(&sums)]) {
                    *held += u32::from(low <= mean && mean <= high);
                }
            }
            let [own, straight] = held.map(|n| f64::from(n) / f64::from(all));
            let case =
                format!("{decisions:?}, {matches} of {all}: {own:.3}, straight {straight:.3}");
            println!("{case}");
            assert!(own >= least && own > straight, "{case}");
        }
    }

    /// Few matches of uneven length without a trend: its interval leaves 0 out about as often as it says.
    #[test]
    fn chance_is_seldom_called_a_trend() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for n in [8, 20] {
            let runs = 3000;
            let mut alarms = 0;
            for _ in 0..runs {
                let mut trend = Trend::default();
                for _ in 0..n {
                    let w = rng.random_range(40.0..200.0f64).floor();
                    // A mean of 6, rarely much more.
                    let pr = 3.0 - 3.0 * rng.random_range(1e-6..1.0f64).ln();
                    trend.matches.push((w, w * pr));
                }
                let ci95 = trend.slope().unwrap().ci95.unwrap();
                alarms += u32::from(excludes_zero(ci95));
            }
            let share = f64::from(alarms) / f64::from(runs);
            assert!((0.02..0.062).contains(&share), "{n} matches: {share}");
        }
    }

    #[test]
    fn matches_that_were_copied_on_one_day_have_no_order() {
        let known = |days: &[&str]| order_is_known(days.iter().copied());
        assert!(known(&[]) && known(&["2026-11-20~"]));
        assert!(known(&["2026-11-20~", "2026-11-21~", "2026-11-22~"]));
        assert!(known(&["2026-11-20", "2026-11-20", "2026-11-20"]));
        assert!(known(&[
            "2026-11-20~",
            "2026-11-20~",
            "2025-01-02",
            "2025-03-04"
        ]));
        assert!(!known(&["2026-11-20~", "2026-11-20~", "2025-01-02"]));
        // Nor do a year or a month tell it, or nothing.
        for day in ["2026", "2026-03", ""] {
            assert!(!known(&[day, day, "2025-01-02"]), "{day}");
            assert!(known(&[day, "2025-01-02", "2025-01-03"]), "{day}");
        }
    }

    #[test]
    fn a_straight_line_has_its_slope_and_no_error() {
        let all: Vec<_> = (0..12)
            .map(|i| (100 + 7 * i, 9.0 - 0.25 * f64::from(i)))
            .collect();
        let slope = trend(&all).slope().unwrap();
        assert!((slope.value + 2.5).abs() < 1e-9, "{}", slope.value);
        assert!(slope.se.unwrap() < 1e-9);
        let latest = trend(&all).latest().unwrap();
        assert_eq!(latest.matches, 10);
    }

    fn change(matches: usize, ci95: [f64; 2]) -> TrendEstimate {
        TrendEstimate {
            matches,
            value: (ci95[0] + ci95[1]) / 2.0,
            se: Some(1.0),
            ci95: Some(ci95),
        }
    }

    #[test]
    fn a_trend_is_told_only_where_the_matches_carry_it() {
        assert!(!change(3, [-472.73, 488.97]).says_something());
        assert!(!change(7, [1.0, 2.0]).says_something());
        assert!(change(8, [1.0, 9.0]).says_something());
        assert!(change(20, [-1.5, 1.0]).says_something());
        assert!(!change(20, [-6.0, 1.0]).says_something());
    }

    /// A change for the better is told with its interval, as one for the worse is.
    #[test]
    fn a_change_has_its_interval_whatever_its_direction() {
        for ci95 in [[2.43, 27.68], [-27.68, -2.43]] {
            assert_eq!(change(10, ci95).telling(), Some(ci95));
        }
        // Of a rating that may be more than ten times as large nothing is told.
        let wide = TrendEstimate {
            value: 2.0,
            ..change(10, [0.1, 40.0])
        };
        assert_eq!(wide.telling(), None);
    }
}
