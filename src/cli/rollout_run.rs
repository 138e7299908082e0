//! Running a rollout from the command line: progress, and keeping what it gives.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use crossbeam_channel::{RecvTimeoutError, bounded};

use super::candidate::cubes;
use super::checkpoint;
use super::output::Cubeful;
use super::progress_line::ProgressLine;
use super::rollout_options::{RolloutOptions, SettingsDocument};
use super::signals::asked_to_end;
use super::usage::{message_of, misuse, say};
use crate::game::Position;
use crate::rollout::{
    Leeway, Progress, Rollout, RolloutError, RolloutHandle, RolloutResult, Settings, Setup, Status,
    StopReason, TrialRecord, WantedRollout,
};
use crate::store::{READING, RolloutLabel, RolloutStore, StoreError, UserFolders, file};

/// What a rollout without a cube says of itself.
const CUBELESS: &str = "cubeless: neither the cube nor the score counts; --cubeful plays with both";
/// What the rollout of a cube decision says of itself.
const CUBE_DECISION: &str =
    "cube decision of the player on roll; --cubeless rolls out the position";
/// Time between two savings of the progress.
const KEEP_EVERY: Duration = Duration::from_millis(400);
/// A rollout that took fewer seconds is done again as quickly as found again.
const WORTH_KEEPING: f64 = 1.0;
/// How long a save waits for another process while the rollout goes on.
const LOCK_PATIENCE: Duration = Duration::from_millis(200);
/// How long what was kept is looked for, and how long the last save waits once the user has asked for
/// the end.
const FINDING: Duration = Duration::from_secs(1);
/// Time between looks at what a signal has asked for.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What is rolled out.
pub(super) struct RolloutTask {
    pub(super) setup: Setup,
    pub(super) settings: Settings,
    pub(super) candidates: Vec<Position>,
    pub(super) shown: RolloutLabel,
}

/// Where the progress is kept.
enum Keeper {
    Nowhere,
    Checkpoint(PathBuf),
    Store(Box<Stored>),
}

struct Stored {
    path: PathBuf,
    /// Opened when it is needed.
    store: Option<RolloutStore>,
    /// Whether the user named it.
    named: bool,
    shown: RolloutLabel,
    /// Whether each trial is kept as well.
    trials: bool,
    /// Trials that are not kept yet.
    unsaved: Vec<TrialRecord>,
}

impl Keeper {
    /// Where this task is kept, and how far it is.
    fn new(options: &RolloutOptions, task: &RolloutTask) -> Result<(Self, Option<Progress>)> {
        let RolloutTask {
            settings, shown, ..
        } = task;
        let wanted = |leeway| WantedRollout {
            setup: task.setup.clone(),
            settings: settings.clone(),
            candidates: task.candidates.clone(),
            leeway,
        };
        if let Some(path) = &options.checkpoint {
            let saved = checkpoint::read(path, &wanted(Leeway::Rules))?;
            return Ok((Self::Checkpoint(path.clone()), saved));
        }
        let (path, named) = match &options.store {
            _ if options.no_store => return Ok((Self::Nowhere, None)),
            Some(path) => (path.clone(), true),
            None if settings.shard.is_some() => {
                return Err(misuse("a shard is kept for `merge`: give --store FILE"));
            }
            None => match UserFolders::of_user() {
                Some(places) => (places.rollouts(), false),
                None => return Ok((Self::Nowhere, None)),
            },
        };
        let (mut store, mut saved) = (None, None);
        if named || path.exists() {
            let found = RolloutStore::open_within(&path, FINDING).and_then(|store| {
                let found = store.resume(&wanted(Leeway::Nothing))?;
                store.wait_at_most(LOCK_PATIENCE)?;
                Ok((found, store))
            });
            match found {
                Ok((found, opened)) => {
                    saved = found.sound(|why| say(&format!("{why}: it is made anew")));
                    store = Some(opened);
                }
                Err(error @ StoreError::Locked { .. }) => {
                    say(&format!(
                        "{error}: the rollout begins anew, and is saved later"
                    ));
                }
                Err(error) if named => return Err(error.into()),
                Err(error) => {
                    say(&format!("the rollout is not kept: {error}"));
                    return Ok((Self::Nowhere, None));
                }
            }
        }
        let stored = Stored {
            path,
            store,
            named,
            shown: shown.clone(),
            trials: settings.shard.is_some(),
            unsaved: Vec::new(),
        };
        // An export has every trial from the first on.
        let saved = saved.filter(|_| options.trials_out.is_none());
        Ok((Self::Store(Box::new(stored)), saved))
    }

    fn keep(&mut self, progress: &Progress, records: &[TrialRecord]) -> Result<()> {
        match self {
            Self::Nowhere => Ok(()),
            Self::Checkpoint(path) => checkpoint::write(path, progress),
            Self::Store(stored) => {
                let Stored {
                    path,
                    store,
                    named,
                    shown,
                    trials,
                    unsaved,
                } = &mut **stored;
                if *trials {
                    unsaved.extend(records);
                }
                if !*named && progress.seconds < WORTH_KEEPING {
                    return Ok(());
                }
                let store = match store {
                    Some(store) => store,
                    None => store.insert(RolloutStore::open_within(path, LOCK_PATIENCE)?),
                };
                store.save(shown, progress, unsaved)?;
                unsaved.clear();
                Ok(())
            }
        }
    }

    /// Waits longer for another process than before: nothing else is left to do.
    fn wait_at_most(&self, patience: Duration) -> Result<()> {
        if let Self::Store(stored) = self
            && let Some(store) = &stored.store
        {
            store.wait_at_most(patience)?;
        }
        Ok(())
    }

    /// What is to be told of the file.
    fn news(&mut self) -> Vec<String> {
        match self {
            Self::Store(stored) => stored
                .store
                .iter_mut()
                .flat_map(RolloutStore::news)
                .collect(),
            _ => Vec::new(),
        }
    }
}

/// Every trial as a line of a file.
struct Export {
    file: BufWriter<File>,
    path: PathBuf,
    /// Whether the candidate is a position before the roll: what is asked for is then the equity of
    /// the player on roll, and a trial is that of the other one.
    flipped: bool,
    /// Why trials are missing in it, if some are: nothing more is written then.
    failed: Option<anyhow::Error>,
}

impl Export {
    fn new(path: &Path, flipped: bool) -> Result<Self> {
        let head = "trial,candidate,plain,variance_reduced,win,win_gammon,win_backgammon,lose_gammon,\
                    lose_backgammon,first,second";
        let old = may_be_written(path, head.as_bytes());
        if !old.with_context(|| path.display().to_string())? {
            let name = path.display();
            return Err(misuse(format!(
                "{name} is no file of trials: it is not written over"
            )));
        }
        let new = || -> std::io::Result<BufWriter<File>> {
            let file = match file::is_device(path) {
                true => file::open_device(path)?,
                false => File::create(path)?,
            };
            let mut file = BufWriter::new(file);
            writeln!(file, "{head}")?;
            Ok(file)
        };
        Ok(Self {
            file: new().with_context(|| path.display().to_string())?,
            path: path.to_owned(),
            flipped,
            failed: None,
        })
    }

    fn write(&mut self, records: &[TrialRecord]) {
        if self.failed.is_some() {
            return;
        }
        let mut all = || -> std::io::Result<()> {
            for record in records {
                let t = record.exported();
                let t = if self.flipped { t.flipped() } else { t };
                write!(
                    self.file,
                    "{},{},{},{}",
                    t.trial, t.candidate, t.plain, t.variance_reduced
                )?;
                for chance in t.chances {
                    write!(self.file, ",{chance}")?;
                }
                writeln!(self.file, ",{},{}", t.first, t.second)?;
            }
            self.file.flush()
        };
        let written = all();
        self.failed = written
            .with_context(|| self.path.display().to_string())
            .err();
    }
}

/// Whether nothing is lost by writing to `path`: there is no file, an empty one, or one that begins like
/// ours.
fn may_be_written(path: &Path, head: &[u8]) -> std::io::Result<bool> {
    let meta = match path.metadata() {
        Ok(meta) => meta,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(true),
        Err(e) => return Err(e),
    };
    if !meta.is_file() || meta.len() == 0 {
        return Ok(true);
    }
    let mut first = Vec::with_capacity(head.len());
    File::open(path)?
        .take(head.len() as u64)
        .read_to_end(&mut first)?;
    Ok(first == head)
}

impl RolloutOptions {
    /// Rolls out to the end, showing progress on a terminal.
    pub(super) fn run(&self, task: RolloutTask) -> Result<EndedRollout> {
        let described = SettingsDocument {
            evaluator: task.setup.name(&task.settings),
            settings: task.settings.clone(),
        };
        let (mut keeper, saved) = Keeper::new(self, &task)?;
        let (wake, woken) = bounded(1);
        let bell = Box::new(move || {
            // A full channel has been rung already.
            let _ = wake.try_send(());
        });
        let threads = self.threads.number().get();
        let before_roll = task.shown.dice.is_none();
        let from = saved.as_ref().map_or(0, Progress::trials);
        let RolloutTask {
            setup,
            settings,
            candidates,
            ..
        } = task;
        let started = match saved {
            Some(progress) => Rollout::resume(setup, progress, threads, Some(bell)),
            None => Rollout::start(setup, candidates, settings, threads, Some(bell)),
        };
        let rollout = started.map_err(refused)?;
        let export = |path| Export::new(path, before_roll);
        let mut export = self.trials_out.as_deref().map(export).transpose()?;
        let interrupted = asked_to_end()?;
        // A place that cannot be written to is better known now than after the first second.
        let mut is_told = false;
        match gather(&mut keeper, &mut export, &rollout) {
            Err(error) if is_locked(&error) => {
                say(&not_yet(&error));
                is_told = true;
            }
            other => other?,
        }
        if let Some(error) = export.as_mut().and_then(|export| export.failed.take()) {
            return Err(error);
        }
        let mut line = ProgressLine::new();
        let mut kept = Instant::now();
        while !rollout.is_finished() {
            match woken.recv_timeout(LOOK_EVERY) {
                Ok(()) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            line.show(&rollout.result());
            if interrupted.load(Ordering::Relaxed) {
                rollout.cancel();
            }
            if kept.elapsed() >= KEEP_EVERY {
                kept = Instant::now();
                // Tried again until the end: what is there by then is printed in any case.
                match gather(&mut keeper, &mut export, &rollout) {
                    Err(error) if is_locked(&error) && !is_told => {
                        line.clear();
                        say(&not_yet(&error));
                        is_told = true;
                    }
                    saved => is_told = saved.is_err(),
                }
            }
        }
        keeper.wait_at_most(match interrupted.load(Ordering::Relaxed) {
            true => FINDING,
            false => READING,
        })?;
        let mut unsaved = gather(&mut keeper, &mut export, &rollout).err();
        if let (Keeper::Store(stored), Some(error)) = (&keeper, &unsaved)
            && !stored.named
        {
            say(&format!("the rollout is not kept: {}", message_of(error)));
            unsaved = None;
        }
        unsaved = unsaved.or(export.and_then(|export| export.failed));
        let failure = rollout.failure();
        let result = rollout.join();
        line.clear();
        keeper.news().iter().for_each(|news| say(news));
        if let Some(reason) = failure {
            bail!("the rollout failed: {reason}");
        }
        Ok(EndedRollout {
            result,
            described,
            unsaved,
            from,
        })
    }
}

/// Whether another process writes to the store: a save may succeed a little later.
fn is_locked(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Locked { .. }))
}

fn not_yet(error: &anyhow::Error) -> String {
    format!("the rollout is not saved yet: {}", message_of(error))
}

/// Keeps what there is by now.
fn gather(keeper: &mut Keeper, export: &mut Option<Export>, rollout: &RolloutHandle) -> Result<()> {
    let (progress, records) = rollout.harvest();
    if let Some(export) = export {
        export.write(&records);
    }
    keeper.keep(&progress, &records)
}

/// What a rollout refuses is wrong usage, but for what is not the user's doing.
pub(super) fn refused(error: RolloutError) -> anyhow::Error {
    match error {
        RolloutError::Threads { .. }
        | RolloutError::OtherEvaluator { .. }
        | RolloutError::OtherVersion
        | RolloutError::Damaged { .. } => error.into(),
        other => misuse(other),
    }
}

/// A rollout that has ended.
pub(super) struct EndedRollout {
    pub(super) result: Arc<RolloutResult>,
    pub(super) described: SettingsDocument,
    /// Why the progress could not be kept, if it could not.
    pub(super) unsaved: Option<anyhow::Error>,
    /// Trials that were there before.
    pub(super) from: u64,
}

impl EndedRollout {
    /// Whether cube and score count. Where they do not, or where the cube is the question, a note says
    /// so, and how to ask otherwise.
    pub(super) fn cubeful(&self) -> Cubeful {
        match self.described.settings.cube {
            None => Cubeful::new(false, Some(CUBELESS)),
            Some(cube) => Cubeful::new(true, cube.decision.then_some(CUBE_DECISION)),
        }
    }

    /// That note as a line of its own.
    pub(super) fn note_line(&self) -> String {
        let note = self.cubeful().note;
        note.map_or_else(String::new, |text| format!("\n{text}"))
    }

    /// Trials, time and settings in a line.
    pub(super) fn summary(&self) -> String {
        let settings = &self.described.settings;
        let trials = self.trials();
        let plural = if trials == 1 { "" } else { "s" };
        let mut text = format!("{trials} trial{plural}");
        if self.from > 0 {
            text += &format!(" ({} of them kept from before)", self.from);
        }
        text += &format!(", {}-ply", settings.ply);
        if let Some(other) = settings.opponent {
            text += &format!(" and {}-ply", other.ply);
        }
        if let Some(horizon) = settings.horizon {
            text += &format!(", truncated after {horizon} rolls");
        }
        if let Some(settlement) = settings.settlement {
            text += &format!(", settlement limit {}", settlement.limit);
        }
        text += &format!(", {}", settings.luck.words());
        if let Some(cubes) = cubes(&self.result) {
            text += &format!(", cubeful, {cubes}");
        }
        text += &format!(", {}", settings.dice_source.words());
        if let Some(shard) = settings.shard {
            text += &format!(", share {}/{}", shard.index + 1, shard.of);
        }
        text += &format!(", seed {}", settings.seed);
        text += &format!(", {:.1} s", self.result.seconds);
        match self.reason() {
            Some(reason) => text + "; " + reason,
            None => text,
        }
    }

    /// Trials of each play; their mean, where they do not share them.
    fn trials(&self) -> u64 {
        let candidates = &self.result.candidates;
        let all: u64 = candidates.iter().map(|s| s.trials).sum();
        all / (candidates.len() as u64).max(1)
    }

    /// Why it ended, if not at the number of trials.
    fn reason(&self) -> Option<&'static str> {
        match self.result.status {
            Status::Done(StopReason::StandardError) => Some("standard error reached"),
            Status::Done(StopReason::Width) => Some("interval narrow enough"),
            Status::Done(StopReason::Separated) => Some("the best play is separated"),
            Status::Done(StopReason::Equivalent) => Some("the plays are too close to matter"),
            Status::Done(StopReason::Time) => Some("time is up"),
            _ => None,
        }
    }

    /// The same as in documents.
    pub(super) fn stopped(&self) -> Option<StopReason> {
        match self.result.status {
            Status::Done(reason) => Some(reason),
            _ => None,
        }
    }

    /// An error when its progress could not be kept, or when it was cut short by a signal, once its
    /// figures have been printed.
    pub(super) fn completed(self) -> Result<()> {
        if let Some(error) = self.unsaved {
            return Err(error);
        }
        if self.result.status == Status::Done(StopReason::Cancelled) {
            bail!("interrupted after {} trials", self.trials());
        }
        Ok(())
    }
}
