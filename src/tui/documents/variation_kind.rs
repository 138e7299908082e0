//! The kinds of variation: a line that was tried, a game by hand, a match against the program.

use super::by_hand::HandRollout;
use super::played_match::PlayedMatch;

/// What a variation in view is.
#[derive(Debug)]
pub enum VariationKind {
    /// What might have been done instead; its tree is kept with the match.
    Tried,
    /// A game of a rollout by hand, whose tree is not kept.
    ByHand(Box<HandRollout>),
    /// A game of a match against the program.
    Match(Box<PlayedMatch>),
}

impl VariationKind {
    /// Whether it is a line that was tried.
    pub fn is_tried(&self) -> bool {
        matches!(self, Self::Tried)
    }

    /// The rollout by hand whose game it is.
    pub fn hand(&self) -> Option<&HandRollout> {
        match self {
            Self::ByHand(hand) => Some(hand),
            _ => None,
        }
    }

    /// The rollout by hand whose game it is, to be changed.
    pub fn hand_mut(&mut self) -> Option<&mut HandRollout> {
        match self {
            Self::ByHand(hand) => Some(hand),
            _ => None,
        }
    }

    /// The match against the program whose game it is.
    pub fn played(&self) -> Option<&PlayedMatch> {
        match self {
            Self::Match(played) => Some(played),
            _ => None,
        }
    }

    /// The match against the program whose game it is, to be changed.
    pub fn played_mut(&mut self) -> Option<&mut PlayedMatch> {
        match self {
            Self::Match(played) => Some(played),
            _ => None,
        }
    }
}
