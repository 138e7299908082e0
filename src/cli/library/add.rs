//! `luckless library add`: matches analysed and taken in, file by file.

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

/// Threads at most that take files in: one at a time writes to the library.
const MOST_WORKERS: usize = 8;
/// Time between two checks for a signal.
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

/// What became of all files.
#[derive(Debug, Default, Serialize)]
struct AddReport {
    /// Matches that are new.
    added: usize,
    /// Matches that have one more file, a better record, another analysis, or corrected names.
    updated: usize,
    /// Matches among the updated ones that have one more file, and nothing else that is new.
    #[serde(skip)]
    more_files: usize,
    /// Matches in files with nothing new.
    unchanged: usize,
    /// Matches that stay away because they were removed.
    left_out: usize,
    /// Files that could not be read.
    failed: Vec<Failure>,
    /// Files with something new in which something was wrong.
    #[serde(skip)]
    with_warnings: usize,
    /// Why the library takes nothing in.
    #[serde(skip)]
    refused: Option<StoreError>,
}

#[derive(Debug, Serialize)]
struct Failure {
    file: String,
    reason: String,
}

/// A file to be added.
struct FoundFile {
    path: PathBuf,
    /// Whether it was named itself, not with its folder.
    is_named: bool,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        if self.files.iter().any(|path| stdin::is_meant(path)) {
            return Err(misuse(
                "the library finds its matches in files again, and none in stdin: name a file instead of -",
            ));
        }
        // Watched before it is read, so that nothing falls between.
        let mut watches = Vec::new();
        for folder in self.files.iter().filter(|_| self.watch) {
            must_be_folder(folder)?;
            watches.push(FolderWatch::start(folder)?);
        }
        let files = self.found();
        let mut importers = self.importers(files.len())?;
        let done = add_all(&mut importers, &files);
        let not_kept = |importer: &mut Importer| importer.reviewer.reviewer.not_kept();
        // Each is asked, as that is what it tries again at.
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

    /// Importers that share the threads, as many as these are good for.
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
            all.push(all[0].beside(reviews, pool));
        }
        Ok(all)
    }

    /// The store of reviews: beside a library that was named.
    fn reviews(&self, library: &LibraryStore) -> Result<Option<ReviewStore>> {
        match (&self.library.library, library.reviews()) {
            (Some(_), Some(path)) => open_store(Some(&path)),
            _ => open_store(None),
        }
    }

    /// All files that were named, with those of folders.
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

/// Files that are being added by several threads.
struct Adding<'a> {
    files: &'a [FoundFile],
    next: usize,
    progress: FileProgress,
    /// What became of those that are done, each with its place.
    done: Vec<(usize, AddReport)>,
}

/// Adds files, each importer in a thread of its own, until the user wants an end: what became of each that is done.
///
/// A match has parts that one thread does alone, tables of bearoffs at its scores above all. So threads take
/// whole files.
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
            // Where no thread can be started there are fewer.
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
    fn new(path: &Path, reason: &str) -> Self {
        Self {
            file: path.display().to_string(),
            reason: sanitize::clean(reason).into_owned(),
        }
    }
}

impl AddReport {
    /// The sum of this report and another.
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

/// Takes files into a library.
struct Importer {
    library: Arc<Mutex<LibraryStore>>,
    reviewer: PooledReviewer,
    ended: Arc<AtomicBool>,
}

/// A reviewer that analyses by some threads.
struct PooledReviewer {
    reviewer: Reviewer,
    pool: rayon::ThreadPool,
    /// Whether something was wrong in the file that was read last.
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
    /// Another importer, with reviews and threads of its own.
    fn beside(&self, reviews: Option<ReviewStore>, pool: rayon::ThreadPool) -> Self {
        let reviewer = self.reviewer.reviewer.beside(reviews);
        Self {
            library: Arc::clone(&self.library),
            reviewer: PooledReviewer::new(reviewer, pool),
            ended: Arc::clone(&self.ended),
        }
    }

    /// Adds one file after the other, until there are no more or the user wants an end.
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
            // It would refuse the others too.
            if is_refused {
                return;
            }
        }
    }

    /// Whether the user wants an end.
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Adds what is saved in folders from now on, until the user wants an end: the ordinary one.
    fn watch(&mut self, watches: &mut [FolderWatch], json: bool) -> Result<()> {
        if !self.is_over() {
            say("waiting for matches that are saved there, Ctrl-C ends it");
        }
        // What the library could not take is tried again.
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
                    // Saved again, a match that was removed stays away: nobody has named its file.
                    self.take(&path, false, &mut report);
                    report_not_kept(self.reviewer.reviewer.not_kept().as_ref());
                    if self.is_over() {
                        break;
                    }
                    if let Some(why) = report.refused {
                        // Said once, and not with each attempt.
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

    /// Takes a file in, and says in `report` what became of it.
    fn take(&mut self, path: &Path, is_named: bool, report: &mut AddReport) {
        // A file that cannot be read says nothing of either.
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

    /// With a connection each, threads that find nearly everything there already lock one another out of a library.
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
