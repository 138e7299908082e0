//! `luckless` without a subcommand: the workstation.

use std::cmp::Reverse;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::plain;
use crate::cli::common::options::{CubeModel, Nets, Threads};
use crate::cli::common::screen::start_options;
use crate::cli::common::usage::{misuse, must_be_folder, say, suggestion};
use crate::notation;
use crate::store::folder;
use crate::tui;
use crate::tui::state::Openable;

/// Sources to open, and options of the workstation.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Match files, folders of them, and positions (XGID, GNUBG ID, OGID, FIBS board)
    /// [default: the last match; a sample at first]
    #[arg(value_name = "PATH|ID")]
    sources: Vec<OsString>,
    /// Announce matches that are saved in FOLDER meanwhile, as in every folder that is opened
    #[arg(long, value_name = "FOLDER")]
    watch: Vec<PathBuf>,
    /// Theme by name, instead of the one in the settings
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    /// Without a screen: lines to type and sentences to hear, for screen readers and simple terminals
    #[arg(long, conflicts_with_all = ["watch", "theme"])]
    plain: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

/// Returns whether a source can only be a mistyped position ID: letters of both cases and digits, unlike file names
/// without extension.
fn is_nearly_an_id(source: &str) -> bool {
    let has = |is: fn(&u8) -> bool| source.bytes().any(|byte| is(&byte));
    let fits = source
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b"+/:".contains(&b));
    let (low, high) = (has(u8::is_ascii_lowercase), has(u8::is_ascii_uppercase));
    fits && low && high && has(u8::is_ascii_digit) && (12..=28).contains(&source.len())
}

impl Args {
    pub(super) fn run(self, definition: fn() -> clap::Command) -> Result<()> {
        let missing = self.sources.iter().filter(|s| !Path::new(s).exists());
        // A name that is not UTF-8 can only be a file.
        for source in missing.filter_map(|s| s.to_str()) {
            if notation::looks_like_id(source) {
                notation::parse_id(source).map_err(|e| misuse(format!("'{source}': {e}")))?;
            } else if is_nearly_an_id(source)
                && let Err(why) = notation::parse_id(source)
            {
                return Err(misuse(format!(
                    "'{source}': no such file, and no position ID: {why}"
                )));
            } else if source.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
                let definition = definition();
                if definition.find_subcommand(source).is_some() {
                    return Err(misuse(format!(
                        "'{source}' is a command: its options come after it (luckless {source} --help lists them)"
                    )));
                }
                let tip = suggestion(&definition, source);
                return Err(misuse(format!(
                    "'{source}' is neither a file, a position nor a command (luckless --help lists them){tip}"
                )));
            }
        }
        if self.plain {
            return plain::run(&self.sources, &self.nets, &self.cube, &self.threads);
        }
        for folder in &self.watch {
            must_be_folder(folder)?;
        }
        let Given {
            sources,
            first,
            folders,
        } = given(&self.sources);
        let may_be_empty = !self.sources.is_empty() && folders.len() == self.sources.len();
        tui::run(tui::StartOptions {
            sources,
            first,
            may_be_empty,
            watch: self.watch.into_iter().chain(folders).collect(),
            ..start_options(self.theme, &self.threads, &self.nets, &self.cube)?
        })?;
        Ok(())
    }
}

/// Maximum number of files of a folder among the sources.
const MOST_FILES: usize = 10_000;

/// The sources of the command line.
struct Given {
    /// The sources, with each folder replaced by its matches.
    sources: Vec<Openable>,
    /// Indices of sources to open first: in the given order; for a folder first its most recently saved match.
    first: Vec<usize>,
    folders: Vec<PathBuf>,
}

fn given(all: &[OsString]) -> Given {
    let (mut sources, mut first, mut folders) = (Vec::new(), Vec::new(), Vec::new());
    for (i, source) in all.iter().enumerate() {
        let path = Path::new(source);
        let from = sources.len();
        if path.is_dir() {
            let mut files = folder::match_files(path, &mut |error| say(&error));
            files.truncate(MOST_FILES);
            let saved = |path: &PathBuf| path.metadata().and_then(|meta| meta.modified()).ok();
            let mut newest: Vec<usize> = (0..files.len()).collect();
            newest.sort_by_cached_key(|&i| Reverse((saved(&files[i]), i)));
            // A folder without matches does not count as the first source.
            if i == folders.len() {
                first.extend(newest.into_iter().map(|i| from + i));
            }
            sources.extend(files.into_iter().map(Openable::File));
            folders.push(path.to_owned());
        } else {
            if i == folders.len() {
                first.push(from);
            }
            sources.push(Openable::given(source));
        }
    }
    Given {
        sources,
        first,
        folders,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    #[test]
    fn of_a_folder_the_match_saved_last_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        for (name, age) in [("a.mat", 50), ("b.mat", 10), ("c.mat", 90)] {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age))
                .unwrap();
        }
        let name = OsString::from(folder.path());
        let both = given(&[name.clone(), "4HPwATDgc/ABMA".into()]);
        assert_eq!(both.sources.len(), 4);
        // The others follow in case it is unreadable.
        assert_eq!(both.first, [1, 0, 2, 3]);
        assert_eq!(both.folders, [folder.path()]);
        let both = given(&["x.mat".into(), name]);
        assert_eq!(both.sources[0], Openable::File("x.mat".into()));
        assert_eq!(both.first, [0]);
    }
}
