//! `luckless man`: the manual page.

use anyhow::Result;

use crate::cli::common::output;
use crate::cli::common::usage::{misuse, suggestion};

const EXAMPLES: &str = "\
Examples:
  luckless man | man -l -            read it
  luckless man rollout | man -l -
  luckless man eval > luckless-eval.1

The page is in the language of man pages (roff). `luckless --help` lists the commands; where man has no \
-l, write the page to a file and give its path.";

/// The manual page, of the program or of one command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The command whose page is wanted, such as eval [default: the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
}

impl Args {
    pub(super) fn run(self, definition: clap::Command) -> Result<()> {
        let mut page = definition;
        // Gives the subcommands their full names.
        page.build();
        let mut title = "luckless".to_owned();
        for name in &self.command {
            let Some(command) = page.find_subcommand(name) else {
                let tip = suggestion(&page, name);
                return Err(misuse(format!("there is no command '{title} {name}'{tip}")));
            };
            page = command.clone();
            title = format!("{title}-{name}");
        }
        let mut roff = Vec::new();
        clap_mangen::Man::new(page)
            .title(title)
            .source(concat!("luckless ", env!("CARGO_PKG_VERSION")))
            .manual("Luckless")
            .render(&mut roff)?;
        output::raw(&roff)
    }
}
