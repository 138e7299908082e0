//! `luckless rollout --replay` and `luckless compare --replay`: one trial, roll by roll.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use crate::cli::common::output;
use crate::cli::common::usage::refused;
use crate::game::{Play, Position, Roll};
use crate::grid::Grid;
use crate::notation::{gnubg_id, play_text};
use crate::rollout::{Coupling, ExportedTrial, Settings, Setup, TrialRecord, Turn, replay};
use crate::store::RolloutLabel;

#[derive(Serialize)]
struct ReplayDocument<'a> {
    position: &'a str,
    dice: Option<&'a str>,
    trial: u64,
    coupling: Coupling,
    candidates: Vec<ReplayedCandidate<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<Difference>,
}

#[derive(Serialize)]
struct ReplayedCandidate<'a> {
    /// The game coalesced with the first one, which holds the rest.
    #[serde(skip)]
    is_cut: bool,
    play: Option<&'a str>,
    result: ExportedTrial,
    turns: Vec<Step>,
}

/// The first of two compared plays less the second.
#[derive(Clone, Copy, Serialize)]
struct Difference {
    plain: f64,
    variance_reduced: f64,
    /// The turn after which the two games had coalesced, if they ever did.
    #[serde(rename = "identical_after")]
    coalesced_after: Option<usize>,
}

#[derive(Serialize)]
struct Step {
    /// The player whose equity is computed is on roll.
    /// That is the player who made the play, or without dice the player on roll first.
    own: bool,
    position: String,
    dice: String,
    /// The places of the roll among the 36 of the position, 1 the luckiest: first and last of those that
    /// it shares with rolls of the same value.
    ranks: [u8; 2],
    /// The rank that was drawn for all games, where the coupling deals ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    drawn_rank: Option<u8>,
    play: String,
    /// The cube, in a cubeful rollout.
    #[serde(skip_serializing_if = "Option::is_none")]
    cube: Option<u32>,
    /// For that player.
    luck: f64,
}

impl Step {
    fn new(turn: &Turn, flipped: bool) -> Self {
        Self {
            own: turn.own != flipped,
            position: gnubg_id::position_id(&turn.position),
            dice: turn.roll.to_string(),
            ranks: turn.ranks,
            drawn_rank: turn.drawn,
            play: play_to(&turn.position, turn.roll, &turn.result),
            cube: turn.cube,
            luck: if flipped { -turn.luck } else { turn.luck },
        }
    }

    fn side(&self) -> String {
        if self.own { "own" } else { "other" }.to_owned()
    }

    fn cube(&self) -> String {
        self.cube.map_or_else(|| "–".to_owned(), |c| c.to_string())
    }

    /// The places of a roll: `7–8`, or one place.
    fn ranks(&self) -> String {
        match self.ranks {
            [first, last] if first == last => first.to_string(),
            [first, last] => format!("{first}–{last}"),
        }
    }
}

/// The play of `roll` that leads from `position` to `result`, as text.
pub(crate) fn play_to(position: &Position, roll: Roll, result: &Position) -> String {
    let play = Play::to(position, roll, result);
    play.map_or_else(String::new, |play| play_text(position, &play))
}

/// Shows trial `trial` of every candidate; side by side where two plays are compared.
pub(crate) fn run(
    setup: &Setup,
    settings: &Settings,
    candidates: &[Position],
    shown: &RolloutLabel,
    trial: u64,
    json: bool,
) -> Result<()> {
    let replay = replay(setup, candidates, settings, trial).map_err(refused)?;
    let flipped = shown.is_before_roll();
    let candidate = |record: &TrialRecord| {
        let result = record.exported();
        let own = |t: &&Turn| t.candidate == record.candidate;
        ReplayedCandidate {
            is_cut: record.candidate > 0 && record.has_coalesced(),
            play: shown.plays[usize::from(record.candidate)].as_deref(),
            result: if flipped { result.flipped() } else { result },
            turns: replay
                .turns
                .iter()
                .filter(own)
                .map(|turn| Step::new(turn, flipped))
                .collect(),
        }
    };
    let candidates: Vec<ReplayedCandidate<'_>> = replay.results.iter().map(candidate).collect();
    let difference = match &*candidates {
        [a, b] if shown.is_comparison() => Some(Difference {
            plain: a.result.plain - b.result.plain,
            variance_reduced: a.result.variance_reduced - b.result.variance_reduced,
            coalesced_after: replay.results[1].has_coalesced().then_some(b.turns.len()),
        }),
        _ => None,
    };
    let document = ReplayDocument {
        position: &shown.position,
        dice: shown.dice.as_deref(),
        trial,
        coupling: settings.coupling,
        candidates,
        difference,
    };
    if json {
        return output::json(&document);
    }
    output::text(&match (&*document.candidates, document.difference) {
        ([a, b], Some(difference)) => side_by_side(&document, [a, b], difference),
        _ => one_by_one(&document),
    })
}

/// How a trial of a candidate ended.
fn ended(candidate: &ReplayedCandidate<'_>, trial: u64) -> String {
    let (name, ended) = (candidate.play.unwrap_or("(to roll)"), &candidate.result);
    format!(
        "trial {trial} of {name}: ended at {:+.4}, luck {:+.4}, {:+.4} without it\n",
        ended.plain,
        ended.plain - ended.variance_reduced,
        ended.variance_reduced
    )
}

fn one_by_one(document: &ReplayDocument<'_>) -> String {
    let mut text = String::new();
    for candidate in &document.candidates {
        text += &ended(candidate, document.trial);
        let mut table = Grid::new(&[
            "position", "on roll", "cube", "dice", "rank", "play", "luck", "so far",
        ])
        .with_words(&["on roll", "play"]);
        let mut sum = 0.0;
        for step in &candidate.turns {
            sum += step.luck;
            table.row(vec![
                step.position.clone(),
                step.side(),
                step.cube(),
                step.dice.clone(),
                step.ranks(),
                step.play.clone(),
                output::points(step.luck),
                output::points(sum),
            ]);
        }
        let _ = writeln!(text, "\n{table}");
        if candidate.is_cut {
            text += "from here on as in the first game\n\n";
        }
    }
    text
}

/// The trials of two compared plays, turn by turn.
fn side_by_side(
    document: &ReplayDocument<'_>,
    candidates: [&ReplayedCandidate<'_>; 2],
    difference: Difference,
) -> String {
    let mut text = format!("{}\n", document.coupling.words());
    for (name, candidate) in ["a", "b"].into_iter().zip(candidates) {
        let _ = write!(text, "{name}  {}", ended(candidate, document.trial));
    }
    let _ = writeln!(
        text,
        "a less b: {:+.4}, {:+.4} without luck\n",
        difference.plain, difference.variance_reduced
    );
    let has_cube = candidates
        .iter()
        .any(|s| s.turns.iter().any(|t| t.cube.is_some()));
    let mut headings = vec!["turn", "on roll", "drawn"];
    for dice in ["a dice", "b dice"] {
        headings.extend(has_cube.then_some("cube"));
        headings.extend([dice, "rank", "play", "luck"]);
    }
    headings.push("a less b");
    let mut table = Grid::new(&headings).with_words(&["on roll", "play"]);
    let mut sum = 0.0;
    for i in 0..candidates[0].turns.len().max(candidates[1].turns.len()) {
        let steps = candidates.map(|s| s.turns.get(i));
        let Some(any) = steps.into_iter().flatten().next() else {
            break;
        };
        let coalesced = difference.coalesced_after.is_some_and(|turns| i >= turns);
        let mut row = vec![
            (i + 1).to_string(),
            any.side(),
            any.drawn_rank.map_or_else(String::new, |r| r.to_string()),
        ];
        for (step, sign) in steps.into_iter().zip([1.0, -1.0]) {
            row.extend(cells(step, has_cube, coalesced));
            sum += step.filter(|_| !coalesced).map_or(0.0, |s| sign * s.luck);
        }
        row.push(output::points(sum));
        table.row(row);
    }
    let _ = write!(text, "{table}");
    text + &remarks(document, candidates, difference)
}

/// Cube, dice, rank, play and luck of a turn; nothing where the game has ended, or goes on as the other does.
fn cells(step: Option<&Step>, has_cube: bool, coalesced: bool) -> Vec<String> {
    let mut cells = Vec::new();
    if has_cube {
        cells.push(step.map_or_else(String::new, Step::cube));
    }
    cells.extend(match step {
        Some(step) => [
            step.dice.clone(),
            step.ranks(),
            step.play.clone(),
            output::points(step.luck),
        ],
        None => ["", "", if coalesced { "as a" } else { "" }, ""].map(str::to_owned),
    });
    cells
}

/// Writes the remarks under the table.
fn remarks(
    document: &ReplayDocument<'_>,
    candidates: [&ReplayedCandidate<'_>; 2],
    difference: Difference,
) -> String {
    let mut text = String::from(
        "\nrank: places of the roll among the 36 of its position, 1 the luckiest; luck for the player who \
         made the plays\n",
    );
    if document.coupling.is_ranked() {
        text += "drawn: the rank that was drawn for both games\n";
    }
    let lengths = candidates.map(|s| s.turns.len());
    if let Some(turns) = difference.coalesced_after {
        let _ = writeln!(
            text,
            "the games became identical after turn {turns}: the rest was played once"
        );
    } else if lengths[0] != lengths[1] {
        let (first, other) = if lengths[0] < lengths[1] {
            ("a", "b")
        } else {
            ("b", "a")
        };
        let turns = lengths[0].min(lengths[1]);
        let _ = writeln!(
            text,
            "{first} ended after turn {turns}: {other} went on with its own dice"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_coalesced_are_called_identical() {
        let candidate = |is_cut| ReplayedCandidate {
            is_cut,
            play: None,
            result: ExportedTrial {
                trial: 0,
                candidate: u16::from(is_cut),
                plain: 0.0,
                variance_reduced: 0.0,
                chances: [0.0; 5],
                cube: None,
                first: 0,
                second: 0,
            },
            turns: Vec::new(),
        };
        let [a, b] = [false, true].map(candidate);
        let difference = Difference {
            plain: 0.0,
            variance_reduced: 0.0,
            coalesced_after: Some(4),
        };
        let document = ReplayDocument {
            position: "",
            dice: None,
            trial: 0,
            coupling: Coupling::Dice,
            candidates: Vec::new(),
            difference: Some(difference),
        };
        let text = remarks(&document, [&a, &b], difference);
        let last = "\nthe games became identical after turn 4: the rest was played once\n";
        assert!(text.ends_with(last), "{text}");
    }
}
