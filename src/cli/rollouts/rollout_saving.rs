//! Keeping what a rollout finds while it runs: in a checkpoint, a store, an export of its trials.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;

use super::checkpoint;
use super::rollout_options::RolloutOptions;
use super::trial_export::Export;
use crate::cli::common::progress::ProgressLine;
use crate::cli::common::usage::{message_of, misuse, say};
use crate::game::Position;
use crate::rollout::{
    Leeway, Progress, RolloutHandle, Settings, Setup, TrialRecord, WantedRollout,
};
use crate::store::{RolloutLabel, RolloutStore, StoreError, UserFolders, WORTH_KEEPING};

/// How long a save waits for another process while the rollout goes on.
const LOCK_TIMEOUT: Duration = Duration::from_millis(200);
/// How long what was kept is looked for, and how long the last save waits once the user has asked for
/// the end.
pub(crate) const FIND_TIMEOUT: Duration = Duration::from_secs(1);
/// A rollout to run.
#[derive(Clone)]
pub(crate) struct RolloutTask {
    pub(crate) setup: Setup,
    pub(crate) settings: Settings,
    pub(crate) candidates: Vec<Position>,
    pub(crate) shown: RolloutLabel,
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
    /// The user named it.
    named: bool,
    shown: RolloutLabel,
    /// Saves each trial too.
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
        let found = match named || path.exists() {
            true => find(&path, &wanted(Leeway::Nothing)),
            false => Ok((None, None)),
        };
        let (store, saved) = match found {
            Ok(found) => found,
            Err(error) if named => return Err(error.into()),
            Err(error) => {
                say(&format!("the rollout is not kept: {error}"));
                return Ok((Self::Nowhere, None));
            }
        };
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
                    None => store.insert(RolloutStore::open_within(path, LOCK_TIMEOUT)?),
                };
                store.save(shown, progress, unsaved)?;
                unsaved.clear();
                Ok(())
            }
        }
    }

    /// Returns whether this is the user's own store, used without being named.
    fn is_of_user(&self) -> bool {
        matches!(self, Self::Store(stored) if !stored.named)
    }

    /// Waits longer for another process than before: nothing else is left to do.
    fn wait_at_most(&self, timeout: Duration) -> Result<()> {
        if let Self::Store(stored) = self
            && let Some(store) = &stored.store
        {
            store.wait_at_most(timeout)?;
        }
        Ok(())
    }
}

/// The store, unless another process writes to it, and what it has of such a rollout.
fn find(
    path: &Path,
    wanted: &WantedRollout,
) -> Result<(Option<RolloutStore>, Option<Progress>), StoreError> {
    let found = RolloutStore::open_within(path, FIND_TIMEOUT).and_then(|store| {
        let found = store.resume(wanted)?;
        store.wait_at_most(LOCK_TIMEOUT)?;
        Ok((found, store))
    });
    match found {
        Ok((found, store)) => {
            let saved = found.sound(|why| say(&format!("{why}: it is made anew")));
            Ok((Some(store), saved))
        }
        Err(error @ StoreError::Locked { .. }) => {
            say(&format!(
                "{error}: the rollout begins anew, and is saved later"
            ));
            Ok((None, None))
        }
        Err(error) => Err(error),
    }
}

/// Keeps what a rollout has found while it runs.
pub(crate) struct Saving {
    keeper: Keeper,
    export: Option<Export>,
    /// The user was informed that saving fails at present.
    is_reported: bool,
}

impl Saving {
    /// Where this task is kept, and how far it is.
    pub(crate) fn new(
        options: &RolloutOptions,
        task: &RolloutTask,
    ) -> Result<(Self, Option<Progress>)> {
        let (keeper, saved) = Keeper::new(options, task)?;
        let saving = Self {
            keeper,
            export: None,
            is_reported: false,
        };
        Ok((saving, saved))
    }

    /// Writes every trial to a file from now on, if one is named.
    pub(crate) fn export_to(
        &mut self,
        path: Option<&Path>,
        before_roll: bool,
        plays: &[Option<String>],
    ) -> Result<()> {
        self.export = path
            .map(|path| Export::new(path, before_roll, plays))
            .transpose()?;
        Ok(())
    }

    /// Keeps what there is by now.
    fn gather(&mut self, rollout: &RolloutHandle) -> Result<()> {
        let (progress, records) = rollout.take_records();
        if let Some(export) = &mut self.export {
            export.write(&records);
        }
        self.keeper.keep(&progress, &records)
    }

    /// A place that cannot be written to is better known now than after the first second.
    pub(crate) fn first(&mut self, rollout: &RolloutHandle) -> Result<()> {
        match self.gather(rollout) {
            Err(error) if is_locked(&error) => {
                say(&not_yet(&error));
                self.is_reported = true;
            }
            // It is told at the end, beside what was found.
            Err(_) if self.keeper.is_of_user() => {}
            other => other?,
        }
        let failed = self.export.as_mut().and_then(|export| export.failed.take());
        failed.map_or(Ok(()), Err)
    }

    /// Tried again until the end: what is there by then is printed in any case.
    pub(crate) fn again(&mut self, rollout: &RolloutHandle, line: &mut ProgressLine) {
        match self.gather(rollout) {
            Err(error) if is_locked(&error) && !self.is_reported => {
                line.clear();
                say(&not_yet(&error));
                self.is_reported = true;
            }
            saved => self.is_reported = saved.is_err(),
        }
    }

    /// The last time; answers why not all of it could be kept, if so.
    pub(crate) fn last(
        mut self,
        rollout: &RolloutHandle,
        timeout: Duration,
    ) -> Result<Option<anyhow::Error>> {
        self.keeper.wait_at_most(timeout)?;
        let mut unsaved = self.gather(rollout).err();
        if let (Keeper::Store(stored), Some(error)) = (&self.keeper, &unsaved)
            && !stored.named
        {
            say(&format!("the rollout is not kept: {}", message_of(error)));
            unsaved = None;
        }
        Ok(unsaved.or(self.export.and_then(|export| export.failed)))
    }
}

/// Returns whether another process writes to the store. A later save may succeed.
fn is_locked(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Locked { .. }))
}

fn not_yet(error: &anyhow::Error) -> String {
    format!("the rollout is not saved yet: {}", message_of(error))
}
