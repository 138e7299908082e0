//! Estimates the change of a rollout's equities by deeper play, with an interval of its own.
//!
//! A rollout's interval holds what would come out of endless trials played *so*. Where both sides play
//! at 0-ply, how much that is off is not in it. The check plays some of the trials again and looks at
//! each of their decisions one ply deeper than the deepest of them: what the choice costs by that lookahead counts for the
//! side that made it, as deeper play would have kept it. The sum over a game is what deeper play by both would have changed, and its mean over
//! trials estimates the change of the equity. For exact values this is an identity (the performance
//! difference lemma: Kakade and Langford 2002, "Approximately optimal approximate reinforcement
//! learning", lemma 6.1); here it is as good as the deeper look.

use std::collections::HashMap;
use std::sync::Mutex;

use rayon::prelude::*;

use super::plan::{self, WorkPlan};
use crate::cube::{Cube, CubeChoice, CubeDecision};
use crate::eval::{Evaluator, lookahead};
use crate::game::{PlayList, Position};
use crate::locks::lock;
use crate::rollout::request::check::checked;
use crate::rollout::request::coupling::{Coupling, Ranks};
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::limits::MOST_PLIES;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::request::settings::{Allocation, Settings};
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::cube_turn::FIRST_CUBE_PLY;
use crate::rollout::trials::cubeful::CubeRules;
use crate::rollout::trials::early_memory::FirstCubeKey;
use crate::rollout::trials::play_choice::CancelCheck;
use crate::rollout::trials::seats;
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};
use crate::rollout::trials::turn::{CubeTurn, Turn};
use crate::stats::Moments;
use crate::stats::interval::{LEAST_EFFECTIVE, around, effective_count, negated, student_975};

/// A change of an equity, in points, for the player who made the candidate play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BiasEstimate {
    /// Gain by deeper play.
    pub mean: f64,
    /// Standard error of the mean; infinite where all trials gave the same, so that there is no spread to
    /// estimate it from.
    pub standard_error: f64,
    /// 95% interval, for a number of trials fixed in advance, of what endless trials would show: what deeper play adds
    /// as the deeper look values it. The exact value may lie elsewhere. Everything where the trials that differ are too
    /// few to say how much trials differ.
    pub ci95: [f64; 2],
}

impl BiasEstimate {
    /// The change for the other player.
    pub fn flipped(&self) -> Self {
        Self {
            // Zero without a minus.
            mean: 0.0 - self.mean,
            ci95: negated(self.ci95),
            ..*self
        }
    }
}

/// Decisions of a rollout's trials, looked at one ply deeper than the deepest of them was made.
#[derive(Clone, Debug, PartialEq)]
pub struct BiasCheck {
    /// Plies of the deeper look.
    pub ply: u8,
    /// Trials of each candidate that were looked into.
    pub trials: u64,
    /// Decisions in them that left a choice.
    pub decisions: u64,
    /// Decisions that the deeper look makes otherwise.
    pub changed: u64,
    /// Gains by deeper play, by candidate and trial.
    gains: Vec<Vec<f64>>,
}

/// Sums over a trial's decisions.
#[derive(Clone, Copy, Default)]
struct TrialBias {
    gain: f64,
    decisions: u64,
    changed: u64,
}

impl TrialBias {
    fn count(&mut self, cost: f64) {
        self.decisions += 1;
        self.changed += u64::from(cost != 0.0);
        self.gain += cost;
    }
}

/// Checks a rollout's play, some trials at a time.
pub struct BiasChecker<'a> {
    setup: &'a Setup,
    settings: Settings,
    candidates: &'a [Position],
    plan: WorkPlan,
    /// Look deeper: for the player who made the candidate play, and for the opponent.
    pub(crate) deeper_evaluators: [&'a dyn Evaluator; 2],
    pub(crate) found: BiasCheck,
    /// Cube decisions before the first roll.
    first_cubes: Mutex<HashMap<FirstCubeKey, CubeDecision>>,
}

impl<'a> BiasChecker<'a> {
    /// Trials of a candidate that are looked into if nothing else is asked for.
    pub const TRIALS: u64 = 144;

    /// A check of the play of a rollout with these settings.
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense, or play that cannot be deeper.
    pub fn new(
        setup: &'a Setup,
        candidates: &'a [Position],
        settings: &Settings,
    ) -> Result<Self, RolloutError> {
        // Decisions do not depend on what is subtracted or shared.
        let alone = Settings {
            luck: LuckKind::None,
            luck_bound: None,
            settlement: None,
            coupling: Coupling::Dice,
            ranks: Ranks::default(),
            end_when_coalesced: false,
            allocation: Allocation::Equal,
            shard: None,
            ..settings.clone()
        };
        let settings = checked(&alone, candidates, setup)?;
        let ply = settings.deepest() + 1;
        if ply > MOST_PLIES {
            return Err(RolloutError::Ply { given: ply });
        }
        let own = &*setup.evaluator;
        Ok(Self {
            setup,
            deeper_evaluators: [own, setup.opponent.as_deref().unwrap_or(own)],
            plan: WorkPlan::new(&settings, candidates.len(), 0),
            settings,
            candidates,
            first_cubes: Mutex::default(),
            found: BiasCheck {
                ply,
                trials: 0,
                decisions: 0,
                changed: 0,
                gains: vec![Vec::new(); candidates.len()],
            },
        })
    }

    /// Looks into so many more trials of each candidate, on the threads of rayon's present pool; none of them
    /// counts if `cancelled` answers true on the way. Returns whether they count.
    pub fn extend(&mut self, trials: u64, cancelled: &(dyn Fn() -> bool + Sync)) -> bool {
        let first = self.found.trials;
        let count = self.candidates.len() as u64;
        let work: Vec<(usize, u64)> = (0..trials * count)
            .map(|n| ((n % count) as usize, first + n / count))
            .collect();
        let players = || {
            let never: CancelCheck<'_> = &|| false;
            TrialPlayers::new(PlayRules::new(self.setup, &self.settings, never))
        };
        let biases: Option<Vec<TrialBias>> = work
            .into_par_iter()
            .map_init(players, |players, (candidate, trial)| {
                self.look_into(players, candidate, trial, cancelled)
            })
            .collect();
        let Some(biases) = biases else { return false };
        for (n, bias) in biases.into_iter().enumerate() {
            self.found.gains[n % count as usize].push(bias.gain);
            self.found.decisions += bias.decisions;
            self.found.changed += bias.changed;
        }
        self.found.trials += trials;
        true
    }

    /// Returns the findings so far.
    pub fn found(&self) -> &BiasCheck {
        &self.found
    }

    /// Plays a trial again, and looks at its decisions.
    fn look_into(
        &self,
        players: &mut TrialPlayers<'_>,
        candidate: usize,
        trial: u64,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<TrialBias> {
        let mut dealer = plan::dealer(self.setup, &self.settings);
        players.log = Some(Vec::new());
        players.cube_log = Some(Vec::new());
        let start = self.candidates[candidate];
        let played = self
            .plan
            .alone(players, &mut dealer, start, candidate, trial);
        let turns = players.log.take().unwrap_or_default();
        let cube_turns = players.cube_log.take().unwrap_or_default();
        played.ok()?;
        let cube = CubeRules::new(self.setup, &self.settings);
        let mut bias = TrialBias::default();
        for turn in &turns {
            if let Some(cost) = self.cost_of_play(cube.as_ref(), turn, cancelled)? {
                bias.count(if turn.own { cost } else { -cost });
            }
        }
        for turn in &cube_turns {
            let cube = cube.as_ref()?;
            self.count_cube(&mut bias, cube, turn, cancelled)?;
        }
        Some(bias)
    }

    /// Points that a play costs by the deeper look; `Some(None)` where there was no choice, `None` if
    /// cancelled.
    fn cost_of_play(
        &self,
        cube: Option<&CubeRules<'_>>,
        turn: &Turn,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<Option<f64>> {
        let list = PlayList::of(&turn.position, turn.roll);
        if list.results().len() < 2 {
            return Some(None);
        }
        let evaluator = self.deeper_evaluators[seats::player(turn.own)];
        let (ply, filter) = (self.found.ply, self.settings.filter);
        let Some(rules) = cube else {
            let (position, roll) = (&turn.position, turn.roll);
            let all =
                lookahead::candidates(evaluator, position, roll, ply, filter, &|| cancelled())?;
            let made = all.iter().find(|c| c.result == turn.result)?;
            let value = if made.ply == ply {
                made.equity
            } else {
                let after = lookahead::evaluate(evaluator, &made.result, ply, &|| cancelled())?;
                after.flipped().equity()
            };
            return Some(Some(f64::from(all[0].equity - value).max(0.0)));
        };
        let cube = turn.cube_state?;
        let state = rules.state(turn.own, cube, turn.position);
        let model = rules.model;
        let all = model.candidates(evaluator, &state, turn.roll, ply, filter, &|| cancelled())?;
        let made = all.iter().find(|c| c.candidate.result == turn.result)?;
        let value = if made.candidate.ply == ply {
            made.cubeful
        } else {
            let deeper = model.analyse(evaluator, &state, made.candidate, ply, &|| cancelled())?;
            deeper.cubeful
        };
        let points = (all[0].cubeful - value).max(0.0);
        Some(Some(own_points(rules, turn.own, cube, points)))
    }

    /// Counts the decisions about a cube: whether to double, and the answer. A first one is looked at more deeply than it
    /// was made, too.
    fn count_cube(
        &self,
        bias: &mut TrialBias,
        rules: &CubeRules<'_>,
        turn: &CubeTurn,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<()> {
        let state = rules.state(turn.own, turn.cube_state, turn.position);
        let decide = |by_own: bool| {
            let player = seats::player(by_own);
            let look = |ply| {
                let evaluator = self.deeper_evaluators[player];
                let model = rules.model;
                model.decide(evaluator, &state, ply, &|| cancelled())
            };
            if !turn.is_first {
                return look(self.found.ply);
            }
            // It is the same in all trials of a candidate.
            let key = (turn.position, turn.cube_state, player);
            let mut firsts = lock(&self.first_cubes);
            if let Some(decision) = firsts.get(&key) {
                return Some(*decision);
            }
            let decision = look(self.found.ply.max(FIRST_CUBE_PLY + 1))?;
            firsts.insert(key, decision);
            Some(decision)
        };
        let choice = match turn.answer {
            None => CubeChoice::NoDouble,
            Some(_) => CubeChoice::Double,
        };
        let signed = |by_own: bool, points: f32| {
            let points = own_points(rules, turn.own, turn.cube_state, points);
            if by_own { points } else { -points }
        };
        let decision = decide(turn.own)?;
        bias.count(signed(turn.own, decision.error(choice).unwrap_or(0.0)));
        if let Some(answer) = turn.answer {
            let decision = decide(!turn.own)?;
            bias.count(signed(!turn.own, decision.error(answer).unwrap_or(0.0)));
        }
        Some(())
    }
}

/// `points` on the cube as it stands, in points on the cube with which the rollout began.
fn own_points(rules: &CubeRules<'_>, own: bool, cube: Cube, points: f32) -> f64 {
    let context = rules.context(own);
    let at = |points| f64::from(context.from_points(cube.level, points));
    rules.difference(true, at(points) - at(0.0))
}

impl BiasCheck {
    /// Returns the gain by deeper play in the equity of a candidate, in points.
    pub fn of(&self, candidate: usize) -> BiasEstimate {
        estimate(self.gains[candidate].iter().copied())
    }

    /// Returns the gain by deeper play of candidate `a` less that of candidate `b`, in points.
    /// Their trials have the same dice.
    pub fn of_difference(&self, a: usize, b: usize) -> BiasEstimate {
        let pairs = self.gains[a].iter().zip(&self.gains[b]);
        estimate(pairs.map(|(a, b)| a - b))
    }

    pub fn candidates(&self) -> usize {
        self.gains.len()
    }
}

pub(crate) fn estimate(gains: impl Iterator<Item = f64> + Clone) -> BiasEstimate {
    let mut moments = Moments::default();
    gains.clone().for_each(|gain| moments.push(gain));
    // A check that found nothing to change has not shown that there is nothing.
    let standard_error = match moments.squares() > 0.0 {
        true => moments.standard_error(),
        false => f64::INFINITY,
    };
    let mean = moments.mean();
    // Most trials are alike, so how much they differ rests on those that are not.
    let far = effective_count(gains.map(|gain| (gain - mean) * (gain - mean)));
    let dof = match far >= LEAST_EFFECTIVE {
        true => far - 1.0,
        false => 0.0,
    };
    BiasEstimate {
        mean,
        standard_error,
        ci95: around(mean, student_975(dof) * standard_error),
    }
}
