//! A study plan in words and figures, as the screen and the command line tell it.

use super::history::PlayerSummary;
use super::plan::FamilyFinding;
use super::plan_habits::HabitFinding;
use super::player_record::OpponentRecord;
use crate::review::report::SAYS_NOTHING;
use crate::review::trend::TrendEstimate;
use crate::stats::interval::informative;

/// Tells a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlanWords<'a> {
    summary: &'a PlayerSummary,
}

impl<'a> PlanWords<'a> {
    /// Heads of what [`family`](Self::family) tells.
    pub const FAMILY_COLUMNS: [&'static str; 6] = [
        "family",
        "decisions",
        "lost",
        "reference",
        "recoverable",
        "95% interval",
    ];

    /// The words of a plan.
    pub fn of(summary: &'a PlayerSummary) -> Self {
        Self { summary }
    }

    /// Heads of what [`opponent`](Self::opponent) tells.
    pub fn opponent_columns(&self) -> [&'static str; 6] {
        let contests = if self.summary.is_money {
            "sessions"
        } else {
            "matches"
        };
        [
            "opponent",
            contests,
            "won–lost",
            "result",
            "luck-adjusted",
            "95% interval",
        ]
    }

    fn matches(&self, n: usize) -> String {
        Self::counted(self.summary.is_money, n)
    }

    fn counted(is_money: bool, n: usize) -> String {
        match (is_money, n) {
            (true, 1) => "1 session".to_owned(),
            (true, n) => format!("{n} sessions"),
            (false, 1) => "1 match".to_owned(),
            (false, n) => format!("{n} matches"),
        }
    }

    /// A loss as text: in percent for matches, in points for money.
    fn value(&self, value: f64) -> String {
        match self.summary.is_money {
            true => format!("{value:.3}"),
            false => format!("{:.2}%", 100.0 * value),
        }
    }

    /// The first line: `Anna: 34 matches, PR 5.32 (95% 4.90 … 5.80); 2340 decisions looked at`.
    pub fn head(&self) -> String {
        let PlayerSummary { player, plan, .. } = self.summary;
        let matches = self.matches(plan.matches);
        let pr = self.summary.record.pr;
        let number = |value: f64| format!("{value:.2}");
        let interval = pr.map(|pr| pr.in_brackets(&number)).unwrap_or_default();
        let value = pr.map_or(plan.pr, |pr| pr.value);
        format!(
            "{player}: {matches}, PR {value:.2}{interval}; {} decisions looked at",
            plan.decisions
        )
    }

    /// Says what is not counted, as money sessions and matches to a length are not mixed; `None` where all
    /// is.
    pub fn not_counted(&self) -> Option<String> {
        let n = self.summary.not_counted;
        let other = if self.summary.is_money { "" } else { "money " };
        let are = if n == 1 { "is" } else { "are" };
        let count = Self::counted(!self.summary.is_money, n);
        let (number, what) = count.split_once(' ')?;
        (n > 0).then(|| format!("{number} {other}{what} {are} not counted here"))
    }

    /// Says how PR changes, where the matches say anything of it.
    pub fn trend(&self) -> Option<String> {
        let trend = self.summary.record.pr_change_in_ten_matches?;
        let [low, high] = trend.ci95?;
        let change = match (low > 0.0, high < 0.0) {
            (true, _) => format!("PR rises by {:.2}", trend.value),
            (_, true) => format!("PR falls by {:.2}", -trend.value),
            _ => "no change of PR shows".to_owned(),
        };
        Some(format!(
            "{change} in ten matches (95% interval {low:+.2} … {high:+.2})"
        ))
    }

    /// Says where PR changed: `PR fell about 2026-03-05: 8.10 in 20 matches before (95% 7.50 … 8.70), …`.
    pub fn change(&self) -> Option<String> {
        let change = self.summary.record.pr_change_point.as_ref()?;
        let side = |estimate: &TrendEstimate, when: &str| {
            let matches = self.matches(estimate.matches);
            let interval = estimate.in_brackets(&|value| format!("{value:.2}"));
            format!("{:.2} in {matches} {when}{interval}", estimate.value)
        };
        let word = match change.after.value < change.before.value {
            true => "fell",
            false => "rose",
        };
        Some(format!(
            "PR {word} about {}: {}, {} (p {:.4})",
            change.date,
            side(&change.before, "before"),
            side(&change.after, "since"),
            change.p
        ))
    }

    /// Says how lucky the player was, in standard deviations; `None` where no luck is known.
    pub fn luck(&self) -> Option<String> {
        let luck = self.summary.record.luck?;
        let unit = if self.summary.is_money {
            "points"
        } else {
            "matches"
        };
        let word = if luck.net < 0.0 { "unlucky" } else { "lucky" };
        Some(format!(
            "{:.1} standard deviations {word}: {:+.2} {unit} (expected standard deviation {:.2})",
            luck.deviations.abs(),
            luck.net,
            luck.spread
        ))
    }

    /// Says whom the player is held against.
    pub fn reference(&self) -> String {
        let plan = &self.summary.plan;
        let nearest = match plan.differs_from_request {
            true => ", the nearest that these decisions allow",
            false => "",
        };
        format!(
            "reference: PR {:.2} (temperature {:.4} points{nearest})",
            plan.reference_pr, plan.temperature
        )
    }

    /// Says what the families' figures are.
    pub fn families(&self) -> &'static str {
        match self.summary.is_money {
            true => "points lost per session, the largest recoverable loss first",
            false => "match-winning chance lost per match, the largest recoverable loss first",
        }
    }

    /// Says why no family is reported.
    pub fn no_family(&self) -> String {
        let tested = self.summary.plan.tested;
        let (kinds, have) = match tested {
            1 => ("family", "has"),
            _ => ("families", "have"),
        };
        format!(
            "no family is clearly worse than a reference player's yet: \
             {tested} {kinds} {have} five decisions or more"
        )
    }

    /// A family in columns.
    pub fn family(&self, one: &FamilyFinding) -> [String; 6] {
        [
            one.family.name(),
            one.decisions.to_string(),
            self.value(one.lost),
            self.value(one.reference),
            self.value(one.recoverable),
            match (self.family_interval(one), one.ci95) {
                (Some(interval), _) => interval,
                (None, None) => "–".to_owned(),
                (None, _) => SAYS_NOTHING.to_owned(),
            },
        ]
    }

    /// The interval of what a family loses more than the reference, as text, if it says anything. Nobody loses more
    /// than a whole match in a match.
    pub fn family_interval(&self, one: &FamilyFinding) -> Option<String> {
        let is_possible = |high: f64| self.summary.is_money || high < 1.0;
        let told = one.telling().filter(|[_, high]| is_possible(*high));
        told.map(|[low, high]| format!("{} … {}", self.value(low), self.value(high)))
    }

    /// A habit in a few words.
    pub fn habit_in_short(one: &HabitFinding) -> String {
        let much = if one.too_often {
            "too often"
        } else {
            "too rarely"
        };
        format!(
            "{} {much}: {:.0}% of {}, expected {:.0}%",
            one.habit.name(),
            100.0 * one.share,
            one.decisions,
            100.0 * one.expected
        )
    }

    /// A habit in a sentence.
    pub fn habit(one: &HabitFinding) -> String {
        let much = if one.too_often {
            "too often"
        } else {
            "too rarely"
        };
        let percent = |share: f64| format!("{:.0}%", 100.0 * share);
        format!(
            "{} {much}: {} of {} {} (95% interval {} … {}), expected {}",
            one.habit.name(),
            percent(one.share),
            one.decisions,
            one.habit.decisions(),
            percent(one.ci95[0]),
            percent(one.ci95[1]),
            percent(one.expected)
        )
    }

    /// Says what the record against each opponent is.
    pub fn opponents(&self) -> &'static str {
        match self.summary.is_money {
            true => "against each opponent, in points",
            false => "against each opponent, in matches won",
        }
    }

    /// A record in columns.
    pub fn opponent(&self, one: &OpponentRecord) -> [String; 6] {
        let interval = one.luck_adjusted_ci95.map_or_else(
            || "–".to_owned(),
            |interval| {
                match self.summary.is_money {
                    true => Some(interval),
                    false => informative(interval, [0.0, one.matches as f64]),
                }
                .map_or_else(
                    || SAYS_NOTHING.to_owned(),
                    |[low, high]| format!("{low:.2} … {high:.2}"),
                )
            },
        );
        [
            one.opponent.clone(),
            one.matches.to_string(),
            format!("{}–{}", one.won, one.lost),
            format!("{:.2}", one.result),
            format!("{:.2}", one.luck_adjusted_result),
            interval,
        ]
    }
}
