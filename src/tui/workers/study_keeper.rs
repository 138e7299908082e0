//! Stores quiz answers and reads all cards once, on a separate thread.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::rollout::Setup;
use crate::store::worker::Backend;
use crate::store::{
    LibraryChoice, StoreError, StoreWorker, StudyChange, StudyNotes, StudyStore, UnsavedRecords,
    clock, library_decisions, put_rollouts_beside, put_rollouts_beside_cards,
};
use crate::study::{StudyCard, StudyDecision, deck};
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::{Message, Tell as _};
use crate::tui::windows::quiz::{QuizRequest, QuizSource};

pub struct StudyKeeper(StoreWorker<File>);

/// A query.
pub enum StudyQuery {
    /// All cards.
    Cards,
    /// The decisions of a quiz.
    Quiz(Box<QuizRequest>),
}

/// The paths of the files.
pub struct StudyFiles {
    pub answers: PathBuf,
    pub library: PathBuf,
    pub rollouts: PathBuf,
}

struct File {
    files: StudyFiles,
    /// Setup of the rollouts that count.
    setup: Setup,
    messages: Sender<Message>,
}

impl StudyKeeper {
    /// Starts the thread for these files; it sends all cards as soon as they can be read. Only rollouts that `setup`
    /// would repeat identically count.
    pub fn start(files: StudyFiles, setup: Setup, messages: Sender<Message>) -> Self {
        let tell = StoreName::Study.reporter(messages.clone());
        let file = File {
            files,
            setup,
            messages,
        };
        let worker = StoreWorker::start("study store", file, tell);
        worker.ask(StudyQuery::Cards, None);
        Self(worker)
    }

    /// Stores or undoes an answer.
    pub fn keep(&self, change: StudyChange) {
        self.0.save(change);
    }

    /// Finds the decisions of a quiz.
    pub fn find(&self, wanted: Box<QuizRequest>) {
        self.0.ask(StudyQuery::Quiz(wanted), None);
    }

    /// Starts shutting down; see [`StoreWorker::end`].
    pub fn end(&self, deadline: Instant) {
        self.0.end(deadline);
    }

    /// Shuts down. Returns the number of unsaved answers, and the reason.
    pub fn finish(&self, deadline: Instant) -> UnsavedRecords {
        self.0.finish_counted(deadline)
    }
}

impl File {
    /// The notes on quiz decisions; a failure to read them is reported and does not stop the quiz.
    fn notes(&self, timeout: Duration) -> StudyNotes {
        StudyNotes::read(&self.files.library, timeout).unwrap_or_else(|why| {
            self.messages.warn(format!("notes are left out: {why}"));
            StudyNotes::default()
        })
    }

    /// The decisions of a quiz, in order.
    fn decisions(
        &self,
        wanted: &mut QuizRequest,
        cards: &[StudyCard],
        timeout: Duration,
    ) -> Result<Vec<StudyDecision>, StoreError> {
        let QuizRequest {
            today, least, seed, ..
        } = *wanted;
        let with_rollouts = |mut all: Vec<StudyDecision>| {
            let rollouts = &self.files.rollouts;
            let read = put_rollouts_beside(rollouts, &self.setup, &mut all, timeout);
            self.without_rollouts(read);
            all
        };
        Ok(match &wanted.source {
            QuizSource::Library(filter) => {
                let library = &self.files.library;
                let choice = LibraryChoice {
                    whose: None,
                    filter,
                    with_right: least > 0.0,
                };
                let warn = &mut |why| self.messages.warn(why);
                wanted.is_of_user = choice.is_of_user(library, timeout);
                let all = with_rollouts(library_decisions(library, &choice, timeout, warn)?);
                let mut asked = deck::of_library(all, cards, today, least, seed);
                self.notes(timeout).put_beside(&mut asked);
                asked
            }
            QuizSource::List { decisions, .. } => {
                let all = with_rollouts(decisions.clone());
                let mut asked = deck::mixed(all, least, seed);
                self.notes(timeout).put_over_remarks(&mut asked);
                asked
            }
        })
    }

    /// Reports that rollouts cannot be read; the quiz continues without them.
    fn without_rollouts(&self, read: Result<(), StoreError>) {
        if let Err(why) = read {
            self.messages
                .warn(format!("the quiz goes by lookahead alone: {why}"));
        }
    }
}

/// Applies unsaved answers to the cards.
fn apply_unsaved(cards: &mut Vec<StudyCard>, unsaved: &[Arc<StudyChange>]) {
    for change in unsaved {
        let _ = change.apply(cards);
    }
}

impl Backend for File {
    type Record = StudyChange;
    type Query = StudyQuery;

    fn is_same(one: &StudyChange, other: &StudyChange) -> bool {
        one.id == other.id
    }

    fn save(&mut self, change: &StudyChange, timeout: Duration) -> Result<(), StoreError> {
        let mut store = StudyStore::open(&self.files.answers, timeout)?;
        store.change(change)
    }

    fn answer(
        &mut self,
        query: &StudyQuery,
        unsaved: &[Arc<StudyChange>],
        timeout: Duration,
    ) -> Result<(), StoreError> {
        let mut cards = StudyStore::read(&self.files.answers, timeout, &mut |why| {
            self.messages.warn(why)
        })?;
        if let StudyQuery::Quiz(wanted) = query {
            apply_unsaved(&mut cards, unsaved);
            let mut wanted = wanted.clone();
            let decisions = self.decisions(&mut wanted, &cards, timeout)?;
            self.messages.tell(Message::QuizFound { wanted, decisions });
            return Ok(());
        }
        if !cards.is_empty() {
            self.notes(timeout).put_beside_cards(&mut cards);
            let rollouts = &self.files.rollouts;
            self.without_rollouts(put_rollouts_beside_cards(
                rollouts,
                &self.setup,
                &mut cards,
                timeout,
            ));
        }
        let micros = clock::micros();
        self.messages.tell(Message::Study { cards, micros });
        Ok(())
    }

    fn note_late(&mut self, _: &StudyQuery, why: &StoreError) {
        self.messages
            .warn(format!("the quiz cannot be read yet: {why}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::{Engine, Evaluator};
    use crate::match_file;
    use crate::notation::parse_id;
    use crate::store::{MatchFingerprint, NoteStore};
    use crate::study::{Grade, StudyAnswer, list};
    use crate::tui::documents::places::Openable;

    /// A decision with an unsaved answer is not asked again as a new error.
    #[test]
    fn answers_that_wait_to_be_kept_count() {
        let error = |id: &str| StudyDecision {
            made: "13/9 24/21".to_owned(),
            cost: 0.2,
            ..StudyDecision::of_position(parse_id(id).unwrap(), String::new())
        };
        let all = IDS.map(error).to_vec();
        let answer = StudyAnswer {
            id: 86_400_000_000,
            grade: Grade::Easy,
            given: String::new(),
            cost: 0.0,
        };
        let change = |answer| {
            Arc::new(StudyChange {
                card: all[0].card(0.02),
                before: None,
                id: 86_400_000_000,
                answer,
            })
        };
        let asked = |unsaved: &[Arc<StudyChange>]| {
            let mut cards = Vec::new();
            apply_unsaved(&mut cards, unsaved);
            deck::of_library(all.clone(), &cards, 1, 0.02, 1).len()
        };
        let given = change(Some(answer));
        assert_eq!(asked(&[]), 2);
        assert_eq!(asked(std::slice::from_ref(&given)), 1);
        assert_eq!(asked(&[given, change(None)]), 2, "it was taken back");
    }

    const IDS: [&str; 2] = [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:43:0:0:0:7:10",
        "XGID=-a--BBCBB--ABb--Acbcbb----:0:0:1:42:2:1:0:5:10",
    ];

    /// A list's positions are asked with the user's notes, or else with the author's.
    #[test]
    fn a_list_is_asked_with_notes() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let state = parse_id(IDS[1]).unwrap();
        let mut notes = NoteStore::open(&at("notes.sqlite")).unwrap();
        let about = MatchFingerprint::of_position(&state);
        notes.keep(&about, (0, 0), "mine").unwrap();
        drop(notes);
        let files = StudyFiles {
            answers: at("study.sqlite"),
            library: at("library.sqlite"),
            rollouts: at("rollouts.sqlite"),
        };
        let evaluator: Arc<dyn Evaluator> = Arc::new(Engine::embedded());
        let (sender, received) = crossbeam_channel::unbounded();
        let keeper = StudyKeeper::start(files, Setup::from(evaluator), sender);
        let text = format!("{} # first\n{} # second\n", IDS[0], IDS[1]);
        let record = match_file::read_bytes(text.as_bytes(), "a list").unwrap();
        keeper.find(Box::new(QuizRequest {
            title: "quiz: a list".to_owned(),
            source: QuizSource::List {
                list: Openable::File(at("list.txt")),
                decisions: list::decisions(&record, "a list"),
            },
            today: 0,
            least: 0.02,
            seed: 1,
            window: None,
            is_of_user: false,
        }));
        let decisions = received.iter().find_map(|message| match message {
            Message::QuizFound { decisions, .. } => Some(decisions),
            _ => None,
        });
        let mut said: Vec<_> = decisions.unwrap().into_iter().map(|one| one.note).collect();
        said.sort();
        let expected = ["first", "mine"].map(|note| Some(note.to_owned()));
        assert_eq!(said, expected);
        keeper.finish(Instant::now() + Duration::from_secs(5));
    }
}
