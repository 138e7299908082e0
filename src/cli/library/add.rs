//! `luckless library add`: matches analysed and taken in, file by file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};
use serde::Serialize;

use super::place::Library;
use crate::cli::options::{CubeModel, Nets, Threads, plies};
use crate::cli::output;
use crate::cli::review_files::Files;
use crate::cli::reviewer::{Reviewer, open_store};
use crate::cli::signals::asked_to_end;
use crate::cli::usage::{message_of, say};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::match_file::Match;
use crate::review::{Report, STANDARD_PLY};
use crate::sanitize;
use crate::store::library::Kept;
use crate::store::{
    FolderWatch, ImportedFile, LibraryImporter, LibraryStore, MatchReviewer, ReviewKey, folder,
};

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
            reviewer: PooledReviewer {
                reviewer: Reviewer::new(&self.nets, &self.cube, self.ply, None, reviews)?,
                pool: self.threads.pool()?,
            },
            ended: asked_to_end()?,
        };
        let mut report = AddReport::default();
        let (done, of, named) = self.add_all(&mut importer, &mut report);
        if let Some(error) = importer.reviewer.reviewer.not_kept() {
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
    reviewer: PooledReviewer,
    ended: Arc<AtomicBool>,
}

/// A reviewer that analyses by some threads.
struct PooledReviewer {
    reviewer: Reviewer,
    pool: rayon::ThreadPool,
}

impl MatchReviewer for PooledReviewer {
    fn read(&self, path: &Path) -> Result<ImportedFile, String> {
        self.reviewer.read(path).map_err(|e| message_of(&e))
    }

    fn key(&self, file: &ImportedFile, index: usize, record: &Match) -> ReviewKey {
        self.reviewer.key(file, index, record)
    }

    fn review(
        &mut self,
        (file, index, record): (&ImportedFile, usize, &Match),
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
        let ended = Arc::clone(&self.ended);
        let cancelled = move || ended.load(Ordering::Relaxed);
        let mut importer = LibraryImporter {
            library: self.library,
            reviewer: &mut self.reviewer,
            any_engine: false,
            cancelled: &cancelled,
        };
        let kept = importer.file(path, is_named);
        self.library.news().iter().for_each(|news| say(news));
        match kept {
            Ok(kept) => report.count(&kept),
            Err(_) if self.is_over() => {}
            Err(reason) => report.failed.push(Failure::new(path, &reason)),
        }
    }
}
