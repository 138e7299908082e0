//! What `update` leaves to the world outside.

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

/// Work for the world outside: threads, files, the terminal.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Quit,
    Suspend,
    /// The program was stopped and goes on: take the terminal again.
    TakeTerminal,
    Redraw,
    /// Copy a text to the system's clipboard: what it is called, and the text.
    Copy(&'static str, String),
    CopyToTerminal(String),
    SaveSettings,
    /// Open something, with the number of the opening.
    Open {
        number: u64,
        source: Openable,
    },
    /// Read the file in view again.
    Reread {
        number: u64,
        path: PathBuf,
    },
    /// Keep this about an event of a game.
    KeepNote(Box<NoteChange>),
    /// Go on with a game that is rolled out by hand.
    ByHand {
        number: u64,
        request: Box<HandRequest>,
    },
    /// Give up the game of a rollout by hand that was begun.
    LeaveByHand {
        start: Arc<HandStart>,
        hands: Hands,
    },
    /// Ask GNU Backgammon about plays.
    AskGnubg(Box<SecondQuestion>),
    /// Write the file of a match that is being played.
    SaveMatch(Box<WrittenMatch>),
    /// Write a new match that is to be played or transcribed to a file in this folder, or in that of the user's matches.
    BeginMatch(Box<NewMatch>, Option<PathBuf>),
    /// Write something to a file that is not there yet; its number comes back with what came of it.
    Export(u64, Written, PathBuf),
    /// Work out what a match comes to.
    Statistics {
        generation: u64,
        reviewed: Box<ReviewedMatch>,
    },
    /// Another document is open: analyse all of it.
    Review,
    /// The match or a variation of it came into view in the place of the other: analyse what of it is not.
    Analyse,
    /// Its standard review was found: analyse no more than what is looked at.
    Remember,
    /// The standard review of the document of this generation has ended: keep it, if that is still open.
    KeepReview {
        generation: u64,
    },
    /// Find what was rolled out of this match before: a run of this number.
    Recall(u64),
    /// Roll out decisions of the match, no longer than this.
    RollOutMatch {
        number: u64,
        goal: MatchRolloutGoal,
        budget: Duration,
    },
    EndMatchRollouts,
    /// Analyse this turn first, down to so many plies.
    Focus {
        turn: usize,
        ply: u8,
    },
    /// Keep an answer of the quiz, or take it back.
    KeepAnswer(Box<StudyChange>),
    /// Find what of the library is to be asked.
    FindQuiz(Box<QuizRequest>),
    /// Take a file, or the matches of a folder, into the library.
    Fill(PathBuf),
    /// Take the matches of a file into the library that the user names, and tell what became of it.
    AddToLibrary(PathBuf),
    /// Make a study plan.
    Plan(PlanRequest),
    /// List the rollouts that are kept.
    ListKept,
    /// Find the names of files and folders that begin like this.
    Complete(String),
    /// Read the rating of a player.
    Rating(RatingRequest),
    /// Ask the librarian for something.
    Library(LibraryRequest),
    /// Analyse a draft or a question and no other any more: at 0 plies at once, then down to so many.
    Draft {
        generation: u64,
        state: Box<GameState>,
        /// A play that must be analysed as deeply as the best.
        play: Option<Play>,
        ply: u8,
    },
    /// Analyse no draft any more.
    EndDraft,
    /// Answer a question about a decision, and no other any more.
    Ask {
        number: u64,
        asked: Box<Asked>,
    },
    /// Give up the question under way.
    EndInquiry,
    Start(JobId),
    Pause(JobId),
    Resume(JobId),
    Cancel(JobId),
}
