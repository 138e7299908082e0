//! The decisions of the library, to be asked.

use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::{LibraryStore, StoreError};
use crate::library::{MatchHead, People, names};
use crate::study::{StudyDecision, decision};

/// All decisions of the library at `path` by the player of this name; without a name by the user, or by
/// everybody where the library does not know who that is. What is damaged is told to `tell` and left out.
///
/// # Errors
/// [`StoreError`] if the library cannot be read.
pub fn library_decisions(
    path: &Path,
    whose: Option<&str>,
    patience: Duration,
    tell: &mut dyn FnMut(String),
) -> Result<Vec<StudyDecision>, StoreError> {
    let Some(store) = LibraryStore::open_to_read(path, patience)? else {
        return Ok(Vec::new());
    };
    let people = store.people()?;
    let heads: HashMap<i64, MatchHead> = store
        .matches(tell)?
        .into_iter()
        .map(|one| (one.id, one.head))
        .collect();
    let mut all = Vec::new();
    store.each(|id, decisions| {
        let Some(head) = heads.get(&id) else { return };
        let wanted = head
            .players
            .each_ref()
            .map(|name| is_wanted(&people, name, whose));
        let unpacked = decisions.iter().filter_map(|packed| packed.unpack());
        let of_them = unpacked.filter(|one| wanted[one.player.index()]);
        all.extend(of_them.filter_map(|one| decision::of_library(head, &one)));
    })?;
    Ok(all)
}

fn is_wanted(people: &People, name: &str, whose: Option<&str>) -> bool {
    match whose {
        Some(whose) => {
            let (name, whose) = (people.player(name), people.player(whose));
            name == whose || name.contains(&names::fold(&whose))
        }
        None => !people.knows_me() || people.is_me(name),
    }
}
