//! The mouse. What was drawn at a place says what a click there means. The wheel scrolls what is under it,
//! edges are dragged, and checkers are clicked to choose a play.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position as Cell, Rect};

use super::dispatch::{act, attempt};
use crate::game::position::{BAR, OFF};
use crate::game::{Player, Position};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::documents::picks;
use crate::tui::figures::trials;
use crate::tui::figures::{candidate_rows, conditions};
use crate::tui::keys::{ActionId, find};
use crate::tui::screen::layout::ScreenPart;
use crate::tui::screen::targets::{Dragged, Target, share};
use crate::tui::state::{App, Focus};
use crate::tui::update::analysis::plays;
use crate::tui::update::lines::{variations, walk};
use crate::tui::update::quizzes::{quiz, quiz_board};
use crate::tui::update::windows::{self, equity_table, matrix, plan};
use crate::tui::update::{appearance, editor};
use crate::tui::windows::draft::Spot;
use crate::tui::windows::editor::BoardCell;

/// Takes an event of the mouse.
pub(crate) fn mouse(app: &mut App, event: MouseEvent) {
    let (x, y) = (event.column, event.row);
    if let (MouseEventKind::Down(_) | MouseEventKind::Up(_), Some(editor)) =
        (event.kind, &mut app.editor)
    {
        editor.is_drawing = false;
    }
    match event.kind {
        MouseEventKind::Up(_) => app.dragged = None,
        MouseEventKind::Drag(MouseButton::Left) if app.dragged.is_some() => return drag(app, x, y),
        MouseEventKind::Down(_) => {
            app.status = None;
            // A click is no key that may follow.
            app.pending.clear();
        }
        _ => {}
    }
    if event.kind == MouseEventKind::Down(MouseButton::Left)
        && let Some((area, target)) = app.areas.targets.at(x, y)
    {
        app.dragged = None;
        return click(app, (area, target), x, y);
    }
    if app.overlay.is_some() {
        return scroll(app, event.kind);
    }
    if app.editor.is_some() {
        return editor::mouse(app, event);
    }
    if app.quiz.is_some() {
        return match event.kind {
            MouseEventKind::ScrollDown => _ = quiz::act(app, ActionId::Down),
            MouseEventKind::ScrollUp => _ = quiz::act(app, ActionId::Up),
            MouseEventKind::Down(MouseButton::Left) => {
                let at = app.areas.part_at(x, y);
                if at.is_some_and(|(part, _)| part == ScreenPart::Board) {
                    quiz_board::click(app, point_at(app, (x, y)));
                }
            }
            MouseEventKind::Down(MouseButton::Right) => quiz_board::back(app),
            _ => {}
        };
    }
    let Some((part, area)) = app.areas.part_at(x, y) else {
        return;
    };
    match event.kind {
        MouseEventKind::ScrollDown => roll_wheel(app, part, ActionId::Down),
        MouseEventKind::ScrollUp => roll_wheel(app, part, ActionId::Up),
        MouseEventKind::Down(MouseButton::Left) => click_part(app, part, area, (x, y)),
        MouseEventKind::Down(MouseButton::Right) if part == ScreenPart::Board => {
            take_pick_back(app)
        }
        _ => {}
    }
}

/// Takes in the wheel over a window.
fn scroll(app: &mut App, kind: MouseEventKind) {
    match kind {
        MouseEventKind::ScrollDown => _ = windows::act(app, ActionId::Down),
        MouseEventKind::ScrollUp => _ = windows::act(app, ActionId::Up),
        _ => {}
    }
}

/// Takes in the wheel over a part of the screen: it moves down or up.
fn roll_wheel(app: &mut App, part: ScreenPart, action: ActionId) {
    match part {
        ScreenPart::Candidates | ScreenPart::Figures => plays::select(app, action),
        ScreenPart::Moves | ScreenPart::Strip | ScreenPart::Board | ScreenPart::Chart => {
            let to = match action {
                ActionId::Down => app.at + 1,
                _ => app.at.saturating_sub(1),
            };
            walk::go(app, to);
        }
        ScreenPart::Header | ScreenPart::Bar => {}
    }
}

/// A click on what has a meaning of its own.
fn click(app: &mut App, (area, target): (Rect, Target), x: u16, y: u16) {
    match target {
        Target::Ground | Target::Cover => {}
        Target::Action(id) => {
            if let Some(action) = find(id, app.scope()) {
                attempt(app, action);
            }
        }
        Target::Row(row) if app.overlay.is_none() => quiz::point(app, row),
        Target::Row(row) => {
            if windows::click_row(app, row) {
                act(app, ActionId::Accept);
            }
        }
        Target::Reference(place) => plan::go_to_reference(app, place),
        Target::Cell(place) => matrix::click(app, place),
        Target::AwayScore(away) => equity_table::click(app, away),
        Target::Turn(turn) => go(app, turn),
        Target::Course { first, turns } => {
            // The right end is the end of the last turn.
            let turn = share(area, x, turns as u64 + 1) as usize;
            go(app, first + turn.min(turns.saturating_sub(1)));
        }
        Target::Trials(trials) => {
            let trials = share(area, x, trials + 1);
            if let Some(words) = trials::words(app, trials) {
                app.say(words);
            }
        }
        Target::Play(result) => {
            app.focus = Focus::Candidates;
            plays::show(app, result);
        }
        Target::Divider(divider) => {
            use crate::tui::screen::targets::Divider;
            let from = if divider == Divider::BoardFoot { y } else { x };
            let appearance::PaneSizes {
                wider_moves,
                smaller_board,
            } = appearance::shown_sizes(app);
            app.dragged = Some(Dragged {
                divider,
                from,
                wider_moves,
                smaller_board,
            });
        }
    }
}

/// Goes to a turn; a window over the match is left for it.
fn go(app: &mut App, turn: usize) {
    if app.overlay.take().is_some() {
        return walk::to_decision(app, MatchDecision::done(turn));
    }
    walk::go(app, turn);
}

fn drag(app: &mut App, x: u16, y: u16) {
    if let Some(dragged) = app.dragged {
        appearance::drag(app, dragged, (x, y));
    }
}

/// A click into a part of the screen, where nothing has a meaning of its own.
fn click_part(app: &mut App, part: ScreenPart, area: Rect, (x, y): (u16, u16)) {
    match part {
        ScreenPart::Moves => {
            app.focus = Focus::Moves;
            match app.variation {
                Some(_) => variations::click(app, area, y),
                None => walk::click(app, area, y),
            }
        }
        ScreenPart::Board => click_board(app, (x, y)),
        ScreenPart::Candidates => {
            app.focus = Focus::Candidates;
            if plays::click(app, area, y) {
                make_or_mark(app);
            }
        }
        _ => {}
    }
}

/// A second click on a play makes it where a game that is played waits for one, and marks it elsewhere.
fn make_or_mark(app: &mut App) {
    let vary = ActionId::Vary;
    let is_asked = app.hand().is_some_and(|hand| hand.asks_for(vary))
        || app
            .match_prompt()
            .is_some_and(|prompt| prompt.is_answered_by(vary));
    match find(vary, app.scope()) {
        Some(action) if is_asked && conditions::is_at_end(app) => attempt(app, action),
        _ => plays::mark(app),
    }
}

/// A click on the board: a point narrows the plays, anything else lets all of them be seen again.
fn click_board(app: &mut App, at: (u16, u16)) {
    if app.selection.play.take().is_some() {
        // The play on show was another choice.
        app.selection.picks.clear();
    }
    match point_at(app, at) {
        Some(point) => pick(app, point),
        None => app.selection.picks.clear(),
    }
}

/// The point at a cell, counted by the player on roll; the bar and the tray of that player as well.
fn point_at(app: &App, (x, y): (u16, u16)) -> Option<usize> {
    let frame = app.areas.board_frame()?;
    if !frame.contains(Cell::new(x, y)) {
        return None;
    }
    let on_roll = app.turn()?.before.player;
    let (style, mirrored) = (app.areas.style, app.options.mirrored);
    let (column, row) = (x - frame.x, y - frame.y);
    let tray = style.tray_column(mirrored);
    if (tray..tray + style.wide).contains(&column) {
        // The opponent's is the other half.
        let is_own = match on_roll == app.bottom() {
            true => row > style.half,
            false => row <= style.half + style.middle,
        };
        return is_own.then_some(OFF);
    }
    let (top, column) = style.column_at(column, row, mirrored)?;
    match (BoardCell { top, column }).spot(app.bottom(), mirrored) {
        Spot::Point(point) if on_roll == Player::Left => Some(point),
        Spot::Point(point) => Some(BAR - point),
        Spot::Bar(player) => (player == on_roll).then_some(BAR),
    }
}

/// Leaves only the plays in which a checker leaves a point, or comes to it; one that is left alone is shown.
fn pick(app: &mut App, point: usize) {
    let (Some(turn), Some(review)) = (app.turn().copied(), app.review().cloned()) else {
        return;
    };
    let before = turn.before.state.position;
    if turn.before.state.roll.is_none() || review.candidates.is_empty() {
        return;
    }
    let candidates = &review.candidates;
    let Some(pick) = picks::next(&app.selection.picks, point, &before, candidates) else {
        return app.say_keys(match app.selection.picks.is_empty() {
            true => "no play moves a checker from there or to there",
            false => {
                "none of these plays moves a checker from there or to there ({back}: all plays)"
            }
        });
    };
    app.focus = Focus::Candidates;
    app.selection.picks.push(pick);
    app.selection.scroll = 0;
    let left: Vec<Position> = candidate_rows::rows(app)
        .iter()
        .map(|row| row.candidate.result)
        .collect();
    match left[..] {
        [only] => plays::show(app, only),
        _ => app.say(format!(
            "{}: {} plays left (right button: back, {}: all)",
            picks::words(&app.selection.picks),
            left.len(),
            app.keymap.named("{back}")
        )),
    }
}

/// Takes the last click on a checker back.
fn take_pick_back(app: &mut App) {
    app.selection.play = None;
    app.selection.picks.pop();
}
