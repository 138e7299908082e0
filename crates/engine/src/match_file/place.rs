//! The place of an event in a match.

/// The index of a game in [`Match::games`](super::Match::games), and of an event in its
/// [`events`](super::Game::events).
pub type EventPlace = (usize, usize);
