//! `luckless` without a subcommand: the workstation.

use anyhow::{Result, bail};

/// What to open.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Match files, or a position (XGID, GNUBG position ID, POSITION:MATCH)
    #[arg(value_name = "PATH|ID")]
    things: Vec<String>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let _ = self.things;
        bail!("the workstation is not part of this build")
    }
}
