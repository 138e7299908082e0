//! The figures of a stored rollout for a decision of the quiz.

use super::StudyDecision;
use super::rolled::{Foundation, StudyRollout, difference_se, tells, tells_of};
use crate::eval::Candidate;
use crate::game::{PlayList, Position};
use crate::review::Class;
use crate::rollout::{Progress, RolloutPrecision, RolloutResult, Setup, cube_decision};

impl StudyRollout {
    /// Returns the figures of a stored rollout for a decision, and how well they are founded.
    /// `None` if the rollout does not count, or if this program would play it otherwise.
    pub fn of_kept(
        decision: &StudyDecision,
        progress: &Progress,
        setup: &Setup,
    ) -> Option<(Self, Foundation)> {
        let settings = &progress.settings;
        let cube = settings.cube.filter(|_| settings.shard.is_none())?;
        if cube.decision != (decision.class != Class::Checker) {
            return None;
        }
        let result = progress.result(setup).ok()?;
        let founded = |se: f64| Foundation::new(settings, true, se);
        if cube.decision {
            let fewest = result.candidates.iter().map(|one| one.trials).min()?;
            let known = cube_decision(&result, &cube.restricted(&decision.state.roller()));
            let known = known.filter(|_| tells(&result, fewest))?;
            return Some((Self::Cube(known), founded(difference_se(&result, 0, 1))));
        }
        let of = KeptPlays {
            decision,
            candidates: &progress.candidates,
            result: &result,
        };
        let (plays, se) = of.plays()?;
        Some((Self::Plays(plays), founded(se)))
    }
}

/// A rollout of the plays of a decision.
struct KeptPlays<'a> {
    decision: &'a StudyDecision,
    candidates: &'a [Position],
    result: &'a RolloutResult,
}

impl KeptPlays<'_> {
    /// The plays of the rollout, and the standard error of what was made against what lookahead thinks best,
    /// if it has both.
    fn plays(&self) -> Option<(Vec<(Candidate, RolloutPrecision)>, f64)> {
        let state = &self.decision.state;
        let place = |position: &Position| self.candidates.iter().position(|one| one == position);
        let made = self.decision.play.map(|play| play.apply(&state.position));
        let ends = [made, self.decision.best].into_iter().flatten();
        // Nobody has decided a position of a list, and a card does not say what is best.
        let ends: Vec<usize> = ends.map(|end| place(&end)).collect::<Option<_>>()?;
        let shows = |&i: &usize| tells_of(self.result, i);
        let is_shown = match ends[..] {
            [] => (0..self.candidates.len()).all(|i| shows(&i)),
            _ => ends.iter().all(shows),
        };
        if self.candidates.len() < 2 || !is_shown {
            return None;
        }
        let list = PlayList::of(&state.position, state.roll?);
        let rolled = |(i, position): (usize, &Position)| {
            let one = self.result.candidates.get(i).filter(|one| one.trials > 0)?;
            let candidate = Candidate {
                play: list.play_to(position)?,
                result: *position,
                probabilities: one.chances(),
                equity: self.result.equity_beside_best(i)? as f32,
                ply: 0,
            };
            Some((candidate, RolloutPrecision::from(one)))
        };
        let plays: Vec<_> = (self.candidates.iter().enumerate())
            .filter_map(rolled)
            .collect();
        let se = match ends[..] {
            [made, best] if made != best => difference_se(self.result, best, made),
            [at, ..] => self.result.candidates[at].equity.se,
            [] => self.result.candidates[0].equity.se,
        };
        (plays.len() > 1).then_some((plays, se))
    }
}
