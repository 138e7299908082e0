//! Players that are other programs.
//!
//! Their output is read with limits of size and time and never trusted: a play must be legal. [`answers`] parses
//! plays, [`peer`] exchanges lines; [`ubgi`], [`gnubg`] and [`batch`] implement the protocols.

mod answers;
mod batch;
mod gnubg;
mod peer;
mod ubgi;

use std::sync::Mutex;
use std::time::Duration;

use self::peer::Peer;
use crate::duel::{Contestant, DuelRules, Fault, Player};

/// The connection to another program and its protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Protocol {
    /// A program with UBGI on stdin and stdout.
    Ubgi(Vec<String>),
    /// A program that responds like `luckless eval --batch`.
    Batch(Vec<String>),
    /// GNU Backgammon instances listening with `external HOST:PORT`: one address per board.
    Gnubg(Vec<String>),
}

impl Protocol {
    /// Parses `ubgi:COMMAND`, `batch:COMMAND` or `gnubg:HOST:PORT[,HOST:PORT…]`; `None` for anything else.
    pub(super) fn parse(text: &str) -> Option<Result<Self, String>> {
        let (kind, rest) = text.split_once(':')?;
        let command = || {
            let words = shlex::split(rest).filter(|words| !words.is_empty());
            words.ok_or_else(|| format!("'{rest}' is no command"))
        };
        match kind {
            "ubgi" => Some(command().map(Self::Ubgi)),
            "batch" => Some(command().map(Self::Batch)),
            "gnubg" => {
                let addresses = rest.split(',').map(|address| {
                    let port = address
                        .rsplit_once(':')
                        .map(|(_, port)| port.parse::<u16>());
                    match port {
                        Some(Ok(_)) => Ok(address.to_owned()),
                        _ => Err(format!("'{address}': expected HOST:PORT")),
                    }
                });
                Some(addresses.collect::<Result<_, _>>().map(Self::Gnubg))
            }
            _ => None,
        }
    }
}

/// Another program as a player.
pub(super) struct Foreign {
    protocol: Protocol,
    rules: DuelRules,
    /// Maximum time for an answer.
    timeout: Duration,
    /// Addresses not in use.
    free: Mutex<Vec<String>>,
}

impl Foreign {
    pub(super) fn new(protocol: Protocol, rules: DuelRules, timeout: Duration) -> Self {
        let free = match &protocol {
            Protocol::Gnubg(addresses) => addresses.clone(),
            _ => Vec::new(),
        };
        Self {
            protocol,
            rules,
            timeout,
            free: Mutex::new(free),
        }
    }
}

impl Contestant for Foreign {
    fn sit(&self) -> Result<Box<dyn Player + '_>, Fault> {
        Ok(match &self.protocol {
            Protocol::Ubgi(command) => {
                let peer = Peer::start(command, self.timeout)?;
                Box::new(ubgi::Seat::new(peer, &self.rules)?)
            }
            Protocol::Batch(command) => {
                Box::new(batch::Seat::new(Peer::start(command, self.timeout)?))
            }
            Protocol::Gnubg(_) => Box::new(gnubg::Seat::new(&self.free, self.timeout)?),
        })
    }

    fn most_boards(&self) -> usize {
        match &self.protocol {
            Protocol::Gnubg(addresses) => addresses.len(),
            _ => usize::MAX,
        }
    }
}
