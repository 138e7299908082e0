//! `luckless library add`: matches analysed and taken in, file by file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::place::Library;
use crate::cli::options::{CubeModel, Nets, Threads, plies};
use crate::cli::output;
use crate::cli::review_files::Files;
use crate::cli::reviewer::{ReadFile, Reviewer, open_store};
use crate::cli::signals::asked_to_end;
use crate::cli::usage::{message_of, say};
use crate::library::{MatchHead, PackedDecision, decisions};
use crate::match_file::Match;
use crate::review::STANDARD_PLY;
use crate::sanitize;
use crate::store::library::{FileState, Kept, LibraryMatch, NewMatch};
use crate::store::{FolderWatch, LibraryStore, MatchFingerprint, folder};

/// Time between looks at what a signal has asked for.
const LOOK_EVERY: Duration = Duration::from_millis(200);

const EXAMPLES: &str = "\
Examples:
  luckless library add ~/matches
  luckless library add final.xg semifinal.mat
  luckless library add ~/matches --ply 0    faster, by the static evaluation
  luckless library add ~/matches --watch    and what is saved there later
  luckless library add ~/matches --json

A file whose bytes are the same as before is left alone. The same match in several files and formats is one \
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
    /// Matches that have one more file, or a better record.
    updated: usize,
    /// Matches in files with nothing new.
    unchanged: usize,
    /// Files that could not be read.
    failed: Vec<Failure>,
}

#[derive(Debug, Serialize)]
struct Failure {
    file: String,
    reason: String,
}

impl Args {
    pub(super) fn run(self) -> Result<()> {
        // Watched before it is read, so that nothing falls between.
        let mut watches = Vec::new();
        for folder in self.files.iter().filter(|_| self.watch) {
            watches.push(FolderWatch::start(folder)?);
        }
        let mut library = self.library.open()?;
        let reviews = match (&self.library.library, library.reviews()) {
            (Some(_), Some(path)) => open_store(Some(&path))?,
            _ => open_store(None)?,
        };
        let mut importer = Importer {
            library: &mut library,
            reviewer: Reviewer::new(&self.nets, &self.cube, self.ply, None, reviews)?,
            pool: self.threads.pool()?,
            ended: asked_to_end()?,
        };
        let mut report = AddReport::default();
        let (done, of, named) = self.add_all(&mut importer, &mut report);
        if let Some(error) = importer.reviewer.not_kept() {
            say(&format!("reviews are not kept: {error}"));
        }
        if of == 0 && !self.watch {
            say("no match file there");
        }
        report.show(self.json)?;
        if self.watch {
            return importer.watch(&mut watches, self.json);
        }
        match named {
            _ if done < of => bail!("stopped after {done} of {of} files: the same command goes on"),
            true if self.files.len() == 1 => bail!("nothing was added"),
            _ => Ok(()),
        }
    }

    /// Adds what was named, until the user wants an end: how many files are done, of how many, and whether
    /// one that was named itself has failed.
    fn add_all(&self, importer: &mut Importer<'_>, report: &mut AddReport) -> (usize, usize, bool) {
        let mut all = Vec::new();
        for path in &self.files {
            match path.is_dir() {
                true => {
                    let found = folder::match_files(path, &mut |e| say(&e));
                    all.extend(found.into_iter().map(|path| (path, false)));
                }
                false => all.push((path.clone(), true)),
            }
        }
        let mut progress = Files::new(all.len());
        let (mut done, mut failed) = (0, false);
        for (path, is_named) in &all {
            if importer.is_over() {
                break;
            }
            progress.show(done, path);
            let before = report.failed.len();
            importer.take(path, *is_named, report);
            if importer.is_over() {
                break;
            }
            failed |= *is_named && report.failed.len() > before;
            done += 1;
        }
        progress.clear();
        (done, all.len(), failed)
    }
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
    fn count(&mut self, kept: &[Kept]) {
        for one in kept {
            match one {
                Kept::Added(_) => self.added += 1,
                Kept::Updated(_) => self.updated += 1,
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
        let mut text = format!(
            "{} added, {} updated, {} unchanged",
            self.added, self.updated, self.unchanged
        );
        match self.failed.len() {
            0 => {}
            1 => text += "; 1 file could not be read",
            n => text += &format!("; {n} files could not be read"),
        }
        text + "\n"
    }
}

/// Takes files into a library.
struct Importer<'a> {
    library: &'a mut LibraryStore,
    reviewer: Reviewer,
    pool: rayon::ThreadPool,
    ended: Arc<AtomicBool>,
}

impl Importer<'_> {
    /// Whether the user wants an end.
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Adds what is saved in folders from now on, until the user wants an end: the ordinary one.
    fn watch(&mut self, watches: &mut [FolderWatch], json: bool) -> Result<()> {
        if !self.is_over() {
            say("waiting for matches that are saved there, Ctrl-C ends it");
        }
        while !self.is_over() {
            for watch in watches.iter_mut() {
                let saved = watch.settled(LOOK_EVERY);
                watch.troubles().iter().for_each(|trouble| say(trouble));
                for path in saved {
                    let mut report = AddReport::default();
                    self.take(&path, true, &mut report);
                    if self.is_over() {
                        break;
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
        match self.file(path, is_named) {
            Ok(kept) => report.count(&kept),
            Err(_) if self.is_over() => {}
            Err(error) => report.failed.push(Failure::new(path, &message_of(&error))),
        }
    }

    /// Takes the matches of a file in; why that failed is kept as well.
    fn file(&mut self, path: &Path, is_named: bool) -> Result<Vec<Kept>> {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let read = match self.reviewer.read(&path) {
            Ok(read) => read,
            Err(error) => {
                let state = FileState::Failed(message_of(&error));
                self.library.set_file(&path, "", &state)?;
                return Err(error);
            }
        };
        let hash = format!("{:x}", Sha256::digest(&read.bytes));
        let there = self.library.file(&path)?.filter(|file| file.hash == hash);
        match there.map(|file| file.state) {
            Some(FileState::Removed) if !is_named => return Ok(Vec::new()),
            Some(FileState::Read(ids)) if self.are_done(&ids)? => {
                return Ok(ids.into_iter().map(Kept::Unchanged).collect());
            }
            _ => {}
        }
        let mut matches = Vec::with_capacity(read.matches.len());
        for (index, record) in &read.matches {
            matches.push(self.analysed(&read, *index, record)?);
        }
        let kept = self.library.keep(&path, &hash, &matches)?;
        self.library.news().iter().for_each(|news| say(news));
        Ok(kept)
    }

    /// Whether these matches are all there, and need no other review.
    fn are_done(&self, ids: &[i64]) -> Result<bool> {
        for id in ids {
            let there = self.library.get(*id)?;
            if !there.is_some_and(|one| self.is_as_wanted(&one)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_as_wanted(&self, one: &LibraryMatch) -> bool {
        let engine = self.reviewer.evaluator().name();
        one.is_current && one.head.engine == engine && one.head.ply >= self.reviewer.ply()
    }

    /// A match as it is to be kept. One that is there already, from another file, is not analysed again.
    fn analysed(&mut self, file: &ReadFile, index: usize, record: &Match) -> Result<NewMatch> {
        let fingerprint = MatchFingerprint::of(record);
        let turns: usize = record.games.iter().map(|game| game.events.len()).sum();
        let there = self.library.find(&fingerprint)?;
        let there = there.filter(|one| self.is_as_wanted(one) && one.head.turns as usize >= turns);
        if let Some(one) = there {
            return Ok(NewMatch {
                fingerprint,
                head: one.head,
                decisions: None,
                review: one.review,
            });
        }
        let ended = Arc::clone(&self.ended);
        let cancelled = move || ended.load(Ordering::Relaxed);
        let reviewer = &mut self.reviewer;
        let reviewed = self
            .pool
            .install(|| reviewer.one(file, index, record, &cancelled))?;
        let evaluator = self.reviewer.evaluator();
        let all = decisions(record, &reviewed.report, evaluator, self.reviewer.model());
        Ok(NewMatch {
            fingerprint,
            head: MatchHead::new(record, &reviewed.report, &reviewed.day),
            decisions: Some(all.iter().map(PackedDecision::from).collect()),
            review: self.reviewer.key(file, index, record),
        })
    }
}
