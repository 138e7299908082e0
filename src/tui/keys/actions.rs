//! Everything a user can do: one table.
//!
//! Dispatch, the bottom line, the `?` window, the `:` palette and the key chapter of
//! `docs/reference/keys-and-legend.md` all come from [`ACTIONS`], so none of them can disagree. An action that
//! cannot be done at the moment says why.

use std::fmt::Write as _;

use super::action_id::ActionId;
use super::condition::Condition;
use super::key;
use super::scope::KeyScope;

/// A row of the table.
#[derive(Debug)]
pub struct ActionEntry {
    /// Which.
    pub id: ActionId,
    /// Name in the palette.
    pub name: &'static str,
    /// Its keys: each a sequence, written with spaces between.
    pub keys: &'static [&'static str],
    /// Where it listens.
    pub scope: KeyScope,
    /// What it is for, as the list of keys has them in groups; empty where there are few.
    pub group: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// A word for the bottom line; empty keeps it out.
    pub hint: &'static str,
    /// When it can be done.
    pub condition: Condition,
}

macro_rules! table {
    ($($scope:ident $group:literal { $($id:ident $name:literal [$($key:literal)*] $about:literal $hint:literal $condition:ident;)* })*) => {
        /// The table.
        pub const ACTIONS: &[ActionEntry] = &[$($(ActionEntry {
            id: ActionId::$id,
            name: $name,
            keys: &[$($key),*],
            scope: KeyScope::$scope,
            group: $group,
            about: $about,
            hint: $hint,
            condition: Condition::$condition,
        },)*)*];
    };
}

table! {
    Match "walk" {
        NextTurn "next turn" ["l" "right"] "go to the next turn" "" HasNext;
        PreviousTurn "previous turn" ["h" "left"] "go to the turn before" "turns" HasPrevious;
        NextGame "next game" ["L" "pgdn"] "go to the next game" "" HasGames;
        PreviousGame "previous game" ["H" "pgup"] "go to the start of the game, then to the game before" "" HasGames;
        NextError "next error" ["n"] "go to the next error at the threshold" "next error" HasErrors;
        PreviousError "previous error" ["N"] "go to the error before" "" HasErrors;
        GoTo "go to move" [] "the move whose number is typed after the colon: 6.11 is move 11 of game 6, and 11 that of the game in view" "" HasGames;
        Errors "errors" ["E"] "the errors, most expensive first, with the course of the match and both players' figures; Enter opens one" "" ShowsErrors;
        Down "down" ["j" "down"] "next row: the board shows that play" "" HasRows;
        Up "up" ["k" "up"] "row before" "plays" HasRows;
        First "first" ["home" "g g"] "first row" "" HasRows;
        Last "last" ["end" "G"] "last row" "" HasRows;
        Before "before the roll" ["b"] "look at the cube decision before this roll, or at the roll again; r rolls it out" "cube" HasCube;
        Look "look" ["enter"] "show the selected play on the board, or the position before it; in a variation: make it" "" CanLook;
        FocusNext "next pane" ["tab"] "move to the next pane" "" Always;
        FocusPrevious "previous pane" ["backtab"] "move to the previous pane" "" Always;
        Back "back" ["esc"] "one step back: the position before the play, and from a variation to the match" "back" Always;
    }
    Match "roll out" {
        RollOut "roll out" ["r"] "roll out the marked plays (none marked: the best, the one made and those close to the best), or without dice the position; again: continue" "roll out" CanRoll;
        Compare "compare" ["c"] "compare the marked plays (two or more), or else the selected one with the best, on coupled dice (the rollout settings say how); again: continue" "compare" HasChoice;
        Mark "mark" ["space"] "mark the play for the next rollout, or unmark it" "mark" HasPlays;
    }
    Match "ask" {
        Why "why" ["Y"] "why a play is better: chances, points and the opponent's next roll, of the two marked plays, or of the selected one and the best; without dice all about the cube decision" "why" HasQuestion;
        Rolls "all rolls" ["g d"] "all 21 rolls of this position: the best play of each, what it is worth and how lucky the roll is; with dice in view those that could have come" "" ShowsAnswers;
        Matrix "other scores" ["M"] "the best play or cube action at other scores and cubes, and what the selected play, else an error that was made, else the best costs there" "scores" HasDecision;
        BiasCheck "bias check" ["Q"] "what deeper play would change of the rollout in view: the decisions of some of its games looked at one ply deeper, with an interval" "" HasRollout;
        Deeper "deeper" ["+" "="] "analyse one ply deeper; after 3 plies roll out what is close, at the levels rolled and thorough" "" CanDeepen;
        Shallower "shallower" ["-"] "analyse one ply less deep" "" CanLessen;
        Imported "analysis of the file" ["I"] "all that the file says of this decision: XG's or gnubg's plays or cube, with their level, beside those of Luckless" "" HasImported;
        SecondOpinion "second opinion" ["g o"] "what GNU Backgammon says of these plays, where it runs as an external player (the setting gnubg has its address); again: hide it" "" ComparesPlays;
        Verify "verify the file" ["J"] "is XG right? what the file's program says of this match, what Luckless says, and rollouts where the two differ, within the time set for B" "" HasOpinions;
        Statistics "statistics" ["g s"] "both players side by side: ratings, errors of each class, luck, kinds of position, and game by game" "" Reports;
        EquityTable "match equity table" ["g m"] "the match equity table in use, at the present score or any other: what each cube means there, take points and gammon values of both players" "" Always;
    }
    Match "rollouts" {
        Pause "pause" ["p"] "pause the rollout, or continue it" "pause" IsRolling;
        Stop "stop" ["x"] "stop the rollout and keep its result" "stop" IsRolling;
        Freeze "freeze" ["F"] "hold the figures still while the rollouts continue" "" HasJobs;
        OtherRollout "other rollout" ["g j"] "another rollout of this decision in the panes: of other plays, or a comparison; again: the next one" "" HasOtherRollout;
        RollMatch "roll out the match" ["B"] "roll out the closest decisions of the match, until the time is up; again: stop" "roll out match" CanRollMatch;
        RolloutSettings "rollout settings" ["R"] "trials, seed, plies, cube, truncation, variance reduction, first rolls, dice of compared plays" "" Always;
        KeptRollouts "rollouts" ["g k"] "the rollouts that run or wait, and those that are kept, of whatever position, the last saved first; Enter goes to the decision or opens the position" "" ShowsAnswers;
    }
    Match "try" {
        Vary "what if" ["v"] "make the selected play: in a variation, or in a game that you play; without one go into the variations of this turn, or where there are none take the best play" "what if" CanMake;
        TypePlay "type a play" ["g v"] "type a play: it is selected; in a variation or a game that you play it is made" "" HasPlays;
        Dice "dice" ["d"] "set the dice: of a position that stands alone, else for a variation; an empty line takes them off" "dice" CanSetDice;
        RollDice "random dice" ["s"] "roll the dice: at random for a variation, those that come in a game that you play" "roll" CanRollDice;
        NextRoll "next roll" [">"] "the next of the 21 rolls, for a variation" "" CanRollDice;
        PreviousRoll "roll before" ["<"] "the roll before it, for a variation" "" CanRollDice;
        Double "double" ["D"] "double or redouble, in a variation or a game that you play" "double" CanDouble;
        Take "take" ["A"] "take the double, in a variation or a game that you play" "take" CanAnswer;
        Pass "pass" ["X"] "pass the double, in a variation or a game that you play" "pass" CanAnswer;
        Beaver "beaver" ["K"] "take, redouble at once and keep the cube, in a variation or a game that you play" "beaver" CanBeaver;
        Program "program" ["."] "the program plays this turn at the present plies, and rolls where there are no dice" "program" CanVary;
        Opponent "against the program" ["S"] "in a variation: the program answers each turn of yours; again: stop; in games by hand: you play both sides, or one; in a match against the program: turn the tutor on or off" "" IsVarying;
        NextBranch "next branch" ["}"] "in a variation: what else was tried at this turn" "" IsVarying;
        PreviousBranch "branch before" ["{"] "in a variation: what was tried before that" "" IsVarying;
        RemoveBranch "remove branch" ["delete" "backspace"] "in a variation: remove what was done at this turn, and all after it; in a match against the program or a transcript: take back the last decision, or that of the turn in view" "" IsVarying;
        RestoreBranch "restore branch" ["U"] "in a variation, a match against the program or a transcript: bring back what was removed last; again: what was removed before that; in the match: the note that was removed here" "" HasRemoved;
        ByHand "by hand" ["g h"] "a rollout by hand: you play the games that follow the selected play, the program rolls, plays the other side and takes the luck out" "" CanPlayByHand;
        PlayOn "play" ["g p"] "go on with the match against the program that is in view; else begin one: asks for its length, the PR of the program, and the tutor" "" CanPlayOn;
        Transcribe "transcribe" ["g w"] "write a match down as it is played, line by line: go on with the .mat file in view, or correct the game in view; elsewhere begin one: asks for its length and the names" "" CanTranscribe;
        Resign "resign" ["g x"] "in a match against the program: give the game up, for as few points as the program takes; in a transcript: the player on roll resigns" "" CanResign;
        Edit "edit position" ["e"] "change the position in view: checkers, dice, cube, score" "" Always;
        EmptyBoard "new position" [] "put a position together on an empty board" "" Always;
    }
    Match "study" {
        Note "note" ["a"] "write a note beside this move or about this position, or change it" "note" HasPlace;
        Quiz "quiz of this match" ["z z"] "a quiz: the errors of this match that the filter lets through, with decisions among them that were right; of a list its positions" "" CanQuiz;
        QuizDue "quiz of what is due" ["z d"] "a quiz of the decisions that are due today" "quiz" HasDue;
        QuizLibrary "quiz of the library" ["z l"] "a quiz of your errors in all matches of the library: those due, and the most expensive that were never asked" "" CanStudy;
        QuizAgain "back to the questions" ["z q"] "goes on with the quiz that was left for the match of a question" "" HasQuizAside;
        StudyPlan "study plan" ["z p"] "what to work on: where you lose more than a reference player, habits, trend, luck, and the record against each opponent" "" CanStudy;
        Rating "your rating" ["z r"] "your PR match by match, with its course, by class of decision and kind of position, and by month, event, opponent and length; your missed doubles and other cube errors" "" CanStudy;
        Library "library" ["/"] "every match you have, and all errors across matches, filtered as you type" "library" Always;
        AddToLibrary "add to library" ["z a"] "take the match in view into the library; one that was removed comes back" "" CanAddToLibrary;
        Similar "positions like this" ["*"] "decisions of the library whose position is like the one in view" "" Always;
    }
    Match "show" {
        Columns "columns" ["i"] "other columns: equities or chances" "" HasPlays;
        Order "order" ["V"] "the plays by equity, with the depth of each in a column, or by depth again" "" HasPlays;
        Units "units" ["u"] "other units: points on the present cube (EMG), or the chance to win the match (MWC); for money, points times the cube" "" Always;
        Threshold "threshold" ["t"] "what counts as an error: doubtful, error, blunder" "" Always;
        Whose "whose" ["w"] "whose errors: both players', or one player's only" "" Always;
        Class "class" ["C"] "which errors: all, checker plays, cube decisions, doubling, taking" "" Always;
        Flip "flip" ["f"] "turn the board round, to the other player's side" "" Always;
        Mirror "mirror" ["m"] "bear off on the other side" "" Always;
        Pips "pips" ["P"] "pip counts on or off" "" Always;
        BothPlays "both plays" ["&"] "lines on the board for the best play and the one that was made, or the selected one; again: no longer" "" ComparesPlays;
        Hide "answers" [";"] "hide all answers while you walk through the match, or show them" "" Always;
        Zoom "zoom" ["Z"] "one pane alone on the screen: the board, then the others, then all again" "" Always;
        Larger "larger" [")"] "a larger board, or a wider list of moves while that has the keyboard" "" Always;
        Smaller "smaller" ["("] "a smaller board, or a narrower list of moves" "" Always;
        NextTheme "next theme" ["T"] "next theme" "" Always;
        Themes "themes" ["g t"] "the list of themes: the selected one is seen at once, Enter keeps it" "" Always;
        Legend "legend" [] "what the symbols on the screen mean" "" Always;
        Figures "figures in words" [] "the figures in view as sentences: equity, interval, chances, pips, score" "" Always;
    }
    Match "files" {
        Open "open" ["o"] "open a file, a folder (into the library) or a position" "open" Always;
        OpenNew "open new match" ["O"] "open the match that was saved last in the watched folder" "open new match" HasArrived;
        NextFile "next file" ["]"] "open the next of the files given or opened, or the next position of a list" "" HasFiles;
        PreviousFile "previous file" ["["] "open the file or the position before" "" HasFiles;
        CopyXgid "copy XGID" ["y x"] "copy the position as an XGID" "" Always;
        CopyGnubg "copy GNUBG ID" ["y g"] "copy the position as a GNUBG ID" "" Always;
        CopyOgid "copy OGID" ["y o"] "copy the position as an OGID, the identifier of OpenGammon" "" Always;
        CopyTable "copy analysis" ["y a"] "copy the candidate plays as text, with the comparison in view; without dice the cube decision" "" HasAnalysis;
        CopyXgText "copy for a forum" ["y t"] "copy board and analysis as the text that XG writes for forums" "" ShowsAnswers;
        Export "write match" ["y s"] "write the match: .sgf and .json hold its variations, .mat is read by XG and most programs, .txt by people" "" CanWrite;
        Picture "write picture" ["y p"] "write the position as a picture, SVG or PNG; the selected play is shown by arrows" "" Always;
        AddToList "add to list" ["y l"] "add the position to a list of positions, with your note; a list is opened and asked like a match" "" HasPlace;
        Card "write card" ["y h"] "write the position with its analysis as a card of HTML, which needs nothing else" "" ShowsAnswers;
        MatchReport "write report" ["y r"] "write the review of the match as a page of HTML: ratings, worst decisions, all moves" "" Reports;
        AnkiCards "write Anki cards" ["y k"] "write a package for Anki: the errors that t, w and C let through and what you wrote beside, or all positions of a list" "" ShowsAnswers;
        Warnings "warnings" ["W"] "what was wrong: with the file, the analysis, what is not saved" "" HasWarnings;
    }
    Match "program" {
        Settings "settings" [","] "every setting, with its default and a sentence; Enter keeps them in the settings file" "" Always;
        SaveSettings "save settings" [] "write theme, plies and rollout settings to the settings file" "" Always;
        Palette "palette" [":"] "find a command by its name" "commands" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Tips "tips" [] "tips for beginners, one at a time above the bottom line; Esc ends them" "" Always;
        Quit "quit" ["q"] "quit" "quit" Always;
    }
    List "" {
        Down "down" ["j" "down" "space"] "down" "" Always;
        Up "up" ["k" "up"] "up" "rows" Always;
        PageDown "page down" ["pgdn"] "ten rows down" "" Always;
        PageUp "page up" ["pgup"] "ten rows up" "" Always;
        First "first" ["home" "g g"] "to the top" "" Always;
        Last "last" ["end" "G"] "to the end" "" Always;
        Accept "choose" ["enter"] "run the action, or go to the place" "choose" Always;
        Complete "other page" ["tab"] "in help: the figures in view as sentences, the legend, or the keys again" "other page" Helps;
        Help "help" ["?" "f1"] "the keys that work here; in help itself: close it" "keys" Always;
        Close "close" ["esc" "q" "W" "I" "Q" "J"] "close the window" "close" Always;
    }
    Errors "" {
        Down "down" ["j" "down" "space"] "the next by cost" "" Always;
        Up "up" ["k" "up"] "the one before by cost" "" Always;
        Accept "choose" ["enter"] "go to the place" "go" Always;
        PageDown "page down" ["pgdn"] "ten rows down" "" Always;
        PageUp "page up" ["pgup"] "ten rows up" "" Always;
        First "first" ["home" "g g"] "the most expensive" "" Always;
        Last "last" ["end" "G"] "the cheapest" "" Always;
        Threshold "size" ["t"] "how large: doubtful, error, blunder" "size" Always;
        Whose "player" ["w"] "whose: both players', or one player's only" "player" Always;
        Class "class" ["c"] "which: all, checker plays, cube decisions, doubling, taking" "class" Always;
        Units "units" ["u"] "what errors cost, and their order: in points (EMG), or in chances to win the match (MWC); for money, points times the cube" "" Always;
        RollOut "roll out" ["r"] "roll out the errors listed, the most expensive first; again: stop" "roll out" CanRollMatch;
        More "later" ["l" "right"] "the next in the match" "along" Always;
        Less "earlier" ["h" "left"] "the one before in the match" "" Always;
        CopyTable "copy" ["y a"] "copy the list as text: move, player, what was played, what was best, and the cost" "" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q" "E"] "close the window" "close" Always;
    }
    Statistics "" {
        Down "down" ["j" "down" "space"] "a line down" "" Always;
        Up "up" ["k" "up"] "a line up" "lines" Always;
        PageDown "page down" ["pgdn"] "ten lines down" "" Always;
        PageUp "page up" ["pgup"] "ten lines up" "" Always;
        First "first" ["home" "g g"] "to the top" "" Always;
        Last "last" ["end" "G"] "to the end" "" Always;
        CopyTable "copy" ["y a"] "copy the statistics as text, as luckless review prints them" "copy" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q"] "close the window" "close" Always;
    }
    Rollouts "" {
        Down "down" ["j" "down" "space"] "next row" "" Always;
        Up "up" ["k" "up"] "row before" "rows" Always;
        PageDown "page down" ["pgdn"] "ten rows down" "" Always;
        PageUp "page up" ["pgup"] "ten rows up" "" Always;
        First "first" ["home" "g g"] "first row" "" Always;
        Last "last" ["end" "G"] "last row" "" Always;
        Accept "open" ["enter"] "go to the decision of the rollout; where it is not in the match in view, open its position" "open" Always;
        Stop "stop" ["x"] "stop the selected rollout and keep its result, or take it out of the queue" "stop" IsUnderWay;
        RunNext "run next" ["f"] "the selected rollout comes next, before the others that wait" "next" IsWaiting;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q"] "close the window; the rollouts go on" "close" Always;
    }
    Form "" {
        Down "down" ["j" "down" "tab"] "next field" "" Always;
        Up "up" ["k" "up" "backtab"] "field before" "fields" Always;
        First "first" ["home" "g g"] "the first field" "" Always;
        Last "last" ["end" "G"] "the last field" "" Always;
        Accept "accept" ["enter"] "take these settings over" "accept" Always;
        Less "less" ["h" "left"] "less" "" Always;
        More "more" ["l" "right" "space"] "more" "change" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "cancel" ["esc" "q"] "close without changing anything" "cancel" Always;
    }
    Why "" {
        Down "next roll" ["j" "down" "l" "right" "space"] "the next roll" "" Always;
        Up "roll before" ["k" "up" "h" "left"] "the roll before" "rolls" Always;
        First "first" ["home" "g g"] "the first roll: 1-1, or of all rolls the best" "" Always;
        Last "last" ["end" "G"] "the last roll: 6-6, or of all rolls the worst" "" Always;
        CopyTable "copy" ["y a"] "copy all of it as text, as luckless why or eval --rolls prints it" "" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q" "Y"] "close the window" "close" Always;
    }
    Matrix "" {
        Down "down" ["j" "down"] "a point more away" "" Always;
        Up "up" ["k" "up"] "a point less away; from the first row to the scores with names" "rows" Always;
        More "right" ["l" "right"] "the other player a point more away" "columns" Always;
        Less "left" ["h" "left"] "the other player a point less away" "" Always;
        Complete "cube" ["tab" "c"] "cube centred, own or theirs" "cube" Always;
        BothPlays "made or best" ["m"] "show what the play or action that was made costs at each score; again: what the best one costs" "made" HasMade;
        RollOut "roll out" ["r"] "roll this score out: the best plays there and the one whose cost is shown, or the cube decision; again: continue" "roll out" Always;
        CopyTable "copy" ["y a"] "copy the scores as text, as luckless matrix prints them" "" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q" "M"] "close the window" "close" Always;
    }
    EquityTable "" {
        Down "down" ["j" "down"] "a point more for the player at the bottom" "" Always;
        Up "up" ["k" "up"] "a point less for the player at the bottom" "rows" Always;
        More "right" ["l" "right"] "a point more for the other player" "columns" Always;
        Less "left" ["h" "left"] "a point less for the other player" "" Always;
        PageDown "page down" ["pgdn"] "ten points more for the player at the bottom" "" Always;
        PageUp "page up" ["pgup"] "ten points less for the player at the bottom" "" Always;
        Crawford "Crawford" ["c"] "scores of one point: those of the Crawford game, or those after it" "Crawford or after" HasCrawfordGame;
        First "present score" ["s" "home"] "back to the score of the match" "present score" HasScore;
        CopyTable "copy" ["y a"] "copy the selected score and the table as text, as luckless met prints them" "" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q"] "close the window" "close" Always;
    }
    Editor "" {
        Less "left" ["h" "left"] "a point to the left" "" Always;
        More "right" ["l" "right"] "a point to the right" "points" Always;
        Up "up" ["k" "up"] "to the upper half" "" Always;
        Down "down" ["j" "down"] "to the lower half" "" Always;
        Count "count" ["0" "1" "2" "3" "4" "5" "6" "7" "8" "9"] "that many checkers here" "checkers" Always;
        AddChecker "add" ["space" "+"] "one checker more of the colour in hand, or one less of the other's" "" Always;
        TakeChecker "take away" ["-" "backspace"] "one checker less" "" Always;
        Unwanted "none here" ["n"] "for finding positions: no checkers here, none of one colour, anything" "" Always;
        FindDrawn "find" ["/"] "positions of the library with at least these checkers, and none where none are wanted" "find" Always;
        Colour "other colour" ["tab"] "place checkers of the other colour" "colour" Always;
        OnRoll "on roll" ["t"] "the other player is on roll" "" Always;
        Dice "dice" ["d"] "set the dice, or take them off" "" Always;
        Score "score" ["s"] "set score and length, or money play" "" Always;
        CubeValue "cube" ["c"] "turn the cube: 2, 4, … 64, 1" "" Always;
        CubeOwner "cube owner" ["O"] "whose cube: of the player on roll, the other one, nobody" "" Always;
        Offer "double on offer" ["D"] "the player on roll doubles and the other one answers, or not" "" Always;
        Crawford "Crawford" ["C"] "the Crawford game, or not" "" Always;
        Jacoby "Jacoby" ["J"] "money play with the Jacoby rule, or without" "" Always;
        Beavers "beavers" ["B"] "money play with beavers, or without" "" Always;
        Clear "clear" ["x"] "take all checkers and the dice off the board" "" Always;
        Opening "opening" ["i"] "the checkers as a game begins" "" Always;
        SwapSides "swap sides" ["X"] "each player gets what the other has" "" Always;
        Undo "undo" ["u"] "take the last change back" "undo" HasChanges;
        Redo "redo" ["ctrl-r" "U"] "make it again, or take up the draft that was left before" "" HasUndone;
        Flip "flip" ["f"] "turn the board round" "" Always;
        Mirror "mirror" ["m"] "bear off on the other side" "" Always;
        CopyXgid "copy XGID" ["y x"] "copy the position as an XGID" "" Always;
        CopyGnubg "copy GNUBG ID" ["y g"] "copy the position as a GNUBG ID" "" Always;
        CopyOgid "copy OGID" ["y o"] "copy the position as an OGID, the identifier of OpenGammon" "" Always;
        Open "open" ["o"] "type a position in any form, or open a file" "" Always;
        Accept "accept" ["enter"] "open the position" "open" Always;
        Palette "palette" [":"] "find a command by its name" "" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "leave" ["esc" "q"] "back to what was open; e and redo take the draft up again" "leave" Always;
    }
    Quiz "" {
        Up "up" ["k" "up"] "choice before: the board shows the play" "choices" HasQuestionOpen;
        Down "down" ["j" "down"] "next choice: the board shows the play" "" HasQuestionOpen;
        Choice "answer" ["1" "2" "3" "4" "5" "6"] "answer with the choice of this number; after the answer how well you knew it: 1 again, 2 hard, 3 good, 4 easy" "answer" IsAsking;
        Accept "answer or go on" ["enter" "space"] "answer with the selected choice; after the answer the next question" "choose" Always;
        More "point onward" ["l" "right"] "on the board: the next point that a checker can leave or come to; Enter takes it, and once one play fits, answers" "on the board" TypesPlay;
        Less "point back" ["h" "left"] "on the board: the point before" "" TypesPlay;
        Back "take back" ["backspace"] "on the board: the last point back" "" TypesPlay;
        NoDouble "no double" ["n"] "answer: no double" "" IsCubeQuestion;
        Double "double" ["d"] "answer: double" "" IsCubeQuestion;
        Take "take" ["t"] "answer: take" "" IsCubeQuestion;
        Pass "pass" ["p"] "answer: pass" "" IsCubeQuestion;
        Beaver "beaver" ["b"] "answer: beaver" "" IsCubeQuestion;
        TypePlay "type a play" ["i"] "answer with a play that is typed, also one that is not shown" "type a play" TypesPlay;
        Why "why" ["Y"] "after the answer: why the best is better" "why" HasAnswer;
        QuizMatch "to the match" ["o"] "after the answer: the match at this decision; the quiz waits, and *back to the questions* goes on with it" "match" HasAnswerGiven;
        Skip "skip" ["s"] "another question; this one comes at the end" "skip" HasQuestionOpen;
        Undo "undo" ["u"] "take the last answer back, and ask again" "undo" HasAnswers;
        Mirror "mirror" ["m"] "bear off on the other side" "" Always;
        Pips "pips" ["P"] "pip counts on or off" "" Always;
        Palette "palette" [":"] "find a command by its name" "" Always;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "leave" ["esc" "q"] "back to the match; all answers are kept" "leave" Always;
    }
    Library "" {
        Down "down" ["down"] "next row" "" Always;
        Up "up" ["up"] "row before" "rows" Always;
        PageDown "page down" ["pgdn"] "ten rows down" "" Always;
        PageUp "page up" ["pgup"] "ten rows up" "" Always;
        Accept "open" ["enter"] "open the match, at the decision where the row is one" "open" Always;
        Complete "other list" ["tab"] "matches, the errors of all matches, all decisions, positions like the one that was asked for" "list" Always;
        QuizLibrary "quiz" ["ctrl-q"] "a quiz of what the filter finds: what is due, and the most expensive errors that were never asked" "quiz" CanStudy;
        StudyPlan "study plan" ["ctrl-p"] "what to work on, by your matches that the filter finds" "plan" CanStudy;
        Rating "rating" ["ctrl-r"] "the rating of the player named first in the row, in the matches that the filter finds" "rating" CanStudy;
        Order "order" ["ctrl-o"] "matches by date, player, opponent, event, PR or result; errors by cost, by match-winning chance lost, or the newest match first" "order" Always;
        Myself "this is me" ["ctrl-t"] "the player named first in the row is you, or is not" "me" Always;
        RemoveMatch "remove" ["ctrl-x"] "remove the match from the library; its files stay" "remove" Always;
        Help "help" ["f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc"] "close the window; it comes back as it was" "close" Always;
    }
    Plan "" {
        Down "down" ["j" "down" "space"] "next row" "" Always;
        Up "up" ["k" "up"] "row before" "rows" Always;
        PageDown "page down" ["pgdn"] "ten rows down" "" Always;
        PageUp "page up" ["pgup"] "ten rows up" "" Always;
        First "first" ["home" "g g"] "first row" "" Always;
        Last "last" ["end" "G"] "last row" "" Always;
        Accept "quiz" ["enter"] "a quiz of the family, of the decisions of the habit, or of matches against the opponent" "quiz" Always;
        Choice "position" ["1" "2" "3" "4" "5"] "open the match at this position, one of those that stand for the family" "position" HasExamples;
        Complete "in the library" ["tab"] "the errors of the row, or the matches against the opponent, in the library" "library" Always;
        More "weaker reference" ["l" "right" "+"] "a reference player with a higher PR" "reference" Always;
        Less "stronger reference" ["h" "left" "-"] "a reference player with a lower PR" "" Always;
        MoneyPlan "money or matches" ["m"] "the plan of money sessions, or again of matches to a length" "" Always;
        Rating "rating" ["r"] "your rating, match by match" "rating" CanStudy;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q"] "close the window; the library comes back where it was opened from there" "close" Always;
    }
    Rating "" {
        Down "down" ["j" "down" "space"] "next row" "" Always;
        Up "up" ["k" "up"] "row before" "rows" Always;
        PageDown "page down" ["pgdn"] "ten rows down" "" Always;
        PageUp "page up" ["pgup"] "ten rows up" "" Always;
        First "first" ["home" "g g"] "first row" "" Always;
        Last "last" ["end" "G"] "last row" "" Always;
        Accept "open" ["enter"] "open the match; of a class or kind its errors, of a month, event, opponent or length its matches, in the library" "open" Always;
        Complete "other list" ["tab"] "the matches; where equity is lost, by class of decision and kind of position; cube errors; the matches by month, event, opponent and length" "list" Always;
        OpponentRating "opponent" ["o"] "in the list of matches: the rating of the opponent in the selected one" "opponent" ListsMatches;
        Rating "mine" ["m"] "your own rating again" "mine" CanStudy;
        Help "help" ["?" "f1"] "the keys that work here" "keys" Always;
        Close "close" ["esc" "q"] "close the window; the one it was opened from comes back" "close" Always;
    }
    Prompt "" {
        Down "down" ["down"] "next row" "" Lists;
        Up "up" ["up"] "row before" "rows" Lists;
        Complete "complete" ["tab"] "complete the path that is typed" "complete" Completes;
        Accept "accept" ["enter"] "run or open it" "choose" Always;
        Close "close" ["esc"] "close the window" "close" Always;
    }
    Note "" {
        Accept "keep" ["enter"] "keep the note; an empty one is removed" "keep" Always;
        Up "up" ["up"] "to the line above" "lines" Always;
        Down "down" ["down"] "to the line below" "" Always;
        Close "cancel" ["esc"] "close without changing anything" "cancel" Always;
    }
    Everywhere "" {
        Redraw "redraw" ["ctrl-l"] "draw the whole screen again" "" Always;
        Suspend "suspend" ["ctrl-z"] "stop the program; fg brings it back" "" Always;
        QuitNow "quit now" ["ctrl-c"] "quit" "" Always;
    }
}

/// The row of `id` in `scope`.
pub fn find(id: ActionId, scope: KeyScope) -> Option<&'static ActionEntry> {
    ACTIONS.iter().find(|a| a.id == id && a.scope.covers(scope))
}

/// The keys of the match screen for the manual, as Markdown: a row for each group, with each action's first key.
pub fn manual() -> String {
    let is_shown = |a: &&ActionEntry| a.scope == KeyScope::Match && !a.keys.is_empty();
    let rows: Vec<&ActionEntry> = ACTIONS.iter().filter(is_shown).collect();
    let mut out = String::from("| to | keys |\n|---|---|\n");
    for rows in rows.chunk_by(|a, b| a.group == b.group) {
        let actions = rows.iter();
        let actions = actions.map(|a| format!("`{}` {}", key::pretty(a.keys[0]), a.name));
        let actions: Vec<String> = actions.collect();
        let _ = writeln!(out, "| {} | {} |", rows[0].group, actions.join(", "));
    }
    out
}
