//! Protocol of GNU Backgammon as an external player, started there by `external HOST:PORT`.
//!
//! It plays by its own settings, and serves one client at a time, so each board needs its own instance.

use std::sync::Mutex;
use std::time::Duration;

use super::answers::{fault, played};
use super::peer::Peer;
use crate::cube::CubeChoice;
use crate::duel::{Fault, FaultKind, Player};
use crate::game::{GameState, PlayList, Position, Roll};
use crate::locks::lock;
use crate::notation::gnubg_board_text;

/// A connection to one address, which is released on drop.
pub(super) struct Seat<'a> {
    /// Dropped first, so that another client can connect.
    peer: Option<Peer>,
    address: String,
    free: &'a Mutex<Vec<String>>,
}

impl<'a> Seat<'a> {
    pub(super) fn new(free: &'a Mutex<Vec<String>>, timeout: Duration) -> Result<Self, Fault> {
        let address = lock(free).pop();
        let address = address.ok_or_else(|| {
            Fault::new(FaultKind::Absent, "there are fewer addresses than boards")
        })?;
        let mut seat = Self {
            peer: None,
            address,
            free,
        };
        seat.peer = Some(Peer::connect(&seat.address, timeout)?);
        Ok(seat)
    }

    fn ask(&mut self, state: &GameState) -> Result<String, Fault> {
        let on = |is_on: bool| if is_on { "on" } else { "off" };
        let line = format!(
            "{} jacobyrule {} crawfordrule {} beavers {}\n",
            gnubg_board_text(state),
            on(state.rules.jacoby),
            on(!state.rules.no_crawford),
            on(state.rules.beavers),
        );
        let peer = self.peer.as_mut();
        let peer = peer.ok_or_else(|| Fault::new(FaultKind::Closed, "not connected"))?;
        peer.send(&line)?;
        let answer = peer.wait(|line| Some(Ok(line.to_owned())))?;
        match answer.starts_with("Error") {
            true => Err(fault(FaultKind::Garbled, "refused", &answer)),
            false => Ok(answer),
        }
    }
}

/// The state of an offered double as GNU Backgammon expects it: the doubler's board, with the points exchanged.
fn offered(state: &GameState) -> GameState {
    let doubler = state.roller();
    GameState {
        score: doubler.score.flipped(),
        doubled: true,
        ..doubler
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.peer = None;
        let address = std::mem::take(&mut self.address);
        let mut free = lock(self.free);
        free.push(address);
    }
}

impl Player for Seat<'_> {
    fn doubles(&mut self, state: &GameState) -> Result<bool, Fault> {
        match self.ask(state)?.to_ascii_lowercase().as_str() {
            "double" => Ok(true),
            "roll" => Ok(false),
            other => Err(fault(FaultKind::Garbled, "neither double nor roll", other)),
        }
    }

    fn reply(&mut self, state: &GameState) -> Result<CubeChoice, Fault> {
        match self.ask(&offered(state))?.to_ascii_lowercase().as_str() {
            "take" | "accept" => Ok(CubeChoice::Take),
            "drop" | "pass" | "reject" => Ok(CubeChoice::Pass),
            "beaver" | "redouble" => Ok(CubeChoice::Beaver),
            other => Err(fault(FaultKind::Garbled, "neither take nor drop", other)),
        }
    }

    fn play(&mut self, state: &GameState, roll: Roll, legal: &PlayList) -> Result<Position, Fault> {
        if let [only] = legal.results() {
            return Ok(*only);
        }
        let rolled = GameState {
            roll: Some(roll),
            ..*state
        };
        played(state, roll, &self.ask(&rolled)?)
    }
}
