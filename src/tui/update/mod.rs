//! What each message changes. No terminal and no threads: what has to happen outside is left in
//! [`App::effects`]. Of the disk it asks only whether a path that was typed or is proposed is there.

mod analysis;
mod appearance;
mod carried;
mod document;
mod editor;
mod folder;
mod input;
mod lines;
mod notes;
mod quiz_match;
mod quizzes;
mod ranking;
pub(crate) mod windows;

use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyEventKind, MouseEventKind};

use super::state::{App, Openable};
use super::text;
use crate::game::GameState;
use crate::notation::{self, gnubg_id};
use crate::store::UnsavedRecords;
use crate::tui::PlayOn;
use crate::tui::documents::store_name::StoreName;
use crate::tui::keys::{ActionId, Key, KeyScope, Meaning};
use crate::tui::message::Message;
use crate::tui::rollouts::generation::Subject;
use crate::tui::windows::quiz::Shelf;
use analysis::{export, inquire, match_rollouts, plays, rollouts, second_opinion};
use document::open_source;
use input::dispatch::attempt;
use input::{mouse, typing};
use lines::{by_hand, draft, moved_match, person, played_match, transcript};
use quizzes::{quiz, quiz_request};
use windows::{errors, kept_list, library, plan, rating};

/// How long a message stays in the bottom line.
const STATUS_SHOWN: Duration = Duration::from_secs(4);
/// A pasted text that is longer is no position and no path: a block of XG's with all its plays is
/// shorter.
const PASTE: usize = 1 << 16;

/// Takes one message in.
pub fn update(app: &mut App, message: Message, now: Instant) {
    update_all(app, [message], now);
}

/// Takes messages in, one after the other. What was selected in a list whose order they change is looked for once, as a
/// long list takes as long as many messages.
pub fn update_all(app: &mut App, messages: impl IntoIterator<Item = Message>, now: Instant) {
    let error = errors::selected_error(app);
    let rollout = kept_list::selected(app);
    for message in messages {
        update_one(app, message, now);
    }
    errors::keep_error(app, error);
    kept_list::keep_selected(app, rollout);
}

fn update_one(app: &mut App, message: Message, now: Instant) {
    app.now = now;
    app.study.pass(now);
    if let Some(of) = generation(&message).filter(|of| *of != app.document.generation) {
        return elsewhere(app, message, of);
    }
    let before = InView::of(app);
    take_in(app, message, now);
    played_match::go_on(app);
    before.ask_again(app);
    inquire::drop_unseen(app);
    document::catch_up(app);
}

/// Takes in an answer about something else than what is in view.
fn elsewhere(app: &mut App, message: Message, of: u64) {
    if of == app.home().generation {
        return about_home(app, message);
    }
    match Subject::of(of) {
        Subject::Question => quiz::analysed(app, message),
        Subject::Tutored => {
            person::weighed(app, &message);
            played_match::go_on(app);
        }
        Subject::Draft => draft::analysed(app, message),
        // It is no longer open.
        Subject::Document | Subject::Line => {}
    }
}

fn take_in(app: &mut App, message: Message, now: Instant) {
    match message {
        Message::Input(event) => input(app, event),
        Message::Remembered { reviews, .. } => document::remembered(app, reviews),
        Message::Reviewed {
            turn,
            ply,
            standing,
            review,
            ..
        } => document::reviewed(app, turn, ply, standing, review),
        Message::ReviewFailed {
            turn,
            ply,
            is_standard,
            why,
            ..
        } => document::review_failed(app, turn, ply, is_standard, &why),
        Message::Notes {
            notes, variations, ..
        } => notes::read(app, notes, variations),
        Message::Library { number, found } => library::found(app, number, found),
        Message::Filled(news) => library::filled(app, news),
        Message::Plan { number, news } => plan::news(app, number, news),
        Message::KeptList(list) => kept_list::found(app, list),
        Message::Completed { typed, found } => windows::open::completed(app, &typed, found),
        Message::Rating { number, news } => rating::news(app, number, news),
        Message::Copied { what, text, by } => plays::copied(app, what, text, by),
        Message::NoteKept { is_removed } => notes::kept(app, is_removed),
        Message::NoteJoined(joined) => notes::joined(app, &joined),
        Message::InLibrary { name, kept } => folder::added(app, &name, &kept),
        Message::QuizFound { wanted, decisions } => quiz_request::found(app, *wanted, decisions),
        Message::ByHand { number, news } => by_hand::came(app, number, news),
        Message::SecondOpinion { question, figures } => {
            second_opinion::came(app, &question, figures);
        }
        Message::Study { cards, micros } => app.study = Shelf::new(cards, micros, now),
        Message::Unsaved { store, unsaved } => not_saved(app, store, unsaved),
        Message::Rollout {
            job,
            result,
            finished,
        } => rollouts::came(app, job, result, finished),
        Message::Kept { rollouts, .. } => rollouts::remembered(app, rollouts),
        Message::MatchRollouts { number, news, .. } => match_rollouts::news(app, number, news),
        Message::Chosen { job, pilot } => rollouts::chosen(app, job, pilot),
        Message::RolloutFailed { job, why } => rollouts::failed(app, job, &why),
        Message::Opened(number, document) => {
            if document::answered(app, number, document) {
                transcript::begin_new(app);
            }
        }
        Message::MatchBegun(Ok(path)) => document::open_to_play_on(app, path),
        Message::MatchBegun(Err(why)) => app.warn(format!("no match was begun: {why}")),
        Message::MatchMoved(moved) => moved_match::moved(app, &moved),
        Message::FileChanged => app.openings.fall_behind(),
        Message::Reread(number, document) => document::reread(app, number, document),
        Message::Themes { themes, errors } => appearance::themes_read(app, themes, &errors),
        Message::Found { number, finding } => inquire::found(app, number, finding),
        Message::Warning(text) => app.report(text),
        Message::Mended(text) => app.take_back(&text),
        Message::Saved(path) => document::saved(app, path),
        Message::Statistics { generation, found } => {
            windows::statistics::found(app, generation, found);
        }
        Message::SettingsSaved(words) => app.say(words),
        Message::Exported(number, done) => {
            export::done(app, number, done);
            document::guard(app);
        }
        Message::Ending => {
            notes::keep_open(app);
            played_match::fill_library(app);
        }
        Message::Tick => tick(app),
    }
}

/// Which of the windows that are read from the library is in view, and what it has asked last.
struct InView {
    library: Option<u64>,
    plan: Option<u64>,
}

impl InView {
    fn of(app: &App) -> Self {
        let is = |scope| app.scope() == scope;
        Self {
            library: is(KeyScope::Library).then_some(app.library.number),
            plan: is(KeyScope::Plan).then_some(app.plan.asked.number),
        }
    }

    /// Has a window that has come into view again ask again: matches may have come or gone since, or its question was
    /// not answered to its end.
    fn ask_again(self, app: &mut App) {
        let now = Self::of(app);
        if now.library.is_some() && self.library.is_none() {
            library::ask_again(app);
        }
        if now.plan.is_some() && self.plan.is_none() {
            plan::read_again(app);
        }
    }
}

/// The document that a message is about, if it is about one: it may no longer be open.
fn generation(message: &Message) -> Option<u64> {
    match message {
        Message::Remembered { generation, .. }
        | Message::Reviewed { generation, .. }
        | Message::ReviewFailed { generation, .. }
        | Message::Notes { generation, .. }
        | Message::Kept { generation, .. }
        | Message::MatchRollouts { generation, .. } => Some(*generation),
        _ => None,
    }
}

/// A message about the match while a variation is in view. What was found of a turn is found again later.
fn about_home(app: &mut App, message: Message) {
    match message {
        Message::Notes {
            notes, variations, ..
        } => notes::read(app, notes, variations),
        Message::Kept { rollouts, .. } => rollouts::remembered(app, rollouts),
        Message::MatchRollouts { number, news, .. } => match_rollouts::news(app, number, news),
        _ => {}
    }
}

fn tick(app: &mut App) {
    let now = app.now;
    if app
        .status
        .as_ref()
        .is_some_and(|n| now >= n.since + STATUS_SHOWN)
    {
        // A question that is no longer read is asked again.
        app.confirmation.withdraw();
        app.status = None;
    }
    if let Some(motion) = &app.motion {
        app.is_awaited = true;
        if motion.is_over(now) {
            app.motion = None;
        }
    }
    if app.ranking.due().is_some_and(|due| now >= due) {
        ranking::rerank(app);
    }
}

/// When the clock has something to do, if ever.
pub fn next_tick(app: &App) -> Option<Instant> {
    let status = app.status.as_ref().map(|n| n.since + STATUS_SHOWN);
    let frame = app.motion.as_ref().map(|m| m.next_frame(app.now));
    let due = [status, app.ranking.due(), pilot_tick(app), frame];
    due.into_iter().flatten().min()
}

/// While a pilot is at work its seconds are counted on the screen.
fn pilot_tick(app: &App) -> Option<Instant> {
    let job = app.jobs.current()?;
    let seconds = job.piloted_for(app.now)?.as_secs();
    Some(job.started? + Duration::from_secs(seconds + 1))
}

/// Tells what a store could not save, or that it has.
fn not_saved(app: &mut App, store: StoreName, unsaved: UnsavedRecords) {
    if unsaved.count == 0 {
        app.unsaved.remove(&store);
        return match app.unsaved() {
            0 => app.say("all that waited is saved now"),
            left => app.warn(format!(
                "{} saved now, {left} of other kinds not yet ({})",
                store.plural(),
                app.keymap.named("{warnings}")
            )),
        };
    }
    let counted = store.counted(unsaved.count);
    let text = format!(
        "{counted} not saved yet ({}): {}",
        app.keymap.named("{warnings}"),
        unsaved.why
    );
    if app.unsaved.insert(store, unsaved).is_none() {
        app.warn(text);
    }
}

fn input(app: &mut App, event: Event) {
    // What is only moved over, or let go of, leaves a play that is seen being made.
    let goes_on = match &event {
        Event::Key(key) => key.kind != KeyEventKind::Release,
        Event::Mouse(event) => matches!(event.kind, MouseEventKind::Down(_)),
        _ => matches!(event, Event::Paste(_)),
    };
    if goes_on {
        app.motion = None;
    }
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            app.status = None;
            press(app, Key::of(&key));
        }
        Event::Mouse(event) => {
            if matches!(event.kind, MouseEventKind::Down(_)) {
                app.confirmation.go_on();
            }
            mouse::mouse(app, event);
        }
        Event::Paste(text) => {
            app.confirmation.go_on();
            paste(app, &text);
        }
        _ => {}
    }
}

/// Does what a key means.
fn press(app: &mut App, key: Key) {
    let scope = app.scope();
    app.pending.push(key);
    let meaning = app.keymap.meaning(scope, &app.pending);
    // The user's own keys may have it for something else.
    if key == Key::CTRL_H && matches!(meaning, Meaning::Nothing) {
        app.pending.pop();
        return press(app, Key::BACKSPACE);
    }
    // Over a slow line Esc and the key after it come together, which is how a terminal sends that key with Alt. A console
    // of Windows tells them apart, and what is typed in a window would be lost.
    if let Some(after) = key.after_esc().filter(|_| cfg!(unix))
        && matches!(meaning, Meaning::Nothing)
        && !typing::takes_text(app)
    {
        app.pending.pop();
        press(app, Key::ESC);
        return press(app, after);
    }
    if !matches!(meaning, Meaning::Prefix) {
        app.confirmation.go_on();
    }
    match meaning {
        Meaning::Action(action) => {
            app.pending.clear();
            match action.id {
                ActionId::Count => editor::count(app, key),
                ActionId::Choice if scope == KeyScope::Plan => plan::digit(app, key),
                ActionId::Choice => quiz::digit(app, key),
                _ => attempt(app, action),
            }
        }
        Meaning::Prefix => {}
        // It takes the keys before it back.
        Meaning::Nothing if key == Key::ESC && app.pending.len() > 1 => app.pending.clear(),
        Meaning::Nothing => {
            let keys: String = app.pending.drain(..).map(|k| k.to_string()).collect();
            let is_screen = matches!(scope, KeyScope::Match | KeyScope::Editor | KeyScope::Quiz);
            let is_taken = typing::typed(app, key)
                || transcript::begins_line(app, key)
                || plays::digit(app, key);
            if !is_taken && is_screen {
                let help = app.keymap.named_in(scope, "{help}");
                app.say(format!("{keys} means nothing here, {help} shows the keys"));
            }
        }
    }
}

fn paste(app: &mut App, text: &str) {
    if typing::pasted(app, text) {
        return;
    }
    if text.trim().is_empty() {
        return;
    }
    if text.len() > PASTE {
        app.warn("what was pasted is too long for a position ID or a path");
        return;
    }
    if draft::written(app, text) {
        return;
    }
    if app.quiz.is_some() {
        quiz::typed(app, text.trim());
        return;
    }
    if let Some(list) = Openable::pasted(text) {
        open_source(app, list);
        return;
    }
    let source = match notation::looks_like_id(text).then(|| notation::parse_id(text)) {
        Some(Ok(state)) => Openable::Id(as_written(text, &state)),
        // The reason first: what was pasted is longer than the line.
        Some(Err(error)) => return app.warn(format!("{error}: {}", text::clean(text.trim(), 60))),
        None => {
            let source = Openable::dropped(text.trim());
            if let Some(why) = no_path(text.trim(), &source) {
                let text = text::clean(text.trim(), 60);
                return app.warn(format!("{why}: {text}"));
            }
            source
        }
    };
    open_source(app, source);
}

/// Why a text is no path: it has several lines, or no file is there and it is long or has no sign of a path; `source` is
/// what it means.
fn no_path(text: &str, source: &Openable) -> Option<&'static str> {
    const LONG: usize = 120;
    let has_lines = text.contains(['\n', '\r']);
    let is_there = || matches!(source, Openable::File(path) if path.exists());
    let is_prose = has_lines || text.chars().count() > LONG;
    let is_word = !text.contains(['/', '\\', '.', '~']);
    if !has_lines && (is_there() || !(is_prose || is_word)) {
        return None;
    }
    Some(match (is_prose, gnubg_id::is_match_id(text)) {
        (true, _) => "neither a position nor a file; save the text of a match to open it",
        (false, true) => "a match ID alone has no board; the position ID goes before it",
        (false, false) => "neither a position nor a file",
    })
}

/// The word of a pasted text that is its position, if one says all, else an XGID.
fn as_written(text: &str, state: &GameState) -> String {
    let says_all = |word: &&str| notation::parse_id(word).as_ref() == Ok(state);
    match text.split_whitespace().find(says_all) {
        Some(word) => word.to_owned(),
        None => notation::xgid_text(state),
    }
}

/// Goes on with the match of the file in view.
pub(super) fn play_on(app: &mut App, how: PlayOn) {
    match how {
        PlayOn::AgainstProgram { has_tutor } => played_match::begin(app, has_tutor),
        PlayOn::Transcript => transcript::begin(app),
    }
}
