//! A folder that is opened comes into the library.

use std::path::PathBuf;

use crate::tui::state::App;
use crate::tui::text;

/// Takes the matches of a folder in, in the background.
pub(super) fn fill(app: &mut App, folder: PathBuf) {
    let name = text::cut(&text::clean(&folder.to_string_lossy(), 200), 40);
    app.fill_library(folder);
    app.say(format!("the matches of {name} come into the library"));
}
