//! What of a rollout by hand is in view.

use super::App;
use crate::tui::documents::by_hand::{HandPrompt, HandRollout};
use crate::tui::documents::played_match::MatchPrompt;

impl App {
    /// The rollout by hand whose games are in view.
    pub fn hand(&self) -> Option<&HandRollout> {
        self.variation.as_ref()?.kind.hand()
    }

    /// Whether a game is in view that the person plays: by hand, or of a match against the program.
    pub fn is_in_game(&self) -> bool {
        self.hand().is_some() || self.played().is_some()
    }

    /// Whether the game by hand in view has ended.
    pub fn hand_is_over(&self) -> bool {
        self.hand()
            .is_some_and(|hand| matches!(hand.prompt, Some(HandPrompt::Over { .. })))
    }

    /// Whether the game that the person plays is over.
    pub fn is_between_games(&self) -> bool {
        self.hand_is_over()
            || self
                .match_prompt()
                .is_some_and(MatchPrompt::is_between_games)
    }

    /// Whether a game by hand is under way, which would be lost if something else came into view. Of one in which
    /// the person has done nothing yet nothing is lost.
    pub fn is_playing_by_hand(&self) -> bool {
        self.hand().is_some_and(|hand| hand.has_played) && !self.hand_is_over()
    }

    /// Whether the key that takes a play as made has something to do in a variation.
    pub fn is_varying_at_choice(&self) -> bool {
        self.variation.is_some() && (self.selection.play.is_some() || self.is_between_games())
    }
}
