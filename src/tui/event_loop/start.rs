//! The initial state of the workstation.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::first;
use super::terminal::usual_glyphs;
use crate::library::People;
use crate::store::session::Session;
use crate::store::{LibraryStore, StoreError, UserFolders, UserSettings};
use crate::tui::documents::open::How;
use crate::tui::documents::places::openable;
use crate::tui::documents::played_match::{can_go_on, seed_of};
use crate::tui::figures::conditions;
use crate::tui::keys::KeyMap;
use crate::tui::message::Message;
use crate::tui::state::{App, Openable};
use crate::tui::text;
use crate::tui::theme::{Depth, Theme};
use crate::tui::update::update;
use crate::tui::workers::watcher::read_themes;
use crate::tui::{Error, StartOptions};

/// How long the start waits for a library that another process writes.
const LIBRARY_TIMEOUT: Duration = Duration::from_millis(100);

/// Reads the user's names from the library. A locked or damaged library is reported when it is opened.
fn people(options: &StartOptions) -> People {
    let path = options.places.as_ref().map(UserFolders::library);
    let store = path.and_then(|path| LibraryStore::open_to_read(&path, LIBRARY_TIMEOUT).ok()?);
    let people = store.and_then(|store| store.people().ok());
    people.unwrap_or_default()
}

/// The settings of match analysis.
pub(crate) fn how(options: &StartOptions) -> How {
    How::new(&*options.evaluator, &options.model, options.no_crawford)
}

/// The last session.
fn last_session(options: &StartOptions) -> Result<Session, StoreError> {
    match &options.places {
        Some(places) => Session::load_or_set_aside(&places.session()),
        None => Ok(Session::default()),
    }
}

/// Returns the last open source if nothing was named; or its name if it no longer exists.
fn last(options: &StartOptions, session: &Session) -> Option<Result<Openable, String>> {
    if !options.sources.is_empty() || !options.watch.is_empty() {
        return None;
    }
    Some(match openable(&session.places.first()?.source) {
        Openable::File(path) | Openable::InFile(path, _) if !path.is_file() => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            Err(text::clean(&name.to_string_lossy(), 60))
        }
        source => Ok(source),
    })
}

/// Start options with the last open source.
fn resumed(options: &StartOptions, source: &Openable) -> StartOptions {
    StartOptions {
        sources: vec![source.clone()],
        first: vec![0],
        may_be_empty: true,
        ..options.clone()
    }
}

/// Builds the state from settings, theme and the first document.
pub(crate) fn prepare(options: &StartOptions) -> Result<App, Error> {
    let now = Instant::now();
    let environment = |name: &str| std::env::var(name).ok();
    let path = options.places.as_ref().map(UserFolders::settings);
    let found = path.as_deref().map(UserSettings::load);
    let depth = Depth::from_environment(&environment);
    let settings = found.as_ref().map(|found| found.settings.clone());
    let mut app = App::new(settings.unwrap_or_default(), depth, now);
    let before = last_session(options);
    if let Ok(session) = &before {
        app.resume(session);
    }
    app.usual_theme = Theme::default_name(depth, &environment).to_owned();
    app.usual_glyphs = usual_glyphs(&environment);
    choose_theme(&mut app, options, depth);
    let keys_path = options.places.as_ref().map(UserFolders::keys);
    let keys = keys_path.as_deref().map(KeyMap::load).unwrap_or_default();
    app.keymap = keys.keys;
    app.people = people(options);
    app.threads = options.threads;
    app.evaluator = options.evaluator.name().to_owned();
    app.model = options.model.clone();
    let last = before
        .as_ref()
        .ok()
        .and_then(|session| last(options, session));
    let source = last.as_ref().and_then(|last| last.as_ref().ok());
    let resumed = source.map(|source| resumed(options, source));
    let options = resumed.as_ref().unwrap_or(options);
    let how = how(options).to_depth(app.settings.review.ply);
    let first = first::first(options, &how).map_err(Error::Open)?;
    (app.sources, app.source) = (first.sources, first.place);
    let number = first.document.generation;
    let document = Ok(Box::new(first.document));
    update(&mut app, Message::Opened(number, document), now);
    if let Some(how) = options.plays_on {
        crate::tui::update::play_on(&mut app, how);
        announce_left(&mut app);
    }
    announce_watched(&mut app, options);
    let mut troubles = first.skipped;
    match before {
        Ok(_) if troubles.is_empty() => {
            announce_resumed(&mut app, resumed.is_some(), last.and_then(Result::err));
        }
        Ok(_) => {}
        Err(why) => troubles.push(why.to_string()),
    }
    let mut complain = |path: Option<PathBuf>, complaints: Vec<String>| {
        let place = path.unwrap_or_default();
        let named = complaints
            .iter()
            .map(|why| format!("{}: {why}", place.display()));
        troubles.extend(named);
    };
    complain(path, found.map_or_else(Vec::new, |found| found.complaints));
    complain(keys_path, keys.complaints);
    show_troubles(&mut app, &troubles);
    Ok(app)
}

/// Announces that the last session was restored, or that its match is `gone`.
fn announce_resumed(app: &mut App, is_resumed: bool, gone: Option<String>) {
    if let Some(name) = gone {
        app.say(format!(
            "{name}, which was open, is not there any more: this match comes with the program"
        ));
    }
    if !is_resumed {
        return;
    }
    let is_rolling = app.jobs.active().next().is_some();
    let is_begun = app.document.turns.is_empty() && seed_of(&app.document.record).is_some();
    let goes_on = can_go_on(&app.document.record).is_ok();
    app.say_keys(match is_rolling {
        true => "the last match, where you left it; its rollout goes on, {stop} stops it",
        false if is_begun => "nothing has been played in this match yet: {play} begins it",
        false if goes_on => "the last match is not over: {play} goes on with it",
        false => "the last match, where you left it",
    });
}

/// Announces that the match before a new one is unfinished, and how to continue it.
fn announce_left(app: &mut App) {
    if conditions::offers_left_match(app) {
        app.say_keys(&format!("a new match; {}", conditions::GOES_ON_WITH_LEFT));
    }
}

/// Applies the requested theme, or else the default.
fn choose_theme(app: &mut App, options: &StartOptions, depth: Depth) {
    if let Some(theme) = &options.theme {
        let kept = std::mem::replace(&mut app.settings.theme, theme.clone());
        app.theme_of_start = Some([theme.clone(), kept]);
    }
    let usual = app.usual_theme.clone();
    app.choose_theme(&usual);
    let wanted = app.settings.theme.clone();
    if wanted.is_empty() || depth == Depth::None || app.choose_theme(&wanted) {
        return;
    }
    // Reads the user's theme for the first frame; the watcher reads the others.
    if let Some(places) = &options.places {
        let (own, _) = read_themes(&places.themes());
        let own = own.into_iter().map(|t| t.at_depth(depth));
        app.themes.extend(own.filter(|t| t.name == wanted));
        app.choose_theme(&wanted);
    }
}

/// Announces the watched folder.
fn announce_watched(app: &mut App, options: &StartOptions) {
    let Some(folder) = options.watch.first() else {
        return;
    };
    let folder = folder.display();
    app.say(match app.sources.get(app.source) {
        Some(Openable::Sample) if options.may_be_empty => {
            format!("no match in {folder} yet: this one comes with the program; matches saved there are announced")
        }
        _ => format!("watching {folder}"),
    });
}

/// Shows the first message; the window of warnings lists all.
fn show_troubles(app: &mut App, troubles: &[String]) {
    for trouble in troubles.iter().rev() {
        app.report(trouble);
    }
    if let [first, rest @ ..] = troubles
        && !rest.is_empty()
    {
        let lists = app.keymap.named("{warnings} lists all");
        app.warn(format!("{first}; {} more, {lists}", rest.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use std::sync::Arc;

    use crate::cube::Model;
    use crate::match_file::write::Target;
    use crate::store::session::SavedPlay;
    use crate::tui::PlayOn;
    use crate::tui::documents::new_match::NewMatch;
    use crate::tui::figures::troubles;
    use crate::tui::testing::Race;

    /// The bottom line when `luckless play` begins a new match, and the file of the match left before.
    fn begun_after(home: &Path, is_over: bool) -> (String, Option<PathBuf>) {
        let places = UserFolders::below(home);
        let left = home.join("left.mat");
        let session = Session {
            last_play: Some(SavedPlay {
                path: left,
                is_over,
                micros: 1,
            }),
            ..Session::default()
        };
        session.save(&places.session()).unwrap();
        let new = home.join("new.mat");
        std::fs::write(&new, Target::Mat.write(&NewMatch::usual(3).record())).unwrap();
        let how = PlayOn::AgainstProgram { has_tutor: false };
        let app = prepare(&StartOptions {
            threads: 1,
            evaluator: Arc::new(Race),
            model: Arc::new(Model::default()),
            no_crawford: false,
            places: Some(places),
            theme: None,
            sources: vec![Openable::File(new)],
            first: vec![0],
            may_be_empty: false,
            watch: Vec::new(),
            plays_on: Some(how),
        });
        let app = app.unwrap();
        assert!(app.played().is_some());
        let said = app.status.as_ref().map(|status| status.text.clone());
        let left = app.match_to_go_on().map(Path::to_owned);
        (said.unwrap_or_default(), left)
    }

    #[test]
    fn a_new_match_says_how_to_go_on_with_the_one_before() {
        let home = tempfile::tempdir().unwrap();
        let (said, left) = begun_after(home.path(), false);
        assert_eq!(said, "a new match; gp goes on with the match that was left");
        assert_eq!(left, Some(home.path().join("left.mat")));
        let home = tempfile::tempdir().unwrap();
        let (said, left) = begun_after(home.path(), true);
        assert!(!said.contains("was left") && left.is_none(), "{said}");
    }

    #[test]
    fn all_that_is_wrong_at_the_start_is_listed() {
        let mut app = App::new(UserSettings::default(), Depth::True, Instant::now());
        let said = |app: &App| app.status.as_ref().map(|status| status.text.clone());
        show_troubles(&mut app, &[]);
        assert_eq!(said(&app), None);
        show_troubles(&mut app, &["no theme".to_owned()]);
        assert_eq!(said(&app).as_deref(), Some("no theme"));
        show_troubles(&mut app, &["line 3".to_owned(), "line 7".to_owned()]);
        assert_eq!(said(&app).as_deref(), Some("line 3; 1 more, W lists all"));
        let rows = troubles::rows(&app);
        assert!(rows.len() >= 3, "{}", rows.len());
    }
}
