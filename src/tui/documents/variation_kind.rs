//! The kinds of variation: a tried line, a game by hand, or a match against the program.

use super::by_hand::HandRollout;
use super::played_match::PlayedMatch;

/// Kind of the displayed variation.
#[derive(Debug)]
pub enum VariationKind {
    /// A line tried by the user; its tree is stored with the match.
    Tried,
    /// A game of a rollout by hand, whose tree is not kept.
    ByHand(Box<HandRollout>),
    /// A game of a match against the program.
    Match(Box<PlayedMatch>),
}

impl VariationKind {
    pub fn is_tried(&self) -> bool {
        matches!(self, Self::Tried)
    }

    /// The rollout by hand, if it is one.
    pub fn hand(&self) -> Option<&HandRollout> {
        match self {
            Self::ByHand(hand) => Some(hand),
            _ => None,
        }
    }

    pub fn hand_mut(&mut self) -> Option<&mut HandRollout> {
        match self {
            Self::ByHand(hand) => Some(hand),
            _ => None,
        }
    }

    /// The match against the program, if it is one.
    pub fn played(&self) -> Option<&PlayedMatch> {
        match self {
            Self::Match(played) => Some(played),
            _ => None,
        }
    }

    pub fn played_mut(&mut self) -> Option<&mut PlayedMatch> {
        match self {
            Self::Match(played) => Some(played),
            _ => None,
        }
    }
}
