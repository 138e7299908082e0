//! `luckless` without a subcommand: the workstation.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;

use super::options::{CubeModel, Nets, Threads};
use super::usage::{misuse, say, suggestion};
use crate::notation;
use crate::store::{Places, folder};
use crate::tui;

/// What to open, and how.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Match files, folders of them, and positions (XGID, GNUBG position ID, POSITION:MATCH)
    /// [default: a sample]
    #[arg(value_name = "PATH|ID")]
    sources: Vec<String>,
    /// Announce matches that are saved in FOLDER meanwhile, as in every folder that is opened
    #[arg(long, value_name = "FOLDER")]
    watch: Vec<PathBuf>,
    /// Theme by name, instead of the one in the settings
    #[arg(long, value_name = "NAME")]
    theme: Option<String>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        for source in self.sources.iter().filter(|s| !Path::new(s).exists()) {
            if tui::open::looks_like_id(source) {
                notation::parse_id(source).map_err(|e| misuse(format!("'{source}': {e}")))?;
            } else if source.bytes().all(|b| b.is_ascii_lowercase() || b == b'-') {
                let tip = suggestion(&super::definition(), source);
                return Err(misuse(format!(
                    "'{source}' is neither a file, a position nor a command{tip}; see luckless --help"
                )));
            }
        }
        if let Some(wrong) = self.watch.iter().find(|folder| !folder.is_dir()) {
            return Err(misuse(format!("{}: not a folder", wrong.display())));
        }
        let (sources, first, folders) = opened(&self.sources);
        tui::run(tui::Options {
            threads: self.threads.number().get(),
            evaluator: Arc::new(self.nets.engine()?),
            model: Arc::new(self.cube.load()?),
            no_crawford: self.cube.no_crawford(),
            places: Places::of_user(),
            theme: self.theme,
            sources,
            first,
            watch: self.watch.into_iter().chain(folders).collect(),
        })?;
        Ok(())
    }
}

/// Most files of a folder that are opened one after the other.
const MOST: usize = 10_000;

/// What there is to open, the place of what is opened first, and the folders among what was given: a
/// folder stands for the matches in it, and the one saved last is opened.
fn opened(given: &[String]) -> (Vec<String>, usize, Vec<PathBuf>) {
    let (mut sources, mut folders) = (Vec::new(), Vec::new());
    let mut first = 0;
    for source in given {
        let path = Path::new(source);
        if !path.is_dir() {
            sources.push(source.clone());
            continue;
        }
        let mut files = folder::match_files(path, &mut |error| say(&error));
        files.truncate(MOST);
        let saved = |path: &PathBuf| path.metadata().and_then(|meta| meta.modified()).ok();
        let newest = (0..files.len()).max_by_key(|&i| saved(&files[i]));
        if sources.is_empty() {
            first = newest.unwrap_or(0);
        }
        sources.extend(files.iter().map(|file| file.display().to_string()));
        folders.push(path.to_owned());
    }
    (sources, first, folders)
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
        let name = folder.path().display().to_string();
        let (sources, first, folders) = opened(&[name.clone(), "4HPwATDgc/ABMA".into()]);
        assert_eq!(sources.len(), 4);
        assert!(sources[first].ends_with("b.mat"));
        assert_eq!(folders, [folder.path()]);
        let (sources, first, _) = opened(&["x.mat".into(), name]);
        assert_eq!((sources[0].as_str(), first), ("x.mat", 0));
    }
}
