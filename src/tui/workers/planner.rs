//! Reads a player's matches in the library for the study plan and rating windows, on a separate thread. Of pending
//! requests only the newest is handled.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::librarian::decision_row;
use super::started;
use crate::cube::Model;
use crate::panics::guarded;
use crate::store::library::LibraryMatch;
use crate::store::{HistoryOf, LibraryHistory, READ_TIMEOUT, References, StoreError, Whose};
use crate::study::StudyHistory;
use crate::tui::message::{Message, Tell as _};
use crate::tui::windows::asked::HistoryFailure;
use crate::tui::windows::plan::{PlanNews, PlanRequest, PlanView};
use crate::tui::windows::rating::{RatingNews, RatingRequest, RatingView};

/// Interval between progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Handle of the thread.
pub struct Planner {
    requests: Sender<Request>,
}

enum Request {
    Plan(PlanRequest),
    Rating(RatingRequest),
}

impl Planner {
    /// Starts the thread for the library and the reviews at these paths.
    pub fn start(paths: [PathBuf; 2], model: Arc<Model>, messages: Sender<Message>) -> Self {
        let (requests, inbox) = unbounded();
        let mut work = Work {
            paths,
            model,
            messages: messages.clone(),
            history: None,
        };
        let spawned = std::thread::Builder::new()
            .name("planner".into())
            .spawn(move || work.run(&inbox));
        started(spawned, "read the study plan and the ratings", &messages);
        Self { requests }
    }

    pub fn ask(&self, request: PlanRequest) {
        // The thread ends only with the program.
        let _ = self.requests.send(Request::Plan(request));
    }

    /// Requests a rating.
    pub fn rate(&self, request: RatingRequest) {
        let _ = self.requests.send(Request::Rating(request));
    }
}

struct Work {
    paths: [PathBuf; 2],
    model: Arc<Model>,
    messages: Sender<Message>,
    /// Data of the previous request, so that changing the reference player is instant.
    history: Option<Box<StudyHistory>>,
}

/// A panic as the reason for missing data.
fn unread<T>(why: String) -> Result<T, HistoryFailure> {
    Err(HistoryFailure::Unread(why))
}

impl Work {
    fn run(&mut self, inbox: &Receiver<Request>) {
        while let Ok(first) = inbox.recv() {
            let mut newest = first;
            let is_fresh =
                |request: &Request| matches!(request, Request::Plan(plan) if plan.is_fresh);
            let mut forgets = is_fresh(&newest);
            for request in inbox.try_iter() {
                forgets |= is_fresh(&request);
                newest = request;
            }
            if forgets {
                self.history = None;
            }
            // After a panic there is no result; the next request is handled.
            match newest {
                Request::Plan(request) => {
                    let found = guarded(|| self.plan(&request, inbox));
                    if let Some(found) = found.unwrap_or_else(unread).transpose() {
                        self.tell_plan(request.number, PlanNews::Found(found.map(Box::new)));
                    }
                }
                Request::Rating(request) => {
                    let found = guarded(|| self.rating(&request, inbox));
                    if let Some(found) = found.unwrap_or_else(unread).transpose() {
                        self.tell_rating(request.number, RatingNews::Found(found.map(Box::new)));
                    }
                }
            }
        }
    }

    fn tell_plan(&self, number: u64, news: PlanNews) {
        self.messages.tell(Message::Plan { number, news });
    }

    fn tell_rating(&self, number: u64, news: RatingNews) {
        self.messages.tell(Message::Rating { number, news });
    }

    /// The plan or the reason for its absence; `None` if a newer request is pending.
    fn plan(
        &mut self,
        request: &PlanRequest,
        inbox: &Receiver<Request>,
    ) -> Result<Option<PlanView>, HistoryFailure> {
        let [library, reviews] = self.paths.clone();
        let of = HistoryOf {
            library: &library,
            reviews: &reviews,
            whose: Whose::User,
            filter: request.filter.as_ref(),
            timeout: READ_TIMEOUT,
        };
        if self.history.is_none() {
            let progress =
                |done, all| self.tell_plan(request.number, PlanNews::Progress(done, all));
            self.history = self.read(inbox, &progress, |tell, step| {
                of.read(&self.model, tell, step)
            })?;
        }
        let Some(history) = &self.history else {
            return Ok(None);
        };
        let Some(summary) = history.summary(request.reference, request.wants_money) else {
            return Err(match request.filter {
                Some(_) => HistoryFailure::NothingFits,
                None => HistoryFailure::NoDecision,
            });
        };
        let families: Vec<_> = summary.plan.listed().iter().map(|one| one.family).collect();
        let References { families, matches } = of.references(&families, summary.is_money)?;
        let matches: HashMap<i64, &LibraryMatch> =
            matches.iter().map(|one| (one.id, one)).collect();
        let rows = families.iter().map(|all| {
            let all = all.iter();
            all.filter_map(|one| decision_row(matches.get(&one.id)?, one))
                .collect()
        });
        Ok(Some(PlanView {
            references: rows.collect(),
            summary,
        }))
    }

    /// The rating or the reason for its absence; `None` if a newer request is pending.
    fn rating(
        &self,
        request: &RatingRequest,
        inbox: &Receiver<Request>,
    ) -> Result<Option<RatingView>, HistoryFailure> {
        let [library, reviews] = &self.paths;
        let of = HistoryOf {
            library,
            reviews,
            whose: request.whose.as_deref().map_or(Whose::User, Whose::Player),
            filter: request.filter.as_ref(),
            timeout: READ_TIMEOUT,
        };
        let progress =
            |done, all| self.tell_rating(request.number, RatingNews::Progress(done, all));
        let found = self.read(inbox, &progress, |tell, step| of.ratings(tell, step))?;
        let Some(ratings) = found else {
            return Ok(None);
        };
        if ratings.history.matches().is_empty() {
            return Err(match request.filter {
                Some(_) => HistoryFailure::NothingFits,
                None => HistoryFailure::NoReview(request.whose.clone()),
            });
        }
        Ok(Some(RatingView {
            history: ratings.history,
            files: ratings.files,
        }))
    }

    /// The result of `read` for the matches, or the reason for its absence; `None` if a newer request is pending.
    fn read<T>(
        &self,
        inbox: &Receiver<Request>,
        progress: &dyn Fn(usize, usize),
        read: impl FnOnce(
            &mut dyn FnMut(String),
            &mut dyn FnMut(usize, usize) -> bool,
        ) -> Result<LibraryHistory<T>, StoreError>,
    ) -> Result<Option<T>, HistoryFailure> {
        let mut warn = |why| self.messages.warn(why);
        let mut last_progress = Instant::now();
        let mut is_cut = false;
        let mut step = |done, all| {
            if last_progress.elapsed() >= PROGRESS_INTERVAL {
                progress(done, all);
                last_progress = Instant::now();
            }
            is_cut = !inbox.is_empty();
            !is_cut
        };
        let found = read(&mut warn, &mut step);
        match found? {
            _ if is_cut => Ok(None),
            LibraryHistory::Found(found) => Ok(Some(found)),
            LibraryHistory::Empty => Err(HistoryFailure::Empty),
            LibraryHistory::Several(_) => Err(HistoryFailure::Several),
            LibraryHistory::Unknown => Err(HistoryFailure::Unknown),
        }
    }
}

impl From<StoreError> for HistoryFailure {
    fn from(error: StoreError) -> Self {
        Self::Unread(error.to_string())
    }
}
