//! `luckless man`: the manual page.

use anyhow::Result;

use super::output;

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
        let whole = super::definition();
        let page = match &self.command {
            None => whole,
            Some(name) => {
                let found = whole.find_subcommand(name).cloned();
                let command = found
                    .ok_or_else(|| super::usage::misuse(format!("there is no command '{name}'")))?;
                let title = format!("luckless-{name}");
                command.name(title)
            }
        };
        let mut roff = Vec::new();
        clap_mangen::Man::new(page).render(&mut roff)?;
        output::text(&String::from_utf8_lossy(&roff))
    }
}
