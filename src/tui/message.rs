//! Messages to the workstation.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Sender;
use ratatui::crossterm::event::Event;

use super::theme::Theme;
use crate::review::verification::{Rolled, Verified};
use crate::review::{StandardReview, TurnReview};
use crate::rollout::{Pilot, RolloutResult, Settings};
use crate::store::library::Kept;
use crate::store::{Notes, UnsavedRecords, VariationTexts};
use crate::study::{StudyCard, StudyDecision};
use crate::tui::documents::by_hand::HandNews;
use crate::tui::documents::document::Document;
use crate::tui::documents::notes::JoinedNote;
use crate::tui::documents::played_match::MovedMatch;
use crate::tui::documents::standing::Standing;
use crate::tui::documents::store_name::StoreName;
use crate::tui::rollouts::decision_count::DecisionCount;
use crate::tui::rollouts::inquiry::Finding;
use crate::tui::rollouts::jobs::{DecisionKey, JobId, JobPlay, KeptRollout};
use crate::tui::rollouts::second_opinion::{SecondFigures, SecondQuestion};
use crate::tui::windows::exported::{MatchStatistics, WrittenFile};
use crate::tui::windows::kept_list::KeptList;
use crate::tui::windows::library::{FillNews, LibraryView};
use crate::tui::windows::plan::PlanNews;
use crate::tui::windows::quiz::QuizRequest;
use crate::tui::windows::rating::RatingNews;

/// News of the rollouts of a whole match.
#[derive(Debug)]
pub enum MatchRolloutNews {
    /// Progress of a decision's rollout.
    Rolled {
        decision: DecisionKey,
        /// Its plays; for a cube decision the position twice.
        plays: Vec<JobPlay>,
        settings: Box<Settings>,
        /// The rollout so far.
        result: Arc<RolloutResult>,
    },
    /// The imported verdicts, and their verification so far.
    Opinions(Vec<Verified>),
    /// Verification of one of them by a rollout.
    Opinion(usize, Rolled),
    /// Finished decisions and their total, and the time used.
    Done(DecisionCount, Duration),
    /// The run has ended.
    Over {
        /// The progress; `None` if it failed or was stopped.
        done: Option<MatchRolloutProgress>,
        /// Whether the run only looked for stored rollouts.
        recalled: bool,
    },
}

/// Progress of match rollouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRolloutProgress {
    /// Number of finished decisions.
    pub decisions: usize,
    /// Whether all are finished.
    pub is_all: bool,
}

impl StoreName {
    /// Returns a function that forwards unsaved records of this store.
    pub fn reporter(
        self,
        messages: Sender<Message>,
    ) -> impl FnMut(&UnsavedRecords) + Send + 'static {
        move |unsaved| {
            let unsaved = unsaved.clone();
            messages.tell(Message::Unsaved {
                store: self,
                unsaved,
            });
        }
    }
}

/// Sends messages of a worker to the screen. Messages are dropped only when the program ends.
pub trait Tell {
    /// Sends a message.
    fn tell(&self, message: Message);

    /// Warns the user.
    fn warn(&self, text: String) {
        self.tell(Message::Warning(text));
    }
}

impl Tell for Sender<Message> {
    fn tell(&self, message: Message) {
        let _ = self.send(message);
    }
}

/// An event.
#[derive(Debug)]
pub enum Message {
    /// A key, mouse event, paste, or new window size.
    Input(Event),
    /// A stored standard review was found.
    Remembered {
        /// Generation of the document.
        generation: u64,
        /// One per turn.
        reviews: Vec<StandardReview>,
    },
    /// Rollouts of earlier sessions were found.
    Kept {
        /// Generation of the document.
        generation: u64,
        /// Oldest first.
        rollouts: Vec<KeptRollout>,
    },
    /// A turn was analysed.
    Reviewed {
        /// Generation of the document.
        generation: u64,
        turn: usize,
        /// Requested depth.
        ply: u8,
        standing: Standing,
        review: Arc<TurnReview>,
    },
    /// A turn could not be analysed.
    ReviewFailed {
        /// Generation of the document.
        generation: u64,
        turn: usize,
        /// Requested depth.
        ply: u8,
        /// Whether this ends the standard review of the turn.
        is_standard: bool,
        /// The reason, in one line.
        why: String,
    },
    /// The stored notes and variations of an opened match.
    Notes {
        /// Generation of the document.
        generation: u64,
        notes: Notes,
        /// Variations by game and event, as JSON.
        variations: VariationTexts,
    },
    /// The quiz cards were read.
    Study {
        cards: Vec<StudyCard>,
        /// Time of reading, in microseconds since 1970.
        micros: i64,
    },
    /// The decisions of a quiz were found.
    QuizFound {
        wanted: Box<QuizRequest>,
        /// The decisions, in order.
        decisions: Vec<StudyDecision>,
    },
    /// The librarian's result.
    Library {
        /// Number of the query.
        number: u64,
        /// The view, or the reason for a failure.
        found: Result<Box<LibraryView>, String>,
    },
    /// A game of a rollout by hand has continued, or cannot.
    ByHand {
        /// Number of the request.
        number: u64,
        news: Result<Box<HandNews>, String>,
    },
    /// Progress of filling the library.
    Filled(FillNews),
    /// A file named by the user was added to the library.
    InLibrary {
        name: String,
        /// Results for its matches.
        kept: Vec<Kept>,
    },
    /// News of a study plan.
    Plan {
        /// Number of the request.
        number: u64,
        /// Progress, or the plan.
        news: PlanNews,
    },
    /// Completions of a typed path.
    Completed {
        typed: String,
        /// Names that begin as typed.
        found: Vec<String>,
    },
    /// The stored rollouts, or the reason why they cannot be listed.
    KeptList(Result<KeptList, String>),
    /// News of a rating.
    Rating {
        /// Number of the request.
        number: u64,
        /// Progress, or the rating.
        news: RatingNews,
    },
    /// GNU Backgammon's reply, or the reason why it cannot be queried.
    SecondOpinion {
        question: Box<SecondQuestion>,
        /// Figures for each play; `None` for plays that end the game.
        figures: Result<Vec<Option<SecondFigures>>, String>,
    },
    /// Text was copied, or no tool of the system accepted it.
    Copied {
        what: &'static str,
        text: String,
        /// The tool, or the reason for the failure.
        by: Result<&'static str, String>,
    },
    /// A note was stored or removed.
    NoteKept { is_removed: bool },
    /// The user's note was joined with an unseen one.
    NoteJoined(JoinedNote),
    /// Records of a store are unsaved after an attempt.
    Unsaved {
        store: StoreName,
        /// Their number, and the reason.
        unsaved: UnsavedRecords,
    },
    /// News of a rollout.
    Rollout {
        job: JobId,
        /// The rollout so far.
        result: Arc<RolloutResult>,
        /// Whether it has ended.
        finished: bool,
    },
    /// A pilot has selected the coupling of a comparison.
    Chosen { job: JobId, pilot: Arc<Pilot> },
    /// News of the rollouts of the whole match.
    MatchRollouts {
        /// Generation of the document.
        generation: u64,
        /// Number of the run.
        number: u64,
        /// The progress or result.
        news: MatchRolloutNews,
    },
    /// A rollout could not be started.
    RolloutFailed {
        job: JobId,
        /// The reason, in one line.
        why: String,
    },
    /// A result for a question.
    Found { number: u64, finding: Finding },
    /// A document was opened, or could not be; with the number of the opening.
    Opened(u64, Result<Box<Document>, String>),
    /// The open file has changed.
    FileChanged,
    /// The open file was read again, or could not be; with the number of the opening.
    Reread(u64, Result<Box<Document>, String>),
    /// The user's themes were read, at the start or after a change.
    Themes {
        themes: Vec<Theme>,
        /// Errors of unusable themes.
        errors: Vec<String>,
    },
    /// A readable match was saved in the watched folder.
    Saved(PathBuf),
    /// A warning of a worker.
    Warning(String),
    /// A former warning with this text no longer applies.
    Mended(String),
    /// A match against the program was started in this file, or could not be.
    MatchBegun(Result<PathBuf, String>),
    /// A played match continues in another file.
    MatchMoved(MovedMatch),
    /// A file was written, or could not be.
    Exported(u64, Result<WrittenFile, String>),
    /// The settings were written, with a message for the user; or the reason for a failure.
    SettingsSaved(String),
    /// The statistics of a match, or the reason for a failure.
    Statistics {
        /// Generation of the document.
        generation: u64,
        found: Result<MatchStatistics, String>,
    },
    /// A signal ends the program: save everything open.
    Ending,
    /// A timer has expired.
    Tick,
}
