//! What is opened when the program starts.

use crate::tui::StartOptions;
use crate::tui::documents::document::Document;
use crate::tui::documents::open::{How, open};
use crate::tui::documents::places::Openable;

/// What is opened when the program starts.
#[derive(Debug)]
pub(super) struct First {
    /// What there is to open.
    pub(super) sources: Vec<Openable>,
    /// The place of what is open.
    pub(super) place: usize,
    pub(super) document: Document,
    /// Why those before it could not be opened, a line for the user each.
    pub(super) skipped: Vec<String>,
}

/// Most files that cannot be opened and are named.
const MOST_NAMED: usize = 3;

/// Opens the first source that can be opened.
///
/// # Errors
/// One line for the user, if there is none.
pub(super) fn first(options: &StartOptions, how: &How) -> Result<First, String> {
    let mut sources = options.sources.clone();
    let mut skipped = Vec::new();
    let mut more = 0;
    let opened = options.first.iter().find_map(|&place| {
        let source = sources.get(place)?;
        match open(source, 1, how) {
            Ok(document) => return Some((place, document)),
            Err(why) if skipped.len() < MOST_NAMED => skipped.push(why),
            Err(_) => more += 1,
        }
        None
    });
    if more > 0 {
        skipped.push(format!("{more} others cannot be opened either"));
    }
    let (place, document) = match opened {
        Some(opened) => opened,
        None if skipped.is_empty() || options.may_be_empty => {
            if !sources.is_empty() {
                sources.push(Openable::Sample);
            }
            let place = sources.len().saturating_sub(1);
            (place, open(&Openable::Sample, 1, how)?)
        }
        None => return Err(skipped.swap_remove(0)),
    };
    Ok(First {
        sources,
        place,
        document,
        skipped,
    })
}
