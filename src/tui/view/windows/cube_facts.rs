//! The window with all about a cube decision.

mod pane;
mod stacked;

use ratatui::layout::Rect;

use self::pane::{FACTS, Pane};
use crate::cube::{CubeChoice, cube_words};
use crate::game::{GameState, Player};
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::rollouts::jobs::DecisionKey;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::window;
use crate::tui::windows::draft::sign;

/// Columns of facts and map beside each other, with the words over the map, and rows down to what is said of a roll.
const BESIDE: (u16, u16) = (FACTS + 34, 20);

pub(crate) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App, inquiry: &Inquiry, roll: usize) {
    let answer = app.inquiries.about(inquiry);
    let facts = answer.and_then(|answer| answer.cube.as_deref());
    let side = match (facts, answer.is_some_and(|a| a.is_done)) {
        (Some(facts), true) => format!("{}-ply", facts.ply),
        (Some(facts), false) => format!("{}-ply, deeper …", facts.ply),
        (None, _) => String::new(),
    };
    let name = match whose_figures(app, inquiry.state(), LONGEST) {
        Some(whose) => format!("cube decision, {whose}"),
        None => "cube decision".to_owned(),
    };
    // A beaver has a row of its own.
    let is_beavered = facts.is_some_and(|facts| facts.decision.is_beavered());
    let height = BESIDE.1 + u16::from(is_beavered);
    let area = window(paint, screen, (76, height), &name, &side);
    let Some(facts) = facts else {
        let failure = answer.and_then(|answer| answer.failure.as_deref());
        let words = failure.unwrap_or("being worked out …");
        paint.line(area, 0, &[(words, Role::OverlayMuted)]);
        return;
    };
    let pane = Pane {
        facts,
        state: *inquiry.state(),
    };
    let rolled = rolled(app, &pane.state);
    if area.width < BESIDE.0 || area.height < height {
        return stacked::draw(paint, area, &pane, rolled, roll);
    }
    pane.beside(paint, area, rolled, roll);
}

/// Columns that say whose the figures are, where there is room for more.
pub(crate) const LONGEST: usize = 41;

/// Says whose the figures of a double on offer are, in so many columns: those of the player who doubles,
/// while the other one decides.
pub(crate) fn whose_figures(app: &App, state: &GameState, columns: usize) -> Option<String> {
    if !state.doubled {
        return None;
    }
    let doubler = app.turn()?.before.player.other();
    let room = columns.saturating_sub("for , who doubles".len());
    let name = text::cut(doubler_name(app, doubler), room);
    Some(format!("for {name}, who doubles"))
}

/// Name of the doubler: in a quiz and in the editor nobody of the match that is open.
fn doubler_name(app: &App, doubler: Player) -> &str {
    let is_drawn = app.editor.as_ref().is_some_and(|e| e.names.is_none());
    let is_asked = app.editor.is_none() && app.quiz.is_some();
    match () {
        () if is_drawn => sign(doubler),
        () if is_asked => "your opponent",
        () if app.editor.is_none() && app.document.players().is_none() => "the opponent",
        () => app.name(doubler),
    }
}

/// Says what a rollout of the decision has found, the cost first: all else in the window is by lookahead.
fn rolled(app: &App, state: &GameState) -> Option<String> {
    let (job, values) = app.jobs.cube_rollout(DecisionKey::of(state))?;
    let decision = job.cube_decision(state)?;
    let wrong = match decision.answer() {
        Some(CubeChoice::Pass) if state.doubled => CubeChoice::Take,
        Some(_) if state.doubled => CubeChoice::Pass,
        _ if decision.action.doubles() => CubeChoice::NoDouble,
        _ => CubeChoice::Double,
    };
    let cost = format!("{:.3}", decision.error(wrong)?.max(0.0));
    let hold = text::equity(values[0].mean);
    let (double, doubled) = match decision.beavered() {
        Some(beavered) => ("double/beaver", f64::from(beavered)),
        None => ("double/take", values[1].mean),
    };
    let doubled = text::equity(doubled);
    let [no_double, double] = ["no double", double].map(|name| cube_words(name, state));
    // While it goes on there is no room for the cost, which is not known yet.
    let found = match job.is_active() {
        true => "rollout …:".to_owned(),
        false => format!("rollout: {} costs {cost};", act(wrong)),
    };
    Some(format!("{found} {no_double} {hold}, {double} {doubled}"))
}

/// Words for doing what a cube choice says.
pub(crate) fn act(choice: CubeChoice) -> &'static str {
    match choice {
        CubeChoice::NoDouble => "not doubling",
        CubeChoice::Double => "doubling",
        CubeChoice::Take => "taking",
        CubeChoice::Pass => "passing",
        CubeChoice::Beaver => "a beaver",
    }
}
