//! `luckless matches --watch`: reviews the matches of a folder, including those saved later.

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

/// Interval between checks for a signal.
const POLL_INTERVAL: Duration = Duration::from_millis(200);

/// Settings for reviewing and listing the matches of a folder.
#[derive(Clone, Copy)]
pub(super) struct Watched<'a> {
    /// Lists only matches of this player.
    pub(super) player: Option<&'a str>,
    /// Prints each match as a JSON line.
    pub(super) json: bool,
    /// The reviews file, if it is not the default.
    pub(super) store: Option<&'a Path>,
    /// Search depth where a decision is close.
    pub(super) ply: u8,
    pub(super) threads: &'a Threads,
    pub(super) nets: &'a Nets,
    pub(super) cube: &'a CubeModel,
}

impl Watched<'_> {
    /// Reviews the folder's matches without stored reviews, then those saved later, until a signal ends it, which is
    /// the normal end.
    pub(super) fn run(self, path: &Path) -> Result<()> {
        must_be_folder(path)?;
        // Watched before it is read, so that no file is missed in between.
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
        // Unreadable folders cannot be watched either and are reported as such.
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

    /// Analyses the files without stored reviews, and prints a line for each of their matches.
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
                // Folders may contain anything, and a broken file may be complete when it is saved again.
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
