//! A match that is begun: its rules, and its file, which is one that is named or a new one among the user's matches.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

use crate::cli::common::usage::misuse;
use crate::game::Rules;
use crate::store::{UserFolders, file, today};
use crate::tui;
use crate::tui::documents::new_match;
use crate::tui::documents::played_match::is_match_text;

/// Writes the text of a new match to `path`, where there is no file yet, or to a new file that is named after the day.
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

/// The file in which a match is begun or gone on with: `known` answers for one that is there, `text` has that of a new
/// match.
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

/// Refuses a file of another form than match text.
fn check_path(path: Option<&Path>) -> Result<()> {
    match path.filter(|path| !is_match_text(path)) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            Err(misuse(format!("{path}: a match is played in a .mat file")))
        }
    }
}

/// Refuses a name that is longer than match text allows.
pub(crate) fn check_name(option: &str, name: &str) -> Result<()> {
    new_match::check_name(name).map_err(|why| misuse(format!("{option}: {why}")))
}

/// The rules of a match to a length, or of money play; rules of money play for a length are refused.
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
