//! Output of `luckless rollout`.

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
use crate::rollout::{MwcLine, RolloutResult};
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
    let before_roll = shown.is_before_roll();
    let mwc = outcome.result.mwc;
    let candidate = |i: usize| {
        let (name, s) = (shown.plays.get(i)?, &outcome.result.candidates[i]);
        let candidate = if before_roll {
            let theirs = mwc.map(MwcLine::flipped);
            CandidateDocument::new(name.clone(), &s.flipped()).at_score(theirs)
        } else {
            CandidateDocument::new(name.clone(), s).at_score(mwc)
        };
        Some(candidate.of_family(outcome.result.family.as_ref(), i))
    };
    let places = match outcome.described.settings.cube {
        Some(cube) if cube.decision => (0..outcome.result.candidates.len()).collect(),
        _ => outcome.result.best_first(),
    };
    places.into_iter().filter_map(candidate).collect()
}

/// Why a play stands below one with a smaller mean: after a race the order is that of the differences in the trials
/// that plays share, and the mean of a play that is out holds the luck of its few.
fn order_remarks(result: &RolloutResult, names: &[Option<String>]) -> String {
    let Some(family) = &result.family else {
        return String::new();
    };
    let order = result.best_first();
    let name = |i: usize| names.get(i)?.as_deref();
    let (mut least, mut text) = (f64::INFINITY, String::new());
    for &i in &order {
        let mean = result.candidates[i].equity.mean;
        if mean > least
            && let (Some(own), Some(best)) = (name(i), name(order[0]))
            && let Some(difference) = family.difference(i, order[0])
        {
            let out = if family.is_out(i) {
                "out of the race, "
            } else {
                ""
            };
            let (value, trials) = (difference.equity.mean, difference.trials);
            let _ = writeln!(
                text,
                "{own}: {out}{value:+.4} beside {best} in the {trials} trials of both"
            );
        }
        least = least.min(mean);
    }
    text
}

pub(crate) fn document(outcome: &EndedRollout, shown: &RolloutLabel) -> impl Serialize + use<> {
    RolloutDocument {
        position: shown.position.clone(),
        dice: shown.dice.clone(),
        plays: candidates(outcome, shown),
        cube_decision: CubeDecisionDocument::new(outcome),
        ended: outcome.into(),
    }
}

/// Prints a rollout, with the rules of its position. `is_offered`: whether a double is on offer there.
pub(crate) fn print(
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
    remarks += &order_remarks(&outcome.result, &shown.plays);
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
    let names = shown
        .plays
        .iter()
        .map(|name| name.as_deref().unwrap_or("?"));
    let names: Vec<&str> = names.collect();
    let settings = &outcome.described.settings;
    if let Some(verdict) = outcome.result.verdict(&names, settings) {
        let _ = writeln!(text, "{}", verdict.sentence);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::testing::race_without_the_first;

    /// The row that seems to be out of place says what its place is; rows in the order of their means need no word.
    #[test]
    fn a_play_below_a_smaller_mean_says_why() {
        let own = [(360, 0.3), (720, 0.2), (720, 0.1)];
        let mut result = race_without_the_first(own, [-0.05, -0.01, 0.1]);
        let names = ["8/3", "6/1", "13/8"].map(|name| Some(name.to_owned()));
        assert_eq!(
            order_remarks(&result, &names),
            "8/3: out of the race, -0.0500 beside 6/1 in the 360 trials of both\n"
        );
        result.candidates[0].equity.mean = 0.05;
        assert_eq!(order_remarks(&result, &names), "");
    }
}
