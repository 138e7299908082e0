//! The course of a match as an SVG chart: the value of the left player before each decision, the
//! games divided, and every error marked where it was made.

use std::fmt::Write as _;

use super::{DecisionPlace, Report};
use crate::game::Player;
use crate::sanitize::escape_markup as escape;

const WIDTH: f32 = 960.0;
const HEIGHT: f32 = 300.0;
const LEFT: f32 = 46.0;
const TOP: f32 = 14.0;
const BOTTOM: f32 = 26.0;

/// The chart; empty where there is nothing to draw.
pub fn chart(report: &Report) -> String {
    let scale = Scale::new(report);
    if scale.steps < 2 {
        return String::new();
    }
    let mut out = String::new();
    let [left, right] = &report.players;
    let what = if report.is_money() {
        "equity"
    } else {
        "chance to win the match"
    };
    let title = format!("{} of {} over the match", what, left.name);
    let _ = write!(
        out,
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\"><title>{}</title>",
        escape(&title)
    );
    grid(&mut out, report, &scale);
    lines(&mut out, report, &scale);
    marks(&mut out, report, &scale);
    let _ = write!(
        out,
        "</svg><p class=\"note\">{}; up is good for {}, down for {}. \
         Discs are errors of {}, diamonds of {}.</p>",
        escape(&title),
        escape(&left.name),
        escape(&right.name),
        escape(&left.name),
        escape(&right.name),
    );
    out
}

struct Scale {
    steps: usize,
    low: f64,
    high: f64,
}

impl Scale {
    fn new(report: &Report) -> Self {
        let steps = report.games.iter().map(|g| g.moves.len() + 1).sum();
        let values = || {
            let games = report.games.iter();
            games.flat_map(|g| g.moves.iter().filter_map(|m| m.value).chain(g.after))
        };
        let (low, high) = if report.is_money() {
            let most = values().fold(1.0, |most: f64, v| most.max(v.abs()));
            (-most, most)
        } else {
            (0.0, 1.0)
        };
        Self { steps, low, high }
    }

    fn x(&self, step: usize) -> f32 {
        LEFT + (WIDTH - LEFT - 6.0) * step as f32 / self.steps.max(1) as f32
    }

    fn y(&self, value: f64) -> f32 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share as f32)
    }
}

/// The first step of each game.
fn starts(report: &Report) -> impl Iterator<Item = usize> {
    report.games.iter().scan(0, |next, game| {
        let start = *next;
        *next += game.moves.len() + 1;
        Some(start)
    })
}

fn grid(out: &mut String, report: &Report, scale: &Scale) {
    for quarter in 0..=4 {
        let value = scale.low + (scale.high - scale.low) * f64::from(quarter) / 4.0;
        let y = scale.y(value);
        let label = if report.is_money() {
            super::signed(value, 1)
        } else {
            format!("{:.0}%", 100.0 * value)
        };
        let class = if quarter == 2 { "middle" } else { "rule" };
        let _ = write!(
            out,
            "<path class=\"{class}\" d=\"M{LEFT} {y:.1}H{WIDTH}\"/>\
             <text class=\"axis\" x=\"{}\" y=\"{:.1}\">{label}</text>",
            LEFT - 6.0,
            y + 4.0
        );
    }
    for (game, start) in report.games.iter().zip(starts(report)) {
        let x = scale.x(start);
        let _ = write!(
            out,
            "<path class=\"rule\" d=\"M{x:.1} {TOP}V{}\"/>\
             <text class=\"gameno\" x=\"{:.1}\" y=\"{}\">{}</text>",
            HEIGHT - BOTTOM,
            x + 3.0,
            HEIGHT - 8.0,
            game.number
        );
    }
}

fn lines(out: &mut String, report: &Report, scale: &Scale) {
    for (game, start) in report.games.iter().zip(starts(report)) {
        let mut path = String::new();
        let values = game.moves.iter().map(|m| m.value).chain([game.after]);
        for (i, value) in values.enumerate() {
            let Some(value) = value else { continue };
            let pen = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{pen}{:.1} {:.1}", scale.x(start + i), scale.y(value));
        }
        if !path.is_empty() {
            let _ = write!(out, "<path class=\"line\" d=\"{path}\"/>");
        }
    }
}

fn marks(out: &mut String, report: &Report, scale: &Scale) {
    let starts: Vec<usize> = starts(report).collect();
    for place in report.worst(f64::from(report.thresholds.error), None) {
        let (game, one) = report.at(&place);
        let Some(value) = one.value else { continue };
        let (x, y) = (scale.x(starts[place.game] + place.index), scale.y(value));
        let r = 3.0 + 6.0 * (place.error.min(1.0) as f32).sqrt();
        let _ = write!(out, "<a href=\"#{}\">", anchor(&place));
        // Shape tells the players apart as well as colour does.
        let tag = if one.player == Player::Left {
            let _ = write!(
                out,
                "<circle class=\"mark left\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\">"
            );
            "circle"
        } else {
            let top = y - 1.2 * r;
            let r = 1.2 * r;
            let _ = write!(
                out,
                "<path class=\"mark right\" d=\"M{x:.1} {top:.1}l{r:.1} {r:.1} -{r:.1} {r:.1} -{r:.1} -{r:.1}z\">"
            );
            "path"
        };
        let _ = write!(
            out,
            "<title>game {} move {}: {}, error {:.3}</title></{tag}></a>",
            game.number,
            one.number,
            escape(&report.players[one.player.index()].name),
            place.error
        );
    }
}

/// The identifier of a decision within the page.
pub(super) fn anchor(place: &DecisionPlace) -> String {
    format!("g{}m{}", place.game + 1, place.index + 1)
}
