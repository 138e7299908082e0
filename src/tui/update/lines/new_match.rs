//! A new match, against the program or transcribed: asked for in a window, and begun.

use std::path::{Path, PathBuf};

use tui_input::Input;

use crate::match_file::Match;
use crate::tui::documents::new_match::{CORRECT, GO_ON, NewMatch};
use crate::tui::documents::played_match::seed_of;
use crate::tui::documents::transcript::can_transcribe;
use crate::tui::state::{App, Effect};
use crate::tui::windows::overlay::Overlay;

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
    app.overlay = Some(Overlay::NewMatch {
        is_transcribed,
        input: Input::new(proposed),
        is_proposed: true,
    });
}

/// The match against the program that is proposed: like the one in view, which is over, or like the one that was played
/// last; else the usual one.
fn usual(app: &App, seed: u64) -> NewMatch {
    let record: &Match = &app.document.record;
    let left = app.left_play.as_deref();
    let mut played = [Some(record), left].into_iter().flatten();
    match played.find(|record| seed_of(record).is_some()) {
        Some(played) => NewMatch::like(played, seed),
        None => NewMatch::usual(seed),
    }
}

/// Begins the match that was typed; answers whether it was understood.
pub(in crate::tui::update) fn accept(app: &mut App, is_transcribed: bool, typed: &str) -> bool {
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
    let record = &app.document.record;
    let path = seed_of(record).and(record.path.as_deref())?;
    path.parent().map(Path::to_owned)
}
