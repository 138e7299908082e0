//! What rollouts say of the cells of the matrix.

use super::Pane;
use crate::analysis::matrix::cube_answer;
use crate::analysis::{BestChoice, Cell, CellAnswer, ReferenceChoice};
use crate::cube::CubeChoice;
use crate::game::{GameState, Position};
use crate::rollout::CandidateResult;
use crate::tui::inquiry::{MatrixAnswer, decision_at};
use crate::tui::jobs::{Job, rolled_decision};
use crate::tui::state::App;
use crate::tui::text;

/// The matrix as it is shown, and which of its cells go by a rollout: those whose rollout tells errors.
pub(super) fn shown(
    app: &App,
    state: &GameState,
    matrix: &MatrixAnswer,
) -> (MatrixAnswer, Vec<Cell>) {
    let (mut matrix, mut rolled) = (matrix.clone(), Vec::new());
    let reference = matrix.reference;
    for (cell, answer) in matrix.cells.iter().zip(&mut matrix.answers) {
        let found = rollout(app, state, cell).and_then(|job| by_rollout(job, reference, state));
        let Some(found) = found else { continue };
        // The equities stay those of lookahead: what the rollout gives stands in words below them.
        let (ply, equities) = match answer.take() {
            Some(looked) => (looked.ply, looked.equities),
            None => (found.ply, Vec::new()),
        };
        *answer = Some(CellAnswer {
            ply,
            equities,
            ..found
        });
        rolled.push(*cell);
    }
    (matrix, rolled)
}

/// The rollout of a cell: of a cube decision the one that is best founded, as beside the board.
fn rollout<'a>(app: &'a App, state: &GameState, cell: &Cell) -> Option<&'a Job> {
    let decision = decision_at(state, cell);
    let cube = app.jobs.cube_rollout(decision).map(|(job, _)| job);
    cube.or_else(|| {
        let mut jobs = app.jobs.about(decision);
        jobs.find(|job| job.is_cubeful() && job.result().is_some())
    })
}

/// A cell by its rollout, as soon as that tells errors.
fn by_rollout(job: &Job, reference: ReferenceChoice, state: &GameState) -> Option<CellAnswer> {
    match reference {
        ReferenceChoice::Play(result) | ReferenceChoice::Best(BestChoice::Play(result)) => {
            of_plays(job, result)
        }
        present => {
            let here = job.decision.state();
            job.cube_error(CubeChoice::NoDouble, here)?;
            let decision = rolled_decision(here, job.cube_values()?);
            Some(cube_answer(&decision, present, state.doubled, 0))
        }
    }
}

/// The best play of a rollout, and what the present one costs.
fn of_plays(job: &Job, present: Position) -> Option<CellAnswer> {
    let plays = job.plays.iter().map(|play| play.result);
    let values = plays.filter_map(|result| Some((result, job.equity_of(&result)?)));
    let (best, _) = values.max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(CellAnswer {
        ply: 0,
        best: Some(BestChoice::Play(best)),
        cost: Some(job.error(&best, &present)?),
        is_change: best != present,
        equities: Vec::new(),
    })
}

impl Pane<'_> {
    /// What the rollout of the selected cell has found, in words.
    pub(super) fn rollout_words(&self, cell: &Cell) -> Option<String> {
        let job = rollout(self.app, &self.state, cell)?;
        let result = job.result()?;
        let mean = |i: usize, c: &CandidateResult| match job.is_cube_decision() {
            true => c.equity.mean,
            false => (job.plays.get(i))
                .and_then(|play| job.equity_of(&play.result))
                .unwrap_or(c.equity.mean),
        };
        let mut values: Vec<(usize, f64, String)> = result
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, c)| c.trials > 0)
            .map(|(i, c)| (i, mean(i, c), text::half(c.equity.ci95)))
            .collect();
        if !job.is_cube_decision() {
            values.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        let words = values.iter().map(|(i, mean, half)| {
            let equity = text::equity(*mean);
            format!("{equity} ±{half} {}", job.name(*i))
        });
        let words: Vec<String> = words.collect();
        let trials = text::count(job.trials() as f64);
        let still = if job.is_active() { " …" } else { "" };
        let ply = job.settings.ply;
        Some(format!(
            "rolled out ({ply}-ply, {trials}{still}): {}",
            words.join("   ")
        ))
    }
}
