//! Which coupling, and which luck, serves best for the plays at hand: by experience, or by a short pilot.
//!
//! *Experience.* Where lookahead measures the luck, the same dice were best, or a few hundredths off the
//! best, in 36 decisions of six kinds, at 0-ply and at 1-ply (`docs/methods/coupled-dice.md`). A
//! pilot of seven pairs of coupling and luck costs some 650 pairs of trials, so it gains in long rollouts only. A
//! comparison of fewer than [`LONG`] trials goes by experience and tries nothing. Neither does one
//! whose rolls come from a file. It can have the same dice only, and a pilot would play the very
//! games that are counted later.
//!
//! *The pilot* finds out which coupling, and which luck, serves best for the plays at hand.
//!
//! The criterion is the variance of the difference times the cost of a trial.
//! The seconds to a given standard error are proportional to it.
//! Cost is counted in rolls whose plays were generated and evaluated, not read off a clock.
//! So the choice is the same on every machine, at any load, for any number of threads.
//!
//! The pilot's trials have dice of their own (another key), and none of them is used again. So the
//! rollout that follows owes nothing to the fact that its settings looked good. It is the rollout
//! that a user gets who names these settings.
//!
//! It has three rounds. The first looks at each kind of luck. The second looks longer at those not far
//! behind, since a single wild trial may make the best of them look bad. The third tries all couplings
//! with the kinds that are still in the running. Play is at most at one ply, which is deep enough to
//! have the tables that deeper play has as well.

use serde::Serialize;

use super::plan::{self, WorkPlan};
use crate::dice::DiceSource;
use crate::game::Position;
use crate::rollout::request::check::checked;
use crate::rollout::request::coupling::{Coupling, Ranks};
use crate::rollout::request::error::RolloutError;
use crate::rollout::request::luck_kind::LuckKind;
use crate::rollout::request::settings::{Allocation, Settings, StopRules};
use crate::rollout::request::setup::Setup;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::rollout::trials::play_choice::CancelCheck;
use crate::rollout::trials::trial::{PlayRules, TrialPlayers};
use crate::stats::CoMoments;

/// Sets the pilot's dice apart from those of the rollout.
const KEY: u64 = 0x7069_6c6f_7400_0000;
/// From so many trials of each play on a pilot may gain more than it costs where lookahead measures luck.
pub const LONG: u64 = 10_000;
/// Trials of the first round, of each kind of luck.
const FIRST: u64 = 36;
/// Trials that a kind of luck has after the second round, and each coupling after the third.
const SECOND: u64 = 144;
/// [`SECOND`] where a trial is expensive.
const SECOND_EXPENSIVE: u64 = 72;
/// From this many rolls looked at for a trial on, the trial is expensive: a game at 0-ply has some fifty
/// turns.
const EXPENSIVE: f64 = 600.0;
/// A kind of luck stays in the running while its figure is within this factor of the best, after the first
/// round and after the second.
const RUNNING: [f64; 2] = [4.0, 1.5];

/// One coupling with one kind of luck, as the pilot found it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// How the dice depend on each other.
    pub coupling: Coupling,
    /// Kind of luck that is subtracted.
    pub luck: LuckKind,
    /// Trials of each play.
    pub trials: u64,
    /// Variance of the difference of one pair of trials; of several plays, its mean over every two.
    pub variance: f64,
    /// Correlation of the two candidates' results; of several plays, its mean over every two. Not a number
    /// where one never varied.
    pub correlation: f64,
    /// Cost of a trial of all plays, in rolls whose plays are generated and evaluated.
    pub cost: f64,
}

impl Tried {
    /// Variance times cost: the lower, the sooner a difference is known.
    pub fn figure(&self) -> f64 {
        self.variance * self.cost
    }
}

/// Findings of a pilot.
#[derive(Clone, Debug, PartialEq)]
pub struct Pilot {
    /// The settings to roll out with: those asked for, with the coupling and the luck that serve
    /// best.
    pub settings: Settings,
    /// All that was tried, best first; nothing where experience chose.
    pub tried: Vec<Tried>,
    /// Cost of the pilot itself, in the unit of [`Tried::cost`].
    pub cost: f64,
}

/// One thing to be tried.
struct Arm {
    /// The kind of luck that is meant, at the play's own depth.
    luck: LuckKind,
    settings: Settings,
    pairs: Vec<CoMoments>,
    done: u64,
    cost: f64,
}

impl Pilot {
    /// The choice of experience, or else that of a pilot: see the [module](self).
    ///
    /// # Errors
    /// As [`Pilot::run`].
    pub fn choose(
        setup: &Setup,
        candidates: &[Position],
        settings: &Settings,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, RolloutError> {
        let known = Self::by_experience(setup, settings);
        let by_lookahead = matches!(known.settings.luck, LuckKind::Lookahead(_));
        if candidates.len() < 2 || !by_lookahead || settings.stop.trials >= LONG {
            return Self::run(setup, candidates, settings, cancelled);
        }
        Ok(known)
    }

    /// The choice of experience: the same dice, nothing tried.
    fn by_experience(setup: &Setup, settings: &Settings) -> Self {
        let known = Settings {
            coupling: Coupling::Dice,
            ranks: Ranks {
                own_ties: false,
                ..settings.ranks
            },
            ..settings.clone()
        };
        Self {
            settings: known.resolved(setup),
            tried: Vec::new(),
            cost: 0.0,
        }
    }

    /// Returns whether experience chose, without any trial.
    pub fn is_experience(&self) -> bool {
        self.tried.is_empty()
    }

    /// Tries couplings on `candidates` and names the best. With `settings.luck` named
    /// ([`Settings::resolved`] not applied) only that kind is tried, with [`LuckKind::Auto`] none,
    /// net and lookahead, as far as the evaluator has them. Runs on the calling thread, for a fraction
    /// of a second at 0-ply play; `cancelled` is asked all the time, and ends it with what has been
    /// found so far. With prescribed dice nothing is tried.
    ///
    /// # Errors
    /// A [`RolloutError`] for settings that make no sense.
    pub fn run(
        setup: &Setup,
        candidates: &[Position],
        settings: &Settings,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<Self, RolloutError> {
        let base = Settings {
            coupling: Coupling::Dice,
            ranks: Ranks {
                own_ties: false,
                ..settings.ranks
            },
            end_when_coalesced: false,
            ..settings.clone()
        };
        checked(&base, candidates, setup)?;
        if candidates.len() < 2 {
            return Err(RolloutError::OnePlay);
        }
        if matches!(settings.dice_source, DiceSource::Prescribed { .. }) {
            return Ok(Self::by_experience(setup, settings));
        }
        let mut trial = PilotRun {
            setup,
            candidates,
            base: &base,
            cancelled,
            arms: Vec::new(),
        };
        let running = trial.choose_luck(&kinds(setup, settings));
        let spent = trial.try_couplings(&running);
        let arms = trial.arms;
        let cost = spent + arms.iter().map(|a| a.cost).sum::<f64>();
        let mut tried: Vec<Tried> = arms.iter().map(Arm::tried).collect();
        tried.sort_by(|a, b| a.figure().total_cmp(&b.figure()));
        let found = tried[0];
        let settings = Settings {
            coupling: found.coupling,
            luck: found.luck,
            ranks: base.ranks,
            ..settings.clone()
        };
        Ok(Self {
            settings: settings.resolved(setup),
            tried,
            cost,
        })
    }
}

/// Subject of a pilot, and its base settings.
struct PilotRun<'a> {
    setup: &'a Setup,
    candidates: &'a [Position],
    base: &'a Settings,
    cancelled: CancelCheck<'a>,
    arms: Vec<Arm>,
}

impl PilotRun<'_> {
    /// Tries these kinds of luck with the same dice; answers those that are left after all rounds.
    fn choose_luck(&mut self, lucks: &[LuckKind]) -> Vec<LuckKind> {
        for &luck in lucks {
            self.add(Coupling::Dice, luck);
            // Without reduction it is ranks that may make it worth while.
            if luck == LuckKind::None && lucks.len() > 1 {
                self.add(Coupling::Rank, luck);
            }
        }
        let mut running = lucks.to_vec();
        for (round, factor) in RUNNING.into_iter().enumerate() {
            if running.len() == 1 {
                break;
            }
            self.play(|arm| running.contains(&arm.luck), round > 0);
            running = near(&self.arms, &running, factor);
        }
        running
    }

    /// Tries every coupling with the kinds of luck that are left, and drops the arms of the others;
    /// answers what those have cost.
    fn try_couplings(&mut self, running: &[LuckKind]) -> f64 {
        for &luck in running {
            for coupling in Coupling::tried(self.candidates.len()) {
                let fits = |a: &Arm| a.luck == luck && a.settings.coupling == coupling;
                if !self.arms.iter().any(fits) {
                    self.add(coupling, luck);
                }
            }
        }
        let is_dropped = |a: &&Arm| !running.contains(&a.luck);
        let spent = self.arms.iter().filter(is_dropped).map(|a| a.cost).sum();
        self.arms.retain(|a| running.contains(&a.luck));
        self.play(|_| true, true);
        spent
    }

    /// Adds this coupling and luck to what is tried, unless a rollout with them would be refused.
    fn add(&mut self, coupling: Coupling, luck: LuckKind) {
        let wanted = Settings {
            coupling,
            luck,
            ..self.base.clone()
        };
        if checked(&wanted, self.candidates, self.setup).is_ok() {
            self.arms
                .push(Arm::new(self.setup, self.base, coupling, luck));
        }
    }

    /// Plays the first trials of these arms, and with `enough` as many as suffice.
    fn play(&mut self, is_meant: impl Fn(&Arm) -> bool, enough: bool) {
        for arm in self.arms.iter_mut().filter(|arm| is_meant(arm)) {
            arm.play(self.setup, self.candidates, FIRST, self.cancelled);
            if enough {
                arm.play(self.setup, self.candidates, arm.enough(), self.cancelled);
            }
        }
    }
}

/// Of the `running` kinds of luck those whose best figure is within `factor` of the best of all.
fn near(arms: &[Arm], running: &[LuckKind], factor: f64) -> Vec<LuckKind> {
    let figure = |luck: LuckKind| {
        let own = arms.iter().filter(|a| a.luck == luck);
        own.map(|a| a.tried().figure())
            .fold(f64::INFINITY, f64::min)
    };
    let best = running.iter().map(|&l| figure(l));
    // Cancelled before anything was tried, none is better than another.
    let most = factor * best.fold(f64::INFINITY, f64::min);
    let near = running.iter().filter(|&&l| figure(l) <= most);
    near.copied().collect()
}

/// The kinds of luck to choose from.
fn kinds(setup: &Setup, settings: &Settings) -> Vec<LuckKind> {
    let resolved = settings.resolved(setup).luck;
    if settings.luck != LuckKind::Auto {
        return vec![resolved];
    }
    let mut kinds = vec![LuckKind::None, resolved];
    // Deeper play has tables of its own, which are free.
    let shallow = settings.styles().iter().all(|s| s.ply == 0);
    match resolved {
        LuckKind::Net => kinds.push(LuckKind::Lookahead(Some(0))),
        _ if shallow && setup.has_luck_net() => kinds.push(LuckKind::Net),
        _ => {}
    }
    kinds
}

impl Arm {
    fn new(setup: &Setup, base: &Settings, coupling: Coupling, luck: LuckKind) -> Self {
        let shallow = |ply: u8| ply.min(1);
        let mut settings = Settings {
            seed: base.seed ^ KEY,
            ply: shallow(base.ply),
            coupling,
            luck,
            luck_bound: None,
            allocation: Allocation::Equal,
            shard: None,
            stop: StopRules {
                trials: SECOND,
                ..StopRules::default()
            },
            ..base.clone()
        };
        for early in [
            settings.early.as_mut(),
            settings.opponent.as_mut().and_then(|o| o.early.as_mut()),
        ]
        .into_iter()
        .flatten()
        {
            early.ply = shallow(early.ply);
        }
        if let Some(opponent) = &mut settings.opponent {
            opponent.ply = shallow(opponent.ply);
        }
        for kind in [&mut settings.luck, &mut settings.ranks.by] {
            if let LuckKind::Lookahead(ply) = kind {
                *ply = Some(0);
            }
        }
        Self {
            luck,
            settings: settings.resolved(setup),
            pairs: Vec::new(),
            done: 0,
            cost: 0.0,
        }
    }

    /// Plays on until there are so many trials.
    fn play(
        &mut self,
        setup: &Setup,
        candidates: &[Position],
        trials: u64,
        cancelled: CancelCheck<'_>,
    ) {
        let k = candidates.len();
        self.pairs.resize(k * (k - 1) / 2, CoMoments::default());
        let plan = WorkPlan::new(&self.settings, k, 0);
        let mut players = TrialPlayers::new(PlayRules::new(setup, &self.settings, cancelled));
        let settings = &self.settings;
        let mut dealer = plan::dealer(setup, settings);
        let before = players.work();
        while self.done < trials {
            let Ok(outcomes) = plan.trial(&mut players, &mut dealer, candidates, self.done) else {
                break;
            };
            let equities: Vec<f64> = outcomes
                .iter()
                .map(TrialOutcome::variance_reduced_equity)
                .collect();
            let mut pairs = self.pairs.iter_mut();
            for (i, a) in equities.iter().enumerate() {
                for (b, pair) in equities[i + 1..].iter().zip(&mut pairs) {
                    pair.push(*a, *b);
                }
            }
            self.done += 1;
        }
        self.cost += players.work() - before;
    }

    /// Trials that suffice; known after a few.
    fn enough(&self) -> u64 {
        if self.tried().cost > EXPENSIVE {
            SECOND_EXPENSIVE
        } else {
            SECOND
        }
    }

    /// Mean correlation over the pairs that have one.
    fn correlation(&self) -> f64 {
        let all = self.pairs.iter().map(CoMoments::correlation);
        let known: Vec<f64> = all.filter(|r| r.is_finite()).collect();
        known.iter().sum::<f64>() / known.len() as f64
    }

    fn tried(&self) -> Tried {
        let n = self.pairs.len().max(1) as f64;
        let mean = |of: &dyn Fn(&CoMoments) -> f64| self.pairs.iter().map(of).sum::<f64>() / n;
        Tried {
            coupling: self.settings.coupling,
            luck: self.luck,
            trials: self.done,
            variance: if self.pairs.is_empty() {
                f64::INFINITY
            } else {
                mean(&CoMoments::difference_variance)
            },
            correlation: self.correlation(),
            cost: self.cost / self.done.max(1) as f64,
        }
    }
}
