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
//! if that is more. Where both say that the choices are worth the same, as they do of a game that is decided, nothing
//! can be lost.
//!
//! *The verdict* goes by the anytime-valid interval. So a rollout may stop as soon as it is decided,
//! and the list may be looked at while it grows. What a double gains is the least that several answers leave;
//! that interval holds for all of them together ([`double_gain`](crate::rollout::double_gain)).

mod claim;
mod claim_rollout;
mod counts;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::claim::LEAST_LOSS;
pub use self::claim::{Claim, ClaimKind, Rolled, Verdict, VerificationLimits, Verified};
use self::claim_rollout::{ClaimRollout, rolled};
pub use self::counts::Counts;
use super::cube::cube_decision_of;
use super::imported_cube::ImportedCube;
use super::in_order::in_order;
use super::marks::reaches;
use super::match_review::AnalysedTurn;
use super::match_rollouts::{
    Follower, RolledDecision, are_alike, changes_nothing, deviation, overtaken,
};
use crate::cube::{CubeChoice, CubeDecision, Model};
use crate::eval::{Candidate, Evaluator};
use crate::game::{GameState, Position};
use crate::locks::{lock, unlocked};
use crate::match_file::{Analysis, Match};
use crate::rollout::{Progress, RolloutResult, Setup};

/// An error from so many points on, as errors are written, is one that a player asks about.
const ERROR: f32 = 0.02;

/// Evaluator and model of the lookahead.
#[derive(Clone, Copy)]
pub struct LookaheadSetup<'a> {
    /// Values positions.
    pub evaluator: &'a dyn Evaluator,
    /// The cube and the score.
    pub model: &'a Model,
    /// Plies at which both choices of an opinion are looked at.
    pub ply: u8,
}

/// The opinions of a match's file, in the order of their expected losses.
pub fn claims(
    record: &Match,
    analysed: &[AnalysedTurn],
    lookahead: &LookaheadSetup<'_>,
) -> Vec<Verified> {
    let mut all = Vec::new();
    for (index, one) in analysed.iter().enumerate() {
        let event = one.turn.before.event;
        let Some(analysis) = record.analyses.of(one.turn.game, event) else {
            continue;
        };
        all.extend(play_claim(index, one, analysis, lookahead));
        all.extend(cube_claim(index, one, analysis, lookahead));
    }
    let settled = |claim: Claim| Verified {
        verdict: if claim.is_agreed() {
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

/// Points lost on average by a player who follows an opinion: `claimed` by the file, `ours` by lookahead.
///
/// `are_alike` says that by lookahead the choices are worth the same whatever happens.
fn expected_loss(claimed: Option<f64>, ours: f64, shift: f64, are_alike: bool) -> f64 {
    if are_alike && claimed.is_none_or(|claimed| claimed.abs() < LEAST_LOSS) {
        return 0.0;
    }
    let mean = claimed.map_or(ours, |claimed| (claimed + ours) / 2.0);
    let apart = claimed.map_or(0.0, |claimed| (claimed - ours).abs() / 2.0);
    let sd = deviation(mean.abs(), shift.max(apart));
    overtaken(mean, sd)
}

/// A play that the program lists.
struct ListedPlay<'a> {
    /// The position after it.
    result: Position,
    equity: f64,
    level: &'a str,
}

/// The plays that the program lists, its best one first.
fn listed_plays<'a>(analysis: &'a Analysis, state: &GameState) -> Vec<ListedPlay<'a>> {
    let plays = analysis.plays.iter();
    let listed = plays.map(|verdict| ListedPlay {
        result: verdict.play.apply(&state.position),
        equity: verdict.equity,
        level: &verdict.level,
    });
    listed.collect()
}

fn play_claim(
    index: usize,
    one: &AnalysedTurn,
    analysis: &Analysis,
    lookahead: &LookaheadSetup<'_>,
) -> Option<Claim> {
    let state = one.turn.before.state;
    state.roll?;
    let listed = listed_plays(analysis, &state);
    let best = listed.first()?;
    let ours = &one.review.candidates;
    let made = analysis.played.and_then(|i| listed.get(i));
    // Equities of unlike levels do not compare, unless the program itself has said what the play costs.
    let alike = |one: &&ListedPlay<'_>| one.level == best.level;
    let own = made.filter(alike).map(|made| best.equity - made.equity);
    let error = analysis.error.or(own).unwrap_or(0.0);
    let is_error = reaches(error as f32, ERROR);
    // An error is about the play that was made, also where the program does not list it.
    let played = || Some(one.turn.played()?.apply(&state.position));
    let made_result = made.map(|made| made.result).or_else(played);
    let other = match made_result.filter(|_| is_error) {
        Some(result) => result,
        None => ours.first()?.result,
    };
    if other == best.result {
        return None;
    }
    let of = |result: &Position| ours.iter().find(|c| c.result == *result);
    let (a, b) = (
        lookahead.deeper(&state, of(&best.result)?)?,
        lookahead.deeper(&state, of(&other)?)?,
    );
    let second = listed.iter().filter(alike).find(|l| l.result == other);
    // What the play made costs by the program itself serves where its equities do not compare.
    let own_figure = analysis.error.filter(|_| is_error);
    let claimed = second.map(|l| best.equity - l.equity).or(own_figure);
    let looked_ahead = f64::from(a.equity - b.equity);
    Some(Claim {
        turn: index,
        place: one.turn.place(),
        player: one.turn.before.player,
        state,
        program: analysis.program.clone(),
        level: best.level.to_owned(),
        kind: ClaimKind::Plays([a.play, b.play], [a.result, b.result]),
        actions: None,
        claimed,
        looked_ahead,
        ply: lookahead.ply,
        is_error,
        expected_loss: expected_loss(
            claimed,
            looked_ahead,
            f64::from(one.shift),
            are_alike(&a, &b),
        ),
    })
}

fn cube_claim(
    index: usize,
    one: &AnalysedTurn,
    analysis: &Analysis,
    lookahead: &LookaheadSetup<'_>,
) -> Option<Claim> {
    // The answer to a double that gains nothing is known.
    let (state, choice) = cube_decision_of(&one.turn).filter(|(state, _)| state.may_double())?;
    let (ours, verdict) = (one.review.cube.as_ref()?, analysis.cube.as_ref()?);
    let theirs = ImportedCube::new(verdict, &state, lookahead.model)?;
    // A beaver takes.
    let choice = choice.map(|choice| match choice {
        CubeChoice::Beaver => CubeChoice::Take,
        other => other,
    });
    let question = CubeQuestion::of(choice);
    let theirs = question.gain_by_file(&theirs);
    let [yes, no] = question.choices();
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
    let own = question.gain_by_us(&decision)?;
    let sign = if theirs >= 0.0 { 1.0 } else { -1.0 };
    let (claimed, looked_ahead) = (theirs.abs(), sign * own);
    Some(Claim {
        turn: index,
        place: one.turn.place(),
        player: one.turn.before.player,
        state,
        program: analysis.program.clone(),
        level: verdict.level.clone(),
        kind: question.kind(),
        actions: Some(actions),
        claimed: Some(claimed),
        looked_ahead,
        ply: ours.ply.max(lookahead.ply),
        is_error,
        expected_loss: expected_loss(
            Some(claimed),
            looked_ahead,
            f64::from(one.shift),
            changes_nothing(looked_ahead, f64::from(one.shift)),
        ),
    })
}

/// Which of the two choices at the cube a turn asked for.
#[derive(Clone, Copy)]
enum CubeQuestion {
    /// To double or not.
    Double,
    /// To take or to pass.
    Answer,
}

impl CubeQuestion {
    /// Returns the question of a `choice`; a turn without a double has that of doubling.
    fn of(choice: Option<CubeChoice>) -> Self {
        match choice {
            Some(CubeChoice::Take | CubeChoice::Pass) => Self::Answer,
            _ => Self::Double,
        }
    }

    /// The choice that raises the stakes, and the other one.
    fn choices(self) -> [CubeChoice; 2] {
        match self {
            Self::Double => [CubeChoice::Double, CubeChoice::NoDouble],
            Self::Answer => [CubeChoice::Take, CubeChoice::Pass],
        }
    }

    fn kind(self) -> ClaimKind {
        match self {
            Self::Double => ClaimKind::Double,
            Self::Answer => ClaimKind::Take,
        }
    }

    /// By how many points to double is better than not to, or to take than to pass, as the file has it.
    fn gain_by_file(self, file: &ImportedCube) -> f64 {
        match self {
            Self::Double => file.doubled() - file.no_double,
            Self::Answer => 1.0 - file.take,
        }
    }

    /// The same by our own analysis; `None` without that equity.
    fn gain_by_us(self, decision: &CubeDecision) -> Option<f64> {
        Some(f64::from(match self {
            Self::Double => decision.gain()?,
            Self::Answer => 1.0 - decision.double_take?,
        }))
    }
}

impl LookaheadSetup<'_> {
    /// The play `candidate`, analysed as deeply as choices of opinions are.
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
    let run = Run {
        setup,
        limits,
        follower,
        done: AtomicUsize::new(0),
        of: open.len(),
    };
    let found: Mutex<Vec<(usize, Rolled)>> = Mutex::default();
    let shared: &[Verified] = all;
    let work = |i: usize| {
        if let Some(rolled) = run.roll(&shared[i].claim) {
            if rolled.ended {
                ended(i, rolled);
            }
            lock(&found).push((i, rolled));
        }
    };
    in_order(open.len(), &|at| {
        let goes_on = follower.goes_on();
        if goes_on {
            work(open[at]);
        }
        goes_on
    });
    for (i, rolled) in unlocked(found) {
        all[i].take(rolled);
    }
    for one in all.iter_mut().filter(|one| one.is_left()) {
        if one.rolled.is_none()
            && let Some(rolled) = run.kept(&one.claim)
        {
            one.take(rolled);
        }
    }
}

/// A run of rollouts, which check opinions.
struct Run<'a> {
    setup: &'a Setup,
    limits: &'a VerificationLimits,
    follower: &'a dyn Follower,
    /// Rollouts that have ended.
    done: AtomicUsize,
    of: usize,
}

impl Run<'_> {
    /// Returns the stored rollout of an opinion, or `None` without one.
    fn kept(&self, claim: &Claim) -> Option<Rolled> {
        let opinion = ClaimRollout::new(claim, self.setup, self.limits);
        let (result, kept) = opinion.kept(self.setup, self.follower)?;
        Some(Rolled {
            ended: opinion.has_ended(&result, kept.trials()),
            ..rolled(claim, &result)?
        })
    }

    /// Rolls one opinion out, or finds what was kept of it. `None` if that could not be done, or the follower ended it
    /// before the first trial.
    fn roll(&self, claim: &Claim) -> Option<Rolled> {
        let opinion = ClaimRollout::new(claim, self.setup, self.limits);
        let kept = match opinion.kept(self.setup, self.follower) {
            Some((result, kept)) if opinion.has_ended(&result, kept.trials()) => {
                self.tell(&opinion, &result, None);
                return rolled(claim, &result);
            }
            kept => kept.map(|(_, progress)| progress),
        };
        match opinion.play(kept, self.setup, self.follower) {
            Ok((result, Some(progress))) if opinion.has_ended(&result, progress.trials()) => {
                self.tell(&opinion, &result, Some(&progress));
                rolled(claim, &result)
            }
            Ok((result, progress)) => {
                if let Some(progress) = progress {
                    self.follower.cut_short(&opinion.rollout(), &progress);
                }
                Some(Rolled {
                    ended: false,
                    ..rolled(claim, &result)?
                })
            }
            Err(refused) => {
                (self.follower).failed(&opinion.rollout(), &refused.to_string());
                None
            }
        }
    }

    /// Counts a rollout that has ended, and tells the follower of it.
    fn tell(&self, opinion: &ClaimRollout<'_>, result: &RolloutResult, new: Option<&Progress>) {
        self.follower.found(&RolledDecision {
            rollout: &opinion.rollout(),
            result,
            new,
            done: self.done.fetch_add(1, Ordering::Relaxed) + 1,
            of: self.of,
        });
    }
}

#[cfg(test)]
mod tests;
