//! A folder that is opened comes into the library, and the match in view where the user says so.

use std::path::{Path, PathBuf};

use crate::store::library::Kept;
use crate::tui::state::{App, Effect};
use crate::tui::text;

/// Takes the matches of a folder in, in the background.
pub(super) fn fill(app: &mut App, folder: PathBuf) {
    let name = text::cut(&text::clean(&folder.to_string_lossy(), 200), 40);
    app.fill_library(folder);
    app.say(format!("the matches of {name} come into the library"));
}

/// Takes the match in view in, in the background.
pub(super) fn add_in_view(app: &mut App) {
    let Some(path) = app.home().record.path.clone() else {
        return;
    };
    let name = name_of(&path);
    if app.library.is_under_way(&path) {
        return app.say(format!("{name} is on its way into the library already"));
    }
    let path = app.library.take_up(&path);
    app.effects.push(Effect::AddToLibrary(path));
    app.say(format!("{name} comes into the library"));
}

/// The match that the user has named is in the library.
pub(super) fn added(app: &mut App, name: &str, kept: &[Kept]) {
    let name = name_of(Path::new(name));
    let has = |what: fn(&Kept) -> bool| kept.iter().any(what);
    let words = if has(|one| matches!(one, Kept::Added(_))) {
        "is in the library"
    } else if has(|one| matches!(one, Kept::Updated(_))) {
        "was in the library, and is updated"
    } else {
        "was in the library already"
    };
    app.say_keys(&format!("{name} {words}: {{library}} lists it"));
}

/// A file as it is called in the bottom line.
fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    text::cut(&text::clean(&name.to_string_lossy(), 200), 40)
}
