//! What rollouts say of the cells of the window of other scores.

use crate::analysis::matrix::cube_answer;
use crate::analysis::{BestChoice, Cell, CellAnswer, ReferenceChoice};
use crate::cube::CubeChoice;
use crate::eval::Candidate;
use crate::game::{GameState, PlayList, Position};
use crate::tui::rollouts::inquiry::{MatrixAnswer, decision_at};
use crate::tui::rollouts::jobs::{DecisionKey, Job, best_founded};
use crate::tui::state::App;

/// The matrix as it is shown, and which of its cells go by a rollout: those whose rollout tells errors.
pub(crate) fn shown(
    app: &App,
    state: &GameState,
    matrix: &MatrixAnswer,
) -> (MatrixAnswer, Vec<Cell>) {
    let (mut matrix, mut rolled) = (matrix.clone(), Vec::new());
    let reference = matrix.reference;
    let own = in_view(app, reference, state);
    for (cell, answer) in matrix.cells.iter().zip(&mut matrix.answers) {
        let decision = decision_at(state, cell);
        if let Some((_, own)) = own.as_ref().filter(|(here, _)| *here == decision)
            && answer.as_ref().is_none_or(|answer| own.ply >= answer.ply)
        {
            *answer = Some(own.clone());
        }
        let Some(found) = by_rollout(app, decision, reference, state) else {
            continue;
        };
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

/// The decision in view, and what the pane beside the board says of it. An analysis of many scores at once differs
/// from that a little, and one screen should not say two things of one position.
fn in_view(
    app: &App,
    reference: ReferenceChoice,
    state: &GameState,
) -> Option<(DecisionKey, CellAnswer)> {
    let here = app.turn()?.before.state;
    if let ReferenceChoice::Play(play) | ReferenceChoice::Best(BestChoice::Play(play)) = reference {
        let answer = play_answer(&app.review()?.candidates, play, &here)?;
        return Some((DecisionKey::of(&here), answer));
    }
    let here = here.before_roll();
    let cube = app.review()?.cube.as_ref()?;
    let answer = cube_answer(&cube.decision, reference, state.doubled, cube.ply);
    Some((DecisionKey::of(&here), answer))
}

/// The cost of the play that leads to `present`, by the plays of a review that were looked at as deep as the best.
fn play_answer(all: &[Candidate], present: Position, here: &GameState) -> Option<CellAnswer> {
    let best = all.first()?;
    let deepest = || all.iter().filter(|one| one.ply == best.ply);
    let held = deepest().find(|one| one.result == present)?;
    let list = PlayList::of(&here.position, here.roll?);
    let shown = deepest().enumerate();
    let shown = shown.filter(|(i, one)| *i < 3 || one.result == present);
    let equity = |(_, one): (usize, &Candidate)| {
        let place = list.results().iter().position(|r| *r == one.result)?;
        Some((place, one.equity))
    };
    Some(CellAnswer {
        ply: best.ply,
        best: Some(BestChoice::Play(best.result)),
        cost: Some((best.equity - held.equity).max(0.0)),
        is_change: best.result != present,
        equities: shown.filter_map(equity).collect(),
    })
}

/// The rollouts with the cube of a decision that have something to show, the newest first.
pub(crate) fn with_cube(app: &App, decision: DecisionKey) -> impl Iterator<Item = &Job> {
    let all = app.jobs.about(decision);
    all.filter(|job| job.is_cubeful() && job.result().is_some())
}

/// The rollout of a cube decision: the one that is best founded, as beside the board.
pub(crate) fn of_cube(app: &App, decision: DecisionKey) -> Option<&Job> {
    let founded = app.jobs.cube_rollout(decision).map(|(job, _)| job);
    founded.or_else(|| with_cube(app, decision).next())
}

/// The rollout that says what a play is worth: of those that have it the best founded, as in the list of candidates.
pub(crate) fn of_play<'a>(
    app: &'a App,
    decision: DecisionKey,
    result: &Position,
) -> Option<&'a Job> {
    let having = with_cube(app, decision).filter(|job| job.result_of(result).is_some());
    best_founded(having.map(|job| (job.own_foundation(), job)))
}

/// A cell by its rollouts, as soon as they tell errors.
fn by_rollout(
    app: &App,
    decision: DecisionKey,
    reference: ReferenceChoice,
    state: &GameState,
) -> Option<CellAnswer> {
    match reference {
        ReferenceChoice::Play(result) | ReferenceChoice::Best(BestChoice::Play(result)) => {
            of_plays(app, decision, result)
        }
        present => {
            let job = of_cube(app, decision)?;
            let here = job.decision.state();
            job.cube_error(CubeChoice::NoDouble, here)?;
            let decision = job.cube_decision(here)?;
            Some(cube_answer(&decision, present, state.doubled, 0))
        }
    }
}

/// The best of the plays that a rollout tells from the present one, and what that costs.
fn of_plays(app: &App, decision: DecisionKey, present: Position) -> Option<CellAnswer> {
    // A play of a comparison that has only begun says nothing yet, however good it looks.
    let told = app.jobs.told_plays(decision, &present);
    let (best, held) = (
        told.first()?,
        told.iter().find(|play| play.result == present)?,
    );
    Some(CellAnswer {
        ply: 0,
        best: Some(BestChoice::Play(best.result)),
        cost: Some((best.equity - held.equity) as f32),
        is_change: best.result != present,
        equities: Vec::new(),
    })
}
