//! A new match, against the program or transcribed: asked for in a window, and begun.

use std::path::{Path, PathBuf};

use crate::match_file::Match;
use crate::tui::documents::new_match::{CORRECT, GO_ON, NewMatch};
use crate::tui::documents::played_match::seed_of;
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::state::{App, Effect, Openable};
use crate::tui::windows::overlay::{Overlay, Prompt};

/// Asks what a match against the program is played by.
pub(super) fn ask_to_play(app: &mut App) {
    let terms = match app.match_to_go_on() {
        Some(_) => GO_ON.to_owned(),
        None => usual(app, 0).terms(),
    };
    ask(app, false, terms);
}

/// Asks for the length of a match that is transcribed, and for the names.
pub(super) fn ask_to_transcribe(app: &mut App) {
    let terms = match can_transcribe(&app.document.record) {
        Ok(()) => CORRECT.to_owned(),
        Err(_) => NewMatch::transcript().terms(),
    };
    ask(app, true, terms);
}

/// Opens the window in which that is typed, with a text that is proposed.
fn ask(app: &mut App, is_transcribed: bool, proposed: String) {
    let what = Prompt::NewMatch { is_transcribed };
    app.overlay = Some(Overlay::proposal(what, proposed));
}

/// The match against the program that is proposed: like the one in view, which is over, or like the one that was played
/// last; else the usual one.
fn usual(app: &App, seed: u64) -> NewMatch {
    let record: &Match = &app.home().record;
    let last = app.last_play.as_ref();
    let last = last.and_then(|last| last.record.as_deref());
    let mut played = [Some(record), last].into_iter().flatten();
    match played.find(|record| seed_of(record).is_some()) {
        Some(played) => NewMatch::like(played, seed),
        None => NewMatch::usual(seed),
    }
}

/// Something cannot be opened: says so, and proposes another match where it is the one that was left.
pub(crate) fn not_opened(app: &mut App, failed: Option<&Openable>, why: String) {
    let wanted = app.new_match.take();
    let wanted = wanted.filter(|path| failed == Some(&Openable::File(path.clone())));
    let is_left = wanted.is_some_and(|path| app.match_to_go_on() == Some(&*path));
    match is_left {
        true => propose_another(
            app,
            &format!("the match that was left cannot be opened: {why}"),
        ),
        false => app.warn(why),
    }
}

/// Why the match in view, if it is the one that was left, cannot be gone on with any more: its file may have been changed
/// since.
pub(super) fn why_not_go_on(app: &App) -> Option<&'static str> {
    let record = &app.document.record;
    let last = app.last_play.as_ref()?;
    match seed_of(record) {
        _ if record.path.as_ref() != Some(&last.path) => None,
        None => Some("this file no longer has the match that was left"),
        Some(_) if record.is_won() => Some("the match that was left has come to its end meanwhile"),
        Some(_) => None,
    }
}

/// Says why the match that was left is not gone on with, and proposes another, unless the user is at something else by
/// now.
pub(super) fn propose_another(app: &mut App, why: &str) {
    app.end_last_play();
    let is_free = app.overlay.is_none() && app.variation.is_none();
    if is_free && app.quiz.is_none() && app.editor.is_none() {
        ask_to_play(app);
        app.openings.guard();
    }
    app.warn(why);
}

/// Begins the match that was typed; answers whether it was understood.
pub(crate) fn accept(app: &mut App, is_transcribed: bool, typed: &str) -> bool {
    let read = match is_transcribed {
        true => NewMatch::transcript().with_names(typed),
        false => {
            let seed = app.dice_cup.seed();
            usual(app, seed).with_terms(typed)
        }
    };
    let new = match read {
        Ok(new) => new.in_session(app.model.table.has_crawford()),
        Err(why) => {
            app.warn(why);
            return false;
        }
    };
    let folder = folder(app).filter(|_| !is_transcribed);
    app.effects.push(Effect::BeginMatch(Box::new(new), folder));
    true
}

/// The folder of the match against the program in view: the next one comes there as well.
fn folder(app: &App) -> Option<PathBuf> {
    let record = &app.home().record;
    let path = seed_of(record).and(record.path.as_deref())?;
    path.parent().map(Path::to_owned)
}
