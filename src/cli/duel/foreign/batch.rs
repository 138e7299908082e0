//! Protocol of a program that responds like `luckless eval --batch`, such as another version of this one.

use serde::Deserialize;

use super::answers::{fault, played};
use super::peer::Peer;
use crate::cube::CubeChoice;
use crate::duel::{Fault, FaultKind, Player};
use crate::game::{GameState, PlayList, Position, Roll};
use crate::notation::xgid_text;

pub(super) struct Seat(Peer);

/// The parsed part of a response.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer {
    plays: Vec<Play>,
    cube: Option<Cube>,
    answer: Option<String>,
    error: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Play {
    play: String,
}

#[derive(Debug, Deserialize)]
struct Cube {
    action: String,
}

impl Seat {
    pub(super) fn new(peer: Peer) -> Self {
        Self(peer)
    }

    fn ask(&mut self, state: &GameState, dice: &str) -> Result<Answer, Fault> {
        self.0.send(&format!("{} {dice}\n", xgid_text(state)))?;
        self.0.wait(|line| {
            let answer: Result<Answer, _> = serde_json::from_str(line);
            Some(match answer {
                Ok(Answer {
                    error: Some(error), ..
                }) => Err(fault(FaultKind::Garbled, "refused", &error)),
                Ok(answer) => Ok(answer),
                Err(_) => Err(fault(FaultKind::Garbled, "no answer", line)),
            })
        })
    }
}

fn incomplete(what: &str) -> Fault {
    Fault::new(FaultKind::Garbled, format!("an answer without {what}"))
}

impl Player for Seat {
    fn doubles(&mut self, state: &GameState) -> Result<bool, Fault> {
        let answer = self.ask(state, "")?;
        let cube = answer.cube.ok_or_else(|| incomplete("cube"))?;
        match cube.action.as_str() {
            "double/take" | "double/pass" | "double/beaver" => Ok(true),
            "no double" | "too good/take" | "too good/pass" | "no double/beaver" => Ok(false),
            other => Err(fault(FaultKind::Garbled, "no cube action", other)),
        }
    }

    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault> {
        let answer = self.ask(state, "")?.answer;
        match answer.ok_or_else(|| incomplete("answer"))?.as_str() {
            "take" => Ok(CubeChoice::Take),
            "pass" => Ok(CubeChoice::Pass),
            "beaver" => Ok(CubeChoice::Beaver),
            other => Err(fault(FaultKind::Garbled, "no answer to a double", other)),
        }
    }

    fn play(&mut self, state: &GameState, roll: Roll, legal: &PlayList) -> Result<Position, Fault> {
        if let [only] = legal.results() {
            return Ok(*only);
        }
        let answer = self.ask(state, &roll.to_string())?;
        let best = answer.plays.first().ok_or_else(|| incomplete("plays"))?;
        played(state, roll, &best.play)
    }
}
