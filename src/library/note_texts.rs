//! The notes of a match in searchable form.

use std::collections::BTreeMap;

use super::PackedDecision;
use super::names::fold;
use crate::match_file::EventPlace;
use crate::review::{Mark, Thresholds};

/// The user's notes on the turns of a match, folded like names.
///
/// ```
/// use luckless::library::NoteTexts;
/// let notes: NoteTexts = [((0, 12), "Timing?\nSee game 3.".to_owned())].into_iter().collect();
/// assert_eq!(notes.at(0, 12), Some("timing? see game 3."));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteTexts(BTreeMap<(u32, u32), String>);

impl NoteTexts {
    /// Returns the note on an event of a game.
    pub fn at(&self, game: u32, event: u32) -> Option<&str> {
        self.0.get(&(game, event)).map(String::as_str)
    }

    /// Returns the note on a decision. A note on a roll also counts for the omitted double before it, but only if
    /// that was an error.
    pub(super) fn about(&self, one: &PackedDecision) -> Option<&str> {
        if one.is_silent() && Mark::of(one.error(), &Thresholds::default()) == Mark::Fine {
            return None;
        }
        self.at(one.game(), one.event())
    }
}

impl FromIterator<(EventPlace, String)> for NoteTexts {
    fn from_iter<T: IntoIterator<Item = (EventPlace, String)>>(notes: T) -> Self {
        // Packed decisions cannot have larger indices.
        let place = |(game, event): EventPlace| {
            Some((u32::try_from(game).ok()?, u32::try_from(event).ok()?))
        };
        let notes = notes.into_iter();
        Self(
            notes
                .filter_map(|(at, text)| Some((place(at)?, fold(&text))))
                .collect(),
        )
    }
}
