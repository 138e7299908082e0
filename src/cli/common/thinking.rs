//! Decisions for other programs: checker plays, doubles, and responses to doubles and resignations.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex};

use rayon::ThreadPool;

use crate::cube::{Cube, CubeChoice, CubeDecision, Model};
use crate::eval::{Engine, Evaluator, Probabilities, lookahead};
use crate::game::position::{BAR, OFF};
use crate::game::{GameState, Play, Roll, Step};
use crate::locks::lock;
use crate::review::{Resignation, ResignationFault};
use crate::rollout::LevelValue;

/// Settings of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Search depth in plies; 0 for the static evaluation.
    pub(crate) ply: u8,
    /// Number of threads.
    pub(crate) threads: usize,
    /// Plays have cubeful equities.
    pub(crate) cubeful: bool,
}

/// The reason why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoDecision(pub(crate) String);

impl NoDecision {
    fn new(why: &str) -> Self {
        Self(why.to_owned())
    }
}

/// The evaluator with its threads.
pub(crate) struct Thinker {
    evaluator: Box<dyn Evaluator>,
    model: Model,
    /// Plays matches without the Crawford rule, even if the client sets it.
    no_crawford: bool,
    /// Decides statically on the caller's thread, whatever the settings.
    is_static: bool,
    /// The last pool used, with its number of threads.
    pool: Mutex<Option<(usize, Arc<ThreadPool>)>>,
}

/// The best play with its evaluation.
pub(crate) struct Choice {
    pub(crate) play: Play,
    /// Cubeful or cubeless, as requested.
    pub(crate) equity: f32,
    pub(crate) chances: Probabilities,
    pub(crate) ply: u8,
}

/// Evaluation of a position for the player on roll.
pub(crate) struct PositionWorth {
    pub(crate) chances: Probabilities,
    /// Points of the present cube, or in a match the winning chance; cubeful or cubeless, as requested.
    pub(crate) worth: f32,
}

impl Thinker {
    pub(crate) fn new(engine: Engine, model: Model) -> Self {
        Self {
            evaluator: Box::new(engine),
            model,
            no_crawford: false,
            is_static: false,
            pool: Mutex::new(None),
        }
    }

    pub(crate) fn engine_name(&self) -> &str {
        self.evaluator.name()
    }

    /// Disables the Crawford rule if `no_crawford`.
    pub(crate) fn without_crawford(self, no_crawford: bool) -> Self {
        Self {
            no_crawford,
            ..self
        }
    }

    /// Applies the Crawford option to a state.
    fn by_rule(&self, state: &GameState) -> GameState {
        match self.no_crawford {
            true => state.without_crawford_rule(),
            false => *state,
        }
    }

    /// Decides statically and on the caller's thread, so that every response is quick.
    pub(crate) fn only_static(self) -> Self {
        Self {
            is_static: true,
            ..self
        }
    }

    fn limited(&self, effort: &Effort) -> Effort {
        if !self.is_static {
            return *effort;
        }
        Effort {
            ply: 0,
            threads: 1,
            ..*effort
        }
    }

    fn on<T: Send>(
        &self,
        threads: usize,
        work: impl FnOnce() -> T + Send,
    ) -> Result<T, NoDecision> {
        if threads <= 1 {
            return Ok(work());
        }
        let pool = {
            let mut kept = lock(&self.pool);
            match &*kept {
                Some((size, pool)) if *size == threads => pool.clone(),
                _ => {
                    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                    let built =
                        built.map_err(|e| NoDecision(format!("no thread can be started: {e}")))?;
                    let pool = Arc::new(built);
                    *kept = Some((threads, pool.clone()));
                    pool
                }
            }
        };
        Ok(pool.install(work))
    }

    /// Returns the best play of a roll; `None` if no checker can move.
    pub(crate) fn play(
        &self,
        effort: &Effort,
        state: &GameState,
        roll: Roll,
    ) -> Result<Option<Choice>, NoDecision> {
        let effort = self.limited(effort);
        let state = &self.by_rule(state);
        let model = effort.cubeful.then_some(&self.model);
        let evaluator = &*self.evaluator;
        let best = self.on(effort.threads, || {
            let all = LevelValue::all(evaluator, model, state, roll, effort.ply, &|| false)?;
            let best = all.first()?;
            Some(Choice {
                play: best.candidate.play,
                equity: best.equity(),
                chances: best.candidate.probabilities,
                ply: best.candidate.ply,
            })
        })?;
        Ok(best.filter(|choice| !choice.play.is_empty()))
    }

    pub(crate) fn double(
        &self,
        effort: &Effort,
        state: &GameState,
    ) -> Result<CubeChoice, NoDecision> {
        let state = &self.by_rule(state);
        let doubles = state.may_double() && self.decide(effort, state)?.action.doubles();
        Ok(match doubles {
            true => CubeChoice::Double,
            false => CubeChoice::NoDouble,
        })
    }

    /// Returns the response to a double that is or would be offered, in a state seen by the player who responds.
    pub(crate) fn reply(
        &self,
        effort: &Effort,
        state: &GameState,
    ) -> Result<CubeChoice, NoDecision> {
        let state = self.by_rule(state);
        let doubler = match state.doubled {
            true => state.roller(),
            false => state,
        };
        // An offered double is answered even if it gains nothing.
        if !doubler.may_double() && !state.doubled {
            return Err(NoDecision::new("nobody may double"));
        }
        let answer = self.decide(effort, &doubler)?.answer();
        Ok(answer.unwrap_or(CubeChoice::Take))
    }

    /// Returns whether to accept the resignation of the player of `state` for `size` times the cube; refuses if
    /// playing on is worth more.
    pub(crate) fn accepts(
        &self,
        effort: &Effort,
        state: &GameState,
        size: u8,
    ) -> Result<bool, NoDecision> {
        let effort = self.limited(effort);
        let state = &self.by_rule(state);
        let points = state.cube.saturating_mul(size.into());
        let (evaluator, model) = (&*self.evaluator, &self.model);
        let offered = self.on(effort.threads, || {
            Resignation::offered(evaluator, model, state, points, effort.ply, &|| false)
        })?;
        let offered =
            offered.ok_or_else(|| NoDecision::new("the resignation could not be analysed"))?;
        Ok(offered.fault() != Some(ResignationFault::Accepting))
    }

    /// Evaluates the position for the player on roll of `state`, before the roll.
    pub(crate) fn evaluate(
        &self,
        effort: &Effort,
        state: &GameState,
    ) -> Result<PositionWorth, NoDecision> {
        let effort = self.limited(effort);
        let state = &self.by_rule(state).before_roll();
        let (evaluator, model) = (&*self.evaluator, &self.model);
        let found = self.on(effort.threads, || match effort.cubeful {
            true => cubeful_worth(evaluator, model, state, effort.ply),
            false => cubeless_worth(evaluator, model, state, effort.ply),
        })?;
        found.ok_or_else(|| NoDecision::new("the position could not be evaluated"))
    }

    fn decide(&self, effort: &Effort, state: &GameState) -> Result<CubeDecision, NoDecision> {
        let effort = self.limited(effort);
        let evaluator = &*self.evaluator;
        let decision = self.on(effort.threads, || {
            self.model.decide(evaluator, state, effort.ply, &|| false)
        })?;
        decision.ok_or_else(|| NoDecision::new("the decision could not be made"))
    }
}

/// The value with the best cube actions of both.
fn cubeful_worth(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
    ply: u8,
) -> Option<PositionWorth> {
    let (decision, chances) = model.decide_with_chances(evaluator, state, ply, &|| false)?;
    let worth = match decision.mwc {
        Some(mwc) => mwc.cubeful,
        None => decision.cubeful_equity,
    };
    Some(PositionWorth { chances, worth })
}

/// The value with a dead cube.
fn cubeless_worth(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
    ply: u8,
) -> Option<PositionWorth> {
    let chances = lookahead::evaluate(evaluator, &state.position, ply, &|| false)?;
    let (cube, context) = (Cube::of(state), model.context(state));
    let value = context.dead(cube, &chances);
    let worth = match context.is_money() {
        true => context.to_points(cube.level, value),
        false => value,
    };
    Some(PositionWorth { chances, worth })
}

/// Writes a play in single steps, each of one die and legal after the previous ones, as strict parsers require. The
/// rearmost checkers move first.
pub(crate) fn steps(play: &Play) -> String {
    let place = |place: u8| match usize::from(place) {
        BAR => "bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    };
    let mut steps: Vec<Step> = play.steps().collect();
    steps.sort_by_key(|step| Reverse(step.from));
    let words = steps
        .iter()
        .map(|step| format!("{}/{}", place(step.from), place(step.to)));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plays_are_written_in_single_steps() {
        let step = |from, to| Step { from, to };
        for (play, text) in [
            (vec![step(18, 13), step(24, 18)], "24/18 18/13"),
            (vec![step(25, 22), step(6, 5)], "bar/22 6/5"),
            (vec![step(6, 0), step(3, 0)], "6/off 3/off"),
            (vec![step(8, 5); 2], "8/5 8/5"),
            // With a 6 the 5-point is cleared last.
            (
                vec![step(11, 5), step(5, 0), step(6, 0), step(6, 0)],
                "11/5 6/off 6/off 5/off",
            ),
        ] {
            assert_eq!(steps(&Play::new(&play)), text);
        }
    }
}
