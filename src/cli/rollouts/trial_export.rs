//! Every trial of a rollout as a line of a file.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::cli::common::usage::misuse;
use crate::rollout::TrialRecord;
use crate::store::file;

/// The columns that every version writes: by them a file of trials is known.
const HEAD: &str = "trial,candidate,plain,variance_reduced,win,win_gammon,win_backgammon,lose_gammon,\
                    lose_backgammon,first,second";

/// Every trial as a line of a file.
pub(crate) struct Export {
    file: BufWriter<File>,
    path: PathBuf,
    /// The plays in the order of the candidates.
    plays: Vec<Option<String>>,
    /// The candidate is a position before the roll.
    /// The equity is then that of the player on roll, but a trial's value is the opponent's.
    flipped: bool,
    /// Why trials are missing in it, if some are: nothing more is written then.
    pub(crate) failed: Option<anyhow::Error>,
}

impl Export {
    pub(crate) fn new(path: &Path, flipped: bool, plays: &[Option<String>]) -> Result<Self> {
        let old = may_be_written(path, HEAD.as_bytes());
        if !old.with_context(|| path.display().to_string())? {
            let name = path.display();
            return Err(misuse(format!(
                "{name} is no file of trials: it is not written over"
            )));
        }
        let new = || -> std::io::Result<BufWriter<File>> {
            let file = match file::is_device(path) {
                true => file::open_device(path)?,
                false => File::create(path)?,
            };
            let mut file = BufWriter::new(file);
            writeln!(file, "{HEAD},play")?;
            Ok(file)
        };
        Ok(Self {
            file: new().with_context(|| path.display().to_string())?,
            path: path.to_owned(),
            plays: plays.to_vec(),
            flipped,
            failed: None,
        })
    }

    pub(crate) fn write(&mut self, records: &[TrialRecord]) {
        if self.failed.is_some() {
            return;
        }
        let mut all = || -> std::io::Result<()> {
            for record in records {
                let t = record.exported();
                let t = if self.flipped { t.flipped() } else { t };
                write!(
                    self.file,
                    "{},{},{},{}",
                    t.trial, t.candidate, t.plain, t.variance_reduced
                )?;
                for chance in t.chances {
                    write!(self.file, ",{chance}")?;
                }
                let play = self.plays.get(usize::from(t.candidate));
                let play = play.and_then(Option::as_deref).unwrap_or_default();
                writeln!(self.file, ",{},{},{play}", t.first, t.second)?;
            }
            self.file.flush()
        };
        let written = all();
        self.failed = written
            .with_context(|| self.path.display().to_string())
            .err();
    }
}

/// Returns whether writing to `path` loses nothing: the file is missing, empty, or begins like ours.
fn may_be_written(path: &Path, head: &[u8]) -> std::io::Result<bool> {
    let meta = match path.metadata() {
        Ok(meta) => meta,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    if !meta.is_file() || meta.len() == 0 {
        return Ok(true);
    }
    let mut first = Vec::with_capacity(head.len());
    File::open(path)?
        .take(head.len() as u64)
        .read_to_end(&mut first)?;
    Ok(first == head)
}
