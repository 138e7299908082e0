//! The window with all about a cube decision.

use ratatui::layout::Rect;

use super::paint::Paint;
use super::window::{rows, window};
use crate::analysis::{CubeFacts, ErrorNeeded, cube_rule};
use crate::cube::{CubeChoice, Window, cube_words};
use crate::game::{GameState, Player, Roll};
use crate::notation::play::dice;
use crate::tui::draft::sign;
use crate::tui::inquiry::Inquiry;
use crate::tui::jobs::{DecisionKey, rolled_decision};
use crate::tui::state::App;
use crate::tui::targets::Target;
use crate::tui::text;
use crate::tui::theme::Role;

/// Columns of the facts at the left of the map.
const FACTS: u16 = 40;
/// Columns of a cell of the map.
const CELL: usize = 5;
/// Columns of the drawn window.
const SCALE: u16 = 72;

pub(super) fn draw(paint: &mut Paint<'_>, screen: Rect, app: &App, inquiry: &Inquiry, roll: usize) {
    let answer = app.inquiries.about(inquiry);
    let facts = answer.and_then(|answer| answer.cube.as_deref());
    let side = match (facts, answer.is_some_and(|a| a.is_done)) {
        (Some(facts), true) => format!("{}-ply", facts.ply),
        (Some(facts), false) => format!("{}-ply, deeper …", facts.ply),
        (None, _) => String::new(),
    };
    let name = match whose_figures(app, inquiry.state(), LONGEST) {
        Some(whose) => format!("cube decision, {whose}"),
        None => "cube decision".to_owned(),
    };
    let area = window(paint, screen, (76, 19), &name, &side);
    let Some(facts) = facts else {
        let failure = answer.and_then(|answer| answer.failure.as_deref());
        let words = failure.unwrap_or("being worked out …");
        paint.line(area, 0, &[(words, Role::OverlayMuted)]);
        return;
    };
    let pane = Pane {
        facts,
        state: *inquiry.state(),
    };
    pane.head(paint, area);
    pane.actions(paint, rows(area, 2, 3));
    if let Some(words) = rolled(app, &pane.state) {
        paint.line(area, 5, &[(&words, Role::Overlay)]);
    }
    if let Some(window) = facts.window {
        pane.window(paint, rows(area, 6, 3), window);
    }
    pane.facts(paint, rows(area, 10, 8));
    pane.map(paint, rows(area, 9, 8), roll);
    pane.selected(paint, rows(area, 18, 1), roll);
}

/// Columns that say whose the figures are, where there is room for more.
pub(super) const LONGEST: usize = 41;

/// Whose the figures of a double on offer are, in so many columns: those of the player who doubles, while the other
/// one decides.
pub(super) fn whose_figures(app: &App, state: &GameState, columns: usize) -> Option<String> {
    if !state.doubled {
        return None;
    }
    let doubler = app.turn()?.before.player.other();
    let room = columns.saturating_sub("for , who doubles".len());
    let name = text::cut(doubler_name(app, doubler), room);
    Some(format!("for {name}, who doubles"))
}

/// What the doubler is called: in a quiz and in the editor nobody of the match that is open.
fn doubler_name(app: &App, doubler: Player) -> &str {
    let is_drawn = app.editor.as_ref().is_some_and(|e| e.names.is_none());
    let is_asked = app.editor.is_none() && app.quiz.is_some();
    match () {
        () if is_drawn => sign(doubler),
        () if is_asked => "your opponent",
        () if app.editor.is_none() && app.document.players().is_none() => "the opponent",
        () => app.name(doubler),
    }
}

/// What a rollout of the decision has found, the loss first: all else in the window is by lookahead.
fn rolled(app: &App, state: &GameState) -> Option<String> {
    let (job, values) = app.jobs.cube_rollout(DecisionKey::of(state))?;
    let decision = rolled_decision(state, values);
    let wrong = match decision.answer() {
        Some(CubeChoice::Pass) if state.doubled => CubeChoice::Take,
        Some(_) if state.doubled => CubeChoice::Pass,
        _ if decision.action.doubles() => CubeChoice::NoDouble,
        _ => CubeChoice::Double,
    };
    let loss = text::small(f64::from(decision.error(wrong)?.max(0.0)));
    let [hold, take] = values.map(|value| text::equity(value.mean));
    let [no_double, double] = ["no double", "double/take"].map(|name| cube_words(name, state));
    Some(format!(
        "rollout{}: {} loses {loss}; {no_double} {hold}, {double} {take}",
        if job.is_active() { " …" } else { "" },
        act(wrong),
    ))
}

/// What is done by a cube choice.
pub(super) fn act(choice: CubeChoice) -> &'static str {
    match choice {
        CubeChoice::NoDouble => "not doubling",
        CubeChoice::Double => "doubling",
        CubeChoice::Take => "taking",
        CubeChoice::Pass => "passing",
        CubeChoice::Beaver => "a beaver",
    }
}

struct Pane<'a> {
    facts: &'a CubeFacts,
    state: GameState,
}

impl Pane<'_> {
    /// The right action, or the answer to the double that waits for it, and the chances of the doubler.
    fn head(&self, paint: &mut Paint<'_>, area: Rect) {
        let decision = &self.facts.decision;
        let action = match (decision.double_take, decision.answer()) {
            (None, _) => "no cube to turn",
            (_, Some(answer)) if self.state.doubled => answer.name(),
            _ => cube_words(decision.action.name(), &self.state),
        };
        paint.line(area, 0, &[(action, Role::OverlayTitle)]);
        let p = self.facts.chances.to_array().map(|c| percent(c, 1));
        let whose = if self.state.doubled { "doubler " } else { "" };
        let words = format!(
            "{whose}wins {}  gammons {}  bg {}  gammons lost {}",
            p[0], p[1], p[2], p[3]
        );
        paint.line_right(area, 0, &[(&words, Role::Overlay)]);
    }

    /// What each action is worth, its difference to the best, and what choosing it wrongly loses.
    fn actions(&self, paint: &mut Paint<'_>, area: Rect) {
        let decision = &self.facts.decision;
        let error = |choice| {
            let error = decision.error(choice).unwrap_or(0.0);
            text::small(f64::from(error.max(0.0)))
        };
        let mut lines = vec![("no double", decision.no_double, String::new())];
        if let (Some(take), Some(pass)) = (decision.double_take, decision.double_pass) {
            lines[0].2 = format!("not doubling loses {}", error(CubeChoice::NoDouble));
            let words = format!(
                "doubling loses {}, taking {}",
                error(CubeChoice::Double),
                error(CubeChoice::Take)
            );
            lines.push(("double/take", take, words));
            let words = format!("passing loses {}", error(CubeChoice::Pass));
            lines.push(("double/pass", pass, words));
        }
        for (row, (name, equity, words)) in (0u16..).zip(lines) {
            let more = equity - decision.cubeful_equity;
            let more = match more.abs() < 5e-4 {
                true => "=".to_owned(),
                false => text::equity(f64::from(more)),
            };
            let figures = format!("{:>8}{more:>9}   ", text::equity(f64::from(equity)));
            let words = [
                (
                    &*text::fit(cube_words(name, &self.state), 13),
                    Role::OverlayMuted,
                ),
                (&*figures, Role::Overlay),
                (&*words, Role::OverlayMuted),
            ];
            paint.line(area, row, &words);
        }
    }

    /// Where doubling begins, is passed, and is too good, with the position's place in it.
    fn window(&self, paint: &mut Paint<'_>, area: Rect, window: Window) {
        if area.is_empty() {
            return;
        }
        let width = SCALE.min(area.width);
        let at = |p: f32| (p.clamp(0.0, 1.0) * f32::from(width - 1)).round() as u16;
        let win = self.facts.chances.win;
        let label = format!("▼ {}", percent(win, 1));
        let length = text::width(&label) as u16;
        // To the left of its mark where there is no room to the right.
        let (x, label) = match at(win) + length <= width {
            true => (at(win), label),
            false => (
                (at(win) + 1).saturating_sub(length),
                format!("{} ▼", percent(win, 1)),
            ),
        };
        paint.put(area.x + x, area.y, length, &label, Role::OverlayKey);
        let mut line = [String::new(), String::new(), String::new(), String::new()];
        for column in 0..width {
            let (zone, sign) = match column {
                c if window.too_good.is_some_and(|p| c >= at(p)) => (3, '·'),
                c if c >= at(window.cash) => (2, '═'),
                c if c >= at(window.double) => (1, '━'),
                _ => (0, '─'),
            };
            line[zone].push(sign);
        }
        let roles = [
            Role::OverlayMuted,
            Role::OverlayTitle,
            Role::Overlay,
            Role::OverlayMuted,
        ];
        let words: Vec<(&str, Role)> = line.iter().map(String::as_str).zip(roles).collect();
        paint.line(area, 1, &words);
        let mut words = format!(
            "━ double from {}   ═ passed from {}",
            percent(window.double, 1),
            percent(window.cash, 1)
        );
        if let Some(p) = window.too_good {
            words += &format!("   · too good from {}", percent(p, 1));
        }
        paint.line(area, 2, &[(&words, Role::OverlayMuted)]);
    }

    /// What the figures rest on.
    fn facts(&self, paint: &mut Paint<'_>, area: Rect) {
        let facts = self.facts;
        let small = |value: f32| text::small(f64::from(value.max(0.0)));
        let mut lines = Vec::new();
        if let Some(take) = facts.take_point {
            let [live, dead] = [take.live, take.dead].map(|p| percent(p, 1));
            lines.push(("take point", format!("{live} live, {dead} dead")));
        }
        let [own, theirs] = facts.gammon_values.map(small);
        lines.push(("gammon value", format!("{own}, theirs {theirs}")));
        if let Some(vig) = facts.recube_vig {
            lines.push(("recube vig", format!("{} to the taker", small(vig))));
        }
        if let Some(market) = &facts.market {
            lines.push(("volatility", small(market.volatility)));
            let (_, of_36) = market.losers();
            let pairs = facts.losing_sequences().unwrap_or(0);
            let words = format!("{of_36} of 36, {pairs} of 1,296");
            lines.push(("market lost", words));
        }
        let needed = facts.error_needed();
        if let Some(needed) = needed {
            let (what, share) = match needed {
                ErrorNeeded::Passes(share) => ("pass", share),
                ErrorNeeded::Takes(share) => ("take", share),
            };
            let words = format!("right if they {} in {}", what, percent(share, 0));
            lines.push(("a double", words));
        }
        let width = usize::from(FACTS.min(area.width)).saturating_sub(1);
        for (row, (name, words)) in (0u16..).zip(&lines) {
            let words = text::cut(words, width.saturating_sub(13));
            let words = [
                (&*text::fit(name, 13), Role::OverlayMuted),
                (&*words, Role::Overlay),
            ];
            paint.line(area, row, &words);
        }
        if let Some(rule) = cube_rule(&self.state.roller()) {
            let below = rows(area, lines.len() as u16, area.height);
            for (row, line) in (0u16..).zip(text::wrap(rule, width, 2)) {
                paint.line(below, row, &[(&line, Role::OverlayTitle)]);
            }
        }
    }

    /// After how many of the opponent's replies a double would be passed, by one's own roll.
    fn map(&self, paint: &mut Paint<'_>, area: Rect, selected: usize) {
        let Some(sequences) = self.facts.sequences else {
            return;
        };
        let area = Rect {
            x: area.x + FACTS.min(area.width),
            width: area.width.saturating_sub(FACTS),
            ..area
        };
        let words = "replies of 36 that lose the market";
        paint.line(area, 0, &[(words, Role::OverlayMuted)]);
        let area = rows(area, 1, area.height);
        let head: String = (1..=6).map(|die| format!("{die:>CELL$}")).collect();
        paint.line(
            area,
            0,
            &[("   ", Role::Overlay), (&head, Role::OverlayKey)],
        );
        for high in 1..=6u8 {
            let name = format!("{high:>3}");
            paint.line(area, u16::from(high), &[(&name, Role::OverlayKey)]);
            for low in 1..=6u8 {
                let Some(roll) = Roll::new(high, low) else {
                    continue;
                };
                let count = sequences[roll.index()];
                let role = match count {
                    0 => Role::OverlayMuted,
                    36 => Role::OverlayTitle,
                    _ => Role::Overlay,
                };
                let words = match count {
                    0 => format!("{:>CELL$}", "·"),
                    count => format!("{count:>CELL$}"),
                };
                let x = area.x + 3 + (CELL * usize::from(low - 1)) as u16;
                let room = area.right().saturating_sub(x).min(CELL as u16);
                if u16::from(high) < area.height {
                    let cell = Rect::new(x, area.y + u16::from(high), room, 1);
                    paint.line(cell, 0, &[(&words, role)]);
                    paint.target(cell, Target::Row(roll.index()));
                    if roll.index() == selected {
                        paint.select(cell, Role::OverlayCursor);
                    }
                }
            }
        }
    }

    /// The selected roll in words.
    fn selected(&self, paint: &mut Paint<'_>, area: Rect, selected: usize) {
        let (Some(sequences), Some(roll)) = (self.facts.sequences, Roll::ALL.get(selected)) else {
            return;
        };
        let count = sequences[roll.index()];
        let words = format!(
            "{}: a double is passed after {count} of the opponent's 36 replies",
            dice(*roll)
        );
        paint.line(area, 0, &[(&words, Role::OverlayKey)]);
    }
}

fn percent(chance: f32, digits: usize) -> String {
    format!("{:.digits$}%", 100.0 * chance)
}
