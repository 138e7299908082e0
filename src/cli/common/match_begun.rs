//! Starts a match: its rules and its file, either a named one or a new one in the user's folder of matches.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::common::usage::misuse;
use crate::game::Rules;
use crate::store::{UserFolders, file, today};
use crate::tui;
use crate::tui::documents::new_match;
use crate::tui::documents::played_match::is_match_text;

/// Writes a new match to `path`, which must not exist, or to a new file named by the date.
fn begin(path: Option<&Path>, text: &str) -> Result<PathBuf> {
    if let Some(path) = path {
        file::write_new(path, text.as_bytes())?;
        return Ok(path.to_owned());
    }
    let Some(folder) = UserFolders::of_user().map(|folders| folders.matches()) else {
        bail!("this system has no folder for matches: name a FILE");
    };
    Ok(file::write_numbered(
        &folder,
        &today(),
        "mat",
        text.as_bytes(),
    )?)
}

/// Opens the file of a match: calls `known` for an existing file, or writes a new match with `text`.
pub(crate) fn open(
    path: Option<&Path>,
    known: impl FnOnce(&Path) -> Result<PathBuf>,
    text: impl FnOnce() -> Result<String>,
) -> Result<PathBuf> {
    if !tui::has_terminal() {
        return Err(tui::Error::NotATerminal.into());
    }
    check_path(path)?;
    match path {
        Some(path) if path.exists() => known(path),
        named => begin(named, &text()?),
    }
}

/// Refuses a file name without the extension of match text.
fn check_path(path: Option<&Path>) -> Result<()> {
    match path.filter(|path| !is_match_text(path)) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            Err(misuse(format!("{path}: a match is played in a .mat file")))
        }
    }
}

/// Refuses a name that exceeds the limit of match text.
pub(crate) fn check_name(option: &str, name: &str) -> Result<()> {
    new_match::check_name(name).map_err(|why| misuse(format!("{option}: {why}")))
}

/// The rules of a match or of money play. Money rules are refused for a match.
pub(crate) fn rules(length: u16, jacoby: bool, beavers: bool) -> Result<Rules> {
    match length > 0 && (jacoby || beavers) {
        false => Ok(Rules {
            jacoby,
            beavers,
            ..Rules::default()
        }),
        true => Err(misuse(
            "--jacoby and --beavers are for money play: --length 0",
        )),
    }
}
