//! The windows that say why, and what is right at other scores.

use crate::game::{GameState, Play, Position};
use crate::tui::inquiry::{Inquiry, MatrixPlace};
use crate::tui::overlay::Overlay;
use crate::tui::state::{App, Effect};

/// Opens the comparison of two plays, or without dice all about the cube.
pub(super) fn why(app: &mut App, plays: Option<[Play; 2]>) {
    let Some(state) = app.turn().map(|turn| turn.before.state) else {
        return;
    };
    if state.roll.is_none() {
        let inquiry = Inquiry::Cube {
            state: state.roller(),
        };
        app.overlay = Some(Overlay::Why { inquiry, roll: 0 });
        return ask(app, inquiry);
    }
    let Some(plays) = plays else {
        return app.say("mark two plays at most, or select one: why compares two");
    };
    let inquiry = Inquiry::Why { state, plays };
    app.overlay = Some(Overlay::Why { inquiry, roll: 0 });
    ask(app, inquiry);
}

/// Opens the matrix of the decision in view: with the cost of the selected play, or of the best.
pub(super) fn matrix(app: &mut App) {
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

fn reference(app: &App, state: &GameState) -> Option<Position> {
    app.selection.play.filter(|_| state.roll.is_some())
}

fn ask(app: &mut App, inquiry: Inquiry) {
    if let Some(number) = app.inquiries.ask(inquiry) {
        app.is_inquiring = true;
        app.effects.push(Effect::Ask {
            number,
            inquiry: Box::new(inquiry),
        });
    }
}

/// Without its window a question is given up.
pub(super) fn drop_unseen(app: &mut App) {
    let is_open = matches!(
        app.overlay,
        Some(Overlay::Why { .. } | Overlay::Matrix { .. })
    );
    if app.is_inquiring && !is_open {
        app.is_inquiring = false;
        app.effects.push(Effect::EndInquiry);
    }
}
