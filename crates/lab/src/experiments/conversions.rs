//! Finds silent losses of conversions: damaged files are written in every format and read back.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::fuzz::{Source, make, sources};
use crate::match_file::write::Target;
use crate::match_file::{self, Match};

/// The formats to write.
pub(super) const TARGETS: [Target; 4] = [Target::Mat, Target::Text, Target::Sgf, Target::Json];

/// Returns the first difference between a match and its reread copy, as a path in its JSON document. Tags are
/// compared only by [`Target::left_out`], because a date may be written differently.
pub(super) fn change(record: &Match, again: &Match) -> Option<String> {
    let document = |record: &Match| -> Value {
        let record = without_plain_points(record.clone());
        serde_json::from_str(&Target::Json.write(&record)).unwrap_or_default()
    };
    differing(&document(record), &document(again))
}

/// Removes explicit points that equal those of the result: some formats cannot store them.
fn without_plain_points(mut record: Match) -> Match {
    for game in &mut record.games {
        let won = game.result.map(|result| result.points);
        game.points_written = game.points_written.filter(|&points| Some(points) != won);
    }
    let others = std::mem::take(&mut record.others);
    record.others = others.into_iter().map(without_plain_points).collect();
    record
}

fn differing(had: &Value, has: &Value) -> Option<String> {
    match (had, has) {
        (Value::Object(had), Value::Object(has)) => {
            let keys = had
                .keys()
                .chain(has.keys().filter(|key| !had.contains_key(*key)));
            let mut keys = keys.filter(|key| *key != "tags");
            keys.find_map(|key| {
                let null = Value::Null;
                let both = [had, has].map(|one| one.get(key).unwrap_or(&null));
                let inner = differing(both[0], both[1])?;
                Some(format!("{key} {inner}"))
            })
        }
        (Value::Array(had), Value::Array(has)) if had.len() == has.len() => had
            .iter()
            .zip(has)
            .find_map(|(had, has)| differing(had, has)),
        (Value::Array(had), Value::Array(has)) => {
            Some(format!("({} entries, not {})", has.len(), had.len()))
        }
        _ => (had != has).then(|| format!("({has}, not {had})")),
    }
}

/// Results for the damaged files of a reader.
#[derive(Clone, Debug, Default)]
pub struct ConversionTally {
    /// Files that could be read.
    pub read: u64,
    /// Of these, files that some format changes silently.
    pub changed: u64,
    /// Of these, files read without a warning.
    pub silent: u64,
    /// Changes by format and path, each with their number and the first file.
    pub kinds: BTreeMap<String, (u64, Vec<u8>)>,
}

/// Damages the bundled files, and those of `folder`, in `cases` ways for each reader.
pub fn run(
    seed: u64,
    cases: u64,
    folder: Option<&Path>,
) -> BTreeMap<&'static str, ConversionTally> {
    let mut by_reader: BTreeMap<&'static str, Vec<Source>> = BTreeMap::new();
    for source in sources()
        .into_iter()
        .chain(folder.into_iter().flat_map(files))
    {
        by_reader.entry(source.reader()).or_default().push(source);
    }
    let mut tallies = BTreeMap::new();
    for (reader, sources) in by_reader {
        let tally: &mut ConversionTally = tallies.entry(reader).or_default();
        for case in 0..cases {
            let (_, bytes) = make(&sources, seed, case);
            try_one(&bytes, tally);
        }
    }
    tallies
}

/// Returns the files of a folder, by the reader of their extension.
fn files(folder: &Path) -> Vec<Source> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let source = |path: &std::path::PathBuf| {
        let reader = match path.extension()?.to_str()? {
            "mat" => "mat",
            "txt" => "txt",
            "sgf" => "sgf",
            "match" => "javafibs",
            _ => return None,
        };
        Some(Source::File(reader, std::fs::read(path).ok()?))
    };
    paths.iter().filter_map(source).collect()
}

fn try_one(bytes: &[u8], tally: &mut ConversionTally) {
    let Ok(record) = match_file::read_bytes(bytes, "case") else {
        return;
    };
    tally.read += 1;
    let changes: Vec<String> = TARGETS
        .into_iter()
        .filter_map(|target| {
            let written = target.write(&record);
            let is_told = !target.left_out(&record, &written).is_empty();
            let again = match_file::read_bytes(written.as_bytes(), "again").ok()?;
            let what = change(&record, &again).filter(|_| !is_told)?;
            let place = what.split('(').next().unwrap_or_default();
            Some(format!("{target:?}: {place}"))
        })
        .collect();
    let is_silent = record.warnings.is_empty();
    tally.changed += u64::from(!changes.is_empty());
    tally.silent += u64::from(!changes.is_empty() && is_silent);
    for change in changes {
        let kind = tally.kinds.entry(change).or_insert((0, bytes.to_vec()));
        kind.0 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Prints silent changes and saves a file of each kind: `LUCKLESS_CONVERSIONS` names their folder,
    /// `LUCKLESS_CASES` the number of files per reader, and `LUCKLESS_CORPUS` a folder with further files.
    #[test]
    #[ignore = "takes long, and is to be read"]
    fn conversions_of_damaged_files() {
        let variable = |name: &str| std::env::var(name).ok();
        let cases = variable("LUCKLESS_CASES").map_or(1000, |cases| cases.parse().unwrap());
        let corpus = variable("LUCKLESS_CORPUS");
        let kept = variable("LUCKLESS_CONVERSIONS");
        for (reader, tally) in run(1, cases, corpus.as_deref().map(Path::new)) {
            let ConversionTally {
                read,
                changed,
                silent,
                kinds,
            } = tally;
            println!(
                "{reader}: {read} of {cases} read, {changed} changed, {silent} without a word"
            );
            for (i, (kind, (count, bytes))) in kinds.into_iter().enumerate() {
                println!("    {i} {kind}× {count}");
                if let Some(folder) = &kept {
                    std::fs::write(format!("{folder}/{reader}-{i}"), bytes).unwrap();
                }
            }
        }
    }
}
