//! What the file says of the decision in view.

use ratatui::layout::Rect;

use super::window::{Window, row};
use crate::tui::figures::candidate_rows::FigureSource;
use crate::tui::figures::imported::{self, ImportedRow, analysis, right_action, scale, short_name};
use crate::tui::screen::units::Scale;
use crate::tui::state::App;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{list, rows as part, window, with_description};
use crate::tui::windows::overlay::Overlay;

/// Columns of an equity.
const EQUITY: usize = 8;
/// Columns of a difference.
const DIFFERENCE: usize = 7;
/// Columns of a level in the program's words.
const LEVEL: usize = 18;
/// Columns besides the name and the level: theirs, and ours with its depth.
const FIGURES: usize = 2 + 2 * EQUITY + 2 * DIFFERENCE + 4;
/// Columns between the figures of both where the level has none.
const GAP: usize = 1;
/// Columns that a name has before the level has any.
const NAME: usize = 18;

pub(super) struct Imported;

impl Window for Imported {
    fn draw(&self, paint: &mut Paint<'_>, screen: Rect, app: &App) {
        let row = row(app);
        let Some(analysis) = analysis(app) else {
            return;
        };
        let rows = imported::rows(app);
        let has_plays = rows.iter().any(|row| row.result.is_some());
        let title = title(&analysis.program);
        let side = if has_plays {
            "Enter shows the play"
        } else {
            ""
        };
        let height = rows.len() as u16 + if has_plays { 6 } else { 2 };
        let mut area = window(paint, screen, (84, height), &title, side);
        if has_plays {
            let words = rows.get(row).map(chances).unwrap_or_default();
            area = with_description(paint, area, &words);
        }
        let scale = scale(app);
        let room = usize::from(area.width).saturating_sub(FIGURES);
        let level = if room >= NAME + LEVEL { LEVEL } else { GAP };
        let columns = (room - level, level);
        let what = if has_plays { "play" } else { "action" };
        let head = heading(&scale, (what, columns), short_name(&analysis.program));
        paint.line(area, 0, &[(&head, Role::OverlayMuted)]);
        let best = (
            rows.first().map(|row| &*row.level),
            best_of_ours(&rows, has_plays),
        );
        let below = part(area, 1, area.height);
        list(paint, below, row, rows.len(), &mut |paint, line, i| {
            let line_text = row_text(&rows[i], &scale, columns, best);
            let role = if i == 0 && has_plays {
                Role::OverlayKey
            } else {
                Role::Overlay
            };
            paint.line(line, 0, &[(&line_text, role)]);
        });
    }

    fn rows(&self, app: &App) -> usize {
        imported::rows(app).len()
    }

    fn begin(&self, app: &mut App) -> Option<usize> {
        Some(imported::selected(app))
    }

    /// Shows the play that the file lists in the row on the board.
    fn accept(&self, app: &mut App, window: &Overlay) -> bool {
        let row = window.row();
        let rows = imported::rows(app);
        let result = rows.get(row).and_then(|row| row.result);
        app.selection.play = result.or(app.selection.play);
        true
    }
}

/// Says whose analysis it is, and how that program counts plies, where it does so otherwise.
fn title(program: &str) -> String {
    let plies = match short_name(program) {
        "XG" => ", whose 3-ply is 2-ply here",
        _ => "",
    };
    format!("analysis of {program}{plies}")
}

/// Our equity of the best play by our deepest figures, or of the right cube action, and what they are from.
fn best_of_ours(rows: &[ImportedRow], has_plays: bool) -> Option<(f64, FigureSource)> {
    if !has_plays {
        let right = right_action(rows, &|row| row.ours.map(|(equity, _)| equity));
        return right.zip(rows.first()?.ours.map(|(_, source)| source));
    }
    let ours = rows.iter().filter_map(|row| row.ours);
    ours.max_by(|a, b| a.1.cmp(&b.1).then(a.0.total_cmp(&b.0)))
}

fn heading(scale: &Scale, (what, (name, level)): (&str, (usize, usize)), program: &str) -> String {
    let ours = format!(
        "{}{} ply",
        right("ours", EQUITY),
        right(scale.head(), DIFFERENCE)
    );
    format!(
        "  {}{}{} {}{ours}",
        text::fit(what, name),
        right(program, EQUITY),
        right(scale.head(), DIFFERENCE),
        text::fit("level", level.saturating_sub(1)),
    )
}

/// One row of the window as text, with so many columns of the name and of the level. `best`: how deeply the
/// program looked at its best play, and our best.
fn row_text(
    row: &ImportedRow,
    scale: &Scale,
    (name, level): (usize, usize),
    best: (Option<&str>, Option<(f64, FigureSource)>),
) -> String {
    let value = |equity: Option<f64>| equity.map_or_else(|| "—".to_owned(), |e| scale.value(e));
    let is_alike = best.0 == Some(&row.level);
    let ours = row.ours.map(|(equity, _)| equity);
    let pair = row.ours.zip(best.1);
    let behind = pair.map(|(ours, best)| ours.0 - best.0);
    let is_as_deep = pair.is_none_or(|(ours, best)| ours.1 == best.1);
    let depth = row.ours.map_or_else(String::new, |(_, level)| level.text());
    format!(
        "{} {}{}{} {}{}{}{}",
        if row.is_played { "▸" } else { " " },
        text::fit(&row.name, name),
        right(&value(row.equity), EQUITY),
        right(
            &difference(Some(row.difference), is_alike, scale),
            DIFFERENCE
        ),
        text::fit(&row.level, level.saturating_sub(1)),
        right(&value(ours), EQUITY),
        right(&difference(behind, is_as_deep, scale), DIFFERENCE),
        right(&depth, 4),
    )
}

/// A difference as in the list of candidates: one between unlike depths has a `~` before its sign.
fn difference(difference: Option<f64>, is_alike: bool, scale: &Scale) -> String {
    let Some(difference) = difference.filter(|less| *less != 0.0) else {
        return String::new();
    };
    let sign = match (difference < 0.0, is_alike) {
        (true, true) => "-",
        (true, false) => "~-",
        (false, true) => "+",
        (false, false) => "~+",
    };
    let size = scale.size(difference);
    format!("{sign}{}", size.trim_end_matches('%'))
}

fn right(words: &str, columns: usize) -> String {
    text::fit_right(words, columns)
}

/// The chances that the program gives a play.
fn chances(row: &ImportedRow) -> String {
    let Some(chances) = &row.chances else {
        return String::new();
    };
    let [win, gammon, backgammon, lose_gammon, lose_backgammon] = chances.map(text::percent);
    let lose = text::percent(1.0 - chances[0]);
    format!(
        "wins {win} gammon {gammon} bg {backgammon}, loses {lose} gammon {lose_gammon} bg \
         {lose_backgammon}"
    )
}
