//! Everything a user can do: one table.
//!
//! Dispatch, the bottom line, the `?` window, the `:` palette and the key chapter of
//! `docs/reference/keys-and-legend.md` all come from [`ACTIONS`], so none of them can disagree. An action that
//! cannot be done at the moment says why.

mod conditions;

pub use super::action_id::ActionId;
use super::state::App;
pub(in crate::tui) use conditions::IS_ANSWERED;
use conditions::*;

/// Where an action listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyScope {
    /// On the match screen and in every window over it.
    Everywhere,
    /// On the match screen.
    Match,
    /// In a window with a list to read: help, warnings.
    List,
    /// In the window of errors.
    Errors,
    /// In a window with a form: rollout settings.
    Form,
    /// In the window that says why.
    Why,
    /// In the window of other scores.
    Matrix,
    /// In the window of the match equity table.
    EquityTable,
    /// On the board of the position editor.
    Editor,
    /// In the quiz.
    Quiz,
    /// In the window of the library.
    Library,
    /// In the window of the study plan.
    Plan,
    /// In the window of a player's rating.
    Rating,
    /// Where a line is typed: palette, open, dice, score, time, a play.
    Prompt,
    /// Where a note is typed.
    Note,
}

impl KeyScope {
    /// All of them, in the order of the manual.
    pub const ALL: [Self; 15] = [
        Self::Match,
        Self::List,
        Self::Errors,
        Self::Form,
        Self::Why,
        Self::Matrix,
        Self::EquityTable,
        Self::Editor,
        Self::Quiz,
        Self::Library,
        Self::Plan,
        Self::Rating,
        Self::Prompt,
        Self::Note,
        Self::Everywhere,
    ];

    /// Its table in the file of keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Match => "match",
            Self::List => "list",
            Self::Errors => "errors",
            Self::Form => "settings",
            Self::Why => "why",
            Self::Matrix => "scores",
            Self::EquityTable => "met",
            Self::Editor => "editor",
            Self::Quiz => "quiz",
            Self::Library => "library",
            Self::Plan => "plan",
            Self::Rating => "rating",
            Self::Prompt => "prompt",
            Self::Note => "note",
        }
    }

    /// Whether an action of this scope listens in `other`.
    #[must_use]
    pub fn covers(self, other: Self) -> bool {
        self == Self::Everywhere || self == other
    }

    /// Heading in the help window and the manual.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Everywhere => "everywhere",
            Self::Match => "match",
            Self::List => "help and warnings",
            Self::Errors => "errors",
            Self::Form => "settings",
            Self::Why => "why",
            Self::Matrix => "other scores",
            Self::EquityTable => "match equity table",
            Self::Editor => "position editor",
            Self::Quiz => "quiz",
            Self::Library => "library",
            Self::Plan => "study plan",
            Self::Rating => "rating",
            Self::Prompt => "palette, open, dice, score and time",
            Self::Note => "note",
        }
    }
}

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
    /// Whether it can be done now, or why not.
    pub enabled: fn(&App) -> Result<(), &'static str>,
}

macro_rules! table {
    ($($scope:ident $group:literal { $($id:ident $name:literal [$($key:literal)*] $about:literal $hint:literal $enabled:ident;)* })*) => {
        /// The table.
        pub const ACTIONS: &[ActionEntry] = &[$($(ActionEntry {
            id: ActionId::$id,
            name: $name,
            keys: &[$($key),*],
            scope: KeyScope::$scope,
            group: $group,
            about: $about,
            hint: $hint,
            enabled: $enabled,
        },)*)*];
    };
}

table! {
    Match "walk" {
        NextTurn "next turn" ["l" "right"] "go to the next turn" "" has_next;
        PreviousTurn "previous turn" ["h" "left"] "go to the turn before" "turns" has_previous;
        NextGame "next game" ["L" "pgdn"] "go to the next game" "" has_games;
        PreviousGame "previous game" ["H" "pgup"] "go to the start of the game, then to the game before" "" has_games;
        NextError "next error" ["n"] "go to the next error at the threshold" "next error" has_errors;
        PreviousError "previous error" ["N"] "go to the error before" "" has_errors;
        Errors "errors" ["E"] "the errors, most expensive first, with the course of the match and both players' figures; Enter opens one" "" shows_errors;
        Down "down" ["j" "down"] "next row: the board shows that play" "" has_rows;
        Up "up" ["k" "up"] "row before" "plays" has_rows;
        First "first" ["home" "g g"] "first row" "" has_rows;
        Last "last" ["end" "G"] "last row" "" has_rows;
        Before "before the roll" ["b"] "look at the cube decision before this roll, or at the roll again; r rolls it out" "cube" has_cube;
        Look "look" ["enter"] "show the selected play on the board, or the position before it" "" can_look;
        FocusNext "next pane" ["tab"] "move to the next pane" "" always;
        FocusPrevious "previous pane" ["backtab"] "move to the previous pane" "" always;
        Back "back" ["esc"] "one step back: the position before the play, and from a variation to the match" "back" always;
    }
    Match "roll out" {
        RollOut "roll out" ["r"] "roll out the marked plays (none marked: the best, the one made and those close to the best), or without dice the position; again: continue" "roll out" can_roll;
        Compare "compare" ["c"] "compare the marked plays (two or more), or else the selected one with the best, on coupled dice (R chooses how); again: continue" "compare" has_choice;
        Mark "mark" ["space"] "mark the play for the next rollout, or unmark it" "mark" has_plays;
    }
    Match "ask" {
        Why "why" ["Y"] "why a play is better: chances, points and the opponent's next roll, of the two marked plays, or of the selected one and the best; without dice all about the cube decision" "why" has_question;
        Matrix "other scores" ["M"] "the best play or cube action at other scores and cubes, and what the selected play, else an error that was made, else the best costs there" "scores" has_decision;
        BiasCheck "bias check" ["Q"] "what deeper play would change of the rollout in view: the decisions of some of its games looked at one ply deeper, with an interval" "" has_rollout;
        Deeper "deeper" ["+" "="] "analyse one ply deeper" "" can_deepen;
        Shallower "shallower" ["-"] "analyse one ply less deep" "" can_lessen;
        Imported "analysis of the file" ["I"] "all that the file says of this decision: XG's or gnubg's plays or cube, with their level, beside those of Luckless" "" has_imported;
        SecondOpinion "second opinion" ["g o"] "what GNU Backgammon says of these plays, where it runs as an external player (the setting gnubg has its address); again: hide it" "" compares_plays;
        Verify "verify the file" ["J"] "is XG right? what the file's program says of this match, what Luckless says, and rollouts where the two differ, within the time for B" "" has_opinions;
        Statistics "statistics" ["g s"] "both players side by side: ratings, errors of each class, luck, kinds of position, and game by game" "" reports;
        EquityTable "match equity table" ["g m"] "the match equity table in use, at the present score or any other: what each cube means there, take points and gammon values of both players" "" always;
    }
    Match "rollouts" {
        Pause "pause" ["p"] "pause the rollout, or continue it" "pause" is_rolling;
        Stop "stop" ["x"] "stop the rollout and keep its result" "stop" is_rolling;
        Freeze "freeze" ["F"] "hold the figures still while the rollouts continue" "" has_jobs;
        RollMatch "roll out the match" ["B"] "roll out the closest decisions of the match, until the time is up; again: stop" "roll out match" can_roll_match;
        RolloutSettings "rollout settings" ["R"] "trials, seed, plies, cube, truncation, variance reduction, first rolls, dice of compared plays" "" always;
        KeptRollouts "kept rollouts" ["g k"] "the rollouts that are kept, of whatever position, the last saved first; Enter opens the position" "" shows_answers;
    }
    Match "try" {
        Vary "what if" ["v"] "make the selected play: in a variation, or in a game that you play; without one go into the variations of this turn, or where there are none take the best play" "what if" can_make;
        Dice "dice" ["d"] "set the dice: of a position that stands alone, else for a variation; an empty line takes them off" "dice" can_set_dice;
        RollDice "random dice" ["s"] "roll the dice: at random for a variation, those that come in a game that you play" "roll" can_roll_dice;
        NextRoll "next roll" [">"] "the next of the 21 rolls, for a variation" "" can_roll_dice;
        PreviousRoll "roll before" ["<"] "the roll before it, for a variation" "" can_roll_dice;
        Double "double" ["D"] "double or redouble, in a variation or a game that you play" "double" can_double;
        Take "take" ["A"] "take the double, in a variation or a game that you play" "take" can_answer;
        Pass "pass" ["X"] "pass the double, in a variation or a game that you play" "pass" can_answer;
        Beaver "beaver" ["K"] "take, redouble at once and keep the cube, in a variation or a game that you play" "beaver" can_beaver;
        Program "program" ["."] "the program plays this turn at the present plies, and rolls where there are no dice" "program" can_vary;
        Opponent "against the program" ["S"] "in a variation: the program answers each turn of yours; again: stop; in games by hand: you play both sides, or one; in a match against the program: the tutor speaks or is silent" "" is_varying;
        NextBranch "next branch" ["}"] "in a variation: what else was tried at this turn" "" is_varying;
        PreviousBranch "branch before" ["{"] "in a variation: what was tried before that" "" is_varying;
        RemoveBranch "remove branch" ["delete"] "in a variation: remove what was done at this turn, and all after it" "" is_varying;
        RestoreBranch "restore branch" ["U"] "in a variation: bring back what was removed last; again: what was removed before that" "" has_removed;
        ByHand "by hand" ["g h"] "a rollout by hand: you play the games that follow the selected play, the program rolls, plays the other side and takes the luck out" "" can_play_by_hand;
        PlayOn "play" ["g p"] "go on with the match against the program that is in view; else begin one, to 7 points or like the one that is over" "" can_play_on;
        Resign "resign" ["g x"] "in a match against the program: give the game up, for as few points as the program takes" "" can_resign;
        Edit "edit position" ["e"] "change the position in view: checkers, dice, cube, score" "" always;
        EmptyBoard "new position" [] "put a position together on an empty board" "" always;
    }
    Match "study" {
        Note "note" ["a"] "write a note beside this move or about this position, or change it" "note" has_place;
        Quiz "quiz of this match" ["z z"] "a quiz: the errors of this match that t, w and C let through, with decisions among them that were right; of a list its positions" "" can_quiz;
        QuizDue "quiz of what is due" ["z d"] "a quiz of the decisions that are due today" "quiz" has_due;
        QuizLibrary "quiz of the library" ["z l"] "a quiz of your errors in all matches of the library: those due, and the most expensive that were never asked" "" can_study;
        QuizAgain "back to the questions" ["z q"] "goes on with the quiz that was left for the match of a question" "" has_quiz_aside;
        StudyPlan "study plan" ["z p"] "what to work on: where you lose more than a reference player, habits, trend, luck, and the record against each opponent" "" can_study;
        Rating "your rating" ["z r"] "your PR match by match, with its course, and by class of decision and kind of position" "" can_study;
        Library "library" ["/"] "every match you have, and all errors across matches, filtered as you type" "library" always;
        Similar "positions like this" ["*"] "decisions of the library whose position is like the one in view" "" always;
    }
    Match "show" {
        Columns "columns" ["i"] "other columns: equities or chances" "" has_plays;
        Order "order" ["V"] "the plays by equity, with the depth of each in a column, or by depth again" "" has_plays;
        Units "units" ["u"] "other units: points on the present cube (EMG), or the chance to win the match (MWC); for money, points times the cube" "" always;
        Threshold "threshold" ["t"] "what counts as an error: doubtful, error, blunder" "" always;
        Whose "whose" ["w"] "whose errors: both players', or one player's only" "" always;
        Class "class" ["C"] "which errors: all, checker plays, doubling, taking" "" always;
        Flip "flip" ["f"] "turn the board round, to the other player's side" "" always;
        Mirror "mirror" ["m"] "bear off on the other side" "" always;
        Pips "pips" ["P"] "pip counts on or off" "" always;
        BothPlays "both plays" ["&"] "lines on the board for the best play and the one that was made, or the selected one; again: no longer" "" compares_plays;
        Hide "hide answers" [] "hide all answers while you walk through the match, or show them" "" always;
        Zoom "zoom" ["Z"] "one pane alone on the screen: the board, then the others, then all again" "" always;
        Larger "larger" [")"] "a larger board, or a wider list of moves while that has the keyboard" "" always;
        Smaller "smaller" ["("] "a smaller board, or a narrower list of moves" "" always;
        NextTheme "next theme" ["T"] "next theme" "" always;
        Themes "themes" ["g t"] "the list of themes: the selected one is seen at once, Enter keeps it" "" always;
        Legend "legend" [] "what the symbols on the screen mean" "" always;
        Figures "figures in words" [] "the figures in view as sentences: equity, interval, chances, pips, score" "" always;
    }
    Match "files" {
        Open "open" ["o"] "open a file, a folder (into the library) or a position" "open" always;
        OpenNew "open new match" ["O"] "open the match that was saved last in the watched folder" "open new match" has_arrived;
        NextFile "next file" ["]"] "open the next of the files given or opened, or the next position of a list" "" has_files;
        PreviousFile "previous file" ["["] "open the file or the position before" "" has_files;
        CopyXgid "copy XGID" ["y x"] "copy the position as an XGID" "" always;
        CopyGnubg "copy GNUBG ID" ["y g"] "copy the position as a GNUBG ID" "" always;
        CopyTable "copy analysis" ["y a"] "copy the candidate plays as text, with the comparison in view; without dice the cube decision" "" has_analysis;
        CopyXgText "copy for a forum" ["y t"] "copy board and analysis as the text that XG writes for forums" "" shows_answers;
        Export "write match" ["y s"] "write the match: .sgf and .json hold its variations, .mat is read by XG and most programs, .txt by people" "" can_write;
        Picture "write picture" ["y p"] "write the position as a picture, SVG or PNG; the selected play is shown by arrows" "" always;
        Card "write card" ["y h"] "write the position with its analysis as a card of HTML, which needs nothing else" "" shows_answers;
        MatchReport "write report" ["y r"] "write the review of the match as a page of HTML: ratings, worst decisions, all moves" "" reports;
        Warnings "warnings" ["W"] "what was wrong: with the file, the analysis, what is not saved" "" has_warnings;
    }
    Match "program" {
        Settings "settings" [] "every setting, with its default and a sentence; Enter keeps them in the settings file" "" always;
        SaveSettings "save settings" [] "write theme, plies and rollout settings to the settings file" "" always;
        Palette "palette" [":"] "find a command by its name" "commands" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Tips "tips" [] "tips for beginners, one at a time above the bottom line; Esc ends them" "" always;
        Quit "quit" ["q"] "quit" "quit" always;
    }
    List "" {
        Down "down" ["j" "down" "space"] "down" "" always;
        Up "up" ["k" "up"] "up" "rows" always;
        PageDown "page down" ["pgdn"] "ten rows down" "" always;
        PageUp "page up" ["pgup"] "ten rows up" "" always;
        First "first" ["home" "g g"] "to the top" "" always;
        Last "last" ["end" "G"] "to the end" "" always;
        Accept "choose" ["enter"] "run the action, or go to the place" "choose" always;
        Complete "keys or legend" ["tab"] "in help: the figures in view as sentences, the legend, or the keys again" "keys/legend" helps;
        Help "help" ["?"] "the keys that work here; in help itself: close it" "" always;
        Close "close" ["esc" "q" "W" "I" "Q" "J"] "close the window" "close" always;
    }
    Errors "" {
        Down "down" ["j" "down" "space"] "the next by cost" "" always;
        Up "up" ["k" "up"] "the one before by cost" "" always;
        Accept "choose" ["enter"] "go to the place" "go" always;
        PageDown "page down" ["pgdn"] "ten rows down" "" always;
        PageUp "page up" ["pgup"] "ten rows up" "" always;
        First "first" ["home" "g g"] "the most expensive" "" always;
        Last "last" ["end" "G"] "the cheapest" "" always;
        Threshold "size" ["t"] "how large: doubtful, error, blunder" "size" always;
        Whose "player" ["w"] "whose: both players', or one player's only" "player" always;
        Class "class" ["c"] "which: all, checker plays, doubling, taking" "class" always;
        RollOut "roll out" ["r"] "roll out the errors listed, the most expensive first; again: stop" "roll out" can_roll_match;
        More "later" ["l" "right"] "the next in the match" "along" always;
        Less "earlier" ["h" "left"] "the one before in the match" "" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "close" ["esc" "q" "E"] "close the window" "close" always;
    }
    Form "" {
        Down "down" ["j" "down" "tab"] "next field" "" always;
        Up "up" ["k" "up" "backtab"] "field before" "fields" always;
        Less "less" ["h" "left"] "less" "" always;
        More "more" ["l" "right" "space"] "more" "change" always;
        Accept "accept" ["enter"] "take these settings over" "accept" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "cancel" ["esc" "q"] "close without changing anything" "cancel" always;
    }
    Why "" {
        Down "next roll" ["j" "down" "l" "right" "space"] "the next roll" "" always;
        Up "roll before" ["k" "up" "h" "left"] "the roll before" "rolls" always;
        First "first" ["home" "g g"] "1-1" "" always;
        Last "last" ["end" "G"] "6-6" "" always;
        CopyTable "copy" ["y a"] "copy all of it as text, as luckless why prints it" "" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "close" ["esc" "q" "Y"] "close the window" "close" always;
    }
    Matrix "" {
        Down "down" ["j" "down"] "a point more away" "" always;
        Up "up" ["k" "up"] "a point less away; from the first row to the scores with names" "rows" always;
        More "right" ["l" "right"] "the other player a point more away" "columns" always;
        Less "left" ["h" "left"] "the other player a point less away" "" always;
        Complete "cube" ["tab" "c"] "cube centred, own or theirs" "cube" always;
        BothPlays "made or best" ["m"] "show what the play or action made loses at each score; again: what the best one loses" "made" has_made;
        RollOut "roll out" ["r"] "roll this score out: the best plays there and the one whose cost is told, or the cube decision; again: continue" "roll out" always;
        CopyTable "copy" ["y a"] "copy the scores as text, as luckless matrix prints them" "" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "close" ["esc" "q" "M"] "close the window" "close" always;
    }
    EquityTable "" {
        Down "down" ["j" "down"] "a point more for the player at the bottom" "" always;
        Up "up" ["k" "up"] "a point less for the player at the bottom" "rows" always;
        More "right" ["l" "right"] "a point more for the other player" "columns" always;
        Less "left" ["h" "left"] "a point less for the other player" "" always;
        PageDown "page down" ["pgdn"] "ten points more for the player at the bottom" "" always;
        PageUp "page up" ["pgup"] "ten points less for the player at the bottom" "" always;
        Crawford "Crawford" ["c"] "scores of one point: those of the Crawford game, or those after it" "Crawford or after" has_crawford_game;
        First "present score" ["s" "home"] "back to the score of the match" "present score" has_score;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "close" ["esc" "q"] "close the window" "close" always;
    }
    Editor "" {
        Less "left" ["h" "left"] "a point to the left" "" always;
        More "right" ["l" "right"] "a point to the right" "points" always;
        Up "up" ["k" "up"] "to the upper half" "" always;
        Down "down" ["j" "down"] "to the lower half" "" always;
        Count "count" ["0" "1" "2" "3" "4" "5" "6" "7" "8" "9"] "that many checkers here" "checkers" always;
        AddChecker "add" ["space" "+"] "one checker more of the colour in hand, or one less of the other's" "" always;
        TakeChecker "take away" ["-" "backspace"] "one checker less" "" always;
        Unwanted "none here" ["n"] "for finding positions: no checkers here, none of one colour, anything" "" always;
        FindDrawn "find" ["/"] "positions of the library with at least these checkers, and none where none are wanted" "find" always;
        Colour "other colour" ["tab"] "place checkers of the other colour" "colour" always;
        OnRoll "on roll" ["t"] "the other player is on roll" "" always;
        Dice "dice" ["d"] "set the dice, or take them off" "" always;
        Score "score" ["s"] "set score and length, or money play" "" always;
        CubeValue "cube" ["c"] "turn the cube: 2, 4, … 64, 1" "" always;
        CubeOwner "cube owner" ["O"] "whose cube: of the player on roll, the other one, nobody" "" always;
        Offer "double on offer" ["D"] "the player on roll doubles and the other one answers, or not" "" always;
        Crawford "Crawford" ["C"] "the Crawford game, or not" "" always;
        Jacoby "Jacoby" ["J"] "money play with the Jacoby rule, or without" "" always;
        Beavers "beavers" ["B"] "money play with beavers, or without" "" always;
        Clear "clear" ["x"] "take all checkers and the dice off the board" "" always;
        Opening "opening" ["i"] "the checkers as a game begins" "" always;
        SwapSides "swap sides" ["X"] "each player gets what the other has" "" always;
        Undo "undo" ["u"] "take the last change back" "undo" has_changes;
        Redo "redo" ["ctrl-r" "U"] "make it again, or take up the draft that was left before" "" has_undone;
        Flip "flip" ["f"] "turn the board round" "" always;
        Mirror "mirror" ["m"] "bear off on the other side" "" always;
        CopyXgid "copy XGID" ["y x"] "copy the position as an XGID" "" always;
        CopyGnubg "copy GNUBG ID" ["y g"] "copy the position as a GNUBG ID" "" always;
        Open "open" ["o"] "type a position in any form, or open a file" "" always;
        Accept "accept" ["enter"] "open the position" "open" always;
        Palette "palette" [":"] "find a command by its name" "" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "leave" ["esc" "q"] "back to what was open; e and redo take the draft up again" "leave" always;
    }
    Quiz "" {
        Up "up" ["k" "up"] "choice before: the board shows the play" "choices" has_question_open;
        Down "down" ["j" "down"] "next choice: the board shows the play" "" has_question_open;
        Choice "answer" ["1" "2" "3" "4" "5" "6"] "answer with the choice of this number; after the answer how well you knew it: 1 again, 2 hard, 3 good, 4 easy" "answer" is_asking;
        Accept "answer or go on" ["enter" "space"] "answer with the selected choice; after the answer the next question" "choose" always;
        More "point onward" ["l" "right"] "on the board: the next point that a checker can leave or come to; Enter takes it, and once one play fits, answers" "on the board" types_play;
        Less "point back" ["h" "left"] "on the board: the point before" "" types_play;
        Back "take back" ["backspace"] "on the board: the last point back" "" types_play;
        NoDouble "no double" ["n"] "answer: no double" "" is_cube_question;
        Double "double" ["d"] "answer: double" "" is_cube_question;
        Take "take" ["t"] "answer: take" "" is_cube_question;
        Pass "pass" ["p"] "answer: pass" "" is_cube_question;
        Beaver "beaver" ["b"] "answer: beaver" "" is_cube_question;
        TypePlay "type a play" ["i"] "answer with a play that is typed, also one that is not shown" "type a play" types_play;
        Why "why" ["Y"] "after the answer: why the best is better" "why" has_answer;
        QuizMatch "to the match" ["o"] "after the answer: the match at this decision; the quiz waits, and zq goes on with it" "match" has_answer_given;
        Skip "skip" ["s"] "another question; this one comes at the end" "skip" has_question_open;
        Undo "undo" ["u"] "take the last answer back, and ask again" "undo" has_answers;
        Mirror "mirror" ["m"] "bear off on the other side" "" always;
        Pips "pips" ["P"] "pip counts on or off" "" always;
        Palette "palette" [":"] "find a command by its name" "" always;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "leave" ["esc" "q"] "back to the match; all answers are kept" "leave" always;
    }
    Library "" {
        Down "down" ["down"] "next row" "" always;
        Up "up" ["up"] "row before" "rows" always;
        PageDown "page down" ["pgdn"] "ten rows down" "" always;
        PageUp "page up" ["pgup"] "ten rows up" "" always;
        Accept "open" ["enter"] "open the match, at the decision where the row is one" "open" always;
        Complete "other list" ["tab"] "matches, the errors of all matches, all decisions, positions like the one that was asked for" "list" always;
        QuizLibrary "quiz" ["ctrl-q"] "a quiz of what the filter finds: what is due, and the most expensive errors that were never asked" "quiz" can_study;
        StudyPlan "study plan" ["ctrl-p"] "what to work on" "plan" can_study;
        Rating "rating" ["ctrl-r"] "the rating of the player named first in the row, match by match" "rating" can_study;
        Order "order" ["ctrl-o"] "matches by date, player, opponent, event, PR or result; errors by cost, by match-winning chance lost, or the newest match first" "order" always;
        Myself "this is me" ["ctrl-t"] "the player named first in the row is you, or is not" "me" always;
        RemoveMatch "remove" ["ctrl-x"] "remove the match from the library; its files stay" "remove" always;
        Help "help" ["f1"] "the keys that work here" "keys" always;
        Close "close" ["esc"] "close the window; it comes back as it was" "close" always;
    }
    Plan "" {
        Down "down" ["j" "down" "space"] "next row" "" always;
        Up "up" ["k" "up"] "row before" "rows" always;
        PageDown "page down" ["pgdn"] "ten rows down" "" always;
        PageUp "page up" ["pgup"] "ten rows up" "" always;
        First "first" ["home" "g g"] "first row" "" always;
        Last "last" ["end" "G"] "last row" "" always;
        Accept "quiz" ["enter"] "a quiz of the family, of the decisions of the habit, or of matches against the opponent" "quiz" always;
        Choice "position" ["1" "2" "3" "4" "5"] "open the match at this position, one of those that stand for the family" "position" always;
        Complete "in the library" ["tab"] "the errors of the row, or the matches against the opponent, in the library" "library" always;
        More "weaker reference" ["l" "right" "+"] "a reference player with a higher PR" "reference" always;
        Less "stronger reference" ["h" "left" "-"] "a reference player with a lower PR" "" always;
        MoneyPlan "money or matches" ["m"] "the plan of money sessions, or again of matches to a length" "" always;
        Rating "rating" ["r"] "your rating, match by match" "rating" can_study;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "close" ["esc" "q"] "close the window; the library comes back where it was opened from there" "close" always;
    }
    Rating "" {
        Down "down" ["j" "down" "space"] "next row" "" always;
        Up "up" ["k" "up"] "row before" "rows" always;
        PageDown "page down" ["pgdn"] "ten rows down" "" always;
        PageUp "page up" ["pgup"] "ten rows up" "" always;
        First "first" ["home" "g g"] "first row" "" always;
        Last "last" ["end" "G"] "last row" "" always;
        Accept "open" ["enter"] "in the list of matches: open the match" "open" lists_matches;
        Complete "other list" ["tab"] "the matches, or where equity is lost: by class of decision and kind of position" "list" always;
        OpponentRating "opponent" ["o"] "in the list of matches: the rating of the opponent in the selected one" "opponent" lists_matches;
        Rating "mine" ["m"] "your own rating again" "mine" can_study;
        Help "help" ["?"] "the keys that work here" "keys" always;
        Close "close" ["esc" "q"] "close the window; the one it was opened from comes back" "close" always;
    }
    Prompt "" {
        Down "down" ["down"] "next row" "" lists;
        Up "up" ["up"] "row before" "rows" lists;
        Complete "complete" ["tab"] "complete the path that is typed" "complete" completes;
        Accept "accept" ["enter"] "run or open it" "choose" always;
        Close "close" ["esc"] "close the window" "close" always;
    }
    Note "" {
        Accept "keep" ["enter"] "keep the note; an empty one is removed" "keep" always;
        Up "up" ["up"] "to the line above" "lines" always;
        Down "down" ["down"] "to the line below" "" always;
        Close "cancel" ["esc"] "close without changing anything" "cancel" always;
    }
    Everywhere "" {
        Redraw "redraw" ["ctrl-l"] "draw the whole screen again" "" always;
        Suspend "suspend" ["ctrl-z"] "stop the program; fg brings it back" "" always;
        QuitNow "quit now" ["ctrl-c"] "quit" "" always;
    }
}

/// The row of `id` in `scope`.
#[must_use]
pub fn find(id: ActionId, scope: KeyScope) -> Option<&'static ActionEntry> {
    ACTIONS.iter().find(|a| a.id == id && a.scope.covers(scope))
}

/// The key chapter of the manual, as Markdown.
#[must_use]
pub fn manual() -> String {
    let mut out = String::new();
    for scope in KeyScope::ALL {
        let rows: Vec<&ActionEntry> = ACTIONS.iter().filter(|a| a.scope == scope).collect();
        out.push_str(&format!("### {}\n\n", scope.title()));
        for rows in rows.chunk_by(|a, b| a.group == b.group) {
            if !rows[0].group.is_empty() {
                out.push_str(&format!("#### {}\n\n", rows[0].group));
            }
            out.push_str("| keys | action | |\n|---|---|---|\n");
            rows.iter()
                .for_each(|action| out.push_str(&manual_row(action)));
            out.push('\n');
        }
    }
    out
}

/// A row of the key chapter.
fn manual_row(action: &ActionEntry) -> String {
    let keys: Vec<String> = action
        .keys
        .iter()
        .map(|k| format!("`{}`", super::keys::pretty(k)))
        .collect();
    let keys = if keys.is_empty() {
        "—".to_owned()
    } else {
        keys.join(" ")
    };
    format!("| {} | {} | {} |\n", keys, action.name, action.about)
}
