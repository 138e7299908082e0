//! The window of the rollouts that are kept.

use ratatui::layout::Rect;

use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::window::{foot, list, rows, window, with_description};
use crate::tui::windows::kept_list::{KeptBest, KeptList, KeptListRow};

/// Columns from which on a play has more room.
const WIDE: u16 = 92;

/// Columns of a row.
const COLUMNS: u16 = 73;

pub(in crate::tui::view) fn draw(
    paint: &mut Paint<'_>,
    screen: Rect,
    found: Option<&Result<KeptList, String>>,
    row: usize,
) {
    let side = match found {
        Some(Ok(found)) if found.rows.len() < found.total => {
            format!("the last {} of {}", found.rows.len(), found.total)
        }
        _ => String::new(),
    };
    let size = (112, screen.height.saturating_sub(4));
    let area = window(paint, screen, size, "kept rollouts", &side);
    let words = match found {
        None => "the file of rollouts is being read …",
        Some(Err(why)) => why,
        Some(Ok(found)) if found.rows.is_empty() => {
            "no rollout is kept yet; those of a whole match come back with their match"
        }
        Some(Ok(found)) => return all(paint, area, found, row),
    };
    for (y, line) in (0..).zip(text::wrap(words, usize::from(area.width), 3)) {
        paint.line(area, y, &[(&line, Role::OverlayMuted)]);
    }
}

fn all(paint: &mut Paint<'_>, area: Rect, found: &KeptList, row: usize) {
    let wide = area.width >= WIDE;
    let heading = [
        "saved", "roll", "best", "equity", "±95", "plays", "trials", "ply", "cube",
    ];
    let heading = line(heading.map(str::to_owned), wide);
    paint.line(area, 0, &[(&heading, Role::OverlayTitle)]);
    let words = found.rows.get(row).map(|row| described(row, area.width));
    let words = words.unwrap_or_default();
    let below = with_description(paint, rows(area, 1, area.height), &words);
    list(paint, below, row, found.rows.len(), &mut |paint, at, i| {
        let cells = line(cells(&found.rows[i]), wide);
        paint.line(at, 0, &[(&cells, Role::Overlay)]);
    });
    if found.rows.iter().any(|row| row.best.is_none()) {
        foot(paint, area, "–: played by another version or net");
    }
}

/// The position, and in few columns what the row has no room for.
fn described(row: &KeptListRow, columns: u16) -> String {
    if columns >= COLUMNS {
        return row.id.clone();
    }
    let cube = if row.is_cubeful { "with" } else { "without" };
    let (trials, ply) = (row.trials, row.ply);
    format!("{}\n{trials} trials, {ply}-ply, {cube} cube", row.id)
}

fn cells(row: &KeptListRow) -> [String; 9] {
    let dash = || "–".to_owned();
    let (play, equity, half) = match &row.best {
        None => (dash(), dash(), dash()),
        Some(KeptBest { play, equity, half }) => (
            play.clone().unwrap_or_else(|| "the position".to_owned()),
            text::equity(*equity),
            if half.is_finite() {
                text::small(*half)
            } else {
                dash()
            },
        ),
    };
    [
        row.day.clone(),
        row.dice.clone().unwrap_or_else(dash),
        play,
        equity,
        half,
        row.plays.to_string(),
        row.trials.to_string(),
        row.ply.to_string(),
        if row.is_cubeful { "yes" } else { "no" }.to_owned(),
    ]
}

fn line(cells: [String; 9], wide: bool) -> String {
    let [saved, roll, play, equity, half, plays, trials, ply, cube] = cells;
    let columns = if wide { 34 } else { 18 };
    format!(
        "{} {} {} {} {} {} {} {} {}",
        text::fit(&saved, 10),
        text::fit(&roll, 4),
        text::fit(&text::cut(&play, columns), columns),
        text::fit_right(&equity, 7),
        text::fit_right(&half, 6),
        text::fit_right(&plays, 5),
        text::fit_right(&trials, 8),
        text::fit_right(&ply, 3),
        text::fit_right(&cube, 4),
    )
}
