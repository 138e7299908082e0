//! Windows over the screen: help, palette, errors, warnings, rollout settings.

use ratatui::layout::Rect;

use super::prompts;
use crate::game::Player;
use crate::review::depth_words;
use crate::store::UserSettings;
use crate::store::settings::Field;
use crate::tui::figures::conditions;
use crate::tui::figures::error_list;
use crate::tui::figures::explain;
use crate::tui::figures::pace;
use crate::tui::figures::troubles;
use crate::tui::keys::{ActionEntry, ActionId, KeyScope, pretty};
use crate::tui::rollouts::inquiry::Inquiry;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::legend::SIGNS;
use crate::tui::screen::targets::Target;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::board::disc;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{
    self, description, foot, list, more, side_that_fits, title_acts, window, with_description,
};
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::{Overlay, first_row, help_rows};
use crate::tui::windows::palette::{NamedMove, found_by, palette_rows};

pub(crate) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App, areas: &mut Areas) {
    let Some(overlay) = &app.overlay else { return };
    match overlay {
        Overlay::Help { place, row, .. } => help(paint, screen, app, *place, *row),
        Overlay::Legend { row } => signs(paint, screen, app, *row),
        Overlay::Themes { row } => super::themes::draw(paint, screen, app, *row),
        Overlay::Figures { row } => figures(paint, screen, app, *row),
        Overlay::Palette { input, row } => palette(paint, screen, app, input, *row),
        Overlay::Open(prompt) => prompts::open(paint, screen, prompt),
        Overlay::Dice { input } => prompts::dice(paint, screen, input),
        Overlay::Play { input } => prompts::play(paint, screen, app, input),
        Overlay::Score { input } => prompts::score(paint, screen, input),
        Overlay::Export {
            what,
            input,
            is_proposed,
        } => prompts::export(paint, screen, app, *what, input, *is_proposed),
        Overlay::TimeLimit { input, is_proposed } => {
            prompts::time_limit(paint, screen, app, input, *is_proposed);
        }
        Overlay::NewMatch {
            is_transcribed,
            input,
            is_proposed,
        } => prompts::new_match(paint, screen, app, *is_transcribed, (input, *is_proposed)),
        Overlay::Note { input, .. } => {
            prompts::note(paint, screen, &note_title(app), remark(app), input);
        }
        Overlay::Library => super::library::draw(paint, screen, app),
        Overlay::Plan => super::plan::draw(paint, screen, app),
        Overlay::KeptList { found, row } => {
            super::kept_list::draw(paint, screen, app, found.as_ref(), *row);
        }
        Overlay::Rating => super::rating::draw(paint, screen, app),
        Overlay::EquityTable(place) => super::equity_table::draw(paint, screen, app, place),
        Overlay::Errors { row } => errors(paint, screen, app, areas, *row),
        Overlay::Warnings { row } => warnings(paint, screen, app, *row),
        Overlay::Statistics { found, row } => {
            statistics(paint, screen, app, &found.lines, *row);
        }
        Overlay::Imported { row } => super::imported_analysis::draw(paint, screen, app, *row),
        Overlay::Form(form) => draw_form(paint, screen, app, form),
        Overlay::Why {
            inquiry: inquiry @ Inquiry::Cube { .. },
            roll,
        } => super::cube_facts::draw(paint, screen, app, inquiry, *roll),
        Overlay::Why {
            inquiry: inquiry @ Inquiry::Rolls { .. },
            roll,
        } => super::roll_table::draw(paint, screen, app, inquiry, *roll),
        Overlay::Why { inquiry, roll } => super::why::draw(paint, screen, app, inquiry, *roll),
        Overlay::Opinions { row } => super::opinions::draw(paint, screen, app, *row),
        Overlay::Bias { inquiry } => super::bias::draw(paint, screen, app, inquiry),
        Overlay::Matrix { inquiry, place } => {
            super::matrix::draw(paint, screen, app, inquiry, *place);
        }
    }
}

/// Beside which move a note is kept: variations have none of their own.
fn note_title(app: &App) -> String {
    if app.home().record.games.is_empty() {
        return match app.variation {
            Some(_) => "a note about the position where this began".to_owned(),
            None => "a note about this position".to_owned(),
        };
    }
    let turn = app.home().turns.get(app.home_turn());
    match turn.filter(|_| app.variation.is_some()) {
        None => "a note beside this move".to_owned(),
        Some(turn) => format!("a note beside move {} of the match", turn.number),
    }
}

/// The file's remark on that move, which may tell the answer; `None` while answers are hidden.
fn remark(app: &App) -> Option<&str> {
    let remark = app.home().remarks.get(&app.home_turn());
    remark.filter(|_| !app.options.hidden).map(String::as_str)
}

/// Columns of a window with a line for each key or sign, where the screen has them.
const WIDEST: u16 = 160;

/// Columns of the groups of keys.
const GROUP: u16 = 10;

/// Draws all keys, with what the selected one does.
fn help(paint: &mut Paint<'_>, screen: Rect, app: &App, place: KeyScope, row: usize) {
    let rows = help_rows(place);
    let size = (WIDEST, rows.len() as u16 + 5);
    let is_of_screen = place == app.screen_scope();
    let side = if is_of_screen {
        named(app, "{other page}: figures  {choose} runs one")
    } else {
        named(app, "{choose} runs one")
    };
    let area = window(paint, screen, size, "keys", &side);
    if is_of_screen {
        title_acts(paint, area, ActionId::Complete);
    }
    let above = with_description(paint, area, about(app, rows[row]).as_str());
    // What the keys are for stands before the first of each group, where there is room for it.
    let group = if above.width >= 90 { GROUP } else { 0 };
    list(paint, above, row, rows.len(), &mut |paint, line, i| {
        if group > 0 && (i == 0 || rows[i].group != rows[i - 1].group) {
            paint.put(line.x, line.y, group, rows[i].group, Role::OverlayTitle);
        }
        let keys = Rect {
            x: line.x + group,
            width: line.width - group,
            ..line
        };
        action_line(paint, keys, app, rows[i], 14);
    });
}

/// Draws the statistics of the match, from a line on.
fn statistics(paint: &mut Paint<'_>, screen: Rect, app: &App, lines: &[String], row: usize) {
    // While nothing is there yet the window has about the size it will have.
    let widest = lines.iter().map(|line| text::width(line)).max();
    let width = widest.unwrap_or(58).max(40) as u16;
    let height = match lines.len() {
        0 => screen.height,
        some => some as u16,
    };
    let title = app.home().title.as_str();
    let depth = depth_words(app.review_ply(app.match_in_review()));
    // In a variation they stay those of the match.
    let name = match app.variation.is_some() && app.played().is_none() {
        true => format!("statistics of the match, {depth}"),
        false => format!("statistics, {depth}"),
    };
    let area = window(paint, screen, (width, height), &name, title);
    if lines.is_empty() {
        paint.line(area, 0, &[("being worked out …", Role::OverlayMuted)]);
    }
    let rows = usize::from(area.height);
    let first = row.min(lines.len().saturating_sub(rows));
    for (y, (place, line)) in (0u16..).zip(lines.iter().enumerate().skip(first).take(rows)) {
        // Heads of tables follow an empty line.
        let is_head = place == 0 || lines[place - 1].is_empty();
        let role = if is_head {
            Role::OverlayTitle
        } else {
            Role::Overlay
        };
        if NamedMove::at_start(line).is_some() {
            paint.target(window::rows(area, y, 1), Target::Row(place));
        }
        let line = text::cut(line, usize::from(area.width));
        // The signs of the players have their colours.
        let parts = line.split_inclusive(['●', '○']).flat_map(|part| {
            let sign = [Player::Left, Player::Right].map(disc);
            let sign = sign.into_iter().find(|(sign, _)| part.ends_with(sign));
            let words = sign.map_or(part, |(sign, _)| part.strip_suffix(sign).unwrap_or(part));
            [Some((words, role)), sign].into_iter().flatten()
        });
        paint.line(area, y, &parts.collect::<Vec<_>>());
    }
    more(paint, area, first, lines.len().saturating_sub(first + rows));
}

/// A text with the keys of a list in it.
fn named(app: &App, text: &str) -> String {
    app.keymap.named_in(KeyScope::List, text)
}

/// The figures in view as sentences.
fn figures(paint: &mut Paint<'_>, screen: Rect, app: &App, row: usize) {
    let all = explain::figures(app);
    let wide = usize::from(screen.width.min(112)).saturating_sub(6 + FIGURE);
    // Each line with the figure that it is about, which stands before the first.
    let mut lines: Vec<(usize, &str, String)> = Vec::new();
    for (i, one) in all.iter().enumerate() {
        for (k, words) in text::wrap(&one.words, wide, 6).into_iter().enumerate() {
            lines.push((i, if k == 0 { &one.figure } else { "" }, words));
        }
    }
    let size = (112, lines.len() as u16 + 2);
    let side = named(app, "{other page}: legend");
    let area = window(paint, screen, size, "the figures in view", &side);
    title_acts(paint, area, ActionId::Complete);
    let at = lines.iter().position(|line| line.0 == row).unwrap_or(0);
    let height = usize::from(area.height);
    let first = first_row(at, height, lines.len());
    for (y, (i, figure, words)) in (0u16..).zip(lines.iter().skip(first).take(height)) {
        let role = if *i == row {
            Role::OverlayKey
        } else {
            Role::OverlayTitle
        };
        let figure = text::fit(figure, FIGURE);
        paint.line(area, y, &[(&*figure, role), (&**words, Role::Overlay)]);
        paint.target(window::rows(area, y, 1), Target::Row(*i));
    }
}

/// Columns of a sign before what it means.
const SIGN: usize = 13;
/// Columns of a figure before its sentence.
const FIGURE: usize = 22;

/// Draws what each sign on the screen means.
fn signs(paint: &mut Paint<'_>, screen: Rect, app: &App, row: usize) {
    let size = (WIDEST, SIGNS.len() as u16 + 5);
    let side = named(app, "{other page}: keys");
    let area = window(paint, screen, size, "legend", &side);
    title_acts(paint, area, ActionId::Complete);
    let above = with_description(paint, area, &meaning(app, row));
    list(paint, above, row, SIGNS.len(), &mut |paint, line, i| {
        let (sign, about) = (SIGNS[i].0, meaning(app, i));
        let about = text::cut(&about, usize::from(line.width).saturating_sub(SIGN));
        let sign = text::fit(sign, SIGN);
        let words = [(&*sign, Role::OverlayKey), (&*about, Role::Overlay)];
        paint.line(line, 0, &words);
    });
}

/// What a sign means, with the sizes of errors of the settings.
fn meaning(app: &App, sign: usize) -> String {
    let (sign, about) = SIGNS[sign];
    let (usual, own) = (UserSettings::default().marks, app.settings.marks);
    let (usual, own) = match sign {
        "?!" => (usual.doubtful, own.doubtful),
        "?" => (usual.error, own.error),
        "??" => (usual.blunder, own.blunder),
        _ => return app.keymap.named(about),
    };
    let [usual, own] = [usual, own].map(|from| format!("(from {}", text::small(f64::from(from))));
    about.replacen(&usual, &own, 1)
}

/// The commands that match what is typed.
fn palette(paint: &mut Paint<'_>, screen: Rect, app: &App, input: &tui_input::Input, row: usize) {
    let rows = palette_rows(&app.keymap, app.screen_scope(), input.value());
    let area = window(paint, screen, (76, 18), "commands", "");
    prompts::prompt(paint, area, ":", input);
    let selected = rows.get(row).map(|action| {
        let other = found_by(action, input.value());
        let other = other.map_or_else(String::new, |word| format!("found by \"{word}\": "));
        format!("{other}{}", about(app, action))
    });
    let below = prompts::below(area);
    let below = with_description(paint, below, &selected.unwrap_or_default());
    if rows.is_empty() {
        let none = "no command has this in its name or description";
        paint.line(below, 0, &[(none, Role::OverlayMuted)]);
    }
    list(paint, below, row, rows.len(), &mut |paint, line, i| {
        action_line(paint, line, app, rows[i], 18);
    });
}

/// The list of errors under its graph.
fn errors(paint: &mut Paint<'_>, screen: Rect, app: &App, areas: &mut Areas, row: usize) {
    /// Columns of the window, where the screen has them.
    const WIDE: u16 = 92;
    let rows = error_list::rows(app);
    let tallest = screen.height.saturating_sub(8).max(34);
    let height = (rows.len() as u16).saturating_add(13).clamp(18, tallest);
    let name = match app.variation.is_some() && app.played().is_none() {
        true => "errors of the variation",
        false => "errors",
    };
    let sides = [error_list::filter(app), error_list::short_filter(app)];
    let side = side_that_fits(screen.width.min(WIDE), name, &sides);
    let area = window(paint, screen, (WIDE, height), name, &side);
    let (graph, below) = super::error_list::head(paint, area, app, &rows, row);
    (areas.graph, areas.errors) = (graph, below);
    let turns = app.document.turns.len();
    paint.target(graph, Target::Course { first: 0, turns });
    list(paint, below, row, rows.len(), &mut |paint, line, i| {
        super::error_list::row(paint, line, app, &rows[i]);
    });
    if let Some(words) = super::error_list::rolled(app, &rows) {
        foot(paint, area, &words);
    }
}

/// Draws what the reader of the file warned of, and what failed.
fn warnings(paint: &mut Paint<'_>, screen: Rect, app: &App, row: usize) {
    let rows = troubles::rows(app);
    // Columns of the place before a message.
    let places = rows.iter().map(|row| text::width(&row.place) + 1);
    let place_width = places.max().map_or(0, |width| width.max(10));
    let columns = usize::from(screen.width.min(104)).saturating_sub(4);
    let is_long = |row: &&troubles::TroubleRow| text::width(&row.text) + place_width > columns;
    // As many lines for the selected one as the longest needs, so that nothing jumps.
    let long = rows.iter().filter(is_long);
    let lines = long.map(|row| text::wrap(&row.text, columns, 4).len());
    let lines = lines.max().map_or(0, |n| n as u16);
    let foot = if lines > 0 { lines + 1 } else { 0 };
    let height = (rows.len() as u16).saturating_add(2).clamp(5, 30) + foot;
    let title = &app.document.title;
    let mut area = window(paint, screen, (100, height), "warnings", title);
    if foot > 0 && area.height > foot {
        let message = rows.get(row).map_or("", |row| row.text.as_str());
        area = description(paint, area, message, lines);
    }
    list(paint, area, row, rows.len(), &mut |paint, line, i| {
        let place = text::fit(&rows[i].place, place_width);
        let room = usize::from(line.width).saturating_sub(place_width);
        let message = text::cut(&rows[i].text, room);
        let words = [(&*place, Role::OverlayMuted), (&*message, Role::Overlay)];
        paint.line(line, 0, &words);
    });
}

/// Says what an action does, or why it cannot be done.
fn about(app: &App, action: &ActionEntry) -> String {
    match conditions::check(app, action) {
        Ok(()) => action.about.to_owned(),
        Err(why) => format!(
            "{} (not now: {})",
            action.about,
            app.keymap.reason(action, why)
        ),
    }
}

fn action_line(
    paint: &mut Paint<'_>,
    line: Rect,
    app: &App,
    action: &ActionEntry,
    key_width: usize,
) {
    let keys = match action.id {
        ActionId::Count => "0–9".to_owned(),
        _ => {
            let keys: Vec<String> = app.keymap.of(action).into_iter().map(pretty).collect();
            keys.join(" ")
        }
    };
    let keys = text::fit(&keys, key_width);
    // As wide as the longest name.
    let name = text::fit(action.name, 21);
    let (about, role) = match conditions::check(app, action) {
        Ok(()) => (action.about.to_owned(), Role::Overlay),
        Err(why) => {
            let why = app.keymap.reason(action, why);
            (format!("not now: {why}"), Role::OverlayMuted)
        }
    };
    let room = usize::from(line.width).saturating_sub(key_width + 23);
    let about = text::cut(&about, room);
    let words = [
        (&*keys, Role::OverlayKey),
        (" ", Role::Overlay),
        (&*name, role),
        (" ", Role::Overlay),
        (&*about, Role::OverlayMuted),
    ];
    paint.line(line, 0, &words);
}

/// A click on a field selects it; on the selected one its left arrow is less, all the rest more.
fn field_targets(paint: &mut Paint<'_>, line: Rect, row: usize, form: &Form) {
    if row != form.row {
        return paint.target(line, Target::Row(row));
    }
    paint.target(line, Target::Action(ActionId::More));
    let name = name_width(line) as u16;
    let arrow = Rect {
        x: line.x + name,
        width: 2.min(line.width - name),
        ..line
    };
    paint.target(arrow, Target::Action(ActionId::Less));
}

/// The value of a field in at most so many columns: the selected one between arrows, of what is being typed the end.
fn value_of(form: &Form, (row, field): (usize, Field), columns: usize) -> (String, Role) {
    let value = form.value(field);
    let (value, role) = match row == form.row {
        true if form.takes_text() => {
            let end = text::cut_start(&value, columns.saturating_sub(4));
            (format!("› {end}_"), Role::OverlayCursor)
        }
        true => {
            let value = text::cut(&value, columns.saturating_sub(4));
            (format!("‹ {value} ›"), Role::OverlayCursor)
        }
        false => (format!("  {value}"), Role::Overlay),
    };
    (text::cut(&value, columns), role)
}

fn draw_form(paint: &mut Paint<'_>, screen: Rect, app: &App, form: &Form) {
    let (name, side) = match form.is_of_all() {
        true => ("settings", "Enter: keep them"),
        false => ("rollout settings", "until you quit"),
    };
    let count = form.fields.len() as u16;
    let area = window(paint, screen, (76, count + 3), name, side);
    let (width, name_width) = (usize::from(area.width), name_width(area));
    // A field has a row in any case.
    let most = area.height.saturating_sub(1).min(2);
    let mut about = text::wrap(form.field().about(), width, usize::from(most));
    // Where there is little room no line is left empty.
    let above = u16::from(area.height >= count + 3);
    // And where that is not enough, the rows around the selected one are shown.
    let room = area
        .height
        .saturating_sub(above + about.len() as u16)
        .max(1);
    let first = first_row(form.row, usize::from(room), form.fields.len());
    for (line, (row, &field)) in
        (above..above + room).zip(form.fields.iter().enumerate().skip(first))
    {
        let name = text::fit(field.name(), name_width);
        let usual = match form.default_value(field).filter(|_| form.is_of_all()) {
            Some(usual) => format!("default {usual}"),
            None if field == Field::Preset && !form.is_of_all() => expected(app, form),
            None => String::new(),
        };
        // The words behind the values stand below each other, where no value is so long that it needs those columns too.
        let behind = text::width(&usual) + usize::from(!usual.is_empty());
        let beside = width.saturating_sub(name_width);
        let most = beside.saturating_sub(behind).max(beside.min(14));
        let least = most.min(33);
        let (value, role) = value_of(form, (row, field), most);
        let columns = text::width(&value).clamp(least, most);
        let value = format!("{} ", text::fit(&value, columns));
        let words = [
            (&*name, role),
            (&*value, role),
            (&*usual, Role::OverlayMuted),
        ];
        paint.line(area, line, &words);
        field_targets(paint, window::rows(area, line, 1), row, form);
    }
    let below = form.fields.len().saturating_sub(first + usize::from(room));
    let more = hidden_fields(first, below);
    let lines = area.height.saturating_sub(about.len() as u16);
    if let Some(last) = about.last_mut() {
        *last = text::cut(last, width.saturating_sub(text::width(&more)));
        let row = area.height.saturating_sub(1);
        paint.line_right(area, row, &[(&more, Role::OverlayKey)]);
    }
    for (row, line) in (lines..).zip(&about) {
        paint.line(area, row, &[(line, Role::OverlayMuted)]);
    }
}

/// How many fields are hidden above and below, in words.
fn hidden_fields(above: usize, below: usize) -> String {
    match (above, below) {
        (0, 0) => String::new(),
        (0, below) => format!("  ↓ {below} more"),
        (above, 0) => format!("  ↑ {above} more"),
        (above, below) => format!("  ↑ {above} ↓ {below} more"),
    }
}

/// Columns of the name before the value of a field, in a form with this inside.
fn name_width(area: Rect) -> usize {
    match usize::from(area.width) {
        narrow @ ..30 => narrow / 2,
        _ => 19,
    }
}

/// Says how long a rollout by these settings will take at the decision in view.
fn expected(app: &App, form: &Form) -> String {
    let time = pace::of_decision(app, &form.values.rollout);
    time.map_or_else(String::new, |time| {
        format!("here at most {}", text::seconds(time.as_secs_f64()))
    })
}
