//! Makes the study plan of the library, by a thread of its own: of wishes that wait the newest is met.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::librarian::decision_row;
use crate::cube::Model;
use crate::store::library::LibraryMatch;
use crate::store::{HistoryOf, LibraryHistory, READING, References};
use crate::study::StudyHistory;
use crate::tui::message::Message;
use crate::tui::plan::{PlanNews, PlanView, PlanWish};

/// Time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The thread's end.
pub struct Planner {
    wishes: Sender<PlanWish>,
}

impl Planner {
    /// Starts the thread for the library and the reviews at these paths.
    #[must_use]
    pub fn start(paths: [PathBuf; 2], model: Arc<Model>, messages: Sender<Message>) -> Self {
        let (wishes, inbox) = unbounded();
        let mut work = Work {
            paths,
            model,
            messages,
            history: None,
        };
        let spawned = std::thread::Builder::new()
            .name("planner".into())
            .spawn(move || work.run(&inbox));
        // Without the thread the window stays empty; the workstation works all the same.
        drop(spawned);
        Self { wishes }
    }

    /// Asks for a plan.
    pub fn ask(&self, wish: PlanWish) {
        // The thread ends only with the program.
        let _ = self.wishes.send(wish);
    }
}

struct Work {
    paths: [PathBuf; 2],
    model: Arc<Model>,
    messages: Sender<Message>,
    /// What was read for the wish before, so that another reference player takes no time.
    history: Option<Box<StudyHistory>>,
}

impl Work {
    fn run(&mut self, inbox: &Receiver<PlanWish>) {
        while let Ok(first) = inbox.recv() {
            let all: Vec<PlanWish> = std::iter::once(first).chain(inbox.try_iter()).collect();
            let Some(mut wish) = all.last().copied() else {
                continue;
            };
            wish.is_fresh = all.iter().any(|one| one.is_fresh);
            if let Some(found) = self.answer(&wish, inbox).transpose() {
                self.tell(wish.number, PlanNews::Found(found.map(Box::new)));
            }
        }
    }

    fn tell(&self, number: u64, news: PlanNews) {
        // Nobody listens only when the program ends.
        let _ = self.messages.send(Message::Plan { number, news });
    }

    /// The plan, or why there is none; nothing where another one is wanted meanwhile.
    fn answer(
        &mut self,
        wish: &PlanWish,
        inbox: &Receiver<PlanWish>,
    ) -> Result<Option<PlanView>, String> {
        let [library, reviews] = self.paths.clone();
        let of = HistoryOf {
            library: &library,
            reviews: &reviews,
            whose: None,
            timeout: READING,
        };
        if wish.is_fresh {
            self.history = None;
        }
        if self.history.is_none() {
            self.history = self.read(&of, wish.number, inbox)?;
        }
        let Some(history) = &self.history else {
            return Ok(None);
        };
        let Some(summary) = history.summary(wish.reference, wish.wants_money) else {
            return Err("no decision of yours is in the library yet".to_owned());
        };
        let families: Vec<_> = summary.plan.listed().iter().map(|one| one.family).collect();
        let References { families, matches } = of
            .references(&families, summary.is_money)
            .map_err(|e| e.to_string())?;
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

    fn read(
        &self,
        of: &HistoryOf<'_>,
        number: u64,
        inbox: &Receiver<PlanWish>,
    ) -> Result<Option<Box<StudyHistory>>, String> {
        let warn = |why| drop(self.messages.send(Message::Warning(why)));
        let mut last_progress = Instant::now();
        let mut is_cut = false;
        let mut step = |done, all| {
            if last_progress.elapsed() >= PROGRESS_INTERVAL {
                self.tell(number, PlanNews::Progress(done, all));
                last_progress = Instant::now();
            }
            is_cut = !inbox.is_empty();
            !is_cut
        };
        let found = of.read(&self.model, &mut { warn }, &mut step);
        match found.map_err(|error| error.to_string())? {
            _ if is_cut => Ok(None),
            LibraryHistory::Found(history) => Ok(Some(history)),
            LibraryHistory::Empty => {
                Err("no match in the library yet: {library} says how to bring them in".into())
            }
            LibraryHistory::Unknown => {
                Err("the library does not know who you are: {library} lists the matches, and {this is me} there takes the player of a row for you".into())
            }
        }
    }
}
