//! The messages that the workstation gets.

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

/// What is new of the rollouts of a whole match.
#[derive(Debug)]
pub enum MatchRolloutNews {
    /// How far the rollout of a decision has come.
    Rolled {
        decision: DecisionKey,
        /// Its plays; the position twice where it is one about the cube.
        plays: Vec<JobPlay>,
        /// How it is rolled out.
        settings: Box<Settings>,
        /// All of the rollout so far.
        result: Arc<RolloutResult>,
    },
    /// What the file's program says of the decisions, and what became of it so far.
    Opinions(Vec<Verified>),
    /// A rollout has answered one of them.
    Opinion(usize, Rolled),
    /// How many decisions of how many are done, and the time used.
    Done(DecisionCount, Duration),
    /// Nothing more will come.
    Over {
        /// How far it came; `None` if it failed or was stopped.
        done: Option<MatchRolloutProgress>,
        /// Whether rollouts were only looked for.
        recalled: bool,
    },
}

/// How far the rollouts of a match came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRolloutProgress {
    /// Decisions done.
    pub decisions: usize,
    /// Whether none is left.
    pub is_all: bool,
}

impl StoreName {
    /// Sends on what the thread of this store reports.
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

/// How a worker tells the screen something. Nobody listens only when the program ends.
pub trait Tell {
    /// Sends a message.
    fn tell(&self, message: Message);

    /// Has the user warned.
    fn warn(&self, text: String) {
        self.tell(Message::Warning(text));
    }
}

impl Tell for Sender<Message> {
    fn tell(&self, message: Message) {
        let _ = self.send(message);
    }
}

/// Something that has happened.
#[derive(Debug)]
pub enum Message {
    /// A key, the mouse, a paste, a new size.
    Input(Event),
    /// The standard review was kept when the match was open before.
    Remembered {
        /// Of which document.
        generation: u64,
        /// Of each turn.
        reviews: Vec<StandardReview>,
    },
    /// Rollouts of earlier sessions were found.
    Kept {
        /// Of which document.
        generation: u64,
        /// The oldest first.
        rollouts: Vec<KeptRollout>,
    },
    /// A turn has been analysed.
    Reviewed {
        /// Of which document.
        generation: u64,
        turn: usize,
        /// Plies asked for.
        ply: u8,
        /// What it counts for.
        standing: Standing,
        /// What was found.
        review: Arc<TurnReview>,
    },
    /// A turn could not be analysed.
    ReviewFailed {
        /// Of which document.
        generation: u64,
        turn: usize,
        /// Plies asked for.
        ply: u8,
        /// Whether the standard review of the turn ends with that.
        is_standard: bool,
        /// The reason, in a line.
        why: String,
    },
    /// The notes and variations of a match, as its document was opened.
    Notes {
        /// Of which document.
        generation: u64,
        /// All of them.
        notes: Notes,
        /// The variations of the match by the places of game and event, as JSON.
        variations: VariationTexts,
    },
    /// The cards of the quiz were read.
    Study {
        /// All of them.
        cards: Vec<StudyCard>,
        /// When, in microseconds since 1970.
        micros: i64,
    },
    /// What is to be asked in a quiz has been found.
    QuizFound {
        wanted: Box<QuizRequest>,
        /// The decisions, in order.
        decisions: Vec<StudyDecision>,
    },
    /// The librarian has found something, or the library cannot be read.
    Library {
        /// The number of the question.
        number: u64,
        /// The view, or why there is none.
        found: Result<Box<LibraryView>, String>,
    },
    /// A game that is rolled out by hand has gone on, or cannot.
    ByHand {
        /// The number of the request.
        number: u64,
        news: Result<Box<HandNews>, String>,
    },
    /// How far the library is filled.
    Filled(FillNews),
    /// A file that the user named is in the library.
    InLibrary {
        name: String,
        /// What became of its matches.
        kept: Vec<Kept>,
    },
    /// Something new of a study plan.
    Plan {
        /// The number of the request.
        number: u64,
        /// Progress, or the plan.
        news: PlanNews,
    },
    /// The names of files and folders that complete what was typed.
    Completed {
        typed: String,
        /// They begin with it.
        found: Vec<String>,
    },
    /// The rollouts that are kept, or why they cannot be listed.
    KeptList(Result<KeptList, String>),
    /// Something new of a rating.
    Rating {
        /// The number of the request.
        number: u64,
        /// Progress, or the rating.
        news: RatingNews,
    },
    /// GNU Backgammon has answered, or cannot be asked.
    SecondOpinion {
        /// What it was asked.
        question: Box<SecondQuestion>,
        /// Of each play its figures; none of one that ends the game.
        figures: Result<Vec<Option<SecondFigures>>, String>,
    },
    /// Text has been copied, or no tool of the system took it.
    Copied {
        what: &'static str,
        text: String,
        /// The tool that took it, or why none did.
        by: Result<&'static str, String>,
    },
    /// A note has been kept, or removed.
    NoteKept {
        /// Whether it is gone.
        is_removed: bool,
    },
    /// A note that the writer of one had not seen was in its place: both are kept.
    NoteJoined(JoinedNote),
    /// So much of what is to be kept in a store is not saved, though that was tried.
    Unsaved {
        store: StoreName,
        /// How much, and why.
        unsaved: UnsavedRecords,
    },
    /// A rollout has something new.
    Rollout {
        job: JobId,
        /// All of the rollout so far.
        result: Arc<RolloutResult>,
        /// Whether nothing more will come.
        finished: bool,
    },
    /// A pilot has found how the dice of a comparison are best coupled.
    Chosen {
        job: JobId,
        /// What it found.
        pilot: Arc<Pilot>,
    },
    /// Something new of the rollouts of the whole match.
    MatchRollouts {
        /// Of which document.
        generation: u64,
        /// Of which run.
        number: u64,
        /// The progress or result.
        news: MatchRolloutNews,
    },
    /// A rollout could not be started.
    RolloutFailed {
        job: JobId,
        /// The reason, in a line.
        why: String,
    },
    /// Something was found about a question.
    Found {
        number: u64,
        /// The result.
        finding: Finding,
    },
    /// A document has been opened, or could not be; with the number of the opening.
    Opened(u64, Result<Box<Document>, String>),
    /// The file that is open has changed.
    FileChanged,
    /// The open file was read again, or could not be; numbered like an opening.
    Reread(u64, Result<Box<Document>, String>),
    /// The user's themes were read, at the start or because one has changed.
    Themes {
        /// The themes that can be used.
        themes: Vec<Theme>,
        /// What is wrong with the others.
        errors: Vec<String>,
    },
    /// A match was saved in the watched folder, and can be read.
    Saved(PathBuf),
    /// Something that a worker wants to be known.
    Warning(String),
    /// What a worker has warned of in these words is so no more.
    Mended(String),
    /// A match against the program was begun in this file, or could not be.
    MatchBegun(Result<PathBuf, String>),
    /// A match that is played goes on in another file.
    MatchMoved(MovedMatch),
    /// Something was written to a file, or could not be.
    Exported(u64, Result<WrittenFile, String>),
    /// The settings were written: what to say of it; or why they could not be.
    SettingsSaved(String),
    /// What a match comes to, or why that cannot be told.
    Statistics {
        /// Which document's.
        generation: u64,
        found: Result<MatchStatistics, String>,
    },
    /// A signal ends the program: what is open is kept as far as it has come.
    Ending,
    /// The clock.
    Tick,
}
