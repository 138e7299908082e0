//! Keys of the windows over the screen.

use tui_input::{Input, InputRequest};

use super::window_rows::row_count;
use crate::game::{GameState, Roll};
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::figures::candidate_rows;
use crate::tui::figures::error_list;
use crate::tui::figures::imported;
use crate::tui::figures::troubles::{self, Goal};
use crate::tui::keys::{ActionEntry, ActionId};
use crate::tui::rollouts::inquiry::MatrixPlace;
use crate::tui::state::{App, Effect, Openable};
use crate::tui::text;
use crate::tui::windows::exported::Exported;
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::{Overlay, completions, help_rows};
use crate::tui::windows::palette::palette_rows;

/// Files that are offered while a path is typed, at most.
pub(super) const MOST_FILES: usize = 200;

/// Opens the window of an action; answers whether it has one.
pub(super) fn open(app: &mut App, action: ActionId) -> bool {
    app.overlay = Some(match action {
        ActionId::Palette => Overlay::Palette {
            input: Input::default(),
            row: 0,
        },
        ActionId::Open => {
            type_path(app, String::new());
            return true;
        }
        ActionId::Dice => Overlay::Dice {
            input: Input::default(),
        },
        ActionId::TypePlay => Overlay::Play {
            input: Input::default(),
        },
        ActionId::Score => Overlay::Score {
            input: Input::default(),
        },
        ActionId::Note => {
            let note = app.place().and_then(|place| app.home().notes.get(&place));
            let before = note.cloned().unwrap_or_default();
            Overlay::Note {
                input: Input::new(before.clone()),
                before,
            }
        }
        ActionId::Export => write(Exported::Match, super::export::match_file(app)),
        ActionId::Picture => write(Exported::Picture, super::export::picture_file(app)),
        ActionId::Card => write(Exported::Card, super::export::card_file(app)),
        ActionId::MatchReport => write(Exported::Report, super::export::report_file(app)),
        ActionId::RollMatch => Overlay::TimeLimit {
            input: Input::new(app.settings.review.budget.to_string()),
            is_proposed: true,
        },
        ActionId::Legend => Overlay::Legend { row: 0 },
        ActionId::Themes => Overlay::Themes { row: app.theme },
        ActionId::Figures => Overlay::Figures { row: 0 },
        ActionId::Errors => Overlay::Errors {
            row: error_list::row_to_begin_with(app),
        },
        ActionId::Warnings => Overlay::Warnings { row: 0 },
        ActionId::Imported => Overlay::Imported {
            row: imported::selected(app),
        },
        ActionId::Statistics => {
            let reviewed = Box::new(super::export::reviewed_match(app));
            let generation = app.match_in_review().generation;
            app.effects.push(Effect::Statistics {
                generation,
                reviewed,
            });
            Overlay::Statistics {
                lines: Vec::new(),
                row: 0,
            }
        }
        ActionId::RolloutSettings => Overlay::Form(Form::of_rollouts(app.settings.clone())),
        ActionId::Settings => {
            let themes = app.themes.iter().map(|theme| theme.name.clone());
            Overlay::Form(Form::of_all(app.settings.clone(), themes.collect()))
        }
        ActionId::Help => keys(app),
        _ => return false,
    });
    super::document::guard(app);
    true
}

/// Shows the statistics of the match, or says why there are none.
pub(super) fn statistics_found(app: &mut App, found: Result<Vec<String>, String>) {
    match (found, &mut app.overlay) {
        (Ok(found), Some(Overlay::Statistics { lines, .. })) => *lines = found,
        (Err(why), Some(Overlay::Statistics { .. })) => {
            app.overlay = None;
            app.warn(why);
        }
        // The window was closed before.
        _ => {}
    }
}

/// Opens the list of the rollouts that are kept, which is read meanwhile.
pub(super) fn open_kept_list(app: &mut App) {
    app.overlay = Some(Overlay::KeptList {
        found: None,
        row: 0,
    });
    app.effects.push(Effect::ListKept);
}

/// Asks where something is written.
fn write(what: Exported, proposed: String) -> Overlay {
    Overlay::Export {
        what,
        input: Input::new(proposed),
        is_proposed: true,
    }
}

/// The keys of the window in view, or of the screen.
fn keys(app: &mut App) -> Overlay {
    let is_help = app.overlay.as_ref().is_some_and(Overlay::is_help);
    let place = match is_help {
        true => app.screen_scope(),
        false => app.scope(),
    };
    let behind = app.overlay.take().filter(|_| !is_help);
    Overlay::Help {
        place,
        row: 0,
        behind: behind.map(Box::new),
    }
}

/// The list of keys closes: the window that it was opened from comes back.
fn bring_back(app: &mut App, window: Option<Box<Overlay>>) {
    app.overlay = window.map(|window| *window);
    super::inquire::resume(app);
}

/// Does what an action means in the window; answers whether it means something there.
pub(super) fn act(app: &mut App, action: ActionId) -> bool {
    if super::equity_table::act(app, action) {
        return true;
    }
    let count = row_count(app);
    match action {
        ActionId::Help if app.overlay.as_ref().is_some_and(Overlay::is_help) => {
            return act(app, ActionId::Close);
        }
        ActionId::Close | ActionId::Back => match app.overlay {
            Some(Overlay::Library) => super::library::close(app),
            Some(Overlay::Plan) => super::plan::close(app),
            Some(Overlay::Rating) => super::rating::close(app),
            _ => {
                if let Some(Overlay::Help { behind, .. }) = app.overlay.take() {
                    bring_back(app, behind);
                }
            }
        },
        ActionId::Accept => accept(app),
        ActionId::Complete => complete(app),
        ActionId::CopyTable => super::copied_windows::copy(app),
        ActionId::BothPlays if matches!(app.overlay, Some(Overlay::Matrix { .. })) => {
            super::inquire::switch_choice(app);
        }
        ActionId::RollOut => match app.overlay {
            Some(Overlay::Errors { .. }) => super::match_rollouts::errors(app),
            _ => super::inquire::roll_cell(app),
        },
        ActionId::Down
        | ActionId::Up
        | ActionId::PageDown
        | ActionId::PageUp
        | ActionId::First
        | ActionId::Last => {
            go(app, action, count);
        }
        ActionId::Less | ActionId::More => match &mut app.overlay {
            Some(Overlay::Form(form)) => form.step(action == ActionId::More),
            Some(Overlay::Errors { .. }) => along(app, action == ActionId::More),
            Some(Overlay::Why { roll, .. }) => super::inquiry_walk::rolls(roll, action),
            Some(Overlay::Matrix { inquiry, place }) => {
                super::inquiry_walk::cells(place, inquiry.state(), action);
            }
            _ => {}
        },
        ActionId::Threshold | ActionId::Whose | ActionId::Class => {
            super::filters::change(app, action);
            if let Some(Overlay::Errors { row }) = &mut app.overlay {
                *row = 0;
            }
        }
        _ => return false,
    }
    true
}

/// Rows that a page goes down or up.
const PAGE: usize = 10;

fn go(app: &mut App, action: ActionId, count: usize) {
    let last = count.saturating_sub(1);
    let next = |row: usize| match action {
        ActionId::Down => (row + 1).min(last),
        ActionId::Up => row.saturating_sub(1),
        ActionId::PageDown => (row + PAGE).min(last),
        ActionId::PageUp => row.saturating_sub(PAGE),
        ActionId::First => 0,
        _ => last,
    };
    let columns = super::super::view::note_columns(app.areas.screen.width);
    match &mut app.overlay {
        Some(Overlay::Note { input, .. }) => move_line(input, action, columns),
        Some(
            Overlay::Help { row, .. }
            | Overlay::Legend { row }
            | Overlay::Figures { row }
            | Overlay::Errors { row }
            | Overlay::Warnings { row }
            | Overlay::Opinions { row }
            | Overlay::KeptList { row, .. }
            | Overlay::Statistics { row, .. }
            | Overlay::Imported { row }
            | Overlay::Themes { row }
            | Overlay::Palette { row, .. },
        ) => {
            *row = next(*row);
        }
        Some(Overlay::Library) => {
            app.library.row = next(app.library.row);
            app.library.named = None;
        }
        Some(Overlay::Plan) => app.plan.row = next(app.plan.row),
        Some(Overlay::Rating) => app.rating.row = next(app.rating.row),
        Some(Overlay::Open { row, .. }) if count > 0 => {
            *row = Some(row.map_or(0, next));
        }
        Some(Overlay::Form(form)) => form.go(action == ActionId::Down),
        Some(Overlay::Why { roll, .. }) => super::inquiry_walk::rolls(roll, action),
        Some(Overlay::Matrix { inquiry, place }) => {
            super::inquiry_walk::cells(place, inquiry.state(), action);
        }
        _ => {}
    }
}

/// Moves the cursor of a note a line up or down.
fn move_line(input: &mut Input, action: ActionId, columns: usize) {
    let lines = text::folded(input.value(), columns);
    let at = input.cursor();
    let line = text::line_of(&lines, at);
    let column = at - lines[line].start;
    let to = match action {
        ActionId::Down if line + 1 < lines.len() => line + 1,
        ActionId::Up if line > 0 => line - 1,
        _ => return,
    };
    let last = to + 1 == lines.len();
    // The end of a line that goes on is the beginning of the next.
    let most = lines[to].end - usize::from(!last);
    input.handle(InputRequest::SetCursor(
        (lines[to].start + column).min(most),
    ));
}

/// Selects the error before or after the selected one in the order of the match.
fn along(app: &mut App, later: bool) {
    let rows = error_list::rows(app);
    let Some(Overlay::Errors { row }) = &mut app.overlay else {
        return;
    };
    let key = |r: &error_list::ErrorRow| (r.decision.turn, !r.decision.is_silent);
    let Some(here) = rows.get(*row).map(key) else {
        return;
    };
    let others = rows.iter().enumerate().map(|(i, r)| (key(r), i));
    let next = if later {
        others.filter(|o| o.0 > here).min()
    } else {
        others.filter(|o| o.0 < here).max()
    };
    *row = next.map_or(*row, |next| next.1);
}

/// A click on a row of the window. Where rows lead somewhere at once it is gone to; elsewhere the first click
/// selects, and one on the selected row is Enter.
pub(super) fn click_row(app: &mut App, i: usize) {
    let is_chosen = match &mut app.overlay {
        Some(Overlay::Errors { row } | Overlay::Palette { row, .. }) => {
            *row = i;
            true
        }
        Some(Overlay::Open { row, .. }) => {
            *row = Some(i);
            true
        }
        Some(
            Overlay::Help { row, .. }
            | Overlay::Warnings { row }
            | Overlay::Imported { row }
            | Overlay::KeptList { row, .. }
            | Overlay::Themes { row },
        ) => std::mem::replace(row, i) == i,
        Some(
            Overlay::Legend { row } | Overlay::Figures { row } | Overlay::Why { roll: row, .. },
        ) => {
            *row = i;
            false
        }
        Some(Overlay::Library) => std::mem::replace(&mut app.library.row, i) == i,
        Some(Overlay::Plan) => {
            app.plan.row = i;
            false
        }
        Some(Overlay::Rating) => std::mem::replace(&mut app.rating.row, i) == i,
        Some(Overlay::Form(form)) => {
            form.select(i);
            false
        }
        _ => false,
    };
    // Two windows know by themselves what a row opens.
    let opens = |app: &mut App| {
        super::library::act(app, ActionId::Accept) || super::rating::act(app, ActionId::Accept)
    };
    if is_chosen && !opens(app) {
        accept(app);
    }
}

/// A click on a cell of the matrix.
pub(super) fn click_cell(app: &mut App, to: MatrixPlace) {
    if let Some(Overlay::Matrix { place, .. }) = &mut app.overlay {
        *place = to;
    }
}

fn accept(app: &mut App) {
    match app.overlay.take() {
        Some(Overlay::Help { place, row, behind }) => {
            bring_back(app, behind);
            run(app, help_rows(place).get(row).copied());
        }
        Some(Overlay::Palette { input, row }) => {
            let rows = palette_rows(&app.keymap, app.screen_scope(), input.value());
            run(app, rows.get(row).copied());
        }
        Some(Overlay::Open { input, found, row }) => {
            let chosen = row.and_then(|r| found.get(r)).map(String::as_str);
            let text = chosen.unwrap_or_else(|| input.value()).trim().to_owned();
            open_typed(app, text, chosen.is_some());
        }
        Some(Overlay::Dice { input }) if !set_dice(app, input.value().trim()) => {
            // What was typed can be put right.
            app.overlay = Some(Overlay::Dice { input });
        }
        Some(Overlay::Play { input }) if !super::quiz::typed(app, input.value()) => {
            // What was typed can be put right.
            app.overlay = Some(Overlay::Play { input });
        }
        Some(Overlay::Score { input }) if !super::draft::score(app, input.value()) => {
            // What was typed can be put right.
            app.overlay = Some(Overlay::Score { input });
        }
        Some(Overlay::Export { what, input, .. }) if input.value().trim().is_empty() => {
            app.warn("a name for the file is missing");
            app.overlay = Some(Overlay::Export {
                what,
                input,
                is_proposed: false,
            });
        }
        Some(Overlay::Export { what, input, .. }) => {
            let path = expand_home(input.value().trim()).into();
            let written = super::export::written(app, what);
            app.effects.push(Effect::Export { written, path });
            // If it fails, what was typed can be put right.
            app.unwritten = Some((what, input));
        }
        Some(Overlay::TimeLimit { input, .. }) => {
            let is_time = super::match_rollouts::accept(app, input.value());
            if !is_time {
                // What was typed can be put right.
                app.overlay = Some(Overlay::TimeLimit {
                    input,
                    is_proposed: false,
                });
            }
        }
        Some(Overlay::Note { input, before }) => {
            super::notes::keep(app, input.value().trim(), before)
        }
        Some(Overlay::Errors { row }) => {
            if let Some(row) = error_list::rows(app).get(row) {
                super::walk::to_decision(app, row.decision);
                app.document.gone_to = Some(row.decision);
            }
        }
        Some(Overlay::Warnings { row }) => go_to_warning(app, row),
        Some(Overlay::Opinions { row }) => go_to_opinion(app, row),
        Some(Overlay::KeptList { found, row }) => {
            let found = found.and_then(Result::ok);
            if let Some(row) = found.as_ref().and_then(|found| found.rows.get(row)) {
                super::document::open_source(app, Openable::Id(row.id.clone()));
            }
        }
        Some(Overlay::Imported { row }) => {
            // A play is shown on the board.
            let rows = imported::rows(app);
            let result = rows.get(row).and_then(|row| row.result);
            app.selection.play = result.or(app.selection.play);
        }
        Some(Overlay::Themes { row }) => super::appearance::take_theme(app, row),
        Some(Overlay::Form(form)) => use_settings(app, form),
        _ => {}
    }
}

/// Opens what was typed, or chosen from the list of files.
fn open_typed(app: &mut App, text: String, is_chosen: bool) {
    match text.ends_with('/') {
        // A folder of the list is entered.
        true if is_chosen => type_path(app, text),
        true => super::folder::fill(app, expand_home(&text).into()),
        false if text.is_empty() || super::draft::written(app, &text) => {}
        false => match Openable::of(&expand_home(&text)) {
            Openable::File(path) if !path.exists() => {
                app.warn(format!("{text}: no such file, and no position ID"));
                type_path(app, text);
            }
            source => {
                if !super::document::open_source(app, source) {
                    type_path(app, text);
                }
            }
        },
    }
}

/// Opens the window in which a path or an ID is typed, with what was typed before.
fn type_path(app: &mut App, typed: String) {
    app.overlay = Some(Overlay::Open {
        found: completions(&typed, MOST_FILES),
        input: Input::new(typed),
        row: None,
    });
}

/// Goes where a warning is about.
fn go_to_warning(app: &mut App, row: usize) {
    match troubles::rows(app).get(row).map(|row| row.goal) {
        Some(Goal::InView(turn)) => super::walk::go(app, turn),
        Some(Goal::Line(line)) if super::variations::may_leave(app) => super::walk::line(app, line),
        Some(Goal::Turn(turn)) if super::variations::may_leave(app) => super::walk::go(app, turn),
        _ => {}
    }
}

/// Goes to the decision that an opinion is about.
fn go_to_opinion(app: &mut App, row: usize) {
    app.home_mut().opinion = row;
    let opinion = app.opinions.as_ref().and_then(|all| all.get(row));
    let Some(claim) = opinion.map(|one| &one.claim) else {
        return;
    };
    let is_cube = claim.actions.is_some();
    if let Some(turn) = app.turn_at(claim.place) {
        let has_roll = app.document.turns[turn].before.state.roll.is_some();
        let is_silent = is_cube && has_roll;
        super::walk::to_decision(app, MatchDecision { turn, is_silent });
    }
}

/// Uses the settings of a form; those of the window of all settings are written to their file as well.
fn use_settings(app: &mut App, form: Form) {
    let is_of_all = form.is_of_all();
    let theme = app.settings.theme.clone();
    app.settings = form.values;
    // Whole rounds of first rolls.
    let trials = &mut app.settings.rollout.trials;
    *trials = trials.next_multiple_of(36);
    if !is_of_all {
        return app.say("rollouts use these settings until you quit; : save settings keeps them");
    }
    if app.settings.theme != theme {
        super::appearance::use_theme(app);
    }
    // The figures in view are those of so many plies as are wanted now.
    candidate_rows::rerank(app);
    super::walk::analyse_turn_in_view(app);
    app.effects.push(Effect::SaveSettings);
}

/// Sets the dice of a variation; a position alone is opened again with them. Answers whether dice were typed.
fn set_dice(app: &mut App, typed: &str) -> bool {
    let Some(mut state) = app.turn().map(|t| t.before.state) else {
        return true;
    };
    let digits: Vec<u8> = typed
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(10).map_or(0, |d| d as u8))
        .collect();
    state.roll = match digits[..] {
        [] => None,
        [a, b] if Roll::new(a, b).is_some() => Roll::new(a, b),
        _ => {
            app.warn("a roll is two digits from 1 to 6, such as 31");
            return false;
        }
    };
    if app.editor.is_some() {
        super::draft::dice(app, state.roll);
    } else if app.variation.is_some() || !app.document.record.games.is_empty() {
        super::variations::set_dice(app, state.roll);
    } else {
        let mut names = app.document.players().cloned();
        if state.doubled && state.roll.is_some() {
            // Who might have doubled rolls.
            state = GameState {
                roll: state.roll,
                ..state.roller()
            };
            names.iter_mut().for_each(|names| names.swap(0, 1));
        }
        let id = crate::notation::xgid_text(&state);
        super::document::open_changed(app, Openable::position(id, names));
    }
    true
}

/// `text` with `~/` replaced by the home folder, as shells do.
fn expand_home(text: &str) -> String {
    match (text.strip_prefix("~/"), std::env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest).to_string_lossy().into_owned(),
        _ => text.to_owned(),
    }
}

fn run(app: &mut App, action: Option<&'static ActionEntry>) {
    if let Some(action) = action {
        super::dispatch::attempt(app, action);
    }
}

fn complete(app: &mut App) {
    match app.overlay {
        Some(Overlay::Help { behind: None, .. }) => {
            app.overlay = Some(Overlay::Figures { row: 0 });
        }
        Some(Overlay::Figures { .. }) => app.overlay = Some(Overlay::Legend { row: 0 }),
        Some(Overlay::Legend { .. }) => {
            app.overlay = Some(keys(app));
        }
        _ => {}
    }
    if let Some(Overlay::Matrix { inquiry, place }) = &mut app.overlay {
        place.next_cube(inquiry.state());
    }
    if let Some(Overlay::Open { input, found, row }) = &mut app.overlay {
        let all = completions(input.value(), MOST_FILES);
        let chosen = row.and_then(|r| found.get(r).cloned());
        let text = chosen.or_else(|| common_start(&all));
        if let Some(text) = text.filter(|t| t.len() >= input.value().len()) {
            *found = completions(&text, MOST_FILES);
            *input = Input::new(text);
            *row = None;
        }
    }
}

fn common_start(all: &[String]) -> Option<String> {
    let first = all.first()?;
    let mut n = first.len();
    for other in &all[1..] {
        let same = first
            .bytes()
            .zip(other.bytes())
            .take_while(|(a, b)| a == b)
            .count();
        n = n.min(same);
    }
    while !first.is_char_boundary(n) {
        n -= 1;
    }
    Some(first[..n].to_owned())
}
