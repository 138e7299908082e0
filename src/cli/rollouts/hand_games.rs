//! The games that a person has played, of all sittings: counted, and kept.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::cli::common::usage::say;
use crate::rollout::{ShardMerge, TrialRecord};
use crate::store::{HandKey, READ_TIMEOUT, RolloutLabel, RolloutStore, StoreError};

/// How long a person waits for another process between two games.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// The games of all sittings.
pub(crate) struct Games<'a> {
    /// `None` where nothing is kept.
    path: Option<PathBuf>,
    /// Opened when it can be.
    store: Option<RolloutStore>,
    key: HandKey,
    shown: &'a RolloutLabel,
    /// Games that are in the store, as far as is known.
    kept: Vec<TrialRecord>,
    /// Games of this sitting that are not in the store yet.
    unsaved: Vec<TrialRecord>,
    /// Why the store cannot be used, as it was said last.
    last_trouble: String,
    /// The damage of the store that was reported last.
    damage: String,
}

impl<'a> Games<'a> {
    /// The games that are found by `key`, in the store at `path`.
    ///
    /// # Errors
    /// If there is something else at `path`. A store that is locked is tried again.
    pub(crate) fn open(
        path: Option<PathBuf>,
        key: HandKey,
        shown: &'a RolloutLabel,
    ) -> Result<Self> {
        let mut games = Self {
            path,
            store: None,
            key,
            shown,
            kept: Vec::new(),
            unsaved: Vec::new(),
            last_trouble: String::new(),
            damage: String::new(),
        };
        match games.with(|_, _| Ok(())) {
            Err(locked @ StoreError::Locked { .. }) => games.tell(&locked),
            other => {
                other?;
            }
        }
        Ok(games)
    }

    /// Does something with the store; `None` where nothing is kept.
    fn with<T>(
        &mut self,
        act: impl FnOnce(&mut RolloutStore, &HandKey) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let Some(path) = &self.path else {
            return Ok(None);
        };
        let store = match &mut self.store {
            Some(store) => store,
            none => none.insert(RolloutStore::open_within(path, LOCK_TIMEOUT)?),
        };
        act(store, &self.key).map(Some)
    }

    /// Says why the store cannot be used, once for each reason.
    fn tell(&mut self, why: &StoreError) {
        let why = format!("{why}; games are kept as soon as it can be written");
        if self.last_trouble != why {
            say(&why);
            self.last_trouble = why;
        }
    }

    /// The number of the next game. Where the store cannot tell, the next of those that are known:
    /// another sitting may then play the same dice, but no game takes the place of another.
    pub(crate) fn begin(&mut self) -> u64 {
        match self.with(RolloutStore::begin_game) {
            Ok(Some(number)) => return number,
            Ok(None) => {}
            Err(why) => self.tell(&why),
        }
        let known = self.kept.iter().chain(&self.unsaved);
        known.map(|game| game.trial + 1).max().unwrap_or(0)
    }

    /// The game that was begun is not played to its end.
    pub(crate) fn leave(&mut self) {
        // Its number is free again in any case, a little later.
        let _ = self.with(RolloutStore::leave_game);
    }

    /// Keeps a game; if that fails now it is tried again with the next, and at the end.
    pub(crate) fn keep(&mut self, game: TrialRecord) {
        self.unsaved.push(game);
        if let Err(why) = self.save() {
            self.tell(&why);
        }
    }

    fn save(&mut self) -> Result<(), StoreError> {
        if self.unsaved.is_empty() {
            return Ok(());
        }
        let (shown, unsaved) = (self.shown, std::mem::take(&mut self.unsaved));
        match self.with(|store, key| store.keep_games(key, shown, &unsaved)) {
            Ok(Some(())) => {
                self.kept.extend(unsaved);
                self.last_trouble.clear();
                Ok(())
            }
            Ok(None) => {
                self.unsaved = unsaved;
                Ok(())
            }
            Err(why) => {
                self.unsaved = unsaved;
                Err(why)
            }
        }
    }

    /// Counts all games there are, those of other sittings too.
    pub(crate) fn count(&mut self, merge: &mut ShardMerge) {
        let mut damage = String::new();
        let found = self.with(|store, key| store.games(key, &mut |why| damage = why));
        if damage != self.damage && !damage.is_empty() {
            say(&damage);
            self.damage = damage;
        }
        match found {
            Ok(Some(kept)) => self.kept = kept,
            Ok(None) => {}
            Err(why) => self.tell(&why),
        }
        let mut all: Vec<&TrialRecord> = self.kept.iter().chain(&self.unsaved).collect();
        // The sort is stable: games of one number stay in the order in which they were kept.
        all.sort_by_key(|game| game.trial);
        merge.recount(all);
    }

    /// Keeps what could not be kept so far.
    ///
    /// # Errors
    /// The number of games that were not saved, and the reason.
    pub(crate) fn end(mut self) -> Result<()> {
        if self.path.is_none() || self.unsaved.is_empty() {
            return Ok(());
        }
        let waited = self.with(|store, _| store.wait_at_most(READ_TIMEOUT));
        waited
            .and_then(|_| self.save())
            .with_context(|| match self.unsaved.len() {
                1 => "1 game is not kept".to_owned(),
                n => format!("{n} games are not kept"),
            })
    }
}
