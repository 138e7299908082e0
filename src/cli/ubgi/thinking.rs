//! What is answered to `go`.

use std::fmt::Write as _;
use std::sync::Mutex;

use rayon::ThreadPool;

use super::session::Trouble;
use super::settings::Settings;
use crate::cube::{CubeChoice, Model};
use crate::eval::{CandidateFilter, Engine, Evaluator, Probabilities, lookahead};
use crate::game::position::{BAR, OFF};
use crate::game::{GameState, Play, Roll};
use crate::notation::play::ways;

/// The evaluator, and threads for it.
pub(super) struct Thinker {
    evaluator: Box<dyn Evaluator>,
    model: Model,
    /// The last pool that was asked for, and of how many threads.
    pool: Mutex<Option<(usize, std::sync::Arc<ThreadPool>)>>,
}

/// The best play, and what is thought of it.
pub(super) struct Choice {
    play: Play,
    equity: f32,
    chances: Probabilities,
    ply: u8,
}

impl Thinker {
    pub(super) fn new(engine: Engine, model: Model) -> Self {
        Self {
            evaluator: Box::new(engine),
            model,
            pool: Mutex::new(None),
        }
    }

    fn on<T: Send>(&self, threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Trouble> {
        if threads <= 1 {
            return Ok(work());
        }
        let pool = {
            let mut kept = self.pool.lock().unwrap_or_else(|e| e.into_inner());
            match &*kept {
                Some((size, pool)) if *size == threads => pool.clone(),
                _ => {
                    let built = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                    let built = built.map_err(|e| Trouble::state(&e.to_string()))?;
                    let pool = std::sync::Arc::new(built);
                    *kept = Some((threads, pool.clone()));
                    pool
                }
            }
        };
        Ok(pool.install(work))
    }

    /// The best play of a roll; none if no checker can move.
    pub(super) fn play(
        &self,
        settings: &Settings,
        state: &GameState,
        roll: Roll,
    ) -> Result<Option<Choice>, Trouble> {
        let cubeful = settings.cubeful.unwrap_or(!state.score.is_money());
        let (filter, never) = (CandidateFilter::default(), || false);
        let evaluator = &*self.evaluator;
        let best = self.on(settings.threads, || {
            let (candidate, equity) = if cubeful {
                let all =
                    self.model
                        .candidates(evaluator, state, roll, settings.ply, filter, &never)?;
                let best = all.first()?;
                (best.candidate, best.cubeful)
            } else {
                let position = &state.position;
                let all =
                    lookahead::candidates(evaluator, position, roll, settings.ply, filter, &never)?;
                let best = *all.first()?;
                (best, best.equity)
            };
            Some(Choice {
                play: candidate.play,
                equity,
                chances: candidate.probabilities,
                ply: candidate.ply,
            })
        })?;
        Ok(best.filter(|choice| !choice.play.is_empty()))
    }

    /// Whether to double: `double` or `nodouble`.
    pub(super) fn double(
        &self,
        settings: &Settings,
        state: &GameState,
    ) -> Result<&'static str, Trouble> {
        if !state.may_double() {
            return Ok("nodouble");
        }
        let decision = self.decide(settings, state)?;
        Ok(if decision.action.doubles() {
            "double"
        } else {
            "nodouble"
        })
    }

    /// What to answer to the double of the player whose turn it is: `take`, `pass` or `beaver`.
    pub(super) fn reply(
        &self,
        settings: &Settings,
        state: &GameState,
    ) -> Result<&'static str, Trouble> {
        let doubler = state.roller();
        if !doubler.may_double() {
            return Err(Trouble::state("nobody may double"));
        }
        let decision = self.decide(settings, &doubler)?;
        Ok(match decision.answer() {
            Some(CubeChoice::Pass) => "pass",
            Some(CubeChoice::Beaver) => "beaver",
            _ => "take",
        })
    }

    fn decide(
        &self,
        settings: &Settings,
        state: &GameState,
    ) -> Result<crate::cube::CubeDecision, Trouble> {
        let evaluator = &*self.evaluator;
        let decision = self.on(settings.threads, || {
            self.model.decide(evaluator, state, settings.ply, &|| false)
        })?;
        decision.ok_or_else(|| Trouble::state("the decision could not be made"))
    }
}

impl Choice {
    /// What is told besides the play.
    pub(super) fn info(&self) -> String {
        let Probabilities {
            win,
            win_gammon,
            win_backgammon,
            ..
        } = self.chances;
        format!(
            "info depth {} eq {:.4} pwin {win:.4} pgammon {win_gammon:.4} pbg {win_backgammon:.4} pv {}",
            self.ply + 1,
            self.equity,
            steps(&self.play)
        )
    }

    pub(super) fn steps(&self) -> String {
        steps(&self.play)
    }
}

/// A play in single steps, each of one die: what strict readers take.
fn steps(play: &Play) -> String {
    let place = |place: u8| match usize::from(place) {
        BAR => "bar".to_owned(),
        OFF => "off".to_owned(),
        point => point.to_string(),
    };
    let mut text = String::new();
    for way in ways(play) {
        for step in way.windows(2) {
            let gap = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{gap}{}/{}", place(step[0]), place(step[1]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Step;

    #[test]
    fn plays_are_written_in_single_steps() {
        let step = |from, to| Step { from, to };
        for (play, text) in [
            (vec![step(18, 13), step(24, 18)], "24/18 18/13"),
            (vec![step(25, 22), step(6, 5)], "bar/22 6/5"),
            (vec![step(6, 0), step(3, 0)], "6/off 3/off"),
            (vec![step(8, 5); 2], "8/5 8/5"),
        ] {
            assert_eq!(steps(&Play::new(&play)), text);
        }
    }
}
