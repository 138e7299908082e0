//! The file of answers of `luckless rollout --batch --out`: which jobs are answered in it, and how they
//! were asked.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, Read as _, Seek as _};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::rollout_options::SettingsDocument;
use crate::sanitize;
use crate::store::{RolloutLabel, file};

/// Longest answer that is read back, in bytes.
const LONGEST_ANSWER: u64 = 16 << 20;
/// How an answer begins.
const BEGINNING: &[u8] = br#"{"job":"#;
/// Why a file is not gone on with, nor written over.
const NO_ANSWERS: &str = "not a file of answers";

/// SHA-256 of all that decides an answer: the job, and the settings it was rolled out with.
pub(crate) type JobDigest = [u8; 32];

/// The answered jobs by their lines, with their digests.
pub(crate) type Answers = HashMap<usize, JobDigest>;

/// The job as its answer repeats it.
#[derive(Serialize, Deserialize)]
struct Question<Settings> {
    id: Option<Value>,
    position: String,
    dice: Option<String>,
    settings: Settings,
    plays: Vec<NamedPlay>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct NamedPlay {
    play: Option<String>,
}

/// Beginning of every answer.
#[derive(Deserialize)]
struct AnswerHead {
    job: usize,
    #[serde(rename = "position")]
    _position: String,
    error: Option<IgnoredAny>,
}

/// The digest of a job that is to be rolled out so.
pub(crate) fn job_digest(
    id: Option<&Value>,
    shown: &RolloutLabel,
    settings: SettingsDocument,
) -> Result<JobDigest> {
    let named = |play: &Option<String>| NamedPlay { play: play.clone() };
    // By way of its text, as numbers of an answer are read from one.
    digest_of_answer(&sanitize::to_json(&Question {
        id: id.cloned(),
        position: shown.position.clone(),
        dice: shown.dice.clone(),
        settings,
        plays: shown.plays.iter().map(named).collect(),
    })?)
}

/// The digest of the job of an answer, from the answer's line.
fn digest_of_answer(answer: &str) -> Result<JobDigest> {
    let mut question: Question<Value> = serde_json::from_str(answer)?;
    // Answers have the best play first.
    question.plays.sort_unstable();
    Ok(Sha256::digest(serde_json::to_vec(&question)?).into())
}

/// Opens the file of answers for this process alone, cuts off a line that was not finished, and tells which of
/// the jobs (by line, up to `most`) are answered. What is no file is only written to.
pub(crate) fn open(path: &Path, most: usize) -> Result<(File, Answers)> {
    if file::is_device(path) {
        return Ok((file::open_device(path)?, Answers::new()));
    }
    // Two at a time would cut off and answer what the other one writes.
    let Some(mut file) = file::open_to_add(path)? else {
        bail!(
            "another batch writes to it: wait until it has ended, or give another file for --out"
        );
    };
    let (whole, done) = read(&mut io::BufReader::new(&file), most)?;
    file.set_len(whole)?;
    file.seek(io::SeekFrom::End(0))?;
    Ok((file, done))
}

/// How many bytes of the answers are whole lines, and which jobs they answer.
pub(crate) fn read(lines: &mut impl BufRead, most: usize) -> Result<(u64, Answers)> {
    let (mut whole, mut done) = (0, Answers::new());
    let mut line = Vec::new();
    loop {
        line.clear();
        let room = LONGEST_ANSWER + 1;
        let length = lines.take(room).read_until(b'\n', &mut line)? as u64;
        if length == room {
            bail!(NO_ANSWERS);
        }
        if line.last() != Some(&b'\n') {
            let begun = line.len().min(BEGINNING.len());
            if line[..begun] != BEGINNING[..begun] {
                bail!(NO_ANSWERS);
            }
            return Ok((whole, done));
        }
        whole += length;
        let text = str::from_utf8(&line).context(NO_ANSWERS)?;
        let head: AnswerHead = serde_json::from_str(text).context(NO_ANSWERS)?;
        // Refused jobs are tried again.
        if head.error.is_none() && head.job <= most {
            done.insert(head.job, digest_of_answer(text).context(NO_ANSWERS)?);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    const REFUSED: &str = "{\"job\":1,\"position\":\"x\",\"error\":\"why\"}\n";

    /// The same command started twice must not spoil what the first one writes.
    #[test]
    fn a_file_of_answers_has_one_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        std::fs::write(&path, format!("{REFUSED}{{\"job\":2,\"pos")).unwrap();
        let (mut file, done) = open(&path, 9).unwrap();
        assert!(done.is_empty());
        let error = open(&path, 9).unwrap_err().to_string();
        assert_has!(error, "another batch writes to it");
        file.write_all(REFUSED.as_bytes()).unwrap();
        drop(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, REFUSED.repeat(2), "the begun line is cut off");
        open(&path, 9).unwrap();
    }

    /// Without locks what others have written meanwhile is not written over.
    #[cfg(unix)]
    #[test]
    fn answers_are_appended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out");
        let (mut file, _) = open(&path, 9).unwrap();
        std::fs::write(&path, REFUSED.repeat(3)).unwrap();
        file.write_all(REFUSED.as_bytes()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, REFUSED.repeat(4));
    }
}
