//! When an action can be done.

/// What must hold of the workstation for an action to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// At any time.
    Always,
    /// In a window of help.
    Helps,
    /// In a window with a list beside what is typed.
    Lists,
    /// Where a path is typed.
    Completes,
    /// A turn comes after the one in view.
    HasNext,
    /// A turn comes before it.
    HasPrevious,
    /// The match has several games.
    HasGames,
    /// There is an error at the threshold.
    HasErrors,
    /// The answers are not hidden.
    ShowsAnswers,
    /// The answers of a match are shown.
    ShowsErrors,
    /// There are plays that a comparison, or another program, may separate.
    ComparesPlays,
    /// There are plays, or a cube decision of which something is known.
    HasAnalysis,
    /// The decision in view has plays.
    HasPlays,
    /// There are plays to look at, or a game by hand has ended.
    CanLook,
    /// The file has an analysis of the decision.
    HasImported,
    /// The pane with the keyboard has rows.
    HasRows,
    /// There are two plays, or a cube decision.
    HasQuestion,
    /// There are two plays.
    HasChoice,
    /// There is a position of a game that goes on.
    HasDecision,
    /// There is something to roll out.
    CanRoll,
    /// There is a match to roll out.
    CanRollMatch,
    /// A rollout runs.
    IsRolling,
    /// The selected rollout runs, pauses or waits.
    IsUnderWay,
    /// The selected rollout waits.
    IsWaiting,
    /// Something has been rolled out.
    HasJobs,
    /// There is another rollout of the decision in view.
    HasOtherRollout,
    /// The decision in view has been rolled out.
    HasRollout,
    /// The file holds the analysis of another program.
    HasOpinions,
    /// The review is complete and may be seen.
    Reports,
    /// There is a match to be written, or a position with variations.
    CanWrite,
    /// Several files are open.
    HasFiles,
    /// A match has been saved in a watched folder.
    HasArrived,
    /// Positions stand for the row of the plan.
    HasExamples,
    /// There is a turn to write beside.
    HasPlace,
    /// The file has warnings.
    HasWarnings,
    /// There is a cube decision before the roll in view, or that decision is in view.
    HasCube,
    /// The analysis can be deeper.
    CanDeepen,
    /// The analysis can be less deep.
    CanLessen,
    /// The editor has something to undo.
    HasChanges,
    /// The editor has something to do again.
    HasUndone,
    /// The score is not that of money play.
    HasScore,
    /// The match has a Crawford game.
    HasCrawfordGame,
    /// There is a match of which something is reviewed, or a list of positions.
    CanQuiz,
    /// Answers of the quiz are kept.
    CanStudy,
    /// There is a match of a file that the library can take in.
    CanAddToLibrary,
    /// A match is chosen in the list of matches.
    ListsMatches,
    /// Something is due in the quiz.
    HasDue,
    /// A question waits for its answer.
    HasQuestionOpen,
    /// The quiz still asks.
    IsAsking,
    /// The question is about a play.
    TypesPlay,
    /// The question is about the cube.
    IsCubeQuestion,
    /// The question is answered.
    HasAnswer,
    /// The question is answered, and its match is known.
    HasAnswerGiven,
    /// A quiz was left for the match of a question.
    HasQuizAside,
    /// An answer can be taken back.
    HasAnswers,
    /// Games can be played by hand from the turn in view.
    CanPlayByHand,
    /// A match can be played against the program.
    CanPlayOn,
    /// A match can be transcribed.
    CanTranscribe,
    /// There is a game against the program to give up.
    CanResign,
    /// A variation can begin here.
    CanVary,
    /// There is a play to make, or a variation to begin.
    CanMake,
    /// Dice can be rolled here.
    CanRollDice,
    /// Dice can be set here.
    CanSetDice,
    /// A double is possible.
    CanDouble,
    /// A double waits for its answer.
    CanAnswer,
    /// A beaver is possible.
    CanBeaver,
    /// A variation is in view.
    IsVarying,
    /// A branch was removed.
    HasRemoved,
    /// Something was played here.
    HasMade,
}
