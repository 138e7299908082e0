//! Decisions for other programs: checker plays, doubles, and what to say to them.

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

/// How a decision is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Effort {
    /// Plies of lookahead, 0 for the static evaluation.
    pub(crate) ply: u8,
    /// Threads that work on it.
    pub(crate) threads: usize,
    /// Whether plays count the cube.
    pub(crate) cubeful: bool,
}

/// Why there is no decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoDecision(pub(crate) String);

impl NoDecision {
    fn new(why: &str) -> Self {
        Self(why.to_owned())
    }
}

/// The evaluator, and threads for it.
pub(crate) struct Thinker {
    evaluator: Box<dyn Evaluator>,
    model: Model,
    /// Whether matches are played without the Crawford rule, whatever the other side says.
    no_crawford: bool,
    /// Whether every decision is static and made on the caller's thread, whatever is asked.
    is_static: bool,
    /// The last pool that was asked for, and of how many threads.
    pool: Mutex<Option<(usize, Arc<ThreadPool>)>>,
}

/// The best play, and what is thought of it.
pub(crate) struct Choice {
    pub(crate) play: Play,
    /// With the cube or without, as was asked.
    pub(crate) equity: f32,
    pub(crate) chances: Probabilities,
    pub(crate) ply: u8,
}

/// What a position is worth to the player on roll.
pub(crate) struct PositionWorth {
    pub(crate) chances: Probabilities,
    /// Points on the present cube, or in a match the chance to win it; with the cube or without, as was asked.
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

    /// The name of the evaluator.
    pub(crate) fn engine_name(&self) -> &str {
        self.evaluator.name()
    }

    /// Plays matches without the Crawford rule, if so it is.
    pub(crate) fn without_crawford(self, no_crawford: bool) -> Self {
        Self {
            no_crawford,
            ..self
        }
    }

    /// A state by the rule that was asked for.
    fn by_rule(&self, state: &GameState) -> GameState {
        match self.no_crawford {
            true => state.without_crawford_rule(),
            false => *state,
        }
    }

    /// Makes every decision static and on the caller's thread, so that no line takes long.
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

    /// The best play of a roll; none if no checker can move.
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

    /// What to answer to the double that was offered, or would be, in a state seen by the player
    /// who answers.
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
        // A double that is there is answered, also one that gains nothing.
        if !doubler.may_double() && !state.doubled {
            return Err(NoDecision::new("nobody may double"));
        }
        let answer = self.decide(effort, &doubler)?.answer();
        Ok(answer.unwrap_or(CubeChoice::Take))
    }

    /// Whether to accept the game that the player of `state` gives up for `size` times the cube: unless it is worth
    /// more to play on.
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

    /// What the position is worth to the player on roll of `state`, before the roll.
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

/// With the best cube action by both.
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

/// With a cube that nobody will turn.
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

/// A play in single steps, each of one die and legal after those before it: what strict readers take. The
/// side that is furthest back goes first.
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
