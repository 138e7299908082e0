//! The decisions of the library, to be asked.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::{LibraryStore, StoreError};
use crate::library::{Filter, MatchFit, MatchHead, PackedDecision, People};
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
    let heads = matches.into_iter().map(|one| (one.id, one.head));
    let heads: HashMap<i64, MatchHead> = heads.collect();
    let mut all = Vec::new();
    store.each(|id, decisions| {
        let (Some(head), Some(fit)) = (heads.get(&id), fits.get(&id)) else {
            return;
        };
        let wanted = head.players.each_ref().map(|name| {
            is_wanted(&people, name, whose) || whose.is_none() && filter.names_player()
        });
        let fitting = decisions.iter().filter(|one| is_wanted_too(fit, one));
        let unpacked = fitting.filter_map(|packed| packed.unpack());
        let of_them = unpacked.filter(|one| wanted[one.player.index()]);
        all.extend(of_them.filter_map(|one| decision::of_library(head, &one)));
    })?;
    Ok(all)
}

fn is_wanted(people: &People, name: &str, whose: Option<&str>) -> bool {
    match whose {
        Some(whose) => people.is_called(name, whose),
        None => !people.knows_me() || people.is_me(name),
    }
}
