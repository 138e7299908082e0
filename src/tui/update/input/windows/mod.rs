//! Keys of the windows over the screen.

mod accept;
mod opening;
pub(crate) mod rollout_list;
pub(crate) mod rows;
mod typed_play;

pub(crate) use opening::{find_names, open};
pub(crate) use rows::{click_cell, click_row};

use crate::tui::figures::row_count::row_count;
use crate::tui::keys::{ActionEntry, ActionId};
use crate::tui::state::App;
use crate::tui::update::across_matches::{library, plan, rating};
use crate::tui::update::analysis::{
    copied_windows, equity_table, filters, inquire, inquiry_walk, match_rollouts, plays,
};
use crate::tui::windows::exported::MatchStatistics;
use crate::tui::windows::overlay::{Overlay, help_rows};
use crate::tui::windows::palette::{NamedMove, palette_rows};

/// Does what an action means in the window; answers whether it means something there.
pub(crate) fn act(app: &mut App, action: ActionId) -> bool {
    if equity_table::act(app, action) || rollout_list::act(app, action) {
        return true;
    }
    let count = row_count(app);
    match action {
        ActionId::Help if app.overlay.as_ref().is_some_and(Overlay::is_help) => {
            return act(app, ActionId::Close);
        }
        ActionId::Close | ActionId::Back => close(app),
        ActionId::Accept => accept::accept(app),
        ActionId::Complete => complete(app),
        ActionId::CopyTable => copied_windows::copy(app),
        ActionId::BothPlays if matches!(app.overlay, Some(Overlay::Matrix { .. })) => {
            inquire::switch_choice(app);
        }
        ActionId::RollOut => match app.overlay {
            Some(Overlay::Errors { .. }) => match_rollouts::errors(app),
            _ => inquire::roll_cell(app),
        },
        ActionId::Down
        | ActionId::Up
        | ActionId::PageDown
        | ActionId::PageUp
        | ActionId::First
        | ActionId::Last => {
            rows::go(app, action, count);
        }
        ActionId::Less | ActionId::More => match &mut app.overlay {
            Some(Overlay::Form(form)) => form.step(action == ActionId::More),
            Some(Overlay::Errors { .. }) => rows::along(app, action == ActionId::More),
            Some(Overlay::Why { roll, .. }) => inquiry_walk::rolls(roll, action),
            Some(Overlay::Matrix { inquiry, place }) => {
                inquiry_walk::cells(place, inquiry.state(), action);
            }
            _ => {}
        },
        ActionId::Threshold | ActionId::Whose | ActionId::Class => {
            filters::change(app, action);
            if let Some(Overlay::Errors { row }) = &mut app.overlay {
                *row = 0;
            }
        }
        ActionId::Units if matches!(app.overlay, Some(Overlay::Errors { .. })) => {
            plays::change_units(app);
        }
        _ => return false,
    }
    true
}

/// The action that the selected row of the list of keys or of the palette names, if it is in view.
pub(crate) fn named_action(app: &App) -> Option<&'static ActionEntry> {
    match app.overlay.as_ref()? {
        Overlay::Help { place, row, .. } => help_rows(*place).get(*row).copied(),
        Overlay::Palette { input, row } => {
            let rows = palette_rows(&app.keymap, app.screen_scope(), input.value());
            rows.get(*row).copied()
        }
        _ => None,
    }
}

/// The move whose number is typed after the colon.
pub(crate) fn named_move(app: &App) -> Option<NamedMove> {
    match app.overlay.as_ref()? {
        Overlay::Palette { input, .. } => NamedMove::parse(input.value()),
        _ => None,
    }
}

/// Closes the window. The one that the list of keys was opened from comes back.
pub(crate) fn close(app: &mut App) {
    match app.overlay {
        Some(Overlay::Library) => library::close(app),
        Some(Overlay::Plan) => plan::close(app),
        Some(Overlay::Rating) => rating::close(app),
        _ => {
            if let Some(Overlay::Help { behind, .. }) = app.overlay.take() {
                app.overlay = behind.map(|window| *window);
                inquire::resume(app);
            }
        }
    }
}

/// Shows the statistics of the match, or says why there are none; of another match nothing is shown.
pub(crate) fn statistics_found(
    app: &mut App,
    generation: u64,
    statistics: Result<MatchStatistics, String>,
) {
    if generation != app.match_in_review().generation {
        return;
    }
    let found = match app.overlay.as_mut().map(Overlay::below_keys) {
        Some(Overlay::Statistics { found, .. }) => found,
        // The window was closed before.
        _ => return,
    };
    match statistics {
        Ok(statistics) => *found = statistics,
        Err(why) => {
            app.overlay = None;
            app.warn(why);
        }
    }
}

/// Goes on to the next page, column or completion.
fn complete(app: &mut App) {
    match app.overlay {
        Some(Overlay::Help { behind: None, .. }) => {
            app.overlay = Some(Overlay::Figures { row: 0 });
        }
        Some(Overlay::Figures { .. }) => app.overlay = Some(Overlay::Legend { row: 0 }),
        Some(Overlay::Legend { .. }) => {
            app.overlay = Some(opening::keys(app));
        }
        _ => {}
    }
    if let Some(Overlay::Matrix { inquiry, place }) = &mut app.overlay {
        place.next_cube(inquiry.state());
    }
    if let Some(Overlay::Open(prompt)) = &mut app.overlay
        && prompt.complete()
    {
        find_names(app);
    }
}

/// Takes in the names that complete what is typed in the window of paths.
pub(crate) fn completed(app: &mut App, typed: &str, found: Vec<String>) {
    if let Some(Overlay::Open(prompt)) = app.overlay.as_mut().map(Overlay::below_keys)
        && prompt.take_in(typed, found)
    {
        find_names(app);
    }
}
