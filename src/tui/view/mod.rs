//! Drawing: from the state to the cells of the screen, and nothing back but where things lie.

pub(crate) mod board;
pub(crate) mod drawing;
mod panes;
pub(crate) mod windows;

use ratatui::Frame;
use ratatui::layout::Rect;

use super::state::App;
use super::theme::Role;
use crate::store::settings::GlyphSet;
use crate::tui::screen::layout::{Areas, LayoutOptions};
use crate::tui::screen::targets::{Target, Targets};
use crate::tui::windows::overlay::Overlay;
use drawing::bounds::{draw_watched, within};
use drawing::paint::Paint;
use drawing::{ascii, pane, window};
pub(crate) use panes::pair::pair_in_lines;
pub(crate) use panes::variations::row_at as variation_row_at;
use panes::{
    bar, by_hand, candidates, chart, editor, family, figures, header, moves, played_match, quiz,
    tip, transcript, variations,
};
pub(crate) use windows::matrix::score as score_of_cell;

/// Draws what lies over all else.
type DrawAbove = fn(&mut Paint<'_>, Rect, &App);

/// Draws everything, the window that is open with `draw_window`; returns where it lies, for the mouse.
pub fn draw(frame: &mut Frame<'_>, app: &App, draw_window: DrawAbove) -> Areas {
    let screen = frame.area();
    let mut areas = Areas::arrange(screen, &layout_options(app, screen.width));
    if app.editor.is_some() {
        editor::make_room(&mut areas);
    }
    if app.options.chances {
        areas.hidden.retain(|what| *what != "chances");
    }
    let mut paint = Paint::new(frame.buffer_mut(), app.theme());
    paint.is_ascii = app.glyphs() == GlyphSet::Ascii;
    paint.fill(screen, Role::Text);
    draw_match(&mut paint, &areas, app);
    draw_analysis(&mut paint, &mut areas, app);
    let is_free = app.editor.is_none() && app.options.zoom.is_none();
    for (edge, divider) in areas.dividers().into_iter().filter(|_| is_free) {
        paint.target(edge, Target::Divider(divider));
    }
    if app.overlay.is_some() {
        // Below a window only the bottom line can be pointed at.
        paint.targets = Targets::default();
    }
    let keys = draw_bar(&mut paint, screen, &areas, app);
    paint.is_beside = !areas.window.is_empty();
    let place = match paint.is_beside {
        true => areas.window,
        false => screen,
    };
    draw_watched(&mut paint, |paint| {
        draw_window(paint, place, app);
        let mut windows = paint.targets.iter();
        let window = windows.rfind(|(_, target)| *target == Target::Ground);
        window.map_or(Rect::default(), |(area, _)| window::cleared(place, *area))
    });
    if app.overlay.is_some() && bar::is_said_above(keys, app) {
        // A window may have taken the row above the bottom line.
        within(&mut paint, screen, |paint| {
            bar::draw(paint, keys, &areas.hidden, app);
        });
    }
    areas.targets = std::mem::take(&mut paint.targets);
    if paint.is_ascii {
        ascii::replace(paint.buffer);
    }
    areas
}

/// The top line, the moves of the match and the board.
fn draw_match(paint: &mut Paint<'_>, areas: &Areas, app: &App) {
    within(paint, areas.header, |paint| {
        header::draw(paint, areas.header, app, has_board(areas));
    });
    within(paint, areas.strip, |paint| {
        moves::draw_strip(paint, areas.strip, app);
    });
    within(paint, areas.moves, |paint| match &app.variation {
        _ if app.quiz.is_some() => {}
        Some(open) => variations::draw(paint, areas.moves, app, open),
        None => moves::draw(paint, areas.moves, app),
    });
    within(paint, areas.board, |paint| {
        board::draw(paint, areas, app);
    });
}

/// Whether the screen has room for the board.
fn has_board(areas: &Areas) -> bool {
    !areas.hidden.contains(&"board")
}

/// The candidates and what lies below the board, or the quiz in their place.
fn draw_analysis(paint: &mut Paint<'_>, areas: &mut Areas, app: &App) {
    let Some(open) = &app.quiz else {
        within(paint, areas.candidates, |paint| {
            areas.first_candidate = candidates::draw(paint, areas.candidates, app);
        });
        return draw_low(paint, areas, app);
    };
    // Nothing of the match may tell what is asked.
    let room = areas.bar.y.saturating_sub(areas.candidates.y);
    areas.candidates.height = room.max(areas.candidates.height);
    (areas.figures, areas.chart) = Default::default();
    within(paint, areas.candidates, |paint| {
        let has_board = has_board(areas);
        quiz::draw(paint, areas.candidates, app, open, has_board);
    });
}

/// The bottom line with its tip; returns the part that has the keys.
fn draw_bar(paint: &mut Paint<'_>, screen: Rect, areas: &Areas, app: &App) -> Rect {
    // The keys that may follow, and a long message, need more than one row of a narrow screen.
    let bar = if app.pending.is_empty() && app.status.is_none() {
        areas.bar
    } else {
        screen
    };
    let tip = tip::place(paint, areas, app);
    let beside = tip.as_ref().filter(|tip| tip.area.y == areas.bar.y);
    let keys = Rect {
        width: areas.bar.width - beside.map_or(0, |tip| tip.area.width),
        ..areas.bar
    };
    within(paint, bar, |paint| {
        bar::draw(paint, keys, &areas.hidden, app);
    });
    if let Some(tip) = tip {
        tip.draw(paint);
    }
    keys
}

/// What lies below the board: figures and chart, one of them in the room of both, or the editor.
fn draw_low(paint: &mut Paint<'_>, areas: &Areas, app: &App) {
    if let Some(open) = &app.editor {
        let (area, side) = (editor::area(areas), editor::side(open));
        return within(paint, area, |paint| {
            let inner = pane::title(paint, area, "position editor", &side, true);
            editor::draw(paint, inner, app, open);
        });
    }
    if let Some(hand) = app.hand() {
        return within(paint, areas.chart, |paint| {
            by_hand::draw(paint, areas.chart, app, hand);
        });
    }
    if let Some(played) = app.played() {
        return within(paint, areas.chart, |paint| match played.person {
            Some(person) => played_match::draw(paint, areas.chart, app, (played, person)),
            None => transcript::draw(paint, areas.chart, app, played),
        });
    }
    if let Some(both) = family::both_panes(areas, app) {
        return within(paint, both, |paint| figures::draw(paint, both, app));
    }
    within(paint, areas.figures, |paint| {
        figures::draw(paint, areas.figures, app);
    });
    within(paint, areas.chart, |paint| {
        chart::draw(paint, areas.chart, app);
    });
}

/// Rows without which a question and its answer say nothing.
const QUESTION_ROWS: u16 = 4;

/// What there is to lay out on a screen of so many columns.
pub(crate) fn layout_options(app: &App, columns: u16) -> LayoutOptions {
    if app.quiz.is_some() {
        return LayoutOptions {
            has_figures: false,
            has_moves: false,
            has_chart: false,
            candidate_rows: QUESTION_ROWS,
            smaller_board: app.options.smaller_board,
            ..LayoutOptions::default()
        };
    }
    let job = crate::tui::figures::trials::shown_job(app);
    let is_match = !app.document.record.games.is_empty();
    LayoutOptions {
        has_figures: (job.is_some() && !app.is_in_game()) || app.editor.is_some(),
        candidate_rows: 0,
        has_moves: is_match || app.variation.is_some(),
        note_rows: moves::alone_notes(app, columns).len() as u16,
        has_chart: job.is_some() || is_match || app.editor.is_some() || app.is_in_game(),
        zoom: app.options.zoom.filter(|_| app.editor.is_none()),
        smaller_board: app.options.smaller_board,
        wider_moves: app.options.wider_moves,
        window: (app.overlay.as_ref())
            .and_then(Overlay::columns_beside)
            .filter(|_| app.editor.is_none()),
    }
}
