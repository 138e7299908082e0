//! `luckless` without a subcommand: the workstation.

use std::path::Path;
use std::sync::Arc;

use anyhow::Result;

use super::options::{Nets, Threads};
use super::usage::misuse;
use crate::notation;
use crate::store::Places;
use crate::tui;

/// What to open, and how.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Match files and positions (XGID, GNUBG position ID, POSITION:MATCH) [default: a sample]
    #[arg(value_name = "PATH|ID")]
    sources: Vec<String>,
    /// Theme by name, instead of the one in the settings
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        for source in self.sources.iter().filter(|s| !Path::new(s).exists()) {
            if tui::open::looks_like_id(source) {
                notation::parse_id(source).map_err(|e| misuse(format!("'{source}': {e}")))?;
            } else if source.bytes().all(|b| b.is_ascii_lowercase()) {
                return Err(misuse(format!(
                    "'{source}' is neither a file, a position nor a command; see luckless --help"
                )));
            }
        }
        tui::run(tui::Options {
            threads: self.threads.number().get(),
            evaluator: Arc::new(self.nets.engine()?),
            places: Places::of_user(),
            theme: self.theme,
            sources: self.sources,
        })?;
        Ok(())
    }
}
