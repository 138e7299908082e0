//! The file of a match against the program, where another program has changed it.

use std::path::Path;
use std::sync::Arc;

use crate::tui::documents::played_match::MovedMatch;
use crate::tui::state::{App, Openable};
use crate::tui::text;

/// A match goes on in another file: that one is named from now on, and read again once the match is left.
pub(crate) fn moved(app: &mut App, moved: &MovedMatch) {
    let in_play = app
        .variation
        .as_mut()
        .and_then(|open| open.kind.played_mut());
    let in_play = in_play.map(|played| &mut played.file);
    let left = app.left_match.as_mut().map(|left| &mut left.file);
    let mut files = in_play.into_iter().chain(left);
    if let Some(file) = files.find(|file| file.number == moved.number) {
        let old = std::mem::replace(&mut file.path, moved.to.clone());
        if let Some(last) = app.last_play.as_mut().filter(|last| last.path == old) {
            last.path.clone_from(&moved.to);
        }
        follow(app, &old, &moved.to);
    }
    let [from, to] = [&moved.from, &moved.to].map(|path| file_name(path));
    app.report(format!(
        "{from} was changed by another program: this match goes on in {to}"
    ));
}

/// Has the match in view, if it is that of the file `old`, be the one of the file `new`. The old one stays in the list.
fn follow(app: &mut App, old: &Path, new: &Path) {
    if app.home().record.path.as_deref() != Some(old) {
        return;
    }
    let is_played = app.played().is_some();
    let home = app.home_mut();
    Arc::make_mut(&mut home.record).path = Some(new.to_owned());
    home.title = file_name(new);
    if is_played {
        app.document.title = file_name(new);
    }
    let shown = app.shown;
    if app.sources.get(shown) == Some(&Openable::File(old.to_owned())) {
        app.sources
            .insert(shown + 1, Openable::File(new.to_owned()));
        app.source += usize::from(app.source >= shown);
        app.shown += 1;
    }
    if !is_played {
        app.openings.fall_behind();
    }
}

/// The name of a file as it is shown.
fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    text::clean(&name.to_string_lossy(), 80)
}
