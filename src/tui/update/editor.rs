//! The position editor: what its keys, the mouse and pasted text do.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::analysis::plays;
use super::document;
use super::windows::library;
use crate::game::{GameState, Player, Position};
use crate::notation;
use crate::tui::keys::{ActionId, Key, KeyScope};
use crate::tui::state::{App, Loss, Openable};
use crate::tui::update::lines::draft::{changed, close, edit, leave};
use crate::tui::windows::draft::{Draft, Edit, Spot};
use crate::tui::windows::editor::{BoardCell, Editor, ViewBefore};

const RULE_LOST: &str =
    "an XGID cannot leave out the Crawford rule: {accept} again opens it with the rule";

/// Opens the editor on the position in view, or on an empty board.
pub(super) fn open(app: &mut App, is_empty: bool) {
    let opening = GameState::money(Position::opening());
    let record = &app.document.record;
    // A match in which nothing was played has a score and rules all the same.
    let unplayed = || {
        let game = record.games.last()?;
        Some(record.first_decision(game, Player::Left))
    };
    let before = app.turn().map(|turn| turn.before).or_else(unplayed);
    let (state, player) = before.map_or((opening, Player::Left), |before| {
        (before.state, before.player)
    });
    let mut draft = Draft::of(&state, player);
    if is_empty {
        draft = Draft::of(&opening, Player::Left);
        // An empty board cannot be refused.
        let _ = draft.apply(Edit::Clear);
    }
    let view = ViewBefore {
        before: app.before.take(),
        play: app.selection.play,
        scroll: app.selection.scroll,
    };
    let left = app.left_draft.take();
    let mut editor = Editor::new(draft, left, view, app.generations.next_editor());
    editor.names = app.document.players().filter(|_| !is_empty).cloned();
    app.editor = Some(editor);
    changed(app);
}

/// Does what an action means in the editor; answers whether it means something there.
pub(super) fn act(app: &mut App, action: ActionId) -> bool {
    let bottom = app.bottom();
    let Some(editor) = &mut app.editor else {
        return false;
    };
    let spot = editor.cell.spot(bottom, app.options.mirrored);
    let hand = editor.hand;
    match action {
        ActionId::Less | ActionId::More => {
            editor.cell = editor.cell.moved(action == ActionId::More);
        }
        ActionId::Up | ActionId::Down => editor.cell.top = action == ActionId::Up,
        ActionId::Colour => editor.hand = hand.other(),
        ActionId::AddChecker => edit(app, Edit::Push(spot, hand)),
        ActionId::TakeChecker => edit(app, Edit::Take(spot)),
        ActionId::Unwanted => edit(app, Edit::Unwanted(spot)),
        ActionId::FindDrawn => find(app),
        ActionId::Clear => edit(app, Edit::Clear),
        ActionId::Opening => edit(app, Edit::Opening),
        ActionId::SwapSides => edit(app, Edit::SwapSides),
        ActionId::OnRoll => edit(app, Edit::OnRoll),
        ActionId::CubeValue => edit(app, Edit::CubeValue),
        ActionId::CubeOwner => edit(app, Edit::CubeOwner),
        ActionId::Offer => edit(app, Edit::Offer),
        ActionId::Crawford => edit(app, Edit::Crawford),
        ActionId::Jacoby => edit(app, Edit::Jacoby),
        ActionId::Beavers => edit(app, Edit::Beavers),
        ActionId::Undo => {
            editor.undo();
            changed(app);
        }
        ActionId::Redo => {
            editor.redo();
            changed(app);
        }
        ActionId::Accept => accept(app),
        ActionId::Close => leave(app),
        ActionId::CopyXgid | ActionId::CopyGnubg | ActionId::CopyOgid => copy(app, action),
        _ => return false,
    }
    true
}

/// Puts as many checkers at the cursor as the key says.
pub(super) fn count(app: &mut App, key: Key) {
    let digit = key.typed().and_then(|c| c.to_digit(10));
    let bottom = app.bottom();
    if let (Some(editor), Some(digit)) = (&app.editor, digit) {
        let spot = editor.cell.spot(bottom, app.options.mirrored);
        let hand = editor.hand;
        edit(app, Edit::Set(spot, hand, digit as u8));
    }
}

/// Looks in the library for positions with what is drawn. The window lies over the editor, so that one can draw on.
fn find(app: &mut App) {
    let Some(editor) = &app.editor else { return };
    let pattern = editor.draft().pattern();
    match pattern.is_anything() {
        true => app.warn("nothing to find: put checkers where you want at least so many"),
        false => library::open_pattern(app, &pattern),
    }
}

/// Opens what was put together as a position of its own.
fn accept(app: &mut App) {
    let Some(editor) = &app.editor else { return };
    let (on_roll, names) = (editor.draft().on_roll, editor.names.clone());
    match editor.draft().state() {
        Ok(state) => {
            // A game by hand has a question of its own.
            let asks = loses_rule(app, &state) && !app.is_playing_by_hand();
            if asks && !app.confirmation.confirms(Loss::Rule) {
                let text = app.keymap.named_in(KeyScope::Editor, RULE_LOST);
                return app.warn(text);
            }
            let id = notation::xgid_text(&state);
            let names = names.map(|mut names| {
                names.rotate_left(on_roll.index());
                names
            });
            if document::open_source(app, Openable::position(id, names)) {
                close(app);
            }
        }
        Err(problem) => app.warn(problem.to_string()),
    }
}

/// Whether the ID has no room for a rule of the state.
fn loses_rule(app: &App, state: &GameState) -> bool {
    state.rules.no_crawford && app.model.table.has_crawford()
}

fn copy(app: &mut App, action: ActionId) {
    match app.editor.as_ref().map(|editor| editor.draft().state()) {
        Some(Err(problem)) => app.warn(problem.to_string()),
        _ => {
            plays::copy(app, action);
        }
    }
}

/// The left button places a checker of the player at the bottom, the right one of the other; where the
/// other colour stands they take one of it away. The wheel adds and takes away, the middle button clears, and crosses
/// what is clear.
/// A button that is held goes on with each point that it comes to.
pub(super) fn mouse(app: &mut App, event: MouseEvent) {
    let Some(frame) = app.areas.board_frame() else {
        return;
    };
    let (x, y) = (event.column, event.row);
    let bottom = app.bottom();
    if !frame.contains(ratatui::layout::Position::new(x, y)) {
        return;
    }
    let mirrored = app.options.mirrored;
    let at = app
        .areas
        .style
        .column_at(x - frame.x, y - frame.y, mirrored);
    let (Some((top, column)), Some(editor)) = (at, &mut app.editor) else {
        return;
    };
    let cell = BoardCell { top, column };
    let spot = cell.spot(bottom, mirrored);
    let holder = editor.draft().holder(spot);
    // A button that is held places a checker on each point that it comes to, unless it went down elsewhere.
    let kind = match event.kind {
        MouseEventKind::Drag(button) if editor.is_drawing && cell != editor.cell => {
            MouseEventKind::Down(button)
        }
        kind => kind,
    };
    editor.is_drawing |= matches!(kind, MouseEventKind::Down(_));
    let change = match kind {
        MouseEventKind::Down(MouseButton::Left) => Edit::Push(spot, bottom),
        MouseEventKind::Down(MouseButton::Right) => Edit::Push(spot, bottom.other()),
        MouseEventKind::Down(MouseButton::Middle) if holder.is_none() => Edit::Unwanted(spot),
        MouseEventKind::Down(MouseButton::Middle) => Edit::Set(spot, bottom, 0),
        MouseEventKind::ScrollUp => Edit::Push(spot, holder.unwrap_or(editor.hand)),
        MouseEventKind::ScrollDown => Edit::Take(spot),
        _ => return,
    };
    editor.cell = cell;
    // On a bar both buttons mean the checkers that belong there.
    let change = match (change, spot) {
        (Edit::Push(_, player), Spot::Bar(whose)) if player != whose => Edit::Take(spot),
        (change, _) => change,
    };
    edit(app, change);
}
