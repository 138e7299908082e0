//! The figures of a turn without dice: chances, equity and the cube decision, from the best source there is.

use crate::cube::{CubeDecision, cube_words};
use crate::eval::Probabilities;
use crate::game::GameState;
use crate::tui::rollouts::jobs::{Job, TRIALS_TO_REPLACE};
use crate::tui::state::App;

/// Whether the figures of a turn without dice are a rollout's.
pub fn is_rolled(app: &App) -> bool {
    let Some(view) = app.decision().filter(|d| d.state().roll.is_none()) else {
        return false;
    };
    let candidate = |job: &Job| {
        let before = view.before_roll();
        before.and_then(|position| job.result_of(&position).map(|s| s.trials))
    };
    app.jobs.cube_rollout(view).is_some()
        || app
            .jobs
            .comparable(view)
            .any(|job| candidate(job).is_some_and(|trials| trials >= TRIALS_TO_REPLACE))
}

/// How deep the figures in sight were looked at.
pub fn shown_ply(app: &App) -> Option<u8> {
    let review = app.review()?;
    Some(match (app.before, review.cube) {
        (Some(_), Some(cube)) => cube.ply,
        _ => review.ply,
    })
}

/// Chances of the player who rolls next, and what says so. Who answers a double decides, but the figures are
/// the doubler's, as eXtreme Gammon and GNU Backgammon show them.
pub fn chances(app: &App) -> Option<(Probabilities, String)> {
    let decision = app.decision()?;
    let candidate = app.jobs.result_of(decision, &decision.before_roll()?);
    if let Some(s) = candidate.filter(|s| s.trials >= TRIALS_TO_REPLACE) {
        return Some((s.chances(), "  rollout".into()));
    }
    let ply = shown_ply(app)?;
    let chances = app.review()?.chances?;
    let chances = match decision.state().doubled {
        true => chances.flipped(),
        false => chances,
    };
    Some((chances, format!("  {ply}-ply")))
}

/// What is known about the cube.
pub struct CubeFigures {
    /// What the turn is worth to the player who rolls next, played well by both from here on: if they have doubled,
    /// after that double. In points on the present cube.
    pub equity: f32,
    /// What says so.
    pub source: String,
    /// The doubler's decision.
    pub decision: Option<CubeDecision>,
    /// The ±95 of no double and of double and take, if a rollout of the decision is the source.
    pub intervals: Option<[String; 2]>,
}

impl CubeFigures {
    /// The cube's value: by its rollout, else by lookahead, else from the chances shown.
    pub fn of(app: &App, state: &GameState, chances: Option<&Probabilities>) -> Option<Self> {
        let view = app.decision()?;
        if let Some((job, _)) = app.jobs.cube_rollout(view) {
            let decision = job.cube_decision(state)?;
            let candidates = &job.result()?.candidates;
            return Some(Self {
                equity: offer_equity(state, &decision),
                source: "rollout".into(),
                decision: Some(decision),
                intervals: Some([0, 1].map(|side| app.scale().interval_of(&candidates[side]))),
            });
        }
        let alone = |job: &Job| {
            job.is_cubeful()
                .then(|| job.result_of(&view.before_roll()?))?
                .cloned()
        };
        let candidate = app.jobs.about(view).find_map(alone);
        if let Some(candidate) = candidate.filter(|s| s.trials >= TRIALS_TO_REPLACE) {
            let interval = app.scale().interval_of(&candidate);
            return Some(Self {
                equity: candidate.equity.mean as f32,
                source: format!("{interval} rollout"),
                decision: None,
                intervals: None,
            });
        }
        let looked = app.review().and_then(|r| r.cube);
        let decision = match looked {
            Some(looked) => looked.decision,
            None if state.position.is_over() => return None,
            // The next tick of the clock shows it: a screen does not wait for a table.
            None if !app.model.at_hand(&state.roller()) => return None,
            None => app.model.decision(&state.roller(), chances?),
        };
        let ply = looked.map_or_else(|| app.review().map_or(0, |r| r.ply), |looked| looked.ply);
        Some(Self {
            equity: offer_equity(state, &decision),
            source: format!("{ply}-ply"),
            decision: Some(decision),
            intervals: None,
        })
    }
}

/// A cube action with what it is worth to the doubler, in points on the present cube.
pub struct ActionFigure {
    pub name: &'static str,
    pub meaning: &'static str,
    /// What it is worth.
    pub value: f32,
    /// Its ±95, if a rollout is the source.
    pub interval: Option<String>,
}

impl CubeFigures {
    /// The actions, those of who answers among them.
    pub fn actions(&self, state: &GameState) -> Vec<ActionFigure> {
        let Some(decision) = &self.decision else {
            return Vec::new();
        };
        let (Some(take), Some(pass)) = (decision.double_take, decision.double_pass) else {
            return Vec::new();
        };
        let of = |(name, meaning), value, side: Option<usize>| ActionFigure {
            name: cube_words(name, state),
            meaning,
            value,
            interval: side.and_then(|side| Some(self.intervals.as_ref()?[side].clone())),
        };
        // What a beaver leaves is what the double is worth.
        let beaver = decision.doubled().filter(|_| decision.is_beavered());
        let doubled = match beaver {
            Some(beaver) => of(
                ("double/beaver", "after a double that is redoubled at once"),
                beaver,
                None,
            ),
            None => of(
                ("double/take", "after a double that is taken"),
                take,
                Some(1),
            ),
        };
        vec![
            of(
                ("no double", "what it is worth to roll without a double"),
                decision.no_double,
                Some(0),
            ),
            doubled,
            of(
                (
                    "double/pass",
                    "after a double that is passed, which wins the present cube",
                ),
                pass,
                None,
            ),
        ]
    }
}

/// Equity of a decision for the doubler, in points: once the double is made, that of the double and no longer
/// that of the choice.
fn offer_equity(state: &GameState, decision: &CubeDecision) -> f32 {
    let doubled = decision.doubled().filter(|_| state.doubled);
    doubled.unwrap_or(decision.cubeful_equity)
}
