//! Reviews match files or finds their stored reviews, for every command that analyses matches.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};

use crate::cli::common::options::{CubeModel, Nets, error_size, levels, seconds};
use crate::cli::common::progress::{ProgressLine, analyse_match};
use crate::cli::common::stdin;
use crate::cli::common::usage::{misuse, report_not_kept, say};
use crate::cube::Model;
use crate::eval::{Engine, Evaluator};
use crate::game::roll::ORDERED;
use crate::locks::lock;
use crate::match_file::{EventPlace, Match, Variations};
use crate::notation;
use crate::review::match_rollouts::{DecisionRollout, Follower, RolledDecision};
use crate::review::report::RolloutsReport;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{
    AnalysedTurn, ErrorFilter, MatchRolloutAim, MatchRolloutLimits, Report, Thresholds,
    match_rollouts, roll_out, turns,
};
use crate::rollout::{Level, Progress, Setup};
use crate::store::{
    DecisionRolloutStore, ImportedFile, KeptDecisions, KeptNotes, KeptTurns, MatchFingerprint,
    NoteStore, READ_TIMEOUT, ReviewId, ReviewKey, ReviewMethod, ReviewStore, RolloutWorker,
    StoreError, UserFolders, VariationTexts, played,
};

/// How long saving a review may wait while there are others to do.
const SAVING: Duration = Duration::from_millis(500);
/// How long to wait at the end for match rollouts to be saved.
const SAVE_TIMEOUT: Duration = Duration::from_secs(20);
/// How long to wait for these saves after an interruption.
const INTERRUPTED_SAVE_TIMEOUT: Duration = Duration::from_secs(1);

/// Options of the rollouts after lookahead.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct ReviewRollouts {
    /// How thoroughly decisions are analysed: instant, quick, standard, deep (0 to 3 plies), rolled or
    /// thorough (2 plies, and all close decisions rolled out)
    #[arg(long, value_name = "NAME", conflicts_with = "ply", value_parser = levels())]
    level: Option<Level>,
    /// Roll out N decisions of each match: those a rollout is most likely to change
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rollouts: Option<u32>,
    /// Roll out the errors of POINTS and more, the most expensive first, instead of close decisions;
    /// --rollouts and --budget limit them
    #[arg(
        long,
        value_name = "POINTS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0.020",
        value_parser = error_size
    )]
    rollout_errors: Option<f32>,
    /// Roll out as many of them as there is time for; with --rollouts, no more than those
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    budget: Option<f64>,
    /// Trials of each play in these rollouts [default: 360, or those of the level]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(36..=1_000_000))]
    rollout_trials: Option<u64>,
}

impl ReviewRollouts {
    /// Search depth, given the requested depth `ply`.
    pub(crate) fn ply(&self, ply: u8) -> u8 {
        self.level.map_or(ply, |level| level.ply)
    }

    /// The requested rollout limits.
    pub(crate) fn limits(&self) -> Result<Option<MatchRolloutLimits>> {
        let level = self.level.and_then(|level| level.rollout);
        let is_limited =
            self.rollouts.is_some() || self.budget.is_some() || self.rollout_errors.is_some();
        if level.is_none() && !is_limited {
            return match self.rollout_trials {
                Some(_) => Err(misuse(
                    "--rollout-trials goes with --rollouts, --rollout-errors, --budget, or --level rolled and \
                     thorough",
                )),
                None => Ok(None),
            };
        }
        let usual = level.map_or(MatchRolloutLimits::USUAL, |level| {
            MatchRolloutLimits::of(&level)
        });
        // Whole rounds of first rolls.
        let trials = |usual: u64| {
            let wanted = self.rollout_trials.unwrap_or(usual);
            wanted.next_multiple_of(ORDERED as u64)
        };
        let errors = |from| {
            MatchRolloutAim::Errors(ErrorFilter {
                from,
                player: None,
                class: None,
            })
        };
        Ok(Some(MatchRolloutLimits {
            aim: self.rollout_errors.map_or(MatchRolloutAim::Close, errors),
            decisions: self.rollouts.map(|n| n as usize),
            budget: self.budget.map(Duration::from_secs_f64),
            trials: trials(usual.trials),
            cube_trials: trials(usual.cube_trials),
            ..usual
        }))
    }
}

/// Settings and stores of match reviews.
pub(crate) struct Reviewer {
    engine: Arc<Engine>,
    model: Arc<Model>,
    ply: u8,
    limits: Option<MatchRolloutLimits>,
    store: Option<ReviewStore>,
    /// The file of rollouts, if any.
    rollouts: Option<PathBuf>,
    notes: Option<PathBuf>,
    /// The figures suffice, without games.
    short: bool,
    /// Rule options.
    cube: CubeModel,
    /// Reviews not saved yet because the store was locked.
    unsaved: Vec<UnsavedReview>,
    /// The reason why reviews are not stored, after a failure.
    not_kept: Option<StoreError>,
    /// Method of the analysis, for the key.
    by: ReviewMethod,
}

/// A review to store.
struct UnsavedReview {
    key: ReviewKey,
    day: String,
    report: Report,
    /// Its turns without rollouts, if the match is finished.
    turns: Option<KeptTurns>,
}

/// The review of a match in a file.
pub(crate) struct FileReview {
    /// The day the match was played.
    pub(crate) day: String,
    /// Identifies the match in other files.
    pub(crate) fingerprint: MatchFingerprint,
    pub(crate) report: Report,
    /// Analysed now instead of found in the store.
    pub(crate) is_new: bool,
}

impl Reviewer {
    pub(crate) fn new(
        nets: &Nets,
        cube: &CubeModel,
        ply: u8,
        limits: Option<MatchRolloutLimits>,
        store: Option<ReviewStore>,
    ) -> Result<Self> {
        let engine = nets.engine()?;
        let model = cube.load()?;
        let by = ReviewMethod::new(engine.name(), &model, cube.no_crawford());
        Ok(Self {
            by: by.rolled(limits.as_ref()),
            rollouts: store.as_ref().and_then(|store| store.rollouts()),
            // A user who excludes stored reviews also excludes notes.
            notes: store
                .as_ref()
                .and_then(|_| UserFolders::of_user())
                .map(|places| places.notes()),
            store,
            unsaved: Vec::new(),
            not_kept: None,
            short: false,
            cube: cube.clone(),
            ply,
            limits,
            engine: Arc::new(engine),
            model: Arc::new(model),
        })
    }

    /// A reviewer with the same settings and its own store, for another thread.
    pub(crate) fn beside(&self, store: Option<ReviewStore>) -> Self {
        Self {
            engine: Arc::clone(&self.engine),
            model: Arc::clone(&self.model),
            rollouts: self.rollouts.clone(),
            notes: self.notes.clone(),
            unsaved: Vec::new(),
            not_kept: None,
            by: self.by.clone(),
            cube: self.cube.clone(),
            store,
            ..*self
        }
    }

    /// Accepts figures without games.
    pub(crate) fn short(self) -> Self {
        Self {
            short: true,
            ..self
        }
    }

    /// Reviews all matches of a file. Fails if `cancelled` returned true.
    pub(crate) fn file(
        &mut self,
        path: &Path,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<FileReview>> {
        let read = self.read(path)?;
        self.all(&read, cancelled)
    }

    /// Reviews the matches of a file that was already read.
    pub(crate) fn all(
        &mut self,
        read: &ImportedFile,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<FileReview>> {
        let mut done = Vec::new();
        for (index, record) in &read.matches {
            let mut one = self.one(read, *index, record, cancelled)?;
            if !self.short {
                self.annotate(record, &mut one.report);
            }
            done.push(one);
        }
        Ok(done)
    }

    /// Reads the matches of a file, with rule options applied. Fails if it has no game.
    pub(crate) fn read(&self, path: &Path) -> Result<ImportedFile> {
        let mut read = stdin::import(path)?;
        for (_, record) in &mut read.matches {
            self.cube.apply_to(record);
        }
        Ok(read)
    }

    /// The key of the review of a match in a file.
    pub(crate) fn key(&self, file: &ImportedFile, index: usize, record: &Match) -> ReviewKey {
        ReviewKey::new(&file.bytes, index, record, &self.by, self.ply)
    }

    /// Reviews one match of a file, without the user's notes and variations.
    pub(crate) fn one(
        &mut self,
        file: &ImportedFile,
        index: usize,
        record: &Match,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<FileReview> {
        let key = self.key(file, index, record);
        let (report, is_new) = self.review(&key, record, &file.path, cancelled)?;
        Ok(FileReview {
            day: played(report.date.as_deref(), &file.path),
            fingerprint: MatchFingerprint::of(record),
            report,
            is_new,
        })
    }

    pub(crate) fn evaluator(&self) -> &dyn Evaluator {
        &*self.engine
    }

    pub(crate) fn model(&self) -> &Model {
        &self.model
    }

    /// Maximum search depth.
    pub(crate) fn ply(&self) -> u8 {
        self.ply
    }

    fn review(
        &mut self,
        key: &ReviewKey,
        record: &Match,
        path: &Path,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Report, bool)> {
        if let Some(mut kept) = self.kept(key) {
            // The same bytes may now be in another file.
            kept.file = Some(path.display().to_string());
            return Ok((kept, false));
        }
        let given_up = "the review was given up";
        let evaluator: &dyn Evaluator = &*self.engine;
        let mut analysed =
            analyse_match(evaluator, &self.model, record, self.ply, cancelled).context(given_up)?;
        // The workstation reads rollouts from their own store.
        let turns = self.store.as_ref().map(|_| KeptTurns::of(&analysed));
        let rollouts = match &self.limits {
            Some(limits) => Some(
                self.roll_out(limits, &mut analysed, cancelled)
                    .context(given_up)?,
            ),
            None => None,
        };
        let setting = ReportContext {
            engine: self.engine.name(),
            model: &self.model,
            ply: self.ply,
            thresholds: Thresholds::default(),
            rollouts,
        };
        let report = build(record, &analysed, &setting);
        if self.store.is_some() {
            self.unsaved.push(UnsavedReview {
                key: key.clone(),
                day: played(report.date.as_deref(), path),
                turns: turns.filter(|_| report.complete),
                report: report.clone(),
            });
            self.save(SAVING);
        }
        Ok((report, true))
    }

    /// Saves pending reviews. Those blocked by another process stay pending; other errors are reported at the end.
    fn save(&mut self, timeout: Duration) {
        let Some(store) = &mut self.store else { return };
        if let Err(error) = store.wait_at_most(timeout) {
            self.not_kept = Some(error);
        }
        while let Some(one) = self.unsaved.first() {
            match store.save(&one.key, &one.day, &one.report, one.turns.as_ref()) {
                Err(StoreError::Locked { .. }) => return,
                saved => self.not_kept = saved.err().or(self.not_kept.take()),
            }
            self.unsaved.remove(0);
        }
    }

    /// Returns whether the review with this `id` is stored; true if nothing is stored or the lookup fails.
    pub(crate) fn is_kept(&self, id: &ReviewId) -> bool {
        let Some(store) = &self.store else {
            return true;
        };
        store.contains(id).unwrap_or(true)
    }

    /// Finds a stored review. Unreadable and damaged ones are repeated.
    fn kept(&self, key: &ReviewKey) -> Option<Report> {
        let store = self.store.as_ref()?;
        let found = match self.short {
            true => store.find_short(&key.id),
            false => store.find(&key.id),
        };
        let anew = |why: &dyn std::fmt::Display| say(&format!("{why}: the match is analysed anew"));
        match found {
            Ok(found) => found.sound(|why| anew(&why)),
            Err(error) => {
                anew(&error);
                None
            }
        }
    }

    /// Tries to save pending reviews once more. Returns the reason for a failure.
    pub(crate) fn not_kept(&mut self) -> Option<StoreError> {
        if !self.unsaved.is_empty() {
            self.save(READ_TIMEOUT);
        }
        let path = self.store.as_ref().map(|store| store.path().to_owned());
        let locked = path.filter(|_| !self.unsaved.is_empty());
        self.not_kept
            .take()
            .or(locked.map(|path| StoreError::Locked { path }))
    }

    fn roll_out(
        &self,
        limits: &MatchRolloutLimits,
        analysed: &mut [AnalysedTurn],
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Option<RolloutsReport> {
        let evaluator: Arc<dyn Evaluator> = self.engine.clone();
        let setup = Setup {
            cube: Some(self.model.clone()),
            ..Setup::from(evaluator)
        };
        let store = self.rollouts.clone();
        let worker = store.map(|path| Arc::new(RolloutWorker::start(path, |_| ())));
        let follower = Followed::new(worker.clone(), &setup, cancelled, None);
        let done = roll_out(analysed, &setup, limits, &follower);
        follower.end(worker);
        let done = done?;
        Some(RolloutsReport {
            decisions: done.decisions,
            left: done.left,
            trials: limits.trials,
            cube_trials: limits.cube_trials,
            ply: match_rollouts::PLY,
            horizon: limits.horizon,
            seconds: limits.budget.map(|budget| budget.as_secs_f64()),
            errors_from: limits.aim.errors_from(),
        })
    }

    /// Adds the user's notes to their moves, and the number of variations.
    fn annotate(&self, record: &Match, report: &mut Report) {
        let Some(path) = &self.notes else { return };
        let fingerprint = MatchFingerprint::of(record);
        let read = NoteStore::read_all(path, &fingerprint, READ_TIMEOUT);
        let KeptNotes { notes, variations } = match read {
            Ok(read) => read,
            Err(error) => return say(&format!("notes are left out: {error}")),
        };
        let (trees, refused) = kept_variations(record, &variations);
        if let Some(why) = refused {
            say(&why);
        }
        if notes.is_empty() && trees.is_empty() {
            return;
        }
        report.annotate(&turns(record), &notes, &trees);
    }
}

/// The variations of a match, including those of its file, with the reason why stored ones are omitted, if any.
pub(crate) fn kept_variations(
    record: &Match,
    kept: &VariationTexts,
) -> (BTreeMap<EventPlace, Variations>, Option<String>) {
    let (mut all, mut refused) = (record.variations.clone(), None);
    for turn in turns(record) {
        let place = turn.place();
        let Some(text) = kept.get(&place) else {
            continue;
        };
        match Variations::from_json(turn.before, text) {
            Ok(tree) => {
                let known = all.entry(place);
                known
                    .or_insert_with(|| Variations::at(turn.before))
                    .merge(&tree);
            }
            Err(why) => {
                let (game, number) = (turn.game + 1, turn.number);
                refused = Some(format!(
                    "the variations of game {game}, move {number} are left out: {why}"
                ));
            }
        }
    }
    (all, refused)
}

/// Shows and stores the rollouts of a match.
pub(crate) struct Followed<'a> {
    line: Mutex<ProgressLine>,
    kept: Option<KeptDecisions>,
    cancelled: &'a (dyn Fn() -> bool + Sync),
    until: Option<Instant>,
}

impl<'a> Followed<'a> {
    /// Rollouts with `setup`, stored through `worker`, until `cancelled` returns true or the time is up.
    pub(crate) fn new(
        worker: Option<Arc<RolloutWorker>>,
        setup: &Setup,
        cancelled: &'a (dyn Fn() -> bool + Sync),
        until: Option<Instant>,
    ) -> Self {
        let store = worker.map(|worker| DecisionRolloutStore::new(worker, setup.clone()));
        Self {
            line: Mutex::new(ProgressLine::new()),
            kept: store.map(KeptDecisions::new),
            cancelled,
            until,
        }
    }

    /// Waits until everything is saved, and reports unsaved rollouts.
    pub(crate) fn end(self, worker: Option<Arc<RolloutWorker>>) {
        if let Some(worker) = worker {
            // A user who interrupts does not want to wait.
            let wait = if (self.cancelled)() {
                INTERRUPTED_SAVE_TIMEOUT
            } else {
                SAVE_TIMEOUT
            };
            let unsaved = worker.finish(Instant::now() + wait);
            if unsaved.count > 0 {
                let are = match unsaved.count {
                    1 => "rollout is",
                    _ => "rollouts are",
                };
                say(&format!(
                    "{} {are} not kept: {}",
                    unsaved.count, unsaved.why
                ));
            }
        }
        lock(&self.line).clear();
    }
}

impl Follower for Followed<'_> {
    fn goes_on(&self) -> bool {
        !(self.cancelled)() && self.until.is_none_or(|until| Instant::now() < until)
    }

    fn kept(&self, rollout: &DecisionRollout<'_>) -> Option<Progress> {
        self.kept.as_ref()?.find(rollout, |news| say(&news))
    }

    fn found(&self, rolled: &RolledDecision<'_>) {
        if let (Some(kept), Some(progress)) = (&self.kept, rolled.new) {
            kept.keep(rolled.rollout, progress);
        }
        let RolledDecision { done, of, .. } = rolled;
        lock(&self.line).show_bar(*done as u64, *of as u64, || "rolled out".to_owned());
    }

    fn cut_short(&self, rollout: &DecisionRollout<'_>, progress: &Progress) {
        if let Some(kept) = &self.kept {
            kept.keep(rollout, progress);
        }
    }

    fn failed(&self, rollout: &DecisionRollout<'_>, why: &str) {
        let id = notation::xgid_text(&rollout.state);
        say(&format!("a decision could not be rolled out: {why} ({id})"));
    }
}

/// Opens the store at `path`, or the user's; `None`, with a report, if that cannot be opened.
pub(crate) fn open_store(path: Option<&Path>) -> Result<Option<ReviewStore>> {
    let (path, named) = match (path, UserFolders::of_user()) {
        (Some(path), _) => (path.to_owned(), true),
        (None, Some(places)) => (places.reviews(), false),
        (None, None) => return Ok(None),
    };
    match ReviewStore::open(&path) {
        Ok(store) => Ok(Some(store)),
        Err(error) if named => Err(error.into()),
        Err(error) => {
            report_not_kept(Some(&error));
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests;
