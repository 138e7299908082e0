//! What `luckless rollout` prints.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::cube_decision::CubeDecision;
use super::output::{self, Cubeful, Table};
use super::rolling::Described;
use super::rolling_run::Outcome;
use super::strand::Strand;
use crate::rollout::StopReason;
use crate::store::Shown;

#[derive(Serialize)]
struct Document {
    position: String,
    dice: Option<String>,
    settings: Described,
    plays: Vec<Strand>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cube_decision: Option<CubeDecision>,
    #[serde(flatten)]
    cubeful: Cubeful,
    stopped: Option<StopReason>,
    seconds: f64,
    cpu_seconds: f64,
}

/// The strands as printed, best first.
fn strands(outcome: &Outcome, shown: &Shown) -> Vec<Strand> {
    let before_roll = shown.dice.is_none();
    let chances = outcome.result.match_chances;
    let strand = |(name, s): (&Option<String>, &crate::rollout::StrandResult)| {
        if before_roll {
            let turned = chances.map(|[zero, point]| [1.0 - zero, point]);
            Strand::new(name.clone(), &s.turned()).at_score(turned)
        } else {
            Strand::new(name.clone(), s).at_score(chances)
        }
    };
    let mut plays: Vec<Strand> = shown
        .plays
        .iter()
        .zip(&outcome.result.strands)
        .map(strand)
        .collect();
    if outcome.described.settings.cube.is_some_and(|c| c.decision) {
        return plays;
    }
    plays.sort_by(|a, b| b.equity().total_cmp(&a.equity()));
    plays
}

/// The document of a rollout.
pub(super) fn document(outcome: &Outcome, shown: &Shown) -> impl Serialize + use<> {
    Document {
        position: shown.position.clone(),
        dice: shown.dice.clone(),
        plays: strands(outcome, shown),
        cube_decision: CubeDecision::new(outcome),
        cubeful: outcome.cubeful(),
        stopped: outcome.stopped(),
        seconds: outcome.result.seconds,
        cpu_seconds: outcome.result.cpu_seconds,
        settings: outcome.described.clone(),
    }
}

/// Prints a rollout.
pub(super) fn print(outcome: &Outcome, shown: &Shown, json: bool, rules: &str) -> Result<()> {
    if json {
        return output::json(&document(outcome, shown));
    }
    let decision = CubeDecision::new(outcome);
    // Which strand of a cube decision is best says nothing: there is the pass as well.
    let columns = Strand::HEADINGS.len() - usize::from(decision.is_some());
    let mut table = Table::new(&Strand::HEADINGS[..columns]);
    let mut remarks = String::new();
    let mut states = Table::new(&Strand::STATES);
    for play in strands(outcome, shown) {
        let mut cells = play.cells();
        cells.truncate(columns);
        table.row(cells);
        remarks.extend(play.remark());
        play.state_cells().into_iter().for_each(|c| states.row(c));
    }
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
        text += &decision.text(outcome);
    }
    output::text(text.trim_end_matches('\n'))?;
    output::text("\n")
}
