//! `luckless why` without dice: all about a cube decision.

use serde::Serialize;

use crate::analysis::{CubeFacts, EffectivePips, ErrorNeeded, cube_rule};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::{GameState, Roll};
use crate::notation::xgid_text;
use crate::review::report::decision_text::CubeText;

/// All about the cube decision of a state at `ply` plies, in words; `None` where there is none.
pub(crate) fn of_decision(
    evaluator: &dyn Evaluator,
    model: &Model,
    state: &GameState,
    ply: u8,
) -> Option<String> {
    let facts = CubeFacts::new(evaluator, model, state, ply, &|| false)?;
    let text = CubeText {
        position: &xgid_text(state),
        state,
        facts: &facts,
    };
    Some(text.write())
}

#[derive(Serialize)]
pub(crate) struct CubeJson<'a> {
    position: &'a str,
    #[serde(flatten)]
    facts: &'a CubeFacts,
    rule: Option<&'static str>,
    /// Equity after a double that is beavered, where that is the right answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    double_beaver: Option<f32>,
    /// Best answer to the pending double.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'static str>,
    gammon_value: f32,
    opponent_gammon_value: f32,
    /// Effective pip counts, and what they have over the pips, where both sides have all checkers at home.
    epc: Option<f32>,
    opponent_epc: Option<f32>,
    waste: Option<f32>,
    opponent_waste: Option<f32>,
    volatility: Option<f32>,
    passes_needed: Option<f32>,
    takes_needed: Option<f32>,
    losing_sequences_of_1296: Option<u32>,
    /// Rolls that lose the market at once, the best first.
    market_losers: Option<NamedRolls>,
    rolls: Vec<RollJson>,
}

/// Rolls of the 21 by name, and how many of the 36 they are.
#[derive(Serialize)]
pub(crate) struct NamedRolls {
    rolls: Vec<String>,
    of_36: u32,
}

impl NamedRolls {
    pub(crate) fn new(rolls: &[Roll]) -> Self {
        Self {
            rolls: rolls.iter().map(ToString::to_string).collect(),
            of_36: rolls.iter().map(|roll| roll.weight()).sum(),
        }
    }
}

#[derive(Serialize)]
struct RollJson {
    dice: String,
    weight: u32,
    market_lost: bool,
    losing_replies_of_36: u32,
}

/// The answer as machine output.
pub(crate) fn to_json<'a>(answer: &CubeText<'a>) -> CubeJson<'a> {
    let facts = answer.facts;
    let (passes_needed, takes_needed) = match facts.error_needed() {
        Some(ErrorNeeded::Passes(share)) => (Some(share), None),
        Some(ErrorNeeded::Takes(share)) => (None, Some(share)),
        None => (None, None),
    };
    let pips = |side: usize| facts.effective_pips.map(|pips| pips[side]);
    CubeJson {
        position: answer.position,
        facts,
        rule: cube_rule(&answer.state.roller()),
        double_beaver: facts.decision.beavered(),
        answer: answer.answer(),
        gammon_value: facts.gammon_values[0],
        opponent_gammon_value: facts.gammon_values[1],
        epc: pips(0).map(|side| side.epc),
        opponent_epc: pips(1).map(|side| side.epc),
        waste: pips(0).map(EffectivePips::waste),
        opponent_waste: pips(1).map(EffectivePips::waste),
        volatility: facts.market.map(|market| market.volatility),
        passes_needed,
        takes_needed,
        losing_sequences_of_1296: facts.losing_sequences(),
        market_losers: facts
            .market
            .map(|market| NamedRolls::new(&market.losers_best_first())),
        rolls: rolls(facts),
    }
}

fn rolls(facts: &CubeFacts) -> Vec<RollJson> {
    let (Some(market), Some(sequences)) = (facts.market, facts.sequences) else {
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
