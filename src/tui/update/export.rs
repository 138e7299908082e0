//! What is written to files for others: names proposed for them, and what goes in.

use std::path::Path;

use crate::diagram::Diagram;
use crate::game::{Play, PlayList, Position, Roll};
use crate::match_file::sgf;
use crate::tui::exported::{Exported, Written};
use crate::tui::state::App;

/// The name proposed for a file with the match and its variations.
pub(super) fn match_file(app: &App) -> String {
    beside(app, "match", "-variations.sgf")
}

/// The name proposed for a picture of the position in view.
pub(super) fn picture_file(app: &App) -> String {
    let turn = app.turn().filter(|turn| turn.action.is_some());
    match turn {
        None => beside(app, "position", ".svg"),
        Some(turn) => {
            let place = format!("-{}-{}.svg", turn.game + 1, turn.number);
            beside(app, "match", &place)
        }
    }
}

/// The name of the match that is open, or this one, with another end, in the same folder.
fn beside(app: &App, nameless: &str, end: &str) -> String {
    let path = app.home().record.path.as_deref();
    let stem = path.and_then(Path::file_stem);
    let stem = stem.map_or(nameless.into(), |stem| stem.to_string_lossy());
    let name = format!("{stem}{end}");
    let folder = path.and_then(Path::parent);
    let path = folder.map_or_else(|| name.clone().into(), |folder| folder.join(&name));
    path.display().to_string()
}

/// What is to be written.
pub(super) fn written(app: &App, what: Exported) -> Written {
    match (what, app.turn()) {
        (Exported::Picture, Some(turn)) => {
            let state = turn.before.state;
            let play = app.selection.play.zip(state.roll);
            Written::Picture(Diagram {
                player: turn.before.player,
                play: play.and_then(|(after, roll)| play_to(&state.position, roll, &after)),
                mirrored: app.options.mirrored,
                ..Diagram::new(state)
            })
        }
        _ => Written::Match(sgf::write::write(&app.home().record_with_variations())),
    }
}

fn play_to(before: &Position, roll: Roll, after: &Position) -> Option<Play> {
    let mut plays = PlayList::new();
    plays.generate(before, roll);
    plays.play_to(after)
}
