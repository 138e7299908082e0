//! `luckless matches --watch`: a folder's matches reviewed, and those that are saved there later.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Result, bail};

use super::match_list::{dated, heading, line_for, side};
use super::reviewer::{FileReview, Reviewer, open_store};
use crate::cli::common::options::{CubeModel, Nets, Threads};
use crate::cli::common::output;
use crate::cli::common::signals::asked_to_end;
use crate::cli::common::usage::{message_of, must_be_folder, say};
use crate::sanitize;
use crate::store::{FolderWatch, folder};

/// Time between two checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// How the matches of a folder are reviewed and told.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    /// Only matches of this player are told.
    pub(super) player: Option<&'a str>,
    /// Whether each is told as a document in a line.
    pub(super) json: bool,
    /// The file that reviews are kept in, if it is not the usual one.
    pub(super) store: Option<&'a Path>,
    /// Plies of lookahead where a decision is close.
    pub(super) ply: u8,
    pub(super) threads: &'a Threads,
    pub(super) nets: &'a Nets,
    pub(super) cube: &'a CubeModel,
}

impl Watched<'_> {
    /// Reviews what is in the folder and is not kept, then what is saved there, until a signal ends it:
    /// the ordinary end.
    pub(super) fn run(self, path: &Path) -> Result<()> {
        must_be_folder(path)?;
        // Watched before it is read, so that nothing falls between.
        let mut watch = FolderWatch::start(path)?;
        let Some(store) = open_store(self.store)? else {
            bail!("what is reviewed must be kept: give --store FILE");
        };
        let reviewer = Reviewer::new(self.nets, self.cube, self.ply, None, Some(store))?;
        let ended = asked_to_end()?;
        let mut watching = Watching {
            args: self,
            reviewer: reviewer.short(),
            pool: self.threads.pool()?,
            ended,
            printed: 0,
        };
        // What cannot be looked into cannot be watched either, and is reported as that.
        let all = folder::match_files(path, &mut |_| {});
        watch.troubles().iter().for_each(|trouble| say(trouble));
        watching.review(&all)?;
        if !watching.is_over() {
            say(&format!("watching {}, Ctrl-C ends it", path.display()));
        }
        while !watching.is_over() {
            watching.review(&watch.settled(POLL_INTERVAL))?;
            watch.troubles().iter().for_each(|trouble| say(trouble));
        }
        Ok(())
    }
}

struct Watching<'a> {
    args: Watched<'a>,
    reviewer: Reviewer,
    pool: rayon::ThreadPool,
    ended: Arc<AtomicBool>,
    printed: usize,
}

impl Watching<'_> {
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Analyses those of the files that are not kept, and prints a line for each match of them.
    fn review(&mut self, files: &[PathBuf]) -> Result<()> {
        for path in files {
            if self.is_over() {
                break;
            }
            let ended = Arc::clone(&self.ended);
            let cancelled = move || ended.load(Ordering::Relaxed);
            let reviewer = &mut self.reviewer;
            match self.pool.install(|| reviewer.file(path, &cancelled)) {
                Ok(reviews) => {
                    for one in reviews.into_iter().filter(|one| one.is_new) {
                        self.print(one)?;
                    }
                }
                // In a folder there may be anything, and a file that is broken now may be whole
                // when it is saved again.
                Err(error) if !self.is_over() => say(&message_of(&error)),
                Err(_) => {}
            }
            if let Some(error) = self.reviewer.not_kept() {
                say(&format!("not kept: {error}"));
            }
        }
        Ok(())
    }

    fn print(&mut self, one: FileReview) -> Result<()> {
        let name = self.args.player;
        let whose = name.map(|name| side(&one.report, name));
        if whose == Some(None) {
            return Ok(());
        }
        if self.args.json {
            let report = crate::store::reviews::short(&dated(one.report, &one.day));
            let line = sanitize::to_json(&report)?;
            return output::text(&format!("{line}\n"));
        }
        let head = if self.printed == 0 {
            heading()
        } else {
            String::new()
        };
        self.printed += 1;
        let line = line_for(&one.day, &one.report, whose.flatten());
        output::text(&format!("{head}{line}"))
    }
}
