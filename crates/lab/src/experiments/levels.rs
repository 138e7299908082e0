//! Measures loss and cost of the levels of analysis on decisions with an imported analysis.
//!
//! The reference (`judge` in names) is another program's deep analysis in a match file, or a list of decisions with
//! equities. Its own errors count against a level that differs from it, so losses at the deepest levels reflect
//! mostly the reference. Differences between two levels are paired: both decide the same positions.

use rayon::prelude::*;

use super::judged::AnalysedDecision;
use crate::cube::{CubeChoice, CubeDecision};
use crate::game::{GameState, Position};
use crate::match_file::{CubeUnit, Match, PlayVerdict};
use crate::review::{self, FAR_FROM_DOUBLE, MatchTurn};
use crate::rollout::{
    Coupling, CubeSettings, Level, Settings, Setup, StopRules, cpu_seconds, run_blocking,
};
use crate::stats::Moments;
use crate::stats::bounded::wilson;
use crate::stats::interval::NORMAL_975;

/// Parts of level names that are deep enough for a reference.
const DEEP: [&str; 4] = ["4-ply", "5-ply", "roller", "rollout"];

fn is_deep(level: &str) -> bool {
    let level = level.to_lowercase();
    DEEP.iter().any(|deep| level.contains(deep))
}

/// Returns the decisions of a match whose best play, at least, its file analyses deeply.
pub fn plays(record: &Match) -> Vec<AnalysedDecision> {
    let judged = |turn: MatchTurn| {
        let analysis = record.analyses.of(turn.game, turn.before.event)?;
        let state = turn.before.state;
        state.roll?;
        let best = analysis.plays.first()?;
        let of = |p: &PlayVerdict| (p.play.apply(&state.position), p.equity);
        let several = analysis.plays.len() > 1;
        (several && is_deep(&best.level)).then(|| AnalysedDecision {
            state,
            cubeful: true,
            plays: analysis.plays.iter().map(of).collect(),
        })
    };
    review::turns(record)
        .into_iter()
        .filter_map(judged)
        .collect()
}

/// A cube decision analysed by another program.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysedCube {
    /// Before the roll.
    pub state: GameState,
    /// The doubler's equity without a double and after double and take, in points of the present cube.
    pub values: [f64; 2],
}

impl AnalysedCube {
    /// Returns the losses in points of doubler and opponent by acting as `decision` says, each against the
    /// reference's best choice. The answer does not count if a double is far from correct.
    pub fn losses(&self, decision: &CubeDecision) -> [Option<f64>; 2] {
        let [hold, take] = self.values;
        let gain = take.min(1.0) - hold;
        let doubles = decision.gain().is_some_and(|ours| ours > 0.0);
        let near = gain.abs() < f64::from(FAR_FROM_DOUBLE) && hold > 0.0;
        let double = near.then(|| {
            if doubles == (gain > 0.0) {
                0.0
            } else {
                gain.abs()
            }
        });
        let takes = decision.answer() != Some(CubeChoice::Pass);
        let answer = if takes == (take <= 1.0) {
            0.0
        } else {
            (take - 1.0).abs()
        };
        [double, (gain > 0.0 || near && doubles).then_some(answer)]
    }
}

/// Returns the cube decisions of a match that its file analyses deeply.
pub fn cubes(record: &Match) -> Vec<AnalysedCube> {
    let judged = |turn: MatchTurn| {
        let analysis = record.analyses.of(turn.game, turn.before.event)?;
        let verdict = analysis.cube.as_ref().filter(|c| is_deep(&c.level))?;
        let state = turn.before.state.roller().before_roll();
        let points = verdict.unit == CubeUnit::Points && state.may_double();
        let values = [verdict.no_double?, verdict.double_take?];
        points.then_some(AnalysedCube { state, values })
    };
    review::turns(record)
        .into_iter()
        .filter_map(judged)
        .collect()
}

/// Decides at a level. Returns the losses of doublers and of the players who answer.
pub fn decide(setup: &Setup, level: Level, decisions: &[AnalysedCube]) -> [LevelRecord; 2] {
    let one = |d: &AnalysedCube| {
        let began = cpu_seconds();
        let ours = level.decide(setup, &d.state, &|| false)?;
        let seconds = cpu_seconds() - began;
        Some((d.losses(&ours.decision), ours.rolled.is_some(), seconds))
    };
    // A failed decision keeps its index, so that levels are compared on the same decisions.
    let found: Vec<_> = decisions.par_iter().map(one).collect();
    let seconds = found.iter().flatten().map(|f| f.2).sum();
    let rolled = found.iter().flatten().filter(|f| f.1).count();
    let loss = |one: &Option<([Option<f64>; 2], bool, f64)>, i: usize| {
        one.as_ref().and_then(|f| f.0[i]).unwrap_or(f64::NAN)
    };
    [0, 1].map(|i| LevelRecord {
        losses: found.iter().map(|one| loss(one, i)).collect(),
        chosen: Vec::new(),
        seconds,
        rolled,
    })
}

/// Loss and cost of a level.
#[derive(Clone, Debug, Default)]
pub struct LevelRecord {
    /// Loss of each decision in points, by the reference; NaN if there was nothing to decide.
    pub losses: Vec<f64>,
    /// For each checker-play decision the position after the chosen play; `None` if there was nothing to decide.
    pub chosen: Vec<Option<Position>>,
    /// Total CPU seconds.
    pub seconds: f64,
    /// Number of decisions whose best plays were rolled out.
    pub rolled: usize,
}

impl LevelRecord {
    /// Mean loss and its standard error, in points.
    pub fn loss(&self) -> [f64; 2] {
        mean_and_error(self.losses.iter().copied())
    }

    /// Mean gain over `other` and its standard error, in points.
    pub fn less_than(&self, other: &Self) -> [f64; 2] {
        let pairs = other.losses.iter().zip(&self.losses);
        mean_and_error(pairs.map(|(other, own)| other - own))
    }
}

fn mean_and_error(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut moments = Moments::default();
    let decided = values.filter(|value| !value.is_nan());
    decided.for_each(|value| moments.push(value));
    let error = (moments.variance() / moments.count().max(1) as f64).sqrt();
    [moments.mean(), error]
}

/// Chooses at a level in all decisions.
pub fn choose(setup: &Setup, level: Level, decisions: &[AnalysedDecision]) -> LevelRecord {
    let one = |d: &AnalysedDecision| {
        let (roll, began) = (d.state.roll?, cpu_seconds());
        let plays = level.analyse(setup, &d.state, roll, d.cubeful, &|| false)?;
        let (best, seconds) = (plays.first()?, cpu_seconds() - began);
        let loss = d.loss(&best.candidate.result);
        let rolled = best.rolled.is_some();
        Some((loss, rolled, seconds, best.candidate.result))
    };
    let all: Vec<_> = decisions.par_iter().map(one).collect();
    LevelRecord {
        seconds: all.iter().flatten().map(|c| c.2).sum(),
        rolled: all.iter().flatten().filter(|c| c.1).count(),
        chosen: all.iter().map(|one| one.as_ref().map(|c| c.3)).collect(),
        losses: all
            .iter()
            .map(|one| one.as_ref().map_or(f64::NAN, |c| c.0))
            .collect(),
    }
}

/// The reference's own choices, which lose nothing by its equities.
pub fn judges(decisions: &[AnalysedDecision]) -> LevelRecord {
    let chosen = decisions.iter().map(AnalysedDecision::best);
    LevelRecord {
        losses: vec![0.0; decisions.len()],
        chosen: chosen.collect(),
        ..LevelRecord::default()
    }
}

/// Rollout results of decisions in which two levels choose different plays.
#[derive(Clone, Debug, Default)]
pub struct Disputes {
    /// For each decision the gain in points of the first level's play, and its standard error.
    pub gains: Vec<[f64; 2]>,
}

impl Disputes {
    /// Number of decisions in which the first and the second level is better by more than 1.96 standard errors.
    pub fn decided(&self) -> [usize; 2] {
        let clear = |sign: f64| move |g: &&[f64; 2]| sign * g[0] > NORMAL_975 * g[1];
        [1.0, -1.0].map(|sign| self.gains.iter().filter(clear(sign)).count())
    }

    /// Share of the clearly decided ones won by the first level, with its 95% interval (Wilson); `None` if none is
    /// decided.
    pub fn won(&self) -> Option<(f64, [f64; 2])> {
        let [better, worse] = self.decided().map(|n| n as f64);
        let n = better + worse;
        (n > 0.0).then(|| (better / n, wilson(better / n, n, NORMAL_975)))
    }

    /// Mean gain in points of the first level in a disputed decision, and its standard error.
    pub fn gain(&self) -> [f64; 2] {
        mean_and_error(self.gains.iter().map(|g| g[0]))
    }
}

/// Rolls out the differing choices of two levels to the end of the game at one ply, with `trials` trials each.
pub fn settle(
    setup: &Setup,
    decisions: &[AnalysedDecision],
    [first, other]: [&LevelRecord; 2],
    trials: u64,
) -> Disputes {
    let both = first.chosen.iter().zip(&other.chosen);
    let both = both.map(|(a, b)| a.zip(*b).filter(|(a, b)| a != b));
    let disputed: Vec<_> = decisions
        .iter()
        .zip(both)
        .filter_map(|(d, both)| Some((d, both?)))
        .collect();
    let one = |(d, (a, b)): &(&AnalysedDecision, (Position, Position))| {
        let settings = Settings {
            ply: 1,
            cube: d.cubeful.then(|| CubeSettings::after_play(&d.state)),
            coupling: Coupling::Dice,
            end_when_coalesced: true,
            stop: StopRules {
                trials,
                ..StopRules::default()
            },
            ..Settings::default()
        };
        let result = run_blocking(setup, &[*a, *b], &settings, &mut |_| true).ok()?;
        let difference = result.difference?;
        Some([difference.equity.mean, difference.equity.se])
    };
    Disputes {
        gains: disputed.par_iter().filter_map(one).collect(),
    }
}
