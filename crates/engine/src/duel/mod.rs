//! Engine against engine: games and matches on duplicate dice, with the luck subtracted.
//!
//! Two contestants play *pairs*: each pair gets the same dice twice, with the seats exchanged. From each
//! result the luck of both is subtracted, as one evaluator values it. Luck so measured averages zero
//! whatever that evaluator thinks, so neither contestant is favoured (Dahl 1996; O. Riordan, *Bot
//! comparison: money play or matches?*, 2003).
//!
//! From the inside out: [`player`] (who decides), [`luck`] (the luck of the rolls), [`rules`] (what is
//! played), [`setup`] (who plays it), [`record`] (what is kept), [`game`] (one game), [`contest`] (a pair of
//! games or matches), [`runner`] (many at once), [`tally`] (means and intervals).
//!
//! *Units.* Points for money play; in a match the chance to win it, less one half: a match is ½ won and
//! -½ lost.

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
