//! Lists the match files in folders. [`FolderWatch`](super::FolderWatch) reports files saved later.
//!
//! Links inside a folder are ignored, because they may lead out of it or form a cycle; a link named as the folder
//! itself is followed. Hidden files and folders are ignored.

use std::path::{Path, PathBuf};

/// Extensions of match files.
const EXTENSIONS: [&str; 10] = [
    "mat", "txt", "sgf", "xg", "xgp", "bgf", "match", "gam", "json", "oldmoves",
];
/// Maximum depth of subfolders.
const DEEPEST: usize = 12;

/// Returns `paths` with each folder replaced by its match files.
pub fn with_folders(paths: &[PathBuf], trouble: &mut dyn FnMut(String)) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(match_files(path, trouble)),
            false => files.push(path.clone()),
        }
    }
    files
}

/// Returns the match files in a folder and its subfolders, by name. Unreadable folders are reported to `trouble`.
pub fn match_files(folder: &Path, trouble: &mut dyn FnMut(String)) -> Vec<PathBuf> {
    let mut troubles = |_: &Path, reason| trouble(reason);
    walk(folder, 0, &mut |_| Ok(()), &mut troubles)
}

/// Returns the match files in a folder at this `depth` and in its subfolders, by name. Calls `enter` for each folder
/// before reading it. Folders that cannot be entered or read are reported to `trouble`, with the reason.
pub(super) fn walk(
    folder: &Path,
    depth: usize,
    enter: &mut dyn FnMut(&Path) -> Result<(), String>,
    trouble: &mut dyn FnMut(&Path, String),
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let entered = enter(folder);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            trouble(folder, format!("{}: {error}", folder.display()));
            return found;
        }
    };
    if let Err(reason) = entered {
        trouble(folder, reason);
    }
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    all.sort();
    for path in all {
        let Ok(meta) = path.symlink_metadata() else {
            continue;
        };
        if is_hidden(&path) {
            continue;
        }
        if meta.is_dir() && depth < DEEPEST {
            found.extend(walk(&path, depth + 1, enter, trouble));
        } else if meta.is_file() && is_match_name(&path) {
            found.push(path);
        }
    }
    found
}

/// Returns whether a file of this name may be a match.
pub fn is_match_name(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    !is_hidden(path) && EXTENSIONS.contains(&&*extension.to_lowercase())
}

pub(super) fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn folders_are_searched_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("b");
        fs::create_dir(&below).unwrap();
        for name in ["c.mat", "a.SGF", "b/x.xg", "readme.md", ".hidden.mat"] {
            fs::write(folder.path().join(name), "x").unwrap();
        }
        let found = match_files(folder.path(), &mut |e| panic!("{e}"));
        let names = found.iter().map(|p| p.strip_prefix(folder.path()).unwrap());
        let names: Vec<&Path> = names.collect();
        assert_eq!(names, ["a.SGF", "b/x.xg", "c.mat"].map(Path::new));
        let mut troubles = 0;
        assert!(match_files(&below.join("none"), &mut |_| troubles += 1).is_empty());
        assert_eq!(troubles, 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_nowhere_but_at_the_top() {
        use std::os::unix::fs::symlink;
        let all = tempfile::tempdir().unwrap();
        let (inside, outside) = (all.path().join("in"), all.path().join("out"));
        for folder in [&inside, &outside] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("x.mat"), "x").unwrap();
        }
        symlink(&outside, inside.join("away")).unwrap();
        symlink(&inside, inside.join("round")).unwrap();
        symlink(outside.join("x.mat"), inside.join("y.mat")).unwrap();
        let find = |folder: &Path| match_files(folder, &mut |e| panic!("{e}"));
        assert_eq!(find(&inside), [inside.join("x.mat")]);
        let top = all.path().join("top");
        symlink(&inside, &top).unwrap();
        assert_eq!(find(&top), [top.join("x.mat")]);
    }
}
