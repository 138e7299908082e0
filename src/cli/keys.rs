//! `luckless keys`: prints the workstation's keys, or checks the user's key file.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::cli::common::output;
use crate::cli::common::usage::say;
use crate::store::UserFolders;
use crate::tui::keys::{KeyMap, ReadKeys};

const EXAMPLES: &str = "\
Examples:
  luckless keys                      all actions with their keys
  luckless keys > keys.toml          a file to change
  luckless keys --check keys.toml

The output is a file of keys as the workstation reads it: keys.toml in the configuration folder. Leave in it \
what you change.";

/// The workstation's keys, as a file to change; or whether such a file is in order
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A file of keys [default: keys.toml in the configuration folder]
    file: Option<PathBuf>,
    /// Only say what is wrong in the file; status 1 if anything is
    #[arg(long)]
    check: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let own = || UserFolders::of_user().map(|folders| folders.keys());
        let is_given = self.file.is_some();
        let Some(path) = self.file.or_else(own) else {
            bail!("there is no folder for keys on this system");
        };
        if is_given && !path.is_file() {
            let why = if path.exists() {
                "not a regular file"
            } else {
                "no such file"
            };
            bail!("{}: {why}", path.display());
        }
        let ReadKeys { keys, complaints } = KeyMap::load(&path);
        let place = path.display();
        if !self.check {
            for why in &complaints {
                say(&format!("{place}: {why}"));
            }
            return output::raw(keys.written().as_bytes());
        }
        match &complaints[..] {
            [] if path.is_file() => output::text(&format!("{place}: in order\n")),
            [] => output::text(&format!(
                "{place}: not there, all keys are the usual ones\n"
            )),
            [first, rest @ ..] => {
                for why in rest {
                    say(&format!("{place}: {why}"));
                }
                bail!("{place}: {first}")
            }
        }
    }
}
