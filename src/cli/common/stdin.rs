//! Reads stdin, for which `-` stands as a file name.

use std::io::{self, Read as _};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context as _, Result};

use super::usage::misuse;
use crate::match_file::{self, LARGEST_FILE, Match};
use crate::store::ImportedFile;

/// Name of a match from stdin.
const NAME: &str = "stdin";

/// Returns whether a path stands for stdin.
pub(crate) fn is_meant(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Reads all of stdin, at most `limit` bytes.
pub(crate) fn read(limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut input = io::stdin().lock().take(limit + 1);
    input.read_to_end(&mut bytes).context("reading stdin")?;
    match bytes.len() as u64 > limit {
        true => Err(misuse(format!("stdin: larger than {} KiB", limit >> 10))),
        false => Ok(bytes),
    }
}

/// Reads a match file, or a match from stdin.
pub(crate) fn read_match(path: &Path) -> Result<Match> {
    match is_meant(path) {
        true => Ok(match_file::read_bytes(match_bytes()?, NAME)?),
        false => Ok(match_file::read(path)?),
    }
}

/// Reads the matches of a file or of stdin.
pub(crate) fn import(path: &Path) -> Result<ImportedFile> {
    let read = match is_meant(path) {
        true => ImportedFile::of_bytes(Path::new(NAME), match_bytes()?.to_owned()),
        false => ImportedFile::read(path),
    };
    read.map_err(anyhow::Error::msg)
}

/// The bytes of a match from stdin. Cached, because commands may read a file twice.
fn match_bytes() -> Result<&'static [u8]> {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    if let Some(bytes) = BYTES.get() {
        return Ok(bytes);
    }
    let bytes = read(LARGEST_FILE)?;
    Ok(BYTES.get_or_init(|| bytes))
}
