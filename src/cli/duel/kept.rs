//! Stores the pairs of a duel in a file: a line for the conditions, then a line for each pair.
//!
//! Each line is written at once, so that a killed duel loses only unfinished games. A last line without a line end is
//! removed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::print::Conditions;
use crate::cli::common::usage::misuse;
use crate::duel::{DuelRules, PairRecord};
use crate::sanitize;
use crate::store::file;

/// Maximum length of a line in bytes.
const LONGEST: u64 = 64 << 10;

/// The file and its pairs.
pub(super) struct Kept {
    file: File,
    path: PathBuf,
    records: BTreeMap<u64, PairRecord>,
}

impl Kept {
    /// Opens or creates the file of a duel under these conditions.
    pub(super) fn open(path: &Path, conditions: &Conditions, rules: &DuelRules) -> Result<Self> {
        let name = path.display().to_string();
        let file = file::open_to_add(path).with_context(|| name.clone())?;
        let Some(file) = file else {
            bail!("{name}: another duel writes to it");
        };
        let mut kept = Self {
            file,
            path: path.to_owned(),
            records: BTreeMap::new(),
        };
        kept.read(conditions, rules).with_context(|| name)?;
        Ok(kept)
    }

    fn read(&mut self, conditions: &Conditions, rules: &DuelRules) -> Result<()> {
        let wanted = serde_json::to_value(conditions)?;
        let mut lines = BufReader::new(&self.file);
        let mut whole = 0;
        let mut number = 0;
        loop {
            let mut line = Vec::new();
            let read = lines.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
            if line.last() != Some(&b'\n') {
                let is_ours = number > 0 || wanted_begins(&wanted, &line);
                if read as u64 == LONGEST || !is_ours {
                    return Err(misuse("is no file of a duel: it is not written over"));
                }
                break;
            }
            number += 1;
            if number == 1 {
                let found: Option<Value> = serde_json::from_slice(&line).ok();
                let found = found.filter(|found| found.get("luckless_duel").is_some());
                let Some(found) = found else {
                    return Err(misuse("is no file of a duel: it is not written over"));
                };
                differs(&found, &wanted)?;
            } else {
                let record: PairRecord = serde_json::from_slice(&line)
                    .ok()
                    .filter(|r: &PairRecord| r.is_sound(rules.most(), rules.luck_bound))
                    .with_context(|| format!("line {number} is damaged"))?;
                if record.is_played() {
                    self.records.insert(record.pair, record);
                }
            }
            whole += read as u64;
        }
        self.file.set_len(whole)?;
        self.file.seek(SeekFrom::End(0))?;
        if number == 0 {
            let mut line = sanitize::to_json(&wanted)?;
            line.push('\n');
            self.file.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Takes the pairs found in the file.
    pub(super) fn take_records(&mut self) -> BTreeMap<u64, PairRecord> {
        std::mem::take(&mut self.records)
    }

    pub(super) fn add(&mut self, record: &PairRecord) -> Result<()> {
        let mut line = sanitize::to_json(record)?;
        line.push('\n');
        let written = self.file.write_all(line.as_bytes());
        written.with_context(|| self.path.display().to_string())
    }
}

/// Returns whether an incomplete first line may be the wanted one.
fn wanted_begins(wanted: &Value, line: &[u8]) -> bool {
    sanitize::to_json(wanted).is_ok_and(|text| text.as_bytes().starts_with(line))
}

/// Refuses a file with other conditions, naming the difference.
fn differs(found: &Value, wanted: &Value) -> Result<()> {
    let (Some(found), Some(wanted)) = (found.as_object(), wanted.as_object()) else {
        return Err(misuse("is no file of a duel"));
    };
    for key in wanted.keys().chain(found.keys()) {
        let (theirs, ours) = (found.get(key), wanted.get(key));
        if theirs != ours {
            let shown = |value: Option<&Value>| value.map_or("nothing".into(), Value::to_string);
            return Err(misuse(format!(
                "is of another duel: {key} is {}, not {}; name another file",
                shown(theirs),
                shown(ours)
            )));
        }
    }
    Ok(())
}
