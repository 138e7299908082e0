//! Fills the library in the background from watched folders. A separate thread analyses on one core, and waits during
//! rollouts.

use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::started;
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::locks::lock;
use crate::match_file::Match;
use crate::panics::guarded;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{Report, Thresholds, analyse_match};
use crate::store::library::{FileState, Kept, LibraryMatch};
use crate::store::{
    ImportedFile, KeptTurns, LibraryImporter, LibraryStore, MatchReviewer, NotTaken, READ_TIMEOUT,
    ReviewId, ReviewKey, ReviewMethod, ReviewStore, StoreError, folder, played,
};
use crate::tui::message::{Message, Tell as _};
use crate::tui::windows::library::FillNews;

/// Interval between checks whether rollouts have ended.
const PAUSE: Duration = Duration::from_millis(100);

/// Handle of the thread that fills the library.
pub struct Filler {
    requests: Sender<FillRequest>,
    held: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
    ply: Arc<AtomicU8>,
}

/// A request to add files.
enum FillRequest {
    /// A saved file, or a folder named by the user.
    Asked(PathBuf),
    /// The displayed file, named by the user: the result is reported, and removed matches return.
    Named(PathBuf),
    /// The watched folders.
    Watched(Vec<PathBuf>),
    /// A file that was opened and reviewed.
    Reviewed(PathBuf),
    /// A file that was opened, with a stored review.
    Remembered(PathBuf),
}

/// Resources of reviews, and the paths of library and reviews.
#[derive(Clone)]
pub struct FillerMeans {
    pub library: PathBuf,
    pub reviews: PathBuf,
    pub evaluator: Arc<dyn Evaluator>,
    /// Cube model for cubeful values.
    pub model: Arc<Model>,
    /// Whether to review matches without the Crawford rule.
    pub no_crawford: bool,
    /// Search depth of reviews; may change at any time.
    pub ply: Arc<AtomicU8>,
}

impl Filler {
    pub fn start(means: FillerMeans, messages: Sender<Message>) -> Self {
        let (requests, inbox) = unbounded();
        let (held, ended) = (Arc::default(), Arc::default());
        let ply = Arc::clone(&means.ply);
        let work = Work {
            means,
            messages: messages.clone(),
            held: Arc::clone(&held),
            ended: Arc::clone(&ended),
        };
        let spawned = std::thread::Builder::new()
            .name("filler".into())
            .spawn(move || work.run(&inbox));
        started(spawned, "add matches to the library", &messages);
        Self {
            requests,
            held,
            ended,
            ply,
        }
    }

    /// Adds a saved file, or all matches of a folder named by the user.
    pub fn take_in(&self, path: PathBuf) {
        // The thread ends only with the program.
        let _ = self.requests.send(FillRequest::Asked(path));
    }

    /// Adds a file named by the user, and reports the result.
    pub fn add(&self, path: PathBuf) {
        let _ = self.requests.send(FillRequest::Named(path));
    }

    /// Adds all matches of the watched folders.
    pub fn watched(&self, folders: Vec<PathBuf>) {
        let _ = self.requests.send(FillRequest::Watched(folders));
    }

    /// Updates a file's matches in the library if the new review is deeper.
    pub fn reviewed(&self, path: PathBuf) {
        let _ = self.requests.send(FillRequest::Reviewed(path));
    }

    /// As [`Filler::reviewed`], for a stored review: the library has it already unless the program ended before.
    pub fn remembered(&self, path: PathBuf) {
        let _ = self.requests.send(FillRequest::Remembered(path));
    }

    /// Sets the search depth of reviews.
    pub fn review_at(&self, ply: u8) {
        self.ply.store(ply, Ordering::Relaxed);
    }

    /// Pauses or resumes the thread.
    pub fn hold(&self, is_held: bool) {
        self.held.store(is_held, Ordering::Relaxed);
    }

    /// Cancels the current work, which will be repeated later.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Files waiting to be added.
#[derive(Default)]
struct Waiting {
    files: VecDeque<PathBuf>,
    /// The files among them that the user named.
    named: HashSet<PathBuf>,
}

impl Waiting {
    /// Adds files that are not waiting yet; a folder may be named twice or contain another.
    fn add(&mut self, files: Vec<PathBuf>) {
        let waiting: HashSet<PathBuf> = self.files.iter().cloned().collect();
        let new = files.into_iter().filter(|path| !waiting.contains(path));
        self.files.extend(new);
    }

    /// Adds a file as the next one.
    fn push_front(&mut self, path: PathBuf) {
        self.files.push_front(path);
    }

    /// Takes the next file, and whether the user named it.
    fn next(&mut self) -> Option<(PathBuf, bool)> {
        let path = self.files.pop_front()?;
        let is_named = self.named.remove(&path);
        Some((path, is_named))
    }

    fn clear(&mut self) {
        self.files.clear();
        self.named.clear();
    }
}

struct Work {
    means: FillerMeans,
    messages: Sender<Message>,
    held: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
}

impl Work {
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    /// Waits while paused. Returns whether to cancel.
    fn cancelled(&self) -> bool {
        while self.held.load(Ordering::Relaxed) && !self.is_over() {
            std::thread::sleep(PAUSE);
        }
        self.is_over()
    }

    fn run(self, inbox: &Receiver<FillRequest>) {
        let mut left = Waiting::default();
        let mut news = FillNews::default();
        let mut is_awaited = false;
        while let Ok(first) = inbox.recv() {
            is_awaited |= !matches!(first, FillRequest::Reviewed(_) | FillRequest::Remembered(_));
            if !self.queue(first, &mut left, &mut news) {
                // Reports the empty result if it is awaited, unless more requests are pending.
                if is_awaited && inbox.is_empty() {
                    is_awaited = false;
                    self.send(&news);
                }
                continue;
            }
            is_awaited = false;
            self.send(&news);
            let done = guarded(|| self.all(inbox, &mut left, &mut news));
            if let Err(why) | Ok(Err(why)) = done {
                self.messages
                    .warn(format!("the library is not filled: {why}"));
                left.clear();
                news.done = news.of;
                self.send(&news);
            }
            if self.is_over() {
                return;
            }
        }
    }

    fn send(&self, news: &FillNews) {
        self.messages.tell(Message::Filled(news.clone()));
    }

    /// Returns the match files of a folder.
    fn files_of(&self, folder: &Path) -> Vec<PathBuf> {
        folder::match_files(folder, &mut |why| self.messages.warn(why))
    }

    /// Queues the files of a request. Returns whether there is more work now. If all earlier work is done, restarts
    /// the count.
    fn queue(&self, request: FillRequest, left: &mut Waiting, news: &mut FillNews) -> bool {
        let before = left.files.len();
        let is_named = matches!(&request, FillRequest::Asked(path) if path.is_dir());
        match request {
            FillRequest::Asked(path) if is_named => {
                let files = self.files_of(&path);
                if files.is_empty() {
                    self.messages
                        .warn(format!("no match file in {}", path.display()));
                }
                left.add(files);
            }
            FillRequest::Asked(path) | FillRequest::Named(path) if !path.exists() => {
                self.messages
                    .warn(format!("no such file or folder: {}", path.display()));
            }
            FillRequest::Asked(path) => left.push_front(path),
            FillRequest::Named(path) => {
                left.named.insert(path.clone());
                left.push_front(path);
            }
            FillRequest::Reviewed(path) if self.is_known(&path) => left.push_front(path),
            FillRequest::Remembered(path) if self.is_shallow(&path) => left.push_front(path),
            FillRequest::Reviewed(_) | FillRequest::Remembered(_) => {}
            FillRequest::Watched(folders) => {
                let files = folders.iter().flat_map(|folder| self.files_of(folder));
                left.add(files.collect());
            }
        }
        let more = left.files.len() - before;
        if before == 0 {
            // Reports about earlier files are not repeated, even if this request yields nothing.
            news.is_asked = false;
        }
        if before == 0 && more > 0 {
            (news.done, news.of, news.known) = (0, 0, 0);
            news.unreadable.clear();
        }
        news.is_asked |= is_named && !left.files.is_empty();
        news.of += more;
        more > 0
    }

    /// Returns whether the library has matches of a file.
    fn is_known(&self, path: &Path) -> bool {
        matches!(self.known(path), Ok(Some(_)))
    }

    /// Returns whether the library has a match of a file with a review shallower than the current depth.
    fn is_shallow(&self, path: &Path) -> bool {
        let ply = self.means.ply.load(Ordering::Relaxed);
        let known = self.known(path).ok().flatten().unwrap_or_default();
        known
            .iter()
            .any(|one| one.head.ply < ply || !one.is_current)
    }

    /// Returns the library's matches of a file; `None` if the file is unknown.
    fn known(&self, path: &Path) -> Result<Option<Vec<LibraryMatch>>, StoreError> {
        let Some(library) = LibraryStore::open_to_read(&self.means.library, READ_TIMEOUT)? else {
            return Ok(None);
        };
        let Some(FileState::Read(ids)) = library
            .file(&library.path_of(path)?)?
            .map(|file| file.state)
        else {
            return Ok(None);
        };
        let found: Result<Vec<_>, StoreError> = ids.iter().map(|id| library.get(*id)).collect();
        Ok(Some(found?.into_iter().flatten().collect()))
    }

    fn all(
        &self,
        inbox: &Receiver<FillRequest>,
        left: &mut Waiting,
        news: &mut FillNews,
    ) -> Result<(), String> {
        let library = LibraryStore::open(&self.means.library).map_err(|e| e.to_string())?;
        let library = Mutex::new(library);
        let mut reviewer = self.reviewer()?;
        let mut refused = None;
        while let Some((path, is_named)) = left.next() {
            if self.cancelled() {
                return Ok(());
            }
            let known = {
                let library = lock(&library);
                library.path_of(&path).and_then(|path| library.file(&path))
            };
            let known = known.map(|file| file.map(|file| file.state));
            let was_bad = matches!(known, Ok(Some(FileState::Failed { .. })));
            let cancelled = || self.cancelled();
            let mut importer = LibraryImporter {
                library: &library,
                reviewer: &mut reviewer,
                any_engine: true,
                cancelled: &cancelled,
            };
            // A file on which the program panics does not stop the others.
            let taken = match guarded(|| importer.file(&path, is_named)) {
                Ok(taken) => taken,
                Err(why) => Err(NotTaken::Unreviewed(format!(
                    "the program failed at it: {why}"
                ))),
            };
            if self.is_over() {
                return Ok(());
            }
            match taken {
                Ok(kept) => {
                    count_kept(&kept, news);
                    if is_named {
                        let name = name_of(&path);
                        self.messages.tell(Message::InLibrary { name, kept });
                    }
                }
                Err(NotTaken::Unreadable(why)) if is_named => {
                    self.messages.warn(why);
                    count_unreadable(&path, was_bad, news);
                }
                Err(NotTaken::Unreadable(_)) => count_unreadable(&path, was_bad, news),
                Err(why) => {
                    // It is neither in the library nor unreadable, so the summary does not count it.
                    news.of = news.of.saturating_sub(1);
                    self.report_refused(&path, why.to_string(), &mut refused);
                }
            }
            // Sent before further requests, which may restart the count.
            self.send(news);
            let queued = inbox
                .try_iter()
                .map(|request| self.queue(request, left, news));
            if queued.fold(false, |any, more| any | more) {
                self.send(news);
            }
        }
        Ok(())
    }

    /// Reports why a readable file is not in the library. A reason shared by consecutive files, such as a full disk,
    /// is reported once.
    fn report_refused(&self, path: &Path, why: String, last: &mut Option<String>) {
        if last.as_ref() != Some(&why) {
            self.messages
                .warn(format!("{} is not in the library: {why}", name_of(path)));
            *last = Some(why);
        }
    }

    fn reviewer(&self) -> Result<BackgroundReviewer, String> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .map_err(|error| error.to_string())?;
        let means = self.means.clone();
        Ok(BackgroundReviewer {
            by: ReviewMethod::new(means.evaluator.name(), &means.model, means.no_crawford),
            reviews: ReviewStore::open(&means.reviews).map_err(|error| error.to_string())?,
            means,
            pool,
            messages: self.messages.clone(),
        })
    }
}

fn is_new(one: &Kept) -> bool {
    matches!(one, Kept::Added(_))
}

fn count_kept(kept: &[Kept], news: &mut FillNews) {
    let added = kept.iter().filter(|one| is_new(one)).count();
    news.added += added;
    let is_better = |one: &&Kept| matches!(one, Kept::Updated(_));
    news.updated += kept.iter().filter(is_better).count();
    news.known += usize::from(added == 0);
    news.done += 1;
}

/// Counts an unreadable file. Known ones are not counted again, but are listed for a user who names the folder.
fn count_unreadable(path: &Path, was_bad: bool, news: &mut FillNews) {
    news.failed += usize::from(!was_bad);
    news.unreadable.push(name_of(path));
    news.done += 1;
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// Finds stored reviews, or reviews to the standard depth.
struct BackgroundReviewer {
    means: FillerMeans,
    by: ReviewMethod,
    reviews: ReviewStore,
    pool: rayon::ThreadPool,
    messages: Sender<Message>,
}

impl MatchReviewer for BackgroundReviewer {
    fn read(&self, path: &Path) -> Result<ImportedFile, String> {
        let mut file = ImportedFile::read(path)?;
        if self.means.no_crawford {
            let records = file.matches.iter_mut().map(|(_, record)| record);
            records.for_each(Match::remove_crawford_rule);
        }
        Ok(file)
    }

    fn key(&self, file: &ImportedFile, index: usize, record: &Match) -> ReviewKey {
        ReviewKey::new(&file.bytes, index, record, &self.by, self.ply())
    }

    fn is_kept(&self, id: &ReviewId) -> bool {
        // If the lookup fails, no new review is needed.
        self.reviews.contains(id).unwrap_or(true)
    }

    fn review(
        &mut self,
        file: &ImportedFile,
        index: usize,
        record: &Match,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Report, String), String> {
        let key = self.key(file, index, record);
        let day = |report: &Report| played(report.date.as_deref(), &file.path);
        // A damaged or unreadable review is repeated.
        if let Ok(found) = self.reviews.find(&key.id)
            && let Some(report) = found.sound(|_| ())
        {
            let day = day(&report);
            return Ok((report, day));
        }
        let (evaluator, model) = (Arc::clone(&self.means.evaluator), &self.means.model);
        let ply = self.ply();
        let analyse = || analyse_match(&*evaluator, model, record, ply, cancelled);
        let analysed = self.pool.install(analyse);
        let analysed = analysed.ok_or_else(|| "the review was given up".to_owned())?;
        let context = ReportContext {
            engine: evaluator.name(),
            model,
            ply,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        let report = build(record, &analysed, &context);
        let day = day(&report);
        // The workstation shows it at once when the match is opened.
        let turns = report.complete.then(|| KeptTurns::of(&analysed));
        if let Err(error) = self.reviews.save(&key, &day, &report, turns.as_ref()) {
            // The library has the figures; the review itself is repeated when needed.
            self.messages.warn(error.to_string());
        }
        Ok((report, day))
    }

    fn evaluator(&self) -> &dyn Evaluator {
        &*self.means.evaluator
    }

    fn model(&self) -> &Model {
        &self.means.model
    }

    fn ply(&self) -> u8 {
        self.means.ply.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
