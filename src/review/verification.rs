//! "Is XG right?" What another program says of the decisions of a match, held against ours and, where the
//! two differ or neither is sure, against rollouts.
//!
//! *What is checked.* Each opinion comes down to two choices: one is better than the other by so many points.
//! Where the file calls what was done an error, those are its best choice and the one made; else its
//! best and ours. Opinions that both share clearly need no rollout.
//!
//! *In which order.* By what is lost on average if the file is followed and wrong. The true difference is
//! taken as normal around the mean of both opinions. Its standard deviation is that of a lookahead's
//! difference ([`deviation`]), or half of what lies between the two opinions,
//! if that is more.
//!
//! *The verdict* goes by the anytime-valid interval. So a rollout may stop as soon as it is decided,
//! and the list may be looked at while it grows. What a double gains is the least that several answers leave;
//! that interval holds for all of them together ([`double_gain`]).

mod counts;

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;

pub use self::counts::Counts;
use super::cube::asked;
use super::imported_cube::ImportedCube;
use super::in_order::in_order;
use super::marks::reaches;
use super::match_review::AnalysedTurn;
use super::match_rollouts::{DecisionRollout, Follower, deviation, overtaken};
use crate::cube::{CubeChoice, CubeDecision, Model, cube_words};
use crate::eval::{Candidate, Evaluator};
use crate::game::{GameState, Play, Player, Position};
use crate::match_file::{Analysis, Match};
use crate::rollout::{
    Coupling, CubeSettings, Progress, RolloutPreset, RolloutResult, Settings, Setup, Snapshot,
    StopRules, double_gain, resume_blocking, run_blocking,
};

/// An error from so many points on, as errors are written, is one that a player asks about.
const ERROR: f32 = 0.02;
/// What is worth less, in points, needs no rollout.
const LEAST_WORTH: f64 = 0.000_5;
/// Plies at which both sides play.
const PLY: u8 = 1;

/// What is asked of a rollout.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Which of two plays is better: the one that the file prefers comes first.
    Plays([Play; 2], [Position; 2]),
    /// Whether to double.
    Double,
    /// Whether to take.
    Take,
}

/// An opinion of the file: of two choices one is better.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// Its turn: the place in the list that was analysed.
    pub turn: usize,
    /// Its game and event, places in the match's lists.
    pub place: (usize, usize),
    /// Whose decision it is.
    pub player: Player,
    /// What it is made in: before the roll, seen by the doubler, where it is one about the cube.
    pub state: GameState,
    /// The program.
    pub program: String,
    /// How deep it looked, in its own words.
    pub level: String,
    /// What is asked.
    pub question: Question,
    /// Of a cube decision what the file prefers, and the other choice.
    pub actions: Option<[CubeChoice; 2]>,
    /// By how much the first choice is better, by the file: points on the present cube, EMG in a match.
    pub claimed: Option<f64>,
    /// The same by lookahead.
    pub looked_ahead: f64,
    /// Plies of that.
    pub ply: u8,
    /// Whether the file calls what was done an error.
    pub is_error: bool,
    /// What is lost on average, in points, if the file is followed.
    pub expected_loss: f64,
}

impl Claim {
    /// The choice that the file prefers and the other one, as in the machine output; `name` writes a play.
    #[must_use]
    pub fn choices(&self, name: &dyn Fn(&Play) -> String) -> [String; 2] {
        match (&self.question, self.actions) {
            (Question::Plays(plays, _), _) => plays.each_ref().map(name),
            (_, Some(actions)) => actions.map(|choice| choice.name().to_owned()),
            (_, None) => Default::default(),
        }
    }

    /// The same as players say it: whoever doubles with a cube of their own redoubles.
    #[must_use]
    pub fn words(&self, name: &dyn Fn(&Play) -> String) -> [String; 2] {
        let choices = self.choices(name);
        choices.map(|choice| cube_words(&choice, &self.state).to_owned())
    }
}

/// What became of an opinion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Lookahead says the same, and clearly.
    Agreed,
    /// A rollout says the same.
    Confirmed,
    /// A rollout says that the other choice is better.
    Overturned,
    /// A rollout says that the two differ by too little to matter.
    TooClose,
    /// A rollout did not decide it, or there was no time for one.
    Open,
}

impl Verdict {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agreed => "agreed",
            Self::Confirmed => "confirmed",
            Self::Overturned => "overturned",
            Self::TooClose => "too close",
            Self::Open => "open",
        }
    }

    /// By an interval of the first choice less the second.
    fn of([low, high]: [f64; 2]) -> Self {
        let near = RolloutPreset::EQUIVALENT;
        match () {
            () if low > 0.0 => Self::Confirmed,
            () if high < 0.0 => Self::Overturned,
            () if low > -near && high < near => Self::TooClose,
            () => Self::Open,
        }
    }
}

/// A difference that was rolled out: the first choice less the second, in points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rolled {
    /// Its mean.
    pub difference: f64,
    /// 95% at all times.
    pub anytime95: [f64; 2],
    /// Trials of each choice.
    pub trials: u64,
    /// Whether it was rolled out until it was decided, or as far as was asked for.
    #[serde(skip)]
    pub ended: bool,
}

/// An opinion and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// The opinion.
    pub claim: Claim,
    /// The rollout, if there was one.
    pub rolled: Option<Rolled>,
    /// What it says.
    pub verdict: Verdict,
}

impl Verified {
    /// Goes by a rollout.
    pub fn take(&mut self, rolled: Rolled) {
        self.verdict = Verdict::of(rolled.anytime95);
        self.rolled = Some(rolled);
    }

    /// Whether a rollout may still decide it.
    #[must_use]
    pub fn is_left(&self) -> bool {
        self.verdict == Verdict::Open && self.rolled.is_none_or(|rolled| !rolled.ended)
    }
}

/// What lookahead is made with.
#[derive(Clone, Copy)]
pub struct Lookahead<'a> {
    /// Values positions.
    pub evaluator: &'a dyn Evaluator,
    /// The cube and the score.
    pub model: &'a Model,
    /// Plies at which both choices of an opinion are looked at.
    pub ply: u8,
}

/// The opinions of a match's file, in the order of their expected losses.
#[must_use]
pub fn claims(
    record: &Match,
    analysed: &[AnalysedTurn],
    lookahead: &Lookahead<'_>,
) -> Vec<Verified> {
    let mut all = Vec::new();
    for (place, one) in analysed.iter().enumerate() {
        let event = one.turn.before.event;
        let Some(analysis) = record.analyses.of(one.turn.game, event) else {
            continue;
        };
        all.extend(play_claim(place, one, analysis, lookahead));
        all.extend(cube_claim(place, one, analysis, lookahead));
    }
    let settled = |claim: Claim| Verified {
        verdict: if claim.expected_loss < LEAST_WORTH && claim.looked_ahead > 0.0 {
            Verdict::Agreed
        } else {
            Verdict::Open
        },
        rolled: None,
        claim,
    };
    let mut all: Vec<Verified> = all.into_iter().map(settled).collect();
    // The sort is stable: equals stay in the order of the match.
    all.sort_by(|a, b| b.claim.expected_loss.total_cmp(&a.claim.expected_loss));
    all
}

/// What is lost on average by a player who follows an opinion: `claimed` by the file, `ours` by
/// lookahead.
fn expected_loss(claimed: Option<f64>, ours: f64, shift: f64) -> f64 {
    let mean = claimed.map_or(ours, |claimed| (claimed + ours) / 2.0);
    let apart = claimed.map_or(0.0, |claimed| (claimed - ours).abs() / 2.0);
    let sd = deviation(mean.abs(), shift.max(apart));
    overtaken(mean, sd)
}

fn play_claim(
    place: usize,
    one: &AnalysedTurn,
    analysis: &Analysis,
    lookahead: &Lookahead<'_>,
) -> Option<Claim> {
    let state = one.turn.before.state;
    state.roll?;
    let listed: Vec<(Position, Play, f64, &str)> = analysis
        .plays
        .iter()
        .map(|p| (p.play.apply(&state.position), p.play, p.equity, &*p.level))
        .collect();
    let best = listed.first()?;
    let ours = &one.review.candidates;
    let made = analysis.played.and_then(|i| listed.get(i));
    // Equities of unlike levels do not compare, unless the program itself has said what the play costs.
    let alike = |one: &&(Position, Play, f64, &str)| one.3 == best.3;
    let own = made.filter(alike).map(|made| best.2 - made.2);
    let error = analysis.error.or(own).unwrap_or(0.0);
    let is_error = reaches(error as f32, ERROR);
    let other = match made.filter(|_| is_error) {
        Some(made) => made.0,
        None => ours.first()?.result,
    };
    if other == best.0 {
        return None;
    }
    let of = |result: &Position| ours.iter().find(|c| c.result == *result);
    let (a, b) = (
        lookahead.deeper(&state, of(&best.0)?)?,
        lookahead.deeper(&state, of(&other)?)?,
    );
    let second = listed.iter().filter(alike).find(|l| l.0 == other);
    // What the play made costs by the program itself serves where its equities do not compare.
    let own_figure = analysis.error.filter(|_| is_error && made.is_some());
    let claimed = second.map(|l| best.2 - l.2).or(own_figure);
    let looked_ahead = f64::from(a.equity - b.equity);
    Some(Claim {
        turn: place,
        place: (one.turn.game, one.turn.before.event),
        player: one.turn.before.player,
        state,
        program: analysis.program.clone(),
        level: best.3.to_owned(),
        question: Question::Plays([a.play, b.play], [a.result, b.result]),
        actions: None,
        claimed,
        looked_ahead,
        ply: lookahead.ply,
        is_error,
        expected_loss: expected_loss(claimed, looked_ahead, f64::from(one.shift)),
    })
}

fn cube_claim(
    place: usize,
    one: &AnalysedTurn,
    analysis: &Analysis,
    lookahead: &Lookahead<'_>,
) -> Option<Claim> {
    // The answer to a double that gains nothing is known.
    let (state, choice) = asked(&one.turn).filter(|(state, _)| state.may_double())?;
    let (ours, verdict) = (one.review.cube.as_ref()?, analysis.cube.as_ref()?);
    let theirs = ImportedCube::new(verdict, &state, lookahead.model)?;
    // A beaver takes.
    let choice = choice.map(|choice| match choice {
        CubeChoice::Beaver => CubeChoice::Take,
        other => other,
    });
    let is_answer = matches!(choice, Some(CubeChoice::Take | CubeChoice::Pass));
    let (yes, no) = match is_answer {
        true => (CubeChoice::Take, CubeChoice::Pass),
        false => (CubeChoice::Double, CubeChoice::NoDouble),
    };
    // By how much to double is better than not to, or to take than to pass.
    let theirs = match is_answer {
        true => 1.0 - theirs.take,
        false => theirs.doubled() - theirs.no_double,
    };
    let actions = if theirs >= 0.0 { [yes, no] } else { [no, yes] };
    let is_error = reaches(theirs.abs() as f32, ERROR) && choice == Some(actions[1]);
    // Nobody asks about a double that is far away.
    if !ours.counts() && !is_error {
        return None;
    }
    let decision = match ours.ply < lookahead.ply {
        true => lookahead.decide(&state)?,
        false => ours.decision,
    };
    let own = f64::from(match is_answer {
        true => 1.0 - decision.double_take?,
        false => decision.gain()?,
    });
    let sign = if theirs >= 0.0 { 1.0 } else { -1.0 };
    let (claimed, looked_ahead) = (theirs.abs(), sign * own);
    Some(Claim {
        turn: place,
        place: (one.turn.game, one.turn.before.event),
        player: one.turn.before.player,
        state,
        program: analysis.program.clone(),
        level: verdict.level.clone(),
        question: if is_answer {
            Question::Take
        } else {
            Question::Double
        },
        actions: Some(actions),
        claimed: Some(claimed),
        looked_ahead,
        ply: ours.ply.max(lookahead.ply),
        is_error,
        expected_loss: expected_loss(Some(claimed), looked_ahead, f64::from(one.shift)),
    })
}

impl Lookahead<'_> {
    /// A play looked at as deeply as any.
    fn deeper(&self, state: &GameState, candidate: &Candidate) -> Option<Candidate> {
        if candidate.ply >= self.ply {
            return Some(*candidate);
        }
        let never = || false;
        let found = self
            .model
            .analyse(self.evaluator, state, *candidate, self.ply, &never)?;
        Some(Candidate {
            equity: found.cubeful,
            ..found.candidate
        })
    }

    fn decide(&self, state: &GameState) -> Option<CubeDecision> {
        self.model
            .decide(self.evaluator, state, self.ply, &|| false)
    }
}

/// How much is rolled out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VerificationLimits {
    /// At most so many decisions.
    pub decisions: usize,
    /// Trials of each choice at most.
    pub trials: u64,
}

/// Rolls out what is not agreed, in order, on the threads of the pool in force, until the follower ends it.
/// `ended` is called with the place and the rollout of each as it ends. What was kept of the others counts
/// too, as far as it goes.
pub fn roll_out(
    all: &mut [Verified],
    setup: &Setup,
    limits: &VerificationLimits,
    follower: &dyn Follower,
    ended: &(dyn Fn(usize, Rolled) + Sync),
) {
    let open: Vec<usize> = (0..all.len())
        .filter(|&i| all[i].verdict == Verdict::Open)
        .take(limits.decisions)
        .collect();
    follower.begins(open.len());
    let done = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Rolled)>> = Mutex::default();
    let shared: &[Verified] = all;
    let work = |i: usize| {
        let claim = &shared[i].claim;
        let Some((result, count)) = roll(claim, setup, limits, follower, (&done, open.len()))
        else {
            return;
        };
        if let Some(mut rolled) = rolled(claim, &result) {
            rolled.ended = count.is_some();
            if rolled.ended {
                ended(i, rolled);
            }
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            found.push((i, rolled));
        }
    };
    in_order(open.len(), &|at| {
        let goes_on = follower.goes_on();
        if goes_on {
            work(open[at]);
        }
        goes_on
    });
    for (i, rolled) in found.into_inner().unwrap_or_else(PoisonError::into_inner) {
        all[i].take(rolled);
    }
    for one in all.iter_mut().filter(|one| one.is_left()) {
        if one.rolled.is_none()
            && let Some(rolled) = kept(&one.claim, setup, limits, follower)
        {
            one.take(rolled);
        }
    }
}

/// What was kept of one opinion's rollout.
fn kept(
    claim: &Claim,
    setup: &Setup,
    limits: &VerificationLimits,
    follower: &dyn Follower,
) -> Option<Rolled> {
    let (plays, positions) = choices(claim);
    let settings = settings(claim, limits.trials).resolved(setup);
    let rollout = DecisionRollout {
        turn: claim.turn,
        state: claim.state,
        plays,
        positions: &positions,
        settings: &settings,
    };
    let kept = follower.kept(&rollout)?;
    let trials = kept.trials();
    let mut rolled = rolled(claim, &kept.result(setup).ok()?)?;
    rolled.ended = trials >= limits.trials || Verdict::of(rolled.anytime95) != Verdict::Open;
    Some(rolled)
}

/// The two choices: plays, if there are any, and positions.
fn choices(claim: &Claim) -> (&[Play], Vec<Position>) {
    match &claim.question {
        Question::Plays(plays, positions) => (plays, positions.to_vec()),
        Question::Double | Question::Take => (&[], vec![claim.state.position; 2]),
    }
}

/// Rolls one opinion out, or finds what was kept of it, and how many are done; no number where the follower
/// ended it.
fn roll(
    claim: &Claim,
    setup: &Setup,
    limits: &VerificationLimits,
    follower: &dyn Follower,
    (done, of): (&AtomicUsize, usize),
) -> Option<(RolloutResult, Option<usize>)> {
    let (plays, positions) = choices(claim);
    let settings = settings(claim, limits.trials).resolved(setup);
    let rollout = DecisionRollout {
        turn: claim.turn,
        state: claim.state,
        plays,
        positions: &positions,
        settings: &settings,
    };
    let ended = |result: &RolloutResult, trials: u64| {
        let rolled = rolled(claim, result);
        let open = |rolled: &Rolled| Verdict::of(rolled.anytime95) == Verdict::Open;
        trials >= limits.trials || !rolled.as_ref().is_none_or(open)
    };
    let kept = follower.kept(&rollout).and_then(|kept| {
        let result = kept.result(setup).ok()?;
        Some((result, kept))
    });
    let counted = |result: RolloutResult, progress: Option<&Progress>| {
        let count = done.fetch_add(1, Ordering::Relaxed) + 1;
        follower.found(&rollout, &result, progress, count, of);
        (result, Some(count))
    };
    let mut progress = None;
    let mut look = |look: &Snapshot<'_>| {
        let result = look.result();
        let mut goes_on = !ended(&result, look.trials());
        if goes_on {
            follower.seen(&rollout, &result);
            goes_on = follower.goes_on();
        }
        if !goes_on {
            progress = Some(look.progress());
        }
        goes_on
    };
    let rolled_out = match kept {
        Some((result, kept)) if ended(&result, kept.trials()) => {
            return Some(counted(result, None));
        }
        Some((_, kept)) => resume_blocking(setup, kept, &mut look),
        None => run_blocking(setup, &positions, &settings, &mut look),
    };
    match (rolled_out, progress) {
        (Ok(result), Some(progress)) if ended(&result, progress.trials()) => {
            Some(counted(result, Some(&progress)))
        }
        (Ok(result), progress) => {
            if let Some(progress) = progress {
                follower.cut_short(&rollout, &progress);
            }
            Some((result, None))
        }
        (Err(refused), _) => {
            follower.failed(&rollout, &refused.to_string());
            None
        }
    }
}

fn settings(claim: &Claim, trials: u64) -> Settings {
    let is_play = matches!(claim.question, Question::Plays(..));
    Settings {
        ply: PLY,
        cube: Some(CubeSettings {
            decision: !is_play,
            ..CubeSettings::new(&claim.state, !is_play)
        }),
        coupling: Coupling::Dice,
        stop: StopRules {
            trials,
            ..StopRules::default()
        },
        ..Settings::default()
    }
}

/// The first choice less the second, as rolled out.
fn rolled(claim: &Claim, result: &RolloutResult) -> Option<Rolled> {
    let difference = result.difference.filter(|d| d.trials > 0)?;
    let (mean, anytime95) = match claim.question {
        Question::Plays(..) => (difference.equity.mean, difference.equity.anytime95),
        Question::Double | Question::Take => {
            let gain = match claim.question {
                Question::Take => result.candidates[1].flipped().equity.mirrored(1.0),
                _ => double_gain(result, claim.state.allows_beavers())?,
            };
            let gain = match claim.actions {
                Some([CubeChoice::Double | CubeChoice::Take, _]) => gain,
                _ => gain.mirrored(0.0),
            };
            (gain.mean, gain.anytime95)
        }
    };
    Some(Rolled {
        difference: mean,
        anytime95,
        trials: difference.trials,
        ended: true,
    })
}

#[cfg(test)]
mod tests;
