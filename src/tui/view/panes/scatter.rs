//! Results of a pair, game by game: the first play's along, the second play's up. The closer the dots
//! lie to the diagonal, the more of the luck is the same in both and falls out of the difference.

use ratatui::layout::Rect;

use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::braille::Dots;
use crate::tui::view::drawing::paint::Paint;
use crate::tui::view::drawing::words::series;

/// One of this many dots of the field may be set: more would be a blot.
const SPARSE: usize = 5;
/// Part of the results that the field leaves out at either end, so that rare ones do not crush the
/// rest.
const TAIL: f64 = 0.02;
/// Results without reduction are whole points: dots are spread over so much around them.
const SPREAD: f64 = 0.5;

/// Titles above the dots: in full and in few columns.
pub(crate) const TITLES: [&str; 2] = ["each dot: one pair of games", "dots: pairs of games"];

/// What the dots show, at length and in a few words.
const DESCRIPTIONS: [&str; 2] = [
    "Each dot is a pair of games: a to the right, b up. The nearer the dots lie to the diagonal, the more luck cancels \
     in the difference.",
    "Each dot: a pair of games, a across, b up. Nearer the diagonal: more luck cancels.",
];

/// Columns of a field that is square in dots, with its axes, for so many rows.
pub(crate) fn width(rows: u16) -> u16 {
    2 * rows.saturating_sub(1) + 2
}

/// The pairs, with a word about what they show beside them.
pub(crate) fn described(paint: &mut Paint<'_>, area: Rect, pairs: &[[f32; 2]], whole: bool) {
    let width = width(area.height).min(area.width);
    draw(paint, Rect { width, ..area }, pairs, whole);
    let beside = Rect {
        x: area.x + width + 2,
        width: area.width.saturating_sub(width + 4),
        ..area
    };
    if beside.width < 14 {
        return;
    }
    let lines = DESCRIPTIONS.map(|what| text::wrap(what, usize::from(beside.width), usize::MAX));
    let [full, short] = lines;
    let lines = if full.len() <= usize::from(area.height) {
        full
    } else {
        short
    };
    for (row, line) in (0u16..).zip(&lines) {
        paint.line(beside, row, &[(line, Role::Muted)]);
    }
}

/// Draws the pairs into `area`, axes at its left and lower edge. `whole`: they are whole points.
pub(crate) fn draw(paint: &mut Paint<'_>, area: Rect, pairs: &[[f32; 2]], whole: bool) {
    if area.width < 5 || area.height < 3 {
        return;
    }
    axes(paint, area);
    let field = Rect::new(area.x + 1, area.y, area.width - 1, area.height - 1);
    let most = usize::from(field.width) * usize::from(field.height) * 8 / SPARSE;
    let step = pairs.len().div_ceil(most.max(1)).max(1);
    let points: Vec<[f64; 2]> = (0..)
        .zip(pairs.iter().step_by(step))
        .map(|(n, [a, b])| {
            let at = |v: f32, way: f64| f64::from(v) + if whole { spread(n, way) } else { 0.0 };
            [at(*a, 0.754_877_666), at(*b, 0.569_840_291)]
        })
        .filter(|p| p.iter().all(|v| v.is_finite()))
        .collect();
    let Some((low, high)) = range(&points) else {
        return;
    };
    let (right, bottom) = (
        f64::from(field.width) * 2.0 - 1.0,
        f64::from(field.height) * 4.0 - 1.0,
    );
    let mut dots = Dots::new(field.width, field.height);
    dots.sign = '.';
    dots.line((0.0, bottom), (right, 0.0), Role::Zero, 3);
    dots.sign = '*';
    for [a, b] in points {
        let part = |v: f64| (v - low) / (high - low);
        let (x, y) = (part(a) * right, (1.0 - part(b)) * bottom);
        dots.dot(x.round() as i32, y.round() as i32, Role::Point);
    }
    dots.paint(paint, field);
}

/// Where within [`SPREAD`] the dot number `n` is put: evenly, without any chance (the fractional
/// parts of the multiples of an irrational number).
fn spread(n: u32, way: f64) -> f64 {
    SPREAD * ((f64::from(n) * way).fract() - 0.5)
}

fn axes(paint: &mut Paint<'_>, area: Rect) {
    let last = area.bottom() - 1;
    let [(a, role_a), (b, role_b)] = [0, 1].map(series);
    for y in area.y + 1..last {
        paint.put(area.x, y, 1, "│", Role::Rule);
    }
    paint.put(area.x, area.y, 1, &b, role_b);
    paint.put(area.x, last, 1, "└", Role::Rule);
    for x in area.x + 1..area.right() - 1 {
        paint.put(x, last, 1, "─", Role::Rule);
    }
    paint.put(area.right() - 1, last, 1, &a, role_a);
}

/// Range of both axes without [`TAIL`] of the results at either end; `None` without results.
fn range(points: &[[f64; 2]]) -> Option<(f64, f64)> {
    let mut all: Vec<f64> = points.iter().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    let last = all.len().checked_sub(1)?;
    let at = |part: f64| all[(part * last as f64).round() as usize];
    let (low, high) = (at(TAIL), at(1.0 - TAIL));
    let edge = (high - low).max(0.02) * 0.05;
    Some((low - edge, high + edge))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::theme::Theme;
    use ratatui::buffer::Buffer;

    fn drawn(pairs: &[[f32; 2]]) -> Vec<String> {
        let area = Rect::new(0, 0, width(6), 6);
        let mut buffer = Buffer::empty(area);
        let themes = Theme::builtin();
        draw(&mut Paint::new(&mut buffer, &themes[0]), area, pairs, false);
        let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect();
        (0..area.height).map(row).collect()
    }

    #[test]
    fn a_pair_lies_where_its_results_say() {
        // The dots of a corner: the first play wins, the second loses, and the other way round.
        let lean = |a: f32, b: f32| drawn(&[[a, b], [-1.0, -1.0], [1.0, 1.0]]);
        let far = |line: &str, i: usize| !matches!(line.chars().nth(i), Some(' ' | '─'));
        let low_right = lean(1.0, -1.0);
        assert!(
            far(&low_right[4], 11) || far(&low_right[4], 10),
            "{low_right:?}"
        );
        assert!(!far(&low_right[0], 1) && !far(&low_right[0], 2));
        let high_left = lean(-1.0, 1.0);
        assert!(
            far(&high_left[0], 1) || far(&high_left[0], 2),
            "{high_left:?}"
        );
        assert!(high_left[0].starts_with('b') && high_left[5].ends_with('a'));
    }

    /// The words are whole: where the long ones do not fit, as beside the pane alone at 80×24, the short ones do.
    #[test]
    fn the_description_is_whole() {
        let rows = |what: &str| text::wrap(what, 14, usize::MAX).len();
        assert!(rows(DESCRIPTIONS[0]) > 8 && rows(DESCRIPTIONS[1]) <= 8);
    }

    #[test]
    fn odd_results_do_no_harm() {
        for pairs in [
            &[][..],
            &[[f32::NAN, 1.0]],
            &[[f32::INFINITY, 0.0], [0.0, 0.0]],
            &[[0.25, 0.25]],
        ] {
            assert_eq!(drawn(pairs).len(), 6);
        }
        assert!((0..1000).all(|n| spread(n, 0.754_877_666).abs() <= SPREAD / 2.0));
    }
}
