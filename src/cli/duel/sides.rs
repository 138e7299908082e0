//! Players and evaluators as they are written on the command line.

use std::path::Path;
use std::str::FromStr;

use anyhow::Result;

use crate::cube::Model;
use crate::duel::{Contestant, DuelLuck, DuelRules, EngineContestant};
use crate::eval::Engine;
use crate::eval::net::Net;

/// A player.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SideSpec {
    /// `1ply` or `1ply,FILE`.
    Engine {
        /// Plies of lookahead.
        ply: u8,
        /// A net file, if it is not the net in the program.
        net: Option<String>,
    },
}

impl FromStr for SideSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (ply, net) = with_net(text);
        match ply.strip_suffix("ply").unwrap_or(ply).parse() {
            Ok(ply) if ply <= 3 => Ok(Self::Engine { ply, net }),
            _ => Err("expected 0ply to 3ply, and a net file after a comma if wanted".into()),
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

impl SideSpec {
    /// As it is written.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Engine { ply, net: None } => format!("{ply}ply"),
            Self::Engine {
                ply,
                net: Some(net),
            } => format!("{ply}ply,{net}"),
        }
    }

    /// The evaluator, if it is one of this program.
    pub(super) fn engine(&self) -> Result<Option<Engine>> {
        match self {
            Self::Engine { net, .. } => load(net.as_ref()).map(Some),
        }
    }

    /// The player; `engine` is what [`SideSpec::engine`] gave.
    pub(super) fn contestant<'a>(
        &self,
        engine: Option<&'a Engine>,
        model: &'a Model,
        rules: &DuelRules,
        cancelled: &'a (dyn Fn() -> bool + Sync),
    ) -> Box<dyn Contestant + 'a> {
        match (self, engine) {
            (Self::Engine { ply, .. }, Some(evaluator)) => Box::new(EngineContestant {
                evaluator,
                model,
                ply: *ply,
                cubeful: !rules.is_cubeless(),
                cancelled,
            }),
            (Self::Engine { .. }, None) => unreachable!("its engine was made"),
        }
    }
}

/// How luck is valued.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LuckSpec {
    pub(super) kind: DuelLuck,
    /// As it is written.
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
        assert!("9ply".parse::<SideSpec>().is_err());
        assert_eq!("net".parse::<LuckSpec>().unwrap().kind, DuelLuck::Net);
        assert!("3ply".parse::<LuckSpec>().is_err());
    }
}
