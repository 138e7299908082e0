//! The user's notes and variations: read beside a match, written, and kept with those of another process.

use crate::match_file::Variations;
use crate::store::notes::LONGEST_NOTE;
use crate::store::{Notes, VariationTexts};
use crate::tui::documents::notes::{JoinedNote, NoteContent};
use crate::tui::documents::store_name::StoreName;
use crate::tui::state::{App, Effect};
use crate::tui::text;
use crate::tui::windows::overlay::Overlay;

/// Keeps what was typed about the move in view, or about that which a variation hangs on; nothing typed removes what
/// was there. `before` is what the user has seen there: a text that came while the window was open is none of it.
pub(super) fn keep(app: &mut App, text: &str, before: String) {
    let Some(place) = app.place().filter(|_| text != before) else {
        return;
    };
    let document = app.home_mut();
    let was = document.notes.remove(&place).unwrap_or_default();
    document.written.insert(place, was);
    if !text.is_empty() {
        document.notes.insert(place, text.to_owned());
    }
    let content = NoteContent::Note {
        text: text.to_owned(),
        known: vec![before],
    };
    let change = app.home().note_change(place, content);
    app.effects.push(Effect::KeepNote(Box::new(change)));
}

/// Writes the note again that the user has removed from the move in view, if it is one.
pub(super) fn bring_back(app: &mut App) -> bool {
    let removed = app.removed_note().map(str::to_owned);
    if let Some(text) = &removed {
        keep(app, text, String::new());
    }
    removed.is_some()
}

/// The program is told to end while a note may be open: what has been typed of it is kept. A note that was emptied
/// stays as it was, as nobody has said that it is to go.
pub(super) fn keep_open(app: &mut App) {
    let Some(Overlay::Note { input, before }) = &app.overlay else {
        return;
    };
    let (typed, before) = (input.value().trim().to_owned(), before.clone());
    if !typed.is_empty() {
        keep(app, &typed, before);
    }
}

/// A note is in its file, or no longer.
pub(super) fn kept(app: &mut App, is_removed: bool) {
    // Of what has waited it is said that all of it is saved.
    if !app.unsaved.contains_key(&StoreName::Notes) {
        let open = app.variation.as_ref();
        let is_varied = open.is_some_and(|open| open.kind.is_tried());
        app.say_keys(match (is_removed, is_varied) {
            (true, true) => "note removed",
            (true, false) => "note removed; {restore branch} brings it back",
            (false, true) => "note kept with the decision from which this variation branches",
            (false, false) => "note kept",
        });
    }
}

/// The notes of the match that is open. What was written since is newer.
pub(super) fn read(app: &mut App, notes: Notes, variations: VariationTexts) {
    let document = app.home_mut();
    for (place, text) in notes {
        if !document.written.contains_key(&place) {
            let text = text::clean(&text, LONGEST_NOTE);
            document.notes.insert(place, text);
        }
    }
    let mut refused = None;
    for (place, text) in variations {
        // A place that is gone is one of a match that was cut.
        let Some(root) = document
            .root(place)
            .filter(|_| !document.varied.contains(&place))
        else {
            continue;
        };
        match Variations::from_json(root, &text) {
            Ok(tree) => {
                let known = document.variations.entry(place);
                known.or_insert_with(|| Variations::at(root)).merge(&tree);
            }
            Err(why) => {
                document.sealed.insert(place);
                refused = Some((place, why));
            }
        }
    }
    if let Some(((game, event), why)) = refused {
        app.report(format!(
            "the variations kept of game {}, event {} cannot be used: {why}",
            game + 1,
            event + 1
        ));
    }
}

/// A note has been kept with one that its writer had not seen. It is shown where its match is still open, unless the
/// user has written another one since: that one is on its way to the file.
pub(super) fn joined(app: &mut App, note: &JoinedNote) {
    let document = app.home_mut();
    let shown = document.notes.get(&note.place);
    let is_newest = shown.map_or("", String::as_str) == note.sent;
    if is_newest && document.fingerprint().continues(&note.mark) {
        let text = text::clean(&note.text, LONGEST_NOTE);
        document.notes.insert(note.place, text);
    }
    let about = &note.about;
    app.report(match note.sent.is_empty() {
        true => format!("{about}: the note has been changed by another Luckless, so it stays"),
        false => format!("{about}: another note was there already: both are kept, in one note"),
    });
}
