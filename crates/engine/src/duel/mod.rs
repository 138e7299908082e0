//! Duels between engines: games and matches on duplicate dice, with the luck subtracted.
//!
//! Two contestants play *pairs*: each pair gets the same dice twice, with the seats exchanged. The luck of
//! both contestants, by one evaluator's values, is subtracted from each result. The expected luck is zero for
//! any evaluator, so neither contestant is favoured (Dahl 1996; O. Riordan, *Bot comparison: money play or
//! matches?*, 2003).
//!
//! From the inside out: [`player`] (the players), [`luck`] (the luck of the rolls), [`rules`] (the rules and
//! the score), [`setup`] (the contestants), [`record`] (the stored results), [`game`] (one game), [`contest`]
//! (a pair of games or matches), [`runner`] (many pairs at once), [`tally`] (means and intervals).
//!
//! *Units.* Points for money play; in a match the winning chance minus ½: a win is ½ and a loss -½.

mod contest;
mod game;
pub mod luck;
pub mod player;
pub mod record;
pub mod rules;
pub mod runner;
pub mod setup;
pub mod tally;

#[cfg(test)]
mod tests;

pub use luck::DuelLuck;
pub use player::{Contestant, EngineContestant, Fault, FaultKind, Player};
pub use record::{ContestRecord, FaultRecord, PairRecord};
pub use rules::DuelRules;
pub use runner::{Ended, run};
pub use setup::Duel;
pub use tally::{Column, DuelTally};
