//! The state at the start.

use std::time::Instant;

use super::message::Message;
use super::open::{self, How};
use super::state::App;
use super::theme::{Depth, Theme};
use super::update::update;
use super::workers::watcher::read_themes;
use super::{Error, StartOptions};
use crate::store::{UserFolders, UserSettings};

/// How matches are analysed.
pub(super) fn how(options: &StartOptions) -> How {
    How::new(&*options.evaluator, &options.model, options.no_crawford)
}

/// Settings, theme and the first document.
pub(super) fn prepare(options: &StartOptions) -> Result<App, Error> {
    let now = Instant::now();
    let environment = |name: &str| std::env::var(name).ok();
    let path = options.places.as_ref().map(UserFolders::settings);
    let found = path.as_deref().map(UserSettings::load);
    let depth = Depth::from_environment(&environment);
    let settings = found.as_ref().map(|found| found.settings.clone());
    let mut app = App::new(settings.unwrap_or_default(), depth, now);
    let usual = Theme::default_name(depth, &environment).to_owned();
    if let Some(theme) = &options.theme {
        app.settings.theme.clone_from(theme);
    }
    app.choose_theme(&usual);
    let wanted = app.settings.theme.clone();
    if !wanted.is_empty() && depth != Depth::None && !app.choose_theme(&wanted) {
        // One of the user's own, for the first frame; the watcher reads the others.
        if let Some(places) = &options.places {
            let (own, _) = read_themes(&places.themes());
            let own = own.into_iter().map(|t| t.at_depth(depth));
            app.themes.extend(own.filter(|t| t.name == wanted));
            app.choose_theme(&wanted);
        }
    }
    app.threads = options.threads;
    app.evaluator = options.evaluator.name().to_owned();
    app.model = options.model.clone();
    let first = open::first(options, &how(options)).map_err(Error::Open)?;
    (app.sources, app.source) = (first.sources, first.place);
    update(&mut app, Message::Opened(Ok(Box::new(first.document))), now);
    if let Some(folder) = options.watch.first() {
        app.say(format!("watching {}", folder.display()));
    }
    let mut troubles = first.skipped;
    if let (Some(path), Some(found)) = (path, found) {
        let named = |why| format!("{}: {why}", path.display());
        troubles.extend(found.complaints.into_iter().map(named));
    }
    if !troubles.is_empty() {
        app.warn(troubles.join("; "));
    }
    Ok(app)
}
