//! The decisions of the library, to be asked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{LibraryStore, StoreError};
use crate::library::{Decision, Filter, MatchFit, MatchHead, PackedDecision, People};
use crate::study::question::AS_GOOD;
use crate::study::{StudyDecision, decision};

/// All decisions of the library at `path` by the player of this name. Without a name they are by those whom
/// the filter names, or else by the user, or by everybody where the library does not know the user. Only
/// those that fit `filter`, and right ones that fit it but for what was done: being asked is to be no hint.
/// What is damaged is reported to `tell` and left out.
///
/// # Errors
/// [`StoreError`] if the library cannot be read.
pub fn library_decisions(
    path: &Path,
    (whose, filter): (Option<&str>, &Filter),
    timeout: Duration,
    tell: &mut dyn FnMut(String),
) -> Result<Vec<StudyDecision>, StoreError> {
    let Some(store) = LibraryStore::open_to_read(path, timeout)? else {
        return Ok(Vec::new());
    };
    let people = store.people()?;
    let situation = filter.of_situation();
    let is_wanted_too = |fit: &MatchFit, one: &PackedDecision| {
        filter.fits(fit, one) || one.error() < AS_GOOD && situation.fits(fit, one)
    };
    let matches = store.matches(tell)?;
    let fits = store.fits(filter, &matches, &people)?;
    let heads = matches.into_iter().map(|one| {
        let file = one.file_there().map(Path::to_owned);
        (one.id, (one.head, file))
    });
    let heads: HashMap<i64, (MatchHead, Option<PathBuf>)> = heads.collect();
    let mut all = Vec::new();
    store.each(|id, decisions| {
        let (Some((head, file)), Some(fit)) = (heads.get(&id), fits.get(&id)) else {
            return;
        };
        let wanted = head.players.each_ref().map(|name| {
            is_wanted(&people, name, whose) || whose.is_none() && filter.names_player()
        });
        let fitting = decisions.iter().filter(|one| is_wanted_too(fit, one));
        let unpacked = fitting.filter_map(|packed| packed.unpack());
        let of_them = unpacked.filter(|one| wanted[one.player.index()]);
        all.extend(of_them.filter_map(|one| in_file(head, file.as_deref(), &one)));
    })?;
    Ok(all)
}

/// A decision that is asked, with the file of its match.
fn in_file(head: &MatchHead, file: Option<&Path>, one: &Decision) -> Option<StudyDecision> {
    let mut decision = decision::of_library(head, one)?;
    if let Some(place) = &mut decision.place {
        place.file = file.map(Path::to_owned);
    }
    Some(decision)
}

fn is_wanted(people: &People, name: &str, whose: Option<&str>) -> bool {
    match whose {
        Some(whose) => people.is_called(name, whose),
        None => !people.knows_me() || people.is_me(name),
    }
}
