//! The rollout that an opinion is checked by.

use super::claim::{Claim, ClaimKind, Rolled, Verdict, VerificationLimits};
use crate::cube::CubeChoice;
use crate::game::{Play, Position};
use crate::review::match_rollouts::{DecisionRollout, Follower};
use crate::rollout::{
    Coupling, CubeSettings, Progress, RolloutError, RolloutResult, Settings, Setup, Snapshot,
    StopRules, double_gain, resume_blocking, run_blocking,
};

/// Plies at which both sides play.
const PLY: u8 = 1;

/// The rollout of an opinion's two choices.
pub(super) struct ClaimRollout<'a> {
    claim: &'a Claim,
    /// None for cube actions.
    plays: &'a [Play],
    positions: Vec<Position>,
    settings: Settings,
}

impl<'a> ClaimRollout<'a> {
    pub(super) fn new(claim: &'a Claim, setup: &Setup, limits: &VerificationLimits) -> Self {
        let (plays, positions): (&[Play], _) = match &claim.kind {
            ClaimKind::Plays(plays, positions) => (plays, positions.to_vec()),
            ClaimKind::Double | ClaimKind::Take => (&[], vec![claim.state.position; 2]),
        };
        Self {
            claim,
            plays,
            positions,
            settings: settings(claim, limits.trials).resolved(setup),
        }
    }

    pub(super) fn rollout(&self) -> DecisionRollout<'_> {
        DecisionRollout {
            turn: self.claim.turn,
            state: self.claim.state,
            plays: self.plays,
            positions: &self.positions,
            settings: &self.settings,
        }
    }

    /// Returns whether the rollout has all requested trials, or has decided the opinion.
    pub(super) fn has_ended(&self, result: &RolloutResult, trials: u64) -> bool {
        let is_decided = |rolled: Rolled| Verdict::of(&rolled) != Verdict::Open;
        trials >= self.settings.stop.trials || rolled(self.claim, result).is_some_and(is_decided)
    }

    /// Returns the result and the stored progress of the rollout, or `None` if none was stored.
    pub(super) fn kept(
        &self,
        setup: &Setup,
        follower: &dyn Follower,
    ) -> Option<(RolloutResult, Progress)> {
        let kept = follower.kept(&self.rollout())?;
        Some((kept.result(setup).ok()?, kept))
    }

    /// Plays trials behind those that were kept, until the rollout has ended or the follower ends it.
    pub(super) fn play(
        &self,
        kept: Option<Progress>,
        setup: &Setup,
        follower: &dyn Follower,
    ) -> Result<(RolloutResult, Option<Progress>), RolloutError> {
        let rollout = self.rollout();
        let mut progress = None;
        let mut look = |look: &Snapshot<'_>| {
            let result = look.result();
            let mut goes_on = !self.has_ended(&result, look.trials());
            if goes_on {
                follower.seen(&rollout, &result);
                goes_on = follower.goes_on();
            }
            if !goes_on {
                progress = Some(look.progress());
            }
            goes_on
        };
        let result = match kept {
            Some(kept) => resume_blocking(setup, kept, &mut look)?,
            None => run_blocking(setup, &self.positions, &self.settings, &mut look)?,
        };
        Ok((result, progress))
    }
}

fn settings(claim: &Claim, trials: u64) -> Settings {
    let cube = match claim.kind {
        ClaimKind::Plays(..) => CubeSettings::after_play(&claim.state),
        _ => CubeSettings::of_decision(&claim.state),
    };
    Settings {
        ply: PLY,
        cube: Some(cube),
        coupling: Coupling::Dice,
        stop: StopRules {
            trials,
            ..StopRules::default()
        },
        ..Settings::default()
    }
}

/// The first choice less the second, in points, as rolled out; `None` before the first trial.
pub(super) fn rolled(claim: &Claim, result: &RolloutResult) -> Option<Rolled> {
    let difference = result.difference.filter(|d| d.trials > 0)?;
    let (mean, anytime95) = match claim.kind {
        ClaimKind::Plays(..) => (difference.equity.mean, difference.equity.anytime95),
        ClaimKind::Double | ClaimKind::Take => {
            let gain = match claim.kind {
                ClaimKind::Take => result.candidates[1].flipped().equity.mirrored(1.0),
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
