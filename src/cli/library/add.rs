//! `luckless library add`: analyses matches and adds them, file by file.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;

use super::place::Library;
use crate::cli::common::options::{CubeModel, Nets, Threads, plies};
use crate::cli::common::output;
use crate::cli::common::progress::FileProgress;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::stdin;
use crate::cli::common::usage::{message_of, misuse, must_be_folder, report_not_kept, say};
use crate::cli::reviews::reviewer::{Reviewer, open_store};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::locks::{lock, unlocked};
use crate::match_file::Match;
use crate::review::{Report, STANDARD_PLY};
use crate::sanitize;
use crate::store::library::Kept;
use crate::store::{
    FolderWatch, ImportedFile, LibraryImporter, LibraryStore, MatchReviewer, NotTaken, ReviewId,
    ReviewKey, ReviewStore, StoreError, folder,
};

/// Maximum number of threads that add files: only one at a time can write to the library.
const MOST_WORKERS: usize = 8;
/// Interval between checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  luckless library add ~/matches
  luckless library add final.xg semifinal.mat
  luckless library add ~/matches --ply 0    faster, by the static evaluation
  luckless library add ~/matches --watch    and what is saved there later
  luckless library add ~/matches --json

A file whose bytes are the same as before is left alone, unless more plies, another net, table or rule are \
asked for. The same match in several files and formats is one \
match with several files. Stop it with Ctrl-C: what is analysed is kept, and the same command goes on. \
Files of a folder that cannot be read are named, and the others are added all the same. A match that was \
removed comes back only when its file is named itself.";

/// Analyse matches and add them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Match files, or folders of them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Plies of lookahead where a decision is close; 0 is the static evaluation
    #[arg(long, value_name = "N", default_value_t = STANDARD_PLY, value_parser = plies())]
    ply: u8,
    /// Then wait for matches that are saved in these folders, and add them, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Machine output: one JSON document; with --watch another one for each file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    library: Library,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    nets: Nets,
    #[command(flatten)]
    cube: CubeModel,
}

/// Result for all files.
#[derive(Debug, Default, Serialize)]
struct AddReport {
    added: usize,
    /// Updated matches: with another file, a better record, another analysis, or corrected names.
    updated: usize,
    /// Updated matches whose only change is another file.
    #[serde(skip)]
    more_files: usize,
    /// Matches without changes.
    unchanged: usize,
    /// Matches not added because they were removed.
    left_out: usize,
    failed: Vec<Failure>,
    /// Files with changes whose reading gave warnings.
    #[serde(skip)]
    with_warnings: usize,
    /// The reason why the library accepts nothing.
    #[serde(skip)]
    refused: Option<StoreError>,
}

#[derive(Debug, Serialize)]
pub(super) struct Failure {
    file: String,
    pub(super) reason: String,
}

/// A file to add.
struct FoundFile {
    path: PathBuf,
    /// The user named the file itself, not its folder.
    is_named: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if self.files.iter().any(|path| stdin::is_meant(path)) {
            return Err(misuse(
                "the library finds its matches in files again, and none in stdin: name a file instead of -",
            ));
        }
        // Watched before it is read, so that no file is missed in between.
        let mut watches = Vec::new();
        for folder in self.files.iter().filter(|_| self.watch) {
            must_be_folder(folder)?;
            watches.push(FolderWatch::start(folder)?);
        }
        let files = self.found();
        let mut importers = self.importers(files.len())?;
        let done = add_all(&mut importers, &files);
        let not_kept = |importer: &mut Importer| importer.reviewer.reviewer.not_kept();
        // Queries all of them, because each retries on its query.
        let not_kept: Vec<_> = importers.iter_mut().filter_map(not_kept).collect();
        report_not_kept(not_kept.first());
        if files.is_empty() && !self.watch {
            say("no match file there");
        }
        let mut named_failed = false;
        let mut report = AddReport::default();
        let finished = done.len();
        for (place, one) in done {
            named_failed |= files[place].is_named && !one.failed.is_empty();
            report = report.and(one);
        }
        report.show(self.json)?;
        if let Some(why) = report.refused {
            return Err(why.into());
        }
        lock(&importers[0].library).forget_failed(&[])?;
        if self.watch {
            let mut importer = importers.swap_remove(0);
            importer.reviewer.pool = self.threads.pool()?;
            return importer.watch(&mut watches, self.json);
        }
        match files.len() {
            of if finished < of => {
                bail!("stopped after {finished} of {of} files: the same command goes on")
            }
            _ if named_failed && self.files.len() == 1 => bail!("nothing was added"),
            _ => Ok(()),
        }
    }

    /// Returns importers that share the threads; as many as are useful.
    fn importers(&self, files: usize) -> Result<Vec<Importer>> {
        let workers = self.threads.number().get().min(files);
        let workers = workers.clamp(1, MOST_WORKERS);
        let library = self.library.open()?;
        let reviews = self.reviews(&library)?;
        let are_kept = reviews.is_some();
        let reviewer = Reviewer::new(&self.nets, &self.cube, self.ply, None, reviews)?;
        let mut all = vec![Importer {
            library: Arc::new(Mutex::new(library)),
            reviewer: PooledReviewer::new(reviewer, self.threads.pool_of(workers)?),
            ended: asked_to_end()?,
        }];
        for _ in 1..workers {
            let reviews = match are_kept {
                true => self.reviews(&lock(&all[0].library))?,
                false => None,
            };
            let pool = self.threads.pool_of(workers)?;
            all.push(all[0].sibling(reviews, pool));
        }
        Ok(all)
    }

    /// The reviews of a named library are in its folder.
    fn reviews(&self, library: &LibraryStore) -> Result<Option<ReviewStore>> {
        match (&self.library.library, library.reviews()) {
            (Some(_), Some(path)) => open_store(Some(&path)),
            _ => open_store(None),
        }
    }

    /// Returns all named files, including those of folders.
    fn found(&self) -> Vec<FoundFile> {
        let mut all = Vec::new();
        for path in &self.files {
            match path.is_dir() {
                true => {
                    let found = folder::match_files(path, &mut |e| say(&e));
                    all.extend(found.into_iter().map(|path| FoundFile {
                        path,
                        is_named: false,
                    }));
                }
                false => all.push(FoundFile {
                    path: path.clone(),
                    is_named: true,
                }),
            }
        }
        all
    }
}

/// Files being added by several threads.
struct Adding<'a> {
    files: &'a [FoundFile],
    next: usize,
    progress: FileProgress,
    /// Results of finished files, with their index.
    done: Vec<(usize, AddReport)>,
}

/// Adds files, each importer on its own thread, until the user cancels. Returns the results of finished files.
///
/// Threads take whole files, because parts of a match are single-threaded, above all the bear-off tables at its
/// scores.
fn add_all(importers: &mut [Importer], files: &[FoundFile]) -> Vec<(usize, AddReport)> {
    let adding = Mutex::new(Adding {
        files,
        next: 0,
        progress: FileProgress::new(files.len()),
        done: Vec::new(),
    });
    let Some((first, others)) = importers.split_first_mut() else {
        return Vec::new();
    };
    std::thread::scope(|scope| {
        for importer in others {
            // If threads cannot be started, fewer work.
            let thread = std::thread::Builder::new();
            let _ = thread.spawn_scoped(scope, || importer.add(&adding));
        }
        first.add(&adding);
    });
    let adding = unlocked(adding);
    adding.progress.clear();
    let mut done = adding.done;
    done.sort_unstable_by_key(|(place, _)| *place);
    done
}

impl Failure {
    pub(super) fn new(path: &Path, reason: &str) -> Self {
        Self {
            file: path.display().to_string(),
            reason: sanitize::clean(reason).into_owned(),
        }
    }
}

impl AddReport {
    /// Adds another report to this one.
    fn and(mut self, other: Self) -> Self {
        self.added += other.added;
        self.updated += other.updated;
        self.more_files += other.more_files;
        self.with_warnings += other.with_warnings;
        self.unchanged += other.unchanged;
        self.left_out += other.left_out;
        self.failed.extend(other.failed);
        self.refused = self.refused.or(other.refused);
        self
    }

    fn count(&mut self, kept: &[Kept]) {
        for one in kept {
            match one {
                Kept::Added(_) => self.added += 1,
                Kept::Updated(_) => self.updated += 1,
                Kept::AnotherFile(_) => {
                    self.updated += 1;
                    self.more_files += 1;
                }
                Kept::Unchanged(_) => self.unchanged += 1,
            }
        }
    }

    fn show(&self, json: bool) -> Result<()> {
        if json {
            return output::json(self);
        }
        self.failed.iter().for_each(|one| say(&one.reason));
        output::text(&self.text())
    }

    fn text(&self) -> String {
        let updated = self.updated - self.more_files;
        let mut text = format!(
            "{} added, {updated} updated, {} unchanged",
            self.added, self.unchanged
        );
        match self.more_files {
            0 => {}
            1 => text += "; 1 more file of a match that is there",
            n => text += &format!("; {n} more files of matches that are there"),
        }
        match self.left_out {
            0 => {}
            1 => text += "; 1 left out because it was removed",
            n => text += &format!("; {n} left out because they were removed"),
        }
        match self.failed.len() {
            0 => {}
            1 => text += "; 1 file could not be read",
            n => text += &format!("; {n} files could not be read"),
        }
        match self.with_warnings {
            0 => {}
            1 => text += "; 1 file with warnings (luckless inspect FILE)",
            n => text += &format!("; {n} files with warnings (luckless inspect FILE)"),
        }
        text + "\n"
    }
}

struct Importer {
    library: Arc<Mutex<LibraryStore>>,
    reviewer: PooledReviewer,
    ended: Arc<AtomicBool>,
}

/// A reviewer with its own thread pool.
struct PooledReviewer {
    reviewer: Reviewer,
    pool: rayon::ThreadPool,
    /// The last file had warnings.
    has_warnings: Cell<bool>,
    matches: Cell<usize>,
}

impl PooledReviewer {
    fn new(reviewer: Reviewer, pool: rayon::ThreadPool) -> Self {
        Self {
            reviewer,
            pool,
            has_warnings: Cell::new(false),
            matches: Cell::new(0),
        }
    }
}

impl MatchReviewer for PooledReviewer {
    fn read(&self, path: &Path) -> Result<ImportedFile, String> {
        let read = self.reviewer.read(path).map_err(|e| message_of(&e))?;
        let mut records = read.matches.iter().map(|(_, record)| record);
        self.has_warnings
            .set(records.any(|record| !record.warnings.is_empty()));
        self.matches.set(read.matches.len());
        Ok(read)
    }

    fn key(&self, file: &ImportedFile, index: usize, record: &Match) -> ReviewKey {
        self.reviewer.key(file, index, record)
    }

    fn is_kept(&self, id: &ReviewId) -> bool {
        self.reviewer.is_kept(id)
    }

    fn review(
        &mut self,
        file: &ImportedFile,
        index: usize,
        record: &Match,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Report, String), String> {
        let reviewer = &mut self.reviewer;
        let reviewed = self
            .pool
            .install(|| reviewer.one(file, index, record, cancelled));
        let one = reviewed.map_err(|e| message_of(&e))?;
        Ok((one.report, one.day))
    }

    fn evaluator(&self) -> &dyn Evaluator {
        self.reviewer.evaluator()
    }

    fn model(&self) -> &Model {
        self.reviewer.model()
    }

    fn ply(&self) -> u8 {
        self.reviewer.ply()
    }
}

impl Importer {
    /// Another importer with its own reviews and threads.
    fn sibling(&self, reviews: Option<ReviewStore>, pool: rayon::ThreadPool) -> Self {
        let reviewer = self.reviewer.reviewer.beside(reviews);
        Self {
            library: Arc::clone(&self.library),
            reviewer: PooledReviewer::new(reviewer, pool),
            ended: Arc::clone(&self.ended),
        }
    }

    /// Adds files until there are no more or the user cancels.
    fn add(&mut self, adding: &Mutex<Adding<'_>>) {
        let lock = || lock(adding);
        while !self.is_over() {
            let (place, file) = {
                let mut adding = lock();
                let place = adding.next;
                let Some(file) = adding.files.get(place) else {
                    return;
                };
                adding.next += 1;
                let done = adding.done.len();
                adding.progress.show(done, &file.path);
                (place, file)
            };
            let mut report = AddReport::default();
            self.take(&file.path, file.is_named, &mut report);
            let is_refused = report.refused.is_some();
            if !self.is_over() {
                lock().done.push((place, report));
            }
            // The library would refuse the other files, too.
            if is_refused {
                return;
            }
        }
    }

    /// Returns whether the user has cancelled.
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Adds files saved in watched folders until the user cancels, which is the normal end.
    fn watch(&mut self, watches: &mut [FolderWatch], json: bool) -> Result<()> {
        if !self.is_over() {
            say("waiting for matches that are saved there, Ctrl-C ends it");
        }
        // Files refused by the library, to retry.
        let mut refused: Vec<PathBuf> = Vec::new();
        while !self.is_over() {
            for watch in watches.iter_mut() {
                let before = std::mem::take(&mut refused);
                let settled = watch.settled(POLL_INTERVAL).into_iter();
                let fresh = settled.filter(|path| !before.contains(path));
                let saved: Vec<_> = before.iter().cloned().chain(fresh).collect();
                watch.troubles().iter().for_each(|trouble| say(trouble));
                for path in saved {
                    let mut report = AddReport::default();
                    // A removed match that is saved again stays away, because its file was not named.
                    self.take(&path, false, &mut report);
                    report_not_kept(self.reviewer.reviewer.not_kept().as_ref());
                    if self.is_over() {
                        break;
                    }
                    if let Some(why) = report.refused {
                        // Reported once, not on each attempt.
                        if !before.contains(&path) {
                            say(&format!("{}: {why}", path.display()));
                        }
                        refused.push(path);
                        continue;
                    }
                    if !json {
                        output::text(&format!("{}: ", path.display()))?;
                    }
                    report.show(json)?;
                }
            }
        }
        Ok(())
    }

    /// Adds a file and records the result in `report`.
    fn take(&mut self, path: &Path, is_named: bool, report: &mut AddReport) {
        // Reset, because an unreadable file sets neither.
        self.reviewer.has_warnings.set(false);
        self.reviewer.matches.set(0);
        let ended = Arc::clone(&self.ended);
        let cancelled = move || ended.load(Ordering::Relaxed);
        let mut importer = LibraryImporter {
            library: &self.library,
            reviewer: &mut self.reviewer,
            any_engine: false,
            cancelled: &cancelled,
        };
        let kept = importer.file(path, is_named);
        match kept {
            Ok(kept) => {
                let is_news = kept.iter().any(|one| !matches!(one, Kept::Unchanged(_)));
                report.count(&kept);
                report.left_out += self.reviewer.matches.get().saturating_sub(kept.len());
                report.with_warnings += usize::from(is_news && self.reviewer.has_warnings.get());
            }
            Err(_) if self.is_over() => {}
            Err(NotTaken::Library(why)) => report.refused = Some(why),
            Err(NotTaken::Unreadable(reason) | NotTaken::Unreviewed(reason)) => {
                report.failed.push(Failure::new(path, &reason));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[derive(Debug, clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    /// With separate connections, threads that find almost everything stored would lock each other out.
    #[test]
    fn threads_share_one_library() {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("library.sqlite");
        let words = ["add", "m", "--threads", "3", "--library"];
        let words = words.map(Into::into).into_iter().chain([library.into()]);
        let words: Vec<std::ffi::OsString> = words.collect();
        let line = Line::try_parse_from(words).unwrap();
        let importers = line.args.importers(9).unwrap();
        assert_eq!(importers.len(), 3);
        let first = &importers[0].library;
        assert!(importers.iter().all(|one| Arc::ptr_eq(first, &one.library)));
    }
}
