//! What each message changes. No terminal, no threads, no disk: what has to happen outside is left
//! in [`App::effects`].

mod filters;
mod inquire;
mod inquiry_walk;
mod match_rollouts;
mod plays;
mod walk;
mod windows;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use ratatui::crossterm::event::{Event, KeyEventKind, MouseButton, MouseEvent, MouseEventKind};

use super::actions::{ActionEntry, ActionId, KeyScope};
use super::candidate_rows;
use super::jobs::JobState;
use super::keys::{Key, Meaning, meaning};
use super::message::{Message, StoreName};
use super::overlay::Overlay;
use super::state::{App, Document, Effect, Focus, Openable};
use crate::store::{Notes, UnsavedRecords};

/// Asks whether to leave a rollout.
const LEAVE: &str = "a rollout is under way: q again quits";
/// Asks whether to leave what is not saved.
const UNSAVED: &str = "not everything is saved yet, W says why: q again quits";
/// Longest reason of what has failed, in characters.
const REASON: usize = 1000;
/// How long a message stays.
const STATUS_SHOWN: Duration = Duration::from_secs(4);
/// A pasted text that is longer cannot be an ID or a path.
const PASTE: usize = 4096;

/// Takes one message in.
pub fn update(app: &mut App, message: Message, now: Instant) {
    app.now = now;
    match message {
        Message::Input(event) => input(app, event),
        Message::Remembered {
            generation,
            reviews,
        } => {
            if generation == app.document.generation && !app.document.is_analysed() {
                app.document.remember(reviews);
                app.effects.push(Effect::Remember);
                match_rollouts::analysed(app);
                candidate_rows::rerank(app);
            }
        }
        Message::Reviewed {
            generation,
            turn,
            ply,
            standing,
            review,
        } => {
            if generation == app.document.generation {
                let before = app.document.is_analysed();
                app.document.analysed(turn, ply, standing, review);
                if !before {
                    analysed(app);
                }
                if turn == app.at {
                    candidate_rows::rerank(app);
                }
            }
        }
        Message::ReviewFailed {
            generation,
            turn,
            ply,
            is_standard,
            why,
        } => {
            if generation == app.document.generation {
                review_failed(app, (turn, ply), is_standard, &why);
            }
        }
        Message::Notes { generation, notes } => {
            if generation == app.document.generation {
                notes_read(app, notes);
            }
        }
        Message::NoteKept { is_removed } => {
            // Of what has waited it is said that all of it is saved.
            if !app.unsaved.contains_key(&StoreName::Notes) {
                app.say(if is_removed {
                    "note removed"
                } else {
                    "note kept"
                });
            }
        }
        Message::Unsaved { store, unsaved } => not_saved(app, store, unsaved),
        Message::Rollout {
            job,
            result,
            finished,
        } => {
            app.jobs.update(job, result, finished);
            if app.jobs.frozen().is_none() {
                candidate_rows::rerank(app);
            }
            start_next(app);
            settle(app);
        }
        Message::MatchRollouts { generation, news } => {
            if generation == app.document.generation {
                match_rollouts::news(app, news);
            }
        }
        Message::Kept {
            generation,
            rollouts,
        } => {
            if generation == app.document.generation {
                let count = app.jobs.remember(rollouts);
                if count > 0 {
                    let s = if count == 1 { "" } else { "s" };
                    app.say(format!("from earlier: {count} rollout{s} of this match"));
                }
                settle(app);
            }
        }
        Message::Chosen { job, pilot } => {
            if let Some(job) = app.jobs.get_mut(job) {
                job.choose(pilot);
            }
        }
        Message::RolloutFailed { job, why } => {
            if let Some(job) = app.jobs.get_mut(job) {
                job.state = JobState::Failed(why.clone());
            }
            start_next(app);
            settle(app);
            app.warn(format!("the rollout failed: {why}"));
        }
        Message::Found { number, finding } => app.inquiries.found(number, finding),
        Message::Opened(Ok(document)) => opened(app, *document),
        Message::Opened(Err(why)) => not_opened(app, why),
        Message::Reread(Ok(document)) => reread(app, *document),
        Message::Reread(Err(why)) => app.warn(format!("changed, but cannot be read: {why}")),
        Message::Themes { themes, errors } => themes_read(app, themes, &errors),
        Message::Warning(text) => app.report(text),
        Message::Saved(path) => saved(app, path),
        Message::Tick => {
            if app
                .status
                .as_ref()
                .is_some_and(|n| now >= n.since + STATUS_SHOWN)
            {
                // A question that is no longer read is asked again.
                app.asked_to_quit = false;
                app.status = None;
            }
            if app.ranking.due().is_some_and(|due| now >= due) {
                candidate_rows::rerank(app);
            }
        }
    }
    inquire::settle(app);
}

/// When the clock has something to do, if ever.
#[must_use]
pub fn next_tick(app: &App) -> Option<Instant> {
    let status = app.status.as_ref().map(|n| n.since + STATUS_SHOWN);
    let due = [status, app.ranking.due(), pilot_tick(app)];
    due.into_iter().flatten().min()
}

/// While a pilot is at work its seconds are counted on the screen.
fn pilot_tick(app: &App) -> Option<Instant> {
    let job = app.jobs.current()?;
    let seconds = job.piloted_for(app.now)?.as_secs();
    Some(job.started? + Duration::from_secs(seconds + 1))
}

/// The standard review may have ended.
fn analysed(app: &mut App) {
    if !app.document.is_analysed() {
        return;
    }
    // What could not be analysed now may be another time.
    if app.document.failed.is_empty() {
        app.effects.push(Effect::KeepReview);
    }
    match_rollouts::analysed(app);
}

/// A turn could not be analysed: it is marked, and the rest goes on without it.
fn review_failed(app: &mut App, (turn, ply): (usize, u8), is_standard: bool, why: &str) {
    let why = super::text::clean(why, REASON);
    let Some(number) = app.document.turns.get(turn).map(|t| t.number) else {
        return;
    };
    let before = app.document.is_analysed();
    if is_standard {
        app.document.fail(turn, why);
        app.warn(format!("move {number} could not be analysed, W says why"));
    } else {
        app.report(format!(
            "move {number} could not be analysed at {ply}-ply: {why}"
        ));
    }
    if !before {
        analysed(app);
    }
}

/// The notes of the match that is open. What was written since is newer.
fn notes_read(app: &mut App, notes: Notes) {
    let document = &mut app.document;
    for (place, text) in notes {
        if !document.written.contains(&place) {
            let text = super::text::clean(&text, crate::store::notes::LONGEST_NOTE);
            document.notes.insert(place, text);
        }
    }
}

/// What a store could not save; nothing once it has.
fn not_saved(app: &mut App, store: StoreName, unsaved: UnsavedRecords) {
    if unsaved.count == 0 {
        app.unsaved.remove(&store);
        return app.say("all that waited is saved now");
    }
    let counted = store.counted(unsaved.count);
    let text = format!("{counted} not saved yet (W): {}", unsaved.why);
    if app.unsaved.insert(store, unsaved).is_none() {
        app.warn(text);
    }
}

/// Without a rollout there is nothing to ask about before one leaves.
fn settle(app: &mut App) {
    if !app.asked_to_quit || app.jobs.active().next().is_some() {
        return;
    }
    app.asked_to_quit = false;
    app.status.take_if(|status| status.text == LEAVE);
}

/// Starts the next rollout if none runs.
fn start_next(app: &mut App) {
    if let Some(id) = app.jobs.next() {
        let now = app.now;
        if let Some(job) = app.jobs.get_mut(id) {
            job.state = JobState::Running;
            job.started = Some(now);
        }
        app.effects.push(Effect::Start(id));
    }
}

/// What cannot be opened is no place to come back to.
fn not_opened(app: &mut App, why: String) {
    if app.source != app.shown && app.source < app.sources.len() {
        app.sources.remove(app.source);
        app.shown -= usize::from(app.source < app.shown);
        app.source = app.shown;
    }
    app.warn(why);
}

fn opened(app: &mut App, document: Document) {
    app.shown = app.source;
    let warnings = document.record.warnings.len();
    app.document = document;
    let known = app.sources.get(app.source).and_then(|s| app.left.get(s));
    let last = app.document.turns.len().saturating_sub(1);
    app.at = known.copied().unwrap_or(0).min(last);
    if app.match_rollouts.take().is_some() {
        app.jobs.end_match_rollouts();
    }
    app.effects.push(Effect::EndMatchRollouts);
    app.effects.push(Effect::Review);
    walk::arrive(app);
    if warnings > 0 {
        let s = if warnings == 1 { "" } else { "s" };
        app.warn(format!("{warnings} warning{s} in this file, W lists them"));
    }
}

/// A match was saved in the watched folder. The one that is open is read again by itself.
fn saved(app: &mut App, path: PathBuf) {
    if app.document.record.path.as_ref() == Some(&path) {
        return;
    }
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    app.say(format!(
        "new match: {}, O opens it",
        super::text::cut(&name, 60)
    ));
    app.arrived = Some(path);
}

/// The same file, changed: stays where the reader is, as far as it goes on.
fn reread(app: &mut App, document: Document) {
    let at = app.at;
    opened(app, document);
    app.at = at.min(app.document.turns.len().saturating_sub(1));
    walk::arrive(app);
    app.say("the file has changed and was read again");
}

fn themes_read(app: &mut App, themes: Vec<super::theme::Theme>, errors: &[String]) {
    let name = app.theme().name.clone();
    let own: Vec<String> = themes.iter().map(|t| t.name.clone()).collect();
    let mut all: Vec<_> = super::theme::Theme::builtin()
        .into_iter()
        .filter(|t| !own.contains(&t.name))
        .chain(themes)
        .map(|t| t.at_depth(app.depth))
        .collect();
    if let Some(error) = errors.first() {
        // A theme that is broken now keeps the look it had.
        for old in &app.themes {
            if !all.iter().any(|t| t.name == old.name) {
                all.push(old.clone());
            }
        }
        if let Some(i) = all.iter().position(|t| t.name == name) {
            let old = app.theme().clone();
            let broken = errors.iter().any(|e| e.contains(&name));
            if broken {
                all[i] = old;
            }
        }
        app.warn(error.clone());
    }
    app.themes = all;
    app.theme = 0;
    let wanted = app.settings.theme.clone();
    let may = !wanted.is_empty() && app.depth != super::theme::Depth::None;
    if may && app.choose_theme(&wanted) {
        return;
    }
    if may && errors.is_empty() {
        app.warn(format!("there is no theme '{wanted}'"));
    }
    if !app.choose_theme(&name) {
        app.choose_theme("dark");
    }
}

fn input(app: &mut App, event: Event) {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => {
            app.status = None;
            press(app, Key::of(&key));
        }
        Event::Mouse(event) => mouse(app, event),
        Event::Paste(text) => paste(app, &text),
        _ => {}
    }
}

fn press(app: &mut App, key: Key) {
    let scope = app.scope();
    app.pending.push(key);
    match meaning(scope, &app.pending) {
        Meaning::Action(action) => {
            app.pending.clear();
            attempt(app, action);
        }
        Meaning::Prefix => {}
        Meaning::Nothing => {
            let keys: String = app.pending.drain(..).map(|k| k.to_string()).collect();
            if !windows::typed(app, key) && scope == KeyScope::Match {
                app.say(format!("{keys} means nothing here, ? shows the keys"));
            }
        }
    }
}

/// Does an action if it can be done, or says why not.
pub fn attempt(app: &mut App, action: &'static ActionEntry) {
    match (action.enabled)(app) {
        Ok(()) => act(app, action.id),
        Err(why) => app.say(why),
    }
}

fn act(app: &mut App, action: ActionId) {
    let asked = std::mem::take(&mut app.asked_to_quit);
    if app.overlay.is_some() && windows::act(app, action) {
        return;
    }
    match action {
        ActionId::NextTurn => walk::go(app, app.at + 1),
        ActionId::PreviousTurn => walk::go(app, app.at.saturating_sub(1)),
        ActionId::NextGame => walk::game(app, true),
        ActionId::PreviousGame => walk::game(app, false),
        ActionId::NextError => walk::error(app, true),
        ActionId::PreviousError => walk::error(app, false),
        ActionId::Down | ActionId::Up | ActionId::First | ActionId::Last => match app.focus {
            Focus::Moves => walk::list(app, action),
            Focus::Candidates => plays::select(app, action),
        },
        ActionId::FocusNext | ActionId::FocusPrevious => {
            app.focus = match app.focus {
                Focus::Moves => Focus::Candidates,
                Focus::Candidates => Focus::Moves,
            };
        }
        ActionId::Look => plays::look(app),
        ActionId::Mark => plays::mark(app),
        ActionId::RollOut => plays::roll_out(app),
        ActionId::Compare => plays::compare(app),
        ActionId::Why => inquire::why(app, plays::pair(app)),
        ActionId::Matrix => inquire::matrix(app),
        ActionId::Pause if app.jobs.current().is_none() => match_rollouts::pause(app),
        ActionId::Pause => plays::pause(app),
        ActionId::Stop if app.jobs.active().next().is_none() => match_rollouts::stop(app),
        ActionId::Stop => plays::stop(app),
        ActionId::RollMatch if app.match_rollouts.is_some() => match_rollouts::stop(app),
        ActionId::Freeze => {
            let now = app.now;
            app.jobs.toggle_freeze(now);
            candidate_rows::rerank(app);
        }
        ActionId::Deeper => deepen(app, app.settings.ply + 1),
        ActionId::Shallower => deepen(app, app.settings.ply.saturating_sub(1)),
        ActionId::Columns => app.options.chances = !app.options.chances,
        ActionId::Units => plays::change_units(app),
        ActionId::Flip => app.options.flipped = !app.options.flipped,
        ActionId::Mirror => app.options.mirrored = !app.options.mirrored,
        ActionId::Pips => app.options.pips = !app.options.pips,
        ActionId::Hide => {
            app.options.hidden = !app.options.hidden;
            app.selection = super::state::Selection::default();
        }
        ActionId::Threshold | ActionId::Whose | ActionId::Class => filters::change(app, action),
        ActionId::OpenNew => {
            if let Some(path) = app.arrived.take() {
                open_source(app, Openable::File(path));
            }
        }
        ActionId::NextFile | ActionId::PreviousFile => {
            let n = app.sources.len().max(1);
            let step = if action == ActionId::NextFile {
                1
            } else {
                n - 1
            };
            leave(app);
            app.source = (app.source + step) % n;
            if let Some(source) = app.sources.get(app.source).cloned() {
                app.effects.push(Effect::Open(source));
            }
        }
        ActionId::CopyXgid | ActionId::CopyGnubg | ActionId::CopyTable => plays::copy(app, action),
        ActionId::NextTheme => {
            app.theme = (app.theme + 1) % app.themes.len();
            app.settings.theme = app.theme().name.clone();
            app.say(format!("theme: {}", app.theme().name));
        }
        ActionId::SaveSettings => app.effects.push(Effect::SaveSettings),
        ActionId::Open
        | ActionId::Note
        | ActionId::RollMatch
        | ActionId::Signs
        | ActionId::Dice
        | ActionId::Palette
        | ActionId::Help
        | ActionId::Errors
        | ActionId::Warnings
        | ActionId::RolloutSettings => {
            windows::open(app, action);
        }
        ActionId::Before => walk::before(app),
        ActionId::Back if app.before.is_some() => walk::before(app),
        ActionId::Back => {
            app.selection.play = None;
        }
        ActionId::Quit if !asked && app.jobs.active().next().is_some() => {
            app.asked_to_quit = true;
            app.say(LEAVE);
        }
        ActionId::Quit if !asked && app.unsaved() > 0 => {
            app.asked_to_quit = true;
            app.warn(UNSAVED);
        }
        ActionId::Quit | ActionId::QuitNow => app.effects.push(Effect::Quit),
        ActionId::Redraw => app.effects.push(Effect::Redraw),
        ActionId::Suspend => app.effects.push(Effect::Suspend),
        ActionId::Close
        | ActionId::Accept
        | ActionId::Less
        | ActionId::More
        | ActionId::Complete
        | ActionId::PageDown
        | ActionId::PageUp => {}
    }
}

fn deepen(app: &mut App, ply: u8) {
    app.settings.ply = ply.min(3);
    candidate_rows::rerank(app);
    walk::look(app);
}

fn paste(app: &mut App, text: &str) {
    if windows::pasted(app, text) {
        return;
    }
    if text.len() > PASTE {
        app.warn("what was pasted is too long for a position ID or a path");
        return;
    }
    // An ID may stand in a block of text, as forums quote it.
    let id = text
        .split_whitespace()
        .find(|word| super::open::looks_like_id(word));
    let source = match id {
        Some(id) => Openable::Id(id.to_owned()),
        None => Openable::of(text.trim().trim_matches(['"', '\''])),
    };
    open_source(app, source);
}

/// Remembers the place in the file that is open.
fn leave(app: &mut App) {
    if let Some(source) = app.sources.get(app.source) {
        app.left.insert(source.clone(), app.at);
    }
}

/// Opens something new; `[` leads back from it to what was open.
fn open_source(app: &mut App, source: Openable) {
    leave(app);
    if matches!((&source, &app.arrived), (Openable::File(a), Some(b)) if a == b) {
        app.arrived = None;
    }
    if app.sources.is_empty() {
        app.sources.push(Openable::Sample);
    }
    app.source = match app.sources.iter().position(|s| *s == source) {
        Some(known) => known,
        None => {
            app.sources.insert(app.source + 1, source.clone());
            app.source + 1
        }
    };
    app.effects.push(Effect::Open(source));
}

fn mouse(app: &mut App, event: MouseEvent) {
    let down = match event.kind {
        MouseEventKind::ScrollDown => Some(true),
        MouseEventKind::ScrollUp => Some(false),
        MouseEventKind::Down(MouseButton::Left) => None,
        _ => return,
    };
    if app.overlay.is_some() {
        match down {
            Some(down) => {
                windows::act(app, if down { ActionId::Down } else { ActionId::Up });
            }
            None => windows::click(app, event.column, event.row),
        }
        return;
    }
    let Some((pane, area)) = app.areas.pane_at(event.column, event.row) else {
        return;
    };
    match (pane, down) {
        ("moves", None) => {
            app.focus = Focus::Moves;
            walk::click(app, area, event.row);
        }
        ("strip", None) => {}
        ("moves" | "strip" | "board", Some(true)) => walk::go(app, app.at + 1),
        ("moves" | "strip" | "board", Some(false)) => walk::go(app, app.at.saturating_sub(1)),
        ("board", None) => app.selection.play = None,
        ("candidates", None) => {
            app.focus = Focus::Candidates;
            plays::click(app, area, event.row);
        }
        ("candidates", Some(down)) => {
            plays::select(app, if down { ActionId::Down } else { ActionId::Up })
        }
        _ => {}
    }
}

/// Opens the window of an action, for tests and for the first start.
pub fn show(app: &mut App, overlay: Overlay) {
    app.overlay = Some(overlay);
}
