//! Words by which the palette finds an action, besides its name and what is said about it.

use super::action_id::ActionId;

/// What else a command may be called by those who do not know its name.
pub(crate) fn synonyms(id: ActionId) -> &'static str {
    match id {
        ActionId::NextTurn | ActionId::NextGame => "forward move",
        ActionId::PreviousTurn | ActionId::PreviousGame => "backward move",
        ActionId::GoTo => "number jump game turn goto",
        ActionId::NextError | ActionId::PreviousError => "blunder mistake wrong bad search jump",
        ActionId::Errors => {
            "blunders mistakes list totals summary statistics rating pr luck lucky unlucky dice graph performance played won lost skill worst"
        }
        ActionId::Down | ActionId::Up | ActionId::First | ActionId::Last => {
            "play candidate select scroll row"
        }
        ActionId::RollOut => "rollout simulate trials start sure certain precise",
        ActionId::Compare => {
            "pair family difference versus two plays coupling matched ranks koca pilot better"
        }
        ActionId::Why => {
            "explain reason take point takepoint doubling window market losers volatility vig recube gammon value too good better map replies rolls split book opening shots blots epc effective pips counts waste wastage bearoff bear-off bearing race cubeless opponent temperature map"
        }
        ActionId::Matrix => {
            "matrix score dmp gammon-go gammon-save gammon go save money away cube match table"
        }
        ActionId::Rolls => {
            "dice distribution temperature map all rolls 21 luck lucky next roll best play each"
        }
        ActionId::BiasCheck => "trust deeper quality systematic play strength ply",
        ActionId::Verify => "xg gnubg right wrong opinions judge check confirm overturn",
        ActionId::Mark => "select choose",
        ActionId::Pause => "resume continue hold rollout",
        ActionId::RollMatch => "rollout whole all counter budget time background",
        ActionId::Stop => "cancel abort end rollout",
        ActionId::Before => "cube double redouble doubling missed decision should right",
        ActionId::Settings => {
            "options preferences defaults configuration mouse animation marks characters font glyphs thresholds ascii review depth plies analysis level"
        }
        ActionId::RolloutSettings => {
            "options preferences cubeless truncate variance reduction trials number seed horizon"
        }
        ActionId::Freeze => "hold still",
        ActionId::OtherRollout => "older earlier switch pair comparison chart table",
        ActionId::Look => "show board preview position after",
        ActionId::Deeper | ActionId::Shallower => {
            "ply plies depth level analyse analyze analysis lookahead more rolled thorough roller"
        }
        ActionId::Columns => "chances probabilities winning gammons wins percent",
        ActionId::Order => "sort sorted view depth ply equity",
        ActionId::Imported => "xg gnubg extreme gammon candidates level imported other",
        ActionId::Units => "equity emg mwc match winning percent chance points",
        ActionId::Hide => "hide hint hints solution spoiler show guess",
        ActionId::Quiz => "study learn train test errors flashcards practice drill",
        ActionId::QuizDue => "study learn train repeat review spaced repetition flashcards",
        ActionId::QuizAgain => "study resume continue return",
        ActionId::QuizMatch => "open game position source jump",
        ActionId::QuizLibrary => "study learn train all matches errors practice",
        ActionId::KeptRollouts => {
            "kept history list saved earlier positions analyses analysed before queue queued"
        }
        ActionId::RunNext => "front queue priority order",
        ActionId::EquityTable => {
            "met mets kazaross rockwell woolsey crawford post-crawford trailer leader away needed dead live take point gammon value"
        }
        ActionId::Rating => {
            "performance progress improve history chart course trend time player profile statistics stats by opponents months years lengths missed early too good wrong doubles takes passes cube errors"
        }
        ActionId::OpponentRating => "pr other player",
        ActionId::MoneyPlan => "sessions points length",
        ActionId::StudyPlan => {
            "profile learn train weaknesses weak work improve families habits trend rating luck opponents record"
        }
        ActionId::Library => "matches database collection search find filter history all errors",
        ActionId::AddToLibrary => "library add keep import match file collection database",
        ActionId::Similar => "similar like find search library same kind nearest",
        ActionId::Myself => "me name player",
        ActionId::RemoveMatch => "delete match",
        ActionId::TypePlay => "answer move",
        ActionId::Choice => "number",
        ActionId::Skip => "later next",
        ActionId::Threshold => "filter size blunder mistake",
        ActionId::Whose => "filter player side only errors",
        ActionId::Class => "filter cube doubles takes checker only errors",
        ActionId::Note => "bookmark flag doubt remember comment annotate write edit",
        ActionId::Flip => "rotate swap sides reverse other side opponent turn board",
        ActionId::Mirror => "direction swap left right",
        ActionId::Pips => "race count",
        ActionId::BothPlays => "best move made arrows lines trace compare board",
        ActionId::Zoom => "fullscreen full screen maximize enlarge single pane",
        ActionId::Larger => "resize size width bigger wider divider board moves",
        ActionId::Smaller => "resize size width narrower divider board moves",
        ActionId::FocusNext | ActionId::FocusPrevious => "focus switch moves candidates",
        ActionId::CopyXgid | ActionId::CopyGnubg | ActionId::CopyOgid => {
            "export clipboard yank position"
        }
        ActionId::CopyXgText => {
            "export clipboard yank text share xg gnubg board forum chat discord anki"
        }
        ActionId::CopyTable => "export clipboard yank text candidates",
        ActionId::Dice => "roll set change",
        ActionId::Vary => "variation branch try another move tree explore play",
        ActionId::RollDice => "roll dice shake variation",
        ActionId::NextRoll | ActionId::PreviousRoll => "dice variation 21",
        ActionId::NoDouble => "cube roll on",
        ActionId::Double => "cube redouble variation",
        ActionId::Take | ActionId::Pass => "cube accept drop reject variation",
        ActionId::Beaver => "cube redouble variation",
        ActionId::Program => "computer bot best move variation",
        ActionId::Opponent => "computer bot play answer opponent variation",
        ActionId::Picture => "save write share image diagram screenshot board svg png",
        ActionId::AddToList => "collect collection save position set bookmark favourite lesson",
        ActionId::AnkiCards => "apkg export flashcards study learn deck memorise worksheet lesson",
        ActionId::MatchReport => {
            "print save write share html pdf page report match review markdown worksheet"
        }
        ActionId::Card => "save write share html page card analysis board position",
        ActionId::Export => "save write export match sgf mat text json variations file",
        ActionId::NextBranch | ActionId::PreviousBranch => "sibling variation tree other",
        ActionId::RemoveBranch => "undo take back takeback delete variation prune play",
        ActionId::SecondOpinion => "gnubg gnu backgammon ask engine external other program",
        ActionId::PlayOn => {
            "game bot computer opponent tutor play a match against the program resume new"
        }
        ActionId::Transcribe => {
            "record write down enter type in match live video correct mistake resume new"
        }
        ActionId::Resign => "give up concede surrender",
        ActionId::ByHand => "interactive rollout manual play games out myself against the program",
        ActionId::RestoreBranch => "redo variation bring back undo restore removed note",
        ActionId::Open => "import load folder directory file match paste position",
        ActionId::OpenNew => "load watch",
        ActionId::NextFile | ActionId::PreviousFile => "document switch match back",
        ActionId::Themes => {
            "colours colors theme list appearance dark light mode wood contrast blind preview look"
        }
        ActionId::NextTheme => "colour color switch",
        ActionId::Tips => "hints beginner introduction tutorial first start begin learn",
        ActionId::SaveSettings => "store keep configuration preferences",
        ActionId::Statistics => {
            "stats summary rating pr luck adjusted result checker cube doubling taking game table compare players"
        }
        ActionId::Warnings => "problems file mistakes",
        ActionId::Palette => "commands",
        ActionId::Help => "keys shortcuts keyboard manual commands",
        ActionId::Figures => {
            "explain mean meaning sure certain confidence interval help columns equity numbers words glossary dictionary"
        }
        ActionId::Legend => "legend symbols signs icons marks mean help glossary",
        ActionId::Back => "escape undo leave",
        ActionId::Quit | ActionId::QuitNow => "exit leave close",
        ActionId::Redraw => "refresh repaint",
        ActionId::Suspend => "background shell",
        ActionId::Edit => {
            "editor setup jacoby money set up put change checkers cube score beavers rules"
        }
        ActionId::EmptyBoard => "editor setup empty blank board",
        ActionId::Count | ActionId::AddChecker => "place put checkers number",
        ActionId::TakeChecker => "remove delete checker",
        ActionId::Unwanted => "pattern structure empty gap no checkers search",
        ActionId::FindDrawn => "search pattern structure library positions draw",
        ActionId::Colour => "color side black white hand",
        ActionId::OnRoll => "turn whose player",
        ActionId::CubeValue | ActionId::CubeOwner => "double doubling value owns",
        ActionId::Offer => "take pass answer",
        ActionId::Score => "match length points money away",
        ActionId::Crawford | ActionId::Jacoby | ActionId::Beavers => "rule rules money",
        ActionId::Undo => "back revert",
        ActionId::Redo => "again forward",
        ActionId::Clear => "empty remove all checkers",
        ActionId::Opening => "start initial checkers",
        ActionId::SwapSides => "exchange colours reverse",
        ActionId::Accept => "done ready finish enter",
        ActionId::Close => "quit back cancel",
        ActionId::Less | ActionId::More => "cursor point bar",
        // These listen in windows, where there is no palette.
        ActionId::PageDown | ActionId::PageUp | ActionId::Complete => "",
    }
}
