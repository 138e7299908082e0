//! Decisions of matches that are close: what is measured is the time until a rollout settles them.
//!
//! They stand in a file of the repository. Of each kind of position those were taken whose two best plays differ by
//! 0.005 to 0.05 points at two plies, in the order of a digest of their IDs. Some are at scores, some for money, and
//! some are cube decisions in which one of the two questions is as close.

use crate::game::{GameState, Position, Roll};
use crate::notation::{parse_id, parse_play};
use crate::rollout::{CubeSettings, RolloutPreset, Settings};

const BUNDLED: &str = include_str!("close_decisions.tsv");

/// A close decision.
#[derive(Clone, Debug, PartialEq)]
pub struct CloseDecision {
    /// What kind of position it is.
    pub kind: String,
    /// The ID, as it is written in the file.
    pub id: String,
    /// Seen by the player on roll.
    pub state: GameState,
    /// The roll to be played; none of a cube decision.
    pub roll: Option<Roll>,
    /// The plays as text; none of a cube decision.
    pub plays: Vec<String>,
    /// The positions to be rolled out.
    pub candidates: Vec<Position>,
}

impl CloseDecision {
    /// The settings of a rollout of it by default.
    pub fn settings(&self) -> Settings {
        let cube = match self.roll {
            Some(_) => CubeSettings::after_play(&self.state),
            None => CubeSettings::of_decision(&self.state),
        };
        let mut settings = Settings {
            cube: Some(cube),
            ..Settings::default()
        };
        RolloutPreset::STANDARD.apply(&mut settings, self.candidates.len());
        settings
    }

    fn parse(line: &str) -> Option<Self> {
        let mut columns = line.split('\t');
        let kind = columns.next()?.to_owned();
        let id = columns.next()?.to_owned();
        let state = parse_id(&id).ok()?;
        let roll = match columns.next()? {
            "cube" => None,
            dice => Some(dice.parse().ok()?),
        };
        let plays: Vec<String> = columns.map(str::to_owned).collect();
        let after = |text: &String| {
            let play = parse_play(text, &state.position, roll?).ok()?;
            Some(play.apply(&state.position))
        };
        let candidates = match roll {
            Some(_) => plays.iter().map(after).collect::<Option<Vec<_>>>()?,
            None => vec![state.position; 2],
        };
        Some(Self {
            kind,
            id,
            state,
            roll,
            plays,
            candidates,
        })
    }
}

/// The decisions of the repository.
pub fn bundled() -> Vec<CloseDecision> {
    let lines = BUNDLED.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(CloseDecision::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rollout::Allocation;

    #[test]
    fn the_decisions_are_24_of_every_kind() {
        let all = bundled();
        assert_eq!(all.len(), 24);
        let cubes = all.iter().filter(|one| one.roll.is_none()).count();
        let money = all.iter().filter(|one| one.state.score.is_money()).count();
        assert_eq!((cubes, money), (4, 12));
        for decision in all {
            let race = decision.settings().allocation == Allocation::Race;
            assert_eq!(race, decision.roll.is_some(), "{decision:?}");
            assert_eq!(decision.candidates.len(), if race { 5 } else { 2 });
        }
    }
}
