//! `luckless why` without dice: all about a cube decision.

use std::fmt::Write as _;

use serde::Serialize;

use super::cube_decision::of_offered;
use super::eval_answer::{WindowValue, situation};
use super::output::{percent, points};
use crate::analysis::{CubeFacts, ErrorNeeded, cube_rule};
use crate::cube::{CubeChoice, CubeDecision, Model, cube_words};
use crate::eval::{Evaluator, Probabilities};
use crate::game::{GameState, Roll};
use crate::grid::Grid;
use crate::notation::xgid_text;

/// All about the cube decision of a state at `ply` plies, in words; `None` where there is none.
pub(super) fn of_decision(
    (evaluator, model): (&dyn Evaluator, &Model),
    state: &GameState,
    ply: u8,
) -> Option<String> {
    let facts = CubeFacts::new(evaluator, model, state, ply, &|| false)?;
    let document = CubeDocument {
        position: &xgid_text(state),
        state,
        facts: &facts,
    };
    Some(document.to_text())
}

/// The answer, to be written as text or as JSON.
pub(super) struct CubeDocument<'a> {
    pub(super) position: &'a str,
    pub(super) state: &'a GameState,
    pub(super) facts: &'a CubeFacts,
}

#[derive(Serialize)]
pub(super) struct CubeJson<'a> {
    position: &'a str,
    ply: u8,
    #[serde(flatten)]
    chances: Probabilities,
    decision: &'a CubeDecision,
    rule: Option<&'static str>,
    take_point: Option<TakePointJson>,
    window: Option<WindowValue>,
    /// Equity after a double that is beavered, where that is the right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    double_beaver: Option<f32>,
    /// What is best after the double that waits for its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
    gammon_value: f32,
    opponent_gammon_value: f32,
    recube_vig: Option<f32>,
    volatility: Option<f32>,
    passes_needed: Option<f32>,
    takes_needed: Option<f32>,
    losing_sequences_of_1296: Option<u32>,
    rolls: Vec<RollJson>,
}

#[derive(Serialize)]
struct TakePointJson {
    dead: f32,
    live: f32,
}

#[derive(Serialize)]
struct RollJson {
    dice: String,
    weight: u32,
    market_lost: bool,
    losing_replies_of_36: u32,
}

impl CubeDocument<'_> {
    pub(super) fn to_json(&self) -> CubeJson<'_> {
        let facts = self.facts;
        let (passes_needed, takes_needed) = match facts.error_needed() {
            Some(ErrorNeeded::Passes(share)) => (Some(share), None),
            Some(ErrorNeeded::Takes(share)) => (None, Some(share)),
            None => (None, None),
        };
        CubeJson {
            position: self.position,
            ply: facts.ply,
            chances: facts.chances,
            decision: &facts.decision,
            rule: cube_rule(&self.state.roller()),
            take_point: facts.take_point.map(|p| TakePointJson {
                dead: p.dead,
                live: p.live,
            }),
            double_beaver: facts.decision.beavered(),
            answer: self.answer(),
            window: facts.window.map(WindowValue::from),
            gammon_value: facts.gammon_values[0],
            opponent_gammon_value: facts.gammon_values[1],
            recube_vig: facts.recube_vig,
            volatility: facts.market.map(|market| market.volatility),
            passes_needed,
            takes_needed,
            losing_sequences_of_1296: facts.losing_sequences(),
            rolls: self.rolls(),
        }
    }

    fn rolls(&self) -> Vec<RollJson> {
        let (Some(market), Some(sequences)) = (self.facts.market, self.facts.sequences) else {
            return Vec::new();
        };
        let all = Roll::ALL.iter().zip(market.lost).zip(sequences);
        let roll = |((roll, market_lost), losing_replies_of_36): ((&Roll, bool), u32)| RollJson {
            dice: roll.to_string(),
            weight: roll.weight(),
            market_lost,
            losing_replies_of_36,
        };
        all.map(roll).collect()
    }

    pub(super) fn to_text(&self) -> String {
        let facts = self.facts;
        // As all figures here: the doubler's, while the other one decides.
        let mut text = format!(
            "{}  {}, {}-ply\n",
            self.position,
            situation(&self.state.roller()),
            facts.ply
        );
        if let Some(rule) = cube_rule(&self.state.roller()) {
            let _ = writeln!(text, "{rule}");
        }
        let _ = write!(text, "\n{}", self.actions());
        if facts.decision.double_take.is_some() {
            let action = self.words(facts.decision.action.name());
            let _ = writeln!(text, "cube action: {action}");
            if let Some(answer) = self.answer() {
                let _ = writeln!(text, "{}", of_offered(answer));
            }
            text += &self.errors();
        }
        match facts.error_needed() {
            Some(ErrorNeeded::Passes(share)) => {
                let _ = writeln!(
                    text,
                    "a double is right if the opponent wrongly passes {} of the time",
                    percent(share)
                );
            }
            Some(ErrorNeeded::Takes(share)) => {
                let _ = writeln!(
                    text,
                    "a double is right if the opponent wrongly takes {} of the time",
                    percent(share)
                );
            }
            None => {}
        }
        let _ = write!(text, "{}", self.points());
        text + &self.market()
    }

    /// A cube action or choice as players say it here.
    fn words<'b>(&self, name: &'b str) -> &'b str {
        cube_words(name, self.state)
    }

    /// What is best after a double that waits for its answer.
    fn answer(&self) -> Option<&'static str> {
        let best = self.facts.decision.answer();
        best.filter(|_| self.state.doubled).map(CubeChoice::name)
    }

    fn actions(&self) -> Grid {
        let decision = &self.facts.decision;
        let mut grid = Grid::new(&["", "equity", "to the best"]);
        let actions = [
            ("no double", Some(decision.no_double)),
            ("double/take", decision.double_take),
            ("double/pass", decision.double_pass),
            ("double/beaver", decision.beavered()),
        ];
        for (name, equity) in actions {
            let Some(equity) = equity else { continue };
            grid.row(vec![
                self.words(name).to_owned(),
                points(equity),
                points(equity - decision.cubeful_equity),
            ]);
        }
        grid
    }

    /// What each choice costs against the best.
    fn errors(&self) -> String {
        let decision = &self.facts.decision;
        let all = [
            CubeChoice::NoDouble,
            CubeChoice::Double,
            CubeChoice::Take,
            CubeChoice::Pass,
        ];
        let error = |choice: CubeChoice| {
            let error = decision.error(choice)?;
            Some(format!(
                "  {} {:.4}",
                self.words(choice.name()),
                error.max(0.0)
            ))
        };
        let errors: String = all.into_iter().filter_map(error).collect();
        format!("errors: {}\n", errors.trim_start())
    }

    fn points(&self) -> Grid {
        let facts = self.facts;
        let mut grid = Grid::new(&["", ""]);
        let mut row = |name: &str, value: String| grid.row(vec![name.to_owned(), value]);
        row("chance to win", percent(facts.chances.win));
        if let Some(window) = facts.window {
            row("doubling point", percent(window.double));
            row("cash point", percent(window.cash));
            if let Some(too_good) = window.too_good {
                row("too good from", percent(too_good));
            }
        }
        if let Some(take) = facts.take_point {
            row("take point, live cube", percent(take.live));
            row("take point, dead cube", percent(take.dead));
        }
        let [own, theirs] = facts.gammon_values;
        row("gammon value", format!("{own:.3}"));
        row("opponent's gammon value", format!("{theirs:.3}"));
        if let Some(vig) = facts.recube_vig {
            row("recube vig", format!("{vig:.3}"));
        }
        if let Some(market) = &facts.market {
            row("volatility", format!("{:.3}", market.volatility));
        }
        grid
    }

    /// Which rolls lose the market, and how many replies.
    fn market(&self) -> String {
        let (Some(market), Some(sequences)) = (self.facts.market, self.facts.sequences) else {
            return String::new();
        };
        let (_, of_36) = market.losers();
        let all = self.facts.losing_sequences().unwrap_or(0);
        let mut text = format!(
            "\nmarket losers: {of_36} of 36 rolls, {all} of 1296 sequences of two; replies of 36, by one's own roll\n"
        );
        let mut grid = Grid::new(&["", "1", "2", "3", "4", "5", "6"]);
        for high in 1..=6u8 {
            let cells = (1..=6u8).filter_map(|low| Roll::new(high, low));
            let cells = cells.map(|roll| match sequences[roll.index()] {
                0 => "·".to_owned(),
                count => count.to_string(),
            });
            grid.row(std::iter::once(high.to_string()).chain(cells).collect());
        }
        let _ = write!(text, "{grid}");
        text
    }
}
