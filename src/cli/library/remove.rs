//! `luckless library remove`: removes matches.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Result;

use super::place::Library;
use crate::cli::common::output;
use crate::cli::common::usage::misuse;
use crate::store::file::{real_path, whole_path};
use crate::store::library::LibraryFile;
use crate::words::counted_as;

const EXAMPLES: &str = "\
Examples:
  luckless library remove 17 18
  luckless library remove ~/matches/final.xg
  luckless library remove ~/matches/club

Numbers are those of `luckless library list`. The files stay where they are; matches that were removed stay \
out when their folder is added again, and come back when their file is named. A match of a folder stays if it is in a \
file elsewhere, too.";

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
        let known = store.numbers()?;
        let (mut gone, mut forgotten) = (BTreeSet::new(), Vec::new());
        let mut left = Vec::new();
        for path in &self.matches {
            // Older libraries may store paths as they were typed.
            let paths = [real_path(path), whole_path(path)];
            let is_within =
                |file: &&LibraryFile| paths.iter().any(|path| file.path.starts_with(path));
            let within = files.iter().filter(is_within);
            let within: Vec<&LibraryFile> = within.collect();
            let has_matches = within.iter().any(|file| !file.state.matches().is_empty());
            let unread = within.iter().filter(|file| file.is_unread());
            let unread: Vec<PathBuf> = unread.map(|file| file.path.clone()).collect();
            match path.to_str().unwrap_or_default().parse() {
                Ok(id) if known.contains(&id) => _ = gone.insert(id),
                _ if has_matches || !unread.is_empty() => {
                    for file in within {
                        match paths.contains(&file.path) {
                            true => gone.extend(file.state.matches()),
                            false => left.push(file.path.clone()),
                        }
                    }
                    forgotten.extend(unread);
                }
                _ => {
                    let path = path.display();
                    return Err(misuse(format!("{path}: no match of the library")));
                }
            }
        }
        // With a folder, a match is removed only if all its files are in the folder; files elsewhere may be copies.
        let has = |path: &PathBuf| left.contains(path);
        let matches_of = |file: &LibraryFile| file.state.matches().to_vec();
        let (named, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| has(&file.path));
        let elsewhere: BTreeSet<i64> = others.into_iter().flat_map(matches_of).collect();
        let of_named: BTreeSet<i64> = named.into_iter().flat_map(matches_of).collect();
        let stays = of_named
            .intersection(&elsewhere)
            .filter(|id| !gone.contains(id));
        let stays: Vec<i64> = stays.copied().filter(|id| known.contains(id)).collect();
        gone.extend(of_named.difference(&elsewhere));
        let gone: Vec<i64> = gone.into_iter().filter(|id| known.contains(id)).collect();
        store.remove(&gone)?;
        store.forget_files(&left)?;
        let forgotten = store.forget_failed(&forgotten)?;
        if self.json {
            return output::json(&serde_json::json!({"removed": gone, "kept": stays}));
        }
        output::text(&summary(gone.len(), stays.len(), forgotten))
    }
}

/// Describes how many matches were removed, how many stay with their other files, and how many unreadable files were
/// forgotten.
fn summary(gone: usize, stays: usize, forgotten: usize) -> String {
    let matches = |n: usize| counted_as(n, ["match", "matches"]);
    let kept = match stays {
        0 => String::new(),
        n => format!("; {} in other files too, and stay", matches(n)),
    };
    let files = match forgotten {
        0 => String::new(),
        1 => "; 1 file that could not be read is forgotten".to_owned(),
        n => format!("; {n} files that could not be read are forgotten"),
    };
    format!("{} removed{kept}{files}\n", matches(gone))
}
