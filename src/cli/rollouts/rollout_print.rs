//! What `luckless rollout` prints.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::candidate::CandidateDocument;
use super::cube_decision::CubeDecisionDocument;
use super::ended_document::EndedDocument;
use super::rollout_run::EndedRollout;
use crate::cli::common::output;
use crate::cube::cube_words;
use crate::grid::Grid;
use crate::notation::parse_id;
use crate::rollout::MwcLine;
use crate::store::RolloutLabel;

#[derive(Serialize)]
struct RolloutDocument {
    position: String,
    dice: Option<String>,
    plays: Vec<CandidateDocument>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cube_decision: Option<CubeDecisionDocument>,
    #[serde(flatten)]
    ended: EndedDocument,
}

/// The candidates as printed, best first.
fn candidates(outcome: &EndedRollout, shown: &RolloutLabel) -> Vec<CandidateDocument> {
    let before_roll = shown.dice.is_none();
    let mwc = outcome.result.mwc;
    let candidate = |(name, s): (&Option<String>, &crate::rollout::CandidateResult)| {
        if before_roll {
            let theirs = mwc.map(MwcLine::flipped);
            CandidateDocument::new(name.clone(), &s.flipped()).at_score(theirs)
        } else {
            CandidateDocument::new(name.clone(), s).at_score(mwc)
        }
    };
    let places = match outcome.described.settings.cube {
        Some(cube) if cube.decision => (0..outcome.result.candidates.len()).collect(),
        _ => outcome.result.best_first(),
    };
    let named = |i: usize| Some((shown.plays.get(i)?, &outcome.result.candidates[i]));
    places
        .into_iter()
        .filter_map(named)
        .map(candidate)
        .collect()
}

/// The document of a rollout.
pub(in crate::cli) fn document(
    outcome: &EndedRollout,
    shown: &RolloutLabel,
) -> impl Serialize + use<> {
    RolloutDocument {
        position: shown.position.clone(),
        dice: shown.dice.clone(),
        plays: candidates(outcome, shown),
        cube_decision: CubeDecisionDocument::new(outcome),
        ended: outcome.into(),
    }
}

/// Prints a rollout, with the rules of its position. `is_offered`: whether a double is on offer there.
pub(in crate::cli) fn print(
    outcome: &EndedRollout,
    shown: &RolloutLabel,
    rules: &str,
    is_offered: bool,
    json: bool,
) -> Result<()> {
    if json {
        return output::json(&document(outcome, shown));
    }
    let decision = CubeDecisionDocument::new(outcome);
    // Which candidate of a cube decision is best says nothing: there is the pass as well. One alone is the best.
    let has_best = decision.is_none() && outcome.result.candidates.len() > 1;
    let columns = CandidateDocument::HEADINGS.len() - usize::from(!has_best);
    let mut table = Grid::new(&CandidateDocument::HEADINGS[..columns]);
    let mut remarks = String::new();
    let mut states = Grid::new(&CandidateDocument::STATES);
    let state = parse_id(&shown.position).ok();
    let words = |name: &str| {
        let said = state.map_or(name, |state| cube_words(name, &state));
        said.to_owned()
    };
    for play in candidates(outcome, shown) {
        let mut cells = play.cells();
        cells.truncate(columns);
        cells[0] = words(&cells[0]);
        table.row(cells);
        remarks.extend(play.remark());
        play.state_cells().into_iter().for_each(|c| states.row(c));
    }
    let table = table.fitting(output::columns(), &CandidateDocument::LEAST);
    remarks += &outcome.caveat_lines();
    let mut text = format!("{}  ", shown.position);
    if let Some(roll) = &shown.dice {
        let _ = write!(text, "to play {roll}  ");
    }
    let _ = writeln!(text, "{rules}");
    let note = outcome.note_line();
    let _ = writeln!(text, "{}{note}\n\n{table}{remarks}", outcome.summary());
    if let Some(settlement) = outcome.described.settings.settlement {
        let limit = settlement.limit;
        let _ = write!(
            text,
            "By the state of a cube at 1; at {limit} points it ends the game (an estimate)\n{states}"
        );
    }
    if let Some(decision) = decision {
        text += &decision.text(outcome, is_offered, &words);
    }
    if let Some(bias) = &outcome.bias {
        text += &bias.text();
    }
    output::text(text.trim_end_matches('\n'))?;
    output::text("\n")
}
