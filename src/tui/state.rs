//! What the workstation knows: plain data that `view` reads. `update` changes it, and the event loop what only it knows:
//! the time, and what an effect could not do.

mod confirmation;
mod display;
mod effect;
mod hand;
mod home;
mod in_view;
mod last_play;
mod openings;
mod played;
mod selection;
mod themes;
mod whole_match;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::board::cache::PictureCache;
use super::theme::{Depth, Theme};
use crate::cube::{Model, dahl::Settlement};
use crate::game::{Player, Position};
use crate::library::People;
use crate::match_file::{Analysis, DecisionState, EventPlace};
use crate::review::verification::Verified;
use crate::review::{Mark, MatchTurn, Thresholds, TurnReview};
use crate::rollout::CubeSettings;
use crate::store::settings::GlyphSet;
use crate::store::{self, UnsavedRecords};
pub use crate::tui::documents::document::{Document, OpenVariation};
use crate::tui::documents::places::LeftPlaces;
pub use crate::tui::documents::places::Openable;
use crate::tui::documents::played_match::{LastPlay, LeftMatch};
use crate::tui::documents::store_name::StoreName;
use crate::tui::documents::variation::DiceCup;
use crate::tui::keys::{Key, KeyMap, KeyScope};
use crate::tui::rollouts::generation::Generations;
use crate::tui::rollouts::inquiry::Inquiries;
use crate::tui::rollouts::jobs::{DecisionKey, JobId, Jobs};
use crate::tui::rollouts::ranking::Ranking;
use crate::tui::screen::layout::Areas;
use crate::tui::screen::motion::Motion;
use crate::tui::screen::targets::Dragged;
use crate::tui::windows::draft::Draft;
use crate::tui::windows::editor::Editor;
use crate::tui::windows::equity_table::TableScore;
use crate::tui::windows::exported::PendingExport;
use crate::tui::windows::library::{AwaitedMatch, LibraryPlace};
use crate::tui::windows::overlay::Overlay;
use crate::tui::windows::plan::PlanPlace;
use crate::tui::windows::quiz::{Quiz, Shelf};
use crate::tui::windows::rating::RatingPlace;
use crate::tui::windows::tips::Tips;
pub use confirmation::{Confirmation, Loss, PersonChoice};
pub use display::DisplayOptions;
pub use effect::Effect;
pub use openings::Openings;
pub use selection::{HeldList, Selection};
pub use whole_match::{MatchRolloutGoal, MatchRollouts};

/// Most characters of what is said in the bottom line.
const MOST_CHARS: usize = 300;
/// Most warnings of workers that are remembered.
pub(super) const MOST_WARNINGS: usize = 50;

/// Which pane has the keyboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Focus {
    /// The candidate plays.
    #[default]
    Candidates,
    /// The moves of the match.
    Moves,
}

/// A line for the user.
#[derive(Clone, Debug)]
pub struct StatusLine {
    /// What it says.
    pub text: String,
    /// Whether something is wrong.
    pub is_warning: bool,
    /// When it came.
    pub since: Instant,
}

/// The state of the workstation.
#[derive(Debug)]
pub struct App {
    /// What is open.
    pub document: Document,
    /// What the keys of the next and the previous file step through: what was given on the command line, what has been
    /// opened since, and each position of a list.
    pub sources: Vec<Openable>,
    /// Which of them is open, or is being opened.
    pub source: usize,
    /// Which of them is in view.
    pub shown: usize,
    /// What is being opened, or read again.
    pub openings: Openings,
    /// A match that was saved in the watched folder since, and not opened yet.
    pub arrived: Option<PathBuf>,
    /// The turn in view.
    pub at: usize,
    /// The turn in view as it was before its roll, while the reader looks at the cube decision there.
    pub before: Option<MatchTurn>,
    /// The variation in view, with the match it belongs to; [`App::document`] is its line then.
    pub variation: Option<Box<OpenVariation>>,
    /// A match against the program as it was left, and its file: it may be newer than what was read of that.
    pub left_match: Option<LeftMatch>,
    /// The match against the program that was played last.
    pub last_play: Option<LastPlay>,
    /// The file of a new match against the program, until it is in view.
    pub new_match: Option<PathBuf>,
    /// Numbers of what workers are asked about.
    pub generations: Generations,
    /// Dice for variations.
    pub dice_cup: DiceCup,
    /// Where files that were open before were left.
    pub left: LeftPlaces,
    /// Which pane has the keyboard.
    pub focus: Focus,
    /// The selected candidate.
    pub selection: Selection,
    /// The order of the candidates on screen.
    pub ranking: Ranking,
    /// Marked plays of each decision.
    pub marked: HashMap<DecisionKey, HashSet<Position>>,
    /// The rollouts.
    pub jobs: Jobs,
    /// What each of them that was asked for here is about.
    pub job_sources: HashMap<JobId, Openable>,
    /// Questions about decisions, and what was found.
    pub inquiries: Inquiries,
    /// Whether a question may be under way.
    pub is_inquiring: bool,
    /// The position editor, while it is open: what it edits is in view then.
    pub editor: Option<Editor>,
    /// The quiz, while it is open: its question is in view then.
    pub quiz: Option<Box<Quiz>>,
    /// A quiz that waits while the match of one of its questions is looked at.
    pub quiz_aside: Option<Box<Quiz>>,
    /// What the window of the library shows.
    pub library: LibraryPlace,
    /// Who the user is, as the library knows.
    pub people: People,
    /// The match that is being opened from a list.
    pub awaited: Option<AwaitedMatch>,
    /// What the window of the study plan shows.
    pub plan: PlanPlace,
    /// The window of a player's rating.
    pub rating: RatingPlace,
    /// What comes back in a quiz.
    pub study: Shelf,
    /// The draft that was left last.
    pub left_draft: Option<Draft>,
    /// Whether a figure has come that the next frame must show at once.
    pub is_awaited: bool,
    /// What the file's program says of the match, once that is verified.
    pub opinions: Option<Vec<Verified>>,
    /// What GNU Backgammon says of decisions that it was asked about.
    pub second: HashMap<DecisionKey, Analysis>,
    /// The rollouts of the whole match, while they are wanted.
    pub match_rollouts: Option<MatchRollouts>,
    /// How many runs of match rollouts there have been: the number of the newest.
    pub match_runs: u64,
    /// What cubeful values are made with.
    pub model: Arc<Model>,
    /// How things are shown.
    pub options: DisplayOptions,
    /// Name of the player that `whose` of the options was set to: another match may seat that player elsewhere.
    pub wanted_player: Option<String>,
    /// Which keys the actions have.
    pub keymap: KeyMap,
    /// A play that is seen being made.
    pub motion: Option<Motion>,
    /// The user's settings.
    pub settings: store::UserSettings,
    /// The themes there are, ready for this terminal.
    pub themes: Vec<Theme>,
    pub theme: usize,
    /// A theme that was asked for when the program was started, which counts for that time alone, and the one that is
    /// kept for the next, by name.
    pub theme_of_start: Option<[String; 2]>,
    /// The one that suits this terminal, by name: what no theme in the settings means.
    pub usual_theme: String,
    /// The characters that suit it: what `auto` in the settings means.
    pub usual_glyphs: GlyphSet,
    /// Colours of this terminal.
    pub depth: Depth,
    /// A window over the screen.
    pub overlay: Option<Overlay>,
    /// The files that are being written.
    pub unwritten: Vec<PendingExport>,
    /// The rollout that is on show in place of the newest, where its decision is in view.
    pub shown_rollout: Option<JobId>,
    /// The list that a position was added to last.
    pub position_list: Option<PathBuf>,
    /// Where the list of moves stood when a turn was clicked in it.
    pub held_list: Option<HeldList>,
    /// Keys of a sequence that is not complete.
    pub pending: Vec<Key>,
    /// The newest message.
    pub status: Option<StatusLine>,
    /// What workers have warned of, the newest last.
    pub log: Vec<String>,
    /// Which of these are about the themes as they were read last.
    pub theme_warnings: Vec<String>,
    /// What could not be saved yet, and why.
    pub unsaved: BTreeMap<StoreName, UnsavedRecords>,
    /// Where everything was drawn last, for the mouse.
    pub areas: Areas,
    /// Tips that are left, at a first start.
    pub tips: Option<Tips>,
    /// An edge that the mouse holds.
    pub dragged: Option<Dragged>,
    /// The board as it was drawn last.
    pub(super) picture: PictureCache,
    /// Threads that rollouts use.
    pub threads: usize,
    /// Name of the evaluator.
    pub evaluator: String,
    /// What would lose something and was asked about: the same again does it.
    pub confirmation: Confirmation,
    /// When the present message or key came in.
    pub now: Instant,
    /// What the world outside has to do.
    pub effects: Vec<Effect>,
}

impl App {
    /// An empty workstation at `now`.
    pub fn new(settings: store::UserSettings, depth: Depth, now: Instant) -> Self {
        let themes: Vec<Theme> = Theme::builtin()
            .into_iter()
            .map(|t| t.at_depth(depth))
            .collect();
        Self {
            document: Document::default(),
            sources: Vec::new(),
            source: 0,
            shown: 0,
            openings: Openings::default(),
            arrived: None,
            at: 0,
            focus: Focus::default(),
            selection: Selection::default(),
            before: None,
            variation: None,
            left_match: None,
            last_play: None,
            new_match: None,
            generations: Generations::default(),
            dice_cup: DiceCup::default(),
            left: LeftPlaces::default(),
            ranking: Ranking::default(),
            marked: HashMap::new(),
            jobs: Jobs::default(),
            job_sources: HashMap::new(),
            inquiries: Inquiries::default(),
            is_inquiring: false,
            editor: None,
            quiz: None,
            quiz_aside: None,
            library: LibraryPlace::default(),
            people: People::default(),
            awaited: None,
            plan: PlanPlace::default(),
            rating: RatingPlace::default(),
            study: Shelf::default(),
            left_draft: None,
            is_awaited: false,
            opinions: None,
            second: HashMap::new(),
            match_rollouts: None,
            match_runs: 0,
            model: Arc::new(Model::default()),
            options: DisplayOptions::default(),
            wanted_player: None,
            keymap: KeyMap::default(),
            motion: None,
            settings,
            themes,
            theme: 0,
            theme_of_start: None,
            usual_theme: String::new(),
            usual_glyphs: GlyphSet::Quadrants,
            depth,
            overlay: None,
            unwritten: Vec::new(),
            shown_rollout: None,
            position_list: None,
            held_list: None,
            pending: Vec::new(),
            status: None,
            log: Vec::new(),
            theme_warnings: Vec::new(),
            unsaved: BTreeMap::new(),
            areas: Areas::default(),
            dragged: None,
            tips: None,
            picture: PictureCache::default(),
            threads: 1,
            evaluator: String::new(),
            confirmation: Confirmation::default(),
            now,
            effects: Vec::new(),
        }
    }

    /// The turn in view.
    pub fn turn(&self) -> Option<&MatchTurn> {
        if let Some(editor) = &self.editor {
            return Some(editor.turn());
        }
        if let Some(quiz) = &self.quiz {
            return Some(quiz.turn());
        }
        let turn = || self.document.turns.get(self.at);
        self.before.as_ref().or_else(turn)
    }

    /// The deepest look at the turn in view within the plies that the reader wants.
    pub fn review(&self) -> Option<&Arc<TurnReview>> {
        if let Some(editor) = &self.editor {
            return editor.looks.values().next_back();
        }
        // What is known of a question its pane tells, once it is answered.
        if self.quiz.is_some() {
            return None;
        }
        (0..=self.settings.ply)
            .rev()
            .find_map(|ply| self.document.looks.get(&(self.at, ply)))
    }

    /// Why the turn in view has no analysis, where there will be none.
    pub fn failure(&self) -> Option<String> {
        match &self.editor {
            Some(editor) => match editor.draft().state() {
                Ok(_) => editor.failure.clone(),
                Err(problem) => editor.draft().to_place().or(Some(problem.to_string())),
            },
            None => {
                let why = self.document.failed.get(&self.at);
                why.map(|why| format!("could not be analysed: {why}"))
            }
        }
    }

    /// Whether a draft is in view whose first figures are on their way.
    pub fn awaits_figures(&self) -> bool {
        let is_waiting = |editor: &Editor| {
            editor.looks.is_empty() && editor.failure.is_none() && editor.draft().state().is_ok()
        };
        self.editor.as_ref().is_some_and(is_waiting)
    }

    /// Whether a rollout has the processor, so that reviews wait.
    pub fn is_rolling(&self) -> bool {
        let plays = |rollouts: &MatchRollouts| rollouts.has_begun && !rollouts.is_paused;
        self.jobs.is_rolling() || self.match_rollouts.as_ref().is_some_and(plays)
    }

    /// What a player is called on the board.
    pub fn name(&self, player: Player) -> &str {
        match &self.editor {
            None if self.quiz.is_some() && player == self.bottom() => "you",
            None if self.quiz.is_some() => "opponent",
            None => &self.document.record.players[player.index()],
            Some(editor) => match &editor.names {
                Some(names) => &names[player.index()],
                None if player == self.bottom() => "bottom",
                None => "top",
            },
        }
    }

    /// The score in view, as the match equity table has it; `None` in money play.
    pub fn table_score(&self) -> Option<TableScore> {
        TableScore::of_match(&self.turn()?.before, self.bottom())
    }

    /// The decision in view.
    pub fn decision(&self) -> Option<DecisionKey> {
        Some(DecisionKey::of(&self.turn()?.before.state))
    }

    /// The turn of an event of the match: its game and its place there.
    pub fn turn_at(&self, place: EventPlace) -> Option<usize> {
        let mut turns = self.document.turns.iter();
        turns.position(|turn| turn.place() == place)
    }

    /// Whether the play that leads to `result` is marked for a rollout.
    pub fn is_marked(&self, result: &Position) -> bool {
        self.decision()
            .and_then(|d| self.marked.get(&d))
            .is_some_and(|set| set.contains(result))
    }

    /// The lines between the marks.
    pub fn thresholds(&self) -> Thresholds {
        self.settings.marks.into()
    }

    /// Points from which on an error is one of the size that is wanted.
    pub fn least_error(&self) -> f32 {
        let lines = self.thresholds();
        match self.options.threshold {
            Mark::Blunder => lines.blunder,
            Mark::Error => lines.error,
            Mark::Doubtful => lines.doubtful,
            Mark::Fine => 0.0,
        }
    }

    /// The cube and the score that the turn in view is rolled out with, unless the reader wants none.
    /// Before the roll of a player who may double, that is a cube decision.
    pub fn rollout_cube(&self) -> Option<CubeSettings> {
        match self.settlement() {
            Some(_) => None,
            None => self.live_cube(),
        }
    }

    /// The settlement limit with which the turn in view is rolled out: for money, if the reader wants one.
    pub fn settlement(&self) -> Option<Settlement> {
        let is_money = self.turn()?.before.state.score.is_money();
        let settlement = self.settings.rollout.settlement();
        settlement.filter(|_| is_money)
    }

    /// The cube of comparisons, which know no settlement limit.
    pub fn live_cube(&self) -> Option<CubeSettings> {
        if !self.settings.rollout.cubeful {
            return None;
        }
        let state = self.turn()?.before.state;
        Some(if state.roll.is_some() {
            CubeSettings::after_play(&state)
        } else {
            let state = state.roller();
            CubeSettings {
                decision: state.may_double(),
                ..CubeSettings::before_roll(&state)
            }
        })
    }

    /// Whether there are variations of a turn.
    pub fn has_variations(&self, turn: usize) -> bool {
        let turn = self.document.turns.get(turn);
        turn.is_some_and(|turn| self.variation.is_none() && self.document.varies(turn))
    }

    /// What may be varied at the turn in view: the decision there, before its roll.
    pub fn varied_decision(&self) -> Option<DecisionState> {
        let mut before = self.turn()?.before;
        before.state.roll = None;
        Some(before)
    }

    /// Where a note about the turn in view is kept, or about the one that the variation in view hangs on; that of a
    /// position alone is kept for any dice. `None` where a match has no turn.
    pub fn place(&self) -> Option<EventPlace> {
        let is_alone = self.home().record.games.is_empty();
        let turn = self.home().turns.get(self.home_turn());
        let turn = turn.filter(|turn| is_alone || turn.action.is_some())?;
        Some(turn.place())
    }

    /// The note that the user has removed from the move in view, where nothing else can be brought back.
    pub fn removed_note(&self) -> Option<&str> {
        let place = self.place().filter(|_| self.variation.is_none())?;
        let home = self.home();
        let was = home.written.get(&place).map(String::as_str);
        was.filter(|was| !was.is_empty() && !home.notes.contains_key(&place))
    }

    /// What the user has written about a turn.
    pub fn written(&self, turn: usize) -> Option<&str> {
        let turn = self.document.turns.get(turn)?;
        let place = turn.place();
        self.document.notes.get(&place).map(String::as_str)
    }

    /// Where keys go.
    pub fn scope(&self) -> KeyScope {
        let overlay = self.overlay.as_ref();
        overlay.map_or_else(|| self.screen_scope(), Overlay::scope)
    }

    /// Where keys go without a window.
    pub fn screen_scope(&self) -> KeyScope {
        match (&self.editor, &self.quiz) {
            (Some(_), _) => KeyScope::Editor,
            (None, Some(_)) => KeyScope::Quiz,
            (None, None) => KeyScope::Match,
        }
    }

    /// The player whose side is at the bottom of the board: the user, or the player named first, unless it is turned
    /// round. A quiz is seen by who decides.
    pub fn bottom(&self) -> Player {
        let own = self.people.own_side(&self.document.record.players);
        match (own.unwrap_or(Player::Left), &self.quiz) {
            (_, Some(_)) => Player::Left,
            (below, None) if self.options.flipped => below.other(),
            (below, None) => below,
        }
    }

    /// Has a file, or all matches of a folder, taken into the library; what is left when the program ends goes on next
    /// time.
    pub fn fill_library(&mut self, path: PathBuf) {
        let path = self.library.take_up(&path);
        self.effects.push(Effect::Fill(path));
    }

    /// Says something in the bottom line, with the keys of the actions that it names in braces.
    pub fn say_keys(&mut self, text: &str) {
        let text = self.keymap.named(text);
        self.say(text);
    }

    /// Says something in the bottom line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Some(StatusLine {
            text: super::text::clean(&text.into(), MOST_CHARS),
            is_warning: false,
            since: self.now,
        });
    }

    /// Forgets what was said to be wrong, as it is so no more.
    pub fn take_back(&mut self, text: &str) {
        let text = super::text::clean(text, MOST_CHARS);
        self.log.retain(|known| *known != text);
    }

    /// Says that something is wrong, and keeps it to be read later.
    pub fn report(&mut self, text: impl Into<String>) {
        self.warn(text);
        let Some(text) = self.status.as_ref().map(|status| status.text.clone()) else {
            return;
        };
        self.log.retain(|known| *known != text);
        if self.log.len() >= MOST_WARNINGS {
            self.log.remove(0);
        }
        self.log.push(text);
    }

    /// How many things are not saved yet.
    pub fn unsaved(&self) -> usize {
        self.unsaved.values().map(|unsaved| unsaved.count).sum()
    }

    /// Says that something is wrong.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(text);
        if let Some(status) = &mut self.status {
            status.is_warning = true;
        }
    }
}
