//! Queries on the displayed rollout by hand.

use super::App;
use crate::tui::documents::by_hand::{HandPrompt, HandRollout};
use crate::tui::documents::played_match::MatchPrompt;

impl App {
    /// The rollout by hand whose games are displayed.
    pub fn hand(&self) -> Option<&HandRollout> {
        self.variation.as_ref()?.kind.hand()
    }

    /// Returns whether a game played by the person is displayed: by hand, or of a match against the program.
    pub fn is_in_game(&self) -> bool {
        self.hand().is_some() || self.played().is_some()
    }

    /// Returns whether the displayed game by hand is over.
    pub fn hand_is_over(&self) -> bool {
        self.hand()
            .is_some_and(|hand| matches!(hand.prompt, Some(HandPrompt::Over { .. })))
    }

    /// Returns whether the person's game is over.
    pub fn is_between_games(&self) -> bool {
        self.hand_is_over()
            || self
                .match_prompt()
                .is_some_and(MatchPrompt::is_between_games)
    }

    /// Returns whether opening something else would lose a game by hand in progress. A game in which the person has
    /// not acted yet is no loss.
    pub fn is_playing_by_hand(&self) -> bool {
        self.hand().is_some_and(|hand| hand.has_played) && !self.hand_is_over()
    }

    /// Returns whether the key that makes the selected play has an effect in a variation.
    pub fn is_varying_at_choice(&self) -> bool {
        self.variation.is_some() && (self.selection.play.is_some() || self.is_between_games())
    }
}
