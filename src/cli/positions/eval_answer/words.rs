//! The answer of `luckless eval` in words and tables.

use std::fmt::Write as _;

use super::{BookValue, CubeValue, MarketValue, PlayValue, PlaysDocument, PositionValue};
use crate::cli::common::output::{self, percent, perhaps_points, points};
use crate::cube::cube_words;
use crate::eval::Probabilities;
use crate::game::GameState;
use crate::grid::Grid;
use crate::review::report::decision_text::{CHANCES, of_offered};
use crate::review::report::position_card::{rollers_situation, situation};
use crate::review::report::signed;
use crate::rollout::level::HORIZON;

/// Explains the last column and `~`.
const SHORTER: &str =
    "plays well behind were analysed less deeply (last column): there ~ marks a hint, no ranking\n";

impl PlayValue {
    /// The equity that ranks the play, in points.
    pub(super) fn equity(&self) -> f32 {
        self.cubeful_equity.unwrap_or(self.cubeless_equity)
    }

    /// How deeply the play was looked at: a rollout stands above all lookahead.
    fn depth(&self) -> (bool, u8) {
        match self.trials {
            Some(_) => (true, 0),
            None => (false, self.ply),
        }
    }

    /// Difference of the play to the best one; with `~` where it had a shorter look, so that this is a hint
    /// and no ranking.
    fn difference(&self, best: &Self) -> String {
        let difference = signed(f64::from(self.equity()) - f64::from(best.equity()), 3);
        // None that can be seen has no sign.
        let difference = difference.replace("+0.000", "0.000");
        match self.depth() == best.depth() {
            true => difference,
            false => format!("~{difference}"),
        }
    }
}

impl PlaysDocument {
    /// The plays with their figures.
    pub(super) fn table(&self) -> Grid {
        let cubeful = self.plays.iter().any(|p| p.cubeful_equity.is_some());
        let in_match = self.plays.iter().any(|p| p.mwc.is_some());
        let rolled = self.plays.iter().any(|p| p.se.is_some());
        let mut headings = vec!["play", if cubeful { "cubeful" } else { "equity" }];
        headings.extend(rolled.then_some("se"));
        headings.push("diff");
        headings.extend(in_match.then_some("MWC"));
        headings.extend(cubeful.then_some("cubeless"));
        headings.extend(CHANCES);
        headings.push(if rolled { "by" } else { "ply" });
        let mut table = Grid::new(&headings);
        for (i, p) in self.plays.iter().enumerate() {
            let mut row = vec![p.play.clone(), points(p.equity())];
            row.extend(rolled.then(|| p.se.map_or_else(String::new, |se| format!("{se:.4}"))));
            row.push(match i {
                0 => String::new(),
                _ => p.difference(&self.plays[0]),
            });
            row.extend(in_match.then(|| p.mwc.map_or_else(String::new, percent)));
            row.extend(cubeful.then(|| points(p.cubeless_at_score)));
            row.extend(p.chances.to_array().map(percent));
            row.push(match p.trials {
                Some(trials) => format!("{trials} trials"),
                None if rolled => format!("{}-ply", p.ply),
                None => p.ply.to_string(),
            });
            table.row(row);
        }
        table
    }

    pub(super) fn to_text(&self, state: &GameState, equities: &str) -> String {
        let table = (self.table()).fitting(output::columns(), &["lose bg", "bg", "cubeless"]);
        let cubeful = self.plays.iter().any(|p| p.cubeful_equity.is_some());
        let rolled = self.plays.iter().any(|p| p.se.is_some());
        let mut notes = if rolled { truncated() } else { String::new() };
        let best = self.plays.first().map(PlayValue::depth);
        if self.plays.iter().any(|p| Some(p.depth()) != best) {
            notes += SHORTER;
        }
        let note = self
            .cubeful
            .note
            .map_or_else(String::new, |note| format!("\n{note}"));
        let (situation, ply) = (situation(state), self.ply);
        let how = match (rolled, cubeful) {
            (true, true) => "the best rolled out, cubeful".to_owned(),
            (true, false) => "the best rolled out, cubeless".to_owned(),
            (false, true) => format!("{ply}-ply, cubeful"),
            (false, false) => format!("{ply}-ply, cubeless"),
        };
        format!(
            "{}  {situation}, to play {}, {how}{equities}{note}\n\n{table}{notes}{}",
            self.position,
            self.dice,
            BookValue::line(&self.book)
        )
    }
}

impl PositionValue {
    /// The chances of who rolls next: of the doubler, while the other one decides.
    pub(super) fn rollers_chances(&self, state: &GameState) -> Probabilities {
        match state.doubled {
            true => self.chances.flipped(),
            false => self.chances,
        }
    }

    pub(super) fn to_text(&self, state: &GameState, equities: &str) -> String {
        let mut table = Grid::new(&[&["", "cubeless"][..], &CHANCES].concat());
        let whose = if state.doubled { "doubler, " } else { "" };
        let chances = self.rollers_chances(state);
        let mut row = vec![
            format!("{whose}{}-ply", self.ply),
            points(self.cubeless_at_score),
        ];
        row.extend(chances.to_array().map(percent));
        table.row(row);
        let place = rollers_situation(state);
        let mut text = format!("{}  {place}{equities}\n\n{table}", self.position);
        if let Some(cube) = &self.cube {
            text.push_str(&cube.to_text(self.answer, state));
            if let (Some(trials), Some([hold, take])) = (self.trials, self.se) {
                let _ = writeln!(
                    text,
                    "rolled out, {trials} trials each: se of no double {hold:.4}, of double/take {take:.4}"
                );
            }
        }
        text
    }
}

/// Names the error that the standard error of a truncated rollout omits.
fn truncated() -> String {
    format!("after {HORIZON} rolls the net values what is left: what it errs by is not in se\n")
}

impl CubeValue {
    fn to_text(&self, answer: Option<&str>, state: &GameState) -> String {
        let d = &self.decision;
        let action = cube_words(d.action.name(), state);
        let names = ["no double", "double/take", "double/pass", "double/beaver"];
        let names = names.map(|name| cube_words(name, state));
        let shown = if d.is_beavered() { 4 } else { 3 };
        let headings = [&["", "cubeful"][..], &names[..shown]].concat();
        let mut table = Grid::new(&headings);
        let name = match (self.exact, d.mwc) {
            (true, _) => "exact",
            (false, None) => "points",
            (false, Some(_)) => "EMG",
        };
        let mut row = vec![
            name.to_owned(),
            points(d.cubeful_equity),
            points(d.no_double),
            perhaps_points(d.double_take),
            perhaps_points(d.double_pass),
        ];
        row.extend(self.double_beaver.map(points));
        table.row(row);
        if let Some(mwc) = &d.mwc {
            let perhaps = |p: Option<f32>| p.map_or_else(|| "–".to_owned(), percent);
            table.row(vec![
                "MWC".to_owned(),
                percent(mwc.cubeful),
                percent(mwc.no_double),
                perhaps(mwc.double_take),
                perhaps(mwc.double_pass),
            ]);
        }
        let mut text = format!("\n{table}");
        let _ = match answer {
            Some(answer) => writeln!(text, "{}", of_offered(answer)),
            None => writeln!(text, "cube action: {action}"),
        };
        if let Some(e) = &self.errors {
            let [no_double, double] = ["no double", "double"].map(|name| cube_words(name, state));
            let _ = writeln!(
                text,
                "errors: {no_double} {:.4}  {double} {:.4}  take {:.4}  pass {:.4}",
                e.no_double, e.double, e.take, e.pass
            );
        }
        let market = |m: &MarketValue| market_text(m, d.action.is_passed());
        text + &self.market.as_ref().map_or_else(String::new, market)
    }
}

/// How many rolls lose the market, or leave it lost, and from which chances on to double.
fn market_text(m: &MarketValue, is_lost: bool) -> String {
    let losers = if is_lost {
        "market lost; still after"
    } else {
        "market losers:"
    };
    let mut text = format!(
        "{losers} {} of 21 rolls ({} of 36), volatility {:.3}, at 0-ply",
        m.losing_rolls, m.losing_rolls_of_36, m.volatility
    );
    if let Some(w) = &m.window {
        let (double, cash) = (percent(w.double), percent(w.cash));
        let _ = write!(text, "; doubling point {double}, cash point {cash}");
        if let Some(p) = w.too_good {
            let _ = write!(text, ", too good from {}", percent(p));
        }
    }
    text + "\n"
}
