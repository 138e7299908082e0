//! Effects: work that `update` requests from the event loop.

use std::time::Duration;

use std::path::PathBuf;
use std::sync::Arc;

use super::whole_match::MatchRolloutGoal;
use crate::game::{GameState, Play};
use crate::rollout::by_hand::Hands;
use crate::store::StudyChange;
use crate::tui::documents::by_hand::{HandRequest, HandStart};
use crate::tui::documents::new_match::NewMatch;
use crate::tui::documents::notes::NoteChange;
use crate::tui::documents::places::Openable;
use crate::tui::documents::played_match::WrittenMatch;
use crate::tui::rollouts::inquiry::Asked;
use crate::tui::rollouts::jobs::JobId;
use crate::tui::rollouts::second_opinion::SecondQuestion;
use crate::tui::windows::exported::{ReviewedMatch, Written};
use crate::tui::windows::library::LibraryRequest;
use crate::tui::windows::plan::PlanRequest;
use crate::tui::windows::quiz::QuizRequest;
use crate::tui::windows::rating::RatingRequest;

/// An effect: work with threads, files or the terminal.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Quit,
    Suspend,
    /// Take the terminal again after the program was stopped and resumed.
    TakeTerminal,
    Redraw,
    /// Copy a text to the system's clipboard, with its description.
    Copy(&'static str, String),
    CopyToTerminal(String),
    SaveSettings,
    /// Open a source, with the number of the opening.
    Open {
        number: u64,
        source: Openable,
    },
    /// Read the displayed file again.
    Reread {
        number: u64,
        path: PathBuf,
    },
    /// Store a note or variations.
    KeepNote(Box<NoteChange>),
    /// Continue a game of a rollout by hand.
    ByHand {
        number: u64,
        request: Box<HandRequest>,
    },
    /// Release an unfinished game of a rollout by hand.
    LeaveByHand {
        start: Arc<HandStart>,
        hands: Hands,
    },
    /// Query GNU Backgammon about plays.
    AskGnubg(Box<SecondQuestion>),
    /// Write the file of a played match.
    SaveMatch(Box<WrittenMatch>),
    /// Write a new match to a file in this folder, or in the user's folder of matches.
    BeginMatch(Box<NewMatch>, Option<PathBuf>),
    /// Write a new file; the number comes back with the result.
    Export(u64, Written, PathBuf),
    /// Compute the statistics of a match.
    Statistics {
        generation: u64,
        reviewed: Box<ReviewedMatch>,
    },
    /// Analyse a newly opened document.
    Review,
    /// Analyse the missing turns after switching between a match and its variation.
    Analyse,
    /// Stop the standard review, because a stored one was found; only requested depths are analysed.
    Remember,
    /// Store the standard review of the document of this generation, if it is still open.
    KeepReview {
        generation: u64,
    },
    /// Look for stored rollouts of this match, as the run with this number.
    Recall(u64),
    /// Roll out decisions of the match within a time budget.
    RollOutMatch {
        number: u64,
        goal: MatchRolloutGoal,
        budget: Duration,
    },
    EndMatchRollouts,
    /// Analyse this turn first, up to a search depth.
    Focus {
        turn: usize,
        ply: u8,
    },
    /// Store or undo a quiz answer.
    KeepAnswer(Box<StudyChange>),
    /// Find quiz decisions in the library.
    FindQuiz(Box<QuizRequest>),
    /// Add a file, or the matches of a folder, to the library.
    Fill(PathBuf),
    /// Add the matches of a named file to the library, and report the result.
    AddToLibrary(PathBuf),
    Plan(PlanRequest),
    /// List the stored rollouts.
    ListKept,
    /// Find names of files and folders with this beginning.
    Complete(String),
    /// Read a player's rating.
    Rating(RatingRequest),
    /// Send a request to the librarian.
    Library(LibraryRequest),
    /// Analyse only this draft or quiz question: at 0 plies at once, then up to a search depth.
    Draft {
        generation: u64,
        state: Box<GameState>,
        /// A play to analyse as deeply as the best.
        play: Option<Play>,
        ply: u8,
    },
    /// Stop the analysis of drafts.
    EndDraft,
    /// Answer only this question about a decision.
    Ask {
        number: u64,
        asked: Box<Asked>,
    },
    /// Cancel the question in progress.
    EndInquiry,
    Start(JobId),
    Pause(JobId),
    Resume(JobId),
    Cancel(JobId),
}
