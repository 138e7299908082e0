//! What the window of a cube decision tells, and its map of the replies.

use ratatui::layout::Rect;

use crate::analysis::{CubeFacts, EffectivePips, ErrorNeeded, cube_rule};
use crate::cube::{CubeChoice, Market, Window, cube_words};
use crate::game::{GameState, Roll};
use crate::notation::play::dice;
use crate::tui::screen::targets::Target;
use crate::tui::text;
use crate::tui::theme::Role;
use crate::tui::view::drawing::paint::{Line, Paint};
use crate::tui::view::drawing::window::rows;
use crate::tui::view::drawing::words::packed;

/// Columns of the facts at the left of the map.
pub(super) const FACTS: u16 = 40;
/// Columns of a cell of the map.
const CELL: usize = 5;
/// Columns of the drawn window.
const SCALE: u16 = 72;

/// What the window tells of a decision.
pub(super) struct Pane<'a> {
    pub(super) facts: &'a CubeFacts,
    pub(super) state: GameState,
}

impl Pane<'_> {
    /// Facts and map beside each other.
    pub(super) fn beside(
        &self,
        paint: &mut Paint<'_>,
        area: Rect,
        rolled: Option<String>,
        roll: usize,
    ) {
        let width = usize::from(area.width);
        let action = self.action();
        paint.line(area, 0, &[(action, Role::OverlayTitle)]);
        let chances = self.chances().join("  ");
        let fits = text::width(action) + 2 + text::width(&chances) <= width;
        // What the chances are worth without a live cube has the row that they leave.
        paint.line_right(area, u16::from(!fits), &[(&chances, Role::Overlay)]);
        paint.line_right(area, u16::from(fits), &[(&self.cubeless(), Role::Overlay)]);
        let actions = self.actions(width);
        paint.lines(rows(area, 2, 4), &actions);
        // A beaver has the fourth row, and moves the others down.
        let area = match actions.len() > 3 {
            true => rows(area, 1, area.height - 1),
            false => area,
        };
        if let Some(words) = rolled {
            paint.line(area, 5, &[(&words, Role::Overlay)]);
        }
        paint.lines(rows(area, 6, 3), &self.window(area.width));
        let facts = usize::from(FACTS) - 1;
        // Effective pips have the last row of the facts, which then begin a row higher.
        let pips = self.effective_pips();
        let top = 10 - pips.len() as u16;
        paint.lines(rows(area, top, 8), &self.facts(facts));
        paint.lines(rows(area, 17, 1), &pips);
        let map = Rect {
            x: area.x + FACTS,
            width: area.width - FACTS,
            ..rows(area, 9, 8)
        };
        if let Some(words) = self.over_map() {
            paint.line(map, 0, &[(words, Role::OverlayMuted)]);
            for row in 0..=6 {
                self.map_row(paint, rows(map, 1 + u16::from(row), 1), row, roll);
            }
        }
        paint.lines(rows(area, 18, 1), &self.losers(width));
        paint.lines(rows(area, 19, 1), &self.selected(roll));
    }

    /// The right action, or the answer to the double that waits for it.
    pub(super) fn action(&self) -> &'static str {
        let decision = &self.facts.decision;
        match (decision.double_take, decision.answer()) {
            (None, _) => "no cube decision",
            (_, Some(answer)) if self.state.doubled => answer.name(),
            _ => cube_words(decision.action.name(), &self.state),
        }
    }

    /// The chances of the doubler.
    pub(super) fn chances(&self) -> [String; 2] {
        let all = self.facts.chances.to_array();
        let lost = text::percent(f64::from(1.0 - all[0]));
        let p = all.map(|chance| text::percent(f64::from(chance)));
        let whose = if self.state.doubled { "doubler " } else { "" };
        [
            format!("{whose}wins {} gammon {} bg {}", p[0], p[1], p[2]),
            format!("loses {lost} gammon {} bg {}", p[3], p[4]),
        ]
    }

    /// What the chances are worth with a dead cube, in points on the present one: without a double, and after one
    /// that is taken, if there may be one.
    pub(super) fn cubeless(&self) -> String {
        let cubeless = &self.facts.cubeless;
        let no_double = text::equity(f64::from(cubeless.no_double));
        match cubeless.double {
            Some(double) => {
                let double = text::equity(f64::from(double));
                format!("cubeless {no_double}, doubled {double}")
            }
            None => format!("cubeless {no_double}"),
        }
    }

    /// Lines for the equity of each action, its difference to the best, and its cost as an error: behind it,
    /// or below all of them where one has no room for that.
    pub(super) fn actions(&self, width: usize) -> Vec<Line> {
        /// Columns of an action and its figures.
        const ACTION: usize = 35;
        let actions = self.facts.decision.named_equities();
        let actions: Vec<_> = actions
            .map(|(name, equity)| (name, equity, self.loss(name)))
            .collect();
        let losses = actions.iter().filter_map(|(_, _, loss)| loss.clone());
        let losses: Vec<String> = losses.collect();
        let fits = |words: &String| ACTION + text::width(words) <= width;
        let fits = losses.iter().all(fits);
        let mut lines: Vec<Line> = (actions.into_iter())
            .map(|(name, equity, loss)| {
                let loss = loss.filter(|_| fits).unwrap_or_default();
                self.action_line(name, equity, loss)
            })
            .collect();
        if !fits {
            let below = packed(&losses, ", ", width).into_iter();
            lines.extend(below.map(|words| vec![(words, Role::OverlayMuted)]));
        }
        lines
    }

    fn action_line(&self, name: &'static str, equity: f32, loss: String) -> Line {
        let more = equity - self.facts.decision.cubeful_equity;
        let more = match more.abs() < 5e-4 {
            true => "=".to_owned(),
            false => text::equity(f64::from(more)),
        };
        let figures = format!("{:>8}{more:>9}   ", text::equity(f64::from(equity)));
        let name = text::fit(cube_words(name, &self.state), 15);
        vec![
            (name, Role::OverlayMuted),
            (figures, Role::Overlay),
            (loss, Role::OverlayMuted),
        ]
    }

    /// Returns the cost of an action as an error: not doubling, doubling and taking, or passing.
    fn loss(&self, name: &str) -> Option<String> {
        let error = |choice| {
            let error = self.facts.decision.error(choice)?;
            Some(format!("{:.3}", error.max(0.0)))
        };
        Some(match name {
            "no double" => format!("not doubling costs {}", error(CubeChoice::NoDouble)?),
            "double/take" => format!(
                "doubling costs {}, taking {}",
                error(CubeChoice::Double)?,
                error(CubeChoice::Take)?
            ),
            "double/pass" => format!("passing costs {}", error(CubeChoice::Pass)?),
            _ => return None,
        })
    }

    /// Lines for the doubling window: where doubling begins, is passed, and is too good, with the position's
    /// place in it.
    pub(super) fn window(&self, width: u16) -> Vec<Line> {
        let Some(window) = self.facts.window.filter(|_| width > 0) else {
            return self.without_window(usize::from(width));
        };
        let mut pieces = vec![
            format!("━ double from {}", percent(window.double, 1)),
            format!("═ passed from {}", percent(window.cash, 1)),
        ];
        if let Some(p) = window.too_good {
            pieces.push(format!("· too good from {}", percent(p, 1)));
        }
        let legend = packed(&pieces, "   ", usize::from(width)).into_iter();
        let legend = legend.map(|words| vec![(words, Role::OverlayMuted)]);
        let [label, scale] = self.scale(window, SCALE.min(width));
        [label, scale].into_iter().chain(legend).collect()
    }

    /// Why a double can wait, where there is no window to be shown.
    fn without_window(&self, width: usize) -> Vec<Line> {
        let losers = self.facts.market.as_ref().map(|market| market.losers().1);
        let sequences = self.facts.losing_sequences();
        let is_early = !self.facts.decision.action.doubles() && !self.state.doubled;
        if !is_early || losers != Some(0) || sequences.is_some_and(|pairs| pairs > 0) {
            return Vec::new();
        }
        let mut words = "No roll loses the market, so a double can wait.".to_owned();
        if let Some(vig) = self.facts.recube_vig.filter(|vig| *vig > 0.0) {
            let vig = text::small(f64::from(vig));
            words.push_str(&format!(
                " Turned, the cube is worth {vig} to the player who takes it."
            ));
        }
        let lines = text::wrap(&words, width, 3).into_iter();
        lines.map(|line| vec![(line, Role::Overlay)]).collect()
    }

    /// The window in so many columns, and over it where the position is.
    fn scale(&self, window: Window, width: u16) -> [Line; 2] {
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
        let label = format!("{}{label}", " ".repeat(usize::from(x)));
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
        let scale = line.into_iter().zip(roles).collect();
        [vec![(label, Role::OverlayKey)], scale]
    }

    /// Lines for the facts that the figures rest on.
    pub(super) fn facts(&self, width: usize) -> Vec<Line> {
        /// Columns of a name.
        const NAME: usize = 13;
        let named = self.named_facts().into_iter().map(|(name, words)| {
            let words = text::cut(&words, width.saturating_sub(NAME));
            vec![
                (text::fit(name, NAME), Role::OverlayMuted),
                (words, Role::Overlay),
            ]
        });
        let rule = cube_rule(&self.state.roller()).unwrap_or_default();
        let rule = text::wrap(rule, width, 3).into_iter();
        let rule = rule.map(|line| vec![(line, Role::OverlayTitle)]);
        named.chain(rule).collect()
    }

    fn named_facts(&self) -> Vec<(&'static str, String)> {
        let facts = self.facts;
        let small = |value: f32| format!("{:.3}", value.max(0.0));
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
            let volatility = small(market.volatility);
            lines.push(("volatility", format!("{volatility} at 0-ply")));
            let (_, of_36) = market.losers();
            let pairs = facts.losing_sequences().unwrap_or(0);
            let rolls = format!("{of_36} of 36, {pairs} of 1,296");
            if facts.decision.action.is_passed() {
                lines.push(("market lost", "already".to_owned()));
                lines.push(("still after", rolls));
            } else {
                lines.push(("market lost", rolls));
            }
        }
        if let Some(needed) = facts.error_needed() {
            let (what, share) = match needed {
                ErrorNeeded::Passes(share) => ("pass", share),
                ErrorNeeded::Takes(share) => ("take", share),
            };
            // So small a share is not none: then the double would be right.
            let share = match share < 0.005 {
                true => "under 1%".to_owned(),
                false => percent(share, 0),
            };
            let words = format!("right if they {what} in {share}");
            lines.push(("a double", words));
        }
        lines
    }

    /// A line for the effective pip counts of both sides, if both have all checkers at home.
    pub(super) fn effective_pips(&self) -> Vec<Line> {
        let is_offered = self.state.doubled;
        let words = self.facts.effective_pips;
        let words = words.map(|both| EffectivePips::words(both, is_offered));
        let line = |words| vec![(words, Role::Overlay)];
        words.map(line).into_iter().collect()
    }

    /// The rolls that lose the market at once, the best first, as many as there is room for.
    pub(super) fn losers(&self, width: usize) -> Vec<Line> {
        // After a double that is passed already only better rolls would be news.
        let is_lost = self.facts.decision.action.is_passed();
        let name = if is_lost {
            "still a pass after"
        } else {
            "market losers"
        };
        let market = self.facts.market.as_ref();
        let rolls = market.map_or_else(Vec::new, Market::losers_best_first);
        if rolls.is_empty() {
            return Vec::new();
        }
        let rolls: Vec<String> = rolls.into_iter().map(dice).collect();
        let room = width.saturating_sub(name.len() + 1);
        vec![vec![
            (format!("{name} "), Role::OverlayMuted),
            (whole_words(&rolls, room), Role::Overlay),
        ]]
    }

    /// Heading of the map: it shows after how many of the opponent's replies a double would be passed, by
    /// one's own roll.
    pub(super) fn over_map(&self) -> Option<&'static str> {
        let words = "replies of 36 that lose the market";
        self.facts.sequences.is_some().then_some(words)
    }

    /// A row of the map, by the higher die; row 0 is its heading.
    pub(super) fn map_row(&self, paint: &mut Paint<'_>, line: Rect, high: u8, selected: usize) {
        let Some(sequences) = self.facts.sequences else {
            return;
        };
        if high == 0 {
            let head: String = (1..=6).map(|die| format!("{die:>CELL$}")).collect();
            let words = [("   ", Role::Overlay), (&*head, Role::OverlayKey)];
            paint.line(line, 0, &words);
            return;
        }
        paint.line(line, 0, &[(&format!("{high:>3}"), Role::OverlayKey)]);
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
            let x = line.x + 3 + (CELL * usize::from(low - 1)) as u16;
            let room = line.right().saturating_sub(x).min(CELL as u16);
            let cell = Rect {
                x,
                width: room,
                ..line
            };
            paint.line(cell, 0, &[(&words, role)]);
            paint.target(cell, Target::Row(roll.index()));
            if roll.index() == selected {
                paint.select(cell, Role::OverlayCursor);
            }
        }
    }

    /// The selected roll in words.
    pub(super) fn selected(&self, selected: usize) -> Vec<Line> {
        let (Some(sequences), Some(roll)) = (self.facts.sequences, Roll::ALL.get(selected)) else {
            return Vec::new();
        };
        let count = sequences[roll.index()];
        let words = format!(
            "{}: a double is passed after {count} of the opponent's 36 replies",
            dice(*roll)
        );
        vec![vec![(words, Role::OverlayKey)]]
    }
}

/// As many of the words as there is room for, with `…` where some are missing.
fn whole_words(words: &[String], columns: usize) -> String {
    let all = words.join(" ");
    if text::width(&all) <= columns {
        return all;
    }
    let mut line = String::new();
    for word in words {
        if text::width(&line) + text::width(word) + 2 > columns {
            break;
        }
        line.push_str(word);
        line.push(' ');
    }
    line + "…"
}

fn percent(chance: f32, digits: usize) -> String {
    format!("{:.digits$}%", 100.0 * chance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MatchScore, Position};

    #[test]
    fn rolls_without_room_are_cut_as_a_whole() {
        let rolls = ["6-6", "5-5", "6-5"].map(str::to_owned);
        let cut = [11, 10, 9, 6, 3].map(|columns| whole_words(&rolls, columns));
        assert_eq!(cut, ["6-6 5-5 6-5", "6-6 5-5 …", "6-6 5-5 …", "6-6 …", "…"]);
    }

    /// Where there is no window to be drawn a sentence stands in its place, if no roll loses the market.
    #[test]
    fn without_a_window_it_is_said_that_a_double_can_wait() {
        let state = GameState {
            score: MatchScore {
                length: 9,
                mover: 7,
                opponent: 5,
                crawford: false,
            },
            ..GameState::money(Position::opening())
        };
        let engine = crate::eval::Engine::embedded();
        let model = crate::cube::Model::standard();
        let facts = CubeFacts::new(&engine, model, &state, 0, &|| false).unwrap();
        let words = |facts: &CubeFacts| {
            let lines = Pane { facts, state }.window(72);
            let text = lines.iter().flatten().map(|(words, _)| words.as_str());
            text.collect::<Vec<_>>().join(" ")
        };
        let facts = CubeFacts {
            window: None,
            sequences: None,
            ..facts
        };
        assert_eq!(
            facts.market.as_ref().map(|market| market.losers().1),
            Some(0)
        );
        let said = words(&facts);
        assert!(
            said.starts_with("No roll loses the market, so a double can wait."),
            "{said}"
        );
        assert_has!(said, "the cube is worth");
        // Nothing is said where the figures to say it by are not there.
        let unknown = CubeFacts {
            market: None,
            ..facts
        };
        assert_eq!(words(&unknown), "");
    }
}
