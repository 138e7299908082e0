//! All stores of the workstation, each with its thread, and their shutdown.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use super::filler::{Filler, FillerMeans};
use super::librarian::Librarian;
use super::note_keeper::NoteKeeper;
use super::planner::Planner;
use super::review_keeper::ReviewKeeper;
use super::settings_keeper::SettingsKeeper;
use super::study_keeper::{StudyFiles, StudyKeeper};
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::rollout::Setup;
use crate::store::{RolloutWorker, UnsavedRecords, UserFolders};
use crate::tui::documents::notes::{NoteChange, NoteContent};
use crate::tui::documents::store_name::StoreName;
use crate::tui::message::Message;
use crate::tui::text;

/// How long the end of the program waits for other processes.
const END: Duration = Duration::from_millis(1200);
/// Maximum characters shown of a lost note.
const LOST_NOTE_CHARS: usize = 2000;

pub struct Stores {
    /// Notes and variations.
    pub notes: NoteKeeper,
    pub rollouts: Arc<RolloutWorker>,
    pub reviews: ReviewKeeper,
    pub filler: Filler,
    pub librarian: Librarian,
    pub planner: Planner,
    /// Quiz answers.
    pub study: StudyKeeper,
    pub settings: SettingsKeeper,
}

impl Stores {
    /// Starts all stores. Matches added to the library are reviewed at `ply` plies; with `no_crawford`, without the
    /// Crawford rule.
    pub fn start(
        places: &UserFolders,
        evaluator: &Arc<dyn Evaluator>,
        model: &Arc<Model>,
        no_crawford: bool,
        ply: u8,
        messages: &Sender<Message>,
    ) -> Self {
        let tell = StoreName::Rollouts.reporter(messages.clone());
        let (evaluator, model) = (Arc::clone(evaluator), Arc::clone(model));
        Self {
            notes: NoteKeeper::start(places.notes(), messages.clone()),
            filler: Filler::start(
                FillerMeans {
                    library: places.library(),
                    reviews: places.reviews(),
                    evaluator: Arc::clone(&evaluator),
                    model: Arc::clone(&model),
                    no_crawford,
                    ply: Arc::new(ply.into()),
                },
                messages.clone(),
            ),
            librarian: Librarian::start(places.library(), messages.clone()),
            planner: Planner::start(
                [places.library(), places.reviews()],
                Arc::clone(&model),
                messages.clone(),
            ),
            study: StudyKeeper::start(
                StudyFiles {
                    answers: places.study(),
                    library: places.library(),
                    rollouts: places.rollouts(),
                },
                Setup {
                    cube: Some(Arc::clone(&model)),
                    ..Setup::from(Arc::clone(&evaluator))
                },
                messages.clone(),
            ),
            settings: SettingsKeeper::start(places.settings(), messages.clone()),
            rollouts: Arc::new(RolloutWorker::start(places.rollouts(), tell)),
            reviews: ReviewKeeper::start(places.reviews(), evaluator, model, messages.clone()),
        }
    }

    /// Shuts down: tries to save pending records for about a second. Returns messages about unsaved ones.
    fn finish(&self) -> Vec<String> {
        self.filler.end();
        let deadline = Instant::now() + END;
        self.notes.end(deadline);
        self.rollouts.end(deadline);
        self.reviews.end(deadline);
        self.study.end(deadline);
        self.settings.end(deadline);
        let (notes, why) = self.notes.finish(deadline);
        let count = notes.len();
        let all = [
            (StoreName::Notes, UnsavedRecords { count, why }),
            (StoreName::Rollouts, self.rollouts.finish(deadline)),
            (StoreName::Reviews, self.reviews.finish(deadline)),
            (StoreName::Study, self.study.finish(deadline)),
            (StoreName::Settings, self.settings.finish(deadline)),
        ];
        let lost = all.iter().filter(|(_, unsaved)| unsaved.count > 0);
        let lost = lost.map(|(store, unsaved)| {
            let counted = store.counted(unsaved.count);
            format!("{counted} ({})", unsaved.why)
        });
        // Typed text would be lost, so it is printed.
        let typed = notes.iter().map(|note| in_words(note));
        lost.chain(typed).collect()
    }
}

/// Shuts down the stores, if any. Returns one line about unsaved records, including the played match.
pub fn finish(stores: Option<Stores>, lost_match: Option<String>) -> Option<String> {
    let mut lost: Vec<String> = lost_match.into_iter().collect();
    lost.extend(stores.into_iter().flat_map(|stores| stores.finish()));
    (!lost.is_empty()).then(|| format!("not saved: {}", lost.join("; ")))
}

/// Describes an unsaved note and its place.
fn in_words(note: &NoteChange) -> String {
    let about = &note.about;
    match &note.content {
        NoteContent::Variations(_) => format!("{about}: its variations"),
        NoteContent::Note { text, .. } if text.is_empty() => {
            format!("{about}: the note is to be removed")
        }
        NoteContent::Note { text, .. } => {
            format!("{about}: “{}”", text::clean(text, LOST_NOTE_CHARS))
        }
    }
}
