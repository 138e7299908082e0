//! The document in view: its analysis as it comes, its notes, and other files in its place.

use std::path::PathBuf;
use std::sync::Arc;

use super::analysis::{match_rollouts, rollouts};
use super::carried;
use super::lines::{
    by_hand, draft, new_match, played_match, program, transcript, variations, walk,
};
use super::quizzes::quiz;
use crate::game::Player;
use crate::match_file::Warning;
use crate::match_file::write::Target;
use crate::review::{MatchTurn, StandardReview, TurnReview};
use crate::tui::documents;
use crate::tui::documents::match_decision::MatchDecision;
use crate::tui::documents::places::MOST_LISTED;
use crate::tui::documents::standing::Standing;
use crate::tui::figures::{conditions, troubles};
use crate::tui::keys::ActionId;
use crate::tui::state::{App, Document, Effect, Loss, Openable};
use crate::tui::text;
use crate::tui::update::ranking;
use crate::tui::windows::library::{AwaitedMatch, ExpectedMatch};
use crate::tui::windows::overlay::Overlay;
use crate::words::counted;

/// Longest reason of what has failed, in characters.
const REASON: usize = 1000;

/// The standard review was kept when the match was open before.
pub(super) fn remembered(app: &mut App, reviews: Vec<StandardReview>) {
    if app.document.is_analysed() {
        return;
    }
    app.document.remember(reviews);
    app.effects.push(Effect::Remember);
    match_rollouts::analysed(app);
    ranking::rerank(app);
}

/// Takes in the analysis of a turn.
pub(super) fn reviewed(
    app: &mut App,
    turn: usize,
    ply: u8,
    standing: Standing,
    review: Arc<TurnReview>,
) {
    let before = app.document.is_analysed();
    app.document.analysed(turn, ply, standing, review);
    if !before {
        analysed(app);
    }
    if turn == app.at {
        ranking::rerank(app);
        program::go_on(app);
    }
}

/// The standard review may have ended.
fn analysed(app: &mut App) {
    if !app.document.is_analysed() || app.variation.is_some() {
        return;
    }
    // What could not be analysed now may be another time.
    if app.document.failed.is_empty() {
        let generation = app.document.generation;
        app.effects.push(Effect::KeepReview { generation });
    }
    match_rollouts::analysed(app);
}

/// A turn could not be analysed: it is marked, and the rest goes on without it.
pub(super) fn review_failed(app: &mut App, turn: usize, ply: u8, is_standard: bool, why: &str) {
    let why = text::clean(why, REASON);
    let Some(number) = app.document.turns.get(turn).map(|t| t.number) else {
        return;
    };
    let before = app.document.is_analysed();
    if is_standard {
        app.document.fail(turn, why);
        let where_to = app.keymap.named("{warnings} says why");
        app.warn(format!("move {number} could not be analysed, {where_to}"));
    } else {
        app.report(format!(
            "move {number} could not be analysed at {ply}-ply: {why}"
        ));
    }
    if !before {
        analysed(app);
    }
}

/// Something has been opened, or could not be; answers whether it is in view now. Once something else is being opened
/// nobody waits for it.
pub(super) fn answered(
    app: &mut App,
    number: u64,
    document: Result<Box<Document>, String>,
) -> bool {
    if !app.openings.takes(number) {
        return false;
    }
    match document {
        Ok(document) if is_asking(app) && app.openings.was_before(number) => {
            app.openings.hold(number, document);
            return false;
        }
        Ok(document) => opened(app, *document),
        Err(why) => {
            not_opened(app, why);
            return false;
        }
    }
    true
}

/// Whether the user is in a quiz, in a game by hand, or types something about what is in view.
fn is_asking(app: &App) -> bool {
    is_playing(app) || is_typing(app)
}

fn is_playing(app: &App) -> bool {
    app.quiz.is_some() || app.is_in_game()
}

/// Opens the file of a match, which is gone on with once it is in view.
pub(super) fn open_to_play_on(app: &mut App, path: PathBuf) {
    app.new_match = Some(path.clone());
    if !open_source(app, Openable::File(path)) {
        app.new_match = None;
    }
}

fn is_typing(app: &App) -> bool {
    app.overlay.as_ref().is_some_and(Overlay::is_about_view)
}

/// A window has been opened: what is still being opened waits where something about the present document is typed.
pub(super) fn guard(app: &mut App) {
    // What was asked for since a quiz or a game began may end it.
    if is_typing(app) && !is_playing(app) {
        app.openings.guard();
    }
}

/// Gives up a document that cannot be opened: it is no place to come back to.
fn not_opened(app: &mut App, why: String) {
    let failed = app.sources.get(app.source).cloned();
    if app.source != app.shown && app.source < app.sources.len() {
        app.sources.remove(app.source);
        app.shown -= usize::from(app.source < app.shown);
        app.source = app.shown;
    }
    // Nobody waits for it: neither the list it was chosen from nor the quiz.
    app.awaited = None;
    if let Some(quiz) = &mut app.quiz {
        quiz.is_visiting = false;
    }
    new_match::not_opened(app, failed.as_ref(), why);
}

/// Brings another document into view.
fn opened(app: &mut App, document: Document) {
    draft::end(app);
    quiz::end(app);
    by_hand::end(app);
    played_match::end(app);
    app.openings.catch_up();
    let is_left = app.leave_match_rollouts();
    app.shown = app.source;
    app.variation = None;
    keep_whose(app, &document);
    let warnings = troubles::of_file(&document.record).count();
    app.document = document;
    // The user is below again; boards of others stay as they were turned.
    app.options.flipped &= app.people.own_side(&app.document.record.players).is_none();
    let is_new_list = line_up(app);
    app.opinions = None;
    close_windows(app);
    if app.match_rollouts.take().is_some() {
        app.jobs.end_match_rollouts();
    }
    app.status = None;
    let is_before_roll = app.return_to_place();
    if is_left && app.match_rollouts.is_none() && app.status.is_none() {
        app.say("the rollouts of the match that was left go on when it is shown again");
    }
    app.effects.push(Effect::EndMatchRollouts);
    app.effects.push(Effect::Review);
    rollouts::start_next(app);
    walk::arrive(app);
    if is_before_roll && walk::could_double(app) {
        walk::before(app);
    }
    go_where_awaited(app);
    if is_new_list {
        let said = before_what_is_said(app, &list_words(app));
        app.say(said);
    }
    // From one position of a list to the next it is not told again.
    if is_new_list || app.document.list.is_none() {
        tell_state(app, warnings);
    }
}

/// Goes to the decision for which the document was opened, or says why it is not there.
fn go_where_awaited(app: &mut App) {
    let Some(awaited) = app.awaited.take() else {
        return;
    };
    if app.sources.get(app.source) != Some(&awaited.source) {
        return;
    }
    let home = app.home();
    match awaited.expected.unmet(&home.fingerprint(), &home.turns) {
        Some(why) => app.warn(why),
        None => {
            app.say_keys(awaited.way_back);
            if let Some(turn) = awaited.missed {
                walk::to_decision(app, MatchDecision::silent(turn));
            }
        }
    }
}

/// Says that the match in view goes on, or how many warnings its file has.
fn tell_state(app: &mut App, warnings: usize) {
    // Of a match against the program that goes on it is only said that it is not over.
    let record = &app.document.record;
    let is_open = !record.warnings.is_empty()
        && record.warnings.iter().all(Warning::is_of_open_end)
        && documents::played_match::can_go_on(record).is_ok();
    if is_open {
        let words = app.keymap.named("{play} goes on with this match");
        let said = before_what_is_said(app, &words);
        app.say(said);
    } else if warnings > 0 {
        let count = counted(warnings, "warning");
        let key = app.keymap.named("{warnings}");
        let words = format!("{count} in this file, {key} lists them");
        let said = before_what_is_said(app, &words);
        app.warn(said);
    }
}

/// Whose errors are wanted is said of a person: where another match seats that player elsewhere, the filter follows; where
/// not at all, it ends. Positions between two matches leave it as it is.
fn keep_whose(app: &mut App, next: &Document) {
    if next.record.games.is_empty() {
        return;
    }
    let players = &next.record.players;
    // Where both have the name, the seat tells them apart.
    let seats = [app.options.whose, Some(Player::Left), Some(Player::Right)];
    let name = app.wanted_player.as_ref();
    let is_named = |seat: &Player| Some(&players[seat.index()]) == name;
    app.options.whose = seats.into_iter().flatten().find(is_named);
}

/// A message with what is said already behind it.
fn before_what_is_said(app: &App, text: &str) -> String {
    let said = app.status.as_ref();
    said.map_or_else(
        || text.to_owned(),
        |status| format!("{text}; {}", status.text),
    )
}

/// Has all positions of the list that the one in view is of stand beside each other among what is open, also where the
/// file has got more of them. Answers whether they did not yet.
fn line_up(app: &mut App) -> bool {
    let (Some(list), Some(source)) = (app.document.list, app.sources.get(app.source).cloned())
    else {
        return false;
    };
    let count = list.count.min(MOST_LISTED);
    let all: Vec<Openable> = (0..count).filter_map(|n| source.listed(n)).collect();
    let first = all.first().cloned();
    let is_of_it = |one: &Openable| one.listed(0) == first;
    // Compared and not counted: a list may be named twice.
    let is_known = app.sources.iter().filter(|one| is_of_it(one)).eq(&all);
    if is_known || list.place >= all.len() {
        return false;
    }
    let before = app.sources.iter().take(app.source);
    let start = before.filter(|one| !is_of_it(one)).count();
    app.sources.retain(|one| !is_of_it(one));
    app.sources.splice(start..start, all);
    app.source = start + list.place;
    app.shown = app.source;
    true
}

/// Says which position of its list is in view, and how to go to the others.
fn list_words(app: &App) -> String {
    let Some(list) = app.document.list else {
        return String::new();
    };
    let others = match list.count > MOST_LISTED {
        true => format!("the first {MOST_LISTED}"),
        false => "the others".to_owned(),
    };
    let keys = app.keymap.named("{next file} and {previous file}");
    format!("{}: {keys} show {others}", list.words())
}

/// Closes the windows that are about the document that was in view, or wait for answers about it. What could
/// not be written of it is not asked again.
fn close_windows(app: &mut App) {
    app.overlay.take_if(|overlay| {
        let waits = matches!(
            overlay,
            Overlay::List {
                of: ActionId::Verify,
                ..
            } | Overlay::Statistics { .. }
        );
        waits || overlay.is_about_view()
    });
    app.unwritten
        .iter_mut()
        .for_each(|one| one.is_of_earlier = true);
}

/// A match was saved in the watched folder. The one that is open is read again by itself.
pub(super) fn saved(app: &mut App, path: PathBuf) {
    if app.home().record.path.as_ref() == Some(&path) {
        return;
    }
    let name = path
        .file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy();
    let key = app.keymap.named("{open new match}");
    app.say(format!(
        "new match: {}, {key} opens it",
        text::cut(&name, 60)
    ));
    if app.settings.fill_library {
        app.fill_library(path.clone());
    }
    app.arrived = Some(path);
}

/// The file in view has changed and was read again, or could not be. If it is busy it is read later.
pub(super) fn reread(app: &mut App, number: u64, document: Result<Box<Document>, String>) {
    // What is not taken may be of the file in view all the same, as where the newer opening has failed.
    if is_busy(app) || !app.openings.takes(number) {
        return app.openings.fall_behind();
    }
    match document {
        // Of a file that is no longer in view, or whose content is as it was.
        Ok(document) if document.record.path != app.home().record.path => {}
        Ok(document) if document.key.is_some() && document.key == app.home().key => {}
        Ok(document) => {
            let is_same = (document.key.as_ref().zip(app.home().key.as_ref()))
                .is_some_and(|(new, old)| new.is_of_same_match(old));
            renew(app, *document);
            if is_same {
                let ply = app.review_ply(app.home());
                app.say(format!(
                    "the match is analysed anew, up to {ply}-ply where close"
                ));
            }
        }
        Err(why) => app.warn(why),
    }
}

/// Whether the document in view cannot be renewed without taking something away: the game by hand, the
/// quiz, or what is being opened.
fn is_busy(app: &App) -> bool {
    is_asking(app) || app.openings.is_under_way()
}

/// Shows what was opened during a quiz, a game by hand or while something was typed once that has ended, and reads the
/// file in view again once it has changed.
pub(super) fn catch_up(app: &mut App) {
    if !is_asking(app)
        && let Some(document) = app.openings.release()
    {
        opened(app, *document);
        transcript::begin_new(app);
    }
    if !app.openings.is_behind() || is_busy(app) {
        return;
    }
    match app.home().record.path.clone() {
        Some(path) => {
            let number = app.openings.begin_again();
            app.effects.push(Effect::Reread { number, path });
        }
        None => app.openings.catch_up(),
    }
}

/// Brings the same file into view, changed: the reader stays at the same turn, as far as the file goes on.
fn renew(app: &mut App, document: Document) {
    // A match that was played here is no news: it was written here. Its end is where it was left.
    let path = document.record.path.as_ref();
    let left = app.left_match.as_mut();
    let left = left.filter(|left| !left.is_read && Some(&left.file.path) == path);
    let was_played = left.is_some();
    if let Some(left) = left {
        let [read, written] = [&*document.record, &*left.record].map(|one| Target::Mat.write(one));
        left.is_read = read == written;
    }
    let said = was_played.then(|| app.status.take());
    let at = match app.home_turn() {
        at if was_played && at + 1 >= app.home().turns.len() => usize::MAX,
        at => at,
    };
    // The marks of now come back with it, not those of an earlier time.
    app.leave_place();
    let view = variations::view(app);
    let beside = carried::take(app);
    // What is being edited stays in view.
    let editor = app.editor.take();
    let was_rolled = app.match_rollouts.take().is_some();
    if was_rolled {
        app.jobs.end_match_rollouts();
    }
    opened(app, document);
    let left = carried::put(app, beside);
    app.at = at.min(app.document.turns.len().saturating_sub(1));
    walk::arrive(app);
    variations::view_again(app, view);
    app.editor = editor;
    if let Some(editor) = &mut app.editor {
        // What comes back when the editor is left is of the match as it is now.
        let turn = app.document.turns.get(app.at).copied();
        let before = editor.view.before.take().and(turn);
        (editor.view.before, editor.view.play) =
            (before.as_ref().map(MatchTurn::before_roll), None);
    }
    let ended = match was_rolled {
        true => "; the rollouts of the match have ended",
        false => "",
    };
    let behind = match left {
        0 => String::new(),
        _ => format!(
            "; what is kept beside {} stays with the match as it was",
            counted(left, "turn")
        ),
    };
    match said {
        Some(said) => app.status = said,
        None => app.say(format!(
            "the file has changed and was read again{ended}{behind}"
        )),
    }
}

/// Whether something else may be opened. A game by hand is lost by that, and what of a transcript is not in
/// its file, so it has to be asked for twice.
fn may_open(app: &mut App, source: &Openable) -> bool {
    let question = match app.is_playing_by_hand() {
        true => Some(
            "the game by hand is not over and would be lost: the same again opens the other"
                .to_owned(),
        ),
        false => conditions::lost_by_leaving(app, "the same again opens the other"),
    };
    let Some(question) = question else {
        return true;
    };
    let is_confirmed = app.confirmation.confirms(Loss::Open(source.clone()));
    if !is_confirmed {
        app.say_keys(&question);
    }
    is_confirmed
}

/// Opens something new; `[` leads back from it to what was open. A folder comes into the library. Answers whether it
/// does.
pub(super) fn open_source(app: &mut App, source: Openable) -> bool {
    if let Openable::File(folder) = &source
        && folder.is_dir()
    {
        super::folder::fill(app, folder.clone());
        return true;
    }
    if !may_open(app, &source) {
        return false;
    }
    app.leave_place();
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
    if matches!(source, Openable::Id(_) | Openable::Named(..)) {
        app.awaited = Some(AwaitedMatch {
            source: source.clone(),
            missed: None,
            expected: ExpectedMatch::Any,
            way_back: "{previous file} leads back",
        });
    }
    start(app, source);
    true
}

/// Opens the position in view with other dice, in the place of what was opened. A file or a list of
/// positions keeps its place.
pub(super) fn open_changed(app: &mut App, source: Openable) {
    match app.sources.get_mut(app.shown) {
        Some(
            Openable::File(_) | Openable::InFile(..) | Openable::Pasted(..) | Openable::Sample,
        ) => {
            open_source(app, source);
            return;
        }
        Some(shown) => shown.clone_from(&source),
        None => {}
    }
    // What is still being opened gives way to it.
    app.source = app.shown;
    start(app, source);
}

/// Has something opened.
fn start(app: &mut App, source: Openable) {
    let number = app.openings.begin();
    app.effects.push(Effect::Open { number, source });
}

/// Opens the file that has just arrived.
pub(super) fn open_new(app: &mut App) {
    if let Some(path) = app.arrived.clone() {
        open_source(app, Openable::File(path));
    }
}

/// Opens the file so many places on in the list, which begins again after its end.
pub(super) fn beside(app: &mut App, step: usize) {
    let n = app.sources.len().max(1);
    let place = (app.source + step) % n;
    let Some(source) = app.sources.get(place).cloned() else {
        return;
    };
    if may_open(app, &source) {
        app.leave_place();
        app.source = place;
        start(app, source);
    }
}
