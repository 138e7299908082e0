//! Players and evaluators as written on the command line.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Result;

use super::foreign::{Foreign, Protocol};
use crate::cube::Model;
use crate::duel::{Contestant, DuelLuck, DuelRules, EngineContestant};
use crate::eval::Engine;
use crate::eval::net::Net;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum SideSpec {
    /// `1ply` or `1ply,FILE`.
    Engine {
        /// Search depth in plies.
        ply: u8,
        /// A net file, if it is not the embedded net.
        net: Option<String>,
    },
    /// Another program, as written.
    Foreign(Protocol, String),
}

impl FromStr for SideSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(protocol) = Protocol::parse(text) {
            return Ok(Self::Foreign(protocol?, text.to_owned()));
        }
        let (ply, net) = with_net(text);
        match ply.strip_suffix("ply").unwrap_or(ply).parse() {
            Ok(ply) if ply <= 3 => Ok(Self::Engine { ply, net }),
            _ => Err(
                "expected 0ply to 3ply and perhaps a net file after a comma, \
                      ubgi:COMMAND, batch:COMMAND or gnubg:HOST:PORT"
                    .into(),
            ),
        }
    }
}

fn with_net(text: &str) -> (&str, Option<String>) {
    match text.split_once(',') {
        Some((before, net)) => (before, Some(net.to_owned())),
        None => (text, None),
    }
}

fn load(net: Option<&String>) -> Result<Engine> {
    Ok(match net {
        None => Engine::embedded(),
        Some(path) => Engine::with_net(Net::load(Path::new(path))?),
    })
}

/// Resources of players.
pub(super) struct SeatNeeds<'a> {
    pub(super) model: &'a Model,
    pub(super) rules: DuelRules,
    /// Maximum time for an answer of another program.
    pub(super) timeout: Duration,
    /// Returns whether to cancel our players.
    pub(super) cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl SideSpec {
    /// The side as the user writes it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Engine { ply, net: None } => format!("{ply}ply"),
            Self::Engine {
                ply,
                net: Some(net),
            } => format!("{ply}ply,{net}"),
            Self::Foreign(_, text) => text.clone(),
        }
    }

    /// The evaluator, if it is one of this program.
    pub(super) fn engine(&self) -> Result<Option<Engine>> {
        match self {
            Self::Engine { net, .. } => load(net.as_ref()).map(Some),
            Self::Foreign(..) => Ok(None),
        }
    }

    /// The player; `engine` is the result of [`SideSpec::engine`], which our players need.
    pub(super) fn contestant<'a>(
        &self,
        engine: Option<&'a Engine>,
        seat: &SeatNeeds<'a>,
    ) -> Option<Box<dyn Contestant + 'a>> {
        Some(match self {
            Self::Engine { ply, .. } => Box::new(EngineContestant {
                evaluator: engine?,
                model: seat.model,
                ply: *ply,
                cubeful: !seat.rules.is_cubeless(),
                cancelled: seat.cancelled,
            }),
            Self::Foreign(protocol, _) => {
                Box::new(Foreign::new(protocol.clone(), seat.rules, seat.timeout))
            }
        })
    }
}

/// The evaluation of luck.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LuckSpec {
    pub(super) kind: DuelLuck,
    /// As written.
    pub(super) text: String,
    net: Option<String>,
}

impl FromStr for LuckSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (word, net) = with_net(text);
        let kind = match word {
            "none" => DuelLuck::None,
            "net" => DuelLuck::Net,
            "0ply" => DuelLuck::Plies(0),
            "1ply" => DuelLuck::Plies(1),
            _ => return Err("expected none, net, 0ply or 1ply".into()),
        };
        Ok(Self {
            kind,
            text: text.to_owned(),
            net,
        })
    }
}

impl LuckSpec {
    pub(super) fn engine(&self) -> Result<Engine> {
        load(self.net.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read() {
        let engine = |ply, net: Option<&str>| {
            let net = net.map(str::to_owned);
            Ok(SideSpec::Engine { ply, net })
        };
        assert_eq!("1ply".parse(), engine(1, None));
        assert_eq!("0,a.net".parse(), engine(0, Some("a.net")));
        let text = "gnubg:localhost:1984,localhost:1985";
        let Ok(SideSpec::Foreign(Protocol::Gnubg(addresses), name)) = text.parse() else {
            panic!("not read");
        };
        assert_eq!((addresses.len(), name.as_str()), (2, text));
        let Ok(SideSpec::Foreign(Protocol::Ubgi(words), _)) = "ubgi:'my engine' --x".parse() else {
            panic!("not read");
        };
        assert_eq!(words, ["my engine", "--x"]);
        for text in ["9ply", "gnubg:here", "ubgi:", "ubgi:'x", "batch: "] {
            assert!(text.parse::<SideSpec>().is_err(), "{text}");
        }
        assert_eq!("net".parse::<LuckSpec>().unwrap().kind, DuelLuck::Net);
        assert!("3ply".parse::<LuckSpec>().is_err());
    }
}
