//! Protocol of engines with the Universal Backgammon Interface, versions 0.1 and 0.2.
//!
//! Without cube and score, positions are sent as position IDs, otherwise as XGIDs, which contain both. The protocol
//! has no message for the answer to a double: only engines with the extension `luckless.replies` play with the cube.

use super::answers::{fault, played};
use super::peer::Peer;
use crate::cube::CubeChoice;
use crate::duel::{DuelRules, Fault, FaultKind, Player};
use crate::game::{GameState, PlayList, Position, Roll};
use crate::notation::{position_id, xgid_text};

/// Options set if the engine has them: answers to doubles, and cubeful plays in money games.
const REPLIES: &str = "luckless.replies";
const CUBEFUL: &str = "engine.cubeful";

pub(super) struct Seat {
    peer: Peer,
    /// The opponent program speaks version 0.2.
    is_new: bool,
    cubeless: bool,
}

impl Seat {
    pub(super) fn new(mut peer: Peer, rules: &DuelRules) -> Result<Self, Fault> {
        peer.send("ubgi\n")?;
        let (mut is_new, mut replies, mut cubeful) = (false, false, false);
        peer.wait(|line| {
            let words: Vec<&str> = line.split_whitespace().take(2).collect();
            match words[..] {
                ["ubgiok", ..] => return Some(Ok(())),
                ["proto", version] => is_new = version != "0.1",
                ["key", key] => {
                    is_new = true;
                    replies |= key == REPLIES;
                    cubeful |= key == CUBEFUL;
                }
                ["error", ..] => return Some(Err(refused(line))),
                _ => {}
            }
            None
        })?;
        let cubeless = rules.is_cubeless();
        if !cubeless && rules.length != 1 {
            if !replies {
                let why = "has no message for takes and passes: play without a cube, or to 1 point";
                return Err(Fault::new(FaultKind::Absent, why));
            }
            peer.send(&format!("set {REPLIES} true\n"))?;
            if cubeful {
                peer.send(&format!("set {CUBEFUL} true\n"))?;
            }
        }
        let mut seat = Self {
            peer,
            is_new,
            cubeless,
        };
        seat.ready("newgame\nisready\n")?;
        Ok(seat)
    }

    /// Sends lines that end in `isready`; errors before its response are skipped.
    fn ready(&mut self, lines: &str) -> Result<(), Fault> {
        self.peer.send(lines)?;
        self.peer.wait(|line| (line == "readyok").then_some(Ok(())))
    }

    fn position(&self, state: &GameState) -> String {
        match self.cubeless {
            true => format!("position gnubgid {}\n", position_id(&state.position)),
            false => format!("position xgid {}\n", xgid_text(state)),
        }
    }

    /// Sends lines and waits for a line that begins with `answer`. Returns the rest of it.
    fn ask(&mut self, lines: &str, answer: &str) -> Result<String, Fault> {
        self.peer.send(lines)?;
        self.peer.wait(|line| {
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            if first == answer {
                Some(Ok(rest.to_owned()))
            } else if first == "error" || first.starts_with("best") {
                Some(Err(refused(line)))
            } else {
                None
            }
        })
    }

    fn go(&self, what: &str) -> String {
        match self.is_new || what == "reply" {
            true => format!("go {what}\n"),
            false => format!("go role {what}\n"),
        }
    }
}

fn refused(line: &str) -> Fault {
    fault(FaultKind::Garbled, "no answer to what was asked", line)
}

impl Player for Seat {
    fn doubles(&mut self, state: &GameState) -> Result<bool, Fault> {
        let lines = self.position(state) + &self.go("cube");
        match self.ask(&lines, "bestcube")?.trim() {
            "double" => Ok(true),
            "nodouble" => Ok(false),
            other => Err(refused(other)),
        }
    }

    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault> {
        let lines = self.position(state) + &self.go("reply");
        match self.ask(&lines, "bestreply")?.trim() {
            "take" => Ok(CubeChoice::Take),
            "pass" => Ok(CubeChoice::Pass),
            "beaver" => Ok(CubeChoice::Beaver),
            other => Err(refused(other)),
        }
    }

    fn play(&mut self, state: &GameState, roll: Roll, legal: &PlayList) -> Result<Position, Fault> {
        let (high, low) = (roll.high(), roll.low());
        let lines = format!(
            "{}dice {high} {low}\n{}",
            self.position(state),
            self.go("chequer")
        );
        let text = self.ask(&lines, "bestmove")?;
        match (text.trim(), legal.results()) {
            ("pass", [only]) if *only == state.position.flipped() => Ok(*only),
            (text, _) => played(state, roll, text),
        }
    }
}
