//! Drawing: from the state to the cells of the screen, and nothing back but where things lie.

mod ascii;
mod axis;
mod bar;
mod bias;
mod board;
mod braille;
mod candidates;
mod chart;
mod columns;
mod coupled;
mod cube_facts;
mod cube_pane;
mod editor;
mod error_list;
mod family;
mod figures;
mod game_chart;
mod header;
mod imported_analysis;
mod matrix;
mod moves;
mod overlays;
mod paint;
mod pair;
mod pane;
mod prompts;
mod quiz;
mod scatter;
mod themes;
mod tip;
mod variations;
mod why;
mod window;
pub mod words;

use ratatui::Frame;

use super::layout::{Areas, Wishes};
use super::state::App;
use super::targets::{Target, Targets};
use super::theme::Role;
use crate::store::settings::GlyphSet;
use paint::Paint;
use pane::{is_focused, title};
pub(in crate::tui) use prompts::note_columns;
pub(in crate::tui) use variations::row_at as variation_row_at;

/// Draws everything; answers where it lies, for the mouse.
pub fn draw(frame: &mut Frame<'_>, app: &App) -> Areas {
    let mut areas = Areas::arrange(frame.area(), &wishes(app));
    let theme = app.theme();
    let screen = frame.area();
    let mut paint = Paint::new(frame.buffer_mut(), theme);
    paint.fill(screen, Role::Text);
    header::draw(&mut paint, areas.header, app);
    moves::draw_strip(&mut paint, areas.strip, app);
    match &app.variation {
        _ if app.quiz.is_some() => {}
        Some(open) => variations::draw(&mut paint, areas.moves, app, open),
        None => moves::draw(&mut paint, areas.moves, app),
    }
    board::draw(&mut paint, &areas, app);
    if let Some(open) = &app.quiz {
        let room = areas.bar.y.saturating_sub(areas.candidates.y);
        areas.candidates.height = room.max(areas.candidates.height);
        quiz::draw(&mut paint, areas.candidates, app, open);
    } else {
        candidates::draw(&mut paint, areas.candidates, app);
    }
    if app.quiz.is_some() {
        // Nothing of the match may tell what is asked.
    } else if let Some(open) = &app.editor {
        let (area, side) = (editor::area(&areas), editor::side(open));
        let inner = title(&mut paint, area, "position editor", &side, true);
        editor::draw(&mut paint, inner, app, open);
    } else if let Some(both) = family::both_panes(&areas, app) {
        figures::draw(&mut paint, both, app);
    } else {
        figures::draw(&mut paint, areas.figures, app);
        chart::draw(&mut paint, areas.chart, app);
    }
    let is_free = app.editor.is_none() && app.options.zoom.is_none();
    for (edge, divider) in areas.dividers().into_iter().filter(|_| is_free) {
        paint.target(edge, Target::Divider(divider));
    }
    if app.overlay.is_some() {
        // Below a window only the bottom line can be pointed at.
        paint.targets = Targets::default();
    }
    bar::draw(&mut paint, &areas, app);
    tip::draw(&mut paint, &areas, app);
    overlays::draw(&mut paint, screen, app, &mut areas);
    areas.targets = std::mem::take(&mut paint.targets);
    if app.settings.glyphs == GlyphSet::Ascii {
        ascii::replace(paint.buffer);
    }
    areas
}

/// What there is to lay out.
fn wishes(app: &App) -> Wishes {
    if app.quiz.is_some() {
        return Wishes {
            has_figures: false,
            has_moves: false,
            has_chart: false,
            smaller_board: app.options.smaller_board,
            ..Wishes::default()
        };
    }
    let job = super::trials::shown_job(app);
    let is_match = !app.document.record.games.is_empty();
    Wishes {
        has_figures: job.is_some() || app.editor.is_some(),
        has_moves: is_match || app.variation.is_some(),
        has_chart: job.is_some() || is_match || app.editor.is_some(),
        zoom: app.options.zoom.filter(|_| app.editor.is_none()),
        smaller_board: app.options.smaller_board,
        wider_moves: app.options.wider_moves,
    }
}
