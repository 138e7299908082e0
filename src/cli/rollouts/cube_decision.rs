//! The rollout of a cube decision, as printed: what each action is worth and which is right.

use std::fmt::Write as _;

use serde::Serialize;

use super::candidate::{DifferenceDocument, difference_text, error};
use super::rollout_run::EndedRollout;
use crate::cli::common::output::chance_right;
use crate::cube::{CubeAction, CubeChoice, CubeDecision};
use crate::review::report::decision_text::of_offered;
use crate::rollout::{CandidateResult, Standing, chance_of_double};

/// Names of the two candidates, in their order.
pub(crate) const CANDIDATES: [&str; 2] = ["no double", "double/take"];

/// A cube decision that was rolled out, for the player on roll.
#[derive(Serialize)]
pub(crate) struct CubeDecisionDocument {
    no_double: f64,
    double_take: f64,
    double_pass: f64,
    cubeful_equity: f64,
    action: CubeAction,
    /// Double/take less no double.
    difference: DifferenceDocument,
    /// Chance that a double is worth at least as much as none, whatever is answered.
    p_double: f64,
    /// Chance that the take costs less than the pass, beavers included where they are allowed.
    p_take: f64,
    /// The right answer to a double.
    #[serde(skip)]
    answer: Option<CubeChoice>,
    /// The rules allow beavers.
    #[serde(skip)]
    beavers: bool,
}

/// No double, and double and take, seen by the player on roll, and the decision that they are; `None` of another rollout.
pub(super) fn rolled(outcome: &EndedRollout) -> Option<([CandidateResult; 2], CubeDecision)> {
    let cube = outcome.described.settings.cube.filter(|c| c.decision)?;
    let candidates: &[_; 2] = outcome.result.candidates.first_chunk()?;
    let both = candidates.each_ref().map(CandidateResult::flipped);
    let [no_double, double_take] = both.each_ref().map(|one| one.equity.mean as f32);
    let decision = CubeDecision::in_points(no_double, double_take, cube.allows_beavers());
    Some((both, decision))
}

impl CubeDecisionDocument {
    /// Reads the decision from its two candidates. `None` for another kind of rollout, or without trials.
    pub(crate) fn new(outcome: &EndedRollout) -> Option<Self> {
        let ([hold, take], decision) = rolled(outcome)?;
        let [hold, take] = [hold, take].map(|candidate| candidate.equity);
        let difference = outcome.result.difference.as_ref()?;
        if difference.trials == 0 {
            return None;
        }
        // In full, as the two are: the decision has single precision.
        let doubled = match decision.beavered() {
            Some(_) => 2.0 * take.mean,
            None => take.mean.min(1.0),
        };
        Some(Self {
            no_double: hold.mean,
            double_take: take.mean,
            double_pass: 1.0,
            cubeful_equity: hold.mean.max(doubled),
            action: decision.action,
            difference: DifferenceDocument::new(difference),
            p_double: chance_of_double(&outcome.result, decision.allows_beavers())?,
            p_take: 1.0 - take.chance_at_least(1.0),
            answer: decision.answer(),
            beavers: decision.allows_beavers(),
        })
    }

    /// The decision as text for people, under the table of the candidates: what to do, or what to say to a
    /// double on offer. `words` says an action as players do.
    pub(crate) fn text(
        &self,
        outcome: &EndedRollout,
        is_offered: bool,
        words: &dyn Fn(&str) -> String,
    ) -> String {
        let mut text = format!("{}  +1.0000\n", words("double/pass"));
        let [hold, take] = CANDIDATES.map(words);
        if let Some(difference) = &outcome.result.difference {
            let _ = writeln!(
                text,
                "{take} − {hold}  {}, standard error {}",
                difference_text(difference),
                error(difference.equity.se),
            );
        }
        let answer = self.answer.filter(|_| is_offered);
        let right = chance_right(self.p_take);
        let a_take = match self.beavers {
            true => "a take or a beaver",
            false => "a take",
        };
        // A rollout with a fixed number of trials decides nothing by itself.
        let verdict = match outcome.result.status.standing() {
            Standing::Open => String::new(),
            standing => format!("{}: ", standing.words()),
        };
        let _ = match answer {
            Some(answer) => writeln!(
                text,
                "{verdict}{}, {a_take} is right: {right}",
                of_offered(answer.name())
            ),
            None => writeln!(
                text,
                "{verdict}{}  (a double is right: {}, {a_take} is: {right})",
                words(self.action.name()),
                chance_right(self.p_double),
            ),
        };
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::rollouts::rollout_options::SettingsDocument;
    use crate::eval::{Engine, Evaluator};
    use crate::game::{GameState, Position};
    use crate::rollout::{
        CubeSettings, DifferenceResult, Estimate, RolloutResult, Settings, Setup, Status,
        StopReason,
    };
    use std::sync::Arc;

    /// The equity of the better choice has the digits that the choice itself has.
    #[test]
    fn a_choice_is_one_number_in_one_document() {
        let mut state = GameState::money(Position::opening());
        state.rules.beavers = true;
        let settings = Settings {
            cube: Some(CubeSettings::of_decision(&state)),
            ..Settings::default()
        };
        let setup = Setup::from(Arc::new(Engine::embedded()) as Arc<dyn Evaluator>);
        let (third, seventh) = (1.0 / 3.0, 1.0 / 7.0);
        for (hold, take, best) in [
            (third, seventh, third),
            (seventh, third, third),
            (seventh, 1.0 + third, 1.0),
            (-third, -seventh, -2.0 * seventh),
        ] {
            let mut result = RolloutResult::empty(Status::Done(StopReason::Trials));
            // As the opponent sees it, who has just played.
            result.candidates = [hold, take]
                .map(|mean: f64| CandidateResult {
                    trials: 36,
                    equity: Estimate::exact(-mean),
                    ..CandidateResult::default()
                })
                .into();
            result.difference = Some(DifferenceResult {
                trials: 36,
                equity: Estimate::exact(take - hold),
                ..DifferenceResult::default()
            });
            let described = SettingsDocument::seen(&setup, &settings, true);
            let outcome = EndedRollout::new(Arc::new(result), described);
            let document = CubeDecisionDocument::new(&outcome).unwrap();
            assert_eq!(document.cubeful_equity, best);
        }
    }
}
