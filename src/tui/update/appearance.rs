//! How things are shown: columns, units, the board, themes.

use crate::tui::screen::layout::{Areas, LayoutOptions, Pane, SMALLEST_BOARD, WIDER_MOVES};
use crate::tui::screen::targets::{Divider, Dragged};
use crate::tui::state::{App, Focus, Selection};
use crate::tui::theme::{Depth, Theme};
use crate::tui::view::layout_options;

/// Shows the plays by equity, or by depth again.
pub(super) fn change_order(app: &mut App) {
    app.options.by_equity ^= true;
    app.selection.scroll = 0;
}

/// Hides the answers, or shows them.
pub(super) fn hide(app: &mut App) {
    app.options.hidden ^= true;
    // What was guessed stays selected where the answers are shown.
    let guessed = app.selection.play.filter(|_| !app.options.hidden);
    app.selection = Selection {
        play: guessed,
        ..Selection::default()
    };
}

pub(super) fn next_theme(app: &mut App) {
    take_theme(app, (app.theme + 1) % app.themes.len());
}

/// Uses a theme from now on.
pub(super) fn take_theme(app: &mut App, theme: usize) {
    app.theme = theme.min(app.themes.len() - 1);
    app.settings.theme = app.theme().name.clone();
    app.say(format!("theme: {}", app.theme().name));
}

/// Gives the screen to the next pane that has something to show; after the last to all again.
pub(super) fn zoom(app: &mut App) {
    let is_match = !app.document.record.games.is_empty();
    let shows = |pane: &Pane| match pane {
        Pane::Moves => is_match,
        Pane::Rollout => {
            is_match
                || app
                    .decision()
                    .is_some_and(|d| app.jobs.about(d).next().is_some())
        }
        // Before the first drawing nothing is known of the screen.
        Pane::Board => app.areas.screen.is_empty() || app.areas.fits_board(),
        Pane::Candidates => true,
    };
    let after = match app.options.zoom {
        None => 0,
        Some(pane) => 1 + Pane::ALL.iter().position(|p| *p == pane).unwrap_or(0),
    };
    app.options.zoom = Pane::ALL.into_iter().skip(after).find(shows);
    if let Some(pane) = app.options.zoom {
        let keys = app.keymap.named("{zoom} the next, {back} all panes");
        app.say(format!("{} alone: {keys}", pane.name()));
    }
}

/// Moves the edge of the pane that has the keyboard: of the list of moves, or else of the board. A step that the screen
/// has no room for is none.
pub(super) fn resize(app: &mut App, larger: bool) {
    match app.focus {
        Focus::Moves => resize_moves(app, larger),
        Focus::Candidates => resize_board(app, larger),
    }
}

/// The next board of another size; steps between that look alike are passed over.
fn resize_board(app: &mut App, larger: bool) {
    let now = app.options.smaller_board;
    let shown = arranged(app, |_| {}).board;
    if shown.is_empty() {
        return app.say("no board is in view");
    }
    let looks_other = |smaller: &u16| {
        let other = arranged(app, |options| options.smaller_board = *smaller);
        other.board != shown
    };
    let next = match larger {
        true => (0..now).rev().find(looks_other),
        false => (now + 1..=SMALLEST_BOARD).find(looks_other),
    };
    match (next, larger) {
        (Some(next), _) => app.options.smaller_board = next,
        (None, true) => {
            app.options.smaller_board = 0;
            app.say("the board is as large as the screen has room for");
        }
        (None, false) => app.say("the board is as small as it gets"),
    }
}

fn resize_moves(app: &mut App, larger: bool) {
    let step = if larger { 2 } else { -2 };
    let [least, most] = WIDER_MOVES;
    let shown = shown_sizes(app).wider_moves;
    let next = (shown + step).clamp(least, most);
    let [now, then] =
        [shown, next].map(|wider| arranged(app, |options| options.wider_moves = wider).moves);
    match now == then {
        true if now.is_empty() => app.say("no list of moves is in view"),
        true => app.say(match larger {
            true => "the list of moves is as wide as the screen has room for",
            false => "the list of moves is as narrow as it gets",
        }),
        false => app.options.wider_moves = next,
    }
}

/// How much wider the list of moves is than usual, and how much smaller the board than it could be.
#[derive(Clone, Copy)]
pub(super) struct PaneSizes {
    pub(super) wider_moves: i16,
    pub(super) smaller_board: u16,
}

/// The sizes that are seen: of those that look alike the ones nearest to the usual. What was asked for may be more than
/// the screen has room for, and a step from there would change nothing.
pub(super) fn shown_sizes(app: &App) -> PaneSizes {
    let (wider, smaller) = (app.options.wider_moves, app.options.smaller_board);
    let moves = |wider| arranged(app, |options| options.wider_moves = wider).moves;
    let board = |smaller| arranged(app, |options| options.smaller_board = smaller).board;
    let (moves_now, board_now) = (moves(wider), board(smaller));
    let mut nearest = (0..=wider.abs()).map(|more| more * wider.signum());
    PaneSizes {
        wider_moves: nearest
            .find(|wider| moves(*wider) == moves_now)
            .unwrap_or(wider),
        smaller_board: (0..=smaller)
            .find(|smaller| board(*smaller) == board_now)
            .unwrap_or(smaller),
    }
}

/// The screen as it would be arranged with other options.
fn arranged(app: &App, change: impl Fn(&mut LayoutOptions)) -> Areas {
    let screen = app.areas.screen;
    let mut options = layout_options(app, screen.width);
    change(&mut options);
    Areas::arrange(screen, &options)
}

/// Moves an edge that the mouse holds to a cell.
pub(super) fn drag(app: &mut App, dragged: Dragged, (x, y): (u16, u16)) {
    /// Columns and rows of the board that one step makes.
    const STEP: [i32; 2] = [14, 5];
    let at = match dragged.divider {
        Divider::BoardFoot => y,
        Divider::Moves | Divider::BoardSide => x,
    };
    let by = i32::from(at) - i32::from(dragged.from);
    let options = &mut app.options;
    let narrower = |step: i32| {
        let steps = (f64::from(-by) / f64::from(step)).round() as i32;
        (i32::from(dragged.smaller_board) + steps).clamp(0, i32::from(SMALLEST_BOARD)) as u16
    };
    match dragged.divider {
        Divider::Moves => {
            let wider = i32::from(dragged.wider_moves) + by;
            let [least, most] = WIDER_MOVES.map(i32::from);
            options.wider_moves = wider.clamp(least, most) as i16;
        }
        Divider::BoardSide => options.smaller_board = narrower(STEP[0]),
        Divider::BoardFoot => options.smaller_board = narrower(STEP[1]),
    }
    // Where the mouse goes on beyond the end nothing is left behind for a larger screen.
    let shown = shown_sizes(app);
    match dragged.divider {
        Divider::Moves => app.options.wider_moves = shown.wider_moves,
        Divider::BoardSide | Divider::BoardFoot => app.options.smaller_board = shown.smaller_board,
    }
}

/// Uses the theme of the settings; where they name none, the one that suits the terminal.
pub(super) fn use_theme(app: &mut App) {
    let wanted = app.settings.theme.clone();
    if app.depth != Depth::None {
        app.choose_theme(&wanted);
    }
}

/// Takes the user's themes in; what is wrong with one leaves it as it was.
pub(super) fn themes_read(app: &mut App, themes: Vec<Theme>, errors: &[String]) {
    let name = app.theme().name.clone();
    let own: Vec<String> = themes.iter().map(|t| t.name.clone()).collect();
    let at_depth = |theme: Theme| theme.at_depth(app.depth);
    let mut all: Vec<_> = Theme::with_own(themes).into_iter().map(at_depth).collect();
    if !errors.is_empty() {
        // A theme that is broken now keeps the look it had.
        for old in &app.themes {
            if !all.iter().any(|t| t.name == old.name) {
                all.push(old.clone());
            }
        }
        // So does one that has the name of a theme of the program.
        let builtin = all.iter().position(|t| t.name == name);
        if let Some(i) = builtin.filter(|_| !own.contains(&name)) {
            all[i] = app.theme().clone();
        }
    }
    app.themes = all;
    app.theme = 0;
    let wanted = app.settings.theme.clone();
    let may = !wanted.is_empty() && app.depth != Depth::None;
    let mut warnings = errors.to_vec();
    if !may || !app.choose_theme(&wanted) {
        if may {
            warnings.push(format!("there is no theme '{wanted}'"));
        }
        if !app.choose_theme(&name) {
            app.choose_theme("dark");
        }
    }
    app.report_themes(&warnings);
}
