//! Ten cubeful decisions of matches, on which rollouts at a score are measured.
//!
//! They are stored in a file of the repository, so that speeds and verdicts before and after a change use the same
//! plays.

use crate::game::{GameState, Position, Roll};
use crate::notation::{parse_id, parse_play};
use crate::rollout::CubeSettings;

const BUNDLED: &str = include_str!("match_decisions.tsv");

/// A decision between plays at a score.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchDecision {
    pub kind: String,
    /// Seen by the player on roll.
    pub state: GameState,
    pub roll: Roll,
    pub plays: Vec<String>,
    /// The positions after the plays, with the opponent on roll.
    pub candidates: Vec<Position>,
}

impl MatchDecision {
    /// The cube and score at the start of trials.
    pub fn cube(&self) -> CubeSettings {
        CubeSettings::after_play(&self.state)
    }

    /// Formats the points needed by the player on roll and the opponent, and the cube.
    pub fn score(&self) -> String {
        let (mine, theirs) = self.state.score.away().unwrap_or_default();
        let crawford = if self.state.score.crawford { "C" } else { "" };
        format!("{mine}-{theirs}{crawford} at {}", self.state.cube)
    }

    fn parse(line: &str) -> Option<Self> {
        let mut columns = line.split('\t');
        let kind = columns.next()?.to_owned();
        let state = parse_id(columns.next()?).ok()?;
        let roll = state.roll?;
        let plays: Vec<String> = columns.map(str::to_owned).collect();
        let after = |text: &String| {
            let play = parse_play(text, &state.position, roll).ok()?;
            Some(play.apply(&state.position))
        };
        let candidates = plays.iter().map(after).collect::<Option<Vec<_>>>()?;
        Some(Self {
            kind,
            state,
            roll,
            plays,
            candidates,
        })
    }
}

/// The decisions of the repository.
pub fn bundled() -> Vec<MatchDecision> {
    BUNDLED.lines().filter_map(MatchDecision::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decisions_are_ten_with_five_plays_at_scores() {
        let all = bundled();
        assert_eq!(all.len(), 10);
        for decision in &all {
            assert_eq!(decision.candidates.len(), 5, "{decision:?}");
            assert!(decision.cube().away.is_some());
            for (i, result) in decision.candidates.iter().enumerate() {
                assert!(!decision.candidates[..i].contains(result));
            }
        }
        assert_eq!(all[0].score(), "7-7 at 1");
    }
}
