//! Choices that a player makes too often or too rarely, for a player of the same strength.
//!
//! The share in which a habit shows itself depends on how many errors somebody makes: who makes fewer comes nearer to that
//! of the best choices, whatever that is. So the player is not held against the reference player that was named. For each
//! habit there is one who loses as much as the player in the close decisions in which it could show itself: many are
//! stronger at plays than at the cube, or the reverse.

use serde::Serialize;

use super::plan_decision::{Habit, PlanDecision, fitted};
use crate::stats::bounded::wilson;
use crate::stats::chernoff::chernoff;
use crate::stats::portable::normal_quantile;

/// How often a player who plays like the reference gets anything reported, for families and habits
/// each.
pub const FALSE_ALARMS: f64 = 0.05;
/// With and without a habit, the best options differ by less than this, in points.
const CLOSE_HABIT: f64 = 0.15;
/// Fewest decisions in which a habit that is reported could show itself.
const LEAST: usize = 20;

/// A habit that is reported.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HabitFinding {
    pub habit: Habit,
    /// Too often, or too rarely.
    pub too_often: bool,
    /// Close decisions in which it could show itself.
    pub decisions: usize,
    /// The share in which it did.
    pub share: f64,
    /// Its fixed-sample 95 % interval (Wilson).
    pub ci95: [f64; 2],
    /// The share of a reference player who loses as much in these decisions.
    pub expected: f64,
    /// A bound on the chance that this reference is so far from its share, on that side.
    pub p: f64,
}

/// The habits that are reported. The decisions are chosen by the options, of which the play that was made is always one.
/// So a decision may be close by that play alone, and the bound is approximate.
pub(super) fn habits(all: &[PlanDecision]) -> Vec<HabitFinding> {
    let tested: Vec<HabitFinding> = Habit::ALL
        .into_iter()
        .filter_map(|habit| tested(habit, all))
        .collect();
    // Either side of each.
    let looks = 2.0 * tested.len() as f64;
    let significant = tested
        .into_iter()
        .filter(|found| found.p * looks <= FALSE_ALARMS);
    significant.collect()
}

fn tested(habit: Habit, all: &[PlanDecision]) -> Option<HabitFinding> {
    let close: Vec<&PlanDecision> = all.iter().filter(|one| is_close(habit, one)).collect();
    let n = close.len();
    if n < LEAST {
        return None;
    }
    let lost: f64 = close.iter().map(|one| one.cost()).sum();
    let temperature = fitted(lost, |temperature| {
        let losses = close.iter().map(|one| one.expected(temperature));
        losses.sum()
    });
    let has = |one: &PlanDecision, i: usize| one.options[i].habits.contains(&habit);
    let chance = |one: &&PlanDecision| -> f64 {
        let by_option = one.chances(temperature).into_iter().enumerate();
        by_option
            .filter(|(i, _)| has(one, *i))
            .map(|(_, chance)| chance)
            .sum()
    };
    let chances: Vec<f64> = close.iter().map(chance).collect();
    let done = close.iter().filter(|one| has(one, one.made)).count();
    let expected: f64 = chances.iter().sum();
    let too_often = done as f64 > expected;
    // Of what is done too rarely, how often it is not done.
    let side = |p: f64| if too_often { p } else { 1.0 - p };
    let count = if too_often { done } else { n - done };
    let terms: Vec<Vec<(f64, f64)>> = chances
        .iter()
        .map(|p| vec![(1.0 - side(*p), 0.0), (side(*p), 1.0)])
        .collect();
    let share = done as f64 / n as f64;
    Some(HabitFinding {
        habit,
        too_often,
        decisions: n,
        share,
        ci95: wilson(share, n as f64, normal_quantile(0.025)),
        expected: expected / n as f64,
        p: chernoff(&terms, count as f64),
    })
}

/// Returns whether the habit could be followed and not followed in a decision, at little cost either way.
fn is_close(habit: Habit, one: &PlanDecision) -> bool {
    let least = |with: bool| {
        let options = one.options.iter();
        let of_it = options.filter(|option| option.habits.contains(&habit) == with);
        of_it.map(|option| option.cost).min_by(f64::total_cmp)
    };
    let both = least(true).zip(least(false));
    both.is_some_and(|(with, without)| (with - without).abs() < CLOSE_HABIT)
}
