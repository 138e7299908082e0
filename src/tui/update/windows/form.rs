//! The settings: those of rollouts, or all.

use ratatui::layout::Rect;

use super::window::Window;
use crate::store::UserSettings;
use crate::store::settings::Field;
use crate::store::settings::RolloutPreferences;
use crate::tui::figures::pace;
use crate::tui::keys::ActionId;
use crate::tui::screen::targets::Target;
use crate::tui::state::{App, Effect};
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::update::lines::walk;
use crate::tui::update::{appearance, ranking};
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{self, window};
use crate::tui::windows::form::Form;
use crate::tui::windows::overlay::{Overlay, first_row};

pub(super) struct Settings;

fn form(app: &mut App) -> Option<&mut Form> {
    match &mut app.overlay {
        Some(Overlay::Form(form)) => Some(form),
        _ => None,
    }
}

impl Window for Settings {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let Some(Overlay::Form(form)) = &app.overlay else {
            return;
        };
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

    fn act(&self, app: &mut App, action: ActionId) -> bool {
        let Some(form) = form(app) else { return false };
        match action {
            ActionId::Down | ActionId::Up => form.go(action == ActionId::Down),
            ActionId::First => form.select(0),
            ActionId::Last => form.select(usize::MAX),
            ActionId::Less | ActionId::More => form.step(action == ActionId::More),
            _ => return false,
        }
        true
    }

    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        match window {
            Overlay::Form(form) => use_settings(app, form),
            _ => true,
        }
    }

    fn click(&self, app: &mut App, row: usize) -> bool {
        if let Some(form) = form(app) {
            form.select(row);
        }
        false
    }
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

/// Uses the settings of a form; those of the window of all settings are written to their file as well. Answers whether
/// they can be used.
fn use_settings(app: &mut App, form: &Form) -> bool {
    if let Some(why) = form.values.trouble() {
        app.warn(why);
        return false;
    }
    let mut settings = form.values.clone();
    let trials = &mut settings.rollout.trials;
    if *trials != app.settings.rollout.trials {
        *trials = RolloutPreferences::whole_rounds(*trials);
    }
    let before = std::mem::replace(&mut app.settings, settings);
    if form.is_of_all() {
        follow_settings(app, &before);
        app.effects.push(Effect::SaveSettings);
    } else {
        app.say_keys(
            "rollouts use these settings until you quit; {palette} finds *save settings*, which keeps them",
        );
    }
    true
}

/// Shows everything by the settings in force, which were others `before`.
fn follow_settings(app: &mut App, before: &UserSettings) {
    if app.settings.theme != before.theme {
        appearance::use_theme(app);
    }
    if app.settings.review.ply != before.review.ply {
        // It is analysed anew.
        app.openings.fall_behind();
    }
    // The figures in view are those of so many plies as are wanted now.
    ranking::rerank(app);
    walk::analyse_turn_in_view(app);
}
