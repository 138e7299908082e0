//! `luckless completions`: completion of the command line for a shell.

use anyhow::Result;
use clap_complete::Shell;

use crate::cli::common::output;

const EXAMPLES: &str = "\
Examples:
  luckless completions bash \\
    > ~/.local/share/bash-completion/completions/luckless
  luckless completions fish > ~/.config/fish/completions/luckless.fish";

/// Completion of the command line for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Which shell
    shell: Shell,
}

impl Args {
    pub(super) fn run(self, mut definition: clap::Command) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut definition, "luckless", &mut script);
        output::raw(&script)
    }
}
