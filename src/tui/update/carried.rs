//! Notes and variations of a match that is read again: they come along where the match is still the same.

use std::collections::{HashMap, HashSet};

use crate::game::{Player, Roll};
use crate::match_file::EventPlace;
use crate::review::MatchTurn;
use crate::store::{MatchFingerprint, Notes};
use crate::tui::documents::document::Trees;
use crate::tui::documents::notes::{NoteChange, NoteContent};
use crate::tui::state::{App, Document, Effect};

/// What is kept beside a match, and where it stood.
pub(super) struct Carried {
    mark: MatchFingerprint,
    notes: Notes,
    /// Whose turn each of the notes is beside, and its roll.
    turns: HashMap<EventPlace, (Player, Option<Roll>)>,
    trees: Trees,
    /// Where trees have changed since the match was opened.
    varied: HashSet<EventPlace>,
}

fn whose(turn: &MatchTurn) -> (Player, Option<Roll>) {
    (turn.before.player, turn.before.state.roll)
}

/// Takes what is beside the match in view, before it is read again.
pub(super) fn take(app: &mut App) -> Carried {
    let document = app.home_mut();
    let turns = document.turns.iter();
    Carried {
        mark: document.fingerprint(),
        notes: std::mem::take(&mut document.notes),
        turns: turns.map(|turn| (turn.place(), whose(turn))).collect(),
        trees: std::mem::take(&mut document.variations),
        varied: std::mem::take(&mut document.varied),
    }
}

/// Puts it beside the match as it was read again; the trees keep their actions, as one may be in view. A match that was
/// corrected in its beginning is kept as another one, so that everything is kept once more. Returns beside how many turns
/// something stays with the match as it was.
pub(super) fn put(app: &mut App, carried: Carried) -> usize {
    let document = app.home_mut();
    let is_another = !document.fingerprint().finds_all_of(&carried.mark);
    let (mut changes, mut left) = (Vec::new(), HashSet::new());
    for (place, mut tree) in carried.trees {
        if document.root(place) != Some(*tree.root()) {
            left.insert(place);
            continue;
        }
        let of_file = document.variations.get(&place);
        if let Some(new) = of_file {
            tree.merge(new);
        }
        if is_another && of_file != Some(&tree) {
            let content = NoteContent::Variations(Box::new(tree.clone()));
            changes.push(document.note_change(place, content));
        }
        if carried.varied.contains(&place) {
            document.varied.insert(place);
        }
        document.variations.insert(place, tree);
    }
    // Those of the same match are read from the disk.
    let notes = carried.notes.into_iter().filter(|_| is_another);
    for (place, text) in notes {
        if !is_there(document, place, carried.turns.get(&place)) {
            left.insert(place);
            continue;
        }
        let content = NoteContent::Note {
            text: text.clone(),
            known: Vec::new(),
        };
        changes.push(NoteChange {
            is_carried: true,
            ..document.note_change(place, content)
        });
        document.written.insert(place, String::new());
        document.notes.insert(place, text);
    }
    let keep = |change| Effect::KeepNote(Box::new(change));
    app.effects.extend(changes.into_iter().map(keep));
    left.len()
}

/// Whether a turn of the same player with the same roll stands at a place. Its position may be another one: every later
/// one of a game is, once a play was corrected.
fn is_there(
    document: &Document,
    place: EventPlace,
    before: Option<&(Player, Option<Roll>)>,
) -> bool {
    let mut turns = document.turns.iter();
    let turn = turns.find(|turn| turn.place() == place);
    turn.map(whose).as_ref() == before
}
