//! `luckless library`: all matches, their decisions and their players.

mod add;
mod errors;
pub(super) mod found;
mod list;
mod people;
pub(super) mod place;
mod record;
mod remove;

use anyhow::Result;

const EXAMPLES: &str = "\
Examples:
  luckless library add ~/matches
  luckless library list
  luckless library errors me kind:blitz
  luckless library record --player anna
  luckless library me Anna \"Anna K.\"
  luckless library remove 17

The library is a file in the data folder. Matches are analysed when they are added, and each is kept once, in \
however many files it is. Nothing is changed in the files themselves.";

/// All your matches, with their decisions
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Add(add::Args),
    List(list::Args),
    Errors(errors::Args),
    Record(record::Args),
    Remove(remove::Args),
    Me(people::MeArgs),
    Same(people::SameArgs),
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        match self.command {
            Command::Add(args) => args.run(),
            Command::List(args) => args.run(),
            Command::Errors(args) => args.run(),
            Command::Record(args) => args.run(),
            Command::Remove(args) => args.run(),
            Command::Me(args) => args.run(),
            Command::Same(args) => args.run(),
        }
    }
}
