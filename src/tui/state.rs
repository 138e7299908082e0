//! State of the workstation: plain data that `view` draws. `update` changes it. The event loop also stores the
//! current time and the results of failed effects.

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
use crate::tui::documents::match_decision::MatchDecision;
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

/// Maximum length of the bottom line's text, in characters.
const MOST_CHARS: usize = 300;
/// Maximum number of remembered warnings.
pub(super) const MOST_WARNINGS: usize = 50;

/// The pane with keyboard focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Focus {
    #[default]
    Candidates,
    Moves,
}

/// A message for the user.
#[derive(Clone, Debug)]
pub struct StatusLine {
    pub text: String,
    /// Whether it is a warning.
    pub is_warning: bool,
    pub since: Instant,
}

/// The state of the workstation.
#[derive(Debug)]
pub struct App {
    /// The open document.
    pub document: Document,
    /// Sources that the keys for next and previous file step through: those of the command line, those opened since,
    /// and each position of a list.
    pub sources: Vec<Openable>,
    /// Index of the open source, or of the one being opened.
    pub source: usize,
    /// Index of the displayed source.
    pub shown: usize,
    /// Pending openings and rereads.
    pub openings: Openings,
    /// A match saved in the watched folder and not opened yet.
    pub arrived: Option<PathBuf>,
    /// Index of the displayed turn.
    pub at: usize,
    /// The displayed turn before its roll, while its cube decision is shown.
    pub before: Option<MatchTurn>,
    /// The decision displayed before the board followed the rows of a window.
    pub left_for_window: Option<MatchDecision>,
    /// The displayed variation with its match; [`App::document`] is then its line.
    pub variation: Option<Box<OpenVariation>>,
    /// A match against the program as it was left, possibly newer than what was last read from its file.
    pub left_match: Option<LeftMatch>,
    /// The last match played against the program.
    pub last_play: Option<LastPlay>,
    /// The file of a new match against the program, until it is displayed.
    pub new_match: Option<PathBuf>,
    /// Generations of workers' requests.
    pub generations: Generations,
    pub dice_cup: DiceCup,
    /// State of other sources when last left.
    pub left: LeftPlaces,
    pub focus: Focus,
    /// The selected candidate.
    pub selection: Selection,
    /// The displayed order of the candidates.
    pub ranking: Ranking,
    /// Marked plays by decision.
    pub marked: HashMap<DecisionKey, HashSet<Position>>,
    pub jobs: Jobs,
    /// The sources of rollouts requested in this session.
    pub job_sources: HashMap<JobId, Openable>,
    /// Questions about decisions, with their answers.
    pub inquiries: Inquiries,
    /// Whether a question may be in progress.
    pub is_inquiring: bool,
    /// The open position editor; it then determines the displayed position.
    pub editor: Option<Editor>,
    /// The open quiz; its question is then displayed.
    pub quiz: Option<Box<Quiz>>,
    /// A quiz suspended while the match of one of its questions is displayed.
    pub quiz_aside: Option<Box<Quiz>>,
    /// State of the library window.
    pub library: LibraryPlace,
    /// The user's names, from the library.
    pub people: People,
    /// The match being opened from a list.
    pub awaited: Option<AwaitedMatch>,
    /// State of the study plan window.
    pub plan: PlanPlace,
    /// State of the rating window.
    pub rating: RatingPlace,
    /// The quiz cards.
    pub study: Shelf,
    /// The draft left last in the editor.
    pub left_draft: Option<Draft>,
    /// Whether a new figure must be drawn in the next frame.
    pub is_awaited: bool,
    /// Verified imported analyses of the match.
    pub opinions: Option<Vec<Verified>>,
    /// GNU Backgammon's figures by decision.
    pub second: HashMap<DecisionKey, Analysis>,
    /// The rollouts of the whole match, if requested.
    pub match_rollouts: Option<MatchRollouts>,
    /// Number of runs of match rollouts so far, which is the number of the latest.
    pub match_runs: u64,
    /// Cube model for cubeful values.
    pub model: Arc<Model>,
    /// Display options.
    pub options: DisplayOptions,
    /// Name of the player selected by `whose` in the options, who may sit on the other side in another match.
    pub wanted_player: Option<String>,
    /// Key bindings.
    pub keymap: KeyMap,
    /// The animated play.
    pub motion: Option<Motion>,
    pub settings: store::UserSettings,
    /// Available themes, adapted to this terminal.
    pub themes: Vec<Theme>,
    pub theme: usize,
    /// Names of the theme requested for this session only, and of the theme to keep for the next one.
    pub theme_of_start: Option<[String; 2]>,
    /// Name of the theme that suits this terminal, used if the settings name none.
    pub usual_theme: String,
    /// The characters that suit this terminal, used for `auto` in the settings.
    pub usual_glyphs: GlyphSet,
    /// Colour depth of this terminal.
    pub depth: Depth,
    /// The open window.
    pub overlay: Option<Overlay>,
    /// Files being written.
    pub unwritten: Vec<PendingExport>,
    /// The rollout displayed instead of the newest for its decision.
    pub shown_rollout: Option<JobId>,
    /// The list to which a position was last added.
    pub position_list: Option<PathBuf>,
    /// Scroll position of the move list when one of its turns was clicked.
    pub held_list: Option<HeldList>,
    /// Keys of an incomplete sequence.
    pub pending: Vec<Key>,
    pub status: Option<StatusLine>,
    /// Warnings of workers, newest last.
    pub log: Vec<String>,
    /// The warnings among them about themes, from the last reading.
    pub theme_warnings: Vec<String>,
    /// Unsaved records by store, with the reason.
    pub unsaved: BTreeMap<StoreName, UnsavedRecords>,
    /// Where everything was last drawn, for the mouse.
    pub areas: Areas,
    /// Remaining tips for beginners.
    pub tips: Option<Tips>,
    /// The edge being dragged with the mouse.
    pub dragged: Option<Dragged>,
    /// The last drawn board.
    pub(super) picture: PictureCache,
    /// Number of threads for rollouts.
    pub threads: usize,
    pub evaluator: String,
    /// A destructive action awaiting confirmation; repeating it confirms.
    pub confirmation: Confirmation,
    /// Time of the current message or key.
    pub now: Instant,
    /// Effects for the event loop to perform.
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
            left_for_window: None,
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

    /// The displayed turn.
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

    /// The deepest review of the displayed turn up to the user's search depth.
    pub fn review(&self) -> Option<&Arc<TurnReview>> {
        if let Some(editor) = &self.editor {
            return editor.looks.values().next_back();
        }
        // During a quiz, only its pane shows the review, after the answer.
        if self.quiz.is_some() {
            return None;
        }
        (0..=self.settings.ply)
            .rev()
            .find_map(|ply| self.document.looks.get(&(self.at, ply)))
    }

    /// The reason why the displayed turn will not be analysed.
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

    /// Returns whether a draft is displayed whose first figures are pending.
    pub fn awaits_figures(&self) -> bool {
        let is_waiting = |editor: &Editor| {
            editor.looks.is_empty() && editor.failure.is_none() && editor.draft().state().is_ok()
        };
        self.editor.as_ref().is_some_and(is_waiting)
    }

    /// Returns whether a rollout is running, so that reviews wait.
    pub fn is_rolling(&self) -> bool {
        let plays = |rollouts: &MatchRollouts| rollouts.has_begun && !rollouts.is_paused;
        self.jobs.is_rolling() || self.match_rollouts.as_ref().is_some_and(plays)
    }

    /// Name of a player on the board.
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

    /// The displayed score in the match equity table's terms; `None` in money play.
    pub fn table_score(&self) -> Option<TableScore> {
        TableScore::of_match(&self.turn()?.before, self.bottom())
    }

    /// The displayed decision.
    pub fn decision(&self) -> Option<DecisionKey> {
        Some(DecisionKey::of(&self.turn()?.before.state))
    }

    /// The turn of an event of the match.
    pub fn turn_at(&self, place: EventPlace) -> Option<usize> {
        let mut turns = self.document.turns.iter();
        turns.position(|turn| turn.place() == place)
    }

    /// Returns whether the play that leads to `result` is marked for a rollout.
    pub fn is_marked(&self, result: &Position) -> bool {
        self.decision()
            .and_then(|d| self.marked.get(&d))
            .is_some_and(|set| set.contains(result))
    }

    /// The error thresholds of the marks.
    pub fn thresholds(&self) -> Thresholds {
        self.settings.marks.into()
    }

    /// Minimum error, in points, of the selected size.
    pub fn least_error(&self) -> f32 {
        let lines = self.thresholds();
        match self.options.threshold {
            Mark::Blunder => lines.blunder,
            Mark::Error => lines.error,
            Mark::Doubtful => lines.doubtful,
            Mark::Fine => 0.0,
        }
    }

    /// Cube and score for rolling out the displayed turn, unless disabled. Before the roll of a player who may
    /// double, it is a cube decision.
    pub fn rollout_cube(&self) -> Option<CubeSettings> {
        match self.settlement() {
            Some(_) => None,
            None => self.live_cube(),
        }
    }

    /// The settlement for rolling out the displayed turn: for money, if enabled.
    pub fn settlement(&self) -> Option<Settlement> {
        let is_money = self.turn()?.before.state.score.is_money();
        let settlement = self.settings.rollout.settlement();
        settlement.filter(|_| is_money)
    }

    /// The cube for comparisons, which do not support settlement.
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

    /// Returns whether a turn has variations.
    pub fn has_variations(&self, turn: usize) -> bool {
        let turn = self.document.turns.get(turn);
        turn.is_some_and(|turn| self.variation.is_none() && self.document.varies(turn))
    }

    /// The decision at the displayed turn from which to start a variation, before its roll.
    pub fn varied_decision(&self) -> Option<DecisionState> {
        let mut before = self.turn()?.before;
        before.state.roll = None;
        Some(before)
    }

    /// Place of a note on the displayed turn, or on the turn at which the displayed variation starts. For a
    /// standalone position, notes do not depend on the dice. `None` if the match has no turns.
    pub fn place(&self) -> Option<EventPlace> {
        let is_alone = self.home().record.games.is_empty();
        let turn = self.home().turns.get(self.home_turn());
        let turn = turn.filter(|turn| is_alone || turn.action.is_some())?;
        Some(turn.place())
    }

    /// The removed note of the displayed move, if nothing else can be restored.
    pub fn removed_note(&self) -> Option<&str> {
        let place = self.place().filter(|_| self.variation.is_none())?;
        let home = self.home();
        let was = home.written.get(&place).map(String::as_str);
        was.filter(|was| !was.is_empty() && !home.notes.contains_key(&place))
    }

    /// The user's note on a turn.
    pub fn written(&self, turn: usize) -> Option<&str> {
        let turn = self.document.turns.get(turn)?;
        let place = turn.place();
        self.document.notes.get(&place).map(String::as_str)
    }

    /// Scope of key bindings.
    pub fn scope(&self) -> KeyScope {
        let overlay = self.overlay.as_ref();
        overlay.map_or_else(|| self.screen_scope(), Overlay::scope)
    }

    /// Scope of key bindings without an open window.
    pub fn screen_scope(&self) -> KeyScope {
        match (&self.editor, &self.quiz) {
            (Some(_), _) => KeyScope::Editor,
            (None, Some(_)) => KeyScope::Quiz,
            (None, None) => KeyScope::Match,
        }
    }

    /// The player at the bottom of the board: the user, or else the left player, unless flipped. In a quiz the player
    /// who decides.
    pub fn bottom(&self) -> Player {
        let own = self.people.own_side(&self.document.record.players);
        match (own.unwrap_or(Player::Left), &self.quiz) {
            (_, Some(_)) => Player::Left,
            (below, None) if self.options.flipped => below.other(),
            (below, None) => below,
        }
    }

    /// Adds a file, or all matches of a folder, to the library; unfinished work continues in the next session.
    pub fn fill_library(&mut self, path: PathBuf) {
        let path = self.library.take_up(&path);
        self.effects.push(Effect::Fill(path));
    }

    /// Shows a message in which actions in braces are replaced by their keys.
    pub fn say_keys(&mut self, text: &str) {
        let text = self.keymap.named(text);
        self.say(text);
    }

    /// Shows a message in the bottom line.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Some(StatusLine {
            text: super::text::clean(&text.into(), MOST_CHARS),
            is_warning: false,
            since: self.now,
        });
    }

    /// Removes a warning that no longer applies.
    pub fn take_back(&mut self, text: &str) {
        let text = super::text::clean(text, MOST_CHARS);
        self.log.retain(|known| *known != text);
    }

    /// Shows a warning and adds it to the log.
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

    /// Number of unsaved records.
    pub fn unsaved(&self) -> usize {
        self.unsaved.values().map(|unsaved| unsaved.count).sum()
    }

    /// Shows a warning.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.say(text);
        if let Some(status) = &mut self.status {
            status.is_warning = true;
        }
    }
}
