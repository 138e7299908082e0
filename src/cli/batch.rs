//! `luckless rollout --batch`: many positions, one after the other.
//!
//! A job is a line of JSON, its answer another one, in the order in which they are finished. Each
//! is rolled out by one thread, several at a time, so that no core waits for the end of a rollout.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Read as _, Seek as _, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::options::Id;
use super::rollout_choice::{Chosen, RolloutRequest};
use super::rollout_files::RolloutFiles;
use super::rollout_options::{RolloutOptions, SettingsDocument};
use super::rollout_print::document;
use super::rollout_run::EndedRollout;
use super::signals::asked_to_end;
use super::usage::{message_of, misuse};
use crate::game::{Position, Roll};
use crate::rollout::{Settings, Setup, run_blocking};
use crate::sanitize;
use crate::store::{RolloutLabel, file};

/// A position to roll out, as it stands in a line.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct BatchJob {
    position: String,
    dice: Option<String>,
    #[serde(default)]
    plays: Vec<String>,
    top: Option<u16>,
    #[serde(default)]
    initial: bool,
    #[serde(default)]
    cube_decision: bool,
    trials: Option<u64>,
    seed: Option<u64>,
    /// Given back in the answer.
    id: Option<Value>,
}

/// An answer as it stands in a line: to which job, and its figures or why there are none.
#[derive(Serialize)]
struct JobAnswer<A> {
    job: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Value>,
    #[serde(flatten)]
    answer: A,
}

#[derive(Serialize)]
struct Refusal {
    position: String,
    error: String,
}

/// Answers the jobs in `jobs` (`-`: stdin) into `out`, or onto stdout.
pub(super) fn run(options: &RolloutOptions, jobs: &Path, out: Option<&Path>) -> Result<()> {
    if options.has_time_limit() {
        return Err(misuse("--batch counts trials: leave out --stop seconds"));
    }
    if options.keeps() {
        return Err(misuse(
            "--batch keeps its answers in --out: leave out --store, --checkpoint, --shard and \
             --trials-out",
        ));
    }
    if options.bias_check.is_some() {
        return Err(misuse("--bias-check is for a single rollout"));
    }
    let text = text_of(jobs)?;
    let lines = text.lines().enumerate();
    let jobs: Vec<(usize, &str)> = lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(i, line)| (i + 1, line))
        .collect();
    let most = text.lines().count();
    let (sink, done): (Box<dyn Write + Send>, HashMap<usize, String>) = match out {
        Some(path) => {
            let (file, done) = open(path, most).with_context(|| path.display().to_string())?;
            (Box::new(file), done)
        }
        None => (Box::new(io::stdout()), HashMap::new()),
    };
    for (number, line) in &jobs {
        let position = serde_json::from_str::<BatchJob>(line).map(|job| job.position);
        if let (Some(old), Ok(new)) = (done.get(number), position)
            && *old != new
        {
            bail!("the answers are of other jobs: job {number} was about {old:?}");
        }
    }
    let left: Vec<(usize, &str)> = jobs
        .into_iter()
        .filter(|(number, _)| !done.contains_key(number))
        .collect();
    Batch {
        options,
        files: options.files()?,
        left,
        next: AtomicUsize::new(0),
        sink: Mutex::new(sink),
        stopped: asked_to_end()?,
        failed: Mutex::new(None),
    }
    .run()
}

/// The jobs, of a file or of stdin.
fn text_of(jobs: &Path) -> Result<String> {
    if jobs != Path::new("-") {
        return Ok(String::from_utf8_lossy(&file::read(jobs, file::LIMIT)?).into_owned());
    }
    let mut bytes = Vec::new();
    let stdin = io::stdin().lock();
    let read = stdin.take(file::LIMIT + 1).read_to_end(&mut bytes);
    read.context("stdin")?;
    if bytes.len() as u64 > file::LIMIT {
        bail!("stdin: larger than {} bytes", file::LIMIT);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Longest answer that is read back, in bytes.
const LONGEST_ANSWER: u64 = 16 << 20;

/// What is read back of an answer.
#[derive(Deserialize)]
struct Answered {
    job: usize,
    position: String,
    error: Option<IgnoredAny>,
}

/// Opens the file of answers, cuts off a line that was not finished, and tells which of the jobs (by
/// line, up to `most`) are answered, and their positions. What is no file is only written to.
fn open(path: &Path, most: usize) -> Result<(File, HashMap<usize, String>)> {
    if file::is_device(path) {
        return Ok((file::open_device(path)?, HashMap::new()));
    }
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let (whole, done) = answered(&mut io::BufReader::new(&file), most)?;
    file.set_len(whole)?;
    file.seek(io::SeekFrom::End(0))?;
    Ok((file, done))
}

/// How many bytes of the answers are whole lines, and which jobs they answer.
fn answered(lines: &mut impl BufRead, most: usize) -> Result<(u64, HashMap<usize, String>)> {
    let (mut whole, mut done) = (0, HashMap::new());
    let mut line = Vec::new();
    loop {
        line.clear();
        let room = LONGEST_ANSWER + 1;
        let length = lines.take(room).read_until(b'\n', &mut line)? as u64;
        if length == room {
            bail!("not a file of answers");
        }
        if line.last() != Some(&b'\n') {
            return Ok((whole, done));
        }
        whole += length;
        let answer: Answered = serde_json::from_slice(&line).context("not a file of answers")?;
        // Refused jobs are tried again.
        if answer.error.is_none() && answer.job <= most {
            done.insert(answer.job, answer.position);
        }
    }
}

struct Batch<'a> {
    options: &'a RolloutOptions,
    files: RolloutFiles,
    left: Vec<(usize, &'a str)>,
    next: AtomicUsize,
    sink: Mutex<Box<dyn Write + Send>>,
    stopped: Arc<AtomicBool>,
    failed: Mutex<Option<anyhow::Error>>,
}

impl Batch<'_> {
    fn run(self) -> Result<()> {
        let threads = self.options.threads.number().get();
        let batch = &self;
        std::thread::scope(|scope| -> Result<()> {
            for _ in 0..threads.min(batch.left.len()) {
                std::thread::Builder::new()
                    .spawn_scoped(scope, || batch.work())
                    .context("cannot start worker threads")?;
            }
            Ok(())
        })?;
        let failed = self
            .failed
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match failed {
            Some(error) => Err(error),
            None if self.stopped.load(Ordering::Relaxed) => bail!("interrupted"),
            None => Ok(()),
        }
    }

    fn work(&self) {
        while !self.stopped.load(Ordering::Relaxed) {
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(number, line)) = self.left.get(place) else {
                break;
            };
            let Some(answer) = self.answer(number, line) else {
                break;
            };
            let written = {
                let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
                // In one piece, so that only a kill in the middle can leave half a line.
                let line = answer.map(|line| format!("{line}\n"));
                line.map_err(io::Error::from)
                    .and_then(|line| sink.write_all(line.as_bytes()))
                    .and_then(|()| sink.flush())
            };
            if let Err(error) = written {
                self.stopped.store(true, Ordering::Relaxed);
                let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
                failed.get_or_insert(error.into());
            }
        }
    }

    /// The answer; `None` when it was interrupted.
    fn answer(&self, number: usize, line: &str) -> Option<serde_json::Result<String>> {
        let job: BatchJob = match serde_json::from_str(line) {
            Ok(job) => job,
            Err(error) => return Some(refusal(number, None, &error.into())),
        };
        match self.roll_out(number, &job) {
            Ok(answer) => answer.map(|answer| sanitize::to_json(&answer)),
            Err(error) => Some(refusal(number, Some(job), &error)),
        }
    }

    fn roll_out(
        &self,
        number: usize,
        job: &BatchJob,
    ) -> Result<Option<JobAnswer<impl Serialize + use<>>>> {
        let PreparedJob {
            setup,
            candidates,
            shown,
            settings,
        } = prepare(self.options, &self.files, job)?;
        let described = SettingsDocument {
            evaluator: setup.name(&settings),
            settings: settings.clone(),
        };
        let going = || !self.stopped.load(Ordering::Relaxed);
        let result = run_blocking(&setup, &candidates, &settings, &mut |_| going())?;
        if !going() {
            return Ok(None);
        }
        let outcome = EndedRollout {
            result: Arc::new(result),
            described,
            unsaved: None,
            from: 0,
            bias: None,
        };
        Ok(Some(JobAnswer {
            job: number,
            id: job.id.clone(),
            answer: document(&outcome, &shown),
        }))
    }
}

/// A job that is read and checked, to be rolled out.
struct PreparedJob {
    setup: Setup,
    candidates: Vec<Position>,
    shown: RolloutLabel,
    settings: Settings,
}

fn prepare(options: &RolloutOptions, files: &RolloutFiles, job: &BatchJob) -> Result<PreparedJob> {
    let id: Id = job.position.parse()?;
    let dice: Option<Roll> = job.dice.as_deref().map(str::parse).transpose()?;
    let model = options.model(files, &id.state)?;
    let wanted = RolloutRequest {
        id: &id,
        dice,
        plays: &job.plays,
        top: job.top,
        initial: job.initial,
        cube_decision: job.cube_decision,
        asks_about_cube: options.asks_about_cube(&id.state),
    };
    let Chosen {
        situation,
        candidates,
        shown,
    } = wanted.choose(files.engine(), model.as_deref())?;
    let setup = options.setup(files, situation)?;
    let mut settings = options.settings(&setup, situation);
    settings.stop.trials = job.trials.unwrap_or(settings.stop.trials);
    settings.seed = job.seed.unwrap_or(settings.seed);
    Ok(PreparedJob {
        setup,
        candidates,
        shown,
        settings,
    })
}

/// The answer to a job that is refused; none if it would be rolled out.
pub(super) fn refuse(options: &RolloutOptions, files: &RolloutFiles, line: &str) -> Option<String> {
    let answer = match serde_json::from_str::<BatchJob>(line) {
        Err(error) => refusal(1, None, &error.into()),
        Ok(job) => {
            let error = prepare(options, files, &job).err()?;
            refusal(1, Some(job), &error)
        }
    };
    answer.ok()
}

/// Reads the answers of an earlier run, as [`run`] does where `--out` names them.
pub(super) fn check_answers(mut bytes: &[u8]) -> Result<()> {
    answered(&mut bytes, usize::MAX).map(drop)
}

fn refusal(
    number: usize,
    job: Option<BatchJob>,
    error: &anyhow::Error,
) -> serde_json::Result<String> {
    let (position, id) = job.map(|job| (job.position, job.id)).unwrap_or_default();
    sanitize::to_json(&JobAnswer {
        job: number,
        id,
        answer: Refusal {
            position,
            error: message_of(error),
        },
    })
}
