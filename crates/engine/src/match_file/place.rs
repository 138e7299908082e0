//! Where an event stands in a match.

/// The place of a game in [`Match::games`](super::Match::games), and of an event in its
/// [`events`](super::Game::events), each from 0.
pub type EventPlace = (usize, usize);
