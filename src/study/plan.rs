//! Where a player loses more than need be: families of decisions and habits, held against a reference player.
//!
//! The reference chooses among the options of a decision with probabilities in proportion to `exp(−cost
//! / temperature)`. The temperature is fitted so that it has the performance rating that was chosen,
//! over the same decisions. What a player loses beyond it is *recoverable*.
//!
//! A family is reported where it has five members or more, the lower bound of its 95 % interval is positive,
//! and the reference would hardly ever lose so much: Chernoff's bound on that chance, valid for every number
//! of decisions, lies below 5 % over all families together (Bonferroni). So a player who plays like the
//! reference gets a family reported in at most 5 % of all plans. Habits are tested the same way, against a reference
//! player who loses as much as the player where the habit could show itself.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::plan_decision::{PlanDecision, fitted};
use super::plan_habits::{FALSE_ALARMS, HabitFinding, habits};
use crate::library::filter::ScoreRegion;
use crate::review::trend::WIDEST_SHOWN;
use crate::review::{Class, PositionType};
use crate::stats::chernoff::chernoff;
use crate::stats::interval::of_losses;

/// Performance rating of the reference player, if nothing is said.
pub const REFERENCE_RATING: f64 = 5.0;
/// The least and the most that it may be.
pub const RATINGS: [f64; 2] = [0.5, 50.0];
/// Fewest members of a family that is reported.
const LEAST: usize = 5;
/// Ratings that differ by less are shown as the same.
const SAME_PR: f64 = 0.005;

/// Decisions of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    Kind(Class, PositionType),
    Score(Class, ScoreRegion),
}

impl Family {
    /// All families that there are.
    pub fn all() -> impl Iterator<Item = Self> {
        Class::ALL.into_iter().flat_map(|class| {
            let kinds = PositionType::ALL.into_iter();
            let regions = ScoreRegion::ALL.into_iter();
            let of_kind = kinds.map(move |kind| Self::Kind(class, kind));
            of_kind.chain(regions.map(move |region| Self::Score(class, region)))
        })
    }

    /// The family of this name, whatever its case.
    pub fn named(name: &str) -> Option<Self> {
        let is_it = |family: &Self| family.name().eq_ignore_ascii_case(name.trim());
        Self::all().find(is_it)
    }

    /// The filter that finds the decisions of the family in the library.
    pub fn filter(&self) -> String {
        match self {
            Self::Kind(of, kind) => {
                format!("class:{} kind:{}", of.filter(), kind.filter())
            }
            Self::Score(of, region) => format!("class:{} score:{}", of.filter(), region.filter()),
        }
    }

    /// Name of the family: `taking, holding game`.
    pub fn name(&self) -> String {
        match self {
            Self::Kind(class, kind) => format!("{}, {}", class.name(), kind.name()),
            Self::Score(class, region) => format!("{}, {}", class.name(), region.name()),
        }
    }
}

/// A family in which more is lost than the reference loses. Losses are per match: match-winning chances, or, for money,
/// points times the cube.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FamilyFinding {
    #[serde(serialize_with = "name")]
    pub family: Family,
    pub decisions: usize,
    /// Loss of the player.
    pub lost: f64,
    /// Mean loss of the reference in the same decisions.
    pub reference: f64,
    /// Loss of the player beyond the reference's.
    pub recoverable: f64,
    /// Its fixed-sample 95 % interval: of the losses of each game ([`of_losses`]), less what the reference loses. None
    /// where a game or two have all the losses.
    pub ci95: Option<[f64; 2]>,
    /// A bound on the chance that the reference loses as much.
    pub p: f64,
}

fn name<S: Serializer>(family: &Family, to: S) -> Result<S::Ok, S::Error> {
    family.name().serialize(to)
}

impl FamilyFinding {
    /// Returns whether the interval lies above zero.
    fn is_above_zero(&self) -> bool {
        self.ci95.is_some_and(|[low, _]| low > 0.0)
    }

    /// The interval, where it tells more than that the loss may be ten times as large.
    pub(super) fn telling(&self) -> Option<[f64; 2]> {
        let most = WIDEST_SHOWN * self.lost;
        self.ci95.filter(|[_, high]| high + self.reference <= most)
    }
}

/// Subjects that a player should work on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    pub matches: usize,
    /// Decisions that count.
    pub decisions: usize,
    /// The player's rating over them.
    pub pr: f64,
    /// Rating of the reference.
    pub reference_pr: f64,
    /// The reference differs from the requested one: it is the nearest that these decisions allow.
    #[serde(skip)]
    pub differs_from_request: bool,
    /// Temperature of the reference, in points.
    pub temperature: f64,
    /// Families with members enough, reported or not.
    #[serde(rename = "families_tested")]
    pub tested: usize,
    /// Families that are reported, the largest recoverable loss first.
    #[serde(skip)]
    pub families: Vec<FamilyFinding>,
    /// The others, in the same order.
    #[serde(skip)]
    pub unreported: Vec<FamilyFinding>,
    /// Habits that are reported.
    pub habits: Vec<HabitFinding>,
}

impl Plan {
    /// The families to show: those that are reported, or all where none is.
    pub fn listed(&self) -> &[FamilyFinding] {
        match self.families.is_empty() {
            true => &self.unreported,
            false => &self.families,
        }
    }
}

/// Compares the decisions of a player in so many matches with a reference player of this rating.
/// `None` without decisions.
pub fn plan(all: &[PlanDecision], matches: usize, reference_pr: f64) -> Option<Plan> {
    if all.is_empty() || matches == 0 {
        return None;
    }
    let temperature = fit(all, reference_pr);
    let rated = rating(all, |one| one.expected(temperature));
    let rated = match (rated - reference_pr).abs() < SAME_PR {
        true => reference_pr,
        false => rated,
    };
    let mut members: BTreeMap<Family, Vec<&PlanDecision>> = BTreeMap::new();
    for one in all {
        let class = one.class;
        members
            .entry(Family::Kind(class, one.kind))
            .or_default()
            .push(one);
        members
            .entry(Family::Score(class, one.region))
            .or_default()
            .push(one);
    }
    members.retain(|_, of_it| of_it.len() >= LEAST);
    let tested = members.len();
    let is_reported =
        |found: &FamilyFinding| found.is_above_zero() && found.p * tested as f64 <= FALSE_ALARMS;
    let (mut families, mut unreported): (Vec<FamilyFinding>, Vec<_>) = members
        .iter()
        .map(|(family, of_it)| finding(*family, of_it, temperature, matches))
        .partition(is_reported);
    for all in [&mut families, &mut unreported] {
        all.sort_by(|a, b| b.recoverable.total_cmp(&a.recoverable));
    }
    Some(Plan {
        matches,
        decisions: all.len(),
        pr: rating(all, PlanDecision::cost),
        reference_pr: rated,
        differs_from_request: rated != reference_pr,
        temperature,
        tested,
        families,
        unreported,
        habits: habits(all),
    })
}

/// The performance rating of a player who gives away so many points in each decision. Each match counts as its own
/// length has it, as in the player's record.
fn rating(all: &[PlanDecision], points: impl Fn(&PlanDecision) -> f64) -> f64 {
    let each = all.iter().map(|one| one.pr_factor * points(one));
    each.sum::<f64>() / all.len() as f64
}

/// The temperature at which the reference has this rating, or the next possible one.
fn fit(all: &[PlanDecision], pr: f64) -> f64 {
    fitted(pr, |temperature| {
        rating(all, |one| one.expected(temperature))
    })
}

fn finding(
    family: Family,
    members: &[&PlanDecision],
    temperature: f64,
    matches: usize,
) -> FamilyFinding {
    let per = matches as f64;
    // What is wrong once in a game is often wrong on the next roll too.
    let mut by_game: BTreeMap<usize, f64> = BTreeMap::new();
    for one in members {
        *by_game.entry(one.game).or_default() += one.point * one.cost();
    }
    let losses: Vec<f64> = by_game.into_values().collect();
    let sum =
        |of: &dyn Fn(&PlanDecision) -> f64| -> f64 { members.iter().map(|one| of(one)).sum() };
    let lost: f64 = losses.iter().sum();
    let reference = sum(&|one| one.point * one.expected(temperature));
    let interval = of_losses(&losses);
    let ci95 = interval.map(|bounds| bounds.map(|bound| (bound - reference) / per));
    let mut found = FamilyFinding {
        family,
        decisions: members.len(),
        lost: lost / per,
        reference: reference / per,
        recoverable: (lost - reference) / per,
        ci95,
        p: 1.0,
    };
    // It takes long, and is of no use where the interval says enough.
    if found.is_above_zero() {
        found.p = chance_of_as_much(members, temperature, lost);
    }
    found
}

/// A bound on the chance that the reference loses at least so much.
fn chance_of_as_much(members: &[&PlanDecision], temperature: f64, lost: f64) -> f64 {
    let terms: Vec<Vec<(f64, f64)>> = members
        .iter()
        .map(|one| {
            let chances = one.chances(temperature).into_iter();
            let losses = one.options.iter().map(|option| option.cost * one.point);
            chances.zip(losses).collect()
        })
        .collect();
    chernoff(&terms, lost)
}

#[cfg(test)]
mod tests;
