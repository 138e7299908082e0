//! `luckless library remove`: matches taken out.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;

use super::place::Library;
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::store::file::{real_path, whole_path};
use crate::store::library::LibraryFile;

const EXAMPLES: &str = "\
Examples:
  luckless library remove 17 18
  luckless library remove ~/matches/final.xg
  luckless library remove ~/matches/club

Numbers are those of `luckless library list`. The files stay where they are; matches that were removed stay \
out when their folder is added again, and come back when their file is named.";

/// Take matches out; their files stay
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Numbers of matches, files, or folders
    #[arg(value_name = "MATCH", required = true)]
    matches: Vec<PathBuf>,
    /// Machine output: one JSON document
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        let mut store = self.library.open_there()?;
        let files = store.files(&mut |_| {})?;
        let known: BTreeSet<i64> = store
            .matches(&mut |_| {})?
            .iter()
            .map(|one| one.id)
            .collect();
        let (mut gone, mut forgotten) = (BTreeSet::new(), Vec::new());
        for path in &self.matches {
            // A library of before has files under the paths that they were named by.
            let paths = [real_path(path), whole_path(path)];
            let is_within =
                |file: &&LibraryFile| paths.iter().any(|path| file.path.starts_with(path));
            let within = files.iter().filter(is_within);
            let within: Vec<&LibraryFile> = within.collect();
            let of_files = within.iter().flat_map(|file| file.state.matches()).copied();
            let of_files: Vec<i64> = of_files.collect();
            let unread = within.iter().filter(|file| file.is_unread());
            let unread: Vec<PathBuf> = unread.map(|file| file.path.clone()).collect();
            match path.to_str().unwrap_or_default().parse() {
                Ok(id) if known.contains(&id) => _ = gone.insert(id),
                _ if !of_files.is_empty() || !unread.is_empty() => {
                    gone.extend(of_files);
                    forgotten.extend(unread);
                }
                _ => {
                    let path = path.display();
                    return Err(misuse(format!("{path}: no match of the library")));
                }
            }
        }
        let gone: Vec<i64> = gone.into_iter().filter(|id| known.contains(id)).collect();
        store.remove(&gone)?;
        let forgotten = store.forget_failed(&forgotten)?;
        if self.json {
            return output::json(&serde_json::json!({"removed": gone}));
        }
        output::text(&told(gone.len(), forgotten))
    }
}

/// What was taken out, and how many files are forgotten that could not be read.
fn told(gone: usize, forgotten: usize) -> String {
    let es = if gone == 1 { "" } else { "es" };
    let files = match forgotten {
        0 => String::new(),
        1 => "; 1 file that could not be read is forgotten".to_owned(),
        n => format!("; {n} files that could not be read are forgotten"),
    };
    format!("{gone} match{es} removed{files}\n")
}
