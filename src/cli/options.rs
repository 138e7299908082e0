//! Options that several subcommands share, and the values they take.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Result;

use crate::eval::Engine;
use crate::eval::net::Net;
use crate::game::{GameState, Roll};
use crate::notation::{self, IdError};

/// A position as given, with what it means.
#[derive(Clone, Debug)]
pub(super) struct Id {
    /// As the user wrote it, for the output.
    pub(super) text: String,
    pub(super) state: GameState,
}

impl FromStr for Id {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Self, IdError> {
        Ok(Self {
            text: text.trim().to_owned(),
            state: notation::parse_id(text)?,
        })
    }
}

impl Id {
    /// The roll to be played: `--dice`, or the one the identifier itself carries.
    pub(super) fn roll(&self, dice: Option<Roll>) -> Option<Roll> {
        dice.or(self.state.roll)
    }
}

/// How many threads work.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct Threads {
    /// Threads that work [default: one for each core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
}

impl Threads {
    pub(super) fn number(self) -> NonZeroUsize {
        self.threads
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZeroUsize::MIN)
    }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    const MOST: usize = 1024;
    text.parse()
        .ok()
        .filter(|n: &NonZeroUsize| n.get() <= MOST)
        .ok_or_else(|| format!("expected a number from 1 to {MOST}"))
}

/// Which net evaluates.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct Nets {
    /// A net to use instead of the one in the program
    #[arg(long, value_name = "FILE")]
    nets: Option<PathBuf>,
}

impl Nets {
    /// The evaluator asked for.
    pub(super) fn engine(&self) -> Result<Engine> {
        Ok(match &self.nets {
            None => Engine::embedded(),
            Some(path) => Engine::with_net(Net::load(path)?),
        })
    }
}

/// Plies of lookahead.
pub(super) fn plies() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(0..=4)
}
