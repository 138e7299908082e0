//! Keeps what the standard review found, and finds it again when the match is opened another time: in
//! the file of reviews, where `luckless review` and `luckless matches` find it too.
//!
//! Each has a thread of its own, since the file may be locked or its disk slow. A match that is not
//! over is not kept: it will be another one after the next move.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use crossbeam_channel::Sender;

use crate::cube::Model;
use crate::eval::Evaluator;
use crate::match_file::Match;
use crate::review::luck::luck;
use crate::review::report::build::{Setting, build};
use crate::review::{Judged, Review, STANDARD_PLY, Thresholds, Turn};
use crate::store::{KeptTurns, ReviewKey, ReviewStore, StoreError, played};
use crate::tui::message::Message;

/// Where reviews are kept, and how matches are judged.
#[derive(Clone)]
pub struct Keeper {
    /// The file.
    pub store: PathBuf,
    /// What judges.
    pub evaluator: Arc<dyn Evaluator>,
    /// With this model of the cube.
    pub model: Arc<Model>,
    /// Who is told.
    pub messages: Sender<Message>,
}

/// A match that is open.
pub struct Opened {
    /// Which document it is.
    pub generation: u64,
    /// What its review is found by.
    pub key: ReviewKey,
    /// The match.
    pub record: Arc<Match>,
    /// Its turns.
    pub turns: Arc<[Turn]>,
}

impl Keeper {
    /// Looks for the review of a match, and tells of it if it is there.
    pub fn find(&self, opened: Opened) {
        self.clone().spawn("not found", move |keeper| {
            if !keeper.store.exists() {
                return Ok(());
            }
            let kept = ReviewStore::open(&keeper.store)?.find_turns(&opened.key)?;
            let reviews = kept.and_then(|kept| kept.restore(&opened.turns, &keeper.model));
            if let Some(reviews) = reviews {
                let all = reviews.into_iter().map(|(r, shift)| (Arc::new(r), shift));
                // Nobody listens only when the program ends.
                let _ = keeper.messages.send(Message::Remembered {
                    generation: opened.generation,
                    reviews: all.collect(),
                });
            }
            Ok(())
        });
    }

    /// Keeps the review of a match: of each turn the verdict, and how much its last ply changed it.
    pub fn keep(&self, opened: Opened, reviews: Vec<(Arc<Review>, f32)>) {
        self.clone()
            .spawn("not kept", move |keeper| keeper.save(&opened, &reviews));
    }

    fn save(&self, opened: &Opened, reviews: &[(Arc<Review>, f32)]) -> Result<(), StoreError> {
        let judged = |(turn, (review, shift)): (&Turn, &(Arc<Review>, f32))| Judged {
            turn: *turn,
            review: Review::clone(review),
            luck: luck(&*self.evaluator, &self.model, turn),
            shift: *shift,
            rolled: None,
        };
        let judged: Vec<_> = opened.turns.iter().zip(reviews).map(judged).collect();
        let setting = Setting {
            engine: self.evaluator.name(),
            model: &self.model,
            ply: STANDARD_PLY,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        let report = build(&opened.record, &judged, &setting);
        if !report.complete {
            return Ok(());
        }
        let turns = KeptTurns::of(judged.iter().map(|one| (&one.turn, &one.review, one.shift)));
        let path = opened.record.path.as_deref().unwrap_or(&self.store);
        let day = played(report.date.as_deref(), path);
        ReviewStore::open(&self.store)?.save(&opened.key, &day, &report, Some(&turns))
    }

    fn spawn(
        self,
        trouble: &'static str,
        work: impl FnOnce(&Self) -> Result<(), StoreError> + Send + 'static,
    ) {
        let messages = self.messages.clone();
        let warn = move |why: String| {
            // Nobody listens only when the program ends.
            let _ = messages.send(Message::Warning(format!("the review is {trouble}: {why}")));
        };
        let tell = warn.clone();
        let spawned = thread::Builder::new().name("keeper".into()).spawn(move || {
            if let Err(error) = work(&self) {
                tell(error.to_string());
            }
        });
        if let Err(error) = spawned {
            warn(error.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Engine;
    use crate::match_file::read_bytes;
    use crate::review::judge_match;
    use std::time::Duration;

    const TEXT: &[u8] = include_bytes!("../../../sample_matches/clara-dev-3pt.mat");
    const CUT: &[u8] = include_bytes!("../../../tests/fixtures/mat/three_points.mat");

    fn opened(bytes: &[u8], generation: u64) -> Opened {
        let record = read_bytes(bytes, "x.mat").unwrap();
        Opened {
            generation,
            key: ReviewKey::new(bytes, 0, "e", STANDARD_PLY),
            turns: crate::review::turns(&record).into(),
            record: Arc::new(record),
        }
    }

    #[test]
    fn what_was_kept_is_found_by_the_workstation_and_by_the_commands() {
        let folder = tempfile::tempdir().unwrap();
        let (messages, told) = crossbeam_channel::unbounded();
        let keeper = Keeper {
            store: folder.path().join("r.sqlite"),
            evaluator: Arc::new(Engine::embedded()),
            model: Arc::new(Model::default()),
            messages,
        };
        let wait = Duration::from_secs(60);
        keeper.find(opened(TEXT, 1));
        assert!(told.recv_timeout(Duration::from_millis(300)).is_err());
        assert!(!keeper.store.exists(), "looking makes no file");
        let one = opened(TEXT, 2);
        let (evaluator, model) = (&*keeper.evaluator, &keeper.model);
        let judged = judge_match(evaluator, model, &one.record, STANDARD_PLY, &|| false).unwrap();
        let reviews: Vec<_> = judged
            .iter()
            .map(|one| (Arc::new(one.review.clone()), one.shift))
            .collect();
        keeper.save(&one, &reviews).unwrap();
        let report = ReviewStore::open(&keeper.store).unwrap().find(&one.key);
        let setting = Setting {
            engine: evaluator.name(),
            model,
            ply: STANDARD_PLY,
            thresholds: Thresholds::default(),
            rollouts: None,
        };
        let same = build(&one.record, &judged, &setting);
        assert_eq!(report.unwrap(), Some(same));
        keeper.find(opened(TEXT, 3));
        match told.recv_timeout(wait).unwrap() {
            Message::Remembered {
                generation,
                reviews: found,
            } => {
                assert_eq!((generation, found.len()), (3, reviews.len()));
                let errors = |all: &[(Arc<Review>, f32)]| -> Vec<_> {
                    all.iter()
                        .map(|(r, shift)| (r.error, r.ply, *shift))
                        .collect()
                };
                assert_eq!(errors(&found), errors(&reviews));
            }
            other => panic!("{other:?}"),
        }
        // A match that is not over is another one after the next move.
        let part = opened(CUT, 4);
        let judged = judge_match(evaluator, model, &part.record, 0, &|| false).unwrap();
        let reviews: Vec<_> = judged
            .into_iter()
            .map(|one| (Arc::new(one.review), one.shift))
            .collect();
        keeper.save(&part, &reviews).unwrap();
        let store = ReviewStore::open(&keeper.store).unwrap();
        assert_eq!(store.find(&part.key).unwrap(), None);
    }
}
