//! The windows that say why, and what is right at other scores.

use crate::analysis::ReferenceChoice;
use crate::game::{GameState, Play, PlayList, Roll};
use crate::review::Mark;
use crate::rollout::CubeSettings;
use crate::tui::figures::candidate_rows::{self, FigureSource};
use crate::tui::rollouts::inquiry::{Asked, Finding, Inquiry, MatrixPlace, decision_at};
use crate::tui::rollouts::jobs::{DecisionKey, JobPlay};
use crate::tui::state::{App, Effect};
use crate::tui::windows::overlay::Overlay;

/// Opens the comparison of two plays, or without dice all about the cube.
pub(crate) fn why(app: &mut App, plays: Option<[Play; 2]>) {
    let Some(turn) = app.turn() else {
        return;
    };
    let (state, is_first_roll) = (turn.before.state, turn.is_opening_roll());
    if state.roll.is_none() {
        let inquiry = Inquiry::Cube { state };
        app.overlay = Some(Overlay::Why { inquiry, roll: 0 });
        return ask(app, inquiry);
    }
    let Some(plays) = plays else {
        return app.say("mark two plays at most, or select one: why compares two");
    };
    let inquiry = Inquiry::Why {
        state,
        is_first_roll,
        plays,
    };
    app.overlay = Some(Overlay::Why { inquiry, roll: 0 });
    ask(app, inquiry);
}

/// Opens the list of all rolls that can come, or could have come.
pub(crate) fn rolls(app: &mut App) {
    let Some(turn) = app.turn() else {
        return;
    };
    if turn.before.state.position.is_over() {
        return app.say("the game is over: there is no roll");
    }
    let inquiry = Inquiry::Rolls {
        state: turn.before.state,
        is_first_roll: turn.is_opening_roll(),
    };
    let turn_roll = turn.before.state.roll;
    app.overlay = Some(Overlay::Why { inquiry, roll: 0 });
    if let Some(roll) = turn_roll {
        select_roll(app, roll);
    }
    ask(app, inquiry);
}

/// Takes in what was found about a question. In the list of all rolls a roll stays selected though its row changes: at
/// first the one that came.
pub(crate) fn found(app: &mut App, number: u64, finding: Finding) {
    let selected = selected_roll(app);
    app.inquiries.found(number, finding);
    if let Some(roll) = selected {
        select_roll(app, roll);
    }
}

/// The roll that is selected in the list of all rolls, or is to be when they are there.
fn selected_roll(app: &App) -> Option<Roll> {
    let Some(Overlay::Why { inquiry, roll: row }) = &app.overlay else {
        return None;
    };
    let Inquiry::Rolls { state, .. } = inquiry else {
        return None;
    };
    match &app.inquiries.about(inquiry)?.rolls {
        // Where no roll came the list stays at its top until another row is selected.
        Some(_) if *row == 0 && state.roll.is_none() => None,
        Some(table) => table.rolls.get(*row).map(|one| one.roll),
        None => state.roll,
    }
}

fn select_roll(app: &mut App, roll: Roll) {
    if let Some(Overlay::Why { inquiry, roll: row }) = &mut app.overlay
        && let Some(table) = app
            .inquiries
            .about(inquiry)
            .and_then(|answer| answer.rolls.as_ref())
        && let Some(place) = table.rolls.iter().position(|one| one.roll == roll)
    {
        *row = place;
    }
}

/// Opens the matrix of the decision in view: with the cost of the selected play, of an error that was made, or of
/// the best.
pub(crate) fn matrix(app: &mut App) {
    let Some(state) = app.turn().map(|turn| turn.before.state) else {
        return;
    };
    let inquiry = Inquiry::Matrix {
        state,
        reference: reference(app, &state),
    };
    let place = MatrixPlace::of(&state);
    app.overlay = Some(Overlay::Matrix { inquiry, place });
    ask(app, inquiry);
}

/// Opens the check of the play of the rollout in view.
pub(crate) fn bias(app: &mut App) {
    let Some(job) = crate::tui::figures::trials::shown_job(app) else {
        return;
    };
    let inquiry = Inquiry::Bias {
        state: *job.decision.state(),
        job: job.id,
    };
    app.overlay = Some(Overlay::Bias { inquiry });
    ask(app, inquiry);
}

/// The choice whose cost is shown first: the selected play, else what was made if it is an error or an answer to a
/// double, else the best.
fn reference(app: &App, state: &GameState) -> Option<ReferenceChoice> {
    let selected = app.selection.play.filter(|_| state.roll.is_some());
    let made = || app.made_choice().filter(|_| state.doubled || is_error(app));
    let selected = selected.map(ReferenceChoice::Play);
    selected.or_else(made).or_else(|| best(app, state))
}

/// The best play where a rollout has found it; `None` where lookahead alone decides.
fn best(app: &App, state: &GameState) -> Option<ReferenceChoice> {
    state.roll?;
    let rows = candidate_rows::rows(app);
    let best = rows.iter().find(|row| row.is_best)?;
    let is_rolled = best.level == FigureSource::Rollout;
    is_rolled.then_some(ReferenceChoice::Play(best.candidate.result))
}

/// Whether the play or cube action at the decision in view is an error.
fn is_error(app: &App) -> bool {
    let error = match app.before {
        Some(_) => app.silent_error(app.at),
        None => app.error(app.at),
    };
    error.is_some_and(|(error, _)| Mark::of(error, &app.thresholds()) > Mark::Fine)
}

/// Shows in the matrix the cost of what was made, or of the best again.
pub(crate) fn switch_choice(app: &mut App) {
    let Some(Overlay::Matrix {
        inquiry: Inquiry::Matrix { state, reference },
        place,
    }) = app.overlay
    else {
        return;
    };
    // The match may have been read again since, with another turn in its place.
    if app.turn().is_none_or(|turn| turn.before.state != state) {
        return app.say("the decision of this window is not in view any more");
    }
    let made = app.made_choice();
    let reference = match reference == made {
        true => best(app, &state),
        false => made,
    };
    let inquiry = Inquiry::Matrix { state, reference };
    app.overlay = Some(Overlay::Matrix { inquiry, place });
    ask(app, inquiry);
}

/// Asks again what the window that has come back asks: its question was given up.
pub(crate) fn resume(app: &mut App) {
    if let Some(
        Overlay::Why { inquiry, .. } | Overlay::Matrix { inquiry, .. } | Overlay::Bias { inquiry },
    ) = app.overlay
    {
        ask(app, inquiry);
    }
}

fn ask(app: &mut App, inquiry: Inquiry) {
    let asked = match inquiry {
        Inquiry::Bias { state, job } => {
            let Some(job) = app.jobs.about_by_id(DecisionKey::of(&state), job) else {
                return;
            };
            let candidates = job.plays.iter().map(|play| play.result).collect();
            Asked::Play(candidates, job.settings.clone())
        }
        _ => Asked::Decision(inquiry),
    };
    if let Some(number) = app.inquiries.ask(inquiry) {
        app.is_inquiring = true;
        app.effects.push(Effect::Ask {
            number,
            asked: Box::new(asked),
        });
    }
}

/// Rolls the selected cell of the matrix out: the best plays there and the one whose cost is shown, or
/// the cube decision.
pub(crate) fn roll_cell(app: &mut App) {
    let Some(Overlay::Matrix { inquiry, place }) = &app.overlay else {
        return;
    };
    let given = *inquiry.state();
    let matrix = app.inquiries.about(inquiry).and_then(|a| a.matrix.as_ref());
    let found = matrix.and_then(|matrix| matrix.at(*place));
    let Some((cell, Some(answer))) = found else {
        return app.say("this score is still being worked out");
    };
    if answer.best.is_none() {
        return app.say("no cube decision here: the cube is dead, or cannot be turned");
    }
    let decision = decision_at(&given, cell);
    let plays = match (given.roll, decision.before_roll()) {
        (Some(roll), _) => {
            let list = PlayList::of(&given.position, roll);
            let play = |(i, _): &(usize, f32)| JobPlay {
                play: list.plays()[*i],
                result: list.results()[*i],
            };
            answer.equities.iter().map(play).collect()
        }
        (None, Some(result)) => {
            let play = Play::NONE;
            vec![JobPlay { play, result }; 2]
        }
        (None, None) => return,
    };
    // The cube is that of the player who rolls, also where the other is to answer.
    let state = decision.state().roller();
    let cube = match given.roll {
        Some(_) => CubeSettings::after_play(&state),
        None => CubeSettings::of_decision(&state),
    };
    let shown = match inquiry {
        Inquiry::Matrix {
            reference: Some(ReferenceChoice::Play(play)),
            ..
        } => Some(*play),
        _ => None,
    };
    super::plays::roll_elsewhere(app, decision, plays, shown, cube);
}

/// Gives up a question whose window is closed.
pub(crate) fn drop_unseen(app: &mut App) {
    let is_open = matches!(
        app.overlay,
        Some(Overlay::Why { .. } | Overlay::Matrix { .. } | Overlay::Bias { .. })
    );
    if app.is_inquiring && !is_open {
        app.is_inquiring = false;
        app.effects.push(Effect::EndInquiry);
    }
}
