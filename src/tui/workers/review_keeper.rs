//! Stores standard reviews, and finds them when the match is opened again. They are in the reviews file, shared with
//! `luckless review` and `luckless matches`.
//!
//! Runs on a separate thread. Unfinished matches are not stored: the next move makes another match.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::match_file::Match;
use crate::panics::guarded;
use crate::review::report::build::build;
use crate::review::report::context::ReportContext;
use crate::review::{MatchTurn, Report, StandardReview, Thresholds};
use crate::store::worker::Backend;
use crate::store::{
    KeptTurns, ReviewKey, ReviewStore, StoreError, StoreWorker, UnsavedRecords, played,
};
use crate::tui::documents::document::Document;
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::{Message, Tell as _};

/// How long to look for a stored review; a new one is ready by then.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(60);

pub struct ReviewKeeper(StoreWorker<File>);

/// Path of the reviews, and settings of the analysis.
struct File {
    path: PathBuf,
    evaluator: Arc<dyn Evaluator>,
    model: Arc<Model>,
    messages: Sender<Message>,
}

/// An open match.
pub struct Opened {
    /// Generation of the document.
    pub generation: u64,
    pub key: ReviewKey,
    pub record: Arc<Match>,
    pub turns: Arc<[MatchTurn]>,
}

impl Opened {
    /// The match of a document, if it comes from a file.
    pub fn of(document: &Document) -> Option<Self> {
        Some(Self {
            generation: document.generation,
            key: document.key.clone()?,
            record: document.record.clone(),
            turns: document.turns.clone(),
        })
    }
}

/// A reviewed match.
struct Reviewed {
    opened: Opened,
    reviews: Vec<StandardReview>,
    /// Its documents, built once; `None` for an unfinished match.
    built: OnceLock<Option<Built>>,
}

struct Built {
    day: String,
    report: Report,
    turns: KeptTurns,
}

impl ReviewKeeper {
    /// Starts the thread for the file at `path`.
    pub fn start(
        path: PathBuf,
        evaluator: Arc<dyn Evaluator>,
        model: Arc<Model>,
        messages: Sender<Message>,
    ) -> Self {
        let tell = StoreName::Reviews.reporter(messages.clone());
        let file = File {
            path,
            evaluator,
            model,
            messages,
        };
        Self(StoreWorker::start("review store", file, tell))
    }

    /// Looks for the review of a match, and sends it if found.
    pub fn find(&self, opened: Opened) {
        self.0.ask(opened, Some(Instant::now() + LOOKUP_TIMEOUT));
    }

    /// Stores the review of a match. An incomplete review is not stored, because it would be taken as complete.
    pub fn keep(&self, opened: Opened, reviews: Vec<StandardReview>) {
        if reviews.len() != opened.turns.len() {
            return;
        }
        self.0.save(Reviewed {
            opened,
            reviews,
            built: OnceLock::new(),
        });
    }

    /// Starts shutting down; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.0.end(deadline);
    }

    /// Shuts down. Returns the number of unsaved reviews, and the reason.
    pub fn finish(&self, deadline: Instant) -> UnsavedRecords {
        self.0.finish_counted(deadline)
    }
}

impl File {
    /// Builds the documents of a review; `None` for an unfinished match.
    fn build(&self, reviewed: &Reviewed) -> Option<Built> {
        let Reviewed {
            opened, reviews, ..
        } = reviewed;
        let analysed = |(turn, standard): (&MatchTurn, &StandardReview)| {
            standard.with_luck(&*self.evaluator, &self.model, turn)
        };
        let analysed: Vec<_> = opened.turns.iter().zip(reviews).map(analysed).collect();
        let setting = ReportContext {
            engine: self.evaluator.name(),
            model: &self.model,
            ply: opened.key.ply(),
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        let report = build(&opened.record, &analysed, &setting);
        let path = opened.record.path.as_deref().unwrap_or(&self.path);
        report.complete.then(|| Built {
            day: played(report.date.as_deref(), path),
            turns: KeptTurns::of(&analysed),
            report,
        })
    }
}

impl Backend for File {
    type Record = Reviewed;
    type Query = Opened;

    fn is_same(one: &Reviewed, other: &Reviewed) -> bool {
        one.opened.key == other.opened.key
    }

    fn save(&mut self, reviewed: &Reviewed, timeout: Duration) -> Result<(), StoreError> {
        let built = reviewed.built.get_or_init(|| {
            guarded(|| self.build(reviewed)).unwrap_or_else(|why| {
                self.messages.warn(format!("the review is not kept: {why}"));
                None
            })
        });
        let Some(Built { day, report, turns }) = built else {
            return Ok(());
        };
        let mut store = ReviewStore::open_within(&self.path, timeout)?;
        store.save(&reviewed.opened.key, day, report, Some(turns))
    }

    fn answer(
        &mut self,
        opened: &Opened,
        unsaved: &[Arc<Reviewed>],
        timeout: Duration,
    ) -> Result<(), StoreError> {
        let waits = unsaved.iter().find(|one| one.opened.key == opened.key);
        let reviews = match waits {
            Some(one) => Some(one.reviews.clone()),
            None => match ReviewStore::open_to_read(&self.path, timeout)? {
                Some(store) => {
                    let anew = |why| {
                        let text = format!("{why}: the match is analysed anew");
                        self.messages.warn(text);
                    };
                    let kept = store.find_turns(&opened.key.id)?.sound(anew);
                    let kept = kept.and_then(|kept| kept.restore(&opened.turns, &self.model));
                    kept.map(|all| all.into_iter().map(StandardReview::from).collect())
                }
                None => None,
            },
        };
        if let Some(reviews) = reviews {
            self.messages.tell(Message::Remembered {
                generation: opened.generation,
                reviews,
            });
        }
        Ok(())
    }

    fn note_late(&mut self, _: &Opened, why: &StoreError) {
        self.messages
            .warn(format!("the review that was kept is not found: {why}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::match_file::read_bytes;
    use crate::review::STANDARD_PLY;
    use crate::review::analyse_match;
    use crate::store::{Lookup, ReviewMethod};
    use std::time::Duration;

    const TEXT: &[u8] = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    const CUT: &[u8] = include_bytes!("../../../tests/fixtures/mat/three_points.mat");

    fn opened(bytes: &[u8], generation: u64) -> Opened {
        let record = read_bytes(bytes, "x.mat").unwrap();
        let by = ReviewMethod::new("e", Model::standard(), false);
        Opened {
            generation,
            key: ReviewKey::new(bytes, 0, &record, &by, STANDARD_PLY),
            turns: crate::review::turns(&record).into(),
            record: Arc::new(record),
        }
    }

    /// A review of some turns would be taken as that of the match, here and by commands.
    #[test]
    fn a_review_that_has_not_all_turns_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, received) = crossbeam_channel::unbounded();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let keeper = ReviewKeeper::start(path.clone(), evaluator, Arc::default(), messages);
        keeper.keep(opened(TEXT, 1), Vec::new());
        keeper.find(opened(TEXT, 1));
        drop(keeper);
        assert!(received.try_recv().is_err() && !path.exists());
    }

    #[test]
    fn what_was_kept_is_found_by_the_workstation_and_by_the_commands() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, received) = crossbeam_channel::unbounded();
        let path = folder.path().join("r.sqlite");
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let model = Arc::new(Model::default());
        let start = || {
            let (evaluator, model) = (Arc::clone(&evaluator), Arc::clone(&model));
            ReviewKeeper::start(path.clone(), evaluator, model, messages.clone())
        };
        let keeper = start();
        let wait = Duration::from_secs(60);
        keeper.find(opened(TEXT, 1));
        assert!(received.recv_timeout(Duration::from_millis(300)).is_err());
        assert!(!path.exists(), "looking makes no file");
        let one = opened(TEXT, 2);
        let (evaluator, model) = (&*evaluator, &model);
        let analysed =
            analyse_match(evaluator, model, &one.record, STANDARD_PLY, &|| false).unwrap();
        let reviews: Vec<_> = analysed
            .iter()
            .map(|one| StandardReview::from((one.review.clone(), one.shift)))
            .collect();
        keeper.keep(opened(TEXT, 2), reviews.clone());
        drop(keeper);
        let report = ReviewStore::open(&path).unwrap().find(&one.key.id);
        let setting = ReportContext {
            engine: evaluator.name(),
            model,
            ply: STANDARD_PLY,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        let same = build(&one.record, &analysed, &setting);
        assert_eq!(report.unwrap(), Lookup::Kept(same));
        let keeper = start();
        keeper.find(opened(TEXT, 3));
        match received.recv_timeout(wait).unwrap() {
            Message::Remembered {
                generation,
                reviews: found,
            } => {
                assert_eq!((generation, found.len()), (3, reviews.len()));
                let errors = |all: &[StandardReview]| -> Vec<_> {
                    all.iter()
                        .map(|one| (one.review.error, one.review.ply, one.shift))
                        .collect()
                };
                assert_eq!(errors(&found), errors(&reviews));
            }
            other => panic!("{other:?}"),
        }
        // The next move would make an unfinished match another one.
        let part = opened(CUT, 4);
        let analysed = analyse_match(evaluator, model, &part.record, 0, &|| false).unwrap();
        let reviews: Vec<_> = analysed
            .into_iter()
            .map(|one| StandardReview::from((one.review, one.shift)))
            .collect();
        keeper.keep(opened(CUT, 4), reviews);
        drop(keeper);
        let store = ReviewStore::open(&path).unwrap();
        assert_eq!(store.find(&part.key.id).unwrap(), Lookup::Nothing);
    }
}
