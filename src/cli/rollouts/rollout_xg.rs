//! A rollout as eXtreme Gammon writes it for forums.

use super::cube_decision::rolled;
use super::rollout_run::EndedRollout;
use crate::cube::EquityTable;
use crate::game::GameState;
use crate::review::xg_text::{XgAnalysis, XgLevel, XgPlay, XgRolledCube, XgRollout, XgText};
use crate::stats::interval::half_width;

/// The text of a rollout of `state`, whose candidates have these names. `None` before the first trial, and of a position
/// before the roll without a cube decision.
pub(super) fn text(
    outcome: &EndedRollout,
    names: &[Option<String>],
    state: &GameState,
    table: &EquityTable,
) -> Option<String> {
    let analysis = match state.roll {
        Some(_) => plays(outcome, names)?,
        None => cube(outcome)?,
    };
    let text = XgText {
        state,
        names: None,
        analysis,
        table,
    };
    Some(text.write())
}

/// The plays, the best first.
fn plays(outcome: &EndedRollout, names: &[Option<String>]) -> Option<XgAnalysis> {
    let settings = &outcome.described.settings;
    let play = |i: usize| {
        let result = &outcome.result.candidates[i];
        Some(XgPlay {
            play: names.get(i)?.clone()?,
            level: XgLevel::Rollout,
            equity: outcome.result.equity_beside_best(i)?,
            chances: result.chances(),
            // One trial shows no spread.
            half_width: Some(half_width(result.equity.ci95)).filter(|half| half.is_finite()),
            p_best: (names.len() > 1).then_some(result.p_best),
            rollout: Some(XgRollout::new(settings, result.trials)),
        })
    };
    let places = outcome.result.best_first().into_iter();
    let plays: Vec<XgPlay> = places.filter_map(play).collect();
    (!plays.is_empty()).then_some(XgAnalysis::Plays(plays))
}

/// The cube decision, of the player who may double.
fn cube(outcome: &EndedRollout) -> Option<XgAnalysis> {
    let settings = &outcome.described.settings;
    let ([hold, take], decision) = rolled(outcome)?;
    let games = hold.trials.min(take.trials);
    (games > 0).then(|| XgAnalysis::Cube {
        level: XgLevel::Rollout,
        chances: hold.chances(),
        decision,
        rolled: Some(XgRolledCube {
            doubled_chances: take.chances(),
            half_widths: [&hold, &take].map(|one| half_width(one.equity.ci95)),
            rollout: XgRollout::new(settings, games),
        }),
    })
}
