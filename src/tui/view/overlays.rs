//! Windows over the screen: help, palette, open, rollout settings, warnings.

use ratatui::layout::Rect;

use super::paint::Paint;
use super::window::window;
use crate::tui::actions::ActionEntry;
use crate::tui::error_list;
use crate::tui::keys::pretty;
use crate::tui::layout::Areas;
use crate::tui::legend::SIGNS;
use crate::tui::overlay::{Field, Form, Overlay, first_row, help_rows};
use crate::tui::palette::palette_rows;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::troubles;

pub(super) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App, areas: &mut Areas) {
    let Some(overlay) = &app.overlay else { return };
    match overlay {
        Overlay::Help { row } => {
            let rows = help_rows();
            let height = rows.len() as u16 + 5;
            let side = "Tab: signs  Enter runs one";
            let area = window(paint, screen, 112, height, "keys", side);
            let above = with_words(paint, area, about(app, rows[*row]).as_str());
            list(paint, above, *row, rows.len(), &mut |paint, line, i| {
                action_line(paint, line, app, rows[i], 14);
            });
        }
        Overlay::Signs { row } => {
            let height = SIGNS.len() as u16 + 5;
            let area = window(paint, screen, 112, height, "signs", "Tab: keys");
            let above = with_words(paint, area, SIGNS[*row].1);
            list(paint, above, *row, SIGNS.len(), &mut |paint, line, i| {
                let (sign, about) = SIGNS[i];
                let about = text::cut(about, usize::from(line.width).saturating_sub(9));
                let sign = text::fit(sign, 9);
                let words = [(&*sign, Role::OverlayKey), (&*about, Role::Overlay)];
                paint.line(line, 0, &words);
            });
        }
        Overlay::Palette { input, row } => {
            let rows = palette_rows(input.value());
            let area = window(paint, screen, 76, 18, "commands", "");
            prompt(paint, area, ":", input);
            let told = rows.get(*row).map(|action| about(app, action));
            let below = with_words(paint, below_prompt(area), &told.unwrap_or_default());
            if rows.is_empty() {
                let none = "no command has this in its name or description";
                paint.line(below, 0, &[(none, Role::OverlayMuted)]);
            }
            list(paint, below, *row, rows.len(), &mut |paint, line, i| {
                action_line(paint, line, app, rows[i], 18);
            });
        }
        Overlay::Open { input, found, row } => {
            let area = window(
                paint,
                screen,
                76,
                16,
                "open a match file or a position ID",
                "",
            );
            prompt(paint, area, ">", input);
            let below = below_prompt(area);
            let at = row.unwrap_or(usize::MAX);
            list(paint, below, at, found.len(), &mut |paint, line, i| {
                paint.put(line.x, line.y, line.width, &found[i], Role::Overlay);
            });
        }
        Overlay::Dice { input } => {
            let area = window(paint, screen, 50, 3, "dice", "");
            prompt(paint, area, ">", input);
            let how = "two digits, such as 31; nothing takes them off";
            paint.line(below_prompt(area), 0, &[(how, Role::OverlayMuted)]);
        }
        Overlay::TimeLimit { input, .. } => {
            let area = window(paint, screen, 66, 7, "roll out the match", "");
            prompt(paint, area, ">", input);
            let how = [
                "how long: seconds, or 5m, or 1h. Enter starts.",
                "",
                "The closest decisions are rolled out first, until the time is up,",
                "in the background. Each result is shown as it comes, and kept.",
                "p pauses, x or B stops. A rollout you start (r, c) goes first.",
            ];
            for (row, line) in (0u16..).zip(how) {
                paint.line(below_prompt(area), row, &[(line, Role::OverlayMuted)]);
            }
        }
        Overlay::Note { input } => note(paint, screen, input),
        Overlay::Errors { row } => {
            let rows = error_list::rows(app);
            let tallest = screen.height.saturating_sub(8).max(34);
            let height = (rows.len() as u16).saturating_add(13).clamp(18, tallest);
            let side = error_list::filter(app);
            let area = window(paint, screen, 92, height, "errors", &side);
            let (graph, below) = super::error_list::head(paint, area, app, &rows, *row);
            (areas.graph, areas.errors) = (graph, below);
            list(paint, below, *row, rows.len(), &mut |paint, line, i| {
                super::error_list::row(paint, line, app, &rows[i]);
            });
        }
        Overlay::Warnings { row } => {
            let rows = troubles::rows(app);
            /// Columns of the place before a message.
            const PLACE: usize = 10;
            let columns = usize::from(screen.width.min(104)).saturating_sub(4);
            let is_long = |row: &&troubles::TroubleRow| text::width(&row.text) + PLACE > columns;
            // As many lines for the selected one as the longest needs, so that nothing jumps.
            let long = rows.iter().filter(is_long);
            let lines = long.map(|row| text::wrap(&row.text, columns, 4).len());
            let lines = lines.max().map_or(0, |n| n as u16);
            let foot = if lines > 0 { lines + 1 } else { 0 };
            let height = (rows.len() as u16).saturating_add(2).clamp(5, 30) + foot;
            let mut area = window(paint, screen, 100, height, "warnings", &app.document.title);
            if foot > 0 && area.height > foot {
                let message = rows.get(*row).map_or("", |row| row.text.as_str());
                area = said_below(paint, area, message, lines);
            }
            list(paint, area, *row, rows.len(), &mut |paint, line, i| {
                let place = text::fit(&rows[i].place, PLACE);
                let room = usize::from(line.width).saturating_sub(PLACE);
                let message = text::cut(&rows[i].text, room);
                paint.line(
                    line,
                    0,
                    &[(&place, Role::OverlayMuted), (&message, Role::Overlay)],
                );
            });
        }
        Overlay::Form(form) => draw_form(paint, screen, form),
        Overlay::Why { inquiry, roll } => super::why::draw(paint, screen, app, inquiry, *roll),
        Overlay::Matrix { inquiry, place } => {
            super::matrix::draw(paint, screen, app, inquiry, *place);
        }
    }
}

/// The rows of a list that fit, around the selected one.
fn list(
    paint: &mut Paint<'_>,
    area: Rect,
    selected: usize,
    count: usize,
    draw: &mut dyn FnMut(&mut Paint<'_>, Rect, usize),
) {
    let height = usize::from(area.height);
    let near = if selected == usize::MAX { 0 } else { selected };
    let first = first_row(near, height, count);
    for (y, i) in (area.y..area.bottom()).zip(first..count) {
        let line = Rect::new(area.x, y, area.width, 1);
        draw(paint, line, i);
        if i == selected {
            paint.select(line, Role::OverlayCursor);
        }
    }
    let below = count.saturating_sub(first + height);
    if below > 0 && area.height > 2 && area.bottom() < paint.buffer.area.bottom() {
        let foot = Rect::new(area.x, area.bottom(), area.width, 1);
        let is_frame = foot.x < foot.right() && paint.buffer[(foot.x, foot.y)].symbol() == "─";
        if is_frame {
            paint.line_right(foot, 0, &[(&format!(" {below} more "), Role::OverlayMuted)]);
        }
    }
}

/// Leaves the last rows of `area` to what the selected row says at length; answers the rest.
fn with_words(paint: &mut Paint<'_>, area: Rect, words: &str) -> Rect {
    const LINES: u16 = 2;
    if area.height < 4 * (LINES + 1) {
        return area;
    }
    said_below(paint, area, words, LINES)
}

/// `words` in the last `lines` rows of `area`, under a rule; answers the rest.
fn said_below(paint: &mut Paint<'_>, area: Rect, words: &str, lines: u16) -> Rect {
    let above = Rect {
        height: area.height.saturating_sub(lines + 1),
        ..area
    };
    let below = Rect {
        y: above.bottom(),
        height: area.height - above.height,
        ..area
    };
    let rule = "─".repeat(usize::from(below.width));
    paint.line(below, 0, &[(&rule, Role::OverlayMuted)]);
    let lines = text::wrap(words, usize::from(below.width), usize::from(lines));
    for (row, line) in (1..).zip(&lines) {
        paint.line(below, row, &[(line, Role::Overlay)]);
    }
    above
}

/// What an action does, or why it cannot be done.
fn about(app: &App, action: &ActionEntry) -> String {
    match (action.enabled)(app) {
        Ok(()) => action.about.to_owned(),
        Err(why) => format!("{} (not now: {why})", action.about),
    }
}

/// Columns of a note being typed, on a screen of so many.
pub(in crate::tui) fn note_columns(screen: u16) -> usize {
    usize::from(screen.min(80)).saturating_sub(6).max(2)
}

/// A note being typed, in as many lines as it takes and there is room for.
fn note(paint: &mut Paint<'_>, screen: Rect, input: &tui_input::Input) {
    let columns = note_columns(screen.width);
    let lines = text::folded(input.value(), columns);
    let height = (lines.len() as u16).clamp(3, 12);
    let side = "an empty one is removed";
    let area = window(paint, screen, 76, height, "a note beside this move", side);
    paint.fill(area, Role::Input);
    let at = text::line_of(&lines, input.cursor());
    let first = first_row(at, usize::from(area.height), lines.len());
    for (row, line) in (0..area.height).zip(&lines[first..]) {
        let chars = input.value().chars().skip(line.start);
        let part: String = chars.take(line.len()).collect();
        paint.line(area, row, &[("  ", Role::Input), (&part, Role::Input)]);
        if first + usize::from(row) == at {
            let before: String = part.chars().take(input.cursor() - line.start).collect();
            let x = area.x + 2 + text::width(&before) as u16;
            let cell = Rect::new(x, area.y + row, 1, 1).intersection(area);
            let style =
                ratatui::style::Style::new().add_modifier(ratatui::style::Modifier::REVERSED);
            paint.buffer.set_style(cell, style);
        }
    }
    paint.put(area.x, area.y, 1, "¶", Role::Input);
    if first + usize::from(area.height) < lines.len() {
        let foot = Rect::new(area.x, area.bottom(), area.width, 1);
        paint.line_right(foot, 0, &[(" goes on below ", Role::OverlayMuted)]);
    }
}

fn action_line(
    paint: &mut Paint<'_>,
    line: Rect,
    app: &App,
    action: &ActionEntry,
    key_width: usize,
) {
    let keys: Vec<String> = action.keys.iter().map(|k| pretty(k)).collect();
    let keys = text::fit(&keys.join(" "), key_width);
    let name = text::fit(action.name, 18);
    let (about, role) = match (action.enabled)(app) {
        Ok(()) => (action.about.to_owned(), Role::OverlayMuted),
        Err(why) => (format!("not now: {why}"), Role::OverlayMuted),
    };
    let name_role = if (action.enabled)(app).is_ok() {
        Role::Overlay
    } else {
        Role::OverlayMuted
    };
    let room = usize::from(line.width).saturating_sub(key_width + 20);
    let about = text::cut(&about, room);
    paint.line(
        line,
        0,
        &[
            (&keys, Role::OverlayKey),
            (" ", Role::Overlay),
            (&name, name_role),
            (" ", Role::Overlay),
            (&about, role),
        ],
    );
}

fn prompt(paint: &mut Paint<'_>, area: Rect, sign: &str, input: &tui_input::Input) {
    let line = Rect {
        height: 1.min(area.height),
        ..area
    };
    paint.fill(line, Role::Input);
    let room = usize::from(line.width).saturating_sub(3);
    let scroll = input.visual_scroll(room.max(1));
    // The line scrolls by columns; what is cut on the left is whole characters.
    let mut skipped = 0;
    let visible: String = input
        .value()
        .chars()
        .skip_while(|c| {
            let skip = skipped < scroll;
            skipped += text::width(&c.to_string());
            skip
        })
        .collect();
    paint.line(
        line,
        0,
        &[
            (sign, Role::Input),
            (" ", Role::Input),
            (&visible, Role::Input),
        ],
    );
    let cursor = input.visual_cursor().saturating_sub(scroll) as u16;
    let cell = Rect::new(line.x + 2 + cursor, line.y, 1, 1).intersection(line);
    let style = ratatui::style::Style::new().add_modifier(ratatui::style::Modifier::REVERSED);
    paint.buffer.set_style(cell, style);
}

fn below_prompt(area: Rect) -> Rect {
    Rect {
        y: area.y + 2.min(area.height),
        height: area.height.saturating_sub(2),
        ..area
    }
}

fn draw_form(paint: &mut Paint<'_>, screen: Rect, form: &Form) {
    let area = window(
        paint,
        screen,
        70,
        Field::ALL.len() as u16 + 3,
        "rollout settings",
        "for rollouts to come",
    );
    for (row, field) in (0u16..).zip(Field::ALL) {
        let chosen = usize::from(row) == form.row;
        let name = text::fit(field.name(), 19);
        let value = form.value(field);
        let value = if chosen {
            format!("‹ {value} ›")
        } else {
            format!("  {value}")
        };
        let role = if chosen {
            Role::OverlayCursor
        } else {
            Role::Overlay
        };
        paint.line(
            area,
            row + 1,
            &[(&name, role), (&text::fit(&value, 46), role)],
        );
    }
    let below = Field::ALL.len() as u16 + 2;
    paint.line(area, below, &[(form.field().about(), Role::OverlayMuted)]);
}
