//! `luckless rollout --batch`: many positions, one after the other.
//!
//! A job is a line of JSON or of a list of positions, its answer a line of JSON, in the order in which they are
//! finished. Each is rolled out by one thread, several at a time, so that no core waits for the end of a rollout.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::batch_answers::{self, Answers, JobDigest};
use super::rollout_choice::{Chosen, RolloutRequest};
use super::rollout_files::RolloutFiles;
use super::rollout_options::{RolloutOptions, SettingsDocument};
use super::rollout_print::document;
use super::rollout_run::EndedRollout;
use crate::cli::common::options::Id;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::stdin;
use crate::cli::common::usage::{message_of, misuse};
use crate::game::{Position, Roll};
use crate::locks::{lock, unlocked};
use crate::match_file::list_entry;
use crate::rollout::{Settings, Setup, run_blocking};
use crate::sanitize::{self, without_mark};
use crate::store::{RolloutLabel, file};

/// A position to roll out, as it stands in a line.
#[derive(Debug, Default, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "a job such as {\"position\":\"4HPwATDgc/ABMA\"}"
)]
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

impl BatchJob {
    /// The job in a line.
    fn read(line: &str) -> serde_json::Result<Self> {
        Self::listed(line).map_or_else(|| serde_json::from_str(line), Ok)
    }

    /// A line of a list of positions: an ID, and a remark, which the answer gives back.
    fn listed(line: &str) -> Option<Self> {
        let (position, remark) = list_entry(line).filter(|_| !is_json(line))?;
        Some(Self {
            position: position.to_owned(),
            id: remark.map(|remark| remark.into_string().into()),
            ..Self::default()
        })
    }
}

/// Returns whether a line is JSON. No ID begins like JSON.
fn is_json(line: &str) -> bool {
    line.trim_start().starts_with(['{', '[', '"'])
}

/// Fields that identify the job of a refused line.
#[derive(Default, Deserialize)]
struct JobName {
    position: Option<Value>,
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
pub(crate) fn run(options: &RolloutOptions, jobs: &Path, out: Option<&Path>) -> Result<()> {
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
        // A line that begins with # is a remark, as in lists of positions.
        .filter(|(_, line)| !matches!(line.trim_start().chars().next(), None | Some('#')))
        .map(|(i, line)| (i + 1, line))
        .collect();
    let most = text.lines().count();
    let (sink, done): (Box<dyn Write + Send>, Answers) = match out {
        Some(path) => {
            let opened = batch_answers::open(path, most);
            let (file, done) = opened.with_context(|| path.display().to_string())?;
            (Box::new(file), done)
        }
        None => (Box::new(io::stdout()), Answers::new()),
    };
    let files = options.files()?;
    let (answered, left): (Vec<_>, Vec<_>) = jobs
        .into_iter()
        .partition(|(number, _)| done.contains_key(number));
    let other = answered.par_iter().find_map_first(|(number, line)| {
        let now = digest_of_line(options, &files, line).ok();
        (now.as_ref() != done.get(number)).then_some(number)
    });
    if let Some(number) = other {
        bail!(
            "the answers are of other jobs, or made with other options: job {number} would be answered \
             differently now; give another file for --out"
        );
    }
    Batch {
        options,
        out,
        files,
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
    let bytes = match stdin::is_meant(jobs) {
        true => stdin::read(file::LIMIT)?,
        false => file::read(jobs, file::LIMIT)?,
    };
    Ok(without_mark(&String::from_utf8_lossy(&bytes)).to_owned())
}

struct Batch<'a> {
    options: &'a RolloutOptions,
    /// The file of the answers; none where they go to stdout.
    out: Option<&'a Path>,
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
        match unlocked(self.failed) {
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
                let mut sink = lock(&self.sink);
                // In one piece, so that only a kill in the middle can leave half a line.
                let line = answer.map(|line| format!("{line}\n"));
                line.map_err(io::Error::from)
                    .and_then(|line| sink.write_all(line.as_bytes()))
                    .and_then(|()| sink.flush())
            };
            if let Err(error) = written {
                self.stopped.store(true, Ordering::Relaxed);
                let mut failed = lock(&self.failed);
                let error = anyhow::Error::from(error);
                failed.get_or_insert(match self.out {
                    Some(path) => error.context(path.display().to_string()),
                    None => error,
                });
            }
        }
    }

    /// The answer; `None` when it was interrupted.
    fn answer(&self, number: usize, line: &str) -> Option<serde_json::Result<String>> {
        let job = match BatchJob::read(line) {
            Ok(job) => job,
            Err(error) => return Some(unreadable(number, line, &error)),
        };
        match self.roll_out(number, &job) {
            Ok(answer) => answer.map(|answer| sanitize::to_json(&answer)),
            Err(error) => Some(refusal(number, job.position, job.id, &error)),
        }
    }

    fn roll_out(
        &self,
        number: usize,
        job: &BatchJob,
    ) -> Result<Option<JobAnswer<impl Serialize + use<>>>> {
        let prepared = prepare(self.options, &self.files, job)?;
        let described = prepared.described();
        let PreparedJob {
            setup,
            candidates,
            shown,
            settings,
        } = prepared;
        let going = || !self.stopped.load(Ordering::Relaxed);
        let result = run_blocking(&setup, &candidates, &settings, &mut |_| going())?;
        if !going() {
            return Ok(None);
        }
        let outcome = EndedRollout::new(Arc::new(result), described);
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

impl PreparedJob {
    /// The settings as an answer has them.
    fn described(&self) -> SettingsDocument {
        SettingsDocument::seen(&self.setup, &self.settings, self.shown.is_before_roll())
    }
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

/// The digest of the job in `line`.
fn digest_of_line(options: &RolloutOptions, files: &RolloutFiles, line: &str) -> Result<JobDigest> {
    let job = BatchJob::read(line)?;
    let prepared = prepare(options, files, &job)?;
    batch_answers::job_digest(job.id.as_ref(), &prepared.shown, prepared.described())
}

/// The answer to a job that is refused; none if it would be rolled out.
pub(crate) fn refuse(options: &RolloutOptions, files: &RolloutFiles, line: &str) -> Option<String> {
    let answer = match BatchJob::read(line) {
        Err(error) => unreadable(1, line, &error),
        Ok(job) => {
            let error = prepare(options, files, &job).err()?;
            refusal(1, job.position, job.id, &error)
        }
    };
    answer.ok()
}

/// The answer to a line that is no job.
fn unreadable(number: usize, line: &str, error: &serde_json::Error) -> serde_json::Result<String> {
    let JobName { position, id } = serde_json::from_str(line).unwrap_or_default();
    let position = match position {
        Some(Value::String(position)) => position,
        _ => String::new(),
    };
    let word = line.split_whitespace().next().unwrap_or_default();
    let no_id = word.parse::<Id>().err().filter(|_| !is_json(line));
    let why = match no_id {
        Some(why) => format!("{why}, and the line is not JSON"),
        None => in_words(error),
    };
    refusal(number, position, id, &anyhow::anyhow!(why))
}

/// Describes a parse error to the author of a line. A job is a line, so its place is a column.
fn in_words(error: &serde_json::Error) -> String {
    let (text, column) = (error.to_string(), error.column());
    let place = format!(" at line {} column {column}", error.line());
    let what = text.strip_suffix(&place).unwrap_or(&text);
    let what = what
        .replace("expected u64", "expected a whole number")
        .replace("expected u16", "expected a whole number up to 65535");
    match error.is_data() {
        true => format!("column {column}: {what}"),
        false => format!("column {column}: not JSON: {what}"),
    }
}

/// The answer to a job that cannot be rolled out.
fn refusal(
    job: usize,
    position: String,
    id: Option<Value>,
    error: &anyhow::Error,
) -> serde_json::Result<String> {
    sanitize::to_json(&JobAnswer {
        job,
        id,
        answer: Refusal {
            position,
            error: message_of(error),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(clap::Parser)]
    struct CommandLine {
        #[command(flatten)]
        options: RolloutOptions,
    }

    /// The lines of `find --ids` are jobs.
    #[test]
    fn a_list_of_positions_is_a_list_of_jobs() {
        let listed = |line| BatchJob::listed(line).map(|job| (job.position, job.dice, job.id));
        let with = |remark: Option<&str>| {
            let id = "4HPwATDgc/ABMA".to_owned();
            Some((id, None, remark.map(Value::from)))
        };
        assert_eq!(listed(" 4HPwATDgc/ABMA\r"), with(None));
        let all = with(Some("Anna, game 1"));
        assert_eq!(listed("4HPwATDgc/ABMA  # Anna, game 1"), all);
        // Lists have their dice in the ID: what follows is a remark, whatever it begins with.
        let all = with(Some("21 points behind"));
        assert_eq!(listed("4HPwATDgc/ABMA\t21 points behind "), all);
        // A match ID may stand apart, as in lists that quiz and export read.
        let both = listed("4HPwATDgc/ABMA QYkqASAAIAAA  # Anna");
        let (position, _, remark) = both.expect("a job");
        assert_eq!(position, "4HPwATDgc/ABMA QYkqASAAIAAA");
        assert_eq!(remark, Some("Anna".into()));
        assert!(
            position
                .parse::<Id>()
                .is_ok_and(|id| !id.state.score.is_money())
        );
        assert!(listed("{\"position\":\"4HPwATDgc/ABMA\"}").is_none());
        assert!(
            listed("{\"position\":\"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\"}")
                .is_none()
        );
        let why = BatchJob::read("foo # mine").unwrap_err();
        let refused = unreadable(1, "foo # mine", &why).unwrap();
        assert_has!(refused, "'foo' is not a position");
    }

    /// A position without dice is answered for the player on roll, not for the candidate's. A second run knows that.
    #[test]
    fn answers_without_dice_are_known_again() {
        let folder = tempfile::tempdir().unwrap();
        let [jobs, out] = ["jobs", "out"].map(|name| folder.path().join(name));
        std::fs::write(&jobs, "{\"position\":\"4HPwATDgc/ABMA\"}\n").unwrap();
        let line = "rollout --trials 36 --ply 0 --opponent-ply 1 --truncate 2";
        let CommandLine { options } = CommandLine::try_parse_from(line.split(' ')).unwrap();
        run(&options, &jobs, Some(&out)).unwrap();
        let answers = std::fs::read_to_string(&out).unwrap();
        assert_has!(answers, "\"equity\"");
        run(&options, &jobs, Some(&out)).unwrap();
        assert_eq!(std::fs::read_to_string(&out).unwrap(), answers);
    }
}
