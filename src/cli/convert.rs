//! `luckless convert`: from one format to another.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use super::output;
use super::usage::{misuse, say};
use crate::match_file::{self, write::Target};
use crate::store::file;

const EXAMPLES: &str = "\
Examples:
  luckless convert studio.txt match.mat
  luckless convert match.xg match.sgf
  luckless convert match.sgf - --to json   to stdout
  luckless convert positions.txt list.json

What can be written, by the extension of OUT:
  .mat    match text as GNU Backgammon and eXtreme Gammon read it
  .txt    match text as people read it; of positions, an XGID a line
  .sgf    SGF as GNU Backgammon reads it, with its own analysis kept
  .json   all that is known, analysis included; read back without loss

Whatever `inspect` reads can be converted. Warnings of reading go to stderr.";

/// Read a match file of any known format and write it in another
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The file to read
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write: .mat, .txt, .sgf or .json, or - for stdout
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// The format to write, whatever the extension of OUT (match text for stdout)
    #[arg(long, value_name = "FORMAT", value_parser = ["mat", "txt", "sgf", "json"])]
    to: Option<String>,
    /// Replace OUT if it exists
    #[arg(long)]
    force: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let to_stdout = self.out.as_os_str() == "-";
        let extension = match (&self.to, self.out.extension()) {
            (Some(format), _) => format.clone(),
            (None, _) if to_stdout => "mat".to_owned(),
            (None, extension) => extension.unwrap_or_default().to_string_lossy().into_owned(),
        };
        let Some(target) = Target::of_extension(&extension) else {
            return Err(misuse(format!(
                "{}: formats that can be written are {}",
                self.out.display(),
                Target::EXTENSIONS
            )));
        };
        let record = match_file::read(&self.from)?;
        let name = self.from.display();
        for w in record
            .warnings
            .iter()
            .chain(record.others.iter().flat_map(|o| &o.warnings))
        {
            say(&format!("{name}:{}: {}", w.short_place(), w.message));
        }
        if !record.others.is_empty() && target == Target::Mat {
            let matches = record.others.len() + 1;
            let told = format!(
                "{name}: {matches} matches are written one behind the other; other programs \
                 read the first only"
            );
            say(&told);
        }
        let mut all = std::iter::once(&record).chain(&record.others);
        if target == Target::Sgf && all.any(|m| m.length == 0 && !m.rules.beavers) {
            say(&format!(
                "{name}: SGF cannot say that there are no beavers in money play: whoever reads it again finds them \
                 allowed"
            ));
        }
        let text = target.write(&record);
        if to_stdout {
            return output::text(&text);
        }
        let name = || self.out.display().to_string();
        if self.force {
            return Ok(file::write(&self.out, text.as_bytes())?);
        }
        let mut open = OpenOptions::new();
        let mut file = match open.write(true).create_new(true).open(&self.out) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{}: is there already; --force replaces it", name());
            }
            opened => opened.with_context(name)?,
        };
        file.write_all(text.as_bytes()).with_context(name)
    }
}
