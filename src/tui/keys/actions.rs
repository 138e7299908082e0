//! Everything a user can do: one table.
//!
//! Dispatch, the bottom line, the `?` window, the `:` palette and the key chapter of
//! `docs/reference/keys-and-legend.md` all come from [`ACTIONS`], so none of them can disagree. An action that
//! cannot be done at the moment says why.

use std::fmt::Write as _;

use super::key;
use super::scope::KeyScope;

/// What a row of the table says of an action, but for `if` and what it does.
#[derive(Debug)]
pub struct ActionEntry {
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
    /// Other words by which the palette finds it.
    words: &'static str,
}

/// Hands the table to the macro `$reader`. A row has in this order: identifier, name, keys, one line about it,
/// word for the bottom line, `also` with other words by which the palette finds it, `if` with a function of
/// `figures::conditions`, and what it does on the screen of the match: `=>` with a function of [`App`], or `by` with one
/// that is given the identifier too. A row without either means what its window says, or else what it means on the
/// screen. The functions are names in the file of the reader.
///
/// [`App`]: crate::tui::state::App
macro_rules! actions {
    ($reader:ident) => { $reader! {
        Match "walk" {
            NextTurn "next turn" ["l" "right"] "go to the next turn" "" also "forward move" if has_next => |app| walk::go(app, app.at + 1);
            PreviousTurn "previous turn" ["h" "left"] "go to the turn before" "turns" also "backward move" if has_previous => |app| walk::go(app, app.at.saturating_sub(1));
            NextGame "next game" ["L" "pgdn"] "go to the next game" "" also "forward move" if has_games => |app| walk::game(app, true);
            PreviousGame "previous game" ["H" "pgup"] "go to the start of the game, then to the game before" "" also "backward move" if has_games => |app| walk::game(app, false);
            NextError "next error" ["n"] "go to the next error at the threshold" "next error" also "blunder mistake wrong bad search jump" if has_errors => |app| walk::error(app, true);
            PreviousError "previous error" ["N"] "go to the error before" "" also "blunder mistake wrong bad search jump" if has_errors => |app| walk::error(app, false);
            GoTo "go to move" [] "the move whose number is typed after the colon: 6.11 is move 11 of game 6, and 11 that of the game in view" "" also "number jump game turn goto" if has_games by windows::open;
            Errors "errors" ["E"] "the errors, most expensive first, with the course of the match and both players' figures; Enter opens one" "" also "blunders mistakes list totals summary statistics rating pr luck lucky unlucky dice graph performance played won lost skill worst" if shows_errors by windows::open;
            Down "down" ["j" "down"] "next row: the board shows that play" "" also "play candidate select scroll row" if has_rows by in_pane;
            Up "up" ["k" "up"] "row before" "plays" also "play candidate select scroll row" if has_rows by in_pane;
            First "first" ["home" "g g"] "first row" "" also "play candidate select scroll row" if has_rows by in_pane;
            Last "last" ["end" "G"] "last row" "" also "play candidate select scroll row" if has_rows by in_pane;
            Before "before the roll" ["b"] "look at the cube decision before this roll, or at the roll again; r rolls it out" "cube" also "cube double redouble doubling missed decision should right" if has_cube => walk::before;
            Look "look" ["enter"] "show the selected play on the board, or the position before it; in a variation: make it" "" also "show board preview position after" if can_look => look;
            FocusNext "next pane" ["tab"] "move to the next pane" "" also "focus switch moves candidates" => other_pane;
            FocusPrevious "previous pane" ["backtab"] "move to the previous pane" "" also "focus switch moves candidates" => other_pane;
            Back "back" ["esc"] "one step back: the position before the play, and from a variation to the match" "back" also "escape undo leave" => step_back;
        }
        Match "roll out" {
            RollOut "roll out" ["r"] "roll out the marked plays (none marked: the best, the one made and those close to the best), or without dice the position; again: continue" "roll out" also "rollout simulate trials start sure certain precise" if can_roll => plays::roll_out;
            Compare "compare" ["c"] "compare the marked plays (two or more), or else the selected one with the best, on coupled dice (the rollout settings say how); again: continue" "compare" also "pair family difference versus two plays coupling matched ranks koca pilot better" if has_choice => plays::compare;
            CompareRanks "compare by ranks" ["g c"] "compare by matched ranks: as compare does, whatever the rollout settings say of the dice" "" also "versus difference pair paired koca matched ranks rollout" if has_choice => plays::compare_by_ranks;
            Mark "mark" ["space"] "mark the play for the next rollout, or unmark it" "mark" also "select choose" if has_plays => plays::mark;
        }
        Match "ask" {
            Why "why" ["Y"] "why a play is better: chances, points and the opponent's next roll, of the two marked plays, or of the selected one and the best; without dice all about the cube decision" "why" also "explain reason take point takepoint doubling window market losers volatility vig recube gammon value too good better map replies rolls split book opening shots blots epc effective pips counts waste wastage bearoff bear-off bearing race cubeless opponent temperature map" if has_question => |app| inquire::why(app, plays::pair(app));
            Rolls "all rolls" ["g d"] "all 21 rolls of this position: the best play of each, what it is worth and how lucky the roll is; with dice in view those that could have come" "" also "dice distribution temperature map all rolls 21 luck lucky next roll best play each" if shows_answers => inquire::rolls;
            Matrix "other scores" ["M"] "the best play or cube action at other scores and cubes, and what the selected play, else an error that was made, else the best costs there" "scores" also "matrix score dmp gammon-go gammon-save gammon go save money away cube match table" if has_decision => inquire::matrix;
            BiasCheck "bias check" ["R b"] "what deeper play would change of the rollout in view: the decisions of some of its games looked at one ply deeper, with an interval" "" also "trust deeper quality systematic play strength ply" if has_rollout => inquire::bias;
            Deeper "deeper" ["+" "="] "analyse one ply deeper; after 3 plies roll out what is close, at the levels rolled and thorough" "" also "ply plies depth level analyse analyze analysis lookahead more rolled thorough roller" if can_deepen => levels::deepen;
            Shallower "shallower" ["-"] "analyse one ply less deep" "" also "ply plies depth level analyse analyze analysis lookahead more rolled thorough roller" if can_lessen => |app| levels::look_ahead(app, app.settings.ply.saturating_sub(1));
            Imported "analysis of the file" ["I I"] "all that the file says of this decision: XG's or gnubg's plays or cube, with their level, beside those of Luckless" "" also "xg gnubg extreme gammon candidates level imported other" if has_imported by windows::open;
            SecondOpinion "second opinion" ["I g"] "what GNU Backgammon says of these plays, where it runs as an external player (the setting gnubg has its address); again: hide it" "" also "gnubg gnu backgammon ask engine external other program" if compares_plays => second_opinion::ask;
            Verify "verify the file" ["I v"] "is XG right? what the file's program says of this match, what Luckless says, and rollouts where the two differ, within the time set for B" "" also "xg gnubg right wrong opinions judge check confirm overturn" if has_opinions by windows::open;
            Statistics "statistics" ["g s"] "both players side by side: ratings, errors of each class, luck, kinds of position, and game by game" "" also "stats summary rating pr luck adjusted result checker cube doubling taking game table compare players" if reports by windows::open;
            EquityTable "match equity table" ["g m"] "the match equity table in use, at the present score or any other: what each cube means there, take points and gammon values of both players" "" also "met mets kazaross rockwell woolsey crawford post-crawford trailer leader away needed dead live take point gammon value" => equity_table::open;
        }
        Match "rollouts" {
            Pause "pause" ["p"] "pause the rollout, or continue it" "pause" also "resume continue hold rollout" if is_rolling => pause;
            Stop "stop" ["x"] "stop the rollout and keep its result" "stop" also "cancel abort end rollout" if is_rolling => stop;
            Freeze "freeze" ["R f"] "hold the figures still while the rollouts continue" "" also "hold still" if has_jobs => freeze;
            OtherRollout "other rollout" ["R o"] "another rollout of this decision in the panes: of other plays, or a comparison; again: the next one" "" also "older earlier switch pair comparison chart table" if has_other_rollout => rollouts::show_other;
            RollMatch "roll out the match" ["B"] "roll out the closest decisions of the match, until the time is up; again: stop" "roll out match" also "rollout whole all counter budget time background" if can_roll_match => roll_match;
            RolloutSettings "rollout settings" ["R R"] "trials, seed, plies, cube, truncation, variance reduction, first rolls, dice of compared plays" "" also "options preferences cubeless truncate variance reduction trials number seed horizon" by windows::open;
            KeptRollouts "rollouts" ["R l"] "the rollouts that run or wait, and those that are kept, of whatever position, the last saved first; Enter goes to the decision or opens the position" "" also "kept history list saved earlier positions analyses analysed before queue queued" if shows_answers => kept_list::open;
        }
        Match "try" {
            Vary "what if" ["v"] "make the selected play: in a variation, or in a game that you play; without one go into the variations of this turn, or where there are none take the best play" "what if" also "variation branch try another move tree explore play" if can_make by lines::act;
            TypePlay "type a play" ["g v"] "type a play: it is selected; in a variation or a game that you play it is made" "" also "answer move" if has_plays by windows::open;
            Dice "dice" ["d"] "set the dice: of a position that stands alone, else for a variation; an empty line takes them off" "dice" also "roll set change" if can_set_dice by windows::open;
            RollDice "random dice" ["s"] "roll the dice: at random for a variation, those that come in a game that you play" "roll" also "roll dice shake variation" if can_roll_dice by lines::act;
            NextRoll "next roll" [">"] "the next of the 21 rolls, for a variation" "" also "dice variation 21" if can_roll_dice by lines::act;
            PreviousRoll "roll before" ["<"] "the roll before it, for a variation" "" also "dice variation 21" if can_roll_dice by lines::act;
            Double "double" ["D"] "double or redouble, in a variation or a game that you play" "double" also "cube redouble variation" if can_double by lines::act;
            Take "take" ["A"] "take the double, in a variation or a game that you play" "take" also "cube accept drop reject variation" if can_answer by lines::act;
            Pass "pass" ["X"] "pass the double, in a variation or a game that you play" "pass" also "cube accept drop reject variation" if can_answer by lines::act;
            Beaver "beaver" ["K"] "take, redouble at once and keep the cube, in a variation or a game that you play" "beaver" also "cube redouble variation" if can_beaver by lines::act;
            Program "program" ["."] "the program plays this turn at the present plies, and rolls where there are no dice" "program" also "computer bot best move variation" if can_vary by lines::act;
            Opponent "against the program" ["S"] "in a variation: the program answers each turn of yours; again: stop; in games by hand: you play both sides, or one; in a match against the program: turn the tutor on or off" "" also "computer bot play answer opponent variation" if is_varying by lines::act;
            NextBranch "next branch" ["}"] "in a variation: what else was tried at this turn" "" also "sibling variation tree other" if is_varying by lines::act;
            PreviousBranch "branch before" ["{"] "in a variation: what was tried before that" "" also "sibling variation tree other" if is_varying by lines::act;
            RemoveBranch "remove branch" ["delete" "backspace"] "in a variation: remove what was done at this turn, and all after it; in a match against the program or a transcript: take back the last decision, or that of the turn in view" "" also "undo take back takeback delete variation prune play" if is_varying by lines::act;
            RestoreBranch "restore branch" ["U"] "in a variation, a match against the program or a transcript: bring back what was removed last; again: what was removed before that; in the match: the note that was removed here" "" also "redo variation bring back undo restore removed note" if has_removed => restore_branch;
            ByHand "by hand" ["g h"] "a rollout by hand: you play the games that follow the selected play, the program rolls, plays the other side and takes the luck out" "" also "interactive rollout manual play games out myself against the program" if can_play_by_hand => by_hand::begin;
            PlayOn "play" ["g p"] "go on with the match against the program that is in view; else begin one: asks for its length, the PR of the program, and the tutor" "" also "game bot computer opponent tutor play a match against the program resume new" if can_play_on => play_on;
            Transcribe "transcribe" ["g w"] "write a match down as it is played, line by line: go on with the .mat file in view, or correct the game in view; elsewhere begin one: asks for its length and the names" "" also "record write down enter type in match live video correct mistake resume new" if can_transcribe => transcribe;
            Resign "resign" ["g x"] "in a match against the program: give the game up, for as few points as the program takes; in a transcript: the player on roll resigns" "" also "give up concede surrender" if can_resign => resign;
            Edit "edit position" ["e"] "change the position in view: checkers, dice, cube, score" "" also "editor setup jacoby money set up put change checkers cube score beavers rules" => |app| editor::open(app, false);
            EmptyBoard "new position" [] "put a position together on an empty board" "" also "editor setup empty blank board" => |app| editor::open(app, true);
        }
        Match "study" {
            Note "note" ["a"] "write a note beside this move or about this position, or change it" "note" also "bookmark flag doubt remember comment annotate write edit" if has_place by windows::open;
            Quiz "quiz of this match" ["z z"] "a quiz: the errors of this match that the filter lets through, with decisions among them that were right; of a list its positions" "" also "study learn train test errors flashcards practice drill" if can_quiz => quiz_match::begin;
            QuizDue "quiz of what is due" ["z d"] "a quiz of the decisions that are due today" "quiz" also "study learn train repeat review spaced repetition flashcards" if has_due => quiz_request::of_due;
            QuizLibrary "quiz of the library" ["z l"] "a quiz of your errors in all matches of the library: those due, and the most expensive that were never asked" "" also "study learn train all matches errors practice" if can_study => quiz_request::of_library;
            QuizAgain "back to the questions" ["z q"] "goes on with the quiz that was left for the match of a question" "" also "study resume continue return" if has_quiz_aside => quiz_match::resume;
            StudyPlan "study plan" ["z p"] "what to work on: where you lose more than a reference player, habits, trend, luck, and the record against each opponent" "" also "profile learn train weaknesses weak work improve families habits trend rating luck opponents record" if can_study => plan::open;
            Rating "your rating" ["z r"] "your PR match by match, with its course, by class of decision and kind of position, and by month, event, opponent and length; your missed doubles and other cube errors" "" also "performance progress improve history chart course trend time player profile statistics stats by opponents months years lengths missed early too good wrong doubles takes passes cube errors" if can_study => rating::open;
            Library "library" ["/"] "every match you have, and all errors across matches, filtered as you type" "library" also "matches database collection search find filter history all errors" => library::open_as_left;
            AddToLibrary "add to library" ["z a"] "take the match in view into the library; one that was removed comes back" "" also "library add keep import match file collection database" if can_add_to_library => folder::add_in_view;
            Similar "positions like this" ["*"] "decisions of the library whose position is like the one in view" "" also "similar like find search library same kind nearest" => library::open_similar;
        }
        Match "show" {
            Columns "columns" ["i" "V i"] "other columns: equities or chances" "" also "chances probabilities winning gammons wins percent" if has_plays => |app| app.options.chances ^= true;
            Order "order" ["V o"] "the plays by equity, with the depth of each in a column, or by depth again" "" also "sort sorted view depth ply equity" if has_plays => appearance::change_order;
            Units "units" ["u" "V u"] "other units: points on the present cube (EMG), or the chance to win the match (MWC); for money, points times the cube" "" also "equity emg mwc match winning percent chance points" => plays::change_units;
            Threshold "threshold" ["t"] "what counts as an error: doubtful, error, blunder" "" also "filter size blunder mistake" by filters::change;
            Whose "whose" ["w"] "whose errors: both players', or one player's only" "" also "filter player side only errors" by filters::change;
            Class "class" ["C"] "which errors: all, checker plays, cube decisions, doubling, taking" "" also "filter cube doubles takes checker only errors" by filters::change;
            Flip "flip" ["V f"] "turn the board round, to the other player's side" "" also "rotate swap sides reverse other side opponent turn board" => |app| app.options.flipped ^= true;
            Mirror "mirror" ["V m"] "bear off on the other side" "" also "direction swap left right" => |app| app.options.mirrored ^= true;
            Pips "pips" ["V p"] "pip counts on or off" "" also "race count" => |app| app.options.pips ^= true;
            BothPlays "both plays" ["V b"] "lines on the board for the best play and the one that was made, or the selected one; again: no longer" "" also "best move made arrows lines trace compare board" if compares_plays => |app| app.options.both_plays ^= true;
            Hide "answers" [";"] "hide all answers while you walk through the match, or show them" "" also "hide hint hints solution spoiler show guess" => appearance::hide;
            Zoom "zoom" ["Z"] "one pane alone on the screen: the board, then the others, then all again" "" also "fullscreen full screen maximize enlarge single pane" => appearance::zoom;
            Larger "larger" [")"] "a larger board, or a wider list of moves while that has the keyboard" "" also "resize size width bigger wider divider board moves" => |app| appearance::resize(app, true);
            Smaller "smaller" ["("] "a smaller board, or a narrower list of moves" "" also "resize size width narrower divider board moves" => |app| appearance::resize(app, false);
            NextTheme "next theme" [] "next theme" "" also "colour color switch" => appearance::next_theme;
            Themes "themes" ["V t"] "the list of themes: the selected one is seen at once, Enter keeps it" "" also "colours colors theme list appearance dark light mode wood contrast blind preview look" by windows::open;
            Legend "legend" [] "what the symbols on the screen mean" "" also "legend symbols signs icons marks mean help glossary" by windows::open;
            Figures "figures in words" [] "the figures in view as sentences: equity, interval, chances, pips, score" "" also "explain mean meaning sure certain confidence interval help columns equity numbers words glossary dictionary" by windows::open;
        }
        Match "files" {
            Open "open" ["o"] "open a file, a folder (into the library) or a position" "open" also "import load folder directory file match paste position" by windows::open;
            OpenNew "open new match" ["O"] "open the match that was saved last in the watched folder" "open new match" also "load watch" if has_arrived => document::open_new;
            NextFile "next file" ["]"] "open the next of the files given or opened, or the next position of a list" "" also "document switch match back" if has_files => |app| document::beside(app, 1);
            PreviousFile "previous file" ["["] "open the file or the position before" "" also "document switch match back" if has_files => |app| document::beside(app, app.sources.len().max(1) - 1);
            CopyXgid "copy XGID" ["y x"] "copy the position as an XGID" "" also "export clipboard yank position" by plays::copy;
            CopyGnubg "copy GNUBG ID" ["y g"] "copy the position as a GNUBG ID" "" also "export clipboard yank position" by plays::copy;
            CopyOgid "copy OGID" ["y o"] "copy the position as an OGID, the identifier of OpenGammon" "" also "export clipboard yank position" by plays::copy;
            CopyTable "copy analysis" ["y a"] "copy the candidate plays as text, with the comparison in view; without dice the cube decision" "" also "export clipboard yank text candidates" if has_analysis by plays::copy;
            CopyXgText "copy for a forum" ["y t"] "copy board and analysis as the text that XG writes for forums" "" also "export clipboard yank text share xg gnubg board forum chat discord anki" if shows_answers by plays::copy;
            Export "write match" ["y s"] "write the match: .sgf and .json hold its variations, .mat is read by XG and most programs, .txt by people" "" also "save write export match sgf mat text json variations file" if can_write by windows::open;
            Picture "write picture" ["y p"] "write the position as a picture, SVG or PNG; the selected play is shown by arrows" "" also "save write share image diagram screenshot board svg png" by windows::open;
            AddToList "add to list" ["y l"] "add the position to a list of positions, with your note; a list is opened and asked like a match" "" also "collect collection save position set bookmark favourite lesson" if has_place by windows::open;
            Card "write card" ["y h"] "write the position with its analysis as a card of HTML, which needs nothing else" "" also "save write share html page card analysis board position" if shows_answers by windows::open;
            MatchReport "write report" ["y r"] "write the review of the match as a page of HTML: ratings, worst decisions, all moves" "" also "print save write share html pdf page report match review markdown worksheet" if reports by windows::open;
            AnkiCards "write Anki cards" ["y k"] "write a package for Anki: the errors that t, w and C let through and what you wrote beside, or all positions of a list" "" also "apkg export flashcards study learn deck memorise worksheet lesson" if shows_answers by windows::open;
            Warnings "warnings" ["W"] "what was wrong: with the file, the analysis, what is not saved" "" also "problems file mistakes" if has_warnings by windows::open;
        }
        Match "program" {
            Settings "settings" [","] "every setting, with its default and a sentence; Enter keeps them in the settings file" "" also "options preferences defaults configuration mouse animation marks characters font glyphs thresholds ascii review depth plies analysis level" by windows::open;
            SaveSettings "save settings" [] "write theme, plies and rollout settings to the settings file" "" also "store keep configuration preferences" => |app| app.effects.push(Effect::SaveSettings);
            Help "help" ["?" ":" "f1"] "the keys that work here, and every command: type a part of its name, its key, or what it is for" "keys" also "keys shortcuts keyboard manual commands palette" by windows::open;
            Tips "tips" [] "tips for beginners, one at a time above the bottom line; Esc ends them" "" also "hints beginner introduction tutorial first start begin learn" => |app| app.tips = Some(Tips::default());
            Quit "quit" ["q"] "quit" "quit" also "exit leave close" => quit;
        }
        List "" {
            Down "down" ["j" "down" "space"] "down" "";
            Up "up" ["k" "up"] "up" "rows";
            PageDown "page down" ["pgdn"] "ten rows down" "";
            PageUp "page up" ["pgup"] "ten rows up" "";
            First "first" ["home" "g g"] "to the top" "";
            Last "last" ["end" "G"] "to the end" "";
            Accept "choose" ["enter"] "run the action, or go to the place" "choose";
            Complete "other page" ["tab"] "in help: the legend, or the keys again" "other page" if helps;
            Help "help" ["?" "f1"] "the keys that work here; in help itself: close it" "keys";
            Close "close" ["esc" "q" "W"] "close the window" "close";
        }
        Errors "" {
            Down "down" ["j" "down" "space"] "the next by cost" "";
            Up "up" ["k" "up"] "the one before by cost" "";
            Accept "choose" ["enter"] "go to the place" "go";
            PageDown "page down" ["pgdn"] "ten rows down" "";
            PageUp "page up" ["pgup"] "ten rows up" "";
            First "first" ["home" "g g"] "the most expensive" "";
            Last "last" ["end" "G"] "the cheapest" "";
            Threshold "size" ["t"] "how large: doubtful, error, blunder" "size";
            Whose "player" ["w"] "whose: both players', or one player's only" "player";
            Class "class" ["c"] "which: all, checker plays, cube decisions, doubling, taking" "class";
            Units "units" ["u"] "what errors cost, and their order: in points (EMG), or in chances to win the match (MWC); for money, points times the cube" "";
            RollOut "roll out" ["r"] "roll out the errors listed, the most expensive first; again: stop" "roll out" if can_roll_match;
            More "later" ["l" "right"] "the next in the match" "along";
            Less "earlier" ["h" "left"] "the one before in the match" "";
            CopyTable "copy" ["y a"] "copy the list as text: move, player, what was played, what was best, and the cost" "";
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q" "E"] "close the window" "close";
        }
        Statistics "" {
            Down "down" ["j" "down" "space"] "a line down" "";
            Up "up" ["k" "up"] "a line up" "lines";
            PageDown "page down" ["pgdn"] "ten lines down" "";
            PageUp "page up" ["pgup"] "ten lines up" "";
            First "first" ["home" "g g"] "to the top" "";
            Last "last" ["end" "G"] "to the end" "";
            CopyTable "copy" ["y a"] "copy the statistics as text, as luckless review prints them" "copy";
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q"] "close the window" "close";
        }
        Rollouts "" {
            Down "down" ["j" "down" "space"] "next row" "";
            Up "up" ["k" "up"] "row before" "rows";
            PageDown "page down" ["pgdn"] "ten rows down" "";
            PageUp "page up" ["pgup"] "ten rows up" "";
            First "first" ["home" "g g"] "first row" "";
            Last "last" ["end" "G"] "last row" "";
            Accept "open" ["enter"] "go to the decision of the rollout; where it is not in the match in view, open its position" "open";
            Stop "stop" ["x"] "stop the selected rollout and keep its result, or take it out of the queue" "stop" if is_under_way;
            RunNext "run next" ["f"] "the selected rollout comes next, before the others that wait" "next" if is_waiting;
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q"] "close the window; the rollouts go on" "close";
        }
        Form "" {
            Down "down" ["j" "down" "tab"] "next field" "";
            Up "up" ["k" "up" "backtab"] "field before" "fields";
            First "first" ["home" "g g"] "the first field" "";
            Last "last" ["end" "G"] "the last field" "";
            Accept "accept" ["enter"] "take these settings over" "accept";
            Less "less" ["h" "left"] "less" "";
            More "more" ["l" "right" "space"] "more" "change";
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "cancel" ["esc" "q"] "close without changing anything" "cancel";
        }
        Why "" {
            Down "next roll" ["j" "down" "l" "right" "space"] "the next roll" "";
            Up "roll before" ["k" "up" "h" "left"] "the roll before" "rolls";
            First "first" ["home" "g g"] "the first roll: 1-1, or of all rolls the best" "";
            Last "last" ["end" "G"] "the last roll: 6-6, or of all rolls the worst" "";
            CopyTable "copy" ["y a"] "copy all of it as text, as luckless why or eval --rolls prints it" "";
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q" "Y"] "close the window" "close";
        }
        Matrix "" {
            Down "down" ["j" "down"] "a point more away" "";
            Up "up" ["k" "up"] "a point less away; from the first row to the scores with names" "rows";
            More "right" ["l" "right"] "the other player a point more away" "columns";
            Less "left" ["h" "left"] "the other player a point less away" "";
            Complete "cube" ["tab" "c"] "cube centred, own or theirs" "cube";
            BothPlays "made or best" ["m"] "show what the play or action that was made costs at each score; again: what the best one costs" "made" if has_made;
            RollOut "roll out" ["r"] "roll this score out: the best plays there and the one whose cost is shown, or the cube decision; again: continue" "roll out";
            CopyTable "copy" ["y a"] "copy the scores as text, as luckless matrix prints them" "";
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q" "M"] "close the window" "close";
        }
        EquityTable "" {
            Down "down" ["j" "down"] "a point more for the player at the bottom" "";
            Up "up" ["k" "up"] "a point less for the player at the bottom" "rows";
            More "right" ["l" "right"] "a point more for the other player" "columns";
            Less "left" ["h" "left"] "a point less for the other player" "";
            PageDown "page down" ["pgdn"] "ten points more for the player at the bottom" "";
            PageUp "page up" ["pgup"] "ten points less for the player at the bottom" "";
            Crawford "Crawford" ["c"] "scores of one point: those of the Crawford game, or those after it" "Crawford or after" if has_crawford_game;
            First "present score" ["s" "home"] "back to the score of the match" "present score" if has_score;
            CopyTable "copy" ["y a"] "copy the selected score and the table as text, as luckless met prints them" "";
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q"] "close the window" "close";
        }
        Editor "" {
            Less "left" ["h" "left"] "a point to the left" "" also "cursor point bar";
            More "right" ["l" "right"] "a point to the right" "points" also "cursor point bar";
            Up "up" ["k" "up"] "to the upper half" "";
            Down "down" ["j" "down"] "to the lower half" "";
            Count "count" ["0" "1" "2" "3" "4" "5" "6" "7" "8" "9"] "that many checkers here" "checkers" also "place put checkers number";
            AddChecker "add" ["space" "+"] "one checker more of the colour in hand, or one less of the other's" "" also "place put checkers number";
            TakeChecker "take away" ["-" "backspace"] "one checker less" "" also "remove delete checker";
            Unwanted "none here" ["n"] "for finding positions: no checkers here, none of one colour, anything" "" also "pattern structure empty gap no checkers search";
            FindDrawn "find" ["/"] "positions of the library with at least these checkers, and none where none are wanted" "find" also "search pattern structure library positions draw";
            Colour "other colour" ["tab"] "place checkers of the other colour" "colour" also "color side black white hand";
            OnRoll "on roll" ["t"] "the other player is on roll" "" also "turn whose player";
            Dice "dice" ["d"] "set the dice, or take them off" "";
            Score "score" ["s"] "set score and length, or money play" "" also "match length points money away" by windows::open;
            CubeValue "cube" ["c"] "turn the cube: 2, 4, … 64, 1" "" also "double doubling value owns";
            CubeOwner "cube owner" ["O"] "whose cube: of the player on roll, the other one, nobody" "" also "double doubling value owns";
            Offer "double on offer" ["D"] "the player on roll doubles and the other one answers, or not" "" also "take pass answer";
            Crawford "Crawford" ["C"] "the Crawford game, or not" "" also "rule rules money";
            Jacoby "Jacoby" ["J"] "money play with the Jacoby rule, or without" "" also "rule rules money";
            Beavers "beavers" ["B"] "money play with beavers, or without" "" also "rule rules money";
            Clear "clear" ["x"] "take all checkers and the dice off the board" "" also "empty remove all checkers";
            Opening "opening" ["i"] "the checkers as a game begins" "" also "start initial checkers";
            SwapSides "swap sides" ["X"] "each player gets what the other has" "" also "exchange colours reverse";
            Undo "undo" ["u"] "take the last change back" "undo" also "back revert" if has_changes;
            Redo "redo" ["ctrl-r" "U"] "make it again, or take up the draft that was left before" "" also "again forward" if has_undone;
            Flip "flip" ["f"] "turn the board round" "";
            Mirror "mirror" ["m"] "bear off on the other side" "";
            CopyXgid "copy XGID" ["y x"] "copy the position as an XGID" "";
            CopyGnubg "copy GNUBG ID" ["y g"] "copy the position as a GNUBG ID" "";
            CopyOgid "copy OGID" ["y o"] "copy the position as an OGID, the identifier of OpenGammon" "";
            Open "open" ["o"] "type a position in any form, or open a file" "";
            Accept "accept" ["enter"] "open the position" "open" also "done ready finish enter";
            Help "help" ["?" ":" "f1"] "the keys that work here" "keys";
            Close "leave" ["esc" "q"] "back to what was open; e and redo take the draft up again" "leave" also "quit back cancel";
        }
        Quiz "" {
            Up "up" ["k" "up"] "choice before: the board shows the play" "choices" if has_question_open;
            Down "down" ["j" "down"] "next choice: the board shows the play" "" if has_question_open;
            Choice "answer" ["1" "2" "3" "4" "5" "6"] "answer with the choice of this number; after the answer how well you knew it: 1 again, 2 hard, 3 good, 4 easy" "answer" also "number" if is_asking;
            Accept "answer or go on" ["enter" "space"] "answer with the selected choice; after the answer the next question" "choose";
            More "point onward" ["l" "right"] "on the board: the next point that a checker can leave or come to; Enter takes it, and once one play fits, answers" "on the board" if types_play;
            Less "point back" ["h" "left"] "on the board: the point before" "" if types_play;
            Back "take back" ["backspace"] "on the board: the last point back" "" if types_play;
            NoDouble "no double" ["n"] "answer: no double" "" also "cube roll on" if is_cube_question;
            Double "double" ["d"] "answer: double" "" if is_cube_question;
            Take "take" ["t"] "answer: take" "" if is_cube_question;
            Pass "pass" ["p"] "answer: pass" "" if is_cube_question;
            Beaver "beaver" ["b"] "answer: beaver" "" if is_cube_question;
            TypePlay "type a play" ["i"] "answer with a play that is typed, also one that is not shown" "type a play" if types_play;
            Why "why" ["Y"] "after the answer: why the best is better" "why" if has_answer;
            QuizMatch "to the match" ["o"] "after the answer: the match at this decision; the quiz waits, and *back to the questions* goes on with it" "match" also "open game position source jump" if has_answer_given => quiz_match::visit;
            Skip "skip" ["s"] "another question; this one comes at the end" "skip" also "later next" if has_question_open;
            Undo "undo" ["u"] "take the last answer back, and ask again" "undo" if has_answers;
            Mirror "mirror" ["m"] "bear off on the other side" "";
            Pips "pips" ["P"] "pip counts on or off" "";
            Help "help" ["?" ":" "f1"] "the keys that work here" "keys";
            Close "leave" ["esc" "q"] "back to the match; all answers are kept" "leave";
        }
        Library "" {
            Down "down" ["down"] "next row" "";
            Up "up" ["up"] "row before" "rows";
            PageDown "page down" ["pgdn"] "ten rows down" "";
            PageUp "page up" ["pgup"] "ten rows up" "";
            Accept "open" ["enter"] "open the match, at the decision where the row is one" "open";
            Complete "other list" ["tab"] "matches, the errors of all matches, all decisions, positions like the one that was asked for" "list";
            QuizLibrary "quiz" ["ctrl-q"] "a quiz of what the filter finds: what is due, and the most expensive errors that were never asked" "quiz" if can_study;
            StudyPlan "study plan" ["ctrl-p"] "what to work on, by your matches that the filter finds" "plan" if can_study;
            Rating "rating" ["ctrl-r"] "the rating of the player named first in the row, in the matches that the filter finds" "rating" if can_study;
            Order "order" ["ctrl-o"] "matches by date, player, opponent, event, PR or result; errors by cost, by match-winning chance lost, or the newest match first" "order";
            Myself "this is me" ["ctrl-t"] "the player named first in the row is you, or is not" "me";
            RemoveMatch "remove" ["ctrl-x"] "remove the match from the library; its files stay" "remove";
            Help "help" ["f1"] "the keys that work here" "keys";
            Close "close" ["esc"] "close the window; it comes back as it was" "close";
        }
        Plan "" {
            Down "down" ["j" "down" "space"] "next row" "";
            Up "up" ["k" "up"] "row before" "rows";
            PageDown "page down" ["pgdn"] "ten rows down" "";
            PageUp "page up" ["pgup"] "ten rows up" "";
            First "first" ["home" "g g"] "first row" "";
            Last "last" ["end" "G"] "last row" "";
            Accept "quiz" ["enter"] "a quiz of the family, of the decisions of the habit, or of matches against the opponent" "quiz";
            Choice "position" ["1" "2" "3" "4" "5"] "open the match at this position, one of those that stand for the family" "position" if has_examples;
            Complete "in the library" ["tab"] "the errors of the row, or the matches against the opponent, in the library" "library";
            More "weaker reference" ["l" "right" "+"] "a reference player with a higher PR" "reference";
            Less "stronger reference" ["h" "left" "-"] "a reference player with a lower PR" "";
            MoneyPlan "money or matches" ["m"] "the plan of money sessions, or again of matches to a length" "";
            Rating "rating" ["r"] "your rating, match by match" "rating" if can_study;
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q"] "close the window; the library comes back where it was opened from there" "close";
        }
        Rating "" {
            Down "down" ["j" "down" "space"] "next row" "";
            Up "up" ["k" "up"] "row before" "rows";
            PageDown "page down" ["pgdn"] "ten rows down" "";
            PageUp "page up" ["pgup"] "ten rows up" "";
            First "first" ["home" "g g"] "first row" "";
            Last "last" ["end" "G"] "last row" "";
            Accept "open" ["enter"] "open the match; of a class or kind its errors, of a month, event, opponent or length its matches, in the library" "open";
            Complete "other list" ["tab"] "the matches; where equity is lost, by class of decision and kind of position; cube errors; the matches by month, event, opponent and length" "list";
            OpponentRating "opponent" ["o"] "in the list of matches: the rating of the opponent in the selected one" "opponent" if lists_matches;
            Rating "mine" ["m"] "your own rating again" "mine" if can_study;
            Help "help" ["?" "f1"] "the keys that work here" "keys";
            Close "close" ["esc" "q"] "close the window; the one it was opened from comes back" "close";
        }
        Prompt "" {
            Down "down" ["down"] "next row" "" if lists;
            Up "up" ["up"] "row before" "rows" if lists;
            PageDown "page down" ["pgdn"] "ten rows down" "" if lists;
            PageUp "page up" ["pgup"] "ten rows up" "" if lists;
            Complete "complete" ["tab"] "complete the path that is typed; in help: all keys, then the figures in view as sentences, then the legend" "complete" if completes;
            Accept "accept" ["enter"] "run or open it" "choose";
            Close "close" ["esc"] "close the window" "close";
        }
        Note "" {
            Accept "keep" ["enter"] "keep the note; an empty one is removed" "keep";
            Up "up" ["up"] "to the line above" "lines";
            Down "down" ["down"] "to the line below" "";
            Close "cancel" ["esc"] "close without changing anything" "cancel";
        }
        Everywhere "" {
            Redraw "redraw" ["ctrl-l"] "draw the whole screen again" "" also "refresh repaint" => |app| app.effects.push(Effect::Redraw);
            Suspend "suspend" ["ctrl-z"] "stop the program; fg brings it back" "" also "background shell" => |app| app.effects.push(Effect::Suspend);
            QuitNow "quit now" ["ctrl-c"] "quit" "" also "exit leave close" => leave_program;
        }
    } };
}
pub(crate) use actions;

macro_rules! table {
    ($($scope:ident $group:literal { $(
        $id:ident $name:literal [$($key:literal)*] $about:literal $hint:literal
        $(also $words:literal)? $(if $when:ident)? $(by $by:path)? $(=> $run:expr)?;
    )* })*) => {
        /// Which action.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ActionId {
            // What windows, the editor and the quiz do.
            PageDown, PageUp, Myself, RemoveMatch, MoneyPlan, RunNext, OpponentRating, Choice, Skip,
            Count, AddChecker, TakeChecker, Unwanted, FindDrawn, Colour, OnRoll, CubeValue,
            CubeOwner, Offer, Crawford, Jacoby, Beavers, Undo, Redo, Clear, Opening, SwapSides,
            NoDouble, Close, Accept, Less, More, Complete,
            // What the screen of the match does.
            $($($(#[doc = stringify!($by)] $id,)? $(#[doc = stringify!($run)] $id,)?)*)*
        }

        /// The table.
        pub const ACTIONS: &[ActionEntry] = &[$($(ActionEntry {
            id: ActionId::$id,
            name: $name,
            keys: &[$($key),*],
            scope: KeyScope::$scope,
            group: $group,
            about: $about,
            hint: $hint,
            words: concat!($($words)?),
        },)*)*];
    };
}
actions!(table);

/// Words by which the palette finds an action, besides its name and what is said about it.
pub(crate) fn synonyms(id: ActionId) -> &'static str {
    let mut all = ACTIONS.iter().filter(|a| a.id == id).map(|a| a.words);
    all.find(|words| !words.is_empty()).unwrap_or("")
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
