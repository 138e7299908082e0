//! Opens match files, position IDs and the bundled sample.

use std::path::Path;
use std::sync::Arc;

use super::document::Document;
use super::places::ListPlace;
use super::places::Openable;
use crate::cube::Model;
use crate::eval::Evaluator;
use crate::match_file::{self, Match, ReadError};
use crate::notation;
use crate::review::STANDARD_PLY;
use crate::store::{ReviewKey, ReviewMethod};
use crate::tui::text;
use crate::words::counted;

/// Settings of match analysis.
#[derive(Clone, Debug)]
pub struct How {
    /// Disables the Crawford rule, whatever the file says.
    pub no_crawford: bool,
    /// The method, which is part of the review's key.
    pub by: ReviewMethod,
    /// Search depth in plies.
    pub ply: u8,
}

impl How {
    /// Analysis with this evaluator and cube model, to the default depth.
    pub fn new(evaluator: &dyn Evaluator, model: &Model, no_crawford: bool) -> Self {
        Self {
            no_crawford,
            by: ReviewMethod::new(evaluator.name(), model, no_crawford),
            ply: STANDARD_PLY,
        }
    }

    /// Returns these settings with another depth.
    pub fn to_depth(&self, ply: u8) -> Self {
        Self {
            ply,
            ..self.clone()
        }
    }
}

/// Opens a source.
///
/// # Errors
/// One line for the user.
pub fn open(source: &Openable, generation: u64, how: &How) -> Result<Document, String> {
    match source {
        Openable::File(path) => file(path, 0, generation, how),
        Openable::InFile(path, place) => file(path, *place, generation, how),
        Openable::Pasted(pasted, place) => {
            let record = match_file::read_bytes(pasted.text.as_bytes(), "pasted text");
            let mut record = record.map_err(|e| e.to_string())?;
            if how.no_crawford {
                record.remove_crawford_rule();
            }
            let title = pasted.ids.get(*place).cloned().unwrap_or_default();
            listed(record, *place, title, generation)
        }
        Openable::Id(id) => position(id, generation),
        Openable::Named(id, players) => {
            let mut document = position(id, generation)?;
            let players = players.each_ref().map(|name| text::clean(name, 80));
            Arc::make_mut(&mut document.record).players = players;
            Ok(document)
        }
        Openable::Sample => {
            let record = sample()?;
            let mut document = Document::of_match(record, "sample match".into(), generation);
            document.is_sample = true;
            Ok(document)
        }
    }
}

/// Opens a match file, or the position at index `place` of a list file.
fn file(path: &Path, place: usize, generation: u64, how: &How) -> Result<Document, String> {
    let failed = |e: ReadError| e.to_string();
    let bytes = match_file::bytes_of(path).map_err(failed)?;
    let name = path.display().to_string();
    let mut record = match_file::read_bytes(&bytes, &name).map_err(failed)?;
    record.path = Some(path.to_owned());
    if how.no_crawford {
        record.remove_crawford_rule();
    }
    let title = path.file_name().unwrap_or(path.as_os_str());
    let title = text::clean(&title.to_string_lossy(), 80);
    if record.games.is_empty() && !record.positions.is_empty() {
        return listed(record, place, title, generation);
    }
    let key = ReviewKey::new(&bytes, 0, &record, &how.by, how.ply);
    let mut document = Document::of_match(record, title, generation);
    document.key = Some(key);
    Ok(document)
}

/// Opens a position of a list, with the warnings of the whole list.
fn listed(record: Match, place: usize, title: String, generation: u64) -> Result<Document, String> {
    let count = record.positions.len();
    let Some(lone) = record.positions.get(place) else {
        let count = counted(count, "position");
        return Err(format!(
            "{title} has {count}, there is no position {}",
            place + 1
        ));
    };
    let mut document = Document::of_lone(lone, title, generation);
    document.list = (count > 1).then_some(ListPlace { place, count });
    let warnings = record.warnings.clone();
    Arc::make_mut(&mut document.record).warnings = warnings;
    document.whole_list = Some(Arc::new(record));
    Ok(document)
}

/// Reads `source` again after a change of its file.
///
/// # Errors
/// A message for the bottom line.
pub fn reopen(source: &Openable, generation: u64, how: &How) -> Result<Document, String> {
    open(source, generation, how).map_err(|why| match source {
        Openable::File(path) if !path.exists() => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            let name = text::clean(&name.to_string_lossy(), 80);
            format!("{name} is no longer there; what is open stays")
        }
        _ => format!("the file has changed; what is open stays: {why}"),
    })
}

fn position(id: &str, generation: u64) -> Result<Document, String> {
    let state = notation::parse_possible_id(id);
    let state = state.map_err(|e| format!("{}: {e}", text::clean(id, 60)))?;
    Ok(Document::of_position(
        state,
        text::clean(id, 80),
        generation,
    ))
}

/// The match shown by default.
const SAMPLE: &[u8] = include_bytes!("../../../sample_matches/anna-ben-7pt.mat");

fn sample() -> Result<Match, String> {
    match_file::read_bytes(SAMPLE, "the sample match").map_err(|e| e.to_string())
}
