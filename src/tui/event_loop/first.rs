//! Selects the document to open at the start.

use crate::tui::StartOptions;
use crate::tui::documents::document::Document;
use crate::tui::documents::open::{How, open};
use crate::tui::documents::places::Openable;

/// The document opened at the start.
#[derive(Debug)]
pub(super) struct First {
    /// All sources.
    pub(super) sources: Vec<Openable>,
    /// Index of the opened source.
    pub(super) place: usize,
    pub(super) document: Document,
    /// Messages about sources before it that could not be opened.
    pub(super) skipped: Vec<String>,
}

/// Maximum number of unreadable files to name.
const MOST_NAMED: usize = 3;

/// Maximum number of files to try in search of a match among lists of positions.
const MOST_TRIED: usize = 100;

/// Opens the first readable source; a match takes precedence over a list of positions.
///
/// # Errors
/// A message for the user, if none can be opened.
pub(super) fn first(options: &StartOptions, how: &How) -> Result<First, String> {
    let mut sources = options.sources.clone();
    let mut skipped = Vec::new();
    let mut more = 0;
    let mut list = None;
    let opened = options
        .first
        .iter()
        .enumerate()
        .find_map(|(tried, &place)| {
            if tried > MOST_TRIED && list.is_some() {
                return list.take();
            }
            let source = sources.get(place)?;
            match open(source, 1, how) {
                Ok(document) if document.record.games.is_empty() => {
                    list.get_or_insert((place, document));
                }
                Ok(document) => return Some((place, document)),
                Err(why) if skipped.len() < MOST_NAMED => skipped.push(why),
                Err(_) => more += 1,
            }
            None
        });
    let opened = opened.or(list);
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::cube::Model;
    use crate::tui::testing::Race;

    /// The newest file of a folder may be a list of positions.
    #[test]
    fn a_match_is_opened_before_a_list_of_positions() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let list = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n".repeat(2);
        std::fs::write(path("list.txt"), list).unwrap();
        let text = " 5 point match\n\n Game 1\n A : 0   B : 0\n  1) 31: 8/5 6/5\n";
        std::fs::write(path("match.mat"), text).unwrap();
        std::fs::write(path("none.mat"), "nothing").unwrap();
        let opened = |names: &[&str]| {
            let options = StartOptions {
                threads: 1,
                evaluator: Arc::new(Race),
                model: Arc::new(Model::default()),
                no_crawford: false,
                places: None,
                theme: None,
                sources: names
                    .iter()
                    .map(|name| Openable::File(path(name)))
                    .collect(),
                first: (0..names.len()).collect(),
                may_be_empty: false,
                watch: Vec::new(),
                plays_on: None,
            };
            let how = How::new(&Race, Model::standard(), false);
            let first = first(&options, &how).unwrap();
            (first.place, first.skipped.len())
        };
        assert_eq!(opened(&["none.mat", "list.txt", "match.mat"]), (2, 1));
        assert_eq!(opened(&["list.txt", "none.mat"]), (0, 1));
    }
}
