//! `luckless convert`: from one format to another.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};

use super::output;
use super::usage::{misuse, say};
use crate::match_file::{self, mat};

const EXAMPLES: &str = "\
Examples:
  luckless convert studio.txt match.mat
  luckless convert match.mat -             to stdout, as match text

Match text (.mat, .txt) is written so that GNU Backgammon and eXtreme Gammon read it. Warnings of
reading go to stderr.";

/// Read a match file of any known format and write it in another
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The file to read
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write: .mat or .txt, or - for stdout
    #[arg(value_name = "OUT")]
    to: PathBuf,
    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let to_stdout = self.to.as_os_str() == "-";
        let extension = self
            .to
            .extension()
            .map(|e| e.to_string_lossy().to_lowercase());
        if !to_stdout && !matches!(extension.as_deref(), Some("mat" | "txt")) {
            return Err(misuse(format!(
                "{}: formats that can be written are .mat and .txt",
                self.to.display()
            )));
        }
        let record = match_file::read(&self.from)?;
        for w in &record.warnings {
            let (name, message) = (self.from.display(), &w.message);
            say(&format!("{name}:{}:{}: {message}", w.line, w.column));
        }
        let text = mat::write::write(&record);
        if to_stdout {
            return output::text(&text);
        }
        let name = self.to.display().to_string();
        if self.force {
            return fs::write(&self.to, text).context(name);
        }
        let mut open = OpenOptions::new();
        let file = open.write(true).create_new(true).open(&self.to);
        let refused = || format!("{name} cannot be written (--force replaces a file)");
        file.with_context(refused)?
            .write_all(text.as_bytes())
            .context(name.clone())
    }
}
