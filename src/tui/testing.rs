//! A workstation without terminal, threads and net, for tests.

mod effects;
mod openings;
mod records;
mod rollouts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event as Input, KeyEvent, KeyModifiers};

use super::state::{App, Document, Effect};
use super::theme::Depth;
use super::update::{update, windows};
use super::view;
use super::workers::filler::FillerMeans;
use super::workers::match_writer::MatchFiles;
use crate::cube::Model;
use crate::eval::{Evaluator, Probabilities};
use crate::game::{Play, PlayList, Player, Position, Roll, Side};
use crate::match_file::{Action, Event, EventPlace, Game, Match, Warning};
use crate::rollout::{Status, StopReason};
use crate::store::settings::RolloutPreferences;
use crate::store::{MatchFingerprint, StudyChange, UserSettings};
use crate::tui::documents::new_match::NewMatch;
use crate::tui::keys::Key;
use crate::tui::message::Message;
use crate::tui::rollouts::jobs::JobId;
use crate::tui::rollouts::second_opinion::SecondQuestion;
use crate::tui::windows::exported::Written;
use crate::tui::windows::quiz::QuizRequest;
pub(super) use rollouts::made_up;
use rollouts::{fake, pilot};

/// An environment with only these variables.
pub(super) fn environment<'a>(
    variables: &'a [(&'a str, &'a str)],
) -> impl Fn(&str) -> Option<String> + 'a {
    |name| {
        let found = variables.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| (*value).to_owned())
    }
}

/// Resources for filling a library in `folder`.
pub(super) fn filler_means(folder: &Path) -> FillerMeans {
    FillerMeans {
        library: folder.join("library.sqlite"),
        reviews: folder.join("reviews.sqlite"),
        evaluator: Arc::new(Race),
        model: Arc::new(Model::default()),
        no_crawford: false,
        ply: Arc::default(),
    }
}

/// An evaluator based on race and blots. It uses no functions with platform-dependent rounding.
pub(super) struct Race;

impl Evaluator for Race {
    fn name(&self) -> &str {
        "race"
    }

    fn probabilities(&self, positions: &[Position], out: &mut [Probabilities]) {
        for (o, p) in out.iter_mut().zip(positions) {
            *o = value(p);
        }
    }

    fn equities_after(&self, _: &Position, results: &[Position], out: &mut [f32]) {
        for (o, p) in out.iter_mut().zip(results) {
            *o = -value(p).equity();
        }
    }

    fn exact(&self, position: &Position) -> Option<Probabilities> {
        position.points().map(Probabilities::finished)
    }
}

fn value(p: &Position) -> Probabilities {
    if let Some(points) = p.points() {
        return Probabilities::finished(points);
    }
    if p.mover.pips() <= 2 {
        // Any roll bears off the last checkers.
        let gammon = f32::from(u8::from(p.opponent.off() == 0));
        return Probabilities::from_array([1.0, gammon, 0.0, 0.0, 0.0]);
    }
    let made = |s: &Side| (s.mask(2) & !(1 << 25)).count_ones() as f32;
    let pips = p.opponent.pips() as f32 - p.mover.pips() as f32;
    let lead = pips + 4.0 * (made(&p.mover) - made(&p.opponent)) + 4.0;
    let win = 0.5 + lead / (2.0 * (lead.abs() + 40.0));
    Probabilities {
        win,
        win_gammon: 0.3 * win * win,
        win_backgammon: 0.02 * win * win,
        lose_gammon: 0.3 * (1.0 - win) * (1.0 - win),
        lose_backgammon: 0.02 * (1.0 - win) * (1.0 - win),
    }
}

/// A small random generator, so that matches are the same everywhere.
struct Lcg(u64);

impl Lcg {
    fn next(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// A match of two players who often make their best play, with a double in each game, a Crawford game, and warnings.
pub(super) fn record() -> Match {
    let mut dice = Lcg(2026);
    let mut record = Match {
        format: "mat",
        encoding: "UTF-8",
        length: 5,
        players: ["Anna".into(), "Bénédicte".into()],
        crawford: true,
        warnings: vec![Warning {
            line: 12,
            column: 7,
            offset: None,
            turn: None,
            message: "expected a play, found 'x'".into(),
        }],
        ..Match::default()
    };
    for (number, score, crawford) in [(1, [0, 0], false), (2, [2, 0], false), (3, [4, 0], true)] {
        record.games.push(Game {
            number,
            score,
            crawford,
            events: play_game(&mut dice, !crawford),
            ..Game::default()
        });
    }
    record
}

fn play_game(dice: &mut Lcg, cube: bool) -> Vec<Event> {
    let mut position = Position::opening();
    let mut player = Player::Left;
    let mut events = Vec::new();
    let event = |player, action| Event {
        player,
        action,
        line: 0,
    };
    for turn in 0..24 {
        if turn == 8 && cube {
            events.push(event(player, Action::Double { to: 2 }));
            events.push(event(player.other(), Action::Take));
        }
        let mut roll = Roll::ordered(dice.next(36) as usize);
        while turn == 0 && roll.is_double() {
            roll = Roll::ordered(dice.next(36) as usize);
        }
        let play = choose(dice, &position, roll);
        events.push(event(player, Action::Move { roll, play }));
        position = play.apply(&position);
        player = player.other();
    }
    events
}

fn choose(dice: &mut Lcg, position: &Position, roll: Roll) -> Play {
    let list = PlayList::of(position, roll);
    let mut equities = vec![0.0; list.len()];
    Race.equities_after(position, list.results(), &mut equities);
    let best = crate::eval::rolls::best_index(&equities);
    let pick = match dice.next(6) {
        0 => dice.next(list.len() as u64) as usize,
        _ => best,
    };
    list.plays()[pick]
}

/// A workstation under test: effects are performed at once.
pub(super) struct TestApp {
    pub(super) app: App,
    /// The current time.
    pub(super) now: Instant,
    /// The text copied last.
    pub(super) copied: Option<String>,
    /// Whether it was requested to quit.
    pub(super) over: bool,
    /// The running rollout.
    pub(super) rolling: Option<JobId>,
    /// Whether the whole match is being rolled out.
    pub(super) rolls_match: bool,
    /// Whether imported verdicts are being verified.
    pub(super) verifies: bool,
    /// Whether reviews are computed.
    analyses: bool,
    /// Number of requests to store the review.
    pub(super) kept: usize,
    /// Number of requests to save the settings.
    pub(super) settings_saved: usize,
    /// Number of lookups of stored match rollouts.
    pub(super) recalled: usize,
    /// Number of cancelled questions.
    pub(super) given_up: usize,
    /// Number of released games by hand.
    pub(super) games_left: usize,
    /// The last stored variations.
    pub(super) kept_variations: BTreeMap<EventPlace, String>,
    /// The last stored note and its match.
    pub(super) kept_note: Option<(MatchFingerprint, String)>,
    /// The texts seen in its place.
    pub(super) known_notes: Vec<String>,
    /// Quiz answers stored or undone.
    pub(super) answers: Vec<StudyChange>,
    pub(super) requests: Vec<crate::tui::windows::library::LibraryRequest>,
    /// Files added to the library.
    pub(super) filled: Vec<PathBuf>,
    /// Requested study plans.
    pub(super) plans: Vec<crate::tui::windows::plan::PlanRequest>,
    /// Whether the list of stored rollouts was requested.
    pub(super) lists_kept: bool,
    /// Requested ratings.
    pub(super) ratings: Vec<crate::tui::windows::rating::RatingRequest>,
    /// The last request for quiz decisions.
    pub(super) quiz_request: Option<Box<QuizRequest>>,
    /// Store of games played by hand.
    pub(super) hand_games: Option<PathBuf>,
    /// The last query to GNU Backgammon.
    pub(super) asked_gnubg: Option<SecondQuestion>,
    /// The last export path.
    pub(super) exported: Option<PathBuf>,
    pub(super) written: Option<Written>,
    /// The last new match, and its folder.
    pub(super) begun: Option<(NewMatch, Option<PathBuf>)>,
    /// Files of matches against the program.
    files: MatchFiles,
    /// Started rollouts, in order.
    pub(super) started: Vec<JobId>,
}

impl TestApp {
    /// A bench with the test match, analysed.
    pub(super) fn new(depth: Depth) -> Self {
        Self::with(
            depth,
            Document::of_match(record(), "anna-bénédicte.mat".into(), 1),
        )
    }

    /// With the test match open and analysed, after these keys.
    pub(super) fn typed(depth: Depth, keys: &str) -> Self {
        let mut bench = Self::new(depth);
        bench.keys(keys);
        bench
    }

    pub(super) fn with(depth: Depth, document: Document) -> Self {
        Self::opened(depth, document, true)
    }

    /// A bench with a match that is not analysed.
    pub(super) fn unanalysed(document: Document) -> Self {
        Self::opened(Depth::True, document, false)
    }

    /// Provides a quiz without cards, and a library.
    pub(super) fn has_stores(&mut self) {
        let (cards, micros) = (Vec::new(), 0);
        self.tell(Message::Study { cards, micros });
    }

    fn opened(depth: Depth, document: Document, analyses: bool) -> Self {
        let now = Instant::now();
        // Plain settings that are not a preset.
        let rollout = RolloutPreferences {
            trials: 1296,
            ply: 0,
            ..RolloutPreferences::default()
        };
        let settings = UserSettings {
            ply: 0,
            animation: false,
            rollout,
            ..UserSettings::default()
        };
        let mut app = App::new(settings, depth, now);
        app.choose_theme(if depth == Depth::None { "mono" } else { "dark" });
        let screen = ratatui::layout::Rect::new(0, 0, 120, 40);
        app.areas = crate::tui::screen::layout::Areas::arrange(
            screen,
            &crate::tui::screen::layout::LayoutOptions::default(),
        );
        let mut bench = Self {
            app,
            now,
            copied: None,
            over: false,
            analyses,
            rolling: None,
            rolls_match: false,
            verifies: false,
            kept: 0,
            recalled: 0,
            settings_saved: 0,
            given_up: 0,
            games_left: 0,
            started: Vec::new(),
            exported: None,
            written: None,
            begun: None,
            files: MatchFiles::default(),
            kept_variations: BTreeMap::new(),
            kept_note: None,
            known_notes: Vec::new(),
            answers: Vec::new(),
            requests: Vec::new(),
            filled: Vec::new(),
            plans: Vec::new(),
            ratings: Vec::new(),
            lists_kept: false,
            quiz_request: None,
            hand_games: None,
            asked_gnubg: None,
        };
        let number = document.generation;
        bench.tell(Message::Opened(number, Ok(Box::new(document))));
        bench.app.status = None;
        bench
    }

    pub(super) fn tell(&mut self, message: Message) {
        update(&mut self.app, message, self.now);
        self.perform();
    }

    pub(super) fn wait(&mut self, milliseconds: u64) {
        self.now += Duration::from_millis(milliseconds);
        self.tell(Message::Tick);
    }

    /// Presses the keys of a script, in the notation of the tables.
    pub(super) fn keys(&mut self, script: &str) {
        for word in script.split_whitespace() {
            let key = Key::parse(word).unwrap_or_else(|| panic!("no key '{word}'"));
            let mut modifiers = KeyModifiers::NONE;
            if word.starts_with("ctrl-") {
                modifiers = KeyModifiers::CONTROL;
            }
            if word.starts_with("alt-") {
                modifiers = KeyModifiers::ALT;
            }
            let event = KeyEvent::new(key.code(), modifiers);
            self.tell(Message::Input(Input::Key(event)));
        }
    }

    /// Returns the screen as text.
    pub(super) fn screen(&mut self, width: u16, height: u16) -> String {
        text(&self.draw(width, height))
    }

    /// Types keys and returns the screen as text.
    pub(super) fn screen_after(&mut self, keys: &str, width: u16, height: u16) -> String {
        self.keys(keys);
        self.screen(width, height)
    }

    /// Returns the text of the message line, or an empty text.
    pub(super) fn said(&self) -> &str {
        self.app.status.as_ref().map_or("", |status| &status.text)
    }

    fn perform(&mut self) {
        while !self.app.effects.is_empty() {
            let mut effects = std::mem::take(&mut self.app.effects);
            // Here an analysis causes further writes at once, so pending writes go first.
            effects.sort_by_key(|effect| !matches!(effect, Effect::SaveMatch(_)));
            for effect in effects {
                self.effect(effect);
            }
        }
    }

    /// Advances the running rollout to `trials` trials of each play.
    pub(super) fn roll(&mut self, trials: u64, done: bool) {
        self.roll_to(trials, done.then_some(StopReason::Trials));
    }

    /// Advances the rollout to `trials` trials, and ends it if there is a reason.
    pub(super) fn roll_to(&mut self, trials: u64, end: Option<StopReason>) {
        let id = self.rolling.expect("a rollout runs");
        let job = self.app.jobs.get(id).expect("the job is known");
        if job.wants_pilot() {
            let pilot = Arc::new(pilot(&job.settings, job.plays.len()));
            self.tell(Message::Chosen { job: id, pilot });
        }
        let status = match end {
            Some(reason) => {
                self.rolling = None;
                Status::Done(reason)
            }
            None => Status::Running,
        };
        let result = fake(&self.app, id, trials, status);
        self.tell(Message::Rollout {
            job: id,
            result,
            finished: end.is_some(),
        });
    }

    pub(super) fn draw(&mut self, width: u16, height: u16) -> Buffer {
        self.app.now = self.now;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        let mut areas = None;
        terminal
            .draw(|frame| areas = Some(view::draw(frame, &self.app, windows::draw)))
            .unwrap();
        self.app.drawn(areas.unwrap());
        let buffer = terminal.backend().buffer();
        records::record(buffer, |buffer| {
            format!("{}\n{}", text(buffer), styles(buffer))
        });
        buffer.clone()
    }
}

/// The text of the screen, line by line.
pub(super) fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        let mut line = String::new();
        for x in buffer.area.left()..buffer.area.right() {
            line.push_str(buffer[(x, y)].symbol());
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The styles of the screen: a letter for each style, with a legend.
pub(super) fn styles(buffer: &Buffer) -> String {
    let mut known: Vec<String> = Vec::new();
    let mut out = String::new();
    for y in buffer.area.top()..buffer.area.bottom() {
        for x in buffer.area.left()..buffer.area.right() {
            let c = &buffer[(x, y)];
            let style = format!("{:?} on {:?} {:?}", c.fg, c.bg, c.modifier);
            let i = known.iter().position(|k| *k == style).unwrap_or_else(|| {
                known.push(style);
                known.len() - 1
            });
            out.push(char::from_u32(0x21 + i as u32).unwrap_or('?'));
        }
        out.push('\n');
    }
    for (i, style) in known.iter().enumerate() {
        let letter = char::from_u32(0x21 + i as u32).unwrap_or('?');
        out.push_str(&format!("{letter} {style}\n"));
    }
    out
}
