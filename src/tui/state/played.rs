//! What of a match against the program is in view.

use super::{App, Effect};
use crate::tui::documents::played_match::{MatchPrompt, PlayedMatch, Resignation, WrittenMatch};
use crate::tui::documents::variation_kind::VariationKind;

/// Least error of which the tutor speaks, in points: what is written as zero is no error.
const LEAST_TUTORED: f32 = 0.001;

impl App {
    /// The match against the program that is in view.
    pub fn played(&self) -> Option<&PlayedMatch> {
        self.variation.as_ref()?.kind.played()
    }

    /// The match against the program in view, to be changed.
    pub fn played_mut(&mut self) -> Option<&mut PlayedMatch> {
        self.variation.as_mut()?.kind.played_mut()
    }

    /// Whether a match is being transcribed.
    pub fn is_transcribing(&self) -> bool {
        self.played().is_some_and(PlayedMatch::is_transcribed)
    }

    /// What the person is asked in the match against the program.
    pub fn match_prompt(&self) -> Option<MatchPrompt> {
        let open = self.variation.as_ref()?;
        let played = open.kind.played()?;
        let after = played.tree.after(open.line.last().copied());
        Some(MatchPrompt::at(played, after.as_ref(), open.dice))
    }

    /// From which error on the tutor speaks, in points: the size of errors, as for the next one.
    pub fn tutored_from(&self) -> f32 {
        self.least_error().max(LEAST_TUTORED)
    }

    /// Has the match written as it stands. Where an earlier game is corrected, its file may have to wait.
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
