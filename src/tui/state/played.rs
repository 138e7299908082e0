//! Queries on the displayed match against the program.

use super::{App, Effect};
use crate::tui::documents::played_match::{MatchPrompt, PlayedMatch, Resignation, WrittenMatch};
use crate::tui::documents::variation_kind::VariationKind;

/// Minimum error of which the tutor warns, in points: smaller ones would be displayed as zero.
const LEAST_TUTORED: f32 = 0.001;

impl App {
    /// The displayed match against the program.
    pub fn played(&self) -> Option<&PlayedMatch> {
        self.variation.as_ref()?.kind.played()
    }

    pub fn played_mut(&mut self) -> Option<&mut PlayedMatch> {
        self.variation.as_mut()?.kind.played_mut()
    }

    /// Returns whether a match is being transcribed.
    pub fn is_transcribing(&self) -> bool {
        self.played().is_some_and(PlayedMatch::is_transcribed)
    }

    /// The decision required of the person in the match against the program.
    pub fn match_prompt(&self) -> Option<MatchPrompt> {
        let open = self.variation.as_ref()?;
        let played = open.kind.played()?;
        let after = played.tree.after(open.line.last().copied());
        Some(MatchPrompt::at(played, after.as_ref(), open.dice))
    }

    /// Minimum error of which the tutor warns, in points: the selected error size.
    pub fn tutored_from(&self) -> f32 {
        self.least_error().max(LEAST_TUTORED)
    }

    /// Writes the match to its file, unless the correction of an earlier game must wait.
    pub fn save_match(&mut self) {
        let Some(open) = &mut self.variation else {
            return;
        };
        let VariationKind::Match(played) = &mut open.kind else {
            return;
        };
        played.record.record_line(&played.tree, &open.line);
        if let Some(Resignation {
            player,
            points,
            roll,
        }) = played.resigned
        {
            played.record.resign(player, points, roll);
        }
        if let Some(text) = played.text_to_write() {
            let file = played.file.clone();
            let written = WrittenMatch { file, text };
            self.effects.push(Effect::SaveMatch(Box::new(written)));
        }
        self.note_play();
    }
}
