//! A round of work: the same trials of every candidate, or, where trials are shared out, as many blocks as there are
//! candidates, several of them perhaps for one. How it is divided into units, and how it is counted.

use super::plan::{WorkPlan, WorkUnit};
use crate::rollout::counts::rollout_design::RolloutDesign;
use crate::rollout::counts::tally::Tally;
use crate::rollout::trials::outcome::TrialOutcome;
use crate::rollout::trials::records::TrialRecord;

/// The unit at `place` of the round number `round`, which is `ahead` rounds behind those counted in `tally`.
/// `None` behind the last.
pub(super) fn unit(
    plan: &WorkPlan,
    tally: &Tally,
    round: u64,
    ahead: u64,
    place: usize,
) -> Option<WorkUnit> {
    if let Some(schedule) = &tally.schedule {
        let (turn, part) = (place / plan.units_of_block(), place % plan.units_of_block());
        let unit = schedule.round(ahead)?.get(turn).map(|turn| WorkUnit {
            candidate: usize::from(turn.candidate),
            trials: plan.part_of_block(turn.block, part),
        });
        // Candidates that are out leave their places empty.
        return Some(unit.unwrap_or(WorkUnit {
            candidate: 0,
            trials: 0..0,
        }));
    }
    Some(WorkUnit {
        candidate: place,
        trials: plan.trials(round)?,
    })
}

/// Counts the outcomes of the next round, one part for each unit, in order. Each trial goes into `records` as
/// well, if they are kept.
pub(super) fn count(
    tally: &mut Tally,
    design: &RolloutDesign,
    plan: &WorkPlan,
    parts: &[Vec<TrialOutcome>],
    records: Option<&mut Vec<TrialRecord>>,
) {
    if tally.schedule.is_some() {
        count_shared_out(tally, design, plan, parts, records);
    } else {
        count_equal(tally, design, plan, parts, records);
    }
    tally.note_history(design);
}

fn count_shared_out(
    tally: &mut Tally,
    design: &RolloutDesign,
    plan: &WorkPlan,
    parts: &[Vec<TrialOutcome>],
    records: Option<&mut Vec<TrialRecord>>,
) {
    let blocks: Vec<Vec<TrialOutcome>> = parts
        .chunks(plan.units_of_block())
        .map(<[_]>::concat)
        .collect();
    if let (Some(records), Some(schedule)) = (records, &tally.schedule) {
        for (turn, part) in schedule.round(0).unwrap_or_default().iter().zip(&blocks) {
            let trials = plan.block(turn.block);
            records.extend(trials.zip(part).map(|(trial, &outcome)| TrialRecord {
                candidate: turn.candidate,
                trial,
                outcome,
            }));
        }
    }
    tally.push_round(design, &blocks);
}

fn count_equal(
    tally: &mut Tally,
    design: &RolloutDesign,
    plan: &WorkPlan,
    parts: &[Vec<TrialOutcome>],
    mut records: Option<&mut Vec<TrialRecord>>,
) {
    // A unit of a pair has the trials of both.
    let lanes = if design.known.len() == 2 { 2 } else { 1 };
    let mut row = Vec::with_capacity(parts.len() * lanes);
    for place in 0..parts.first().map_or(0, Vec::len) / lanes {
        row.clear();
        for part in parts {
            row.extend_from_slice(&part[place * lanes..(place + 1) * lanes]);
        }
        let trial = plan.real(tally.trials);
        if let Some(records) = records.as_deref_mut() {
            records.extend(row.iter().enumerate().map(|(i, &outcome)| TrialRecord {
                candidate: i as u16,
                trial,
                outcome,
            }));
        }
        tally.push(design, trial, &row);
    }
}
