//! `luckless man`: the manual page.

use anyhow::Result;

use super::output;
use super::usage::misuse;

const EXAMPLES: &str = "\
Examples:
  luckless man | man -l -
  luckless man > luckless.1
  luckless man eval > luckless-eval.1";

/// The manual page, of the program or of one subcommand
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The subcommand
    command: Option<String>,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let mut whole = super::definition();
        // Gives the subcommands their full names.
        whole.build();
        let (page, title) = match &self.command {
            None => (whole, "luckless".to_owned()),
            Some(name) => match whole.find_subcommand(name) {
                Some(command) => (command.clone(), format!("luckless-{name}")),
                None => return Err(misuse(format!("there is no command '{name}'"))),
            },
        };
        let mut roff = Vec::new();
        clap_mangen::Man::new(page).title(title).render(&mut roff)?;
        output::raw(&roff)
    }
}
