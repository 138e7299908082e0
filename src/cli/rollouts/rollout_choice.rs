//! The candidates of a rollout: named plays, the best plays, a position, or a cube decision.

use anyhow::Result;

use super::cube_decision::CANDIDATES;
use super::rollout_options::Situation;
use crate::cli::common::options::Id;
use crate::cli::common::usage::misuse;
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::game::{Play, Position, Roll};
use crate::notation::{parse_play, play_text};
use crate::review::STANDARD_PLY;
use crate::rollout::{Coupling, LevelValue};
use crate::store::{RolloutCommand, RolloutLabel};

/// How many of the best plays are rolled out where the user names none.
const TOP: usize = 3;

/// The candidates: plays with their names, or a position.
pub(crate) struct Chosen {
    pub(crate) situation: Situation,
    pub(crate) candidates: Vec<Position>,
    pub(crate) shown: RolloutLabel,
}

/// A user's request for a rollout.
pub(crate) struct RolloutRequest<'a> {
    pub(crate) id: &'a Id,
    pub(crate) dice: Option<Roll>,
    pub(crate) plays: &'a [String],
    pub(crate) top: Option<u16>,
    pub(crate) initial: bool,
    pub(crate) cube_decision: bool,
    /// The cube is the question of the ID if neither dice nor plays are given.
    pub(crate) asks_about_cube: bool,
}

impl RolloutRequest<'_> {
    /// The positions to roll out; the best plays are the best with the cube where there is a `model`
    /// of it.
    pub(crate) fn choose(
        &self,
        evaluator: &dyn Evaluator,
        model: Option<&Model>,
    ) -> Result<Chosen> {
        let position = self.id.state.position;
        if position.is_over() {
            return Err(misuse("the game is over: there is nothing to roll out"));
        }
        let roll = self.id.roll(self.dice);
        let bare = roll.is_none() && self.plays.is_empty() && self.top.is_none() && !self.initial;
        if self.cube_decision && (self.initial || self.top.is_some() || !self.plays.is_empty()) {
            return Err(misuse(
                "plays, top and initial do not go with a cube decision: leave them out",
            ));
        }
        let is_about_cube = self.asks_about_cube || self.id.state.doubled;
        if self.cube_decision || is_about_cube && bare {
            return self.cube_decision(roll);
        }
        self.id.no_double_on_offer("--cube-decision rolls it out")?;
        let (plays, candidates) = match roll {
            Some(_) if self.initial => {
                return Err(misuse(
                    "an initial position is one before the roll: leave out --dice",
                ));
            }
            Some(roll) => {
                let plays = self.plays(evaluator, model, roll)?;
                let names = plays
                    .iter()
                    .map(|p| Some(play_text(&position, p)))
                    .collect();
                (names, plays.iter().map(|p| p.apply(&position)).collect())
            }
            None if !self.plays.is_empty() || self.top.is_some() => {
                return Err(misuse("plays need a roll: give --dice"));
            }
            // The candidate then belongs to the player who is *not* on roll.
            None => (vec![None], vec![position]),
        };
        Ok(Chosen {
            situation: Situation {
                plays: candidates.len(),
                coupling: Coupling::Dice,
                initial: self.initial,
                before_roll: roll.is_none(),
                cube_decision: false,
                state: self.id.state,
            },
            candidates,
            shown: RolloutLabel {
                command: RolloutCommand::Rollout,
                position: self.id.text.clone(),
                dice: roll.map(|r| r.to_string()),
                plays,
            },
        })
    }

    /// The two candidates of a cube decision.
    fn cube_decision(&self, roll: Option<Roll>) -> Result<Chosen> {
        // A double that waits for its answer is rolled out from the doubler's side.
        let state = self.id.state.roller();
        if roll.is_some() {
            return Err(misuse(
                "the cube is decided before the roll: give a position without dice",
            ));
        }
        if !state.may_double() {
            return Err(misuse(match self.id.state.doubled {
                true => "a double that gains nothing is not rolled out: `luckless eval` answers it",
                false => "there is no cube decision: the player on roll may not double",
            }));
        }
        Ok(Chosen {
            situation: Situation {
                plays: 2,
                coupling: Coupling::Dice,
                initial: false,
                before_roll: true,
                cube_decision: true,
                state,
            },
            candidates: vec![state.position; 2],
            shown: RolloutLabel {
                command: RolloutCommand::Rollout,
                position: self.id.text.clone(),
                dice: None,
                plays: CANDIDATES.map(|name| Some(name.to_owned())).to_vec(),
            },
        })
    }

    /// The plays asked for: those given, and of the best ones those that are not among them.
    fn plays(
        &self,
        evaluator: &dyn Evaluator,
        model: Option<&Model>,
        roll: Roll,
    ) -> Result<Vec<Play>> {
        let position = &self.id.state.position;
        let mut plays: Vec<Play> = Vec::new();
        let mut add = |play: Play| {
            if plays
                .iter()
                .all(|p| p.apply(position) != play.apply(position))
            {
                plays.push(play);
            }
        };
        for text in self.plays {
            let play = parse_play(text, position, roll);
            add(play.map_err(|e| misuse(format!("'{text}': {e}")))?);
        }
        let top = match self.top {
            Some(top) => usize::from(top),
            None if self.plays.is_empty() => TOP,
            None => 0,
        };
        if top > 0 {
            let best = self.ranked(evaluator, model, roll);
            best.into_iter().take(top).for_each(add);
        }
        Ok(plays)
    }

    /// All plays, best first, as the workstation lists them.
    fn ranked(&self, evaluator: &dyn Evaluator, model: Option<&Model>, roll: Roll) -> Vec<Play> {
        let all = LevelValue::all(
            evaluator,
            model,
            &self.id.state,
            roll,
            STANDARD_PLY,
            &|| false,
        );
        let all = all.unwrap_or_default().into_iter();
        all.map(|one| one.candidate.play).collect()
    }
}
